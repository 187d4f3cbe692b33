//! What is wrong with an input that is not what its name says, or not a text.

use babson_pgn::{FileSignature, FormatKind};
use babson_vm::InputReason;

use super::foreign::ForeignForm;
use super::pgn_text::begins_as_pgn;
use crate::codec::Codec;

/// What is wrong with a file whose extension says that it is compressed, if it is not.
pub(super) fn not_compressed(first: &[u8]) -> Option<InputReason> {
    if first.is_empty() {
        return Some(InputReason::Empty);
    }
    if Codec::of(first) != Codec::Plain {
        return None;
    }
    // Read as text, a file with damage in its first bytes would be a database without games.
    Some(match FileSignature::of(first) {
        Some(format) => InputReason::MisnamedFormat(format),
        None if begins_as_pgn(first) => InputReason::MisnamedPgn,
        None => InputReason::MisnamedUnknown,
    })
}

/// What is wrong with a file, or the text of a compressed file, that has neither text nor games.
pub(super) fn unreadable(format: FileSignature) -> Option<InputReason> {
    if let Some(form) = ForeignForm::of_signature(format) {
        return Some(form.refusal());
    }
    (format == FileSignature::Utf16).then_some(InputReason::Utf16)
}

/// Whether it is the format of a table, or another format of data tools.
pub(super) fn is_table_format(format: FileSignature) -> bool {
    format.spec().kind == FormatKind::Columns
}

/// What is wrong with the text of a compressed stream that is not text.
pub(super) fn not_text(format: FileSignature) -> InputReason {
    if is_table_format(format) {
        return InputReason::CompressedTable;
    }
    unreadable(format).unwrap_or(InputReason::CompressedTwice(format))
}
