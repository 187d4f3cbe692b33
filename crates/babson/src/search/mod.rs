//! The search of a stream of games on the calling thread.

use std::io::{self, Read};

use babson_pgn::FileSignature;
use babson_vm::run::{self, ForeignText};

use crate::Query;

pub use babson_vm::GameGuard;
pub use babson_vm::run::{
    GameSource, GameStream, NextGame, RowGame, SearchCounts, SearchError, SearchStep, SourceGame,
};

/// Iterator over the matches of a query in a stream of games: [`Query::search`].
pub type Search<'q, R> = run::Search<'q, GameStream<Text<R>>>;

/// As [`Search`], for games of [a source of the caller](Query::search_source).
pub type SourceSearch<S> = run::Search<'static, S>;

/// Iterator over the events of a search: [`Search::events`](run::Search::events).
pub type SearchEvents<'q, R> = run::SearchEvents<'q, GameStream<Text<R>>>;

/// The text of the reader's bytes, which may be compressed.
#[cfg(feature = "engine")]
type Text<R> = babson_engine::DecompressedText<R>;

#[cfg(feature = "engine")]
fn text<R: Read>(reader: R) -> Text<R> {
    babson_engine::DecompressedText::new(reader)
}

/// The text of the reader's bytes.
#[cfg(not(feature = "engine"))]
type Text<R> = R;

#[cfg(not(feature = "engine"))]
fn text<R: Read>(reader: R) -> Text<R> {
    reader
}

impl Query {
    /// Searches the games of a PGN text, one after another, on the calling thread. The reader may
    /// be anything: a file, a socket, standard input, bytes in memory. It is read in pieces, and a
    /// game is searched when the next one begins.
    ///
    /// The text must be PGN; with the feature `engine` it may be compressed with gzip, zstd, xz or
    /// bzip2. An archive, a game table or another format than text is an error that names it; a
    /// `Scan` reads archives and tables. A text without a tag pair or a move is an error, too.
    pub fn search<R: Read>(&self, reader: R) -> Search<'_, R> {
        let stream = GameStream::new(text(reader));
        let search = Search::new(self.program(), self.options(), stream);
        search.layout(self.layout()).explain_read_errors(with_help)
    }

    /// As [`Query::search`], for a caller that keeps the search among its own data and goes on with
    /// it [step by step](run::Search::step), such as an event loop.
    ///
    /// ```
    /// use babson::Query;
    /// use babson::search::SearchStep;
    ///
    /// let query = Query::compile("mate")?;
    /// let mut search = query.owned_search(&b"1. f3 e5 2. g4 Qh4# 0-1"[..]);
    /// let mut steps = 0;
    /// while !matches!(search.step(), SearchStep::Ended) {
    ///     steps += 1;
    /// }
    /// assert_eq!((search.counts().matches, steps > 2), (1, true));
    /// # Ok::<(), babson::CompileError>(())
    /// ```
    pub fn owned_search<R: Read>(&self, reader: R) -> Search<'static, R> {
        self.search_source(GameStream::new(text(reader))).explain_read_errors(with_help)
    }

    /// As [`Query::owned_search`], for games that come from somewhere else than from one text: from
    /// several texts, or from the rows of a game table.
    pub fn search_source<S: GameSource>(&self, source: S) -> SourceSearch<S> {
        let search = SourceSearch::owned(self.program().clone(), self.options().clone(), source);
        search.layout(self.layout())
    }
}

/// The error of a stream. If its format is one that a scan reads, the error says so.
fn with_help(error: io::Error) -> io::Error {
    let foreign = error.get_ref().and_then(|source| source.downcast_ref::<ForeignText>());
    match foreign.map(|foreign| foreign.0) {
        Some(
            FileSignature::Bzip2
            | FileSignature::Gzip
            | FileSignature::Xz
            | FileSignature::Zstd
            | FileSignature::Zip
            | FileSignature::ArrowFile
            | FileSignature::ArrowStream,
        ) => io::Error::new(error.kind(), format!("{error}: babson::Scan reads such files")),
        Some(
            FileSignature::Lz4
            | FileSignature::Rar
            | FileSignature::SevenZip
            | FileSignature::Tar
            | FileSignature::Feather
            | FileSignature::Parquet
            | FileSignature::Utf16,
        )
        | None => error,
    }
}

#[cfg(test)]
mod tests;
