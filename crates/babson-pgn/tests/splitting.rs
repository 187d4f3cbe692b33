//! The rule for game boundaries, and that the games do not depend on where a file is cut.

use babson_pgn::{Games, Needs, Reader};

fn games(text: &str) -> Vec<&str> {
    Games::new(text.as_bytes())
        .map(|(at, game)| {
            assert_eq!(&text.as_bytes()[at..at + game.len()], game);
            text[at..at + game.len()].trim()
        })
        .collect()
}

#[test]
fn boundaries() {
    let two = "[A \"1\"]\n[B \"2\"]\n\n1. e4 1-0\n[A \"3\"]\n\n1. d4 *\n";
    assert_eq!(games(two), ["[A \"1\"]\n[B \"2\"]\n\n1. e4 1-0", "[A \"3\"]\n\n1. d4 *"]);
    assert_eq!(games(&two.replace('\n', "\r\n")).len(), 2);
    // A byte-order mark in the middle of a file, with and without an empty line before it.
    assert_eq!(games("[A \"1\"]\n\n1. e4 *\n\u{feff}[Event \"2\"]\n\n*").len(), 2);
    assert_eq!(games("[A \"1\"]\n\n1. e4 *\n\n\u{feff}[Event \"2\"]\n\n*").len(), 2);
    // An empty line between tags, and games that have only tags.
    assert_eq!(games("[Event \"1\"]\n\n[Date \"2\"]\n\n1. e4 *").len(), 1);
    assert_eq!(games("[Event \"1\"]\n[B \"\"]\n\n[Event \"2\"]\n[B \"\"]\n").len(), 2);
    assert_eq!(games("[Event \"1\"]\n[Event \"2\"]\n\n*").len(), 1);
    // An unterminated comment ends at the next game.
    assert_eq!(games("[A \"1\"]\n\n1. e4 {never\n\n[Event \"x\"]\n\n1. d4 *").len(), 2);
    // Not tag pairs.
    assert_eq!(games("[A \"1\"]\n\n1. e4 {\n[%clk 0:01]\n[x]\n} *").len(), 1);
}

/// Neutral lines between tag lines do not begin a game. Lines with other text do.
#[test]
fn lines_between_tags() {
    let begin = "[Event \"1\"]\n[White \"w\"]";
    let end = "[Black \"b\"]\n\n1. e4 *\n";
    for between in [
        "\n",
        "\r",
        "\r\n",
        " ; note\n",
        " % note\n",
        "\n; note\n",
        "\n% 1. e4 [Event \"x\"]\n",
        "\r\n% note\r\n\r\n; note\r\n",
        "\n\n[Broken\n",
        "\n[Site \"broken\n",
        "\n[x]\r[y \"z\"] [%clk 1]\n",
        "\n[Site \"a\rb\"]\n",
        "\n[Site \"a\rb\rc\"] ; note\r",
        "\n\0\n",
    ] {
        let text = format!("{begin}{between}{end}");
        assert_eq!(games(&text).len(), 1, "{text:?}");
        let tags = babson_pgn::tags::section(text.as_bytes());
        let names: Vec<&[u8]> = tags.map(|tag| tag.0).collect();
        assert_eq!(names.last(), Some(&&b"Black"[..]), "{text:?}");
    }
    for between in [
        " 1. e4 *\n",
        " x\n",
        "\n  % not in the first column\n",
        "\n{comment}\n",
        "\nb\"]\n",
        "\n[Site \"a\r\rb\"]\n",
        "\r1. e4 e5\r",
    ] {
        let text = format!("{begin}{between}{end}");
        assert_eq!(games(&text).len(), 2, "{text:?}");
    }
    // An `Event` tag after an empty line begins a game, also if other neutral lines are between.
    for between in ["\n\n", "\r\r", "\n\n% note\n", "\n; note\n\n[broken\n"] {
        let text = format!("[Event \"1\"]{between}[Event \"2\"]\n\n*");
        assert_eq!(games(&text).len(), 2, "{text:?}");
    }
}

/// A line may end in a carriage return alone.
/// Every form of a result ends a game in the middle of a line.
#[test]
fn results_end_games() {
    for result in ["1-0", "0-1", "1/2-1/2", "1/2:1/2", "1:0", "0:1", "1/2", "*", "½-½"] {
        let text = format!("1. e4 {result} 1. d4 {result}");
        assert_eq!(games(&text).len(), 2, "{text}");
        let text = format!("{result} {result}");
        assert_eq!(games(&text).len(), 2, "{text}");
    }
    assert_eq!(games("1. e4 c5 2. O-O - 2-0 3. d4 / 3/4 : 7:0").len(), 1);
}

#[test]
fn carriage_returns_end_lines() {
    let text = "[Event \"1\"]\n[White \"w\"]\n\n1. e4 ; {\n% {\ne5 *\n\n[Event \"2\"]\n\n1. d4 *\n";
    for ends in ["\n", "\r", "\r\n"] {
        let text = text.replace('\n', ends);
        let mut reader = Reader::new();
        let lengths = Games::new(text.as_bytes()).map(|(_, game)| {
            let game = reader.read(game, Needs::ALL);
            assert_eq!(game.damages(), [], "{text:?}");
            game.len()
        });
        assert_eq!(lengths.collect::<Vec<_>>(), [3, 2], "{text:?}");
    }
}

#[test]
fn games_without_tags() {
    assert_eq!(games("1. e4 e5 *"), ["1. e4 e5 *"]);
    assert_eq!(games("1. e4 1-0 1. d4 0-1\n2. c4 *"), ["1. e4 1-0", "1. d4 0-1", "2. c4 *"]);
    assert_eq!(games("[A \"1\"]\n\n1. e4 1-0 {c}\n\n1. d4 *\n\n[A \"2\"]\n\n*").len(), 3);
    assert_eq!(games("[A \"1\"]\n\n1. e4 {1-0 x} (1. d4 1-0 d5) e5 1-0").len(), 1);
    assert_eq!(games("1. e4 *\n\n[A \"1\"]\n\n1. d4 *").len(), 2);
    assert_eq!(games("This file holds studies.\n\n[A \"1\"]\n\n1. d4 *").len(), 1);
    assert!(games(" \r\n").is_empty());
    assert!(games("").is_empty());
}

/// A variation does not count, whatever is in it.
#[test]
fn text_with_a_variation_may_be_pgn() {
    for (text, is_other) in [
        ("(a line) e4 e5", false),
        ("(a line) 1-0", false),
        ("(e4) a line", true),
        ("(e4 1-0", true),
    ] {
        assert_eq!(babson_pgn::is_not_pgn(text.as_bytes()), is_other, "{text}");
    }
}
