//! Facts about a whole game, from which can be seen that nothing in it matches a query.

use babson_chess::{Color, Kind, Move, Piece, Position, Rules, SquareSet, zobrist};

use crate::game::Game;
use crate::limits::MAX_COMPARED_CLOCK;
use crate::tags::{cql6, normal};

/// Facts about all nodes of a game, those in variations included.
///
/// Pieces have the index that [`Piece::index`](babson_chess::Piece::index) returns: the white pawn
/// is 0, the white king 5, the black king 11.
///
/// ```
/// use babson_pgn::{GameFacts, GameFlags, Needs, Reader};
///
/// let mut reader = Reader::new();
/// let game = reader.read(b"1. e4 (1. d4) e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0", Needs::ALL);
/// let facts = GameFacts::of(&game);
/// assert_eq!(facts.footprint[4].len(), 3); // the queen on d1, h5 and f7
/// assert_eq!((facts.least[6], facts.most[6]), (7, 8));
/// assert!(facts.flags.has(GameFlags::MATE | GameFlags::VARIATIONS));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameFacts {
    /// The squares that each piece ever stood on.
    pub footprint: [SquareSet; 12],
    /// The greatest number of each piece at any node.
    pub most: [u8; 12],
    /// The least number of each piece at any node.
    pub least: [u8; 12],
    /// The greatest difference of the material, White's less Black's, with queen 9, rook 5, bishop
    /// and knight 3, pawn 1; no more than 127.
    pub greatest_balance: i8,
    /// The least such difference; no less than -128.
    pub least_balance: i8,
    /// What happens somewhere in the game.
    pub flags: GameFlags,
}

/// Things that happen at some node of a game, and properties of its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFlags(pub u32);

impl GameFlags {
    /// The side to move is mated.
    pub const MATE: GameFlags = GameFlags(1);
    /// The side to move is stalemated.
    pub const STALEMATE: GameFlags = GameFlags(1 << 1);
    /// The side to move is in check.
    pub const CHECK: GameFlags = GameFlags(1 << 2);
    /// Somebody castles on the king side.
    pub const KING_SIDE_CASTLING: GameFlags = GameFlags(1 << 3);
    /// Somebody castles on the queen side.
    pub const QUEEN_SIDE_CASTLING: GameFlags = GameFlags(1 << 4);
    /// A pawn captures en passant.
    pub const EN_PASSANT: GameFlags = GameFlags(1 << 5);
    /// A pawn promotes to a knight.
    pub const KNIGHT_PROMOTION: GameFlags = GameFlags(1 << 6);
    /// A pawn promotes to a bishop.
    pub const BISHOP_PROMOTION: GameFlags = GameFlags(1 << 7);
    /// A pawn promotes to a rook.
    pub const ROOK_PROMOTION: GameFlags = GameFlags(1 << 8);
    /// A pawn promotes to a queen.
    pub const QUEEN_PROMOTION: GameFlags = GameFlags(1 << 9);
    /// There is a null move, or a move that only variants of chess have.
    pub const ODD_MOVE: GameFlags = GameFlags(1 << 10);
    /// There are variations.
    pub const VARIATIONS: GameFlags = GameFlags(1 << 11);
    /// There are comments.
    pub const COMMENTS: GameFlags = GameFlags(1 << 12);
    /// There are numeric annotation glyphs.
    pub const GLYPHS: GameFlags = GameFlags(1 << 13);
    /// Something is wrong with the game, or noteworthy: the reader reports it.
    pub const DAMAGE: GameFlags = GameFlags(1 << 14);
    /// The game does not start from the initial array of chess.
    pub const OWN_START: GameFlags = GameFlags(1 << 15);
    /// The game is not played by the rules of standard chess.
    pub const VARIANT: GameFlags = GameFlags(1 << 16);
    /// A position occurs again: the same board, side to move, castling rights and en passant
    /// square.
    pub const REPETITION: GameFlags = GameFlags(1 << 17);
    /// The text has a termination marker.
    pub const RESULT: GameFlags = GameFlags(1 << 18);
    /// A tag is not UTF-8, so a game table has its text in another form.
    pub const RECODED_TAGS: GameFlags = GameFlags(1 << 19);
    /// Some filter may read another rating of a player than [`elo`](crate::tags::normal::elo)
    /// returns for the WhiteElo or BlackElo tag.
    pub const ODD_RATINGS: GameFlags = GameFlags(1 << 20);

