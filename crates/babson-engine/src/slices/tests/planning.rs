//! Where inputs are cut into slices.

use super::*;

/// Compressed inputs of about the same length are searched apart, though they are not cut.
#[test]
fn compressed_inputs_share_a_plan() {
    let folder = tempfile::tempdir().unwrap();
    let inputs: Vec<Input> = (0..6)
        .map(|month| {
            let path = folder.path().join(format!("{month}.pgn.gz"));
            let game = "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(10 + month);
            // Stored without compression, so that each file is about as long as its text.
            let mut encoder =
                flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
            encoder.write_all(game.as_bytes()).unwrap();
            std::fs::write(&path, encoder.finish().unwrap()).unwrap();
            Input::File(path)
        })
        .collect();
    let inputs_of = |slice: &Slice| slice.ranges.len();
    for (count, expected) in [(1, vec![6]), (2, vec![3; 2]), (3, vec![2; 3]), (6, vec![1; 6])] {
        let slices = plan(&inputs, count, 2, true).unwrap();
        assert_eq!(slices.iter().map(inputs_of).collect::<Vec<_>>(), expected, "{count}");
    }
    assert_eq!(plan(&inputs, 100, 2, true).unwrap().len(), 6);
}

#[test]
fn slices_are_whole_games() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    for count in [0, 1, 2, 7, 400, usize::MAX] {
        let slices = plan(&inputs, count, 3, true).unwrap();
        let (mut games, mut ends) = (0, Vec::new());
        for (index, slice) in slices.iter().enumerate() {
            assert_eq!((slice.index, slice.count), (index, slices.len()));
            assert_eq!(slice.first_game, games + 1);
            assert!(slice.is_sound(), "{slice:?}");
            games += slice.games;
            for range in &slice.ranges {
                let end = if range.begin == 0 { 0 } else { ends.pop().unwrap() };
                assert_eq!(range.begin, end);
                ends.push(range.end.unwrap_or(range.input_length));
            }
        }
        let lengths: Vec<u64> = inputs.iter().map(|input| input.size().unwrap()).collect();
        assert_eq!(ends, lengths);
        assert!(slices.iter().all(|slice| slice.last_game == games));
        assert!(slices.len() >= count.clamp(1, 100), "{count}: {}", slices.len());
    }
    let refused = plan(&[Input::bytes("x", *b"")], 2, 1, true).unwrap_err().to_string();
    assert!(refused.contains("only files"), "{refused}");
}

/// Whoever asks for files that are not mapped gets the same slices, and no file is mapped: another
/// process may truncate it.
#[test]
fn files_that_are_not_mapped_are_cut_at_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = put_inputs(folder.path());
    for count in [1, 2, 7, 400, usize::MAX] {
        let slices = plan(&inputs, count, 1, true).unwrap();
        let maps = mapped_files();
        assert_eq!(plan(&inputs, count, 1, false).unwrap(), slices);
        assert!(slices.iter().all(|slice| slice.check().is_ok()));
        assert_eq!(mapped_files(), maps);
    }
}

/// What is before a slice is not read.
#[test]
fn a_slice_of_a_file_that_is_not_mapped_is_read_alone() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = &put_inputs(folder.path())[..1];
    for slice in plan(inputs, 5, 1, false).unwrap() {
        let cutter = Cutter::new(inputs, 1 << 16).with_mapping(false).with_ranges(slice.extents());
        let chunks: Vec<Chunk> =
            cutter.map(|cut| Chunk::of(cut.ok().unwrap(), &RowChoice::None).unwrap()).collect();
        let read: u64 = chunks.iter().map(|chunk| chunk.input_length).sum();
        let [range] = slice.ranges.as_slice() else { panic!("{slice:?}") };
        assert_eq!(chunks[0].offset, range.begin);
        assert_eq!(range.begin + read, range.end.unwrap());
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_cut() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.pgn");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let refused = plan(&[Input::File(pipe)], 2, 1, true).unwrap_err().to_string();
    assert!(refused.contains("only files"), "{refused}");
}

/// An edit in the middle of a slice makes another plan, so that no old part is used again.
#[test]
fn a_plan_depends_on_every_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    let mut text = corpus("masters-2k.pgn");
    std::fs::write(&path, &text).unwrap();
    let plan_id = || plan(&[Input::File(path.clone())], 2, 1, true).unwrap().remove(0).plan;
    let before = plan_id();
    assert_eq!(plan_id(), before);
    let at = text.iter().rposition(|&byte| byte == b'e').unwrap() / 2;
    text[at] ^= 2;
    std::fs::write(&path, &text).unwrap();
    assert_ne!(plan_id(), before);
}
