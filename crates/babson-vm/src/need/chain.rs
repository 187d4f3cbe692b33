//! Sequences of positions: `line`, `path` and the sequences of CQL 3.

use babson_lang::hir::{
    Dash, DashFilter, Expr, Focus, LineConstituent, LineConstituentKind, LineFilter, NumberRange,
    PathConstituent, PathConstituentKind, PathFilter, PositionSequence,
};

use super::extract::Rules;
use super::trace::Trace;
use super::{MoveKind, MoveNeed, Need};

/// What positions that follow each other need.
#[derive(Debug, PartialEq)]
pub(crate) struct Chain<'e> {
    pub(crate) form: ChainForm,
    /// Where positions may be skipped.
    pub(crate) gaps: Gaps,
    /// In their order, up to the first one that leaves something visible.
    pub(crate) parts: Vec<Part<'e>>,
}

/// How a chain goes on after a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChainForm {
    /// Each filter has a position of its own: that after the one of the filter before it.
    Forward,
    /// The same, along the move that a sequence around it follows.
    Followed,
    /// That before it.
    Backward,
    /// Steps follow moves, and filters look at the position that is reached.
    Moves,
}

/// Where any number of positions may be skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gaps {
    None,
    BetweenParts,
    BeforeEachPart,
}

/// A part of a chain.
#[derive(Debug, PartialEq)]
pub(crate) struct Part<'e> {
    /// How often it matches: repetitions, applied from left to right; none for once.
    pub(crate) repeats: Vec<(u32, u32)>,
    /// Whether it is a condition for the game only, as [`Need::InGame`].
    in_game: bool,
    pub(crate) kind: PartKind<'e>,
}

/// The kind of a part.
#[derive(Debug, PartialEq)]
pub(crate) enum PartKind<'e> {
    Filter(Need<'e>),
    /// A move, and what the position after it needs.
    Step(MoveNeed<'e>),
    Group(Vec<Part<'e>>),
}

/// A link of a chain without its groups: what is needed on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Link<'n, 'e> {
    /// A condition; the next link belongs to the same position.
    Here(&'n Need<'e>),
    /// A move that is followed.
    Step(&'n MoveNeed<'e>),
    /// One position further.
    Next,
    /// Any number of positions further.
    Gap,
}

impl Part<'_> {
    pub(crate) fn is_required(&self) -> bool {
        self.repeats.iter().all(|&(min, _)| min > 0)
    }

    /// Whether it matches exactly once.
    fn is_single(&self) -> bool {
        self.repeats.iter().all(|&repeat| repeat == (1, 1))
    }
}

impl<'e> Chain<'e> {
    /// The links of the parts that must match, as far as they are conditions for a position.
    pub(crate) fn links(&self) -> Vec<Link<'_, 'e>> {
        let mut links = Vec::new();
        self.add_links(&self.parts, &mut links);
        links
    }

    /// Returns whether what follows is a condition for a position, too.
    fn add_links<'n>(&self, parts: &'n [Part<'e>], links: &mut Vec<Link<'n, 'e>>) -> bool {
        for part in parts {
            if part.in_game {
                return false;
            }
            if self.form != ChainForm::Moves && matches!(links.last(), Some(Link::Here(_))) {
                links.push(Link::Next);
                if self.gaps == Gaps::BetweenParts {
                    links.push(Link::Gap);
                }
            }
            if self.gaps == Gaps::BeforeEachPart {
                links.push(Link::Gap);
            }
            if part.is_required() {
                match &part.kind {
                    PartKind::Filter(need) => links.push(Link::Here(need)),
                    PartKind::Step(step) => links.push(Link::Step(step)),
                    PartKind::Group(parts) => {
                        if !self.add_links(parts, links) {
                            return false;
                        }
                    }
                }
            }
            if !part.is_single() {
                links.push(Link::Gap);
            }
        }
        true
    }
}

/// Parts in the order of evaluation, and what those so far leave in vain.
struct PartList<'e> {
    parts: Vec<Part<'e>>,
    trace: Trace,
}

impl<'e> PartList<'e> {
    fn new(trace: Trace) -> PartList<'e> {
        PartList { parts: Vec::new(), trace }
    }

    /// Adds a part; what is left after it is `trace`.
    fn push(&mut self, repeats: Vec<(u32, u32)>, kind: PartKind<'e>, trace: Trace) {
        let mut part = Part { repeats, in_game: self.trace == Trace::Comments, kind };
        self.trace = trace;
        if trace == Trace::Visible {
            // Its first evaluation may leave something.
            if !part.is_required() {
                return;
            }
            part.repeats.clear();
        }
        self.parts.push(part);
    }
}

