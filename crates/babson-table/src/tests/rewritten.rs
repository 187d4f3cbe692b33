//! Tables that other programs have written anew.

use super::*;

/// A file of Arrow with the columns and metadata of a table, as another program writes it.
pub(super) fn written_anew(file: &[u8], metadata: bool, stream: bool) -> Vec<u8> {
    let reader = arrow_ipc::reader::FileReader::try_new(Cursor::new(file), None).unwrap();
    let mut schema = reader.schema().as_ref().clone();
    if !metadata {
        schema.metadata.clear();
    }
    let batches = reader.map(|batch| {
        let columns = batch.unwrap().columns().to_vec();
        arrow_array::RecordBatch::try_new(schema.clone().into(), columns).unwrap()
    });
    if stream {
        let mut writer = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &schema).unwrap();
        batches.for_each(|batch| writer.write(&batch).unwrap());
        return writer.into_inner().unwrap();
    }
    let mut writer = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &schema).unwrap();
    batches.for_each(|batch| writer.write(&batch).unwrap());
    writer.into_inner().unwrap()
}

#[test]
fn other_files_are_told_apart() {
    assert_eq!(open(b"[Event \"?\"]\n\n1. e4 *").err(), Some(TableError::NotArrow));
    assert_eq!(open(b"").err(), Some(TableError::NotArrow));
    let table = pack(b"1. e4 *");
    let stream = written_anew(&table, true, true);
    let feather = TableError::OtherFormat("a Feather file of version 1");
    assert_eq!(open(b"FEA1\0\0\0\0").err(), Some(feather));
    let parquet = open(b"PAR1\x15\x04").err();
    match cfg!(feature = "parquet") {
        true => assert!(matches!(parquet, Some(TableError::Damaged(_))), "{parquet:?}"),
        false => assert_eq!(parquet, Some(TableError::Parquet)),
    }
    for cut in 0..stream.len() {
        assert!(open(&stream[..cut]).is_err(), "cut at {cut}");
    }
    assert_eq!(open(&stream[..20]).err(), Some(TableError::NotArrow));
    let field = arrow_schema::Field::new("a", arrow_schema::DataType::Int32, true);
    let schema = arrow_schema::Schema::new(vec![field]);
    let mut foreign = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &schema).unwrap();
    foreign.finish().unwrap();
    let foreign = foreign.into_inner().unwrap();
    assert!(matches!(open(&foreign), Err(TableError::Foreign(_))));
    let mut foreign = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &schema).unwrap();
    foreign.finish().unwrap();
    let foreign = foreign.into_inner().unwrap();
    assert!(matches!(open(&foreign), Err(TableError::Foreign(_))));
}

/// The games of a second table would be lost without a word.
#[test]
fn nothing_but_one_table_is_in_a_stream_or_file() {
    let [one, other] = [&b"1. e4 *"[..], b"1. e4 *\n\n1. d4 d5 2. c4 *"].map(pack);
    let stream = written_anew(&one, true, true);
    assert!(open(&stream).is_ok());
    let expected =
        TableError::damaged("something follows the end of its stream, such as another table");
    for more in [&stream[..], b"\0"] {
        assert_eq!(open(&[&stream[..], more].concat()).err().as_ref(), Some(&expected));
    }
    let expected = TableError::damaged(
        "there is something before its footer that the footer does not list, such as another table",
    );
    let none = written_anew(&pack(b""), true, false);
    let [one, other] = [one, other].map(|table| written_anew(&table, true, false));
    for (first, second) in [(&one, &other), (&other, &one), (&one, &one), (&one, &none)] {
        assert!(open(second).is_ok());
        assert_eq!(open(&[&first[..], second].concat()).err().as_ref(), Some(&expected));
    }
}

/// A stream tells its end, or else nobody knows whether it was cut off.
#[test]
fn a_stream_without_an_end_is_refused() {
    let stream = written_anew(&pack(b"1. e4 *"), true, true);
    let without_end = &stream[..stream.len() - crate::frame::END.len()];
    assert_eq!(open(without_end).err(), Some(TableError::CutStream));
}

/// What writers put between the parts of a file.
#[test]
fn files_of_other_writers_are_whole() {
    let table = pack(b"1. e4 *");
    let is_read =
        |file: &[u8]| open(file).is_ok_and(|table| table.is_rewritten() && table.len() == 1);
    for alignment in [8, 16, 32, 64] {
        let reader = arrow_ipc::reader::FileReader::try_new(Cursor::new(&table), None).unwrap();
        let (schema, version) = (reader.schema(), arrow_ipc::MetadataVersion::V5);
        let options = arrow_ipc::writer::IpcWriteOptions::try_new(alignment, false, version);
        let mut writer = arrow_ipc::writer::FileWriter::try_new_with_options(
            Vec::new(),
            &schema,
            options.unwrap(),
        )
        .unwrap();
        reader.for_each(|batch| writer.write(&batch.unwrap()).unwrap());
        assert!(is_read(&writer.into_inner().unwrap()), "{alignment}");
    }
    // Polars writes the schema without the marker and the length before it.
    let mut polars = written_anew(&table, true, false);
    let at = polars.windows(4).position(|bytes| bytes == crate::frame::CONTINUATION).unwrap();
    let length = i32::from_le_bytes(*polars[at + 4..].first_chunk().unwrap()) as usize;
    polars.copy_within(at + 8..at + 8 + length, at);
    polars[at + length..at + length + 8].fill(0);
    assert!(is_read(&polars));
}

