//! The kinds of lists, and the items in them.
//!
//! What is wrong in an item ends with it: the values that follow are passed over up to the next
//! that begins an item, so that one mistake is one message.

use super::arguments::{Arguments, DESIGNATOR, Missing, Parsed, Reader};
use super::form::{Form, Opening, Phrase, Value, ValueKind};
use super::keywords::{self, Table};
use super::tree::{Designator, Item, List, MatchItem, MatchList, RelationItem};
use crate::diagnostic::Span;
use crate::sema::names::nearest_of;

/// What a list holds.
struct Kind<T: 'static> {
    /// What can stand in the list, in words.
    wanted: &'static str,
    keywords: Table<T>,
    /// Reads an item without a keyword.
    item: fn(&mut Arguments<'_, '_>, &str) -> Parsed<T>,
    /// Whether the value begins an item after something that was wrong.
    begins: fn(&Value<'_>) -> bool,
}

const MATCH_LIST: Kind<MatchItem> = Kind {
    wanted: "a position list, a parameter of the match list or `)`",
    keywords: keywords::MATCH,
    item: |arguments, wanted| arguments.list(wanted).map(MatchItem::Position),
    begins: is_position,
};

const POSITION_LIST: Kind<Item> = Kind {
    wanted: "a piece designator, a keyword or `)`",
    keywords: keywords::POSITION,
    item: |arguments, wanted| arguments.designator(wanted).map(Item::Designator),
    begins: is_designator,
};

pub(super) const RELATION_ITEM: &str = "a parameter of `:relation` or `)`";

const RELATION: Kind<RelationItem> = Kind {
    wanted: RELATION_ITEM,
    keywords: keywords::RELATION,
    item: |arguments, wanted| Err(arguments.unexpected(wanted)),
    begins: |_| false,
};

const LISTS: Kind<List> = Kind {
    wanted: "`(position` or `)`",
    keywords: &[],
    item: |arguments, wanted| arguments.list(wanted),
    begins: is_position,
};

const RAY: Kind<Designator> = Kind {
    wanted: DESIGNATOR,
    keywords: &[],
    item: |arguments, wanted| arguments.designator(wanted),
    begins: is_designator,
};

fn is_position(value: &Value<'_>) -> bool {
    value.list().is_some_and(|list| list.opening == Opening::Position)
}

fn is_designator(value: &Value<'_>) -> bool {
    matches!(value.kind, ValueKind::Designator(_))
}

