//! Replaying the text of one game into a flat arena.
//!
//! The main line comes first; a variation is only noted where it stands and read when the lines
//! around it are done. Notes are taken from a stack, so that nodes come out in position-id order
//! without being moved, and no nest is too deep.

mod annotations;
mod arena;
mod head;
mod line;
mod needs;
mod plain;
mod report;
mod result;
mod step;
mod variations;

use babson_chess::{Numbering, Position, Rules, VariantNames};

use crate::damage::Reason;
use crate::game::{Game, GameResult, Node};
use crate::scan::{Braces, Nest};

pub(crate) use arena::{Arena, CommentRange};
pub use needs::Needs;
use variations::Pending;

/// The number of positions that a game may have before the reader gives up on it.
pub const MAX_POSITIONS: usize = 1_000_000;

/// Reads games one after another; keeps its buffers between them.
#[derive(Clone, Debug)]
pub struct Reader {
    arena: Arena,
    braces: Braces,
    nest: Nest,
    pending: Vec<Pending>,
    before: Vec<(usize, usize)>,
    max_positions: usize,
    error_comments: bool,
    variants: VariantNames,
    numbering: Numbering,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader::new()
    }
}

impl Reader {
    /// A reader with small buffers and the default limit on positions.
    pub fn new() -> Reader {
        Reader {
            arena: Arena {
                positions: vec![Position::start(); 256],
                nodes: vec![Node::ROOT; 256],
                len: 1,
                main_len: 1,
                rules: Rules::STANDARD,
                result: GameResult::Unknown,
                has_result: false,
                whole: true,
                has_start: true,
                bad_fen: false,
                comments: Vec::new(),
                unread: Vec::new(),
                nags: Vec::new(),
                damages: Vec::new(),
                piece_ids: Vec::new(),
            },
            braces: Braces::default(),
            nest: Nest::default(),
            pending: Vec::new(),
            before: Vec::new(),
            max_positions: MAX_POSITIONS,
            error_comments: false,
            variants: VariantNames::default(),
            numbering: Numbering::A1,
        }
    }

    /// Changes the limit on positions of a game (at least 1).
    #[must_use]
    pub fn with_max_positions(mut self, limit: usize) -> Reader {
        self.max_positions = limit.clamp(1, u32::MAX as usize - 1);
        self
    }

    /// Chooses how piece identities are numbered; by default as CQL 6.2 does.
    #[must_use]
    pub fn with_numbering(mut self, numbering: Numbering) -> Reader {
        self.numbering = numbering;
        self
    }

    /// Whether a move that cannot be read leaves the comment `Error reading move: …` at the
    /// position before it, in place of the comment there, as CQL 6.2 has it; by default it does
    /// not.
    #[must_use]
    pub fn with_error_comments(mut self, wanted: bool) -> Reader {
        self.write_error_comments(wanted);
        self
    }

    /// The same for the games that are read from now on.
    pub fn write_error_comments(&mut self, wanted: bool) {
        self.error_comments = wanted;
    }

    /// Chooses the names that the `Variant` tag may have.
    #[must_use]
    pub fn with_variants(mut self, names: VariantNames) -> Reader {
        self.variants = names;
        self
    }

    /// Reads the first game of `text`, nearly always all of it: [`Games`](crate::Games) yields
    /// single games. [`Game::consumed`] tells where a next game in the slice would begin.
    ///
    /// Never fails: what is wrong with a game is told by [`Game::damages`].
    pub fn read<'g>(&'g mut self, text: &'g [u8], needs: Needs) -> Game<'g> {
        self.read_if(text, needs, |_| true).0
    }

    /// Reads the first game of `text`, if `wanted` says so of its tags: it is given a game that has
    /// them and its initial position, but neither moves nor result. Else the game is read as for
    /// [`Needs::TAGS`]. The second value is what `wanted` said.
    ///
    /// ```
    /// use babson_pgn::{Needs, Reader};
    ///
    /// let mut reader = Reader::new();
    /// let (game, wanted) = reader.read_if(b"[White \"Morphy\"]\n\n1. e4 *\n", Needs::ALL, |game| {
    ///     game.tag(b"White") == Some(b"Anderssen")
    /// });
    /// assert_eq!((game.len(), wanted), (1, false));
    /// ```
    pub fn read_if<'g>(
        &'g mut self,
        text: &'g [u8],
        needs: Needs,
        wanted: impl FnOnce(&Game<'_>) -> bool,
    ) -> (Game<'g>, bool) {
        self.clear();
        let whole = text;
        let text = &text[..text.len().min(u32::MAX as usize - 1)];
        if text.len() < whole.len() {
            self.damage(text.len(), text.len(), Reason::TextTooLong, true);
        }
        if let Some(nul) = memchr::memchr(0, text) {
            self.damage(nul, nul + 1, Reason::NulByte, true);
        }
        let start = self.tags(text);
        let head = Game { text: whole, arena: &self.arena };
        let wanted = wanted(&head);
        let needs = if wanted { needs } else { Needs::TAGS };
        let playable = self.arena.has_start || needs.usual_start;
        let end = if (needs.moves || needs.damage) && playable {
            let replayed = Needs { variations: needs.variations || needs.damage, ..needs };
            let end = self.moves(text, start, replayed);
            self.arena.forget(needs);
            end
        } else {
            self.arena.whole = false;
            self.result_only(text, start)
        };
        self.arena.finish(needs.variations);
        if needs.piece_ids {
            self.arena.number_pieces(self.numbering);
        }
        let length = if end >= text.len() { whole.len() } else { end };
        let game = Game { text: &whole[..length], arena: &self.arena };
        (game, wanted)
    }

    fn clear(&mut self) {
        let arena = &mut self.arena;
        arena.len = 1;
        arena.main_len = 1;
        arena.rules = Rules::STANDARD;
        arena.result = GameResult::Unknown;
        arena.has_result = false;
        arena.whole = true;
        arena.has_start = true;
        arena.bad_fen = false;
        arena.comments.clear();
        arena.unread.clear();
        arena.nags.clear();
        arena.damages.clear();
        arena.piece_ids.clear();
        self.braces.clear();
        self.nest.clear();
        self.pending.clear();
        self.before.clear();
        // One monstrous game must not cost its memory for ever.
        if arena.positions.len() > 1 << 16 {
            arena.positions.truncate(1 << 12);
            arena.positions.shrink_to_fit();
            arena.nodes.truncate(1 << 12);
            arena.nodes.shrink_to_fit();
        }
    }
}
