//! `babson check` of folders and as SARIF.

use std::fs;

use serde_json::Value;

use crate::bench::Bench;

fn bench() -> Bench {
    let bench = Bench::new();
    for folder in ["q/lib", "q/.hidden", "q/target"] {
        fs::create_dir_all(bench.path(folder)).unwrap();
    }
    bench.put("q/good.cql", b"mate");
    bench.put("q/lib/shapes.cql", b"function near() { atacks }");
    bench.put("q/.hidden/bad.cql", b"mat");
    bench.put("q/target/bad.cql", b"mat");
    bench
}

#[test]
fn a_folder_is_checked_with_its_subfolders() {
    let bench = bench();
    let (stdout, told) = bench.expect(0, &["check", "q"]);
    assert_eq!(stdout, "");
    assert!(told.ends_with("babson: checked 2 queries: no errors, 1 warning\n"), "{told}");
    bench.put("q/lib/bad.cql", b"K atacks q");
    let (_, told) = bench.expect(1, &["check", "q"]);
    assert!(told.contains("q/lib/bad.cql:1:3"), "{told}");
    let summary = "babson: checked 3 queries: 1 error in 1 query, 1 warning\n";
    assert!(told.ends_with(summary), "{told}");
    // Each file once, whatever names it has.
    let (_, told) = bench.expect(1, &["check", "q", "q/good", "./q/../q/lib/bad.cql"]);
    assert!(told.ends_with(summary), "{told}");
    // A folder that is named is checked, whatever its name.
    bench.expect(1, &["check", "q/.hidden"]);
    // One query needs no summary.
    assert_eq!(bench.expect(0, &["check", "q/good.cql"]).1, "");
    let (json, told) = bench.expect(1, &["check", "--json", "q"]);
    let names = json.lines().map(|line| {
        let one: Value = serde_json::from_str(line).unwrap();
        one["query"].as_str().unwrap().to_owned()
    });
    let names: Vec<String> = names.collect();
    assert_eq!(names, ["q/good.cql", "q/lib/bad.cql", "q/lib/shapes.cql"]);
    assert_eq!(told, "", "a program reads the lines");
    // A folder without queries is a mistake.
    fs::create_dir(bench.path("empty")).unwrap();
    let (_, told) = bench.expect(3, &["check", "empty"]);
    assert_eq!(told, "babson: cannot read empty: the folder has no queries\n");
}

#[test]
fn fixes_reach_all_files_of_a_folder() {
    let bench = bench();
    bench.put("q/lib/wrong.cql", b"Mate && !wtm");
    bench.put("q/other.cql", b"CHECK");
    let (_, told) = bench.expect(1, &["check", "q"]);
    assert_eq!(told.matches("babson check --fix mends").count(), 1, "{told}");
    let (_, told) = bench.expect(0, &["check", "--fix", "q"]);
    for part in [
        "babson: fixed 3 mistakes in q/lib/wrong.cql\n",
        "babson: fixed 1 mistake in q/other.cql\n",
        "\nbabson: fixed 4 mistakes in 2 files; 1 warning is left to you\n",
    ] {
        assert!(told.contains(part), "{part} is missing: {told}");
    }
    assert_eq!(bench.text("q/lib/wrong.cql"), "mate and not wtm");
    assert_eq!(bench.text("q/other.cql"), "check");
    assert_eq!(bench.text("q/target/bad.cql"), "mat");
}

#[test]
fn folders_are_formatted_with_their_subfolders() {
    let bench = bench();
    bench.put("q/lib/wide.cql", b"mate    wtm\n");
    let (names, _) = bench.expect(1, &["fmt", "--check", "q"]);
    assert!(names.contains("q/lib/wide.cql\n") && !names.contains("target"), "{names}");
    bench.expect(0, &["fmt", "q"]);
    assert_eq!(bench.text("q/lib/wide.cql"), "mate wtm\n");
}

#[test]
fn without_a_query_the_project_is_checked() {
    let bench = bench();
    let (_, told) = bench.expect(2, &["check"]);
    assert!(told.starts_with("babson: which query?"), "{told}");
    bench.put("babson.toml", b"imports = ['q/lib']");
    let (_, told) = bench.expect(0, &["check"]);
    assert!(told.ends_with("babson: checked 4 queries: no errors, 1 warning\n"), "{told}");
    // From a folder below it, too.
    let mut command = bench.command(&["check", "--json"]);
    let output = command.current_dir(bench.path("q/lib")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 4);
    bench.expect(2, &["check", "--no-project"]);
}