    /// What the codes of the moves of the main line cannot give back.
    pub const MORE_THAN_MOVES: GameFlags = GameFlags(
        GameFlags::ODD_MOVE.0
            | GameFlags::VARIATIONS.0
            | GameFlags::COMMENTS.0
            | GameFlags::GLYPHS.0
            | GameFlags::DAMAGE.0
            | GameFlags::VARIANT.0,
    );

    /// Whether one of these flags is set.
    pub const fn has_any(self, flags: GameFlags) -> bool {
        self.0 & flags.0 != 0
    }

    /// Whether all of these flags are set.
    pub const fn has(self, flags: GameFlags) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// Sets these flags if the condition holds.
    pub fn set_if(&mut self, condition: bool, flags: GameFlags) {
        self.0 |= if condition { flags.0 } else { 0 };
    }
}

impl std::ops::BitOr for GameFlags {
    type Output = GameFlags;

    fn bitor(self, other: GameFlags) -> GameFlags {
        GameFlags(self.0 | other.0)
    }
}

impl GameFacts {
    const NONE: GameFacts = GameFacts {
        footprint: [SquareSet::EMPTY; 12],
        most: [0; 12],
        least: [u8::MAX; 12],
        greatest_balance: i8::MIN,
        least_balance: i8::MAX,
        flags: GameFlags(0),
    };

    /// The facts of a game that was read with [`Needs::ALL`](crate::Needs::ALL).
    pub fn of(game: &Game<'_>) -> GameFacts {
        // A game without a known start has no moves, and is damaged.
        debug_assert!(game.is_whole() || !game.has_start(), "facts of a part of a game");
        let rules = game.rules();
        let mut facts = GameFacts::NONE;
        let flags = &mut facts.flags;
        flags.set_if(game.len() > game.main_line_len(), GameFlags::VARIATIONS);
        flags.set_if(game.has_comments(), GameFlags::COMMENTS);
        flags.set_if(game.has_glyphs(), GameFlags::GLYPHS);
        flags.set_if(!game.damages().is_empty() || !game.has_start(), GameFlags::DAMAGE);
        flags.set_if(*game.position(0) != Position::start(), GameFlags::OWN_START);
        flags.set_if(*rules != Rules::STANDARD, GameFlags::VARIANT);
        flags.set_if(game.has_result(), GameFlags::RESULT);
        for tag in game.tags() {
            let is_utf8 = std::str::from_utf8(tag.1).is_ok();
            facts.flags.set_if(!is_utf8, GameFlags::RECODED_TAGS);
            facts.flags.set_if(has_odd_rating(tag), GameFlags::ODD_RATINGS);
        }
        facts.add_nodes(game);
        facts.flags.set_if(repeats(game, facts.flags), GameFlags::REPETITION);
        facts
    }

    /// Adds all nodes of the game.
    fn add_nodes(&mut self, game: &Game<'_>) {
        let (nodes, positions) = (game.nodes(), game.positions());
        let mut material = self.add_board(&positions[0]);
        let mut check = positions[0].in_check();
        for (id, (node, after)) in (0..).zip(nodes.iter().zip(positions)).skip(1) {
            let before = game.position(node.parent);
            check |= after.in_check();
            // Most nodes: they differ from the one before by a move of a single piece.
            let follows = node.parent + 1 == id;
            if follows && node.mv.is_plain() {
                if !self.add_plain(&mut material, before, node.mv, after) {
                    material = self.add_board(after);
                }
                continue;
            }
            if !follows || !must_be_legal(node.mv) {
                self.add_state(game, id - 1);
            }
            self.add_flags(node.mv);
            if follows && node.mv.is_castling() {
                self.add_squares(before.side(), after);
            } else {
                material = self.add_board(after);
            }
        }
        self.add_state(game, game.len() - 1);
        self.flags.set_if(check, GameFlags::CHECK);
    }

    /// Adds the board after a plain move, whose material is `material` before it. Returns false if
    /// the move changes more than its squares, as captures of some variants do.
    fn add_plain(
        &mut self,
        material: &mut Material,
        before: &Position,
        mv: Move,
        after: &Position,
    ) -> bool {
        let us = before.side();
        let gone = before.color(us.not()) ^ after.color(us.not());
        if !gone.is_empty() {
            let target = SquareSet::of(mv.to());
            let Some(captured) = before.piece_at(mv.to()) else { return false };
            if gone != target || !after.color(us).intersects(target) {
                return false;
            }
            material.remove(captured);
            let index = captured.index();
            self.least[index] = self.least[index].min(material.counts[index]);
            self.add_balance(material.balance);
        }
        self.add_squares(us, after);
        true
    }

