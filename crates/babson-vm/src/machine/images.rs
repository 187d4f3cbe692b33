//! The images of a filter that may match at a position, found for all images at once.

use bumpalo::collections::Vec as Bumped;

use super::arena::Arena;
use super::{NO_TIE, Run, Stop, push};
use crate::filters::contents::piece_squares;
use crate::images::{ImageTable, ImageTest, Images, MoveTest};
use crate::limits::MAX_RANGE_TABLE_WORDS;
use crate::need::PositionRange;
use crate::op::{Id, ImagesSpec, Pc};

/// Words of sets of images that are processed in the time of one step.
const WORDS_PER_STEP: u64 = 16;

/// The images of one orbit, as far as the game has looked at them.
pub(super) struct OrbitImages<'m> {
    /// The images that may match at the position where the orbit was evaluated last.
    set: Bumped<'m, u64>,
    tables: Bumped<'m, RangeTable<'m>>,
}

impl<'m> OrbitImages<'m> {
    pub(super) fn new(arena: Arena<'m>) -> OrbitImages<'m> {
        OrbitImages { set: arena.list(), tables: arena.list() }
    }
}

/// For each node, the images that pass at one of the positions within range.
#[derive(Clone, Copy)]
enum RangeTable<'m> {
    /// The game has not asked for it.
    Unknown,
    /// It would be too large, or it is being made.
    Omitted,
    /// A set of images for each node, one after the other.
    Rows(&'m [u64]),
    /// No image passes anywhere in the game.
    Empty,
}

/// The moves of a node, as far as a look without sets needs them.
enum OnlyMove {
    None,
    One(u32),
    Several,
}

/// A search for the images that may match at one position.
struct ImageSearch<'s, 'm> {
    arena: Arena<'m>,
    images: &'s Images,
    tables: &'s mut [RangeTable<'m>],
    /// Words of the rows of all tables of the game.
    range_words: usize,
    /// Sets that are not in use.
    spare: Bumped<'m, Bumped<'m, u64>>,
    /// Words processed, and the most that the game's steps allow.
    words: u64,
    max_words: u64,
}

