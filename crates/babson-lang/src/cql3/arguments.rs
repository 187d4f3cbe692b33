//! The values after a keyword, taken one by one as its signature wants them.

use super::form::{Form, Opening, Value, ValueKind};
use super::keywords::{self, Signature};
use super::tree::{Designator, List, Pieces, Range};
use super::{designator, lists};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::{Content, GameResult};

/// What has to stand where a keyword wants pieces.
pub(super) const DESIGNATOR: &str = "a piece designator";

/// An error was reported where something had to stand.
pub(super) struct Missing;

pub(super) type Parsed<T> = Result<T, Missing>;

/// Collects what is wrong in the lists.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) errors: Vec<Diagnostic>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Reader<'t> {
        let errors = Vec::new();
        Reader { text, errors }
    }

    pub(super) fn error(&mut self, span: Span, message: String, help: impl Into<String>) {
        self.errors.push(Diagnostic::error(span, message).with_help(help));
    }

    /// Something else stands where `wanted` has to, after `previous`.
    pub(super) fn unexpected(&mut self, found: Span, previous: Span, wanted: &str) -> Missing {
        let (span, found, previous) = (found, found.text(self.text), previous.text(self.text));
        // A parenthesis that is not in the text was reported.
        if found.is_empty() {
            return Missing;
        }
        // What a list of items may hold does not depend on the keyword before.
        let is_item = wanted.ends_with("`)`");
        let message = if previous.starts_with(':') && (!is_item || wanted == lists::RELATION_ITEM) {
            format!("unexpected `{found}`: after `{previous}` comes {wanted}")
        } else {
            format!("unexpected `{found}`: expected {wanted}")
        };
        let error = Diagnostic::error(span, message);
        self.errors.push(if found.starts_with('(') && !found.ends_with("position") {
            error.with_help("a list begins with `(position`")
        } else if found == ")" && previous == "(" {
            error.with_help("nothing stands between these parentheses")
        } else if is_item && found.starts_with(':') {
            error.with_help("this keyword belongs to another kind of list")
        } else {
            error
        });
        Missing
    }
}

/// The values between one keyword and the next.
pub(super) struct Arguments<'a, 't> {
    pub(super) reader: &'a mut Reader<'t>,
    values: std::slice::Iter<'a, Value<'t>>,
    /// The place of what was read last.
    previous: Span,
    /// The place of what follows the values: a keyword or the closing parenthesis.
    next: Span,
}

