//! Tests of `line`, `path` and the sequences of CQL 3: filters and moves in sequence.

use babson_lang::hir::{
    Dash, Expr, Focus, LineConstituent, LineConstituentKind, LineFilter, NumberRange,
    PathConstituent, PathConstituentKind, PathFilter,
};

use super::derive::{ImageColumn, ImageDerivation, all, each, next};
use super::{ImageTest, PositionRange};
use crate::analysis::Shape;

/// A link of a chain in one image.
enum Link<'e> {
    /// A filter; the next link belongs to the same position.
    Filter(&'e Expr),
    /// A move that is followed, with the filters after it.
    Step(&'e Dash, &'e [Expr]),
    /// One position further.
    Forward,
    /// Any number of positions further.
    Gap,
}

/// A link of the chains of all images.
enum Links<'e> {
    Filter(ImageColumn<'e>),
    Step(Vec<&'e Dash>, Vec<ImageColumn<'e>>),
    Forward,
    Gap,
}

/// The links at one place of all chains, if they are of one kind.
fn side_by_side<'e>(links: &[&Link<'e>]) -> Option<Links<'e>> {
    fn all<'l, 'e: 'l, T>(
        links: &[&'l Link<'e>],
        pick: impl Fn(&'l Link<'e>) -> Option<T>,
    ) -> Option<Vec<T>> {
        links.iter().map(|&link| pick(link)).collect()
    }
    match links.first()? {
        Link::Filter(_) => {
            all(links, |link| if let Link::Filter(filter) = link { Some(*filter) } else { None })
                .map(Links::Filter)
        }
        Link::Step(_, first) => {
            let steps = all(links, |link| {
                if let Link::Step(dash, targets) = link { Some((*dash, *targets)) } else { None }
            })?;
            if steps.iter().any(|(_, targets)| targets.len() != first.len()) {
                return None;
            }
            let target = |at: usize| steps.iter().map(|(_, targets)| &targets[at]).collect();
            let targets = (0..first.len()).map(target).collect();
            Some(Links::Step(steps.iter().map(|(dash, _)| *dash).collect(), targets))
        }
        Link::Forward => {
            all(links, |link| matches!(link, Link::Forward).then_some(())).map(|_| Links::Forward)
        }
        Link::Gap => all(links, |link| matches!(link, Link::Gap).then_some(())).map(|_| Links::Gap),
    }
}

fn is_constant(range: Option<NumberRange>) -> bool {
    range.is_none_or(NumberRange::is_constant)
}

