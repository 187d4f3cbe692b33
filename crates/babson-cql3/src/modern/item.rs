//! The modern form of items.

use babson_lang::Span;
use babson_lang::hir::square_names;
use babson_lang::hir::{Color, Condition, Content, Directions};
use babson_lang::keywords::{Keyword, KeywordClass};

use super::ModernWriter;
use super::list::braced;
use crate::tree::{
    Cql3Designator, NumberKind, Pieces, PositionFlag, PositionItem, PositionList, ValueRange,
};

impl ModernWriter<'_> {
    /// The modern form of an item. `None` for items about the next move or about the whole list.
    pub(super) fn item(&mut self, item: &PositionItem, span: Span) -> Option<String> {
        Some(match item {
            PositionItem::Designator(d) => self.designator(d),
            PositionItem::Condition(which) => condition(*which),
            PositionItem::Flag(flag) => return self.flag(*flag, span),
            PositionItem::PieceCount(d, range) => {
                within(&format!("#{}", self.designator(d)), *range)
            }
            PositionItem::Power { difference, pieces, range } => {
                let set = self.designator(pieces);
                let power = if *difference {
                    format!("(power ({set} & A) - power ({set} & a))")
                } else {
                    format!("power {set}")
                };
                within(&power, *range)
            }
            PositionItem::AttackCount { attackers, targets, range } => {
                self.attack_count(attackers, targets, *range)
            }
            PositionItem::Ray { directions, attack, sets, range } => {
                self.ray(*directions, *attack, sets, *range)
            }
            PositionItem::Number(kind, range) => number(*kind, *range),
            PositionItem::Logic { or, lists } => self.logic(*or, lists),
            PositionItem::Sequence { gapped, lists } => self.sequence(*gapped, lists)?,
            PositionItem::Relation(_) => self.none(
                span,
                "`:relation`",
                "`echo (s t) {…}` compares two positions on the main line",
            ),
            PositionItem::Accumulate(_) | PositionItem::SumRange(..) => self.none(
                span,
                "an accumulator",
                "count a set of squares, such as `#(passedpawns & P) >= 3`",
            ),
            PositionItem::TagMatch(tag, d) => format!("(${tag} & {})", self.designator(d)),
            PositionItem::Move(..) | PositionItem::MatchCount { .. } => return None,
        })
    }

    fn flag(&mut self, flag: PositionFlag, span: Span) -> Option<String> {
        Some(match flag {
            PositionFlag::NoCheck => "not check".into(),
            PositionFlag::NoEnPassant if self.in_variations => {
                self.none(span, "`:noenpassant` with variations", "leave one of them out")
            }
            PositionFlag::NoEnPassant => "{not terminal not {move enpassant}}".into(),
            PositionFlag::EnPassant
            | PositionFlag::Variations
            | PositionFlag::VariationsOnly
            | PositionFlag::MarkAll
            | PositionFlag::NoAnnotate
            | PositionFlag::Not
            | PositionFlag::Transform(_) => return None,
        })
    }

    fn attack_count(
        &mut self,
        attackers: &Cql3Designator,
        targets: &Cql3Designator,
        range: ValueRange,
    ) -> String {
        let (a, b) = (self.designator(attackers), self.designator(targets));
        if range.lo == 1 && range.hi >= 64 * 64 || range == ValueRange::DEFAULT {
            return format!("({a} attacks {b})");
        }
        self.sum(&b, range, |square| format!("({a} attacks {square})"))
    }

    fn ray(
        &mut self,
        directions: Directions,
        attack: bool,
        sets: &[Cql3Designator],
        range: ValueRange,
    ) -> String {
        let kind = match directions {
            _ if attack => "attack ".to_owned(),
            Directions::ALL => String::new(),
            directions => {
                let class = KeywordClass::Direction(directions);
                let keyword = Keyword::ALL.iter().find(|keyword| keyword.class() == class);
                keyword.map_or(String::new(), |keyword| format!("{} ", keyword.name()))
            }
        };
        let sets: Vec<String> = sets.iter().map(|set| self.designator(set)).collect();
        // No more than eight rays begin on a square.
        if range.lo == 1 && range.hi >= 8 * 64 {
            return format!("ray {kind}({})", sets.join(" "));
        }
        let Some((first, others)) = sets.split_first() else {
            return String::new();
        };
        // The value of `ray` is the set of its last squares, so the loop counts the rays from each
        // first square.
        self.sum(first, range, |square| format!("(ray {kind}({square} {}))", others.join(" ")))
    }

    /// The condition that a sum is in the range. Each square of `set` adds the number of squares in
    /// `counted`.
    fn sum(&mut self, set: &str, range: ValueRange, counted: impl Fn(&str) -> String) -> String {
        self.variables += 1;
        let (sum, square) = (format!("sum{}", self.variables), format!("square{}", self.variables));
        let (counted, count) = (counted(&square), within(&sum, range));
        braced(&format!(
            "{sum} = 0\nsquare all {square} in {set} {{{sum} += #{counted} true}}\n{count}"
        ))
    }

    fn logic(&mut self, or: bool, lists: &[PositionList]) -> String {
        let parts: Vec<String> = lists.iter().map(|list| braced(&self.list(list))).collect();
        match (or, parts.is_empty()) {
            (true, true) => braced("false"),
            (true, false) => braced(&parts.join("\nor ")),
            (false, true) => "true".to_owned(),
            (false, false) => parts.join("\n"),
        }
    }

    fn sequence(&mut self, gapped: bool, lists: &[PositionList]) -> Option<String> {
        if lists.is_empty() {
            return None;
        }
        let step = if gapped { "\n--> .*\n--> " } else { "\n--> " };
        let mut text = "line quiet firstmatch".to_owned();
        for list in lists {
            text.push_str(step);
            text.push_str(&braced(&self.list(list)));
        }
        Some(braced(&text))
    }

    /// A set of squares.
    pub(super) fn designator(&mut self, d: &Cql3Designator) -> String {
        match &d.pieces {
            Pieces::Tag(tag) if d.squares == !0 => format!("${tag}"),
            Pieces::Tag(tag) => format!("(${tag} & {})", squares(d.squares)),
            Pieces::Kinds(kinds) => {
                if d.squares == 0 || kinds.0 == 0 {
                    "[]".to_owned()
                } else if *kinds == Content::ANY {
                    squares(d.squares)
                } else if d.squares == !0 {
                    kinds.to_string()
                } else {
                    format!("{kinds}{}", squares(d.squares))
                }
            }
        }
    }
}

