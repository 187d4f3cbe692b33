//! The position lists of a game, one after the other, for each binding of the tags.

use super::super::{NO_TIE, Run, Stop, push};
use crate::Value;
use crate::op::{CountedBody, GameListSpec, GameListsSpec, Id, ImagesSpec, Pc};

impl Run<'_, '_> {
    /// Whether the game fulfills all lists; marks the positions.
    pub(in super::super) fn game_lists(
        &mut self,
        pc: Pc,
        spec: Id<GameListsSpec>,
    ) -> Result<bool, Stop> {
        let program = self.program;
        let spec = &program.code.game_lists[spec];
        let (here, tie) = (self.here, self.tie);
        let found = self.bind_tags(pc, spec, 0, false);
        self.here = here;
        self.tie = tie;
        found
    }

    /// Makes the marked positions the matching ones.
    pub(in super::super) fn match_marks(&mut self) {
        let mut marks = self.state.marks.to_vec();
        marks.sort_unstable();
        marks.dedup();
        if self.context.options.first_match {
            marks.truncate(1);
        }
        for node in marks {
            self.here = self.at(node);
            self.outcome.positions.push(node);
            if self.program.code.value.is_some() {
                self.outcome.values.push(Value::Bool(true));
            }
            self.match_comment();
        }
    }

    /// Binds the tags from the `depth`th on in all ways. `again`: another binding matched already.
    fn bind_tags(
        &mut self,
        pc: Pc,
        spec: &GameListsSpec,
        depth: usize,
        again: bool,
    ) -> Result<bool, Stop> {
        let Some(&(var, content)) = spec.tags.get(depth) else {
            return self.all_lists(pc, spec, again);
        };
        let mut found = false;
        for id in self.pieces_ever(content.0, spec.tags_in_variations || self.is_everywhere()) {
            let taken = spec.tags[..depth]
                .iter()
                .any(|&(other, _)| self.state.registers[other] == u64::from(id));
            if taken {
                continue;
            }
            self.step(pc)?;
            self.state.registers[var] = u64::from(id);
            self.state.bound[var.index()] = true;
            let matched = self.bind_tags(pc, spec, depth + 1, again || found);
            self.state.bound[var.index()] = false;
            found |= matched?;
            // Other bindings matter only to a list that marks for all of them.
            if found && !spec.lists.iter().any(|list| list.mark_all) {
                break;
            }
        }
        Ok(found)
    }

    /// The identities of pieces that have the content at some node, in order.
    fn pieces_ever(&mut self, content: u16, variations: bool) -> Vec<u8> {
        let here = self.here;
        let mut ids = Vec::new();
        for node in 0..self.nodes.len() as u32 {
            if !variations && self.nodes[node as usize].depth > 0 {
                continue;
            }
            self.here = self.at(node);
            let contents = *self.contents();
            let table = self.piece_ids();
            for square in contents.occupied().iter() {
                if content >> contents.bit_at(square) & 1 != 0
                    && let Some(id) = table.id_at(square)
                    && !ids.contains(&id)
                {
                    ids.push(id);
                }
            }
        }
        self.here = here;
        ids.sort_unstable();
        ids
    }

    fn all_lists(&mut self, pc: Pc, spec: &GameListsSpec, again: bool) -> Result<bool, Stop> {
        let marks = self.state.marks.len();
        for list in &spec.lists {
            if !self.game_list(pc, list, !again || list.mark_all)? {
                self.state.marks.truncate(marks);
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn game_list(&mut self, pc: Pc, list: &GameListSpec, marks: bool) -> Result<bool, Stop> {
        let whole_game = list.count.is_some() || list.counted.is_some() || list.mark_all && marks;
        let mut count = 0;
        let mut next = 0;
        while let Some(node) = self.list_candidate(&list.body, next) {
            next = node + 1;
            if !self.list_matches(pc, list, &list.body, node)? {
                continue;
            }
            count += 1;
            let mark = list.mark_all || list.mark_first && count == 1;
            if mark && marks && !push(&mut self.state.marks, node) {
                self.state.overflow();
            }
            if !whole_game {
                break;
            }
        }
        let enough = match (list.count, &list.counted) {
            (Some((lo, hi)), _) => lo <= count && count <= hi,
            (None, Some(_)) => true,
            (None, None) => count > 0,
        };
        let Some((bodies, (lo, hi))) = list.counted.as_ref().filter(|_| enough) else {
            return Ok(enough);
        };
        if let Some(images) = list.images {
            return self.counted_images(pc, list, bodies, images, (*lo, *hi));
        }
        for body in bodies {
            let (mut count, mut next) = (0, 0);
            while let Some(node) = self.list_candidate(body, next) {
                next = node + 1;
                count += i32::from(self.list_matches(pc, list, body, node)?);
            }
            if *lo <= count && count <= *hi {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the number of matches of some filter is in the range. Finds the filters that may
    /// match at a node all at once.
    fn counted_images(
        &mut self,
        pc: Pc,
        list: &GameListSpec,
        bodies: &[CountedBody],
        images: Id<ImagesSpec>,
        (lo, hi): (i32, i32),
    ) -> Result<bool, Stop> {
        let mut counts = vec![0; bodies.len()];
        for node in 0..self.nodes.len() as u32 {
            self.step(pc)?;
            if !self.in_scope(list, self.nodes[node as usize].depth > 0)
                || !self.images_at(images, node)
            {
                continue;
            }
            let mut next = 0;
            while let Some(image) = self.next_image(images, next) {
                next = image + 1;
                let found = (bodies.get(image as usize), counts.get_mut(image as usize));
                if let (Some(body), Some(count)) = found {
                    *count += i32::from(self.list_matches(pc, list, body, node)?);
                }
            }
        }
        Ok(counts.iter().any(|&count| lo <= count && count <= hi))
    }

    fn in_scope(&self, list: &GameListSpec, in_variation: bool) -> bool {
        let keeps_to_main_line = list.main_line && !self.is_everywhere();
        !(in_variation && keeps_to_main_line || !in_variation && list.variations_only)
    }

    /// The first node from `from` on where the filter may match.
    fn list_candidate(&self, body: &CountedBody, from: u32) -> Option<u32> {
        let node = match body
            .prefilter
            .and_then(|prefilter| self.program.code.prefilters.get(prefilter.index()))
        {
            Some(prefilter) => {
                prefilter.next(self.boards(), from as usize..self.positions.len()) as u32
            }
            None => from,
        };
        ((node as usize) < self.nodes.len()).then_some(node)
    }

    /// Whether the filter matches at a node of the list's scope, together with one of its moves.
    fn list_matches(
        &mut self,
        pc: Pc,
        list: &GameListSpec,
        body: &CountedBody,
        node: u32,
    ) -> Result<bool, Stop> {
        let in_variation = self.nodes[node as usize].depth > 0;
        if !self.in_scope(list, in_variation) {
            return Ok(false);
        }
        let mut tie = if body.tied { self.first_child(node) } else { None };
        loop {
            self.step(pc)?;
            self.here = self.at(node);
            self.tie = tie.unwrap_or(NO_TIE);
            if self.call(body.entry)? {
                return Ok(true);
            }
            tie = tie.and_then(|tie| self.alternative(tie, list.main_line));
            if tie.is_none() {
                return Ok(false);
            }
        }
    }
}
