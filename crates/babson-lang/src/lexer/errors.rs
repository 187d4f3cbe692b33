//! Lexical errors and their diagnostics.

use super::{Lexeme, LexemeKind, Spacing, designator};
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Help, Remedy, Span};
use crate::limits::{MAX_ERRORS, MAX_REPEAT};

/// Why a text is not a lexeme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LexicalError {
    /// No lexeme begins with the character.
    #[default]
    UnknownCharacter,
    /// A string without its closing quote.
    OpenString,
    /// A comment without its end.
    OpenComment,
    /// A backslash before a letter without a meaning.
    UnknownEscape,
    /// `{,}`.
    UnboundedRepeat,
    /// A number of a repetition is too large.
    LargeRepeat,
    /// The second number of a repetition is smaller than the first.
    EmptyRepeat,
    /// A character that does not belong to a designator.
    MalformedDesignator,
    /// A piece in Unicode occurs twice in a designator.
    RepeatedPiece(char),
    /// A range of a designator does not increase.
    DecreasingRange(char, char),
}

/// The errors of one text.
pub(super) struct ErrorList<'s> {
    source: &'s str,
    errors: Vec<Diagnostic>,
    /// The place of the last wrong designator.
    designator: Option<Span>,
    /// The place of the last closing quote of typography that has a fix with its opening one.
    closing_quote: Option<Span>,
}

impl<'s> ErrorList<'s> {
    pub(super) fn new(source: &'s str) -> ErrorList<'s> {
        ErrorList { source, errors: Vec::new(), designator: None, closing_quote: None }
    }

    /// Adds the error of a text that is not a lexeme.
    pub(super) fn push(&mut self, error: LexicalError, span: Span) {
        let text = span.text(self.source);
        let new = |code, message: &str| Diagnostic::new(code, span, message);
        if matches!(
            error,
            LexicalError::MalformedDesignator
                | LexicalError::RepeatedPiece(_)
                | LexicalError::DecreasingRange(..)
        ) {
            self.designator = Some(span);
        }
        self.errors.push(match error {
            LexicalError::UnknownCharacter => return self.unknown_character(span),
            LexicalError::OpenString => new(Code::UnclosedString, "a string must end on its line")
                .with_label("no closing `\"`"),
            LexicalError::OpenComment => {
                let start = Span::new(span.start, span.start + 2);
                Diagnostic::new(Code::UnclosedComment, start, "this comment never ends")
                    .with_help("close it with `*/`")
            }
            LexicalError::UnknownEscape => {
                new(Code::UnknownEscape, &format!("`{text}` is not a string")).with_help(
                    "there are `\\n`, `\\r`, `\\t`, `\\\\` and `\\\"`, each followed by a \
                     character that is not a letter",
                )
            }
            LexicalError::UnboundedRepeat => {
                new(Code::MalformedRepetition, "`{,}` does not contain a number")
                    .with_help("write `*` for any number")
            }
            LexicalError::LargeRepeat => {
                new(Code::MalformedRepetition, &format!("a repetition is at most {MAX_REPEAT}"))
            }
            LexicalError::EmptyRepeat => {
                new(Code::EmptyRange, &format!("`{text}` is empty: the second number is smaller"))
            }
            LexicalError::MalformedDesignator => {
                new(Code::MalformedDesignator, &format!("`{text}` is not a piece designator"))
            }
            LexicalError::RepeatedPiece(piece) => {
                new(Code::MalformedDesignator, &format!("`{piece}` is named twice"))
            }
            LexicalError::DecreasingRange(first, last) => new(
                Code::EmptyRange,
                &format!("the range `{first}-{last}` is empty: it must increase"),
            ),
        });
    }

    /// Adds the error for a `;` in a dialect in which it does not start a comment.
    pub(super) fn semicolon(&mut self, at: u32) {
        let error = semicolon(self.source, at);
        self.errors.push(error);
    }

    /// Adds the error for a text that cannot touch the lexeme before it: a designator ends before a
    /// letter or digit, and `h-c` is a decreasing range (docs/src/language/reading.md#lexemes).
    pub(super) fn check_touching(&mut self, before: &[Lexeme], span: Span, adjacent: bool) {
        if !adjacent && self.designator.is_none() {
            return;
        }
        let touched = before.last().filter(|_| adjacent);
        let designator = touched
            .filter(|last| matches!(last.kind, LexemeKind::Designator(_)))
            .map(|last| last.span)
            .or(self.designator.filter(|wrong| wrong.end == span.start));
        let text = span.text(self.source);
        let continues_a_word =
            text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$');
        if let Some(designator) = designator.filter(|_| continues_a_word) {
            let name = designator.text(self.source);
            let message = format!("`{text}` cannot follow the piece designator `{name}` directly");
            let span = designator.to(span);
            self.errors.push(Diagnostic::new(Code::TouchingDesignator, span, message).with_help(
                "put a space between two filters; ASCII and Unicode pieces cannot be mixed in one \
                 designator",
            ));
        } else if let [.., first, minus] = before
            && touched.is_some()
            && minus.kind == LexemeKind::Minus
            && minus.spacing == Spacing::Touching
            && file(first.span.text(self.source)) > file(text)
            && file(text).is_some()
        {
            let range = first.span.to(span);
            let shown = range.text(self.source);
            let message = format!("the range `{shown}` is empty: it must increase");
            let error = Diagnostic::new(Code::EmptyRange, range, message);
            let help = "for a difference of two variables put spaces around the `-`";
            self.errors.push(error.with_help(help));
        }
    }

    /// Adds the errors for squares in brackets of their own after a piece, as in `k[f-h]8`.
    pub(super) fn check_squares(&mut self, lexemes: &[Lexeme]) {
        for lexeme in lexemes {
            if let Some(error) = misplaced_squares(self.source, lexeme) {
                self.errors.retain(|other| {
                    other.span.end <= error.span.start || other.span.start >= error.span.end
                });
                self.errors.push(error);
            }
            if self.errors.len() > MAX_ERRORS {
                break;
            }
        }
    }

    /// The errors, in the order of the text.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        self.errors.sort_by_key(|error| error.span);
        self.errors
    }

