//! Why an input could not be read.

use std::error::Error;
use std::io;

use babson_pgn::{FileSignature, NOT_PGN};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Why an input could not be read to its end. [`Display`](std::fmt::Display) is the clause that
/// messages have after the name of the input.
///
/// In data the reason is this clause. What is read from data is [`InputReason::NotPgn`] or
/// [`InputReason::Other`].
///
/// Where an [`io::Error`] of Babson is about the content of an input, it holds this value:
///
/// ```
/// use std::io;
///
/// use babson_vm::InputReason;
///
/// let error = io::Error::new(io::ErrorKind::UnexpectedEof, InputReason::Truncated);
/// assert_eq!(InputReason::of(&error), InputReason::Truncated);
/// let error = io::Error::from(io::ErrorKind::PermissionDenied);
/// let reason = InputReason::of(&error);
/// assert!(matches!(reason, InputReason::Io { kind: io::ErrorKind::PermissionDenied, .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputReason {
    /// It has text, but neither a tag pair nor a move.
    #[error("{NOT_PGN}")]
    NotPgn,
    /// It has no bytes, and its extension is one of a compressed file.
    #[error("it is empty")]
    Empty,
    /// Its compressed data ends before its text does.
    #[error("its data ends too early")]
    Truncated,
    /// Its extension is one of a compressed file, and it has another format.
    #[error("it has the extension of a compressed file, but it is {0}")]
    MisnamedFormat(FileSignature),
    /// Its extension is one of a compressed file, and it is PGN that is not compressed.
    #[error("it has the extension of a compressed file, but it is plain PGN: name it .pgn")]
    MisnamedPgn,
    /// Its extension is one of a compressed file, and its first bytes are not.
    #[error("it has the extension of a compressed file, but it is not one that Babson knows")]
    MisnamedUnknown,
    /// It has a form that Babson does not read.
    #[error("it is {form}, which Babson does not read: {help}")]
    Foreign {
        /// What it is, such as `a tar archive`.
        form: &'static str,
        /// How its games become PGN.
        help: &'static str,
    },
    /// It is text in UTF-16.
    #[error("it is UTF-16, not UTF-8 (convert it: iconv -f UTF-16 -t UTF-8)")]
    Utf16,
    /// Its text is a game table, or another table of data.
    #[error(
        "it is a game table that was compressed as a whole: decompress it, and make a smaller one \
         with babson pack"
    )]
    CompressedTable,
    /// Its text is compressed once more, or an archive.
    #[error("its text is not PGN, but again {0}: unpack it")]
    CompressedTwice(FileSignature),
    /// It is a game table in an archive.
    #[error("it is a game table in an archive, which is not read: unpack it")]
    TableInArchive,
    /// It is an archive in an archive.
    #[error("it is an archive in an archive, which is not read: unpack it")]
    ArchiveInArchive,
    /// It is a zip archive, whose members are inputs.
    #[error("it is a zip archive: Input::expand gives its members")]
    Archive,
    /// It is a zip archive that is read as a stream.
    #[error(
        "it is a zip archive, which is read only from a file, because its list of members is at \
         its end: save it to a file"
    )]
    ArchiveStream,
    /// Its compression is not built into this program.
    #[error("it is compressed with {0}, which is not built into this program: unpack it")]
    CodecNotBuiltIn(&'static str),
    /// Archives are not built into this program.
    #[error("it is a zip archive, which is not built into this program")]
    ArchiveNotBuiltIn,
    /// Game tables are not built into this program.
    #[error("it is a game table, which this program was built without")]
    TableNotBuiltIn,
    /// Files on servers are not built into this program.
    #[error(
        "it is a URL, and this program was built without the feature remote, which reads files \
         over the network: build it with --features remote, or get a copy of the file"
    )]
    RemoteNotBuiltIn,
    /// It is a zip archive, or in one, that is damaged or that Babson cannot unpack.
    #[error(transparent)]
    Member(ArchiveReason),
    /// It is a damaged game table.
    #[error("{0}")]
    Table(String),
    /// The system or a decoder reports an error.
    #[error("{message}")]
    Io {
        /// Its kind.
        kind: io::ErrorKind,
        /// Its message.
        message: String,
    },
    /// Another reason in words: one that was read from data.
    #[error("{0}")]
    Other(String),
}

