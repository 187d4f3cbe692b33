mod corpus;
mod cql3;
mod imported;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use babson_lang::imports::{LibraryOnly, resolve};
use babson_lang::{Dialect, QuerySpans, analyze};

use super::*;
use crate::snippets::{HEADER, SNIPPETS, filled};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The place of `‸` in a text, which is left out.
pub(crate) fn marked(text: &str) -> (String, usize) {
    let offset = text.find('‸').expect("a place");
    (text.replacen('‸', "", 1), offset)
}

fn labels(text: &str) -> Vec<String> {
    let (text, offset) = marked(text);
    let items = complete(&text, offset, &Options::default());
    items.into_iter().map(|item| item.label).collect()
}

/// The queries of the corpus, in all three dialects.
fn queries() -> Vec<(PathBuf, String)> {
    let folder = root().join("corpus/queries");
    let files = fs::read_dir(folder).expect("the queries").map(|entry| entry.unwrap().path());
    let mut queries: Vec<(PathBuf, String)> = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "cql" || ending == "cqo"))
        .filter_map(|path| Some((path.clone(), fs::read_to_string(&path).ok()?)))
        .collect();
    queries.sort();
    assert!(queries.len() > 50, "{}", queries.len());
    queries
}

/// Checks that the answers at an offset are sound.
fn check(text: &str, offset: usize) {
    let is_sound = |place: babson_lang::Span| {
        let (start, end) = (place.start as usize, place.end as usize);
        start <= end && text.get(start..end).is_some()
    };
    for item in complete(text, offset, &Options::default()) {
        assert!(is_sound(item.span), "{item:?} at {offset} of {text:?}");
        let (start, end) = (item.span.start as usize, item.span.end as usize);
        let at = crate::source::border(text, offset);
        assert!(start <= at && at <= end, "{item:?} at {offset} of {text:?}");
    }
    if let Some(hover) = hover(text, offset, &Options::default()) {
        assert!(is_sound(hover.span), "{hover:?} at {offset} of {text:?}");
        assert!(!hover.markdown.trim().is_empty());
    }
}

#[test]
fn no_place_of_a_query_is_too_strange() {
    for (number, (path, text)) in queries().into_iter().enumerate() {
        // Each offset of short queries, also inside of characters; of longer ones every few.
        let step = 1 + text.len() / 12;
        for offset in (number % step..text.len() + 2).step_by(step) {
            check(&text, offset);
        }
        // As it was when it was being written.
        let cut = crate::source::border(&text, text.len() / 2 + number % 7);
        check(&text[..cut], cut);
        assert!(path.exists());
    }
    let (text, _) = marked("♔a1‸ ∊ \u{feff}(ⅻ\"é♕ {[〈 /* ♔");
    (0..text.len() + 3).for_each(|offset| check(&text, offset));
    for text in ["", "\"", "(", "((((((((((((((((((((((", "cql(", "(match", "(match (", ":", "///"]
    {
        (0..text.len() + 2).for_each(|offset| check(text, offset));
    }
}

#[test]
fn deep_brackets_are_not_followed() {
    // The time and the stack are bounded: 20,000 brackets would need more than a thread has.
    let open = "(".repeat(20_000);
    let around = format!("{open}K{}", ")".repeat(20_000));
    let operands = "a (".repeat(20_000);
    let texts = [&open, &around, &operands, &format!("({around} == "), &"{[".repeat(20_000)];
    for text in texts {
        check(text, text.len());
        check(text, text.len() / 2);
    }
    let names = labels(&format!("{{ xyz = 1 {}‸", "(".repeat(100)));
    assert!(names.contains(&"xyz".to_owned()), "{names:?}");
}

#[test]
fn the_first_names_of_many_are_offered() {
    let many: String = (0..3000).map(|n| format!("name{n} = {n}\n")).collect();
    assert!(labels(&format!("{many} name1‸")).contains(&"name1".to_owned()));
    assert!(!labels(&format!("{many} name299‸")).contains(&"name2999".to_owned()));
}

#[test]
fn a_long_text_gets_no_answer() {
    let text = " ".repeat(limits::MAX_READ_TEXT) + "mate";
    assert_eq!(complete(&text, text.len(), &Options::default()), []);
    assert_eq!(hover(&text, text.len() - 1, &Options::default()), None);
}

