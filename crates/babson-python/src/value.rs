//! The values of filters as objects of Python.

use babson::Value;
use babson::chess::SquareSet;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

/// The value: a bool, an int, a str, or the `SquareSet` of a set. A piece is the set of its square.
pub(crate) fn to_python(py: Python<'_>, value: &Value) -> PyResult<Py<PyAny>> {
    Ok(match value {
        Value::Bool(matches) => PyBool::new(py, *matches).to_owned().into_any().unbind(),
        Value::Number(number) => number.into_pyobject(py)?.into_any().unbind(),
        Value::Text(text) => PyString::new(py, &String::from_utf8_lossy(text)).into_any().unbind(),
        Value::Set(_) | Value::Piece(..) => square_set(py, value.squares())?,
        Value::AbsentPiece => square_set(py, SquareSet::EMPTY)?,
        Value::Position(position) => position.id.into_pyobject(py)?.into_any().unbind(),
    })
}

/// A `babson.SquareSet`.
pub(crate) fn square_set(py: Python<'_>, set: SquareSet) -> PyResult<Py<PyAny>> {
    Ok(py.import("babson._squares")?.getattr("SquareSet")?.call1((set.0,))?.unbind())
}
