//! The scripts of `babson completions`, run by their shells. That for PowerShell is not run.

use std::process::Command;

use crate::bench::Bench;

/// Command lines, and what is offered for their last word in a folder with `games.pgn`, `mate.cql`
/// and `all.cql`: the options and operands of the command, and files and choices after options.
const LINES: &[(&str, &str)] = &[
    ("babson con", "convert"),
    ("babson ma", "man mate.cql"),
    ("babson --thr", "--threads"),
    ("babson check --thr", ""),
    ("babson check ma", "mate.cql"),
    ("babson perft --", "--divide --help --variant"),
    ("babson convert --to ", "ascii modern unicode"),
    ("babson convert -o ga", "games.pgn"),
    ("babson check --dialect ", "cql6 cqli"),
    ("babson completions ", "bash fish powershell zsh"),
    ("babson help positioni", "positionid"),
    ("babson help E010", "E0101 E0102 E0103 E0104 E0105 E0106 E0107 E0108 E0109"),
    ("babson help stalem", "stalemate"),
    ("babson cookbook windm", "windmill"),
    ("babson cookbook smoth", "smothered"),
    ("babson cookbook mate", "material mates"),
    ("babson cookbook windmill ga", "games.pgn"),
    ("babson --format j", "json jsonl"),
    ("babson --format ts", "tsv"),
    ("babson --columns white", "white white_elo"),
    ("babson --columns game,next", "game,next game,next.san game,next.uci"),
    ("babson merge --columns game,fi", "game,field:"),
    ("babson --group pl", "player ply"),
    ("babson --group year,dec", "year,decade"),
    ("babson --cql stalem", "stalemate"),
    ("babson position --cql stalem", "stalemate"),
    ("babson position ga", ""),
    ("babson man ga", ""),
    ("babson --limit ga", ""),
];

/// Checks what a shell offers. `complete` makes the program that prints the words that are offered
/// for a line, one on each line, in the folder of `script`. Skipped if the shell is not there.
///
/// Of a list with commas bash and fish offer the whole word, and zsh its last item.
fn check(shell: &str, script: &str, complete: impl Fn(&str) -> Command) {
    if Command::new(shell).arg("--version").output().is_err() {
        eprintln!("skipped: {shell} is not installed");
        return;
    }
    let bench = Bench::new();
    bench.put(script, bench.expect(0, &["completions", shell]).0.as_bytes());
    // The shells neither read nor write the files of whoever runs the tests.
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("setup.zsh"), include_str!("../stand-ins/setup.zsh")).unwrap();
    for (line, offered) in LINES {
        let mut program = complete(line);
        program.current_dir(bench.path(""));
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
            program.env(name, home.path());
        }
        let output = program.output().unwrap();
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let mut found: Vec<&str> = text.split_whitespace().collect();
        found.sort_unstable();
        let offered = offered.split_whitespace().map(|word| match shell {
            "zsh" => word.rsplit(',').next().unwrap_or(word),
            _ => word,
        });
        let offered: Vec<&str> = offered.collect();
        assert_eq!(found, offered, "{shell}: {line}");
    }
}

#[test]
fn bash_completes_the_words_of_a_command() {
    check("bash", "script", |line| {
        let words: Vec<String> = line.split(' ').map(|word| format!("'{word}'")).collect();
        let script = format!(
            "source ./script; COMP_WORDS=({}); COMP_CWORD={}; _babson; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words.join(" "),
            words.len() - 1
        );
        let mut bash = Command::new("bash");
        bash.args(["--norc", "-c", &script]);
        bash
    });
}

#[test]
fn fish_completes_the_words_of_a_command() {
    check("fish", "script", |line| {
        let script = "source ./script; complete -C $argv[1] | string split -f 1 \\t";
        let mut fish = Command::new("fish");
        fish.args(["--no-config", "-c", script, line]);
        fish
    });
}

#[test]
fn zsh_completes_the_words_of_a_command() {
    check("zsh", "_babson", |line| {
        let mut zsh = Command::new("zsh");
        zsh.args(["-f", "-c", include_str!("../stand-ins/complete.zsh"), "zsh", line]);
        zsh
    });
}
