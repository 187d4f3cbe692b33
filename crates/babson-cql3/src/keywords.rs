//! The kinds of lists: what each may contain, and the keywords with their parameters and the items
//! that they make.

use babson_lang::Span;
use babson_lang::hir::{Color, Condition, Directions, NodeSelection, RecurrenceSide};

use crate::form::{AtomKind, Form, FormValue, Opening, ValueKind};
use crate::reader::{
    ArgumentResult, Arguments, DESIGNATOR, FormReader, KeywordTable, ListKind, ListWord,
    RELATION_ITEM, head,
};
use crate::tree::{
    Cql3Designator, MatchItem, MatchList, MovePart, NumberKind, PositionFlag, PositionItem,
    PositionList, RelationItem, TransformKeyword,
};

/// The keywords of `(match …)`.
const MATCH: KeywordTable<MatchItem> = &[
    ("forany", |args| Ok(MatchItem::ForAny { tag: args.name()?, pieces: args.designator()? })),
    ("gamenumber", |args| Ok(MatchItem::GameNumber(args.range()?))),
    ("output", |args| Ok(MatchItem::Output(args.name()?))),
    ("pgn", |args| Ok(MatchItem::Pgn(args.name()?))),
    ("player", |args| Ok(MatchItem::Player(args.name()?))),
    ("result", |args| Ok(MatchItem::Result(args.result()?))),
    ("year", |args| Ok(MatchItem::Year(args.range()?))),
];

/// The keywords of `(position …)`.
const POSITION: KeywordTable<PositionItem> = &[
    ("accumulate", |args| Ok(PositionItem::Accumulate(args.name()?))),
    ("and", |args| Ok(PositionItem::Logic { or: false, lists: args.list(&LISTS)?.0 })),
    ("attackcount", |args| {
        let (attackers, targets) = (args.designator()?, args.designator()?);
        Ok(PositionItem::AttackCount { attackers, targets, range: args.optional_range() })
    }),
    ("blackelo", |args| {
        Ok(PositionItem::Number(NumberKind::Elo(Some(Color::Black)), args.range()?))
    }),
    ("btm", |_| Ok(PositionItem::Condition(Condition::SideToMove(Color::Black)))),
    ("check", |_| Ok(PositionItem::Condition(Condition::Check))),
    ("elo", |args| Ok(PositionItem::Number(NumberKind::Elo(None), args.range()?))),
    ("enpassant", |_| Ok(PositionItem::Flag(PositionFlag::EnPassant))),
    ("flip", |_| transform(TransformKeyword::Flip)),
    ("flipcolor", |_| transform(TransformKeyword::FlipColor)),
    ("flipdiagonal", |_| transform(TransformKeyword::FlipDiagonal)),
    ("flipdihedral", |_| transform(TransformKeyword::Flip)),
    ("fliphorizontal", |_| transform(TransformKeyword::FlipHorizontal)),
    ("flipoffdiagonal", |_| transform(TransformKeyword::FlipOffDiagonal)),
    ("flipvertical", |_| transform(TransformKeyword::FlipVertical)),
    ("gappedsequence", |args| {
        Ok(PositionItem::Sequence { gapped: true, lists: args.list(&LISTS)?.0 })
    }),
    ("initial", |_| Ok(PositionItem::Condition(Condition::Initial))),
    ("markall", |_| Ok(PositionItem::Flag(PositionFlag::MarkAll))),
    ("matchcount", |args| match_count(args, false)),
    ("mate", |_| Ok(PositionItem::Condition(Condition::Mate))),
    ("movefrom", |args| Ok(PositionItem::Move(MovePart::From, args.designator()?))),
    ("movenumber", |args| Ok(PositionItem::Number(NumberKind::MoveNumber, args.range()?))),
    ("moveto", |args| Ok(PositionItem::Move(MovePart::To, args.designator()?))),
    ("noannotate", |_| Ok(PositionItem::Flag(PositionFlag::NoAnnotate))),
    ("nocheck", |_| Ok(PositionItem::Flag(PositionFlag::NoCheck))),
    ("noenpassant", |_| Ok(PositionItem::Flag(PositionFlag::NoEnPassant))),
    ("not", |_| Ok(PositionItem::Flag(PositionFlag::Not))),
    ("or", |args| Ok(PositionItem::Logic { or: true, lists: args.list(&LISTS)?.0 })),
    ("piececount", |args| Ok(PositionItem::PieceCount(args.designator()?, args.optional_range()))),
    ("power", |args| power(args, false)),
    ("powerdifference", |args| power(args, true)),
    ("pretransformmatchcount", |args| match_count(args, true)),
    ("promote", |args| Ok(PositionItem::Move(MovePart::Promote, args.designator()?))),
    ("ray", |args| ray(args, Directions::ALL, false)),
    ("rayattack", |args| ray(args, Directions::ALL, true)),
    ("raydiagonal", |args| ray(args, Directions::DIAGONAL, false)),
    ("rayhorizontal", |args| ray(args, Directions::HORIZONTAL, false)),
    ("rayorthogonal", |args| ray(args, Directions::ORTHOGONAL, false)),
    ("rayvertical", |args| ray(args, Directions::VERTICAL, false)),
    ("relation", |args| Ok(PositionItem::Relation(args.list(&RELATION_LIST)?.0))),
    ("result", |args| Ok(PositionItem::Condition(Condition::Result(args.result()?)))),
    ("sequence", |args| Ok(PositionItem::Sequence { gapped: false, lists: args.list(&LISTS)?.0 })),
    ("shift", |_| transform(TransformKeyword::Shift)),
    ("shiftdiagonal", |_| transform(TransformKeyword::ShiftDiagonal)),
    ("shifthorizontal", |_| transform(TransformKeyword::ShiftHorizontal)),
    ("shiftmaindiagonal", |_| transform(TransformKeyword::ShiftMainDiagonal)),
    ("shiftoffdiagonal", |_| transform(TransformKeyword::ShiftOffDiagonal)),
    ("shiftvertical", |_| transform(TransformKeyword::ShiftVertical)),
    ("stalemate", |_| Ok(PositionItem::Condition(Condition::Stalemate))),
    ("sumrange", |args| Ok(PositionItem::SumRange(args.name()?, args.range()?))),
    ("tagmatch", |args| Ok(PositionItem::TagMatch(args.name()?, args.designator()?))),
    ("terminal", |_| Ok(PositionItem::Condition(Condition::Terminal))),
    ("variations", |_| Ok(PositionItem::Flag(PositionFlag::Variations))),
    ("variationsonly", |_| Ok(PositionItem::Flag(PositionFlag::VariationsOnly))),
    ("whiteelo", |args| {
        Ok(PositionItem::Number(NumberKind::Elo(Some(Color::White)), args.range()?))
    }),
    ("wtm", |_| Ok(PositionItem::Condition(Condition::SideToMove(Color::White)))),
];

