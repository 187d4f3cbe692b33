//! Properties of the tag section and the move text, tested on random texts.

use proptest::prelude::*;

use crate::scan::{Braces, line_end};
use crate::scan::{is_lead, is_whitespace};
use crate::split::{Games, count_lines, find_boundary, line_of_tags};
use crate::tags::{RawTag, TagForm, TagScanner, section, skip_section};
use crate::token::{PgnLexer, PgnToken};
use crate::{Annotations, Layout, Needs, Reader, SplitText, write};

/// Texts of tags, lines and move text in random order. All moves are null moves, which are always
/// legal.
fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("[Event \"a\"]"),
        Just("[White \"b\"]"),
        Just("[B \"1\"] [C \"2\"]"),
        Just("[A \"x\"] -- --"),
        Just("[A \"x\"]--"),
        Just("[Event \"x\"] 1. -- *"),
        Just("[A \"x\\\"]"),
        Just("[A \"x\\\\\"]"),
        Just("[A \"\"]"),
        Just("[A \"b \"c\"] d\"]"),
        Just("[A \"b \"c\"] -- \"]"),
        Just("[ A\t\"x\" ]"),
        Just("[A\"x\"]"),
        Just("[A \"x\ry\"]"),
        Just("[A \"x\r--\ry\"] --"),
        Just("[A \"x\r"),
        Just("y\"]"),
        Just("[A foo \"x\"]"),
        Just("[broken"),
        Just("[Broken \"x"),
        Just("[Broken \"x\" -- y"),
        Just("[\"x\"]"),
        Just("[x]"),
        Just("[%clk 1]"),
        Just("["),
        Just("\"]"),
        Just("\""),
        Just("\\"),
        Just("]"),
        Just("% esc\n"),
        Just("\n% -- [A \"1\"]\r"),
        Just("%"),
        Just("; note\r\n"),
        Just(";"),
        Just("{"),
        Just("}"),
        Just("{c --}"),
        Just("{\n\n[Event \"in a comment\"]\n}"),
        Just("("),
        Just(")"),
        Just("--"),
        Just("1. -- --"),
        Just("(--)"),
        Just("1..."),
        Just("$1"),
        Just("!"),
        Just("foo"),
        Just("\0"),
        Just("\u{feff}"),
        Just("é"),
        Just("*"),
        Just("1-0"),
        Just("1/2"),
        Just(","),
    ];
    let joint = prop_oneof![
        Just(""),
        Just(" "),
        Just(" "),
        Just("\t"),
        Just("\n"),
        Just("\n"),
        Just("\r\n"),
        Just("\r"),
        Just("\n\n"),
    ];
    prop::collection::vec((part, joint), 0..30)
        .prop_map(|parts| parts.into_iter().flat_map(|(part, joint)| [part, joint]).collect())
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Every move outside comments is played or is reported in a damage. Text before the first tag
    /// is a game only if it looks like one, and is not reported otherwise: no text that begins with
    /// a move or a result is dropped.
    #[test]
    fn no_move_is_lost(text in text()) {
        let bytes = text.as_bytes();
        let mut next = Games::new(bytes).next().map_or(0, |(at, _)| at);
        let (mut lexer, mut braces) = (PgnLexer::new(&bytes[..next], 0), Braces::default());
        let first = std::iter::from_fn(|| lexer.next(&mut braces))
            .find(|token| !matches!(token, PgnToken::Comment | PgnToken::Nothing | PgnToken::Number));
        prop_assert!(!matches!(first, Some(PgnToken::Move | PgnToken::Result(_))));
        for (at, game) in Games::new(bytes) {
            prop_assert_eq!(at, next);
            next = at + game.len();
            let begin = section_is_tags_alone(game);
            prop_assert_eq!(skip_section(game, |_| ()), begin);
            let mut reader = Reader::new();
            let read = reader.read(game, Needs::ALL);
            prop_assert_eq!(read.consumed(), game.len());
            let reported = |at: usize| {
                read.damages().iter().any(|damage| (damage.start..damage.end).contains(&at))
            };
            let mut scanner = TagScanner::new(game, 0);
            for tag in scanner.by_ref() {
                prop_assert!(tag.form == TagForm::Sound || reported(tag.start) && reported(tag.end - 1));
            }
            let (mut lexer, mut braces) = (PgnLexer::new(game, begin), Braces::default());
            let mut moves = 0;
            while let Some(token) = lexer.next(&mut braces) {
                moves += u32::from(token == PgnToken::Move && !reported(lexer.start));
            }
            prop_assert_eq!(moves, read.len() - 1, "{:?}", read.damages());
        }
        prop_assert!(next == bytes.len() || next == 0);
    }

    /// A game is read in the same way with and without what its splitter knows of it.
    #[test]
    fn facts_do_not_change_a_game(texts in [text(), text(), text()]) {
        let usual = "[Event \"a\"]\n[White \"b\"]\n\n";
        prop_assert_eq!(misread(texts.concat().as_bytes()), None);
        prop_assert_eq!(misread(texts.join(usual).as_bytes()), None);
    }

    /// A game that is read up to a ply is the beginning of the game, with its end and its result.
    #[test]
    fn a_game_is_cut_after_a_ply(text in text()) {
        prop_assert_eq!(cut_wrongly(text.as_bytes()), None);
    }

    /// The splitter and the reader agree on which lines are lines of tags, and all ways to read the
    /// tags of a game give the same tags.
    #[test]
    fn all_agree_on_tags(text in text()) {
        let bytes = text.as_bytes();
        let mut lines = vec![0];
        lines.extend((1..bytes.len()).filter(|&at| {
            bytes[at - 1] == b'\n' || bytes[at - 1] == b'\r' && bytes[at] != b'\n'
        }));
        let games: Vec<(usize, &[u8])> = Games::new(bytes).collect();
        for &line in &lines {
            let in_section = games.iter().any(|&(at, game)| {
                (at..at + skip_section(game, |_| ())).contains(&line)
            });
            prop_assert!(!line_of_tags(bytes, line) || in_section, "line at {}", line);
            let begins = find_boundary(bytes, line) == Some(line);
            prop_assert!(!begins || games.iter().any(|game| game.0 == line));
        }
        for (_, game) in games {
            let known = tags(game);
            let mut reader = Reader::new();
            let read = reader.read(game, Needs::ALL);
            prop_assert_eq!(&tags(read.text()), &known);
            for (name, _) in &known {
                let first = known.iter().find(|tag| tag.0 == *name).map(|tag| &*tag.1);
                prop_assert_eq!(read.tag(name), first);
            }
            let mut out = Vec::new();
            write(&read, &Annotations::default(), &Layout::CQLI, &mut out);
            let again: Vec<(usize, &[u8])> = Games::new(&out).collect();
            prop_assert_eq!(again.len(), 1, "{}", String::from_utf8_lossy(&out));
            if !known.is_empty() {
                prop_assert_eq!(tags(again[0].1), known);
            }
        }
    }

    /// Wherever a text is cut, its pieces have the lines that a text editor counts.
    #[test]
    fn lines_do_not_depend_on_cuts(
        text in proptest::collection::vec(proptest::sample::select(b"a\r\n".to_vec()), 0..12),
    ) {
        let plain = String::from_utf8_lossy(&text).replace("\r\n", "\n").replace('\r', "\n");
        let lines = plain.matches('\n').count() as u64;
        for first in 0..=text.len() {
            for second in first..=text.len() {
                let ranges = [0..first, first..second, second..text.len()];
                let sum: u64 = ranges.into_iter().map(|range| count_lines(&text, range)).sum();
                prop_assert_eq!(sum, lines);
            }
        }
    }
}
