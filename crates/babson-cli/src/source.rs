//! The source text of a query: its file, and the filters and transforms of options.
//!
//! The filters of the options come first, in the order of the command line, then the file.
//! Each text is parsed by itself (`docs/src/command-line.md#inputs`). One string holds all texts,
//! and a list of segments has the origin of each, so that diagnostics show the file or the words
//! after the option, but never generated text.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use babson::command::begins_as_utf16;
use babson::compile::QuerySpans;
use babson::diagnostic::Code;
use babson::imports::resolve;
use babson::{Diagnostic, Dialect, Span, cql3, text};
use babson_project::Project;

use crate::config::{OptionClass, OptionFilter, ReadingOptions, Template, TemplateSegment};
use crate::project::ImportSearch;

/// The origin of a segment of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SegmentOrigin {
    /// The query's file.
    File,
    /// The option of this index: its words from this offset, or generated text.
    Option(usize, Option<usize>),
    /// The imported file of this index.
    Import(usize),
}

/// An option as diagnostics show it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OptionText {
    /// The name of the option.
    option: &'static str,
    /// The same in angle brackets, with the number of the option if it is not the first with its
    /// name.
    name: String,
    text: String,
}

/// An imported file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ImportedText {
    /// Its name in messages: its path, or the name of the library in angle brackets.
    name: String,
    /// Whether only the project file finds it.
    is_of_project: bool,
}

/// The texts of a query and their origins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QuerySource {
    /// All texts; the file is the last one.
    pub(crate) text: String,
    /// The spans of the texts.
    pub(crate) parts: QuerySpans,
    /// The project whose settings count for the query.
    pub(crate) project: Option<Arc<Project>>,
    /// The path of the file; `None` for standard input, and without a file.
    pub(crate) path: Option<PathBuf>,
    /// The name of the file in messages.
    name: String,
    options: Vec<OptionText>,
    segments: Vec<(usize, SegmentOrigin)>,
    imports: Vec<ImportedText>,
    /// Whether the text of the file is the one that its bytes hold as UTF-8.
    is_utf8: bool,
    /// The errors of imports that cannot be resolved, and the one for a byte of the file that is
    /// not UTF-8.
    errors: Vec<Diagnostic>,
}

/// Decodes a file. Bytes that are not UTF-8 are read as Windows-1252 and returned with their
/// offsets in the text.
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

/// Decodes a file in UTF-16, for the message about it.
fn decode_utf16(bytes: &[u8]) -> String {
    let is_big_endian = bytes.starts_with(b"\xfe\xff") || bytes.starts_with(&[0]);
    let units = bytes.chunks_exact(2).map(|pair| match is_big_endian {
        true => u16::from_be_bytes([pair[0], pair[1]]),
        false => u16::from_le_bytes([pair[0], pair[1]]),
    });
    let letters = char::decode_utf16(units).map(|letter| letter.unwrap_or('\u{fffd}'));
    letters.filter(|letter| *letter != '\u{feff}').collect()
}

/// A range of a source text, for a diagnostic.
pub(crate) struct SourceExcerpt<'s> {
    pub(crate) name: &'s str,
    /// The path of its file; `None` for an option, standard input and the library.
    pub(crate) path: Option<&'s Path>,
    pub(crate) text: &'s str,
    pub(crate) range: std::ops::Range<usize>,
}

