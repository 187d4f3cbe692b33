//! In place of chunks of game tables, in a build without them: there are no such values.

use std::ops::Range;
use std::sync::Arc;

use babson_pgn::CodedGame;
use babson_vm::ConditionRows;
use babson_vm::run::GameText;
use crc32fast::Hasher;

use super::row_name::RowName;
use super::{Guards, RowChoice};
use crate::input::OpenTable;
use crate::input_error::InputError;

pub(crate) enum CutRows {}

pub(crate) enum ChunkRows {}

pub(crate) struct TableRow<'r>(&'r ChunkRows);

pub(super) enum RowCutter {}

impl RowCutter {
    pub(super) fn new(table: Arc<OpenTable>, _: Range<u64>) -> RowCutter {
        match *table {}
    }

    pub(super) fn offset(&self) -> u64 {
        match *self {}
    }

    pub(super) fn next(&mut self, _: Option<u64>) -> Option<CutRows> {
        match *self {}
    }
}

impl CutRows {
    pub(super) fn length(&self) -> u64 {
        match *self {}
    }

    pub(super) fn hash(&self, _: &mut Hasher) {
        match *self {}
    }

    pub(super) fn read(self, _: &RowChoice<'_>) -> Result<ChunkRows, InputError> {
        match self {}
    }
}

impl ChunkRows {
    pub(crate) fn len(&self) -> usize {
        match *self {}
    }

    pub(crate) fn rewritten_table(&self) -> Option<&str> {
        match *self {}
    }

    pub(super) fn truncate(&mut self, _: usize) {
        match *self {}
    }

    pub(super) fn check(&self) -> Result<(), InputError> {
        match *self {}
    }

    pub(crate) fn guard_rows(
        &self,
        _: &Guards<'_>,
        _: usize,
        _: Range<usize>,
    ) -> Option<Vec<ConditionRows>> {
        match *self {}
    }

    pub(crate) fn next_selected(&self, _: usize) -> usize {
        match *self {}
    }

    pub(crate) fn row(&self, _: usize) -> Option<TableRow<'_>> {
        match *self {}
    }

    pub(crate) fn any_row(&self, _: usize) -> Option<TableRow<'_>> {
        match *self {}
    }
}

impl<'r> TableRow<'r> {
    pub(crate) fn game<'t>(&self, _: &'t mut Vec<u8>) -> GameText<'t>
    where
        'r: 't,
    {
        match *self.0 {}
    }

    pub(crate) fn coded(&self) -> Option<CodedGame<'r>> {
        match *self.0 {}
    }

    pub(crate) fn line_at(&self, _: &GameText<'_>, _: usize) -> u64 {
        match *self.0 {}
    }

    pub(crate) fn name(&self) -> RowName<'r> {
        match *self.0 {}
    }

    pub(crate) fn input(&self) -> &'r str {
        match *self.0 {}
    }

    pub(crate) fn number(&self) -> u64 {
        match *self.0 {}
    }

    pub(crate) fn offset(&self) -> u64 {
        match *self.0 {}
    }

    pub(crate) fn length(&self) -> u64 {
        match *self.0 {}
    }

    pub(crate) fn line(&self) -> u64 {
        match *self.0 {}
    }
}
