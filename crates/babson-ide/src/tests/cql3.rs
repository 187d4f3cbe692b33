//! The answers for queries of CQL 3, which has tags and sums, and neither functions nor variables.

use babson_lang::Span;
use babson_lang::diagnostic::{Edit, Fix};

use crate::tests::marked;
use crate::*;

const TAGS: &str = "(match :forany rook [rR]\n  (position $rook[a1] :tagmatch rook Q)\n  \
                    (position :movefrom $rook :accumulate rook :sumrange rook 2))";

const SUMS: &str = "(match\n  (position :sumrange pawns 5 8\n    :and ((position Pd2 :shift \
                    :accumulate pawns)))\n  (position :accumulate pawns))";

fn places(text: &str, found: &[Reference]) -> Vec<(usize, ReferenceKind)> {
    let line = |place: &FileSpan| text[..place.span.start as usize].matches('\n').count();
    found.iter().map(|one| (line(&one.place), one.kind)).collect()
}

#[test]
fn tags_and_sums_are_found() {
    let options = Options::default();
    let at = |text: &str, word: &str| text.find(word).unwrap() + word.len();
    // A sum may have the name of a tag.
    for word in ["forany rook", "$rook", "tagmatch rook", "movefrom $rook"] {
        let found = references(TAGS, at(TAGS, word), &options);
        use ReferenceKind::{Declaration, Read};
        let expected = [(0, Declaration), (1, Read), (1, Read), (2, Read)];
        assert_eq!(places(TAGS, &found), expected, "{word}");
        let definition = definition(TAGS, at(TAGS, word), &options).unwrap();
        assert_eq!(definition.target, found[0].place);
        assert_eq!(definition.origin.text(TAGS), "rook");
    }
    let found = references(SUMS, at(SUMS, "sumrange pawns"), &options);
    // Another list has its own sum.
    let expected = [(1, ReferenceKind::Read), (2, ReferenceKind::Declaration)];
    assert_eq!(places(SUMS, &found), expected);
    assert_eq!(references(SUMS, at(SUMS, ":shift"), &options), []);
    assert_eq!(definition("(match (position $x))", 18, &options), None);
}

#[test]
fn tags_and_sums_can_be_renamed() {
    let renamed = |text: &str, word: &str, name: &str| {
        let edits = rename(text, text.find(word).unwrap() + word.len(), name, &Options::default())?;
        let edits = edits.into_iter().map(|edit| Edit::new(edit.span, edit.text)).collect();
        Ok(Fix::edit("", edits).apply(text).unwrap())
    };
    let expected = TAGS
        .replace("$rook", "$piece")
        .replace("forany rook", "forany piece")
        .replace("tagmatch rook", "tagmatch piece");
    assert_eq!(renamed(TAGS, "$rook", "piece").as_deref(), Ok(expected.as_str()));
    assert_eq!(renamed(TAGS, "$rook", "two words"), Err(RenameRefusal::NotAName));
    assert_eq!(renamed(TAGS, "$rook", "rook_1"), Err(RenameRefusal::NotAName));
    let sum = renamed(TAGS, "sumrange rook", "rook_1").unwrap();
    assert!(sum.contains(":accumulate rook_1 :sumrange rook_1 2"), "{sum}");
    let two = "(match :forany one Q :forany two R (position $one $two))";
    assert_eq!(renamed(two, "$one", "two"), Err(RenameRefusal::Collision));
    assert_eq!(renamed("(match (position $x))", "$x", "y"), Err(RenameRefusal::Undeclared));
    assert_eq!(renamed(TAGS, ":movefrom", "y"), Err(RenameRefusal::NoName));
    let quoted = "(match :forany \"x\" Q (position $x))";
    let expected = "(match :forany \"y\" Q (position $y))";
    assert_eq!(renamed(quoted, "$x", "y").as_deref(), Ok(expected));
}

#[test]
fn lists_are_the_outline() {
    fn shown(text: &str, symbol: &Symbol, depth: usize) -> String {
        let indent = "  ".repeat(depth);
        let name = symbol.name_place.text(text);
        let own = format!("{indent}{} {:?} at `{name}`\n", symbol.name, symbol.kind);
        let children = symbol.children.iter().map(|child| shown(text, child, depth + 1));
        own + &children.collect::<String>()
    }
    let outline = |text: &str| -> String {
        symbols(text, &Options::default()).iter().map(|one| shown(text, one, 0)).collect()
    };
    assert_eq!(
        outline(SUMS),
        "position :sumrange pawns 5 8 : … List at `position`\n  \
           position Pd2 :shift :accumulat … List at `position`\n    \
             pawns Variable at `pawns`\n\
         position :accumulate pawns List at `position`\n  \
           pawns Variable at `pawns`\n"
    );
    // A list that is being written reaches to the end.
    assert_eq!(
        outline("(match :forany t Q (position $t"),
        "t Variable at `t`\nposition $t List at `position`\n"
    );
    let folded: Vec<&str> = folds(SUMS, &Options::default())
        .iter()
        .map(|fold| fold.span.text(SUMS).lines().next().unwrap())
        .collect();
    assert_eq!(folded, ["(match", "(position :sumrange pawns 5 8"]);
    let comments = "; one (\n; two\n(match\n  (position \"a;b\"))";
    let kinds: Vec<FoldKind> =
        folds(comments, &Options::default()).iter().map(|fold| fold.kind).collect();
    assert_eq!(kinds, [FoldKind::Comment, FoldKind::Region]);
    let found = selection(SUMS, SUMS.find("Pd2").unwrap(), &Options::default());
    let texts: Vec<&str> = found.iter().take(3).map(|span| span.text(SUMS)).collect();
    let inner = "position Pd2 :shift :accumulate pawns";
    assert_eq!(texts, ["Pd2", inner, &format!("({inner})")]);
}

