//! Single items.

use super::{Writer, braced, indented};
use crate::cql3::tree::{
    Designator, Flag, Item, List, MovePart, NumberKind, Pieces, Range, RayKind,
};
use crate::diagnostic::Span;
use crate::hir::{Content, GameResult};
use crate::terms::square_names;

/// Whether the item looks at the next move.
pub(super) fn is_about_a_move(item: &Item) -> bool {
    matches!(
        item,
        Item::Move(..) | Item::Sequence { .. } | Item::Flag(Flag::EnPassant | Flag::NoEnPassant)
    )
}

impl Writer {
    /// The conditions on the next move, in one filter where that can be.
    pub(super) fn move_filter(&mut self, list: &List, lines: &mut Vec<String>) {
        let about: Vec<(&Item, Span)> = list
            .placed()
            .filter(|(item, _)| {
                is_about_a_move(item) || item.lists().iter().any(|list| list.any(&is_about_a_move))
            })
            .collect();
        let simple = |item: &Item| matches!(item, Item::Move(..) | Item::Flag(Flag::EnPassant));
        if self.in_variations && about.len() > 1 && !about.iter().all(|(item, _)| simple(item)) {
            self.none(
                list.span,
                "such a combination of conditions on one move, with variations,",
                "`line --> … --> …` follows one move",
            );
        }
        let (mut from, mut to) = (Vec::new(), Vec::new());
        let (mut words, mut sides) = (String::new(), Vec::new());
        for (item, span) in &about {
            match item {
                Item::Move(MovePart::From, d) => from.push(self.designator(d)),
                Item::Move(MovePart::To, d) => to.push(self.designator(d)),
                Item::Move(MovePart::Promote, d) => {
                    self.promotion(d, *span, &mut words, &mut sides, &mut to, &mut from);
                }
                Item::Flag(Flag::EnPassant) => words.push_str(" enpassant"),
                _ => {}
            }
        }
        if from.is_empty() && to.is_empty() && words.is_empty() {
            return;
        }
        let operand = |list: &[String]| match list {
            [one] => one.clone(),
            many => format!("({})", many.join(" & ")),
        };
        let mut text = "move".to_owned();
        if !from.is_empty() {
            text.push_str(&format!(" from {}", operand(&from)));
        }
        if !to.is_empty() {
            text.push_str(&format!(" to {}", operand(&to)));
        }
        text.push_str(&words);
        lines.extend(sides);
        // Braces: `from` and `to` first would make it a set, and what follows no new filter.
        lines.push(format!("{{{text}}}"));
    }

    fn promotion(
        &mut self,
        d: &Designator,
        span: Span,
        words: &mut String,
        sides: &mut Vec<String>,
        to: &mut Vec<String>,
        from: &mut Vec<String>,
    ) {
        if d.squares != !0 {
            to.push(squares(d.squares));
        }
        let kinds = match &d.pieces {
            Pieces::Tag(tag) => {
                from.push(format!("${tag}"));
                words.push_str(" promote [QRBN]");
                return;
            }
            Pieces::Kinds(kinds) => kinds.0,
        };
        let (white, black) = (kinds & 0x3f, kinds >> 6 & 0x3f);
        if white != black && white != 0 && black != 0 || words.contains("promote") {
            self.none(
                span,
                "a promotion to different pieces for each side",
                "write two lists, joined by `:or`",
            );
            return;
        }
        if white != black {
            sides.push(if white != 0 { "wtm" } else { "btm" }.to_owned());
        }
        words.push_str(&format!(" promote {}", Content(white | black)));
    }

