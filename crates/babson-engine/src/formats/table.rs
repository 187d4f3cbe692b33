//! Game tables: a row for each matching game, as `docs/src/tables.md#the-matches-of-a-search`
//! describes it.
//!
//! A row is made on the thread that found the match. Until it is in the table it is a text as any
//! other, so that matches can be sorted.

use std::sync::{Mutex, PoisonError};

use babson_lang::hir::Type;
use babson_pgn::{Game, Needs, Reader, tags::decode};
use babson_table::{
    Compression, FieldRow, GameOrigin, MatchQuery, MatchRow, PositionRow, Rows, SortCell, SortType,
};
use babson_vm::{Match, SortData, StopSignal};

use crate::destination::Destination;
use crate::error::{Error, OutputRefusal};
use crate::identity::OwnFiles;
use crate::job::Job;
use crate::output::Output;
use crate::sink::{MatchedGame, SinkContext, SinkResult, TextSlice};
use crate::table_output::TableOutput;

/// Appends the row of a match.
pub(crate) fn append(matched: &MatchedGame<'_>, out: &mut Vec<u8>) {
    append_row(matched, Some(row(matched)), out);
}

/// Appends the row of a game that is not a match.
pub(crate) fn append_game(game: &MatchedGame<'_>, out: &mut Vec<u8>) {
    append_row(game, None, out);
}

/// Appends the row of a game, with the columns of its match.
fn append_row(matched: &MatchedGame<'_>, hit: Option<MatchRow>, out: &mut Vec<u8>) {
    let origin = GameOrigin {
        input: matched.input,
        number: matched.input_number,
        offset: matched.offset,
        length: matched.length,
        line: matched.line,
    };
    let mut rows = Rows::default();
    let add = |game: &Game<'_>| match hit {
        Some(hit) => rows.add_match(game, origin, hit),
        None => rows.add(game, origin),
    };
    if matched.game.has_move_text() {
        // A table does not depend on the settings with which the query reads the game.
        let mut reader = Reader::new();
        let game = reader.read(matched.game.text(), Needs::ALL);
        add(&game);
    } else {
        add(matched.game);
    }
    let start = out.len();
    // Writing to a vector cannot fail.
    if postcard::to_io(&rows, &mut *out).is_err() {
        out.truncate(start);
    }
}

/// The columns of the match.
fn row(matched: &MatchedGame<'_>) -> MatchRow {
    let MatchedGame { game, outcome, job, number, .. } = *matched;
    let no_tags: [(&[u8], &[u8]); 0] = [];
    let sorts = job.program.sorts();
    let found = Match::new(number, Default::default(), game, outcome, sorts, no_tags);
    let positions = found.positions.into_iter().map(|position| PositionRow {
        id: position.id,
        ply: position.ply,
        mv: position.mv,
        next: position.next,
        fen: position.fen,
    });
    let comments = found.comments.into_iter().map(|comment| (comment.id, comment.text));
    let set = outcome.tags.iter().map(|(name, value)| {
        let value = (!outcome.removed_tags.contains(name)).then(|| decode(value).into_owned());
        (name.clone(), value)
    });
    let fields = found.fields.into_iter().map(|field| FieldRow {
        id: field.id,
        name: field.name,
        value: match field.value {
            SortData::Number(number) => number.to_string(),
            SortData::Text(text) => text,
        },
    });
    let is_set = |name: &String| outcome.tags.iter().any(|(set, _)| set == name);
    let removed = outcome.removed_tags.iter().filter(|name| !is_set(name));
    let sort = found.sort.into_iter().map(|entry| {
        entry.value.map(|value| match value {
            SortData::Number(number) => SortCell::Number(number),
            SortData::Text(text) => SortCell::Text(text),
        })
    });
    MatchRow {
        game: number,
        positions: positions.collect(),
        comments: comments.collect(),
        fields: fields.collect(),
        tags: set.chain(removed.map(|name| (name.clone(), None))).collect(),
        sort: sort.collect(),
    }
}

/// The table of the matches of a query, or of games without a match.
pub(super) struct MatchTable {
    table: TableOutput,
    /// The text of the last row, as far as it has come.
    row: Vec<u8>,
    compression: Compression,
}

impl MatchTable {
    /// Creates the output of the matches of a query.
    pub(super) fn begin(
        destination: &Destination,
        compression: Compression,
        context: &SinkContext<'_>,
    ) -> Result<MatchTable, Error> {
        let begun = MatchTable::begin_games(destination, compression, &context.own)?;
        Ok(MatchTable { table: begun.table.with_query(query(context.job)), ..begun })
    }

    /// Creates an output of games without a match.
    pub(super) fn begin_games(
        destination: &Destination,
        compression: Compression,
        own: &Mutex<OwnFiles>,
    ) -> Result<MatchTable, Error> {
        let refuse = |reason| Err(Error::OutputRefused { path: destination.name(), reason });
        match destination {
            Destination::File(_) | Destination::Stdout | Destination::Writer(_) => {}
            Destination::Append(_) => return refuse(OutputRefusal::AppendedTable),
            Destination::Split { .. } => return refuse(OutputRefusal::SplitTable),
        }
        let output = own.lock().unwrap_or_else(PoisonError::into_inner).create(destination)?;
        let table = TableOutput::new(output, destination)?;
        Ok(MatchTable { table, row: Vec::new(), compression })
    }

    pub(super) fn write(&mut self, slice: TextSlice<'_>) -> SinkResult {
        if slice.first {
            self.end_row()?;
        }
        self.row.extend_from_slice(slice.bytes);
        Ok(())
    }

    pub(super) fn is_closed(&self) -> bool {
        self.table.is_closed()
    }

    /// Writes the table to its output.
    pub(super) fn finish(mut self) -> SinkResult<Output> {
        self.end_row()?;
        Ok(self.table.finish(self.compression, &StopSignal::default())?.0)
    }

    fn end_row(&mut self) -> SinkResult {
        if !self.row.is_empty() {
            let rows: Rows = postcard::from_bytes(&self.row)?;
            self.table.append(&rows)?;
            self.row.clear();
        }
        Ok(())
    }
}

/// What the table says of the query.
fn query(job: &Job) -> MatchQuery {
    let sorts = job.program.sorts().iter().map(|key| {
        let is_text = key.ty == Type::String;
        let name = key.number().map_or(key.name.clone(), |number| number.to_string());
        (name, if is_text { SortType::Text } else { SortType::Number })
    });
    MatchQuery { name: job.title.clone(), sorts: sorts.collect() }
}
