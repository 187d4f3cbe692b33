//! A `find` whose filter depends on the node only: the filter is evaluated at most once at each
//! position of a game.
//!
//! What the search finds from a node on follows from the outcome of its filter there and from what
//! it finds from the children on, or backward from the parent on. A search looks only at the
//! positions that no search before it has looked at, in the order in which it would look at all.

use super::super::{Run, Stop, push};
use crate::op::{FindSpec, Id, Pc};
use crate::prefilter::Prefilter;

/// What a search finds from a node on: in its subtree, or backward from it to the initial position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::machine) struct FoundFrom {
    /// The number of positions. A search for the first one stops there, and this is 1.
    count: u32,
    /// The first of them, or [`NO_POSITION`].
    first: u32,
}

const NO_POSITION: u32 = u32::MAX;

const NOTHING: FoundFrom = FoundFrom { count: 0, first: NO_POSITION };

impl Default for FoundFrom {
    fn default() -> FoundFrom {
        NOTHING
    }
}

impl FoundFrom {
    fn at(node: u32) -> FoundFrom {
        FoundFrom { count: 1, first: node }
    }
}

/// Positions that are looked at in a row before those that are known are looked for again.
const STRETCH: u32 = 64;

impl<'m> Run<'m, '_> {
    /// The value of the `find` at the current position.
    pub(in crate::machine) fn find_once(
        &mut self,
        pc: Pc,
        id: Id<FindSpec>,
    ) -> Result<Option<u64>, Stop> {
        let spec = self.program.code.finds[id];
        let start = self.here.node;
        let bottom = self.state.searched.len();
        self.step(pc)?;
        let tables = &mut self.state.carryover.found;
        let found = if !tables.prepare(id.index(), self.nodes.len()) {
            self.entered(|run| run.find_anew(pc, spec, start))?
        } else if let Some(found) = self.found_from(id, start) {
            found
        } else {
            self.entered(|run| match spec.backward {
                true => run.search_back(pc, id, spec, start),
                false => run.search_on(pc, id, spec, start),
            })?;
            self.found_from(id, start).unwrap_or(NOTHING)
        };
        let value = self.conclude(id, spec, found, bottom);
        self.state.searched.truncate(bottom);
        Ok(value)
    }

    /// Runs a search that changes the current position, and comes back to it.
    fn entered<T>(&mut self, search: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        self.enter();
        let found = search(self)?;
        self.leave();
        Ok(found)
    }

    #[inline]
    fn found_from(&self, id: Id<FindSpec>, node: u32) -> Option<FoundFrom> {
        self.state.carryover.found.get(id.index(), node as usize)
    }

    /// The value, and the comments if there is one. The positions found are those in the list from
    /// `bottom` on, or else those in the tables.
    fn conclude(
        &mut self,
        id: Id<FindSpec>,
        spec: FindSpec,
        found: FoundFrom,
        bottom: usize,
    ) -> Option<u64> {
        let FoundFrom { count, first } = found;
        let comments = self.comments_itself(spec.quiet);
        let Some((min, max)) = spec.range else {
            if first == NO_POSITION {
                return None;
            }
            if comments {
                let text = self.state.intern(b"Found");
                self.comment_at(first, text);
            }
            return Some(u64::from(first));
        };
        let in_range = (min..=max).contains(&i32::try_from(count).unwrap_or(i32::MAX));
        // Comments that are never undone stay even if the filter does not match.
        let stays =
            self.context.options.always_comment && self.program.dialect.failed_comments_vanish;
        if comments && (in_range || stays) {
            self.state.steps.pay(u64::from(count));
            if self.state.searched.len() == bottom {
                self.list_found(id, spec, found);
            }
            for number in 1..=self.state.searched.len() - bottom {
                let node = self.state.searched[bottom + number - 1];
                let text = format!("Found {number} of {count}");
                let text = self.state.intern(text.as_bytes());
                self.comment_at(node, text);
            }
        }
        in_range.then_some(u64::from(count))
    }

    /// Lists the positions that were found from the current node on.
    fn list_found(&mut self, id: Id<FindSpec>, spec: FindSpec, found: FoundFrom) {
        let mut next = found.first;
        let mut left = found.count;
        while left > 0 && next != NO_POSITION {
            self.add_searched(next);
            left -= 1;
            next = if left == 0 {
                NO_POSITION
            } else if spec.backward {
                let parent = self.parent(next);
                parent
                    .and_then(|parent| self.found_from(id, parent))
                    .map_or(NO_POSITION, |f| f.first)
            } else {
                self.first_after(id, next)
            };
        }
    }

    /// The first position after the node that was found, which there must be.
    fn first_after(&mut self, id: Id<FindSpec>, node: u32) -> u32 {
        let mut next = node + 1;
        while let Some(found) = self.found_from(id, next) {
            if found.first != NO_POSITION {
                return found.first;
            }
            self.state.steps.pay(1);
            next = self.subtree_end(next);
        }
        NO_POSITION
    }

    /// Finds what is in the subtree of a node.
    fn search_on(
        &mut self,
        pc: Pc,
        id: Id<FindSpec>,
        spec: FindSpec,
        start: u32,
    ) -> Result<(), Stop> {
        let bottom = self.state.searched.len();
        let end = self.subtree_end(start);
        let mut node = start;
        while node < end {
            if let Some(found) = self.found_from(id, node) {
                self.add_searched(node);
                if spec.range.is_none() && found.first != NO_POSITION {
                    break;
                }
                node = self.subtree_end(node);
                continue;
            }
            let limit = end.min(node.saturating_add(STRETCH));
            let known = (node + 1..limit).find(|&next| self.found_from(id, next).is_some());
            let limit = known.unwrap_or(limit);
            if self.search_stretch(pc, id, spec, node, limit)? {
                break;
            }
            node = limit;
        }
        // What is found from a node on is found from its parent on as well. The children come after
        // their parents, so the first child is the last to tell its own.
        while self.state.searched.len() > bottom
            && let Some(node) = self.state.searched.pop()
        {
            let below = self.found_from(id, node).unwrap_or(NOTHING);
            let parent = self.nodes[node as usize].parent;
            if node == start || below.first == NO_POSITION {
                continue;
            }
            let mut sum = self.found_from(id, parent).unwrap_or(NOTHING);
            sum.count += below.count;
            if sum.first != parent {
                sum.first = below.first;
            }
            self.state.carryover.found.set(id.index(), parent as usize, sum);
        }
        Ok(())
    }

    /// Looks at a range of positions that are not known yet. Returns whether the search is over.
    fn search_stretch(
        &mut self,
        pc: Pc,
        id: Id<FindSpec>,
        spec: FindSpec,
        first: u32,
        end: u32,
    ) -> Result<bool, Stop> {
        let prefilter = self.prefilter_of(spec);
        let mut node = first;
        while node < end {
            let next = match prefilter {
                Some(prefilter) => {
                    prefilter.next(self.boards(), node as usize..end as usize) as u32
                }
                None => node,
            };
            let next = next.min(end);
            for rejected in node..next {
                self.state.carryover.found.set(id.index(), rejected as usize, NOTHING);
                self.add_searched(rejected);
            }
            self.state.steps.pay(u64::from(next - node));
            if next == end {
                break;
            }
            if self.holds_at(pc, id, spec, next)? && spec.range.is_none() {
                return Ok(true);
            }
            node = next + 1;
        }
        Ok(false)
    }

    /// Evaluates the filter at a node.
    fn holds_at(
        &mut self,
        pc: Pc,
        id: Id<FindSpec>,
        spec: FindSpec,
        node: u32,
    ) -> Result<bool, Stop> {
        self.step(pc)?;
        self.here = self.at(node);
        let holds = self.call(spec.entry)?;
        let found = if holds { FoundFrom::at(node) } else { NOTHING };
        self.state.carryover.found.set(id.index(), node as usize, found);
        self.add_searched(node);
        Ok(holds)
    }

    /// Finds what is at a node and its ancestors.
    fn search_back(
        &mut self,
        pc: Pc,
        id: Id<FindSpec>,
        spec: FindSpec,
        start: u32,
    ) -> Result<(), Stop> {
        let bottom = self.state.searched.len();
        let prefilter = self.prefilter_of(spec);
        let mut next = Some(start);
        while let Some(node) = next
            && self.found_from(id, node).is_none()
        {
            if prefilter.is_some_and(|prefilter| !prefilter.holds(self.boards(), node as usize)) {
                self.state.steps.pay(1);
                self.state.carryover.found.set(id.index(), node as usize, NOTHING);
                self.add_searched(node);
            } else if self.holds_at(pc, id, spec, node)? && spec.range.is_none() {
                break;
            }
            next = self.parent(node);
        }
        while self.state.searched.len() > bottom
            && let Some(node) = self.state.searched.pop()
        {
            let own = self.found_from(id, node).unwrap_or(NOTHING);
            let before = self.parent(node).and_then(|parent| self.found_from(id, parent));
            let before = before.unwrap_or(NOTHING);
            let found = match own.first {
                NO_POSITION => before,
                _ if spec.range.is_none() => own,
                _ => FoundFrom { count: before.count + 1, first: node },
            };
            self.state.carryover.found.set(id.index(), node as usize, found);
        }
        Ok(())
    }

    /// Searches without tables, which would be too large, and lists what it finds.
    fn find_anew(&mut self, pc: Pc, spec: FindSpec, start: u32) -> Result<FoundFrom, Stop> {
        let prefilter = self.prefilter_of(spec);
        let end = self.subtree_end(start);
        let mut found = NOTHING;
        let mut next = Some(start);
        while let Some(node) = next {
            self.step(pc)?;
            self.here = self.at(node);
            if prefilter.is_none_or(|prefilter| prefilter.holds(self.boards(), node as usize))
                && self.call(spec.entry)?
            {
                self.add_searched(node);
                found.count += 1;
                if found.first == NO_POSITION {
                    found.first = node;
                }
                if spec.range.is_none() {
                    break;
                }
            }
            next = match spec.backward {
                true => self.parent(node),
                false => Some(node + 1).filter(|&next| next < end),
            };
        }
        Ok(found)
    }

    fn prefilter_of(&self, spec: FindSpec) -> Option<&'m Prefilter> {
        let program = self.program;
        program.code.prefilters.get(spec.prefilter?.index())
    }

    #[inline]
    fn add_searched(&mut self, node: u32) {
        if !push(&mut self.state.searched, node) {
            self.state.overflow();
        }
    }
}
