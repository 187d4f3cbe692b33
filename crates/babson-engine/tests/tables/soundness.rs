//! Ways in which a game matches although a careless condition on its facts would rule it out: each
//! query matches, and finds the same in the table.

use babson_lang::Dialect;

use super::{assert_same, pack, search};

/// The name of the case, the query, and games. The query matches one of them, or prints something.
const CASES: &[(&str, &str, &str)] = &[
    (
        "promotion to a third knight",
        "#N == 3",
        "[FEN \"1NN4k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=N *",
    ),
    (
        "a promotion in a variation",
        "cql(variations) Qa8",
        "[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. Kb1 (1. a8=Q) *",
    ),
    ("nine queens", "#Q == 9", "[FEN \"7k/8/8/8/8/8/QQQQ4/KQQQQQ2 w - - 0 1\"]\n\n*"),
    ("pawns on the first rank", "Pa1", "[FEN \"7k/8/8/8/8/8/8/P6K w - - 0 1\"]\n\n1. Kg1 *"),
    ("no kings", "not (K or k)", "[FEN \"8/8/8/3q4/8/8/8/8 w - - 0 1\"]\n\n*"),
    ("a variation leaves the main line", "cql(variations) Qh5", "1. e4 e5 2. Nf3 (2. Qh5 Nc6) *"),
    (
        "a variation of a variation",
        "cql(variations) mate",
        "1. e4 e5 (1... f6 2. d4 (2. a3 g5 3. Qh5#)) *",
    ),
    ("imagine", "imagine piece Q --> a8 : Qa8", "1. e4 *"),
    ("a speculative move", "move legal : Pe4", "1. d4 *"),
    ("a speculative mate", "move legal : mate", "1. f3 e5 2. g4 *"),
    ("a reverse move", "move reverse legal : rh5", "[FEN \"7k/8/8/8/8/8/8/K6r w - - 0 1\"]\n\n*"),
    ("a null move", "move null from k", "1. e4 -- 2. d4 *"),
    ("a check that a null move leaves", "check", "1. e4 f6 2. Qh5+ -- 3. a3 *"),
    ("a damaged game", "#P == 8", "1. e4 e4 *"),
    ("a damaged tag", "mate", "[White \"A\n\n1. f3 e5 2. g4 Qh4# *"),
    ("a game without its end", "Pe4", "1. e4 {open"),
    ("not", "not mate", "1. e4 *"),
    ("not of a find", "not find mate", "1. e4 *"),
    ("not of an or", "not (Qh7 or mate)", "1. e4 *"),
    ("or", "Qh7 or Pe4", "1. e4 *"),
    ("or of counts", "#Q > 1 or #q == 0 or #P == 7", "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxd2+ *"),
    ("a count of zero", "#Q == 0", "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 *"),
    ("a sum that wraps around", "#Q + 2147483647 < 2147483000", "1. e4 *"),
    ("a product that wraps around", "#Q + 2 * 1500000000 < 1500000000", "1. e4 *"),
    (
        "a balance that wraps around",
        "power A + 2147483647 - power a < 2147483000",
        "1. e4 d5 2. exd5 *",
    ),
    (
        "a promotion with a capture",
        "#Q == 2",
        "[FEN \"1n5k/P7/8/8/8/8/8/K2Q4 w - - 0 1\"]\n\n1. axb8=Q+ *",
    ),
    ("two tags of one name", "player white \"A\"", "[White \"A\"]\n[White \"B\"]\n\n1. e4 *"),
    (
        "checks in a variation only",
        "cql(variations) find 2 9 check",
        "1. e4 e5 2. a3 (2. Qh5 Nc6 3. Qxf7+ Kxf7 4. Bc4+) *",
    ),
    ("an echo", "echo (x y) {x:Pe4 & y:Pe4}", "1. e4 e5 2. d4 *"),
    ("a range with zero", "find 0 3 mate", "1. e4 *"),
    ("a count of nothing", "find all mate != 3", "1. e4 *"),
    ("flipcolor", "flipcolor mate", "1. f3 e5 2. g4 Qh4# *"),
    ("flipcolor of a piece", "flipcolor Qh5", "1. f3 e5 2. g4 Qh4# *"),
    ("shift", "shift {Na1 nb3}", "[FEN \"7k/8/8/8/5n2/8/4N3/7K w - - 0 1\"]\n\n*"),
    ("flipvertical", "flipvertical Kh8", "[FEN \"K7/8/8/8/8/8/8/7k w - - 0 1\"]\n\n*"),
    ("rotate90", "rotate90 Kh1", "[FEN \"8/8/8/8/8/8/8/k6K w - - 0 1\"]\n\n*"),
    ("find all", "find all check > 1", "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 4. Bc4+ Kg6 *"),
    ("find backwards", "find <-- Qh5", "1. e4 e5 2. Qh5 Nc6 3. Qd1 *"),
    ("a persistent variable", "persistent sum += 1 sum > 1", "1. e4 *\n\n[White \"B\"]\n\n1. d4 *"),
    ("a persistent set", "persistent squares |= Q Qh5 & squares", "1. e4 e5 2. Qh5 *"),
    ("a persistent dictionary", "persistent dictionary D D[1] = 2 mate", "1. f3 e5 2. g4 Qh4# *"),
    ("terminal", "terminal #P == 8", "*"),
    ("terminal in a variation", "cql(variations) terminal Nf3", "1. e4 (1. Nf3) e5 *"),
    ("an empty game", "initial Ke1", "[White \"A\"]\n\n*"),
    ("a game of tags only", "player \"A\"", "[White \"A\"]\n"),
    ("an initial position with a mate", "mate", "[FEN \"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\"]\n\n*"),
    ("a message of each game", "message(ply) mate", "1. e4 *"),
    ("a match without positions", "cql(matchcount 0) mate", "1. e4 *"),
    ("the king side", "o-o", "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O *"),
    ("en passant", "enpassant", "1. e4 a6 2. e5 d5 3. exd6 *"),
    ("a path over captures", "path -- [x] [x] --", "1. e4 d5 2. exd5 Qxd5 3. Nc3 *"),
    ("a line", "line --> Qh5 --> . --> check", "1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *"),
    (
        "chess960",
        "o-o",
        "[Variant \"chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/4K1R1 w K - 0 1\"]\n\n1. O-O *",
    ),
    ("Atomic", "move from Q to f7", "[Variant \"Atomic\"]\n\n1. e3 a6 2. Qh5 b6 3. Qxf7# *"),
    (
        "Crazyhouse",
        "#N == 3",
        "[Variant \"Crazyhouse\"]\n\n1. e4 Nf6 2. e5 Ng4 3. Qxg4 d5 4. N@e4 *",
    ),
    ("Antichess", "k attackedby Q", "[Variant \"Antichess\"]\n\n1. e4 e6 2. Qh5 Ke7 3. Qxf7 *"),
    (
        "Suicide",
        "#K == 0",
        "[Variant \"Suicide\"]\n[FEN \"8/8/8/8/8/3q4/8/3K4 b - - 0 1\"]\n\n1... Qxd1 *",
    ),
    (
        "Losers",
        "#q == 0",
        "[Variant \"Losers\"]\n[FEN \"7k/8/8/8/8/3q4/2P5/7K w - - 0 1\"]\n\n1. cxd3 *",
    ),
    ("Horde", "#P == 36", "[Variant \"Horde\"]\n\n*"),
    (
        "King of the Hill",
        "Ke4",
        "[Variant \"King of the Hill\"]\n[FEN \"7k/8/8/8/8/4K3/8/8 w - - 0 1\"]\n\n1. Ke4 *",
    ),
    (
        "Racing Kings",
        "Kh8",
        "[Variant \"Racing Kings\"]\n[FEN \"8/7K/8/8/8/8/8/k7 w - - 0 1\"]\n\n1. Kh8 *",
    ),
    ("Three-Check", "check", "[Variant \"Three-Check\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ *"),
];

