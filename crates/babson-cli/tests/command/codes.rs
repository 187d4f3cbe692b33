//! Each code of the catalogue whose example is in words is provoked by a situation.

use babson::compile::QuerySpans;
use babson::diagnostic::{Code, Example};
use babson::{Query, QueryBuilder, Span};

use super::bench::Bench;

/// What provokes a code.
enum Situation {
    /// The words of the command, run in a folder with the files.
    Command { words: Vec<String>, files: Vec<(String, Vec<u8>)> },
    /// A query of a program.
    Program(Box<QueryBuilder>),
}

impl Situation {
    fn of(words: &[&str]) -> Situation {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Situation::Command { words, files: Vec::new() }
    }

    fn program(query: QueryBuilder) -> Situation {
        Situation::Program(Box::new(query))
    }

    fn query(query: &str) -> Situation {
        Situation::of(&["check", "--cql", query])
    }

    /// A query that is too long for the words of a command.
    fn long(query: String) -> Situation {
        Situation::of(&["check", "long.cql"]).file("long.cql", query)
    }

    fn file(mut self, name: &str, content: impl Into<Vec<u8>>) -> Situation {
        if let Situation::Command { files, .. } = &mut self {
            files.push((name.to_owned(), content.into()));
        }
        self
    }
}

/// The situation for a code, or `None` for one that no command provokes in a test.
fn situation(code: Code) -> Option<Situation> {
    Some(match code {
        // 4 GiB.
        Code::QueryTooLong => return None,
        // No known query reaches the limit; `growth` of babson-lang tries many queries.
        Code::TooAmbiguous => return None,
        Code::InvalidVariableName => Situation::program(Query::builder("mate").variable("K", 1)),
        Code::UnknownTransform => {
            let (transforms, query) = (vec![Span::new(0, 6)], Span::new(7, 11));
            let parts = QuerySpans { transforms, query, ..QuerySpans::default() };
            Situation::program(Query::builder("mirror mate").spans(parts))
        }
        Code::AddedToCql3 => {
            let (filters, query) = (vec![Span::new(0, 4)], Span::new(5, 28));
            let parts = QuerySpans { filters, query, ..QuerySpans::default() };
            Situation::program(Query::builder("mate (match (position :mate))").spans(parts))
        }
        Code::NotUtf8 => Situation::of(&["check", "a.cql"]).file("a.cql", b"tag \"\xe9\" mate"),
        Code::MisplacedHeader => Situation::query("cql() mate"),
        Code::NestedTooDeep => Situation::query(&["{".repeat(300), "}".repeat(300)].join("mate")),
        Code::TooManyFilters => {
            let twice = |i| format!("function twice{i}() {{ twice{0}() twice{0}() }} ", i - 1);
            let functions: String = (1..24).map(twice).collect();
            Situation::query(&format!("function twice0() {{ mate }} {functions} twice23()"))
        }
        Code::TooManyOperators => Situation::query(&["1"; 1000].join(" + ")),
        Code::TooManyRegisters => {
            let variables: String = (0..66_000).map(|i| format!("v{i}=ply ")).collect();
            Situation::long(variables)
        }
        Code::ImportNotFound => Situation::query("import \"nosuch\" mate"),
        Code::ImportCycle => Situation::of(&["check", "a.cql"]).file("a.cql", "import \"a\" mate"),
        Code::TooManyImports => {
            let imports: String = (0..101).map(|i| format!("import \"m{i}\" ")).collect();
            let query = Situation::of(&["check", "a.cql"]).file("a.cql", format!("{imports} mate"));
            (0..101).fold(query, |query, i| {
                query.file(&format!("m{i}.cql"), format!("function f{i}() {{ mate }}"))
            })
        }
        Code::ImportedHeader => Situation::of(&["check", "a.cql"])
            .file("a.cql", "import \"m\" mate")
            .file("m.cql", "cql(silent) function f() { mate }"),
        Code::ImportedFilter => Situation::of(&["check", "a.cql"])
            .file("a.cql", "import \"m\" mate")
            .file("m.cql", "mate"),
        Code::NeedsVariations => Situation::of(&["games.pgn", "--cql", "hhdb mainline", "--count"]),
        Code::FailedFilter => {
            Situation::of(&["games.pgn", "--cql", "while(true) {true}", "--count"])
        }
        Code::ForbiddenAccess => {
            Situation::of(&["check", "--secure", "--cql", "writefile(\"a.cqo\" \"b\")"])
        }
        Code::UnreadableFile => {
            Situation::of(&["check", "--cql", "similarposition \"nosuch.pgn\""])
        }
        Code::NotAnInput => Situation::of(&["a.cql"]).file("a.cql", "cql(input games.doc) mate"),
        Code::NotAnOutput => {
            let query = Situation::of(&["games.pgn", "a.cql"]);
            query.file("a.cql", "cql(output games.txt) mate")
        }
        other => panic!("{other} {other:?} has an example in words, and no situation here"),
    })
}

fn printed(situation: Situation) -> String {
    match situation {
        Situation::Command { words, files } => {
            let bench = Bench::new();
            for (name, content) in files {
                bench.put(&name, &content);
            }
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            String::from_utf8_lossy(&bench.run(&words).stderr).into_owned()
        }
        Situation::Program(query) => {
            let error = query.compile().unwrap_err();
            error.diagnostics().iter().map(|one| format!("error[{}]: {one}\n", one.code)).collect()
        }
    }
}

#[test]
fn each_situation_provokes_its_code() {
    let mut wrong = Vec::new();
    for &code in Code::ALL {
        let Example::Elsewhere(words) = code.entry().example else {
            continue;
        };
        assert!(!words.is_empty(), "{code} has no example");
        let Some(situation) = situation(code) else {
            continue;
        };
        let printed = printed(situation);
        if !printed.contains(&format!("[{code}]")) {
            let begin: String = printed.chars().take(300).collect();
            wrong.push(format!("{code} {code:?}: {begin}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
