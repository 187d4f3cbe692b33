//! Properties of the tag section and the move text, tested on random texts. See
//! docs/src/testing.md#laws.

use babson_arbitrary::{Choices, check_law, game};

use crate::early_result::{has_early_result, may_hold_two};
use crate::scan::{Braces, line_end};
use crate::scan::{is_lead, is_whitespace};
use crate::split::{Games, count_games, count_lines, find_boundary, line_of_tags};
use crate::tags::{RawTag, TagForm, TagScanner, section, skip_section};
use crate::token::{PgnLexer, PgnToken};
use crate::{Annotations, Layout, Needs, Reader, SplitText, write};

/// Pieces of tags, lines and move text. All moves are null moves, which are always legal.
const PARTS: [&str; 54] = [
    "[Event \"a\"]",
    "[White \"b\"]",
    "[B \"1\"] [C \"2\"]",
    "[A \"x\"] -- --",
    "[A \"x\"]--",
    "[Event \"x\"] 1. -- *",
    "[A \"x\\\"]",
    "[A \"x\\\\\"]",
    "[A \"\"]",
    "[A \"b \"c\"] d\"]",
    "[A \"b \"c\"] -- \"]",
    "[ A\t\"x\" ]",
    "[A\"x\"]",
    "[A \"x\ry\"]",
    "[A \"x\r--\ry\"] --",
    "[A \"x\r",
    "y\"]",
    "[A foo \"x\"]",
    "[broken",
    "[Broken \"x",
    "[Broken \"x\" -- y",
    "[\"x\"]",
    "[x]",
    "[%clk 1]",
    "[",
    "\"]",
    "\"",
    "\\",
    "]",
    "% esc\n",
    "\n% -- [A \"1\"]\r",
    "%",
    "; note\r\n",
    ";",
    "{",
    "}",
    "{c --}",
    "{\n\n[Event \"in a comment\"]\n}",
    "(",
    ")",
    "--",
    "1. -- --",
    "(--)",
    "1...",
    "$1",
    "!",
    "foo",
    "\0",
    "\u{feff}",
    "é",
    "*",
    "1-0",
    "1/2",
    ",",
];

/// What comes between them.
const JOINTS: [&str; 9] = ["", " ", " ", "\t", "\n", "\n", "\r\n", "\r", "\n\n"];

/// Returns pieces in random order, of about this many bytes at most.
fn parts(choices: &mut Choices<'_>, most: usize) -> String {
    let mut text = String::new();
    while !choices.is_over() && text.len() < most {
        text.push_str(choices.choose(&PARTS));
        text.push_str(choices.choose(&JOINTS));
    }
    text
}

/// Asserts that every byte of the tag section belongs to a tag or a comment or is whitespace.
/// Returns the end of the section.
fn section_is_tags_alone(text: &[u8]) -> usize {
    let mut scanner = TagScanner::new(text, 0);
    let mut at = 0;
    loop {
        let tag: Option<RawTag<'_>> = scanner.next();
        let (begin, end) = tag.map_or((scanner.at, scanner.at), |tag| (tag.start, tag.end));
        while at < begin {
            at = match text[at] {
                b';' | b'%' => line_end(text, at),
                byte => {
                    assert!(is_whitespace(byte) || is_lead(byte), "{byte} at {at}");
                    at + 1
                }
            };
        }
        let Some(tag) = tag else {
            return scanner.at;
        };
        if tag.form == TagForm::Sound {
            let unescaped = tag.value.windows(2).position(|pair| pair == b"\"]");
            assert!(unescaped.is_none_or(|at| at > 0 && tag.value[at - 1] == b'\\'));
        }
        at = end;
    }
}

fn tags(text: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    section(text).map(|(name, value)| (name.to_vec(), value.to_vec())).collect()
}

/// The time for a line of many tags grows with its length: a quadratic scan of these lines would
/// take minutes.
#[test]
fn many_tags_on_a_line() {
    for tag in [
        "[A \"1\"] ",
        "[A  \"1\"] ",
        "[A \"1\" ]",
        "[A \"x\\\"]",
        "[A \"x\\\\\"]",
        "[A \"x\"] ;\r",
        "[A \"x\ry\"] ",
        "[A \"x\"\r",
        "[A x\"] ",
        "[\"",
        "[",
        "[A \"\"] x\n",
    ] {
        for end in ["", "\n", &"\rx".repeat(20_000)] {
            let text = tag.repeat(20_000) + end;
            let bytes = text.as_bytes();
            let games = Games::new(bytes).map(|(_, game)| section(game).count());
            assert!(games.sum::<usize>() <= 20_000, "{tag}");
        }
    }
}

