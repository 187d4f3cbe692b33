//! Prints the HIR for `babson explain` and tests. Each node is a line, with its type at the end and
//! its operands indented below it.

mod label;
mod spelling;

use super::*;
use crate::limits::MAX_PRINTED_COPIES;
use label::Shown;

/// The typed tree of a query: header, variables, dictionaries, sort keys, then the filters.
pub fn print(query: &Query) -> String {
    let mut printer = Printer { query, out: String::new() };
    printer.declarations();
    for filter in &query.body {
        printer.expr(filter, 0);
    }
    printer.out
}

/// The line of one node: `FindFilter first`, `Compare ==`. It is not a promise of a format.
pub fn label(query: &Query, e: &Expr) -> String {
    Shown(query, &e.kind).to_string()
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
            let mut text =
                format!("list over {}, marks {marks}", label::node_selection(list.nodes));
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
        for var in &query.vars {
            let mut text = format!("variable {}: {}", var.name, var.ty.name());
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
                    d.key.name(),
                    d.value.name()
                ),
            );
        }
        for sort in &query.sorts {
            let order = if sort.min { "least first" } else { "greatest first" };
            self.line(0, &format!("sort key \"{}\": {}, {order}", sort.name, sort.ty.name()));
        }
    }

    fn expr(&mut self, e: &Expr, depth: usize) {
        let label = label(self.query, e);
        self.line(depth, &format!("{label}: {}", e.ty.name()));
        let depth = depth + 1;
        if let ExprKind::Line(line) = &e.kind {
            self.constituents(&line.constituents, depth);
        } else if let ExprKind::GameLists(lists) = &e.kind {
            self.game_lists(lists, depth);
        } else if let ExprKind::Path(path) = &e.kind {
            self.path(path, depth);
        } else if let ExprKind::Move(filter) = &e.kind {
            self.move_filter(filter, depth);
        } else if let ExprKind::Dash(filter) = &e.kind {
            self.dash(&filter.dash, depth);
            self.optional_role("target", filter.target.as_ref(), depth);
        } else if let ExprKind::If { condition, then, otherwise } = &e.kind {
            self.role("condition", condition, depth);
            self.role("then", then, depth);
            self.optional_role("else", otherwise.as_deref(), depth);
        } else if let ExprKind::Set(SetFilter::Aligned(alignment, sets)) = &e.kind
            && !alignment.roles().is_empty()
        {
            for (role, set) in alignment.roles().iter().zip(sets) {
                self.role(role, set, depth);
            }
        } else if let ExprKind::Orbit { elements, .. } = &e.kind {
            for element in elements.iter().take(MAX_PRINTED_COPIES) {
                self.expr(element, depth);
            }
            if elements.len() > MAX_PRINTED_COPIES {
                self.line(depth, &format!("… and {} more", elements.len() - MAX_PRINTED_COPIES));
            }
        } else {
            e.for_each_operand(&mut |operand| self.expr(operand, depth));
        }
    }

    fn path(&mut self, path: &PathFilter, depth: usize) {
        if let Some(Focus::Pieces { set, .. }) = &path.focus {
            self.role("focus", set, depth);
        }
        self.optional_role("max", path.max.as_ref(), depth);
        self.path_parts(&path.constituents, depth);
    }

    fn move_filter(&mut self, filter: &MoveFilter, depth: usize) {
        self.optional_role("from", filter.from.as_ref(), depth);
        self.optional_role("to", filter.to.as_ref(), depth);
        self.optional_role("capture", filter.capture.as_ref(), depth);
        self.optional_role("enpassantsquare", filter.en_passant_square.as_ref(), depth);
        for part in filter.comment.iter().flatten() {
            self.role("comment", part, depth);
        }
    }

    fn optional_role(&mut self, role: &str, e: Option<&Expr>, depth: usize) {
        if let Some(e) = e {
            self.role(role, e, depth);
        }
    }

    fn role(&mut self, role: &str, e: &Expr, depth: usize) {
        self.line(depth, &format!("{role} ="));
        self.expr(e, depth + 1);
    }

    /// The operands of a dash.
    fn dash(&mut self, dash: &Dash, depth: usize) {
        self.optional_role("left", dash.left.as_ref(), depth);
        self.optional_role("right", dash.right.as_ref(), depth);
        if let Some(Promotion::Text(text)) = &dash.promotion {
            self.role("promotion", text, depth);
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