#[test]
fn an_error_in_an_imported_file_is_told_once() {
    let bench = bench();
    bench.put("q/lib/shapes.cql", b"function near() { atacks }");
    bench.put("q/a.cql", b"import \"lib/shapes\" near()");
    bench.put("q/b.cql", b"import \"lib/shapes\" near()");
    let (_, told) = bench.expect(1, &["check", "q/a.cql", "q/b.cql"]);
    assert_eq!(told.matches("unknown name `atacks`").count(), 1, "{told}");
    assert!(told.ends_with("babson: checked 2 queries: 1 error in 2 queries\n"), "{told}");
    let (json, _) = bench.expect(1, &["check", "--json", "q/a.cql", "q/b.cql"]);
    assert_eq!(json.matches("unknown name `atacks`").count(), 2, "each line is whole: {json}");
    // A cycle is one of each file in it.
    bench.put("q/lib/one.cql", b"import \"two\" function one() { mate }");
    bench.put("q/lib/two.cql", b"import \"one\" function two() { mate }");
    let (_, told) = bench.expect(1, &["check", "q/lib/one.cql", "q/lib/two.cql"]);
    assert!(told.contains("imports itself"), "{told}");
}

/// One file that cannot be read does not stop the others.
#[test]
fn what_cannot_be_read_is_told() {
    let bench = bench();
    bench.put("q/latin.cql", b"mate // \xe9\nK \xe9");
    bench.put("q/mark.cql", "\u{feff}mat".as_bytes());
    bench.put("q/wide.cql", b"\xff\xfem\0");
    bench.put("q/games.cql", b"[Event \"a\"]\n\n1. e4 *\n");
    let (_, told) = bench.expect(2, &["check", "q"]);
    for part in [
        "q/latin.cql:2:3",
        "the byte E9 is not UTF-8",
        "q/mark.cql:1:1",
        "the file is in UTF-16",
        "babson: q/games.cql holds games, not a query",
        "checked 5 queries: 3 errors in 3 queries, 1 warning, 1 cannot be read",
    ] {
        assert!(told.contains(part), "{part} is missing: {told}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink("itself.cql", bench.path("q/itself.cql")).unwrap();
        symlink("nowhere.cql", bench.path("q/broken.cql")).unwrap();
        symlink("..", bench.path("q/lib/circle")).unwrap();
        symlink("good.cql", bench.path("q/same.cql")).unwrap();
        let (_, told) = bench.expect(3, &["check", "q"]);
        for part in ["cannot read q/itself.cql", "cannot read q/broken.cql", "checked 5 queries"] {
            assert!(told.contains(part), "{part} is missing: {told}");
        }
        let (_, told) = bench.expect(3, &["fmt", "--check", "q"]);
        assert!(told.contains("cannot read q/itself.cql"), "{told}");
    }
    let (_, told) = bench.expect(3, &["check", "gone.cql", "q/good.cql"]);
    assert!(told.contains("babson: cannot read gone.cql"), "{told}");
}

/// The document, with its results checked against what SARIF 2.1.0 requires.
fn sarif(text: &str) -> Value {
    let document: Value = serde_json::from_str(text).unwrap();
    assert_eq!(document["version"], "2.1.0");
    let schema = document["$schema"].as_str().unwrap();
    assert!(schema.ends_with("/sarif-schema-2.1.0.json"), "{schema}");
    let run = &document["runs"][0];
    assert_eq!(run["columnKind"], "utf16CodeUnits");
    assert_eq!(run["tool"]["driver"]["name"], "babson");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for rule in rules {
        let id = rule["id"].as_str().unwrap().to_lowercase();
        let page = rule["helpUri"].as_str().unwrap();
        assert!(page.starts_with("https://"), "{page}");
        if id == "project-file" {
            assert!(page.ends_with("/book/projects.html#the-file"), "{page}");
            continue;
        }
        assert!(page.ends_with(&format!("/book/diagnostics.html#{id}")), "{page}");
        assert!(!rule["help"]["text"].as_str().unwrap().is_empty());
    }
    let region = |region: &Value| {
        let number = |name: &str| region[name].as_u64().unwrap();
        let (start, end) = (
            (number("startLine"), number("startColumn")),
            (number("endLine"), number("endColumn")),
        );
        assert!(start >= (1, 1) && start <= end, "{region}");
    };
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["error", "warning"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        for location in result["locations"].as_array().unwrap() {
            if location.get("logicalLocations").is_none() {
                region(&location["physicalLocation"]["region"]);
            }
        }
        for fix in result["fixes"].as_array().into_iter().flatten() {
            for change in fix["artifactChanges"].as_array().unwrap() {
                assert!(change["artifactLocation"]["uri"].is_string());
                for replacement in change["replacements"].as_array().unwrap() {
                    region(&replacement["deletedRegion"]);
                    assert!(replacement["insertedContent"]["text"].is_string());
                }
            }
        }
    }
    document
}

#[test]
fn sarif_has_rules_results_and_fixes() {
    let bench = bench();
    bench.put("q/é a.cql", "// ♔𝄞 é\n/* 𝄞 */ K atacks q\n".as_bytes());
    bench.put("q/user.cql", b"import \"lib/shapes\" near()");
    let (stdout, told) = bench.expect(1, &["check", "--sarif", "q"]);
    assert_eq!(told, "");
    let document = sarif(&stdout);
    let text = serde_json::to_string_pretty(&document).unwrap();
    insta::assert_snapshot!(text.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
    // To a file: then the diagnostics are shown as usual.
    let (stdout, told) = bench.expect(1, &["check", "--sarif", "q", "-o", "all.sarif"]);
    assert_eq!(stdout, "");
    assert!(told.contains("unknown name `atacks`"), "{told}");
    assert_eq!(sarif(&bench.text("all.sarif")), document);
}

#[test]
fn sarif_of_what_is_not_a_file() {
    let bench = bench();
    let (stdout, told) = bench.expect(1, &["check", "--sarif", "--cql", "mat"]);
    assert_eq!(told, "");
    let document = sarif(&stdout);
    let location = &document["runs"][0]["results"][0]["locations"][0];
    assert_eq!(location["logicalLocations"][0]["name"], "<--cql>");
    // No mistakes are a document, too.
    let (stdout, _) = bench.expect(0, &["check", "--sarif", "q/good.cql"]);
    assert_eq!(sarif(&stdout)["runs"][0]["results"], Value::Array(Vec::new()));
    // A file that cannot be read.
    let (stdout, _) = bench.expect(3, &["check", "--sarif", "gone.cql", "q/good.cql"]);
    let document = sarif(&stdout);
    let invocation = &document["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let told = &invocation["toolExecutionNotifications"][0]["message"]["text"];
    assert!(told.as_str().unwrap().contains("cannot read gone.cql"), "{told}");
    // A file outside of the folder has its whole path.
    let mut command = bench.command(&["check", "--sarif", "../lib/bad.cql"]);
    bench.put("q/lib/bad.cql", b"mat");
    let output = command.current_dir(bench.path("q/target")).output().unwrap();
    let document = sarif(&String::from_utf8(output.stdout).unwrap());
    let place = &document["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().unwrap();
    assert!(uri.starts_with("file:///") && uri.ends_with("/q/lib/bad.cql"), "{uri}");
    assert!(!uri.contains(".."), "{uri}");
}

/// A service shows the results of a document, so it has one even if nothing could be checked.
#[test]
fn sarif_has_the_mistakes_of_the_project() {
    let bench = bench();
    bench.put("babson.toml", "# é\ndialect = 'cql7'\n".as_bytes());
    for words in [&["check", "--sarif"][..], &["check", "--sarif", "q/good.cql", "mate.cql"]] {
        let (stdout, _) = bench.expect(2, words);
        let run = &sarif(&stdout)["runs"][0];
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), 1);
        assert_eq!(results[0]["ruleId"], "project-file");
        let text = "`cql7` is not a dialect; the dialects are `cqli` and `cql6`";
        assert_eq!(results[0]["message"]["text"], text);
        let place = &results[0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "babson.toml");
        assert_eq!(
            (&place["region"]["startLine"], &place["region"]["startColumn"]),
            (&2.into(), &11.into())
        );
        let invocation = &run["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        let notifications = invocation["toolConfigurationNotifications"].as_array().unwrap();
        assert_eq!((notifications.len(), &notifications[0]["message"]["text"]), (1, &text.into()));
    }
    // The document is written also if there are no queries.
    bench.put("babson.toml", b"");
    fs::create_dir(bench.path("empty")).unwrap();
    bench.expect(3, &["check", "--sarif", "empty", "-o", "x.sarif"]);
    let document = sarif(&bench.text("x.sarif"));
    assert_eq!(document["runs"][0]["invocations"][0]["executionSuccessful"], false);
    let (stdout, _) = bench.expect(3, &["check", "--json", "gone.cql"]);
    assert!(stdout.starts_with("{\"error\":\"cannot read gone.cql: "), "{stdout}");
}

#[test]
fn sarif_has_what_fixes_leave() {
    let bench = bench();
    bench.put("wrong.cql", b"Mate K atacks q");
    let (stdout, told) = bench.expect(1, &["check", "--fix", "--sarif", "wrong.cql"]);
    assert_eq!(told, "babson: fixed 1 mistake in wrong.cql\n");
    let document = sarif(&stdout);
    assert_eq!(document["runs"][0]["results"].as_array().unwrap().len(), 1);
    assert_eq!(bench.text("wrong.cql"), "mate K atacks q");
}

#[test]
fn options_that_exclude_each_other() {
    let bench = bench();
    for (words, part) in [
        (&["--json", "--sarif", "q"][..], "--json and --sarif"),
        (&["-o", "x.sarif", "q"], "add --sarif"),
        (&["--watch", "--sarif", "q"], "--watch goes on"),
        (&["--watch", "--fix", "q"], "--watch changes no files"),
        (&["--watch", "-"], "standard input is read only once"),
        (&["--watch", "--cql", "mate"], "--watch needs files"),
    ] {
        let (_, told) = bench.expect(2, &[&["check"][..], words].concat());
        assert!(told.contains(part), "{words:?}: {told}");
    }
    // A mistake of the command line ends the watch at once.
    bench.expect(3, &["check", "--watch", "gone"]);
    assert!(!bench.path("x.sarif").exists());
}
