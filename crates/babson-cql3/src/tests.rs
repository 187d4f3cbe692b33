//! Queries of CQL 3: what is refused, and what the others become.

use babson_lang::diagnostic::Code;
use babson_lang::hir::{ExprKind, GameList, MarkMode, NodeSelection};
use babson_lang::{Dialect, QuerySpans, Span};

fn errors(text: &str) -> Vec<String> {
    match super::analyze(text, Dialect::CQLI) {
        Ok(_) => Vec::new(),
        Err(errors) => errors
            .into_iter()
            .map(|error| format!("{}: {}", error.span.text(text), error.message))
            .collect(),
    }
}

fn lists(text: &str) -> Vec<GameList> {
    let query = super::analyze(text, Dialect::CQLI).expect(text).query;
    match query.body.into_iter().last().map(|last| last.kind) {
        Some(ExprKind::GameLists(lists)) => lists.lists,
        other => panic!("{other:?}"),
    }
}

#[test]
fn errors_say_where_and_what() {
    for (query, expected) in [
        ("(match (position :mat))", ":mat: unknown keyword `:mat`"),
        ("(match (position d4))", "d4: `d4` is not a piece designator"),
        ("(match (position :power A :mate))", ":mate: unexpected `:mate`: expected a number"),
        ("(match (position R)", "(match: `(match` is never closed"),
        ("(match (position R)))", "): `)` closes nothing"),
        ("(match :pgn a.pgn)", "(match :pgn a.pgn): the match list holds no position list"),
        ("(match :pgn a :pgn b (position))", ":pgn b: `:pgn` is written twice"),
        ("(match (position $x))", "$x: the tag `x` is not declared"),
        (
            "(match :forany a R :forany b R :forany c R (position))",
            ":forany c R: `:forany` is written three times",
        ),
        (
            "(match :forany a R (position $a :relation ()))",
            "(position $a :relation ()): `:relation` cannot be combined with `:forany`",
        ),
        (
            "(match (position :sequence () :gappedsequence ()))",
            ":gappedsequence (): a position list holds one sequence at most",
        ),
        (
            "(match (position :and ((position :matchcount 2))))",
            ":matchcount 2: `:matchcount` counts over the game",
        ),
        ("(match (position :ray (R)))", "): unexpected `)`: expected a piece designator"),
        ("(match (position R 3))", "3: unexpected `3`"),
        ("(match (position :and (R)))", "R: unexpected `R`"),
        ("(match (position \"R))", "\": this string does not end"),
    ] {
        let found = errors(query);
        assert!(
            found.first().is_some_and(|error| error.starts_with(expected)),
            "{query}\n{found:#?}"
        );
    }
}

/// One mistake is one message: the rest of the query is read as it stands.
#[test]
fn one_mistake_is_one_message() {
    for (query, expected) in [
        ("(match (position :and (R)))", "R: unexpected `R`: expected `(position` or `)`"),
        ("(match (position :and ((position :or (K)))) (position Q))", "K: unexpected `K`"),
        (
            "(match (position :and ((position R) :mate) :wtm) (position K))",
            ":mate: unexpected `:mate`",
        ),
        ("(match (position (R)) (position K))", "(: unexpected `(`"),
        ("(match (position :sequence (position R) :wtm) (position K))", "(position: unexpected"),
        ("(match (position :relation (R)) (position K))", "R: unexpected `R`"),
        ("(match (position :ray (R)) (position K))", "): unexpected `)`: expected a piece"),
        ("(match (position :ray (R :mate n)) (position K))", ":mate: unexpected `:mate`"),
        ("(match (position :movefrom :and ((position))) (position K))", ":and: unexpected"),
        ("(match (position :year 1990) (position K))", ":year: unexpected `:year`: expected a"),
        (
            "(match (position :pgn a.pgn R) (position K))",
            ":pgn: unexpected `:pgn`: expected a piece designator",
        ),
        (
            "(match (position :sequence steps ((position))) (position K))",
            "steps: unexpected `steps`: expected `(` after `:sequence`",
        ),
        (
            "(match (position :relation (:mate 3 :pattern)) (position K))",
            ":mate: unexpected `:mate`: expected a parameter of `:relation`",
        ),
        (
            "(match (position K :result 1-0 2) (position K))",
            "2: unexpected `2`: expected a piece designator, a keyword or `)`",
        ),
        ("(match :mate (position K))", ":mate: unexpected `:mate`: expected a position list"),
        ("(match (match (position)) (position K))", "(match: unexpected `(match`"),
        ("(match (position :result draw))", "draw: `draw` is not a result"),
        ("(match :result 1 (position))", "1: `1` is not a result"),
        ("(match :out x.pgn (position))", ":out: unknown keyword `:out`"),
        ("(MATCH :pgn a.pgn (position R))", "MATCH: unknown list `(MATCH`"),
        ("(match (Position R) (position K))", "Position: unknown list `(Position`"),
        ("(match (positoin R :mate))", "positoin: unknown list `(positoin`"),
        ("(match (position mate))", "mate: `mate` is not a piece designator"),
        ("(match (position R ; )\n :mate ; )\n)", "(match: `(match` is never closed"),
        ("(match (position :and ((position R)", "(: `(` is never closed"),
        ("(match (position :power A", "(position: `(position` is never closed"),
        ("(match (position (R", "(: unexpected `(`"),
        (
            "(match (position R)) hello (there)",
            "hello: unexpected `hello`: expected the end of the query",
        ),
    ] {
        let found = errors(query);
        let ends = usize::from(query.ends_with("(R"));
        assert_eq!(found.len(), 1 + ends, "{query}\n{found:#?}");
        assert!(found[0].starts_with(expected), "{query}\n{found:#?}");
    }
}

