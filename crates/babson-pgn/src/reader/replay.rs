//! Replaying a game from the codes of its moves, as a game table has them.

use babson_chess::play_codes;

use super::{Arena, Reader};
use crate::game::Game;
use crate::needs::Needs;
use crate::node::Node;
use crate::result::GameResult;

/// A game of a table: a main line of standard chess, without comments, glyphs and variations.
#[derive(Clone, Copy, Debug)]
pub struct CodedGame<'g> {
    /// The tag section, as a text.
    pub tags: &'g [u8],
    /// Whether it is known that the game starts from the initial array by the rules of chess, and
    /// that no tag is damaged. Then the tags are not read.
    pub usual_start: bool,
    /// The moves: see [`MoveCode`](babson_chess::MoveCode).
    pub moves: &'g [u16],
    /// A bit for each position, the initial one first and the lowest bit of a word first: whether
    /// the side to move is in check. Missing words are zeros.
    pub checks: &'g [u64],
    /// The termination marker, if the game has one.
    pub result: Option<GameResult>,
}

/// A game cannot be replayed: a code is not a move of its position, or there are too many moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {ply} of the game cannot be played")]
pub struct ReplayError {
    /// The first code that cannot be played, counted from 1.
    pub ply: usize,
}

impl Reader {
    /// Replays a game if `accepts` returns true for a game that has only the tags and the initial
    /// position, as [`Reader::read_if`] reads one. The text of the game is its tag section.
    ///
    /// # Errors
    /// A code is not a move of its position, or there are more moves than the reader's limit on
    /// positions admits, or than the 65,535 of a line. Whether a move is legal is not tested.
    ///
    /// ```
    /// use babson_pgn::{CodedGame, GameResult, Needs, Reader};
    ///
    /// let e4 = 12 | 28 << 6 | 6 << 12;
    /// let game = CodedGame {
    ///     tags: b"",
    ///     usual_start: true,
    ///     moves: &[e4],
    ///     checks: &[],
    ///     result: Some(GameResult::Draw),
    /// };
    /// let mut reader = Reader::new();
    /// let (game, _) = reader.replay_if(&game, Needs::ALL, |_| true)?;
    /// assert_eq!((game.len(), game.node(1).mv.to_string().as_str()), (2, "e2e4"));
    /// # Ok::<(), babson_pgn::ReplayError>(())
    /// ```
    pub fn replay_if<'g>(
        &'g mut self,
        coded: &CodedGame<'g>,
        needs: Needs,
        accepts: impl FnOnce(&Game<'_>) -> bool,
    ) -> Result<(Game<'g>, bool), ReplayError> {
        self.clear();
        if coded.usual_start {
            self.usual_start();
        } else {
            self.tags(coded.tags);
        }
        self.arena.coded = true;
        self.arena.result = coded.result.unwrap_or(GameResult::Unknown);
        self.arena.has_result = coded.result.is_some();
        let accepted = accepts(&Game { text: coded.tags, arena: &self.arena });
        let needs = if accepted { needs } else { Needs::TAGS };
        self.arena.needs = needs;
        if needs.has_moves() || needs.damage {
            let most = (self.max_positions - 1).min(usize::from(u16::MAX));
            if coded.moves.len() > most {
                return Err(ReplayError { ply: most + 1 });
            }
            let last_ply = if needs.damage { Needs::ALL_PLIES } else { needs.last_ply };
            let last_ply = usize::try_from(last_ply).unwrap_or(usize::MAX);
            let moves = &coded.moves[..last_ply.min(coded.moves.len())];
            self.arena.grow(moves.len() + 1);
            self.arena.play(moves, coded.checks)?;
            if moves.len() < coded.moves.len() {
                (self.arena.whole, self.arena.cut) = (false, true);
            }
            self.arena.drop_unneeded(needs);
        } else {
            self.arena.whole = coded.moves.is_empty();
        }
        self.arena.finish(false);
        if needs.piece_ids {
            self.arena.number_pieces();
        }
        Ok((Game { text: coded.tags, arena: &self.arena }, accepted))
    }
}

