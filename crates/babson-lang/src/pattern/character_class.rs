//! Character classes.

use super::MAX_UNIT;

/// A set of units as ascending ranges that do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CharacterClass(Vec<(u32, u32)>);

impl CharacterClass {
    /// The union of some ranges, both ends included.
    pub fn of(ranges: &[(u32, u32)]) -> CharacterClass {
        let mut ranges = ranges.to_vec();
        ranges.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match joined.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        CharacterClass(joined)
    }

    /// The class of one unit.
    pub fn single(unit: u32) -> CharacterClass {
        CharacterClass(vec![(unit, unit)])
    }

    /// The ranges.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// All other units.
    pub(crate) fn complement(&self) -> CharacterClass {
        let mut next = 0;
        let mut rest = Vec::with_capacity(self.0.len() + 1);
        for &(low, high) in &self.0 {
            if low > next {
                rest.push((next, low - 1));
            }
            next = high + 1;
        }
        if next <= MAX_UNIT {
            rest.push((next, MAX_UNIT));
        }
        CharacterClass(rest)
    }

    /// Whether the class contains the unit.
    #[inline]
    pub fn contains(&self, unit: u32) -> bool {
        match &self.0[..] {
            [(low, high)] => (*low..=*high).contains(&unit),
            ranges => {
                let after = ranges.partition_point(|range| range.0 <= unit);
                after > 0 && unit <= ranges[after - 1].1
            }
        }
    }

    pub(super) fn digits() -> CharacterClass {
        CharacterClass::of(&[(48, 57)])
    }

    pub(super) fn word() -> CharacterClass {
        CharacterClass::of(&[(48, 57), (65, 90), (95, 95), (97, 122)])
    }

    pub(super) fn space() -> CharacterClass {
        CharacterClass::of(&[(9, 13), (32, 32)])
    }

    /// A POSIX class such as `[:alpha:]`, for ASCII.
    pub(super) fn named(name: &[u8]) -> Option<CharacterClass> {
        const UPPER: (u32, u32) = (65, 90);
        const LOWER: (u32, u32) = (97, 122);
        const DIGIT: (u32, u32) = (48, 57);
        Some(match name {
            b"alpha" => CharacterClass::of(&[UPPER, LOWER]),
            b"alnum" => CharacterClass::of(&[UPPER, LOWER, DIGIT]),
            b"digit" | b"d" => CharacterClass::digits(),
            b"w" => CharacterClass::word(),
            b"space" | b"s" => CharacterClass::space(),
            b"upper" => CharacterClass::of(&[UPPER]),
            b"lower" => CharacterClass::of(&[LOWER]),
            b"blank" => CharacterClass::of(&[(9, 9), (32, 32)]),
            b"punct" => CharacterClass::of(&[(33, 47), (58, 64), (91, 96), (123, 126)]),
            b"xdigit" => CharacterClass::of(&[DIGIT, (65, 70), (97, 102)]),
            b"cntrl" => CharacterClass::of(&[(0, 31), (127, 127)]),
            b"print" => CharacterClass::of(&[(32, 126)]),
            b"graph" => CharacterClass::of(&[(33, 126)]),
            _ => return None,
        })
    }
}
