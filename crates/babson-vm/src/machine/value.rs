//! The value of a query at a position.

use babson_chess::SquareSet;
use babson_lang::hir::Type;

use super::{Run, Stop};
use crate::{PositionValue, Value};

impl Run<'_, '_> {
    /// Adds the value of the query at the position that it has just matched, if the program was
    /// compiled with values.
    #[inline]
    pub(super) fn record_value(&mut self) -> Result<(), Stop> {
        let code = &self.program.code;
        let Some((register, ty)) = code.value else { return Ok(()) };
        let value = self.value_of(self.state.registers[register], ty);
        if let Value::Text(text) = &value {
            // The outcome has a copy for each position.
            self.state.entries = self.state.entries.saturating_add_unsigned(text.len());
            self.check_memory(code.query())?;
        }
        self.outcome.values.push(value);
        Ok(())
    }

    /// The value that a register holds.
    pub(super) fn value_of(&mut self, word: u64, ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(true),
            Type::Number => Value::Number(word as u32 as i32),
            Type::Set => Value::Set(SquareSet(word)),
            Type::String => Value::Text(self.state.bytes(word).to_vec()),
            Type::Position => {
                let id = word as u32;
                let node = self.node_of(id);
                Value::Position(PositionValue {
                    id,
                    move_number: self.number_of(id),
                    side: self.board_of(id).side(),
                    in_main_line: node == id && self.nodes[node as usize].depth == 0,
                })
            }
            Type::Piece => {
                let square = self.square_of(word as u8);
                let piece =
                    square.and_then(|square| Some((self.here.board.piece_at(square)?, square)));
                piece.map_or(Value::AbsentPiece, |(piece, square)| Value::Piece(piece, square))
            }
        }
    }
}
