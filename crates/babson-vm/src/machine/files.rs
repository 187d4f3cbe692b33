//! `readfile` and `writefile`.
//!
//! A file that the query names with a constant is read once in a game, and its text is in the
//! memory of the game once. Between two games another query of the run may write the file. Within
//! one only the query itself can, by `writefile` or by a program of `commandpipe`: then the file is
//! read anew.

use std::io::ErrorKind;

use super::{Run, Stop};
use crate::host::HostError;
use crate::op::Pc;

/// Steps that opening a file takes.
const FILE_STEPS: u64 = 1_000;

impl Run<'_, '_> {
    pub(super) fn read_file(&mut self, pc: Pc, name: u64) -> Result<u64, Stop> {
        let path = String::from_utf8_lossy(self.state.bytes(name)).into_owned();
        if ![".cqo", ".cql", ".pgn"].iter().any(|extension| path.ends_with(extension)) {
            let message = format!("cannot read {path:?}: its name must end in .cqo, .cql or .pgn");
            return self.stop(pc, "readfile", message, true);
        }
        let known = self.state.file_texts.iter().find(|(file, _)| *file == path);
        if let Some((_, text)) = known {
            return Ok(*text);
        }
        self.state.pay_steps(FILE_STEPS);
        let is_constant = self.program.code.read_files.contains(&path);
        let open = self.state.memory.saturating_sub(self.memory_used());
        match self.context.options.host.read_file(&path, open) {
            Ok(content) => {
                let text = self.state.intern(&content);
                self.check_memory(pc)?;
                if is_constant {
                    self.state.kept_text = self.state.text.len();
                    self.state.file_texts.push((path, text));
                }
                Ok(text)
            }
            Err(HostError::Refused) => self.refused(pc, "readfile"),
            Err(HostError::Failed(error)) => {
                let reason = if error.kind() == ErrorKind::FileTooLarge {
                    ", the memory that is left to the game"
                } else {
                    ""
                };
                self.stop(pc, "readfile", format!("cannot read {path:?}: {error}{reason}"), true)
            }
        }
    }

    /// Reads all files anew from here on: one may have changed, perhaps under another name.
    pub(super) fn forget_files(&mut self) {
        self.state.file_texts.clear();
    }

    pub(super) fn write_file(&mut self, pc: Pc, name: u64, text: u64) -> Result<(), Stop> {
        let path = String::from_utf8_lossy(self.state.bytes(name)).into_owned();
        if ![".cqo", ".cql"].iter().any(|extension| path.ends_with(extension)) {
            let message = format!("cannot write {path:?}: its name must end in .cqo or .cql");
            return self.stop(pc, "writefile", message, true);
        }
        self.forget_files();
        self.state.pay_steps(FILE_STEPS);
        self.state.pay_text(text);
        let first = self.state.carryover.written.insert(path.clone().into_bytes());
        match self.context.options.host.write_file(&path, self.state.bytes(text), !first) {
            Ok(()) => Ok(()),
            Err(HostError::Refused) => self.refused(pc, "writefile"),
            Err(HostError::Failed(error)) => {
                self.stop(pc, "writefile", format!("cannot write {path:?}: {error}"), true)
            }
        }
    }
}