impl<'a, 't> Arguments<'a, 't> {
    pub(super) fn new(
        reader: &'a mut Reader<'t>,
        values: &'a [Value<'t>],
        previous: Span,
        next: Span,
    ) -> Arguments<'a, 't> {
        let values = values.iter();
        Arguments { reader, values, previous, next }
    }

    /// The next value, if any.
    pub(super) fn peek(&self) -> Option<&'a Value<'t>> {
        self.values.as_slice().first()
    }

    /// Passes over the next value.
    pub(super) fn skip(&mut self) {
        if let Some(value) = self.values.next() {
            self.previous = value.span;
        }
    }

    /// The place of the keyword or value that was read last.
    pub(super) fn previous(&self) -> Span {
        self.previous
    }

    /// The next value, if it is one that `pick` takes.
    fn take<T>(
        &mut self,
        wanted: &str,
        pick: impl FnOnce(&'a Value<'t>) -> Option<T>,
    ) -> Parsed<(T, Span)> {
        let value = self.peek();
        if let Some(value) = value
            && let Some(picked) = pick(value)
        {
            self.skip();
            return Ok((picked, value.span));
        }
        Err(self.unexpected(wanted))
    }

    pub(super) fn unexpected(&mut self, wanted: &str) -> Missing {
        let found = self.peek().map_or(self.next, Value::place);
        self.reader.unexpected(found, self.previous, wanted)
    }

    /// What a keyword with this signature says.
    pub(super) fn read<T: Clone>(&mut self, signature: &Signature<T>) -> Parsed<T> {
        Ok(match signature {
            Signature::None(item) => item.clone(),
            Signature::Name(item) => item(self.name()?),
            Signature::Range(item) => item(self.range()?),
            Signature::OptionalRange(item) => item(self.optional_range()),
            Signature::Result(item) => item(self.result()?),
            Signature::Designator(item) => item(self.designator(DESIGNATOR)?),
            Signature::Lists(item) => item(self.lists()?),
            Signature::Relation(item) => {
                let list = self.parameters()?;
                item(lists::relation(self.reader, list))
            }
            Signature::NameRange(item) => item(self.name()?, self.range()?),
            Signature::NameDesignator(item) => item(self.name()?, self.designator(DESIGNATOR)?),
            Signature::DesignatorRange(item) => item(self.designator(DESIGNATOR)?, self.range()?),
            Signature::DesignatorOptionalRange(item) => {
                item(self.designator(DESIGNATOR)?, self.optional_range())
            }
            Signature::TwoDesignatorsOptionalRange(item) => {
                let (first, second) = (self.designator(DESIGNATOR)?, self.designator(DESIGNATOR)?);
                item(first, second, self.optional_range())
            }
            Signature::RayOptionalRange(item) => {
                let list = self.parameters()?;
                let sets = lists::ray(self.reader, list);
                item(sets, self.optional_range())
            }
        })
    }

    fn name(&mut self) -> Parsed<String> {
        Ok(self.take("a name", Value::name)?.0.to_owned())
    }

    fn range(&mut self) -> Parsed<Range> {
        let (lo, _) = self.take("a number", integer)?;
        // The second number is taken if it is there.
        let hi = self.peek().and_then(integer);
        if hi.is_some() {
            self.skip();
        }
        Ok(Range { lo, hi: hi.unwrap_or(lo) })
    }

    fn optional_range(&mut self) -> Range {
        if self.peek().and_then(integer).is_none() {
            return Range::DEFAULT;
        }
        self.range().unwrap_or(Range::DEFAULT)
    }

    fn result(&mut self) -> Parsed<GameResult> {
        let (kind, span) = self.take("`1-0`, `0-1` or `1/2-1/2`", |value| match value.kind {
            ValueKind::Result(result, _) => Some(Ok(result)),
            ValueKind::Atom(found) | ValueKind::Text(found) | ValueKind::Int(_, found) => {
                Some(Err(found))
            }
            ValueKind::Designator(_) | ValueKind::List(_) => None,
        })?;
        Ok(kind.unwrap_or_else(|found| not_result(self.reader, found, span)))
    }

    pub(super) fn designator(&mut self, wanted: &str) -> Parsed<Designator> {
        let (kind, span) = self.take(wanted, |value| match value.kind {
            ValueKind::Designator(designator) => Some(Ok(designator)),
            ValueKind::Atom(found) => Some(Err(found)),
            ValueKind::Int(..)
            | ValueKind::Result(..)
            | ValueKind::Text(_)
            | ValueKind::List(_) => None,
        })?;
        Ok(match kind {
            Ok(designator) => designator::decode(designator),
            Err(found) => not_designator(self.reader, found, span),
        })
    }

    /// A position list.
    pub(super) fn list(&mut self, wanted: &str) -> Parsed<List> {
        let pick = |value: &'a Value<'t>| {
            let list = value.list()?;
            Some((list, value.span, lists::head(list, lists::POSITION)?))
        };
        let ((list, span, head), _) = self.take(wanted, pick)?;
        Ok(lists::position(self.reader, list, span, head))
    }

    /// The position lists after `:and` and its like.
    fn lists(&mut self) -> Parsed<Vec<List>> {
        let list = self.parameters()?;
        Ok(lists::lists(self.reader, list))
    }

    /// A list that begins with no word.
    fn parameters(&mut self) -> Parsed<&'a Form<'t>> {
        let pick = |value: &'a Value<'t>| value.list().filter(|list| list.opening == Opening::Bare);
        Ok(self.take("`(`", pick)?.0)
    }
}

fn integer(value: &Value<'_>) -> Option<i32> {
    if let ValueKind::Int(number, _) = value.kind { Some(number) } else { None }
}

/// Something else stands where a result is wanted.
fn not_result(reader: &mut Reader<'_>, found: &str, span: Span) -> GameResult {
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
    reader.error(span, format!("`{found}` is not a result"), help);
    GameResult::Draw
}

/// An atom that is not a designator stands where one is wanted.
fn not_designator(reader: &mut Reader<'_>, atom: &str, span: Span) -> Designator {
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
    reader.error(span, format!("`{atom}` is not a piece designator"), help);
    Designator { pieces: Pieces::Kinds(Content(0)), squares: 0 }
}