/// A column with the types that Polars writes.
fn as_polars(array: &ArrayRef) -> ArrayRef {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        let keys: UInt32Array = dictionary
            .keys()
            .as_primitive::<Int32Type>()
            .iter()
            .map(|key| key.map(|key| key as u32))
            .collect();
        let texts: StringViewArray = dictionary.values().as_string::<i32>().iter().collect();
        return Arc::new(DictionaryArray::try_new(keys, Arc::new(texts)).unwrap());
    }
    if let Some(bytes) = array.as_binary_opt::<i32>() {
        return Arc::new(bytes.iter().collect::<BinaryViewArray>());
    }
    if let Some(texts) = array.as_string_opt::<i32>() {
        return Arc::new(texts.iter().collect::<StringViewArray>());
    }
    let Some(list) = array.as_list_opt::<i32>() else { return array.clone() };
    let DataType::List(field) = list.data_type() else { unreachable!() };
    let (field, ends) = (field.clone(), list.offsets().iter().map(|&end| i64::from(end)));
    let offsets = OffsetBuffer::new(ends.collect());
    Arc::new(LargeListArray::new(field, offsets, list.values().clone(), list.nulls().cloned()))
}

/// A table of the rows after the first one, as another program writes it.
fn filtered(
    file: &[u8],
    stream: bool,
    change: impl Fn(&str, &ArrayRef) -> Option<ArrayRef>,
) -> Vec<u8> {
    let reader = arrow_ipc::reader::FileReader::try_new(Cursor::new(file), None).unwrap();
    let batches: Vec<RecordBatch> = reader
        .map(|batch| {
            let batch = batch.unwrap();
            let batch = batch.slice(1, batch.num_rows() - 1);
            let schema = batch.schema();
            let columns = schema.fields().iter().zip(batch.columns());
            let columns = columns.filter_map(|(field, array)| {
                Some((field.name().clone(), change(field.name(), array)?, true))
            });
            RecordBatch::try_from_iter_with_nullable(columns).unwrap()
        })
        .collect();
    let schema = batches[0].schema();
    if stream {
        let mut writer = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &schema).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        return writer.into_inner().unwrap();
    }
    let mut writer = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &schema).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.into_inner().unwrap()
}

/// Tables that other programs have filtered have the same games as before, and the facts of their
/// moves, whatever the program has made of the other columns.
#[test]
fn tables_that_were_written_anew_are_read() {
    let pgn = [&corpus("special.pgn")[..], b"\n\n", &corpus("studies.pgn")].concat();
    let file = pack(&pgn);
    let whole = open(&file).unwrap().batch(0, ColumnSet::ALL).unwrap();
    let check = |bytes: &[u8]| {
        let table = open(bytes).unwrap();
        assert!(table.is_rewritten());
        table.verify().unwrap();
        let batch = table.batch(0, ColumnSet::ALL).unwrap();
        assert_eq!(batch.len(), whole.len() - 1);
        for row in 0..batch.len() {
            assert_eq!(
                format!("{:?}", batch.game_text(row)),
                format!("{:?}", whole.game_text(row + 1))
            );
        }
        assert_eq!(batch.flags(), &whole.flags()[1..]);
        assert_eq!(batch.footprint(4), &whole.footprint(4)[1..]);
        assert_eq!((batch.number(), batch.line()), (&whole.number()[1..], &whole.line()[1..]));
    };
    for stream in [false, true] {
        check(&filtered(&file, stream, |_, array| Some(array.clone())));
        check(&filtered(&file, stream, |_, array| Some(as_polars(array))));
        // Columns of facts are left out, or wrong.
        check(&filtered(&file, stream, |name, array| match name {
            "white_queen" | "plies" | "event" => None,
            "white_pawn_max" => Some(Arc::new(UInt8Array::from(vec![0; array.len()]))),
            _ => Some(array.clone()),
        }));
    }
    assert!(!open(&file).unwrap().is_rewritten());
}

