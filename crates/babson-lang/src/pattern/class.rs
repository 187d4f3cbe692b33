//! Sets of units.

use super::MAX_UNIT;

/// A set of units as ranges, ascending and apart from each other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Class(Vec<(u32, u32)>);

impl Class {
    /// The union of some ranges, both ends included.
    pub fn of(ranges: &[(u32, u32)]) -> Class {
        let mut ranges = ranges.to_vec();
        ranges.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match joined.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        Class(joined)
    }

    /// One unit.
    pub fn single(unit: u32) -> Class {
        Class(vec![(unit, unit)])
    }

    /// The ranges.
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.0
    }

    /// All other units.
    pub fn complement(&self) -> Class {
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
        Class(rest)
    }

    /// Whether the unit is one of them.
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

    pub(super) fn digits() -> Class {
        Class::of(&[(48, 57)])
    }

    pub(super) fn word() -> Class {
        Class::of(&[(48, 57), (65, 90), (95, 95), (97, 122)])
    }

    pub(super) fn space() -> Class {
        Class::of(&[(9, 13), (32, 32)])
    }

    /// `[:alpha:]` and the other classes of POSIX, for ASCII.
    pub(super) fn named(name: &[u8]) -> Option<Class> {
        const UPPER: (u32, u32) = (65, 90);
        const LOWER: (u32, u32) = (97, 122);
        const DIGIT: (u32, u32) = (48, 57);
        Some(match name {
            b"alpha" => Class::of(&[UPPER, LOWER]),
            b"alnum" => Class::of(&[UPPER, LOWER, DIGIT]),
            b"digit" | b"d" => Class::digits(),
            b"w" => Class::word(),
            b"space" | b"s" => Class::space(),
            b"upper" => Class::of(&[UPPER]),
            b"lower" => Class::of(&[LOWER]),
            b"blank" => Class::of(&[(9, 9), (32, 32)]),
            b"punct" => Class::of(&[(33, 47), (58, 64), (91, 96), (123, 126)]),
            b"xdigit" => Class::of(&[DIGIT, (65, 70), (97, 102)]),
            b"cntrl" => Class::of(&[(0, 31), (127, 127)]),
            b"print" => Class::of(&[(32, 126)]),
            b"graph" => Class::of(&[(33, 126)]),
            _ => return None,
        })
    }
}
