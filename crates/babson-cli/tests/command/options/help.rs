//! The pages of help, and the recipes.

use crate::bench::Bench;

/// Without any word the command says what it is and where to read on.
#[test]
fn the_command_alone_is_short() {
    let (stdout, _) = Bench::new().expect(0, &[]);
    assert!(stdout.lines().count() <= 40, "{}", stdout.lines().count());
    for part in ["CQL, the Chess Query Language", "--cql", "-o mates.pgn", "babson --help"] {
        assert!(stdout.contains(part), "{part} is missing: {stdout}");
    }
}

/// `-h` fits a screen and has examples; `--help` has every option.
#[test]
fn the_short_help_fits_a_screen() {
    let bench = Bench::new();
    let (short, _) = bench.expect(0, &["-h"]);
    assert!(short.lines().count() <= 24, "{short}");
    assert!(short.contains("examples:") && short.contains("babson help TOPIC"), "{short}");
    let (long, _) = bench.expect(0, &["--help"]);
    assert!(long.contains("--maxopenoutputfiles") && !short.contains("--maxopenoutputfiles"));
}

/// `babson help` and `babson help COMMAND` print what `--help` prints.
#[test]
fn help_is_a_command() {
    let bench = Bench::new();
    let stdout = |words: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_babson"))
            .args(words)
            .current_dir(bench.path(""))
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    assert_eq!(stdout(&["help"]), stdout(&["--help"]));
    for command in ["check", "explain", "profile", "fmt", "convert", "position", "perft", "help"] {
        let (code, text, _) = stdout(&["help", command]);
        assert_eq!(code, Some(0), "{command}");
        assert!(text.starts_with(&format!("usage: babson {command} ")), "{text}");
        assert!(text.starts_with(&stdout(&[command, "--help"]).1), "{command}");
    }
    let position = stdout(&["help", "position"]).1;
    for option in ["[--legal]", "[--reachable]", "[--reverse]"] {
        assert!(position.contains(option), "{position}");
    }
    assert_eq!(position.matches("--cql FILTERS  ").count(), 1, "{position}");
    assert!(position.contains("filters to evaluate on the position"), "{position}");
    for (word, hint) in [("chek", "did you mean check?"), ("xyzzy", "see babson --help")] {
        let (code, _, stderr) = stdout(&["help", word]);
        assert_eq!(code, Some(2));
        let what = "is not a command, an option or a word of the language";
        assert_eq!(stderr, format!("babson: '{word}' {what}; {hint}\n"));
    }
    // A word that is none of these, but that the help or a recipe of the cookbook mentions.
    for (word, line) in [
        ("zip", "  -i, --input FILE "),
        ("Spreadsheet", "  --safecsv, --safe-csv "),
        ("windmill", "Which games have a windmill, "),
        ("bz2", "  -i, --input FILE "),
        ("bzip2", "  -i, --input FILE "),
        ("Excel", "  -o, --output FILE "),
        (
            "novelty",
            "With which move does a game leave a database of known games?\n(Databases, recipe ",
        ),
        ("duplicates", "Which games are in a database twice?\n(Databases, recipe "),
        (
            "pandas",
            "How does a downloaded archive of games become a table in pandas?\n(Databases, recipe ",
        ),
    ] {
        let (code, text, _) = stdout(&["help", word]);
        assert_eq!((code, text.starts_with(line)), (Some(0), true), "{word}: {text}");
    }
    for option in ["--limit", "--top"] {
        let (code, _, stderr) = stdout(&["-i", "a.pgn", "--cql", "mate", option, "0"]);
        assert_eq!((code, stderr), (Some(2), format!("babson: {option}: 0 is less than 1\n")));
    }
    let (_, text, _) = stdout(&["help", "exit"]);
    assert!(text.contains("--exit-status"), "{text}");
    assert!(text.ends_with("\nExit codes  (docs/src/command-line.md#exit-codes)\n"), "{text}");
    let (code, _, stderr) = stdout(&["help", "e0899"]);
    let expected = "babson: 'e0899' is not the code of a diagnostic; near it are E0801, E0802\n";
    assert_eq!((code, stderr.as_str()), (Some(2), expected));
    let (code, _, stderr) = stdout(&["help", "check", "fmt"]);
    let expected = "babson: 'check fmt' is not a command, an option or a word of the language; \
                    see babson --help\n";
    assert_eq!((code, stderr.as_str()), (Some(2), expected));
}

const COMMANDS: [&str; 10] = [
    "check",
    "explain",
    "profile",
    "fmt",
    "convert",
    "position",
    "perft",
    "completions",
    "man",
    "help",
];

#[test]
fn the_pages_of_the_commands() {
    let bench = Bench::new();
    let pages = COMMANDS.map(|command| bench.expect(0, &["help", command]).0);
    insta::assert_snapshot!("pages", pages.join("\n"));
}

/// Every word of the language, option and command has a help.
#[test]
fn help_explains_words_and_options() {
    let bench = Bench::new();
    for (topic, part) in [
        ("castle", "In the language (Moves"),
        ("check", "usage: babson check"),
        ("check", "In the language ("),
        ("--limit", "--limit N"),
        ("limit", "(option of the search, "),
        ("checkmate", "write `mate`"),
        ("⊢", "In the language ("),
        ("-->", "In the language (Line"),
        ("error[E0201]", "error E0201: an unknown name"),
        ("E0107", "error[E0107]: the condition of `if` is one filter"),
        ("w0301", "Mended:\n\n  year == 1920\n"),
    ] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_babson"))
            .args(["help", topic])
            .current_dir(bench.path(""))
            .output()
            .unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && stdout.contains(part), "{topic}: {stdout}");
    }
}

#[test]
fn a_recipe_is_named_by_its_number_or_its_words() {
    let bench = Bench::new();
    let (all, _) = bench.expect(0, &["cookbook"]);
    assert!(all.contains("   15  Which games ended in mate?"), "{all}");
    let (recipe, _) = bench.expect(0, &["cookbook", "15"]);
    assert!(recipe.starts_with("Which games ended in mate?\n"), "{recipe}");
    assert_eq!(
        bench.expect(0, &["cookbook", "back", "rank"]),
        bench.expect(0, &["cookbook", "back rank"])
    );
    for number in ["0", "200", "99999999999999999999"] {
        let (_, told) = bench.expect(2, &["cookbook", number]);
        assert!(
            told.contains(&format!("has the number {number}: the recipes are 1 to ")),
            "{told}"
        );
    }
    let (_, told) = bench.expect(2, &["cookbook", "battery"]);
    assert!(told.contains("babson help battery prints what the book has on it"), "{told}");
    for topic in ["mate", "check", "back rank"] {
        let (found, _) = bench.expect(0, &["cookbook", topic]);
        assert!(found.contains(topic) && found.len() < all.len(), "{topic}: {found}");
    }
    bench.expect(0, &["cookbook", "15", "games.pgn", "--count"]);
    // A file that the recipe needs is missing.
    let (_, missing) = bench.expect(1, &["cookbook", "4", "games.pgn"]);
    assert!(missing.contains("--> recipe 4:"), "{missing}");
    let (_, several) = bench.expect(2, &["cookbook", "mate", "games.pgn"]);
    assert!(several.contains("name one by its number"), "{several}");
    let (_, ignored) = bench.expect(2, &["cookbook", "15", "--count"]);
    assert!(ignored.contains("name a database"), "{ignored}");
}
