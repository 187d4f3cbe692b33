//! `babson fmt FILE… [--check]`: formats queries.

use babson_lang::text;

use super::convert::{read, tell, write};
use crate::failure::Failure;
use crate::options::{Command, OptionId};
use crate::query::{self, ReadingOptions};
use crate::render::ColorChoice;
use crate::terminal;

/// Formats queries in place; `-` formats standard input to standard output. With `--check` nothing
/// is written: the files that would change are printed, and the exit code is 1.
pub(crate) fn fmt(words: &[String]) -> Result<u8, Failure> {
    let is_check = |word: &&String| word.eq_ignore_ascii_case("--check");
    let check = words.iter().any(|word| is_check(&word));
    let rest = words.iter().filter(|word| !is_check(word)).cloned();
    let (options, files) = super::command_line("fmt", rest.collect())?;
    let mut reading = ReadingOptions::default();
    let mut color = ColorChoice::Auto;
    for option in &options {
        // The query is only read, so `--secure` has nothing to forbid.
        if reading.take(option)? {
            continue;
        }
        if option.id != OptionId::Color {
            return Err(super::unknown_option("fmt", option));
        }
        color = ColorChoice::parse(option.word()).map_err(Failure::Usage)?;
    }
    if files.is_empty() {
        return Err(Failure::Usage(Command::usage("fmt")));
    }
    let mut failed = false;
    let mut differing = String::new();
    for file in expand(&files)? {
        let source = read(&file)?;
        let styled = reading
            .dialect_of(&source)
            .and_then(|(dialect, _)| text::format(&source.text, dialect));
        let styled = match styled {
            Ok(styled) => styled,
            // A query with an error does not stop the others.
            Err(diagnostics) => {
                tell(&source, &diagnostics, color);
                failed = true;
                continue;
            }
        };
        if check {
            if styled != source.text {
                differing.push_str(&format!("{}\n", source.name()));
            }
        } else if file == "-" {
            write(None, &styled)?;
        } else if styled != source.text {
            write(Some(source.name()), &styled)?;
        }
    }
    failed |= !differing.is_empty();
    terminal::print_text(&differing)?;
    Ok(u8::from(failed))
}

/// The files that the words name: a folder stands for its queries.
fn expand(words: &[String]) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    for word in words {
        if word == "-" {
            files.push(word.clone());
            continue;
        }
        for file in query::QueryFile::expand(std::slice::from_ref(word))? {
            files.extend(file.path.map(|path| path.display().to_string()));
        }
    }
    Ok(files)
}
