//! Damaged tables: wrong bytes never give other results, and what is said of them is right.

use super::*;

/// The codes of 1. e4 e5: see docs/src/tables.md#moves.
const E4_E5: [u16; 2] = [12 | 28 << 6 | 6 << 12, 52 | 36 << 6 | 6 << 12];

/// Where a table has these bytes.
fn place_of(table: &[u8], bytes: &[u8]) -> usize {
    let mut places = table.windows(bytes.len()).enumerate();
    let place = places.find(|(_, window)| *window == bytes).unwrap().0;
    assert!(!places.any(|(_, window)| window == bytes));
    place
}

/// Changes a byte of a column and gives the table the checksums of what it holds then, as somebody
/// may do who writes tables.
fn forge(table: &[u8], at: usize, value: u8) -> Vec<u8> {
    let mut forged = table.to_vec();
    forged[at] = value;
    let end = table.len() - 10;
    let length = u32::from_le_bytes(table[end..end + 4].try_into().unwrap()) as usize;
    let footer = end - length..end;
    let text = |sum: u32| format!("{sum:08x}").into_bytes();
    let digits = table[footer.clone()].windows(8).zip(footer.start..);
    let digits: std::collections::HashMap<&[u8], usize> = digits.collect();
    // The column, and the items of its first rows: what begins aligned, holds the byte and has one
    // of the checksums.
    let mut sums = Vec::new();
    for start in (at.saturating_sub(4096)..=at).filter(|start| start % 64 == 0) {
        let [mut old, mut new] = [table, &forged].map(|bytes| {
            let mut hasher = crc32fast::Hasher::new();
            hasher.update(&bytes[start..=at]);
            hasher
        });
        for byte in table[at + 1..footer.start].chunks(1).take(4096) {
            if let Some(&place) = digits.get(&text(old.clone().finalize())[..]) {
                sums.push((place, text(new.clone().finalize())));
            }
            old.update(byte);
            new.update(byte);
        }
    }
    assert!(!sums.is_empty());
    for (place, sum) in sums {
        forged[place..place + 8].copy_from_slice(&sum);
    }
    // The checksums begin with the eight digits of the checksum of the footer, which is computed
    // with zeros in place of these digits.
    let is_sum = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
    let own = footer.start + table[footer.clone()].windows(200).position(is_sum).unwrap();
    forged[own..own + 8].fill(b'0');
    let sum = text(crc32fast::hash(&forged[footer]));
    forged[own..own + 8].copy_from_slice(&sum);
    forged
}

/// A search of a table with a wrong byte gives what it gave before, or an error that names the
/// table; so for any number of threads.
#[test]
fn a_wrong_byte_never_changes_results() {
    const QUERIES: [&str; 5] =
        ["mate", "player \"a\" #Q > 1", "true", "find 2 9 {move from N}", "line --> check"];
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("games.arrow");
    let mut compressions = vec![Compression::None];
    if cfg!(feature = "zstd") {
        compressions.push(Compression::Zstd);
    }
    for compression in compressions {
        pack_with(&corpus("games/special.pgn"), &table, 2, compression);
        let sound = std::fs::read(&table).unwrap();
        let searched = |query| search(&table, query, Dialect::CQLI, 1).unwrap();
        let expected = QUERIES.map(searched);
        let (mut refused, mut same) = (0, 0);
        for (trial, at) in (0..sound.len()).step_by(sound.len() / 400).enumerate() {
            let mut damaged = sound.clone();
            damaged[at] ^= [1, 0x80, 0xff, 0x10][trial % 4];
            std::fs::write(&table, damaged).unwrap();
            let (query, expected) = (QUERIES[trial % 5], &expected[trial % 5]);
            let found = search(&table, query, Dialect::CQLI, 1 + trial % 3).unwrap();
            if found == *expected {
                same += 1;
            } else {
                let error = found.lines().next().unwrap();
                assert!(error.starts_with("cannot read "), "byte {at}, {query}: {error}");
                assert!(error.contains("games.arrow: the "), "byte {at}, {query}: {error}");
                refused += 1;
            }
        }
        assert!(refused > 100 && same > 20, "{refused} {same}");
    }
}