impl Arena {
    /// Plays these moves. There must be room for their positions.
    fn play(&mut self, moves: &[u16], checks: &[u64]) -> Result<(), ReplayError> {
        let len = moves.len() + 1;
        let nodes = &mut self.nodes[..len];
        let positions = &mut self.positions[..len];
        play_codes(moves, checks, positions, |id, mv| {
            let (parent, ply) = (id as u32 - 1, id as u16);
            nodes[id] = Node { parent, subtree_end: len as u32, mv, depth: 0, sibling: 0, ply };
        })
        .map_err(|index| ReplayError { ply: index + 1 })?;
        self.len = len;
        self.main_len = self.len;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use babson_chess::MoveCode;

    use super::*;
    use crate::Games;

    /// The codes of a game, and the checks of its positions.
    fn encode(game: &Game<'_>) -> Option<(Vec<u16>, Vec<u64>)> {
        let positions = game.positions();
        let moves = game.nodes()[1..].iter().zip(positions);
        let moves: Option<Vec<u16>> =
            moves.map(|(node, before)| Some(MoveCode::of(node.mv, before)?.0)).collect();
        let mut checks = vec![0; positions.len().div_ceil(64)];
        for (id, position) in positions.iter().enumerate() {
            checks[id / 64] |= u64::from(position.in_check()) << (id % 64);
        }
        Some((moves?, checks))
    }

    #[test]
    fn a_replayed_game_is_the_game() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../corpus/games/masters-2k.pgn");
        let text = std::fs::read(path).expect("a file of the corpus");
        let (mut reader, mut replayer) = (Reader::new(), Reader::new());
        let needs = Needs { piece_ids: true, ..Needs::MAIN_LINE };
        for (_, text) in Games::new(&text) {
            let game = reader.read(text, needs);
            let (moves, checks) = encode(&game).expect("chess");
            let end = text.windows(4).position(|four| four == b"\r\n1.").unwrap_or(text.len());
            let result = game.has_result().then(|| game.result());
            let tags = &text[..end];
            let usual_start = moves.len() % 2 == 0;
            let coded = CodedGame { tags, usual_start, moves: &moves, checks: &checks, result };
            let (replayed, _) = replayer.replay_if(&coded, needs, |_| true).expect("moves");
            assert_eq!(replayed.positions(), game.positions());
            assert_eq!(replayed.nodes(), game.nodes());
            assert_eq!(replayed.result_tag(), game.result_tag());
            assert!(replayed.tags().eq(game.tags()));
            let last = game.len() - 1;
            assert_eq!(replayed.piece_ids(last), game.piece_ids(last));
        }
    }

    #[test]
    fn a_line_has_at_most_65_535_plies() {
        let knights = [6 | 21 << 6, 62 | 45 << 6, 21 | 6 << 6, 45 | 62 << 6];
        let moves: Vec<u16> =
            knights.map(|squares| squares | 1 << 12).into_iter().cycle().take(70_000).collect();
        let mut reader = Reader::new();
        let mut last_ply = |plies: usize| {
            let moves = &moves[..plies];
            let coded =
                CodedGame { tags: b"", usual_start: true, moves, checks: &[], result: None };
            let (game, _) = reader.replay_if(&coded, Needs::MAIN_LINE, |_| true)?;
            Ok(game.node(plies as u32).ply)
        };
        assert_eq!(last_ply(65_535), Ok(65_535));
        for plies in [65_536, 70_000] {
            assert_eq!(last_ply(plies), Err(ReplayError { ply: 65_536 }));
        }
    }

    #[test]
    fn codes_without_a_move_are_an_error() {
        let coded = CodedGame {
            tags: b"[White \"A\"]\n",
            usual_start: false,
            moves: &[12 | 28 << 6 | 6 << 12, 0],
            checks: &[],
            result: None,
        };
        let mut reader = Reader::new();
        let error = reader.replay_if(&coded, Needs::ALL, |_| true).err();
        assert_eq!(error, Some(ReplayError { ply: 2 }));
        let (game, accepted) =
            reader.replay_if(&coded, Needs::ALL, |game| game.tag(b"White").is_none()).unwrap();
        assert_eq!((game.len(), accepted, game.is_whole()), (1, false, false));
        assert!(!game.has_move_text());
        let mut small = Reader::new().with_max_positions(1);
        let error = small.replay_if(&coded, Needs::ALL, |_| true).err();
        assert_eq!(error, Some(ReplayError { ply: 1 }));
        assert!(small.read(b"1. e4", Needs::ALL).has_move_text());
    }
}
