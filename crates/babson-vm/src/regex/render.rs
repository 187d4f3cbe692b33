//! Prints a pattern in the syntax of the `regex` crate, if that crate gives the same matches.

use std::fmt::Write as _;

use babson_lang::pattern::{CharacterClass, PatternNode, Repetition, Unit};

/// `None` if the crate does not support the pattern or matches it differently.
pub(super) fn render(node: &PatternNode, unit: Unit) -> Option<String> {
    let mut out = String::new();
    write(node, unit, &mut out)?;
    Some(out)
}

fn write(node: &PatternNode, unit: Unit, out: &mut String) -> Option<()> {
    match node {
        PatternNode::Empty => out.push_str("(?:)"),
        PatternNode::Class(class) => write_class(class, unit, out),
        PatternNode::Start => out.push_str(r"\A"),
        PatternNode::End => out.push_str(r"\z"),
        PatternNode::WordBoundary(true) => out.push_str(r"(?-u:\b)"),
        PatternNode::WordBoundary(false) => out.push_str(r"(?-u:\B)"),
        PatternNode::Group(_, inner) => {
            out.push('(');
            write(inner, unit, out)?;
            out.push(')');
        }
        PatternNode::Ahead(..) | PatternNode::Back(_) => return None,
        PatternNode::Repeat(repeat) => {
            if !is_plain(repeat) {
                return None;
            }
            out.push_str("(?:");
            write(&repeat.node, unit, out)?;
            out.push(')');
            let _ = match (repeat.min, repeat.max) {
                (0, None) => out.write_str("*"),
                (1, None) => out.write_str("+"),
                (min, None) => write!(out, "{{{min},}}"),
                (min, Some(max)) => write!(out, "{{{min},{max}}}"),
            };
            if !repeat.greedy {
                out.push('?');
            }
        }
        PatternNode::Concat(list) => {
            for node in list {
                write(node, unit, out)?;
            }
        }
        PatternNode::Alternatives(list) => {
            for (index, node) in list.iter().enumerate() {
                out.push_str(if index == 0 { "(?:" } else { "|" });
                write(node, unit, out)?;
            }
            out.push(')');
        }
    }
    Some(())
}

/// Whether both engines repeat in the same way: no turn is empty, and each turn sets all its
/// groups.
fn is_plain(repeat: &Repetition) -> bool {
    let once = repeat.max.is_some_and(|max| max <= 1);
    let always_once = once && repeat.min == 1;
    always_once || !repeat.node.is_nullable() && (once || sets_its_groups(&repeat.node))
}

fn sets_its_groups(node: &PatternNode) -> bool {
    match node {
        PatternNode::Group(_, inner) => sets_its_groups(inner),
        PatternNode::Repeat(repeat) => {
            let (first, end) = repeat.groups;
            first == end || repeat.min > 0 && sets_its_groups(&repeat.node)
        }
        PatternNode::Concat(list) => list.iter().all(sets_its_groups),
        PatternNode::Alternatives(list) => !list.iter().any(has_groups),
        PatternNode::Empty
        | PatternNode::Class(_)
        | PatternNode::Start
        | PatternNode::End
        | PatternNode::WordBoundary(_)
        | PatternNode::Ahead(..)
        | PatternNode::Back(_) => true,
    }
}

fn has_groups(node: &PatternNode) -> bool {
    match node {
        PatternNode::Group(..) => true,
        PatternNode::Repeat(repeat) => repeat.groups.0 < repeat.groups.1,
        PatternNode::Ahead(_, inner) => has_groups(inner),
        PatternNode::Concat(list) | PatternNode::Alternatives(list) => list.iter().any(has_groups),
        PatternNode::Empty
        | PatternNode::Class(_)
        | PatternNode::Start
        | PatternNode::End
        | PatternNode::WordBoundary(_)
        | PatternNode::Back(_) => false,
    }
}

fn write_class(class: &CharacterClass, unit: Unit, out: &mut String) {
    let last = if unit == Unit::Byte { 0xff } else { 0x10_ffff };
    let start = out.len();
    out.push_str(if unit == Unit::Byte { "(?-u:[" } else { "[" });
    let mut empty = true;
    for &(low, high) in class.ranges().iter().filter(|range| range.0 <= last) {
        empty = false;
        let _ = write!(out, r"\x{{{low:x}}}-\x{{{:x}}}", high.min(last));
    }
    if empty {
        // No unit at all.
        out.truncate(start);
        out.push_str(r"(?:[a&&b])");
        return;
    }
    out.push_str(if unit == Unit::Byte { "])" } else { "]" });
}