impl Rules<'_> {
    pub(super) fn line<'e>(self, line: &'e LineFilter) -> Need<'e> {
        if !line.range.is_none_or(NumberRange::is_constant) {
            return Need::Unknown;
        }
        let form = if line.backward { ChainForm::Backward } else { ChainForm::Forward };
        let gaps = if line.single_color { Gaps::BetweenParts } else { Gaps::None };
        let parts = self.line_parts(&line.constituents, Trace::Nothing).parts;
        Need::Chain(Chain { form, gaps, parts })
    }

    fn line_parts<'e>(self, list: &'e [LineConstituent], before: Trace) -> PartList<'e> {
        let mut found = PartList::new(before);
        for constituent in list {
            let (kind, trace) = match &constituent.kind {
                LineConstituentKind::Filter(filter) => {
                    let need = self.conjunction([&**filter]);
                    (PartKind::Filter(need), found.trace.max(self.trace(filter)))
                }
                LineConstituentKind::Group(inner) => {
                    let inner = self.line_parts(inner, found.trace);
                    (PartKind::Group(inner.parts), inner.trace)
                }
            };
            found.push(constituent.repeats.clone(), kind, trace);
            if found.trace == Trace::Visible {
                break;
            }
        }
        found
    }

    pub(super) fn path<'e>(self, path: &'e PathFilter) -> Need<'e> {
        if !path.range.is_none_or(NumberRange::is_constant) {
            return Need::Unknown;
        }
        let (focus, trace) = match &path.focus {
            Some(Focus::Pieces { set, .. }) => (Some(set), self.trace(set)),
            Some(Focus::SideToMove) | None => (None, Trace::Nothing),
        };
        self.after(trace, || {
            let gaps = if path.focus.is_some() { Gaps::BeforeEachPart } else { Gaps::None };
            let PartList { parts, trace, .. } = self.path_parts(&path.constituents, Trace::Nothing);
            let chain = Need::Chain(Chain { form: ChainForm::Moves, gaps, parts });
            // Constituents that leave something are evaluated even if no piece is in focus.
            let trace = trace.max(self.traces(&path.max));
            let focus = focus.filter(|_| trace != Trace::Visible);
            Need::all(focus.map(|set| self.some(set)).into_iter().chain([chain]))
        })
    }

    fn path_parts<'e>(self, list: &'e [PathConstituent], before: Trace) -> PartList<'e> {
        let mut found = PartList::new(before);
        for constituent in list {
            let (kind, trace) = match &constituent.kind {
                PathConstituentKind::Holder(filter) => {
                    let need = self.conjunction([&**filter]);
                    (PartKind::Filter(need), found.trace.max(self.trace(filter)))
                }
                PathConstituentKind::Chain(inner) => {
                    let inner = self.path_parts(inner, found.trace);
                    (PartKind::Group(inner.parts), inner.trace)
                }
                PathConstituentKind::Step { dash, targets } => {
                    found.trace = found.trace.max(self.traces(dash.operands()));
                    if found.trace == Trace::Visible {
                        break;
                    }
                    let step = MoveNeed {
                        kind: MoveKind::Dash(dash),
                        previous: false,
                        operands: Box::new(self.dash_operands(dash)),
                        after: Box::new(self.conjunction(targets)),
                    };
                    (PartKind::Step(step), found.trace.max(self.traces(targets)))
                }
            };
            found.push(constituent.repeat.into_iter().collect(), kind, trace);
            if found.trace == Trace::Visible {
                break;
            }
        }
        found
    }

    pub(super) fn steps<'e>(self, steps: &'e PositionSequence) -> Need<'e> {
        let mut found = PartList::new(Trace::Nothing);
        for filter in &steps.filters {
            let need = self.conjunction([filter]);
            let trace = found.trace.max(self.trace(filter));
            found.push(Vec::new(), PartKind::Filter(need), trace);
            if found.trace == Trace::Visible {
                break;
            }
        }
        let gaps = if steps.gapped { Gaps::BeforeEachPart } else { Gaps::None };
        Need::Chain(Chain { form: ChainForm::Followed, gaps, parts: found.parts })
    }

    pub(super) fn dash_filter<'e>(self, filter: &'e DashFilter) -> Need<'e> {
        if filter.count {
            return Need::Unknown;
        }
        self.after(self.traces(filter.dash.operands()), || {
            Need::Move(MoveNeed {
                kind: MoveKind::Dash(&filter.dash),
                previous: filter.previous,
                operands: Box::new(self.dash_operands(&filter.dash)),
                after: Box::new(self.conjunction(&filter.target)),
            })
        })
    }

    /// What the sets of a dash need.
    fn dash_operands<'e>(self, dash: &'e Dash) -> Need<'e> {
        let sets: [Option<&'e Expr>; 2] = [dash.left.as_ref(), dash.right.as_ref()];
        Need::all(sets.into_iter().flatten().map(|set| self.some(set)))
    }
}