    /// Adds an error for characters that no lexeme begins with; one error per run of them.
    fn unknown_character(&mut self, span: Span) {
        if let Some(last) = self.errors.last_mut()
            && last.span.end == span.start
            && last.label.as_deref() == Some("not part of the language")
        {
            last.span.end = span.end;
            return;
        }
        let text = span.text(self.source);
        let mut error =
            Diagnostic::new(Code::UnknownCharacter, span, format!("`{text}` has no meaning here"))
                .with_label("not part of the language");
        if let Some(character) = text.chars().next()
            && let Some(help) = instead(character)
        {
            let fixes = match is_quote(character) {
                true => self.quotes(span).into_iter().collect(),
                false => replacements(self.source, character, span),
            };
            error = error.with_help(Help { fixes, ..Help::from(help) });
        }
        self.errors.push(error);
    }

    /// Replaces a quote of typography and the next one on its line, which closes the string.
    fn quotes(&mut self, opening: Span) -> Option<Fix> {
        if self.closing_quote == Some(opening) {
            return None;
        }
        let line = self.source.get(opening.end as usize..)?.lines().next()?;
        let (at, quote) = line.char_indices().find(|&(_, letter)| is_quote(letter))?;
        let start = opening.end + at as u32;
        let closing = Span::new(start, start + quote.len_utf8() as u32);
        self.closing_quote = Some(closing);
        let edits = [opening, closing].map(|place| Edit::new(place, "\""));
        Some(Fix::edit("write plain quotes", edits.to_vec()).certain())
    }
}

/// Whether the character is a quote of typography.
fn is_quote(character: char) -> bool {
    matches!(character, '“' | '”' | '„')
}

