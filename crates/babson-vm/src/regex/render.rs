//! A pattern in the syntax of the `regex` crate, if that crate gives the same matches.

use std::fmt::Write as _;

use babson_lang::pattern::{Class, Node, Repeat, Unit};

/// `None` for what the crate lacks or matches in another way.
pub(super) fn render(node: &Node, unit: Unit) -> Option<String> {
    let mut out = String::new();
    write(node, unit, &mut out)?;
    Some(out)
}

fn write(node: &Node, unit: Unit, out: &mut String) -> Option<()> {
    match node {
        Node::Empty => out.push_str("(?:)"),
        Node::Class(class) => write_class(class, unit, out),
        Node::Start => out.push_str(r"\A"),
        Node::End => out.push_str(r"\z"),
        Node::WordBoundary(true) => out.push_str(r"(?-u:\b)"),
        Node::WordBoundary(false) => out.push_str(r"(?-u:\B)"),
        Node::Group(_, inner) => {
            out.push('(');
            write(inner, unit, out)?;
            out.push(')');
        }
        Node::Ahead(..) | Node::Back(_) => return None,
        Node::Repeat(repeat) => {
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
        Node::Concat(list) => {
            for node in list {
                write(node, unit, out)?;
            }
        }
        Node::Alternatives(list) => {
            for (index, node) in list.iter().enumerate() {
                out.push_str(if index == 0 { "(?:" } else { "|" });
                write(node, unit, out)?;
            }
            out.push(')');
        }
    }
    Some(())
}

/// Whether both engines go round in the same way: no turn is empty, and each sets all its groups.
fn is_plain(repeat: &Repeat) -> bool {
    let once = repeat.max.is_some_and(|max| max <= 1);
    let always_once = once && repeat.min == 1;
    always_once || !repeat.node.is_nullable() && (once || sets_its_groups(&repeat.node))
}

fn sets_its_groups(node: &Node) -> bool {
    match node {
        Node::Group(_, inner) => sets_its_groups(inner),
        Node::Repeat(repeat) => {
            let (first, end) = repeat.groups;
            first == end || repeat.min > 0 && sets_its_groups(&repeat.node)
        }
        Node::Concat(list) => list.iter().all(sets_its_groups),
        Node::Alternatives(list) => !list.iter().any(has_groups),
        Node::Empty
        | Node::Class(_)
        | Node::Start
        | Node::End
        | Node::WordBoundary(_)
        | Node::Ahead(..)
        | Node::Back(_) => true,
    }
}

fn has_groups(node: &Node) -> bool {
    match node {
        Node::Group(..) => true,
        Node::Repeat(repeat) => repeat.groups.0 < repeat.groups.1,
        Node::Ahead(_, inner) => has_groups(inner),
        Node::Concat(list) | Node::Alternatives(list) => list.iter().any(has_groups),
        Node::Empty
        | Node::Class(_)
        | Node::Start
        | Node::End
        | Node::WordBoundary(_)
        | Node::Back(_) => false,
    }
}

fn write_class(class: &Class, unit: Unit, out: &mut String) {
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
