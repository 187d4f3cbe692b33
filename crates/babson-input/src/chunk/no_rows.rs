//! In place of chunks of game tables, in a build without them: there are no such values.

#![expect(missing_docs, reason = "`rows.rs` says what they are")]

use std::ops::Range;
use std::sync::Arc;

use babson_pgn::{CodedGame, GameHash};
use babson_vm::ConditionRows;
use babson_vm::run::GameText;
use crc32fast::Hasher;

use super::{Guards, RowChoice, RowName};
use crate::error::InputError;
use crate::input::OpenTable;

pub(crate) enum CutRows {}

pub enum ChunkRows {}

pub struct TableRow<'r>(&'r ChunkRows);

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
    pub fn games(&self) -> usize {
        match *self {}
    }

    pub fn rewritten_table(&self) -> Option<&str> {
        match *self {}
    }

    pub(super) fn truncate(&mut self, _: usize) {
        match *self {}
    }

    pub(super) fn check(&self) -> Result<(), InputError> {
        match *self {}
    }

    pub fn guard_rows(
        &self,
        _: &Guards<'_>,
        _: usize,
        _: Range<usize>,
    ) -> Option<Vec<ConditionRows>> {
        match *self {}
    }

    pub fn hashes(&self) -> Result<Vec<GameHash>, InputError> {
        match *self {}
    }

    pub fn next_selected(&self, _: usize) -> usize {
        match *self {}
    }

    pub fn next_decided(&self, _: usize, _: usize) -> Option<usize> {
        match *self {}
    }

    pub fn is_decided(&self, _: usize, _: usize) -> bool {
        match *self {}
    }

    pub fn row(&self, _: usize) -> Option<TableRow<'_>> {
        match *self {}
    }

    pub fn any_row(&self, _: usize) -> Option<TableRow<'_>> {
        match *self {}
    }
}

impl<'r> TableRow<'r> {
    pub fn game<'t>(&self, _: &'t mut Vec<u8>) -> GameText<'t>
    where
        'r: 't,
    {
        match *self.0 {}
    }

    pub fn coded(&self) -> Option<CodedGame<'r>> {
        match *self.0 {}
    }

    pub fn line_at(&self, _: &GameText<'_>, _: usize) -> u64 {
        match *self.0 {}
    }

    pub fn name(&self) -> RowName<'r> {
        match *self.0 {}
    }

    pub fn input(&self) -> &'r str {
        match *self.0 {}
    }

    pub fn number(&self) -> u64 {
        match *self.0 {}
    }

    pub fn offset(&self) -> u64 {
        match *self.0 {}
    }

    pub fn length(&self) -> u64 {
        match *self.0 {}
    }

    pub fn line(&self) -> u64 {
        match *self.0 {}
    }
}