/// The file of a text that names only a file.
fn file(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [file @ b'a'..=b'h'] => Some(*file),
        _ => None,
    }
}

/// What to write instead of a character that no lexeme begins with.
fn instead(character: char) -> Option<&'static str> {
    Some(match character {
        '―' => "a dash is two of these, `――`, or `--`",
        '∈' => "write `∊` (U+220A) or `[element]`",
        '\'' => "strings are written with `\"`",
        '\\' => "a backslash starts `\\n` and similar strings, or names a group, as in `\\1`",
        '–' | '—' => "write `-` or `--`",
        '!' => "write `not`, as in `not mate`",
        '½' => "a drawn game is `result 1/2-1/2`",
        ',' => "filters stand one after the other, without commas",
        '“' | '”' | '„' => "write plain quotes, `\"`",
        _ => return None,
    })
}

/// What can replace a character that no lexeme begins with, at this place.
fn replacements(source: &str, character: char, span: Span) -> Vec<Fix> {
    let fix = |text: &str| Fix::replace(span, text);
    let before = source.get(..span.start as usize).and_then(|text| text.chars().next_back());
    let after = source.get(span.end as usize..).and_then(|text| text.chars().next());
    let is_word = |one: Option<char>| one.is_some_and(|one| one.is_alphanumeric() || one == '_');
    let ends_apart = before.is_none_or(|one| one.is_whitespace() || "({[".contains(one));
    match character {
        '∈' => vec![fix("∊").certain()],
        // `0–1` is a result or a range.
        '–' | '—' if is_word(before) && is_word(after) => vec![fix("-"), fix("--")],
        '–' | '—' => vec![fix("--"), fix("-")],
        '!' => vec![fix(if ends_apart { "not " } else { " not " }).certain()],
        // `2,700`, `[Q,R]`
        ',' if is_word(before) && is_word(after) => Vec::new(),
        ',' => vec![fix(" ")],
        _ => Vec::new(),
    }
}

/// The error for a `;` in a dialect in which it does not start a comment.
fn semicolon(source: &str, at: u32) -> Diagnostic {
    let before = source.get(..at as usize).unwrap_or("");
    let entities = [("&amp", "&"), ("&lt", "<"), ("&gt", ">"), ("&quot", "\"")];
    let entity = entities.iter().find(|(entity, _)| before.ends_with(entity));
    match entity {
        Some((entity, symbol)) => Diagnostic::new(
            Code::HtmlEntity,
            Span::new(at - entity.len() as u32, at + 1),
            format!("`{entity};` is the HTML entity for `{symbol}`"),
        )
        .with_help(Help::write(Span::new(at - entity.len() as u32, at + 1), *symbol).certain()),
        None => Diagnostic::new(
            Code::SemicolonComment,
            Span::new(at, at + 1),
            "`;` does not start a comment",
        )
        .with_help(
            Help::write(Span::new(at, at + 1), "//")
                .worded("write `//` (or choose the dialect `cql6`)"),
        )
        .with_remedy(Remedy::Dialect),
    }
}

/// The error for squares in separate brackets after a piece, as in `k[f-h]8`.
fn misplaced_squares(source: &str, lexeme: &Lexeme) -> Option<Diagnostic> {
    let after = source.get(lexeme.span.end as usize..)?;
    let LexemeKind::Designator(designator) = lexeme.kind else {
        return None;
    };
    if designator.has_squares || !after.starts_with('[') {
        return None;
    }
    let pieces = lexeme.span.text(source);
    let (length, squares) = designator::squares_in_brackets(after)?;
    let span = Span::new(lexeme.span.start, lexeme.span.end + length as u32);
    let message = "the squares of a designator stand in one pair of brackets or without brackets";
    Some(
        Diagnostic::new(Code::SplitSquares, span, message)
            .with_help(Help::write(span, format!("{pieces}{squares}"))),
    )
}
