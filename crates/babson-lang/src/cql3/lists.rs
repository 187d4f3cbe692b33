//! The kinds of lists and their items.
//!
//! After an error in an item, values are skipped up to the next one that begins an item, so that
//! one mistake gives one message.

use super::arguments::{ArgumentResult, Arguments, DESIGNATOR, FormReader, MissingArgument};
use super::form::{AtomKind, Form, FormValue, Opening, Phrase, ValueKind};
use super::keywords::{self, KeywordTable};
use super::tree::{Cql3Designator, MatchItem, MatchList, PositionItem, PositionList, RelationItem};
use crate::diagnostic::{Code, Span};
use crate::suggest::nearest_of;

/// The items that a kind of list may contain.
pub(super) struct ListKind<T: 'static> {
    /// The items in words, for messages.
    wanted: &'static str,
    keywords: KeywordTable<T>,
    /// Reads an item without a keyword.
    item: fn(&mut Arguments<'_, '_>, &str) -> ArgumentResult<T>,
    /// Whether the value begins an item, so that reading can go on there after an error.
    begins: fn(&FormValue<'_>) -> bool,
}

const MATCH_LIST: ListKind<MatchItem> = ListKind {
    wanted: "a position list, a parameter of the match list or `)`",
    keywords: keywords::MATCH,
    item: |arguments, wanted| arguments.list(wanted).map(MatchItem::Position),
    begins: is_position,
};

const POSITION_LIST: ListKind<PositionItem> = ListKind {
    wanted: "a piece designator, a keyword or `)`",
    keywords: keywords::POSITION,
    item: |arguments, wanted| arguments.designator_or(wanted).map(PositionItem::Designator),
    begins: is_designator,
};

pub(super) const RELATION_ITEM: &str = "a parameter of `:relation` or `)`";

pub(super) const RELATION: ListKind<RelationItem> = ListKind {
    wanted: RELATION_ITEM,
    keywords: keywords::RELATION,
    item: |arguments, wanted| Err(arguments.unexpected(wanted)),
    begins: |_| false,
};

/// The position lists after `:and`, `:or`, `:sequence` or `:gappedsequence`.
pub(super) const LISTS: ListKind<PositionList> = ListKind {
    wanted: "`(position` or `)`",
    keywords: &[],
    item: |arguments, wanted| arguments.list(wanted),
    begins: is_position,
};

pub(super) const RAY: ListKind<Cql3Designator> = ListKind {
    wanted: DESIGNATOR,
    keywords: &[],
    item: |arguments, wanted| arguments.designator_or(wanted),
    begins: is_designator,
};

fn is_position(value: &FormValue<'_>) -> bool {
    value.list().is_some_and(|list| list.opening == Opening::Position)
}

fn is_designator(value: &FormValue<'_>) -> bool {
    matches!(value.kind, ValueKind::Atom(AtomKind::Designator, _))
}

/// The word with which a list begins.
#[derive(Clone, Copy)]
pub(super) struct ListWord(Opening, &'static str);

pub(super) const MATCH: ListWord = ListWord(Opening::Match, "match");
pub(super) const POSITION: ListWord = ListWord(Opening::Position, "position");

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

/// The match list.
pub(super) fn query<'t>(reader: &mut FormReader<'t>, list: &Form<'t>) -> MatchList {
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
    reader: &mut FormReader<'t>,
    list: &Form<'t>,
    span: Span,
    head: ListHead,
) -> PositionList {
    let (items, spans) = items(reader, list, head, &POSITION_LIST).into_iter().unzip();
    PositionList { items, spans, span }
}

/// All items of a list, with their spans.
pub(super) fn items<'t, T>(
    reader: &mut FormReader<'t>,
    list: &Form<'t>,
    head: ListHead,
    kind: &ListKind<T>,
) -> Vec<(T, Span)> {
    let mut items = Items { kind, items: Vec::new(), in_error: false };
    let values = head.rest(reader, &list.values);
    // The span after the values that precede the keyword with this index.
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
