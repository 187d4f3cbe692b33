//! Best values: of the keys of `sort`, and of transforms that have the value of their best image.

use std::ops::Range;

use babson_lang::hir::{ComparisonOperator, Type};

use super::{Run, extend, logged_at};
use crate::op::Register;

/// The most similar match of a game: the key of `--like` and its best value.
pub(super) struct Nearest {
    key: usize,
    value: Option<u64>,
}

impl Run<'_, '_> {
    fn is_better(&mut self, new: u64, old: u64, min: bool, text: bool) -> bool {
        let ty = if text { Type::String } else { Type::Number };
        let relation = if min { ComparisonOperator::Less } else { ComparisonOperator::Greater };
        self.compare(ty, relation, new, old)
    }

    /// Registers: the best value, whether there is one, the mark of the beginning; the value, its
    /// mark.
    pub(super) fn best(&mut self, best: Register, value: Register, min: bool, text: bool) {
        let new = self.state.registers[value];
        let mark = logged_at(self.state.registers[value + 1]);
        let keeps_all = self.context.options.always_comment;
        if self.state.registers[best + 1] == 0
            || self.is_better(new, self.state.registers[best], min, text)
        {
            self.state.registers[best] = new;
            self.state.registers[best + 1] = 1;
            if !keeps_all {
                let first = logged_at(self.state.registers[best + 2]).min(mark);
                self.state.log.drain(first..mark);
            }
        } else if new != self.state.registers[best]
            && self.is_better(self.state.registers[best], new, min, text)
            && !keeps_all
        {
            self.state.log.truncate(mark);
        }
    }

    /// The most similar match so far, if the query has `--like`.
    pub(super) fn best_match(&self) -> Option<Nearest> {
        let like = self.program.code.like.as_ref()?;
        Some(Nearest { key: like.key, value: self.state.sorts[like.key] })
    }

    /// Whether the position that has just matched is more similar than all before it; `best` takes
    /// its value. Only a match evaluates the key of `--like`, so the loop over the positions need
    /// not look at it.
    pub(super) fn improves(&self, best: &mut Nearest) -> bool {
        let value = self.state.sorts[best.key];
        let improves = value != best.value;
        best.value = value;
        improves
    }

    /// Forgets the positions that matched, with their values and their entries of the log; how many
    /// they are.
    pub(super) fn forget_matches(&mut self, logged: Range<usize>) -> usize {
        let matches = self.outcome.positions.len();
        self.outcome.positions.clear();
        // The value of the new match is already there.
        self.outcome.values.drain(..matches.min(self.outcome.values.len()));
        if !self.context.options.always_comment {
            self.state.log.drain(logged);
        }
        matches
    }

    pub(super) fn sort(&mut self, key: u16, new: u64, mark: u64, text: bool) {
        let key = usize::from(key);
        let mark = logged_at(mark).min(self.state.log.len());
        let min = self.program.sorts[key].min;
        let better = self.state.sorts[key].is_none_or(|old| self.is_better(new, old, min, text));
        let tie = !better
            && self.context.options.keep_all_best
            && self.state.sorts[key].is_some_and(|old| !self.is_better(old, new, min, text));
        if better {
            self.state.sorts[key] = Some(new);
        }
        if self.context.options.no_sort_comments || self.context.options.always_comment {
            return;
        }
        if better {
            self.state.sort_comments[key].clear();
        }
        if better || tie {
            let fits = extend(&mut self.state.sort_comments[key], &self.state.log[mark..]);
            if !fits {
                self.state.overflow();
            }
        }
        self.state.log.truncate(mark);
    }
}
