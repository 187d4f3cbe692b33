//! Filters that are evaluated at most once per game or position.
//!
//! The largest filters with this property become basic blocks. An instruction asks for the outcome
//! of a block. The first time the machine runs the block; later it looks up the outcome.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use babson_lang::hir::{Constancy, Expr, ExprKind, FindMode, OrbitResult, Shape, Type};

use super::builder::{Builder, OnceFilter};
use crate::analysis::conjuncts;
use crate::limits::MIN_ONCE_COST;
use crate::op::{EntryPoint, Id, Label, OnceSpec, Op, Register};

impl Builder {
    /// Emits a look-up of the outcome of the filter, with its value in `dst`. Returns false if the
    /// filter is not one that is evaluated once.
    pub(super) fn once(&mut self, expr: &Expr, dst: Option<Register>, fail: Label) -> bool {
        let Some(filter) = self.once_index(expr, dst.is_none()) else {
            return false;
        };
        if dst.is_none() && self.known_matches.contains(&filter) {
            return true;
        }
        self.with_temps(|this| {
            let dst = dst.unwrap_or_else(|| this.temp());
            this.emit(match this.once[filter.index()].at_position {
                true => Op::OncePosition { dst, filter, fail },
                false => Op::OnceGame { dst, filter, fail },
            });
        });
        true
    }

    /// The number of the filter among those that are evaluated once, if it is one.
    fn once_index(&mut self, expr: &Expr, test: bool) -> Option<Id<OnceSpec>> {
        if self.in_once || self.runs_once || self.is_profiled() {
            return None;
        }
        let effects = self.effects(expr);
        if effects.comments || effects.state {
            return None;
        }
        let at_position = match effects.constancy {
            Constancy::Game | Constancy::Tags => false,
            Constancy::Query if effects.cost >= MIN_ONCE_COST => false,
            Constancy::Position if effects.cost >= MIN_ONCE_COST => true,
            Constancy::None | Constancy::Position | Constancy::Query => return None,
        };
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one((expr, test));
        let same = self.once_by_hash.entry(hash).or_default();
        let known = same.iter().find(|&&index| {
            let once = &self.once[index.index()];
            once.test == test && *once.expr == *expr
        });
        if let Some(&index) = known {
            return Some(index);
        }
        let index = Id::new(self.once.len());
        same.push(index);
        let per = if at_position { "position" } else { "game" };
        self.notes.push(format!("evaluated once per {per}: filter at byte {}", expr.span.start));
        self.once.push(OnceFilter { expr: Box::new(expr.clone()), test, at_position });
        Some(index)
    }

    /// The code of all blocks. It must be emitted last: a block can run within any other code and
    /// must not change the registers of that code.
    pub(super) fn once_blocks(&mut self) -> Vec<OnceSpec> {
        let filters = std::mem::take(&mut self.once);
        self.in_once = true;
        self.skip_used_registers();
        filters.iter().map(|filter| self.once_block(filter)).collect()
    }

    fn once_block(&mut self, filter: &OnceFilter) -> OnceSpec {
        self.with_temps(|this| {
            let value = this.temp();
            let entry = this.entry("filter evaluated once");
            let failed = this.label();
            if filter.test {
                this.test(&filter.expr, failed);
            } else {
                this.value(&filter.expr, value, failed);
            }
            this.emit(Op::Return { matched: true });
            this.bind(failed);
            this.emit(Op::Return { matched: false });
            let text = !filter.test && filter.expr.ty == Type::String;
            OnceSpec { entry, value, text }
        })
    }

    /// Emits the code of the game prefilters: tests that a game must pass for the query to match.
    /// The tag prefilter has the tests that need only tags. The game prefilter has all of them; it
    /// is none if tags are enough for all of them.
    pub(super) fn requirements(&mut self, body: &[Expr]) -> [Option<Id<EntryPoint>>; 2] {
        let tags = self.requirement("tag prefilter", body, Constancy::Tags);
        self.least_required = Constancy::Query;
        let all = self.requirement("game prefilter", body, Constancy::Game);
        [tags, all.filter(|_| self.least_required < Constancy::Tags)]
    }

    fn requirement(
        &mut self,
        name: &'static str,
        body: &[Expr],
        least: Constancy,
    ) -> Option<Id<EntryPoint>> {
        if self.is_profiled() || !self.requires(body, least) {
            return None;
        }
        let entry = self.entry(name);
        let failed = self.label();
        self.require(body, least, failed);
        self.emit(Op::Return { matched: true });
        self.bind(failed);
        self.emit(Op::Return { matched: false });
        Some(entry)
    }

