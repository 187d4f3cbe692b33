//! Names of files that a system reads differently than Linux does.

use std::borrow::Cow;
use std::path::Path;

/// Whether names that differ only in the case of letters stand for one file, as they do on the file
/// systems that Windows and macOS make.
const IGNORES_CASE: bool = cfg!(any(windows, target_vendor = "apple"));

/// The name as the file system compares it with others.
pub(crate) fn compared(name: &str) -> Cow<'_, str> {
    if IGNORES_CASE { without_case(name) } else { Cow::Borrowed(name) }
}

fn without_case(name: &str) -> Cow<'_, str> {
    match name.chars().any(char::is_uppercase) {
        // `to_lowercase` of a text has two forms of the letter sigma.
        true => Cow::Owned(name.chars().flat_map(char::to_lowercase).collect()),
        false => Cow::Borrowed(name),
    }
}

/// Whether Windows reads the name as the name of a device, in any folder and with any extension.
pub(crate) fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let port = stem.strip_prefix("com").or(stem.strip_prefix("lpt"));
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
        || port.is_some_and(|port| {
            let mut letters = port.chars();
            let number = letters.next();
            number.is_some_and(|it| it.is_ascii_digit() || matches!(it, '¹' | '²' | '³'))
                && letters.next().is_none()
        })
}

/// Why no file can have this name; `None` if it can.
pub(crate) fn refusal(path: &Path) -> Option<String> {
    let name = path.file_name().filter(|_| cfg!(windows))?;
    refusal_on_windows(&name.to_string_lossy())
}

fn refusal_on_windows(name: &str) -> Option<String> {
    if is_device(name) {
        let device = name.split('.').next().unwrap_or(name).trim_end();
        return Some(format!("Windows reads the name `{device}` as a device: choose another one"));
    }
    if let Some(letter) = name.chars().find(|letter| "<>:\"|?*".contains(*letter)) {
        return Some(format!("on Windows the name of a file cannot have `{letter}`"));
    }
    name.ends_with([' ', '.'])
        .then(|| "on Windows the name of a file cannot end with a space or a dot".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_of_windows() {
        for name in ["CON", "con.pgn", "Aux.tar.gz", "NUL .csv", "com1", "LPT9.pgn", "COM².x"] {
            assert!(is_device(name), "{name}");
            let refusal = refusal_on_windows(name).expect(name);
            assert!(refusal.starts_with("Windows reads the name `"), "{refusal}");
        }
        for name in ["CONTROL.pgn", "a.con", "com", "com10.pgn", "lptx", "", ".pgn", "nul_"] {
            assert!(!is_device(name), "{name}");
            assert_eq!(refusal_on_windows(name), None, "{name}");
        }
    }

    #[test]
    fn letters_that_windows_has_another_use_for() {
        for name in ["games:1.pgn", "what?.pgn", "*.pgn", "a|b", "a ", "a.pgn."] {
            assert!(refusal_on_windows(name).is_some(), "{name}");
        }
        assert_eq!(refusal(Path::new("out/CON.pgn")).is_some(), cfg!(windows));
    }

    #[test]
    fn names_without_case() {
        assert_eq!(without_case("Müller.PGN"), "müller.pgn");
        assert_eq!(without_case("ÄB"), "äb");
        assert!(matches!(without_case("out/a.pgn"), Cow::Borrowed("out/a.pgn")));
        assert_eq!(compared("A") == compared("a"), IGNORES_CASE);
    }
}
