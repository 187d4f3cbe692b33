//! `--columns`.

use crate::bench::{Bench, corpus};

#[test]
fn the_columns_are_chosen() {
    let bench = Bench::new();
    let words = ["-i", "games.pgn", "-o", "o.csv", "-o", "o.jsonl", "-o", "o.pgn"];
    let list = ["--columns", "file,number,event,san,uci,sort:\"a, b\"", "--nosort"];
    let query = ["--cql", "mate sort \"a, b\" ply"];
    bench.expect(0, &[&words[..], &list, &query].concat());
    assert_eq!(
        bench.text("o.csv"),
        "file,number,event,san,uci,\"a, b\"\n\
         games.pgn,1,a,Qh4#,d8h4,4\ngames.pgn,3,c,Qxf7#,h5f7,7\n"
    );
    assert_eq!(
        bench.text("o.jsonl").lines().next().unwrap(),
        "{\"file\": \"games.pgn\", \"number\": 1, \"event\": \"a\", \"san\": \"Qh4#\", \
         \"uci\": \"d8h4\", \"a, b\": 4}"
    );
    let (stdout, _) = bench.expect(
        0,
        &["-i", "games.pgn", "--format", "csv", "--columns", "ply", "--cql", "mate", "-q"],
    );
    assert_eq!(stdout, "ply\n4\n7\n");
    // Columns among the default options are for the outputs that have columns.
    bench.put("config", b"--columns\nply\n");
    let mut command = bench.command(&["-i", "games.pgn", "-o", "o.pgn", "--cql", "mate"]);
    let output = command.env("BABSON_CONFIG", bench.path("config")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn columns_with_errors() {
    let bench = Bench::new();
    for (words, part) in [
        (
            &["-o", "o.csv", "--columns", "nextsan"][..],
            "--columns: 'nextsan' is not a column; did you mean next.san?",
        ),
        (
            &["-o", "o.csv", "--columns", "sort:x"],
            "--columns: no query has a sort key called x; there is none",
        ),
        (&["-o", "o.pgn", "--columns", "fen"], "--columns: no output has columns"),
        (&["-o", "o.epd", "--columns", "fen"], "--columns: no output has columns"),
        (&["-o", "o.html", "--columns", "fen"], "--columns: no output has columns"),
        (&["-o", "o.arrow", "--columns", "fen"], "--columns: no output has columns"),
        (&["--columns", "fen"], "--columns: no output has columns"),
        (&["--count", "--columns", "fen"], "--columns: no output has columns"),
    ] {
        let all = [&["-i", "games.pgn"][..], words, &["--cql", "mate"]].concat();
        let (_, stderr) = bench.expect(2, &all);
        assert!(stderr.contains(part), "{words:?}: {stderr}");
    }
}

/// More rows are appended only to rows of the same columns.
#[test]
fn a_table_grows_by_rows_of_its_columns() {
    let bench = Bench::new();
    let append = |code, columns| {
        let words = ["-i", "games.pgn", "--append", "o.csv", "--columns", columns];
        bench.expect(code, &[&words[..], &["--cql", "mate"]].concat()).1
    };
    append(0, "san");
    append(0, "san");
    let stderr = append(3, "uci");
    assert!(stderr.contains("o.csv: it begins with another row of headings"), "{stderr}");
    assert_eq!(bench.text("o.csv"), "san\nQh4#\nQxf7#\nQh4#\nQxf7#\n");
}

/// A position before a promotion shows the promotion.
#[test]
fn the_next_move_is_a_column_by_default() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    let words = ["-i", &games, "-o", "o.csv", "-o", "o.jsonl", "--cql", "move promote [RBN]"];
    bench.expect(0, &words);
    let rows = bench.text("o.csv");
    assert!(
        rows.starts_with("game,input,number,id,ply,move,next,fen,comment,white,black,"),
        "{rows}"
    );
    assert!(rows.contains(",31...Qd6,32.e8=N+,"), "{rows}");
    assert!(bench.text("o.jsonl").contains("\"next\": \"32.e8=N+\""));
}

#[test]
fn slices_have_the_same_rows() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    let list = ["--columns", "query,game,number,offset,white,next.uci,comment,sort:ply"];
    let query = ["--cql", "check movenumber > 50 sort \"ply\" ply"];
    let names = ["o.csv", "o.tsv", "o.jsonl", "o.json"];
    let outputs: Vec<&str> = names.iter().flat_map(|name| ["-o", *name]).collect();
    bench.expect(0, &[&["-i", &games][..], &query, &outputs, &list].concat());
    let whole = names.map(|name| bench.text(name));
    let (plan, _) = bench.expect(0, &["plan", &games, "--slices", "3"]);
    let mut merge = vec!["merge"];
    let parts: Vec<String> = (0..plan.lines().count()).map(|part| format!("{part}.part")).collect();
    for (slice, part) in plan.lines().zip(&parts) {
        bench.expect(0, &[&["scan", "--slice", slice, "-o", part][..], &query].concat());
        merge.push(part);
    }
    bench.expect(0, &[&merge[..], &outputs, &list].concat());
    assert!(whole == names.map(|name| bench.text(name)));
}

/// The outputs of a `.json` and a `.tsv` that are not one whole file of whole games.
#[test]
fn arrays_and_tabs_in_parts() {
    let bench = Bench::new();
    let search = |code, words: &[&str]| {
        bench.expect(code, &[&["-i", "games.pgn"], words, &["--cql", "ply < 2"]].concat())
    };
    // Each file of a split output is an array.
    search(0, &["-o", "{tag:Event}.json", "--columns", "game,ply", "--maxopenoutputfiles", "1"]);
    assert_eq!(
        bench.text("a.json"),
        "[\n{\"game\": 1, \"ply\": 0},\n{\"game\": 1, \"ply\": 1}\n]\n"
    );
    search(0, &["--append", "o.tsv", "--columns", "game,ply", "--limit", "1"]);
    search(0, &["--append", "o.tsv", "--columns", "game,ply", "--limit", "1"]);
    assert_eq!(bench.text("o.tsv"), "game\tply\n1\t0\n1\t1\n1\t0\n1\t1\n");
    for name in ["o.json", "{tag:Event}.json"] {
        let (_, stderr) = search(2, &["--append", name]);
        assert!(
            stderr.contains("a JSON array cannot be appended to; append to a .jsonl"),
            "{stderr}"
        );
    }
    for name in ["o.json", "f.tsv"] {
        let (_, stderr) = search(2, &["-o", name, "--fragment"]);
        assert!(stderr.contains("parts of games are written as .pgn or .epd"), "{stderr}");
        assert!(!bench.path(name).exists(), "{name}");
    }
    search(0, &["-o", "out.json", "--safecsv"]);
    bench.put("formula.cql", b"initial settag(\"Event\" \"=1+1\")");
    let words = ["-i", "games.pgn", "-q", "--format", "tsv", "--columns", "event", "--limit", "1"];
    let (stdout, _) = bench.expect(0, &[&words[..], &["--safecsv", "formula"]].concat());
    assert_eq!(stdout, "event\n'=1+1\n");
}
