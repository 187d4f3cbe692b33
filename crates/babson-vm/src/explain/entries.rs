//! Entries of tables as text, in the terms of the language.

use std::fmt;

use babson_lang::hir::{
    CastlingKind, Content, Designator, Dictionary, MoveResult, MoveSource, NodeSelection,
    Recurrence, RecurrenceSide, SquarePairKind,
};

use super::{Disassemble, Disassembly};
use crate::analysis::Pattern;
use crate::code::Code;
use crate::op::{
    Alteration, ConsecutiveMovesSpec, CountedBody, DashOperand, DashSpec, EntryPoint, FindSpec,
    GameListSpec, GameListsSpec, Id, ImagesSpec, ImagineSpec, LineSpec, MoveSpec, OnceSpec,
    PairsSpec, PathSpec, PathState, PromotionTest, SquareMask, StepsSpec, TextSegment,
};

impl Disassemble for String {
    fn show(&self, _: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self)
    }
}

impl Disassemble for Box<[String]> {
    fn show(&self, _: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.join(" "))
    }
}

impl Disassemble for Dictionary {
    fn show(&self, _: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name)
    }
}

impl Disassemble for Designator {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.content.show(code, out)?;
        SquareMask(self.squares).show(code, out)
    }
}

/// The words of those properties that are set, each after a space.
fn words(out: &mut fmt::Formatter<'_>, properties: &[(bool, &str)]) -> fmt::Result {
    for (_, word) in properties.iter().filter(|(is_set, _)| *is_set) {
        write!(out, " {word}")?;
    }
    Ok(())
}

impl Disassemble for MoveSpec {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self.source {
            MoveSource::Played => "played",
            MoveSource::Previous => "previous",
            MoveSource::Legal => "legal",
            MoveSource::Pseudolegal => "pseudolegal",
            MoveSource::LegalReverse => "legal reverse",
            MoveSource::PseudolegalReverse => "pseudolegal reverse",
        })?;
        let operands = [
            ("from", self.from),
            ("to", self.to),
            ("capture", self.capture),
            ("enpassantsquare", self.en_passant_square),
        ];
        for (word, operand) in operands {
            if let Some(register) = operand.get() {
                write!(out, " {word} ")?;
                register.show(code, out)?;
            }
        }
        if self.promoting {
            write!(out, " promote {}", Content(u16::from(self.promote)))?;
        }
        words(
            out,
            &[
                (self.en_passant, "enpassant"),
                (self.castle == Some(CastlingKind::KingSide), "o-o"),
                (self.castle == Some(CastlingKind::QueenSide), "o-o-o"),
                (self.castle == Some(CastlingKind::Either), "castle"),
                (self.drop, "drop"),
                (self.null, "null"),
                (self.primary, "primary"),
                (self.secondary, "secondary"),
                (self.tied, "of the line"),
            ],
        )?;
        out.write_str(match self.result {
            MoveResult::Bool => return Ok(()),
            MoveResult::From => ", from to ",
            MoveResult::To => ", to to ",
            MoveResult::Capture => ", captured to ",
            MoveResult::Count => ", count to ",
        })?;
        self.dst.show(code, out)
    }
}

impl Disassemble for DashOperand {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DashOperand::Any => Ok(()),
            DashOperand::Squares(squares) => babson_chess::SquareSet(*squares).show(code, out),
            DashOperand::Designator { squares, content } => {
                Designator { squares: *squares, content: Content(*content) }.show(code, out)
            }
            DashOperand::Register(register) => register.show(code, out),
        }
    }
}

impl Disassemble for DashSpec {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.left.show(code, out)?;
        out.write_str(if self.capture { "[x]" } else { "--" })?;
        self.right.show(code, out)?;
        match self.promotes {
            PromotionTest::Unasked => Ok(()),
            PromotionTest::Kinds(kinds) => write!(out, "={}", Content(u16::from(kinds))),
            PromotionTest::Register(register) => {
                out.write_str("=")?;
                register.show(code, out)
            }
        }
    }
}