/// Damage after what a search needs is not found by it, and ends no search before it.
#[test]
fn only_what_is_read_is_tested() {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, table] = ["games.pgn", "games.arrow"].map(|name| folder.path().join(name));
    std::fs::write(&pgn, "[White \"a\"]\n\n1. e4 e5 *\n\n[White \"b\"]\n\n1. d4 *\n").unwrap();
    pack(&pgn, &table, 2);
    let mut bytes = std::fs::read(&table).unwrap();
    let codes: Vec<u8> = E4_E5.iter().flat_map(|code| code.to_le_bytes()).collect();
    let at = place_of(&bytes, &codes);
    bytes[at] ^= 1;
    std::fs::write(&table, bytes).unwrap();
    for query in ["mate", "player \"x\"", "#q > 1"] {
        let found = search(&table, query, Dialect::CQLI, 1).unwrap();
        assert!(found.starts_with("2 games, 0 matches"), "{found}");
    }
    let found = search(&table, "ply == 1", Dialect::CQLI, 1).unwrap();
    let expected = "games.arrow: the table is damaged: batch 1 (rows 1 to 2): the column moves \
                    does not have its checksum\n";
    assert!(found.contains(expected), "{found}");
}

/// So is damage of rows that a search does not read, though it reads others of the same batch.
#[test]
fn only_the_rows_that_are_read_are_tested() {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, table] = ["games.pgn", "games.arrow"].map(|name| folder.path().join(name));
    let game = |number| {
        let last = match number {
            7 => "Qh5",
            127 => "Qg4",
            128 => "Qf3",
            _ => "d4",
        };
        format!("[White \"n{number}\"]\n\n1. e4 e5 2. {last} *\n\n")
    };
    let games = (0..200).map(game);
    std::fs::write(&pgn, games.collect::<String>()).unwrap();
    pack(&pgn, &table, 2);
    let mut bytes = std::fs::read(&table).unwrap();
    let at = place_of(&bytes, b"[White \"n150\"]");
    bytes[at + 8] ^= 1;
    std::fs::write(&table, bytes).unwrap();
    for (query, expected) in [
        ("Qh5", Ok("200 games, 1 matches")),
        ("Qg4", Ok("200 games, 1 matches")),
        ("Qf3", Err("the column tags does not have its checksum\n")),
        ("ply == 1", Err("the column tags does not have its checksum\n")),
    ] {
        let found = search(&table, query, Dialect::CQLI, 1).unwrap();
        match expected {
            Ok(sound) => assert!(found.starts_with(sound), "{query}: {found}"),
            Err(damaged) => assert!(found.contains(damaged), "{query}: {found}"),
        }
    }
}

#[derive(Default)]
struct Reports(Vec<DamagedGame>);

