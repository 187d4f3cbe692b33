//! What a query asks of the replay.

/// What a query asks of the replay; nothing else is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Needs {
    /// Moves and positions. Without them a game has its initial position only.
    pub moves: bool,
    /// Variations; without them the main line has the same ids as with them.
    pub variations: bool,
    /// Comments and glyphs.
    pub comments: bool,
    /// A table of piece identities for every position.
    pub piece_ids: bool,
    /// All damage of the game, also in moves and variations that nothing else needs: they are
    /// replayed and forgotten. Without it only what is read is known to be damaged.
    pub damage: bool,
    /// A game whose start cannot be known (a bad FEN, an unknown variant) is played from the usual
    /// position, as CQL 6.2 does. Otherwise it has no moves, and [`Game::has_start`] is false.
    ///
    /// [`Game::has_start`]: crate::Game::has_start
    pub usual_start: bool,
}

impl Needs {
    /// Tags and result only.
    pub const TAGS: Needs = Needs {
        moves: false,
        variations: false,
        comments: false,
        piece_ids: false,
        damage: false,
        usual_start: false,
    };
    /// The positions of the main line.
    pub const MAIN_LINE: Needs = Needs { moves: true, ..Needs::TAGS };
    /// Everything but piece identities (and so all damage): what the writer needs.
    pub const ALL: Needs = Needs { variations: true, comments: true, ..Needs::MAIN_LINE };

    /// What either asks for.
    #[must_use]
    pub const fn union(self, other: Needs) -> Needs {
        Needs {
            moves: self.moves || other.moves,
            variations: self.variations || other.variations,
            comments: self.comments || other.comments,
            piece_ids: self.piece_ids || other.piece_ids,
            damage: self.damage || other.damage,
            usual_start: self.usual_start || other.usual_start,
        }
    }
}
