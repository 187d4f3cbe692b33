//! `cargo xtask retro-soundness`: no position that was played is called unreachable.

use std::io;
use std::path::Path;
use std::time::Instant;

use babson_chess::{Kind, Move, Position, Rules, Variant, fen, retro};

use super::{Random, each_game, parallel, threads};

/// What was looked at, and what was found.
#[derive(Default)]
struct Tally {
    games: u64,
    positions: u64,
    /// What the analysis alone took a position, in nanoseconds, for each game.
    costs: Vec<u64>,
    alarms: u64,
    analyzer: retro::Analyzer,
    /// The first false alarms: FEN and verdict.
    texts: Vec<String>,
}

impl Tally {
    fn look(&mut self, positions: &[Position]) {
        let start = Instant::now();
        let alarms = positions.iter().filter(|position| !self.analyzer.is_reachable(position));
        let alarms: Vec<&Position> = alarms.collect();
        let nanoseconds = start.elapsed().as_nanos() as u64;
        self.costs.push(nanoseconds / positions.len().max(1) as u64);
        self.games += 1;
        self.positions += positions.len() as u64;
        self.alarms += alarms.len() as u64;
        for position in alarms {
            if self.texts.len() < 20 {
                let board = fen::write(position, &Rules::STANDARD);
                self.texts.push(format!("{board}: {}", retro::analyze(position)));
            }
        }
    }
}

/// Every position of every game of the file, variations too. Games that begin elsewhere than in the
/// initial array, or with a null move, prove nothing and are left out.
pub(crate) fn games(pgn: &Path) -> io::Result<()> {
    let tallies = each_game(pgn, |tally: &mut Tally, game| {
        let null = (1..game.len()).any(|id| game.node(id).mv == Move::NULL);
        if game.position(0).same_placement(&Position::start())
            && game.rules().variant == Variant::Standard
            && !null
        {
            tally.look(game.positions());
        }
    })?;
    report(tallies)
}

/// Plays random games from the initial array until they have at least `plies` positions. Every
/// other game prefers pawn moves and captures, so that pawns promote.
pub(crate) fn random(plies: u64) -> io::Result<()> {
    let count = threads();
    let share = plies.div_ceil(count as u64);
    let tallies = parallel(count, |index| {
        let mut tally = Tally::default();
        let mut random = Random::new(index as u64 + 1);
        let mut played = Vec::new();
        while tally.positions < share {
            played.clear();
            play(&mut random, tally.games % 2 == 1, &mut played);
            tally.look(&played);
        }
        tally
    });
    report(tallies)
}

/// One random game of up to 300 plies.
fn play(random: &mut Random, eager: bool, played: &mut Vec<Position>) {
    let mut position = Position::start();
    for _ in 0..300 {
        let moves = position.legal_moves(&Rules::STANDARD);
        if moves.is_empty() {
            break;
        }
        let mut mv = moves[random.below(moves.len())];
        if eager && random.below(3) == 0 {
            let pawns = position.kind(Kind::Pawn);
            let tempting =
                |mv: &&Move| pawns.contains(mv.from()) || position.occupied().contains(mv.raw_to());
            let tempting: Vec<&Move> = moves.iter().filter(tempting).collect();
            if !tempting.is_empty() {
                mv = *tempting[random.below(tempting.len())];
            }
        }
        position = position.make(mv, &Rules::STANDARD);
        played.push(position);
    }
}

fn report(tallies: Vec<Tally>) -> io::Result<()> {
    let mut all = Tally::default();
    for tally in tallies {
        all.games += tally.games;
        all.positions += tally.positions;
        all.costs.extend(tally.costs);
        all.alarms += tally.alarms;
        all.texts.extend(tally.texts);
    }
    // The slowest games are those that the machine was taken away from.
    all.costs.sort_unstable();
    let kept = &all.costs[..all.costs.len() * 9 / 10];
    let nanoseconds = kept.iter().sum::<u64>() / kept.len().max(1) as u64;
    println!(
        "{} positions of {} games, {nanoseconds} ns a position (nine tenths of the games), {} false alarms",
        all.positions, all.games, all.alarms
    );
    for text in &all.texts {
        println!("{text}");
    }
    match all.alarms {
        0 => Ok(()),
        _ => Err(io::Error::other("positions that were played are called unreachable")),
    }
}