/// The keywords of the list after `:relation`.
const RELATION: KeywordTable<RelationItem> = &[
    ("changesidetomove", |_| Ok(RelationItem::Side(RecurrenceSide::Changed))),
    ("flip", |_| Ok(RelationItem::Flip)),
    ("flipdihedral", |_| Ok(RelationItem::Flip)),
    ("ignoresidetomove", |_| Ok(RelationItem::Side(RecurrenceSide::Any))),
    ("missingpiececount", |args| piece_count(args, false)),
    ("newpiececount", |args| piece_count(args, true)),
    ("originaldifferentcount", |args| {
        Ok(RelationItem::Count { different: true, range: args.optional_range() })
    }),
    ("originalsamecount", |args| {
        Ok(RelationItem::Count { different: false, range: args.optional_range() })
    }),
    ("pattern", |_| Ok(RelationItem::Pattern)),
    ("samesidetomove", |_| Ok(RelationItem::Side(RecurrenceSide::Same))),
    ("shift", |_| Ok(RelationItem::Shift)),
    ("variations", |_| Ok(RelationItem::Nodes(NodeSelection::All))),
    ("variationsonly", |_| Ok(RelationItem::Nodes(NodeSelection::Variations))),
];

/// A list in which keywords can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeywordList {
    /// `(match …)`
    Match,
    /// `(position …)`
    Position,
    /// The list after `:relation`.
    Relation,
}

/// The keywords that a list can have, without their colons, in order.
///
/// ```
/// use babson_cql3::{KeywordList, keywords_in};
///
/// assert!(keywords_in(KeywordList::Match).contains(&"pgn"));
/// assert!(!keywords_in(KeywordList::Position).contains(&"pgn"));
/// ```
pub fn keywords_in(list: KeywordList) -> Vec<&'static str> {
    fn names<T>(table: KeywordTable<T>) -> Vec<&'static str> {
        table.iter().map(|row| row.0).collect()
    }
    match list {
        KeywordList::Match => names(MATCH),
        KeywordList::Position => names(POSITION),
        KeywordList::Relation => names(RELATION),
    }
}

fn transform(transform: TransformKeyword) -> ArgumentResult<PositionItem> {
    Ok(PositionItem::Flag(PositionFlag::Transform(transform)))
}

