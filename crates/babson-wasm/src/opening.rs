//! The opening of a database, in slices of time.

use std::error::Error;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

use babson::Input;
use babson::event::InputReason;
use babson::files::{DecompressedText, InputError, OpenInput};
use babson::pgn::FileSignature;
use babson::search::GameStream;
use babson::table::{OpenTable, TableError};
use babson_api::{ApiError, ErrorCode};

use crate::database::{Content, Database, IndexedText, TextPlace};
use crate::limits::{GAMES_A_LOOK, GAMES_A_PLACE, MAX_IN_MEMORY, READ_AHEAD};
use crate::source::{BlockWriter, Blocks, ByteSource, SourceReader, TableBytes};

/// The opening of a database, which goes on when it is called: [`Opening::step`]. Compressed games
/// are unpacked into memory. Others are only counted: they are read where they are, whenever they
/// are searched. A game table opens at once.
pub struct Opening {
    name: String,
    bytes: Arc<dyn ByteSource>,
    stage: Stage,
    /// Bytes of text that were unpacked or counted.
    done: u64,
}

enum Stage {
    Begin,
    Unpacking(Unpacking),
    Counting(Counting),
    Opened(Database),
    Failed,
}

/// Compressed texts that are unpacked one after another.
struct Unpacking {
    /// Those that follow, the next one last.
    waiting: Vec<Box<dyn Read>>,
    reader: Box<dyn Read>,
    text: BlockWriter,
}

/// A text whose games are counted.
struct Counting {
    text: Arc<dyn ByteSource>,
    stream: GameStream<BufReader<SourceReader>>,
    games: u64,
    places: Vec<TextPlace>,
}

impl Opening {
    /// Begins the opening of a database of this name.
    pub fn new(name: &str, bytes: Arc<dyn ByteSource>) -> Opening {
        Opening { name: name.to_owned(), bytes, stage: Stage::Begin, done: 0 }
    }

    /// Goes on for some milliseconds, or to the end. Returns whether it is done. `now` is a clock
    /// in milliseconds.
    ///
    /// # Errors
    /// The bytes are not games, or are damaged, or are too many.
    pub fn step(&mut self, milliseconds: f64, now: &dyn Fn() -> f64) -> Result<bool, ApiError> {
        let began = now();
        loop {
            let stage = std::mem::replace(&mut self.stage, Stage::Failed);
            self.stage = match stage {
                Stage::Begin => self.begin()?,
                Stage::Unpacking(unpacking) => self.unpack(unpacking)?,
                Stage::Counting(counting) => self.count(counting)?,
                Stage::Opened(database) => {
                    self.stage = Stage::Opened(database);
                    return Ok(true);
                }
                Stage::Failed => {
                    return Err(unreadable(io::Error::other("it could not be read before")));
                }
            };
            let is_done = matches!(self.stage, Stage::Opened(_));
            if is_done || now() - began >= milliseconds {
                return Ok(is_done);
            }
        }
    }

    /// How much was done, in bytes of text.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The database.
    ///
    /// # Errors
    /// It is not done.
    pub fn finish(self) -> Result<Database, ApiError> {
        match self.stage {
            Stage::Opened(database) => Ok(database),
            Stage::Begin | Stage::Unpacking(_) | Stage::Counting(_) | Stage::Failed => {
                Err(ApiError::new(ErrorCode::Busy, "the database is not open yet"))
            }
        }
    }

    fn begin(&self) -> Result<Stage, ApiError> {
        let first = self.bytes.length().min(FileSignature::LENGTH as u64);
        let first = self.bytes.read_range(0..first).map_err(unreadable)?;
        let reader = || SourceReader::buffered(Arc::clone(&self.bytes), 0);
        match FileSignature::of(&first) {
            Some(
                FileSignature::ArrowFile
                | FileSignature::ArrowStream
                | FileSignature::Feather
                | FileSignature::Parquet,
            ) => self.open_table(),
            Some(FileSignature::Zip) => self.open_archive(),
            Some(
                FileSignature::Gzip
                | FileSignature::Zstd
                | FileSignature::Bzip2
                | FileSignature::Xz,
            ) => Ok(Stage::unpacking(vec![Box::new(DecompressedText::new(reader()))])),
            Some(
                FileSignature::Lz4
                | FileSignature::Rar
                | FileSignature::SevenZip
                | FileSignature::Tar
                | FileSignature::Utf16,
            ) => {
                // To open it as an input is an error that says what it is.
                let refused = Input::reader(&*self.name, reader()).open(false).err();
                let broken = refused.and_then(|error| error.broken_input());
                let reason = broken.map_or(InputReason::NotPgn, |broken| broken.reason);
                Err(unreadable(reason.into_error()))
            }
            None => Ok(Stage::counting(Arc::clone(&self.bytes))),
        }
    }

