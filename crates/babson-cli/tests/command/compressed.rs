//! Outputs that are compressed.

use std::io::Read;

use crate::bench::{Bench, GAMES};

/// The text of a compressed file.
fn text(name: &str, bytes: &[u8]) -> Vec<u8> {
    if name.ends_with(".zst") {
        return zstd::decode_all(bytes).unwrap();
    }
    let mut text = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut text).unwrap();
    text
}

#[test]
fn outputs_with_the_name_of_a_compressed_file_are_compressed() {
    let bench = Bench::new();
    bench.put("many.pgn", &[GAMES, b"\n"].concat().repeat(500));
    for format in ["pgn", "jsonl", "json", "csv", "tsv", "epd"] {
        let plain = format!("plain.{format}");
        bench.expect(0, &["-i", "many.pgn", "-o", &plain, "mate"]);
        for packing in ["gz", "zst", "ZST"] {
            let name = format!("out.{format}.{packing}");
            bench.expect(0, &["-i", "many.pgn", "-o", &name, "mate"]);
            let packed = bench.get(&name);
            assert!(packed.len() < 20_000, "{name}: {}", packed.len());
            let name = name.to_lowercase();
            assert!(text(&name, &packed) == bench.get(&plain), "{name}");
        }
    }
    // The output is an input, and an output without matches is one.
    let (stdout, _) = bench.expect(0, &["-i", "out.pgn.zst", "--count", "mate"]);
    assert_eq!(stdout.lines().next(), Some("1000"));
    bench.expect(0, &["-i", "many.pgn", "-o", "none.pgn.gz", "--cql", "stalemate"]);
    let (stdout, _) = bench.expect(0, &["-i", "none.pgn.gz", "--count", "mate"]);
    assert_eq!(stdout.lines().next(), Some("0"));
    for name in ["x.html.gz", "x.arrow.zst", "x.pgn.gz.zst", "x.gz"] {
        let (_, stderr) = bench.expect(2, &["-i", "games.pgn", "-o", name, "mate"]);
        assert!(stderr.contains("which may have .gz or .zst after it"), "{stderr}");
    }
}

#[test]
fn compressed_files_are_appended_to_and_split() {
    let bench = Bench::new();
    for name in ["all.csv.gz", "all.csv.zst"] {
        bench.expect(0, &["-i", "games.pgn", "--append", name, "mate"]);
        let once = text(name, &bench.get(name));
        bench.expect(0, &["-i", "games.pgn", "--append", name, "mate"]);
        let twice = text(name, &bench.get(name));
        let head = once.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        assert!(twice == [&once[..], &once[head..]].concat(), "{name}");
    }
    bench.put("plain.pgn.gz", GAMES);
    let (_, stderr) = bench.expect(3, &["-i", "games.pgn", "--append", "plain.pgn.gz", "mate"]);
    assert!(stderr.contains("its compression is not that of its name"), "{stderr}");
    assert_eq!(bench.get("plain.pgn.gz"), GAMES);
    // Many members, since one file is open at a time.
    bench.put("many.pgn", &[GAMES, b"\n"].concat().repeat(20));
    for packing in ["", ".gz", ".zst"] {
        let name = format!("{{tag:Event}}.pgn{packing}");
        let words = ["-i", "many.pgn", "-o", &name, "--maxopenoutputfiles", "1", "all"];
        bench.expect(0, &words);
    }
    for event in ["a", "b"] {
        let plain = bench.get(&format!("{event}.pgn"));
        for packing in ["gz", "zst"] {
            let name = format!("{event}.pgn.{packing}");
            assert!(text(&name, &bench.get(&name)) == plain, "{name}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_of_a_compressed_output() {
    let bench = Bench::new();
    std::os::unix::fs::symlink("/dev/full", bench.path("full.pgn.gz")).unwrap();
    std::os::unix::fs::symlink("/dev/full", bench.path("full.pgn.zst")).unwrap();
    for name in ["full.pgn.gz", "full.pgn.zst"] {
        let (_, stderr) = bench.expect(3, &["-i", "games.pgn", "-o", name, "mate"]);
        assert!(stderr.contains(&format!("cannot write {name}")), "{stderr}");
    }
}
