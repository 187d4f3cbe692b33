//! A database that the machine searches.

use std::io::{self, Read};

use super::host::MemoryHost;
use crate::run::{ForeignText, SearchError};
use crate::{Dialect, Event, Machine, Program, RunOptions};

const GAMES: &str = "[White \"Adams\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
                     [White \"Zukertort\"]\n\n1. d4 d5 2. Ke5 *\n\n\
                     [White \"Morphy\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n";

fn machine(text: &str) -> Machine {
    Machine::new(Program::parse(text, Dialect::CQLI).unwrap())
}

/// The numbers of the games that match.
fn games(machine: &mut Machine) -> Vec<u64> {
    machine.search(GAMES.as_bytes()).map(|hit| hit.unwrap().game).collect()
}

#[test]
fn each_match_is_an_item() {
    let bytes: Vec<u8> = GAMES.into();
    let mut machine = machine("mate");
    let hits: Vec<_> = machine.search(&bytes).map(Result::unwrap).collect();
    let told: Vec<_> = hits.iter().map(|hit| (hit.game, hit.positions[0].mv.as_str())).collect();
    assert_eq!(told, [(1, "2...Qh4#"), (3, "3.Qxe5#")]);
    assert_eq!((hits[1].tag("White"), hits[1].origin.number), (Some("Morphy"), 3));
    assert_eq!(&bytes[hits[1].origin.offset as usize..][..16], b"[White \"Morphy\"]");
    // The machine can be used again, and for other things.
    assert_eq!(games(&mut machine), [1, 3]);
    assert!(machine.run_text(b"1. e4 *").unwrap().is_none());
}

#[test]
fn the_header_and_the_sort_keys_count() {
    assert_eq!(games(&mut machine("cql(gamenumber 2 3) true")), [2, 3]);
    assert_eq!(games(&mut machine("cql(matchcount 6 6) true")), [3]);
    assert_eq!(games(&mut machine("sort \"pieces\" #A mate")), [1, 3]);
    assert_eq!(games(&mut machine("sort min \"pieces\" #A mate")), [1, 3]);
    assert_eq!(games(&mut machine("sort \"number\" gamenumber initial")), [3, 2, 1]);
    let mut limited = machine("true");
    assert_eq!(limited.search(GAMES.as_bytes()).limit(2).count(), 2);
}

#[test]
fn nothing_is_lost_in_silence() {
    let text = "cqlbegin { message \"a\" } cqlend { message \"z\" } message(gamenumber) Pd4";
    let mut machine = machine(text);
    let mut search = machine.search(GAMES.as_bytes()).name("a.pgn");
    assert_eq!(search.by_ref().count(), 1);
    assert_eq!(search.damaged()[0].to_string(), "a.pgn:7: game 2: illegal move");
    let counts = search.counts();
    assert_eq!((counts.games, counts.damaged, counts.matches, counts.failed), (3, 1, 1, 0));
    let events = machine.search(GAMES.as_bytes()).events().map(Result::unwrap);
    let mut messages = Vec::new();
    let mut kinds = String::new();
    for event in events {
        kinds.push(match &event {
            Event::Message { lines, .. } => {
                messages.extend_from_slice(lines);
                'm'
            }
            Event::Match { .. } => '+',
            Event::Damaged(_) => 'd',
            Event::Matched { .. }
            | Event::Noted(_)
            | Event::RuntimeError { .. }
            | Event::BrokenInput(_)
            | Event::FewerThreads { .. }
            | Event::Progress(_) => panic!("{event:?}"),
        });
    }
    assert!(kinds.contains("+d") && messages.starts_with(b"a\n") && messages.ends_with(b"z\n"));
}

#[test]
fn an_error_is_an_item() {
    // Only the game with the bad loop fails.
    let limited = RunOptions { steps: 200, ..RunOptions::default() };
    let program = Program::parse("while (gamenumber == 2) {true} initial", Dialect::CQLI).unwrap();
    let mut machine = Machine::with_options(program, limited);
    let items: Vec<_> = machine.search(GAMES.as_bytes()).collect();
    assert_eq!(items.len(), 3);
    let error = items[1].as_ref().unwrap_err().to_string();
    assert_eq!(error, "game 2: the evaluation limit of 200 steps was reached");
    // A fatal one ends the search.
    let mut asserting = self::machine("assert gamenumber < 2 true");
    let items: Vec<_> = asserting.search(GAMES.as_bytes()).collect();
    assert!(items.len() == 2 && items[0].is_ok());
    assert!(matches!(&items[1], Err(SearchError::Runtime { game: Some(2), error }) if error.fatal));
    let mut last = self::machine("gamenumber == lastgamenumber");
    let search = last.search(GAMES.as_bytes()).last_number(3);
    assert_eq!(search.map(|hit| hit.unwrap().game).collect::<Vec<_>>(), [3]);
    let items: Vec<_> = last.search(GAMES.as_bytes()).collect();
    assert!(matches!(items[..], [Err(SearchError::UnknownLastNumber)]));
}

#[test]
fn what_is_not_pgn_is_named() {
    let mut machine = machine("true");
    let mut error = |bytes: &[u8]| machine.search(bytes).next().unwrap().unwrap_err();
    let SearchError::Read { games, source } = error(b"PK\x03\x04\x14\0\0\0\0\0\0\0") else {
        panic!("it cannot be read");
    };
    assert!(games == 0 && source.get_ref().is_some_and(|error| error.is::<ForeignText>()));
    assert!(source.to_string().contains("zip"), "{source}");
    assert!(error(b"This is a letter.\n").to_string().starts_with("cannot read after game 0: "));
    assert_eq!(machine.search(b"").count(), 0);
}

/// The games before the failure are searched.
#[test]
fn a_reader_may_fail() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the line is dead"))
        }
    }
    let mut machine = machine("initial");
    let items: Vec<_> = machine.search_reader(GAMES.as_bytes().chain(Failing)).collect();
    assert_eq!(items.iter().filter(|item| item.is_ok()).count(), 3);
    let error = items[3].as_ref().unwrap_err().to_string();
    assert_eq!(error, "cannot read after game 3: the line is dead");
}

#[test]
fn a_search_is_a_run_of_its_own() {
    let mut machine = machine("persistent $n += 1 $n == 3");
    assert_eq!(games(&mut machine), games(&mut machine));
    assert_eq!(games(&mut machine).len(), 1);
}

/// A search uses the options of its machine, and so the host of the machine.
#[test]
fn a_search_has_the_options_of_its_machine() {
    let program = || Program::parse("readfile \"a.cqo\" == \"x\"", Dialect::CQLI).unwrap();
    let items: Vec<_> = Machine::new(program()).search(GAMES.as_bytes()).collect();
    let error = items[0].as_ref().unwrap_err().to_string();
    assert!(items.len() == 1 && error == "game 1: readfile is not allowed here", "{error}");
    let options = RunOptions { host: MemoryHost::of(&[("a.cqo", "x")]), ..RunOptions::default() };
    assert_eq!(games(&mut Machine::with_options(program(), options)), [1, 2, 3]);
}