impl<'m> Run<'m, '_> {
    /// Finds the images that may match here; whether there are any.
    pub(super) fn images_start(&mut self, pc: Pc, spec: Id<ImagesSpec>) -> Result<bool, Stop> {
        if self.state.steps.left() == 0 {
            self.next_portion(pc)?;
        }
        let tie = self.tie;
        let found = if self.is_own() && !self.context.options.no_linearize {
            self.find_images(spec, self.here.node, Some(tie))
        } else {
            // The tables hold only for nodes.
            let images = &self.program.code.images[spec].images;
            fill(&mut self.state.images[spec.index()].set, images, self.state.arena);
            true
        };
        self.step(pc)?;
        Ok(found)
    }

    /// Finds the images that may match at a node with any of its moves.
    pub(super) fn images_at(&mut self, spec: Id<ImagesSpec>, node: u32) -> bool {
        self.find_images(spec, node, None)
    }

    fn find_images(&mut self, spec: Id<ImagesSpec>, node: u32, tie: Option<u32>) -> bool {
        let images = &self.program.code.images[spec].images;
        let arena = self.state.arena;
        let orbit = &mut self.state.images[spec.index()];
        let mut orbit = std::mem::replace(orbit, OrbitImages::new(arena));
        if orbit.tables.len() < images.tables {
            orbit.tables = arena.filled_list(images.tables, |_| RangeTable::Unknown);
        }
        let may_pass = match tie {
            Some(tie) => self.may_pass(&orbit.tables, &images.test, node, tie),
            None => self.may_pass_here(&orbit.tables, &images.test, node),
        };
        if !may_pass {
            orbit.set.clear();
            self.state.images[spec.index()] = orbit;
            return false;
        }
        fill(&mut orbit.set, images, arena);
        let mut search = ImageSearch {
            arena,
            images,
            tables: &mut orbit.tables,
            range_words: self.state.range_words,
            spare: std::mem::replace(&mut self.state.image_sets, arena.list()),
            words: 0,
            max_words: self.state.steps.left().saturating_mul(WORDS_PER_STEP),
        };
        let any = match tie {
            Some(tie) => self.narrow(&mut search, &images.test, node, tie, &mut orbit.set),
            None => self.narrow_here(&mut search, &images.test, node, &mut orbit.set),
        };
        let words = search.words;
        self.state.range_words = search.range_words;
        self.state.image_sets = search.spare;
        self.state.images[spec.index()] = orbit;
        self.state.pay_steps(words / WORDS_PER_STEP);
        any
    }

    /// The first image from `from` on that may match.
    #[inline]
    pub(super) fn next_image(&self, spec: Id<ImagesSpec>, from: u64) -> Option<u64> {
        let set = &self.state.images[spec.index()].set;
        let mut word = (from / 64) as usize;
        let mut left = set.get(word)? & !0 << (from % 64);
        while left == 0 {
            word += 1;
            left = *set.get(word)?;
        }
        Some(word as u64 * 64 + u64::from(left.trailing_zeros()))
    }

    /// Returns false only if no image can pass, which [`Run::narrow`] would find, too. It makes no
    /// set: it looks at the prefilter, at moves of pieces that no image names, and at tables
    /// without images.
    fn may_pass(&self, tables: &[RangeTable<'m>], test: &ImageTest, node: u32, tie: u32) -> bool {
        match test {
            ImageTest::Prefilter(prefilter) => prefilter.holds(self.boards(), node as usize),
            ImageTest::Move(test) if !test.previous => {
                let single = test.tied && tie != NO_TIE;
                match self.only_move(node, if single { tie } else { NO_TIE }) {
                    OnlyMove::None => false,
                    OnlyMove::One(child) => self.may_fit(test, node, child),
                    OnlyMove::Several => true,
                }
            }
            ImageTest::All(list) => list.iter().all(|test| self.may_pass(tables, test, node, tie)),
            ImageTest::Here(test) => self.may_pass_here(tables, test, node),
            ImageTest::Next(test) => match self.only_move(node, tie) {
                OnlyMove::None => false,
                OnlyMove::One(child) => self.may_pass_here(tables, test, child),
                OnlyMove::Several => true,
            },
            ImageTest::Elsewhere { table, .. } => !matches!(tables[*table], RangeTable::Empty),
            ImageTest::Nothing
            | ImageTest::Side(_)
            | ImageTest::Present(_)
            | ImageTest::Absent(_)
            | ImageTest::Move(_)
            | ImageTest::Any(_) => true,
        }
    }

    /// Like [`Run::may_pass`], with any of the moves of the node.
    fn may_pass_here(&self, tables: &[RangeTable<'m>], test: &ImageTest, node: u32) -> bool {
        if !test.is_tied() {
            return self.may_pass(tables, test, node, NO_TIE);
        }
        match self.only_move(node, NO_TIE) {
            OnlyMove::None => self.may_pass(tables, test, node, NO_TIE),
            OnlyMove::One(child) => self.may_pass(tables, test, node, child),
            OnlyMove::Several => true,
        }
    }

    /// The followed move, or without one the moves of the node.
    fn only_move(&self, node: u32, tie: u32) -> OnlyMove {
        if tie != NO_TIE {
            return OnlyMove::One(tie);
        }
        match self.first_child(node) {
            None => OnlyMove::None,
            Some(child) if self.next_sibling(child).is_none() => OnlyMove::One(child),
            Some(_) => OnlyMove::Several,
        }
    }

    /// Whether an image names the pieces of the move to the node `child`.
    fn may_fit(&self, test: &MoveTest, node: u32, child: u32) -> bool {
        if test.rook && self.nodes[child as usize].mv.rook_from().is_some() {
            return true;
        }
        let board = &self.positions[node as usize];
        names(&test.from, board, self.origin(child).0)
            && names(&test.to, board, self.destination(child).0)
            && names(&test.capture, board, self.capture(child).0)
    }

    /// Removes from the set the images that fail at the node with the move; whether any are left.
    fn narrow(
        &self,
        search: &mut ImageSearch<'_, 'm>,
        test: &ImageTest,
        node: u32,
        tie: u32,
        set: &mut [u64],
    ) -> bool {
        search.words += 1;
        match test {
            ImageTest::Nothing => true,
            ImageTest::Prefilter(prefilter) => prefilter.holds(self.boards(), node as usize),
            ImageTest::Side(sides) => {
                search.words += set.len() as u64;
                and(set, &sides[self.positions[node as usize].side().index()])
            }
            ImageTest::Present(table) => self.present(search, table, node, set),
            ImageTest::Absent(table) => self.absent(search, table, node, set),
            ImageTest::Move(test) if test.previous => {
                let parent = self.parent(node);
                if parent.is_none() {
                    set.fill(0);
                }
                parent.is_some_and(|parent| self.fit_by_move(search, test, parent, node, set))
            }
            ImageTest::Move(test) => {
                let single = test.tied && tie != NO_TIE;
                let moves = if single { Some(tie) } else { self.first_child(node) };
                self.either(search, moves, single, set, |run, search, child, set| {
                    run.fit_by_move(search, test, node, child, set)
                })
            }
            ImageTest::All(list) => {
                list.iter().all(|test| self.narrow(search, test, node, tie, set))
            }
            ImageTest::Any(list) => {
                let mut sum = search.take_set();
                sum.resize(set.len(), 0);
                for test in list {
                    let mut one = search.take_set();
                    one.extend_from_slice_copy(set);
                    if self.narrow(search, test, node, tie, &mut one) {
                        or(&mut sum, &one);
                    }
                    search.give_back(one);
                }
                let any = and(set, &sum);
                search.give_back(sum);
                any
            }
            ImageTest::Here(test) => self.narrow_here(search, test, node, set),
            ImageTest::Next(test) => {
                let single = tie != NO_TIE;
                let moves = if single { Some(tie) } else { self.first_child(node) };
                self.either(search, moves, single, set, |run, search, child, set| {
                    run.narrow_here(search, test, child, set)
                })
            }
            ImageTest::Elsewhere { table, range, test } => {
                self.make_table(search, *table, *range, test);
                let row = match range {
                    PositionRange::Later | PositionRange::Earlier => node as usize * set.len(),
                    // Every position is the initial one or later.
                    PositionRange::All => 0,
                };
                search.words += set.len() as u64;
                match search.tables[*table] {
                    RangeTable::Unknown | RangeTable::Omitted => true,
                    RangeTable::Rows(rows) => {
                        rows.get(row..row + set.len()).is_none_or(|row| and(set, row))
                    }
                    RangeTable::Empty => {
                        set.fill(0);
                        false
                    }
                }
            }
        }
    }

    /// Like [`Run::narrow`], with any of the moves of the node.
    fn narrow_here(
        &self,
        search: &mut ImageSearch<'_, 'm>,
        test: &ImageTest,
        node: u32,
        set: &mut [u64],
    ) -> bool {
        let first = if test.is_tied() { self.first_child(node) } else { None };
        if first.is_none() {
            return self.narrow(search, test, node, NO_TIE, set);
        }
        self.either(search, first, false, set, |run, search, child, set| {
            run.narrow(search, test, node, child, set)
        })
    }

    /// Keeps the images that pass with one of the moves: the first and, unless `single`, its
    /// siblings.
    fn either(
        &self,
        search: &mut ImageSearch<'_, 'm>,
        first: Option<u32>,
        single: bool,
        set: &mut [u64],
        mut narrow: impl FnMut(&Self, &mut ImageSearch<'_, 'm>, u32, &mut [u64]) -> bool,
    ) -> bool {
        let Some(child) = first else {
            set.fill(0);
            return false;
        };
        let mut next = if single { None } else { self.next_sibling(child) };
        if next.is_none() {
            return narrow(self, search, child, set);
        }
        let mut sum = search.take_set();
        sum.extend_from_slice_copy(set);
        if !narrow(self, search, child, &mut sum) {
            sum.fill(0);
        }
        while let Some(child) = next {
            let mut one = search.take_set();
            one.extend_from_slice_copy(set);
            if narrow(self, search, child, &mut one) {
                or(&mut sum, &one);
            }
            search.give_back(one);
            next = self.next_sibling(child);
        }
        let any = and(set, &sum);
        search.give_back(sum);
        any
    }

    fn present(
        &self,
        search: &mut ImageSearch<'_, 'm>,
        table: &ImageTable,
        node: u32,
        set: &mut [u64],
    ) -> bool {
        let board = &self.positions[node as usize];
        // At most one row for each square.
        let mut rows: [&[u64]; 64] = [&[]; 64];
        let mut len = 0;
        table.rows(
            |content| contents(board, content),
            |row| {
                if let Some(slot) = rows.get_mut(len) {
                    *slot = row;
                    len += 1;
                }
            },
        );
        search.words += set.len() as u64;
        let rows = &rows[..len];
        match rows {
            [] => false,
            [row] => and(set, row),
            _ => {
                let mut any = 0;
                for (at, word) in set.iter_mut().enumerate() {
                    if *word != 0 {
                        let sum = rows.iter().fold(0, |sum, row| sum | row[at]);
                        *word &= sum;
                        any |= *word;
                    }
                }
                any != 0
            }
        }
    }

    fn absent(
        &self,
        search: &mut ImageSearch<'_, 'm>,
        table: &ImageTable,
        node: u32,
        set: &mut [u64],
    ) -> bool {
        let board = &self.positions[node as usize];
        let mut rows = 1;
        table.rows(
            |content| contents(board, content),
            |row| {
                rows += 1;
                for (word, row) in set.iter_mut().zip(row) {
                    *word &= !row;
                }
            },
        );
        search.words += rows * set.len() as u64;
        set.iter().any(|&word| word != 0)
    }

    /// Keeps the images that the move to the node `child` fits; whether any are left.
    fn fit_by_move(
        &self,
        search: &mut ImageSearch<'_, 'm>,
        test: &MoveTest,
        node: u32,
        child: u32,
        set: &mut [u64],
    ) -> bool {
        let board = &self.positions[node as usize];
        search.words += 3 * set.len() as u64;
        let mv = self.nodes[child as usize].mv;
        if let (true, Some(from), Some(to)) = (test.rook, mv.rook_from(), mv.rook_to()) {
            // The king's move or the rook's.
            let mut rook = search.take_set();
            rook.extend_from_slice_copy(set);
            on(&test.from, board, from.index(), &mut rook);
            on(&test.to, board, to.index(), &mut rook);
            on_squares(&test.from, board, self.origin(child).0, set);
            on_squares(&test.to, board, self.destination(child).0, set);
            or(set, &rook);
            search.give_back(rook);
            return set.iter().any(|&word| word != 0);
        }
        on_squares(&test.from, board, self.origin(child).0, set)
            && on_squares(&test.to, board, self.destination(child).0, set)
            && on_squares(&test.capture, board, self.capture(child).0, set)
    }

    /// Makes the table of the images that pass within range of each node, unless the game already
    /// has it.
    fn make_table(
        &self,
        search: &mut ImageSearch<'_, 'm>,
        table: usize,
        range: PositionRange,
        test: &ImageTest,
    ) {
        if !matches!(search.tables[table], RangeTable::Unknown) {
            return;
        }
        let backward = range == PositionRange::Earlier;
        let words = search.images.words();
        let size = self.nodes.len().saturating_mul(words);
        search.tables[table] = RangeTable::Omitted;
        if search.words.saturating_add(size as u64) > search.max_words {
            // The table takes more steps than are left: the next step reports it.
            search.words = search.max_words;
            return;
        }
        // Until an image is found all rows are empty.
        let (mut rows, mut is_omitted) = (None, false);
        let mut set = search.take_set();
        let count = self.nodes.len();
        for step in 0..count {
            let node = if backward { step } else { count - 1 - step };
            search.words += 1;
            let mut found = self.may_pass_here(search.tables, test, node as u32);
            if found {
                fill(&mut set, search.images, search.arena);
                found = self.narrow_here(search, test, node as u32, &mut set);
            }
            if found && rows.is_none() {
                rows = search.take_rows(size);
                is_omitted = rows.is_none();
                if is_omitted {
                    break;
                }
            }
            let Some(rows) = rows.as_deref_mut() else { continue };
            if found {
                or(&mut rows[node * words..][..words], &set);
            }
            // Nodes come after their parents.
            let (parent, root) = (self.nodes[node].parent as usize, node == 0);
            if root {
                continue;
            }
            let (before, after) = rows.split_at_mut(node * words);
            let (parent, node) = (&mut before[parent * words..][..words], &mut after[..words]);
            if backward {
                or(node, parent)
            } else {
                or(parent, node)
            }
            search.words += words as u64;
        }
        search.give_back(set);
        search.tables[table] = match rows {
            Some(rows) => RangeTable::Rows(rows),
            None if is_omitted => RangeTable::Omitted,
            None => RangeTable::Empty,
        };
    }
}

impl<'m> ImageSearch<'_, 'm> {
    /// An empty list with room for a set.
    fn take_set(&mut self) -> Bumped<'m, u64> {
        let words = self.images.words();
        match self.spare.pop() {
            Some(mut set) if set.capacity() >= words => {
                set.clear();
                set
            }
            _ => self.arena.sized_list(words),
        }
    }

    fn give_back(&mut self, set: Bumped<'m, u64>) {
        // If the list cannot grow, the set is lost and another one made.
        push(&mut self.spare, set);
    }

    /// Allocates the rows of a table of `words` words. None if all tables together would exceed
    /// their limit.
    fn take_rows(&mut self, words: usize) -> Option<&'m mut [u64]> {
        let sum = self.range_words.checked_add(words)?;
        if sum > MAX_RANGE_TABLE_WORDS {
            return None;
        }
        self.range_words = sum;
        Some(self.arena.slice(words, 0))
    }
}

