//! Files of JavaScript, whose bytes are read where they are.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::ops::Range;

use bytes::Bytes;
use wasm_bindgen::prelude::*;

use crate::source::ByteSource;

#[wasm_bindgen]
extern "C" {
    /// What reads a file: an object with its `size` and a function `read(offset, length)`, which
    /// gives a `Uint8Array` at once, without a promise. A worker has `FileReaderSync` for it, and
    /// node `readSync`.
    #[derive(Clone)]
    #[wasm_bindgen(typescript_type = "FileBytes")]
    pub type FileBytes;
    #[wasm_bindgen(method, getter)]
    fn size(this: &FileBytes) -> f64;
    #[wasm_bindgen(method, catch)]
    fn read(this: &FileBytes, offset: f64, length: f64) -> Result<Vec<u8>, JsValue>;
}

thread_local! {
    /// The files that are open, by number. What is searched may go from thread to thread in other
    /// programs, and a value of JavaScript cannot.
    static FILES: RefCell<HashMap<u64, FileBytes>> = RefCell::default();
}

/// A file of JavaScript.
#[derive(Debug)]
pub(crate) struct JsFile {
    number: u64,
    length: u64,
}

impl JsFile {
    pub(crate) fn new(file: FileBytes) -> JsFile {
        // A file is no longer than the numbers of JavaScript are exact.
        let length = file.size() as u64;
        let number = FILES.with(|files| {
            let mut files = files.borrow_mut();
            let number = files.keys().max().map_or(0, |last| last + 1);
            files.insert(number, file);
            number
        });
        JsFile { number, length }
    }
}

impl Drop for JsFile {
    fn drop(&mut self) {
        FILES.with(|files| files.borrow_mut().remove(&self.number));
    }
}

/// What a function of JavaScript has thrown, in words.
fn in_words(thrown: &JsValue) -> String {
    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = String)]
        fn text_of(value: &JsValue) -> String;
    }
    text_of(thrown)
}

impl ByteSource for JsFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_range(&self, range: Range<u64>) -> io::Result<Bytes> {
        let length = range.end.saturating_sub(range.start);
        // The function may open and close other files, so the list is free while it is called.
        let file = FILES.with(|files| files.borrow().get(&self.number).cloned());
        let file = file.ok_or_else(|| io::Error::other("the file is closed"))?;
        let bytes = file.read(range.start as f64, length as f64).map_err(|thrown| {
            let reason = in_words(&thrown);
            io::Error::other(format!("it has changed, or cannot be read ({reason})"))
        })?;
        match bytes.len() as u64 == length {
            true => Ok(bytes.into()),
            false => Err(io::Error::other("it is shorter than when it was opened")),
        }
    }
}