#[test]
fn what_nests_is_bounded() {
    let text = "(match ".to_owned() + &"(position ".repeat(1000);
    let found = symbols(&text, &Options::default());
    let depth = std::iter::successors(found.first(), |one| one.children.first()).count();
    assert_eq!(depth, crate::limits::MAX_NESTED);
    assert_eq!(found[0].name, "position (position (position ( …");
    let text = "(".repeat(1000) + &")".repeat(1000);
    let found = selection(&text, 1000, &Options::default());
    assert_eq!(found.len(), crate::limits::MAX_NESTED);
    assert_eq!(found.last().map(|part| part.text(&text)), Some(text.as_str()));
}

#[test]
fn transforms_say_how_many_versions() {
    let text = "(match (position Ra1 :flipcolor :shiftdiagonal :relation (:flip)))";
    let whole = Span::new(0, text.len() as u32);
    let hints = inlay_hints(text, whole, &Options::default());
    let shown: Vec<(&str, &str)> = hints
        .iter()
        .map(|hint| (text[..hint.offset as usize].rsplit(' ').next().unwrap(), hint.label.as_str()))
        .collect();
    let expected =
        [(":flipcolor", "in up to 2 versions"), (":shiftdiagonal", "in up to 29 versions")];
    assert_eq!(shown, expected);
}

#[test]
fn keywords_have_signatures() {
    let active = |text: &str| {
        let (text, offset) = marked(text);
        let found = signature(&text, offset, &Options::default());
        let first = found.first().map(|one| {
            let at = one.active.expect("a parameter");
            (one.label.clone(), one.parameters[at].text(&one.label).to_owned())
        });
        first.map_or("nothing".to_owned(), |(label, parameter)| format!("{label}: {parameter}"))
    };
    for (text, expected) in [
        ("(match (position :power ‸", ":power D R: D"),
        ("(match (position :power A ‸))", ":power D R: R"),
        ("(match (position :power A 1 ‸))", ":power D R: R"),
        ("(match (position :power A 1 3 ‸))", "nothing"),
        ("(match (position :attackcount A ‸", ":attackcount D E R: E"),
        ("(match (position :ray (R ‸k)))", ":ray (D E): E"),
        ("(match :year 1900 ‸", ":year R: R"),
        ("(match (position :and ((position :mate ‸", "nothing"),
        ("(match (position :mate‸", "nothing"),
        ("(match ; :power ‸", "nothing"),
    ] {
        assert_eq!(active(text), expected, "{text}");
    }
}

#[test]
fn names_are_offered_and_explained() {
    let labels = |text: &str| -> Vec<String> {
        let (text, offset) = marked(text);
        let items = complete(&text, offset, &Options::default());
        items.into_iter().map(|item| item.label).collect()
    };
    let tags = "(match :forany one Q :forany two R (position";
    assert_eq!(labels(&format!("{tags} $‸")), ["$one", "$two"]);
    assert_eq!(labels(&format!("{tags} :tagmatch t‸")), ["two"]);
    assert_eq!(labels("(match (position :accumulate pawns :sumrange ‸"), ["pawns"]);
    assert_eq!(labels("(match (position \"‸\""), [""; 0]);
    // Each list has its keywords.
    assert_eq!(labels("(match (position :mate) :y‸"), [":year"]);
    assert_eq!(labels("(match (position :y‸"), [""; 0]);
    assert_eq!(labels("(match (position :relation (:f‸"), [":flip", ":flipdihedral"]);
    assert_eq!(labels("(match (position :ray (R :f‸"), [""; 0]);
    assert_eq!(labels("(match (‸"), ["position"]);
    assert_eq!(labels("(match (position :and ((pos‸"), ["position"]);
    assert_eq!(labels("(match (position :ray (‸"), [""; 0]);
    let hovered = |text: &str| {
        let (text, offset) = marked(text);
        hover(&text, offset, &Options::default()).map(|hover| hover.markdown).unwrap_or_default()
    };
    let tag = hovered(&format!("{tags} $on‸e))"));
    assert!(tag.ends_with("`one`: a tag, one piece of `Q`"), "{tag}");
    assert!(hovered("(match (position :accumulate paw‸ns))").contains("a sum of its list"));
}

#[test]
fn the_input_is_named_after_its_keyword() {
    let input = |text: &str| input_of(text, &Options::default());
    assert_eq!(input("(match :PGN a :pgn \"my games.pgn\" (pos").as_deref(), Some("my games.pgn"));
    assert_eq!(input("(match (position :mate))"), None);
    assert_eq!(input("(match :pgn (position :mate))"), None);
}

#[test]
fn tokens_have_their_meanings() {
    use TokenMeaning::{Comment, Keyword, Number, Operator, Piece, String, Variable};
    let text = "(match :pgn games.pgn :forany t Q ; one\n (position $t[a1] :power A 1))";
    let found = tokens(text, &Options::default());
    let shown: Vec<(&str, TokenMeaning)> =
        found.iter().map(|token| (token.span.text(text), token.meaning)).collect();
    let expected = [
        ("(", Operator),
        ("match", Keyword),
        (":pgn", Keyword),
        ("games.pgn", String),
        (":forany", Keyword),
        ("t", Variable),
        ("Q", Piece),
        ("; one", Comment),
        ("(", Operator),
        ("position", Keyword),
        ("$t[a1]", Piece),
        (":power", Keyword),
        ("A", Piece),
        ("1", Number),
        (")", Operator),
        (")", Operator),
    ];
    assert_eq!(shown, expected);
    assert!(found[5].is_declaration);
}
