//! Queries at the limit of depth fit the stack of a plain thread: the parser, the type check, the
//! printers, the compiler and the drop.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros,
    reason = "tests spawn threads and print what they measured"
)]

use babson_lang::limits::MAX_DEPTH;
use babson_lang::{Dialect, ast, hir, parse, text};
use babson_vm::{Program, analyze};

/// The stack of Rust's threads, and of each test.
const STACK: usize = 2 << 20;

/// Nested filters.
struct Nest {
    /// The text before the repetitions.
    head: &'static str,
    /// The text that opens each repetition. `@` is its number.
    open: &'static str,
    inside: &'static str,
    close: &'static str,
    tail: &'static str,
}

impl Nest {
    fn text(&self, count: usize) -> String {
        let Nest { head, open, inside, close, tail } = self;
        let open: String = (0..count).map(|i| open.replace('@', &format!("{i}x"))).collect();
        format!("{head}{open}{inside}{}{tail}", close.repeat(count))
    }
}

fn nest(open: &'static str, inside: &'static str, close: &'static str) -> Nest {
    Nest { head: "cql() ", open, inside, close, tail: "" }
}

fn nests() -> Vec<Nest> {
    let chain: &'static str = "(1 + 1 + 1 + 1 + ";
    vec![
        nest("(", "check", ")"),
        nest("{", "check", "}"),
        nest("{true ", "check", "}"),
        nest("not ", "check", ""),
        nest("flip ", "K", ""),
        nest("flip {", "check", "}"),
        nest("if check then ", "check", ""),
        nest("if check then {", "check", "} else mate"),
        nest("while (mate) {", "check", "}"),
        nest("path {path -- ", "check", "}"),
        nest("path (", "--", ")"),
        Nest { head: "cql() path ", ..nest("(", "--", ")*") },
        nest("line --> (", "check", ")"),
        nest("find ", "check", ""),
        nest("up ", "K", ""),
        nest("(K attacks ", "Q", ")"),
        nest("(K | ", "Q", ")"),
        nest("(check or ", "mate", ")"),
        nest("between(K ", "Q", ")"),
        nest("max(1 ", "1", ")"),
        nest("parent:(", "check", ")"),
        nest("echo (x y) {", "check", "}"),
        nest("move from ", "K", ""),
        nest("message(", "\"x\"", ")"),
        nest("piece p@ in A {", "check", "}"),
        nest("square all p@ in A ", "check", ""),
        Nest { head: "cql() 1 < ", ..nest(chain, "1", ")") },
        Nest { head: "cql() 1 < ", ..nest("abs (1 + ", "1", ")") },
        Nest { head: "cql() function f(x){x} ", ..nest("f(", "K", ")") },
        Nest { head: "(match ", ..nest("(position :and (", "(position A)", "))") }.closed(),
        Nest { head: "(match ", ..nest("(position :shift :or (", "(position A)", "))") }.closed(),
        Nest { head: "(match ", ..nest("(position :sequence (", "(position A)", "))") }.closed(),
    ]
}

impl Nest {
    fn closed(self) -> Nest {
        Nest { tail: ")", ..self }
    }
}

/// All that is done with a query on its way to the machine. Returns the first error.
fn run(query: &str) -> Result<(), String> {
    let first = |errors: Vec<babson_lang::Diagnostic>| errors[0].message.clone();
    let analysis = analyze(query, Dialect::CQLI).map_err(first)?;
    drop(hir::print(&analysis.query));
    if !babson_lang::cql3::begins_query(query) {
        drop(ast::print::query(&parse(query, Dialect::CQLI).map_err(first)?));
        text::format(query, Dialect::CQLI).map_err(first)?;
    }
    Program::compile(&analysis.query).map_err(first)?;
    Ok(())
}

fn in_thread(query: String) -> Result<(), String> {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || run(&query));
    thread.expect("a thread").join().expect("no panic")
}

