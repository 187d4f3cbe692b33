//! Prints one expression.

use std::fmt::Write;

use super::spelling::{designator, flags, range_text, repeat, search_text, storage_text};
use super::{form, form_in, list};
use crate::ast::*;

pub(super) fn write_expr(out: &mut String, e: &Expr) {
    use ExprKind::*;
    let none: [&Expr; 0] = [];
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
        Nullary(k) => apart(|| write!(out, "{}", k.name())),
        Tag { keyword, color, search } => apart(|| {
            let color = color.map_or(String::new(), |c| format!(" {}", c.name()));
            write!(out, "({}{color}{})", keyword.name(), search_text(search))
        }),
        KeywordText { keyword, text } => {
            apart(|| write!(out, "({} {:?})", keyword.name(), text.value))
        }
        Hhdb { words, search } => apart(|| {
            let words: Vec<&str> = words.iter().map(|w| w.name.as_str()).collect();
            write!(out, "(hhdb {}{})", words.join(" "), search_text(search))
        }),
        SimilarPosition { no_sort, no_transform, file } => apart(|| {
            let words = flags(&[(*no_sort, "nosort"), (*no_transform, "notransform")]);
            write!(out, "(similarposition{words} {:?})", file.value)
        }),
        IsBound { negated, name } => apart(|| {
            write!(out, "({} {})", if *negated { "isunbound" } else { "isbound" }, name.name)
        }),
        Dictionary { storage, types, merge, name } => apart(|| {
            let merge = merge.as_ref().map_or(String::new(), |m| format!(" ({})", m.name));
            let types = types.map_or(String::new(), |(k, v)| format!(" {k:?}->{v:?}"));
            write!(out, "({}dictionary{types}{merge} {})", storage_text(storage), name.name)
        }),
        ConsecutiveMoves { quiet, range, left, right } => apart(|| {
            let words = flags(&[(*quiet, "quiet")]);
            write!(
                out,
                "(consecutivemoves{words}{} {} {})",
                range_text(range),
                left.name,
                right.name
            )
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
        Prefix { keyword, arg } => {
            form(out, keyword.name(), [&**arg]);
            Ok(())
        }
        DashPrefix { words, arg } => {
            let words: Vec<&str> = words.iter().map(|w| w.name()).collect();
            form(out, &words.join(" "), [&**arg]);
            Ok(())
        }
        List { keyword, args } => {
            form(out, keyword.name(), args);
            Ok(())
        }
        Direction { keyword, range, arg } | Transform { keyword, range, arg } => {
            form(out, &apart(|| format!("{}{}", keyword.name(), range_text(range))), [&**arg]);
            Ok(())
        }
        Ray { xray, directions, sets } => {
            let words: String = directions.iter().map(|(d, _)| format!(" {}", d.name())).collect();
            form(out, &apart(|| format!("{}{words}", if *xray { "xray" } else { "ray" })), sets);
            Ok(())
        }
        Pin(params) => {
            out.push_str("(pin");
            for p in params {
                form_in(out, p.keyword.name(), [&p.set]);
            }
            out.write_char(')')
        }
        Move(params) => {
            out.push_str("(move");
            for p in params {
                if p.args.is_empty() {
                    let _ = write!(out, " {}", p.keyword.name());
                } else {
                    form_in(out, p.keyword.name(), &p.args);
                }
            }
            out.write_char(')')
        }
        Imagine(specs) => {
            out.push_str("(imagine");
            for spec in specs {
                match spec {
                    ImagineSpec::Piece { piece, to } => form_in(out, "piece", [piece, to]),
                    ImagineSpec::Swap(a, b) => form_in(out, "swap", [a, b]),
                    ImagineSpec::SideToMove(k) => {
                        form_in(out, &apart(|| format!("sidetomove {}", k.name())), none)
                    }
                }
            }
            out.write_char(')')
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
        Path { params, parts } => {
            out.push_str("(path");
            seq_params(out, params);
            path_parts(out, parts);
            out.write_char(')')
        }
        Line { params, back, parts } => {
            out.push_str(if *back { "(line<--" } else { "(line" });
            seq_params(out, params);
            line_parts(out, parts);
            out.write_char(')')
        }
        Find { quiet, all, back, range, arg } => {
            let words = flags(&[(*quiet, "quiet"), (*all, "all"), (*back, "<--")]);
            form(out, &apart(|| format!("find{words}{}", range_text(range))), [&**arg]);
            Ok(())
        }
        Echo { quiet, source, target, all, arg } => {
            let words = flags(&[(*quiet, "quiet"), (*all, "all")]);
            form(out, &apart(|| format!("echo{words} {} {}", source.name, target.name)), [&**arg]);
            Ok(())
        }
        Sort { quiet, min, description, arg } => {
            let words = flags(&[(*quiet, "quiet"), (*min, "min")]);
            form(out, &apart(|| format!("sort{words}{}", search_text(description))), [&**arg]);
            Ok(())
        }
        Print { kind, quiet, args, .. } => {
            let word = match kind {
                PrintKind::Str => "str",
                PrintKind::Comment => "comment",
                PrintKind::Message => "message",
                PrintKind::LineComment => "///",
            };
            form(out, &apart(|| format!("{word}{}", flags(&[(*quiet, "quiet")]))), args);
            Ok(())
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

fn seq_params(out: &mut String, params: &[SeqParam]) {
    for param in params {
        match &param.kind {
            SeqParamKind::Range(range) => out.push_str(&range_text(&Some(range.clone()))),
            SeqParamKind::Focus { capture, set } => {
                form_in(out, if *capture { "focus-capture" } else { "focus" }, [&**set]);
            }
            SeqParamKind::Max(e) => form_in(out, "max", [&**e]),
            SeqParamKind::Title(text) => {
                let _ = write!(out, " (title {:?})", text.value);
            }
            SeqParamKind::Flag(k) => {
                let _ = write!(out, " {}", k.name());
            }
        }
    }
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
