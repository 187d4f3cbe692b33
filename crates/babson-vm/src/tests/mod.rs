//! Queries from their text, on small games.

mod any_board;
mod candidates;
mod clock;
mod code;
mod cql3;
mod dash;
mod deferred;
mod dictionaries;
mod echo;
mod fields;
mod game_guard;
mod growth;
mod held;
mod hooks;
mod host;
mod images;
mod imagine;
mod last_ply;
mod lasting;
mod laws;
mod needs;
mod once;
mod own_reader;
mod parse;
mod paths;
mod patterns;
mod scopes;
mod search;
mod sharing;
mod similar;
mod skipped;
mod stopping;
mod trace;
mod value;
mod variants;

use babson_lang::{Diagnostic, Dialect, hir};
use babson_pgn::{Needs, Reader};

use crate::op::Op;
use crate::{CompileOptions, GameContext, Machine, Outcome, Program, RunOptions};

const LINE: &[u8] =
    b"[Event \"LINE\"]\n[Result \"*\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 4. Bc4+ Kf6 \
(4... Ke7 5. Nf3 Nf6) (4... d5) 5. Nf3 g6 (5... Nb4 6. d4) 6. O-O Nge7 7. Ng5 Kxg5 8. d4+ Kf6 9. \
Bg5+ Kg7 *\n";

fn run_as(query: &str, pgn: &[u8], dialect: Dialect, options: &RunOptions) -> Outcome {
    let analysis = crate::analyze(query, dialect).expect("the query is sound");
    let program = Program::compile(&analysis.query).expect("the query is small");
    run_program(&program, pgn, options)
}

/// Compiles a query that may be optimized less: every filter is counted.
fn profiled(query: &hir::Query) -> Result<Program, Vec<Diagnostic>> {
    let options = CompileOptions { profile: true, ..CompileOptions::default() };
    Program::compile_with(query, &options)
}

fn run_program(program: &Program, pgn: &[u8], options: &RunOptions) -> Outcome {
    let mut reader = Reader::new();
    let game = reader.read(pgn, program.needs_with(options).union(Needs::MAIN_LINE));
    let mut machine = Machine::new(program.clone());
    machine.run(&game, &GameContext { number: 1, last_number: None, options }).unwrap().clone()
}

fn run(query: &str) -> Outcome {
    let options = RunOptions { cql6_output: true, ..RunOptions::default() };
    run_as(query, LINE, Dialect::CQL6, &options)
}

fn messages(query: &str) -> String {
    let outcome = run(query);
    assert_eq!(outcome.error, None);
    String::from_utf8(outcome.messages).expect("messages are text")
}

fn comments(outcome: &Outcome) -> Vec<(u32, String)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    outcome.comments.iter().map(|(node, bytes)| (node, text(bytes))).collect()
}

/// Of equal comments of a position the first stays, whether they are few or many.
#[test]
fn equal_comments_of_a_position_are_one() {
    for count in [5, 100] {
        let query = format!(
            "cql(quiet) initial x=0 while (x<{count}) {{x+=1 comment(\"c\" x % 3) comment(x)}}"
        );
        let outcome = run_as(&query, LINE, Dialect::CQLI, &RunOptions::default());
        let mut expected: Vec<(u32, String)> = Vec::new();
        for x in 1..=count {
            for text in [format!("c{}", x % 3), x.to_string()] {
                if !expected.iter().any(|known| known.1 == text) {
                    expected.push((0, text));
                }
            }
        }
        assert_eq!(comments(&outcome), expected);
    }
}

/// The evaluation of a game ends at its first match, and so do its effects.
#[test]
fn the_first_match_ends_a_game() {
    let options = RunOptions { first_match: true, ..RunOptions::default() };
    let first = |query: &str| run_as(query, LINE, Dialect::CQLI, &options);
    let outcome = first("check message(ply) comment(\"x\") sort \"ply\" ply");
    assert_eq!((outcome.matched, &outcome.positions[..]), (true, &[5][..]));
    assert_eq!(outcome.messages, b"Game: 1 move 3(btm): 5\n");
    assert_eq!(outcome.sort, [Some(crate::SortValue::Number(5))]);
    assert!(comments(&outcome).iter().all(|(node, _)| [0, 5].contains(node)));
    assert_eq!(first("cql(variations) variation terminal").positions, [20]);
    assert!(!first("mate").matched && !first("cql(matchcount 2 9) check").matched);
    assert!(first("cql(matchcount 0) mate").matched);
}