/// A game that its reader reads in another way with the facts of its splitter.
fn misread(bytes: &[u8]) -> Option<String> {
    let (mut reader, mut knowing) = (Reader::new(), Reader::new());
    let mut games = Games::new(bytes);
    while let Some((_, text)) = games.next() {
        for needs in [Needs::ALL, Needs::MAIN_LINE, Needs::TAGS] {
            let split = SplitText::new(text).with_facts(games.facts());
            let (one, other) =
                (reader.read(text, needs), knowing.read_split_if(split, needs, |_| true).0);
            let is_same = one.text() == other.text()
                && one.positions() == other.positions()
                && one.nodes() == other.nodes()
                && one.rules() == other.rules()
                && one.damages() == other.damages()
                && (one.result(), one.has_result()) == (other.result(), other.has_result())
                && (one.has_start(), one.is_whole()) == (other.has_start(), other.is_whole());
            if !is_same {
                return Some(String::from_utf8_lossy(text).into_owned());
            }
        }
    }
    None
}

/// A game that is read up to a ply in another way than to its end.
fn cut_wrongly(bytes: &[u8]) -> Option<(String, Needs)> {
    let (mut reader, mut cutting) = (Reader::new(), Reader::new());
    for (_, text) in Games::new(bytes) {
        for base in [Needs::MAIN_LINE, Needs { variations: false, ..Needs::ALL }] {
            let whole = reader.read(text, base);
            for last_ply in [0, 1, 2, 41] {
                let needs = Needs { last_ply, ..base };
                let cut = cutting.read(text, needs);
                let len = whole.len().min(last_ply + 1);
                let has = |damage| whole.damages().contains(damage);
                let is_same = cut.text() == whole.text()
                    && cut.len() == len
                    && cut.positions() == &whole.positions()[..len as usize]
                    && cut
                        .nodes()
                        .iter()
                        .zip(whole.nodes())
                        .all(|(a, b)| (a.mv, a.ply) == (b.mv, b.ply))
                    && (cut.result(), cut.has_result()) == (whole.result(), whole.has_result())
                    && cut.damages().iter().all(has)
                    && (cut.is_cut() || last_ply == 0 || cut.damages() == whole.damages())
                    && (!cut.is_cut() || cut.len() == last_ply + 1 && !cut.is_whole())
                    && (last_ply == 0
                        || (0..len).all(|id| {
                            cut.comment(id) == whole.comment(id) && cut.nags(id).eq(whole.nags(id))
                        }));
                if !is_same {
                    return Some((String::from_utf8_lossy(text).into_owned(), needs));
                }
            }
        }
    }
    None
}

/// Calls `look` with the text of each file of games of the corpus.
fn for_each_file(mut look: impl FnMut(&std::path::Path, &[u8])) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("a folder of the corpus") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "pgn") {
            let text = std::fs::read(&path).expect("a file of the corpus");
            look(&path, &text);
            files += 1;
        }
    }
    assert!(files > 3);
}

#[test]
fn facts_do_not_change_the_games_of_the_corpus() {
    for_each_file(|path, text| assert_eq!(misread(text), None, "{path:?}"));
}

#[test]
fn games_of_the_corpus_can_be_read_up_to_a_ply() {
    for_each_file(|path, text| assert_eq!(cut_wrongly(text), None, "{path:?}"));
}

/// Every move outside comments is played or is reported in a damage. Text before the first tag is a
/// game only if it looks like one, and is not reported otherwise: no text that begins with a move
/// or a result is dropped.
fn no_move_is_lost(bytes: &[u8]) {
    let mut next = Games::new(bytes).next().map_or(0, |(at, _)| at);
    let (mut lexer, mut braces) = (PgnLexer::new(&bytes[..next], 0), Braces::default());
    let first = std::iter::from_fn(|| lexer.next(&mut braces))
        .find(|token| !matches!(token, PgnToken::Comment | PgnToken::Nothing | PgnToken::Number));
    assert!(!matches!(first, Some(PgnToken::Move | PgnToken::Result(_))));
    for (at, game) in Games::new(bytes) {
        assert_eq!(at, next);
        next = at + game.len();
        let begin = section_is_tags_alone(game);
        assert_eq!(skip_section(game, |_| ()), begin);
        let mut reader = Reader::new();
        let read = reader.read(game, Needs::ALL);
        assert_eq!(read.consumed(), game.len());
        let reported = |at: usize| {
            read.damages().iter().any(|damage| (damage.start..damage.end).contains(&at))
        };
        let mut scanner = TagScanner::new(game, 0);
        for tag in scanner.by_ref() {
            assert!(tag.form == TagForm::Sound || reported(tag.start) && reported(tag.end - 1));
        }
        let (mut lexer, mut braces) = (PgnLexer::new(game, begin), Braces::default());
        let mut moves = 0;
        while let Some(token) = lexer.next(&mut braces) {
            moves += u32::from(token == PgnToken::Move && !reported(lexer.start));
        }
        // After such damage the rest of a line is lost, which the damage says.
        if !read.damages().iter().any(|damage| damage.reason.ends_line()) {
            assert_eq!(moves, read.len() - 1, "{:?}", read.damages());
        }
    }
    assert!(next == bytes.len() || next == 0);
}

