//! The hash of a game, by which games that occur several times are found.

use babson_chess::{Move, Rules};

use crate::game::Game;

/// A number that is equal for equal games: those with the same players, the same date and the same
/// moves.
///
/// - The players and the date are the values of the first `White`, `Black` and `Date` tags, byte
///   for byte. Without the tag the value is `?`, or `????.??.??` for the date.
/// - The moves are the main line, from the same initial position by the same rules, however
///   they are written.
/// - Other tags, the result, comments, glyphs and variations do not count: two copies of a game
///   often differ in them.
/// - A damaged game is equal only to one with the same text, since its moves are not all known.
///
/// The hash has 64 bits, which are as good as random. Of ten million different games,
/// two have the same hash with a probability of 1 in 370,000.
///
/// ```
/// use babson_pgn::{GameHash, Needs, Reader};
///
/// let mut reader = Reader::new();
/// let mut hash = |text: &str| GameHash::of(&reader.read(text.as_bytes(), Needs::ALL));
/// let first = hash("[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 1-0");
/// assert_eq!(first, hash("[Event \"London\"]\n[White \"Anderssen\"]\n\n1. e2-e4 e5 2. f4 exf4 *"));
/// assert_ne!(first, hash("[White \"Kieseritzky\"]\n\n1. e4 e5 2. f4 exf4 1-0"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameHash(pub u64);

impl GameHash {
    /// The hash of a game that was read with [`Needs::ALL`](crate::Needs::ALL).
    pub fn of(game: &Game<'_>) -> GameHash {
        let mut hash = Mixer(0);
        for (tag, absent) in [("White", "?"), ("Black", "?"), ("Date", "????.??.??")] {
            hash.add_text(game.tag(tag.as_bytes()).unwrap_or(absent.as_bytes()));
        }
        let is_damaged = game.damages().iter().any(|damage| !damage.reason.is_note());
        if is_damaged || !game.has_start() {
            hash.add_text(game.text());
            return GameHash(hash.0);
        }
        if *game.rules() != Rules::STANDARD {
            hash.add_text(game.tag(b"Variant").unwrap_or_default());
        }
        hash.add(game.position(0).zobrist());
        let line = &game.nodes()[1..game.main_line_len() as usize];
        hash.add(line.len() as u64);
        for moves in line.chunks(MOVES_OF_A_WORD) {
            hash.add(moves.iter().fold(0, |word, node| word << MOVE_BITS | code(node.mv)));
        }
        GameHash(hash.0)
    }
}

/// The bits of the code of a move, and how many codes a word has room for.
const MOVE_BITS: u32 = 16;
const MOVES_OF_A_WORD: usize = (u64::BITS / MOVE_BITS) as usize;

/// A code that differs for all moves of a position. It does not depend on how a [`Move`] is stored,
/// so the hash can be kept.
fn code(mv: Move) -> u64 {
    let kind = match (mv.promotion(), mv.dropped()) {
        (Some(kind), _) => 1 + kind.index(),
        (None, Some(kind)) => 7 + kind.index(),
        (None, None) if mv.is_null() => 13,
        (None, None) if mv.is_castling() => 14,
        (None, None) => 0,
    };
    (mv.from().index() | mv.to().index() << 6 | kind << 12) as u64
}

/// Mixes words by the function `splitmix64` of Sebastiano Vigna, a bijection of 64 bits.
struct Mixer(u64);

impl Mixer {
    fn add(&mut self, word: u64) {
        let mut mixed = (self.0 ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = mixed ^ mixed >> 31;
    }

    fn add_text(&mut self, text: &[u8]) {
        self.add(text.len() as u64);
        for part in text.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.add(u64::from_le_bytes(word));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Needs, Reader};

    fn hash(text: &str) -> GameHash {
        GameHash::of(&Reader::new().read(text.as_bytes(), Needs::ALL))
    }

    const GAME: &str =
        "[White \"A\"]\n[Black \"B\"]\n[Date \"1900.01.02\"]\n\n1. e4 e5 2. Nf3 Nc6 *";

    #[test]
    fn copies_of_a_game_are_equal() {
        for copy in [
            "[Date \"1900.01.02\"]\n[Black \"B\"]\n[Round \"3\"]\n[White \"A\"]\n\n1.e4 e5 2.Nf3 Nc6 1-0",
            "[White \"A\"]\n[Black \"B\"]\n[Date \"1900.01.02\"]\n\n1. e2e4 {best} e5 (1... c5) 2. Ngf3! Nc6 *",
        ] {
            assert_eq!(hash(copy), hash(GAME), "{copy}");
        }
        assert_eq!(hash("1. e4 *"), hash("[White \"?\"]\n[Date \"????.??.??\"]\n\n1. e4 *"));
    }

    #[test]
    fn other_games_differ() {
        for (from, to) in [
            ("White \"A\"", "White \"C\""),
            ("White \"A\"]\n[Black \"B\"", "White \"B\"]\n[Black \"A\""),
            ("1900.01.02", "1900.01.03"),
            (" Nc6", ""),
            ("Nc6", "Nf6"),
            ("2. Nf3 Nc6", "2. Nf3 Nc6 3. Bb5"),
            ("\n\n1.", "\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1\"]\n\n1."),
            ("\n\n1.", "\n[Variant \"Atomic\"]\n\n1."),
        ] {
            assert_ne!(hash(&GAME.replace(from, to)), hash(GAME), "{to}");
        }
        let fen = "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=";
        assert_ne!(hash(&format!("{fen}Q *")), hash(&format!("{fen}R *")));
    }

    /// What is lost of a damaged game may be what differs.
    #[test]
    fn damaged_games_are_equal_only_if_their_texts_are() {
        let damaged = GAME.replace("2. Nf3", "2. Kxx Nf3");
        assert_eq!(hash(&damaged), hash(&damaged));
        assert_ne!(hash(&damaged), hash(&damaged.replace("Nc6", "Nf6")));
        assert_ne!(hash(&damaged), hash(&damaged.replace("2. Kxx Nf3 Nc6", "")));
    }

    /// The hash is kept in files, so its value must stay.
    #[test]
    fn the_hash_has_this_value() {
        assert_eq!(hash(GAME).0, 12_248_322_565_966_942_549);
    }
}
