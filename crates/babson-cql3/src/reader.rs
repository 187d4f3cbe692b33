//! Reads the lists of the grammar: their items, and the values after a keyword as its parameters.
//! What a kind of list may contain is in [`keywords`](crate::keywords).
//!
//! After an error in an item, values are skipped up to the next one that begins an item, so that
//! one mistake gives one message.

use babson_lang::cql3::keyword;
use babson_lang::diagnostic::{Code, Help};
use babson_lang::hir::{Content, GameResult};
use babson_lang::{Diagnostic, Span, nearest_of};

use crate::designator;
use crate::form::{AtomKind, Form, FormValue, Opening, Phrase, ValueKind};
use crate::tree::{Cql3Designator, Pieces, ValueRange};

/// The name of a piece designator in messages.
pub(super) const DESIGNATOR: &str = "a piece designator";

/// The name of an item of `:relation` in messages.
pub(super) const RELATION_ITEM: &str = "a parameter of `:relation` or `)`";

/// A parameter is missing or wrong, and the error was reported.
pub(super) struct MissingArgument;

pub(super) type ArgumentResult<T> = Result<T, MissingArgument>;

/// Collects the errors in the lists.
pub(super) struct FormReader<'t> {
    pub(super) text: &'t str,
    pub(super) errors: Vec<Diagnostic>,
}

impl<'t> FormReader<'t> {
    pub(super) fn new(text: &'t str) -> FormReader<'t> {
        let errors = Vec::new();
        FormReader { text, errors }
    }

    pub(super) fn error(&mut self, code: Code, span: Span, message: String, help: impl Into<Help>) {
        self.errors.push(Diagnostic::new(code, span, message).with_help(help));
    }

    /// Reports that `wanted` was expected after `previous`, but something else was found.
    pub(super) fn unexpected(
        &mut self,
        found: Span,
        previous: Span,
        wanted: &str,
    ) -> MissingArgument {
        let (span, found, previous) = (found, found.text(self.text), previous.text(self.text));
        // The missing parenthesis was already reported.
        if found.is_empty() {
            return MissingArgument;
        }
        // The items that a list may contain do not depend on the keyword before.
        let is_item = wanted.ends_with("`)`");
        let follows = previous.starts_with(':') && (!is_item || wanted == RELATION_ITEM);
        let error = match follows {
            true => Diagnostic::unexpected(span, found, &format!("{wanted} after `{previous}`")),
            false => Diagnostic::unexpected(span, found, wanted),
        };
        self.errors.push(if found.starts_with('(') && !found.ends_with("position") {
            error.with_help("a list begins with `(position`")
        } else if found == ")" && previous == "(" {
            error.with_help("these parentheses are empty")
        } else if is_item && found.starts_with(':') {
            error.with_help("this keyword belongs to another kind of list")
        } else {
            error
        });
        MissingArgument
    }
}

/// The values between one keyword and the next.
pub(super) struct Arguments<'a, 't> {
    pub(super) reader: &'a mut FormReader<'t>,
    values: std::slice::Iter<'a, FormValue<'t>>,
    /// The span of the keyword or value that was read last.
    previous: Span,
    /// The span of the keyword or parenthesis after the values.
    next: Span,
}

impl<'a, 't> Arguments<'a, 't> {
    fn new(
        reader: &'a mut FormReader<'t>,
        values: &'a [FormValue<'t>],
        previous: Span,
        next: Span,
    ) -> Arguments<'a, 't> {
        let values = values.iter();
        Arguments { reader, values, previous, next }
    }

    /// The next value, if any.
    fn peek(&self) -> Option<&'a FormValue<'t>> {
        self.values.as_slice().first()
    }

    /// Skips the next value.
    fn skip(&mut self) {
        if let Some(value) = self.values.next() {
            self.previous = value.span;
        }
    }

    /// The span of the keyword or value that was read last.
    fn previous(&self) -> Span {
        self.previous
    }

    /// The next value, if `pick` accepts it.
    pub(super) fn take<T>(
        &mut self,
        wanted: &str,
        pick: impl FnOnce(&'a FormValue<'t>) -> Option<T>,
    ) -> ArgumentResult<(T, Span)> {
        let value = self.peek();
        if let Some(value) = value
            && let Some(picked) = pick(value)
        {
            self.skip();
            return Ok((picked, value.span));
        }
        Err(self.unexpected(wanted))
    }

    pub(super) fn unexpected(&mut self, wanted: &str) -> MissingArgument {
        let found = self.peek().map_or(self.next, FormValue::shown_span);
        self.reader.unexpected(found, self.previous, wanted)
    }

    pub(super) fn name(&mut self) -> ArgumentResult<String> {
        Ok(self.take("a name", FormValue::name)?.0.to_owned())
    }