    fn open_table(&self) -> Result<Stage, ApiError> {
        let open = |source| {
            let source: Arc<dyn ByteSource> = source;
            OpenTable::of_source(Arc::new(TableBytes::new(source)), &self.name)
        };
        let table = match open(Arc::clone(&self.bytes)) {
            // All of such a table has to be read.
            Err(error) if is_rewritten(&error) => {
                let whole = 0..self.bytes.length();
                if whole.end > MAX_IN_MEMORY {
                    return Err(too_long("it is a table that another program has written anew"));
                }
                let bytes = self.bytes.read_range(whole).map_err(unreadable)?;
                open(Arc::new(Blocks::of(bytes.into())))
            }
            table => table,
        };
        let table = table.map_err(unreadable)?;
        Ok(Stage::Opened(Database {
            name: self.name.clone(),
            games: table.rows(),
            bytes: self.bytes.length(),
            content: Content::Table(table),
        }))
    }

    fn open_archive(&self) -> Result<Stage, ApiError> {
        let bytes = Arc::clone(&self.bytes);
        let open = move || Ok(SourceReader::new(Arc::clone(&bytes)));
        let mut texts: Vec<Box<dyn Read>> = Vec::new();
        for member in Input::archive(&self.name, open).map_err(unreadable)? {
            match member.open(false).map_err(unreadable)? {
                OpenInput::Stream { reader, .. } => texts.push(reader),
                OpenInput::Table(_) | OpenInput::Mapped(_) => {}
            }
            // The last game of a text must not go on in the next one.
            texts.push(Box::new(&b"\n\n"[..]));
        }
        texts.reverse();
        Ok(Stage::unpacking(texts))
    }

    fn unpack(&mut self, mut unpacking: Unpacking) -> Result<Stage, ApiError> {
        let Unpacking { waiting, reader, text } = &mut unpacking;
        let read = text.read_from(reader, READ_AHEAD).map_err(unreadable)?;
        self.done += read as u64;
        if text.length() > MAX_IN_MEMORY {
            return Err(too_long("it is compressed, and its games are unpacked into memory"));
        }
        if read > 0 {
            return Ok(Stage::Unpacking(unpacking));
        }
        Ok(match waiting.pop() {
            Some(next) => {
                *reader = next;
                Stage::Unpacking(unpacking)
            }
            None => {
                self.done = 0;
                Stage::counting(Arc::new(unpacking.text.finish()))
            }
        })
    }

    fn count(&mut self, mut counting: Counting) -> Result<Stage, ApiError> {
        for _ in 0..GAMES_A_LOOK {
            let Counting { stream, games, places, .. } = &mut counting;
            let Some(mut game) = stream.next_game().map_err(unreadable)? else {
                let Counting { text, games, places, .. } = counting;
                return Ok(Stage::Opened(Database {
                    name: self.name.clone(),
                    games,
                    bytes: self.bytes.length(),
                    content: Content::Text(IndexedText { text, places }),
                }));
            };
            if games.is_multiple_of(GAMES_A_PLACE) {
                places.push(TextPlace { offset: game.offset, line: game.line_of(0) });
            }
            *games += 1;
            self.done = game.offset;
        }
        Ok(Stage::Counting(counting))
    }
}

