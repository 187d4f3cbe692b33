//! Zip archives, other compressions, texts and folders of folders as inputs.

use std::fs;
use std::io::{Cursor, Write};
use std::process::Stdio;

use crate::bench::{Bench, GAMES, gzip_members};

/// A zip archive of these members.
pub(crate) fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated);
    for (name, bytes) in members {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

pub(crate) fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const BAD: &[u8] = b"[Event \"bad\"]\n\n1. e4 e5 2. Ke5 *\n\n";

/// A folder and an archive with the same databases.
fn same_databases() -> Bench {
    let bench = Bench::new();
    let many = [GAMES, b"\n"].concat().repeat(400);
    let (bz2, xz) = (bzip2(BAD), xz(GAMES));
    let (gz, text) = (gzip_members(&[GAMES, BAD]), [b"; games\n", GAMES].concat());
    let files: [(&str, &[u8]); 7] = [
        ("b.pgn", &many),
        ("a/z.pgn.bz2", &bz2),
        ("a/b/c.pgn.xz", &xz),
        ("a.pgn.gz", &gz),
        ("a/games.txt", &text),
        ("a/readme.txt", b"1. Unpack the games."),
        ("a/board.png", b"\x89PNG"),
    ];
    for (name, bytes) in files {
        let path = bench.path("db").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    bench.put("db.zip", &zip(&files));
    bench
}

#[test]
fn an_archive_gives_what_its_folder_gives() {
    let bench = same_databases();
    let mut results = Vec::new();
    for input in ["db", "db.zip"] {
        for threads in ["1", "3"] {
            let words = ["-i", input, "-o", "out.pgn", "--rejects", "bad.pgn", "mate"];
            let more = ["--threads", threads, "--noprogress"];
            let (stdout, stderr) = bench.expect(0, &[&words[..], &more].concat());
            assert!(stdout.contains("806 matches of 1211 games"), "{stdout}");
            // Of a folder it is not told which files have no games.
            let told = "babson: skipped 2 members of db.zip that are not PGN by their names or \
                        their first bytes: db.zip/a/board.png, db.zip/a/readme.txt\n";
            assert_eq!(stderr.contains(told), input == "db.zip", "{stderr}");
            let stderr = stderr.replace(told, "").replace(&format!("{input}/"), "DB/");
            results.push((stderr, bench.get("out.pgn"), bench.get("bad.pgn")));
        }
    }
    assert!(
        results[0].0.contains("DB/a/z.pgn.bz2:3: game 7: illegal move: Ke5"),
        "{}",
        results[0].0
    );
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{:?}", results[0].0);
    // A member alone, and a database without `-i`.
    let (stdout, _) = bench.expect(0, &["db.zip/a/b/c.pgn.xz", "--count", "--cql", "mate"]);
    assert_eq!(stdout.lines().next(), Some("2"));
    for words in [&["-i", "db.zip/", "mate"][..], &["db.zip/", "mate"]] {
        let (stdout, _) = bench.expect(0, &[words, &["--count"]].concat());
        assert_eq!(stdout, "806\n", "{words:?}");
    }
    let (_, stderr) = bench.expect(3, &["-i", "db/b.pgn/", "--count", "mate"]);
    let told = "cannot read db/b.pgn/: it is a file, not a folder: leave out the slash after its";
    assert!(stderr.contains(told), "{stderr}");
    let (stdout, _) = bench.expect(0, &["-i", "db.zip/a", "--count", "mate"]);
    assert_eq!(stdout.lines().next(), Some("4"));
    let (stdout, _) = bench.expect(0, &["db.zip", "db/a/games.txt", "--count", "--cql", "mate"]);
    assert_eq!(stdout.lines().next(), Some("808"));
    let (stdout, _) = bench.expect(0, &["why", "db.zip", "--cql", "check", "-g", "1"]);
    assert!(stdout.contains("game 1"), "{stdout}");
}

#[test]
fn slices_tables_and_resumed_searches_of_archives() {
    let bench = same_databases();
    bench.expect(0, &["-i", "db", "-o", "whole.pgn", "mate"]);
    let (plan, _) = bench.expect(0, &["plan", "db.zip", "--slices", "3"]);
    assert!(plan.lines().count() > 1 && plan.contains(r#""member":"a/b/c.pgn.xz""#), "{plan}");
    let mut parts = Vec::new();
    for (index, slice) in plan.lines().enumerate() {
        parts.push(format!("{index}.part"));
        bench.expect(0, &["scan", "--slice", slice, "mate", "-o", &parts[index]]);
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    bench.expect(0, &[&["merge", "-o", "merged.pgn"][..], &parts].concat());
    bench.expect(0, &["-i", "db.zip", "--resume", "kept", "-o", "resumed.pgn", "mate"]);
    for name in ["merged.pgn", "resumed.pgn"] {
        assert!(bench.get(name) == bench.get("whole.pgn"), "{name}");
    }
    bench.expect(0, &["pack", "db", "-o", "folder.arrow"]);
    bench.expect(0, &["pack", "db.zip", "-o", "archive.arrow"]);
    for table in ["folder.arrow", "archive.arrow"] {
        bench.expect(0, &["-i", table, "-o", "table.pgn", "mate"]);
        assert!(bench.get("table.pgn") == bench.get("whole.pgn"), "{table}");
    }
    // A slice of another archive is refused.
    bench.put("db.zip", &zip(&[("a/b/c.pgn.xz", &xz(BAD)), ("a.pgn.gz", b"")]));
    let slice = plan.lines().next().unwrap();
    let (_, stderr) = bench.expect(3, &["scan", "--slice", slice, "mate", "-o", "x.part"]);
    assert!(stderr.contains("it is not the file that was cut into slices"), "{stderr}");
    bench.put("db.zip", &zip(&[("b.pgn", GAMES)]));
    let (_, stderr) = bench.expect(3, &["scan", "--slice", slice, "mate", "-o", "x.part"]);
    assert!(stderr.contains("db.zip: it has no member named a/b/c.pgn.xz"), "{stderr}");
}

#[test]
fn archives_that_cannot_be_read() {
    let bench = Bench::new();
    let whole = zip(&[("a.pgn", &GAMES.repeat(100)), ("b.pgn", GAMES)]);
    bench.put("cut.zip", &whole[..whole.len() - 30]);
    bench.put("empty.zip", &zip(&[("a.png", b"")]));
    bench.put("nested.zip", &zip(&[("in.zip", &whole)]));
    let mut torn = whole.clone();
    torn[60..64].copy_from_slice(&[0xff; 4]);
    bench.put("torn.zip", &torn);
    for (name, told, goes_on) in [
        ("empty.zip", "cannot read empty.zip: the archive holds no PGN file", false),
        ("torn.zip/c.pgn", "torn.zip/c.pgn: the archive has no PGN file of this name", false),
        ("cut.zip", "cannot decompress cut.zip: it is not a whole zip archive", true),
        ("nested.zip", "cannot decompress nested.zip/in.zip: it is an archive in an archive", true),
        ("torn.zip", "cannot decompress torn.zip/a.pgn: ", true),
    ] {
        let words = ["-i", "games.pgn", "-i", name, "-i", "games.pgn", "-o", "out.pgn", "mate"];
        let (stdout, stderr) = bench.expect(3, &words);
        assert!(stderr.contains(told), "{stderr}");
        assert_eq!(bench.path("out.pgn").exists(), goes_on, "{name}");
        assert_eq!(stdout.contains(" inputs could not be read whole\n"), goes_on, "{stdout}");
    }
    let mut child = bench
        .command(&["-i", "-", "--count", "mate"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The command may end before it has read all.
    let _ = child.stdin.take().unwrap().write_all(&whole);
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr.contains("<stdin>: it is a zip archive, which is read only from a file"),
        "{stderr}"
    );
    // An output is not an input.
    bench.put("games.zip", &whole);
    let (_, stderr) = bench.expect(2, &["-i", "games.zip", "-o", "games.zip", "mate"]);
    assert!(stderr.contains("an output ends in"), "{stderr}");
    let (_, stderr) =
        bench.expect(2, &["-i", "games.zip", "--rejects", "games.zip", "-o", "a.pgn", "mate"]);
    assert!(stderr.contains("is both an output and the input games.zip/a.pgn"), "{stderr}");
    let (_, stderr) = bench.expect(2, &["check", "games.zip"]);
    assert!(stderr.contains("games.zip is a database, and this command takes only"), "{stderr}");
}

/// A member that unpacks to a thousand times its length is a long text without games.
#[test]
fn an_archive_that_unpacks_to_much() {
    let bench = Bench::new();
    bench.put("bomb.zip", &zip(&[("a.pgn", &vec![b'x'; 40 << 20]), ("b.pgn", GAMES)]));
    assert!(bench.get("bomb.zip").len() < 100_000);
    let (stdout, stderr) = bench.expect(0, &["-i", "bomb.zip", "--count", "mate"]);
    assert_eq!(stdout.lines().next(), Some("2"), "{stderr}");
    assert!(
        stderr.contains("cannot read bomb.zip/a.pgn: it is not PGN: it has neither"),
        "{stderr}"
    );
}

/// A text is games only if it begins with them, unless `-i` names it.
#[test]
fn texts_with_and_without_games() {
    let bench = Bench::new();
    bench.put("games.txt", GAMES);
    bench.put("query.txt", b"mate");
    bench.put("prose.txt", &[b"Games of the club\n\n", GAMES].concat());
    let (stdout, _) = bench.expect(0, &["games.txt", "query.txt", "--count"]);
    assert_eq!(stdout.lines().next(), Some("2"));
    let (stdout, _) = bench.expect(0, &["-i", "prose.txt", "--count", "mate"]);
    assert_eq!(stdout.lines().next(), Some("2"));
    let (_, stderr) = bench.expect(2, &["-i", "mate.cql", "--count", "mate"]);
    assert!(stderr.contains("mate.cql: an input ends in .pgn, .txt, .gz, "), "{stderr}");
}

/// A compressed file is games if its text begins with them, whatever its name is before the
/// extension of the compression.
#[test]
fn compressed_files_with_and_without_games() {
    let bench = Bench::new();
    fs::create_dir(bench.path("db")).unwrap();
    let zst = zstd::encode_all(GAMES, 1).unwrap();
    bench.put("db/a.bz2", &bzip2(GAMES));
    bench.put("db/b.txt.gz", &gzip_members(&[GAMES]));
    bench.put("db/c.2024.xz", &xz(GAMES));
    bench.put("db/d.zstd", &zst);
    bench.put("db/notes.gz", &gzip_members(&[b"Games of the club"]));
    bench.put("db/rows.csv.zst", &zstd::encode_all(&b"game,ply\n1,2\n"[..], 1).unwrap());
    bench.put("db/empty.gz", b"");
    bench.put("db/tables.gz", &gzip_members(&[b"a table"]));
    let members: Vec<(String, Vec<u8>)> = fs::read_dir(bench.path("db"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap())
        })
        .collect();
    let members: Vec<(&str, &[u8])> =
        members.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    bench.put("db.zip", &zip(&members));
    for input in ["db", "db.zip"] {
        let (stdout, stderr) = bench.expect(0, &["-i", input, "--count", "mate"]);
        assert_eq!(stdout, "8\n", "{input}: {stderr}");
        let told = "babson: skipped 4 members of db.zip that are not PGN by their names or their \
                    first bytes: db.zip/empty.gz, ";
        assert_eq!(stderr.contains("skipped"), input == "db.zip", "{stderr}");
        assert!(input == "db" || stderr.starts_with(told), "{stderr}");
    }
    // A database without `-i`, and one that `-i` names.
    let (stdout, _) = bench.expect(0, &["db/a.bz2", "mate", "--count"]);
    assert_eq!(stdout, "2\n");
    for name in ["db/notes.gz", "db/rows.csv.zst"] {
        let (_, stderr) = bench.expect(2, &["-i", name, "mate", "--count"]);
        let told = format!("babson: {name}: its text does not begin as PGN does; if it has games");
        assert!(stderr.starts_with(&told), "{stderr}");
    }
    for name in ["db/notes.gz", "db/tables.gz"] {
        let (_, stderr) = bench.expect(2, &["-i", "games.pgn", name, "--count"]);
        let told = format!("babson: {name} is a compressed file, not a query: ");
        assert!(stderr.starts_with(&told) && stderr.contains("add .pgn to its name"), "{stderr}");
    }
    let (_, stderr) = bench.expect(2, &["db/a.bz2"]);
    assert!(stderr.contains("which query?"), "{stderr}");
    let (_, stderr) = bench.expect(3, &["db/none.bz2", "--cql", "mate"]);
    assert!(stderr.contains("cannot read db/none.bz2: "), "{stderr}");
    // One that is damaged may hold games.
    bench.put("db/e.bz2", &bzip2(GAMES)[..20]);
    let (_, stderr) = bench.expect(3, &["-i", "db", "--count", "mate"]);
    assert!(stderr.contains("cannot decompress db/e.bz2: "), "{stderr}");
    // With and without `-i` it is an input, and so is an empty one.
    bench.put("bad.xz", b"\xfd7zXY\0\0\0\0");
    for name in ["db/e.bz2", "bad.xz", "db/empty.gz"] {
        for words in [&["-i", name, "mate.cql"][..], &[name, "mate.cql"]] {
            let (_, stderr) = bench.expect(3, &[words, &["--count"]].concat());
            let told = format!("babson: cannot decompress {name}: ");
            assert!(stderr.starts_with(&told), "{words:?}: {stderr}");
        }
    }
}

/// Games in a form that is not read, named as an input, as an operand and by a query.
#[test]
fn files_of_another_form_are_refused() {
    let bench = Bench::new();
    bench.put("t.tar.gz", &gzip_members(&[b"a.pgn\0\0\0"]));
    bench.put("t.TGZ", &gzip_members(&[GAMES]));
    bench.put("t.tar.bz2", b"damaged");
    bench.put("t.7z", b"7z");
    bench.put("t.cbh", b"");
    bench.put("t.si4", b"");
    for (name, help) in [
        ("t.tar.gz", "unpack it with tar: tar -xf FILE"),
        ("t.TGZ", "unpack it with tar: tar -xf FILE"),
        ("t.tar.bz2", "unpack it with tar: tar -xf FILE"),
        ("t.7z", "unpack it with 7-Zip: 7z x FILE"),
        ("t.cbh", "open it in ChessBase and export its games as PGN"),
        ("t.si4", "open it in Scid and export its games as PGN"),
    ] {
        for words in [&["-i", name, "mate.cql"][..], &[name, "mate.cql"]] {
            let (_, stderr) = bench.expect(2, &[words, &["--count"]].concat());
            let told = format!("babson: {name}: Babson does not read files of this kind: {help}");
            assert!(stderr.starts_with(&told), "{words:?}: {stderr}");
        }
        bench.put("input.cql", format!("cql(input {name}) mate").as_bytes());
        let (_, stderr) = bench.expect(1, &["input.cql"]);
        assert!(stderr.contains(&format!("does not read files of this kind: {help}")), "{stderr}");
    }
    let (_, stderr) = bench.expect(3, &["-i", "none.tar.gz", "--count", "mate"]);
    assert!(stderr.starts_with("babson: cannot read none.tar.gz: "), "{stderr}");
}

/// Games in a form that is not read are told, if a folder or an archive has them.
#[test]
fn files_of_a_folder_that_are_skipped() {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("db/old")).unwrap();
    bench.put("db/a.pgn", GAMES);
    bench.put("db/picture.png", b"\x89PNG");
    let count = ["-i", "db", "--count", "mate"];
    let (_, stderr) = bench.expect(0, &count);
    assert!(!stderr.contains("skipped"), "{stderr}");
    bench.put("db/b.pgn.7z", b"7z");
    let (stdout, stderr) = bench.expect(0, &count);
    let told = "babson: skipped 1 file of db that may hold games: db/b.pgn.7z (unpack it with \
                7-Zip: 7z x FILE)";
    assert!(stderr.starts_with(told) && stdout == "2\n", "{stderr}");
    bench.put("db/old/base.cbh", b"");
    bench.put("db/old/x.tar.gz", &gzip_members(&[b"a.pgn\0\0"]));
    bench.put("db/y.RAR", b"");
    let (_, stderr) = bench.expect(0, &count);
    let told = "skipped 4 files of db that may hold games: db/b.pgn.7z (unpack it with 7-Zip: 7z x \
                FILE); db/old/base.cbh (open it in ChessBase and export its games as PGN); \
                db/old/x.tar.gz (unpack it with tar: tar -xf FILE); db/y.RAR (unpack it with \
                unrar: unrar x FILE)\n";
    assert!(stderr.contains(told), "{stderr}");
    // The help stands once for files that need the same program.
    bench.put("db/a.cbh", b"");
    let (_, stderr) = bench.expect(0, &count);
    let told = "skipped 5 files of db that may hold games: db/a.cbh, db/old/base.cbh (open them in \
                ChessBase and export their games as PGN); db/b.pgn.7z (";
    assert!(stderr.contains(told), "{stderr}");
    let (_, stderr) = bench.expect(3, &["-i", "db/old", "--count", "mate"]);
    assert!(stderr.contains("skipped 2 files of db/old") && stderr.contains("no PGN"), "{stderr}");
    let tar = gzip_members(&[b"a.pgn\0\0"]);
    let members: [(&str, &[u8]); 5] = [
        ("old/t.tar.gz", &tar),
        ("b.7z", b"7z"),
        ("a.cbh", b""),
        ("__MACOSX/._a.cbh", b""),
        ("a.pgn", GAMES),
    ];
    bench.put("a.zip", &zip(&members));
    for input in ["a.zip", "a.zip/"] {
        let (stdout, stderr) = bench.expect(0, &["-i", input, "--count", "mate"]);
        let told = format!(
            "babson: skipped 3 files of {input} that may hold games: a.zip/a.cbh (open it in \
             ChessBase and export its games as PGN); a.zip/b.7z (unpack it"
        );
        assert!(stderr.starts_with(&told) && stdout == "2\n", "{stderr}");
    }
    let (_, stderr) = bench.expect(3, &["-i", "a.zip/old", "--count", "mate"]);
    assert!(stderr.contains("skipped 1 file of a.zip/old that may"), "{stderr}");
    fs::remove_dir_all(bench.path("db")).unwrap();
    fs::create_dir(bench.path("db")).unwrap();
    bench.put("db/a.zip", &zip(&members));
    let (_, stderr) = bench.expect(0, &count);
    assert!(stderr.contains("skipped 3 files of db that may hold games: db/a.zip/a"), "{stderr}");
}

/// A message names the files of a folder and of an archive that begin as PGN does and have other
/// names. It leaves out the other files of a folder.
#[test]
fn games_without_the_name_of_games_are_told() {
    let bench = Bench::new();
    let gz = gzip_members(&[GAMES]);
    let files: [(&str, &[u8]); 8] = [
        ("a.pgn", GAMES),
        ("b.pgn.bak", GAMES),
        ("games", GAMES),
        ("packed.old", &gz),
        ("empty", b""),
        ("prose.text", b"1. Install the program\n"),
        ("board.png", b"\x89PNG"),
        ("letter.txt", b"Dear friend\n"),
    ];
    fs::create_dir(bench.path("db")).unwrap();
    for (name, bytes) in files {
        bench.put(&format!("db/{name}"), bytes);
    }
    bench.put("db.zip", &zip(&files));
    for input in ["db", "db.zip"] {
        let (stdout, stderr) = bench.expect(0, &["-i", input, "--count", "mate"]);
        let told = format!(
            "babson: skipped 3 files of {input} that begin as PGN does, but are not named .pgn: \
             {input}/b.pgn.bak, {input}/games, {input}/packed.old\n"
        );
        assert!(stderr.starts_with(&told) && stdout == "2\n", "{stderr}");
        let others = "babson: skipped 4 members of db.zip that are not PGN by their names or their \
                      first bytes: db.zip/board.png, db.zip/empty, db.zip/letter.txt, …\n";
        assert_eq!(stderr.contains(others), input == "db.zip", "{stderr}");
        assert_eq!(stderr.matches("skipped").count(), if input == "db" { 1 } else { 2 });
    }
    fs::remove_file(bench.path("db/a.pgn")).unwrap();
    let (_, stderr) = bench.expect(3, &["-i", "db", "--count", "mate"]);
    assert!(stderr.contains("db/games") && stderr.contains("holds no PGN file"), "{stderr}");
}

/// The error about a member that the command line names is the only message.
#[test]
fn a_named_member_that_is_not_read() {
    let bench = Bench::new();
    let members: [(&str, &[u8]); 3] =
        [("games", GAMES), ("note.txt", b"Dear friend\n"), ("old/t.tgz", b"t")];
    bench.put("g.zip", &zip(&members));
    for (member, why) in [
        ("games", "it begins as PGN does, but is not named so: unpack it and name it .pgn"),
        (
            "note.txt",
            "it is not PGN by its name or its first bytes; if it has games, unpack it and name it \
             .pgn",
        ),
        (
            "old/t.tgz",
            "it is a tar archive, which Babson does not read: unpack it with tar: tar -xf FILE",
        ),
        ("none", "the archive has no PGN file of this name"),
    ] {
        let (_, stderr) =
            bench.expect(3, &["-i", &format!("g.zip/{member}"), "--count", "--cql", "mate"]);
        assert_eq!(stderr, format!("babson: cannot read g.zip/{member}: {why}\n"));
    }
}

/// A member without the name of games may hold games, so one line tells of such members.
#[test]
fn members_without_the_name_of_games_are_told() {
    let bench = Bench::new();
    let members = ["README", "SHA256SUMS", "games", "games.dat", "a\n.doc", ".hidden"];
    let members = members.map(|name| (name, &b"My games"[..]));
    bench.put("a.zip", &zip(&[&members[..], &[("a.pgn", GAMES)]].concat()));
    bench.put("b.zip", &zip(&[("x/a.pgn", GAMES), ("x/README.doc", b"games")]));
    let count = ["--count", "mate"];
    let (_, stderr) = bench.expect(0, &[&["-i", "a.zip"], &count[..]].concat());
    let told = "babson: skipped 5 members of a.zip that are not PGN by their names or their first \
                bytes: a.zip/README, a.zip/SHA256SUMS, a.zip/a\\u{a}.doc, …\n";
    assert!(stderr.starts_with(told), "{stderr}");
    let told = "babson: skipped 1 member of b.zip/x that is not PGN by its name or its first bytes: \
                b.zip/x/README.doc\n";
    // A path into an archive is an input also without `-i`.
    for words in [&["-i", "b.zip/x"][..], &["b.zip/x"]] {
        let (stdout, stderr) = bench.expect(0, &[words, &count[..]].concat());
        assert!(stderr.starts_with(told) && stdout == "2\n", "{stdout}{stderr}");
    }
    bench.expect(0, &["why", "b.zip/x/", "--cql", "mate"]);
    let (_, stderr) = bench.expect(3, &["b.zip/y", "mate"]);
    assert!(stderr.contains("b.zip/y: the archive has no PGN file of this name"), "{stderr}");
}

/// Info-ZIP writes names with `..`, other programs those with a slash before them.
#[test]
fn members_outside_of_the_archive() {
    let bench = Bench::new();
    bench.put("z.zip", &zip(&[("../up.pgn", GAMES), ("/abs.pgn", GAMES), ("here.pgn", GAMES)]));
    let (stdout, _) = bench.expect(0, &["-i", "z.zip", "--count", "--cql", "initial"]);
    assert_eq!(stdout, "9\n");
    let (stdout, _) = bench.expect(0, &["pack", "z.zip", "-o", "t.arrow"]);
    assert!(stdout.starts_with("9 games in "), "{stdout}");
    for member in ["z.zip/../up.pgn", "z.zip/abs.pgn", "z.zip//abs.pgn", "z.zip/here.pgn"] {
        let (stdout, _) = bench.expect(0, &["-i", member, "--count", "--cql", "initial"]);
        assert_eq!(stdout, "3\n", "{member}");
    }
    let (plan, _) = bench.expect(0, &["plan", "z.zip", "--slices", "1"]);
    bench.expect(0, &["scan", "--slice", plan.trim(), "--cql", "initial", "-o", "a.part"]);
    let (stdout, _) = bench.expect(0, &["merge", "a.part", "--count"]);
    assert_eq!(stdout.lines().next(), Some("9"));
}

/// A name must not forge a message, neither on a terminal nor in a log.
#[test]
fn names_with_control_characters_are_escaped() {
    let bench = Bench::new();
    let forged = "a\nbabson: all is well\r\u{1b}[2J\t\u{9b}.pgn";
    let shown = r"a\u{a}babson: all is well\u{d}\u{1b}[2J\u{9}\u{9b}.pgn";
    let foreign = "a\nbabson: all is well.7z";
    bench.put("z.zip", &zip(&[(forged, BAD), ("b\n.pgn", b"prose"), (foreign, b"7z")]));
    let check = |told: &str| {
        let lines = told.lines().filter(|line| line.starts_with("babson: all is well")).count();
        assert!(lines == 0 && !told.contains(['\r', '\u{1b}', '\u{9b}', '\t']), "{told:?}");
    };
    let (stdout, stderr) = bench.expect(0, &["-i", "z.zip", "-o", "out.pgn", "--cql", "initial"]);
    for part in [shown, r"cannot read z.zip/b\u{a}.pgn: ", r"z.zip/a\u{a}babson: all is well.7z"] {
        assert!(stderr.contains(part), "{part:?} is not in {stderr:?}");
    }
    check(&stderr);
    check(&stdout);
    let why = ["why", "-i", "z.zip", "--cql", "initial", "-g", "1"];
    let (stdout, _) = bench.expect(0, &why);
    assert!(stdout.starts_with(&format!("game 1 of z.zip/{shown}: ")), "{stdout:?}");
    // As the name of a file, an operand, an output, a query.
    for words in [
        &["-i", "x\nbabson: all is well.pgn", "mate"][..],
        &["-i", "x\nbabson: all is well.foo", "mate"],
        &["x\nbabson: all is well.cql"],
        &["-i", "games.pgn", "-o", "no\nbabson: all is well/x.pgn", "mate"],
        &["-i", "games.pgn", "-o", "x\nbabson: all is well", "mate"],
        &["pack", "games.pgn", "-o", "x\nbabson: all is well.foo"],
        &["pack", "--check", "x\nbabson: all is well.arrow"],
        &["plan", "x\nbabson: all is well.pgn"],
        &["merge", "x\nbabson: all is well.part", "--count"],
        &["check", "x\nbabson: all is well.cql"],
        &["fmt", "x\nbabson: all is well.cql"],
        &["explain", "x\nbabson: all is well.cql"],
        &["why", "-i", "x\nbabson: all is well.pgn", "--cql", "mate", "-g", "1"],
    ] {
        let output = bench.run(words);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && told.contains(r"\u{a}babson: all"),
            "{words:?}: {told}"
        );
        check(&told);
    }
    #[cfg(unix)]
    {
        let file = "x\nbabson: all is well";
        bench.put(&format!("{file}.pgn"), GAMES);
        bench.put(&format!("{file}.cql"), b"chekc");
        for words in [
            vec![
                "-i".to_owned(),
                format!("{file}.pgn"),
                "-o".to_owned(),
                format!("{file}.csv"),
                "mate".to_owned(),
            ],
            vec!["check".to_owned(), format!("{file}.cql")],
            vec![
                "-i".to_owned(),
                "games.pgn".to_owned(),
                "--count".to_owned(),
                "mate".to_owned(),
                format!("{file}.cql"),
            ],
        ] {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = bench.run(&words);
            check(&String::from_utf8_lossy(&output.stderr));
            check(&String::from_utf8_lossy(&output.stdout));
        }
    }
}