fn number(kind: NumberKind, range: ValueRange) -> String {
    let elo = |side: &str| format!("{{{}}}", within(&format!("elo {side}"), range));
    match kind {
        NumberKind::MoveNumber => within("(ply / 2 + 1)", range),
        NumberKind::Elo(Some(Color::White)) => elo("white"),
        NumberKind::Elo(Some(Color::Black)) => elo("black"),
        NumberKind::Elo(None) => format!("{{{} or {}}}", elo("white"), elo("black")),
    }
}

/// The squares in the syntax of a modern designator.
pub(super) fn squares(set: u64) -> String {
    if set == !0 {
        return ".".to_owned();
    }
    if set == 0 {
        return "[]".to_owned();
    }
    let names = square_names(set);
    let (lo, hi) = (set.trailing_zeros(), 63 - set.leading_zeros());
    let files: u64 =
        (0..8).filter(|file| set & 0x0101_0101_0101_0101 << file != 0).map(|file| 1 << file).sum();
    let (left, right) = (files.trailing_zeros(), 63 - files.leading_zeros());
    let row: u64 = (left..=right).map(|file| 1 << file).sum();
    let block: u64 = (lo / 8..=hi / 8).map(|rank| row << (8 * rank)).sum();
    if names.len() > 1 && block == set {
        let range = |a: char, b: char| {
            if a == b { a.to_string() } else { format!("{a}-{b}") }
        };
        let file = |n: u32| char::from(b'a' + n as u8);
        let rank = |n: u32| char::from(b'1' + n as u8);
        return format!("{}{}", range(file(left), file(right)), range(rank(lo / 8), rank(hi / 8)));
    }
    match names.as_slice() {
        [one] => one.clone(),
        many => format!("[{}]", many.join(",")),
    }
}

/// The condition that a value is in a range.
pub(super) fn within(value: &str, range: ValueRange) -> String {
    let ValueRange { lo, hi } = range;
    if lo > hi {
        "false".to_owned()
    } else if lo == hi {
        format!("{value} == {lo}")
    } else {
        format!("{value} >= {lo}\n{value} <= {hi}")
    }
}

/// A condition that both languages have.
pub(super) fn condition(which: Condition) -> String {
    if let Condition::Result(result) = which {
        format!("result \"{}\"", result.name())
    } else if which == Condition::SideToMove(Color::Black) {
        Keyword::Btm.name().to_owned()
    } else {
        which.name().to_owned()
    }
}
