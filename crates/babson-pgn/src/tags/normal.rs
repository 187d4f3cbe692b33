//! The normal forms of dates and ratings, as filters see them. CQL 6.2 has [other
//! forms](super::cql6).

/// A date as `yyyy.mm.dd`. Missing parts are `?`: `1999.1.2` becomes `1999.01.02`, and `2000`
/// becomes `2000.??.??`. If the month or the day is out of range, both are unknown.
///
/// ```
/// use babson_pgn::tags::normal::date;
/// assert_eq!(date(b"1999.1.2"), "1999.01.02");
/// assert_eq!(date(b"2000.13.45"), "2000.??.??");
/// assert_eq!(date(b""), "????.??.??");
/// ```
pub fn date(value: &[u8]) -> String {
    let mut parts = date_parts(value);
    let mut number = |digits: usize| part_number(parts.next().unwrap_or_default(), digits);
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
///
/// ```
/// use babson_pgn::tags::normal::year;
/// assert_eq!((year(b"1921.5.7"), year(b"1921"), year(b"????.??.??")), (Some(1921), Some(1921), None));
/// ```
pub fn year(value: &[u8]) -> Option<u32> {
    date_parts(value).next().and_then(|part| part_number(part, 4))
}

fn date_parts(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.trim_ascii().split(|byte| matches!(byte, b'.' | b'/' | b'-'))
}

/// The number in a part of a date, if it has at most so many digits.
fn part_number(part: &[u8], digits: usize) -> Option<u32> {
    let part = part.trim_ascii();
    let valid = !part.is_empty() && part.len() <= digits && part.iter().all(u8::is_ascii_digit);
    valid.then(|| part.iter().fold(0u32, |sum, &digit| sum * 10 + u32::from(digit - b'0')))
}

/// A rating, at most 4000; `None` if the value is not a number or is 0.
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
    let number = value
        .iter()
        .fold(0u32, |sum, &digit| sum.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
    (number > 0).then_some(number.min(4000))
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
        let dates: [&[u8]; 8] =
            [b"", b" 1998 ", b"98", b"0", b"19981", b"1998/5/7", b"1998.13.1", b"-1998"];
        for value in dates {
            assert_eq!(year(value), date(value)[..4].parse().ok(), "{}", value.escape_ascii());
        }
    }
}
