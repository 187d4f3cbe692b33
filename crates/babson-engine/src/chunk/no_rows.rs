//! In place of chunks of game tables, in a build without them: there are no such values.

#![expect(dead_code, reason = "there are no such values")]

use std::sync::Arc;

use babson_pgn::CodedGame;
use babson_vm::{FactColumns, TouchedColumns};

use crate::error::Error;

#[derive(Debug)]
pub(crate) enum OpenTable {}

pub(crate) enum CutRows {}

pub(crate) enum ChunkRows {}

pub(crate) enum RowGame<'r> {
    Coded(CodedGame<'r>),
    Text(&'r [u8], &'r [u8]),
}

pub(super) enum RowCutter {}

impl RowCutter {
    pub(super) fn new(table: Arc<OpenTable>) -> RowCutter {
        match *table {}
    }
}

impl Iterator for RowCutter {
    type Item = CutRows;

    fn next(&mut self) -> Option<CutRows> {
        match *self {}
    }
}

impl CutRows {
    pub(super) fn length(&self) -> u64 {
        match *self {}
    }

    pub(super) fn read(self, _: TouchedColumns) -> Result<ChunkRows, Error> {
        match self {}
    }
}

impl ChunkRows {
    pub(super) fn len(&self) -> usize {
        match *self {}
    }

    pub(super) fn truncate(&mut self, _: usize) {
        match *self {}
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        match *self {}
    }

    pub(crate) fn facts(&self, _: TouchedColumns) -> FactColumns<'_> {
        match *self {}
    }

    pub(crate) fn game(&self, _: usize) -> RowGame<'_> {
        match *self {}
    }

    pub(crate) fn source(&self, _: usize) -> &str {
        match *self {}
    }

    pub(crate) fn number(&self, _: usize) -> u64 {
        match *self {}
    }

    pub(crate) fn offset(&self, _: usize) -> u64 {
        match *self {}
    }

    pub(crate) fn line(&self, _: usize) -> u64 {
        match *self {}
    }
}
