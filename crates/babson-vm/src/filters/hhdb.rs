//! The tags and comments of the Heijden database (`docs/src/language/hhdb.md`).

use babson_lang::hir::{Award, AwardKind};

use crate::limits::MAX_SORTED_RANK;

/// The award that the text of an Event tag begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventAward {
    /// Which.
    pub kind: AwardKind,
    /// Whether it is a special one.
    pub special: bool,
    /// First and last rank, if it has ranks.
    pub ranks: Option<(i32, i32)>,
}

impl EventAward {
    /// Reads the beginning of an Event tag: `3.p …`, `2/3.sp.hm …`, `sp.c …`.
    ///
    /// ```
    /// use babson_lang::hir::AwardKind;
    /// use babson_vm::filters::hhdb::EventAward;
    ///
    /// let found = EventAward::read(b"2/3.sp.hm Moscow ty").unwrap();
    /// assert_eq!((found.kind, found.special), (AwardKind::HonorableMention, true));
    /// assert_eq!(found.ranks, Some((2, 3)));
    /// assert_eq!(EventAward::read(b"Moscow ty"), None);
    /// ```
    pub fn read(event: &[u8]) -> Option<EventAward> {
        let mut rest = event;
        let mut ranks = None;
        if let Some(rank) = number(&mut rest) {
            let mut last = rank;
            if let Some(after) = rest.strip_prefix(b"/") {
                rest = after;
                last = number(&mut rest).filter(|&last| last > rank)?;
            }
            if rank < 1 {
                return None;
            }
            ranks = Some((rank, last));
        }
        let mark: &[u8] = if ranks.is_some() { b".sp" } else { b"sp" };
        let special = rest.starts_with(mark);
        if special {
            rest = &rest[mark.len()..];
        }
        let kinds: [(&[u8], AwardKind); 3] = [
            (b".p", AwardKind::Prize),
            (b".hm", AwardKind::HonorableMention),
            (b".c", AwardKind::Commendation),
        ];
        let kind = kinds.iter().find(|kind| rest.starts_with(kind.0))?.1;
        Some(EventAward { kind, special, ranks })
    }

    /// Whether the filter matches.
    pub fn fits(&self, wanted: &Award) -> bool {
        wanted.kind.is_none_or(|kind| kind == self.kind)
            && wanted.special.is_none_or(|special| special == self.special)
    }

    /// The value of the filter: a rank, or the place in the order of `hhdb sort`. A special award
    /// has a rank only if the filter asks for special awards.
    pub fn value(&self, wanted: &Award) -> Option<i32> {
        let (first, last) = self.ranks.unwrap_or((1, 10_000));
        if wanted.sort {
            let category = 2 * self.kind as i32 + i32::from(self.special);
            let [mut rank, mut other] = [first, last].map(|rank| rank.min(MAX_SORTED_RANK));
            if wanted.max {
                (rank, other) = (other, rank);
            }
            return Some((category * (MAX_SORTED_RANK + 1) + rank) * (MAX_SORTED_RANK + 1) + other);
        }
        if self.special && wanted.special != Some(true) {
            return None;
        }
        Some(if wanted.max { last } else { first })
    }
}

/// The number of the decimal digits at the beginning, capped at the greatest.
fn number(rest: &mut &[u8]) -> Option<i32> {
    let len = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, after) = rest.split_at(len);
    *rest = after;
    (len > 0).then(|| {
        digits
            .iter()
            .fold(0i32, |sum, digit| sum.saturating_mul(10).saturating_add(i32::from(digit - b'0')))
    })
}

/// The GBR code in the Black tag: `+0410.01a1h8`.
pub fn gbr(black: &[u8]) -> Option<&[u8]> {
    black.windows(12).find(|code| {
        // Any character from `+` to `=`, not only those two and `-`.
        (b'+'..=b'=').contains(&code[0])
            && code[1..5].iter().all(u8::is_ascii_digit)
            && code[5] == b'.'
            && code[6..8].iter().all(u8::is_ascii_digit)
            && code[8..].chunks(2).all(|square| {
                (b'a'..=b'h').contains(&square[0]) && (b'1'..=b'8').contains(&square[1])
            })
    })
}

/// The name of the diagram in the Event tag: what follows `#` up to a space.
pub fn diagram(event: &[u8]) -> Option<&[u8]> {
    let starts = event.iter().enumerate().filter(|(_, byte)| **byte == b'#');
    starts
        .map(|(at, _)| event[at + 1..].split(|&byte| byte == b' ').next())
        .find_map(|name| name.filter(|name| !name.is_empty()))
}

/// The number after `EG#` in the first comment.
pub fn eg_diagram(comment: &[u8]) -> Option<i32> {
    let mut starts = comment.windows(3).enumerate().filter(|(_, text)| text == b"EG#");
    starts.find_map(|(at, _)| number(&mut &comment[at + 3..]))
}

/// What `stipulation: … .` in the first comment says.
pub fn stipulation(comment: &[u8]) -> Option<&[u8]> {
    const MARK: &[u8] = b"stipulation: ";
    let mut starts = comment.windows(MARK.len()).enumerate().filter(|(_, text)| *text == MARK);
    starts.find_map(|(at, _)| {
        let rest = &comment[at + MARK.len()..];
        let end = rest.iter().position(|&byte| byte == b'.')?;
        (end > 0).then(|| &rest[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn award(text: &str) -> Option<EventAward> {
        EventAward::read(text.as_bytes())
    }

    fn found(kind: AwardKind, special: bool, ranks: Option<(i32, i32)>) -> Option<EventAward> {
        Some(EventAward { kind, special, ranks })
    }

    #[test]
    fn awards() {
        use AwardKind::*;
        assert_eq!(award("1.p Foo"), found(Prize, false, Some((1, 1))));
        assert_eq!(award("sp.c Foo"), found(Commendation, true, None));
        assert_eq!(award(".hm Foo"), found(HonorableMention, false, None));
        for none in ["", "p", "Moscow", "0.p", "3/2.p", "3/3.p", "3/.p", "3p", "3.sp", "3sp.p"] {
            assert_eq!(award(none), None, "{none}");
        }
    }

    #[test]
    fn the_order_is_category_rank_and_last_rank() {
        let sort = Award { kind: None, special: None, max: false, sort: true };
        let places = ["1.p", "2.p", "2/3.p", "99999.p", "sp.p", "1.hm", "1.sp.hm", "1.c", "sp.c"]
            .map(|text| EventAward::read(text.as_bytes()).and_then(|found| found.value(&sort)));
        assert!(places.is_sorted() && places[0].is_some(), "{places:?}");
    }

    #[test]
    fn codes_and_numbers() {
        assert_eq!(gbr(b"(+0410.01a1h8) (c)"), Some(&b"+0410.01a1h8"[..]));
        assert_eq!(gbr(b"(*0410.01a1h8)"), None);
        assert_eq!(gbr(b"(=0410.01a1h9)"), None);
        assert_eq!(diagram(b"ty#123 x"), Some(&b"123"[..]));
        assert_eq!(diagram(b"ty# x#7"), Some(&b"7"[..]));
        assert_eq!(eg_diagram(b"EG# (EG#4567)."), Some(4567));
        assert_eq!(eg_diagram(b"EG=188"), None);
        assert_eq!(stipulation(b"x stipulation: win in 3. y"), Some(&b"win in 3"[..]));
        assert_eq!(stipulation(b"stipulation: win in 3"), None);
    }
}
