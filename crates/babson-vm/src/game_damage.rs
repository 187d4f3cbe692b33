//! What is wrong with a damaged game.

use babson_pgn::{DamageReason, ReplayError};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::limits::MAX_GAME;

/// What is wrong with a damaged game, or what a note says about a game.
///
/// [`Display`](std::fmt::Display) is the sentence that messages have. In data the damage is this
/// sentence, too:
///
/// ```
/// use babson_vm::GameDamage;
/// use babson_vm::pgn::DamageReason;
///
/// let damage = GameDamage::Text(DamageReason::IllegalMove);
/// assert_eq!(damage.to_string(), "illegal move");
/// assert_eq!(GameDamage::from("illegal move"), damage);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameDamage {
    /// The reader found it in the text of the game.
    #[error("{0}")]
    Text(DamageReason),
    /// The input is broken in the middle of the game.
    #[error("the input cannot be read to the end of this game")]
    TornInput,
    /// The game has more than [`MAX_GAME`](crate::run::MAX_GAME) bytes, so it is not read.
    #[error("a game of more than {} MiB (is this a PGN file?): skipped", MAX_GAME >> 20)]
    TooLong,
    /// The row of a game table has a move that cannot be played, so the game is left out.
    #[error("{0}, so it is left out")]
    Unplayable(#[source] ReplayError),
    /// The row of a game table is damaged: the game was sound when it was packed.
    #[error(transparent)]
    TableRow(Box<RowDamage>),
    /// Another damage in words: one that this version does not know.
    #[error("{0}")]
    Other(String),
}

/// A damaged row of a game table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{damage}: row {row} of the table is damaged, which has game {game} of {input} (line {line})"
)]
#[non_exhaustive]
pub struct RowDamage {
    /// What is wrong with its game.
    #[source]
    pub damage: GameDamage,
    /// The number of the row, from 1.
    pub row: u64,
    /// The number of the game in the file that was packed, from 1.
    pub game: u64,
    /// The name of this file.
    pub input: String,
    /// The line of this file on which the game begins.
    pub line: u64,
}

impl GameDamage {
    /// The damage of this row of a table, whose game is the one of this number in the file `input`.
    pub fn in_row(self, row: u64, game: u64, input: impl Into<String>, line: u64) -> GameDamage {
        let (damage, input) = (self, input.into());
        GameDamage::TableRow(Box::new(RowDamage { damage, row, game, input, line }))
    }
}

impl From<DamageReason> for GameDamage {
    fn from(reason: DamageReason) -> GameDamage {
        GameDamage::Text(reason)
    }
}

/// The damage with this sentence.
impl From<&str> for GameDamage {
    fn from(sentence: &str) -> GameDamage {
        let in_text = DamageReason::ALL.iter().copied().map(GameDamage::Text);
        [GameDamage::TornInput, GameDamage::TooLong]
            .into_iter()
            .chain(in_text)
            .find(|damage| damage.to_string() == sentence)
            .or_else(|| unplayable(sentence))
            .or_else(|| table_row(sentence))
            .unwrap_or_else(|| GameDamage::Other(sentence.to_owned()))
    }
}

/// The damage with this sentence.
impl From<String> for GameDamage {
    fn from(sentence: String) -> GameDamage {
        GameDamage::from(sentence.as_str())
    }
}

fn unplayable(sentence: &str) -> Option<GameDamage> {
    let (_, rest) = sentence.split_once("move ")?;
    let (ply, _) = rest.split_once(' ')?;
    let damage = GameDamage::Unplayable(ReplayError { ply: ply.parse().ok()? });
    (damage.to_string() == sentence).then_some(damage)
}

fn table_row(sentence: &str) -> Option<GameDamage> {
    let (damage, rest) = sentence.split_once(": row ")?;
    let (row, rest) = rest.split_once(" of the table is damaged, which has game ")?;
    let (game, rest) = rest.split_once(" of ")?;
    let (input, line) = rest.strip_suffix(')')?.rsplit_once(" (line ")?;
    let damage = GameDamage::from(damage);
    Some(damage.in_row(row.parse().ok()?, game.parse().ok()?, input, line.parse().ok()?))
}

impl Serialize for GameDamage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GameDamage {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<GameDamage, D::Error> {
        String::deserialize(source).map(GameDamage::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences() {
        let unplayable = || GameDamage::Unplayable(ReplayError { ply: 7 });
        let row = |damage: GameDamage| damage.in_row(3, 2, "a: row 1 of b (line 5).pgn", 9);
        let in_table = "row 3 of the table is damaged, which has game 2 of a: row 1 of b \
                        (line 5).pgn (line 9)";
        let mut cases = vec![
            (GameDamage::TornInput, "the input cannot be read to the end of this game".to_owned()),
            (
                GameDamage::TooLong,
                "a game of more than 32 MiB (is this a PGN file?): skipped".to_owned(),
            ),
            (unplayable(), "move 7 of the game cannot be played, so it is left out".to_owned()),
            (
                row(unplayable()),
                format!("move 7 of the game cannot be played, so it is left out: {in_table}"),
            ),
            (row(DamageReason::BadFen.into()), format!("bad FEN: {in_table}")),
            (GameDamage::Other("a new one".to_owned()), "a new one".to_owned()),
        ];
        let in_text = |reason: &DamageReason| ((*reason).into(), reason.to_string());
        cases.extend(DamageReason::ALL.iter().map(in_text));
        for (damage, sentence) in cases {
            assert_eq!(damage.to_string(), sentence);
            let json = serde_json::to_string(&damage).unwrap();
            assert_eq!(json, format!("\"{sentence}\""));
            assert_eq!(serde_json::from_str::<GameDamage>(&json).unwrap(), damage);
        }
    }

    #[test]
    fn a_program_can_match_on_the_damage() {
        let damage = GameDamage::from(
            "illegal move: row 3 of the table is damaged, which has game \
                                       2 of a.pgn (line 9)",
        );
        let GameDamage::TableRow(row) = &damage else { panic!("{damage:?}") };
        assert_eq!((row.row, row.game, row.input.as_str(), row.line), (3, 2, "a.pgn", 9));
        assert!(matches!(row.damage, GameDamage::Text(DamageReason::IllegalMove)));
    }
}
