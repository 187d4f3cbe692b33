//! How many captures the pawns of a color must have made (rules 2, 3 and 8 of
//! `docs/src/retro.md#reachable`).

use super::camp::Camp;
use crate::limits::MAX_REMEMBERED_COSTS;
use crate::{Square, SquareSet};

/// The cost of an impossible assignment of one pawn: more than any possible assignment of all
/// pawns.
const IMPOSSIBLE: i32 = 100;

/// A key of [`PawnOrigins::remembered`] and its cost.
type RememberedCost = ([u64; 3], Option<u32>);

/// Recent results of [`PawnOrigins::cost`]. It takes memory with the first one.
#[derive(Clone, Debug, Default)]
pub(super) struct PawnCosts(Vec<Option<RememberedCost>>);

/// The least number of captures with which the pawns of a camp can have come from their start
/// squares, under conditions.
#[derive(Clone, Copy)]
pub(super) struct PawnOrigins<'c> {
    camp: &'c Camp,
    /// How many pawns that are not on the board promoted.
    promotions: u32,
    /// The files on which they can have promoted.
    open: u8,
    /// Pawns that were not always on their present file.
    straying: SquareSet,
    /// Files on which no pawn can have gone from its start square to promotion.
    barred: u8,
    /// A pawn and the file on which it began.
    known_start: Option<(Square, u8)>,
}

impl<'c> PawnOrigins<'c> {
    pub(super) fn new(camp: &'c Camp) -> PawnOrigins<'c> {
        PawnOrigins {
            camp,
            promotions: 0,
            open: 0,
            straying: SquareSet::EMPTY,
            barred: 0,
            known_start: None,
        }
    }

    /// Adds the condition that `promotions` pawns, besides the pawns on the board, promoted, on
    /// files where no pawn of the other camp has stayed on its start square.
    pub(super) fn promoting(self, promotions: u32, other: &Camp) -> PawnOrigins<'c> {
        PawnOrigins { promotions, open: !other.home, ..self }
    }

    /// With the condition that these pawns were not always on their present file.
    pub(super) fn straying(self, straying: SquareSet) -> PawnOrigins<'c> {
        PawnOrigins { straying, ..self }
    }

    /// With the condition that no pawn went from its start square to promotion on these files.
    pub(super) fn barred(self, barred: u8) -> PawnOrigins<'c> {
        PawnOrigins { barred, ..self }
    }

    /// With the condition that the pawn began on the file.
    pub(super) fn starting_on(self, pawn: Square, start: u8) -> PawnOrigins<'c> {
        PawnOrigins { known_start: Some((pawn, start)), ..self }
    }

    /// The least number of captures. `None` if the pawns cannot have come from distinct start
    /// squares under the conditions.
    pub(super) fn cost(&self, known: &mut PawnCosts) -> Option<u32> {
        let free = !self.camp.home;
        let moved = self.camp.moved;
        let mut files = 0u8;
        let mut doubled = false;
        for pawn in moved {
            let file = 1 << pawn.file();
            doubled |= files & file != 0;
            files |= file;
        }
        let plain = self.promotions == 0 && self.straying.is_empty() && self.known_start.is_none();
        // Each pawn came straight from the start square of its file.
        if plain && !doubled && files & !free == 0 {
            return Some(0);
        }
        self.remembered(known)
    }

    /// [`PawnOrigins::assigned`], or its result if it is known.
    fn remembered(&self, costs: &mut PawnCosts) -> Option<u32> {
        let known = match self.known_start {
            Some((pawn, start)) => 1 + pawn.index() as u64 * 8 + u64::from(start),
            None => 0,
        };
        let open = if self.promotions == 0 { 0 } else { self.open };
        let key = [
            self.camp.moved.0,
            self.straying.0,
            u64::from(self.promotions) << 40
                | known << 24
                | u64::from(open) << 16
                | u64::from(self.barred) << 8
                | u64::from(self.camp.home),
        ];
        let mut hash = 0u64;
        for word in key {
            hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let slot = (hash >> 54) as usize % MAX_REMEMBERED_COSTS;
        if let Some(Some((known, cost))) = costs.0.get(slot)
            && *known == key
        {
            return *cost;
        }
        let cost = self.assigned();
        costs.0.resize(MAX_REMEMBERED_COSTS, None);
        if let Some(entry) = costs.0.get_mut(slot) {
            *entry = Some((key, cost));
        }
        cost
    }

    /// The cost of the cheapest assignment of pawns to start squares.
    fn assigned(&self) -> Option<u32> {
        let free = !self.camp.home;
        let moved = self.camp.moved;
        let (mut starts, mut columns) = ([0i32; 8], 0);
        for file in 0..8 {
            if free >> file & 1 != 0 {
                starts[columns] = file;
                columns += 1;
            }
        }
        let (mut rows, mut count) = ([[IMPOSSIBLE; 8]; 8], 0);
        if (moved.len() + self.promotions) as usize > columns {
            return None;
        }
        for pawn in moved {
            for (price, &start) in rows[count].iter_mut().zip(&starts[..columns]) {
                *price = self.price(pawn, start);
            }
            count += 1;
        }
        for _ in 0..self.promotions {
            for (price, &start) in rows[count].iter_mut().zip(&starts[..columns]) {
                *price = self.promotion_price(start);
            }
            count += 1;
        }
        cheapest(&rows[..count], columns)
    }

    /// The captures that bring a pawn from this start to its square.
    fn price(&self, pawn: Square, start: i32) -> i32 {
        let (file, reach) = (i32::from(pawn.file()), i32::from(pawn.rank()) - 1);
        let away = match (start - file).abs() {
            // One capture leads off the file and one back.
            0 if self.straying.contains(pawn) => 2,
            away => away,
        };
        let known = match self.known_start {
            Some((known, begin)) => known != pawn || i32::from(begin) == start,
            None => true,
        };
        if away <= reach && known { away } else { IMPOSSIBLE }
    }

    /// The captures that bring a pawn from this start to promotion.
    fn promotion_price(&self, start: i32) -> i32 {
        let open = (0..8).filter(|file| self.open >> file & 1 != 0);
        let away = open.map(|file: i32| (start - file).abs()).min();
        match away {
            None => IMPOSSIBLE,
            Some(0) if self.barred >> start & 1 != 0 => 1,
            Some(away) => away,
        }
    }
}

