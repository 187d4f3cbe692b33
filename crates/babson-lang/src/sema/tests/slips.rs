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
        ("mate in 6", "`line --> .{1,11} --> mate`"),
        ("movenumber = 12", "`movenumber == 12`"),
        ("x := 3", "assigned by `=`"),
        ("k[f-h]8", "write `kf-h8`"),
        ("Nf9", "the squares of the board go from `a1` to `h8`"),
        ("Ki1", "the squares of the board go from `a1` to `h8`"),
        ("Qa1-h9", "the squares of the board go from `a1` to `h8`"),
        ("RNa4", "several pieces stand in brackets: `[RN]a4`"),
        ("x9", "a variable must be assigned"),
        ("Q attacks h", "`h1-8`"),
        ("K = 3", "`K == 3`"),
        // A dictionary that is not declared.
        (r#"Mates["x"] += 1"#, "declare it first: `dictionary Mates`"),
        (r#"Count["x"] += 1"#, "declare it first: `dictionary Count`"),
        (r#"Counts["x"] = 1"#, "declare it first: `dictionary Counts`"),
        ("Foo[1] += 1", "declare it first: `dictionary Foo`"),
        ("Foo[event] > 2", "declare it first: `dictionary Foo`"),
        ("dictionary Counts Cuonts[event] += 1", "did you mean `Counts`?"),
        ("Foo[1]", "a variable must be assigned"),
        // Moves as in a game.
        ("Qxf7", "for the move that was just played write `san == \"Qxf7\"`"),
        ("move Qxf7", "`san == \"Qxf7\"`, with `+` or `#` if it gives check or mate"),
        ("move Nf3xe5", "`san == \"Nf3xe5\"`"),
        ("not exd5", "`san == \"exd5\"`"),
        ("Qxf7+ mate", "`san == \"Qxf7+\"`"),
        ("Qxf7+", "`san == \"Qxf7+\"`"),
        ("Nf3+", "`san == \"Nf3+\"`"),
        ("mate Qxf7#", "`san == \"Qxf7#\"`"),
        ("O-O", "castling is written `o-o`"),
        ("O-O-O", "castling to the queenside is written `o-o-o`"),
        // Words between pieces.
        ("move Q takes r", "write `Q[x]r`"),
        ("R on a8", "write `Ra8`"),
        ("[Rr] at a-d1", "write `[Rr]a-d1`"),
        ("R on B", "write `R & B`"),
        ("white wins", "write `result 1-0`"),
        ("black wins", "write `result 0-1`"),
        ("White won", "write `result 1-0`"),
        ("black lost", "write `result 1-0`"),
        ("white king", "write `K`"),
        ("white King", "`player white \"King\"`"),
        (
            "Kasparov",
            "a variable must be assigned before it is used; a player is named by `player \"Kasparov\"`",
        ),
        ("mate and Kasparov", "`player \"Kasparov\"`"),
        ("Counter > 3", "must be assigned before it is used"),
        ("material == \"KRvKR\"", "write `materialkey == \"KRvKR\"`"),
        ("material > 3", "write `power A - power a`"),
    ];
    for (query, help) in slips {
        let errors = crate::analyze(query, Dialect::CQLI).expect_err(query);
        let given = errors[0].help.as_deref().unwrap_or_default();
        assert!(given.contains(help), "{query}: {} / {given}", errors[0].message);
    }
}

/// The last error, where a word for a piece is an error before it.
#[test]
fn words_for_pieces_are_read_as_pieces() {
    for (query, help) in [("pawn on e4", "write `[Pp]e4`"), ("knights take R", "must be assigned")]
    {
        let errors = crate::analyze(query, Dialect::CQLI).expect_err(query);
        let given = errors.last().and_then(|error| error.help.as_deref()).unwrap_or_default();
        assert!(given.contains(help), "{query}: {given}");
    }
    let errors = crate::analyze("Q takes pawn", Dialect::CQLI).expect_err("unknown names");
    assert_eq!(errors[0].help.as_deref(), Some("write `Q[x][Pp]`"));
    for query in ["Q[x][Pp]", "[Pp]e4", "Q[x]r"] {
        assert!(crate::analyze(query, Dialect::CQL6).is_ok(), "{query}");
    }
}

/// The dialect `cql6` has none of the words that only Babson has.
#[test]
fn slips_in_cql6() {
    for (query, help) in [
        ("cql() Qxf7", "a capture of that form is written `[Qq][x]f7`"),
        ("cql() material == \"KRvKR\"", "write `power A - power a`"),
        ("cql() Mates[\"x\"] += 1", "declare it first: `dictionary Mates`"),
    ] {
        let errors = crate::analyze(query, Dialect::CQL6).expect_err(query);
        let given = errors[0].help.as_deref().unwrap_or_default();
        assert!(given.contains(help), "{query}: {} / {given}", errors[0].message);
    }
}

/// Messages name a word as the query spells it.
#[test]
fn aliases_are_named_as_written() {
    for query in ["currentmove to", "str(currentmove)"] {
        let errors = crate::analyze(query, Dialect::CQLI).expect_err(query);
        assert_eq!(errors[0].message, "`currentmove` needs a dash or a capture after it");
        assert_eq!(errors[0].help.as_deref(), Some("as in `currentmove --`"));
    }
}

/// A name that the query assigns is a name, whatever it means in chess.
#[test]
fn assigned_names_are_no_slips() {
    for query in ["queen = 1 queen == 1", "function draw(x){x} draw(K)", "h = K h attacks q"] {
        assert!(crate::analyze(query, Dialect::CQLI).is_ok(), "{query}");
    }
}
