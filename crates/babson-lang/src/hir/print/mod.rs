//! Prints the HIR for `babson explain` and tests. Each node is a line, with its type at the end and
//! its operands indented below it.

mod label;
mod spelling;

use super::*;
use crate::limits::MAX_PRINTED_COPIES;
use spelling::type_name;

/// The typed tree of a query: header, variables, dictionaries, sort keys, then the filters.
pub fn print(query: &Query) -> String {
    let mut printer = Printer { query, out: String::new() };
    printer.declarations();
    for filter in &query.body {
        printer.expr(filter, 0);
    }
    printer.out
}

struct Printer<'q> {
    query: &'q Query,
    out: String,
}

impl Printer<'_> {
    fn game_lists(&mut self, lists: &GameLists, depth: usize) {
        for list in &lists.lists {
            let marks = match list.mark {
                MarkMode::None => "no match",
                MarkMode::First => "the first match",
                MarkMode::All => "all matches",
            };
            let mut text = format!("list over {}, marks {marks}", label::scope(list.scope));
            if let Some((lo, hi)) = list.count {
                text.push_str(&format!(", matches {lo} to {hi} times"));
            }
            self.line(depth, &text);
            self.expr(&list.body, depth + 1);
            if let Some((bodies, (lo, hi))) = &list.counted {
                let count = bodies.len();
                self.line(
                    depth + 1,
                    &format!("one of its {count} images matches {lo} to {hi} times"),
                );
            }
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.out.push_str(&"  ".repeat(depth));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn declarations(&mut self) {
        let query = self.query;
        if query.header != Header::default() {
            self.line(0, &spelling::header(&query.header));
        }
        for (i, var) in query.vars.iter().enumerate() {
            let mut text = format!("variable {}: {}", self.var(VarId(i as u32)), type_name(var.ty));
            if let Some(quiet) = var.persistent {
                text.push_str(if quiet { ", persistent quiet" } else { ", persistent" });
            }
            if var.atomic {
                text.push_str(", atomic");
            }
            self.line(0, &text);
        }
        for d in &query.dictionaries {
            let local = if d.local { "local " } else { "" };
            let merge =
                d.join_rule.map_or(String::new(), |rule| format!(", joined by {}", rule.name()));
            self.line(
                0,
                &format!(
                    "{local}dictionary {}: {} --> {}{merge}",
                    d.name,
                    type_name(d.key),
                    type_name(d.value)
                ),
            );
        }
        for sort in &query.sorts {
            let order = if sort.min { "least first" } else { "greatest first" };
            self.line(0, &format!("sort key \"{}\": {}, {order}", sort.name, type_name(sort.ty)));
        }
    }

    fn expr(&mut self, e: &Expr, depth: usize) {
        let label = self.label(e);
        self.line(depth, &format!("{label}: {}", type_name(e.ty)));
        match &e.kind {
            ExprKind::Line(line) => self.constituents(&line.constituents, depth + 1),
            ExprKind::GameLists(lists) => self.game_lists(lists, depth + 1),
            ExprKind::Path(path) => {
                if let Some(Focus::Pieces { set, .. }) = &path.focus {
                    self.role("focus", set, depth + 1);
                }
                if let Some(max) = &path.max {
                    self.role("max", max, depth + 1);
                }
                self.path_parts(&path.parts, depth + 1);
            }
            ExprKind::Move(m) => {
                for (role, set) in [
                    ("from", &m.from),
                    ("to", &m.to),
                    ("capture", &m.capture),
                    ("enpassantsquare", &m.en_passant_square),
                ] {
                    if let Some(set) = set {
                        self.role(role, set, depth + 1);
                    }
                }
                for part in m.comment.iter().flatten() {
                    self.role("comment", part, depth + 1);
                }
            }
            ExprKind::Dash(filter) => {
                self.dash(&filter.dash, depth + 1);
                if let Some(target) = &filter.target {
                    self.role("target", target, depth + 1);
                }
            }
            ExprKind::If { condition, then, otherwise } => {
                self.role("condition", condition, depth + 1);
                self.role("then", then, depth + 1);
                if let Some(otherwise) = otherwise {
                    self.role("else", otherwise, depth + 1);
                }
            }
            ExprKind::Pin { from, through, to, .. } => {
                self.role("from", from, depth + 1);
                self.role("through", through, depth + 1);
                self.role("to", to, depth + 1);
            }
            ExprKind::Orbit { elements, .. } => {
                for element in elements.iter().take(MAX_PRINTED_COPIES) {
                    self.expr(element, depth + 1);
                }
                if let Some(more) =
                    elements.len().checked_sub(MAX_PRINTED_COPIES).filter(|&more| more > 0)
                {
                    self.line(depth + 1, &format!("… and {more} more"));
                }
            }
            _ => e.for_each_operand(&mut |operand| self.expr(operand, depth + 1)),
        }
    }

    fn role(&mut self, role: &str, e: &Expr, depth: usize) {
        self.line(depth, &format!("{role} ="));
        self.expr(e, depth + 1);
    }

    /// The operands of a dash.
    fn dash(&mut self, dash: &Dash, depth: usize) {
        let promotion = match &dash.promotion {
            Some(Promotion::Text(text)) => Some(text),
            _ => None,
        };
        for (role, operand) in
            [("left", dash.left.as_ref()), ("right", dash.right.as_ref()), ("promotion", promotion)]
        {
            if let Some(operand) = operand {
                self.role(role, operand, depth);
            }
        }
    }

    fn constituents(&mut self, list: &[LineConstituent], depth: usize) {
        for constituent in list {
            let repeats: String =
                constituent.repeats.iter().map(|(lo, hi)| format!("{{{lo},{hi}}}")).collect();
            self.line(depth, format!("--> {repeats}").trim_end());
            match &constituent.kind {
                LineConstituentKind::Filter(filter) => self.expr(filter, depth + 1),
                LineConstituentKind::Group(group) => self.constituents(group, depth + 1),
            }
        }
    }

    fn path_parts(&mut self, list: &[PathConstituent], depth: usize) {
        for part in list {
            let repeat = part.repeat.map_or(String::new(), |(lo, hi)| format!(" {{{lo},{hi}}}"));
            match &part.kind {
                PathConstituentKind::Step { dash, targets } => {
                    let sign = if dash.capture { "[x]" } else { "--" };
                    self.line(depth, &format!("{sign}{repeat}"));
                    self.dash(dash, depth + 1);
                    for target in targets {
                        self.role("target", target, depth + 1);
                    }
                }
                PathConstituentKind::Holder(filter) => {
                    self.line(depth, &format!("here{repeat}"));
                    self.expr(filter, depth + 1);
                }
                PathConstituentKind::Chain(parts) => {
                    self.line(depth, &format!("chain{repeat}"));
                    self.path_parts(parts, depth + 1);
                }
            }
        }
    }
}
