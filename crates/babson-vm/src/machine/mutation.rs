//! The mutations that make an imagined board, and how they print (`currentmutation`):
//! `docs/src/language/imaginary.md#mutations`.

use std::fmt::Write;

use babson_chess::retro::ReverseMove;
use babson_chess::{Color, Move, Piece, Square, san};

use super::Run;

/// One change from a board to the next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mutation {
    Place {
        square: Square,
        new: Option<Piece>,
        old: Option<Piece>,
        /// By the same specifier as the one before.
        joined: bool,
    },
    /// The squares with what stood there.
    Swap([(Square, Option<Piece>); 2]),
    /// The new side to move.
    Side(Color),
    Move(Move),
    Back(ReverseMove),
}

fn letter(piece: Option<Piece>) -> char {
    piece.map_or('_', |piece| piece.letter())
}

impl Run<'_, '_> {
    /// All mutations since the last real position.
    pub(super) fn current_mutation(&self) -> String {
        let stack = &self.state.boards.stack;
        let mut chain = Vec::new();
        let mut depth = self.here.depth;
        while depth > 0 {
            let index = depth as usize - 1;
            chain.push(index);
            depth = stack[index].base.depth();
        }
        let mut out = String::new();
        for &index in chain.iter().rev() {
            self.write_mutations(index, &mut out);
        }
        out
    }

    fn write_mutations(&self, index: usize, out: &mut String) {
        let imagined = &self.state.boards.stack[index];
        for mutation in self.mutations_of(index) {
            if !out.is_empty() && !matches!(mutation, Mutation::Place { joined: true, .. }) {
                out.push(' ');
            }
            // Writing to a `String` cannot fail.
            let _ = match *mutation {
                Mutation::Place { square, new, old, .. } => {
                    let replaced = old.map_or_else(String::new, |old| format!("x{}", old.letter()));
                    write!(out, "<{}@{square}{replaced}>", letter(new))
                }
                Mutation::Swap([(a, on_a), (b, on_b)]) => {
                    write!(out, "<{}{a}^{}{b}>", letter(on_a), letter(on_b))
                }
                Mutation::Side(Color::White) => write!(out, "<&wtm>"),
                Mutation::Side(Color::Black) => write!(out, "<&btm>"),
                Mutation::Move(mv) => {
                    let (board, number) = self.base_of(imagined);
                    let rules = self.game.rules();
                    let mv = san::write_between(board, &imagined.board, rules, mv);
                    write!(out, "{number}{}{mv}", dots(board.side()))
                }
                Mutation::Back(mv) => {
                    let (board, _) = self.base_of(imagined);
                    let dots = dots(imagined.board.side());
                    write!(out, "{}{dots}{}", imagined.number, mv.notation(board))
                }
            };
        }
    }
}

fn dots(side: Color) -> &'static str {
    match side {
        Color::White => ".",
        Color::Black => "...",
    }
}
