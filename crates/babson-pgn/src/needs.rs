//! What a caller needs of a game.

/// What a caller needs of a game. The reader does nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Needs {
    /// Moves and positions. Without them a game has only its initial position.
    pub moves: bool,
    /// Variations. The ids of the main line do not depend on them.
    pub variations: bool,
    /// Comments and glyphs.
    pub comments: bool,
    /// The piece identities of every position.
    pub piece_ids: bool,
    /// All damage of the game, also in moves and variations that are not needed otherwise: these
    /// are replayed and then dropped. Without it only damage in what is needed is found.
    pub damage: bool,
    /// A game whose initial position is not known (a bad FEN, an unknown variant) is played from
    /// the initial array, as CQL 6.2 does. Otherwise it has no moves. [`Game::has_start`] is false.
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
    /// Everything but piece identities: what the writer needs. This includes all damage.
    pub const ALL: Needs = Needs { variations: true, comments: true, ..Needs::MAIN_LINE };

    /// The needs of both.
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

    /// Whether all of these needs are among `others`. It has no branches, since a search calls it
    /// for each game.
    ///
    /// ```
    /// use babson_pgn::Needs;
    ///
    /// assert!(Needs::MAIN_LINE.are_among(Needs::ALL) && !Needs::ALL.are_among(Needs::MAIN_LINE));
    /// ```
    #[must_use]
    #[inline]
    pub const fn are_among(self, others: Needs) -> bool {
        (!self.moves | others.moves)
            & (!self.variations | others.variations)
            & (!self.comments | others.comments)
            & (!self.piece_ids | others.piece_ids)
            & (!self.damage | others.damage)
            & (!self.usual_start | others.usual_start)
    }

    /// Those of these needs that are not among `others`.
    ///
    /// ```
    /// use babson_pgn::Needs;
    ///
    /// let missing = Needs::ALL.without(Needs::MAIN_LINE);
    /// assert!(missing.variations && missing.comments && !missing.moves);
    /// assert_eq!(Needs::TAGS.without(Needs::ALL), Needs::TAGS);
    /// ```
    #[must_use]
    pub const fn without(self, others: Needs) -> Needs {
        Needs {
            moves: self.moves && !others.moves,
            variations: self.variations && !others.variations,
            comments: self.comments && !others.comments,
            piece_ids: self.piece_ids && !others.piece_ids,
            damage: self.damage && !others.damage,
            usual_start: self.usual_start && !others.usual_start,
        }
    }

    /// What a reader keeps of a game because of them, in words.
    ///
    /// ```
    /// use babson_pgn::Needs;
    ///
    /// assert_eq!(Needs::ALL.names(), ["moves", "variations", "comments"]);
    /// assert!(Needs::TAGS.names().is_empty());
    /// ```
    pub fn names(self) -> Vec<&'static str> {
        let Needs { moves, variations, comments, piece_ids, damage, usual_start } = self;
        let parts = [
            (moves, "moves"),
            (variations, "variations"),
            (comments, "comments"),
            (piece_ids, "piece_ids"),
            (damage, "damage"),
            (usual_start, "the usual initial position"),
        ];
        parts.iter().filter(|part| part.0).map(|part| part.1).collect()
    }
}
