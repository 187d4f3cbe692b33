//! The name of an output on the command line or in a header.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use babson::compile::FileName;
use babson::sink::{FileFormat, NamePattern};

/// Whether the name of an output means standard output.
pub(crate) fn is_stdout(name: &OsStr) -> bool {
    // Opened as a file, a pipe without a reader would fail.
    let devices = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    name == "-" || name.eq_ignore_ascii_case("stdout") || devices.iter().any(|path| name == *path)
}

/// The meaning of a name of an output.
pub(crate) enum OutputName {
    Stdout(FileFormat),
    File(FileFormat, PathBuf),
    Split(FileFormat, NamePattern),
}

impl OutputName {
    /// Reads a name. `of_name` finds the format by the name; a name that says none has the
    /// `format`.
    ///
    /// # Errors
    /// One sentence that says why no output can have this name.
    pub(crate) fn parse(
        name: &OsStr,
        format: Option<FileFormat>,
        of_name: fn(&str) -> Option<FileFormat>,
    ) -> Result<OutputName, String> {
        if is_stdout(name) {
            return Ok(OutputName::Stdout(format.unwrap_or(FileFormat::Pgn)));
        }
        let text = name.to_string_lossy();
        if name.to_str().is_none() && text.contains(['{', '}']) {
            return Err("a name with braces must be UTF-8".to_owned());
        }
        let pattern = NamePattern::parse(&text)?;
        let path = match (name.to_str(), pattern.plain()) {
            (Some(_), Some(plain)) => PathBuf::from(plain),
            // Without braces the name is the path, and a pattern has none.
            (None, _) | (_, None) => PathBuf::from(name),
        };
        let format = match of_name(&text) {
            Some(named) if format.is_some_and(|format| format != named) => {
                return Err("its extension names another format than --format".to_owned());
            }
            Some(named) => named,
            // A device or a pipe has no extension.
            None if path.exists() && !path.is_file() && !path.is_dir() => {
                format.unwrap_or(FileFormat::Pgn)
            }
            None if path.is_dir() || text.ends_with(std::path::is_separator) => {
                return Err(
                    "it is a directory (which takes the outputs of several queries)".to_owned()
                );
            }
            None => {
                return Err(
                    "an output ends in .pgn, .jsonl, .json, .csv, .tsv or .epd, which may \
                            have .gz or .zst after it, or in .html or .arrow, which may not"
                        .to_owned(),
                );
            }
        };
        Ok(match pattern.plain() {
            Some(_) => OutputName::File(format, path),
            None if format == FileFormat::Arrow && !pattern.names_query() => {
                return Err("a game table cannot be split into many files".to_owned());
            }
            None => OutputName::Split(format, pattern),
        })
    }

    /// Reads the name in a header. A name in a CQL 3 header means a PGN file unless it has the
    /// extension of another format.
    ///
    /// # Errors
    /// As [`OutputName::parse`].
    pub(crate) fn of_header(output: &FileName) -> Result<OutputName, String> {
        let path = Path::new(&output.name);
        if !output.any_ending || FileFormat::of_name(&output.name).is_some() || path.is_dir() {
            return OutputName::parse(output.name.as_ref(), None, FileFormat::of_name);
        }
        Ok(match output.name.as_str() {
            "-" | "stdout" => OutputName::Stdout(FileFormat::Pgn),
            _ => OutputName::File(FileFormat::Pgn, path.to_owned()),
        })
    }
}
