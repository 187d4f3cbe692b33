//! Boards as arguments: a FEN, or a board of python-chess.

use babson::Position;
use babson::chess::{Rules, fen};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// The position and the rules of an argument.
pub(crate) fn position(board: &Bound<'_, PyAny>) -> PyResult<(Position, Rules)> {
    let text = fen_of(board)?;
    fen::parse(&text)
        .map_err(|error| PyValueError::new_err(format!("{text:?} is not a FEN: {error}")))
}

/// The FEN of an argument.
fn fen_of(board: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = board.cast::<PyString>() {
        return Ok(text.to_str()?.trim().to_owned());
    }
    // python-chess writes the castling rights of Chess960 by the files of the rooks only here.
    let is_960 = board.getattr("chess960").and_then(|value| value.is_truthy()).unwrap_or(false);
    let method = if is_960 { "shredder_fen" } else { "fen" };
    match board.getattr(method) {
        Ok(fen) if fen.is_callable() => fen.call0()?.extract(),
        Ok(_) | Err(_) => Err(PyTypeError::new_err(format!(
            "a board is a FEN (str) or a chess.Board, not {}",
            board.get_type().name()?
        ))),
    }
}