/// The castling rights in a text of `fen` depend on the moves before. The position of the text
/// before may be on another line.
#[test]
fn the_text_of_a_position_does_not_depend_on_the_order() {
    let texts = messages("cql(variations) message quiet(fen)");
    let texts: Vec<&str> = texts.lines().collect();
    assert_eq!(texts.len(), 25);
    assert!(texts[4].contains(" KQkq ") && texts[20].contains(" KQ ") && texts[12].contains(" - "));
    for factor in [1, 3, 7, 24] {
        let order: Vec<usize> = (0..25).map(|place| place * factor % 25).collect();
        let values: Vec<String> =
            order.iter().map(|id| format!("{{position {id} : fen}}")).collect();
        let query = format!("cql(variations) initial message quiet({})", values.join(" \"|\" "));
        let expected: Vec<&str> = order.iter().map(|&id| texts[id]).collect();
        assert_eq!(messages(&query).trim_end(), expected.join("|"));
    }
}

#[test]
fn matching_positions() {
    assert_eq!(run("cql() check").positions, [5, 7, 15, 17]);
    assert_eq!(run("cql(variations) variation terminal").positions, [20, 23, 24]);
    assert!(!run("cql() mate").matched);
    assert!(run("cql(matchcount 0) mate").matched);
}

#[test]
fn only_the_initial_position_is_visited() {
    assert_eq!(run("cql() initial find all check == 4").positions, [0]);
    assert_eq!(messages("cql() {initial message quiet(find all check)}"), "4\n");
}

#[test]
fn lines() {
    let value = |line: &str| messages(&format!("cql() initial message quiet({{{line}}})"));
    assert_eq!(value("line --> .*"), "19\n");
    assert_eq!(value("line --> . * --> check"), "18\n");
    assert_eq!(value("line firstmatch --> . * --> check"), "6\n");
    assert_eq!(value("line --> (wtm --> btm){2} --> check?"), "4\n");
    assert_eq!(value("line 3 --> .*"), "<false>\n");
}

#[test]
fn failing_filters_take_their_comments_back() {
    let outcome =
        run("cql(quiet) ply==5 {comment(\"a\") false} or comment(\"b\") not not {comment(\"c\")}");
    assert_eq!(comments(&outcome), [(0, "Game number 1".to_owned()), (5, "b".to_owned())]);
}

#[test]
fn constituents_of_a_line_leave_the_marks_around_it_alone() {
    // A position without a line took back the comments of the positions before it.
    let outcome = run("sort \"n\" {line quiet --> move capture . +} >= 1");
    let texts = comments(&outcome);
    let matches = texts.iter().filter(|(_, text)| text == "CQL").count();
    assert_eq!((matches, outcome.positions.len()), (3, 3));
}

#[test]
fn sort_keeps_the_comments_of_the_best_value() {
    let outcome = run("cql() sort \"x\" {check comment(\"chk\" ply) ply}");
    let all = comments(&outcome);
    assert_eq!(all[0], (0, "Game number 1".to_owned()));
    assert_eq!(all[1], (0, " x: 17".to_owned()));
    assert_eq!(all[all.len() - 2..], [(17, "CQL".to_owned()), (17, "chk17".to_owned())]);
}

