//! What newcomers write, and the help that they get.

use crate::dialect::Dialect;

/// The first error of a query has this help.
#[test]
fn slips_get_help() {
    let slips = [
        ("checkmate", "write `mate`"),
        ("Queen", "write `[Qq]`"),
        ("under_promotion", "write `move promote [RBN]`"),
        ("doubled", "write `doubledpawns`"),
        ("isolated", "write `isolatedpawns`"),
        ("draw", "write `result 1/2-1/2`"),
        ("never castle", "write `initial not find castle`"),
        ("opening", "write `tag \"Opening\"`"),
        ("player Kasparov", "`player \"Kasparov\"`"),
        ("player white who", "`player white \"who\"`"),
        ("mate && wtm", "write `and`"),
        ("mate || check", "write `or`"),
        ("x=3 x&&wtm", "write `and`"),
        ("!mate", "write `not`"),
        ("wtm, mate", "without commas"),
        ("wtm & mate", "joined by `and`"),
        ("mate in 6", "`line --> .{1,9} --> mate`"),
        ("movenumber = 12", "`movenumber == 12`"),
        ("x := 3", "assigned by `=`"),
        ("k[f-h]8", "write `kf-h8`"),
        ("Q attacks h", "`h1-8`"),
        ("K = 3", "`K == 3`"),
    ];
    for (query, help) in slips {
        let errors = crate::analyze(query, Dialect::CQLI).expect_err(query);
        let given = errors[0].help.as_deref().unwrap_or_default();
        assert!(given.contains(help), "{query}: {} / {given}", errors[0].message);
    }
}

/// A name that the query assigns is a name, whatever it means in chess.
#[test]
fn assigned_names_are_no_slips() {
    for query in ["queen = 1 queen == 1", "function draw(x){x} draw(K)", "h = K h attacks q"] {
        assert!(crate::analyze(query, Dialect::CQLI).is_ok(), "{query}");
    }
}