    pub(super) fn range(&mut self) -> ArgumentResult<ValueRange> {
        let (lo, _) = self.take("a number", integer)?;
        // The second number is optional.
        let hi = self.peek().and_then(integer);
        if hi.is_some() {
            self.skip();
        }
        Ok(ValueRange { lo, hi: hi.unwrap_or(lo) })
    }

    /// A range, or its default.
    pub(super) fn optional_range(&mut self) -> ValueRange {
        if self.peek().and_then(integer).is_none() {
            return ValueRange::DEFAULT;
        }
        self.range().unwrap_or(ValueRange::DEFAULT)
    }

    pub(super) fn result(&mut self) -> ArgumentResult<GameResult> {
        let (kind, span) = self.take("`1-0`, `0-1` or `1/2-1/2`", |value| match value.kind {
            ValueKind::Atom(AtomKind::Result(result), _) => Some(Ok(result)),
            ValueKind::Atom(AtomKind::Designator, _) | ValueKind::List(_) => None,
            ValueKind::Atom(AtomKind::Int(_) | AtomKind::Text | AtomKind::Other, found) => {
                Some(Err(found))
            }
        })?;
        Ok(kind.unwrap_or_else(|found| not_result(self.reader, found, span)))
    }

    pub(super) fn designator(&mut self) -> ArgumentResult<Cql3Designator> {
        self.designator_or(DESIGNATOR)
    }

    /// A designator. `wanted` is what may stand in its place.
    pub(super) fn designator_or(&mut self, wanted: &str) -> ArgumentResult<Cql3Designator> {
        let (kind, span) = self.take(wanted, |value| match value.kind {
            ValueKind::Atom(AtomKind::Designator, designator) => Some(Ok(designator)),
            ValueKind::Atom(AtomKind::Other, found) => Some(Err(found)),
            ValueKind::Atom(AtomKind::Int(_) | AtomKind::Result(_) | AtomKind::Text, _)
            | ValueKind::List(_) => None,
        })?;
        Ok(match kind {
            Ok(designator) => designator::decode(designator),
            Err(found) => not_designator(self.reader, found, span),
        })
    }

    /// The items of a list without a word after its parenthesis, and the list.
    pub(super) fn list<T>(&mut self, kind: &ListKind<T>) -> ArgumentResult<(Vec<T>, &'a Form<'t>)> {
        let pick =
            |value: &'a FormValue<'t>| value.list().filter(|list| list.opening == Opening::Bare);
        let (list, _) = self.take("`(`", pick)?;
        let items = self.reader.items(list, ListHead::Correct, kind);
        Ok((items.into_iter().map(|(item, _)| item).collect(), list))
    }
}

fn integer(value: &FormValue<'_>) -> Option<i32> {
    if let ValueKind::Atom(AtomKind::Int(number), _) = value.kind { Some(number) } else { None }
}

/// Reports a value that is not a result.
fn not_result(reader: &mut FormReader<'_>, found: &str, span: Span) -> GameResult {
    let meant = match found.to_ascii_lowercase().as_str() {
        "draw" | "drawn" | "remis" | "=" | "0.5" | "1/2-1/2." | "tie" => Some("1/2-1/2"),
        "white" | "whitewins" | "win" | "1" => Some("1-0"),
        "black" | "blackwins" | "loss" | "0" => Some("0-1"),
        _ => None,
    };
    let help = match meant {
        Some(meant) => format!("write `:result {meant}`"),
        None => "a result is `1-0`, `0-1` or `1/2-1/2`".to_owned(),
    };
    reader.error(Code::UnknownResult, span, format!("`{found}` is not a result"), help);
    GameResult::Draw
}

/// Reports an atom that is not a designator.
fn not_designator(reader: &mut FormReader<'_>, atom: &str, span: Span) -> Cql3Designator {
    let is_square = matches!(atom.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
    let help = if is_square {
        format!(
            "a piece comes before the square: `?{atom}` is anything there, `.{atom}` the empty square"
        )
    } else if let Some(keyword) = keyword(&atom.to_ascii_lowercase()) {
        format!("a keyword begins with a colon: `:{keyword}`")
    } else {
        "such as `Ra1`, `[Qq]`, `n[a-c1-8]`, `.d4`".to_owned()
    };
    reader.error(
        Code::MalformedDesignator,
        span,
        format!("`{atom}` is not a piece designator"),
        help,
    );
    Cql3Designator { pieces: Pieces::Kinds(Content(0)), squares: 0 }
}

/// The keywords of a kind of list, without the colon. Each has the function that reads its
/// parameters and makes an item of them.
pub(super) type KeywordTable<T> = &'static [(&'static str, ReadItem<T>)];