impl QuerySource {
    /// [`QuerySource::new`] with the bytes of a file: UTF-8, perhaps with byte-order marks before
    /// it. Other bytes are read as Windows-1252 in comments and in a query of CQL 3; elsewhere
    /// [`QuerySource::check`] reports them.
    ///
    /// # Errors
    /// As [`QuerySource::new`].
    pub(crate) fn read(
        name: &str,
        bytes: &[u8],
        filters: &[OptionFilter],
    ) -> Result<QuerySource, String> {
        if begins_as_utf16(bytes) {
            let text = decode_utf16(bytes);
            let mut source = QuerySource::new(name, &text, filters)?;
            let start = u32::try_from(source.text.len() - text.len()).unwrap_or(u32::MAX);
            let span = Span::new(start, start);
            let message = "the file is in UTF-16; save it as UTF-8";
            source.errors.push(Diagnostic::new(Code::NotUtf8, span, message));
            source.is_utf8 = false;
            return Ok(source);
        }
        let (mut text, mut foreign) = decode(bytes);
        if !foreign.is_empty() && cql3::begins_query(&text) {
            // Files of CQL 3 are in Windows-1252.
            text = cql3::windows_1252(bytes);
            foreign.clear();
        }
        let marks = text.len() - text.trim_start_matches('\u{feff}').len();
        let file = &text[marks..];
        let mut source = QuerySource::new(name, file, filters)?;
        source.is_utf8 = str::from_utf8(bytes).is_ok();
        if foreign.is_empty() {
            return Ok(source);
        }
        // The text of the file is last.
        let begin = source.text.len() - file.len();
        let comments = text::comments(file);
        let outside = foreign.iter().find(|(at, _)| {
            let at = u32::try_from(at - marks).unwrap_or(u32::MAX);
            let after = comments.partition_point(|comment| comment.end <= at);
            comments.get(after).is_none_or(|comment| at < comment.start)
        });
        source.errors.extend(outside.map(|&(at, byte)| {
            let letter = cql3::windows_1252(&[byte]);
            let start = u32::try_from(begin + at - marks).unwrap_or(u32::MAX - 4);
            let span = Span::new(start, start + letter.len() as u32);
            let message = format!("the byte {byte:02X} is not UTF-8");
            let help =
                format!("in Windows-1252 and Latin-1 it is `{letter}`: save the query as UTF-8");
            Diagnostic::new(Code::NotUtf8, span, message).with_help(help)
        }));
        Ok(source)
    }

    /// Adds the files that the query imports.
    pub(crate) fn resolve_imports(&mut self, dialect: Dialect, files: &ImportSearch) {
        let resolved = resolve(&self.text, &self.parts, dialect, files);
        let of_project = files.names_of_project();
        for file in resolved.files {
            self.segments
                .push((file.span.start as usize, SegmentOrigin::Import(self.imports.len())));
            let is_of_project = of_project.contains(&file.name);
            self.imports.push(ImportedText { name: file.name, is_of_project });
        }
        self.text = resolved.text;
        self.parts = resolved.parts;
        self.errors.extend(resolved.errors);
    }

    /// Checks the encoding of the file and its imports.
    ///
    /// # Errors
    /// The first byte outside comments that is not UTF-8, and the imports that cannot be resolved.
    pub(crate) fn check(&self) -> Result<(), Vec<Diagnostic>> {
        if self.errors.is_empty() { Ok(()) } else { Err(self.errors.clone()) }
    }

    /// The dialect that the query names.
    ///
    /// # Errors
    /// The query names a dialect that does not exist.
    pub(crate) fn declared_dialect(&self) -> Result<Option<Dialect>, Vec<Diagnostic>> {
        self.check()?;
        let place = self.parts.query;
        text::declared_dialect(place.text(&self.text))
            .map_err(|errors| errors.into_iter().map(|error| error.shifted(place.start)).collect())
    }

    /// The dialect of the query, and whether one was named.
    ///
    /// # Errors
    /// The query names a dialect that does not exist.
    pub(crate) fn dialect(
        &self,
        reading: &ReadingOptions,
    ) -> Result<(Dialect, bool), Vec<Diagnostic>> {
        let declared = self.declared_dialect()?;
        let of_project = self.project.as_ref().and_then(|project| project.dialect);
        let named = reading.named.or(declared).or(of_project).or(reading.default);
        Ok((named.unwrap_or_default(), named.is_some()))
    }