    /// Adds what a move does other than moving a single piece.
    fn add_flags(&mut self, mv: Move) {
        let flags = &mut self.flags;
        flags.set_if(mv.is_king_side(), GameFlags::KING_SIDE_CASTLING);
        flags.set_if(mv.is_queen_side(), GameFlags::QUEEN_SIDE_CASTLING);
        flags.set_if(mv.is_en_passant(), GameFlags::EN_PASSANT);
        flags.set_if(mv.is_null() || mv.dropped().is_some(), GameFlags::ODD_MOVE);
        if let Some(kind) = mv.promotion() {
            match kind {
                Kind::Knight => flags.set_if(true, GameFlags::KNIGHT_PROMOTION),
                Kind::Bishop => flags.set_if(true, GameFlags::BISHOP_PROMOTION),
                Kind::Rook => flags.set_if(true, GameFlags::ROOK_PROMOTION),
                Kind::Queen => flags.set_if(true, GameFlags::QUEEN_PROMOTION),
                Kind::Pawn | Kind::King => flags.set_if(true, GameFlags::ODD_MOVE),
            }
        }
    }

    /// Adds the squares of the pieces of a color. All of them: this is cheaper than to find the
    /// piece that has moved.
    fn add_squares(&mut self, color: Color, position: &Position) {
        for kind in Kind::ALL {
            self.footprint[Piece::new(color, kind).index()] |= position.pieces(color, kind);
        }
    }

    /// Adds the pieces of a board. Returns its material.
    fn add_board(&mut self, position: &Position) -> Material {
        let material = Material::of(position);
        for color in Color::ALL {
            self.add_squares(color, position);
        }
        for (index, &count) in material.counts.iter().enumerate() {
            self.most[index] = self.most[index].max(count);
            self.least[index] = self.least[index].min(count);
        }
        self.add_balance(material.balance);
        material
    }

    fn add_balance(&mut self, balance: i32) {
        let balance = balance.clamp(i32::from(i8::MIN), i32::from(i8::MAX)) as i8;
        self.greatest_balance = self.greatest_balance.max(balance);
        self.least_balance = self.least_balance.min(balance);
    }

    /// Adds mate and stalemate at a node.
    fn add_state(&mut self, game: &Game<'_>, id: u32) {
        if game
            .nodes()
            .get(id as usize + 1)
            .is_some_and(|next| next.parent == id && must_be_legal(next.mv))
        {
            return;
        }
        let (position, rules) = (game.position(id), game.rules());
        if !self.flags.has(GameFlags::MATE) {
            self.flags.set_if(position.is_mate(rules), GameFlags::MATE);
        }
        if !self.flags.has(GameFlags::STALEMATE) {
            self.flags.set_if(position.is_stalemate(rules), GameFlags::STALEMATE);
        }
    }
}

/// The pieces of a board, counted.
struct Material {
    counts: [u8; 12],
    /// The difference of their values, White's less Black's.
    balance: i32,
}

impl Material {
    fn of(position: &Position) -> Material {
        let mut material = Material { counts: [0; 12], balance: 0 };
        for color in Color::ALL {
            for kind in Kind::ALL {
                let piece = Piece::new(color, kind);
                let count = position.pieces(color, kind).len() as u8;
                material.counts[piece.index()] = count;
                material.balance += i32::from(count) * value(piece);
            }
        }
        material
    }

    fn remove(&mut self, piece: Piece) {
        self.counts[piece.index()] -= 1;
        self.balance -= value(piece);
    }
}

/// The value of a piece, negative if it is black.
fn value(piece: Piece) -> i32 {
    match piece.color {
        Color::White => piece.kind.material(),
        Color::Black => -piece.kind.material(),
    }
}

/// Whether the tag gives a rating, but is not WhiteElo or BlackElo with a usual number.
fn has_odd_rating((name, value): (&[u8], &[u8])) -> bool {
    match name.split_at_checked(5) {
        Some((b"White" | b"Black", b"")) => value.contains(&b'(') && cql6::name(value).1.is_some(),
        Some((b"White" | b"Black", b"Elo")) => {
            cql6::rating(value) != normal::elo(value).unwrap_or(0)
        }
        Some((b"White" | b"Black", kind)) => {
            cql6::RATINGS.iter().any(|known| known.as_bytes() == kind)
        }
        Some(_) | None => false,
    }
}

/// Whether a move of a game must have been legal: not a null move, and not castling, which needs no
/// right.
fn must_be_legal(mv: Move) -> bool {
    mv.is_plain() || mv.is_en_passant() || mv.promotion().is_some()
}

