//! The positions of another file under maps of the board, for `similarposition`
//! (`docs/src/language/similarposition.md`).

use std::collections::HashMap;

use babson_chess::{Color, Kind, Position, SquareSet};
use babson_lang::diagnostic::{Code, Diagnostic};
use babson_lang::hir;
use babson_pgn::{Games, Needs, Reader};

use crate::host::{Host, HostError};
use crate::limits::{MAX_SIMILAR_FILE, MAX_SIMILAR_IMAGES};

/// The pieces of a board and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Placement {
    white: u64,
    kinds: [u64; 6],
    black_moves: bool,
}

/// Where a position comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PositionSource {
    /// Number of the game in the file, from 1.
    pub(crate) game: u32,
    ply: u32,
    /// 1 if Black moved first.
    black_first: u8,
    /// The index of the map.
    map: u8,
}

/// One map of the board: perhaps a symmetry, then a translation along the ranks.
#[derive(Clone, Debug)]
struct BoardMap {
    name: String,
    /// `(x, y) -> (a x + b y, c x + d y)` about the center of the board.
    matrix: [i8; 4],
    right: i8,
}

/// All boards that are similar to one of the file.
#[derive(Debug)]
pub(crate) struct SimilarPositions {
    file: String,
    games: usize,
    maps: Vec<BoardMap>,
    /// For each placement, the positions of the file that are similar to it.
    placements: HashMap<Placement, Vec<PositionSource>>,
}

impl std::fmt::Debug for Placement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:x}", self.white)
    }
}

/// The symmetries of the square by their names, the identity first.
const SYMMETRIES: [(&str, [i8; 4]); 8] = [
    ("", [1, 0, 0, 1]),
    ("reflect_h", [1, 0, 0, -1]),
    ("reflect_v", [-1, 0, 0, 1]),
    ("rotate180", [-1, 0, 0, -1]),
    ("clockwise90", [0, 1, -1, 0]),
    ("counterclockwise90", [0, -1, 1, 0]),
    ("reflect_a1h8", [0, 1, 1, 0]),
    ("reflect_a8h1", [0, -1, -1, 0]),
];
const MIRROR: usize = 2;

/// The maps: those for boards without pawns, then those for boards with pawns.
fn maps() -> (Vec<BoardMap>, usize) {
    let mut maps: Vec<BoardMap> = SYMMETRIES
        .iter()
        .map(|(name, matrix)| BoardMap { name: (*name).to_owned(), matrix: *matrix, right: 0 })
        .collect();
    let first = maps.len();
    for symmetry in [0, MIRROR] {
        let (name, matrix) = SYMMETRIES[symmetry];
        let shifts = std::iter::once(0).chain((-7..=7).filter(|&right| right != 0));
        for right in shifts {
            let shift = match right {
                0 => String::new(),
                1.. => format!("right^{right}"),
                _ => format!("left^{}", -right),
            };
            let names = [name, &shift].into_iter().filter(|name| !name.is_empty());
            maps.push(BoardMap { name: names.collect::<Vec<_>>().join(" "), matrix, right });
        }
    }
    (maps, first)
}

impl BoardMap {
    /// The image of some squares; none if one leaves the board.
    fn apply(&self, squares: u64) -> Option<u64> {
        let [a, b, c, d] = self.matrix;
        let mut image = 0;
        let mut left = squares;
        while left != 0 {
            let square = left.trailing_zeros() as i8;
            left &= left - 1;
            // Coordinates are doubled about the center: -7, -5 … 7.
            let (x, y) = (2 * (square % 8) - 7, 2 * (square / 8) - 7);
            let (x, y) = (a * x + b * y + 2 * self.right, c * x + d * y);
            if !(-7..=7).contains(&x) {
                return None;
            }
            image |= 1 << ((y + 7) / 2 * 8 + (x + 7) / 2);
        }
        Some(image)
    }

