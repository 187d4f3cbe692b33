//! The file of default options that `$BABSON_CONFIG` names.
//!
//! It is read as ripgrep reads its own: each line is one word of the command line, whitespace
//! around it is ignored, and lines that are empty or begin with `#` are skipped. The words come
//! before the words of the command line, so that the command line overrides them.

use std::ffi::OsString;

use babson::command::read_regular_file;

use super::parser::{WordError, parse};
use super::suggest::is_option;
use super::{
    CommandId, CommandLine, CommandSpec, OptionClass, OptionError, OptionId, ParsedOption,
};
use crate::limits::MAX_CONFIG_FILE;

/// The environment variable that names the file.
const VARIABLE: &str = "BABSON_CONFIG";

/// Inserts the default options that the command takes before the options of the command line.
///
/// # Errors
/// The file cannot be read or parsed.
pub(super) fn add_defaults(line: &mut CommandLine) -> Result<(), OptionError> {
    let path = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
    let needs_none = |option: &ParsedOption| option.row.class == OptionClass::Information;
    let takes_defaults = line.command.takes(OptionId::NoConfig);
    let Some(path) = path.filter(|_| takes_defaults && !line.options.iter().any(needs_none)) else {
        return Ok(());
    };
    let shown = path.to_string_lossy().into_owned();
    let bytes = read_regular_file(path.as_ref(), MAX_CONFIG_FILE).map_err(|error| {
        OptionError::Unreadable(format!("cannot read ${VARIABLE}, {shown}: {error}"))
    })?;
    let wrong = |why: String| OptionError::Usage(format!("${VARIABLE}, {shown}: {why}"));
    let text = String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8".to_owned()))?;
    let mut options = defaults(&text).map_err(wrong)?;
    options.retain(|option| line.command.shares(option.row));
    line.options.splice(..0, options);
    Ok(())
}

/// The options of a file of default options, which are options of the search.
fn defaults(text: &str) -> Result<Vec<ParsedOption>, String> {
    let search = CommandSpec::of(CommandId::Search);
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let words = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let CommandLine { mut options, operands, .. } =
        parse(search, words.map(OsString::from)).map_err(with_hint)?;
    if let Some(other) = operands.first() {
        let other = other.to_string_lossy();
        return Err(format!("'{other}' is not an option: queries are named on the command line"));
    }
    for option in &mut options {
        if matches!(option.row.class, OptionClass::Inspection | OptionClass::Information) {
            return Err(format!("--{} cannot be a default", option.name()));
        }
        option.is_default = true;
    }
    Ok(options)
}

/// The message of an error, with a hint if a line has both an option and its value.
fn with_hint(WordError { word, why }: WordError) -> String {
    let hint = word.split_once(char::is_whitespace).and_then(|(name, value)| {
        let value = value.trim();
        is_option(&name.trim_start_matches('-').to_ascii_lowercase()).then(|| {
            match value.contains(char::is_whitespace) {
                true => "write each value on a line of its own".to_owned(),
                false => format!("write {name}={value}, or the value on a line of its own"),
            }
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
        let options = defaults(text).unwrap();
        let shown: Vec<(&str, &[OsString])> =
            options.iter().map(|option| (option.name(), option.words.as_slice())).collect();
        let word = OsString::from;
        assert_eq!(
            shown,
            [
                ("dialect", &[word("cql6")][..]),
                ("threads", &[word("4")]),
                ("gamenumber", &[word("1"), word("60")])
            ]
        );
        assert!(options.iter().all(|option| option.is_default));
    }

    #[test]
    fn some_options_cannot_be_defaults() {
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
        // The hint is only for the line with the error, not for a correct line with a space.
        let error = defaults("-o=a b\n--pipetimeout\na b").unwrap_err();
        assert_eq!(error, "--pipetimeout: 'a b' is not a number");
        let error = defaults("--nosuch 3").unwrap_err();
        assert!(!error.contains("a line is one word"), "{error}");
    }
}
