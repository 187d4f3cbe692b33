//! Warnings where the two dialects read a query differently, one for each field of
//! [`Dialect`](crate::Dialect) that matters to the query (docs/src/language/dialects.md#dialects).
//!
//! The type check records the differences that the HIR does not show. This module finds the others
//! in the HIR of the query as CQLi reads it. Fields that matter only to the output or the command
//! line have no warning.

use std::collections::{BTreeMap, HashSet};

use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{
    BinaryFilter, BuiltInTag, Expr, ExprKind, MoveResult, MoveSource, Quantity, Query, Type,
    UnaryFilter, Update, VarId,
};

/// A field of [`Dialect`](crate::Dialect) that can change the meaning of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DialectSwitch {
    Promotions,
    Rights,
    Fen,
    MoveNumber,
    PieceIds,
    AbsentPiece,
    LocalScopes,
    BareResults,
    ContextualKeywords,
    MissingKeys,
    UnicodeStrings,
    RawTags,
}

impl DialectSwitch {
    /// Its name: the field of [`Dialect`](crate::Dialect).
    fn name(self) -> &'static str {
        match self {
            DialectSwitch::Promotions => "promotions_are_distinct",
            DialectSwitch::Rights => "true_rights",
            DialectSwitch::Fen => "fen_is_standard",
            DialectSwitch::MoveNumber => "movenumber_from_fen",
            DialectSwitch::PieceIds => "piece_ids_in_fen_order",
            DialectSwitch::AbsentPiece => "absent_piece_prints",
            DialectSwitch::LocalScopes => "local_scopes",
            DialectSwitch::BareResults => "bare_results",
            DialectSwitch::ContextualKeywords => "contextual_keywords",
            DialectSwitch::MissingKeys => "missing_keys_start_empty",
            DialectSwitch::UnicodeStrings => "unicode_strings",
            DialectSwitch::RawTags => "raw_tags",
        }
    }

    /// The behavior of CQLi, and that of CQL 6.2.
    fn readings(self) -> (&'static str, &'static str) {
        match self {
            DialectSwitch::Promotions => {
                ("each of the four promotions of a pawn counts as a move", "counts the four as one")
            }
            DialectSwitch::Rights => (
                "legal moves obey castling rights and en passant square of the position",
                "goes by the moves played before, whatever the FEN says",
            ),
            DialectSwitch::Fen => (
                "`fen` has the castling rights and counters of the position",
                "works the rights out from the moves and always writes `0 1`",
            ),
            DialectSwitch::MoveNumber => {
                ("`movenumber` starts from the number in the FEN", "starts from 1")
            }
            DialectSwitch::PieceIds => (
                "pieces are numbered from 1, in the order of the FEN",
                "numbers them from 0, from a1 to h8",
            ),
            DialectSwitch::AbsentPiece => {
                ("a piece that is gone prints `[absent]`", "prints nothing for it")
            }
            DialectSwitch::LocalScopes => (
                "variables of the body of an iteration or function are its own",
                "knows them in the whole query",
            ),
            DialectSwitch::BareResults => {
                ("a result alone is a filter", "wants `result` before it")
            }
            DialectSwitch::ContextualKeywords => {
                ("this word is a name in this query", "reserves the word")
            }
            DialectSwitch::MissingKeys => {
                ("an entry that is missing starts from 0 or \"\"", "ends with an error")
            }
            DialectSwitch::UnicodeStrings => (
                "strings are made of characters",
                "counts bytes, and changes the case of ASCII letters only",
            ),
            DialectSwitch::RawTags => ("tags are read as the file has them", "rewrites them first"),
        }
    }
}

/// The differences found so far, with their spans.
#[derive(Debug, Default)]
pub(super) struct Differences {
    places: BTreeMap<DialectSwitch, HashSet<Span>>,
}

impl Differences {
    pub(super) fn add(&mut self, switch: DialectSwitch, span: Span) {
        self.places.entry(switch).or_default().insert(span);
    }

    /// Adds the differences that the HIR shows.
    pub(super) fn search(&mut self, query: &Query) {
        let mut search =
            DifferenceSearch { found: self, beyond_ascii: variables_beyond_ascii(query) };
        for filter in &query.body {
            search.visit(filter);
        }
    }

    /// One warning for each switch, at its first span, in the order of the text.
    pub(super) fn warnings(&self) -> Vec<Diagnostic> {
        let mut warnings: Vec<Diagnostic> = self
            .places
            .iter()
            .filter_map(|(switch, places)| {
                let first = *places.iter().min()?;
                let (ours, theirs) = switch.readings();
                let more = match places.len() - 1 {
                    0 => String::new(),
                    1 => "; it is met at one more place".to_owned(),
                    n => format!("; it is met at {n} more places"),
                };
                Some(
                    Diagnostic::warning(first, format!("{ours}; CQL 6.2 {theirs}"))
                        .with_label(format!("switch `{}`{more}", switch.name()))
                        .with_help("say `--dialect cqli` or `--dialect cql6`"),
                )
            })
            .collect();
        warnings.sort_by_key(|warning| warning.span);
        warnings
    }
}

/// A walk over the HIR that finds differences.
struct DifferenceSearch<'d> {
    found: &'d mut Differences,
    beyond_ascii: HashSet<VarId>,
}

