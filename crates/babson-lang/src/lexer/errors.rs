//! Lexical errors and their diagnostics.

use super::{Lexeme, LexemeKind, Spacing, designator, is_designator, lists};
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Help, Remedy, Span};
use crate::limits::{
    MAX_ERRORS, MAX_LISTED_PIECES, MAX_OPEN_SQUARES, MAX_REPEAT, MAX_REPEATED, MAX_SHARED_EDITS,
};

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
    /// The texts of errors that explain the errors inside them, in the order of the text.
    explained: Vec<Span>,
    /// Letters of other alphabets.
    letters: SharedFix,
    commas: SharedFix,
    semicolons: SharedFix,
}

/// A fix of several errors: each edit alone would leave the others, so that the query cannot be
/// parsed.
#[derive(Default)]
struct SharedFix {
    /// The places of the errors.
    errors: Vec<Span>,
    edits: Vec<Edit>,
}

impl SharedFix {
    /// Adds an error and its edits.
    fn add(&mut self, error: Span, edits: impl IntoIterator<Item = Edit>) {
        self.errors.push(error);
        self.edits.extend(edits);
    }

    /// Adds the fix to the errors, before their other fixes.
    fn offer(self, title: &str, errors: &mut [Diagnostic]) {
        if self.errors.len() > MAX_ERRORS || self.edits.len() > MAX_SHARED_EDITS {
            return;
        }
        let fix = Fix::edit(title, self.edits);
        for error in errors.iter_mut().filter(|error| self.errors.contains(&error.span)) {
            let others = std::mem::take(&mut error.fixes);
            error.fixes = std::iter::once(fix.clone()).chain(others).collect();
        }
    }
}