#[test]
fn errors_stop_the_game() {
    let outcome = run("cql() if ply>100 x=1 x==1");
    assert!(outcome.error.is_some_and(|error| !error.fatal && error.position == 0));
    let options = RunOptions { steps: 10_000, ..RunOptions::default() };
    let outcome = run_as("cql() while (true) true", LINE, Dialect::CQL6, &options);
    assert_eq!(outcome.error.as_ref().map(|error| &*error.filter), Some("limit"));
    let outcome =
        run_as("cql() x=\"ab\" while (true) x+=x", LINE, Dialect::CQL6, &RunOptions::default());
    assert_eq!(outcome.error.as_ref().map(|error| &*error.filter), Some("limit"));
    let failed = run("cql() assert ply<3").error.expect("an assertion");
    assert_eq!(failed.message, "the assertion failed at position 3");
    assert!(
        run("cql() assert ply<3").error.is_some_and(|error| error.fatal && error.position == 3)
    );
}

#[test]
fn memory_used_up_is_an_error() {
    let options = RunOptions { memory: 10_000, ..RunOptions::default() };
    // Text that only operators make, text that is only kept in comments, one string that doubles.
    for query in [
        "cql() while (true) lowercase \"abcdefghijklmnopqrstuvwxyz\"",
        "cql() while (true) comment(\"a\" ply)",
        "cql() x=\"ab\" while (true) x+=x",
    ] {
        let error = run_as(query, LINE, Dialect::CQL6, &options).error;
        let error = error.expect(query);
        assert!(
            !error.fatal && error.message.contains("made more than 10000 bytes"),
            "{query}: {error:?}"
        );
    }
}

/// Only the comments that stand count: the text of those that were taken back is given back, unless
/// it is still in use.
#[test]
fn comments_that_were_taken_back_take_no_memory() {
    let options = RunOptions { memory: 10_000, ..RunOptions::default() };
    let query =
        |body: &str| format!("cql(matchstring \"\") initial x=0 while (x<5000) {{x+=1 {body}}}");
    for body in [
        "{comment(\"a\" x) false} or true",
        "not comment(\"a\" x) or true",
        "{comment(\"a\" x) 1} != 2",
        "if {comment(\"a\" x) false} true",
        "{line --> {comment(\"a\" x) true} --> false} or true",
        "{find {comment(\"a\" x) false}} or true",
    ] {
        let outcome = run_as(&query(body), LINE, Dialect::CQLI, &options);
        assert!(outcome.error.is_none(), "{body}: {:?}", outcome.error);
        assert_eq!((&outcome.positions[..], outcome.comments.len()), (&[0][..], 0), "{body}");
    }
    // A variable, a sort and the groups of a regular expression go on to use what was made.
    let kept = "cql(matchstring \"\") initial s=\"\" \
                {{s=str(\"kept\" ply) comment(\"undone\") false} or true} \
                {{sort \"k\" {comment(\"sorted\" ply) str(\"key\" ply)} false} or true} \
                {{str(\"mat\" \"ch\") ~~ \"c(h)\" comment(\"undone\") false} or true} \
                {{comment(\"other text\" ply ply ply ply) false} or true} \
                comment(s) comment(\\1)";
    let outcome = run_as(kept, LINE, Dialect::CQL6, &options);
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    let wanted = [(0, "k: key0"), (0, "kept0"), (0, "h"), (0, "sorted0")];
    assert_eq!(comments(&outcome), wanted.map(|(node, text)| (node, text.to_owned())));
}

#[test]
fn orbits_of_single_squares_are_tested_at_once() {
    let analysis = crate::analyze("cql() shift {Nd4 ne5}", Dialect::CQL6).expect("sound");
    let program = Program::without_conditions(&analysis.query).expect("small");
    let is_pattern = |op: &Op| matches!(op, Op::TestPattern { .. });
    assert!(program.parts().code.ops.iter().any(is_pattern));
    // The same with an effect in each element cannot be.
    for pattern in ["Qh5 pe5", "Bc4 nc6", "ke8 Ke1", "Ng5 kf6"] {
        let fast = run(&format!("cql() shift {{{pattern}}}"));
        let slow = run(&format!("cql() shift {{x=1 {pattern}}}"));
        assert_eq!(fast.positions, slow.positions, "{pattern}");
    }
}

