//! The format of parts.

use std::fmt::Write;

use babson_vm::run::{GameFailure, ReadPurpose};
use babson_vm::{Field, Outcome, PipeFailure, RunLimit, SharedChangesData, SortValue};

use super::*;
use crate::collect::{SliceBatches, StoredMatch};
use crate::summary::FinalState;
use crate::worker::{BlockResult, JobLog, Remark};

/// The bytes of a part with a frame of each kind, in hexadecimal digits.
const GOLDEN: &str = "
    626162736f6e20706172742031330a3e00000066ebb81b0008303132333435363701030105612e7a
    69700105612e70676e0a01e80701dc0bd00f84868808888e9828020502070c8e9ab058018c96a848
    046e6f74650a0000007133d9d2010106626c6f636b0a00060000008e690f4c02046c6f6e67e30000
    00020b8369030205ac029601000205612e70676e0904086120726561736f6e034b78780200010101
    00010105612e70676e0904086120726561736f6e034b7878020001000101020401034b7878050001
    01010207ac02020500010103000105622e70676e032801070307312e206534202a010201c8010201
    09030176010107636f6d6d656e74010102010158017901015a0001c80101460008030001000c0101
    0173000a61206d6573736167650a01030a0105030372617903ac0204037768790101000501020400
    0000000000e03f01040001000e0101810401030301010102026162000264c8012e000000d05188f9
    050106626c6f636b0a010661737365727403ac02040377687901010001010578203d20310108445b
    315d203d20321b00000066f4126e040101060b636f6d6d616e647069706503ac0204037768790101
    00060000002cfbcd3806000000000006000000";

fn error(filter: &'static str) -> RuntimeError {
    let mut error = RuntimeError::new(filter, babson_lang::Span::new(3, 300), "why");
    error.position = 4;
    error.fatal = true;
    error.limit = Some(RunLimit::Steps);
    error
}

fn head() -> PartHead {
    let range = InputRange {
        input: "a.zip".to_owned(),
        member: Some("a.pgn".to_owned()),
        begin: 10,
        end: Some(1000),
        rows: Some(1500),
        input_length: 2000,
        edge_checksum: 0x0102_0304,
        text_checksum: 0x0506_0708,
        first_game: 2,
        first_line: 5,
    };
    let slice = Slice {
        plan: "01234567".to_owned(),
        index: 1,
        count: 3,
        ranges: vec![range],
        first_game: 2,
        games: 7,
        last_game: 12,
        checksum: 0x0b0c_0d0e,
    };
    PartHead { slice, in_order: true, fingerprint: 0x090a_0b0c, note: "note".to_owned() }
}

/// The checksum of a slice does not change with the program: a slice of one build is a slice of the
/// next one. Another implementation of CRC-32 computed the numbers.
#[test]
fn the_checksum_of_a_slice_is_of_its_fields() {
    let slice = head().slice;
    assert_eq!(slice.clone().sealed().checksum, 0xac59_67bb);
    let mut whole = slice;
    let range = &mut whole.ranges[0];
    (range.member, range.end, range.rows) = (None, None, None);
    assert_eq!(whole.sealed().checksum, 0xe92e_b127);
}

fn frames() -> Vec<PartFrame> {
    let outcome = Outcome {
        matched: true,
        positions: vec![1, 200],
        values: vec![babson_vm::Value::Number(-5), babson_vm::Value::Text(b"v".to_vec())],
        comments: [(1, b"comment")].into_iter().collect(),
        headers: 1,
        removed_comments: vec![2],
        tags: vec![("X".to_owned(), b"y".to_vec())],
        removed_tags: vec!["Z".to_owned()],
        messages: Vec::new(),
        fields: vec![Field { position: 200, name: "F".to_owned(), value: SortValue::Number(4) }],
        sort: vec![None, Some(SortValue::Number(6)), Some(SortValue::Text(b"s".to_vec()))],
        error: None,
    };
    let stored = StoredMatch {
        game: 3,
        input: 0,
        source: Some("b.pgn".to_owned()),
        input_number: 3,
        offset: 40,
        length: Some(7),
        line: 3,
        text: b"1. e4 *".to_vec(),
        outcome,
    };
    let mut report = DamagedGame::new("a.pgn", 9, 4, "a reason");
    (report.text, report.more) = (b"Kxx".to_vec(), 2);
    let remark = |jobs| Remark {
        report: report.clone(),
        note: false,
        left_out: true,
        jobs,
        purpose: ReadPurpose::Match,
        rank: 1,
    };
    let changes: SharedChangesData = serde_json::from_str(
        r#"{"persistents": [null, {"Number": 7}, {"Set": 513}, {"Position": 3}],
            "dictionaries": [{"emptied": true, "entries": [[{"Text": [97, 98]}, {"Number": 1}]]}],
            "bytes": 100, "most_growth": 200}"#,
    )
    .unwrap();
    let batch = StoredBatch {
        first_game: 2,
        games: 5,
        bytes: 300,
        input_bytes: 150,
        rewritten_table: None,
        remarks: vec![remark(Some(vec![0])), remark(None)],
        others: SliceBatches::example(),
        jobs: vec![JobBatch {
            matches: vec![stored],
            log: JobLog {
                messages: b"a message\n".to_vec(),
                message_ends: vec![(3, 10)],
                errors: vec![GameFailure { game: 5, before: 3, error: error("ray") }],
                unread: std::iter::once(2..4).collect(),
                evaluated: 5,
                seconds: 0.5,
            },
            changes: Some(changes),
        }],
    };
    let block = |error| BlockResult { messages: b"block\n".to_vec(), error };
    let state = FinalState {
        persistents: vec!["x = 1".to_owned()],
        dictionaries: vec!["D[1] = 2".to_owned()],
        profile: Vec::new(),
    };
    vec![
        PartFrame::Begin(vec![block(None)]),
        PartFrame::LongText(b"long".to_vec()),
        PartFrame::Batch(Box::new(batch)),
        PartFrame::Ended(vec![block(Some(error("assert")))], vec![state]),
        PartFrame::Closed(vec![vec![PipeFailure { game: Some(6), error: error("commandpipe") }]]),
    ]
}

/// If this test fails, the format has changed: raise the number in the first line of a part.
#[test]
fn the_bytes_of_a_part_are_those_of_its_version() {
    let mut bytes = Vec::new();
    let mut writer = PartWriter::new(&mut bytes, head()).unwrap();
    for frame in frames() {
        writer.write(&frame).unwrap();
    }
    writer.finish(PartTotals::default()).unwrap();
    let mut digits = String::new();
    for (at, byte) in bytes.iter().enumerate() {
        let end = if at % 40 == 39 { "\n" } else { "" };
        write!(digits, "{byte:02x}{end}").unwrap();
    }
    let golden = GOLDEN.split_whitespace().collect::<Vec<_>>().join("\n");
    assert!(digits == golden, "{digits}");
}

/// Bytes after a frame, though its checksum is right, are damage of the part.
#[test]
fn a_frame_has_nothing_after_it() {
    let part = |rest: &[u8]| {
        let mut bytes = Vec::new();
        let mut writer = PartWriter::new(&mut bytes, head()).unwrap();
        let payload = postcard::to_stdvec(&PartFrame::Begin(Vec::new())).unwrap();
        writer.write_payload(&[&payload, rest].concat()).unwrap();
        writer.finish(PartTotals::default()).unwrap();
        SliceResult::read("the part", Cursor::new(bytes)).unwrap().check()
    };
    part(b"").unwrap();
    let told = "the part: it is damaged or cut short: search its slice again";
    assert_eq!(part(b"\0").unwrap_err().to_string(), told);
}