impl Observer for Reports {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        if let Event::Damaged(game) = event {
            self.0.push(game);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

/// Writes the table with this byte, with right checksums, and searches and packs it. Returns the
/// number of matches of `true`, the summaries of damaged and left out games, and the report.
fn searched_and_packed(
    table: &Path,
    sound: &[u8],
    at: usize,
    value: u8,
) -> (u64, [(u64, u64); 2], DamagedGame) {
    std::fs::write(table, forge(sound, at, value)).unwrap();
    babson_engine::check_table(table, true).unwrap();
    let inputs = [Input::File(table.to_owned())];
    let settings = Settings::default();
    let (mut searched, mut packed) = (Reports::default(), Reports::default());
    let task = Task::new(job("true", Dialect::CQLI).unwrap());
    let found = scan(&inputs, vec![task], &settings, &mut searched).unwrap();
    let again = table.with_file_name("again.arrow");
    let pack = babson_engine::pack(&inputs, &again, Compression::None, &settings, &mut packed);
    let pack = pack.unwrap();
    assert_eq!(pack.games, 2 - pack.left_out);
    assert_eq!(searched.0, packed.0);
    let sums = [(found.damaged, found.left_out), (pack.damaged, pack.left_out)];
    assert_eq!(searched.0.len(), 1);
    (found.queries[0].matches, sums, searched.0.remove(0))
}

/// A table may have right checksums and rows that are not games: the report names the row of the
/// table, since the game is sound where it comes from.
#[test]
fn a_row_that_is_not_a_game_is_reported_as_one_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, table] = ["games.pgn", "games.arrow"].map(|name| folder.path().join(name));
    let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e3 *\n";
    std::fs::write(&pgn, format!("[White \"a\"]\n\n1. e4 e5 *\n\n{fen}")).unwrap();
    pack(&pgn, &table, 2);
    let sound = std::fs::read(&table).unwrap();
    let name = table.display().to_string();
    let codes: Vec<u8> = E4_E5.iter().flat_map(|code| code.to_le_bytes()).collect();
    let (matches, sums, report) = searched_and_packed(&table, &sound, place_of(&sound, &codes), 0);
    assert_eq!((matches, sums), (1, [(1, 1), (1, 1)]));
    assert_eq!((report.input.as_str(), report.line, report.game), (name.as_str(), 1, 1));
    let expected = format!(
        "move 1 of the game cannot be played, so it is left out: row 1 of the table is damaged, \
         which has game 1 of {} (line 1)",
        pgn.display()
    );
    assert_eq!(report.reason.to_string(), expected);
    // The start of the second game, which the tag section has.
    let tag = b"[FEN \"4k3";
    let at = place_of(&sound, tag) + tag.len() - 1;
    let (_, sums, report) = searched_and_packed(&table, &sound, at, b'9');
    assert_eq!(sums, [(1, 0), (1, 0)]);
    assert_eq!((report.input.as_str(), report.line, report.game), (name.as_str(), 2, 2));
    let expected =
        format!(": row 2 of the table is damaged, which has game 2 of {} (line 5)", pgn.display());
    assert!(report.reason.to_string().ends_with(&expected), "{}", report.reason);
}

/// A query of tags alone finds a match in a row whose moves cannot be played. It is not written,
/// and takes no place among the best, so that the next one is written.
#[test]
fn a_match_that_cannot_be_read_is_not_among_the_best() {
    let folder = tempfile::tempdir().unwrap();
    let [pgn, table, out] =
        ["games.pgn", "games.arrow", "out.pgn"].map(|name| folder.path().join(name));
    let game = |white: &str, elo: u32, moves: &str| {
        format!("[White \"{white}\"]\n[WhiteElo \"{elo}\"]\n\n{moves} *\n\n")
    };
    let games = [game("a", 2800, "1. e4 e5"), game("b", 2700, "1. d4 d5")].concat();
    std::fs::write(&pgn, games).unwrap();
    pack(&pgn, &table, 2);
    let sound = std::fs::read(&table).unwrap();
    let codes: Vec<u8> = E4_E5.iter().flat_map(|code| code.to_le_bytes()).collect();
    std::fs::write(&table, forge(&sound, place_of(&sound, &codes), 0)).unwrap();
    let query = "initial sort \"elo\" {elo white}";
    let task = Task::new(job(query, Dialect::CQLI).unwrap()).top(1).sink(FileSink::pgn(&out));
    let inputs = [Input::File(table)];
    scan(&inputs, vec![task], &Settings::default(), &mut Reports::default()).unwrap();
    let written = std::fs::read_to_string(&out).unwrap();
    assert!(written.contains("[White \"b\"]") && !written.contains("[White \"a\"]"), "{written}");
}