impl Database {
    /// Reads a database: PGN, also compressed, in a zip archive, or a game table.
    ///
    /// # Errors
    /// The bytes are something else, or damaged.
    ///
    /// ```
    /// use babson_wasm::Database;
    ///
    /// let database = Database::read("mine", b"1. e4 *\n\n[White \"Ann\"]\n\n1. d4 *\n".to_vec())?;
    /// assert_eq!(database.games, 2);
    /// assert!(Database::read("mine", b"GIF89a".to_vec()).is_err());
    /// # Ok::<(), babson_api::ApiError>(())
    /// ```
    pub fn read(name: &str, bytes: Vec<u8>) -> Result<Database, ApiError> {
        let mut opening = Opening::new(name, Arc::new(Blocks::of(bytes)));
        while !opening.step(f64::INFINITY, &|| 0.0)? {}
        opening.finish()
    }
}

impl Stage {
    /// These texts, the last one first.
    fn unpacking(mut texts: Vec<Box<dyn Read>>) -> Stage {
        let reader = texts.pop().unwrap_or_else(|| Box::new(std::io::empty()));
        Stage::Unpacking(Unpacking { waiting: texts, reader, text: BlockWriter::default() })
    }

    fn counting(text: Arc<dyn ByteSource>) -> Stage {
        let stream = GameStream::new(SourceReader::buffered(Arc::clone(&text), 0));
        Stage::Counting(Counting { text, stream, games: 0, places: Vec::new() })
    }
}

/// Whether a table was written anew by another program, and so has to be read as a whole.
fn is_rewritten(error: &InputError) -> bool {
    matches!(error, InputError::Table { source: TableError::RewrittenAfar, .. })
}

/// What can be opened, for messages about files that are something else.
const OPENED_FORMS: &str = "PGN, also as .gz, .zst or in a .zip, and game tables can be opened";

/// The error of a file that cannot be read for this reason.
fn unreadable(error: impl Error + 'static) -> ApiError {
    let message = format!("the file cannot be read: {error}");
    let is_of_other_form = matches!(
        reason_of(&error),
        Some(InputReason::Foreign { .. } | InputReason::CodecNotBuiltIn(_) | InputReason::NotPgn)
    );
    let message = match is_of_other_form {
        true => format!("{message} ({OPENED_FORMS})"),
        false => message,
    };
    ApiError::new(ErrorCode::Unreadable, message)
}

/// What is wrong with the content of a file, if that is why it cannot be read.
fn reason_of(error: &(dyn Error + 'static)) -> Option<InputReason> {
    match error.downcast_ref::<io::Error>() {
        Some(error) => Some(InputReason::of(error)),
        None => error.source().and_then(reason_of),
    }
}

/// The error of a file that is too long for the memory.
fn too_long(why: &str) -> ApiError {
    let most = MAX_IN_MEMORY / 1_000_000_000;
    let help = "unpack it, or search it with the command `babson`";
    ApiError::new(ErrorCode::Large, format!("{why}: more than {most} GB: {help}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_opened_is_named_with_what_helps() {
        let zst = |text: &[u8]| {
            let length = text.len() as u8;
            [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, length, length << 3 | 1, 0, 0], text].concat()
        };
        for (bytes, expected, tells_forms) in [
            (&b"\xfd7zXZ\0\0\0"[..], "compressed with xz, which is not built into", true),
            (b"BZh91AY&SY", "compressed with bzip2, which is not built into", true),
            (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive, which Babson does not read: unpack it", true),
            (b"Rar!\x1a\x07\x01", "a RAR archive, which Babson does not read: unpack it", true),
            (b"GIF89a", "neither", true),
            (&zst(b"ARROW1\0\0"), "compressed as a whole: decompress it", false),
            (b"\x28\xb5\x2f\xfd", "its data ends too early", false),
            (b"PK\x03\x04", "it is not a whole zip archive", false),
        ] {
            let error = Database::read("mine", bytes.to_vec()).unwrap_err();
            assert_eq!(error.code, ErrorCode::Unreadable);
            // Together with the command, which reads xz and bzip2, these are only damaged.
            if expected.ends_with("not built into") && !error.message.contains("not built into") {
                continue;
            }
            assert!(error.message.contains(expected), "{error}");
            assert_eq!(error.message.ends_with("can be opened)"), tells_forms, "{error}");
        }
    }
}