impl Disassemble for ImagineSpec {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for change in &self.changes {
            out.write_str(std::mem::replace(&mut separator, ", "))?;
            match change {
                Alteration::Place(place, piece) => {
                    piece.show(code, out)?;
                    out.write_str(" on ")?;
                    place.show(code, out)?;
                }
                Alteration::Swap([first, second]) => {
                    out.write_str("swap ")?;
                    first.show(code, out)?;
                    out.write_str(" and ")?;
                    second.show(code, out)?;
                }
                Alteration::Turn(side) => {
                    side.show(code, out)?;
                    out.write_str(" to move")?;
                }
            }
        }
        if self.check { out.write_str(", in check") } else { Ok(()) }
    }
}

impl Disassemble for PairsSpec {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            SquarePairKind::Attack => out.write_str("attack")?,
            SquarePairKind::Ray { directions, attack } => {
                write!(out, "{} {directions}", if attack { "attack" } else { "ray" })?;
            }
        }
        let (low, high) = self.range;
        write!(out, " {low} {high}, {} sets from ", self.sets)?;
        self.first.show(code, out)
    }
}

impl Disassemble for ConsecutiveMovesSpec {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.left.show(code, out)?;
        out.write_str(" ")?;
        self.right.show(code, out)?;
        words(out, &[(self.quiet, "quiet")])
    }
}

impl Disassemble for TextSegment {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextSegment::Constant(text) => text.show(code, out),
            TextSegment::Variable { var, .. } => var.show(code, out),
        }
    }
}

impl Disassemble for Pattern {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let content = |index: u8| self.contents[usize::from(index)];
        let mut separator = "";
        for group in &self.shifted {
            out.write_str(std::mem::replace(&mut separator, " or "))?;
            Designator { squares: group.anchors, content: content(group.first) }.show(code, out)?;
            for &(other, distance) in &group.rest {
                write!(out, " with {} {distance:+} squares from it", content(other))?;
            }
        }
        for parts in &self.single {
            out.write_str(std::mem::replace(&mut separator, " or "))?;
            for (number, &(index, squares)) in parts.iter().enumerate() {
                out.write_str(if number > 0 { " & " } else { "" })?;
                Designator { squares, content: content(index) }.show(code, out)?;
            }
        }
        Ok(())
    }
}

impl Disassemble for FindSpec {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self.range {
            Some(_) => "(count",
            None => "(first",
        })?;
        if let Some((min, max)) = self.range {
            write!(out, " {min} {max}")?;
        }
        words(out, &[(self.backward, "backward"), (self.quiet, "quiet")])?;
        out.write_str(", ")?;
        filter_at(out, code, self.entry)?;
        self.prefilter.show(code, out)?;
        out.write_str(")")
    }
}

impl Disassemble for LineSpec {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "begins in {:?}", self.start)?;
        words(
            out,
            &[
                (self.backward, "backward"),
                (self.single_color, "singlecolor"),
                (self.primary, "primary"),
                (self.secondary, "secondary"),
                (self.first_match, "firstmatch"),
                (self.last_position, "lastposition"),
                (self.nest_ban.is_some(), "nestban"),
                (self.quiet, "quiet"),
                (self.memo, "memo"),
                (self.lasting, "lasting"),
            ],
        )?;
        for (number, state) in self.states.iter().enumerate() {
            let entry = code.entries[state.entry].pc;
            write!(out, "\n  state {number}: filter at {entry}, then {:?}", state.next)?;
            words(out, &[(state.tied, "for each move"), (state.accepts, "accepts")])?;
        }
        Ok(())
    }
}

impl Disassemble for PathSpec {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "begins in {}", self.start)?;
        words(
            out,
            &[
                (self.primary, "primary"),
                (self.keep_all_best, "keepallbest"),
                (self.first_match, "firstmatch"),
                (self.last_position, "lastposition"),
                (self.verbose, "verbose"),
                (self.piece_path, "piecepath"),
                (self.nest_ban.is_some(), "nestban"),
                (self.quiet, "quiet"),
                (self.memo, "memo"),
                (self.lasting, "lasting"),
            ],
        )?;
        for (number, state) in self.states.iter().enumerate() {
            write!(out, "\n  state {number}: ")?;
            match *state {
                PathState::Step { step, next } => {
                    let step = &self.steps[step as usize];
                    out.write_str("move ")?;
                    code.dashes[step.dash].show(code, out)?;
                    if let Some(targets) = step.targets {
                        write!(out, " (filter at {})", code.entries[targets].pc)?;
                    }
                    write!(out, ", then {next}")?;
                }
                PathState::Holder { entry, next } => {
                    write!(out, "filter at {}, then {next}", code.entries[entry].pc)?;
                }
                PathState::Split(first, second) => write!(out, "{first} or else {second}")?,
                PathState::Enter { slot, next } => {
                    write!(out, "begin turn of loop {slot}, then {next}")?;
                }
                PathState::Back { slot, again, leave } => {
                    write!(out, "end turn of loop {slot}, then {again} or else {leave}")?;
                }
                PathState::Accept => out.write_str("accepts")?,
            }
        }
        Ok(())
    }
}

