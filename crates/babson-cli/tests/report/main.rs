//! The report: its data, its limits, and what a browser makes of it.
//!
//! The tests in a browser need Chromium. Where there is none, they are skipped and say so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Two games with checks of a queen, and one whose tags and comments are hostile.
const GAMES: &str = r#"[Event "Offhand"]
[Site "London"]
[Date "1851.06.21"]
[White "Adams"]
[Black "Zukertort"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "Offhand"]
[Date "1851.07.01"]
[White "Bird"]
[Black "Anderssen"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "</script><script>hostile = 1</script>"]
[Site "<!-- <img src=x onerror='hostile = 2'>"]
[White "<b><b>Carl</b></b>"]
[Black "&lt;b&gt; \"Q\" \\ 'x'"]
[Result "*"]

1. e4 {</script>} f5 2. Qh5+ g6 *
"#;

struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Bench {
        let bench = Bench { folder: tempfile::tempdir().unwrap() };
        fs::write(bench.path("g.pgn"), GAMES).unwrap();
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn babson(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
        command.args(words).current_dir(self.folder.path()).output().unwrap()
    }

    /// Runs and expects success; standard output and standard error.
    fn run(&self, words: &[&str]) -> (String, String) {
        let output = self.babson(words);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{words:?}\n{stdout}\n{stderr}");
        (stdout, stderr)
    }

    /// The report of these words.
    fn report(&self, words: &[&str]) -> String {
        self.run(&[&["-i", "g.pgn", "-o", "r.html"], words].concat());
        fs::read_to_string(self.path("r.html")).unwrap()
    }
}