/// The splitter and the reader agree on which lines are lines of tags, and all ways to read the
/// tags of a game give the same tags.
fn all_agree_on_tags(bytes: &[u8]) {
    let mut lines = vec![0];
    lines.extend(
        (1..bytes.len())
            .filter(|&at| bytes[at - 1] == b'\n' || bytes[at - 1] == b'\r' && bytes[at] != b'\n'),
    );
    let games: Vec<(usize, &[u8])> = Games::new(bytes).collect();
    for &line in &lines {
        let in_section =
            games.iter().any(|&(at, game)| (at..at + skip_section(game, |_| ())).contains(&line));
        assert!(!line_of_tags(bytes, line) || in_section, "line at {line}");
        let begins = find_boundary(bytes, line) == Some(line);
        assert!(!begins || games.iter().any(|game| game.0 == line));
    }
    for (_, game) in games {
        let known = tags(game);
        let mut reader = Reader::new();
        let read = reader.read(game, Needs::ALL);
        assert_eq!(&tags(read.text()), &known);
        for (name, _) in &known {
            let first = known.iter().find(|tag| tag.0 == *name).map(|tag| &*tag.1);
            assert_eq!(read.tag(name), first);
        }
        let mut out = Vec::new();
        write(&read, &Annotations::default(), &Layout::CQLI, &mut out);
        let again: Vec<(usize, &[u8])> = Games::new(&out).collect();
        assert_eq!(again.len(), 1, "{}", String::from_utf8_lossy(&out));
        if !known.is_empty() {
            assert_eq!(tags(again[0].1), known);
        }
    }
}

/// Wherever a text is cut, its pieces have the lines that a text editor counts. Cut at boundaries
/// of games, they have its games.
fn cuts_change_nothing(bytes: &[u8], choices: &mut Choices<'_>) {
    let whole: Vec<(usize, &[u8])> = Games::new(bytes).collect();
    assert_eq!(count_games(bytes), whole.len() as u64);
    let lines = count_lines(bytes, 0..bytes.len());
    let mut cuts = vec![0, bytes.len()];
    for _ in 0..choices.below(4) {
        let at = choices.below(bytes.len() + 1);
        let sum = count_lines(bytes, 0..at) + count_lines(bytes, at..bytes.len());
        assert_eq!(sum, lines, "cut at {at}");
        cuts.extend(find_boundary(bytes, at));
    }
    cuts.sort_unstable();
    let mut parts = Vec::new();
    for cut in cuts.windows(2) {
        let games = Games::new(&bytes[cut[0]..cut[1]]);
        parts.extend(games.map(|(offset, game)| (cut[0] + offset, game)));
    }
    assert_eq!(whole, parts);
}

/// The game tree is one, its main line does not depend on what else is read, and it can be written.
fn trees_are_sound(bytes: &[u8]) {
    let mut reader = Reader::new();
    for (_, game) in Games::new(bytes) {
        let all = reader.read(game, Needs { piece_ids: true, ..Needs::ALL });
        let (length, result) = (all.main_line_len(), all.result());
        for id in 0..all.len() {
            let _ = (all.comment(id), all.variation_comment(id), all.nags(id).count());
            assert!(id == 0 || all.node(id).parent < id);
            assert!(all.children(id).all(|child| all.node(child).parent == id));
        }
        let mut out = Vec::new();
        write(&all, &Annotations::default(), &Layout::CQL6, &mut out);
        let main = reader.read(game, Needs::MAIN_LINE);
        assert_eq!((main.len(), main.result()), (length, result));
        assert_eq!(reader.read(game, Needs::TAGS).result(), result);
    }
}