/// What the games are made of must fit together.
#[test]
fn tables_that_were_written_wrong_are_refused() {
    let file = pack(b"1. d4 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 *\n");
    let error = |change: &dyn Fn(&str, &ArrayRef) -> Option<ArrayRef>| {
        open(&filtered(&file, false, change)).unwrap_err().to_string()
    };
    let zeros = |array: &ArrayRef| -> ArrayRef { Arc::new(UInt8Array::from(vec![0; array.len()])) };
    for (column, told) in [
        ("checks", "row 1: the column checks does not fit the moves"),
        ("moves", "row 1: it has no moves"),
        ("tags", "row 1: a column of bytes has another type"),
    ] {
        let no_lists = |name: &str, array: &ArrayRef| {
            Some(match name == column {
                true if column == "tags" => zeros(array),
                true => arrow_array::new_null_array(array.data_type(), array.len()),
                false => array.clone(),
            })
        };
        let error = error(&no_lists);
        assert!(error.contains(told), "{error}");
    }
    // A column of the games is named, also in a stream. Without most of them it is an Arrow file
    // like any other.
    let without = |name: &str, array: &ArrayRef| {
        (!["movetext", "checks"].contains(&name)).then(|| array.clone())
    };
    let told = "without columns of its games (movetext, checks): write it with these columns";
    for stream in [false, true] {
        let error = open(&filtered(&file, stream, without)).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
    let error = error(&|name, array| ["white", "flags"].contains(&name).then(|| array.clone()));
    assert!(error.contains("not a game table: it has no column input"), "{error}");
}

/// Counts the panics of this thread while `run` runs, also those that are caught. Those of other
/// threads are reported as usual.
fn panics_of(run: impl FnOnce()) -> usize {
    let thread = std::thread::current().id();
    let usual = Arc::new(std::panic::take_hook());
    let others = Arc::clone(&usual);
    let (sender, panics) = mpsc::channel();
    std::panic::set_hook(Box::new(move |info| match std::thread::current().id() == thread {
        true => drop(sender.send(())),
        false => others(info),
    }));
    run();
    std::panic::set_hook(Box::new(move |info| usual(info)));
    panics.try_iter().count()
}

/// The library of Arrow does not panic, and so writes nothing to standard error, whatever the
/// metadata of a table says that another program has written.
#[test]
fn damaged_metadata_of_tables_that_were_written_anew_panics_nowhere() {
    let file = pack(&corpus("special.pgn"));
    let needed = |name: &str| NEEDED.iter().any(|column| column.name() == name);
    let arrow = |name: &str, array: &ArrayRef| needed(name).then(|| array.clone());
    let polars = |name: &str, array: &ArrayRef| needed(name).then(|| as_polars(array));
    let mut random = 1u64;
    let mut next = |limit: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % limit
    };
    for stream in [false, true] {
        for bytes in [filtered(&file, stream, arrow), filtered(&file, stream, polars)] {
            assert!(open(&bytes).unwrap().is_rewritten());
            let metadata = metadata_of(&bytes, stream);
            let mut damaged = bytes.clone();
            let (mut refused, mut tries) = (0, 0);
            let panics = panics_of(|| {
                for _ in 0..1500 {
                    let range = metadata[next(metadata.len())].clone();
                    // Half of the changes are to numbers of eight bytes, as offsets and lengths.
                    let at = range.start + next(range.len() - 8);
                    let at = if next(2) == 0 { at } else { at.next_multiple_of(8) };
                    let width = if at % 8 == 0 { 8 } else { 1 };
                    let place = at..(at + width).min(range.end);
                    match next(4) {
                        0 => damaged[at] ^= 1 << next(8),
                        1 => damaged[place.clone()].fill(0xff),
                        2 => damaged[place.clone()].fill(0x7f),
                        _ => damaged[at] = next(256) as u8,
                    }
                    tries += 1;
                    refused += usize::from(open(&damaged).is_err());
                    damaged[place.clone()].copy_from_slice(&bytes[place]);
                }
            });
            assert_eq!(panics, 0, "stream: {stream}");
            assert!(refused * 10 > tries, "{refused} of {tries}");
        }
    }
}

/// The ranges of the metadata of the messages of a file or a stream, and of the footer of a file.
fn metadata_of(bytes: &[u8], stream: bool) -> Vec<std::ops::Range<usize>> {
    if stream {
        let messages = &bytes[..bytes.len() - crate::frame::END.len()];
        let messages = crate::frame::messages(messages).unwrap();
        return messages.into_iter().map(|(metadata, _)| metadata).collect();
    }
    let footer = crate::frame::footer_range(bytes).unwrap();
    let lists = arrow_ipc::root_as_footer(&bytes[footer.clone()]).unwrap();
    let blocks = lists.dictionaries().into_iter().flatten();
    let blocks = blocks.chain(lists.recordBatches().into_iter().flatten());
    let range = |block: &arrow_ipc::Block| {
        let start = block.offset() as usize;
        start..start + block.metaDataLength() as usize
    };
    blocks.map(range).chain([footer]).collect()
}
