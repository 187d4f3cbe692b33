//! The fixes of wrong queries: what a beginner writes, and what each fix makes of it.

mod offered;

use babson_chess::VariantNames;
use babson_lang::diagnostic::Fix;
use babson_lang::{Dialect, QuerySpans, analyze, retain_sound_fixes};
use offered::offered;

const QUERIES: &[&str] = &[
    // Words that the language does not have.
    "checkmate",
    "Mate",
    "CHECK",
    "Queen",
    "under_promotion",
    "doubled",
    "draw",
    "never castle",
    "opening",
    "ECO \"B20\"",
    "Player Magnus Carlsen",
    "stalmate",
    "K atacks q",
    "cql(quite) mate",
    "cql(gamenmber 1) mate",
    "dictionary Counts Cuonts[event] += 1",
    "function f(x){x attacks k} g(Q)",
    "function ff(x){x attacks k} fff(Q)",
    "smotheredmate",
    "smotheredmate()",
    "cql(quiet) smotheredmate()",
    // Texts without quotes, numbers in quotes.
    "player Kasparov",
    "player white Magnus Carlsen",
    "event Linares check",
    "white Carlsen",
    "white \"Carlsen\"",
    "Kasparov",
    "player white == Carlsen",
    "year == \"1920\"",
    "date > 1920",
    "eco B20-B99",
    "eco \"B20\" \"B21\"",
    "tag Annotator",
    "player:Alekhine",
    "player white:\"Magnus Carlsen\" mate",
    "elo white:2500",
    "year:1950-1960",
    "hhdb prize",
    "date \"1999-04-05\"",
    // Comparisons.
    "year = 1920",
    "elo white = 2500 mate",
    "movenumber = 12",
    "K = 3",
    "year 1920",
    "year 1920 1930",
    "elo white 2500",
    "year between 1950 and 1960",
    "year >1920 <1930",
    "year >= 1920 and <= 1930",
    "elo white > 2500 or 2600",
    "if year 1920 then check",
    "x := 3 x > 2",
    "x = K x = 3",
    "piece p in A check p = K",
    "result == 1-0",
    "result draw",
    "result 1/2",
    "result white mate",
    "1-0",
    "white wins",
    "find mate 3",
    "up 1 Q attacks 3",
    "material == \"KRvKR\"",
    "rank Q > power",
    "Q + 1 > 3",
    "comment(Q)",
    "str + 1",
    // Symbols.
    "mate && wtm",
    "x=3 x&&wtm",
    "mate || check",
    "!mate",
    "if!check then!wtm",
    "mate&&check!wtm",
    "#Q => 2",
    "result 1-0 and result 0–1",
    "[Q,R]h7",
    "elo > 2,700",
    "function f(x y) {x < y} f(1,200)",
    "path\n --e4\n -- Ng5 mte",
    "ply > 30 and # A attaks k",
    "wtm, mate",
    "x ∈ A x attacks k",
    "N – k",
    "player “Carlsen”",
    "player „Carlsen“ event “Linares” comment(\"a “b”\")",
    "mate ; why",
    "N &amp; left 3 k",
    "K->k<-Q",
    "line check -> mate",
    "imagine piece Q -> a8 : check",
    "dictionary int -> int D",
    "dictionary int int D",
    "k[f-h]8",
    "[Kk][f8-h8]",
    "(wtm mate)",
    "find (check wtm) mate",
    "N.f3",
    "-- all mates\nmate",
    "mate # the white king dies",
    "mate /* end",
    "player 'O'Kelly'",
    "player \"Carlsen”",
    "Ｑ attacks k",
    "mate\u{a0}check\u{200b}",
    "mate!",
    "Q <> 1",
    "check == true",
    "n = 1 n == 1 and",
    "not",
    "mate cql(quiet)",
    "cql{} mate",
    "cql mate",
    "cql(input=games.pgn) mate",
    "cql(input: games.pgn) mate",
    "cql(pgn games.pgn) mate",
    "cql(player Tal) mate",
    "wtm check --> mate",
    "cql(quiet) mate wtm flip",
    "count Q == 2",
    "print(Q)",
    // Words that belong together.
    "stale mate",
    "half move clock > 10",
    "flip color { Kg1 }",
    "rotate 90 { Kg1 }",
    "smothered mate",
    "two rooks and three pawns",
    "find 2 rooks",
    "white pawn e5 and black pawn e6",
    "isolatedpawns on d4",
    "black king in check",
    "white mates",
    "promotes to N",
    "without Q",
    "for x in [] { x attacks q }",
    "var x = 3 x > 2",
    "player is \"Tal\"",
    "comment(good move)",
    "clk < 1:30:00",
    "eval < -2.5 and wtm",
    "year == 1920..1930",
    "mate in two moves",
    "tag \"WhiteElo\" > 2500",
    "[Result \"1-0\"] mate",
    "fen 8/8/8/8/8/8/8/K1k5 w - - 0 1",
    "select * from games where player like '%Tal%' or elo > 2500",
    // Moves.
    "Qxf7",
    "Qxf7+ mate",
    "move Nf3xe5",
    "mate Qxf7#",
    "Sf3",
    "Txd8+",
    "legal o-o",
    "Q takes r",
    "R on a8 mate",
    "R on a8 or h8",
    "attacks (R k)",
    "move Q",
    "move e4",
    "move Qh7",
    "pin N",
    "move promote Q check",
    "mate move from N",
    "1. e4 e5 2. Nf3",
    "e4 e5 Nf3",
    "1.e4 e5 2.Nf3 Nc6 3.Bxc6",
    "Ng1-f3",
    "a7a8q",
    "a7-a8=Q",
    "Re",
    "O-O-O",
    "0-0",
    "promote N",
    // Brackets that are not closed.
    "(K or Q",
    "[Qq attacks k",
    "R[a2-7 attacks k",
    "Q[a1,b2 attacks k",
    "{ mate (K attacks k }",
    "not (mate or check",
    "find { mate",
    "if (mate then check",
    "function f(x { x attacks k } f(Q)",
    "cql(input a.pgn mate",
    "((mate",
    "(K attaks k",
    "{K)",
    // Constants.
    "e4",
    "Q h7",
    "white",
    "mate and stalemate",
    "line --> check {2 5}",
    "line --> check {3,}",
    "fen \"8/8/8/8/8/8/8/8 w - -\"",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "tag \"Round\" \"3\"",
    "3",
    "\"Carlsen\"",
];

