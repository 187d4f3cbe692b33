//! Warnings where the two dialects read a query differently, one for each field of
//! [`Dialect`](crate::Dialect) that matters to the query (docs/src/language/dialects.md#dialects).
//!
//! The type check records the differences that the HIR does not show. This module finds the others
//! in the HIR of the query as CQLi reads it. Fields that matter only to the output or the command
//! line have no warning.

use std::collections::{BTreeMap, HashSet};

use crate::diagnostic::{Code, Diagnostic, Remedy, Span};
use crate::dialect::DialectSwitch;
use crate::hir::{
    BinaryFilter, BuiltInTag, Expr, ExprKind, MoveFilter, MoveResult, MoveSource, NameUse,
    OutputFilter, Property, Query, StateFilter, Type, UnaryFilter, VarId, VariableUse,
};

impl DialectSwitch {
    /// Describes what CQLi does, then what CQL 6.2 does, for the sentence "…; CQL 6.2 …".
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
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut warnings: Vec<Diagnostic> = self
            .places
            .iter()
            .filter_map(|(switch, places)| {
                let first = *places.iter().min()?;
                let (ours, theirs) = switch.readings();
                let warning = Diagnostic::new(
                    Code::DialectDifference,
                    first,
                    format!("{ours}; CQL 6.2 {theirs}"),
                )
                .with_help("the dialect `cql6` reads it as CQL 6.2 does")
                .with_remedy(Remedy::Dialect);
                Some(match places.len() - 1 {
                    0 => warning,
                    1 => warning.with_label("the same at one more place"),
                    n => warning.with_label(format!("the same at {n} more places")),
                })
            })
            .collect();
        warnings.sort_by_key(|warning| warning.span);
        warnings
    }
}

/// The switches that the HIR of a query shows.
pub(crate) fn switches_of(query: &Query) -> Vec<DialectSwitch> {
    let mut differences = Differences::default();
    differences.search(query);
    differences.places.into_keys().collect()
}

/// A walk over the HIR that finds differences.
struct DifferenceSearch<'d> {
    found: &'d mut Differences,
    beyond_ascii: HashSet<VarId>,
}

impl DifferenceSearch<'_> {
    fn visit(&mut self, e: &Expr) {
        for switch in self.switches(e) {
            self.found.add(switch, e.span);
        }
        if let ExprKind::Output(OutputFilter::Comment(parts))
        | ExprKind::Output(OutputFilter::Field { parts, .. })
        | ExprKind::Output(OutputFilter::Message { parts, .. })
        | ExprKind::Str(parts) = &e.kind
        {
            for part in parts {
                if part.ty == Type::Piece {
                    self.found.add(DialectSwitch::AbsentPiece, part.span);
                }
            }
        }
        e.for_each_operand(&mut |operand| self.visit(operand));
    }

    /// The switches that change the meaning of the node itself.
    fn switches(&self, e: &Expr) -> Vec<DialectSwitch> {
        if let ExprKind::Move(filter) = &e.kind {
            return switches_of_move(filter);
        }
        let switch = e.kind.traits().switch;
        let matters =
            |&switch: &_| switch != DialectSwitch::UnicodeStrings || self.measures_beyond_ascii(e);
        switch.filter(matters).into_iter().collect()
    }

    /// Whether the text that a filter measures, cuts or changes may have characters outside ASCII.
    fn measures_beyond_ascii(&self, e: &Expr) -> bool {
        if let ExprKind::State(StateFilter::AssignSlice { var, .. }) = &e.kind {
            self.beyond_ascii.contains(var)
        } else if let ExprKind::CharAt { text, .. }
        | ExprKind::Slice { text, .. }
        | ExprKind::Unary(_, text)
        | ExprKind::Binary(_, _, text) = &e.kind
        {
            may_be_beyond_ascii(text, &self.beyond_ascii)
        } else {
            true
        }
    }
}

fn switches_of_move(filter: &MoveFilter) -> Vec<DialectSwitch> {
    let is_legal = matches!(filter.source, MoveSource::Legal | MoveSource::Pseudolegal);
    if !is_legal || filter.drop || filter.capture.is_some() {
        return Vec::new();
    }
    let mut switches = vec![DialectSwitch::Rights];
    if filter.result == MoveResult::Count {
        switches.push(DialectSwitch::Promotions);
    }
    switches
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

/// Adds the variables that the expression gives a text with characters outside ASCII.
fn texts_of_variables(e: &Expr, known: &mut HashSet<VarId>) {
    e.for_each_name(&mut |name| {
        let NameUse::Variable(var, how) = name else {
            return;
        };
        if may_get_beyond_ascii(e, how, known) {
            known.insert(var);
        }
    });
    e.for_each_operand(&mut |operand| texts_of_variables(operand, known));
}

/// Whether a node may give its variable a text with characters outside ASCII.
fn may_get_beyond_ascii(e: &Expr, how: VariableUse, known: &HashSet<VarId>) -> bool {
    match how {
        VariableUse::Assign | VariableUse::Splice | VariableUse::Update(_) => {
            let mut beyond = false;
            e.for_each_operand(&mut |operand| {
                beyond |= operand.ty == Type::String && may_be_beyond_ascii(operand, known);
            });
            beyond
        }
        // The keys of a dictionary may be any text.
        VariableUse::Loop => matches!(e.kind, ExprKind::ForKeys { .. }),
        VariableUse::Read | VariableUse::Test | VariableUse::BindPiece | VariableUse::Unbind => {
            false
        }
    }
}

/// Whether the text may have characters outside ASCII. Numbers, squares, pieces and FENs have none.
#[expect(clippy::wildcard_enum_match_arm, reason = "a text of any other origin may")]
fn may_be_beyond_ascii(e: &Expr, variables: &HashSet<VarId>) -> bool {
    let below = |e: &Expr| may_be_beyond_ascii(e, variables);
    if e.ty != Type::String {
        return false;
    }
    match &e.kind {
        ExprKind::Text(bytes) => !bytes.is_ascii(),
        ExprKind::Var(var) => variables.contains(var),
        ExprKind::Str(parts) => parts.iter().any(below),
        ExprKind::Property(which) => matches!(
            which,
            Property::Tag(BuiltInTag::Player(_) | BuiltInTag::Event | BuiltInTag::Site)
                | Property::OriginalComment
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