#[test]
fn every_snippet_is_a_query() {
    for snippet in SNIPPETS.iter().chain([&HEADER]) {
        let text =
            filled(snippet.insert) + if snippet.label.starts_with("cql") { "mate" } else { "" };
        let text = if snippet.insert.starts_with("echo (x y)") { text + " true" } else { text };
        for dialect in [Dialect::CQLI, Dialect::CQL6] {
            let analysis = analyze(&text, dialect);
            assert!(analysis.is_ok(), "{text}: {:?}", analysis.err());
        }
    }
}

/// What is offered at the end of a correct query goes on with a correct one.
#[test]
fn items_fit_where_they_are_offered() {
    for (before, after) in [
        ("", ""),
        ("K attacks ", ""),
        ("#", " > 0"),
        ("power ", " > 0"),
        ("pin from ", " to k"),
        ("move from Q ", ""),
        ("x = R ", ""),
        ("R & ", ""),
        ("between(R ", ")"),
    ] {
        let items = complete(before, before.len(), &Options::default());
        assert!(items.len() > 3, "{before}");
        let mut tried = 0;
        for item in items.iter().filter(|item| item.kind == ItemKind::Value) {
            let text = format!("{before}{} {after}", item.insert);
            let resolved = resolve(&text, &QuerySpans::whole(&text), Dialect::CQLI, &LibraryOnly);
            let analysis = resolved.analyze(Dialect::CQLI, &Default::default());
            assert!(analysis.is_ok(), "{text}: {:?}", analysis.err());
            tried += 1;
        }
        assert!(tried > 0 || !before.ends_with("attacks "), "{before}");
    }
}

#[test]
fn the_names_of_kinds_are_those_of_serde() {
    let kinds = [
        ItemKind::Keyword,
        ItemKind::Parameter,
        ItemKind::Variable,
        ItemKind::Function,
        ItemKind::Dictionary,
        ItemKind::Value,
        ItemKind::Snippet,
        ItemKind::Synonym,
    ];
    let names: HashSet<&str> = kinds.iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), kinds.len());
}

#[test]
fn completion() {
    let mut out = String::new();
    for text in [
        "ma‸",
        "x = #Q y = K po‸",
        "K attacks ‸",
        "move ‸",
        "move from Q ‸",
        "move from Q to ‸",
        "pin through ‸",
        "pin from R through n to k ‸",
        "path fo‸",
        "line si‸ --> check",
        "find ‸ check",
        "sort ‸",
        "player ‸",
        "ray ‸(R k)",
        "hhdb ‸",
        "hhdb gbr ‸",
        "hhdb special ‸",
        "hhdb \"<‸",
        "tag \"Whi‸\" == \"x\"",
        "settag(\"E‸",
        "import \"‸",
        "variant \"Ho‸",
        "cql(‸) mate",
        "cql(input a.pgn matchc‸",
        "cql(result ‸) mate",
        "cql(dialect ‸) mate",
        "// babson: dialect ‸\nmate",
        "result ‸",
        "dictionary D D[\"white\"] = 1 D[\"‸\"]",
        "dictionary D D[\"white\"] = 1 D[‸",
        "dictionary int --> set (‸) D",
        "dictionary ‸",
        "isbound ‸ x = 3",
        "square sq in R { sq attacks k ‸ } mate",
        "square sq in R { sq attacks k } s‸",
        "function lone(X) { #X == ‸ } lone(Q)",
        "import \"motifs\" smo‸",
        "smo‸",
        "checkm‸",
        "\"a\" ~~ ‸",
        "ply > mo‸",
        "elo white >= e‸",
        "(match (position :ma‸",
        "(match :result ‸",
        "echo (‸",
        "flip po‸",
        "between(R ‸",
        "max(‸",
        "K attacks q and ‸",
    ] {
        let labels = labels(text);
        let shown = labels.iter().take(24).cloned().collect::<Vec<_>>().join(" | ");
        let rest = labels.len().saturating_sub(24);
        let rest = if rest > 0 { format!(" | … {rest} more") } else { String::new() };
        out += &format!("{text:?}\n  {shown}{rest}\n");
    }
    insta::assert_snapshot!(out);
}

