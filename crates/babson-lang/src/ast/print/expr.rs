//! Prints one expression.

use std::fmt::{self, Write};

use super::spelling::{designator, flags, range_text, repeat, storage_text};
use super::{form, form_in, list};
use crate::ast::*;
use crate::keywords::KeywordClass;

pub(super) fn write_expr(out: &mut String, e: &Expr) -> fmt::Result {
    use ExprKind::*;
    match &e.kind {
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
        Paren(inner) => form(out, "paren", [&**inner]),
        Block(items) => form(out, "block", items),
        Call { name, args } => form(out, &apart(|| format!("call {}", name.name)), args),
        Infix { level: _, first, rest } => write_infix(out, first, rest),
        Relation { left, op, right, .. } => form(out, op.name(), [&**left, &**right]),
        In { left, right, .. } => form(out, "in", [&**left, &**right]),
        Not(inner) => form(out, "not", [&**inner]),
        Complement(inner) => form(out, "~", [&**inner]),
        Negate(inner) => form(out, "neg", [&**inner]),
        Arrows { back, parts, .. } => form(out, if *back { "<-" } else { "->" }, parts),
        With { left, right, .. } => form(out, ":", [&**left, &**right]),
        Index { base, index } => form(out, "index", [&**base, &**index]),
        Slice { base, from, to } => write_slice(out, base, [from, to]),
        Match { subject, pattern, .. } => form(out, "~~", [&**subject, &**pattern]),
        Assign { storage, name, op, value, .. } => form(
            out,
            &apart(|| format!("{}{} {}", storage_text(storage), op.name(), name.name)),
            [&**value],
        ),
        AssignIndex { place, op, value, .. } => form(out, &op.name(), [&**place, &**value]),
        AssignPiece { name, value } => {
            form(out, &apart(|| format!("piece= {}", name.name)), [&**value])
        }
        Unbind { name, key } => {
            form(out, &apart(|| format!("unbind {}", name.name)), key.as_deref())
        }
        Function { name, params, body, .. } => {
            let params: Vec<&str> = params.iter().map(|p| p.name.as_str()).collect();
            form(out, &apart(|| format!("function {} [{}]", name.name, params.join(" "))), body)
        }
        Hook { end, body } => form(out, if *end { "cqlend" } else { "cqlbegin" }, body),
        Filter(filter) => write_filter(out, filter),
        LineComment(args) => form(out, "///", args),
        DashPrefix { words, arg } => {
            let words: Vec<&str> = words.iter().map(|w| w.name()).collect();
            form(out, &words.join(" "), [&**arg])
        }
        Dash(dash) => write_dash(out, dash),
        Path { head, parts } => write_sequence(out, head, parts, path_parts),
        Line { head, parts } => write_sequence(out, head, parts, line_parts),
        ForEach { kind, all, name, set, body } => {
            form(out, &loop_head(*kind, *all, name), [&**set, &**body])
        }
        If { condition, then, otherwise } => {
            form(out, "if", [&**condition, &**then].into_iter().chain(otherwise.as_deref()))
        }
        While { condition, body } => form(out, "while", [&**condition, &**body]),
    }
}

/// Runs a part of an arm in a frame of its own: without optimization, a frame has room for the
/// values of all arms, and the frames of nested filters nest.
#[inline(never)]
fn apart<T>(part: impl FnOnce() -> T) -> T {
    part()
}

fn write_infix(out: &mut String, first: &Expr, rest: &[InfixOperand]) -> fmt::Result {
    // As nested pairs, from the left.
    apart(|| rest.iter().rev().try_for_each(|tail| write!(out, "({} ", tail.op.name())))?;
    write_expr(out, first)?;
    for tail in rest {
        list(out, [&tail.right])?;
        out.push(')');
    }
    Ok(())
}