/// The squares with a content, by its number.
#[inline]
fn contents(board: &babson_chess::Position, content: usize) -> u64 {
    if content < 12 { piece_squares(board, content as u8) } else { !board.occupied().0 }
}

/// Keeps the images that admit the square; whether any are left.
fn on(
    table: &Option<ImageTable>,
    board: &babson_chess::Position,
    square: usize,
    set: &mut [u64],
) -> bool {
    let Some(table) = table else {
        return true;
    };
    let content = (0..12).find(|&content| contents(board, content) >> square & 1 != 0);
    match table.row(content.unwrap_or(12), square) {
        Some(row) => and(set, row),
        None => {
            set.fill(0);
            false
        }
    }
}

/// Whether an image admits a square of a set of at most one, as [`on_squares`] finds it.
fn names(table: &Option<ImageTable>, board: &babson_chess::Position, squares: u64) -> bool {
    let Some(table) = table else {
        return true;
    };
    if squares == 0 {
        return false;
    }
    let content = (0..12).find(|&content| contents(board, content) & squares != 0);
    table.has(content.unwrap_or(12), squares)
}

/// [`on`] for a set of at most one square.
fn on_squares(
    table: &Option<ImageTable>,
    board: &babson_chess::Position,
    squares: u64,
    set: &mut [u64],
) -> bool {
    if squares == 0 && table.is_some() {
        set.fill(0);
        return false;
    }
    squares == 0 || on(table, board, squares.trailing_zeros() as usize, set)
}