#[test]
fn mistakes_have_help() {
    let help = |text: &str| {
        let errors = super::analyze(text, Dialect::CQLI).expect_err(text);
        errors[0].help.clone().unwrap_or_default()
    };
    assert_eq!(help("(match :out a (position))"), "did you mean `:output`?");
    assert_eq!(help("(match (position :seq ()))"), "did you mean `:sequence`?");
    assert_eq!(help("(match (position :result draw))"), "write `:result 1/2-1/2`");
    assert_eq!(help("(MATCH (POSITION))"), "`(match` is written in lowercase");
    assert_eq!(help("(match (positon))"), "did you mean `(position`?");
    assert_eq!(help("(match (position mate))"), "a keyword begins with a colon: `:mate`");
    assert!(help("(match (position R) ; )").contains("what follows `;` is a comment"));
    // What is not CQL 3 at all is left to modern CQL.
    for text in ["(MATCH == 3)", "(matches)", "(MATCH)"] {
        assert!(!super::begins_query(text), "{text}");
    }
    for text in ["(position R)", "; c\n(POSITION :mate)", "(position)"] {
        assert!(super::misplaced_list(text).is_some(), "{text}");
    }
    for text in ["cql() (match (position Ka1))", "mate\n(match\n(position :mate))"] {
        let error = super::misplaced_list(text).expect(text);
        assert_eq!(error.code, Code::AddedToCql3);
        assert!(error.span.text(text).starts_with("(match"), "{:?}", error.span);
    }
    for text in [
        "position 3",
        "(position 3)",
        "(K)",
        "",
        "(",
        "f(match (K))",
        "(match position)",
        "mat // (match (position K))",
        "mat \"(match (position\"",
    ] {
        assert!(super::misplaced_list(text).is_none(), "{text}");
    }
}

/// The spans of errors are offsets in the whole text. Filters added to the query are an error.
#[test]
fn a_query_may_be_a_part_of_a_text() {
    let analyzed = |text: &str, filters: Vec<Span>, start: u32| {
        let query = Span::new(start, text.len() as u32);
        let parts = QuerySpans { filters, query, ..QuerySpans::default() };
        super::analyze_spans(text, &parts, Dialect::CQLI)
    };
    assert!(analyzed("mate (match (position :mate))", Vec::new(), 5).is_ok());
    let text = "mate (match (position :mat))";
    let errors = analyzed(text, Vec::new(), 5).unwrap_err();
    assert_eq!(errors[0].span.text(text), ":mat");
    let errors = analyzed(text, vec![Span::new(0, 4)], 5).unwrap_err();
    assert_eq!((errors[0].code, errors[0].span.start), (Code::AddedToCql3, 5));
}

#[test]
fn a_sum_that_nothing_adds_to_is_told() {
    let warnings = |list: &str| {
        super::analyze(&format!("(match {list})"), Dialect::CQLI).expect(list).warnings
    };
    let found = warnings("(position :accumulate passers :sumrange pasers 3 8)");
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("`pasers` is always 0"), "{found:?}");
    assert_eq!(found[0].help.as_deref(), Some("did you mean `passers`?"));
    // Each list of the top level has sums of its own; within one, the depth does not matter.
    let apart = "(position :accumulate n) (position :sumrange n 1)";
    assert_eq!(warnings(apart).len(), 1);
    let deep = "(position :sumrange n 1 :and ((position :accumulate n)))";
    assert_eq!(warnings(deep).len(), 0);
}

