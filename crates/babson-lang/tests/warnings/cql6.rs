//! What CQL 6.2 refuses or ends at, and counters.

use super::*;

/// The number of filters that end the run in CQL 6.2.
fn stops(query: &str) -> usize {
    fn count(e: &Expr) -> usize {
        let mut n = usize::from(matches!(e.kind, ExprKind::Condition(Condition::BareValue)));
        e.for_each_operand(&mut |operand| n += count(operand));
        n
    }
    let analysis = analyze(&format!("cql() {query}"), Dialect::CQL6)
        .unwrap_or_else(|errors| panic!("{query}: {}", errors[0]));
    assert_eq!(analysis.warnings, []);
    analysis.query.body.iter().map(count).sum()
}

#[test]
fn in_cql_6_bare_values_end_the_run() {
    for (query, expected) in [
        ("3", 1),
        ("year 1920", 1),
        ("\"a\" + \"b\"", 1),
        ("x=1 x", 1),
        ("x=currentposition x", 1),
        ("x=K x", 0),
        ("str(K) fen player abs(3) sqrt 4 max(1 2) min(1 2)", 7),
        ("type a1 typename a1 piecename a1 positionid sidetomove white black", 7),
        ("distance(parent child) lca(parent child) #\"abc\" currentposition & parent", 4),
        ("if 1>2 1", 1),
        ("while (false) 1", 1),
        ("check or 1", 1),
        ("not 1", 1),
        ("find (1)", 1),
        ("line --> (not 3 --> check)+", 1),
        ("{check 3}", 0),
        ("{3 check}", 1),
        ("flipcolor {check 3}", 0),
        ("x={check 3}", 0),
        ("message({check 3} str(K) 3)", 0),
        ("message({3 check})", 1),
        ("ply movenumber depth gamenumber power A #A 1-1 rank K file K colortype a1", 0),
        ("true year elo event player white currentposition parent child position 0", 0),
        ("fen \"8/8/8/8/8/8/8/8\"", 0),
        ("3 == #A A == 3 x=3 x>2", 0),
        ("echo (x y) \"a\"", 1),
        ("echo (x y) x", 1),
        ("echo (x y) 3", 1),
        ("echo (x y) {check 3}", 0),
        ("message(echo (x y) 3)", 0),
        ("message(echo (x y) \"a\")", 1),
        ("x=\"a\" path -- x", 1),
        ("path -- str(K)", 1),
        ("path --(\"a\") check", 1),
        ("x=\"a\" path (x --)+ {not 3}", 2),
        ("path max 3 --", 0),
        ("path focus {3 K} --", 1),
        ("path -- {pathcount check}", 1),
        ("path -- find pathcount", 1),
        ("path -- pathcount > 1", 0),
        ("pathcount", 0),
        ("--(3)", 1),
        ("message(--(3))", 0),
        ("countmoves --(3) > 1", 1),
        ("currentposition:3", 1),
        ("message(currentposition:3)", 0),
        ("flip {3 K}", 1),
        ("square x in A \"a\"", 1),
    ] {
        assert_eq!(stops(query), expected, "{query}");
    }
}

/// A counter that outlives a game, set at each position.
#[test]
fn counters_that_are_set_at_each_position_are_reported() {
    for (query, place, help) in [
        (
            "persistent num = 0 mate num += 1",
            "persistent num = 0",
            "to set it once, write `cqlbegin { persistent num = 0 }`",
        ),
        (
            "dictionary D[\"a\"] = 0 mate D[\"a\"] += 1 message(D[\"a\"])",
            "dictionary D[\"a\"] = 0",
            "to set it once, write `cqlbegin { dictionary D[\"a\"] = 0 }`",
        ),
        (
            "dictionary D x = 1 D[1] = 0 if mate then {D[1] += x}",
            "D[1] = 0",
            "to set it once, write `cqlbegin { D[1] = 0 }`",
        ),
        (
            "persistent seen = [] check and {seen |= K}",
            "persistent seen = []",
            "to set it once, write `cqlbegin { persistent seen = [] }`",
        ),
    ] {
        assert_eq!(warnings(query), [(place.to_owned(), help.to_owned())], "{query}");
    }
    for (query, help) in [
        ("persistent num = 0 mate num += 1", "leave it out: `persistent num += …` begins with `0`"),
        (
            "dictionary D D[\"a\"] = 0 mate D[\"a\"] += 1",
            "to set it once, write `if not D[\"a\"] then D[\"a\"] = 0`",
        ),
    ] {
        let analysis = analyze(&format!("cql() {query}"), Dialect::CQL6).expect(query);
        let helps: Vec<_> = analysis.warnings.iter().map(|one| one.help.as_deref()).collect();
        assert_eq!(helps, [Some(help)], "{query}");
    }
}

#[test]
fn counters_of_a_game_or_a_position_are_not_reported() {
    for query in [
        "cqlbegin { persistent num = 0 } mate num += 1",
        "initial persistent num = 0 num += 1",
        "if initial then persistent num = 0 mate num += 1",
        "persistent num = ply num += 1",
        "persistent num = 0 square x in A num += 1",
        "persistent num = 0 find all {check num += 1}",
        "num = 0 mate num += 1",
        "persistent num = 0 mate",
        "mate persistent num += 1",
        "local dictionary D D[1] = 0 mate D[1] += 1",
        "dictionary D D[1] = 0 mate D[2] += 1",
        "dictionary D D[1] = 0 if check then D[1] += 1 D[1] > 0",
        "dictionary D D[ply] = 0 mate D[ply] += 1",
    ] {
        assert_eq!(warnings(query), [], "{query}");
    }
}

#[test]
fn what_cql_6_refuses_is_told_in_its_dialect() {
    let refused = |query: &str, dialect| {
        let warnings = analyze(query, dialect).expect(query).warnings;
        warnings.iter().filter(|warning| warning.code == Code::RefusedByCql6).count()
    };
    for query in [
        "----",
        "--[x]",
        "--and--",
        "--=q and 2",
        "countmoves legal ---2",
        "path --(-- --)",
        "initialposition != currentposition",
        "dictionary v unbind v[\"key\"]",
        "square w in A v=A in Q",
        "move legal capture a",
        "imagine swap R K : check",
    ] {
        let query = format!("cql() {query}");
        assert_eq!(refused(&query, Dialect::CQL6), 1, "{query}");
        assert_eq!(refused(&query, Dialect::CQLI), 0, "{query}");
    }
    for query in [
        "-- and -- -- [x]",
        "K--g1 --=Q(check) and 2 == 2",
        "--or check",
        "path -- check (--) (-- --) + --(check)",
        "path A-- (a--){1,2}",
        "not initialposition == currentposition K != Q",
        "dictionary v v[\"a\"]=1 unbind v[\"key\"]",
        "square w in A {v=A w in Q}",
        "move from A legal count > 3",
    ] {
        let query = format!("cql() {query}");
        assert_eq!(refused(&query, Dialect::CQL6), 0, "{query}");
    }
}

#[test]
fn an_empty_range_of_the_header_is_a_warning() {
    for (range, count) in [
        ("matchcount 2 0", 1),
        ("gamenumber 1 0", 1),
        ("sort matchcount 3 2", 1),
        ("matchcount 0 2", 0),
        ("matchcount 2", 0),
    ] {
        let warnings = analyze(&format!("cql({range}) mate"), Dialect::CQLI).expect(range).warnings;
        assert_eq!(warnings.len(), count, "{range}");
        assert!(warnings.iter().all(|warning| warning.code == Code::EmptyHeaderRange), "{range}");
    }
}