/// The games in the data of a page.
fn games(page: &str) -> Vec<serde_json::Value> {
    let (_, data) = page.split_once("id=\"data\">\n").expect("data");
    let (data, _) = data.split_once("</script>").expect("an end");
    data.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

const QUERY: &str = "[Qq] attacks [Kk] check comment(\"check </script> <!--\") sort \"plies\" ply";

#[test]
fn hostile_texts_stay_data() {
    let page = Bench::new().report(&["--cql", QUERY]);
    let games = games(&page);
    assert_eq!(games.len(), 3);
    let carl = games.iter().find(|game| game["game"] == 3).unwrap();
    assert_eq!(carl["event"], "</script><script>hostile = 1</script>");
    assert_eq!(carl["black"], "&lt;b&gt; \"Q\" \\ 'x'");
    assert_eq!(carl["hits"][0]["notes"][0], "check </script> <!--");
    // The scripts of the page are its own: the data of four kinds, and the program.
    assert_eq!(page.matches("<script").count(), 5);
    assert_eq!(page.matches("</script").count(), 5);
    assert!(!page.contains("<!--") && !page.contains("<img"));
    assert!(page.contains("default-src 'none'"));
    // The language of drawings has a name that nobody reads, and a link is followed by a press.
    let text = page.replace("http://www.w3.org/", "").replace("https://lichess.org/analysis/", "");
    for network in ["http://", "https://", "@import", "url(h"] {
        assert!(!text.contains(network), "{network}");
    }
    // The comment of every match is not a caption.
    assert!(games.iter().all(|game| !game["hits"].to_string().contains("\"CQL\"")));
}

#[test]
fn the_filters_of_each_match_are_in_the_data() {
    let page = Bench::new().report(&["--cql", "[Qq] attacks [Kk] check"]);
    let games = games(&page);
    let filters = games[0]["hits"][0]["filters"].as_array().unwrap();
    // The letters of f7 and d8, and of e1 and e8.
    assert_eq!(filters[..2], ["1=17", "1=17"], "{filters:?}");
    assert_eq!(filters[2], "1=E8", "{filters:?}");
    assert_eq!(filters[3], "1");
    assert!(page.contains("<span class=\"filter c0\" data-filter=\"0\" tabindex=\"0\">"));
}

#[test]
fn a_page_without_matches_says_what_to_try() {
    let page = Bench::new().report(&["--cql", "stalemate"]);
    assert!(page.contains("<h2>No game matches</h2>\n<p>None of the 3 games matches.</p>"));
    assert!(
        page.contains("babson why") && page.contains("<span class=\"keyword\">stalemate</span>")
    );
}

/// A page may be given away, so it does not say where its games were.
#[test]
fn a_page_does_not_name_folders() {
    let bench = Bench::new();
    let games = bench.path("g.pgn").display().to_string();
    bench.run(&["-i", &games, "-o", "r.html", "--cql", "mate"]);
    let page = fs::read_to_string(bench.path("r.html")).unwrap();
    assert!(page.contains("\"input\":\"g.pgn\""));
    assert!(!page.contains(&bench.path("").display().to_string()));
}

#[test]
fn a_worksheet_has_a_title_and_no_query() {
    let bench = Bench::new();
    let page =
        bench.report(&["--worksheet", "--title", "Mates </title>", "--cql", "move legal from q"]);
    assert!(page.contains("<title>Mates &lt;/title&gt;</title>"), "{page}");
    assert!(page.contains("<body class=\"worksheet\">") && page.contains("{\"worksheet\":true}"));
    assert!(!page.contains("<pre aria-label=\"Query\">"));
    assert!(games(&page).iter().all(|game| game["hits"][0]["filters"].is_null()));
    // The options are for pages alone.
    for option in [&["--worksheet"][..], &["--title", "Mates"]] {
        let words = [&["-i", "g.pgn", "-o", "r.pgn"], option, &["--cql", "mate"]].concat();
        let output = bench.babson(&words);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        let message = format!("{}: no output is a page: name one, with -o FILE.html", option[0]);
        assert!(stderr.contains(&message), "{stderr}");
    }
}

/// Games that see what earlier ones left cannot be evaluated a second time.
#[test]
fn a_query_that_cannot_be_traced_says_so() {
    let bench = Bench::new();
    let query = "persistent $n += 1 $n < 40 K";
    let (_, stderr) = bench.run(&["-i", "g.pgn", "-o", "r.html", "--cql", query]);
    assert!(stderr.contains("r.html does not mark the squares of the filters: "), "{stderr}");
    let page = fs::read_to_string(bench.path("r.html")).unwrap();
    assert!(page.contains("The squares of its filters are not marked: "));
    assert!(games(&page).iter().all(|game| game["hits"][0]["filters"].is_null()));
}

#[test]
fn more_games_than_a_page_has_room_for() {
    let bench = Bench::new();
    fs::write(bench.path("many.pgn"), "[Event \"a\"]\n\n*\n\n".repeat(20_003)).unwrap();
    let words = ["-i", "many.pgn", "-o", "r.html", "-o", "r.epd", "--cql", "initial"];
    let (stdout, stderr) = bench.run(&words);
    assert!(stderr.contains("r.html has no room for the last 3 matching games"), "{stderr}");
    assert!((stdout + &stderr).contains("20003 matches of 20003 games"), "{stderr}");
    let page = fs::read_to_string(bench.path("r.html")).unwrap();
    assert!(page.contains("shows the first 20,000 of 20,003 matching games"));
    assert_eq!(games(&page).len(), 20_000);
    let rows = fs::read_to_string(bench.path("r.epd")).unwrap();
    assert_eq!(rows.lines().count(), 20_003);
}

#[test]
fn marks_are_comments_of_pgn() {
    let bench = Bench::new();
    let words = ["-i", "g.pgn", "--marks", "-o", "-", "--cql", "[Qq] attacks [Kk] mate"];
    let (stdout, _) = bench.run(&words);
    let stdout = stdout.replace('\n', " ");
    assert!(stdout.contains("4.Qxf7# {CQL} {[%csl Gf7,Gd8,Be1,Be8][%cal Yh5f7]} 1-0"), "{stdout}");
    let (stdout, _) = bench.run(&["-i", "g.pgn", "--marks", "-o", "-", "--cql", "initial Pe2"]);
    assert!(stdout.contains("{CQL} {[%csl Ge2][%cal Be2e4]} 1.e4"), "{stdout}");
    let (stdout, _) = bench.run(&["-i", "g.pgn", "-o", "-", "--cql", "mate"]);
    assert!(!stdout.contains('%'), "{stdout}");
}

/// One thread, several threads, and slices give the same bytes.
#[test]
fn the_page_does_not_depend_on_the_threads() {
    let bench = Bench::new();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games/masters-2k.pgn");
    let input = corpus.display().to_string();
    let query = "wtm Q attacks k move from q to .";
    for (threads, name) in [("1", "one.html"), ("4", "four.html")] {
        bench.run(&["-i", &input, "--threads", threads, "-o", name, "--cql", query]);
    }
    let one = fs::read(bench.path("one.html")).unwrap();
    assert!(one == fs::read(bench.path("four.html")).unwrap());
    let (plan, _) = bench.run(&["plan", &input, "--slices", "3"]);
    let mut parts = vec!["merge".to_owned()];
    for (index, slice) in plan.lines().enumerate() {
        let part = format!("{index}.part");
        bench.run(&["scan", "--slice", slice, "--cql", query, "-o", &part]);
        parts.push(part);
    }
    parts.extend(["-o".to_owned(), "merged.html".to_owned()]);
    bench.run(&parts.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(one == fs::read(bench.path("merged.html")).unwrap());
}

/// Without a number the game is the first match, among those that options choose.
#[test]
fn why_finds_the_game_by_itself() {
    let bench = Bench::new();
    let why = |words: &[&str]| bench.run(&[&["why", "g.pgn", "--cql"], words].concat()).0;
    let first = why(&["Q attacks k"]);
    assert!(first.starts_with("game 1 of g.pgn: "), "{first}");
    let in_range = why(&["mate", "-g", "2", "9"]);
    assert!(in_range.starts_with("game 2 of g.pgn: ") && in_range.contains(": 2"), "{in_range}");
    // An option that chooses games is not a filter of the query.
    for choice in [&["--white", "Bird"][..], &["--black", "Anderssen", "--year", "1851"]] {
        let chosen = why(&[&["mate"], choice].concat());
        assert!(chosen.starts_with("game 2 of g.pgn: Bird"), "{chosen}");
        assert!(chosen.contains("  yes mate") && !chosen.contains("yes player"), "{chosen}");
    }
    let none = why(&["P == 0", "--white", "Bird"]);
    assert!(
        none.starts_with("none of the chosen games matches; this is the first of them\ngame 2")
    );
    let none = why(&["P == 0"]);
    assert!(none.starts_with("no game matches; this is the first one\ngame 1 of"), "{none}");
    for (words, message) in [
        (
            &["why", "g.pgn", "--cql", "mate", "--white", "Nobody"][..],
            "no game is chosen by --white",
        ),
        (&["why", "g.pgn", "--white", "Bird"], "which query?"),
        (&["why", "-i", "-", "--cql", "mate"], "name the game with -g N"),
    ] {
        let output = bench.babson(words);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}\n{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    }
}

/// However many filters there are, the failing one is shown with all that it stands in.
#[test]
fn why_folds_other_filters_than_the_failing_one() {
    let bench = Bench::new();
    let many = "K ".repeat(20);
    let query = format!("{many} currentposition : {{wtm {many} q == 7}} {many}");
    let (shown, _) = bench.run(&["why", "g.pgn", "-g", "1", "--cql", &query]);
    assert!(shown.contains("  … ") && shown.contains("(--json has all filters)"), "{shown}");
    let failing = shown.lines().find(|line| line.starts_with('>')).expect("the failing filter");
    assert!(failing.ends_with("q == 7"), "{shown}");
    let around = shown.lines().filter(|line| line.contains("no  currentposition : {wtm"));
    assert_eq!(around.count(), 1, "{shown}");
    assert!(shown.lines().count() < 30, "{shown}");
    let json = bench.run(&["why", "g.pgn", "-g", "1", "--json", "--cql", &query]).0;
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let filters = value["filters"].as_array().expect("the filters").len();
    assert!(filters > 60, "{filters}");
}

#[test]
fn why_names_the_filter_that_fails_first() {
    let bench = Bench::new();
    let why = |words: &[&str]| bench.run(&[&["why", "g.pgn"], words].concat()).0;
    let all = why(&["-g", "2", "--cql", "wtm Q attacks k mate"]);
    assert!(all.starts_with("game 2 of g.pgn: Bird - Anderssen, Offhand 1851.07.01, 0-1, 4 plies"));
    assert!(all.contains("matches at none of 5 positions"), "{all}");
    assert!(all.contains("> no  Q attacks k  = []"), "{all}");
    assert!(all.contains("        2  wtm (first: 1.f3 (ply 1))"), "{all}");
    let match_ = why(&["-g", "1", "--cql", "mate"]);
    assert!(match_.contains("matches at 1 of 8 positions: 4.Qxf7# (ply 7)"), "{match_}");
    assert!(
        match_.contains("a match: 4.Qxf7# (ply 7)") && match_.contains("  yes mate"),
        "{match_}"
    );
    let asked = why(&["-g", "1", "--ply", "3", "--cql", "mate"]);
    assert!(asked.contains("no match: 2.Qh5 (ply 3)") && asked.contains("> no  mate"), "{asked}");
    assert!(all.lines().count() < 24, "{all}");
    let header = why(&["-g", "1", "--cql", "mate", "--matchcount", "2", "9"]);
    assert!(header.contains("a search does not find the game"), "{header}");
    let json = why(&["-g", "1", "--json", "--cql", "mate"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["why"]["matches"], serde_json::json!([7]));
    assert_eq!(value["filters"], serde_json::json!(["mate"]));
    fs::write(bench.path("mate.cql"), "mate").unwrap();
    assert_eq!(why(&["mate", "-g", "1"]), match_);
    for (words, code, message) in [
        (&["why", "g.pgn", "-g", "9", "--cql", "mate"][..], 2, "the inputs have fewer games"),
        (&["why", "g.pgn", "-g", "0", "--cql", "mate"], 2, "-g 0: no game has the number 0"),
        (&["why", "g.pgn", "-g", "1", "--ply", "8", "--cql", "mate"], 2, "has 7 plies"),
        (&["why", "g.pgn", "-g", "1"], 2, "which query?"),
        (&["why", "-g", "1", "--cql", "mate"], 2, "no games"),
    ] {
        let output = bench.babson(words);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{words:?}\n{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    }
}

/// The moves after a damage are not evaluated, so a game that ends with mate has none.
#[test]
fn why_tells_the_damage_of_the_game() {
    let bench = Bench::new();
    let sound = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
    let damaged = "[White \"B\"]\n\n1. e4 e5 2. Qh5 Nc6\n3. Ke5 Nf6 4. Qxf7# 1-0\n";
    fs::write(bench.path("dam.pgn"), format!("{sound}{damaged}")).unwrap();
    let why = |game: &str, more: &[&str]| {
        bench.run(&[&["why", "dam.pgn", "-g", game, "--cql", "mate"], more].concat()).0
    };
    let text = why("2", &[]);
    let told = "4 plies\nthe game is damaged at line 8 of its input (";
    assert!(text.contains(told), "{text}");
    let told = "); what follows there is not evaluated\nthe query matches at none of";
    assert!(text.contains(told) && text.contains("(illegal move: Ke5"), "{text}");
    let json = |game: &str| -> serde_json::Value {
        serde_json::from_str(&why(game, &["--json"])).unwrap()
    };
    let damage = &json("2")["damage"];
    assert_eq!((&damage["line"], &damage["game"]), (&8.into(), &2.into()), "{damage}");
    assert!(!why("1", &[]).contains("damaged") && json("1")["damage"].is_null());
}

#[test]
fn a_position_marks_the_squares_of_a_set() {
    let bench = Bench::new();
    let (board, _) = bench.run(&["position", "startpos", "--cql", "K | n"]);
    assert!(board.contains("8 │ ♜ [♞] ♝ ") && board.contains(" ♕ [♔] ♗ "), "{board}");
    let (board, _) = bench.run(&["position", "startpos", "--cql", "#K"]);
    assert!(!board.contains('['), "{board}");
}

/// The browser, if there is one.
fn chromium() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let answers = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let found = names.into_iter().find(answers);
    if found.is_none() {
        println!("skipped: there is no Chromium");
    }
    found
}

/// What the driver makes of a page, which is opened in a browser.
fn driven(browser: &str, folder: &Path, page: &str, driver: &str) -> String {
    let driver = format!("<script>{driver}</script></body>");
    let file = folder.join("driven.html");
    fs::write(&file, page.replace("</body>", &driver)).unwrap();
    let profile = format!("--user-data-dir={}", folder.join("profile").display());
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--virtual-time-budget=10000", "--window-size=1200,900", "--dump-dom"])
        .args([profile, format!("file://{}", file.display())])
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, text) = dom.split_once("<pre id=\"driven\">").unwrap_or_else(|| panic!("{dom}"));
    let text = text.split_once("</pre>").map_or(text, |(text, _)| text);
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[test]
fn a_browser_shows_the_report() {
    let Some(browser) = chromium() else { return };
    let bench = Bench::new();
    let page = bench.report(&["--cql", QUERY]);
    insta::assert_snapshot!(driven(browser, bench.folder.path(), &page, include_str!("drive.js")));
}

#[test]
fn a_browser_shows_a_worksheet() {
    let Some(browser) = chromium() else { return };
    let bench = Bench::new();
    let page = bench.report(&["--worksheet", "--cql", "move from Q to . sort \"plies\" ply"]);
    let driver = include_str!("drive_worksheet.js");
    insta::assert_snapshot!(driven(browser, bench.folder.path(), &page, driver));
}

/// After mate there is nothing to find, and the sheet says so.
#[test]
fn a_worksheet_says_that_it_has_no_answers() {
    let Some(browser) = chromium() else { return };
    let bench = Bench::new();
    let page = bench.report(&["--worksheet", "--cql", "terminal"]);
    let driver = include_str!("drive_worksheet.js");
    let told = driven(browser, bench.folder.path(), &page, driver);
    assert!(told.contains("the last positions of their games"), "{told}");
    assert!(told.contains("No answer: the game ends here."), "{told}");
}