/// The deepest query of this kind that is accepted, and the next one.
fn limit(nest: &Nest) -> (usize, usize) {
    let (mut accepted, mut refused) = (1, usize::from(MAX_DEPTH) + 2);
    while refused - accepted > 1 {
        let middle = (accepted + refused) / 2;
        match in_thread(nest.text(middle)) {
            Ok(()) => accepted = middle,
            Err(_) => refused = middle,
        }
    }
    (accepted, refused)
}

/// Of each kind of nesting, the deepest query that is accepted fits the stack, and the next one is
/// an error with the limit.
#[test]
fn the_deepest_queries_fit_the_stack_of_a_thread() {
    let limits = [usize::from(MAX_DEPTH), 270, 300].map(|limit| limit.to_string());
    for nest in nests() {
        let (accepted, refused) = limit(&nest);
        let message = in_thread(nest.text(refused)).expect_err("too deep");
        let named = limits.iter().any(|limit| message.contains(limit.as_str()));
        assert!(named, "{}: {message}", nest.open);
        assert!(accepted >= 45, "{}: only {accepted}", nest.open);
        println!("{:5} {}", accepted, nest.open);
    }
}

/// A sequence may have any number of constituents.
#[test]
fn the_longest_sequences_fit_the_stack_of_a_thread() {
    for (word, constituent) in
        [("line", " --> A"), ("line", " <-- A"), ("path", " --"), ("path", " A")]
    {
        in_thread(format!("{word}{}", constituent.repeat(100_000))).expect(word);
    }
}

/// The environment variable that makes a process of [`the_stack_of_the_deepest_queries`] run one
/// query: the index of its nest, its depth, and the bytes of the stack.
const MEASURED: &str = "BABSON_MEASURED_NEST";

/// Measures the stack that the deepest queries use, for the comments in `limits.rs`. A stack that
/// is too small ends its process, so each is tried in a process of its own:
///
/// `cargo test -p babson-vm --test depth -- --ignored --nocapture`, also with `--release`
#[test]
#[ignore = "a measurement, which starts hundreds of processes"]
fn the_stack_of_the_deepest_queries() {
    let nests = nests();
    if let Ok(words) = std::env::var(MEASURED) {
        let words: Vec<usize> = words.split(' ').map(|word| word.parse().unwrap()).collect();
        let [index, depth, stack] = words[..] else { panic!("{words:?}") };
        let query = nests[index].text(depth);
        let thread = std::thread::Builder::new().stack_size(stack).spawn(move || run(&query));
        thread.expect("a thread").join().expect("no panic").expect("a good query");
        return;
    }
    let fits = |index: usize, depth: usize, stack: usize| {
        let mut test = std::process::Command::new(std::env::current_exe().expect("a path"));
        test.args(["--ignored", "--exact", "the_stack_of_the_deepest_queries"]);
        test.env(MEASURED, format!("{index} {depth} {stack}"));
        test.output().expect("the test starts").status.success()
    };
    for (index, nest) in nests.iter().enumerate() {
        let depth = limit(nest).0;
        let used = [depth, depth / 2].map(|depth| {
            let (mut small, mut large) = (0, STACK);
            while large - small > 4 << 10 {
                let middle = (small + large) / 2;
                if fits(index, depth, middle) { large = middle } else { small = middle }
            }
            large
        });
        let level = (used[0] - used[1]) / (depth - depth / 2);
        println!("{:5} KiB, {level:5} bytes a level, {depth:4} {}", used[0] >> 10, nest.open);
    }
}

/// Mixed nesting, whose levels are limited together.
#[test]
fn prefixes_and_brackets_are_limited_together() {
    let depth = usize::from(MAX_DEPTH);
    for (open, close) in [("square all p@ in A not (", ")"), ("find {not ", "}")] {
        let nest = nest(open, "check", close);
        assert!(in_thread(nest.text(depth / 3 - 1)).is_ok(), "{open}");
        assert!(in_thread(nest.text(depth)).is_err(), "{open}");
    }
}