/// Whether two nodes have the same position, without the clocks.
fn repeats(game: &Game<'_>, flags: GameFlags) -> bool {
    let others = GameFlags::VARIATIONS | GameFlags::VARIANT | GameFlags::ODD_MOVE;
    let is_line = !flags.has_any(others);
    let clocks = game.positions().iter().map(Position::half_moves);
    if is_line && clocks.max().is_some_and(|clock| clock <= MAX_COMPARED_CLOCK) {
        repeats_in_line(game.positions())
    } else {
        repeats_in_tree(game)
    }
}

/// [`repeats`] in a line of moves of chess: a position can occur again only as long as no piece is
/// captured and no pawn moves, which the half-move clock tells.
fn repeats_in_line(positions: &[Position]) -> bool {
    // After two moves of each side at the earliest, with the same side to move.
    const EARLIEST: usize = 4;
    positions.iter().enumerate().any(|(at, position)| {
        let quiet = at.min(position.half_moves() as usize);
        let state = |position: &Position| zobrist::of_placement(0, position);
        (EARLIEST..=quiet).step_by(2).any(|back| {
            let other = &positions[at - back];
            position.same_placement(other) && state(position) == state(other)
        })
    })
}

/// [`repeats`] for any game, by the keys of its positions.
fn repeats_in_tree(game: &Game<'_>) -> bool {
    let mut placements = Vec::with_capacity(game.len() as usize);
    placements.push(zobrist::placement(game.position(0)));
    for (node, position) in game.nodes().iter().zip(game.positions()).skip(1) {
        let before = game.position(node.parent);
        let placement = placements[node.parent as usize];
        placements.push(zobrist::placement_after(placement, before, position));
    }
    let keys = placements.iter().zip(game.positions());
    let mut keys: Vec<u64> =
        keys.map(|(&placement, position)| zobrist::of_placement(placement, position)).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Needs, Reader};

    fn facts(text: &str) -> GameFacts {
        let mut reader = Reader::new();
        GameFacts::of(&reader.read(text.as_bytes(), Needs::ALL))
    }

    #[test]
    fn repetitions_are_found_in_any_line() {
        let repeats = |text: &str| facts(text).flags.has(GameFlags::REPETITION);
        // The first time, a side still has rights to castle.
        assert!(!repeats("1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 *"));
        assert!(!repeats("1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Ke2 *"));
        assert!(repeats("1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Ke2 Ke7 *"));
        // The first position admits en passant, the second does not.
        let en_passant = "[FEN \"k7/8/8/8/1p6/8/P7/K7 w - - 40 1\"]\n\n1. a4";
        assert!(!repeats(&format!("{en_passant} Ka7 2. Ka2 Ka8 3. Ka1 *")));
        assert!(repeats(&format!("{en_passant} Ka7 2. Ka2 Ka8 3. Ka1 Ka7 4. Ka2 *")));
        // Of a double step that no pawn can answer nothing remains.
        assert!(repeats("[FEN \"k7/8/8/8/8/8/P7/K7 w - - 0 1\"]\n\n1. a4 Ka7 2. Ka2 Ka8 3. Ka1 *"));
        assert!(repeats("1. Nf3 Nf6 2. Ng1 (2. Nh4 Ng8 3. Nf3 Nf6) 2... a6 *"));
        assert!(repeats("1. Nf3 -- 2. Ng1 -- *"));
        // A long line without captures and moves of pawns, whose positions differ.
        let start = "[FEN \"k7/8/8/8/8/8/8/K7 w - - 195 100\"]\n\n";
        assert!(!repeats(&format!("{start}1. Kb2 Kb7 2. Kc3 Kc7 3. Kd4 *")));
        assert!(repeats(&format!("{start}1. Kb2 Kb7 2. Ka1 Ka8 3. Kb2 Kb7 *")));
    }

    /// The facts by their definition, from all boards of the game.
    fn slow(game: &Game<'_>) -> GameFacts {
        let mut facts = GameFacts::NONE;
        for position in game.positions() {
            facts.add_board(position);
        }
        facts
    }

    #[test]
    fn facts_of_the_corpus_are_those_of_all_boards() {
        let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games");
        let mut reader = Reader::new();
        for file in [
            "special.pgn",
            "studies.pgn",
            "odd-positions.pgn",
            "variants/random-atomic.pgn",
            "variants/random-crazyhouse.pgn",
            "variants/random-antichess.pgn",
            "masters-2k.pgn",
        ] {
            let text = std::fs::read(corpus.join(file)).expect(file);
            for (_, text) in crate::Games::new(&text).take(300) {
                let game = reader.read(text, Needs::ALL);
                let (fast, slow) = (GameFacts::of(&game), slow(&game));
                assert_eq!(
                    GameFacts { flags: slow.flags, ..fast },
                    slow,
                    "{}",
                    String::from_utf8_lossy(text)
                );
                let rules = game.rules();
                for (flag, holds) in [
                    (GameFlags::CHECK, game.positions().iter().any(Position::in_check)),
                    (GameFlags::MATE, game.positions().iter().any(|p| p.is_mate(rules))),
                    (GameFlags::STALEMATE, game.positions().iter().any(|p| p.is_stalemate(rules))),
                    (GameFlags::REPETITION, repeats_in_tree(&game)),
                ] {
                    assert_eq!(fast.flags.has(flag), holds);
                }
            }
        }
    }

    #[test]
    fn flags_are_the_bits_that_tables_store() {
        let flags = [
            GameFlags::MATE,
            GameFlags::STALEMATE,
            GameFlags::CHECK,
            GameFlags::KING_SIDE_CASTLING,
            GameFlags::QUEEN_SIDE_CASTLING,
            GameFlags::EN_PASSANT,
            GameFlags::KNIGHT_PROMOTION,
            GameFlags::BISHOP_PROMOTION,
            GameFlags::ROOK_PROMOTION,
            GameFlags::QUEEN_PROMOTION,
            GameFlags::ODD_MOVE,
            GameFlags::VARIATIONS,
            GameFlags::COMMENTS,
            GameFlags::GLYPHS,
            GameFlags::DAMAGE,
            GameFlags::OWN_START,
            GameFlags::VARIANT,
            GameFlags::REPETITION,
            GameFlags::RESULT,
            GameFlags::RECODED_TAGS,
            GameFlags::ODD_RATINGS,
        ];
        for (bit, flag) in flags.iter().enumerate() {
            assert_eq!(flag.0, 1 << bit, "{bit}");
        }
    }

    #[test]
    fn what_happens_is_flagged() {
        for (text, flags) in [
            ("1. f3 e5 2. g4 Qh4# 0-1", GameFlags::MATE | GameFlags::CHECK | GameFlags::RESULT),
            ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O", GameFlags::KING_SIDE_CASTLING),
            ("1. e4 a6 2. e5 d5 3. exd6 $1 *", GameFlags::EN_PASSANT | GameFlags::GLYPHS),
            ("1. Nf3 Nf6 2. Ng1 Ng8 {again} *", GameFlags::REPETITION | GameFlags::COMMENTS),
            ("1. e4 -- (1... e5) 2. d4", GameFlags::ODD_MOVE | GameFlags::VARIATIONS),
            ("1. e4 e4", GameFlags::DAMAGE),
            (
                "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8=N *",
                GameFlags::KNIGHT_PROMOTION | GameFlags::OWN_START,
            ),
            ("[FEN \"7k/5Q2/8/8/8/8/8/K7 b - - 0 1\"]\n\n*", GameFlags::STALEMATE),
            ("[Variant \"Atomic\"]\n\n1. e4 *", GameFlags::VARIANT),
        ] {
            assert!(facts(text).flags.has(flags), "{text}: {:?}", facts(text).flags);
        }
        assert_eq!(facts("1. e4 e5").flags, GameFlags::default());
        for (tag, odd) in [
            ("White \"Carlsen (2433)\"", true),
            ("White \"Carlsen (born 1990)\"", false),
            ("WhiteRapid \"2433\"", true),
            ("BlackElo \"2433.5\"", true),
            ("BlackElo \"2433\"", false),
            ("BlackElo \"?\"", false),
            ("BlackTitle \"GM\"", false),
        ] {
            let flags = facts(&format!("[{tag}]\n\n*")).flags;
            assert_eq!(flags.has(GameFlags::ODD_RATINGS), odd, "{tag}");
        }
        let mut reader = Reader::new();
        let latin1 = reader.read(b"[White \"M\xfcller\"]\n\n*", Needs::ALL);
        assert!(GameFacts::of(&latin1).flags.has(GameFlags::RECODED_TAGS));
        assert_eq!((facts("1. e4 d5 2. exd5 Qxd5").least_balance, facts("1. e4").most[0]), (0, 8));
        assert_eq!(facts("1. e4 d5 2. exd5").greatest_balance, 1);
    }
}
