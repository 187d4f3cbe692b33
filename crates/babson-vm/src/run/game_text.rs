//! What a game is read from.

use babson_pgn::{CodedGame, Game, Needs, Reader, ReplayError, SplitText};

/// A game of PGN, or of a game table.
#[derive(Clone, Copy, Debug)]
pub enum GameText<'g> {
    /// Its text.
    Pgn(SplitText<'g>),
    /// Its tags and the codes of its moves.
    Coded(CodedGame<'g>),
}

impl<'g> GameText<'g> {
    /// Reads the game, its moves only if `accepts` returns true: see [`Reader::read_if`].
    ///
    /// # Errors
    /// The codes of the moves are damaged.
    pub fn read_if<'r>(
        &self,
        reader: &'r mut Reader,
        needs: Needs,
        accepts: impl FnOnce(&Game<'_>) -> bool,
    ) -> Result<(Game<'r>, bool), ReplayError>
    where
        'g: 'r,
    {
        match self {
            GameText::Pgn(text) => Ok(reader.read_split_if(*text, needs, accepts)),
            GameText::Coded(coded) => reader.replay_if(coded, needs, accepts),
        }
    }

    /// Reads the game.
    ///
    /// # Errors
    /// As [`GameText::read_if`].
    pub fn read<'r>(&self, reader: &'r mut Reader, needs: Needs) -> Result<Game<'r>, ReplayError>
    where
        'g: 'r,
    {
        self.read_if(reader, needs, |_| true).map(|(game, _)| game)
    }

    /// Returns the text of a damaged game. Codes of moves have no text, so a game of a table has
    /// only its tags.
    pub fn rejected(&self) -> &'g [u8] {
        match self {
            GameText::Pgn(text) => text.text().trim_ascii_end(),
            GameText::Coded(coded) => coded.tags.trim_ascii_end(),
        }
    }

    /// Returns the text of the game, which was read from this with [`Needs::ALL`].
    pub fn pgn(&self, whole: &Game<'_>) -> Vec<u8> {
        match self {
            GameText::Pgn(_) => whole.text().to_vec(),
            GameText::Coded(_) => babson_pgn::plain_text(whole),
        }
    }
}
