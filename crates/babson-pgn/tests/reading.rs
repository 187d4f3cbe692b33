//! How the reader reads usual and unusual texts.

use babson_chess::{Position, Rules};
use babson_pgn::{DamageReason, Game, GameResult, Games, Needs, Reader};

fn read<T>(text: &str, look: impl FnOnce(Game<'_>) -> T) -> T {
    look(Reader::new().read(text.as_bytes(), Needs::ALL))
}

fn moves(text: &str) -> String {
    read(text, |game| {
        let all: Vec<String> = game.nodes()[1..].iter().map(|node| node.mv.to_string()).collect();
        all.join(" ")
    })
}

fn reasons(text: &str) -> Vec<DamageReason> {
    read(text, |game| game.damages().iter().map(|damage| damage.reason).collect())
}

fn clean(text: &str, expected: &str) {
    assert_eq!((moves(text).as_str(), reasons(text)), (expected, vec![]), "{text}");
}

fn comment(text: &str, id: u32) -> Option<String> {
    read(text, |game| game.comment(id).map(|text| String::from_utf8_lossy(&text).into_owned()))
}

fn nags(text: &str, id: u32) -> Vec<u8> {
    read(text, |game| game.nags(id).collect())
}

const TREE: &str = "1. e4 e5 (1... c5 2. Nf3 d6 (2... Nc6 3. d4) 3. d4 cxd4) (1... e6 2. d4) 2. Nf3 Nc6 3. Bb5 a6 *";

#[test]
fn ids_of_tree() {
    read(TREE, |game| {
        assert_eq!((game.len(), game.main_line_len()), (16, 7));
        let parents: Vec<u32> = game.nodes().iter().map(|node| node.parent).collect();
        assert_eq!(parents, [0, 0, 1, 2, 3, 4, 5, 1, 7, 8, 9, 10, 8, 12, 1, 14]);
        let depths: Vec<u16> = game.nodes().iter().map(|node| node.depth).collect();
        assert_eq!(depths, [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 1, 1]);
        assert_eq!(game.children(1).collect::<Vec<_>>(), [2, 7, 14]);
        assert_eq!(game.children(8).collect::<Vec<_>>(), [9, 12]);
        assert_eq!(game.node(14).sibling, 2);
        let ends: Vec<u32> = game.nodes().iter().map(|node| node.subtree_end).collect();
        assert_eq!(ends[..9], [16, 16, 7, 7, 7, 7, 7, 14, 14]);
        assert_eq!((game.node(13).ply, game.node(0).ply), (5, 0));
        assert_eq!(game.first_child(6), None);
        assert_eq!((game.parent(0), game.parent(12)), (None, Some(8)));
    });
    let mut reader = Reader::new();
    let main = reader.read(TREE.as_bytes(), Needs::MAIN_LINE);
    assert_eq!((main.len(), main.result()), (7, GameResult::Unknown));
    assert!(main.has_result());
}

#[test]
fn results() {
    for (text, result) in [
        ("1. e4 1-0", GameResult::WhiteWins),
        ("1. e4 0-1\r\n", GameResult::BlackWins),
        ("1. e4 1/2-1/2", GameResult::Draw),
        ("1. e4 1:0", GameResult::WhiteWins),
        ("1. e4 0:1 ", GameResult::BlackWins),
        ("1. e4 1/2", GameResult::Draw),
        ("1. e4 1/2:1/2", GameResult::Draw),
        ("1. e4*", GameResult::Unknown),
        ("1. e4", GameResult::Unknown),
        ("1. e4 (1. d4 1-0) e5 0-1", GameResult::BlackWins),
        ("[Result \"1-0\"]\n\n1. e4 0-1", GameResult::BlackWins),
        ("1. e5 d4 0-1", GameResult::BlackWins),
    ] {
        assert_eq!(read(text, |game| game.result()), result, "{text}");
        let mut reader = Reader::new();
        assert_eq!(reader.read(text.as_bytes(), Needs::TAGS).result(), result, "{text}");
    }
    clean("1. e4 (1. d4 * d5) 1... e5", "e2e4 e7e5 d2d4 d7d5");
}

#[test]
fn comments() {
    assert_eq!(comment("1. e4 {a {b} c} *", 1).as_deref(), Some("a _b_ c"));
    assert_eq!(comment("1. e4 {a {b c} e5 *", 1).as_deref(), Some("a _b c"));
    assert_eq!(comment("1. e4 {  a \r\n\t b } *", 1).as_deref(), Some("a b"));
    assert_eq!(comment("1. e4 {a} {b} *", 1).as_deref(), Some("a b"));
    assert_eq!(comment("1. e4 {a} (1. d4 {x}) {b} *", 1).as_deref(), Some("a b"));
    assert_eq!(comment("{a} {b} 1. e4 *", 0).as_deref(), Some("b"));
    assert_eq!(comment("1. e4 { } *", 1), None);
    assert_eq!(comment("1. e4 ({v} 1. d4) *", 2), None);
    assert_eq!(comment("1. e4 1-0 {White wins}", 1).as_deref(), Some("White wins"));
    read("1. e4 ({v} 1. d4) *", |game| {
        assert_eq!(game.variation_comment(2).as_deref(), Some(&b"v"[..]))
    });
    clean("1. e4 ; (1-0 {\ne5 *", "e2e4 e7e5");
    clean("1. e4\n% d5 {\ne5 *", "e2e4 e7e5");
    assert_eq!(reasons("1. e4 % e5 *"), [DamageReason::UnknownWord]);
    assert_eq!(reasons("1. e4 {never closed 1... e5"), [DamageReason::UnterminatedComment]);
}

#[test]
fn spellings() {
    let start = "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1";
    clean("1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O *", start);
    clean("e2-e4 e7e5 Ng1f3 Nb8-c6 Bb5 Nxf6 0-0 *", start);
    clean("1 e4 1... e5 2.Nf3+ 2...Nc6# 3 Bb5++ Nf6 4.o-o *", start);
    clean("1.Pe4!e5?2.Nf3!!Nc6?? 3.Bb5!? Nf6?! 4.00 *", start);
    clean("\u{feff}1.e4 e5 2.Nf3 Nc6 3.Bb5 Nf6 4.0-0", start);
    clean("1. e4 Nf6 2. e5 d5 3. exd6 e.p. *", "e2e4 g8f6 e4e5 d7d5 e5d6");
    clean("1. e4 Nf6 2. e5 d5 3. exd6ep *", "e2e4 g8f6 e4e5 d7d5 e5d6");
    clean("1. e4 d5 2. ed *", "e2e4 d7d5 e4d5");
    for null in ["--", "Z0", "null", "@@@@", "0000"] {
        clean(&format!("1. e4 {null} 2. d4 *"), "e2e4 0000 d2d4");
    }
}

#[test]
fn glyphs() {
    assert_eq!(nags("1. e4 $1 $22 $0 $300 *", 1), [1, 22, 44]);
    assert_eq!(nags("1. e4$1$2 e5 *", 1), [1, 2]);
    assert_eq!(
        nags("1. e4 N D += = ~ =/+ +/- -/+ +- -+ +/= =+ *", 1),
        [146, 201, 14, 10, 13, 15, 16, 17, 18, 19, 14, 15]
    );
    for (suffix, nag) in [
        ("!", 1),
        ("?", 2),
        ("!!", 3),
        ("??", 4),
        ("!?", 5),
        ("?!", 6),
        ("+/=", 14),
        ("+-", 18),
        ("N", 146),
    ] {
        assert_eq!(nags(&format!("1. e4{suffix} e5 *"), 1), [nag], "{suffix}");
        assert_eq!(moves(&format!("1. e4{suffix} e5 *")), "e2e4 e7e5");
    }
    assert_eq!(nags("1. e4 e5 2. Bc4!!+- Nf6 *", 3), [3, 18]);
}

#[test]
fn games_of_variants_follow_their_rules() {
    for game in [
        "[Variant \"ZH\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@d4 P@e4 *",
        "[Variant \"Racing Kings\"]\n\n1. Bd4 Bg6 2. Bf2 Rb4 *",
        "[Variant \"Atomic\"]\n\n1. Nf3 f6 2. Nd4 a6 3. Ne6 a5 4. Nxd8# 1-0",
        "[Variant \"3-check\"]\n[FEN \"4k3/8/8/8/8/8/8/3QK3 w - - 1+3 0 1\"]\n\n1. Qd7# 1-0",
    ] {
        assert_eq!(reasons(game), [], "{game}");
    }
    assert_eq!(
        reasons("[Variant \"3-check\"]\n[FEN \"4k3/8/8/8/8/8/8/3QK3 w - - 9+3 0 1\"]\n\n1. Qd7 *"),
        [DamageReason::BadFen]
    );
    assert_eq!(
        reasons("[Variant \"Antichess\"]\n\n1. e3 b5 2. Nf3 *"),
        [DamageReason::IllegalMove]
    );
}

#[test]
fn damage() {
    assert_eq!(moves("1. e4 e4 2. d4 *"), "e2e4");
    assert_eq!(reasons("1. e4 e4 2. d4 *"), [DamageReason::IllegalMove]);
    assert_eq!(reasons("1. nf3 *"), [DamageReason::IllegalMove]);
    assert_eq!(reasons("1. d4 d5 2. Nf3 Nf6 3. Nd2 *"), [DamageReason::AmbiguousMove]);
    let inside = "1. e4 (1. d4 d5 2. Qh8 Nf6 (2... e6)) 1... e5 *";
    assert_eq!(
        (moves(inside).as_str(), reasons(inside)),
        ("e2e4 e7e5 d2d4 d7d5", vec![DamageReason::IllegalMove])
    );
    read(inside, |game| assert!(!game.damages()[0].main_line));
    read("1. e4 Qxe1 *", |game| {
        let damage = game.damage().expect("damage");
        assert_eq!(game.damaged_text(damage), b"Qxe1");
    });
    for (text, reason) in [
        ("1. e4 } e5 *", DamageReason::StrayBrace),
        ("1. e4 ) e5 *", DamageReason::StrayParenthesis),
        ("1. e4 <foo> e5 *", DamageReason::UnknownWord),
        ("1. e4 \0 e5 *", DamageReason::NulByte),
        ("(1. d4) 1. e4 e5 *", DamageReason::VariationBeforeMove),
        ("1. e4 ((1. d4)) e5 *", DamageReason::VariationBeforeMove),
        ("[A \"x]\n\n1. e4 e5 *", DamageReason::MalformedTag),
    ] {
        assert_eq!((moves(text).as_str(), reasons(text)), ("e2e4 e7e5", vec![reason]), "{text}");
    }
    clean("1. e4 () e5 *", "e2e4 e7e5");
    assert_eq!(reasons("1. e4 (1. d4 d5"), [DamageReason::UnterminatedVariation]);
    assert_eq!(reasons("[FEN \"rubbish\"]\n\n1. e4 *"), [DamageReason::BadFen]);
    assert_eq!(moves("[FEN \"rubbish\"]\n\n1. e4 *"), "");
    assert_eq!(reasons("[Variant \"Tic\"]\n\n1. e4 *"), [DamageReason::UnknownVariant]);
}

#[test]
fn moves_on_the_line_of_a_tag() {
    for text in [
        "[Event \"x\"] 1. e4 e5 *",
        "[White \"a\"] 1. e4\n1... e5 *",
        "[White \"a\"] [Black \"b\"] e4 e5",
        "[White \"a\"]1.e4 e5",
        "[White \"a\"] {[x \"1\"] \"]} 1. e4 e5",
        "[White \"a\"] {say \"hi\"]\n} 1. e4 (1. d4) e5 1-0",
        "[White \"a\"] $1 1. e4 e5",
        "[White \"a\\\"] 1. e4 e5",
        "[White \"a\"] ; 1. d4\r1. e4 e5",
        "[White \"a\"] % 1. d4\n1. e4 e5",
        "[White \"a\"]\r1. e4\re5",
    ] {
        let moves = moves(text);
        assert!(moves.starts_with("e2e4 e7e5"), "{text:?}: {moves}");
        assert_eq!(reasons(text), [], "{text:?}");
    }
    for (text, shown) in [
        ("[White \"a\" 1. d4 d5\n1. e4 e5", "[White \"a\" 1. d4 d5"),
        ("[White 1. d4 d5]\n1. e4 e5", "[White 1. d4 d5]"),
        ("[\"a\"] 1. d4\n1. e4 e5", "[\"a\"] 1. d4"),
        ("[White \"a\"] x d4 \"]\n1. e4 e5", "[White \"a\"] x d4 \"]"),
        ("[White \"a\r1. d4\"]\n1. e4 e5", "[White \"a\r1. d4\"]"),
    ] {
        assert_eq!(reasons(text), [DamageReason::MalformedTag], "{text:?}");
        assert_eq!(moves(text), "e2e4 e7e5");
        read(text, |game| assert_eq!(game.damaged_text(&game.damages()[0]), shown.as_bytes()));
    }
}

#[test]
fn unread_text_is_reported() {
    for (text, shown) in [
        ("1. e4 e5 1-0 and then Nf3 Nc6\n\n", "and then Nf3 Nc6"),
        ("(1. d4 d5) 1. e4 e5", "(1. d4 d5)"),
        ("(1. d4 d5", "(1. d4 d5"),
    ] {
        read(text, |game| assert_eq!(game.damaged_text(&game.damages()[0]), shown.as_bytes()));
    }
}

/// A game whose initial position is not known has no moves, unless the caller needs the usual
/// start.
#[test]
fn games_without_a_known_start() {
    let mut reader = Reader::new();
    let usual = Needs { usual_start: true, ..Needs::ALL };
    for (tag, bad_fen) in [
        ("[FEN \"rubbish\"]", true),
        ("[FEN \"8/8/8/8/8/8/8/9 w - -\"]", true),
        ("[Variant \"Tic\"]", false),
    ] {
        let text = format!("{tag}\n\n1. e4 e5 *");
        for (needs, length) in [(Needs::ALL, 1), (Needs::TAGS, 1), (usual, 3)] {
            let game = reader.read(text.as_bytes(), needs);
            assert_eq!((game.has_start(), game.len()), (false, length), "{tag}");
            assert_eq!((game.has_bad_fen(), game.damages().len()), (bad_fen, 1));
            assert!(game.has_result());
        }
    }
    assert!(reader.read(b"1. e4 *", Needs::ALL).has_start());
}

#[test]
fn limits() {
    let mut reader = Reader::new().with_max_positions(3);
    let game = reader.read(TREE.as_bytes(), Needs::ALL);
    assert_eq!((game.len(), game.damages()[0].reason), (3, DamageReason::TooManyPositions));
    assert!(game.has_result());
}

#[test]
fn castling_without_right_is_a_note() {
    let text = "[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]\n\n1. O-O *";
    assert_eq!(moves(text), "e1g1");
    assert_eq!(reasons(text), [DamageReason::CastlingWithoutRight]);
    assert!(DamageReason::CastlingWithoutRight.is_note());
}

#[test]
fn reports_are_bounded() {
    let text = format!("1. e4 {} *", "<x> ".repeat(5000));
    read(&text, |game| assert_eq!((game.damages().len(), game.len()), (1000, 2)));
}

/// A million nested variations need neither much stack nor quadratic time.
#[test]
fn deep_nests() {
    let nest = "1. e4 (1. d4 ".repeat(1_000_000);
    read(&nest, |game| assert!(!game.damages().is_empty()));
    let text = format!("1. e4 {} {} *", "(1. d4 ".repeat(500_000), ") ".repeat(500_000));
    read(&text, |game| assert_eq!((game.len(), game.damages().len()), (500_002, 0)));
    let braces = "{{} ".repeat(300_000);
    read(&braces, |game| assert_eq!(game.len(), 1));
    assert_eq!(Games::new("{{} 1. e4 * ".repeat(100_000).as_bytes()).count(), 100_000);
    assert_eq!(Games::new("1-0 x {{} ".repeat(100_000).as_bytes()).count(), 100_000);
}

/// Damage is found in parts that are not needed otherwise, and these parts are not kept.
#[test]
fn damage_of_what_is_not_needed() {
    let text = b"1. e4 {a} (1. d4 {b} d5 $1 2. Qd8) e5 {c} 2. Nf3 $2 {d} Ke4 *";
    let mut reader = Reader::new();
    let all = Needs::ALL_PLIES;
    for (last_ply, variations, length) in
        [(0, false, 1), (2, false, 3), (3, false, 4), (all, false, 4), (all, true, 6)]
    {
        for damage in [false, true] {
            let needs = Needs { last_ply, variations, damage, ..Needs::ALL };
            let game = reader.read(text, needs);
            assert_eq!((game.len(), game.main_line_len()), (length, length.min(4)));
            let expected = usize::from(last_ply == all) + usize::from(variations);
            assert_eq!(game.is_cut(), !damage && [2, 3].contains(&last_ply));
            assert_eq!(game.damages().len(), if damage { 2 } else { expected });
            assert_eq!(game.node(0).subtree_end, length);
            assert_eq!((game.comment(length), game.nags(length).count()), (None, 0));
            assert!(game.has_result());
            if needs.has_moves() {
                assert_eq!(game.comment(1).as_deref(), Some(&b"a"[..]));
                assert_eq!(game.comment(2).as_deref(), Some(&b"c"[..]));
            }
        }
    }
}

/// What belongs to the last position that is read is read with it, and nothing after it.
#[test]
fn a_game_is_read_up_to_a_ply() {
    let text = b"1. e4 {a} e5 $1 {b} } 2. Nf3 {c} Ke4 {1-0} (x) 0-1 rest";
    let mut reader = Reader::new();
    for (last_ply, damages) in [(1, 0), (2, 1), (3, 1), (4, 2)] {
        let game = reader.read(text, Needs { last_ply, comments: true, ..Needs::TAGS });
        assert_eq!(game.len(), 4.min(last_ply + 1));
        assert_eq!(game.damages().len(), damages);
        assert_eq!((game.is_cut(), game.is_whole()), (last_ply < 4, last_ply >= 4), "{last_ply}");
        assert_eq!((game.text().len(), game.result()), (text.len(), GameResult::BlackWins));
        let last = game.len() - 1;
        let comments = [&b"a"[..], b"b", b"c"];
        assert_eq!(game.comment(last).as_deref(), Some(comments[last as usize - 1]));
        assert_eq!(game.nags(last).count(), usize::from(last == 2));
        assert_eq!(game.node(last).subtree_end, game.len());
    }
    // With variations the whole main line is read, since their ids follow its ids.
    let needs = Needs { last_ply: 1, variations: true, ..Needs::TAGS };
    let game = reader.read(TREE.as_bytes(), needs);
    assert_eq!((game.len(), game.is_cut()), (16, false));
}

#[test]
fn a_game_is_whole_only_if_nothing_of_it_was_dropped() {
    let is_whole = |text: &str, needs: Needs| Reader::new().read(text.as_bytes(), needs).is_whole();
    let plain = "1. e4 e5 2. Nf3 *";
    for damage in [false, true] {
        let told = |needs: Needs| Needs { damage, ..needs };
        assert!(!is_whole(plain, told(Needs::TAGS)), "{damage}");
        assert!(is_whole(plain, told(Needs::MAIN_LINE)), "{damage}");
        // Replayed to find damage, then dropped.
        assert!(!is_whole(TREE, told(Needs::MAIN_LINE)), "{damage}");
        assert!(is_whole(TREE, told(Needs::ALL)), "{damage}");
    }
}

/// Only a side with exactly one king has a null move
/// (`docs/src/language/odd-positions.md#no-king`).
#[test]
fn null_moves_need_a_king() {
    for (board, side) in
        [("4k3/8/8/8/8/8/8/4R3", "w"), ("4k3/8/8/8/8/8/8/K3R2K", "w"), ("r7/8/8/8/8/8/8/4K3", "b")]
    {
        for null in ["--", "Z0", "null", "@@@@", "0000"] {
            let game = format!("[FEN \"{board} {side} - - 0 1\"]\n\n1. {null} Kd7 *");
            assert_eq!(reasons(&game), [DamageReason::IllegalMove], "{game}");
            assert_eq!(moves(&game), "");
            read(&game, |game| {
                assert_eq!(game.damaged_text(&game.damages()[0]), null.as_bytes());
            });
        }
    }
    // The king of the other side does not matter.
    clean("[FEN \"8/3p4/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. -- d5 2. -- *", "0000 d7d5 0000");
    clean("[FEN \"8/3p4/8/8/8/8/8/K6K b - - 0 1\"]\n\n1... d5 *", "d7d5");
}

/// Databases write tags with empty values. lichess.org writes `From Position` for a game of chess
/// that does not begin with the initial array.
#[test]
fn tags_that_say_nothing() {
    for tags in [
        "[FEN \"\"]",
        "[Variant \"\"]",
        "[Variant \"\"]\n[FEN \"\"]\n[Event \"\"]",
        "[FEN \" \"] [Variant \"\t\"]",
        "[Variant \"From Position\"]",
        "[variant \"\"]",
    ] {
        clean(&format!("{tags}\n\n1. e4 e5 *"), "e2e4 e7e5");
        // At the very end of the file.
        clean(tags, "");
    }
    let fen = "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1";
    clean(&format!("[Variant \"From Position\"]\n[FEN \"{fen}\"]\n\n1. Qf7 *"), "f1f7");
    clean(&format!("[FEN \"\"]\n[FEN \"{fen}\"]\n\n1. Qf7 *"), "f1f7");
    clean(
        "[Variant \"\"]\n[Variant \"ZH\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *",
        "e2e4 d7d5 e4d5 d8d5 P@e4",
    );
    for (text, shown) in
        [("[FEN \"x\"]", "x"), ("[FEN \"x", "x"), ("[Variant \"?\"]\n\n1. e4", "?")]
    {
        read(text, |game| {
            assert_eq!(game.damaged_text(game.damage().expect("damage")), shown.as_bytes());
        });
    }
    // Wherever the text is cut, there is no panic, and damage does not extend beyond the tag.
    let whole = "[FEN \"\"]\n[Variant \"\"]\n\n1. e4 e5 *";
    for end in 0..=whole.len() {
        read(&whole[..end], |game| {
            for damage in game.damages() {
                let of_value = [DamageReason::BadFen, DamageReason::UnknownVariant];
                assert!(!of_value.contains(&damage.reason), "{end}");
                assert!(!game.damaged_text(damage).contains(&b'\n'), "{end}");
            }
        });
    }
}

#[test]
fn a_game_of_one_position_is_that_of_its_fen() {
    let fens = [
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
    ];
    let needs = Needs { piece_ids: true, ..Needs::ALL };
    // A game before leaves nothing behind.
    let mut reader = Reader::new();
    reader.read(b"[White \"W\"]\n\n{c} 1. e4 $1 (1. d4 {d}) e5 2. Zz 1-0", needs);
    for fen in fens {
        let (position, rules) = babson_chess::fen::parse(fen).expect("a FEN");
        let text = format!("[FEN \"{fen}\"]\n\n*");
        let mut other = Reader::new();
        let expected = other.read(text.as_bytes(), needs);
        let game = reader.one_position(&position, &rules, needs);
        assert_eq!(game.positions(), expected.positions());
        assert_eq!(game.nodes(), expected.nodes());
        assert_eq!(game.rules(), &rules);
        assert_eq!(game.piece_ids(0), expected.piece_ids(0));
        assert_eq!(game.result_tag(), expected.result_tag());
        assert_eq!((game.len(), game.main_line_len(), game.has_start()), (1, 1, true));
        assert_eq!((game.damages(), game.comment(0), game.text()), (&[][..], None, &b""[..]));
    }
    // It has all that a reader can be asked for. Only piece identities are made on demand.
    let all = Needs { damage: true, usual_start: true, ..needs };
    for piece_ids in [false, true] {
        let asked = Needs { piece_ids, ..Needs::TAGS };
        let game = reader.one_position(&Position::start(), &Rules::STANDARD, asked);
        assert_eq!(game.needs(), Needs { piece_ids, ..all });
    }
}