/// Each line is a query, each line with an arrow what a fix makes of it; `=>` is certain.
#[test]
fn what_is_offered() {
    let mut shown = String::new();
    for &query in QUERIES {
        shown += &format!("{query}\n");
        for diagnostic in offered(query, Dialect::CQLI) {
            for fix in &diagnostic.fixes {
                let arrow = if fix.certain { "=>" } else { "->" };
                let fixed = fix.apply(query).unwrap();
                shown += &format!("    {arrow} {fixed}    [{}]\n", fix.title);
            }
            if diagnostic.fixes.is_empty() {
                let help = diagnostic.help.as_deref().unwrap_or("no help");
                shown += &format!("    {} [{help}]\n", diagnostic.message);
            }
        }
    }
    insta::assert_snapshot!(shown);
}

/// With a mistake before it and after it, and after a comment with letters of several bytes.
#[test]
fn a_fix_counts_for_its_place_alone() {
    let text = "/* ♔ é */ Mate atacks CHECK";
    let found = offered(text, Dialect::CQLI);
    let fixed: Vec<Option<String>> =
        found.iter().flat_map(|one| &one.fixes).map(|fix| fix.apply(text)).collect();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        fixed,
        [
            some("/* ♔ é */ mate atacks CHECK"),
            some("/* ♔ é */ Mate attacks CHECK"),
            some("/* ♔ é */ Mate atacks check"),
        ]
    );
}

/// A fix that leaves an error at its place is not offered; before the test it was.
#[test]
fn unsound_fixes_are_dropped() {
    let text = "mate A atacks 3";
    let errors = analyze(text, Dialect::CQLI).unwrap_err();
    assert_eq!(
        errors[0].fixes.iter().map(|fix| &*fix.title).collect::<Vec<_>>(),
        ["replace by `attacks`"]
    );
    assert!(offered(text, Dialect::CQLI)[0].fixes.is_empty());
    assert!(offered("mate A atacks k", Dialect::CQLI)[0].fixes.len() == 1);
}

/// Texts of options and imported files are parts of their own, which edits move.
#[test]
fn parts_move_with_the_edits() {
    let text = "flip\nCHECK\nMate wtm";
    let parts = |flip: u32, check: u32| QuerySpans {
        transforms: vec![babson_lang::Span::new(0, flip)],
        filters: vec![babson_lang::Span::new(flip + 1, flip + 1 + check)],
        query: babson_lang::Span::new(flip + check + 2, text.len() as u32),
        ..QuerySpans::default()
    };
    let parts = parts(4, 5);
    let variants = VariantNames::default();
    let mut errors =
        babson_lang::analyze_spans(text, &parts, Dialect::CQLI, &variants).unwrap_err();
    assert_eq!(errors.len(), 2);
    retain_sound_fixes(text, &parts, Dialect::CQLI, &variants, &mut errors);
    assert!(errors.iter().all(|error| error.fixes.len() == 1), "{errors:?}");
    // An edit over the border of two parts has no meaning.
    errors[0].fixes = Box::new([Fix::replace(babson_lang::Span::new(8, 12), "check mate")]);
    retain_sound_fixes(text, &parts, Dialect::CQLI, &variants, &mut errors);
    assert!(errors[0].fixes.is_empty());
}
