//! Inputs as arguments: paths, lists of them, and binary file objects.

use std::io::{self, Cursor, Read};
use std::path::PathBuf;

use babson::Input;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};

use crate::errors::{InputError, add_note};
use crate::limits::READ_BYTES;
use crate::work::Raised;

/// The inputs of an argument. Exceptions of file objects are kept in `raised`.
pub(crate) fn inputs(argument: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Vec<Input>> {
    let mut found = Vec::new();
    if !add(argument, raised, &mut found)? {
        let items = argument.try_iter().map_err(|_| wrong_type(argument))?;
        for item in items {
            let item = item?;
            if !add(&item, raised, &mut found)? {
                return Err(wrong_type(&item));
            }
        }
    }
    Ok(found)
}

/// Adds the inputs of one path or file object; `false` if it is neither.
fn add(one: &Bound<'_, PyAny>, raised: &Raised, found: &mut Vec<Input>) -> PyResult<bool> {
    if one.is_instance_of::<PyBytes>() || one.is_instance_of::<PyByteArray>() {
        let error = PyTypeError::new_err("an input is a path or a file object, not bytes");
        add_note(one.py(), &error, "games in memory are an input as io.BytesIO(games)");
        return Err(error);
    }
    if one.is_instance_of::<PyString>() || one.hasattr("__fspath__")? {
        let path: PathBuf = one.extract()?;
        let expanded = one.py().detach(|| Input::expand(&path));
        let expanded = expanded.map_err(|error| {
            let error = InputError::new_err(error.to_string());
            if path.to_string_lossy().contains('\n') {
                add_note(
                    one.py(),
                    &error,
                    "a str is a path; games in a str are an input as io.BytesIO(games.encode())",
                );
            }
            error
        });
        found.extend(expanded?);
        return Ok(true);
    }
    if one.hasattr("read")? {
        found.push(reader(one, raised)?);
        return Ok(true);
    }
    Ok(false)
}

fn wrong_type(argument: &Bound<'_, PyAny>) -> PyErr {
    let name = argument.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    PyTypeError::new_err(format!(
        "an input is a path (str or pathlib.Path), a binary file object or a list of them, not {name}"
    ))
}

/// The input of a file object.
fn reader(file: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Input> {
    if file.getattr("closed").and_then(|closed| closed.is_truthy()).unwrap_or(false) {
        return Err(PyValueError::new_err("I/O operation on closed file"));
    }
    if file.is_instance(&file.py().import("io")?.getattr("TextIOBase")?)? {
        return Err(text_file());
    }
    let name = file.getattr("name").and_then(|name| name.extract::<String>());
    let name = name.unwrap_or_else(|_| "file object".to_owned());
    Ok(Input::reader(
        name,
        FileObject {
            file: file.clone().unbind(),
            given: Cursor::default(),
            raised: raised.clone(),
        },
    ))
}

fn text_file() -> PyErr {
    PyTypeError::new_err(
        "the file object gives text: open the file in binary mode, as open(path, \"rb\")",
    )
}

/// A binary file object as a reader.
struct FileObject {
    file: Py<PyAny>,
    /// What the file object gave and is not read yet.
    given: Cursor<Vec<u8>>,
    raised: Raised,
}

impl FileObject {
    /// Asks the file object for more; nothing at its end.
    fn ask(&self) -> PyResult<Vec<u8>> {
        Python::attach(|py| {
            let bytes = self.file.bind(py).call_method1("read", (READ_BYTES,))?;
            // A raw file without data that does not block.
            if bytes.is_none() {
                return Ok(Vec::new());
            }
            if bytes.is_instance_of::<PyString>() {
                return Err(text_file());
            }
            let bytes = bytes.cast::<PyBytes>();
            let wrong = "the method read of a file object returns bytes";
            Ok(bytes.map_err(|_| PyTypeError::new_err(wrong))?.as_bytes().to_vec())
        })
    }
}

impl Read for FileObject {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given.position() >= self.given.get_ref().len() as u64 {
            // A slow file object gives a little at a time, and much is read before games are
            // searched.
            if self.raised.is_cancelled() {
                return Err(io::Error::other("the search was ended"));
            }
            self.given = Cursor::new(self.ask().map_err(|error| {
                self.raised.set(error);
                io::Error::other("the file object raised an exception")
            })?);
        }
        self.given.read(buffer)
    }
}
