//! `find`, `line` and `sort` (docs/src/language/find.md#find, docs/src/language/line.md#line,
//! docs/src/language/sort.md#sort).

use super::pending::PendingOperators;
use super::{ErrorReported, ExprResult, OpenResult, Sema, all_of};
use crate::ast::{self, Filter, Wildcard, levels};
use crate::diagnostic::{Code, Span};
use crate::hir::{
    self, Expr, ExprKind, FindFilter, FindMode, LineFilter, NestBanId, SortId, SortKey, Type,
};
use crate::keywords::Keyword;
use crate::limits::{MAX_REPEAT, MAX_TYPED_DEPTH};

impl<'a> Sema<'a> {
    pub(super) fn find(&mut self, filter: &'a Filter, span: Span) -> OpenResult<'a> {
        let range = self.range(filter.range())?;
        let arg = self.operand(filter, span)?;
        let (body, pending) = self.open_at(arg, levels::FILTER)?;
        let mode = match range {
            Some(range) => FindMode::Range(range),
            None if filter.has(Keyword::All) => FindMode::All,
            None => FindMode::First,
        };
        let (quiet, backward) = (filter.has(Keyword::Quiet), filter.is_backward());
        let find = FindFilter { quiet, backward, mode, body };
        Ok((self.node(ExprKind::Find(Box::new(find)), span), pending))
    }

    pub(super) fn sort(&mut self, filter: &'a Filter, span: Span) -> OpenResult<'a> {
        let quiet = filter.has(Keyword::Quiet);
        let min = filter.has(Keyword::Min);
        let description = filter.text();
        let arg = self.operand(filter, span)?;
        let (value, pending) = self.open_at(arg, levels::FILTER)?;
        if min && value.any(&|e| matches!(e.kind, ExprKind::Echo(_))) {
            return Err(self.error(
                Code::EchoInSort,
                span,
                "`sort min` cannot have an `echo` inside",
            ));
        }
        let value = match value.ty {
            Type::Set => self.count(value),
            Type::Number
                if matches!(value.kind, ExprKind::Number(_)) && !is_negated_filter(arg) =>
            {
                return Err(self.error(
                    Code::ConstantSort,
                    value.span,
                    "`sort` by a fixed number sorts nothing",
                ));
            }
            Type::Number | Type::String => value,
            Type::Bool | Type::Position | Type::Piece => {
                return Err(self.mismatch(
                    &value,
                    "a number, a set of squares or a string",
                    "sort",
                ));
            }
        };
        let ty = value.ty;
        let key = if let Some(text) = description {
            let key = SortKey { name: text.value.clone(), ty, min, quiet };
            if self.conflicts(&key) {
                return Err(self.error(
                    Code::ConflictingSort,
                    text.span,
                    "another `sort` of this description has another type or direction",
                ));
            }
            self.sort_key(key)
        } else {
            self.unnamed_sorts += 1;
            let name = SortKey::name_of(self.unnamed_sorts);
            self.new_sort_key(SortKey { name, ty, min, quiet })
        };
        Ok((self.node(ExprKind::Sort { key, value: Box::new(value) }, span), pending))
    }

    /// Whether the query sorts in another way by a key of this name.
    pub(super) fn conflicts(&self, key: &SortKey) -> bool {
        let known = self.sort_ids.get(&key.name).map(|id| &self.query.sorts[id.0 as usize]);
        known.is_some_and(|known| (known.ty, known.min) != (key.ty, key.min))
    }

    /// The key of this name: the one that the query has already, or this new one.
    pub(super) fn sort_key(&mut self, key: SortKey) -> SortId {
        match self.sort_ids.get(&key.name) {
            Some(&known) => known,
            None => self.new_sort_key(key),
        }
    }

    fn new_sort_key(&mut self, key: SortKey) -> SortId {
        let id = SortId(self.query.sorts.len() as u32);
        self.sort_ids.entry(key.name.clone()).or_insert(id);
        self.query.sorts.push(key);
        id
    }

    pub(super) fn line(
        &mut self,
        head: &'a Filter,
        parts: &'a [ast::LineConstituent],
        span: Span,
    ) -> OpenResult<'a> {
        self.check_parameters(head)?;
        let mut line = LineFilter {
            quiet: head.has(Keyword::Quiet),
            backward: head.is_backward(),
            range: self.range(head.range())?,
            single_color: head.has(Keyword::SingleColor),
            primary: head.has(Keyword::Primary),
            secondary: head.has(Keyword::Secondary),
            first_match: head.has(Keyword::FirstMatch),
            nest_ban: head.has(Keyword::NestBan).then(NestBanId::default),
            last_position: head.has(Keyword::LastPosition),
            constituents: Vec::new(),
        };
        let mut pending = PendingOperators::new();
        line.constituents = all_of(parts.iter().enumerate().map(|(i, part)| {
            let rest = (i + 1 == parts.len()).then_some(&mut pending);
            self.constituent(part, rest).map(|(constituent, _)| constituent)
        }))?;
        Ok((self.node(ExprKind::Line(Box::new(line)), span), pending))
    }

    /// A constituent, and whether it can match the empty sequence. The pending operators of the
    /// last constituent go to `rest`.
    fn constituent(
        &mut self,
        part: &'a ast::LineConstituent,
        rest: Option<&mut PendingOperators<'a>>,
    ) -> Result<(hir::LineConstituent, bool), ErrorReported> {
        let (kind, empty) = match &part.kind {
            ast::LineConstituentKind::Filter(filter) => {
                let rest = rest.filter(|_| part.repeats.is_empty());
                let filter = Box::new(self.constituent_filter(filter, rest)?);
                (hir::LineConstituentKind::Filter(filter), false)
            }
            ast::LineConstituentKind::Group(parts) => {
                if self.depth >= MAX_TYPED_DEPTH {
                    return Err(self.too_deep(part.span));
                }
                let mut group = Vec::with_capacity(parts.len());
                let mut empty = true;
                for part in parts {
                    self.depth += 1;
                    let constituent = self.constituent(part, None);
                    self.depth -= 1;
                    let (constituent, part_empty) = constituent?;
                    empty &= part_empty;
                    group.push(constituent);
                }
                (hir::LineConstituentKind::Group(group), empty)
            }
        };
        let repeats = self.repeats(&part.repeats, empty)?;
        let empty = repeats.last().map_or(empty, |&(min, _)| min == 0);
        Ok((hir::LineConstituent { kind, repeats }, empty))
    }

    /// A filter as a constituent. Without `rest`, no operators may be pending after it.
    fn constituent_filter(
        &mut self,
        filter: &'a ast::Expr,
        rest: Option<&mut PendingOperators<'a>>,
    ) -> ExprResult {
        let (typed, pending) = self.open_at(filter, 0)?;
        let typed = match rest {
            Some(rest) => {
                *rest = pending;
                typed
            }
            None => self.finish((typed, pending))?,
        };
        if is_plain_number(&typed) && !is_braced_name(filter) {
            let message = "a constituent of `line` cannot be a plain number";
            let help = "put braces around the `line` to compare its value";
            return Err(self.not_a_constituent(typed.span, message, help));
        }
        Ok(typed)
    }

    /// The wildcards after a constituent, which can match the empty sequence if `empty`.
    fn repeats(
        &mut self,
        wildcards: &[Wildcard],
        mut empty: bool,
    ) -> Result<Vec<(u32, u32)>, ErrorReported> {
        let mut repeats = Vec::with_capacity(wildcards.len());
        for &Wildcard { min, max, span } in wildcards {
            let max = max.unwrap_or(MAX_REPEAT);
            if empty {
                return Err(self.error(
                    Code::EmptyRepetition,
                    span,
                    "the constituent before this repetition can match the empty sequence",
                ));
            }
            let after_plus = repeats.last() == Some(&(1, MAX_REPEAT));
            if after_plus && !matches!((min, max), (0, 1 | MAX_REPEAT)) {
                return Err(self.error(
                    Code::RepetitionAfterPlus,
                    span,
                    "this repetition cannot follow `+`",
                ));
            }
            empty = min == 0;
            repeats.push((min, max));
        }
        Ok(repeats)
    }
}

/// Whether it is `-` before something other than a literal, which CQL 6.2 does not take for a fixed
/// number.
fn is_negated_filter(e: &ast::Expr) -> bool {
    matches!(&e.kind, ast::ExprKind::Negate(inner) if !matches!(inner.kind, ast::ExprKind::Int(_)))
}

/// Whether the filter is a literal, a variable or arithmetic, which was probably meant to be
/// compared with the value of the `line`.
fn is_plain_number(e: &Expr) -> bool {
    let plain = matches!(e.kind, ExprKind::Number(_) | ExprKind::Var(_) | ExprKind::Arithmetic(..));
    e.ty == Type::Number && plain
}

/// Whether the filter is a name in braces, which tests whether the variable is bound.
fn is_braced_name(e: &ast::Expr) -> bool {
    if let ast::ExprKind::Paren(e) = &e.kind {
        return is_braced_name(e);
    }
    let ast::ExprKind::Block(items) = &e.kind else {
        return false;
    };
    let [item] = &items[..] else {
        return false;
    };
    matches!(item.kind, ast::ExprKind::Name(_)) || is_braced_name(item)
}
