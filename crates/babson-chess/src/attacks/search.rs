//! Searches the factors of the [lookup of sliding pieces](super::magics).

use super::magics::{BISHOP_BITS, Magic, ROOK_BITS};
use super::sliders::{DIAGONAL, ORTHOGONAL, Slides};
use crate::tests::Random;
use crate::{Square, SquareSet};

/// The number of factors that are tried for a square.
const TRIES: usize = 800_000;
/// The number of factors that are kept of a square, by each measure.
const KEPT: usize = 40;

/// A factor, and the attacks by the indices that it gives, which rise.
struct Candidate {
    factor: u64,
    entries: Vec<(usize, SquareSet)>,
}

impl Candidate {
    /// The length of the range of the indices.
    fn span(&self) -> usize {
        match &self.entries[..] {
            [(first, _), .., (last, _)] => last - first + 1,
            entries => entries.len(),
        }
    }
}

/// Factors of a square with which occupied squares that have the same index have the same attacks.
fn candidates(slides: &Slides, bits: u32, random: &mut Random) -> Vec<Candidate> {
    let mut attacks = vec![(0, SquareSet::EMPTY); 1 << bits];
    let mut found = Vec::new();
    for attempt in 1..=TRIES {
        let sparse = random.next() & random.next();
        let factor = match attempt % 4 {
            0 => sparse,
            1 => sparse & random.next(),
            2 => sparse & random.next() & random.next(),
            _ => !(sparse & random.next()),
        };
        let is_factor = slides.each(|occupied, set| {
            let entry = &mut attacks[(occupied.wrapping_mul(factor) >> (64 - bits)) as usize];
            let fits = entry.0 != attempt || entry.1 == set;
            *entry = (attempt, set);
            fits
        });
        if is_factor {
            let entries = attacks.iter().enumerate().filter(|(_, entry)| entry.0 == attempt);
            let entries = entries.map(|(index, entry)| (index, entry.1)).collect();
            found.push(Candidate { factor, entries });
        }
        if found.len() > 16 * KEPT || attempt == TRIES {
            found = best(found);
        }
    }
    found
}

/// The candidates with few entries, those whose entries lie close, and those in between.
fn best(mut found: Vec<Candidate>) -> Vec<Candidate> {
    let mut kept = Vec::new();
    for (of_span, of_entries) in [(1, 0), (0, 1), (1, 4)] {
        found.sort_by_key(|found| of_span * found.span() + of_entries * found.entries.len());
        kept.extend(found.drain(..KEPT.min(found.len())));
    }
    kept
}

/// Where the entries of a candidate fit first into a table; free places are empty.
fn first_fit(table: &[SquareSet], candidate: &Candidate) -> usize {
    let fits = |start: &usize| {
        candidate.entries.iter().all(|&(index, set)| {
            let place = table[start + index];
            place.is_empty() || place == set
        })
    };
    (0..).find(fits).expect("the end of the table is free")
}

/// Prints the tables of `magics`. The squares with the most entries come first into the table of
/// attacks; of the candidates of a square, the one after which the table ends first is taken.
#[test]
#[ignore = "searches for a minute, to make the tables again"]
#[allow(clippy::disallowed_macros)]
fn search() {
    let mut random = Random(88_172_645_463_325_252);
    let mut squares = Vec::new();
    for (name, directions, bits) in
        [("ROOK", ORTHOGONAL, ROOK_BITS), ("BISHOP", DIAGONAL, BISHOP_BITS)]
    {
        for square in Square::all() {
            let found = candidates(&Slides::of(square, directions), bits, &mut random);
            squares.push((name, square, found));
        }
    }
    let entries = |found: &[Candidate]| found.iter().map(|found| found.entries.len()).min();
    squares.sort_by_key(|(.., found)| std::cmp::Reverse(entries(found)));
    let mut table = vec![SquareSet::EMPTY; 1 << 20];
    let mut end = 0;
    let mut magics = Vec::new();
    for (name, square, found) in squares {
        let places = found.iter().map(|candidate| (candidate, first_fit(&table, candidate)));
        let end_after = |(candidate, start): &(&Candidate, usize)| {
            end.max(start + candidate.entries.last().map_or(0, |entry| entry.0 + 1))
        };
        let (candidate, start) = places.min_by_key(end_after).expect("a factor");
        end = end_after(&(candidate, start));
        for &(index, set) in &candidate.entries {
            table[start + index] = set;
        }
        magics.push((name, square, Magic { factor: candidate.factor, start }));
    }
    magics.sort_by_key(|&(name, square, _)| (name, square));
    for (name, square, Magic { factor, start }) in magics {
        println!("{name} {square} {factor:#018x} {start}");
    }
    println!("{end} places");
}