fn match_count(args: &mut Arguments<'_, '_>, pre_transform: bool) -> ArgumentResult<PositionItem> {
    Ok(PositionItem::MatchCount { pre_transform, range: args.optional_range() })
}

fn power(args: &mut Arguments<'_, '_>, difference: bool) -> ArgumentResult<PositionItem> {
    Ok(PositionItem::Power { difference, pieces: args.designator()?, range: args.range()? })
}

fn ray(
    args: &mut Arguments<'_, '_>,
    directions: Directions,
    attack: bool,
) -> ArgumentResult<PositionItem> {
    let sets = ray_sets(args)?;
    Ok(PositionItem::Ray { directions, attack, sets, range: args.optional_range() })
}

fn piece_count(args: &mut Arguments<'_, '_>, new: bool) -> ArgumentResult<RelationItem> {
    Ok(RelationItem::Pieces { new, pieces: args.designator()?, range: args.optional_range() })
}

const MATCH_LIST: ListKind<MatchItem> = ListKind {
    wanted: "a position list, a parameter of the match list or `)`",
    keywords: MATCH,
    item: |args, wanted| position(args, wanted).map(MatchItem::Position),
    begins: is_position,
};

const POSITION_LIST: ListKind<PositionItem> = ListKind {
    wanted: "a piece designator, a keyword or `)`",
    keywords: POSITION,
    item: |args, wanted| args.designator_or(wanted).map(PositionItem::Designator),
    begins: is_designator,
};

const RELATION_LIST: ListKind<RelationItem> = ListKind {
    wanted: RELATION_ITEM,
    keywords: RELATION,
    item: |args, wanted| Err(args.unexpected(wanted)),
    begins: |_| false,
};

/// The position lists after `:and`, `:or`, `:sequence` or `:gappedsequence`.
const LISTS: ListKind<PositionList> =
    ListKind { wanted: "`(position` or `)`", keywords: &[], item: position, begins: is_position };

const RAY: ListKind<Cql3Designator> = ListKind {
    wanted: DESIGNATOR,
    keywords: &[],
    item: |args, wanted| args.designator_or(wanted),
    begins: is_designator,
};

fn is_position(value: &FormValue<'_>) -> bool {
    value.list().is_some_and(|list| list.opening == Opening::Position)
}

fn is_designator(value: &FormValue<'_>) -> bool {
    matches!(value.kind, ValueKind::Atom(AtomKind::Designator, _))
}

/// The match list.
pub(super) fn query<'t>(reader: &mut FormReader<'t>, list: &Form<'t>) -> MatchList {
    let span = list.begin.to(list.end);
    let Some(head) = head(list, ListWord(Opening::Match, "match")) else {
        reader.unexpected(list.begin, Span::default(), "`(match`");
        return MatchList { items: Vec::new(), span };
    };
    MatchList { items: reader.items(list, head, &MATCH_LIST), span }
}

/// A position list.
fn position(args: &mut Arguments<'_, '_>, wanted: &str) -> ArgumentResult<PositionList> {
    let ((list, head), span) = args.take(wanted, |value| {
        let list = value.list()?;
        Some((list, head(list, ListWord(Opening::Position, "position"))?))
    })?;
    let items = args.reader.items(list, head, &POSITION_LIST);
    let (items, spans) = items.into_iter().unzip();
    Ok(PositionList { items, spans, span })
}

/// Two or more designators in parentheses.
fn ray_sets(args: &mut Arguments<'_, '_>) -> ArgumentResult<Vec<Cql3Designator>> {
    let errors = args.reader.errors.len();
    let (sets, list) = args.list(&RAY)?;
    if sets.len() < 2 && args.reader.errors.len() == errors {
        let previous = list.values.last().map_or(list.begin, |value| value.span);
        args.reader.unexpected(list.end, previous, DESIGNATOR);
    }
    Ok(sets)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second row with the same name would have no effect.
    #[test]
    fn each_table_has_a_name_once() {
        fn check<T>(table: KeywordTable<T>) {
            assert!(table.windows(2).all(|pair| pair[0].0 < pair[1].0));
        }
        check(MATCH);
        check(POSITION);
        check(RELATION);
    }

    /// The front end of the modern language knows the same keywords.
    #[test]
    fn the_tables_have_all_keywords() {
        let mut all: Vec<&str> = MATCH.iter().map(|row| row.0).collect();
        all.extend(POSITION.iter().map(|row| row.0));
        all.extend(RELATION.iter().map(|row| row.0));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all, babson_lang::cql3::KEYWORDS);
    }
}
