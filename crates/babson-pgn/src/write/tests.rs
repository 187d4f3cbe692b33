use super::*;
use crate::{Needs, Reader};

const TREE: &[u8] =
    b"[Event \"TREE\"]\n[Result \"*\"]\n\n1. e4 e5 (1... c5 2. Nf3 d6 (2... Nc6 3. d4) \
    3. d4 cxd4) (1... e6 2. d4) 2. Nf3 Nc6 3. Bb5 a6 *\n";

fn written(text: &[u8], added: &Annotations<'_>, layout: Layout) -> String {
    let mut reader = Reader::new();
    let game = reader.read(text, Needs::ALL);
    let mut out = Vec::new();
    write(&game, added, &layout, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// A tree of variations with the id of each position in a comment, as CQL 6.2 writes it.
#[test]
fn tree_with_ids() {
    let mut comments: Vec<(u32, Vec<u8>)> = vec![(0, b"Game number 1".to_vec())];
    for id in 0..16u32 {
        if id >= 7 {
            comments.push((id, format!("id:{id}").into_bytes()));
        }
        comments.push((id, b"CQL".to_vec()));
    }
    let comments: Vec<(u32, &[u8])> = comments.iter().map(|(id, text)| (*id, &text[..])).collect();
    let added = Annotations { comments: &comments, ..Annotations::default() };
    let expected =
        "[Event \"TREE\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
[Black \"?\"]\n[Result \"*\"]\n
{Game number 1 CQL}
1.e4 {CQL} 1...e5 {CQL} ( 1...c5 {id:7 CQL} 2.Nf3 {id:8 CQL} 2...d6 {id:9 CQL} 
( 2...Nc6 {id:12 CQL} 3.d4 {id:13 CQL} ) 3.d4 {id:10 CQL} 3...cxd4 {id:11 CQL} 
) ( 1...e6 {id:14 CQL} 2.d4 {id:15 CQL} ) 2.Nf3 {CQL} 2...Nc6 {CQL} 3.Bb5 {CQL}
3...a6 {CQL} *\n\n\n";
    assert_eq!(written(TREE, &added, Layout::CQL6), expected);
}

#[test]
fn merging() {
    let text = "{first \u{e9}} 1. e4 {x} 1-0".as_bytes();
    let added = Annotations {
        comments: &[(1, b"a{b}"), (0, b"n"), (0, b"n"), (0, b"")],
        removed: &[1],
        ..Annotations::default()
    };
    let cql6 = written(text, &added, Layout::CQL6);
    assert!(cql6.ends_with("\n\n{first ?? n}\n1.e4 { a_b_} 1-0\n\n\n"), "{cql6}");
    let cqli = written(text, &added, Layout::CQLI);
    assert!(cqli.ends_with("\n\n{first \u{e9}} {n} 1.e4 {a_b_} 1-0\n\n\n"), "{cqli}");
    let untouched = written(text, &Annotations::default(), Layout::CQL6);
    assert!(untouched.ends_with("{first \u{e9}}\n1.e4 {x} 1-0\n\n\n"), "{untouched}");
}

#[test]
fn tags_of_cql6() {
    let text = b"[FEN \"4k3/8/8/8/8/8/8/4K3 b - -\"]\n[SetUp \"1\"]\n[White \" van X,Y. (2433)\"]\n\
        [BlackRating \"5000\"]\n[ECO \"B00/01\"]\n[Date \"1999.1.2\"]\n[Zed \"z\"]\n[Result \"1-0\"]\n\n0-1";
    let added = Annotations { tags: &[(b"New", b"n"), (b"Zed", b"q")], ..Annotations::default() };
    assert_eq!(
        written(text, &added, Layout::CQL6),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"1999.01.02\"]\n[Round \"?\"]\n[White \"Van X, Y.\"]\n\
[Black \"?\"]\n[Result \"0-1\"]\n[WhiteElo \"2433\"]\n[BlackRating \"4000\"]\n[ECO \"B00\"]\n\
[SetUp \"1\"]\n[Zed \"q\"]\n[New \"n\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]\n\n0-1\n\n\n"
    );
    let plain = written(text, &added, Layout::CQLI);
    // In the layout of CQLi only the `Result` tag changes: the marker decides.
    assert_eq!(
        plain,
        "[FEN \"4k3/8/8/8/8/8/8/4K3 b - -\"]\n[SetUp \"1\"]\n[White \" van X,Y. (2433)\"]\n\
[BlackRating \"5000\"]\n[ECO \"B00/01\"]\n[Date \"1999.1.2\"]\n[Zed \"q\"]\n[Result \"0-1\"]\n\
[New \"n\"]\n\n0-1\n\n\n"
    );
}

#[test]
fn missing_tags() {
    let tags = |text: &[u8], added: &Annotations<'_>| {
        let out = written(text, added, Layout::CQLI);
        out.split_once("\n\n").unwrap().0.to_owned()
    };
    let none = Annotations::default();
    assert_eq!(tags(b"[A \"1\"]\n[A \"2\"]\n\n*", &none), "[A \"1\"]\n[A \"2\"]");
    // Without a marker the `Result` tag keeps its value.
    assert_eq!(tags(b"[Result \"1-0\"]\n\n1. e4", &none), "[Result \"1-0\"]");
    assert_eq!(tags(b"[Result \"1-0\"]\n\n1. e4 *", &none), "[Result \"*\"]");
    // Of several `Result` tags the first one changes. Tags are written in the usual form.
    let odd =
        b"[ A  \"1\" ] [B \"2\"]\r\n[ C\"3\"]\n[D\t\"4\"]\n[E\"5\" ]\n[F  6\"7]\n[Result \"?\"]\n\
        [Result \"0\"]\n[\"x\"]\n\n1. e4 *";
    let usual = "[A \"1\"]\n[B \"2\"]\n[C \"3\"]\n[D \"4\"]\n[E \"5\"]\n[F \"7]\"]\n\
        [Result \"*\"]\n[Result \"0\"]";
    assert_eq!(tags(odd, &none), usual);
    assert_eq!(tags(odd, &Annotations { hidden_tags: &[b"X"], ..none }), usual);
    let added = Annotations {
        tags: &[(b"Site", b"s"), (b"New", b"n"), (b"Result", b"r")],
        hidden_tags: &[b"Round"],
        ..none
    };
    assert_eq!(
        tags(b"1. e4 1-0", &added),
        "[Event \"?\"]\n[Site \"s\"]\n[Date \"????.??.??\"]\n[White \"?\"]\n[Black \"?\"]\n\
[Result \"r\"]\n[New \"n\"]"
    );
}

/// The sort header is the first comment; in the layout of CQL 6.2 it is the last.
#[test]
fn the_sort_header_and_the_original_comment() {
    let body = |layout: Layout| {
        let added = Annotations {
            comments: &[(0, b"x: 1"), (0, b"y: 2"), (0, b"new"), (1, b"CQL")],
            headers: 2,
            ..Annotations::default()
        };
        let out = written(b"{old} 1. e4 {there} *", &added, layout);
        out.split_once("\n\n").unwrap().1.trim_end().to_owned()
    };
    assert_eq!(body(Layout::CQLI), "{x: 1} {y: 2} {old} {new} 1.e4 {there} {CQL} *");
    let coalesced = Layout { coalesce_comments: true, ..Layout::CQLI };
    assert_eq!(body(coalesced), "{x: 1 y: 2 old new} 1.e4 {there CQL} *");
    assert_eq!(body(Layout::CQL6), "{old x: 1 y: 2 new}\n1.e4 {there CQL} *");
}

#[test]
fn glyphs_variation_comments_and_black_first() {
    let text =
        b"[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 7\"]\n\n7... Kd8! $7 {c} ({v} 7... Ke7?) 8. Kd1 *";
    let out = written(text, &Annotations::default(), Layout::CQL6);
    assert!(out.ends_with("\n\n7...Kd8 $1 $7 {c} ( {v} 7...Ke7 $2 ) 8.Kd1 *\n\n\n"), "{out}");
}

#[test]
fn every_layout_option() {
    let text = b"1. e4 $1 {x} e5 $2 (1... c5 {y}) 2. Nf3 *";
    let body = |layout: Layout| {
        let added = Annotations {
            comments: &[(0, b"one"), (0, b"two"), (1, b"new")],
            ..Annotations::default()
        };
        let out = written(text, &added, layout);
        out.split_once("\n\n").unwrap().1.trim_end().to_owned()
    };
    let base = Layout::CQLI;
    for (layout, expected) in [
        (base, "{one} {two} 1.e4 $1 {x} {new} 1...e5 $2 ( 1...c5 {y} ) 2.Nf3 *"),
        (
            Layout { coalesce_comments: true, compact_comments: false, ..base },
            "{ one two } 1.e4 $1 { x new } 1...e5 $2 ( 1...c5 { y } ) 2.Nf3 *",
        ),
        (
            Layout { compact_moves: false, compact_variations: true, ..base },
            "{one} {two} 1. e4 $1 {x} {new} 1... e5 $2 (1... c5 {y}) 2. Nf3 *",
        ),
        (
            Layout { elide_comments: true, elide_nags: true, elide_variations: true, ..base },
            "1.e4 e5 2.Nf3 *",
        ),
        (
            Layout { elide_comments: true, elide_variations: true, number_after_nag: true, ..base },
            "1.e4 $1 1...e5 $2 2.Nf3 *",
        ),
        (
            Layout { number_after_comment: false, elide_variations: true, ..base },
            "{one} {two} 1.e4 $1 {x} {new} e5 $2 2.Nf3 *",
        ),
        (
            Layout { move_numbers: false, ..base },
            "{one} {two} e4 $1 {x} {new} e5 $2 ( c5 {y} ) Nf3 *",
        ),
        (
            Layout { width: 10, split_moves: false, elide_comments: true, ..base },
            "1.e4 $1 e5\n$2 (\n1...c5 )\n2.Nf3 *",
        ),
        (
            Layout {
                width: 4,
                elide_comments: true,
                elide_nags: true,
                elide_variations: true,
                ..base
            },
            "1.e4\ne5\n2.\nNf3\n*",
        ),
    ] {
        assert_eq!(body(layout), expected, "{layout:?}");
    }
}

/// The limits of CQL 6.2 on the text of a position.
#[test]
fn long_comments_of_cql6() {
    let long = |length: usize| vec![b'z'; length];
    let body = |original: usize, added: &[usize]| {
        let text = if original == 0 {
            b"1. e4 *".to_vec()
        } else {
            [b"{", &long(original)[..], b"} 1. e4 *"].concat()
        };
        let texts: Vec<Vec<u8>> = added
            .iter()
            .enumerate()
            .map(|(index, &length)| {
                let mut text = long(length);
                text[0] = b'a' + index as u8;
                text
            })
            .collect();
        let comments: Vec<(u32, &[u8])> = texts.iter().map(|text| (0, &text[..])).collect();
        let added = Annotations { comments: &comments, ..Annotations::default() };
        let mut reader = Reader::new();
        let game = reader.read(&text, Needs::ALL);
        let mut out = Vec::new();
        let written = write(&game, &added, &Layout::CQL6, &mut out);
        let out = String::from_utf8(out).unwrap();
        let initial = out.split_once('{').unwrap().1.split_once('}').unwrap().0;
        (initial.replace('\n', ""), written.ignored_comments)
    };
    let (text, ignored) = body(0, &[13, 4490, 5]);
    assert_eq!((text.len(), ignored), (13 + 17, 0));
    assert!(text.ends_with("[cql truncate]..."), "{text}");
    assert_eq!(body(0, &[13, 5000, 5]).0.len(), 13);
    assert_eq!(body(5999, &[5]).0.len(), 5999);
    assert_eq!(body(5999, &[5]).1, 1);
    // Texts of exactly the limits are written. No comment follows a truncated one.
    let lengths = |original: usize, added: &[usize]| {
        let (text, ignored) = body(original, added);
        (text.len(), ignored)
    };
    assert_eq!(lengths(0, &[4500]), (4500, 0));
    assert_eq!(lengths(0, &[4501]), (17, 0));
    assert_eq!(lengths(0, &[10, 4489]), (4500, 0));
    assert_eq!(lengths(0, &[10, 4490, 5]), (10 + 17, 0));
    assert_eq!(lengths(0, &[10, 4789, 5]), (10 + 17, 0));
    assert_eq!(lengths(0, &[10, 4790, 5]), (10, 0));
    // The mark for truncation counts, too (a line ends at its space). If it does not fit, only the
    // original comment is written.
    assert_eq!(lengths(4483, &[100]), (4483 + 16, 0));
    assert_eq!(lengths(4484, &[100]), (4484, 1));
}

#[test]
fn long_games_of_cql6_are_cut() {
    let layout = Layout { cql6: Some(Cql6 { game_limit: 160 }), ..Layout::CQL6 };
    let comment = [b'z'; 200];
    let added = Annotations { comments: &[(1, &comment)], ..Annotations::default() };
    let out = written(b"1. e4 *", &added, layout);
    assert!(out.ends_with("zz game truncated by CQL } * \n\n\n"), "{out}");
    assert_eq!(out.find(" game truncated"), Some(160));
}

#[test]
fn hidden_tags() {
    let added = Annotations { hidden_tags: &[b"Site", b"X"], ..Annotations::default() };
    let out = written(b"[X \"1\"]\n[Y \"2\"]\n\n1. e4 *", &added, Layout::CQLI);
    assert!(!out.contains("[Site") && !out.contains("[X") && out.contains("[Y"));
}

#[test]
fn moves_that_cannot_be_read_leave_a_comment() {
    let text = b"1. e4 {old} Nh4 e5 *";
    let mut reader = Reader::new();
    reader.write_error_comments(true);
    let game = reader.read(text, Needs::ALL);
    let mut out = Vec::new();
    write(&game, &Annotations::default(), &Layout::CQL6, &mut out);
    assert!(
        out.ends_with(b"\n\n1.e4 {Error reading move: Nh4} *\n\n\n"),
        "{}",
        String::from_utf8_lossy(&out)
    );
}

/// There are no spaces at the ends of a comment, even if the query puts them there.
#[test]
fn compact_comments_have_no_spaces_at_their_ends() {
    let added = Annotations {
        comments: &[
            (0, b"Solutions: a <--> b "),
            (1, b"  sp  "),
            (1, b"sp"),
            (1, b" \n\t "),
            (1, b"\na  b\n"),
        ],
        ..Annotations::default()
    };
    let text = b"{ own  one } 1. e4 *";
    for (layout, wanted) in [
        (Layout::CQLI, "\n{own one} {Solutions: a <--> b} 1.e4 {sp} {a  b} *\n\n\n"),
        (
            Layout { coalesce_comments: true, ..Layout::CQLI },
            "\n{own one Solutions: a <--> b} 1.e4 {sp a  b} *\n\n\n",
        ),
        (
            Layout { compact_comments: false, ..Layout::CQLI },
            "\n{ own one } { Solutions: a <--> b  } 1.e4 {   sp   } { sp } {\n\t  } {\na  b\n } *\n\n\n",
        ),
        (
            Layout::CQL6,
            "\n{own one Solutions: a <--> b }\n1.e4 {  sp   sp  \n\t  \na  b\n} *\n\n\n",
        ),
    ] {
        let found = written(text, &added, layout);
        assert!(found.ends_with(wanted), "{found:?}");
    }
}

/// See `docs/src/language/tags.md#in-cql-62`.
#[test]
fn tags_in_the_forms_of_cql6() {
    let tags = |text: &str| {
        let out = written(text.as_bytes(), &Annotations::default(), Layout::CQL6);
        let tags = out.split_once("\n\n").unwrap().0.lines();
        let usual = [
            "[Event \"?\"]",
            "[Site \"?\"]",
            "[Date \"????.??.??\"]",
            "[Round \"?\"]",
            "[White \"?\"]",
            "[Black \"?\"]",
            "[Result \"*\"]",
        ];
        let told = tags.filter(|line| !usual.contains(line));
        told.collect::<Vec<_>>().join("")
    };
    for (read, out) in [
        ("[Event \"\"][Round \" 1 \"]", "[Event \"\"][Round \" 1 \"]"),
        ("[Date \"????.05\"]", "[Date \"????.05.??\"]"),
        ("[EventDate \"?\"]", ""),
        ("[EventDate \"2000/1\"]", "[EventDate \"2000.??.??\"]"),
        ("[Zed \"\"][ECO \"c4\"]", "[ECO \"C40\"][Zed \"\"]"),
        ("[ECO \"x\"]", ""),
        (
            "[WhiteElo \"2400\"][White \"von X (2300)\"][WhiteBCF \"1\"]",
            "[White \"von X\"][WhiteElo \"2300\"][WhiteBCF \"1\"]",
        ),
        ("[BlackElo \"-\"][BlackUSCF \"1800x\"]", "[BlackUSCF \"1800\"]"),
        ("[Zed \"1\"][Yes \"2\"][Zed \"3\"]", "[Zed \"1\"][Yes \"2\"]"),
        ("[FEN \"nonsense\"][Zed \"1\"]", "[Zed \"1\"]"),
    ] {
        assert_eq!(tags(read), out, "{read}");
    }
}

/// This holds in every layout except the layout of CQL 6.2.
#[test]
fn no_line_ends_in_a_space() {
    let moves = "1. e4 e5 (1... c5 {a reply} 2. Nf3) 2. Nf3 Nc6 {x } 3. Bb5 a6 $1 4. Ba4 Nf6 ";
    let text = format!("{{start}} {moves} 5. O-O *");
    let comments: [(u32, &[u8]); 4] = [
        (1, b"some words  with   many spaces  "),
        (2, b"lines \n  \t\r\n of text \n"),
        (3, b" \n \n"),
        (4, b"a-word-that-is-longer-than-some-lines"),
    ];
    for width in [4, 7, 10, 20, 40, 79] {
        for (compact_comments, compact_moves, split_moves) in
            [(true, true, true), (false, false, true), (false, true, false)]
        {
            let layout =
                Layout { width, compact_comments, compact_moves, split_moves, ..Layout::CQLI };
            for comments in [&comments[..], &[]] {
                let added = Annotations { comments, ..Annotations::default() };
                let out = written(text.as_bytes(), &added, layout);
                let trailing = out.split('\n').find(|line| line.ends_with([' ', '\t', '\r']));
                assert_eq!(trailing, None, "{layout:?}: {out}");
            }
        }
    }
}

/// A comment with text like a tag does not begin a game.
#[test]
fn tags_in_comments_stay_on_their_line() {
    for length in 60..80 {
        let text = format!("1. e4 {{{} [Event \"x\"] y}} e5 *", "x".repeat(length));
        let comments: [(u32, &[u8]); 1] = [(2, b"a\n[White \"b\"] c")];
        let added = Annotations { comments: &comments, ..Annotations::default() };
        let out = written(text.as_bytes(), &added, Layout::CQLI);
        assert_eq!(crate::count_games(out.as_bytes()), 1, "{out}");
    }
}

/// CQL 6.2 drops a FEN that it cannot read.
#[test]
fn an_empty_fen_is_dropped_in_cql6() {
    let text = b"[Event \"e\"]\n[FEN \" \"]\n\n1. e4 *";
    let tags = |layout| written(text, &Annotations::default(), layout);
    let cql6 = tags(Layout::CQL6);
    assert!(!cql6.contains("FEN") && cql6.ends_with("\n\n1.e4 *\n\n\n"), "{cql6}");
    assert!(tags(Layout::CQLI).contains("[FEN \" \"]\n"));
}

fn fragment(text: &[u8], start: u32, plies: Option<u32>, added: &Annotations<'_>) -> String {
    let mut reader = Reader::new();
    let game = reader.read(text, Needs::ALL);
    let mut out = Vec::new();
    write_fragment(&game, Fragment { start, plies }, added, &Layout::CQLI, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The move text of a fragment.
fn moves(text: &[u8], start: u32, plies: Option<u32>) -> String {
    let written = fragment(text, start, plies, &Annotations::default());
    written.split_once("\n\n").unwrap().1.trim_end().to_owned()
}

#[test]
fn a_fragment_keeps_numbers_variations_and_the_result() {
    let text = b"[PlyCount \"9\"]\n[SetUp \"0\"]\n[Result \"0-1\"]\n\n1. e4 {one} e5 (1... c5 {two} 2. Nf3 \
        (2. c3 d5) 2... d6 3. d4) 2. Nf3 $1 Nc6 3. Bb5 a6 0-1";
    let added = Annotations {
        comments: &[(0, b"key: 3"), (1, b"CQL")],
        headers: 1,
        ..Annotations::default()
    };
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(
        fragment(text, 1, Some(2), &added),
        format!(
            "[Result \"0-1\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{{key: 3}} {{one}} {{CQL}} 1...e5 \
             ( 1...c5 {{two}} \
             2.Nf3 ( 2.c3 ) ) 2.Nf3 $1 0-1\n\n\n"
        )
    );
    assert_eq!(moves(text, 2, None), "2.Nf3 $1 Nc6 3.Bb5 a6 0-1");
    assert_eq!(moves(text, 3, Some(1)), "2...Nc6 0-1");
    // In a variation, its continuation is the main line.
    assert_eq!(moves(text, 7, None), "{two} 2.Nf3 ( 2.c3 d5 ) 2...d6 3.d4 0-1");
    // At the end there are no moves.
    assert_eq!(moves(text, 6, Some(5)), "0-1");
    // From the initial position it is the game.
    assert!(moves(text, 0, None).starts_with("1.e4 {one} 1...e5 ( 1...c5"));
    let mut reader = Reader::new();
    let game = reader.read(text, Needs::ALL);
    let (mut out, fragment) = (Vec::new(), Fragment { start: 4, plies: None });
    write_fragment(&game, fragment, &added, &Layout::CQL6, &mut out);
    let out = String::from_utf8(out).unwrap();
    assert!(out.contains("[SetUp \"1\"]\n[FEN \""), "{out}");
    assert!(out.ends_with(" 3\"]\n\n3.Bb5 a6 0-1\n\n\n"), "{out}");
}

/// A fragment is read again with the positions of its part of the game, in any variant.
#[test]
fn a_fragment_is_read_again() {
    let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games");
    let (mut reader, mut again) = (Reader::new(), Reader::new());
    let mut files = vec![games.join("masters-2k.pgn"), games.join("special.pgn")];
    if let Ok(variants) = std::fs::read_dir(games.join("variants")) {
        files.extend(variants.map(|entry| entry.unwrap().path()));
    }
    for file in files {
        let text = std::fs::read(&file).unwrap();
        for (index, (_, text)) in crate::Games::new(&text).enumerate().step_by(7) {
            let game = reader.read(text, Needs::ALL);
            if !game.has_start() {
                continue;
            }
            let start = (index as u32 * 31) % game.len();
            let (fragment, mut out) = (Fragment { start, plies: None }, Vec::new());
            write_fragment(&game, fragment, &Annotations::default(), &Layout::CQLI, &mut out);
            let read = again.read(&out, Needs::ALL);
            let end = game.node(start).subtree_end;
            let part = &game.positions()[start as usize..end as usize];
            assert_eq!(read.positions(), part, "{file:?}\n{}", String::from_utf8_lossy(&out));
            assert_eq!(read.result(), game.result());
        }
    }
}

/// Moves without comments are written by the line. A comment of no text is not written, but its
/// move is written alone.
#[test]
fn moves_are_written_alike_alone_and_by_the_line() {
    let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games");
    let base = Layout::CQLI;
    let layouts = [
        base,
        Layout::CQL6,
        Layout { width: 7, ..base },
        Layout { width: 0, ..Layout::CQL6 },
        Layout { width: usize::MAX, ..base },
        Layout { compact_moves: false, ..base },
        Layout { compact_moves: false, split_moves: false, width: 30, ..base },
        Layout { move_numbers: false, ..base },
        Layout { elide_variations: true, ..base },
    ];
    let mut reader = Reader::new();
    for file in ["masters-2k.pgn", "special.pgn", "studies.pgn"] {
        let text = std::fs::read(games.join(file)).expect(file);
        for (index, (_, text)) in crate::Games::new(&text).enumerate() {
            let game = reader.read(text, Needs::ALL);
            let comments: Vec<(u32, &[u8])> = (0..game.len()).map(|id| (id, &b""[..])).collect();
            let alone = Annotations { comments: &comments, ..Annotations::default() };
            let layout = &layouts[index % layouts.len()];
            let written = |added: &Annotations<'_>| {
                let mut out = Vec::new();
                write(&game, added, layout, &mut out);
                String::from_utf8_lossy(&out).into_owned()
            };
            assert_eq!(written(&Annotations::default()), written(&alone), "{layout:?}");
        }
    }
    let far = b"[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 99998\"]\n\n*";
    let far = String::from_utf8_lossy(far).replace('*', "1. Kd1 Kd8 2. Ke1 Ke8 3. Kd1 Kd8 *");
    let out = written(far.as_bytes(), &Annotations::default(), base);
    assert!(out.ends_with("\n99998.Kd1 Kd8 99999.Ke1 Ke8 100000.Kd1 Kd8 *\n\n\n"), "{out}");
}