/// Why a zip archive or a member of it could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveReason {
    /// The archive is damaged or cut off.
    #[error("it is not a whole zip archive")]
    Torn,
    /// The archive has something that the library does not read.
    #[error("it is a zip archive that cannot be read ({0})")]
    Unsupported(String),
    /// Two members have one name.
    #[error("two of its members have the same name: unpack it")]
    SameNames,
    /// The list of members says that a member has more bytes than a number can have.
    #[error("the length of a member is wrong")]
    WrongLength,
    /// The list of members has more than this many bytes.
    #[error("its list of members is longer than {0} bytes")]
    LongList(u64),
    /// The archive has no member of this name any more.
    #[error("it has no member named {}", .0.escape_debug())]
    NoMember(String),
    /// The member is encrypted.
    #[error("it is encrypted: unpack the archive")]
    Encrypted,
    /// The member is compressed by a method of this number, which Babson does not know.
    #[error("it is compressed by method {0} of zip, which is not known: unpack the archive")]
    UnknownMethod(u16),
    /// The text of the member is shorter than the list of members says.
    #[error("it is shorter than the archive says")]
    Short,
    /// The text of the member is longer than the list of members says.
    #[error("it is longer than the archive says")]
    Long,
    /// The text of the member does not have the checksum of the list of members.
    #[error("its checksum is not that of the archive")]
    WrongChecksum,
    /// Two members have the same bytes of the archive.
    #[error("its data is also that of another member, so the archive is damaged")]
    SharedData,
}

impl InputReason {
    /// The reason that an error of the system holds, or the error with its kind.
    pub fn of(error: &io::Error) -> InputReason {
        let mut cause: Option<&(dyn Error + 'static)> = error.get_ref().map(|held| held as _);
        while let Some(held) = cause {
            if let Some(reason) = held.downcast_ref::<InputReason>() {
                return reason.clone();
            }
            cause = held.source();
        }
        InputReason::Io { kind: error.kind(), message: error.to_string() }
    }

    /// The error of a stream with this reason.
    pub fn into_error(self) -> io::Error {
        let kind = match &self {
            InputReason::Truncated => io::ErrorKind::UnexpectedEof,
            InputReason::CodecNotBuiltIn(_)
            | InputReason::ArchiveNotBuiltIn
            | InputReason::TableNotBuiltIn
            | InputReason::RemoteNotBuiltIn => io::ErrorKind::Unsupported,
            InputReason::Io { kind, .. } => *kind,
            InputReason::NotPgn
            | InputReason::Empty
            | InputReason::MisnamedFormat(_)
            | InputReason::MisnamedPgn
            | InputReason::MisnamedUnknown
            | InputReason::Foreign { .. }
            | InputReason::Utf16
            | InputReason::CompressedTable
            | InputReason::CompressedTwice(_)
            | InputReason::TableInArchive
            | InputReason::ArchiveInArchive
            | InputReason::Archive
            | InputReason::ArchiveStream
            | InputReason::Member(_)
            | InputReason::Table(_)
            | InputReason::Other(_) => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, self)
    }
}

impl From<ArchiveReason> for InputReason {
    fn from(reason: ArchiveReason) -> InputReason {
        InputReason::Member(reason)
    }
}

/// The reason with this clause.
impl From<&str> for InputReason {
    fn from(clause: &str) -> InputReason {
        match clause == NOT_PGN {
            true => InputReason::NotPgn,
            false => InputReason::Other(clause.to_owned()),
        }
    }
}

impl Serialize for InputReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for InputReason {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<InputReason, D::Error> {
        String::deserialize(source).map(|clause| InputReason::from(clause.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences() {
        const WRONG: &str = "it has the extension of a compressed file, but it is";
        let help = "unpack it with tar: tar -xf FILE";
        for (reason, sentence) in [
            (InputReason::NotPgn, NOT_PGN.to_owned()),
            (InputReason::Empty, "it is empty".to_owned()),
            (InputReason::Truncated, "its data ends too early".to_owned()),
            (
                InputReason::MisnamedFormat(FileSignature::ArrowFile),
                format!("{WRONG} an Arrow file, as game tables are"),
            ),
            (InputReason::MisnamedPgn, format!("{WRONG} plain PGN: name it .pgn")),
            (InputReason::MisnamedUnknown, format!("{WRONG} not one that Babson knows")),
            (
                InputReason::Foreign { form: "a tar archive", help },
                format!("it is a tar archive, which Babson does not read: {help}"),
            ),
            (
                InputReason::CompressedTwice(FileSignature::Gzip),
                "its text is not PGN, but again compressed with gzip: unpack it".to_owned(),
            ),
            (
                InputReason::CodecNotBuiltIn("xz"),
                "it is compressed with xz, which is not built into this program: unpack it"
                    .to_owned(),
            ),
            (
                ArchiveReason::NoMember("a\nb".to_owned()).into(),
                "it has no member named a\\nb".to_owned(),
            ),
            (
                ArchiveReason::UnknownMethod(9).into(),
                "it is compressed by method 9 of zip, which is not known: unpack the archive"
                    .to_owned(),
            ),
        ] {
            assert_eq!(reason.to_string(), sentence);
            // Errors of streams have the sentence and keep the reason.
            let error = reason.clone().into_error();
            assert_eq!((error.to_string(), InputReason::of(&error)), (sentence, reason));
        }
    }

    #[test]
    fn data_has_the_sentence() {
        let json = serde_json::to_string(&InputReason::Truncated).unwrap();
        assert_eq!(json, r#""its data ends too early""#);
        let read: InputReason = serde_json::from_str(&json).unwrap();
        assert_eq!(read, InputReason::Other("its data ends too early".to_owned()));
    }
}
