//! The conditions that filters give, and what they must not forget.

use babson_lang::Dialect;
use babson_pgn::{GameFacts, Needs, Reader};

use crate::{GameContext, Machine, Program, RunOptions};

fn compiled(query: &str, dialect: Dialect) -> Program {
    let analysis = crate::analyze(query, dialect);
    let analysis = analysis.unwrap_or_else(|errors| panic!("{query}: {errors:?}"));
    Program::compile(&analysis.query).expect(query)
}

#[test]
fn each_rule_gives_its_condition() {
    let mut faults = Vec::new();
    for (query, conditions) in RULES {
        let program = compiled(query, Dialect::CQLI);
        let guard = program.game_guard(&RunOptions::default());
        let found = guard.map(ToString::to_string).unwrap_or_default();
        if found != *conditions {
            faults.push(format!("{query}: {found}, not {conditions}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Filters, and the conditions on a game that they give.
#[rustfmt::skip]
pub(in crate::tests) const RULES: &[(&str, &str)] = &[
    ("mate", "mate"),
    ("not check", ""),
    ("check stalemate", "check, stalemate"),
    ("Qh7", "Qh7"),
    ("[Qr][h7,a8]", "[Qr][h7,a8]"),
    ("#Q > 1", "#Q > 1"),
    ("#Q == 0", "#Q == 0"),
    ("#Q == 1", "Q"),
    ("#Q <= 1", "#Q <= 1"),
    ("#Q != 2", "#Q != 2"),
    ("#Q >= 2 #Q < 9", "#Q >= 2, #Q < 9"),
    ("Q == 0", "#Q == 0"),
    ("not Q", "#Q == 0"),
    ("not Qa-h7", "#Qa-h7 == 0"),
    ("#Na1-8 == 2", "#Na1-8 == 2"),
    ("#(Qa1 | Rb2) > 1", "#(Rb2 | Qa1) > 1"),
    ("#_ < 30", "#_ < 30"),
    ("#(_ & a-h1) == 0", "#_a-h1 == 0"),
    ("power A - power a > 20", "balance > 20"),
    ("3 + 2 * (power A - power a) <= -5", "2 * balance <= -8"),
    ("power a > power A", "-1 * balance > 0"),
    ("power a-h1 > 5", "9 * #[Qq]a-h1 + 5 * #[Rr]a-h1 + 3 * #[Bb]a-h1 + 3 * #[Nn]a-h1 + #[Pp]a-h1 > 5"),
    ("#N - #n == 3", "#N - #n == 3"),
    ("ply > 30", "ply >= 31"),
    ("40 <= ply ply < 60 ply > 20", "ply >= 40"),
    ("ply < 9", ""),
    ("40 <= ply < 60", "ply >= 40"),
    ("1 < #Q < 9", "#Q < 9, #Q > 1"),
    ("1 != #R >= 3", ""),
    ("(#R >= 3) != #r", ""),
    ("(3 <= ply) != 2", ""),
    ("0 != #A >= #(q attacks K)", ""),
    ("#R >= 1 == 2", "R"),
    ("9 > #Q > 1", "#Q > 1, #Q < 9"),
    ("movenumber == 20 wtm", "ply >= 38"),
    ("movenumber <= 5", ""),
    ("positionid >= 7 check", "check, ply >= 7"),
    ("find {ply == 60 check}", "check, ply >= 60"),
    ("ply == 3 or ply > 11", "(ply >= 3 or ply >= 12)"),
    // The numbers of the machine wrap around, each operand by itself.
    ("2147483647 + #N > 0", ""),
    ("#Q + 2147483647 < 2147483000", ""),
    ("#Q + 2 * 1500000000 < 1500000000", ""),
    ("power A + 2147483647 - power a < 2147483000", ""),
    ("#Q + 2147483000 < 2147483001", "#Q < 1"),
    ("(#N attacks q) > 1", "#(N attacks q) >= 2"),
    ("N attacks q", "N attacks q"),
    ("q attackedby N", "q attackedby N"),
    ("N attacks (q attacks k)", "q attacks k, N attacks q"),
    ("(N attacks q) & e4", "Ne4, N attacks q"),
    ("ray diagonal (B n k)", "ray northeast+southeast+southwest+northwest (B n k)"),
    ("B -> n -> k", "attack ray any (B n k)"),
    ("pin from B through n to k", "attack ray any (B n k)"),
    ("up 2 Qa1", "Qa1"),
    ("light B", "B[b1,d1,f1,h1,a2,c2,e2,g2,b3,d3,f3,h3,a4,c4,e4,g4,b5,d5,f5,h5,a6,c6,e6,g6,b7,d7,f7,h7,a8,c8,e8,g8]"),
    ("passedpawns", "[Pp]"),
    ("shift {Nd4 ne5}", "(Na-g1-7 with n +9 squares from it)"),
    ("flip {Qa1 not k}", "#k == 0, (Qa1 or Qh1 or Qa8 or Qh8)"),
    ("flipcolor {Q mate}", "mate, (Q or q)"),
    ("flip 2 3 Qa1", ""),
    ("Q or mate", "(Q or mate)"),
    ("{mate Q} or ply == 3", "(mate and Q or ply >= 3)"),
    ("find mate", "mate"),
    ("find all mate > 2", "mate, find 3 check"),
    ("find 2 3 mate", "mate, find 2 check"),
    ("find 5 100 check", "check, find 5 check"),
    ("find all check > 4", "check, find 5 check"),
    ("find all check >= 1", "check"),
    ("find all check < 9", "check"),
    ("find 3 9 {check message quiet(ply)}", "check"),
    ("{find all {move capture [Aa]d5}} > 6", "[Aa]d5, find 7 move capture [Aa]d5"),
    ("find 2 9 {move from N to e5}", "N, (Ne5 or variant), find 2 move from N to e5"),
    ("find 3 9 {move promote [NQ]}", "promote N or promote Q, find 3 move promote [NQ]"),
    ("find 2 9 move previous castle", "o-o or o-o-o, find 2 move castle"),
    ("find 2 9 {move legal to e5}", ""),
    ("find 2 9 {move null}", "odd move"),
    ("line --> check{5,}", "check, line --> check{5}"),
    ("line --> (check --> .){3}", "check, line --> check --> true --> check --> true --> check"),
    ("line <-- check <-- . {2} <-- check{2}", "check, line --> check{2} --> true{2} --> check"),
    ("line --> check --> . * --> check{2}", "check, find 3 check, line --> check{2}"),
    ("line singlecolor --> check{5}", "check, find 5 check"),
    ("line --> check --> message quiet(ply) --> check", "check"),
    ("line --> (check --> message quiet(ply)){5}", "check"),
    ("line --> check --> {mate message quiet(ply)} --> check", "check, mate, line --> check{2}"),
    ("find 0 3 mate", ""),
    ("find {find Qa8 Nb1}", "Qa8, Nb1"),
    ("find message mate", ""),
    ("message quiet(ply) mate", ""),
    ("Qa8 message quiet(ply) mate", "Qa8"),
    ("find {Qa8 message quiet(ply) mate}", "Qa8"),
    ("comment(\"x\") mate", "mate"),
    ("x = 1 mate", ""),
    ("x = find mate", "mate"),
    ("sort \"x\" find all mate", "mate"),
    ("sort \"x\" {#Q}", ""),
    ("not find mate", ""),
    ("if mate then Q else R", ""),
    ("line --> check --> mate? --> Qa8+ --> (R --> Nb1){2}", "check, Qa8, R, Nb1"),
    ("line --> message quiet(ply) --> mate", ""),
    ("line <-- check <-- Qh7", "check, Qh7"),
    ("path Qa1--h7 check", "check, Qa1, (Qh7 or variant)"),
    ("path {check} (Qa1--)? --=N", "check, promote N"),
    ("path focus Q -- mate", "mate, Q"),
    ("path focus {message quiet(ply) Q} -- mate", ""),
    ("move from Q to h7", "Q, (Qh7 or variant)"),
    ("move from P to h8", "P, (Ah8 or variant)"),
    ("move to h7", "([Aa]h7 or variant)"),
    ("move capture q", "q"),
    ("move from R capture q", "R, q"),
    ("move promote N", "promote N"),
    ("move castle", "o-o or o-o-o"),
    ("move previous o-o", "o-o"),
    ("move enpassant", "enpassant"),
    ("move null", "odd move"),
    ("move secondary", "variation"),
    ("move legal from Q to h7", "Q"),
    ("Q--h7", "Q, (Qh7 or variant)"),
    ("Q[x]h7", "Q, (Qh7 or enpassant or variant)"),
    ("--=N", "promote N"),
    ("piece x in R {find x & a8}", "R, [PR]a8"),
    ("piece x in P {find x & a8}", "P, Aa8"),
    ("piece x in [Rk] {x & a8}", "[Rk], [PRpk]a8"),
    ("square x in Q {x & h7}", "Q"),
    ("square all x in Q {x & h7}", ""),
    ("echo (s t) mate", "mate"),
    ("imagine piece Q --> a1 : mate", ""),
    ("move legal : mate", ""),
    ("false", "false"),
    ("variation", "variation"),
    ("o-o", "o-o"),
    ("enpassant", "enpassant"),
    ("fen \"8/8/8/8/8/8/8/K6k\"", "Ka1 on all of a1, kh1 on all of h1"),
    ("{Q check} or {R check}", "check, (Q or R)"),
    ("shift {Nd4 ne5} Q", "Q, (Na-g1-7 with n +9 squares from it)"),
    ("previous Q--h7", "Q, (Qh7 or variant)"),
    ("Q--({mate})", "mate, Q"),
    ("player \"Carlsen\"", "(\"Carlsen\" in player white or \"Carlsen\" in player black)"),
    (
        "player \"nakamura\"",
        "(\"nakamura\" in player white or \"nakamura\" in player black or player black ~~ \"^akamura\")",
    ),
    ("player \"n\"", ""),
    ("\"x\" in lowercase player white", "\"x\" in lowercase player white"),
    ("lowercase \"Tal\" in lowercase player black", "\"tal\" in lowercase player black"),
    ("uppercase \"x\" in site", "\"X\" in site"),
    ("lowercase site in \"oslo, bergen\"", ""),
    ("player white \"Carlsen\" year >= 2000", "\"Carlsen\" in player white, year >= 2000"),
    ("not player black ~~ \"C.*\"", "not player black ~~ \"C.*\""),
    ("\"x\" in tag \"Site\"", "\"x\" in site"),
    ("tag \"Annotator\" \"x\"", ""),
    ("event == \"A\" date < \"2000\" eco", "event == \"A\", date < \"2000\", eco"),
    ("elo > 2700", "(elo white > 2700 or elo black > 2700)"),
    ("elo < 2700", ""),
    ("elo white < 2700", "elo white < 2700"),
    ("player \"A\" or mate", "((\"A\" in player white or \"A\" in player black) or mate)"),
    ("result 1-0", "result 1-0"),
    ("cql(result 1/2-1/2) mate", "mate, result 1/2-1/2"),
    ("message quiet(ply) player \"A\"", ""),
];

/// Each query matches in its game, or prints something, and would not if the guard forgot a way in
/// which that can be.
#[test]
fn what_can_happen_is_not_ruled_out() {
    let mut faults = Vec::new();
    for (what, query, dialect, game) in [
        (
            "promotion to a third knight",
            "#N == 3",
            Dialect::CQLI,
            "[FEN \"1NN4k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=N *",
        ),
        (
            "nine queens",
            "#Q == 9",
            Dialect::CQLI,
            "[FEN \"7k/8/8/8/8/8/QQQQ4/KQQQQQ2 w - - 0 1\"]\n\n*",
        ),
        ("a variation", "variation Qh5", Dialect::CQLI, "1. e4 e5 2. Nf3 (2. Qh5 Nc6) *"),
        (
            "a promotion as a move to the last rank",
            "P--h8",
            Dialect::CQLI,
            "[FEN \"8/7P/8/8/8/k7/8/K7 w - - 0 1\"]\n\n1. h8=Q *",
        ),
        (
            "en passant, where the victim stood",
            "P[x]d5",
            Dialect::CQLI,
            "1. e4 a6 2. e5 d5 3. exd6 *",
        ),
        (
            "en passant, by move",
            "move from P capture d5",
            Dialect::CQLI,
            "1. e4 a6 2. e5 d5 3. exd6 *",
        ),
        (
            "the rook of castling",
            "Rh1--f1",
            Dialect::CQLI,
            "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O *",
        ),
        (
            "an explosion",
            "move from Q to f7",
            Dialect::CQLI,
            "[Variant \"Atomic\"]\n\n1. e3 a6 2. Qh5 b6 3. Qxf7# *",
        ),
        (
            "a drop",
            "move drop to e4",
            Dialect::CQLI,
            "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e4 *",
        ),
        ("a null move", "move null from k", Dialect::CQLI, "1. e4 -- 2. d4 *"),
        ("an imagined board", "imagine piece Q --> a8 : Qa8", Dialect::CQLI, "1. e4 *"),
        ("a speculative move", "move legal : Pe4", Dialect::CQLI, "1. d4 *"),
        (
            "a reverse move",
            "move reverse legal : rh5",
            Dialect::CQLI,
            "[FEN \"7k/8/8/8/8/8/8/K6r w - - 0 1\"]\n\n*",
        ),
        (
            "a pawn that promotes to a rook here and to a queen there",
            "piece x in Ra8 { find <-- { initial find { x & b8 } } }",
            Dialect::CQLI,
            "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=R (1. a8=Q Kg7 2. Qb8) 1... Kg7 *",
        ),
        ("no pieces", "not find Q", Dialect::CQLI, "[FEN \"7k/8/8/8/8/8/8/K7 w - - 0 1\"]\n\n*"),
        ("a count of zero", "find 0 3 mate", Dialect::CQLI, "1. e4 *"),
        ("a missing value is unequal", "find all mate != 3", Dialect::CQLI, "1. e4 *"),
        ("an empty game", "terminal Ke1 #P == 8", Dialect::CQLI, "*"),
        ("a message before the condition", "message quiet(ply) mate", Dialect::CQLI, "1. e4 *"),
        (
            "a message in a range",
            "line --> {message quiet(ply) true} --> mate",
            Dialect::CQLI,
            "1. e4 *",
        ),
        ("a message in an operand", "{message quiet(ply) Q} [x] k", Dialect::CQLI, "1. e4 *"),
        (
            "a message in an optional part",
            "line --> Q? --> {message quiet(ply) true}? --> mate",
            Dialect::CQLI,
            "1. e4 *",
        ),
        ("a damaged game", "#P == 8", Dialect::CQLI, "1. e4 e4 *"),
        ("a bad FEN that CQL 6.2 ignores", "Pe4", Dialect::CQL6, "[FEN \"bad\"]\n\n1. e4 *"),
        (
            "a rating from another tag",
            "elo white > 2400",
            Dialect::CQLI,
            "[WhiteRapid \"2500\"]\n\n*",
        ),
        ("a rating in the name", "elo > 2400", Dialect::CQL6, "[White \"Tal (2500)\"]\n\n*"),
        ("an unknown player", "player white \"?\"", Dialect::CQLI, "*"),
        (
            "the text between the players",
            "player \"nAb\"",
            Dialect::CQLI,
            "[White \"X\"]\n[Black \"Ab\"]\n\n*",
        ),
        (
            "a name that is the text between the players",
            "player \"n\"",
            Dialect::CQLI,
            "[White \"X\"]\n[Black \"Y\"]\n\n*",
        ),
        ("a rewritten name", "player white \"Tal, M\"", Dialect::CQL6, "[White \"Tal,M\"]\n\n*"),
        ("a rewritten date", "date == \"1999.01.02\"", Dialect::CQLI, "[Date \"1999.1.2\"]\n\n*"),
    ] {
        let program = compiled(query, dialect);
        let options = RunOptions { variations: Some(true), ..RunOptions::default() };
        let mut reader = Reader::new();
        let facts = GameFacts::of(&reader.read(game.as_bytes(), Needs::ALL));
        if let Some(guard) = program.game_guard(&options) {
            if !guard.may_match(&facts) {
                faults.push(format!("{what}: {query}: {guard}"));
            }
            let tags = super::Tags::of(&reader.read(game.as_bytes(), Needs::ALL));
            let passes =
                |test: &crate::TagTest| tags.pass(test) || facts.flags.has_any(test.unless());
            assert!(guard.tag_tests().iter().any(passes) || guard.tag_tests().is_empty(), "{what}");
        }
        let game = reader.read(game.as_bytes(), program.needs().union(Needs::ALL));
        let context = GameContext { number: 1, last_number: None, options: &options };
        let mut machine = Machine::new(program.clone());
        let outcome = machine.run(&game, &context).unwrap();
        let acts = outcome.matched || !outcome.messages.is_empty();
        if outcome.error.is_some() || !acts {
            faults.push(format!("{what}: {query}: {outcome:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_game_that_matches_without_a_position_has_no_guard() {
    let program = compiled("mate", Dialect::CQLI);
    let options = RunOptions { match_count: Some((0, 3)), ..RunOptions::default() };
    assert!(program.game_guard(&RunOptions::default()).is_some());
    assert!(program.game_guard(&options).is_none());
    assert!(compiled("cql(matchcount 0) mate", Dialect::CQLI).game_guard(&options).is_none());
    let header = compiled("cql(matchcount 0 2) mate", Dialect::CQLI);
    assert!(header.game_guard(&RunOptions::default()).is_none());
    let options = RunOptions { match_count: Some((1, 3)), ..RunOptions::default() };
    assert!(header.game_guard(&options).is_some());
}