#[test]
fn hovers() {
    let mut out = String::new();
    for text in [
        "m‸ate",
        "K att‸acks q",
        "R[a1-‸8,b2] attacks k",
        "[A‸a]",
        "‸. attacks k",
        "x = 3 * 4 + 1 x‸ > 2",
        "x = 3 ‸* 4 + 1",
        "name = \"Tal\" + \", M\" player na‸me",
        "squares = a1-8 & a-h4 squ‸ares",
        "x = 1 x += 1 x‸ > 2",
        "square s in R ‸s attacks k",
        "piece x in A x‸ attacks k",
        "function f(X) { #X > 1 } f‸(Q)",
        "function f(X) { #X‸ > 1 } f(Q)",
        "dictionary D D[\"a\"] = 1 D‸[\"a\"] > 2",
        "import \"motifs\" smothered‸mate()",
        "pin thr‸ough n to k",
        "move leg‸al from Q",
        "cql(match‸count 2) mate",
        "#R ‸> 2",
        "line -‸-> check --> mate",
        "hhdb pri‸ze",
        "curp‸os attacks",
        "mate adn (K att‸acks q",
        "mate x > and power ‸A",
        "player \"Ta‸l\"",
        "check // no‸thing",
        "check  ‸ mate",
        "(match (position :mat‸e R[a-b1]))",
        "(match (position :mate R[a-b‸1]))",
        "(match (position :attackcount Q‸a1 k 1))",
        "♕‸a1",
        "x ‸∊ R x attacks k",
        "flipco‸lor { Ra1 }",
    ] {
        let (query, offset) = marked(text);
        let found = hover(&query, offset, &Options::default());
        let shown = found.map_or("nothing".to_owned(), |hover| {
            let span = hover.span.text(&query);
            format!("[{span}]\n{}", hover.markdown)
        });
        let shown = shown.replace('\n', "\n    ");
        out += &format!("{text:?}\n    {shown}\n\n");
    }
    insta::assert_snapshot!(out);
}

#[test]
fn links_lead_to_the_book() {
    let book = Some("https://example.org/book".to_owned());
    let options = Options { book, ..Options::default() };
    let answer = hover("mate", 0, &options).unwrap();
    let link = "(https://example.org/book/language/positions.html)";
    assert!(answer.markdown.contains(link), "{}", answer.markdown);
}

/// The values of the tags of the database.
#[test]
fn values_of_tags_are_offered() {
    let values = ["Mode", "Event"].map(|tag| (tag.to_owned(), vec![format!("of {tag}")]));
    let tags = std::sync::Arc::new(values.into_iter().collect());
    let options = Options { tags, ..Options::default() };
    let offered = |text: &str| -> Vec<String> {
        let items = complete(text, text.len(), &options);
        items.into_iter().map(|item| item.label).collect()
    };
    for text in ["tag \"Mode\" == \"", "tag \"Mode\" ≠ \"", "x = tag \"Mode\" != \"of"] {
        assert_eq!(offered(text), ["of Mode"], "{text}");
    }
    for text in ["event \"", "event == \"", "mate event \"of E"] {
        assert_eq!(offered(text), ["of Event"], "{text}");
    }
    for text in ["tag \"Nosuch\" == \"", "site \"", "x == \"", "\"a\" == \""] {
        assert_eq!(offered(text), [""; 0], "{text}");
    }
}

/// The dialect decides which words there are, and a query that assigns a word has a name.
#[test]
fn words_of_a_dialect() {
    let in_dialect = |text: &str, dialect| {
        let options = Options { dialect: Some(dialect), ..Options::default() };
        let items = complete(text, text.len(), &options);
        items.into_iter().map(|item| (item.label, item.kind)).collect::<Vec<_>>()
    };
    let own = ("materialkey".to_owned(), ItemKind::Keyword);
    assert!(in_dialect("materialk", Dialect::CQLI).contains(&own));
    assert!(!in_dialect("materialk", Dialect::CQL6).contains(&own));
    let name = ("clk".to_owned(), ItemKind::Variable);
    assert!(in_dialect("clk = 3 cl", Dialect::CQL6).contains(&name));
}
