//! The texts that make a query: its file, and the filters and transforms of options.
//!
//! The filters of the options come in the order of the command line, then those of the file; each
//! text is parsed by itself (evaluation-and-output.md section 10). They stand one after another in
//! one text, and a list of pieces remembers where each part came from, so that diagnostics show the
//! file or what was written behind the option, and never a word that nobody wrote.

use babson_lang::{Diagnostic, Dialect, QueryParts, Span, cql3};

use crate::options::{Given, Id};

/// Where a piece of text came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The query's file.
    File,
    /// The option of this index: its own words from this offset, or something that stands for all
    /// of them.
    Option(usize, Option<usize>),
}

/// An option as it is shown.
#[derive(Clone, Debug)]
struct Shown {
    name: String,
    text: String,
}

/// The texts of a query and where their parts came from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// All texts; that of the file is the last.
    pub(crate) text: String,
    /// Which texts stand where.
    pub(crate) parts: QueryParts,
    /// How the file is called in messages.
    name: String,
    options: Vec<Shown>,
    pieces: Vec<(usize, Origin)>,
    /// What is wrong with a byte of the file that is not UTF-8.
    unreadable: Option<Diagnostic>,
}

/// The text of a file, and the places in it and the bytes that were not UTF-8: they are read as
/// Windows-1252.
fn decode(bytes: &[u8]) -> (String, Vec<(usize, u8)>) {
    let mut text = String::with_capacity(bytes.len());
    let mut foreign = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for &byte in chunk.invalid() {
            foreign.push((text.len(), byte));
            text.push_str(&cql3::windows_1252(&[byte]));
        }
    }
    (text, foreign)
}

/// A place to show: name of the text, the text, and the range in it.
pub(crate) struct Place<'s> {
    pub(crate) name: &'s str,
    pub(crate) text: &'s str,
    pub(crate) range: std::ops::Range<usize>,
}

impl Source {
    /// [`Source::new`] with the bytes of a file: UTF-8, perhaps with byte-order marks before it.
    /// Bytes that are not are read as Windows-1252 in comments and in a query of CQL 3; others are
    /// found by [`Source::check`].
    ///
    /// # Errors
    /// As [`Source::new`].
    pub(crate) fn read(name: &str, bytes: &[u8], given: &[Given]) -> Result<Source, String> {
        let (mut text, mut foreign) = decode(bytes);
        if !foreign.is_empty() && cql3::begins_query(&text) {
            // In those days a file was Windows-1252.
            text = cql3::windows_1252(bytes);
            foreign.clear();
        }
        let marks = text.len() - text.trim_start_matches('\u{feff}').len();
        let file = &text[marks..];
        let mut source = Source::new(name, file, given)?;
        if foreign.is_empty() {
            return Ok(source);
        }
        // The text of the file is the last.
        let begin = source.text.len() - file.len();
        let comments = babson_lang::text::comments(file);
        let outside = foreign.iter().find(|(at, _)| {
            let at = u32::try_from(at - marks).unwrap_or(u32::MAX);
            let after = comments.partition_point(|comment| comment.end <= at);
            comments.get(after).is_none_or(|comment| at < comment.start)
        });
        source.unreadable = outside.map(|&(at, byte)| {
            let letter = cql3::windows_1252(&[byte]);
            let start = u32::try_from(begin + at - marks).unwrap_or(u32::MAX - 4);
            let span = Span::new(start, start + letter.len() as u32);
            let message = format!("the byte {byte:02X} is not UTF-8");
            let help =
                format!("in Windows-1252 and Latin-1 it is `{letter}`: save the query as UTF-8");
            Diagnostic::error(span, message).with_help(help)
        });
        Ok(source)
    }

    /// Whether the file was text at all.
    ///
    /// # Errors
    /// The first byte that is not UTF-8 where that matters.
    pub(crate) fn check(&self) -> Result<(), Vec<Diagnostic>> {
        match &self.unreadable {
            Some(error) => Err(vec![error.clone()]),
            None => Ok(()),
        }
    }