impl<'s> ErrorList<'s> {
    pub(super) fn new(source: &'s str) -> ErrorList<'s> {
        ErrorList {
            source,
            errors: Vec::new(),
            designator: None,
            explained: Vec::new(),
            letters: SharedFix::default(),
            commas: SharedFix::default(),
            semicolons: SharedFix::default(),
        }
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
                .with_label("no closing `\"`")
                .with_help(closing_quote(span, text)),
            LexicalError::OpenComment => {
                let start = Span::new(span.start, span.start + 2);
                let line = text.lines().next().unwrap_or_default().trim_end();
                let end = span.start + line.len() as u32;
                let fix = Fix::replace(Span::new(end, end), " */");
                Diagnostic::new(Code::UnclosedComment, start, "this comment never ends")
                    .with_help(Help::from("close it with `*/`").with(fix))
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

    /// Adds the error for a `;` in a dialect in which it does not start a comment. `span` extends
    /// to the end of the line.
    pub(super) fn semicolon(&mut self, span: Span) {
        if self.is_explained(span) {
            return;
        }
        let at = Span::new(span.start, span.start + 1);
        let before = self.source.get(..span.start as usize).unwrap_or("");
        let rest = span.text(self.source).get(1..).unwrap_or("").trim_end();
        let touches = before.ends_with(|letter: char| !letter.is_whitespace());
        if let Some(error) = html_entity(before, at) {
            self.errors.push(error);
        } else if touches || rest.is_empty() {
            let mut help = Help::from("filters stand one after the other, without `;`");
            if rest.is_empty() {
                help = help.with(Fix::replace(at, "").certain());
            } else {
                self.semicolons.add(at, separators(span, rest));
            }
            let message = "`;` has no meaning here";
            let is_comment = rest.trim_start().starts_with(['/', ';']);
            let mut error = Diagnostic::new(Code::UnknownCharacter, at, message);
            if !rest.is_empty() && !is_comment {
                help = help.with(Fix::replace(at, " //")).worded(
                    "filters stand one after the other, without `;`; a comment begins with `//` \
                     (or choose the dialect `cql6`)",
                );
                error = error.with_remedy(Remedy::Dialect);
            }
            self.errors.push(error.with_help(help));
        } else {
            self.errors.push(semicolon(at));
        }
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
            // `[RQ]xh7`
            let target = text.strip_prefix('x').filter(|target| is_designator(target));
            let span = designator.to(span);
            let error = Diagnostic::new(Code::TouchingDesignator, span, message);
            let after = self.source.get(span.end as usize..).unwrap_or_default();
            // `[RQ]xh7+`
            let mark = u32::from(after.starts_with(['+', '#']));
            let whole = Span::new(span.start, span.end + mark);
            self.errors.push(error.with_help(match target {
                Some(target) => {
                    let query = format!("{name}[x]{target}");
                    Help::write(whole, &*query).worded(format!("a capture is written `{query}`"))
                }
                None => Help::from(
                    "put a space between two filters; ASCII and Unicode pieces cannot be mixed in \
                     one designator",
                ),
            }));
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
        self.letters.offer("write Latin letters", &mut self.errors);
        self.commas.offer("leave out the commas", &mut self.errors);
        self.semicolons.offer("leave out the semicolons", &mut self.errors);
        self.errors.sort_by_key(|error| error.span);
        let mut explained = self.explained.iter().peekable();
        self.errors.retain(|error| {
            let start = error.span.start;
            while explained.next_if(|around| around.end <= start).is_some() {}
            explained.peek().is_none_or(|around| start <= around.start)
        });
        self.errors
    }

    /// Whether the last error that explains others explains one at this place.
    fn is_explained(&self, place: Span) -> bool {
        self.explained.last().is_some_and(|around| place.start < around.end)
    }

    /// Adds an error for characters that no lexeme begins with; one error per run of them.
    fn unknown_character(&mut self, span: Span) {
        if self.is_explained(span) {
            return;
        }
        let text = span.text(self.source);
        let Some(character) = text.chars().next() else { return };
        let letter = latin(character);
        let edit = letter.map(|letter| Edit::new(span, letter));
        if let Some(last) = self.errors.last_mut()
            && last.span.end == span.start
            && last.label.as_deref() == Some("not part of the language")
        {
            self.letters.edits.extend(edit);
            if let Some(error) = self.letters.errors.last_mut().filter(|one| **one == last.span) {
                error.end = span.end;
            }
            last.span.end = span.end;
            return;
        }
        let list = open_squares(self.source, span).or_else(|| lists::explain(self.source, span));
        if let Some((error, squares)) = list {
            self.errors.push(error);
            self.explained.push(squares);
            return;
        }
        let mut error =
            Diagnostic::new(Code::UnknownCharacter, span, format!("`{text}` has no meaning here"))
                .with_label("not part of the language");
        if let Some(letter) = letter {
            self.letters.add(span, edit);
            error =
                error.with_help(format!("this letter is of another alphabet: write `{letter}`"));
        } else if let Some(help) = instead(character) {
            let fixes = match character {
                _ if is_quote(character) => self.quotes(span).into_iter().collect(),
                '½' => vec![self.half(span)],
                ',' => self.comma(span).into_iter().collect(),
                _ => replacements(self.source, character, span),
            };
            error = error.with_help(Help { fixes, ..Help::from(help) });
        }
        self.errors.push(error);
    }

    /// Replaces a quote of another kind and the one on its line that closes the string.
    fn quotes(&mut self, opening: Span) -> Option<Fix> {
        let line = self.source.get(opening.end as usize..)?.lines().next()?;
        let (at, quote) = end_of_string(line)?;
        let start = opening.end + at as u32;
        let closing = Span::new(start, start + quote.len_utf8() as u32);
        self.explained.push(opening.to(closing));
        let edits = [opening, closing].map(|place| Edit::new(place, "\""));
        Some(Fix::edit("write plain quotes", edits.to_vec()).certain())
    }

    /// Replaces `½` or `½-½`.
    fn half(&mut self, place: Span) -> Fix {
        let before = self.source.get(..place.start as usize).unwrap_or("");
        let after = self.source.get(place.end as usize..).unwrap_or("");
        let other = after.strip_prefix(['-', '–', ':']).and_then(|rest| rest.strip_prefix('½'));
        let length = other.map_or(0, |rest| after.len() - rest.len());
        let whole = Span::new(place.start, place.end + length as u32);
        self.explained.push(whole);
        match before.trim_end().ends_with("result") {
            true => Fix::replace(whole, "1/2-1/2").certain(),
            false => Fix::replace(whole, "result 1/2-1/2"),
        }
    }

    /// Removes a comma from `[Q,R]` or `2,700`. Another one is removed together with all others.
    fn comma(&mut self, place: Span) -> Option<Fix> {
        let before = self.source.get(..place.start as usize)?;
        let after = self.source.get(place.end as usize..)?;
        let is_digit = |letter: char| letter.is_ascii_digit();
        let digits = after.chars().take(4).take_while(|&letter| is_digit(letter)).count();
        let is_part = |&letter: &char| letter == ',' || is_piece(letter);
        // Each kind of piece stands once in a designator.
        let pieces = before.chars().rev().take(MAX_LISTED_PIECES).take_while(is_part).count();
        let opening = before.chars().rev().nth(pieces);
        let is_listed = opening == Some('[') && pieces > 0 && after.starts_with(is_piece);
        if is_listed || before.ends_with(is_digit) && digits == 3 {
            // In `f(1,200)` it stands between two numbers.
            let is_compared = |number: &str| {
                let operand = number.trim_end_matches(is_digit).trim_end();
                operand.ends_with(['<', '>', '=', '≤', '≥', '≠'])
            };
            let fix = Fix::replace(place, "");
            if is_listed || is_compared(before) {
                return Some(fix.certain());
            }
            self.commas.add(place, [Edit::new(place, " ")]);
            return Some(fix);
        }
        let is_apart = after.starts_with(char::is_whitespace) || after.is_empty();
        self.commas.add(place, [Edit::new(place, if is_apart { "" } else { " " })]);
        None
    }
}

/// Whether the letter is a piece in a designator.
fn is_piece(letter: char) -> bool {
    "KQRBNPkqrbnpAa_".contains(letter)
}

/// The error for a comma in a designator that is not closed, as in `R[a1,b2 attacks k`: its bracket
/// is missing, and the comma is right. Also the text of the designator.
fn open_squares(source: &str, comma: Span) -> Option<(Diagnostic, Span)> {
    let (before, after) = source.split_at_checked(comma.start as usize)?;
    let is_part = |byte: &u8| is_of_designator(char::from(*byte));
    let written = before.bytes().rev().take(MAX_OPEN_SQUARES).take_while(is_part).count();
    let rest = after.bytes().take(MAX_OPEN_SQUARES).take_while(is_part).count();
    let open = before.len().checked_sub(written + 1)?;
    let is_open = before.as_bytes()[open] == b'[' && after.as_bytes().get(rest) != Some(&b']');
    if !after.starts_with(',') || !is_open || rest == MAX_OPEN_SQUARES {
        return None;
    }
    let bracket = Span::new(open as u32, open as u32 + 1);
    let end = Span::new(comma.start + rest as u32, comma.start + rest as u32);
    let help = Help::from("write `]` after the squares").with(Fix::replace(end, "]").certain());
    Some((Diagnostic::never_closed(bracket, "[", "]").with_help(help), bracket.to(end)))
}

/// Whether a character can stand between the brackets of a designator.
fn is_of_designator(letter: char) -> bool {
    "KQRBNPAkqrbnpa_abcdefgh12345678-,".contains(letter)
}

/// Whether the character is a quote other than `"`.
fn is_quote(character: char) -> bool {
    matches!(character, '“' | '”' | '„' | '«' | '»' | '‹' | '›' | '‘' | '’' | '‚' | '\'')
}

/// The quote that ends a short string in other quotes: the first one that is not an apostrophe, as
/// in `O'Kelly`.
fn end_of_string(line: &str) -> Option<(usize, char)> {
    line.char_indices().take(MAX_REPEATED).find(|&(at, letter)| {
        let rest = &line[at + letter.len_utf8()..];
        let is_apostrophe =
            matches!(letter, '\'' | '’') && rest.starts_with(|next: char| next.is_alphanumeric());
        (is_quote(letter) || letter == '"') && !is_apostrophe
    })
}

/// The help for a string without its closing quote: a quote of another kind, or the end of the
/// line.
fn closing_quote(place: Span, text: &str) -> Help {
    let (opening, content) = text.split_at_checked(1).unwrap_or_default();
    let is_other = |&(_, quote): &(usize, char)| quote != '"';
    match end_of_string(content).filter(is_other) {
        Some((at, quote)) => {
            let start = place.start + (opening.len() + at) as u32;
            let place = Span::new(start, start + quote.len_utf8() as u32);
            Help::from("end it with a plain quote, `\"`").with(Fix::replace(place, "\""))
        }
        None => {
            let end = place.start + text.trim_end().len() as u32;
            let fix = Fix::replace(Span::new(end, end), "\"");
            Help::from("write `\"` where the text ends").with(fix)
        }
    }
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
        '\\' => "a backslash starts `\\n` and similar strings, or names a group, as in `\\1`",
        '–' | '—' => "write `-` or `--`",
        '!' => "write `not`, as in `not mate`",
        '½' => "a drawn game is `result 1/2-1/2`",
        ',' => "filters stand one after the other, without commas",
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' => {
            "this is a space of typography: write a plain space"
        }
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' => "this character is invisible: remove it",
        _ if is_quote(character) => "write plain quotes, `\"`",
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
        // `Qxf7!`
        '!' if is_word(before) && after.is_none_or(char::is_whitespace) => vec![fix("")],
        '!' => vec![fix(if ends_apart { "not " } else { " not " }).certain()],
        '\u{a0}' | '\u{2007}' | '\u{202f}' | '\u{3000}' => {
            vec![Fix::edit("write a plain space", vec![Edit::new(span, " ")]).certain()]
        }
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' => vec![fix("").certain()],
        _ => Vec::new(),
    }
}

/// The error for an HTML entity that ends with the `;` at this place.
fn html_entity(before: &str, at: Span) -> Option<Diagnostic> {
    let entities = [("&amp", "&"), ("&lt", "<"), ("&gt", ">"), ("&quot", "\"")];
    let (entity, symbol) = entities.into_iter().find(|(entity, _)| before.ends_with(entity))?;
    let place = Span::new(at.start - entity.len() as u32, at.end);
    let message = format!("`{entity};` is the HTML entity for `{symbol}`");
    let error = Diagnostic::new(Code::HtmlEntity, place, message);
    Some(error.with_help(Help::write(place, symbol).certain()))
}

/// The error for a `;` before a comment in a dialect in which it does not start one.
fn semicolon(at: Span) -> Diagnostic {
    let help = Help::write(at, "//").worded("write `//` (or choose the dialect `cql6`)");
    Diagnostic::new(Code::SemicolonComment, at, "`;` does not start a comment")
        .with_help(help)
        .with_remedy(Remedy::Dialect)
}

/// The edits that leave out the `;` at the beginning of a text and those in the rest of its line,
/// up to a string.
fn separators(place: Span, rest: &str) -> Vec<Edit> {
    let rest = rest.split('"').next().unwrap_or_default();
    let others = rest.match_indices(';').map(|(at, _)| at + 1);
    let places = std::iter::once(0).chain(others);
    let edit = |at: usize| {
        let is_apart = rest.get(at..).unwrap_or_default().trim_start().len() < rest.len() - at;
        let start = place.start + at as u32;
        let is_last = at == rest.len();
        Edit::new(Span::new(start, start + 1), if is_apart || is_last { "" } else { " " })
    };
    places.map(edit).collect()
}

/// The Latin letter that looks as this one of another alphabet.
fn latin(letter: char) -> Option<char> {
    const LOOK_ALIKES: [(&str, &str); 4] = [
        ("АВСЕНКМОРТХ", "ABCEHKMOPTX"),
        ("асеорхуіјѕ", "aceopxyijs"),
        ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
        ("ο", "o"),
    ];
    // The wide forms of ASCII in fonts of East Asia.
    if let wide @ '\u{ff01}'..='\u{ff5e}' = letter {
        return char::from_u32(u32::from(wide) - 0xfee0);
    }
    let pairs = LOOK_ALIKES.iter().flat_map(|(others, latin)| others.chars().zip(latin.chars()));
    pairs.into_iter().find(|(other, _)| *other == letter).map(|(_, latin)| latin)
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
