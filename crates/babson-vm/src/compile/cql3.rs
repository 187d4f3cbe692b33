//! What only CQL 3 says: position lists over a game, steps, pairs, recurrences.

use babson_lang::hir::{
    Expr, GameList, GameLists, MarkMode, NodeSelection, PositionSequence, Recurrence, SquarePairs,
};

use super::builder::Builder;
use crate::op::{CountedBody, GameListSpec, GameListsSpec, Label, Op, PairsSpec, StepsSpec};

impl Builder {
    pub(super) fn game_lists(&mut self, lists: &GameLists, fail: Label) {
        let spec = GameListsSpec {
            tags: lists.tags.iter().map(|tag| (self.var(tag.var), tag.content)).collect(),
            tags_in_variations: lists.tags_in_variations,
            lists: lists.lists.iter().map(|list| self.game_list(list)).collect(),
        };
        let spec = self.game_lists.push(spec);
        self.emit(Op::GameLists { spec, fail });
    }

    fn game_list(&mut self, list: &GameList) -> GameListSpec {
        let body = self.counted_body(&list.body);
        let images = list.counted.as_ref().and_then(|(bodies, _)| {
            let tied = std::mem::replace(&mut self.in_tie, true);
            let images = self.images(bodies);
            self.in_tie = tied;
            images
        });
        let counted = list.counted.as_ref().map(|(bodies, range)| {
            let bodies = bodies.iter().map(|body| self.counted_body(body));
            (bodies.collect(), *range)
        });
        GameListSpec {
            main_line: list.nodes == NodeSelection::MainLine,
            variations_only: list.nodes == NodeSelection::Variations,
            mark_first: list.mark == MarkMode::First,
            mark_all: list.mark == MarkMode::All,
            count: list.count,
            body,
            counted,
            images,
        }
    }

    fn counted_body(&mut self, body: &Expr) -> CountedBody {
        let entry = self.blocks("filter of a list", &[body], false)[0];
        CountedBody { entry, tied: Self::is_tied(body), prefilter: self.prefilter(body) }
    }

    pub(super) fn steps(&mut self, steps: &PositionSequence, fail: Label) {
        let filters: Vec<&Expr> = steps.filters.iter().collect();
        let repeatable = !filters.iter().any(|filter| self.effects(filter).state);
        let entries = self.blocks("filter of a sequence", &filters, false);
        let spec = self.steps.push(StepsSpec {
            gapped: steps.gapped,
            main_line: steps.main_line,
            entries,
            memo: steps.gapped && repeatable,
        });
        self.emit(Op::Steps { spec, fail });
    }

    pub(super) fn pairs(&mut self, pairs: &SquarePairs, fail: Label) {
        let first = self.temps(pairs.sets.len());
        for (index, set) in (0..).zip(&pairs.sets) {
            self.set(set, first + index);
        }
        let spec = self.pairs.push(PairsSpec {
            kind: pairs.kind,
            first,
            sets: pairs.sets.len() as u16,
            range: pairs.range,
        });
        self.emit(Op::Pairs { spec, fail });
    }

    pub(super) fn recurrence(&mut self, found: &Recurrence, fail: Label) {
        let spec = self.recurrences.find_or_push(|known| known == found, || found.clone());
        self.emit(Op::Recurrence { spec, fail });
    }
}
