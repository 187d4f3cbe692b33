//! What CQL 6.2 refuses although Babson reads it: for an author who asks whether a query runs there
//! too (docs/src/language/dialects.md#what-cql-62-refuses).

use std::collections::HashSet;

use crate::ast::{self, ExprKind as Ast, InfixOp, PrecedenceLevel};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{
    ComparisonOperator, DictId, DictionaryUse, Expr, ExprKind, MoveSource, NameUse, Query,
    StateFilter, Type,
};
use crate::keywords::KeywordOrigin;
use crate::lexer::{Lexeme, LexemeClass, LexemeKind, lex_around_errors};
use crate::limits::MAX_ERRORS;

/// Reports the places of a query at which CQL 6.2 stops, in the order of the text.
pub(in crate::sema) fn refusals(text: &str, tree: &ast::Query, query: &Query) -> Vec<Diagnostic> {
    let whole = Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX));
    let mut found = Refusals { found: Vec::new() };
    found.touching_dashes(text, &lex_around_errors(text, whole));
    tree.items.iter().for_each(|item| found.tree(item));
    let mut written = HashSet::new();
    query.body.iter().for_each(|filter| found.typed(filter, &mut written));
    let mut found = found.found;
    found.sort_by_key(|warning| warning.span);
    found.dedup_by_key(|warning| warning.span);
    found.truncate(MAX_ERRORS);
    found
}

struct Refusals {
    found: Vec<Diagnostic>,
}

impl Refusals {
    fn add(&mut self, span: Span, what: &str, help: &str) {
        let message = format!("CQL 6.2 refuses this: {what}");
        self.found.push(Diagnostic::new(Code::RefusedByCql6, span, message).with_help(help));
    }

    /// What touches a dash must be a set of squares. Babson lets the dash end where a token cannot
    /// be an operand.
    fn touching_dashes(&mut self, text: &str, lexemes: &[Lexeme]) {
        for pair in lexemes.windows(2) {
            let [before, after] = [pair[0], pair[1]];
            let touches = before.span.end == after.span.start;
            let is_dash = |lexeme: Lexeme| lexeme.kind.class() == LexemeClass::Dash;
            if !touches {
                continue;
            }
            let begins_dash = is_dash(after)
                || matches!(
                    after.kind,
                    LexemeKind::Minus
                        | LexemeKind::Shot(_)
                        | LexemeKind::Forward
                        | LexemeKind::Backward
                );
            if is_dash(before) && begins_dash {
                let what = format!("`{}` touches the dash before it", after.span.text(text));
                self.add(before.span.to(after.span), &what, "put a space between them");
            } else if is_dash(after) && is_infix_word(before, text) {
                let what = format!("`{}` touches the dash after it", before.span.text(text));
                self.add(before.span.to(after.span), &what, "put a space between them");
            }
        }
    }

    /// What the tree shows.
    fn tree(&mut self, e: &ast::Expr) {
        if let Ast::Filter(filter) = &e.kind {
            let origin = filter.keyword.origin();
            if matches!(origin, KeywordOrigin::Cqli | KeywordOrigin::Babson) {
                let what = format!("it does not have `{}`", filter.keyword.name());
                self.add(e.span, &what, "leave it out, or choose the dialect `cqli`");
            }
        } else if let Ast::In { left, .. } = &e.kind
            && matches!(left.kind, Ast::Assign { .. })
        {
            let help = "put the assignment into braces";
            self.add(e.span, "an assignment stands before `in`", help);
        } else if let Ast::Path { parts, .. } = &e.kind {
            for pair in parts.windows(2) {
                self.group_after_dash(&pair[0], &pair[1]);
            }
        } else if let Ast::Infix {
            level: PrecedenceLevel::And | PrecedenceLevel::Or,
            first,
            rest,
        } = &e.kind
        {
            self.number_after_promotion(first, rest);
        }
        e.kind.for_each_child(&mut |child| self.tree(child));
    }

    /// `path --(-- --)`
    fn group_after_dash(&mut self, before: &ast::PathConstituent, group: &ast::PathConstituent) {
        let is_bare_dash = before.repeat.is_none()
            && matches!(&before.kind, ast::PathConstituentKind::Step { dash, targets }
                if targets.is_empty()
                    && matches!(&dash.kind, Ast::Dash(dash) if dash.targets.is_empty()));
        if let ast::PathConstituentKind::Chain(parts) = &group.kind
            && is_bare_dash
            && parts.len() > 1
        {
            let what = "several filters in parentheses follow a dash of `path`";
            self.add(group.span, what, "put the dash into parentheses too: `path (--) (-- --)`");
        }
    }

    /// `--=q and 2`
    fn number_after_promotion(&mut self, first: &ast::Expr, rest: &[ast::InfixOperand]) {
        let ends_in_promotion = |e: &ast::Expr| {
            matches!(&e.kind, Ast::Dash(dash)
            if dash.promotion.is_some() && dash.targets.is_empty())
        };
        let mut left = first;
        for tail in rest {
            if ends_in_promotion(left) && matches!(tail.right.kind, Ast::Int(_)) {
                let word = if tail.op == InfixOp::Or { "or" } else { "and" };
                let what = format!("a number stands after a promotion and `{word}`");
                self.add(tail.right.span, &what, "compare the number with something");
            }
            left = &tail.right;
        }
    }

    /// What the types show. `written` has the dictionaries with an entry so far.
    fn typed(&mut self, e: &Expr, written: &mut HashSet<DictId>) {
        if let ExprKind::Compare(ComparisonOperator::NotEqual, left, _) = &e.kind
            && left.ty == Type::Position
        {
            self.add(e.span, "`!=` compares positions", "write `not … == …`");
        } else if let ExprKind::Move(filter) = &e.kind
            && matches!(filter.source, MoveSource::Legal | MoveSource::Pseudolegal)
            && filter.capture.is_some()
        {
            let what = "`capture` is not a parameter of a legal move";
            self.add(e.span, what, "write `to` with the squares of the pieces");
        } else if let ExprKind::State(StateFilter::Erase { dictionary, key: Some(_) }) = &e.kind
            && !written.contains(dictionary)
        {
            let what = "the dictionary has no entry yet whose key has a type";
            self.add(e.span, what, "assign an entry before");
        }
        e.for_each_name(&mut |name| {
            if let NameUse::Dictionary(dictionary, DictionaryUse::Store { .. }) = name {
                written.insert(dictionary);
            }
        });
        e.for_each_operand(&mut |operand| self.typed(operand, written));
    }
}

/// Whether the lexeme is a word between operands, which cannot be an operand of a dash.
fn is_infix_word(lexeme: Lexeme, text: &str) -> bool {
    lexeme.kind == LexemeKind::Word
        && matches!(
            lexeme.span.text(text),
            "and" | "or" | "not" | "in" | "if" | "then" | "else" | "find" | "attacks"
        )
}
