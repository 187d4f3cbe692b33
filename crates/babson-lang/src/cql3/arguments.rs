//! Reads the values after a keyword as its parameters.

use super::form::{AtomKind, Form, FormValue, Opening, ValueKind};
use super::keywords;
use super::lists::{ListHead, ListKind};
use super::tree::{Cql3Designator, Pieces, PositionList, ValueRange};
use super::{designator, lists};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Content, GameResult};

/// The name of a piece designator in messages.
pub(super) const DESIGNATOR: &str = "a piece designator";

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

    pub(super) fn error(
        &mut self,
        code: Code,
        span: Span,
        message: String,
        help: impl Into<String>,
    ) {
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
        let follows = previous.starts_with(':') && (!is_item || wanted == lists::RELATION_ITEM);
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
    pub(super) fn new(
        reader: &'a mut FormReader<'t>,
        values: &'a [FormValue<'t>],
        previous: Span,
        next: Span,
    ) -> Arguments<'a, 't> {
        let values = values.iter();
        Arguments { reader, values, previous, next }
    }

    /// The next value, if any.
    pub(super) fn peek(&self) -> Option<&'a FormValue<'t>> {
        self.values.as_slice().first()
    }

    /// Skips the next value.
    pub(super) fn skip(&mut self) {
        if let Some(value) = self.values.next() {
            self.previous = value.span;
        }
    }

    /// The span of the keyword or value that was read last.
    pub(super) fn previous(&self) -> Span {
        self.previous
    }

    /// The next value, if `pick` accepts it.
    fn take<T>(
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

    /// A position list.
    pub(super) fn list(&mut self, wanted: &str) -> ArgumentResult<PositionList> {
        let pick = |value: &'a FormValue<'t>| {
            let list = value.list()?;
            Some((list, value.span, lists::head(list, lists::POSITION)?))
        };
        let ((list, span, head), _) = self.take(wanted, pick)?;
        Ok(lists::position(self.reader, list, span, head))
    }

    /// The items of a list without a word after its parenthesis.
    pub(super) fn items<T>(&mut self, kind: &ListKind<T>) -> ArgumentResult<Vec<T>> {
        let list = self.parameters()?;
        let items = lists::items(self.reader, list, ListHead::Correct, kind);
        Ok(items.into_iter().map(|(item, _)| item).collect())
    }

    /// Two or more designators in parentheses.
    pub(super) fn ray(&mut self) -> ArgumentResult<Vec<Cql3Designator>> {
        let list = self.parameters()?;
        let errors = self.reader.errors.len();
        let sets = lists::items(self.reader, list, ListHead::Correct, &lists::RAY);
        if sets.len() < 2 && self.reader.errors.len() == errors {
            let previous = list.values.last().map_or(list.begin, |value| value.span);
            self.reader.unexpected(list.end, previous, DESIGNATOR);
        }
        Ok(sets.into_iter().map(|(set, _)| set).collect())
    }

    /// A list without a word after its parenthesis.
    fn parameters(&mut self) -> ArgumentResult<&'a Form<'t>> {
        let pick =
            |value: &'a FormValue<'t>| value.list().filter(|list| list.opening == Opening::Bare);
        Ok(self.take("`(`", pick)?.0)
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
    } else if let Some(keyword) = keywords::named(&atom.to_ascii_lowercase()) {
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