    /// The lines of an item that is not about the next move.
    pub(super) fn item(&mut self, item: &Item, span: Span) -> Option<String> {
        Some(match item {
            Item::Designator(d) => self.designator(d),
            Item::Flag(flag) => match flag {
                Flag::Mate => "mate".into(),
                Flag::Stalemate => "stalemate".into(),
                Flag::Wtm => "wtm".into(),
                Flag::Btm => "btm".into(),
                Flag::Initial => "initial".into(),
                Flag::Terminal => "terminal".into(),
                Flag::Check => "check".into(),
                Flag::NoCheck => "not check".into(),
                Flag::NoEnPassant if self.in_variations => self.none(
                    span,
                    "`:noenpassant` with variations",
                    "leave one of them out",
                ),
                Flag::NoEnPassant => "{not terminal not {move enpassant}}".into(),
                _ => return None,
            },
            Item::PieceCount(d, range) => {
                let set = self.designator(d);
                within(&format!("#{set}"), *range)
            }
            Item::Power {
                difference: false,
                pieces,
                range,
            } => {
                let set = self.designator(pieces);
                within(&format!("power {set}"), *range)
            }
            Item::Power { pieces, range, .. } => {
                let set = self.designator(pieces);
                within(&format!("(power ({set} & A) - power ({set} & a))"), *range)
            }
            Item::AttackCount {
                attackers,
                targets,
                range,
            } => {
                let (a, b) = (self.designator(attackers), self.designator(targets));
                if range.lo == 1 && range.hi >= 64 * 64 || *range == Range::DEFAULT {
                    return Some(format!("({a} attacks {b})"));
                }
                self.names += 1;
                let (sum, square) = (
                    format!("sum{}", self.names),
                    format!("target{}", self.names),
                );
                let count = within(&sum, *range);
                let lines = format!(
                    "{sum} = 0\nsquare all {square} in {b} {{{sum} += #({a} attacks {square}) true}}\n{count}"
                );
                braced(&lines)
            }
            Item::Ray { kind, sets, range } => {
                if range.lo != 1 || range.hi < 64 {
                    return Some(self.none(
                        span,
                        "a number of rays",
                        "a modern `ray` is the set of its last squares; leave the range out",
                    ));
                }
                let kind = match kind {
                    RayKind::Any => "",
                    RayKind::Orthogonal => "orthogonal ",
                    RayKind::Diagonal => "diagonal ",
                    RayKind::Horizontal => "horizontal ",
                    RayKind::Vertical => "vertical ",
                    RayKind::Attack => "attack ",
                };
                let sets: Vec<String> = sets.iter().map(|set| self.designator(set)).collect();
                format!("ray {kind}({})", sets.join(" "))
            }
            Item::Move(..) => return None,
            Item::Number(kind, range) => {
                let elo = |side: &str| format!("{{{}}}", within(&format!("elo {side}"), *range));
                match kind {
                    NumberKind::MoveNumber => within("(ply / 2 + 1)", *range),
                    NumberKind::WhiteElo => elo("white"),
                    NumberKind::BlackElo => elo("black"),
                    NumberKind::Elo => format!("{{{} or {}}}", elo("white"), elo("black")),
                }
            }
            Item::Result(value) => result(*value),
            Item::Logic { or, lists } => {
                let mut parts: Vec<String> =
                    lists.iter().map(|list| braced(&self.list(list))).collect();
                if parts.is_empty() {
                    parts.push(if *or { "false" } else { "true" }.to_owned());
                }
                if *or {
                    braced(&parts.join("\nor "))
                } else {
                    parts.join("\n")
                }
            }
            Item::Sequence { gapped, lists } => {
                if lists.is_empty() {
                    return None;
                }
                let step = if *gapped { "\n--> .*\n--> " } else { "\n--> " };
                let mut text = "line quiet firstmatch".to_owned();
                for list in lists {
                    text.push_str(step);
                    text.push_str(&braced(&self.list(list)));
                }
                format!("{{\n{}\n}}", indented(&text))
            }
            Item::Relation(_) => self.none(
                span,
                "`:relation`",
                "`echo (s t) {…}` compares two positions on the main line",
            ),
            Item::MatchCount {
                pre_transform: true,
                ..
            } => self.none(
                span,
                "`:pretransformmatchcount`",
                "write `find LO HI` for each image, joined by `or`",
            ),
            Item::Accumulate(_) | Item::SumRange(..) => self.none(
                span,
                "an accumulator",
                "count a set of squares, such as `#(passedpawns & P) >= 3`",
            ),
            Item::TagMatch(tag, d) => format!("(${tag} & {})", self.designator(d)),
            Item::MatchCount { .. } => return None,
        })
    }

    /// A set of squares.
    pub(super) fn designator(&mut self, d: &Designator) -> String {
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

/// Squares as a modern designator names them.
fn squares(set: u64) -> String {
    if set == !0 {
        return ".".to_owned();
    }
    if set == 0 {
        return "[]".to_owned();
    }
    let names = square_names(set);
    let (lo, hi) = (set.trailing_zeros(), 63 - set.leading_zeros());
    let files: u64 = (0..8)
        .filter(|file| set & 0x0101_0101_0101_0101 << file != 0)
        .map(|file| 1 << file)
        .sum();
    let (left, right) = (files.trailing_zeros(), 63 - files.leading_zeros());
    let row: u64 = (left..=right).map(|file| 1 << file).sum();
    let block: u64 = (lo / 8..=hi / 8).map(|rank| row << (8 * rank)).sum();
    if names.len() > 1 && block == set {
        let range = |a: char, b: char| {
            if a == b {
                a.to_string()
            } else {
                format!("{a}-{b}")
            }
        };
        let file = |n: u32| char::from(b'a' + n as u8);
        let rank = |n: u32| char::from(b'1' + n as u8);
        return format!(
            "{}{}",
            range(file(left), file(right)),
            range(rank(lo / 8), rank(hi / 8))
        );
    }
    match names.as_slice() {
        [one] => one.clone(),
        many => format!("[{}]", many.join(",")),
    }
}

/// A value in a range.
pub(super) fn within(value: &str, range: Range) -> String {
    let Range { lo, hi } = range;
    if lo > hi {
        "false".to_owned()
    } else if lo == hi {
        format!("{value} == {lo}")
    } else {
        format!("{value} >= {lo}\n{value} <= {hi}")
    }
}

/// A condition on the result.
pub(super) fn result(result: GameResult) -> String {
    format!("result \"{}\"", result.name())
}