    /// Emits, before a loop, the tests that the game must pass for its body to match anywhere.
    /// They are known to match until [`Builder::forget_known`] is called with the returned number.
    pub(super) fn require_for_body(&mut self, body: &Expr, fail: Label) -> usize {
        let known = self.known_matches.len();
        if self.is_profiled() || self.in_once {
            return known;
        }
        self.require([body], Constancy::Game, fail);
        let mut filters = Vec::new();
        conjuncts([body], &mut filters);
        for filter in filters {
            let effects = self.effects(filter);
            if !effects.is_pure() {
                break;
            }
            if is_required(filter, effects.constancy, Constancy::Game) {
                let index = self.once_index(filter, true);
                self.known_matches.extend(index);
            }
        }
        known
    }

    /// Whether all conjuncts of the filter are known to match.
    pub(super) fn is_known(&mut self, filter: &Expr) -> bool {
        let mut filters = Vec::new();
        conjuncts([filter], &mut filters);
        !self.known_matches.is_empty()
            && filters.iter().all(|filter| {
                let index = self.once_index(filter, true);
                index.is_some_and(|index| self.known_matches.contains(&index))
            })
    }

    pub(super) fn forget_known(&mut self, known: usize) {
        self.known_matches.truncate(known);
    }

    /// Whether [`Builder::require`] would emit a test.
    fn requires<'e>(&mut self, list: impl IntoIterator<Item = &'e Expr>, least: Constancy) -> bool {
        let mut filters = Vec::new();
        conjuncts(list, &mut filters);
        for filter in filters {
            let effects = self.effects(filter);
            let required = effects.is_pure() && is_required(filter, effects.constancy, least)
                || alternatives(filter)
                    .is_some_and(|list| list.into_iter().all(|each| self.requires([each], least)));
            if required || !effects.is_pure() {
                return required;
            }
        }
        false
    }

    /// Emits the tests that the game must pass for the filters to match, up to the first filter
    /// with an effect.
    fn require<'e>(
        &mut self,
        list: impl IntoIterator<Item = &'e Expr>,
        least: Constancy,
        fail: Label,
    ) {
        let mut filters = Vec::new();
        conjuncts(list, &mut filters);
        for filter in filters {
            let effects = self.effects(filter);
            if effects.is_pure() && is_required(filter, effects.constancy, least) {
                self.least_required = self.least_required.min(effects.constancy);
                self.test(filter, fail);
            } else if let Some(list) = alternatives(filter)
                && list.iter().all(|each| self.requires([*each], least))
            {
                let done = self.label();
                let mut list = list.into_iter().peekable();
                while let Some(each) = list.next() {
                    if list.peek().is_none() {
                        self.require([each], least, fail);
                    } else {
                        let next = self.label();
                        self.require([each], least, next);
                        self.jump(done);
                        self.bind(next);
                    }
                }
                self.bind(done);
            }
            if !effects.is_pure() {
                break;
            }
        }
    }
}

/// Whether a filter is a test of a game. Of those that are the same in all games, only one that
/// never matches is: then the moves of no game are read.
fn is_required(filter: &Expr, constancy: Constancy, least: Constancy) -> bool {
    let is_false = matches!(filter.kind, ExprKind::Bool(false));
    constancy >= least && (constancy != Constancy::Query || is_false)
}

/// The alternatives of a filter. If none of them matches anywhere in the game, the filter neither
/// matches nor has an effect. `None` if it has no alternatives.
fn alternatives(expr: &Expr) -> Option<Vec<&Expr>> {
    match Shape::of(expr) {
        Shape::Or(a, b) => Some(vec![a, b]),
        Shape::AnyOf(elements, result) if result == OrbitResult::Any || expr.ty != Type::Bool => {
            Some(elements.iter().collect())
        }
        Shape::Find(find) => match find.mode {
            FindMode::First | FindMode::All => Some(vec![&find.body]),
            FindMode::Range(_) => None,
        },
        Shape::Conjunction
        | Shape::Not(_)
        | Shape::AnyOf(..)
        | Shape::Condition(_)
        | Shape::Compare(..)
        | Shape::Fen(_)
        | Shape::Pairs(_)
        | Shape::ForEach(_)
        | Shape::Move(_)
        | Shape::Dash(_)
        | Shape::Line(_)
        | Shape::Path(_)
        | Shape::Echo(_)
        | Shape::Steps(_)
        | Shape::Sort(_)
        | Shape::Other => None,
    }
}