impl ImageDerivation<'_> {
    /// `line`: it does not depend on the followed move.
    pub(super) fn line(&mut self, column: &[&Expr]) -> ImageTest {
        let lines =
            each(column, |expr| if let Shape::Line(line) = expr { Some(line) } else { None });
        let Some(lines) = lines.filter(|all| all.iter().all(|line| is_constant(line.range))) else {
            return ImageTest::Nothing;
        };
        let backward = lines.iter().any(|line| line.backward);
        if backward && !lines.iter().all(|line| line.backward) {
            return ImageTest::Nothing;
        }
        let chains = lines.iter().map(|line| links_of_line(line)).collect();
        let test = self.deeper(!backward, |this| this.chains(chains, backward));
        here(test)
    }

    pub(super) fn path(&mut self, column: &[&Expr]) -> ImageTest {
        let paths =
            each(column, |expr| if let Shape::Path(path) = expr { Some(path) } else { None });
        let Some(paths) = paths.filter(|all| all.iter().all(|path| is_constant(path.range))) else {
            return ImageTest::Nothing;
        };
        for path in &paths {
            for filter in path.before() {
                if !self.analysis.effects(filter).is_pure() {
                    return ImageTest::Nothing;
                }
            }
        }
        let focus: Option<ImageColumn<'_>> = paths
            .iter()
            .map(|path| match &path.focus {
                Some(Focus::Pieces { set, .. }) => Some(set),
                Some(Focus::SideToMove) | None => None,
            })
            .collect();
        let focus = focus.map_or(ImageTest::Nothing, |sets| self.some(&sets));
        let chains = paths.iter().map(|path| links_of_path(path)).collect();
        let test = self.deeper(false, |this| this.chains(chains, false));
        all([focus, here(test)])
    }

    /// `:sequence`, `:gappedsequence`: the first step is the followed move.
    pub(super) fn steps(&mut self, column: &[&Expr]) -> ImageTest {
        let chains = each(column, |expr| {
            let Shape::Steps(steps) = expr else {
                return None;
            };
            let mut links = Vec::new();
            for filter in &steps.filters {
                if !links.is_empty() {
                    links.push(Link::Forward);
                }
                if steps.gapped {
                    links.push(Link::Gap);
                }
                links.push(Link::Filter(filter));
            }
            Some(links)
        });
        let tied = self.tied;
        chains.map_or(ImageTest::Nothing, |chains| {
            self.deeper(tied, |this| this.chains(chains, false))
        })
    }

    fn chains(&mut self, chains: Vec<Vec<Link<'_>>>, backward: bool) -> ImageTest {
        let Some(first) = chains.first() else {
            return ImageTest::Nothing;
        };
        if chains.iter().any(|chain| chain.len() != first.len()) {
            return ImageTest::Nothing;
        }
        let mut links = Vec::with_capacity(first.len());
        for at in 0..first.len() {
            let place: Vec<&Link<'_>> = chains.iter().map(|chain| &chain[at]).collect();
            match side_by_side(&place) {
                Some(found) => links.push(found),
                // The tests before it are still necessary.
                None => break,
            }
        }
        self.chain(&links, backward)
    }

    fn chain(&mut self, links: &[Links<'_>], backward: bool) -> ImageTest {
        let Some((first, rest)) = links.split_first() else {
            return ImageTest::Nothing;
        };
        let tied = self.tied;
        match first {
            Links::Filter(column) => {
                let test = self.test(column);
                if !self.is_pure(column) {
                    return test;
                }
                let rest = self.chain(rest, backward);
                all([test, rest])
            }
            Links::Step(dashes, targets) => {
                for dash in dashes {
                    for operand in dash.operands() {
                        if !self.analysis.effects(operand).is_pure() {
                            return ImageTest::Nothing;
                        }
                    }
                }
                let step = self.dash(dashes, false);
                let pure = targets.iter().all(|column| self.is_pure(column));
                let after = self.deeper(tied, |this| {
                    let target = this.conjunction(targets);
                    if !pure {
                        return target;
                    }
                    let rest = this.chain(rest, backward);
                    all([target, here(rest)])
                });
                here(all([step, next(after)]))
            }
            Links::Forward if backward => {
                let test = self.deeper(tied, |this| this.chain(rest, backward));
                self.elsewhere(test, PositionRange::Earlier)
            }
            Links::Forward => {
                let test = self.deeper(tied, |this| this.chain(rest, backward));
                next(test)
            }
            Links::Gap => {
                let test = self.deeper(tied, |this| this.chain(rest, backward));
                self.elsewhere(
                    test,
                    if backward { PositionRange::Earlier } else { PositionRange::Later },
                )
            }
        }
    }
}

fn here(test: ImageTest) -> ImageTest {
    if test.is_nothing() { test } else { ImageTest::Here(Box::new(test)) }
}

fn links_of_line(line: &LineFilter) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    add_constituents(&line.constituents, line.single_color, &mut links);
    links
}

fn add_constituents<'e>(list: &'e [LineConstituent], passes_over: bool, links: &mut Vec<Link<'e>>) {
    for constituent in list {
        let repeated = constituent.repeats.iter().any(|&repeat| repeat != (1, 1));
        let required = constituent.repeats.iter().all(|&(min, _)| min > 0);
        if matches!(links.last(), Some(Link::Filter(_))) {
            links.push(Link::Forward);
            if passes_over {
                links.push(Link::Gap);
            }
        }
        if required {
            match &constituent.kind {
                LineConstituentKind::Filter(filter) => links.push(Link::Filter(filter)),
                LineConstituentKind::Group(group) => add_constituents(group, passes_over, links),
            }
        }
        if repeated {
            links.push(Link::Gap);
        }
    }
}

fn links_of_path(path: &PathFilter) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    add_parts(&path.constituents, path.focus.is_some(), &mut links);
    links
}

fn add_parts<'e>(list: &'e [PathConstituent], passes_over: bool, links: &mut Vec<Link<'e>>) {
    for part in list {
        if passes_over {
            links.push(Link::Gap);
        }
        if part.repeat.is_none_or(|(min, _)| min > 0) {
            match &part.kind {
                PathConstituentKind::Step { dash, targets } => {
                    links.push(Link::Step(dash, targets))
                }
                PathConstituentKind::Holder(filter) => links.push(Link::Filter(filter)),
                PathConstituentKind::Chain(parts) => add_parts(parts, passes_over, links),
            }
        }
        if part.repeat.is_some_and(|repeat| repeat != (1, 1)) {
            links.push(Link::Gap);
        }
    }
}
