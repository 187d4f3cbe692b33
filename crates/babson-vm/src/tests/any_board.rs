//! No arrangement of pieces, however odd, makes a filter panic.

use babson_lang::Dialect;
use proptest::prelude::*;

use super::{run_as, run_program};
use crate::{Program, RunOptions};

/// Filters of the board alone, as queries without their header.
const FILTERS: &[&str] = &[
    "check",
    "mate",
    "stalemate",
    "wtm",
    "initial terminal",
    "A attacks a > 1",
    "[nbp] attackedby Q",
    "not [QR]a-h4-5",
    "passedpawns > 2",
    "connectedpawns",
    "isolatedpawns",
    "doubledpawns == 0",
    "ray (A a K)",
    "ray diagonal (B n k) ray orthogonal (R b k)",
    "xray (A . k)",
    "pin > 0",
    "up 1 K",
    "diagonal 1 7 Q",
    "between (K k)",
    "light A",
    "power A > power a",
    "type K == 6",
    "puremate",
    "modelmate",
    "move legal count > 3",
    "move legal from A to .",
    "move pseudolegal to a count > 1",
    "move legal o-o",
    "move legal enpassant",
    "fen",
    "square x in A type x > 3",
    "piece x in a x attacks K",
    "flip {Ka1 qh8}",
    "flipcolor {Q attacks k}",
    "rotate90 {Ph7}",
    "shift {Nd4 ne5}",
    "line --> check {2,}",
    "A--(from)",
    "currentmove a[x]A(to)",
    "countmoves legal K--(castle) > 0",
    "legal -- == pseudolegal --",
    "--=\"qn\"(previous --)",
    "find all A > 3",
    "piece $x in [Rp] { find $x & a-h4-5 }",
    "piece $x in [Rp] { find <-- $x & a8 }",
    "find all flipcolor {check A > 3} > 2",
    "square x in A { find x & a }",
    "#A - #a > 2",
];

/// Filters whose prefilters have a test of each kind.
pub(super) const PREFILTERED: &[&str] = &[
    "not check",
    "btm not [QR]a-h4-5",
    "#[Aa] > 25",
    "#P <= #p",
    "#[nb_]a-h1-3 == 20",
    "flipcolor { R == 1 [QBN] < 3 #P > #p }",
    "flipcolor { [nbp] attacks Q > 1 not check }",
    "A attacks [kq] == 2",
    "R attacks a",
    "[Qp] attackedby [rKN]",
    "sort \"seen\" { #(. attackedby A) } > 40",
    "#([P_]a-h2-6 attackedby [QRBqn]) > 20",
    "[Ap] attackedby [rq] > 1",
    "wtm passedpawns & P > 0",
    "(P | q) & a-d3-6 != 2",
    "K attacks . or #b > 2",
    "ray orthogonal (R . k)",
    "ray (A k)",
    "mate",
    "line --> check {2,}",
    "(A attacks k) & a-h4-6",
    "move from Q capture [pn]",
    "flip { Kb1 ph3 qg2 }",
    "shift { Nd4 ne5 [QR]d5 }",
    "flipcolor { Ka-h1-3 Ka-d1-8 }",
    "power A - power [qrb] > 3",
    "#A - #[pn_] + #K < 2",
    "ray up (R [nb] k)",
    "ray (A . [Kk])",
    "flipcolor { wtm R == 1 r == 1 q }",
    "move legal count > 30",
    "move pseudolegal to . count >= 40",
    "move legal count == 24",
];

#[test]
fn prefilters_are_made_for_what_they_can_test() {
    for filter in PREFILTERED {
        let query = format!("cql() {filter}");
        let analysis = babson_lang::analyze(&query, Dialect::CQL6)
            .unwrap_or_else(|errors| panic!("{query}: {errors:?}"));
        let program = Program::compile(&analysis.query).unwrap();
        assert!(program.parts().code.prefilter.is_some(), "{query}");
    }
}

/// The same along a game, for filters that look at moves.
#[test]
fn prefilters_take_nothing_from_a_game() {
    let pgn = b"1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 4. Bxg2 h5 5. Bxb7 Bxb7 6. f3 Bxf3 7. Qxf3 c5 8. Qxf7+ Kxf7 *";
    let moves = [
        "move previous capture [Qq]",
        "move previous from k capture Q",
        "move previous to [Aa]g2",
        "move from B capture q",
        "move to . capture [Aa]",
        "line --> move from Q capture p --> check",
        "find all { move capture [Aa]d5 } > 0",
        "find <-- { q attacks d1 }",
    ];
    let filters = moves.iter().chain(FILTERS).chain(PREFILTERED);
    for query in filters.map(|filter| format!("cql() {filter}")) {
        let Ok(analysis) = babson_lang::analyze(&query, Dialect::CQL6) else {
            continue;
        };
        let program = Program::compile(&analysis.query).unwrap();
        let options = RunOptions::default();
        let prefiltered = run_program(&program, pgn, &options);
        let program = Program::without_conditions(&analysis.query).unwrap();
        let plain = run_program(&program, pgn, &options);
        assert_eq!(format!("{prefiltered:?}"), format!("{plain:?}"), "{query}");
    }
}

