//! The text that is compiled: the query's file with the filters that options put into it.
//!
//! The header stays in front; the filters of the options follow it, in the order of the command
//! line, and then those of the file (evaluation-and-output.md section 10). A list of pieces
//! remembers where each part came from, so that diagnostics point into the file or the option.

use babson_lang::Span;

use crate::options::{Given, Id};

/// Where a piece of text came from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    /// From this offset of the query's file.
    File(usize),
    /// From this option.
    Option(&'static str),
}

/// A query text and where its parts came from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// What is compiled.
    pub(crate) text: String,
    /// How the file is called in messages.
    name: String,
    file: String,
    pieces: Vec<(usize, Origin)>,
}

/// A place to show: name of the text, the text, and the range in it.
pub(crate) struct Place<'s> {
    pub(crate) name: String,
    pub(crate) text: &'s str,
    pub(crate) range: std::ops::Range<usize>,
}

impl Source {
    /// Puts the filters of the options into the text of a file.
    ///
    /// # Errors
    /// A text in an option that no CQL string can hold.
    pub(crate) fn new(name: &str, file: String, given: &[Given]) -> Result<Source, String> {
        let mut source = Source {
            text: String::new(),
            name: name.to_owned(),
            file: String::new(),
            pieces: Vec::new(),
        };
        if babson_lang::cql3::begins_query(&file) {
            return source.unchanged(file, given);
        }
        let body = header_end(&file);
        source.push(&file[..body], Origin::File(0));
        let transforms: Vec<&Given> = given
            .iter()
            .filter(|option| option.id == Id::Transform)
            .collect();
        for option in &transforms {
            source.push(&format!(" {} {{", option.name), Origin::Option(option.name));
        }
        for option in given {
            let origin = Origin::Option(option.name);
            if option.id == Id::Cql {
                // The user's words are a piece of their own, so that a message shows just them.
                source.push(" {", origin.clone());
                source.push(option.word(), origin.clone());
                source.push("\n}\n", origin);
            } else if let Some(text) = filter(option)? {
                source.push(&format!(" {text}\n"), origin);
            }
        }
        source.push(&file[body..], Origin::File(body));
        for option in &transforms {
            // The line end closes a comment that ends the file.
            source.push("\n}", Origin::Option(option.name));
        }
        source.file = file;
        Ok(source)
    }

    /// A query of CQL 3: a list, to which no filter of the modern language can be added.
    fn unchanged(mut self, file: String, given: &[Given]) -> Result<Source, String> {
        for option in given {
            if matches!(option.id, Id::Cql | Id::Transform) || filter(option)?.is_some() {
                return Err(format!(
                    "--{} adds a filter of modern CQL, but {} is a query of CQL 3 \
                     (see babson convert --to modern)",
                    option.name, self.name
                ));
            }
        }
        self.push(&file, Origin::File(0));
        self.file = file;
        Ok(self)
    }

    fn push(&mut self, text: &str, origin: Origin) {
        self.pieces.push((self.text.len(), origin));
        self.text.push_str(text);
    }

    /// How the file is called in messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Where a span of the compiled text is to be shown.
    pub(crate) fn place(&self, span: Span) -> Place<'_> {
        let (start, end) = (
            span.start as usize,
            (span.end as usize).max(span.start as usize),
        );
        let index = self
            .pieces
            .partition_point(|piece| piece.0 <= start)
            .saturating_sub(1);
        let (begin, origin) = match self.pieces.get(index) {
            Some((begin, origin)) => (*begin, origin.clone()),
            None => (0, Origin::File(0)),
        };
        let next = self
            .pieces
            .get(index + 1)
            .map_or(self.text.len(), |piece| piece.0);
        let (start, end) = (start.min(next), end.min(next).max(start.min(next)));
        match origin {
            Origin::File(offset) => {
                let file = &self.file;
                let clamp = |at: usize| floor(file, (offset + at - begin).min(file.len()));
                Place {
                    name: self.name.clone(),
                    text: file,
                    range: clamp(start)..clamp(end),
                }
            }
            Origin::Option(name) => {
                let text = self.text.get(begin..next).unwrap_or_default();
                Place {
                    name: format!("<--{name}>"),
                    text,
                    range: floor(text, start - begin)..floor(text, end - begin),
                }
            }
        }
    }

    /// Whether there is any filter in it: not only blanks, comments and a header.
    pub(crate) fn is_empty(&self) -> bool {
        let rest = &self.text[header_end(&self.text)..];
        skip_blank(rest, 0) == rest.len()
    }
}

/// The nearest beginning of a character at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