#[test]
fn persistent_values_survive_games() {
    let query = "cql() persistent cnt+=1 persistent gone=1 unbind gone false";
    let analysis = crate::analyze(query, Dialect::CQL6).expect("sound");
    let program = Program::compile(&analysis.query).expect("small");
    assert_ne!(program.sharing(), crate::Sharing::Nothing);
    let mut machine = Machine::new(program.clone());
    let mut reader = Reader::new();
    let options = RunOptions::default();
    for number in 1..=2 {
        let game = reader.read(LINE, program.needs());
        machine.run(&game, &GameContext { number, last_number: None, options: &options }).unwrap();
    }
    assert_eq!(machine.persistents(), ["cnt: 38", "gone: <unbound>"]);
}

#[test]
fn tags_are_removed_and_set_again() {
    let outcome = |query: &str, options: &RunOptions| {
        let outcome = run_as(query, LINE, Dialect::CQLI, options);
        assert!(outcome.matched, "{query}");
        (outcome.removed_tags, outcome.tags.len())
    };
    let removed = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let plain = RunOptions::default();
    let both = "removetag(\"Site\") removetag(\"Site\") removetag(\"Event\")";
    assert_eq!(outcome(both, &plain), (removed(&["Site", "Event"]), 0));
    let again = "removetag(\"Site\") settag(\"Site\" \"here\")";
    assert_eq!(outcome(again, &plain), (removed(&[]), 1));
    let gone = "settag(\"Site\" \"here\") removetag(\"Site\")";
    assert_eq!(outcome(gone, &plain), (removed(&["Site"]), 0));
    let kept = RunOptions { no_remove_tag: true, ..RunOptions::default() };
    assert_eq!(outcome(gone, &kept), (removed(&[]), 1));
}

/// Loops that print or store end soon, too, and by an error that says why.
#[test]
fn endless_loops_that_print_or_store_are_stopped() {
    for (query, message) in [
        ("cql() while (true) message(\"x\")", "the evaluation limit of 100000 steps was reached"),
        (
            "cql() dictionary D x=0 while (true) {x+=1 D[str(x)]=\"a\"}",
            "the evaluation limit of 100000 steps was reached",
        ),
    ] {
        let options = RunOptions { steps: 100_000, ..RunOptions::default() };
        let outcome = run_as(query, LINE, Dialect::CQL6, &options);
        let error = outcome.error.expect(query);
        assert_eq!(error.message, message, "{query}");
        assert!(outcome.messages.len() < 5_000 * 60, "{}", outcome.messages.len());
    }
    let options = RunOptions { memory: 10_000, ..RunOptions::default() };
    let outcome = run_as("cql() while (true) message(\"x\")", LINE, Dialect::CQL6, &options);
    assert_eq!(
        outcome.error.expect("an error").message,
        "the query made more than 10000 bytes of text and dictionary entries"
    );
}

/// A step is worth some bytes of text: what reads or makes long strings ends as early as any other
/// loop.
#[test]
fn work_on_text_counts_as_steps() {
    let long = r#"x="ab" while (#x<1000000) x+=x y=x+"q""#;
    let mut queries = vec![
        r#"x="" while (true) {x+="q" x ~~ "z*$"}"#.to_owned(),
        r#"x="" while (true) {x+="q" x ~~ "(z*)$"}"#.to_owned(),
        r#"x="é" while (true) {x+="q" #x<5}"#.to_owned(),
        "initial loop hhdb composer".to_owned(),
        "initial loop reachableposition".to_owned(),
    ];
    for work in [
        r#""zz" in x"#,
        r#"indexof("zz" x)"#,
        "int x",
        "x<y",
        "str(x y)",
        "lowercase x",
        r#"settag("A" x)"#,
        r#"x[5]="""#,
        "D[x]",
        r#""é" + x[:9]"#,
    ] {
        queries.push(format!("local dictionary D D[\"a\"]=1 {long} while (true) {work}"));
    }
    // Turns of these loops that do not count their work: 300 000 times a string of a megabyte.
    let options = RunOptions { steps: 300_000, memory: usize::MAX >> 8, ..RunOptions::default() };
    for query in queries {
        let outcome = run_as(&query, LINE, Dialect::CQLI, &options);
        assert_eq!(outcome.error.as_ref().map(|error| &*error.filter), Some("limit"), "{query}");
    }
}

