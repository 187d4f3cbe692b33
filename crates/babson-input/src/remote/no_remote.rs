//! In place of files on servers, in a build without them: there are no such values.

#![expect(missing_docs, reason = "`remote_file.rs` says what they are")]

use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use super::Traffic;
use crate::error::InputError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemoteFile {}

impl RemoteFile {
    pub(crate) fn parse(name: &Path) -> Result<RemoteFile, InputError> {
        let source = babson_vm::InputReason::RemoteNotBuiltIn.into_error();
        Err(InputError::Read { path: super::without_query(name), source })
    }

    pub fn name(&self) -> &str {
        match *self {}
    }

    pub fn url(&self) -> &Path {
        match *self {}
    }

    pub fn has_query(&self) -> bool {
        match *self {}
    }

    pub fn is_insecure(&self) -> bool {
        match *self {}
    }

    pub fn set_cache(&self, _: u64) {
        match *self {}
    }

    pub fn traffic(&self) -> Traffic {
        match *self {}
    }

    pub fn length(&self) -> io::Result<u64> {
        match *self {}
    }

    pub(crate) fn beginning(&self) -> io::Result<Vec<u8>> {
        match *self {}
    }

    pub(crate) fn is_changed(&self) -> bool {
        match *self {}
    }

    pub(crate) fn read_from(&self, _: u64) -> Box<dyn Read + Send> {
        match *self {}
    }

    pub fn read_range(&self, _: Range<u64>) -> io::Result<Vec<u8>> {
        match *self {}
    }
}