/// Files of other systems and times.
#[test]
fn line_ends_and_the_end_of_a_file_of_dos() {
    for text in [
        "(match ; a (comment\r (position ; another)\r R))\r",
        "(match ; a (comment\r\n (position R))\r\n\u{1a}",
        "(match (position :wtm\u{1a}))\u{1a}\u{1a}\r\n",
    ] {
        assert_eq!(errors(text), Vec::<String>::new(), "{text:?}");
    }
}

#[test]
fn all_errors_of_a_query() {
    let found = errors("(match :yaer 3 (position d4 :mat))");
    assert_eq!(found.len(), 2, "{found:#?}");
    let found = errors("(match :year (position d4 e5) :output)");
    assert_eq!(found.len(), 4, "{found:#?}");
    // What is wrong in one item hides nothing in the next.
    let found = errors("(match (position :power :ray (R)) (position :relation (R)))");
    assert_eq!(found.len(), 3, "{found:#?}");
    // What is not a list at all is not left to the grammar's words.
    assert_eq!(errors(""), [": the query ends here: expected `(match`"]);
    assert_eq!(errors("R )"), ["R: unexpected `R`: expected `(match`"]);
}

#[test]
fn deep_nesting_is_an_error() {
    let query = format!("(match {}", "(position :and (".repeat(5000));
    assert!(errors(&query)[0].contains("lists are nested more than 300 deep"));
}

#[test]
fn warnings() {
    let warnings = |text| super::analyze(text, Dialect::CQLI).expect(text).warnings.len();
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
    assert_eq!(found[0].nodes, NodeSelection::MainLine);
    assert_eq!((found[0].mark, found[0].count), (MarkMode::First, None));
    assert_eq!(found[1].nodes, NodeSelection::All);
    assert_eq!((found[1].mark, found[1].count), (MarkMode::All, Some((2, 3))));
    assert_eq!(found[2].nodes, NodeSelection::Variations);
    assert_eq!((found[2].mark, found[2].count), (MarkMode::None, Some((1, 1000))));
}

