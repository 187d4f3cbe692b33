//! Prints one expression.

use std::fmt::Write;

use super::spelling::{designator, flags, range_text, repeat, storage_text};
use super::{form, form_in, list};
use crate::ast::*;
use crate::keywords::KeywordClass;

pub(super) fn write_expr(out: &mut String, e: &Expr) {
    use ExprKind::*;
    let _ = match &e.kind {
        Error => apart(|| write!(out, "(error)")),
        Int(n) => apart(|| write!(out, "{n}")),
        Str(s) => apart(|| write!(out, "{s:?}")),
        Result(r) => apart(|| write!(out, "{}", r.name())),
        ResultIs(r) => apart(|| write!(out, "(result {})", r.name())),
        Designator(d) => apart(|| write!(out, "{}", designator(d))),
        AnySquare => apart(|| write!(out, ".")),
        EmptySet => apart(|| write!(out, "[]")),
        Identity => apart(|| write!(out, "`")),
        Group(n) => apart(|| write!(out, "\\{n}")),
        GroupIndex(n) => apart(|| write!(out, "\\-{n}")),
        NamedGroup(name, index) => {
            apart(|| write!(out, "\\{}{{{name}}}", if *index { "-" } else { "" }))
        }
        Name(name) => apart(|| write!(out, "{name}")),
        IsBound { negated, name } => apart(|| {
            write!(out, "({} {})", if *negated { "isunbound" } else { "isbound" }, name.name)
        }),
        Dictionary { storage, types, merge, name } => apart(|| {
            let merge = merge.as_ref().map_or(String::new(), |m| format!(" ({})", m.name));
            let types = types.map_or(String::new(), |(k, v)| format!(" {k:?}->{v:?}"));
            write!(out, "({}dictionary{types}{merge} {})", storage_text(storage), name.name)
        }),
        Paren(inner) => {
            form(out, "paren", [&**inner]);
            Ok(())
        }
        Block(items) => {
            form(out, "block", items);
            Ok(())
        }
        Call { name, args } => {
            form(out, &apart(|| format!("call {}", name.name)), args);
            Ok(())
        }
        Infix { level: _, first, rest } => {
            // As nested pairs, from the left.
            for tail in rest.iter().rev() {
                out.push('(');
                out.push_str(tail.op.name());
                out.push(' ');
            }
            write_expr(out, first);
            for tail in rest {
                list(out, [&tail.right]);
                out.push(')');
            }
            Ok(())
        }
        Relation { left, op, right, .. } => {
            form(out, op.name(), [&**left, &**right]);
            Ok(())
        }
        In { left, right, .. } => {
            form(out, "in", [&**left, &**right]);
            Ok(())
        }
        Not(inner) => {
            form(out, "not", [&**inner]);
            Ok(())
        }
        Complement(inner) => {
            form(out, "~", [&**inner]);
            Ok(())
        }
        Negate(inner) => {
            form(out, "neg", [&**inner]);
            Ok(())
        }
        Arrows { back, parts, .. } => {
            form(out, if *back { "<-" } else { "->" }, parts);
            Ok(())
        }
        With { left, right, .. } => {
            form(out, ":", [&**left, &**right]);
            Ok(())
        }
        Index { base, index } => {
            form(out, "index", [&**base, &**index]);
            Ok(())
        }
        Slice { base, from, to } => {
            out.push_str("(slice");
            list(out, [&**base]);
            for bound in [from, to] {
                match bound {
                    Some(e) => list(out, [&**e]),
                    None => out.push_str(" _"),
                }
            }
            out.write_char(')')
        }
        Match { subject, pattern, .. } => {
            form(out, "~~", [&**subject, &**pattern]);
            Ok(())
        }
        Assign { storage, name, op, value, .. } => {
            form(
                out,
                &apart(|| format!("{}{} {}", storage_text(storage), op.name(), name.name)),
                [&**value],
            );
            Ok(())
        }
        AssignIndex { place, op, value, .. } => {
            form(out, op.name(), [&**place, &**value]);
            Ok(())
        }
        AssignPiece { name, value } => {
            form(out, &apart(|| format!("piece= {}", name.name)), [&**value]);
            Ok(())
        }
        Unbind { name, key } => {
            form(out, &apart(|| format!("unbind {}", name.name)), key.as_deref());
            Ok(())
        }
        Function { name, params, body, .. } => {
            let params: Vec<&str> = params.iter().map(|p| p.name.as_str()).collect();
            form(out, &apart(|| format!("function {} [{}]", name.name, params.join(" "))), body);
            Ok(())
        }
        Hook { end, body } => {
            form(out, if *end { "cqlend" } else { "cqlbegin" }, body);
            Ok(())
        }
        Filter(filter) => {
            write_filter(out, filter);
            Ok(())
        }
        LineComment(args) => {
            form(out, "///", args);
            Ok(())
        }
        DashPrefix { words, arg } => {
            let words: Vec<&str> = words.iter().map(|w| w.name()).collect();
            form(out, &words.join(" "), [&**arg]);
            Ok(())
        }
        Dash(dash) => {
            out.push_str(if dash.capture { "([x]" } else { "(--" });
            for side in [&dash.left, &dash.right] {
                match side {
                    Some(e) => list(out, [&**e]),
                    None => out.push_str(" _"),
                }
            }
            if let Some(p) = &dash.promotion {
                form_in(out, "=", [&**p]);
            }
            if !dash.targets.is_empty() {
                form_in(out, "target", &dash.targets);
            }
            out.write_char(')')
        }
        Path { head, parts } => {
            write_head(out, head);
            path_parts(out, parts);
            out.write_char(')')
        }
        Line { head, parts } => {
            write_head(out, head);
            line_parts(out, parts);
            out.write_char(')')
        }
        ForEach { kind, all, name, set, body } => {
            let word = match kind {
                LoopKind::Square => "square",
                LoopKind::Piece => "piece",
                LoopKind::Key => "key",
                LoopKind::String => "string",
                LoopKind::Element => "each",
            };
            form(
                out,
                &apart(|| format!("{word}{} {}", flags(&[(*all, "all")]), name.name)),
                [&**set, &**body],
            );
            Ok(())
        }
        If { condition, then, otherwise } => {
            form(out, "if", [&**condition, &**then].into_iter().chain(otherwise.as_deref()));
            Ok(())
        }
        While { condition, body } => {
            form(out, "while", [&**condition, &**body]);
            Ok(())
        }
    };
}