    /// Puts the filters of the options before the text of a file.
    ///
    /// # Errors
    /// The text of an option cannot be written as a filter.
    pub(crate) fn new(
        name: &str,
        file: &str,
        filters: &[OptionFilter],
    ) -> Result<QuerySource, String> {
        let mut source = QuerySource {
            text: String::new(),
            parts: QuerySpans::default(),
            project: None,
            path: None,
            name: name.to_owned(),
            options: Vec::new(),
            segments: Vec::new(),
            imports: Vec::new(),
            is_utf8: true,
            errors: Vec::new(),
        };
        let mut made = Vec::new();
        for filter in filters {
            made.push((filter, filter.template()?));
        }
        let (transforms, filters): (Vec<_>, Vec<_>) =
            made.into_iter().partition(|(filter, _)| filter.class == OptionClass::Transform);
        // Modern filters cannot be added to a query of CQL 3.
        if let Some((added, _)) = transforms.first().or(filters.first())
            && cql3::begins_query(file)
        {
            return Err(format!(
                "--{} adds a filter of modern CQL, but {name} is a query of CQL 3 \
                 (see babson convert --to modern)",
                added.name
            ));
        }
        if let Some((filter, made)) = filters.iter().find(|(filter, _)| filter.is_cql3()) {
            if !transforms.is_empty() || filters.len() > 1 || !file.is_empty() {
                return Err("--cql: a query of CQL 3 cannot be combined with other filters, \
                            transforms or files (see babson convert --to modern)"
                    .to_owned());
            }
            source.parts.query = source.add(filter, made);
            return Ok(source);
        }
        for (transform, made) in transforms {
            let place = source.add(transform, made);
            source.parts.transforms.push(place);
        }
        for (filter, made) in filters {
            let place = source.add(filter, made);
            if filter.class != OptionClass::Like {
                source.parts.filters.push(place);
            } else if source.parts.like.replace(place).is_some() {
                return Err(format!("--{0}: the games are sorted by one FEN only", filter.name));
            }
        }
        let start = source.text.len();
        source.push(file, SegmentOrigin::File);
        source.parts.query = source.since(start);
        Ok(source)
    }

    /// Adds the text of an option and returns its span.
    fn add(&mut self, option: &OptionFilter, made: &Template) -> Span {
        let start = self.text.len();
        let words = option.words.join(" ");
        let before = self.options.iter().filter(|other| other.option == option.name).count();
        self.options.push(OptionText {
            option: option.name,
            name: match before {
                0 => format!("<--{}>", option.name),
                _ => format!("<--{} {}>", option.name, before + 1),
            },
            text: if option.words.is_empty() { format!("--{}", option.name) } else { words },
        });
        let index = self.options.len() - 1;
        for bit in &made.0 {
            match bit {
                TemplateSegment::Generated(text) => {
                    self.push(text, SegmentOrigin::Option(index, None))
                }
                TemplateSegment::Word(which) => {
                    let before = option.words.iter().take(*which);
                    let at = before.map(|word| word.len() + 1).sum();
                    let word = option.words.get(*which).map_or("", String::as_str);
                    self.push(word, SegmentOrigin::Option(index, Some(at)));
                }
            }
        }
        let place = self.since(start);
        self.push("\n", SegmentOrigin::Option(index, None));
        place
    }

    fn push(&mut self, text: &str, origin: SegmentOrigin) {
        self.segments.push((self.text.len(), origin));
        self.text.push_str(text);
    }

    fn since(&self, start: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span::new(offset(start), offset(self.text.len()))
    }

    /// Whether it is a query of CQL 3.
    pub(crate) fn is_cql3(&self) -> bool {
        cql3::begins_query(self.parts.query.text(&self.text))
    }

