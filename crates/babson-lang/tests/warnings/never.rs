//! Filters that always match, or never.

use super::*;

#[test]
fn filters_that_hold_in_every_position_are_reported() {
    for (query, code, place, help) in [
        ("e4", "W1201", "e4", "`move to e4`"),
        ("mate e4", "W1201", "e4", "`[Aa]e4`"),
        ("not [e4,e5]", "W1201", "[e4,e5]", "`move to [e4,e5]`"),
        ("(e4) or mate", "W1201", "e4", "`move to e4`"),
        ("find a-h4", "W1201", "a-h4", "`move to a-h4`"),
        ("white", "W1201", "white", "`wtm`"),
        ("not black", "W1201", "black", "`btm`"),
        ("_ check", "W1201", "_", "`_e4`"),
        ("{mate .}", "W1201", ".", "`A`"),
        ("[Aa_]", "W1201", "[Aa_]", "`[Aa]`"),
        ("[Aa_]e4-5", "W1201", "[Aa_]e4-5", "`[Aa]e4-5`"),
        ("Q h7", "W1201", "h7", "`Qh7`, without a space"),
        ("find Q h7", "W1201", "h7", "`Qh7`, without a space"),
        ("not Q h7", "W1201", "h7", "`Qh7`, without a space"),
        ("flip Q h7", "W1201", "h7", "`Qh7`, without a space"),
        ("mate and Q h7", "W1201", "h7", "`Qh7`, without a space"),
        ("move from Q h7", "W1201", "h7", "`move to h7`"),
        ("find {K Q} h7", "W1201", "h7", "`move to h7`"),
        ("mate [Qq] a-h7", "W1201", "a-h7", "`[Qq]a-h7`"),
        ("wtm or btm", "W1201", "wtm or btm", "one of its conditions is true"),
        ("mate {Ka1 or not Ka1}", "W1201", "{Ka1 or not Ka1}", "one of its conditions is true"),
        (
            "check or mate or not check",
            "W1201",
            "check or mate or not check",
            "one of its conditions is true",
        ),
        ("check or not mate", "W1201", "check or not mate", "one of its conditions is true"),
        ("e4 e5 Nf3", "W0303", "e4 e5 Nf3", "`initial path P--e4 p--e5 N--f3`"),
        ("mate Nf3 d5 check", "W0303", "Nf3 d5", "`initial path N--f3 p--d5`"),
    ] {
        let told = coded(query);
        let [(found, at, told_help)] = told.as_slice() else {
            panic!("{query}: {told:?}");
        };
        assert_eq!((*found, at.as_str()), (code, place), "{query}");
        assert!(told_help.contains(help), "{query}: {told_help}");
        for named in told_help.split('`').skip(1).step_by(2).filter(|word| !word.contains('…')) {
            assert_eq!(coded(named), [], "{query}: {named}");
        }
    }
    for query in [
        "Nf3 nf6",
        "[Aa]e4",
        "_e4",
        "mate or not check",
        "K or not K & Q",
        "wtm or find btm",
        "message(wtm or btm)",
        "x = e4 x & A",
        "line --> . --> check",
        "path -- .",
        "square s in e4 {s attacks k}",
        "e4 attacks k",
        "function f(x) {x} f(e4) & K",
        "sort \"x\" e4 | A",
        "K attacks e4 == 0",
        "comment(e4)",
        "move from K to e4",
        "sidetomove == white",
    ] {
        assert_eq!(coded(query), [], "{query}");
    }
    // In CQL 6.2 a number as a filter ends the run, so it is not a matter of a warning.
    let warned = analyze("cql() white", Dialect::CQL6).unwrap().warnings;
    assert!(warned.is_empty());
    assert_eq!(analyze("cql() e4", Dialect::CQL6).unwrap().warnings.len(), 1);
    assert!(coded(&"e4 nf6 ".repeat(5000)).len() < 100);
}