/// Runs a part of an arm in a frame of its own: without optimization, a frame has room for the
/// values of all arms, and the frames of nested filters nest.
#[inline(never)]
fn apart<T>(part: impl FnOnce() -> T) -> T {
    part()
}

fn write_filter(out: &mut String, filter: &Filter) {
    if filter.is_plain() && is_bare(filter.keyword) {
        out.push_str(filter.keyword.name());
        return;
    }
    write_head(out, filter);
    list(out, &filter.args);
    out.push(')');
}

/// `(keyword parameter …`
fn write_head(out: &mut String, filter: &Filter) {
    out.push('(');
    out.push_str(filter.keyword.name());
    for param in &filter.params {
        write_param(out, param);
    }
}

/// Whether the keyword is printed without parentheses where it stands alone.
fn is_bare(keyword: Keyword) -> bool {
    matches!(keyword.class(), KeywordClass::Nullary | KeywordClass::List | KeywordClass::Parameter)
}

fn write_param(out: &mut String, param: &Param) {
    let _ = match &param.kind {
        ParamKind::Flag(word) => write!(out, " {}", word.name()),
        ParamKind::Operands(word, operands) => {
            form_in(out, word.name(), operands);
            Ok(())
        }
        ParamKind::Range(range) => {
            out.push_str(&range_text(range));
            Ok(())
        }
        ParamKind::Backward => write!(out, " <--"),
        ParamKind::Text(text) => write!(out, " {:?}", text.value),
        ParamKind::Name(name) => write!(out, " {}", name.name),
    };
}

fn path_parts(out: &mut String, parts: &[PathConstituent]) {
    for part in parts {
        out.push(' ');
        match &part.kind {
            PathConstituentKind::Step { dash, targets } => {
                out.push_str("(step");
                list(out, [&**dash]);
                list(out, targets);
            }
            PathConstituentKind::Holder(e) => {
                out.push_str("(holder");
                list(out, [&**e]);
            }
            PathConstituentKind::Chain(parts) => {
                out.push_str("(chain");
                path_parts(out, parts);
            }
        }
        if let Some(r) = &part.repeat {
            out.push_str(&repeat(r));
        }
        out.push(')');
    }
}

fn line_parts(out: &mut String, parts: &[LineConstituent]) {
    for part in parts {
        out.push_str(" (");
        match &part.kind {
            LineConstituentKind::Filter(e) => write_expr(out, e),
            LineConstituentKind::Group(parts) => {
                out.push_str("group");
                line_parts(out, parts);
            }
        }
        for r in &part.repeats {
            out.push_str(&repeat(r));
        }
        out.push(')');
    }
}
