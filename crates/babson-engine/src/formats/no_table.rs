//! In place of tables of matches, in a build without game tables: such an output is refused.

use std::sync::Mutex;

use crate::destination::Destination;
use crate::error::{Error, OutputRefusal};
use crate::identity::OwnFiles;
use crate::output::Output;
use crate::sink::{MatchedGame, SinkContext, SinkResult, TextSlice};

/// Appends nothing: the output was refused.
pub(crate) fn append(_: &MatchedGame<'_>, _: &mut Vec<u8>) {}

/// As [`append`].
pub(crate) fn append_game(_: &MatchedGame<'_>, _: &mut Vec<u8>) {}

/// A type without values.
pub(super) enum MatchTable {}

/// Stands for the compression of tables, which this build cannot write.
#[derive(Clone, Copy, Debug)]
pub(super) enum Compression {
    None,
}

impl MatchTable {
    pub(super) fn begin(
        destination: &Destination,
        compression: Compression,
        context: &SinkContext<'_>,
    ) -> Result<MatchTable, Error> {
        MatchTable::begin_games(destination, compression, &context.own)
    }

    pub(super) fn begin_games(
        destination: &Destination,
        _: Compression,
        _: &Mutex<OwnFiles>,
    ) -> Result<MatchTable, Error> {
        let reason = OutputRefusal::NoTables;
        Err(Error::OutputRefused { path: destination.name(), reason })
    }

    pub(super) fn write(&mut self, _: TextSlice<'_>) -> SinkResult {
        match *self {}
    }

    pub(super) fn is_closed(&self) -> bool {
        match *self {}
    }

    pub(super) fn finish(self) -> SinkResult<Output> {
        match self {}
    }
}

#[cfg(test)]
mod tests {
    use crate::{FileSink, Input, Job, Settings, Silent, Task, scan};

    #[test]
    fn a_table_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let analysis = babson_lang::analyze("true", babson_lang::Dialect::CQLI).unwrap();
        let job = Job::new(&analysis.query).unwrap();
        let path = folder.path().join("found.arrow");
        let task = Task::new(job).sink(FileSink::arrow(&path));
        let games = Input::bytes("games", *b"1. e4 *");
        let error = scan(&[games], vec![task], &Settings::default(), &mut Silent).unwrap_err();
        assert!(error.to_string().contains("built without game tables"), "{error}");
        assert!(!path.exists());
    }
}