#[test]
fn images_are_distinct() {
    let images = |list: &str| {
        let lists = lists(&format!("(match {list})"));
        if let ExprKind::Orbit { elements, .. } = &lists[0].body.kind { elements.len() } else { 1 }
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

/// The examples of the manual of CQL 3 are accepted.
#[test]
fn examples_of_the_manual() {
    let lists = "
        (position :piececount P[b2-7] 4 :shifthorizontal :flipcolor)
        (position :shifthorizontal :flipcolor)
        (position)
        (position Ra3 )
        (position [RQ][a1-8])
        (position [RQ][a1-8] q[h1-8])
        (position .d4 id3 U[a1,h1,a8,h8])
        (position R R Q Q)
        (position [Ar][a-h1-2,a8,h8] B[] [RBNQP][a1,h1,a8,h8])
        (position R Q :initial :check :wtm)
        (position R[a1,a8,h1,a8])
        (position Rc3 qg3 :flipdiagonal)
        (position Nd4 kf3 :shift :flip :flipcolor)
        (position :attackcount N k 1 100 :flipcolor)
        (position :piececount [Rr][a1-8] 1 3 :piececount [Qq][a-h8] 4 Nd4)
        (position Nd4 :piececount [Rr][a?] 1 3 :piececount [Qq][?8] 4)
        (position :power a 6)
        (position :power Aa-h1-4 10 25)
        (position :powerdifference [Rr] -5 10)
        (position :powerdifference [RrBbNn] -1000 -2)
        (position :attackcount A .h3 1)
        (position :attackcount [RB][a-c8] ??1 5 9)
        (position :attackcount n [KRQ] 3 100)
        (position :ray (Qa? n k[?4-8]))
        (position :ray (Qa? Qc? Qe? kg?))
        (position :ray (Q n k) 2 4)
        (position :rayvertical (R[a1-8] b k))
        (position :rayhorizontal (K .  . k))
        (position :rayattack (Ad5 a [rk][a-h1-4]) 3)
        (position :stalemate :rayattack (A a k) 2 8 :flipcolor)
        (position :movefrom U?8)
        (position :moveto R[b1-8])
        (position :movefrom R :moveto ?b?)
        (position :promote [BN]a8)
        (position :promote [Re8] :movefrom Pf7 :moveto q)
        (position :movefrom [Kk]e? :moveto .[c?,g?])
        (position   :movenumber 35 :mate)
        (position :wtm :check :and ((position Ke2 kg2 :shift :flip) (position Ne2)))
        (position :wtm :check :or ((position Ke1 kg1 :shift :flip) (position Ne2)))
        (position [aQBNPK.]a3)
        (position Re8 :sequence ((position Qf3 .g2) (position .f3 Qg2)))
        (position :gappedsequence ((position :movefrom Ra3) (position :movefrom Rb4) ); end
        )
        (position :result 1-0 :whiteelo 0 2300 :blackelo 2600 3000 :flipcolor)
        (position :moveto [Qq] :matchcount 4 100)
        (position :moveto [Aa]d4 :pretransformmatchcount 12 1000 :shift)
        (position ;match a position with a white passed pawn
          Pd2 :piececount [pP][d3-7] 0 :piececount p[c3-7,e3-7] 0 :shift
          :accumulate white_passer_counter :sumrange white_passer_counter 3 8 :markall)
        (position :relation (:missingpiececount A 1 100))
        (position :relation (:changesidetomove))
        (position Ke6 be7 be4 nd5 :shift :flip :markall
          :relation (:pattern :shift :flip :originalsamecount 0 1 :samesidetomove :variations))
        (position :wtm :moveto .d4 :check
          :or ((position   :rayorthogonal ([qr] .d4 K)) (position   :raydiagonal ([qb] .d4 K)))
          :sequence ((position)
            (position :attackcount A Ad4 0
              :movefrom [rqb] ; this might pick up some extra captures from the wrong piece
              :moveto Ad4)
            (position :check :moveto . :movefrom [QRBNP]))
          :shift :markall)";
    let query = format!(
        "(match :pgn heijden.pgn :output out.pgn :player costeff :result 1-0\n:gamenumber 10 1000 :year 1934 2000 {lists})"
    );
    assert_eq!(errors(&query), [""; 0]);
    let tags = "(match :pgn heijden.pgn :output out.pgn\n:forany rook [rR] ; loop over the possible rooks\n\
                (position $rook[a1]) (position $rook[h1]) (position :tagmatch rook P $rook[a1,d4]))";
    assert_eq!(errors(tags), [""; 0]);
}

/// A name is looked for in either encoding and with large letters that only Unicode knows.
#[test]
fn players_with_other_letters() {
    let texts = |name: &str| {
        let query = super::analyze(&format!("(match :player {name} (position))"), Dialect::CQLI)
            .expect(name);
        let texts = std::cell::Cell::new(0);
        for filter in &query.query.body {
            filter.any(&|e| {
                texts.set(texts.get() + usize::from(matches!(e.kind, ExprKind::Text(_))));
                false
            });
        }
        texts.get() / 2
    };
    assert_eq!(texts("Fischer"), 1);
    // Small in UTF-8 and Latin-1, and large in both.
    assert_eq!(texts("\u{d6}stlund"), 4);
    // In Latin-1 there is no such letter.
    assert_eq!(texts("\u{141}ukasz"), 2);
}

#[test]
fn the_typed_tree_is_readable() {
    let query = "(match :result 1-0 (position :wtm :attackcount A k 2 :ray (Q n k) :markall :whiteelo 2000 3000 \
:relation (:pattern :shift :flip :originalsamecount 0 1 :variations :missingpiececount A 1)) \
(position :variations :gappedsequence ((position :movefrom Qa1) (position :mate))))";
    let query = super::analyze(query, Dialect::CQLI).unwrap().query;
    let text = babson_lang::hir::print(&query);
    for debug in ["{", "}", "Some", "None", "Directions", "MainLine", "SideToMove", "::"] {
        assert!(!text.contains(debug), "{debug}: {text}");
    }
    for line in [
        "header: variations, matchstring \"MATCH\"",
        "list over the main line, marks all matches",
        "list over the game, marks the first match",
        "Side to move white: condition",
        "number of attacks in 2: condition",
        "number of rays any in 1..1000: condition",
        "Like another position of the game, same side to move, on [], flipped, shifted, same squares 0..1, \
missing A 1, new [Aa] 0: condition",
        "steps, with gaps: condition",
        "Elo white: number",
    ] {
        assert!(text.lines().any(|found| found.trim_start() == line), "{line}: {text}");
    }
}