/// A query may do ordinary work on a long text without reaching a limit.
#[test]
fn many_matches_in_a_long_text() {
    for pattern in ["a", "(a)", "é?a"] {
        let query = format!(
            r#"x="aé" while (#x<100000) x+=x count1=0 while (x ~~ "{pattern}") count1+=1 message quiet(count1)"#
        );
        let outcome = run_as(&query, b"1-0", Dialect::CQLI, &RunOptions::default());
        assert_eq!(String::from_utf8_lossy(&outcome.messages), "65536\n", "{pattern}");
    }
}

#[test]
fn groups_of_regular_expressions_have_names() {
    let query = "initial \"12-ab\" ~~ \"(?<left>[0-9]+)-(?<right>[a-z]+)\" \
        message quiet(\\{right} \" \" \\{left} \" \" \\-{right} \" \" \\1)";
    let outcome = run_as(query, LINE, Dialect::CQLI, &RunOptions::default());
    assert_eq!(String::from_utf8_lossy(&outcome.messages), "ab 12 3 12\n");
    assert!(crate::analyze("message(\\{left})", Dialect::CQLI).is_err());
}

/// `tag "FEN"` has no value without a position that was set up.
#[test]
fn an_empty_fen_sets_nothing_up() {
    let printed = |fen: &str, dialect| {
        let pgn = format!("[FEN \"{fen}\"]\n\n*\n");
        let query = "cql() initial message quiet(tag \"FEN\" \"|\" ply)";
        let outcome = run_as(query, pgn.as_bytes(), dialect, &RunOptions::default());
        String::from_utf8(outcome.messages).expect("messages are text")
    };
    assert_eq!(printed(" ", Dialect::CQL6), "<false>|0\n");
    assert_eq!(printed("", Dialect::CQLI), "|0\n");
    let fen = "4k3/8/8/8/8/8/8/4K3 w - -";
    assert_eq!(printed(fen, Dialect::CQL6), format!("{fen} 0 1|0\n"));
}

/// With `-alwayscomment` the comments of a line stand wherever its filters were tried, and a line
/// that fails takes none back.
#[test]
fn all_comments_of_a_line_are_kept_on_request() {
    let all = |query: &str, always_comment: bool| {
        let options = RunOptions {
            always_comment,
            match_string: Some(String::new()),
            ..RunOptions::default()
        };
        comments(&run_as(query, LINE, Dialect::CQLI, &options))
    };
    let at = |ids: &[u32], text: &str| -> Vec<(u32, String)> {
        ids.iter().map(|&id| (id, text.to_owned())).collect()
    };
    // It fails at its first filter, and at its second.
    for line in ["line --> {comment(\"l\") mate}", "line --> true --> {comment(\"l\") mate}"] {
        let query = format!("ply == 1 or ply == 0 and not {line}");
        assert_eq!(all(&query, false), [], "{line}");
    }
    let first = "ply == 0 or line --> {comment(\"l\") mate}";
    assert_eq!(all(first, false), []);
    let everywhere: Vec<u32> = (1..19).collect();
    assert_eq!(all(first, true), at(&everywhere, "l"));
    // The longest line keeps its own, and the positions that were tried in vain.
    let best = "ply == 4 line quiet --> {true comment(\"x\")}+ --> {comment(\"y\") check}";
    let found = all(best, false);
    let kept = all(best, true);
    assert!(found.iter().all(|comment| kept.contains(comment)), "{kept:?}");
    let tried = kept.iter().filter(|comment| comment.1 == "y");
    let tried: Vec<u32> = tried.map(|comment| comment.0).collect();
    assert_eq!(tried, (5..19).collect::<Vec<u32>>());
}