/// The laws of any bytes. The last of them choose where the text is cut.
fn hold_for_text(bytes: &[u8]) {
    no_move_is_lost(bytes);
    assert_eq!(misread(bytes), None);
    assert_eq!(cut_wrongly(bytes), None);
    all_agree_on_tags(bytes);
    let choices = &bytes[bytes.len().saturating_sub(9)..];
    cuts_change_nothing(bytes, &mut Choices::new(choices));
    trees_are_sound(bytes);
    let early = has_early_result(bytes.trim_ascii_end());
    assert_eq!(may_hold_two(bytes), early);
}

/// Any bytes as a file.
#[test]
fn pgn_text() {
    check_law!("pgn_text", 2000, hold_for_text);
}

/// Parts of PGN in any order, also after games.
#[test]
fn pgn_parts() {
    check_law!("pgn_parts", 1000, |bytes| {
        let text = parts(&mut Choices::new(bytes), 600);
        hold_for_text(text.as_bytes());
        let usual = "[Event \"a\"]\n[White \"b\"]\n\n";
        assert_eq!(misread([&text, usual, &text].concat().as_bytes()), None);
    });
}

/// What makes a game the same game for whoever reads it.
#[derive(Clone, Debug, PartialEq)]
struct Content {
    tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// The positions, the moves and their glyphs.
    tree: String,
    comments: Vec<[String; 2]>,
}

fn content(game: &[u8]) -> Content {
    let mut reader = Reader::new();
    let game = reader.read(game, Needs::ALL);
    let mut tree = format!("{:?} {:?}\n", game.result(), game.positions());
    let mut all = Vec::new();
    for (node, id) in game.nodes().iter().zip(0..) {
        let nags: Vec<u8> = game.nags(id).collect();
        tree.push_str(&format!("{} {:?} {nags:?}\n", node.parent, node.mv));
        let comments = [game.comment(id), game.variation_comment(id)];
        // A writer may break lines anew.
        all.push(comments.map(|comment| {
            let comment = comment.unwrap_or_default();
            String::from_utf8_lossy(&comment).split_whitespace().collect::<Vec<_>>().join(" ")
        }));
    }
    Content { tags: tags(game.text()), tree, comments: all }
}

/// A sound game is read without damage, and written so that it is read again as the same game. What
/// stands before and after it in a file, however wrong, does not change it.
#[test]
fn pgn_games() {
    let least = [("parts of PGN", 150), ("bytes", 150)];
    check_law!("pgn_games", 500, least, |bytes| {
        let mut choices = Choices::new(bytes);
        // Games take all bytes that are left, so the garbage comes first.
        let most = choices.below(256);
        let (kind, garbage) = match choices.one_in(2) {
            true => ("parts of PGN", parts(&mut choices, most).into_bytes()),
            false => ("bytes", (0..most).map(|_| choices.byte()).collect()),
        };
        let mut choices = choices.endless();
        let tagged = |game: String| format!("[Event \"first tag\"]\n{}", game.trim_start());
        let [one, other] = [game(&mut choices), game(&mut choices)].map(tagged);
        let expected = [&one, &other].map(|game| content(game.as_bytes()));
        for (game, expected) in [&one, &other].into_iter().zip(&expected) {
            let mut reader = Reader::new();
            let read = reader.read(game.as_bytes(), Needs::ALL);
            assert_eq!(read.damages(), [], "{game}");
            let mut out = Vec::new();
            write(&read, &Annotations::default(), &Layout::CQLI, &mut out);
            assert_eq!(content(&out), *expected, "{}", String::from_utf8_lossy(&out));
        }
        // These tags of the garbage would change where the second game begins.
        if [&b"FEN"[..], b"SetUp", b"Variant"]
            .into_iter()
            .any(|tag| garbage.windows(tag.len()).any(|window| window.eq_ignore_ascii_case(tag)))
        {
            return "garbage with a start";
        }
        let file = [one.as_bytes(), b"\n\n", &garbage, b"\n\n", other.as_bytes()].concat();
        let games: Vec<&[u8]> = Games::new(&file).map(|(_, game)| game).collect();
        let shown = String::from_utf8_lossy(&file);
        let [one, other] = &expected;
        let first = games.first().map(|game| content(game)).expect("a game");
        // A comment after the result belongs to the last move.
        assert_eq!((&first.tags, &first.tree), (&one.tags, &one.tree), "{shown}");
        let last = games.last().map(|game| content(game)).expect("a game");
        // Lines of tags belong to the game after them.
        assert!(last.tags.ends_with(&other.tags), "{shown}");
        assert_eq!((&last.tree, &last.comments), (&other.tree, &other.comments), "{shown}");
        kind
    });
}
