//! What is wrong with an input that is not what its name says, or not a text.

use babson_pgn::{FileSignature, FormatKind};

use super::foreign::ForeignForm;
use super::pgn_text::begins_as_pgn;
use crate::codec::Codec;

/// What is wrong with a file whose extension says that it is compressed, if it is not.
pub(super) fn not_compressed(first: &[u8]) -> Option<String> {
    const WRONG: &str = "it has the extension of a compressed file, but it is";
    if first.is_empty() {
        return Some("it is empty".to_owned());
    }
    if Codec::of(first) != Codec::Plain {
        return None;
    }
    // Read as text, a file with damage in its first bytes would be a database without games.
    Some(match FileSignature::of(first) {
        Some(format) => format!("{WRONG} {format}"),
        None if begins_as_pgn(first) => format!("{WRONG} plain PGN: name it .pgn"),
        None => format!("{WRONG} not one that Babson knows"),
    })
}

/// What is wrong with a file, or the text of a compressed file, that has neither text nor games.
pub(super) fn unreadable(format: FileSignature) -> Option<String> {
    if let Some(form) = ForeignForm::of_signature(format) {
        return Some(form.refusal());
    }
    let help = "it is UTF-16, not UTF-8 (convert it: iconv -f UTF-16 -t UTF-8)";
    (format == FileSignature::Utf16).then(|| help.to_owned())
}

/// Whether it is the format of a table, or another format of data tools.
pub(super) fn is_table_format(format: FileSignature) -> bool {
    format.spec().kind == FormatKind::Columns
}

/// What is wrong with the text of a compressed stream that is not text.
pub(super) fn not_text(format: FileSignature) -> String {
    if is_table_format(format) {
        return "it is a game table that was compressed as a whole: decompress it, and make a \
                smaller one with babson pack"
            .to_owned();
    }
    unreadable(format)
        .unwrap_or_else(|| format!("its text is not PGN, but again {format}: unpack it"))
}
