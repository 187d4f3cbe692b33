//! Changes of a query that its author may choose. Each is offered only if the query compiles after
//! it.

mod extract;
mod inline;
mod quiet;
mod rewrite;
mod sound;

use babson_lang::Span;

use crate::analysis::Analysis;
use crate::answer::Action;
use crate::limits::MAX_CHANGED_TEXT;
use crate::options::Options;

/// The changes that can be made at a part of the query: a function of the selected filters, the
/// value of a variable in its place, the parameter `quiet`, the other spelling, the modern form of
/// a query of CQL 3. Empty if the query has errors or is longer than 256 KiB.
///
/// ```
/// use babson_ide::{Options, actions};
/// use babson_lang::Span;
///
/// let text = "find check";
/// let found = actions(text, Span::new(1, 1), &Options::default());
/// let titles: Vec<&str> = found.iter().map(|action| action.title.as_str()).collect();
/// assert!(titles.contains(&"add `quiet` to `find`"), "{titles:?}");
/// ```
pub fn actions(text: &str, part: Span, options: &Options) -> Vec<Action> {
    if text.len() > MAX_CHANGED_TEXT {
        return Vec::new();
    }
    let Some(analysis) = Analysis::new(text, options) else {
        return rewrite::to_modern(text, options).into_iter().collect();
    };
    let Some(typed) = sound::typed(text, options) else { return Vec::new() };
    let mut found: Vec<Action> = Vec::new();
    found.extend(extract::function(&analysis, part, options));
    found.extend(inline::variable(&analysis, part, options));
    found.extend(quiet::parameter(&analysis, part, options));
    found.extend(rewrite::spellings(&analysis, &typed, options));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::ActionKind;

    /// The text with the action of a kind at the part between `‸` and `‸`, or why there is none.
    fn changed(marked: &str, kind: ActionKind, title: &str) -> String {
        let (before, rest) = marked.split_once('‸').expect("a place");
        let (part, after) = rest.split_once('‸').unwrap_or(("", rest));
        let text = format!("{before}{part}{after}");
        let place = crate::source::span(before.len(), before.len() + part.len());
        let all = actions(&text, place, &Options::default());
        let found = all.iter().find(|one| one.kind == kind && one.title.contains(title));
        found.map_or("nothing".to_owned(), |one| sound::edited(&text, &one.edits).unwrap())
    }

    #[test]
    fn filters_become_functions() {
        for (text, expected) in [
            ("mate ‸#Q > 1‸", "mate function extracted() { #Q > 1 }\nextracted()"),
            (
                "wtm\nflip { ‸K attacks q wtm‸ check }",
                "wtm\nfunction extracted() { K attacks q wtm }\nflip { extracted() check }",
            ),
            // A variable of a loop becomes a parameter, a variable of the query does not.
            (
                "lot = 3\nsquare s in R { ‸#(s attackedby a) > lot‸ }",
                "lot = 3\nfunction extracted(s) { #(s attackedby a) > lot }\n\
                 square s in R { extracted(s) }",
            ),
            ("x = 1 ‸x += 1‸ x > 1", "x = 1 function extracted() { x += 1 }\nextracted() x > 1"),
            // A name that is used later would be local to the function.
            ("‸x = 1‸ x > 1", "nothing"),
            ("mate ‸#Q >‸ 1", "nothing"),
            ("mate ‸‸check", "nothing"),
            ("mate x > ‸#Q‸", "nothing"),
        ] {
            assert_eq!(changed(text, ActionKind::Extract, ""), expected, "{text}");
        }
    }

    #[test]
    fn variables_are_inlined_where_nothing_changes() {
        for (text, expected) in [
            ("que‸ens = Q #queens > 1 queens attacks k", "#Q > 1 Q attacks k"),
            ("sum = #Q + #R\ncheck su‸m > 2", "check (#Q + #R) > 2"),
            ("num = 3 move num‸ber = num mate", "nothing"),
            // Another position, another value.
            ("queens = Q‸ find queens attacks k", "nothing"),
            ("quee‸ns = Q find queens attacks k", "nothing"),
            ("quee‸ns = Q queens = R queens attacks k", "nothing"),
            // `elo` may have no value.
            ("stre‸ngth = elo white not strength > 2000", "nothing"),
            ("quee‸ns = Q flip { queens attacks k }", "nothing"),
            ("quee‸ns = Q", "nothing"),
            // A function receives the variable itself, and can write it.
            ("num = 1 function inc(out) { out += 1 } cop‸y = num inc(num) copy == 1", "nothing"),
            ("num = 1 function f(out) { cop‸y = out num += 1 copy == 1 } f(num)", "nothing"),
            // In brackets it receives the value.
            (
                "num = 1 function inc(out) { out += 1 } cop‸y = num inc((num)) copy == 1",
                "num = 1 function inc(out) { out += 1 } inc((num)) num == 1",
            ),
        ] {
            assert_eq!(changed(text, ActionKind::Inline, ""), expected, "{text}");
        }
    }

    #[test]
    fn quiet_is_added_once() {
        for (text, expected) in [
            ("fi‸nd check", "find quiet check"),
            ("find { line‸ --> check }", "find { line quiet --> check }"),
            ("cql(‸) mate", "cql(quiet) mate"),
            ("cql(inp‸ut a.pgn) mate", "cql(quiet input a.pgn) mate"),
            ("cql(quiet‸) mate", "nothing"),
            ("find quiet ch‸eck", "nothing"),
            ("ma‸te", "nothing"),
        ] {
            assert_eq!(changed(text, ActionKind::Rewrite, "quiet"), expected, "{text}");
        }
    }

    #[test]
    fn queries_get_other_spellings() {
        assert_eq!(changed("‸R -> k", ActionKind::Rewrite, "symbols"), "♖ → ♚");
        assert_eq!(changed("‸♖ → ♚", ActionKind::Rewrite, "ASCII"), "R -> k");
        assert_eq!(changed("‸mate", ActionKind::Rewrite, "symbols"), "nothing");
        let modern = changed("‸(match (position :mate))", ActionKind::Rewrite, "modern");
        assert!(modern.contains("mate") && !modern.contains(":mate"), "{modern}");
        // A query with errors has no other form.
        assert_eq!(changed("‸R -> k >", ActionKind::Rewrite, ""), "nothing");
    }
}
