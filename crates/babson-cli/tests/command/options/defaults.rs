//! The file of default options.

use crate::bench::Bench;

#[test]
fn default_options() {
    let bench = Bench::new();
    bench.put("remark.cql", b"cql()\n; a remark\nmate");
    bench.put("cqli.cql", b"cql(dialect cqli)\n; a remark\nmate");
    bench.put("write.cql", b"writefile(\"made.cqo\" \"x\")");
    let run = |config: &[u8], code: i32, words: &[&str]| {
        bench.put("config", config);
        let output = bench.command(words).env("BABSON_CONFIG", "config").output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{words:?}\n{stdout}\n{stderr}");
        (stdout, stderr)
    };
    let scan = ["-i", "games.pgn", "--count"];
    let cql6 = b"# my defaults\n\n--dialect=cql6\n--limit\n1\n";
    assert_eq!(run(cql6, 0, &[&scan[..], &["remark"]].concat()).0, "1\n");
    // What is written wins, and so does what a query says of itself.
    assert_eq!(run(cql6, 0, &[&scan[..], &["remark", "--limit", "2"]].concat()).0, "2\n");
    run(cql6, 1, &[&scan[..], &["remark", "--dialect", "cqli"]].concat());
    run(cql6, 1, &[&scan[..], &["cqli"]].concat());
    run(cql6, 1, &[&scan[..], &["remark", "--no-config"]].concat());
    run(b"--quiet", 0, &[&scan[..], &["mate", "--silent"]].concat());
    // The other commands take those that are theirs.
    run(cql6, 0, &["check", "remark"]);
    run(cql6, 1, &["check", "remark", "--noconfig"]);
    for words in [&["fmt", "--check", "mate.cql"][..], &["convert", "--to", "ascii", "remark.cql"]]
    {
        let output = bench.run(words);
        let config = b"--dialect=cql6\n--threads=4";
        bench.put("config", config);
        let words: Vec<&str> = words.to_vec();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_babson"));
        let status = command
            .current_dir(bench.path(""))
            .args(&words)
            .env("BABSON_CONFIG", "config")
            .output()
            .unwrap()
            .status;
        assert!(status.code() != Some(2), "{words:?} {output:?}");
    }
    // Nothing lifts --secure, here or there.
    for (config, option) in [(&b"--secure"[..], "--count"), (b"--count", "--secure")] {
        let (_, stderr) = run(config, 1, &["-i", "games.pgn", "write", option]);
        assert!(stderr.contains("forbidden by --secure"), "{stderr}");
    }
    for wrong in ["--nosecure", "--secure=no", "--no-secure"] {
        let (_, stderr) = run(wrong.as_bytes(), 2, &["-i", "games.pgn", "write", "--secure"]);
        assert!(stderr.contains("$BABSON_CONFIG"), "{stderr}");
    }
    assert!(!bench.path("made.cqo").exists());
    // A file that cannot be read might have held --secure.
    for command in [&["-i", "games.pgn", "--count", "mate"][..], &["check", "mate"]] {
        let output = bench.command(command).env("BABSON_CONFIG", "none").output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let output = bench.command(command).env("BABSON_CONFIG", "").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    for wrong in [&b"mate.cql"[..], b"--help", b"-u\nmate.cql", b"--threads 4", b"\xff"] {
        run(wrong, 2, &["-i", "games.pgn", "--count", "mate"]);
    }
}
