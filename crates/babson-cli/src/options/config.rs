//! The file of default options that `$BABSON_CONFIG` names.
//!
//! It is read as ripgrep reads its own: each line is one word of the command line, whitespace
//! around it is ignored, and lines that are empty or begin with `#` are skipped. The words come
//! before those of the command line, so that the command line overrides them.

use babson_engine::read_regular_file;

use super::{OPTIONS, OptionError, OptionGroup, OptionId, ParsedOption, find, parse};
use crate::failure::Failure;
use crate::limits::MAX_CONFIG_FILE;

/// The environment variable that names the file.
const VARIABLE: &str = "BABSON_CONFIG";

/// Splits a command line into options and other words. The default options for which `takes` is
/// true come first.
///
/// # Errors
/// The command line or the file cannot be parsed.
pub(crate) fn command_line(
    words: impl IntoIterator<Item = String>,
    takes: impl Fn(OptionId) -> bool,
) -> Result<(Vec<ParsedOption>, Vec<String>), Failure> {
    let (written, others) = parse(words).map_err(|mistake| Failure::Usage(mistake.why))?;
    let path = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
    let needs_none = |option: &ParsedOption| {
        matches!(
            option.id,
            OptionId::NoConfig | OptionId::Help | OptionId::Version | OptionId::License
        )
    };
    let Some(path) = path.filter(|_| !written.iter().any(needs_none)) else {
        return Ok((written, others));
    };
    let shown = path.to_string_lossy().into_owned();
    let bytes = read_regular_file(path.as_ref(), MAX_CONFIG_FILE)
        .map_err(|error| Failure::Io(format!("cannot read ${VARIABLE}, {shown}: {error}")))?;
    let wrong = |why: String| Failure::Usage(format!("${VARIABLE}, {shown}: {why}"));
    let text = String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8".to_owned()))?;
    let mut options = defaults(&text).map_err(wrong)?;
    options.retain(|option| takes(option.id));
    options.extend(written);
    Ok((options, others))
}

/// The options of a file of default options.
fn defaults(text: &str) -> Result<Vec<ParsedOption>, String> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let words = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut options, others) = parse(words.map(str::to_owned)).map_err(with_hint)?;
    if let Some(other) = others.first() {
        return Err(format!("'{other}' is not an option: queries are named on the command line"));
    }
    for option in &mut options {
        let group = OPTIONS.iter().find(|known| known.id == option.id).map(|known| known.group);
        let is_default = group != Some(OptionGroup::Convert)
            && !matches!(
                option.id,
                OptionId::NoConfig
                    | OptionId::Help
                    | OptionId::Version
                    | OptionId::License
                    | OptionId::Parse
                    | OptionId::Lex
            );
        if !is_default {
            return Err(format!("--{} cannot be a default", option.name));
        }
        option.is_default = true;
    }
    Ok(options)
}

/// The message of an error, with a hint if a line has both an option and its value.
fn with_hint(OptionError { word, why }: OptionError) -> String {
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
        let options = defaults(text).unwrap();
        let shown: Vec<(&str, &[String])> =
            options.iter().map(|option| (option.name, option.words.as_slice())).collect();
        let word = |text: &str| text.to_owned();
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
