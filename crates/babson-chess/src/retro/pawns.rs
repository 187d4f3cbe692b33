//! What the pawns of a color tell of the captures they made (rules 2, 3 and 8 of
//! `docs/src/retro.md#reachable`).

use std::cell::RefCell;

use super::camp::Camp;
use crate::{Square, SquareSet};

/// The price of what cannot be: more than any assignment can cost.
const NEVER: i32 = 100;

/// How many costs a thread remembers: pawns seldom move, and the same is asked at many positions.
const MAX_COSTS: usize = 1 << 10;

type Cost = ([u64; 3], Option<u32>);

thread_local! {
    static COSTS: RefCell<Vec<Option<Cost>>> = const { RefCell::new(Vec::new()) };
}

/// A question about the pawns of a camp: with how few captures they can have come.
#[derive(Clone, Copy)]
pub(super) struct Origins<'c> {
    camp: &'c Camp,
    /// How many more pawns went on to promote.
    promotions: u32,
    /// The files on which they can have promoted.
    open: u8,
    /// Pawns that were not always on the file where they are.
    straying: SquareSet,
    /// Files on which no pawn can have gone all the way.
    barred: u8,
    /// Where one of the pawns began.
    known: Option<(Square, u8)>,
}

impl<'c> Origins<'c> {
    pub(super) fn new(camp: &'c Camp) -> Origins<'c> {
        Origins { camp, promotions: 0, open: 0, straying: SquareSet::EMPTY, barred: 0, known: None }
    }

    /// So many more pawns went on to promote, past pawns of the other camp that never moved.
    pub(super) fn promoting(self, promotions: u32, other: &Camp) -> Origins<'c> {
        Origins { promotions, open: !other.home, ..self }
    }

    /// These pawns were not always on the file where they are.
    pub(super) fn straying(self, straying: SquareSet) -> Origins<'c> {
        Origins { straying, ..self }
    }

    /// On these files no pawn can have gone all the way from its start to promotion.
    pub(super) fn barred(self, barred: u8) -> Origins<'c> {
        Origins { barred, ..self }
    }

    /// This pawn began on this file.
    pub(super) fn begun(self, pawn: Square, start: u8) -> Origins<'c> {
        Origins { known: Some((pawn, start)), ..self }
    }

    /// The least number of captures with which the pawns can have come from distinct start squares
    /// and the others gone to promote. None, if they cannot have come at all.
    pub(super) fn cost(&self) -> Option<u32> {
        let free = !self.camp.home;
        let moved = self.camp.moved;
        let mut files = 0u8;
        let mut doubled = false;
        for pawn in moved {
            let file = 1 << pawn.file();
            doubled |= files & file != 0;
            files |= file;
        }
        let plain = self.promotions == 0 && self.straying.is_empty() && self.known.is_none();
        // Each pawn straight from its own start square.
        if plain && !doubled && files & !free == 0 {
            return Some(0);
        }
        self.remembered()
    }

    /// [`Origins::assigned`], from what a thread remembers if it was asked lately.
    fn remembered(&self) -> Option<u32> {
        let known = match self.known {
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
        let place = (hash >> 54) as usize % MAX_COSTS;
        let found = COSTS.with_borrow(|costs| match costs.get(place) {
            Some(Some((known, cost))) if *known == key => Some(*cost),
            _ => None,
        });
        found.unwrap_or_else(|| {
            let cost = self.assigned();
            COSTS.with_borrow_mut(|costs| {
                costs.resize(MAX_COSTS, None);
                if let Some(slot) = costs.get_mut(place) {
                    *slot = Some((key, cost));
                }
            });
            cost
        })
    }

    /// The cost, by the cheapest assignment of pawns to start squares.
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
        let (mut rows, mut count) = ([[NEVER; 8]; 8], 0);
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
            // Off the file and back.
            0 if self.straying.contains(pawn) => 2,
            away => away,
        };
        let known = match self.known {
            Some((known, begin)) => known != pawn || i32::from(begin) == start,
            None => true,
        };
        if away <= reach && known { away } else { NEVER }
    }

    /// The captures that bring a pawn from this start to promotion.
    fn promotion_price(&self, start: i32) -> i32 {
        let open = (0..8).filter(|file| self.open >> file & 1 != 0);
        let away = open.map(|file: i32| (start - file).abs()).min();
        match away {
            None => NEVER,
            Some(0) if self.barred >> start & 1 != 0 => 1,
            Some(away) => away,
        }
    }
}

/// The cheapest way to give each row a column of its own (the Hungarian method); none, if it
/// cannot be done. There are no more rows than columns.
fn cheapest(rows: &[[i32; 8]], columns: usize) -> Option<u32> {
    // Row and column 0 stand for 'none yet'; `row_of` says whose a column is.
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
    (total < NEVER).then_some(total as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every way to give the rows columns, tried.
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
            let mut rows = [[NEVER; 8]; 8];
            for row in &mut rows {
                for price in row {
                    let value = random.below(12) as i32;
                    *price = if value > 8 { NEVER } else { value };
                }
            }
            let best = tried(&rows[..count], columns, 0);
            let best = (best < NEVER).then_some(best as u32);
            assert_eq!(cheapest(&rows[..count], columns), best);
        }
    }
}