/// Makes it the set of all images.
fn fill<'m>(set: &mut Bumped<'m, u64>, images: &Images, arena: Arena<'m>) {
    set.clear();
    if set.capacity() < images.words() {
        *set = arena.sized_list(images.words());
    }
    set.resize(images.words(), !0);
    if let (Some(last), rest @ 1..) = (set.last_mut(), images.len % 64) {
        *last = (1 << rest) - 1;
    }
}

/// Intersects the first set with the other; whether any images are left.
#[inline]
fn and(set: &mut [u64], other: &[u64]) -> bool {
    let mut any = 0;
    for (word, other) in set.iter_mut().zip(other) {
        *word &= other;
        any |= *word;
    }
    any != 0
}

#[inline]
fn or(set: &mut [u64], other: &[u64]) {
    for (word, other) in set.iter_mut().zip(other) {
        *word |= other;
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;

    #[test]
    fn tables_are_limited_in_sum() {
        let mut bump = Bump::new();
        let arena = Arena::renewed(&mut bump);
        let images = Images { test: ImageTest::Nothing, len: 1, tables: 0 };
        let mut search = ImageSearch {
            arena,
            images: &images,
            tables: &mut [],
            range_words: 0,
            spare: arena.list(),
            words: 0,
            max_words: 0,
        };
        let mut rows = |words| search.take_rows(words).map(|rows| rows.len());
        let quarter = MAX_RANGE_TABLE_WORDS / 4;
        assert_eq!(rows(3 * quarter), Some(3 * quarter));
        assert_eq!(rows(quarter + 1), None);
        assert_eq!(rows(quarter), Some(quarter));
        assert_eq!((rows(1), rows(usize::MAX)), (None, None));
        drop(search);
        // Where the arena grows, it at least doubles.
        assert!(bump.allocated_bytes() <= 3 * MAX_RANGE_TABLE_WORDS * size_of::<u64>());
    }
}