/// Names a filter by its first instruction.
fn filter_at(out: &mut fmt::Formatter<'_>, code: &Code, entry: Id<EntryPoint>) -> fmt::Result {
    write!(out, "filter at {}", code.entries[entry].pc)
}

impl Disassemble for OnceSpec {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("(")?;
        filter_at(out, code, self.entry)?;
        write!(out, ", value {})", self.value)
    }
}

impl Disassemble for ImagesSpec {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} images", self.images.len)?;
        if let [first, .., last] = self.entries[..] {
            write!(out, " from {} to {}", code.entries[first].pc, code.entries[last].pc)?;
        }
        Ok(())
    }
}

impl Disassemble for CountedBody {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        filter_at(out, code, self.entry)?;
        self.prefilter.show(code, out)?;
        words(out, &[(self.tied, "for each move")])
    }
}

impl Disassemble for GameListSpec {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.body.show(code, out)?;
        words(
            out,
            &[
                (self.main_line, "mainline"),
                (self.variations_only, "variations"),
                (self.mark_first, "mark first"),
                (self.mark_all, "mark all"),
            ],
        )?;
        if let Some((low, high)) = self.count {
            write!(out, " count {low} {high}")?;
        }
        if let Some((bodies, (low, high))) = &self.counted {
            write!(out, ", {low} to {high} of")?;
            for (number, body) in bodies.iter().enumerate() {
                out.write_str(if number > 0 { ", " } else { " " })?;
                body.show(code, out)?;
            }
        }
        match self.images {
            Some(images) => write!(out, ", images {images}"),
            None => Ok(()),
        }
    }
}

impl Disassemble for GameListsSpec {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} lists", self.lists.len())?;
        words(out, &[(self.tags_in_variations, "with tags in variations")])?;
        for (var, content) in &self.tags {
            write!(out, "\n  tag {}: {content}", Disassembly(code, var))?;
        }
        for (number, list) in self.lists.iter().enumerate() {
            write!(out, "\n  list {number}: {}", Disassembly(code, list))?;
        }
        Ok(())
    }
}

impl Disassemble for StepsSpec {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, entry) in self.entries.iter().enumerate() {
            out.write_str(if number > 0 { ", " } else { "" })?;
            filter_at(out, code, *entry)?;
        }
        words(out, &[(self.gapped, "gapped"), (self.main_line, "mainline"), (self.memo, "memo")])
    }
}

impl Disassemble for Recurrence {
    fn show(&self, code: &Code, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self.nodes {
            NodeSelection::MainLine => "main line",
            NodeSelection::All => "all positions",
            NodeSelection::Variations => "variations",
        })?;
        out.write_str(match self.side {
            RecurrenceSide::Same => ", same side to move",
            RecurrenceSide::Changed => ", other side to move",
            RecurrenceSide::Any => ", any side to move",
        })?;
        write!(out, ", squares {}", Disassembly(code, babson_chess::SquareSet(self.squares)))?;
        words(out, &[(self.pattern, "pattern"), (self.flip, "flip"), (self.shift, "shift")])?;
        for (name, ranges) in [("same", &self.same), ("different", &self.different)] {
            for (low, high) in ranges {
                write!(out, ", {name} {low} {high}")?;
            }
        }
        for (name, (pieces, (low, high))) in [("missing", &self.missing), ("new", &self.new)] {
            write!(out, ", {name} {} {low} {high}", Disassembly(code, pieces))?;
        }
        Ok(())
    }
}
