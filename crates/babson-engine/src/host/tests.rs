//! `commandpipe`: a program that answers, and all that can be wrong with one.

#![cfg(unix)]

use babson_lang::Dialect;

use super::*;
use babson_vm::{GameContext, Machine, Outcome, PipeError, Program, RunLimit, RunOptions};

const LINE: &[u8] = b"1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 *\n";

fn with(host: &SystemHost) -> RunOptions {
    RunOptions { host: Arc::new(host.clone()), ..RunOptions::default() }
}

/// The options of a host with little patience.
fn options() -> RunOptions {
    with(&SystemHost::new().with_pipe_timeout(Duration::from_millis(300)))
}

/// Runs a query `games` times on the same game with one machine, closes the pipes, and returns the
/// outcomes.
fn outcomes(query: &str, options: &RunOptions, games: u64) -> Vec<Outcome> {
    let analysis = babson_lang::analyze(query, Dialect::CQLI).expect("the query is sound");
    let program = Program::compile(&analysis.query).expect("the query is small");
    let mut machine = Machine::new(program.clone());
    let all = play(&mut machine, options, games);
    assert_eq!(machine.close_pipes(), None);
    all
}

/// Runs the machine on `games` games and returns the outcomes. The pipes stay open.
fn play(machine: &mut Machine, options: &RunOptions, games: u64) -> Vec<Outcome> {
    let mut reader = babson_pgn::Reader::new();
    let mut all = Vec::new();
    for number in 1..=games {
        let game = reader.read(LINE, babson_pgn::Needs::ALL);
        let context = GameContext { number, last_number: None, options };
        all.push(machine.run(&game, &context).unwrap().clone());
    }
    all
}

fn run(query: &str) -> Outcome {
    outcomes(query, &options(), 1).remove(0)
}

fn messages(query: &str) -> String {
    let outcome = run(query);
    assert_eq!(outcome.error, None);
    String::from_utf8(outcome.messages).expect("messages are text")
}

#[test]
fn a_process_answers_line_by_line() {
    let query = r#"ply <= 2 message quiet (commandpipe("cat" str("at ply " ply)))"#;
    assert_eq!(messages(query), "at ply 0\nat ply 1\nat ply 2\n");
    // One process for both filters: it counts on.
    let counter = r#"sh -c 'while read x; do i=$((i+1)); echo $i:$x; done'"#;
    let query = format!(
        r#"initial message quiet (commandpipe("{counter}" "a")) message quiet (commandpipe("{counter}" "b"))"#
    );
    assert_eq!(messages(&query), "1:a\n2:b\n");
}

#[test]
fn a_process_lives_from_game_to_game() {
    let query = r#"initial message quiet (commandpipe("sh -c 'while read x; do i=$((i+1)); echo $i; done'" "x"))"#;
    let texts: Vec<Vec<u8>> =
        outcomes(query, &options(), 3).into_iter().map(|outcome| outcome.messages).collect();
    assert_eq!(texts, [b"1\n", b"2\n", b"3\n"]);
}