/// The word with which a list begins.
#[derive(Clone, Copy)]
pub(super) struct Word(Opening, &'static str);

pub(super) const MATCH: Word = Word(Opening::Match, "match");
pub(super) const POSITION: Word = Word(Opening::Position, "position");

/// How a list has the word with which it should begin.
#[derive(Clone, Copy)]
pub(super) enum Head {
    Sound,
    /// The first value is this word, misspelled.
    Misspelled(&'static str),
}

/// Whether the list begins with the word, or as if with a misspelling of it.
pub(super) fn head(list: &Form<'_>, word: Word) -> Option<Head> {
    if list.opening == word.0 {
        return Some(Head::Sound);
    }
    if let (Opening::Bare, Some(Value { kind: ValueKind::Atom(found), .. })) =
        (list.opening, list.values.first())
        && (found.eq_ignore_ascii_case(word.1)
            || nearest_of(&found.to_ascii_lowercase(), [word.1].into_iter()).is_some())
    {
        return Some(Head::Misspelled(word.1));
    }
    None
}

impl Head {
    /// The values of the list after its word.
    fn rest<'v, 't>(self, reader: &mut Reader<'_>, values: &'v [Value<'t>]) -> &'v [Value<'t>] {
        let (Head::Misspelled(word), Some((first, rest))) = (self, values.split_first()) else {
            return values;
        };
        let found = first.span.text(reader.text);
        let help = if found.eq_ignore_ascii_case(word) {
            format!("`({word}` is written in small letters")
        } else {
            format!("did you mean `({word}`?")
        };
        reader.error(first.span, format!("unknown list `({found}`"), help);
        rest
    }
}

/// The match list.
pub(super) fn query<'t>(reader: &mut Reader<'t>, list: &Form<'t>) -> MatchList {
    let span = list.begin.to(list.end);
    let Some(head) = head(list, MATCH) else {
        reader.unexpected(list.begin, Span::default(), "`(match`");
        return MatchList { items: Vec::new(), span };
    };
    let items = items(reader, list, head, &MATCH_LIST);
    MatchList { items, span }
}

/// A position list.
pub(super) fn position<'t>(
    reader: &mut Reader<'t>,
    list: &Form<'t>,
    span: Span,
    head: Head,
) -> List {
    let (items, spans) = items(reader, list, head, &POSITION_LIST).into_iter().unzip();
    List { items, spans, span }
}

/// The position lists after `:and` and its like.
pub(super) fn lists<'t>(reader: &mut Reader<'t>, list: &Form<'t>) -> Vec<List> {
    let lists = items(reader, list, Head::Sound, &LISTS);
    lists.into_iter().map(|(list, _)| list).collect()
}

/// The parameters of `:relation`.
pub(super) fn relation<'t>(reader: &mut Reader<'t>, list: &Form<'t>) -> Vec<RelationItem> {
    let items = items(reader, list, Head::Sound, &RELATION);
    items.into_iter().map(|(item, _)| item).collect()
}

/// The designators of a ray: two or more.
pub(super) fn ray<'t>(reader: &mut Reader<'t>, list: &Form<'t>) -> Vec<Designator> {
    let errors = reader.errors.len();
    let sets = items(reader, list, Head::Sound, &RAY);
    if sets.len() < 2 && reader.errors.len() == errors {
        let previous = list.values.last().map_or(list.begin, |value| value.span);
        reader.unexpected(list.end, previous, DESIGNATOR);
    }
    sets.into_iter().map(|(set, _)| set).collect()
}

/// All items of a list, with their places.
fn items<'t, T: Clone>(
    reader: &mut Reader<'t>,
    list: &Form<'t>,
    head: Head,
    kind: &Kind<T>,
) -> Vec<(T, Span)> {
    let mut items = Items { kind, items: Vec::new(), in_error: false };
    let values = head.rest(reader, &list.values);
    // What follows the values before the keyword with this number.
    let next = |at: usize| list.phrases.get(at).map_or(list.end, |phrase| phrase.span);
    let mut arguments = Arguments::new(reader, values, list.begin, next(0));
    items.read_plain(&mut arguments);
    let mut previous = arguments.previous();
    for (at, phrase) in list.phrases.iter().enumerate() {
        let mut arguments = Arguments::new(reader, &phrase.values, phrase.span, next(at + 1));
        items.read_keyword(&mut arguments, phrase, previous);
        items.read_plain(&mut arguments);
        previous = arguments.previous();
    }
    items.items
}

/// The items of a list up to a place.
struct Items<'k, T: 'static> {
    kind: &'k Kind<T>,
    items: Vec<(T, Span)>,
    /// Something was wrong, and nothing has begun an item since.
    in_error: bool,
}

impl<T: Clone> Items<'_, T> {
    /// Reads a keyword and its parameters, which follow `previous`.
    fn read_keyword(
        &mut self,
        arguments: &mut Arguments<'_, '_>,
        phrase: &Phrase<'_>,
        previous: Span,
    ) {
        let known = self.kind.keywords.iter().find(|(name, _)| *name == phrase.name);
        let item = match known {
            Some((_, signature)) => arguments.read(signature),
            None if self.in_error => Err(Missing),
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

    fn push(&mut self, item: Parsed<T>, span: Span) {
        self.in_error = item.is_err();
        self.items.extend(item.into_iter().map(|item| (item, span)));
    }
}