#[test]
fn what_can_happen_is_found_in_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, table] = ["games.pgn", "games.arrow"].map(|name| folder.path().join(name));
    let mut faults = Vec::new();
    for (name, query, games) in CASES {
        std::fs::write(&pgn, games).unwrap();
        pack(&pgn, &table, 3);
        let Some(of_pgn) = search(&pgn, query, Dialect::CQLI, 1) else {
            faults.push(format!("{name}: {query} has an error"));
            continue;
        };
        let of_table = search(&table, query, Dialect::CQLI, 1).unwrap();
        if of_pgn.contains(" 0 matches, 0 errors\n[]\n") {
            faults.push(format!("{name}: {query} does nothing"));
        }
        assert_same(&format!("{name}: {query}"), &of_pgn, &of_table);
        // CQL 6.2 does not know all of the queries.
        if let Some(of_pgn) = search(&pgn, query, Dialect::CQL6, 2) {
            let of_table = search(&table, query, Dialect::CQL6, 2).unwrap();
            assert_same(&format!("{name} in CQL 6.2: {query}"), &of_pgn, &of_table);
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Whole files of variants, with queries that their rules bear on.
#[test]
fn variants_find_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("games.arrow");
    let mut searched = 0;
    for entry in std::fs::read_dir(super::corpus("games/variants")).unwrap() {
        let pgn = entry.unwrap().path();
        if pgn.extension().is_none_or(|extension| extension != "pgn") {
            continue;
        }
        pack(&pgn, &table, 50);
        for query in [
            "mate",
            "check #Q > 1",
            "#N > 2",
            "#K == 0",
            "move promote Q",
            "o-o",
            "power A - power a > 5",
            "cql(variations) terminal [Qq]",
            "Qh7",
            "move legal : stalemate",
        ] {
            let of_pgn = search(&pgn, query, Dialect::CQLI, 1).unwrap();
            let of_table = search(&table, query, Dialect::CQLI, 2).unwrap();
            assert_same(&format!("{} {query}", pgn.display()), &of_pgn, &of_table);
            searched += 1;
        }
    }
    assert!(searched >= 100, "{searched}");
}