#[test]
fn what_never_holds_is_reported() {
    for (query, place) in [
        ("wtm and btm", "btm"),
        ("wtm not wtm", "not wtm"),
        ("{check wtm} mate {btm}", "{btm}"),
        ("mate and stalemate", "stalemate"),
        ("stalemate check", "check"),
        ("mate not check", "not check"),
        ("move legal : move previous from P", "move previous from P"),
        ("imagine piece Q --> a8 : {check move}", "move"),
        ("P == 65", "P == 65"),
        ("#Pe4-5 > 2", "#Pe4-5 > 2"),
        ("Q #Q == 0", "#Q == 0"),
        ("Q not Q", "not Q"),
        ("ply > 20 ply < 10", "ply < 10"),
        ("10 > ply > 20", "10 > ply > 20"),
        ("year > 2000 mate year < 1990", "year < 1990"),
        ("sidetomove > white", "sidetomove > white"),
        ("Ra1 qa1", "qa1"),
        ("flipcolor {wtm btm}", "btm"),
        ("find {wtm btm}", "btm"),
        ("{wtm btm} or {mate not check}", "btm"),
        ("mate not (wtm or btm)", "not (wtm or btm)"),
        ("K & Q", "K & Q"),
        ("Ra1 & Rb1", "Ra1 & Rb1"),
        ("check (P & p) attacks k", "(P & p) attacks k"),
        ("[RQ]a1 [QN]a1 [RN]a1", "[RN]a1"),
        ("result 1-0 result 0-1", "result 0-1"),
        ("result \"1-0\" mate result \"1/2-1/2\"", "result \"1/2-1/2\""),
    ] {
        let told = coded(query);
        assert!(matches!(told.as_slice(), [("W1202", at, _)] if at == place), "{query}: {told:?}");
    }
    // What the help says to write does not hold everywhere.
    for (query, help) in [
        ("mate and stalemate", "for one of the two, write `mate or stalemate`"),
        ("ply > 20 ply < 10", "for one of the two, write `ply > 20 or ply < 10`"),
        ("wtm btm", "each is the opposite of the other: leave one out"),
        ("Ka1 not Ka1", "each is the opposite of the other: leave one out"),
        ("ply > 20 ply <= 20", "each is the opposite of the other: leave one out"),
        ("Q #Q == 0", "each is the opposite of the other: leave one out"),
        ("mate not check", "for one of the two, write `mate or not check`"),
        ("wtm not (wtm or check)", "for one of the two, write `wtm or not (wtm or check)`"),
        ("Q not (Q or check)", "for one of the two, write `Q or not (Q or check)`"),
        (
            "result 1-0 not (result 1-0 or check)",
            "for one of the two, write `result 1-0 or not (result 1-0 or check)`",
        ),
        ("2 < ply < 10 ply <= 2", "for one of the two, write `2 < ply < 10 or ply <= 2`"),
    ] {
        let [(_, _, told)] = coded(query).try_into().expect(query);
        assert_eq!(told, help, "{query}");
        for named in told.split('`').skip(1).step_by(2) {
            assert_eq!(coded(named), [], "{query}: {named}");
        }
    }
    for (query, place) in [
        ("K == 0", "K == 0"),
        ("P == 9", "P == 9"),
        ("not K", "not K"),
        ("mate [Rr] > 20", "[Rr] > 20"),
        ("K[a1,b1] K[b1,c1] K[a1,c1]", "K[a1,c1]"),
        ("{wtm btm} or P == 9", "P == 9"),
        ("P == 9 or {wtm btm}", "P == 9"),
        ("move legal : {A > 16}", "{A > 16}"),
        ("Kg1 Kh1", "Kh1"),
        ("Ka-c1 mate Kc-d1 Kd1", "Kd1"),
        ("flip {kg8 kh8}", "kh8"),
    ] {
        let told = coded(query);
        assert!(matches!(told.as_slice(), [("W1203", at, _)] if at == place), "{query}: {told:?}");
    }
    for query in [
        "wtm find btm",
        "K & [KQ]",
        "K & Q == 0",
        "not (K & Q)",
        "Ka1-8 & Kb-c1 == 0",
        "Kg1 kg8",
        "Kg1 Kg1-8",
        "Kg1 find Kh1",
        "Kg1 or Kh1",
        "[Kk]g1 [Kk]h1",
        "variant \"Horde\" Kg1 Kh1",
        "imagine piece K --> h1 : {Kg1 Kh1}",
        "result 1-0 or result 0-1",
        "result 1-0 not result 0-1",
        "settag(\"Result\" \"1-0\") result 1-0 result 0-1",
        "wtm parent : btm",
        "not {wtm btm}",
        "find 0 {wtm btm}",
        "variant \"Horde\" P > 8",
        "imagine piece _ --> K : not K",
        "move pseudolegal : not K",
        "settag(\"WhiteElo\" \"1\") elo white > 2000 elo white < 10",
        "false",
        "[]",
        "Q == 9 q == 9 P == 0",
        "x = 1 x > 1 x < 1",
        "ply > 2 ply < 4",
        "Ra1 Aa1",
        "elo > 2500 elo < 2000",
        "move legal all : {wtm btm}",
        "if mate then {wtm btm}",
    ] {
        assert_eq!(coded(query), [], "{query}");
    }
}

