//! Normal forms of tag values: what CQL 6.2 makes of them before filters and output see them
//! (evaluation-and-output.md, section 8.1). Pure functions of the value's bytes.

use std::borrow::Cow;

/// A date as `yyyy.mm.dd`, unknown parts as `?`: `1999.1.2` is `1999.01.02`, `2000` is
/// `2000.??.??`, a month or day that cannot be makes both unknown.
///
/// ```
/// use babson_pgn::tags::normal::date;
/// assert_eq!(date(b"1999.1.2"), "1999.01.02");
/// assert_eq!(date(b"2000.13.45"), "2000.??.??");
/// assert_eq!(date(b""), "????.??.??");
/// ```
pub fn date(value: &[u8]) -> String {
    let mut parts = value
        .trim_ascii()
        .split(|byte| matches!(byte, b'.' | b'/' | b'-'));
    let mut number = |digits: usize| {
        let part = parts.next().unwrap_or_default().trim_ascii();
        let valid = !part.is_empty() && part.len() <= digits && part.iter().all(u8::is_ascii_digit);
        valid.then(|| {
            part.iter()
                .fold(0u32, |sum, &digit| sum * 10 + u32::from(digit - b'0'))
        })
    };
    let (year, month, day) = (number(4), number(2), number(2));
    let Some(year) = year else {
        return "????.??.??".to_owned();
    };
    let month_ok = month.is_none_or(|month| (1..=12).contains(&month));
    let day_ok = day.is_none_or(|day| (1..=31).contains(&day));
    let part = |number: Option<u32>| match number {
        Some(number) if month_ok && day_ok => format!("{number:02}"),
        _ => "??".to_owned(),
    };
    format!("{year:04}.{}.{}", part(month), part(month.and(day)))
}

/// The year of a date.
pub fn year(value: &[u8]) -> Option<u32> {
    date(value)[..4].parse().ok()
}

/// A player's name and the rating that a trailing `(2433)` gives.
///
/// Leading blanks and trailing blanks and dots are dropped, after a comma stands one blank, a
/// small first letter (`van der X`) becomes a capital.
///
/// ```
/// use babson_pgn::tags::normal::name;
/// assert_eq!(name(b"  van der X,Y. "), (b"Van der X, Y".to_vec(), None));
/// assert_eq!(name(b"Carlsen (2433)"), (b"Carlsen".to_vec(), Some(2433)));
/// ```
pub fn name(value: &[u8]) -> (Vec<u8>, Option<u32>) {
    let mut value = value.trim_ascii();
    let mut rating = None;
    if let Some(inner) = value.strip_suffix(b")")
        && let Some(open) = memchr::memrchr(b'(', inner)
        && let Some(number) = elo(&inner[open + 1..])
    {
        rating = Some(number);
        value = &inner[..open];
    }
    while let [rest @ .., b' ' | b'.' | b'\t'] = value {
        value = rest;
    }
    let mut out = Vec::with_capacity(value.len() + 1);
    let mut at = 0;
    while let Some(&byte) = value.get(at) {
        out.push(byte);
        at += 1;
        if byte == b',' && at < value.len() {
            out.push(b' ');
            while value.get(at) == Some(&b' ') {
                at += 1;
            }
        }
    }
    if let Some(first) = out.first_mut() {
        first.make_ascii_uppercase();
    }
    (out, rating)
}

/// A rating: none if it is no number or 0, at most 4000.
///
/// ```
/// use babson_pgn::tags::normal::elo;
/// assert_eq!((elo(b"2100"), elo(b"9999"), elo(b"-"), elo(b"0")), (Some(2100), Some(4000), None, None));
/// ```
pub fn elo(value: &[u8]) -> Option<u32> {
    let value = value.trim_ascii();
    if value.is_empty() || !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = value.iter().fold(0u32, |sum, &digit| {
        sum.saturating_mul(10)
            .saturating_add(u32::from(digit - b'0'))
    });
    (number > 0).then_some(number.min(4000))
}

/// An opening code: a letter A to E and two digits, anything after them dropped.
///
/// ```
/// use babson_pgn::tags::normal::eco;
/// assert_eq!((eco(b"B00/01"), eco(b"?")), (Some(&b"B00"[..]), None));
/// ```
pub fn eco(value: &[u8]) -> Option<&[u8]> {
    let value = value.trim_ascii();
    match value {
        [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9', ..] => {
            let next = value.get(3).is_none_or(|byte| !byte.is_ascii_digit());
            next.then_some(&value[..3])
        }
        _ => None,
    }
}

/// UTF-8 letters of the form C3 xx as one Latin-1 byte; other bytes as they are.
///
/// ```
/// use babson_pgn::tags::normal::latin1;
/// assert_eq!(&*latin1("Müller".as_bytes()), b"M\xfcller");
/// ```
pub fn latin1(value: &[u8]) -> Cow<'_, [u8]> {
    if !value.contains(&0xC3) {
        return Cow::Borrowed(value);
    }
    let mut out = Vec::with_capacity(value.len());
    let mut at = 0;
    while let Some(&byte) = value.get(at) {
        match value.get(at + 1) {
            Some(next @ 0x80..=0xBF) if byte == 0xC3 => {
                out.push(next + 0x40);
                at += 2;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(date(b"2000"), "2000.??.??");
        assert_eq!(date(b"1998.??.??"), "1998.??.??");
        assert_eq!(date(b"1998.05"), "1998.05.??");
        assert_eq!(date(b"????.05.06"), "????.??.??");
        assert_eq!((year(b"1998"), year(b"?")), (Some(1998), None));
    }

    #[test]
    fn names() {
        assert_eq!(name(b"A,   B").0, b"A, B");
        assert_eq!(name(b"A (x)").0, b"A (x)");
        assert_eq!(name(b"").0, b"");
    }
}
