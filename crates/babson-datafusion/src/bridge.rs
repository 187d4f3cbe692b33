//! From the Arrow of `babson-table` to the Arrow of DataFusion, which is another version.
//!
//! The arrays cross by the C data interface of Arrow, whose structs are the same in all versions
//! and languages: no value is copied. When both name one version, this module can go.

use arrow::array::{ArrayRef, make_array};
use arrow::datatypes::Field;
use arrow::error::ArrowError;
use arrow::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi as table_ffi;
use babson_table::Column;

/// An array of a table as an array of DataFusion. The two share their buffers.
///
/// # Errors
/// The versions do not agree on a type.
pub(crate) fn array(array: &dyn arrow_array::Array) -> Result<ArrayRef, ArrowError> {
    let exported = table_ffi::to_ffi(&array.to_data());
    let (mut array, mut schema) = exported.map_err(|error| of_table(&error))?;
    // SAFETY: both types are the struct `ArrowArray` of the C data interface, `repr(C)` with the
    // same fields. The export is valid, and `from_raw` leaves an empty struct in its place, so it
    // is released once.
    let array = unsafe { FFI_ArrowArray::from_raw((&raw mut array).cast()) };
    // SAFETY: as above, for the struct `ArrowSchema`.
    let schema = unsafe { FFI_ArrowSchema::from_raw((&raw mut schema).cast()) };
    // SAFETY: the array was exported with this schema by a library that keeps the rules of the
    // interface, from an array that it had tested.
    let data = unsafe { from_ffi(array, &schema) }?;
    Ok(make_array(data))
}

/// The field of a column of a table. `numbered` says whether its texts are numbered.
///
/// # Errors
/// As [`array`].
pub(crate) fn field(column: Column, numbered: bool) -> Result<Field, ArrowError> {
    let exported = table_ffi::FFI_ArrowSchema::try_from(&column.field(numbered));
    let mut schema = exported.map_err(|error| of_table(&error))?;
    // SAFETY: as in `array`.
    let schema = unsafe { FFI_ArrowSchema::from_raw((&raw mut schema).cast()) };
    Field::try_from(&schema)
}

/// An error of the other version.
fn of_table(error: &impl ToString) -> ArrowError {
    ArrowError::CDataInterface(error.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{Array as _, AsArray as _};
    use arrow::datatypes::{DataType, Int16Type, UInt16Type};
    use arrow_array::types::UInt16Type as TableUInt16Type;
    use arrow_array::{Int16Array, ListArray};

    use super::*;

    #[test]
    fn arrays_cross_with_their_nulls() {
        let lists = [Some(vec![Some(1), Some(2)]), None, Some(vec![])];
        let lists = ListArray::from_iter_primitive::<TableUInt16Type, _, _>(lists);
        let crossed = array(&lists).unwrap();
        drop(lists);
        let crossed = crossed.as_list::<i32>();
        assert_eq!((crossed.len(), crossed.is_null(1)), (3, true));
        assert_eq!(crossed.value(0).as_primitive::<UInt16Type>().values(), &[1, 2]);
        let numbers: Arc<dyn arrow_array::Array> = Arc::new(Int16Array::from(vec![Some(7), None]));
        let crossed = array(&numbers.slice(1, 1)).unwrap();
        assert!(crossed.as_primitive::<Int16Type>().is_null(0));
    }

    #[test]
    fn every_column_has_a_field() {
        for column in Column::all() {
            let field = field(column, true).unwrap();
            assert_eq!(field.name(), column.name());
        }
        let players = field(Column::WHITE, true).unwrap();
        assert!(matches!(players.data_type(), DataType::Dictionary(..)));
        assert_eq!(*field(Column::WHITE, false).unwrap().data_type(), DataType::Utf8);
    }
}