/// A piece in focus that does not move leaves its space between others, as in CQL 6.2.
#[test]
fn pieces_that_stay_leave_their_space_in_a_piece_path() {
    let outcome = run_as(
        "cql() initial path quiet focus [BNP] piecepath P-- N-- B--",
        b"1. e4 e5 2. Nf3 Nc6 3. Bb5 *",
        Dialect::CQL6,
        &RunOptions::default(),
    );
    let texts: Vec<String> = comments(&outcome).into_iter().map(|comment| comment.1).collect();
    assert_eq!(texts, ["Focus path: Bf1-b5 Ng1-f3     Pe2-e4   ", "CQL"]);
}

/// A query that was read in one dialect cannot be run in another.
#[test]
fn the_dialect_of_a_query_is_that_of_its_program() {
    let query = "x=\"\u{e9}a\" x[0]==\"\u{e9}\" initial";
    for (dialect, matches) in [(Dialect::CQLI, true), (Dialect::CQL6, false)] {
        let analyzed = crate::analyze(query, dialect).unwrap().query;
        assert_eq!(analyzed.dialect, dialect);
        assert_eq!(run_as(query, LINE, dialect, &RunOptions::default()).matched, matches);
    }
    let list = crate::analyze("(match (position :wtm))", Dialect::CQL6).unwrap();
    assert_eq!(list.query.dialect, Dialect::CQL6);
}

/// A game without the parts that a query needs is refused, not searched in part.
#[test]
fn a_game_must_have_what_the_query_needs() {
    let asking_for_variations = RunOptions { variations: Some(true), ..RunOptions::default() };
    for (query, dialect, options, read, missing) in [
        ("mate", Dialect::CQLI, RunOptions::default(), Needs::TAGS, "moves"),
        (
            "cql(variations) mate",
            Dialect::CQLI,
            RunOptions::default(),
            Needs::MAIN_LINE,
            "variations",
        ),
        ("mate", Dialect::CQLI, asking_for_variations, Needs::MAIN_LINE, "variations"),
        (
            "originalcomment \"x\"",
            Dialect::CQLI,
            RunOptions::default(),
            Needs::MAIN_LINE,
            "comments",
        ),
    ] {
        let analyzed = crate::analyze(query, dialect).unwrap().query;
        let compiling = CompileOptions { trace: true, ..CompileOptions::default() };
        let program = Program::compile_with(&analyzed, &compiling).unwrap();
        let mut reader = Reader::new();
        let context = GameContext { number: 1, last_number: None, options: &options };
        let mut machine = Machine::new(program.clone());
        let game = reader.read(LINE, read);
        let message = format!("the game was read without what the query needs: {missing}");
        assert_eq!(machine.run(&game, &context).unwrap_err().to_string(), message, "{query}");
        assert_eq!(machine.traces(&game, &context, &[0]).unwrap_err().message, message);
        let game = reader.read(LINE, program.needs_with(&options));
        assert_eq!(machine.run(&game, &context).unwrap().error, None, "{query}");
    }
    // Nothing is missing of a game that has no more than was read.
    let bare = reader_of(b"1. e4 *", Needs::MAIN_LINE);
    assert!(bare("cql(variations) originalcomment \"x\"", Dialect::CQLI).is_ok());
    let unknown = b"[FEN \"x\"]\n\n1. e4 *";
    assert!(reader_of(unknown, Needs::ALL)("mate", Dialect::CQLI).is_ok());
    let message = reader_of(unknown, Needs::ALL)("mate", Dialect::CQL6).unwrap_err().to_string();
    assert!(message.ends_with("needs: the usual initial position"), "{message}");
}

/// Runs queries on a game that was read so.
fn reader_of(pgn: &[u8], needs: Needs) -> impl Fn(&str, Dialect) -> Result<(), crate::RunError> {
    move |query, dialect| {
        let analyzed = crate::analyze(query, dialect).unwrap().query;
        let program = Program::compile(&analyzed).unwrap();
        let options = RunOptions::default();
        let context = GameContext { number: 1, last_number: None, options: &options };
        let mut reader = Reader::new();
        Machine::new(program.clone()).run(&reader.read(pgn, needs), &context).map(|_| ())
    }
}
