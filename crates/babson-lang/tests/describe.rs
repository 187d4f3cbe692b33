//! The sentences that describe queries.

#![allow(clippy::disallowed_methods, reason = "tests read the corpus")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use babson_lang::{Dialect, analyze, describe};

fn sentences(text: &str) -> Vec<String> {
    let analysis = analyze(text, Dialect::CQLI);
    let query = analysis.unwrap_or_else(|errors| panic!("{text}: {errors:?}")).query;
    describe::sentences(&query)
}

fn corpus(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(folder);
    let files = fs::read_dir(folder).expect("the corpus").map(|file| file.expect("a file").path());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    files
}

#[test]
fn the_queries_of_the_corpus() {
    let mut shown = String::new();
    for file in corpus("queries") {
        let text = fs::read_to_string(&file).expect("UTF-8");
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let _ = writeln!(shown, "== {name}\n{}\n", sentences(&text).join("\n"));
    }
    insta::assert_snapshot!(shown);
}

/// What each kind of filter says. The filters that are not in the corpus are here.
#[test]
fn each_kind_of_filter() {
    const FILTERS: &[&str] = &[
        "not K",
        "not (check or mate)",
        "not {wtm check}",
        "[QR]a-h7 attacks k",
        "p attackedby [Nn]",
        "R & up 1 k",
        "K | k",
        "~K == a1",
        "#(R | Q) >= 2",
        "#Q != 1",
        "P in a-h2-4",
        "tag \"x\" != \"y\"",
        "player white \"Tal\" year > 1960",
        "elo white > elo black + 100",
        "if wtm then check else mate",
        "if wtm then check",
        "num = 0 while (num < 3) {num += 1 message(num)}",
        "num = 0 loop {num < 3 num += 1}",
        "parent:check",
        "child(1):mate",
        "find check",
        "find <-- check",
        "find all Q attacks k",
        "{find 2 5 check} > 3",
        "#{square x in N {x attacks k}} > 1",
        "piece all x in R {x attacks k}",
        "max(#Q #q 2) == 2",
        "flip Ra1",
        "flipcolor {wtm K attacks q}",
        "shift flip {Ka1 Pb2}",
        "flip count Ra1 == 2",
        "reversecolor mate",
        "pin from B through n to k",
        "ray diagonal (B n k)",
        "xray (R p k)",
        "between(K k) & P",
        "passedpawns & a-h7",
        "puremate",
        "fen \"8/8/8/8/4K3/8/8/8\"",
        "move to h7 from Q",
        "move legal capture q : mate",
        "move legal count > 20",
        "move legal all : check",
        "move promote [QN] comment(\"here\")",
        "move previous castle",
        "move null",
        "move legal reverse",
        "--",
        "Q[x]r",
        "P--a8=Q(check)",
        "previous K--g1",
        "countmoves A-- > 1",
        "line --> check --> . * --> mate",
        "line <-- mate <-- check{2}",
        "line 3 5 singlecolor firstmatch --> (wtm --> btm) +",
        "path N-- check [x]q *",
        "path 2 focus Q -- + mate",
        "path max {power A} -- {2,4}",
        "echo (x y) {sidetomove == y:sidetomove}",
        "echo (x y) {consecutivemoves 2 9 (x y)}",
        "imagine piece Q --> e7 : mate",
        "imagine swap K k sidetomove reverse : check",
        "sort \"checks\" find all check",
        "sort min \"plies\" ply",
        "comment(\"a\" #K) message(\"b\") field(\"f\" ply)",
        "x = K unbind x isunbound x",
        "piece king = Ke1 king attacks k",
        "dictionary D D[\"a\"] = 1 D[\"a\"] += 2 #D > 0 unbind D[\"a\"]",
        "dictionary str --> int D string s in D message(s)",
        "t = \"ab\" t[0] == \"a\" t[1:2] = \"c\" #t == 2",
        "event ~~ \"(a)b\" \\1 == \"a\"",
        "settag(\"A\" \"b\") removetag(\"C\")",
        "originalcomment \"!\"",
        "hhdb prize == 1 hhdb cooked",
        "variant \"Atomic\" variantwin",
        "type e4 == 3 rank K > 2 colortype k < 0 pieceid a1 == 2",
        "light B dark b",
        "ancestor(position 2 currentposition) distance(position 1 currentposition) > 2",
        "assert K",
        "cqlbegin {persistent num = 1} cqlend {message(num)} num > 0",
        "cql(variations matchcount 2 5 result 1-0 quiet) check",
        "cql(matchcount 2 gamenumber 1 9 matchstring \"x\") check",
        "function f(S) {S attacks k} f(R)",
        "true",
        "false or true",
        "shift {Ra1 Nh8}",
        "flip {Ke4 Ke5 Kd4 Kd5}",
        "shifthorizontal flip R",
        "flip reversecolor {wtm Ra1}",
        "flip 3 4 Ra1",
        "x = flip count Ra1",
        "flipcolor flip count Ra1 > 2",
        "fen \"......../......../......../......../......../......../......../........\"",
        "find 2 100000 check",
        "find 3 1 check",
        "cql(matchcount 2 0 gamenumber 1 0) K",
        "while (event ~~ \"this is done\") {message(\"meets then it\") message(\\0)}",
        "ray (R n b k)",
        "function f(S T) {T attacks S} f(R | Q k) f(B | N q)",
        "line --> check? --> wtm{2,3} --> (btm --> wtm)* --> mate{2}+ --> K{1}",
        "line <-- . * <-- check",
        "line --> check{1} --> mate{1}{2} --> wtm{1} --> btm{2}{1} --> (check --> mate){1}",
        "path (--){1} (N-- B--){1} mate",
        "path --{1} [x]q(check)+ (N-- B--)? --{2,} mate",
        "countmoves --(K attacks k) > 1",
        "x = P--a8=Q(from)",
        "x = previous --(R)",
        "year 1990 ply type Q",
        "R & a-h7",
        "path focus capture Q -- [x]Q",
        "makesquare(\"e4\") attacks k --(to & R)",
    ];
    let mut shown = String::new();
    let errors: Vec<_> =
        FILTERS.iter().filter_map(|filter| analyze(filter, Dialect::CQLI).err()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    for filter in FILTERS {
        let _ = writeln!(shown, "== {filter}\n{}\n", sentences(filter).join("\n"));
    }
    insta::assert_snapshot!(shown);
}

/// What a filter says in CQL 6.2, if it does something else there.
#[test]
fn filters_of_cql_6() {
    let mut shown = String::new();
    for text in [
        "x = --(from)",
        "x = P--a8=Q(from)",
        "x = previous --(R)",
        "--(from)",
        "move legal count > 20",
        "K castle move legal",
        "message(fen) movenumber > 3",
        "piece x = Ke1 message(x)",
        "pieceid a1 == 2",
        "dictionary D D[\"a\"] += 1",
        "event == \"München\" #\"ü\" == 2",
        "mate",
    ] {
        let analysis = analyze(text, Dialect::CQL6);
        let query = analysis.unwrap_or_else(|errors| panic!("{text}: {errors:?}")).query;
        let sentences = describe::sentences(&query).join("\n");
        let _ = writeln!(shown, "== {text}\n{sentences}\n");
    }
    insta::assert_snapshot!(shown);
}

/// Deep and long queries have sentences whose text grows no faster than the query.
#[test]
fn the_sentences_are_linear() {
    let texts: [fn(usize) -> String; 5] = [
        |n| "not ".repeat(n) + "check",
        |n| "#K + ".repeat(n) + "1 > 2",
        |n| "check or ".repeat(n) + "mate",
        |n| "K attacks ".repeat(n) + "k",
        |n| "flip ".repeat(4) + &"{up 1 ".repeat(n) + "K" + &"}".repeat(n),
    ];
    for text in texts {
        let bytes =
            |n| sentences(&text(n)).iter().map(|line| line.trim_start().len()).sum::<usize>();
        let (few, many) = (bytes(20), bytes(80));
        assert!(many < few * 8, "{}: {few} {many}", text(2));
    }
    let long = sentences(&("check or ".repeat(5000) + "mate"));
    assert_eq!(long.len(), 1001);
}
