//! The peer: replays the main line of every game of a PGN file with pgn-reader and shakmaty.
//!
//! `replay FILE` plays the moves and nothing else; `replay --mate FILE` also asks of every position
//! whether it is mate, and counts the games that have one. Both print what they counted.

use std::env;
use std::fs::File;
use std::ops::ControlFlow;
use std::process::ExitCode;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

/// What was seen in all games so far.
#[derive(Default)]
struct Replay {
    /// Whether every position is tested for mate.
    test_mate: bool,
    games: u64,
    moves: u64,
    mates: u64,
    /// Games that end early, at a move that cannot be played.
    damaged: u64,
}

/// One game while it is played.
struct Line {
    position: Chess,
    mate: bool,
}

impl Visitor for Replay {
    type Tags = Chess;
    type Movetext = Line;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN"
            && let Ok(fen) = Fen::from_ascii(value.as_bytes())
            && let Ok(position) = fen.into_position(CastlingMode::Standard)
        {
            *start = position;
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<(), Line> {
        ControlFlow::Continue(Line {
            position: start,
            mate: false,
        })
    }

    fn san(&mut self, line: &mut Line, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(&line.position) {
            Ok(played) => {
                line.position.play_unchecked(played);
                self.moves += 1;
                if self.test_mate && line.position.is_checkmate() {
                    line.mate = true;
                }
                ControlFlow::Continue(())
            }
            Err(_) => {
                self.damaged += 1;
                self.games += 1;
                self.mates += u64::from(line.mate);
                ControlFlow::Break(())
            }
        }
    }

    fn begin_variation(&mut self, _line: &mut Line) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, line: Line) {
        self.games += 1;
        self.mates += u64::from(line.mate);
    }
}

fn main() -> ExitCode {
    let mut replay = Replay::default();
    let mut path = None;
    for word in env::args().skip(1) {
        match word.as_str() {
            "--mate" => replay.test_mate = true,
            _ => path = Some(word),
        }
    }
    let Some(path) = path else {
        eprintln!("usage: replay [--mate] FILE.pgn");
        return ExitCode::from(2);
    };
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(3);
        }
    };
    let mut reader = Reader::new(file);
    if let Err(error) = reader.visit_all_games(&mut replay) {
        eprintln!("{path}: {error}");
        return ExitCode::from(3);
    }
    println!(
        "games {} moves {} damaged {}",
        replay.games, replay.moves, replay.damaged
    );
    if replay.test_mate {
        println!("mates {}", replay.mates);
    }
    ExitCode::SUCCESS
}