    /// The dialect that the file names for itself.
    ///
    /// # Errors
    /// It names one that does not exist.
    pub(crate) fn declared_dialect(&self) -> Result<Option<Dialect>, Vec<Diagnostic>> {
        self.check()?;
        let place = self.parts.query;
        babson_lang::declared_dialect(place.text(&self.text)).map_err(|mut errors| {
            for error in &mut errors {
                let Span { start, end } = error.span;
                error.span = Span::new(place.start + start, place.start + end);
            }
            errors
        })
    }

    /// Puts the filters of the options before the text of a file.
    ///
    /// # Errors
    /// A text in an option that no filter can hold.
    pub(crate) fn new(name: &str, file: &str, given: &[Given]) -> Result<Source, String> {
        let mut source = Source {
            text: String::new(),
            parts: QueryParts::default(),
            name: name.to_owned(),
            options: Vec::new(),
            pieces: Vec::new(),
            unreadable: None,
        };
        let (transforms, others): (Vec<&Given>, Vec<&Given>) =
            given.iter().partition(|option| option.id == Id::Transform);
        let mut filters = Vec::new();
        for option in others {
            filters.extend(filter(option)?.map(|made| (option, made)));
        }
        // No filter of the modern language can be added to the list of CQL 3.
        let added = transforms.first().copied().or(filters.first().map(|(option, _)| *option));
        if let Some(option) = added
            && cql3::begins_query(file)
        {
            return Err(format!(
                "--{} adds a filter of modern CQL, but {name} is a query of CQL 3 \
                 (see babson convert --to modern)",
                option.name
            ));
        }
        if let Some((option, made)) = filters.iter().find(|(option, _)| is_cql3(option)) {
            if !transforms.is_empty() || filters.len() > 1 || !file.is_empty() {
                return Err("--cql: a query of CQL 3 stands alone, without other filters, \
                            transforms or files (see babson convert --to modern)"
                    .to_owned());
            }
            source.parts.query = source.add(option, made);
            return Ok(source);
        }
        for option in transforms {
            let place = source.add(option, &Template::default().made(option.name));
            source.parts.transforms.push(place);
        }
        for (option, made) in &filters {
            let place = source.add(option, made);
            source.parts.filters.push(place);
        }
        let start = source.text.len();
        source.push(file, Origin::File);
        source.parts.query = source.since(start);
        Ok(source)
    }

    /// Adds the text of an option; its place.
    fn add(&mut self, option: &Given, made: &Template) -> Span {
        let start = self.text.len();
        let words = option.words.join(" ");
        self.options.push(Shown {
            name: format!("<--{}>", option.name),
            text: if option.words.is_empty() { format!("--{}", option.name) } else { words },
        });
        let index = self.options.len() - 1;
        for bit in &made.0 {
            match bit {
                Bit::Made(text) => self.push(text, Origin::Option(index, None)),
                Bit::Word(which) => {
                    let before = option.words.iter().take(*which);
                    let at = before.map(|word| word.len() + 1).sum();
                    let word = option.words.get(*which).map_or("", String::as_str);
                    self.push(word, Origin::Option(index, Some(at)));
                }
            }
        }
        let place = self.since(start);
        self.push("\n", Origin::Option(index, None));
        place
    }

    fn push(&mut self, text: &str, origin: Origin) {
        self.pieces.push((self.text.len(), origin));
        self.text.push_str(text);
    }

    fn since(&self, start: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span::new(offset(start), offset(self.text.len()))
    }