#[test]
fn an_empty_answer_is_no_value() {
    let pipe = r#"commandpipe("sh -c 'while read x; do echo; done'" "x")"#;
    assert!(!run(&format!("initial {pipe}")).matched);
    assert!(run(&format!("initial not {pipe}")).matched);
    assert!(!run(&format!(r#"initial {pipe} == """#)).matched);
    let query = format!(r#"initial if {pipe} == "1" then false else true"#);
    assert!(run(&query).matched);
    assert_eq!(messages(&format!("initial message quiet ({pipe})")), "<false>\n");
}

#[test]
fn a_value_like_any_other() {
    assert!(run(r#"initial int commandpipe("cat" "41") + 1 == 42"#).matched);
    assert!(
        run(r#"initial flipcolor {commandpipe("cat" currentposition:fen) ~~ "RNBQKBNR" wtm}"#)
            .matched
    );
    // A line may end with CR LF, as on Windows.
    let query = r#"initial commandpipe("sh -c 'read x; printf ok%b $0' '\r\n'" "x") == "ok""#;
    assert!(run(query).matched);
}

#[test]
fn failures_are_errors_of_the_game() {
    let error = |script: &str| {
        let query = format!(r#"initial commandpipe("sh -c '{script}'" "x")"#);
        let error = run(&query).error.expect("an error");
        assert_eq!(error.filter, "commandpipe");
        assert!(!error.fatal, "{}", error.message);
        assert_eq!(error.span.start, 8);
        error.message
    };
    assert!(error("exit 3").contains("ended without an answer (exit status: 3)"));
    assert!(error("read x; printf half").contains("ended without an answer"));
    assert!(error("sleep 60").contains("no answer within 0.3 s"));
    let late = run(r#"initial commandpipe("sleep 60" "x")"#).error.expect("an error");
    assert_eq!(late.limit, Some(RunLimit::AnswerTime));
    assert!(error("read x; head -c 9 /dev/zero; echo; cat").contains("NUL"));
    assert!(error("read x; cat /dev/zero | tr a b").contains("more than 65536 bytes"));
    assert!(error("read x; printf \\\\377; echo; cat").contains("not UTF-8"));
}

#[test]
fn a_process_that_talks_unasked_is_told_so() {
    for script in ["yes", "sh -c 'while read x; do printf %b $0; done' '1\\n2\\n'"] {
        let outcome = run(&format!(r#"initial commandpipe("{script}" "x")"#));
        let error = outcome.error.expect("an error");
        assert!(error.message.contains("more than one line for a request"), "{error:?}");
        assert!(error.fatal);
    }
}

/// However late the second line comes, no query runs to its end with the answers of such a program.
#[test]
fn a_second_line_is_found_before_the_next_request_or_in_the_end() {
    for (script, games) in [
        // With the first answer, soon after it, when the query has ended, when the input has.
        ("while read x; do echo 1; echo 2; done", 1),
        ("while read x; do echo 1; sleep 0.01; echo 2; done", 1),
        ("while read x; do echo 1; sleep 0.3; echo 2; done", 1),
        ("while read x; do echo 1; done; echo 2", 1),
        ("while read x; do echo 1; done; printf unfinished", 1),
        // Not with the first answers.
        ("read x; echo 1; read x; echo 2; read x; echo 3; echo 4; cat", 3),
        ("read x; echo 1; read x; echo 2; read x; echo 3; sleep 0.2; echo 4; cat", 3),
        ("read x; echo 1; read x; echo 2; echo 3; read x; echo 4; cat", 20),
    ] {
        let query = format!(r#"initial commandpipe("sh -c '{script}'" "x")"#);
        let analysis = babson_lang::analyze(&query, Dialect::CQLI).expect("it is sound");
        let program = Program::compile(&analysis.query).expect("it is small");
        let mut machine = Machine::new(program.clone());
        let played = play(&mut machine, &options(), games);
        let error = played.into_iter().find_map(|outcome| outcome.error);
        let error = error.or(machine.close_pipes()).expect(script);
        assert!(error.message.contains("more than one line"), "{script}: {error:?}");
        assert!(error.fatal && error.span.start == 8, "{script}: {error:?}");
    }
}

#[test]
fn a_new_process_for_the_next_game_until_it_is_hopeless() {
    let query = r#"initial commandpipe("false" "x")"#;
    let fatal: Vec<bool> = outcomes(query, &options(), 3)
        .into_iter()
        .map(|outcome| outcome.error.expect("an error").fatal)
        .collect();
    assert_eq!(fatal, [false, false, true]);
    let error = run(r#"initial commandpipe("/no/such/program" "x")"#).error.unwrap();
    assert!(error.fatal && error.message.contains("cannot start \"/no/such/program\""));
    let error = run(r#"initial commandpipe("cat" "a" + \n + "b")"#).error.unwrap();
    assert!(!error.fatal && error.message.contains("more than one line"));
}

#[test]
fn nothing_is_left_of_a_process() {
    let folder = tempfile::tempdir().unwrap();
    // It does not end by itself, and has a child.
    let file = folder.path().join("pids");
    let script =
        format!("echo $$ > {0}; sleep 60 & echo $! >> {0}; read x; echo 1; wait", file.display());
    let query = format!(r#"initial commandpipe("sh -c '{script}'" "x")"#);
    assert!(outcomes(&query, &with(&SystemHost::new()), 1)[0].matched);
    for pid in std::fs::read_to_string(&file).unwrap().lines() {
        // Killed is not dead at once, and then init has to notice.
        let gone = || {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.is_empty() || stat.contains(") Z ")
        };
        let mut looks = 0;
        while !gone() {
            looks += 1;
            assert!(looks < 10_000, "{pid} lives");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// The programs of a host that is killed are gone, and it starts no others. Another host in the
/// same process does not notice.
#[test]
fn a_host_kills_only_its_own_programs() {
    let hosts = [SystemHost::new(), SystemHost::new()];
    let [mut killed, mut other] =
        hosts.each_ref().map(|host| host.start_program(&["cat".to_owned()]).expect("cat is there"));
    assert_eq!(killed.ask(b"1"), Ok(b"1".to_vec()));
    assert_eq!(other.ask(b"1"), Ok(b"1".to_vec()));
    let handle = hosts[0].clone();
    drop(handle.kill_children());
    let status = Some("signal: 9 (SIGKILL)".to_owned());
    assert_eq!(killed.ask(b"2"), Err(PipeError::Ended(status)));
    let started = hosts[0].start_program(&["cat".to_owned()]);
    assert!(matches!(started, Err(HostError::Failed(why)) if why.to_string().contains("killed")));
    assert_eq!(other.ask(b"2"), Ok(b"2".to_vec()));
    assert_eq!(other.close(), Ok(()));
    assert!(hosts[1].start_program(&["cat".to_owned()]).is_ok());
}