#[test]
fn comparisons_of_constants_are_reported() {
    for (query, place, help) in [
        ("year >1920 <1930", "1920 <1930", "to compare with both, write `1920 < year < 1930`"),
        (
            "mate or elo white >= 2400 <= 2500",
            "2400 <= 2500",
            "to compare with both, write the value between the numbers: `1920 < year < 1930`",
        ),
        ("P > 2 < 5", "2 < 5", "to compare with both, write `2 < P < 5`"),
        (
            "year != 1920 < 1930",
            "1920 < 1930",
            "to compare with both, write the value between the numbers: `1920 < year < 1930`",
        ),
    ] {
        assert_eq!(coded(query), [("W1201", place.to_owned(), help.to_owned())], "{query}");
        assert_eq!(coded(named(help)), [], "{query}");
    }
    for query in ["1920 < year < 1930", "year > (movenumber < 5)", "year > ply < 3"] {
        assert_eq!(coded(query), [], "{query}");
    }
}

#[test]
fn dates_in_other_forms_are_reported() {
    const ORDER: &str = "the year comes first, then the month and the day, with two digits each";
    for (query, place, help) in [
        ("date >= \"1999-04-05\"", "\"1999-04-05\"", "write `\"1999.04.05\"`"),
        ("date \"1999-04-05\"", "\"1999-04-05\"", "write `\"1999.04.05\"`"),
        ("not date \"1999/4/5\"", "\"1999/4/5\"", "write `\"1999.04.05\"`"),
        ("eventdate \"1999-04\"", "\"1999-04\"", "write `\"1999.04\"`"),
        ("date > \"05.04.1999\"", "\"05.04.1999\"", "write `\"1999.04.05\"`"),
        ("date > \"25/04/1999\"", "\"25/04/1999\"", "write `\"1999.04.25\"`"),
        ("date > \"04/25/1999\"", "\"04/25/1999\"", "write `\"1999.04.25\"`"),
        ("date > \"04/05/1999\"", "\"04/05/1999\"", ORDER),
        ("date == \"1999-?-?\"", "\"1999-?-?\"", "write `\"1999.??.??\"`"),
        ("date >= \"1999.4\"", "\"1999.4\"", "write `\"1999.04\"`"),
        ("\"1999\" <= date <= \"1999-12-31\"", "\"1999-12-31\"", "write `\"1999.12.31\"`"),
    ] {
        assert_eq!(coded(query), [("W0902", place.to_owned(), help.to_owned())], "{query}");
    }
    for query in [
        "date >= \"1999\"",
        "date >= \"1999.04\"",
        "date == \"1999.04.05\"",
        "date == \"????.12.25\"",
        "date \"12.25\"",
        "date \"1999.1\"",
        "date \"199\"",
        "date ~~ \"1999-\"",
        "date == eventdate",
        "event \"1999-04-05\"",
        "date == \"é-1\"",
    ] {
        assert_eq!(coded(query), [], "{query}");
    }
    let warned = analyze("cql() date \"1999-04-05\"", Dialect::CQL6).unwrap().warnings;
    assert_eq!(warned.len(), 1);
}

#[test]
fn the_squares_of_ranks_and_files_are_named() {
    let squares = "the squares of a rank are `a-h7`, of a file `e1-8`";
    for query in ["rank 7", "R & file 5", "mate rank", "(file)", "R & rank or K"] {
        let errors = analyze(query, Dialect::CQLI).expect_err(query);
        assert_eq!(errors[0].help.as_deref(), Some(squares), "{query}: {}", errors[0]);
    }
    let help =
        "write `Ra-h7`: a rook on the seventh rank; on the e-file `Re1-8`, a king on g8 `Kg8`";
    for query in ["R on rank 7", "R on seventh"] {
        let errors = analyze(query, Dialect::CQLI).expect_err(query);
        assert_eq!(errors[0].help.as_deref(), Some(help), "{query}");
    }
}

