//! The damages and notes of a game, and their lines.

use babson_pgn::{Game, ReplayError, count_lines};
use serde::{Deserialize, Serialize};

use super::GameText;
use crate::limits::MAX_SHOWN;
use crate::{DamagedGame, GameDamage};

/// Why a game is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReadPurpose {
    /// To be searched.
    Search,
    /// To be written, because it matches.
    Match,
    /// To be written, because no query matches it. So it must count for all of them.
    Nonmatch,
}

/// The worst damage of a reading of a game, or its first note.
#[derive(Debug)]
pub struct DamageSummary {
    /// Its offset in the text of the game.
    pub start: usize,
    reason: GameDamage,
    shown: Vec<u8>,
    /// How many other damages, or notes, the game has.
    more: usize,
    /// Whether it is a note: nothing is lost, and the game is not damaged.
    pub note: bool,
    /// Whether nothing of the game could be searched.
    pub left_out: bool,
    /// The queries for which the game was read; `None` if it was read for all.
    pub queries: Option<Vec<usize>>,
    /// Why the game was read.
    pub purpose: ReadPurpose,
}

impl DamageSummary {
    fn new(start: usize, reason: GameDamage) -> DamageSummary {
        let (note, left_out, queries, purpose) = (false, false, None, ReadPurpose::Search);
        DamageSummary {
            start,
            reason,
            shown: Vec::new(),
            more: 0,
            note,
            left_out,
            queries,
            purpose,
        }
    }

    /// The damage of a game that its input cannot be read to the end of. Other damages of the game
    /// are reported instead.
    pub fn of_torn(text: &GameText<'_>) -> DamageSummary {
        DamageSummary::new(text.rejected().len(), GameDamage::TornInput)
    }

    /// The damage of a game of a table whose moves cannot be played.
    pub fn of_codes(error: &ReplayError) -> DamageSummary {
        let reason = GameDamage::Unplayable(*error);
        DamageSummary { left_out: true, ..DamageSummary::new(0, reason) }
    }

    /// Reports it as the damage of the game of this number. It is on this line of the input.
    pub fn report(&self, input: &str, line: u64, game: u64) -> DamagedGame {
        DamagedGame {
            input: input.to_owned(),
            line,
            game,
            reason: self.reason.clone(),
            text: self.shown.clone(),
            more: self.more,
        }
    }
}

/// The damages and the notes that the readings of one game have found.
#[derive(Debug, Default)]
pub struct GameDamages {
    found: Vec<DamageSummary>,
}

impl GameDamages {
    /// Whether there is neither a damage nor a note.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Forgets all damages.
    pub fn clear(&mut self) {
        self.found.clear();
    }

    /// Adds a damage.
    pub fn push(&mut self, damage: DamageSummary) {
        self.found.push(damage);
    }

    /// Adds the damages of one reading of the game, for all queries or for some. The first reading
    /// that counts is reported, so nothing is added after one for all queries.
    #[inline]
    pub fn add(&mut self, game: &Game<'_>, queries: Option<&[usize]>, purpose: ReadPurpose) {
        if !game.damages().is_empty() {
            self.add_found(game, queries, purpose);
        }
    }

    #[cold]
    fn add_found(&mut self, game: &Game<'_>, queries: Option<&[usize]>, purpose: ReadPurpose) {
        let notes = || game.damages().iter().filter(|damage| damage.reason.is_note());
        for (worst, count, note) in [
            (game.damage(), game.damages().len() - notes().count(), false),
            (notes().next(), notes().count(), true),
        ] {
            let Some(worst) = worst else { continue };
            if self.found.iter().any(|known| known.note == note && known.queries.is_none()) {
                continue;
            }
            self.found.push(DamageSummary {
                shown: shown(game.damaged_text(worst)),
                more: count - 1,
                note,
                queries: queries.map(<[usize]>::to_vec),
                purpose,
                ..DamageSummary::new(worst.start, worst.reason.into())
            });
        }
    }

    /// The damages and notes in the order of the text, each with its rank: of those that count, the
    /// one of the lowest rank is reported.
    pub fn ranked(self) -> impl Iterator<Item = (usize, DamageSummary)> {
        let mut found: Vec<(usize, DamageSummary)> = self.found.into_iter().enumerate().collect();
        found.sort_by_key(|(_, damage)| damage.start);
        found.into_iter()
    }
}

/// The report of a game that is too long to be read, which begins with this text.
pub fn overlong_game(input: &str, line: u64, game: u64, text: &[u8]) -> DamagedGame {
    DamagedGame { text: shown(text), ..DamagedGame::new(input, line, game, GameDamage::TooLong) }
}

/// The beginning of a text, as a report shows it.
fn shown(text: &[u8]) -> Vec<u8> {
    text[..text.len().min(MAX_SHOWN)].to_vec()
}

/// Counts lines from one offset of a text to a later one.
#[derive(Clone, Copy, Debug)]
pub struct LineCounter {
    offset: usize,
    line: u64,
}

impl LineCounter {
    /// A counter at the start of a text that begins on this line.
    pub fn new(line: u64) -> LineCounter {
        LineCounter { offset: 0, line }
    }

    /// Returns the line of an offset of the text. The offsets ascend, except within a game that is
    /// read twice: an offset before the last one has the line of the last one.
    pub fn at(&mut self, text: &[u8], offset: usize) -> u64 {
        if offset > self.offset {
            self.line += count_lines(text, self.offset..offset);
            self.offset = offset;
        }
        self.line
    }
}