    /// How the file is called in messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The spans of the texts: first the options, then the file.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Span> {
        let of_options = self.parts.transforms.iter().chain(&self.parts.filters);
        of_options.copied().chain([self.parts.query])
    }

    /// The paths of the imported files, without the library.
    pub(crate) fn imported_files(&self) -> impl Iterator<Item = &Path> {
        self.imports.iter().filter_map(ImportedText::path)
    }

    /// The text of the file, if it can be changed in the file: none of options, and none in another
    /// encoding, which would become another one.
    pub(crate) fn mendable(&self) -> Option<Span> {
        let own = self.parts.query;
        let file = (own.start as usize, SegmentOrigin::File);
        let is_file = own.start < own.end && self.segments.contains(&file);
        Some(own).filter(|_| is_file && self.is_utf8)
    }

    /// The index of the segment that has this byte of the text.
    fn segment_at(&self, at: usize) -> usize {
        self.segments.partition_point(|segment| segment.0 <= at).saturating_sub(1)
    }

    /// Whether a span is in a file that only the project file finds.
    pub(crate) fn is_of_project(&self, span: Span) -> bool {
        match self.segments.get(self.segment_at(span.start as usize)) {
            Some(&(_, SegmentOrigin::Import(index))) => {
                self.imports.get(index).is_some_and(|file| file.is_of_project)
            }
            Some((_, SegmentOrigin::File | SegmentOrigin::Option(..))) | None => false,
        }
    }

    /// The excerpt of the file or option that shows a span of the text.
    pub(crate) fn excerpt(&self, span: Span) -> SourceExcerpt<'_> {
        let start = span.start as usize;
        let end = (span.end as usize).max(start);
        let mut index = self.segment_at(start);
        // An empty span at the end of the words of an option belongs to the option.
        let before = index.checked_sub(1).and_then(|before| self.segments.get(before));
        if end == start
            && self.segments.get(index).is_some_and(|segment| segment.0 == start)
            && matches!(before, Some((_, SegmentOrigin::Option(_, Some(_)))))
        {
            index -= 1;
        }
        let (begin, origin) = match self.segments.get(index) {
            Some(&segment) => segment,
            None => (0, SegmentOrigin::File),
        };
        let next = self.segments.get(index + 1).map_or(self.text.len(), |segment| segment.0);
        let within = |at: usize| at.min(next).saturating_sub(begin);
        let mut path = None;
        let (name, text, range) = match origin {
            SegmentOrigin::File => {
                path = self.path.as_deref();
                let text = self.text.get(begin..next).unwrap_or_default();
                (self.name.as_str(), text, within(start)..within(end))
            }
            SegmentOrigin::Import(index) => {
                let file = self.imports.get(index);
                path = file.and_then(ImportedText::path);
                let name = file.map_or("", |file| file.name.as_str());
                (name, self.text.get(begin..next).unwrap_or_default(), within(start)..within(end))
            }
            SegmentOrigin::Option(index, at) => {
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
        SourceExcerpt { name, path, text, range: start..end.max(start) }
    }
}

impl ImportedText {
    /// Its path; `None` for a file of the library.
    fn path(&self) -> Option<&Path> {
        let is_library = self.name.starts_with('<') && self.name.ends_with('>');
        (!is_library).then(|| Path::new(&self.name))
    }
}

/// The nearest character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{config_of, search_options};

    fn try_source(file: &str, words: &[&str]) -> Result<QuerySource, String> {
        let options = search_options(words.iter().map(Into::into)).unwrap();
        QuerySource::new("q.cql", file, &config_of(&options).unwrap().run.reading.filters)
    }

    fn source(file: &str, words: &[&str]) -> QuerySource {
        try_source(file, words).unwrap()
    }

    fn texts(source: &QuerySource) -> Vec<&str> {
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
    fn excerpts_show_the_file_or_the_option() {
        let words = ["--cql", "é baar", "--player", "a(b", "-wtm", "--assign", "vv", "v"];
        let source = source("cql() fooo", &words);
        let at = |word: &str| {
            let start = source.text.find(word).unwrap() as u32;
            let place = source.excerpt(Span::new(start, start + word.len() as u32));
            let shown = &place.text[place.range.clone()];
            (place.name, place.text, shown)
        };
        assert_eq!(at("fooo"), ("q.cql", "cql() fooo", "fooo"));
        // Generated text around the words of the user is not shown.
        assert_eq!(at("baar"), ("<--cql>", "é baar", "baar"));
        assert_eq!(at("(b"), ("<--player>", "a(b", "(b"));
        assert_eq!(at("player white"), ("<--player>", "a(b", "a(b"));
        assert_eq!(at("wtm"), ("<--wtm>", "--wtm", "--wtm"));
        assert_eq!(at("vv"), ("<--assign>", "vv v", "vv"));
        assert_eq!(at("\"v\""), ("<--assign>", "vv v", "vv v"));
    }
}
