//! The cells of tables of this package.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Date32Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array as _, ArrayRef};
use arrow_schema::DataType;
use pyo3::prelude::*;

/// The cell of a table of this package.
#[derive(IntoPyObject)]
pub(crate) enum TableCell<'t> {
    None(Option<bool>),
    Integer(i64),
    Unsigned(u64),
    Float(f64),
    Text(&'t str),
}

/// The cell of a row; `None` for a type that the package does not make.
pub(crate) fn cell(column: &ArrayRef, row: usize) -> TableCell<'_> {
    if column.is_null(row) {
        return TableCell::None(None);
    }
    match column.data_type() {
        DataType::Int64 => TableCell::Integer(column.as_primitive::<Int64Type>().value(row)),
        DataType::UInt64 => TableCell::Unsigned(column.as_primitive::<UInt64Type>().value(row)),
        DataType::Float64 => TableCell::Float(column.as_primitive::<Float64Type>().value(row)),
        DataType::Date32 => {
            TableCell::Integer(i64::from(column.as_primitive::<Date32Type>().value(row)))
        }
        DataType::Utf8 => TableCell::Text(column.as_string::<i32>().value(row)),
        _ => TableCell::None(None),
    }
}