/// The cost of the cheapest assignment of the rows to distinct columns, by the Hungarian method;
/// `None` if every assignment is impossible. There must not be more rows than columns.
fn cheapest(rows: &[[i32; 8]], columns: usize) -> Option<u32> {
    // Row and column 0 mean 'not assigned'; `row_of` is the row to which a column is assigned.
    let (mut row_price, mut column_price) = ([0; 9], [0; 9]);
    let mut row_of = [0usize; 9];
    for row in 1..=rows.len() {
        row_of[0] = row;
        let mut column = 0;
        let mut least = [i32::MAX; 9];
        let mut before = [0usize; 9];
        let mut done = [false; 9];
        loop {
            done[column] = true;
            let at = row_of[column];
            let (mut step, mut next) = (i32::MAX, 0);
            for other in 1..=columns {
                if done[other] {
                    continue;
                }
                let price = rows[at - 1][other - 1] - row_price[at] - column_price[other];
                if price < least[other] {
                    least[other] = price;
                    before[other] = column;
                }
                if least[other] < step {
                    step = least[other];
                    next = other;
                }
            }
            for other in 0..=columns {
                if done[other] {
                    row_price[row_of[other]] += step;
                    column_price[other] -= step;
                } else {
                    least[other] = least[other].saturating_sub(step);
                }
            }
            column = next;
            if row_of[column] == 0 {
                break;
            }
        }
        while column != 0 {
            let back = before[column];
            row_of[column] = row_of[back];
            column = back;
        }
    }
    let total = -column_price[0];
    (total < IMPOSSIBLE).then_some(total as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least cost, by trying all assignments.
    fn tried(rows: &[[i32; 8]], columns: usize, used: u32) -> i32 {
        let Some((row, rest)) = rows.split_first() else {
            return 0;
        };
        (0..columns)
            .filter(|column| used >> column & 1 == 0)
            .map(|column| row[column] + tried(rest, columns, used | 1 << column))
            .min()
            .unwrap_or(10_000)
    }

    #[test]
    fn no_assignment_is_cheaper() {
        let mut random = crate::tests::Random(3);
        for _ in 0..400 {
            let columns = 1 + random.below(6);
            let count = random.below(columns + 1);
            let mut rows = [[IMPOSSIBLE; 8]; 8];
            for row in &mut rows {
                for price in row {
                    let value = random.below(12) as i32;
                    *price = if value > 8 { IMPOSSIBLE } else { value };
                }
            }
            let best = tried(&rows[..count], columns, 0);
            let best = (best < IMPOSSIBLE).then_some(best as u32);
            assert_eq!(cheapest(&rows[..count], columns), best);
        }
    }
}
