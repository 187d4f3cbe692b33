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

/// The month of a date, from 1 to 12.
///
/// ```
/// use babson_pgn::tags::normal::month;
/// assert_eq!((month(b"1921.5.7"), month(b"1921.13.1"), month(b"1921")), (Some(5), None, None));
/// ```
pub fn month(value: &[u8]) -> Option<u32> {
    date(value)[5..7].parse().ok().filter(|month| (1..=12).contains(month))
}

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FullDate {
    /// From 1 to 9999.
    pub year: u32,
    /// From 1 to 12.
    pub month: u32,
    /// From 1, at most the last day of the month.
    pub day: u32,
}

impl FullDate {
    /// The days since 1970-01-01, in the Gregorian calendar; negative before it.
    ///
    /// ```
    /// use babson_pgn::tags::normal::full_date;
    /// let days = |text: &[u8]| full_date(text).map(|date| date.days_since_1970());
    /// assert_eq!((days(b"1970.01.01"), days(b"2000.3.1")), (Some(0), Some(11_017)));
    /// assert_eq!(days(b"1969.12.31"), Some(-1));
    /// ```
    pub fn days_since_1970(self) -> i32 {
        let days_before = |year: u32| {
            let past = year - 1;
            365 * past + past / 4 - past / 100 + past / 400
        };
        let months = (1..self.month).map(|month| days_of_month(self.year, month));
        let days = days_before(self.year) + months.sum::<u32>() + self.day - 1;
        // Both are below 4 million.
        days as i32 - days_before(1970) as i32
    }
}

impl std::fmt::Display for FullDate {
    /// As ISO 8601 writes it: `1921-05-07`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// The day of a date, if its year, month and day are known and there is such a day.
///
/// ```
/// use babson_pgn::tags::normal::full_date;
/// assert_eq!(full_date(b"1921.5.7").unwrap().to_string(), "1921-05-07");
/// assert_eq!((full_date(b"1921.05.??"), full_date(b"1921.02.29")), (None, None));
/// ```
pub fn full_date(value: &[u8]) -> Option<FullDate> {
    let date = date(value);
    let mut parts = date.split('.').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let is_day = year > 0 && (1..=12).contains(&month) && day > 0;
    (is_day && day <= days_of_month(year, month)).then_some(FullDate { year, month, day })
}

fn days_of_month(year: u32, month: u32) -> u32 {
    let is_century = year.is_multiple_of(100);
    let is_leap = year.is_multiple_of(4) && (!is_century || year.is_multiple_of(400));
    match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn date_parts(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.trim_ascii().split(|byte| matches!(byte, b'.' | b'/' | b'-'))
}

/// The number in a part of a date, if the part consists of at most `digits` digits.
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

    #[test]
    fn full_dates() {
        let dates: [(&[u8], Option<&str>); 9] = [
            (b"2000.02.29", Some("2000-02-29")),
            (b"1900.02.29", None),
            (b"2023-4-30", Some("2023-04-30")),
            (b"2023.04.31", None),
            (b"0000.01.01", None),
            (b"0001.01.01", Some("0001-01-01")),
            (b"2023.00.10", None),
            (b"2023.10.00", None),
            (b"????.10.10", None),
        ];
        for (value, expected) in dates {
            let found = full_date(value).map(|date| date.to_string());
            assert_eq!(found.as_deref(), expected, "{}", value.escape_ascii());
        }
        assert_eq!(month(b"2023.00.10"), None);
        // Each day follows the one before, over all leap years of a cycle of 400 years.
        let mut before = full_date(b"1800.01.01").unwrap().days_since_1970() - 1;
        for year in 1800..2201 {
            for month in 1..=12 {
                for day in 1..=days_of_month(year, month) {
                    before += 1;
                    assert_eq!(FullDate { year, month, day }.days_since_1970(), before);
                }
            }
        }
    }
}