    /// How the file is called in messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The places of the texts, those of the options first.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Span> {
        let of_options = self.parts.transforms.iter().chain(&self.parts.filters);
        of_options.copied().chain([self.parts.query])
    }

    /// Where a span of the text is to be shown.
    pub(crate) fn place(&self, span: Span) -> Place<'_> {
        let start = span.start as usize;
        let end = (span.end as usize).max(start);
        let behind = self.pieces.partition_point(|piece| piece.0 <= start);
        let mut index = behind.saturating_sub(1);
        // The end of what was written behind an option belongs to that.
        let before = index.checked_sub(1).and_then(|before| self.pieces.get(before));
        if end == start
            && self.pieces.get(index).is_some_and(|piece| piece.0 == start)
            && matches!(before, Some((_, Origin::Option(_, Some(_)))))
        {
            index -= 1;
        }
        let (begin, origin) = match self.pieces.get(index) {
            Some(&piece) => piece,
            None => (0, Origin::File),
        };
        let next = self.pieces.get(index + 1).map_or(self.text.len(), |piece| piece.0);
        let within = |at: usize| at.min(next).saturating_sub(begin);
        let (name, text, range) = match origin {
            Origin::File => {
                let text = self.text.get(begin..next).unwrap_or_default();
                (self.name.as_str(), text, within(start)..within(end))
            }
            Origin::Option(index, at) => {
                let (name, text) = match self.options.get(index) {
                    Some(shown) => (shown.name.as_str(), shown.text.as_str()),
                    None => ("", ""),
                };
                let range = match at {
                    Some(at) => at + within(start)..at + within(end),
                    None => 0..text.len(),
                };
                (name, text, range)
            }
        };
        let (start, end) = (floor(text, range.start), floor(text, range.end));
        Place { name, text, range: start..end.max(start) }
    }
}

/// The nearest beginning of a character at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Whether the filters of an option are a query of CQL 3, which has the same beginning as in a
/// file.
fn is_cql3(option: &Given) -> bool {
    option.id == Id::Cql && cql3::begins_query(option.word())
}

/// The text that an option stands for.
#[derive(Default)]
struct Template(Vec<Bit>);

enum Bit {
    Made(String),
    /// A word behind the option, as it was written.
    Word(usize),
}

impl Template {
    fn made(mut self, text: &str) -> Template {
        self.0.push(Bit::Made(text.to_owned()));
        self
    }

    fn word(mut self, which: usize) -> Template {
        self.0.push(Bit::Word(which));
        self
    }

    /// A word in quotes, where the language takes no other spelling of a text.
    fn quoted(self, option: &Given, which: usize) -> Result<Template, String> {
        match option.words.get(which) {
            Some(word) if word.contains(['"', '\n']) => Err(format!(
                "--{}: a text with a quotation mark or a line end cannot be searched",
                option.name
            )),
            _ => Ok(self.made("\"").word(which).made("\"")),
        }
    }

    /// A word as an expression whose value it is.
    fn text(self, option: &Given, which: usize) -> Template {
        let word = option.words.get(which).map_or("", String::as_str);
        if !word.contains(['"', '\n']) {
            return self.made("\"").word(which).made("\"");
        }
        // These stand for themselves outside quotes only.
        let text = word.replace('"', "\" + \\\" + \"").replace('\n', "\" + \\n + \"");
        self.made(&format!("(\"{text}\")"))
    }
}

