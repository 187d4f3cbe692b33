//! The lines about damaged games.
//!
//! Compressed data that is damaged is found to be so at its end, by a checksum. The damaged games
//! before it may be what the damage made of sound ones. So the lines about games of a compressed
//! input are held back until its end: if it is broken, one of them is enough.

use std::mem;

use babson::{DamagedGame, Input};

use crate::limits::MAX_SHOWN_REPORTS;

/// The lines about the damaged games of a run.
#[derive(Default)]
pub(crate) struct DamageLines {
    /// The inputs whose damaged games are still to come, in order.
    inputs: Vec<Input>,
    /// How many of them have been passed.
    passed: usize,
    /// The name of the input of the last damaged game.
    input: String,
    is_compressed: bool,
    /// The first lines about that input, if it is compressed.
    held: Vec<String>,
    /// How many lines there would be.
    held_games: u64,
    /// Damaged games that count for the limit of lines.
    games: u64,
}

impl DamageLines {
    pub(crate) fn new(inputs: Vec<Input>) -> DamageLines {
        DamageLines { inputs, ..DamageLines::default() }
    }

    /// Takes the line about a damaged game, and returns the lines to be printed now.
    pub(crate) fn take(&mut self, game: &DamagedGame, line: String) -> Vec<String> {
        let mut lines = Vec::new();
        if game.input != self.input {
            lines = self.release();
            self.enter(&game.input);
        }
        if !self.is_compressed {
            self.games += 1;
            lines.extend((self.games <= MAX_SHOWN_REPORTS).then_some(line));
            return lines;
        }
        self.held_games += 1;
        if self.held_games <= MAX_SHOWN_REPORTS {
            self.held.push(line);
        }
        lines
    }

    fn enter(&mut self, name: &str) {
        self.input = name.to_owned();
        // The inputs come in order, so each is looked at once.
        let later = self.inputs.iter().skip(self.passed);
        let found = later.enumerate().find(|(_, input)| input.name() == name);
        self.is_compressed = found.is_some_and(|(_, input)| input.is_compressed());
        self.passed += found.map_or(0, |(index, _)| index);
    }

    /// The lines that were held back, as they are printed if their input is sound.
    pub(crate) fn release(&mut self) -> Vec<String> {
        let room = MAX_SHOWN_REPORTS.saturating_sub(self.games) as usize;
        self.games += mem::take(&mut self.held_games);
        let mut lines = mem::take(&mut self.held);
        lines.truncate(room);
        lines
    }

    /// The lines in place of those that were held back for a broken input, to be printed after what
    /// is wrong with it.
    pub(crate) fn collapse(&mut self, input: &str) -> Vec<String> {
        if input != self.input || self.held_games < 2 {
            return self.release();
        }
        let more = mem::take(&mut self.held_games) - 1;
        let mut lines = mem::take(&mut self.held);
        lines.truncate(1);
        let noun = if more == 1 { "game" } else { "games" };
        lines.push(format!("… and {more} more damaged {noun} of {input}"));
        lines
    }

    /// Damaged games without a line.
    pub(crate) fn more(&self) -> u64 {
        self.games.saturating_sub(MAX_SHOWN_REPORTS)
    }
}
