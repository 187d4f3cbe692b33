//! The constituents of `path` and `line`.

use super::{Climb, Climbed, Edge, FILTER, Failed};
use crate::ast::*;
use crate::build::part::{LineStep, Part, PartKind, PathItem};

/// Whether a parameter of `path` or `line` begins with the part.
fn begins_param(part: &PartKind) -> bool {
    matches!(part, PartKind::Param(_) | PartKind::Focus(_) | PartKind::Max)
}

impl Climb<'_, '_, '_> {
    /// The parameters, constituents and wildcards of a `path` or of a group, which the terminal
    /// `closer` ends.
    pub(in crate::build) fn path_items(&mut self, closer: &str) -> Vec<PathItem> {
        if self.is_at_end() {
            self.unexpected(&[FILTER]);
        }
        let mut items = Vec::new();
        while let Some(next) = self.peek() {
            if begins_param(next) {
                if let Ok(param) = self.sequence_param() {
                    items.push(PathItem::Param(param));
                }
                continue;
            }
            let part =
                self.next_if(|part| matches!(part, PartKind::Wild(_) | PartKind::PathGroup(_)));
            items.push(match part {
                Some(Part { kind: PartKind::Wild(wild), .. }) => {
                    self.complete = true;
                    PathItem::Wild(wild)
                }
                Some(Part { kind: PartKind::PathGroup(group), span }) => {
                    self.complete = true;
                    PathItem::Group(group, span)
                }
                _ => PathItem::Filter(self.item(closer, Edge::NoLine)),
            });
        }
        items
    }

    /// A parameter of `path` or `line`.
    fn sequence_param(&mut self) -> Result<Param, Failed> {
        match self.next() {
            Some(Part { kind: PartKind::Param(param), .. }) => Ok(param),
            Some(Part { kind: PartKind::Focus(capture), span }) => {
                let set = self.arg(levels::DASH_OPERAND, Edge::NoLine)?;
                Ok(self.b.focus(capture, *set, self.from(span)))
            }
            Some(Part { span, .. }) => {
                let value = self.arg(levels::FILTER, Edge::NoLine)?;
                Ok(Param::operands(Keyword::Max, vec![*value], self.from(span)))
            }
            None => Err(Failed),
        }
    }

    pub(super) fn line(&mut self, span: Span) -> Climbed {
        let mut params = Vec::new();
        while self.peek().is_some_and(begins_param) {
            params.push(self.sequence_param()?);
        }
        let steps = self.line_steps()?;
        if steps.is_empty() {
            return Err(self.unexpected(&[&["flag", "bound", "chain"]]));
        }
        Ok((self.b.line(params, steps, self.from(span)), levels::FILTER - 1))
    }

    /// The constituents of a group in parentheses: the first one, and the others with their
    /// arrows.
    pub(in crate::build) fn line_group(
        &mut self,
    ) -> Result<(LineConstituent, Vec<LineStep>), Failed> {
        let first = self.line_constituent()?;
        let steps = self.line_steps()?;
        if !self.is_at_end() {
            self.unexpected(&[&["operator", "chain", ")"]]);
        }
        Ok((first, steps))
    }

    fn line_steps(&mut self) -> Result<Vec<LineStep>, Failed> {
        let mut steps = Vec::new();
        while let Some(Part { kind: PartKind::Chain(back), span }) =
            self.next_if(|part| matches!(part, PartKind::Chain(_)))
        {
            steps.push((back, span, self.line_constituent()?));
        }
        Ok(steps)
    }

    fn line_constituent(&mut self) -> Result<LineConstituent, Failed> {
        let start = self.place();
        let group = self.next_if(|part| matches!(part, PartKind::LineGroup(..)));
        if let Some(Part { kind: PartKind::LineGroup(first, steps), .. }) = group {
            let repeats = self.wildcards();
            return Ok(self.b.line_group(first, steps, repeats, self.from(start)));
        }
        let filter = self.arg(levels::FILTER, Edge::NoLine)?;
        let repeats = self.wildcards();
        let kind = LineConstituentKind::Filter(filter);
        Ok(LineConstituent { kind, repeats, span: self.from(start) })
    }

    fn wildcards(&mut self) -> Vec<Wildcard> {
        let mut wildcards = Vec::new();
        while let Some(Part { kind: PartKind::Wild(wild), .. }) =
            self.next_if(|part| matches!(part, PartKind::Wild(_)))
        {
            wildcards.push(wild);
        }
        wildcards
    }
}
