//! The file of default options that `$BABSON_CONFIG` names.
//!
//! It is read as ripgrep reads its own: each line is a word of the command line, white space around
//! it does not count, and lines that are empty or begin with `#` are left out. The words stand
//! before those that are written, so that these win.

use babson_vm::read_regular_file;

use super::{Given, Group, Id, Mistake, OPTIONS, find, parse};
use crate::failure::Failure;
use crate::limits::MAX_CONFIG_FILE;

/// The environment variable that names the file.
const VARIABLE: &str = "BABSON_CONFIG";

/// Splits a command line into options and the other words, with the default options that `takes`
/// keeps before the others.
///
/// # Errors
/// What is wrong with the command line or with the file.
pub(crate) fn command_line(
    words: impl IntoIterator<Item = String>,
    takes: impl Fn(Id) -> bool,
) -> Result<(Vec<Given>, Vec<String>), Failure> {
    let (written, others) = parse(words).map_err(|mistake| Failure::Usage(mistake.why))?;
    let path = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
    let needs_none =
        |option: &Given| matches!(option.id, Id::NoConfig | Id::Help | Id::Version | Id::License);
    let Some(path) = path.filter(|_| !written.iter().any(needs_none)) else {
        return Ok((written, others));
    };
    let shown = path.to_string_lossy().into_owned();
    let bytes = read_regular_file(path.as_ref(), MAX_CONFIG_FILE)
        .map_err(|error| Failure::Io(format!("cannot read ${VARIABLE}, {shown}: {error}")))?;
    let wrong = |why: String| Failure::Usage(format!("${VARIABLE}, {shown}: {why}"));
    let text = String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8".to_owned()))?;
    let mut given = defaults(&text).map_err(wrong)?;
    given.retain(|option| takes(option.id));
    given.extend(written);
    Ok((given, others))
}

/// The options of such a file.
fn defaults(text: &str) -> Result<Vec<Given>, String> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let words = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut given, others) = parse(words.map(str::to_owned)).map_err(explained)?;
    if let Some(other) = others.first() {
        return Err(format!("'{other}' is not an option: queries are named on the command line"));
    }
    for option in &mut given {
        let group = OPTIONS.iter().find(|known| known.id == option.id).map(|known| known.group);
        let is_default = group != Some(Group::Convert)
            && !matches!(
                option.id,
                Id::NoConfig | Id::Help | Id::Version | Id::License | Id::Parse | Id::Lex
            );
        if !is_default {
            return Err(format!("--{} cannot be a default", option.name));
        }
        option.by_default = true;
    }
    Ok(given)
}

/// What is wrong, with a hint where a line holds an option and its value.
fn explained(Mistake { word, why }: Mistake) -> String {
    let hint = word.split_once(char::is_whitespace).and_then(|(name, value)| {
        find(&name.trim_start_matches('-').to_ascii_lowercase())?;
        let value = value.trim();
        Some(match value.contains(char::is_whitespace) {
            true => "write each value on a line of its own".to_owned(),
            false => format!("write {name}={value}, or the value on a line of its own"),
        })
    });
    match hint {
        Some(hint) => format!("{why} (a line is one word: {hint})"),
        None => why,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_word() {
        let text = "\u{feff}# mine\n--dialect=cql6\r\n\n  --threads\n 4 \n-g\n1\n60\n#--count\n";
        let given = defaults(text).unwrap();
        let shown: Vec<(&str, &[String])> =
            given.iter().map(|option| (option.name, option.words.as_slice())).collect();
        let word = |text: &str| text.to_owned();
        assert_eq!(
            shown,
            [
                ("dialect", &[word("cql6")][..]),
                ("threads", &[word("4")]),
                ("gamenumber", &[word("1"), word("60")])
            ]
        );
        assert!(given.iter().all(|option| option.by_default));
    }

    #[test]
    fn what_no_default_can_be() {
        for (text, message) in [
            ("--threads 4", "write --threads=4, or the value"),
            ("-g 1 60", "write each value on a line of its own"),
            ("--limti=3", "did you mean --limit?"),
            ("mate.cql", "queries are named on the command line"),
            ("--help", "cannot be a default"),
            ("-u\nx.cql", "cannot be a default"),
            ("--no-config", "cannot be a default"),
            ("--nosecure", "unknown option"),
            ("--secure=no", "takes no value"),
        ] {
            let error = defaults(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn the_hint_is_about_the_line_at_fault() {
        // The line of the good option is part of the message about the bad one.
        let error = defaults("-o=a b\n--pipetimeout\na b").unwrap_err();
        assert_eq!(error, "--pipetimeout: 'a b' is not a number");
        let error = defaults("--nosuch 3").unwrap_err();
        assert!(!error.contains("a line is one word"), "{error}");
    }
}
