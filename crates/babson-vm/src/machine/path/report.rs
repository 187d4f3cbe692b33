//! The comments that a path writes when it succeeds.

use babson_chess::Square;
use babson_lang::hir::CommentLevel;

use super::super::Run;
use super::PathEnd;
use super::focus::InFocus;
use crate::op::PathSpec;

impl Run<'_, '_> {
    pub(super) fn report_path(
        &mut self,
        spec: &PathSpec,
        focus: &InFocus,
        start: u32,
        ends: &[PathEnd],
    ) {
        if self.comment_level == CommentLevel::Silent {
            return;
        }
        let Some(length) = ends.first().map(|best| best.count) else {
            return;
        };
        for (index, end) in ends.iter().enumerate() {
            if let Some(title) = spec.title {
                self.comment_at(start, title.0);
            }
            let way = if spec.piece_path || spec.verbose {
                self.way(start, end.node)
            } else {
                Vec::new()
            };
            if spec.piece_path {
                let text = format!("Focus path: {}", self.piece_path(focus, start, &way));
                let text = self.state.intern(text.as_bytes());
                self.comment_at(start, text);
            }
            if spec.verbose {
                self.number_moves(spec, focus, &way, length);
            }
            if self.comments_itself(spec.quiet) {
                let mut text = format!("End path of length {length} that starts at ").into_bytes();
                self.print_position(&mut text, start);
                if spec.max.is_some() {
                    text.extend_from_slice(format!(" Max value: {}", end.value).as_bytes());
                }
                let text = self.state.intern(&text);
                self.comment_at(end.node, text);
                let mut text = b"Start path that ends at ".to_vec();
                self.print_position(&mut text, end.node);
                let text = self.state.intern(&text);
                self.comment_at(start, text);
            }
            // The parameter `quiet` does not suppress this comment.
            if index > 0 && self.comment_level == CommentLevel::Normal {
                let text = self.state.intern(b"alternative");
                self.comment_at(end.node, text);
            }
        }
    }

    /// The positions after `start` up to `end`, in order.
    fn way(&self, start: u32, end: u32) -> Vec<u32> {
        let mut way = Vec::new();
        let mut at = end;
        while at > start {
            way.push(at);
            at = self.nodes[at as usize].parent;
        }
        way.reverse();
        way
    }

    fn number_moves(&mut self, spec: &PathSpec, focus: &InFocus, way: &[u32], length: i32) {
        let mut number = 0;
        for &tail in way {
            if self.focused(focus, tail) == 0 {
                continue;
            }
            number += 1;
            let mut text = Vec::new();
            if let Some(title) = spec.title {
                text.extend_from_slice(self.state.bytes(title.0));
                text.extend_from_slice(b": ");
            }
            text.extend_from_slice(format!("move {number} of {length}").as_bytes());
            let text = self.state.intern(&text);
            self.comment_at(tail, text);
        }
    }

    /// The squares that the pieces in focus visited: `Qd1-h5-f7(xf7) Rh1-f1`. A piece after the
    /// first that is left out leaves its space, as in CQL 6.2.
    fn piece_path(&mut self, focus: &InFocus, start: u32, way: &[u32]) -> String {
        let board = &self.positions[start as usize];
        let mut left = match focus {
            InFocus::All => 0,
            InFocus::Side(side) => board.color(*side).0,
            InFocus::Pieces { squares, .. } => *squares,
        };
        self.number_pieces(way.last().copied().unwrap_or(start));
        let tables = &self.state.piece_ids;
        let mut pieces = String::new();
        while left != 0 {
            let square = Square::from_index(left.trailing_zeros() as usize);
            left &= left - 1;
            let (Some(id), Some(piece)) =
                (tables[start as usize].id_at(square), board.piece_at(square))
            else {
                continue;
            };
            let mut text = format!("{}{square}", piece.letter());
            let (mut at, unmoved) = (square, text.len());
            for &node in way {
                match tables[node as usize].square_of(id) {
                    Some(next) if next == at => {}
                    Some(next) => {
                        at = next;
                        text.push_str(&format!("-{at}"));
                    }
                    None => {
                        text.push_str(&format!("(x{at})"));
                        break;
                    }
                }
            }
            if !pieces.is_empty() {
                pieces.push(' ');
            }
            // A piece that has neither moved nor been captured leaves only its space.
            if text.len() > unmoved {
                pieces.push_str(&text);
            }
        }
        pieces
    }
}
