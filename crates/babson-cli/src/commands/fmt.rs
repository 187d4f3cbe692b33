//! `babson fmt FILE… [--check]`: formats queries.

use std::collections::HashSet;
use std::path::Path;

use babson::text;

use super::convert::{QueryText, read, tell, write};
use crate::failure::Failure;
use crate::options::CommandLine;
use crate::query_list::QueryList;
use crate::terminal;

/// Formats queries in place; `-` formats standard input to standard output. With `--check` nothing
/// is written: the files that would change are printed, and the exit code is 1.
pub(crate) fn fmt(line: &CommandLine) -> Result<u8, Failure> {
    // The query is only read, so `--secure` has nothing to forbid.
    let config = line.config()?;
    let reading = &config.run.reading;
    let mut failed = false;
    let mut differing = String::new();
    let QueryList { files, unread, .. } = QueryList::read(&line.operands)?;
    unread.iter().for_each(terminal::report_failure);
    let mut code = unread.iter().map(Failure::code).max().unwrap_or(0);
    // A project file with mistakes is one of all its queries.
    let mut told = HashSet::new();
    for file in files.into_iter().filter_map(|file| file.path) {
        let QueryText { source, path } = match read(file.as_os_str(), reading) {
            Ok(text) => text,
            Err(failure) => {
                if told.insert(failure.message().unwrap_or_default().to_owned()) {
                    terminal::report_failure(&failure);
                }
                code = code.max(failure.code());
                continue;
            }
        };
        let styled =
            source.dialect(reading).and_then(|(dialect, _)| text::format(&source.text, dialect));
        let styled = match styled {
            Ok(styled) => styled,
            // A query with an error does not stop the others.
            Err(diagnostics) => {
                tell(&source, &diagnostics, reading.color);
                failed = true;
                continue;
            }
        };
        if config.run.command.checks_style {
            if styled != source.text {
                differing.push_str(&format!("{}\n", source.name()));
            }
        } else if path.is_none() || styled != source.text {
            write(path.as_deref().map(Path::as_os_str), &styled)?;
        }
    }
    failed |= !differing.is_empty();
    terminal::print_text(&differing)?;
    Ok(code.max(u8::from(failed)))
}
