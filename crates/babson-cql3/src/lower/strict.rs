//! Lists with `:accumulate` or `:sumrange`: every item is evaluated, in the order of the text.
//!
//! Sums and intermediate results are variables. Each level of nesting has its own, since a nested
//! list is evaluated in the middle of the list around it.

use babson_lang::diagnostic::{Diagnostic, Span};
use babson_lang::hir::{
    Arithmetic, ComparisonOperator, Expr, ExprKind, StateFilter, Type, Update, VarId,
};

use super::nodes::{ALL_NUMBERS, bool, compare, not, number, within};
use super::{Lowering, pattern};
use crate::tree::{PositionFlag, PositionItem, PositionList};

/// The variables of one level of nesting.
#[derive(Clone, Copy)]
struct NestingVars {
    /// Whether some image of the list has matched.
    matched: VarId,
    /// Whether all items of the image have matched so far.
    holds: VarId,
    /// The result of an `:and` or `:or` so far.
    logic: VarId,
}

impl Lowering {
    /// A top-level list. Its sums begin at 0.
    pub(super) fn strict_list(&mut self, list: &PositionList) -> Result<Expr, Diagnostic> {
        self.sums.clear();
        let mut statements = Vec::new();
        list.visit(&mut |item, _| {
            if let PositionItem::Accumulate(name) = item
                && self.sum(name).is_none()
            {
                let var = self.var("", Type::Number);
                statements.push(assign(var, 0, list.span));
                self.sums.push((name.clone(), var));
            }
        });
        let mut levels = Vec::new();
        statements.push(self.strict(list, 0, &mut levels)?);
        Ok(Expr::new(ExprKind::Sequence(statements), list.span))
    }

    fn level(&mut self, depth: usize, levels: &mut Vec<NestingVars>) -> NestingVars {
        while levels.len() <= depth {
            let mut var = || self.var("", Type::Number);
            levels.push(NestingVars { matched: var(), holds: var(), logic: var() });
        }
        levels[depth]
    }

    fn strict(
        &mut self,
        list: &PositionList,
        depth: usize,
        levels: &mut Vec<NestingVars>,
    ) -> Result<Expr, Diagnostic> {
        let span = list.span;
        let mut statements =
            if list.items.iter().any(|item| !item.all_lists(&mut |list| !has_sums(list))) {
                self.all_items(list, depth, levels)?
            } else {
                // If no nested list has sums, the items after one that fails need no evaluation.
                let mut sums = Vec::new();
                for (item, span) in list.spanned() {
                    if let PositionItem::Accumulate(name) = item {
                        sums.extend(self.sum(name).map(|sum| increment(sum, span)));
                    }
                }
                vec![self.any_image(list, &sums)?]
            };
        for (item, span) in list.spanned() {
            if let PositionItem::SumRange(name, range) = item {
                statements.push(match self.sum(name) {
                    Some(sum) => within(value(sum, span), *range, ALL_NUMBERS),
                    None => bool(range.contains(0), span),
                });
            }
        }
        let all = Expr::new(ExprKind::Sequence(statements), span);
        Ok(if list.has(PositionFlag::Not) { not(all) } else { all })
    }

    /// Evaluates every item of every image. Matches if an image matches.
    fn all_items(
        &mut self,
        list: &PositionList,
        depth: usize,
        levels: &mut Vec<NestingVars>,
    ) -> Result<Vec<Expr>, Diagnostic> {
        let level = self.level(depth, levels);
        let span = list.span;
        let mut statements = vec![assign(level.matched, 0, span)];
        for image in self.images(list)? {
            statements.push(assign(level.holds, 1, span));
            let pattern = pattern(&image);
            let mut sums = vec![assign(level.matched, 1, span)];
            for (item, span) in image.spanned() {
                if let PositionItem::Accumulate(name) = item {
                    sums.extend(self.sum(name).map(|sum| increment(sum, span)));
                    continue;
                }
                let filter = if let PositionItem::Logic { or, lists } = item {
                    Some(self.strict_logic(*or, lists, span, depth, levels)?)
                } else if let PositionItem::Sequence { gapped, lists } = item {
                    let steps = lists.iter().map(|list| self.strict(list, depth + 1, levels));
                    let steps = steps.collect::<Result<_, _>>()?;
                    Some(self.steps(*gapped, steps, span))
                } else {
                    self.item(item, pattern, span)?
                };
                statements.extend(filter.map(|filter| {
                    let failed = assign(level.holds, 0, span);
                    if_else(filter, None, Some(failed), span)
                }));
            }
            let then = Expr::new(ExprKind::Sequence(sums), span);
            statements.push(if_else(is_set(level.holds, span), Some(then), None, span));
        }
        statements.push(is_set(level.matched, span));
        Ok(statements)
    }

    fn strict_logic(
        &mut self,
        or: bool,
        lists: &[PositionList],
        span: Span,
        depth: usize,
        levels: &mut Vec<NestingVars>,
    ) -> Result<Expr, Diagnostic> {
        let level = self.level(depth, levels);
        let mut statements = vec![assign(level.logic, i32::from(!or), span)];
        for list in lists {
            let filter = self.strict(list, depth + 1, levels)?;
            let set = assign(level.logic, i32::from(or), span);
            let (then, otherwise) = if or { (Some(set), None) } else { (None, Some(set)) };
            statements.push(if_else(filter, then, otherwise, span));
        }
        statements.push(is_set(level.logic, span));
        Ok(Expr::new(ExprKind::Sequence(statements), span))
    }

    fn sum(&self, name: &str) -> Option<VarId> {
        let known = self.sums.iter().find(|(known, _)| known == name);
        known.map(|&(_, var)| var)
    }
}

/// Whether the list or a list in it has sums.
pub(super) fn has_sums(list: &PositionList) -> bool {
    list.any(&|item| matches!(item, PositionItem::Accumulate(_) | PositionItem::SumRange(..)))
}

fn value(var: VarId, span: Span) -> Expr {
    Expr::declared(ExprKind::Var(var), Type::Number, span)
}

fn assign(var: VarId, n: i32, span: Span) -> Expr {
    let value = Box::new(number(n, span));
    Expr::new(ExprKind::State(StateFilter::Assign { var, value, if_any: false }), span)
}

fn increment(var: VarId, span: Span) -> Expr {
    let (op, value) = (Update::Number(Arithmetic::Add), Box::new(number(1, span)));
    Expr::new(ExprKind::State(StateFilter::Update { var, op, value }), span)
}

fn is_set(var: VarId, span: Span) -> Expr {
    compare(ComparisonOperator::Equal, value(var, span), 1)
}

fn if_else(condition: Expr, then: Option<Expr>, otherwise: Option<Expr>, span: Span) -> Expr {
    let kind = ExprKind::If {
        condition: Box::new(condition),
        then: Box::new(then.unwrap_or_else(|| bool(true, span))),
        otherwise: otherwise.map(Box::new),
    };
    Expr::new(kind, span)
}