/// The filter that an option stands for.
fn filter(option: &Given) -> Result<Option<String>, String> {
    let quoted = |text: &str| {
        if text.contains('"') {
            Err(format!(
                "--{}: a text with a quotation mark cannot be searched",
                option.name
            ))
        } else {
            Ok(format!("\"{text}\""))
        }
    };
    Ok(Some(match option.id {
        Id::Player => {
            let pattern = quoted(option.word())?;
            format!("{{ player white ~~ {pattern} or player black ~~ {pattern} }}")
        }
        Id::White => format!("{{ player white ~~ {} }}", quoted(option.word())?),
        Id::Black => format!("{{ player black ~~ {} }}", quoted(option.word())?),
        Id::Event => format!("{{ event {} }}", quoted(option.word())?),
        Id::Site => format!("{{ site {} }}", quoted(option.word())?),
        Id::ResultTag => {
            if !["1-0", "0-1", "1/2-1/2"].contains(&option.word()) {
                return Err(format!(
                    "--result: '{}' is none of 1-0, 0-1, 1/2-1/2",
                    option.word()
                ));
            }
            format!("{{ result \"{}\" }}", option.word())
        }
        Id::Year => {
            let (low, high) = option.range();
            format!("{{ year >= {low} year <= {high} }}")
        }
        Id::Fen => format!("{{ fen {} }}", quoted(option.word())?),
        Id::Wtm => "wtm".to_owned(),
        Id::Btm => "btm".to_owned(),
        Id::VirtualMainLine => "virtualmainline".to_owned(),
        Id::SimilarPosition => {
            let (file, flags) = match option.words.split_last() {
                Some((file, flags)) => (file, flags.join(" ")),
                None => return Ok(None),
            };
            format!("{{ similarposition {flags} {} }}", quoted(file)?)
        }
        Id::Hhdb => {
            let words = option.words.join(" ");
            // A key like `(c)` or `<cook>` is written as a string.
            if words
                .chars()
                .all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ' ' | '"'))
            {
                format!("{{ hhdb {words} }}")
            } else {
                format!("{{ hhdb {} }}", quoted(&words)?)
            }
        }
        Id::Assign => {
            let (name, value) = match option.words.as_slice() {
                [name, value] => (name, value),
                _ => return Ok(None),
            };
            if value.parse::<i64>().is_ok() {
                format!("{name} = {value}")
            } else {
                format!("{name} = {}", quoted(value)?)
            }
        }
        _ => return Ok(None),
    }))
}

/// The offset after the header `cql(…)`, or 0 if the text has none.
fn header_end(text: &str) -> usize {
    let at = skip_blank(text, 0);
    let Some(rest) = text[at..].strip_prefix("cql") else {
        return 0;
    };
    let open = skip_blank(text, text.len() - rest.len());
    if text.as_bytes().get(open) != Some(&b'(') {
        return 0;
    }
    let mut depth = 0;
    let mut in_string = false;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    0
}

/// The offset after blanks and comments.
fn skip_blank(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let trimmed =
            rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
        at = text.len() - trimmed.len();
        // `///` is a filter, not a comment.
        let line =
            trimmed.starts_with(';') || (trimmed.starts_with("//") && !trimmed.starts_with("///"));
        at += if line {
            trimmed.find('\n').unwrap_or(trimmed.len())
        } else if trimmed.starts_with("/*") {
            match trimmed.find("*/") {
                Some(end) => end + 2,
                None => return at,
            }
        } else {
            return at;
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::parse;

    fn source(file: &str, words: &[&str]) -> Source {
        let (given, _) = parse(words.iter().map(|word| (*word).to_owned())).unwrap();
        Source::new("q.cql", file.to_owned(), &given).unwrap()
    }

    #[test]
    fn filters_stand_behind_the_header() {
        let file = "// mine\ncql(input a.pgn matchstring \")\") mate";
        let text = source(
            file,
            &["--cql", "check", "-wtm", "--flip", "--assign", "x", "3"],
        )
        .text;
        assert_eq!(
            text,
            "// mine\ncql(input a.pgn matchstring \")\") flip { {check\n}\n wtm\n x = 3\n mate\n}"
        );
        assert_eq!(
            source("mate", &["--result", "1-0"]).text,
            " { result \"1-0\" }\nmate"
        );
    }

    #[test]
    fn places_point_into_the_file_or_the_option() {
        let source = source("cql() fooo", &["--cql", "baar"]);
        let at = |word: &str| {
            let start = source.text.find(word).unwrap() as u32;
            let place = source.place(Span::new(start, start + 4));
            assert_eq!(&place.text[place.range.clone()], word);
            place.name
        };
        assert_eq!(at("fooo"), "q.cql");
        assert_eq!(at("baar"), "<--cql>");
        // What was put around the words of the user is not shown.
        let start = source.text.find("baar").unwrap() as u32;
        assert_eq!(source.place(Span::new(start, start + 4)).text, "baar");
    }

    #[test]
    fn emptiness() {
        assert!(source("", &[]).is_empty());
        assert!(source("cql(quiet) // nothing", &[]).is_empty());
        assert!(!source("cql(quiet)", &["-wtm"]).is_empty());
        assert!(!source("/// a comment", &[]).is_empty());
    }
}
