//! The conditions on the next move, which are one filter in modern CQL.

use babson_lang::hir::Content;

use super::ModernWriter;
use super::item::squares;
use crate::tree::{Cql3Designator, MovePart, Pieces, PositionFlag, PositionItem, PositionList};

/// Knight, bishop, rook and queen, among the bits of one side.
const PROMOTIONS: u16 = 0b1_1110;

/// The kings of both sides.
const KINGS: u16 = 1 << 5 | 1 << 11;

/// The conditions of a list on one move.
#[derive(Default)]
struct MoveConditions {
    from: Vec<String>,
    to: Vec<String>,
    en_passant: bool,
    /// Whether the conditions exclude a king's move. To modern CQL a null move is one of the king
    /// to its own square, but in CQL 3 it has no squares, so other conditions must exclude it.
    without_king: bool,
    /// The pieces of White and of Black to which a pawn promotes.
    promotion: Option<(u16, u16)>,
}

impl ModernWriter<'_> {
    /// Appends the conditions on the next move, in one filter if possible.
    pub(super) fn move_filter(&mut self, list: &PositionList, lines: &mut Vec<String>) {
        let about: Vec<&PositionItem> = list
            .items
            .iter()
            .filter(|item| {
                item.is_about_a_move()
                    || !item.all_lists(&mut |list| !list.any(&PositionItem::is_about_a_move))
            })
            .collect();
        let is_simple = |item: &&PositionItem| {
            matches!(item, PositionItem::Move(..) | PositionItem::Flag(PositionFlag::EnPassant))
        };
        if self.in_variations && about.len() > 1 && !about.iter().all(is_simple) {
            self.none(
                list.span,
                "such a combination of conditions on one move, with variations,",
                "`line --> … --> …` follows one move",
            );
        }
        let mut conditions = MoveConditions::default();
        for item in &about {
            conditions.en_passant |= matches!(item, PositionItem::Flag(PositionFlag::EnPassant));
            let PositionItem::Move(part, d) = item else {
                continue;
            };
            conditions.without_king |=
                matches!(&d.pieces, Pieces::Kinds(kinds) if kinds.0 & KINGS == 0);
            match part {
                MovePart::From => conditions.from.push(self.designator(d)),
                MovePart::To => conditions.to.push(self.designator(d)),
                MovePart::Promote => conditions.promote(d),
            }
        }
        if conditions.may_be_null() && !self.in_variations {
            lines.push("not move null".to_owned());
        }
        lines.extend(conditions.filter(self.in_variations));
    }
}

impl MoveConditions {
    /// Adds the condition that a pawn promotes to one of the designator's pieces.
    fn promote(&mut self, d: &Cql3Designator) {
        if d.squares != !0 {
            self.to.push(squares(d.squares));
        }
        let (mut white, mut black) = match &d.pieces {
            Pieces::Tag(tag) => {
                self.from.push(format!("${tag}"));
                (PROMOTIONS, PROMOTIONS)
            }
            Pieces::Kinds(kinds) => (kinds.0 & PROMOTIONS, kinds.0 >> 6 & PROMOTIONS),
        };
        if let Some((other_white, other_black)) = self.promotion {
            (white, black) = (white & other_white, black & other_black);
        }
        self.promotion = Some((white, black));
    }

    fn may_be_null(&self) -> bool {
        let is_about_squares = !self.from.is_empty() || !self.to.is_empty();
        is_about_squares && !self.without_king && !self.en_passant && self.promotion.is_none()
    }

    fn filter(&self, in_variations: bool) -> Vec<String> {
        match self.promotion {
            None if self.from.is_empty() && self.to.is_empty() && !self.en_passant => Vec::new(),
            // A null move may be another move from the position, so the test is on this move.
            None if in_variations && self.may_be_null() => {
                let past_the_king = |king: &str| {
                    let mut to = self.to.clone();
                    to.push(format!("~{king}"));
                    self.filter_with(&to, "")
                };
                vec![format!(
                    "{{{{wtm {}}} or {{btm {}}}}}",
                    past_the_king("K"),
                    past_the_king("k")
                )]
            }
            None => vec![self.filter_with(&self.to, "")],
            Some((0, 0)) => vec!["false".to_owned()],
            Some((white, black)) if white == black => vec![self.promoting(white)],
            Some((white, 0)) => vec!["wtm".to_owned(), self.promoting(white)],
            Some((0, black)) => vec!["btm".to_owned(), self.promoting(black)],
            Some((white, black)) => vec![format!(
                "{{{{wtm {}}} or {{btm {}}}}}",
                self.promoting(white),
                self.promoting(black)
            )],
        }
    }

    fn promoting(&self, kinds: u16) -> String {
        self.filter_with(&self.to, &format!(" promote {}", Content(kinds)))
    }

    fn filter_with(&self, to: &[String], promotion: &str) -> String {
        let operand = |word: &str, sets: &[String]| match sets {
            [] => String::new(),
            [one] => format!(" {word} {one}"),
            many => format!(" {word} ({})", many.join(" & ")),
        };
        let en_passant = if self.en_passant { " enpassant" } else { "" };
        // The braces keep `from` and `to` from making the filter a set, and end it.
        format!(
            "{{move{}{}{en_passant}{promotion}}}",
            operand("from", &self.from),
            operand("to", to)
        )
    }
}
