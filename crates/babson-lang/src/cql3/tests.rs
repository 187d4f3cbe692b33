//! Queries of CQL 3: what is refused, and what the others become.

use crate::hir::{ExprKind, GameList, Mark, Scope};

fn errors(text: &str) -> Vec<String> {
    match super::analyse(text) {
        Ok(_) => Vec::new(),
        Err(errors) => errors
            .into_iter()
            .map(|error| format!("{}: {}", error.span.text(text), error.message))
            .collect(),
    }
}

fn lists(text: &str) -> Vec<GameList> {
    let query = super::analyse(text).expect(text).query;
    match query.body.into_iter().last().map(|last| last.kind) {
        Some(ExprKind::GameLists(lists)) => lists.lists,
        other => panic!("{other:?}"),
    }
}

#[test]
fn errors_say_where_and_what() {
    for (query, expected) in [
        ("(match (position :mat))", ":mat: unknown keyword `:mat`"),
        ("(match (position d4))", "d4: `d4` is no piece designator"),
        (
            "(match (position :power A :mate))",
            ":mate: unexpected `:mate`: expected a number",
        ),
        ("(match (position R)", ": the query ends here"),
        (
            "(match (position R)))",
            "): unexpected `)`: expected the end",
        ),
        (
            "(match :pgn a.pgn)",
            "(match :pgn a.pgn): the match list holds no position list",
        ),
        (
            "(match :pgn a :pgn b (position))",
            ":pgn b: `:pgn` may be given once",
        ),
        ("(match (position $x))", "$x: the tag `x` is not declared"),
        (
            "(match :forany a R :forany b R :forany c R (position))",
            ":forany c R: `:forany` may be given twice at most",
        ),
        (
            "(match :forany a R (position $a :relation ()))",
            "(position $a :relation ()): `:forany` and `:relation` cannot go together",
        ),
        (
            "(match (position :sequence () :gappedsequence ()))",
            ":gappedsequence (): a position list holds one sequence at most",
        ),
        (
            "(match (position :and ((position :matchcount 2))))",
            ":matchcount 2: `:matchcount` counts over the game",
        ),
        (
            "(match (position :ray (R)))",
            "): unexpected `)`: expected a piece designator",
        ),
        ("(match (position R 3))", "3: unexpected `3`"),
        ("(match (position :and (R)))", "R: unexpected `R`"),
        ("(match (position \"R))", "\": this string does not end"),
    ] {
        let found = errors(query);
        assert!(
            found
                .first()
                .is_some_and(|error| error.starts_with(expected)),
            "{query}\n{found:#?}"
        );
    }
}

#[test]
fn all_errors_of_a_query() {
    let found = errors("(match :yaer 3 (position d4 :mat))");
    assert_eq!(found.len(), 2, "{found:#?}");
    let found = errors("(match :year (position d4 e5) :output)");
    assert!(found.len() >= 3, "{found:#?}");
}

#[test]
fn deep_nesting_is_an_error() {
    let query = format!("(match {}", "(position :and (".repeat(5000));
    assert!(errors(&query)[0].contains("nested too deeply"));
}

#[test]
fn warnings() {
    let warnings = |text| super::analyse(text).expect(text).warnings.len();
    assert_eq!(warnings("(match :year 1999 1990 (position))"), 1);
    assert_eq!(warnings("(match (position :and ((position :markall))))"), 1);
    assert_eq!(warnings("(match (position :not :accumulate x))"), 1);
    assert_eq!(warnings("(match (position :markall :accumulate x))"), 0);
}

#[test]
fn scope_marks_and_counts() {
    let found = lists(
        "(match (position R) (position :variations :markall :matchcount 2 3)
          (position :variationsonly :noannotate :matchcount))",
    );
    assert_eq!(found[0].scope, Scope::MainLine);
    assert_eq!((found[0].mark, found[0].count), (Mark::First, None));
    assert_eq!(found[1].scope, Scope::All);
    assert_eq!((found[1].mark, found[1].count), (Mark::All, Some((2, 3))));
    assert_eq!(found[2].scope, Scope::Variations);
    assert_eq!(
        (found[2].mark, found[2].count),
        (Mark::None, Some((1, 1000)))
    );
}

#[test]
fn images_are_distinct() {
    let images = |list: &str| match &lists(&format!("(match {list})"))[0].body.kind {
        ExprKind::Orbit { elements, .. } => elements.len(),
        _ => 1,
    };
    assert_eq!(images("(position Ra1 :flip)"), 4);
    assert_eq!(images("(position Rc3 qg3 :shifthorizontal)"), 13);
    assert_eq!(images("(position R :shift :flip)"), 1);
    assert_eq!(images("(position R :shift :flipcolor)"), 2);
    assert_eq!(images("(position :wtm :flipcolor)"), 2);
    assert_eq!(images("(position :powerdifference A 3 :flipcolor)"), 2);
    assert_eq!(images("(position :rayhorizontal (K k) :flip)"), 2);
    assert_eq!(images("(position :ray (K k) :flip)"), 1);
}