impl DifferenceSearch<'_> {
    fn visit(&mut self, e: &Expr) {
        for switch in self.switches(e).into_iter().flatten() {
            self.found.add(switch, e.span);
        }
        if let ExprKind::Comment(parts) | ExprKind::Message { parts, .. } | ExprKind::Str(parts) =
            &e.kind
        {
            for part in parts {
                if part.ty == Type::Piece {
                    self.found.add(DialectSwitch::AbsentPiece, part.span);
                }
            }
        }
        e.for_each_operand(&mut |operand| self.visit(operand));
    }

    fn switches(&self, e: &Expr) -> [Option<DialectSwitch>; 2] {
        let text = |e: &Expr| may_be_beyond_ascii(e, &self.beyond_ascii);
        let one = match &e.kind {
            ExprKind::Move(m)
                if matches!(m.source, MoveSource::Legal | MoveSource::Pseudolegal)
                    && !m.drop
                    && m.capture.is_none() =>
            {
                let counts = m.result == MoveResult::Count;
                return [Some(DialectSwitch::Rights), counts.then_some(DialectSwitch::Promotions)];
            }
            ExprKind::Quantity(Quantity::MoveNumber) => DialectSwitch::MoveNumber,
            ExprKind::Quantity(
                Quantity::Tag(BuiltInTag::Player(_))
                | Quantity::Tag(BuiltInTag::Event)
                | Quantity::Tag(BuiltInTag::Site)
                | Quantity::Tag(BuiltInTag::Eco)
                | Quantity::Elo(_),
            )
            | ExprKind::Unary(UnaryFilter::Tag, _) => DialectSwitch::RawTags,
            ExprKind::Unary(UnaryFilter::PieceId, _) => DialectSwitch::PieceIds,
            ExprKind::Store { op: Some(_), from_zero: true, .. } => DialectSwitch::MissingKeys,
            ExprKind::Unary(
                UnaryFilter::Length | UnaryFilter::Lowercase | UnaryFilter::Uppercase,
                operand,
            ) if text(operand) => DialectSwitch::UnicodeStrings,
            ExprKind::CharAt { text: whole, .. } | ExprKind::Slice { text: whole, .. }
                if text(whole) =>
            {
                DialectSwitch::UnicodeStrings
            }
            ExprKind::Binary(BinaryFilter::IndexOf, _, whole) if text(whole) => {
                DialectSwitch::UnicodeStrings
            }
            ExprKind::AssignSlice { var, .. } if self.beyond_ascii.contains(var) => {
                DialectSwitch::UnicodeStrings
            }
            _ => return [None, None],
        };
        [Some(one), None]
    }
}

/// The string variables that may get characters outside ASCII.
fn variables_beyond_ascii(query: &Query) -> HashSet<VarId> {
    let mut known = HashSet::new();
    // A variable may get its text from one that is found later, so repeat until nothing changes.
    loop {
        let before = known.len();
        for filter in &query.body {
            texts_of_variables(filter, &mut known);
        }
        if known.len() == before {
            return known;
        }
    }
}

fn texts_of_variables(e: &Expr, known: &mut HashSet<VarId>) {
    match &e.kind {
        ExprKind::Assign { var, value, .. }
        | ExprKind::AssignSlice { var, value, .. }
        | ExprKind::Update { var, value, op: Update::Append }
            if value.ty == Type::String && may_be_beyond_ascii(value, known) =>
        {
            known.insert(*var);
        }
        // The keys of a dictionary may be any text.
        ExprKind::ForKeys { var, .. } => {
            known.insert(*var);
        }
        _ => {}
    }
    e.for_each_operand(&mut |operand| texts_of_variables(operand, known));
}

/// Whether the text may have characters outside ASCII. Numbers, squares, pieces and FENs have none.
fn may_be_beyond_ascii(e: &Expr, variables: &HashSet<VarId>) -> bool {
    let below = |e: &Expr| may_be_beyond_ascii(e, variables);
    if e.ty != Type::String {
        return false;
    }
    match &e.kind {
        ExprKind::Text(bytes) => !bytes.is_ascii(),
        ExprKind::Var(var) => variables.contains(var),
        ExprKind::Str(parts) => parts.iter().any(below),
        ExprKind::Quantity(which) => matches!(
            which,
            Quantity::Tag(BuiltInTag::Player(_))
                | Quantity::Tag(BuiltInTag::Event)
                | Quantity::Tag(BuiltInTag::Site)
                | Quantity::OriginalComment
        ),
        ExprKind::Unary(UnaryFilter::TypeName | UnaryFilter::PieceName, _)
        | ExprKind::CurrentTransform(_) => false,
        ExprKind::Unary(UnaryFilter::Lowercase | UnaryFilter::Uppercase, operand) => below(operand),
        ExprKind::Binary(BinaryFilter::Concat, left, right) => below(left) || below(right),
        ExprKind::Compare(_, left, _) => below(left),
        ExprKind::Extreme { operands, .. } => operands.iter().any(below),
        ExprKind::Sequence(list) => list.last().is_some_and(below),
        ExprKind::If { then, otherwise, .. } => {
            below(then) || otherwise.as_deref().is_some_and(below)
        }
        ExprKind::CharAt { text, .. } | ExprKind::Slice { text, .. } => below(text),
        ExprKind::With { body, .. } => below(body),
        ExprKind::NoTransform(body) | ExprKind::Sort { value: body, .. } => below(body),
        _ => true,
    }
}
