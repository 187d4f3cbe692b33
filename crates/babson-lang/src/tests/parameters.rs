//! The errors in the parameters of filters.

use crate::limits::MAX_ERRORS;
use crate::{Dialect, analyze};

/// The work is linear: with a comparison of each pair, this test would take minutes.
#[test]
fn many_parameters_are_checked_at_once() {
    for (filter, parameter, errors) in [("move ", "capture A ", 0), ("move ", "legal ", MAX_ERRORS)]
    {
        let query = format!("{filter}{}", parameter.repeat(100_000));
        let found = analyze(&query, Dialect::CQLI).map_or_else(|errors| errors.len(), |_| 0);
        assert_eq!(found, errors, "{filter}{parameter}");
    }
}

#[test]
fn parameters_are_checked() {
    for (query, expected) in [
        ("find quiet quiet check", "`quiet` is written twice"),
        ("find 1 2 quiet 3 check", "the range is written twice"),
        ("find <-- 3 <-- check", "`<--` is written twice"),
        ("find 3 all check", "`all` cannot be combined with the range"),
        ("flip quiet K", "`quiet` is not a parameter of `flip`"),
        ("move o-o castle", "`castle` cannot be combined with `o-o`"),
        ("move o-o o-o", "`o-o` is written twice"),
        ("move legal previous", "`previous` cannot be combined with `legal`"),
        ("move promote Q null", "`null` cannot be combined with `promote`"),
        ("sort \"x\" quiet ply", "the text must be the last parameter of `sort`"),
        ("sort max ply", "`max` needs a text before what it sorts by"),
        ("path piecepath --", "`piecepath` needs `focus` or `singlecolor`"),
        ("line firstmatch firstmatch --> check", "`firstmatch` is written twice"),
    ] {
        let errors = analyze(query, Dialect::CQLI).expect_err(query);
        assert_eq!(errors[0].message, expected, "{query}");
    }
    for query in [
        "find quiet <-- 1 2 check",
        "find 1 quiet 2 check",
        "move capture A capture Q legal count count",
        "path lastposition lastposition --",
        "similarposition nosort nosort \"a.pgn\"",
    ] {
        assert!(analyze(query, Dialect::CQLI).is_ok(), "{query}");
    }
}