fn loop_head(kind: LoopKind, all: bool, name: &Ident) -> String {
    let word = match kind {
        LoopKind::Square => "square",
        LoopKind::Piece => "piece",
        LoopKind::Key => "key",
        LoopKind::String => "string",
        LoopKind::Element => "each",
    };
    format!("{word}{} {}", flags(" ", &[(all, "all")]), name.name)
}

fn write_slice(out: &mut String, base: &Expr, ends: [&Option<Box<Expr>>; 2]) -> fmt::Result {
    out.push_str("(slice");
    list(out, [base])?;
    sides(out, ends)?;
    out.write_char(')')
}

/// `path` or `line`.
fn write_sequence<T>(
    out: &mut String,
    head: &Filter,
    parts: &[T],
    write_parts: fn(&mut String, &[T]) -> fmt::Result,
) -> fmt::Result {
    write_head(out, head)?;
    write_parts(out, parts)?;
    out.write_char(')')
}

fn write_filter(out: &mut String, filter: &Filter) -> fmt::Result {
    if filter.is_plain() && is_bare(filter.keyword) {
        return out.write_str(filter.keyword.name());
    }
    write_head(out, filter)?;
    list(out, &filter.args)?;
    out.write_char(')')
}

/// Whether the keyword is printed without parentheses where it stands alone.
fn is_bare(keyword: Keyword) -> bool {
    matches!(keyword.class(), KeywordClass::Nullary | KeywordClass::List | KeywordClass::Parameter)
}

/// `(keyword parameter …`
fn write_head(out: &mut String, filter: &Filter) -> fmt::Result {
    write!(out, "({}", filter.keyword.name())?;
    filter.params.iter().try_for_each(|param| match &param.kind {
        ParamKind::Flag(word) => write!(out, " {}", word.name()),
        ParamKind::Operands(word, operands) => form_in(out, word.name(), operands),
        ParamKind::Range(range) => out.write_str(&range_text(range)),
        ParamKind::Backward => write!(out, " <--"),
        ParamKind::Text(text) => write!(out, " {:?}", text.value),
        ParamKind::Name(name) => write!(out, " {}", name.name),
    })
}

fn write_dash(out: &mut String, dash: &Dash) -> fmt::Result {
    out.push_str(if dash.capture { "([x]" } else { "(--" });
    sides(out, [&dash.left, &dash.right])?;
    if let Some(promotion) = &dash.promotion {
        form_in(out, "=", [&**promotion])?;
    }
    if !dash.targets.is_empty() {
        form_in(out, "target", &dash.targets)?;
    }
    out.write_char(')')
}

/// Two operands that can be absent.
fn sides(out: &mut String, sides: [&Option<Box<Expr>>; 2]) -> fmt::Result {
    sides.into_iter().try_for_each(|side| match side {
        Some(e) => list(out, [&**e]),
        None => out.write_str(" _"),
    })
}

fn path_parts(out: &mut String, parts: &[PathConstituent]) -> fmt::Result {
    for part in parts {
        match &part.kind {
            PathConstituentKind::Step { dash, targets } => {
                out.push_str(" (step");
                list(out, std::iter::once(&**dash).chain(targets))?;
            }
            PathConstituentKind::Holder(e) => {
                out.push_str(" (holder");
                list(out, [&**e])?;
            }
            PathConstituentKind::Chain(parts) => {
                out.push_str(" (chain");
                path_parts(out, parts)?;
            }
        }
        out.extend(part.repeat.iter().map(repeat));
        out.push(')');
    }
    Ok(())
}

fn line_parts(out: &mut String, parts: &[LineConstituent]) -> fmt::Result {
    for part in parts {
        out.push_str(" (");
        match &part.kind {
            LineConstituentKind::Filter(e) => write_expr(out, e)?,
            LineConstituentKind::Group(parts) => {
                out.push_str("group");
                line_parts(out, parts)?;
            }
        }
        out.extend(part.repeats.iter().map(repeat));
        out.push(')');
    }
    Ok(())
}
