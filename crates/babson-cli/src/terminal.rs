//! Printing text on the terminal. Control characters in tags or queries are escaped.

use std::borrow::Cow;
use std::io::{IsTerminal, StdoutLock, Write};
use std::path::Path;

use babson::command::terminal::escaped;

use crate::failure::Failure;
use crate::limits::MAX_SHOWN_WORD;
use crate::show_name::ShowName as _;
use crate::standard_streams;

/// Text for standard output: escaped if it is a terminal, unchanged for programs.
pub(crate) fn for_stdout(text: &[u8]) -> Cow<'_, [u8]> {
    if std::io::stdout().is_terminal() { escaped(text) } else { Cow::Borrowed(text) }
}

/// As [`for_stdout`], for standard error.
pub(crate) fn for_stderr(text: &[u8]) -> Cow<'_, [u8]> {
    if std::io::stderr().is_terminal() { escaped(text) } else { Cow::Borrowed(text) }
}

/// Prints a line on standard error, escaped on a terminal. A failed write is ignored.
pub(crate) fn error_line(text: &str) {
    let text = shortened(text);
    let _ = std::io::stderr().write_all(&[&*for_stderr(text.as_bytes()), b"\n"].concat());
}

/// The same for a rendered diagnostic, which keeps its colors.
pub(crate) fn diagnostic_line(text: &str) {
    let mut stderr = std::io::stderr();
    let text = if stderr.is_terminal() {
        Cow::Owned(escaped_but_colors(text))
    } else {
        Cow::Borrowed(text.as_bytes())
    };
    let _ = stderr.write_all(&[&*text, b"\n"].concat());
}

/// Whether standard input is a pipe or a file, so that it has games if nothing else names them.
pub(crate) fn stdin_is_redirected() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let kind = std::fs::metadata("/dev/stdin").map(|metadata| metadata.file_type());
        kind.is_ok_and(|kind| kind.is_fifo() || kind.is_file())
    }
    #[cfg(windows)]
    {
        let kind = winapi_util::file::typ(winapi_util::HandleRef::stdin());
        kind.is_ok_and(|kind| kind.is_pipe() || kind.is_disk())
    }
    #[cfg(not(any(unix, windows)))]
    {
        !std::io::stdin().is_terminal()
    }
}

/// Standard output, for what the command writes there itself.
///
/// # Errors
/// It is closed.
pub(crate) fn stdout() -> std::io::Result<StdoutLock<'static>> {
    match standard_streams::stdout_is_open() {
        true => Ok(std::io::stdout().lock()),
        false => Err(std::io::Error::other("it is closed")),
    }
}

/// Checks that standard output can take results, before work that ends with them.
///
/// # Errors
/// It is closed.
pub(crate) fn check_stdout() -> Result<(), Failure> {
    stdout().map(drop).map_err(Failure::console)
}

/// Prints text on standard output.
pub(crate) fn print_text(text: &str) -> Result<u8, Failure> {
    print_bytes(&for_stdout(text.as_bytes()))
}

/// Prints the name of a file on a line of standard output. Programs get it as it is.
pub(crate) fn print_name(path: &Path) -> Result<u8, Failure> {
    match std::io::stdout().is_terminal() {
        true => print_text(&format!("{}\n", path.shown())),
        false => print_text(&format!("{}\n", path.display())),
    }
}

/// Prints bytes on standard output without escaping them.
pub(crate) fn print_bytes(text: &[u8]) -> Result<u8, Failure> {
    let written = stdout().and_then(|mut stdout| {
        stdout.write_all(text)?;
        stdout.flush()
    });
    written.map_err(Failure::console)?;
    Ok(0)
}

/// Prints on standard error why the command ends.
pub(crate) fn report_failure(failure: &Failure) {
    if let Some(message) = failure.message() {
        error_line(&format!("babson: {message}"));
    }
}

/// The message with its long words, such as paths, shortened in the middle.
fn shortened(text: &str) -> Cow<'_, str> {
    let is_long = |word: &str| word.chars().nth(MAX_SHOWN_WORD).is_some();
    if !text.split_whitespace().any(is_long) {
        return Cow::Borrowed(text);
    }
    let words = text.split_inclusive(char::is_whitespace).map(|word| {
        if !is_long(word.trim_end()) {
            return Cow::Borrowed(word);
        }
        let begin: String = word.chars().take(MAX_SHOWN_WORD / 2).collect();
        let end = word.char_indices().rev().nth(MAX_SHOWN_WORD / 2 - 1);
        Cow::Owned(format!("{begin}…{}", end.map_or("", |(at, _)| &word[at..])))
    });
    Cow::Owned(words.collect())
}

/// Escapes text except for the sequences that set colors.
fn escaped_but_colors(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut parts = text.split("\u{1b}[");
    out.extend_from_slice(&escaped(parts.next().unwrap_or_default().as_bytes()));
    for part in parts {
        let parameters = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        let begin = if parameters.starts_with('m') { &b"\x1b["[..] } else { br"\u{1b}[" };
        out.extend_from_slice(begin);
        out.extend_from_slice(&escaped(part.as_bytes()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{escaped_but_colors, shortened};

    #[test]
    fn long_words_keep_their_ends() {
        let path = format!("/{}/games.pgn", "é".repeat(3000));
        let told = format!("babson: cannot read {path}: File name too long (os error 36)");
        let short = shortened(&told);
        assert!(short.len() < 700 && short.starts_with("babson: cannot read /éé"), "{short}");
        assert!(short.contains("é…é") && short.contains("é/games.pgn: File name"), "{short}");
        for text in ["", "a  b\n c", &"x".repeat(256), &"word ".repeat(1000)] {
            assert_eq!(shortened(text), text);
        }
    }

    #[test]
    fn colors_are_left() {
        for (text, shown) in [
            ("\u{1b}[1;31merror\u{1b}[0m: \u{1b}[2J", "\u{1b}[1;31merror\u{1b}[0m: \\u{1b}[2J"),
            ("\u{1b}]0;x\u{7}", "\\u{1b}]0;x\\u{7}"),
            ("\u{1b}\u{1b}[m \u{1b}[", "\\u{1b}\u{1b}[m \\u{1b}["),
            ("plain", "plain"),
        ] {
            assert_eq!(escaped_but_colors(text), shown.as_bytes(), "{text:?}");
        }
    }
}
