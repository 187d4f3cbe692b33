//! The errors of reading and writing a table.

use std::fmt::Display;
use std::io;

use arrow_schema::ArrowError;

/// Why a table cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file does not begin as an Arrow file does.
    #[error("the file is not an Arrow file; a PGN file has the extension .pgn")]
    NotArrow,
    /// The file has another format that data tools write.
    #[error("the file is {0}, not an Arrow file: pack the PGN files of its games")]
    OtherFormat(&'static str),
    /// A Parquet file, and this program was built without Parquet.
    #[error(
        "the file is a Parquet file, and this program was built without the feature parquet: pack \
         the PGN files of its games"
    )]
    Parquet,
    /// The file begins as an Arrow file, but does not end as one: it was cut off, or something was
    /// added to it. Get a new copy, or pack its games again.
    #[error(
        "the file is cut off, or something was added to it: an Arrow file has its footer at its \
         end; get a new copy of it, or pack its games again"
    )]
    Cut,
    /// A stream of Arrow without the marker of its end, or with something else before it: it was
    /// cut off or damaged, or its writer was not closed. Get a new copy of it.
    #[error(
        "the file is a stream of Arrow that does not come to its end: it is cut off or damaged, or \
         its writer was not closed; get a new copy of it"
    )]
    CutStream,
    /// An Arrow file that is not a game table.
    #[error("the file is an Arrow file, but not a game table: {0}")]
    Foreign(String),
    /// Another program has written the table anew, without these columns, which hold the games.
    /// Write it with them.
    #[error(
        "another program has written the table anew without columns of its games ({0}): write it \
         with these columns, as babson pack makes them"
    )]
    MissingColumns(String),
    /// Another program has written the table anew, and has compressed it. Write it without
    /// compression.
    #[error(
        "another program has written the table anew and compressed it: write it without \
         compression, and compress it with babson pack"
    )]
    CompressedAnew,
    /// The table has another version of the schema.
    #[error(
        "the table has version {found} of the schema, and this program reads version {known}: \
         read it with the program that wrote it ({writer}), or pack the games again"
    )]
    Version {
        /// The version of the table.
        found: String,
        /// The version of this program.
        known: u32,
        /// The program that wrote the table.
        writer: String,
    },
    /// Something in the table is wrong.
    #[error("the table is damaged: {0}")]
    Damaged(String),
    /// Another program has written the table anew, and it is not in memory. All of such a table has
    /// to be read: get a copy of it, or pack it.
    #[error(
        "another program has written the table anew, so all of it would have to be read: get a \
         copy of the file and search that, or make a table of it with babson pack"
    )]
    RewrittenAfar,
    /// The source of the table cannot read its bytes. The text is a sentence that says why.
    #[error("{0}")]
    Read(String),
    /// The table is compressed, and this program was built without decompression.
    #[error("the table is compressed with zstd, and this program was built without zstd")]
    Compressed,
}

impl TableError {
    pub(crate) fn damaged(reason: impl Display) -> TableError {
        TableError::Damaged(reason.to_string())
    }

    /// Puts the name of a block, or of another part of the table, before the reason of a damage.
    /// Returns any other error as it is.
    pub(crate) fn within(self, name: impl Display) -> TableError {
        if let TableError::Damaged(reason) = &self {
            return TableError::Damaged(format!("{name}: {reason}"));
        }
        self
    }
}

/// Why a table cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The table or the temporary storage could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The table would be compressed, and this program was built without compression.
    #[error("this program was built without zstd")]
    Compression,
    /// The library of Arrow has refused the rows: a bug.
    #[error("the table cannot be written: {0}")]
    Arrow(String),
    /// The table that is appended to cannot be read.
    #[error(transparent)]
    Base(#[from] TableError),
    /// The table that is appended to has more columns than a table of games.
    #[error("the table has more columns than a table of games, as a table of matches has")]
    OtherColumns,
    /// The table that is appended to was written anew by another program.
    #[error("another program has written the table anew")]
    Rewritten,
    /// A game is longer than the columns of a table can hold.
    #[error("game {0} is too long for a table")]
    TooLong(u64),
}

impl From<ArrowError> for WriteError {
    fn from(error: ArrowError) -> WriteError {
        if let ArrowError::IoError(_, error) = error {
            return WriteError::Io(error);
        }
        WriteError::Arrow(error.to_string())
    }
}
