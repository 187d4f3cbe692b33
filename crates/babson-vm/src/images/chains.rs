//! Tests of `line`, `path` and the sequences of CQL 3: filters and moves in sequence.

use super::ImageTest;
use super::derive::{ImageDerivation, all, each, next};
use crate::need::{ChainForm, Link, MoveNeed, Need, PositionRange};

/// A link of the chains of all images.
enum Links<'n, 'e> {
    Here(Vec<&'n Need<'e>>),
    Step(Vec<&'n MoveNeed<'e>>),
    Next,
    Gap,
}

/// The links at one place of all chains, if they are of one kind.
fn side_by_side<'n, 'e>(links: &[Link<'n, 'e>]) -> Option<Links<'n, 'e>> {
    match links.first()? {
        Link::Here(_) => {
            let needs = links
                .iter()
                .map(|link| if let Link::Here(need) = link { Some(*need) } else { None });
            needs.collect::<Option<_>>().map(Links::Here)
        }
        Link::Step(_) => {
            let steps = links
                .iter()
                .map(|link| if let Link::Step(step) = link { Some(*step) } else { None });
            steps.collect::<Option<_>>().map(Links::Step)
        }
        Link::Next => links.iter().all(|link| matches!(link, Link::Next)).then_some(Links::Next),
        Link::Gap => links.iter().all(|link| matches!(link, Link::Gap)).then_some(Links::Gap),
    }
}

impl ImageDerivation<'_> {
    pub(super) fn chain(&mut self, column: &[&Need<'_>]) -> ImageTest {
        let chains =
            each(column, |need| if let Need::Chain(chain) = need { Some(chain) } else { None });
        let Some(chains) = chains else {
            return ImageTest::Nothing;
        };
        let form = chains.first().map_or(ChainForm::Moves, |chain| chain.form);
        if chains.iter().any(|chain| chain.form != form) {
            return ImageTest::Nothing;
        }
        let chains: Vec<Vec<Link<'_, '_>>> = chains.iter().map(|chain| chain.links()).collect();
        let shortest = chains.iter().map(Vec::len).min().unwrap_or(0);
        let mut columns = Vec::with_capacity(shortest);
        for at in 0..shortest {
            let place: Vec<Link<'_, '_>> = chains.iter().map(|chain| chain[at]).collect();
            match side_by_side(&place) {
                Some(found) => columns.push(found),
                // The tests before it are still necessary.
                None => break,
            }
        }
        match form {
            // It does not depend on the followed move.
            ChainForm::Forward => here(self.deeper(true, |this| this.links(&columns, form))),
            ChainForm::Backward | ChainForm::Moves => {
                here(self.deeper(false, |this| this.links(&columns, form)))
            }
            ChainForm::Followed => {
                let tied = self.tied;
                self.deeper(tied, |this| this.links(&columns, form))
            }
        }
    }

    fn links(&mut self, links: &[Links<'_, '_>], form: ChainForm) -> ImageTest {
        let Some((first, rest)) = links.split_first() else {
            return ImageTest::Nothing;
        };
        let tied = self.tied;
        let range = match form {
            ChainForm::Backward => PositionRange::Earlier,
            ChainForm::Forward | ChainForm::Followed | ChainForm::Moves => PositionRange::Later,
        };
        match first {
            Links::Here(column) => {
                let test = self.test(column);
                let rest = self.links(rest, form);
                all([test, rest])
            }
            Links::Step(steps) => {
                let step = self.step(steps);
                let targets: Vec<&Need<'_>> = steps.iter().map(|step| &*step.after).collect();
                let after = self.deeper(tied, |this| {
                    let target = this.test(&targets);
                    let rest = this.links(rest, form);
                    all([target, here(rest)])
                });
                here(all([step, next(after)]))
            }
            Links::Next if form != ChainForm::Backward => {
                next(self.deeper(tied, |this| this.links(rest, form)))
            }
            Links::Next | Links::Gap => {
                let test = self.deeper(tied, |this| this.links(rest, form));
                self.elsewhere(test, range)
            }
        }
    }
}

pub(super) fn here(test: ImageTest) -> ImageTest {
    if test.is_nothing() { test } else { ImageTest::Here(Box::new(test)) }
}
