//! Texts that are made where they are read.

use babson_lang::Dialect;

use super::{LINE, profiled, run_program};
use crate::{Outcome, Program, RunOptions};

/// Returns how many texts of the query are deferred, and its outcome. Checks that a program that
/// defers no text has the same outcome.
fn deferred(query: &str) -> (usize, Outcome) {
    let analysis = crate::analyze(query, Dialect::CQLI);
    let typed = analysis.unwrap_or_else(|errors| panic!("{query}: {errors:?}")).query;
    let program = Program::compile(&typed).expect("small");
    // A profiled program evaluates each filter where it stands.
    let eager = profiled(&typed).expect("small");
    let options = RunOptions { variations: Some(true), ..RunOptions::default() };
    let outcome = run_program(&program, LINE, &options);
    assert_eq!(outcome.error, None, "{query}");
    assert_eq!(
        format!("{outcome:?}"),
        format!("{:?}", run_program(&eager, LINE, &options)),
        "{query}"
    );
    let notes = program.parts().code.notes.iter();
    (notes.filter(|note| note.ends_with("deferred until it is read")).count(), outcome)
}

#[test]
fn a_text_that_later_filters_read_is_deferred() {
    for read in [
        "message quiet(t)",
        "comment(t \" \" t)",
        "if check message quiet(\"(\" t \")\")",
        "u = t u[0] = \"Z\" message quiet(u t)",
        "sum += t message quiet(sum)",
        "while (#sum < 20) {sum += t} message quiet(sum)",
        "t < \"Q\" message quiet(t)",
        "t ~~ \"[QR]\" message quiet(t)",
        "settag(\"T\" t)",
        "square s in a-h1 {comment(t s)}",
        "not {comment(t) false} message quiet(t)",
        "{comment(\"x\") t == \"\"} or message quiet(t)",
        "{comment(t) false} or {comment(t) false} or message quiet(t)",
        // On other boards it is still the text of this one.
        "imagine swap one k : message quiet(t one)",
        "imagine swap one k : imagine piece Q --> one : message quiet(t one)",
        "{find message quiet(t one)} or true",
        "{line --> . --> message quiet(t one)} or true",
        "{position 0 : message quiet(t one)} or true",
        "{move legal : message quiet(t one)} or true",
        "echo quiet (source target) {ply == 3 message quiet(t one)} or true",
    ] {
        for around in [
            "piece one in [Aa] {t = str(one) READ}",
            "piece one in [QqRr] {square x in c-f4-6 {t = str(\"<\" one x \">\") READ}}",
            "imagine sidetomove reverse : piece one in [Qq] {t = str(one \"!\") READ}",
            "imagine piece Q --> e4 : piece one in [Qq] {imagine swap one d4 : {t = str(one \"!\") READ}}",
            "piece one in [Qq] {find {t = str(one \"!\") READ}}",
        ] {
            let query = format!("sum = \"\" {{{}}} or true", around.replace("READ", read));
            let (count, outcome) = deferred(&query);
            assert_eq!(count, 1, "{query}");
            assert!(outcome.matched);
        }
    }
}

#[test]
fn a_text_that_a_filter_elsewhere_reads_is_made_at_once() {
    for query in [
        // After the conjunction, before it, and in the next turn of a loop.
        "t = \"\" {piece one in [Aa] {t = str(one) check}} or true message quiet(t)",
        "t = \"\" {piece one in [Aa] {t = str(one) one attacks k}} or true {isbound t message quiet(t)} or true",
        "t = \"\" piece one in [Aa] {message quiet(t) t = str(one)}",
        "t = \"\" turn = 0 piece one in [Qq] {while (turn < 3) {turn += 1 {turn > 1 message quiet(t)} or true t = str(one)}}",
        "piece one in [Qq] {if one attacks k t = str(one) message quiet(\"?\") {isbound t message quiet(t)} or true}",
        // Something else changes it, or knows whether it is bound.
        "piece one in [Qq] {t = str(one) t += \"!\" message quiet(t)}",
        "piece one in [Qq] {t = str(one) t[0] = \"!\" message quiet(t)}",
        "piece one in [Qq] {t = str(one) unbind t message quiet(isbound t)}",
        "piece one in [Qq] {t = str(one) t = str(one one) message quiet(t)}",
        // Its parts change.
        "turn = 1 piece one in [Qq] {t = str(one turn) turn += 1 message quiet(t)}",
        "square s in a-h1 {u = s t = str(u) u = a1 message quiet(t)}",
        "square s in a-h1 {t = str(s ply) find message quiet(t)}",
        // To print a position writes a comment there.
        "echo quiet (source target) {ply == 3 t = str(source target) message quiet(t)} or true",
        // It outlives the game.
        "persistent t = \"\" piece one in [Qq] {t = str(one) message quiet(t)}",
    ] {
        let Ok(_) = crate::analyze(query, Dialect::CQLI) else {
            panic!("{query} is not sound");
        };
        assert_eq!(deferred(query).0, 0, "{query}");
    }
}

#[test]
fn a_text_made_in_a_failing_filter_is_kept() {
    // The comments of a failing filter are taken back, and with them text that nothing else uses.
    let query = "piece one in Q {t = str(one \" stands\") \
        {{comment(\"a\" t) false} or true} {comment(\"0123456789abcdef\") true} message quiet(t)}";
    let (count, outcome) = deferred(query);
    assert_eq!(count, 1);
    let text = String::from_utf8(outcome.messages).expect("messages are text");
    assert!(text.starts_with("Qd1 stands\nQd1 stands\n"), "{text}");
}
