//! `cargo xtask retro-sharpness`: how many boards are proven unreachable.
//!
//! There is no way to know how many of them are: the table only shows what a change brings.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use babson_chess::{Color, Kind, Piece, Position, Rules, Square, fen, retro};

use super::{Random, each_game};
use crate::about;

/// Where the book keeps the table.
const PAGE: &str = "docs/src/retro.md";
const BEGIN: &str = "<!-- retro-sharpness: begin -->\n";
const END: &str = "<!-- retro-sharpness: end -->";

/// The number of boards for each number of pieces.
const BOARDS: u32 = 20_000;

/// What became of some boards.
#[derive(Default)]
struct Share {
    boards: u32,
    illegal: u32,
    /// Legal, but proven unreachable.
    unreachable: u32,
    /// How often each argument was the first against a legal board.
    arguments: BTreeMap<String, u32>,
    /// An example of each.
    examples: BTreeMap<String, String>,
}

impl Share {
    fn look(&mut self, position: &Position) {
        self.boards += 1;
        if !retro::is_legal(position) {
            self.illegal += 1;
            return;
        }
        if let Some(reason) = retro::analyze(position).reasons.first() {
            self.unreachable += 1;
            let name = format!("{reason:?}");
            let name = name.split(|c: char| !c.is_alphanumeric()).next();
            let name = name.unwrap_or_default().to_owned();
            let example = || fen::write(position, &Rules::STANDARD);
            self.examples.entry(name.clone()).or_insert_with(example);
            *self.arguments.entry(name).or_default() += 1;
        }
    }

    fn add(&mut self, other: Share) {
        self.boards += other.boards;
        self.illegal += other.illegal;
        self.unreachable += other.unreachable;
        for (name, count) in other.arguments {
            *self.arguments.entry(name).or_default() += count;
        }
        self.examples.extend(other.examples);
    }

    /// A table of the first arguments against the legal boards.
    fn by_argument(&self) -> String {
        let mut table = String::from(
            "\n| first argument against those that are legal | times in a thousand |\n| --- | --- |\n",
        );
        let legal = f64::from(self.boards - self.illegal);
        let mut arguments: Vec<_> = self.arguments.iter().collect();
        arguments.sort_by_key(|(_, count)| Reverse(**count));
        for (name, count) in arguments {
            let share = f64::from(*count) * 1000.0 / legal;
            let _ = writeln!(table, "| `{name}` | {share:.2} |");
        }
        table
    }

    fn row(&self, name: &str) -> String {
        let percent = |part: u32, all: u32| f64::from(part) * 100.0 / f64::from(all.max(1));
        format!(
            "| {name} | {:.1} | {:.1} | {:.1} |\n",
            percent(self.illegal, self.boards),
            percent(self.unreachable, self.boards - self.illegal),
            percent(self.illegal + self.unreachable, self.boards)
        )
    }
}

/// Rewrites the table.
pub(crate) fn run(root: &Path, pgn: &Path) -> io::Result<()> {
    let mut table = String::from(
        "| boards | illegal | of the legal ones unreachable | proven in all |\n| --- | --- | --- | --- |\n",
    );
    let mut random = Random::new(2026);
    for count in [2, 4, 6, 8, 12, 16, 20, 24, 28, 32] {
        let mut share = Share::default();
        for _ in 0..BOARDS {
            share.look(&board(&mut random, count));
        }
        table += &share.row(&format!("{count} pieces at random"));
    }
    let mut exchanged = Share::default();
    for share in each_game(pgn, |share: &mut Share, game| {
        let played = game.positions();
        // The same choice whatever the threads.
        let mut random = Random::new(played[played.len() - 1].zobrist());
        if let Some(position) = exchange(&mut random, played) {
            share.look(&position);
        }
    })? {
        exchanged.add(share);
    }
    table += &exchanged.row("a board of a game, two pieces exchanged");
    table += &exchanged.by_argument();
    print!("{table}");
    for (name, board) in &exchanged.examples {
        println!("{name}: {board}");
    }
    let page = root.join(PAGE);
    let text = fs::read_to_string(&page).map_err(|error| about(&page, &error))?;
    let parts =
        text.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let Some((before, after)) = parts else {
        return Err(io::Error::other(format!("{PAGE} has no place for the table")));
    };
    fs::write(&page, format!("{before}{BEGIN}{table}{END}{after}"))
        .map_err(|error| about(&page, &error))
}

/// A board with `count` pieces of the initial array, both kings among them, on random squares;
/// pawns on ranks 2 to 7.
fn board(random: &mut Random, count: usize) -> Position {
    let start = Position::start();
    let mut pieces: Vec<Piece> =
        start.occupied().iter().filter_map(|square| start.piece_at(square)).collect();
    pieces.sort_by_key(|piece| piece.kind != Kind::King);
    // The kings stay in front, the others are shuffled.
    for index in 2..count {
        let other = index + random.below(32 - index);
        pieces.swap(index, other);
    }
    let mut position = Position::empty();
    for &piece in &pieces[..count] {
        loop {
            let square = Square::from_index(random.below(64));
            let fits = piece.kind != Kind::Pawn || (1..7).contains(&square.rank());
            if fits && position.piece_at(square).is_none() {
                position.put(square, Some(piece));
                break;
            }
        }
    }
    position.set_side(match random.below(2) {
        0 => Color::White,
        _ => Color::Black,
    });
    position.refresh();
    position
}

/// One of the positions with two different pieces exchanged.
fn exchange(random: &mut Random, positions: &[Position]) -> Option<Position> {
    let mut position = positions[random.below(positions.len())];
    let squares: Vec<Square> = position.occupied().iter().collect();
    for _ in 0..100 {
        let [one, other] = [0, 1].map(|_| squares[random.below(squares.len())]);
        let [mine, theirs] = [one, other].map(|square| position.piece_at(square));
        if mine != theirs {
            position.put(one, theirs);
            position.put(other, mine);
            position.refresh();
            return Some(position);
        }
    }
    None
}
