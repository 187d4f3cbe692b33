//! The reader: it replays the text of one game into an arena.
//!
//! The main line is read first. The start of a variation is pushed to a stack, and the variation is
//! read after the line that it belongs to. So the nodes are made in the order of position ids, and
//! the depth of nested variations has no limit.

mod annotations;
mod careful_move;
mod damage;
mod initial_position;
mod line;
mod plain;
mod replay;
mod result;
mod variations;

use babson_chess::{Position, Rules, VariantNames};

use crate::arena::Arena;
use crate::damage::DamageReason;
use crate::game::Game;
use crate::limits::{MAX_KEPT_POSITIONS, MAX_POSITIONS};
use crate::needs::Needs;
use crate::node::Node;
use crate::result::GameResult;
use crate::scan::{Braces, VariationEnds};
use crate::split_text::{SplitText, TextFacts};

use line::PendingVariation;
pub use replay::{CodedGame, ReplayError};

/// A reader of games. It reuses its buffers from game to game.
#[derive(Clone, Debug)]
pub struct Reader {
    arena: Arena,
    braces: Braces,
    variation_ends: VariationEnds,
    pending: Vec<PendingVariation>,
    /// The ranges of comments before the first move of a variation.
    before: Vec<(usize, usize)>,
    max_positions: usize,
    /// The last ply of the current game that is read.
    last_ply: u32,
    error_comments: bool,
    variants: VariantNames,
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
                needs: Needs::TAGS,
                result: GameResult::Unknown,
                has_result: false,
                whole: true,
                cut: false,
                coded: false,
                has_start: true,
                bad_fen: false,
                comments: Vec::new(),
                unread: Vec::new(),
                nags: Vec::new(),
                damages: Vec::new(),
                piece_ids: Vec::new(),
            },
            braces: Braces::default(),
            variation_ends: VariationEnds::default(),
            pending: Vec::new(),
            before: Vec::new(),
            max_positions: MAX_POSITIONS,
            last_ply: Needs::ALL_PLIES,
            error_comments: false,
            variants: VariantNames::default(),
        }
    }

    /// Sets the limit on the positions of a game, at least 1.
    #[must_use]
    pub fn with_max_positions(mut self, limit: usize) -> Reader {
        self.max_positions = limit.clamp(1, u32::MAX as usize - 1);
        self
    }

    /// Sets whether, in the games that are read from now on, a move that cannot be read becomes the
    /// comment `Error reading move: …` of the position before it, in place of the original comment,
    /// as in CQL 6.2. By default it does not.
    pub fn write_error_comments(&mut self, enabled: bool) {
        self.error_comments = enabled;
    }

    /// Sets the names that the `Variant` tag may have.
    #[must_use]
    pub fn with_variants(mut self, names: VariantNames) -> Reader {
        self.variants = names;
        self
    }

    /// Reads the first game of `text`. [`Games`](crate::Games) yields texts of single games; if the
    /// text holds another game, it begins at [`Game::consumed`].
    ///
    /// Never fails: [`Game::damages`] lists what is wrong with the game.
    pub fn read<'g>(&'g mut self, text: &'g [u8], needs: Needs) -> Game<'g> {
        self.read_if(text, needs, |_| true).0
    }

    /// Reads the first game of `text`, if `accepts` returns true for a game that has only the tags
    /// and the initial position, without moves and result. Otherwise reads the game with
    /// [`Needs::TAGS`]. The second value is the answer of `accepts`.
    ///
    /// ```
    /// use babson_pgn::{Needs, Reader};
    ///
    /// let mut reader = Reader::new();
    /// let (game, accepted) = reader.read_if(b"[White \"Morphy\"]\n\n1. e4 *\n", Needs::ALL, |game| {
    ///     game.tag(b"White") == Some(b"Anderssen")
    /// });
    /// assert_eq!((game.len(), accepted), (1, false));
    /// ```
    pub fn read_if<'g>(
        &'g mut self,
        text: &'g [u8],
        needs: Needs,
        accepts: impl FnOnce(&Game<'_>) -> bool,
    ) -> (Game<'g>, bool) {
        self.read_split_if(SplitText::new(text), needs, accepts)
    }

    /// As [`Reader::read_if`], for a text with the facts that [`Games`](crate::Games) found, which
    /// are not found again.
    pub fn read_split_if<'g>(
        &'g mut self,
        text: SplitText<'g>,
        needs: Needs,
        accepts: impl FnOnce(&Game<'_>) -> bool,
    ) -> (Game<'g>, bool) {
        self.clear();
        let TextFacts { moves, one_result, no_nul } = text.facts();
        let whole = text.text();
        let text = whole;
        let text = &text[..text.len().min(u32::MAX as usize - 1)];
        if text.len() < whole.len() {
            self.damage(text.len(), text.len(), DamageReason::TextTooLong, true);
        }
        if !no_nul && let Some(nul) = memchr::memchr(0, text) {
            self.damage(nul, nul + 1, DamageReason::NulByte, true);
        }
        let start = match moves {
            0 => self.tags(text),
            moves => {
                self.usual_start();
                text.len().min(moves as usize)
            }
        };
        let head = Game { text: whole, arena: &self.arena };
        let accepted = accepts(&head);
        let needs = if accepted { needs } else { Needs::TAGS };
        self.arena.needs = needs;
        let playable = self.arena.has_start || needs.usual_start;
        let end = if (needs.has_moves() || needs.damage) && playable {
            let replayed = Needs { variations: needs.variations || needs.damage, ..needs };
            self.last_ply = if replayed.variations { Needs::ALL_PLIES } else { needs.last_ply };
            let end = self.moves(text, start, replayed, one_result);
            self.arena.drop_unneeded(needs);
            end
        } else {
            self.arena.whole = false;
            self.result_only(text, start, one_result)
        };
        self.arena.finish(needs.variations);
        if needs.piece_ids {
            self.arena.number_pieces();
        }
        let length = if end >= text.len() { whole.len() } else { end };
        let game = Game { text: &whole[..length], arena: &self.arena };
        (game, accepted)
    }

    /// A game of one position, without tags, moves and text: the way to evaluate a query on a
    /// board. Of the needs only the piece identities matter.
    ///
    /// ```
    /// use babson_chess::fen;
    /// use babson_pgn::{Needs, Reader};
    ///
    /// let (position, rules) = fen::parse("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1").unwrap();
    /// let mut reader = Reader::new();
    /// let game = reader.one_position(&position, &rules, Needs::TAGS);
    /// assert_eq!((game.len(), game.position(0)), (1, &position));
    /// assert_eq!(game.tags().count(), 0);
    /// ```
    pub fn one_position<'g>(
        &'g mut self,
        position: &Position,
        rules: &Rules,
        needs: Needs,
    ) -> Game<'g> {
        self.clear();
        self.arena.positions[0] = *position;
        self.arena.nodes[0] = Node::ROOT;
        self.arena.rules = *rules;
        // There is nothing else that could be missing.
        let all = Needs { damage: true, usual_start: true, ..Needs::ALL };
        self.arena.needs = Needs { piece_ids: needs.piece_ids, ..all };
        self.arena.finish(false);
        if needs.piece_ids {
            self.arena.number_pieces();
        }
        Game { text: &[], arena: &self.arena }
    }

    fn clear(&mut self) {
        let arena = &mut self.arena;
        arena.len = 1;
        arena.main_len = 1;
        arena.rules = Rules::STANDARD;
        arena.needs = Needs::TAGS;
        arena.result = GameResult::Unknown;
        arena.has_result = false;
        arena.whole = true;
        arena.cut = false;
        arena.coded = false;
        arena.has_start = true;
        arena.bad_fen = false;
        arena.comments.clear();
        arena.unread.clear();
        arena.nags.clear();
        arena.damages.clear();
        arena.piece_ids.clear();
        self.braces.clear();
        self.variation_ends.clear();
        self.pending.clear();
        self.before.clear();
        if arena.positions.len() > MAX_KEPT_POSITIONS {
            arena.positions.truncate(1 << 12);
            arena.positions.shrink_to_fit();
            arena.nodes.truncate(1 << 12);
            arena.nodes.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_ANNOTATIONS;

    #[test]
    fn the_limit_leaves_room_for_the_end_of_a_subtree() {
        let limit = |limit| Reader::new().with_max_positions(limit).max_positions;
        let last = u32::MAX as usize - 1;
        assert_eq!((limit(0), limit(7), limit(last), limit(last + 1)), (1, 7, last, last));
    }

    #[test]
    fn annotations_are_bounded() {
        let mut reader = Reader::new();
        for annotation in ["{}", "$1 "] {
            let text = format!("1. e4 {}", annotation.repeat(MAX_ANNOTATIONS + 1));
            let game = reader.read(text.as_bytes(), Needs::ALL);
            let reasons: Vec<_> = game.damages().iter().map(|damage| damage.reason).collect();
            assert_eq!(reasons, [DamageReason::TooManyAnnotations], "{annotation}");
        }
    }

    #[test]
    fn the_memory_of_a_huge_game_is_given_back() {
        let mut reader = Reader::new();
        for variations in [MAX_KEPT_POSITIONS / 4, MAX_KEPT_POSITIONS] {
            let text = format!("1. d4 {}", "(1. e4) ".repeat(variations));
            assert_eq!(reader.read(text.as_bytes(), Needs::ALL).len() as usize, variations + 2);
            let room = reader.arena.positions.len();
            assert!(room > variations);
            reader.read(b"1. e4 *", Needs::ALL);
            let kept = if room > MAX_KEPT_POSITIONS { 1 << 12 } else { room };
            assert_eq!((reader.arena.positions.len(), reader.arena.nodes.len()), (kept, kept));
        }
    }
}