prop_compose! {
    /// A FEN with any pieces anywhere.
    fn any_fen()(
        board in proptest::collection::vec(proptest::option::weighted(0.4, 0usize..12), 64),
        white in any::<bool>(),
        rights in prop_oneof![Just("-"), Just("KQkq"), Just("Kq")],
        passed in prop_oneof![Just("-"), Just("e3"), Just("d6")],
    ) -> (usize, String) {
        let ranks: Vec<String> = board
            .chunks(8)
            .map(|rank| {
                let letter = |piece: &Option<usize>| match piece {
                    Some(piece) => char::from(b"KQRBNPkqrbnp"[*piece]),
                    None => '1',
                };
                rank.iter().map(letter).collect()
            })
            .collect();
        let side = if white { 'w' } else { 'b' };
        let count = board.iter().flatten().count();
        (count, format!("{} {side} {rights} {passed} 0 1", ranks.join("/")))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_filter_panics((count, fen) in any_fen(), main in any::<bool>()) {
        let moves = if main { "1. e4 e5" } else { "" };
        let pgn = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *\n");
        let options = RunOptions::default();
        for dialect in [Dialect::CQL6, Dialect::CQLI] {
            for filter in FILTERS {
                let query = format!("cql(quiet) {filter}");
                if babson_lang::analyze(&query, dialect).is_ok() {
                    run_as(&query, pgn.as_bytes(), dialect, &options);
                }
            }
        }
        // A prefilter takes no position away that the machine would match.
        let dialects = [Dialect::CQL6, Dialect::CQLI].into_iter();
        let queries = dialects.flat_map(|dialect| {
            let filters = FILTERS.iter().chain(PREFILTERED);
            filters.map(move |filter| (dialect, format!("cql() {filter}")))
        });
        for (dialect, query) in queries {
            let Ok(analysis) = babson_lang::analyze(&query, dialect) else {
                continue;
            };
            let program = Program::compile(&analysis.query).unwrap();
            let prefiltered = run_program(&program, pgn.as_bytes(), &options);
            let program = Program::without_conditions(&analysis.query).unwrap();
            let plain = run_program(&program, pgn.as_bytes(), &options);
            prop_assert_eq!(format!("{prefiltered:?}"), format!("{plain:?}"), "{}", query);
        }
        // The board is really the one of the text.
        let query = "cql() initial message quiet(#[Aa])";
        let outcome = run_as(query, pgn.as_bytes(), Dialect::CQL6, &options);
        prop_assert_eq!(outcome.messages, format!("{count}\n").into_bytes());
    }
}

/// Ways to imagined and saved boards, with `#` for the filter that is evaluated there.
const WAYS: &[&str] = &[
    "move pseudolegal : {#}",
    "move legal count all : {#}",
    "move reverse : {#}",
    "move to . pseudolegal reverse : {#}",
    "move legal null : {#}",
    "move : {#}",
    "move legal : {seen = saveposition seen : {#}}",
    "imagine swap K k piece _ --> [Qq] : {#}",
    "imagine piece P --> _a-h1 piece k --> a-h8 sidetomove reverse : {#}",
    "imagine piece _ --> K : move legal : imagine sidetomove reverse : {#}",
    "flipcolor imagine piece R --> [bn] sidetomove black : {#}",
    "imagine piece N --> [Aa] : {seen = saveposition} seen : {#}",
];

/// Values of imagined boards that no other list has.
const IMAGINED: &[&str] = &[
    "currentmutation",
    "legalposition",
    "str legalposition",
    "reachableposition",
    "str reachableposition",
    "promotedpieces",
    "currentfen zobristkey",
    "ply movenumber positionid",
    "variantend variantwin",
    "piece $x in [Aa] { pieceid $x > 0 str($x) }",
    "move legal reverse count > 2",
    "move legal : mate",
    "parent : move legal : check",
    "child : true",
    "distance(currentposition initialposition) >= 0",
    "saveposition : { lca(currentposition initialposition) : true }",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn no_filter_panics_on_an_imagined_board((_, fen) in any_fen(), main in any::<bool>()) {
        let moves = if main { "1. e4 e5" } else { "" };
        let pgn = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *\n");
        let options = RunOptions {
            steps: 2_000,
            ..RunOptions::default()
        };
        for (number, filter) in FILTERS.iter().chain(IMAGINED).enumerate() {
            // Each filter in some of the ways; all are taken.
            for way in WAYS.iter().skip(number % 3).step_by(3) {
                let query = format!("initial {}", way.replace('#', filter));
                for dialect in [Dialect::CQLI, Dialect::CQL6] {
                    if babson_lang::analyze(&query, dialect).is_ok() {
                        run_as(&query, pgn.as_bytes(), dialect, &options);
                    }
                }
            }
        }
    }
}

#[test]
fn ways_and_values_of_imagined_boards_are_of_the_language() {
    let ways = WAYS.iter().map(|way| way.replace('#', "check"));
    let values = IMAGINED.iter().map(|filter| (*filter).to_owned());
    for query in ways.chain(values) {
        let read = babson_lang::analyze(&query, Dialect::CQLI);
        assert!(read.is_ok(), "{query}: {read:?}");
    }
}

/// A word that the language no longer has would test nothing.
#[test]
fn filters_are_of_the_language() {
    let refused: Vec<_> = FILTERS
        .iter()
        .filter(|filter| {
            let query = format!("cql(quiet) {filter}");
            [Dialect::CQL6, Dialect::CQLI]
                .iter()
                .all(|&dialect| babson_lang::analyze(&query, dialect).is_err())
        })
        .collect();
    assert!(refused.is_empty(), "{refused:?}");
}
