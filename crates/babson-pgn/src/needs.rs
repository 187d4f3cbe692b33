//! What a caller needs of a game.

use std::borrow::Cow;

/// What a caller needs of a game. The reader does nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Needs {
    /// The last ply of the main line that is read; the moves after it are skipped. With 0 a game
    /// has only its initial position; with [`Needs::ALL_PLIES`] no move is skipped.
    pub last_ply: u32,
    /// Variations. The ids of the main line do not depend on them. With variations the reader
    /// reads the main line to its end: see [`Needs::with_variations`].
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
    /// The [`last_ply`](Needs::last_ply) of a reading to the end of the main line. No line has so
    /// many plies.
    pub const ALL_PLIES: u32 = u32::MAX;
    /// Tags and result only.
    pub const TAGS: Needs = Needs {
        last_ply: 0,
        variations: false,
        comments: false,
        piece_ids: false,
        damage: false,
        usual_start: false,
    };
    /// The positions of the main line.
    pub const MAIN_LINE: Needs = Needs { last_ply: Needs::ALL_PLIES, ..Needs::TAGS };
    /// Everything but piece identities: what the writer needs. This includes all damage.
    pub const ALL: Needs = Needs { variations: true, comments: true, ..Needs::MAIN_LINE };

    /// Whether any moves are read.
    #[inline]
    pub const fn has_moves(self) -> bool {
        self.last_ply > 0
    }

    /// The same needs with variations or without. With variations, the whole main line is needed if
    /// any moves are: their ids follow the ids of the main line.
    ///
    /// ```
    /// use babson_pgn::Needs;
    ///
    /// let needs = Needs { last_ply: 20, ..Needs::TAGS };
    /// assert_eq!(needs.with_variations(true), Needs { variations: true, ..Needs::MAIN_LINE });
    /// assert_eq!(needs.with_variations(false), needs);
    /// ```
    #[must_use]
    pub const fn with_variations(self, variations: bool) -> Needs {
        let is_whole = variations && self.has_moves();
        let last_ply = if is_whole { Needs::ALL_PLIES } else { self.last_ply };
        Needs { last_ply, variations, ..self }
    }

    /// The needs of both.
    #[must_use]
    pub const fn union(self, other: Needs) -> Needs {
        Needs {
            last_ply: if self.last_ply > other.last_ply { self.last_ply } else { other.last_ply },
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
        (self.last_ply <= others.last_ply)
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
    /// assert!(missing.variations && missing.comments && !missing.has_moves());
    /// assert_eq!(Needs::TAGS.without(Needs::ALL), Needs::TAGS);
    /// ```
    #[must_use]
    pub const fn without(self, others: Needs) -> Needs {
        Needs {
            last_ply: if self.last_ply > others.last_ply { self.last_ply } else { 0 },
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
    /// assert_eq!(Needs { last_ply: 20, ..Needs::TAGS }.names(), ["moves up to ply 20"]);
    /// assert!(Needs::TAGS.names().is_empty());
    /// ```
    pub fn names(self) -> Vec<Cow<'static, str>> {
        let Needs { last_ply, variations, comments, piece_ids, damage, usual_start } = self;
        let moves = match last_ply {
            0 => None,
            Needs::ALL_PLIES => Some(Cow::Borrowed("moves")),
            last => Some(Cow::Owned(format!("moves up to ply {last}"))),
        };
        let others = [
            (variations, "variations"),
            (comments, "comments"),
            (piece_ids, "piece_ids"),
            (damage, "damage"),
            (usual_start, "the usual initial position"),
        ];
        let others = others.iter().filter(|part| part.0).map(|part| Cow::Borrowed(part.1));
        moves.into_iter().chain(others).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_are_a_lattice() {
        let mut all = Vec::new();
        for last_ply in [0, 1, 2, Needs::ALL_PLIES] {
            for bits in 0..32u8 {
                let has = |bit: u8| bits >> bit & 1 == 1;
                let [variations, comments, piece_ids, damage, usual_start] =
                    std::array::from_fn(|bit| has(bit as u8));
                let needs =
                    Needs { last_ply, variations, comments, piece_ids, damage, usual_start };
                all.push((needs, bits));
            }
        }
        for &(a, bits) in &all {
            for &(b, other_bits) in &all {
                let union = a.union(b);
                assert!(a.are_among(union) && b.are_among(union), "{a:?} {b:?}");
                let is_among = a.last_ply <= b.last_ply && bits & !other_bits == 0;
                assert_eq!(a.are_among(b), is_among, "{a:?} {b:?}");
                assert_eq!(union == b, is_among, "{a:?} {b:?}");
                assert_eq!(a.without(b) == Needs::TAGS, is_among, "{a:?} {b:?}");
                assert_eq!(a.without(b).union(b), union, "{a:?} {b:?}");
            }
        }
    }
}