type ReadItem<T> = fn(&mut Arguments<'_, '_>) -> ArgumentResult<T>;

/// The items that a kind of list may contain.
pub(super) struct ListKind<T: 'static> {
    /// The items in words, for messages.
    pub(super) wanted: &'static str,
    pub(super) keywords: KeywordTable<T>,
    /// Reads an item without a keyword.
    pub(super) item: fn(&mut Arguments<'_, '_>, &str) -> ArgumentResult<T>,
    /// Whether the value begins an item, so that reading can go on there after an error.
    pub(super) begins: fn(&FormValue<'_>) -> bool,
}

/// The word with which a list begins.
#[derive(Clone, Copy)]
pub(super) struct ListWord(pub(super) Opening, pub(super) &'static str);

/// Whether a list begins with the right word.
#[derive(Clone, Copy)]
pub(super) enum ListHead {
    Correct,
    /// The first value is this word, misspelled.
    Misspelled(&'static str),
}

/// Whether the list begins with the word or with a misspelling of it.
pub(super) fn head(list: &Form<'_>, word: ListWord) -> Option<ListHead> {
    if list.opening == word.0 {
        return Some(ListHead::Correct);
    }
    if let (Opening::Bare, Some(FormValue { kind: ValueKind::Atom(AtomKind::Other, found), .. })) =
        (list.opening, list.values.first())
        && (found.eq_ignore_ascii_case(word.1)
            || nearest_of(&found.to_ascii_lowercase(), [word.1].into_iter()).is_some())
    {
        return Some(ListHead::Misspelled(word.1));
    }
    None
}

impl ListHead {
    /// The values of the list after its word.
    fn rest<'v, 't>(
        self,
        reader: &mut FormReader<'_>,
        values: &'v [FormValue<'t>],
    ) -> &'v [FormValue<'t>] {
        let (ListHead::Misspelled(word), Some((first, rest))) = (self, values.split_first()) else {
            return values;
        };
        let found = first.span.text(reader.text);
        let help = if found.eq_ignore_ascii_case(word) {
            format!("`({word}` is written in lowercase")
        } else {
            format!("did you mean `({word}`?")
        };
        reader.error(Code::UnknownList, first.span, format!("unknown list `({found}`"), help);
        rest
    }
}

impl<'t> FormReader<'t> {
    /// All items of a list, with their spans.
    pub(super) fn items<T>(
        &mut self,
        list: &Form<'t>,
        head: ListHead,
        kind: &ListKind<T>,
    ) -> Vec<(T, Span)> {
        let mut items = Items { kind, items: Vec::new(), in_error: false };
        let values = head.rest(self, &list.values);
        // The span after the values that precede the keyword with this index.
        let next = |at: usize| list.phrases.get(at).map_or(list.end, |phrase| phrase.span);
        let mut arguments = Arguments::new(self, values, list.begin, next(0));
        items.read_plain(&mut arguments);
        let mut previous = arguments.previous();
        for (at, phrase) in list.phrases.iter().enumerate() {
            let mut arguments = Arguments::new(self, &phrase.values, phrase.span, next(at + 1));
            items.read_keyword(&mut arguments, phrase, previous);
            items.read_plain(&mut arguments);
            previous = arguments.previous();
        }
        items.items
    }
}

/// The items of a list that were read so far.
struct Items<'k, T: 'static> {
    kind: &'k ListKind<T>,
    items: Vec<(T, Span)>,
    /// Whether there was an error, and no value has begun an item since.
    in_error: bool,
}

impl<T> Items<'_, T> {
    /// Reads a keyword, which follows `previous`, and its parameters.
    fn read_keyword(
        &mut self,
        arguments: &mut Arguments<'_, '_>,
        phrase: &Phrase<'_>,
        previous: Span,
    ) {
        let known = self.kind.keywords.iter().find(|(name, _)| *name == phrase.name);
        let item = match known {
            Some((_, read)) => read(arguments),
            None if self.in_error => Err(MissingArgument),
            None => Err(arguments.reader.unexpected(phrase.span, previous, self.kind.wanted)),
        };
        self.push(item, phrase.span.to(arguments.previous()));
    }

    /// Reads the items without keywords up to the next keyword.
    fn read_plain(&mut self, arguments: &mut Arguments<'_, '_>) {
        while let Some(value) = arguments.peek() {
            if self.in_error && !(self.kind.begins)(value) {
                arguments.skip();
                continue;
            }
            let item = (self.kind.item)(arguments, self.kind.wanted);
            if item.is_err() {
                arguments.skip();
            }
            self.push(item, value.span);
        }
    }

    fn push(&mut self, item: ArgumentResult<T>, span: Span) {
        self.in_error = item.is_err();
        self.items.extend(item.into_iter().map(|item| (item, span)));
    }
}