/// The other filter is one that has nothing in common with this one.
#[test]
fn the_other_filter_of_a_contradiction_is_named() {
    for (query, message) in [
        ("Kg1 K Kh1", "`Kg1` and `Kh1` hold in no game of chess: a side has one king"),
        ("Kg1 Kg-h1 Kh1", "`Kg1` and `Kh1` hold in no game of chess: a side has one king"),
        (
            "K[a1,b1] K[b1,c1] K[a1,c1]",
            "`K[a1,c1]` and the filters before it leave no square for the king in a game of chess",
        ),
        ("Ra1 [RQ]a1 [QN]a1", "`Ra1` and `[QN]a1` never hold in the same position"),
        (
            "[RQ]a1 [QN]a1 [RN]a1",
            "`[RN]a1` and the filters before it leave no piece for the square",
        ),
    ] {
        let warnings = analyze(query, Dialect::CQLI).expect(query).warnings;
        let messages: Vec<&str> = warnings.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(messages, [message], "{query}");
    }
}

/// Each comparison is looked at once: otherwise this would take 2^60 steps.
#[test]
fn comparisons_of_comparisons_are_looked_at_once() {
    let mut query = "ply".to_owned();
    for limit in 0..60 {
        query = format!("({query} < {})", 100 + limit);
    }
    assert_eq!(coded(&query), []);
    assert_eq!(coded("ply != (P > 65)"), []);
    assert_eq!(coded("(P == 3) != (P == 4)"), []);
}

#[test]
fn filters_that_were_meant_as_one_are_reported() {
    for (query, code, place, help) in [
        ("move promote [RBN] check", "W1204", "check", "`move promote [RBN] : check`"),
        ("move capture q and mate", "W1204", "mate", "`move capture q : mate`"),
        ("find {move o-o stalemate}", "W1204", "stalemate", "`move o-o : stalemate`"),
        ("move from N mate", "W1204", "mate", "`move from N : mate`"),
        ("move stalemate", "W1204", "stalemate", "`move : stalemate`"),
        ("mate move from K", "W1204", "mate", "`move from K : mate`"),
        ("move primary mate", "W1204", "mate", "`move primary : mate`"),
        ("move _e4", "W1205", "move _e4", "`move to _e4`"),
        ("move _", "W1205", "move _", "`move to _`"),
        ("pin Q", "W1205", "pin Q", "`pin through Q`"),
        ("pin Q k", "W1205", "pin Q", "`pin from Q`"),
        ("move Q", "W1205", "move Q", "`move from Q`"),
        ("move Nf3", "W1205", "move Nf3", "`move from N to f3`"),
        ("move e4", "W1205", "move e4", "`move to e4`"),
    ] {
        let told = coded(query);
        let [(found, at, told_help)] = told.as_slice() else {
            panic!("{query}: {told:?}");
        };
        assert_eq!((*found, at.as_str()), (code, place), "{query}");
        assert!(told_help.contains(help), "{query}: {told_help}");
        for named in told_help.split('`').skip(1).step_by(2) {
            assert_eq!(coded(named), [], "{query}: {named}");
            assert!(analyze(&format!("cql() {named}"), Dialect::CQL6).is_ok(), "{named}");
        }
    }
    let long = format!("move to [{}] mate", vec!["a1"; 100].join(","));
    assert!(coded(&long)[0].2.len() < 100, "{:?}", coded(&long));
    for query in [
        "check move promote Q",
        "move from K check",
        "move previous from N mate",
        "move null mate",
        "mate move null",
        "move legal count mate",
        "move previous promote Q check",
        "move promote Q : check",
        "pin through Q",
        "pin check",
        "move check",
        "move or Q",
    ] {
        assert_eq!(coded(query), [], "{query}");
    }
}

#[test]
fn the_number_of_warnings_is_limited() {
    let query = format!("mate {}", "1 or ".repeat(5000) + "1");
    assert!(warnings(&query).len() < 100);
}