    fn image(&self, placement: &Placement) -> Option<Placement> {
        let mut image = Placement { white: self.apply(placement.white)?, ..*placement };
        for kind in &mut image.kinds {
            *kind = self.apply(*kind)?;
        }
        Some(image)
    }
}

impl Placement {
    fn of(board: &Position) -> Placement {
        Placement {
            white: board.color(Color::White).0,
            kinds: Kind::ALL.map(|kind| board.kind(kind).0),
            black_moves: board.side() == Color::Black,
        }
    }
}

impl SimilarPositions {
    /// Reads the main lines of the file. Games whose start position is unknown are read only if
    /// they are played from the usual one.
    pub(crate) fn read(
        wanted: &hir::SimilarPositionFile,
        usual_start: bool,
        host: &dyn Host,
    ) -> Result<SimilarPositions, Vec<Diagnostic>> {
        let wrong = |code, message: String| vec![Diagnostic::new(code, wanted.span, message)];
        let error = |message: String| wrong(Code::UnreadableFile, message);
        let bytes = host.read_file(&wanted.file, MAX_SIMILAR_FILE).map_err(|why| match why {
            HostError::Refused => {
                wrong(Code::ForbiddenAccess, "similarposition is not allowed here".to_owned())
            }
            HostError::Failed(why) => error(format!("cannot read {}: {why}", wanted.file)),
        })?;
        let (maps, with_pawns) = maps();
        let mut similar = SimilarPositions {
            file: wanted.file.clone(),
            games: 0,
            maps,
            placements: HashMap::new(),
        };
        let mut images = 0;
        let mut reader = Reader::new();
        let needs = Needs { usual_start, ..Needs::MAIN_LINE };
        for (_, text) in Games::new(&bytes) {
            let game = reader.read(text, needs);
            similar.games += 1;
            if !game.has_start() && !usual_start {
                continue;
            }
            for (ply, board) in game.positions().iter().enumerate() {
                let placement = Placement::of(board);
                let pawns: SquareSet = board.kind(Kind::Pawn);
                let maps = match (wanted.no_transform, pawns.is_empty()) {
                    (true, _) => 0..1,
                    (false, true) => 0..with_pawns,
                    (false, false) => with_pawns..similar.maps.len(),
                };
                for map in maps {
                    let Some(image) = similar.maps[map].image(&placement) else {
                        continue;
                    };
                    let source = PositionSource {
                        game: similar.games as u32,
                        ply: ply as u32,
                        black_first: u8::from(game.positions()[0].side() == Color::Black),
                        map: map as u8,
                    };
                    let sources = similar.placements.entry(image).or_default();
                    // Of the maps with the same image the first one counts.
                    if sources
                        .last()
                        .is_none_or(|last| (last.game, last.ply) != (source.game, source.ply))
                    {
                        sources.push(source);
                        images += 1;
                    }
                }
                if images > MAX_SIMILAR_IMAGES {
                    return Err(error(format!("{} has too many positions", wanted.file)));
                }
            }
        }
        if similar.games == 0 {
            return Err(error(format!("{} holds no game", wanted.file)));
        }
        Ok(similar)
    }

    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    pub(crate) fn games(&self) -> usize {
        self.games
    }

    /// The positions of the file that the board is an image of, in the order of the file.
    pub(crate) fn sources(&self, board: &Position) -> &[PositionSource] {
        self.placements.get(&Placement::of(board)).map_or(&[], Vec::as_slice)
    }

    /// `see F.pgn game: 2 at move: 1 wtm reflect_v`
    pub(crate) fn describe(&self, source: &PositionSource) -> String {
        let half_moves = source.ply + u32::from(source.black_first);
        let side = if half_moves.is_multiple_of(2) { "wtm" } else { "btm" };
        let name = &self.maps[usize::from(source.map)].name;
        format!(
            "see {} game: {} at move: {} {side} {name}",
            self.file,
            source.game,
            1 + half_moves / 2
        )
    }
}