/// The filters that an option stands for; nothing if it is none of those.
fn filter(option: &Given) -> Result<Option<Template>, String> {
    let begin = Template::default();
    let word = option.word();
    Ok(Some(match option.id {
        Id::Cql => begin.word(0),
        Id::Player => begin
            .made("player white ~~ ")
            .quoted(option, 0)?
            .made(" or player black ~~ ")
            .quoted(option, 0)?,
        Id::White => begin.made("player white ~~ ").quoted(option, 0)?,
        Id::Black => begin.made("player black ~~ ").quoted(option, 0)?,
        // A text as it stands, where `event "T"` refuses what looks like a regular expression.
        Id::Event => begin.text(option, 0).made(" in event"),
        Id::Site => begin.text(option, 0).made(" in site"),
        Id::ResultTag => {
            if !["1-0", "0-1", "1/2-1/2"].contains(&word) {
                return Err(format!("--result: '{word}' is none of 1-0, 0-1, 1/2-1/2"));
            }
            begin.made("result \"").word(0).made("\"")
        }
        Id::Year => {
            let (low, high) = option.range();
            begin.made(&format!("year >= {low} year <= {high}"))
        }
        Id::Fen => begin.made("fen ").quoted(option, 0)?,
        Id::Wtm => begin.made("wtm"),
        Id::Btm => begin.made("btm"),
        Id::VirtualMainLine => begin.made("virtualmainline"),
        Id::SimilarPosition => {
            let Some(file) = option.words.len().checked_sub(1) else {
                return Ok(None);
            };
            let mut made = begin.made("similarposition ");
            for flag in 0..file {
                made = made.word(flag).made(" ");
            }
            made.quoted(option, file)?
        }
        Id::Hhdb => {
            let words = option.words.join(" ");
            // A key like `(c)` or `<cook>` is written as a string.
            let plain = words
                .chars()
                .all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ' ' | '"'));
            if !plain && words.contains(['"', '\n']) {
                return Err(format!("--{}: '{words}' is no key", option.name));
            }
            let mut made = begin.made(if plain { "hhdb " } else { "hhdb \"" });
            for which in 0..option.words.len() {
                made = made.made(if which == 0 { "" } else { " " }).word(which);
            }
            if plain { made } else { made.made("\"") }
        }
        Id::Assign => {
            // A keyword and a piece are words too; what the dialects differ in does not matter
            // here.
            let is_word = word
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$'));
            let is_name =
                is_word && babson_lang::parse(&format!("{word} = 1"), Dialect::CQLI, &[]).is_ok();
            if !is_name {
                return Err(format!("--assign: '{word}' is no name of a variable"));
            }
            let made = begin.word(0).made(" = ");
            match option.words.get(1).map(|value| value.parse::<i64>()) {
                Some(Ok(number)) => made.made(&number.to_string()),
                _ => made.text(option, 1),
            }
        }
        _ => return Ok(None),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::parse;

    fn try_source(file: &str, words: &[&str]) -> Result<Source, String> {
        let (given, _) = parse(words.iter().map(|word| (*word).to_owned())).unwrap();
        Source::new("q.cql", file, &given)
    }

    fn source(file: &str, words: &[&str]) -> Source {
        try_source(file, words).unwrap()
    }

    fn texts(source: &Source) -> Vec<&str> {
        source.texts().map(|place| place.text(&source.text)).collect()
    }

    #[test]
    fn each_option_is_a_text_of_its_own() {
        let file = "// mine\ncql(input a.pgn matchstring \")\") mate";
        let words = ["--cql", "check", "-wtm", "--flip", "--assign", "x", "+3"];
        let all = source(file, &words);
        assert_eq!(texts(&all), ["flip", "check", "wtm", "x = 3", file]);
        assert_eq!(all.parts.transforms.len(), 1);
        for (words, text) in [
            (&["--result", "1-0"][..], "result \"1-0\""),
            (&["-event", "g[12]*"], "\"g[12]*\" in event"),
            (&["-site", "a \"b\""], r#"("a " + \" + "b" + \" + "") in site"#),
            (&["-year", "1999"], "year >= 1999 year <= 1999"),
            (&["--hhdb", "(c)"], "hhdb \"(c)\""),
            (&["--hhdb", "special", "prize"], "hhdb special prize"),
            (&["-similarposition", "NoSort", "F.pgn"], "similarposition nosort \"F.pgn\""),
        ] {
            assert_eq!(texts(&source("mate", words)), [text, "mate"]);
        }
        for wrong in [
            &["-player", "a\"b"][..],
            &["-result", "2-0"],
            &["--assign", "x=1 y", "3"],
            &["--assign", "K", "3"],
            &["--assign", "check", "3"],
            &["--assign", "", "3"],
        ] {
            assert!(try_source("mate", wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn places_point_into_the_file_or_the_option() {
        let words = ["--cql", "é baar", "--player", "a(b", "-wtm", "--assign", "vv", "v"];
        let source = source("cql() fooo", &words);
        let at = |word: &str| {
            let start = source.text.find(word).unwrap() as u32;
            let place = source.place(Span::new(start, start + word.len() as u32));
            let shown = &place.text[place.range.clone()];
            (place.name, place.text, shown)
        };
        assert_eq!(at("fooo"), ("q.cql", "cql() fooo", "fooo"));
        // What was put around the words of the user is not shown.
        assert_eq!(at("baar"), ("<--cql>", "é baar", "baar"));
        assert_eq!(at("(b"), ("<--player>", "a(b", "(b"));
        assert_eq!(at("player white"), ("<--player>", "a(b", "a(b"));
        assert_eq!(at("wtm"), ("<--wtm>", "--wtm", "--wtm"));
        assert_eq!(at("vv"), ("<--assign>", "vv v", "vv"));
        assert_eq!(at("\"v\""), ("<--assign>", "vv v", "vv v"));
    }
}
