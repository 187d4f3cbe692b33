//! What queries search, in sentences.

use std::fmt::Write;

use babson_lang::{Dialect, describe};

#[test]
fn sentences_of_queries() {
    let mut shown = String::new();
    for text in [
        "(match :pgn a.pgn (position :check Qh7))",
        "(match :result 1-0 :year 1990 2000 (position :flipcolor :wtm Ra1))",
        "(match :forany Tag R (position $Tag[a-h7] :gappedsequence ((position :check) (position :mate))))",
        "(match (position :attackcount R k 2 9 :piececount [QR] 3 5 :not))",
        "(match (position :matchcount 2 5 :relation (:flip :missingpiececount A 1 9)))",
    ] {
        let analysis = babson_cql3::analyze(text, Dialect::CQLI);
        let query = analysis.unwrap_or_else(|errors| panic!("{text}: {errors:?}")).query;
        let _ = writeln!(shown, "== {text}\n{}\n", describe::sentences(&query).join("\n"));
    }
    insta::assert_snapshot!(shown);
}
