//! Whole numbers as arguments.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A whole number that is at least `least`. Python's own error of a negative number would not say
/// what is allowed.
///
/// # Errors
/// `ValueError`: it is less, or more than 64 bits have. `TypeError`: it is not a whole number.
pub(crate) fn number(name: &str, least: u64, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let wrong = |bound: &str, limit: u64| {
        Err(PyValueError::new_err(format!("{name} is {bound} {limit}, not {value}")))
    };
    match value.extract::<u64>() {
        Ok(number) if number >= least => Ok(number),
        Ok(_) => wrong("at least", least),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => match value.lt(0)? {
            true => wrong("at least", least),
            false => wrong("at most", u64::MAX),
        },
        Err(_) => {
            let given = value.get_type().name()?;
            Err(PyTypeError::new_err(format!("{name} is an int, not {given}")))
        }
    }
}

/// The number of games that a search may find; `None` if there is no limit.
///
/// # Errors
/// As [`number`].
pub(crate) fn limit(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    value.map(|value| number("limit", 0, value)).transpose()
}
