//! The tags of a game as CQL 6.2 reads them, for its filters and its output. CQL 6.2 does not keep
//! the text of dates, ratings, opening codes and names of players, but a normal form
//! (`docs/src/language/tags.md#in-cql-62`).

use std::borrow::Cow;
use std::fmt;

use super::names::NameIndex;
use crate::limits::{MAX_CQL6_RATING, MAX_CQL6_YEAR};

/// The suffixes of rating tags after `White` and `Black`.
pub(crate) const RATINGS: [&str; 7] = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "BCF"];

/// The tags of a game. Of several tags with one name, the first counts.
#[derive(Clone, Debug, Default)]
pub struct Cql6Tags<'a> {
    /// `Event`
    pub event: Option<&'a [u8]>,
    /// `Site`
    pub site: Option<&'a [u8]>,
    /// `Round`
    pub round: Option<&'a [u8]>,
    /// `Date`
    pub date: Date,
    /// `EventDate`
    pub event_date: Date,
    /// `ECO`
    pub eco: Option<Eco>,
    /// The name and the rating of White.
    pub white: Player,
    /// The name and the rating of Black.
    pub black: Player,
    /// Whether the file gives an initial position.
    pub has_fen: bool,
    /// All other tags in file order, each name once.
    extra: Vec<(&'a [u8], &'a [u8])>,
    /// The names of `extra`, with the same indices.
    extra_names: NameIndex<'a>,
}

/// A player's name and rating.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// The name; `None` without the tag.
    pub name: Option<Vec<u8>>,
    /// The rating, 1 to 4000; 0 if it is unknown.
    pub rating: u32,
    /// The suffix of the tag that gave the rating.
    pub rating_kind: &'static str,
}

impl<'a> Cql6Tags<'a> {
    /// Reads the tags of a game, given in file order.
    pub fn read(tags: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> Cql6Tags<'a> {
        let mut read = Cql6Tags::default();
        let mut names = NameIndex::default();
        for (name, value) in tags {
            // Of several `FEN` tags the reader uses the first that is not empty.
            if name == b"FEN" {
                read.has_fen |= !value.trim_ascii().is_empty();
                continue;
            }
            if !names.insert(name) {
                continue;
            }
            match name {
                b"Event" => read.event = Some(value),
                b"Site" => read.site = Some(value),
                b"Round" => read.round = Some(value),
                b"Date" => read.date = Date::read(value),
                b"EventDate" => read.event_date = Date::read(value),
                b"ECO" => read.eco = Eco::read(value),
                b"White" => read.white.name_is(value),
                b"Black" => read.black.name_is(value),
                // The termination marker decides, not the tag.
                b"Result" => {}
                _ => {
                    let is_rating = match name.split_at_checked(5) {
                        Some((b"White", kind)) => read.white.rating_is(kind, value),
                        Some((b"Black", kind)) => read.black.rating_is(kind, value),
                        _ => false,
                    };
                    if !is_rating {
                        read.extra_names.insert(name);
                        read.extra.push((name, value));
                    }
                }
            }
        }
        read
    }

    /// The tags without a field of their own: name and value in file order, each name once.
    pub fn extra(&self) -> &[(&'a [u8], &'a [u8])] {
        &self.extra
    }

    /// The value of a tag of [`Cql6Tags::extra`].
    pub fn extra_tag(&self, name: &[u8]) -> Option<&'a [u8]> {
        self.extra.get(self.extra_names.get(name)?).map(|tag| tag.1)
    }
}

impl Player {
    fn name_is(&mut self, value: &[u8]) {
        let (name, rating) = name(value);
        self.name = Some(name);
        if let Some(rating) = rating {
            self.rating = rating;
            self.rating_kind = RATINGS[0];
        }
    }

    /// Stores the rating of a tag. Returns whether the tag counts as a rating: tags after the first
    /// that gives one do not.
    fn rating_is(&mut self, kind: &[u8], value: &[u8]) -> bool {
        let known = RATINGS.iter().find(|known| known.as_bytes() == kind);
        match known {
            Some(kind) if self.rating == 0 => {
                self.rating = rating(value);
                self.rating_kind = kind;
                true
            }
            _ => false,
        }
    }
}

/// A date. An unknown part is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Date {
    /// 1 to 2047.
    pub year: u32,
    /// 1 to 12.
    pub month: u32,
    /// 1 to 31.
    pub day: u32,
}

impl Date {
    /// Reads `year.month.day`. The separators must be dots. Each part is the number that it begins
    /// with. A part that is out of range is unknown, and so is the day after a month that is out of
    /// range.
    ///
    /// ```
    /// use babson_pgn::tags::cql6::Date;
    /// let date = |text: &str| Date::read(text.as_bytes()).to_string();
    /// assert_eq!(date("1999.1.2"), "1999.01.02");
    /// assert_eq!(date("2000.13.45"), "2000.??.??");
    /// assert_eq!(date("2000/01/02"), "2000.??.??");
    /// assert_eq!(date("????.05"), "????.05.??");
    /// ```
    pub fn read(value: &[u8]) -> Date {
        let mut parts = value.splitn(3, |&byte| byte == b'.').map(leading_number);
        let mut next = || parts.next().unwrap_or(0);
        let (year, month, day) = (next(), next(), next());
        let upto = |number, limit| if number <= limit { number } else { 0 };
        Date {
            year: upto(year, MAX_CQL6_YEAR),
            month: upto(month, 12),
            day: if month <= 12 { upto(day, 31) } else { 0 },
        }
    }

    /// Whether all parts are unknown.
    pub(crate) fn is_unknown(self) -> bool {
        self == Date::default()
    }
}

impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |number: u32, width: usize| match number {
            0 => "?".repeat(width),
            number => format!("{number:0width$}"),
        };
        let Date { year, month, day } = *self;
        write!(out, "{}.{}.{}", part(year, 4), part(month, 2), part(day, 2))
    }
}

/// An opening code, perhaps with an extension of Scid: `B01`, `C42a`, `C42a1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eco {
    text: [u8; 5],
    length: usize,
}

impl Eco {
    /// Reads a code. Digits that are missing at the end of the value are 0. Text after the code is
    /// dropped.
    ///
    /// ```
    /// use babson_pgn::tags::cql6::Eco;
    /// let eco = |text: &str| Eco::read(text.as_bytes()).map(|eco| eco.as_bytes().to_vec());
    /// assert_eq!(eco("b00/01"), Some(b"B00".to_vec()));
    /// assert_eq!(eco("A1"), Some(b"A10".to_vec()));
    /// assert_eq!(eco("C42a1"), Some(b"C42a1".to_vec()));
    /// assert_eq!(eco("F00"), None);
    /// ```
    pub fn read(value: &[u8]) -> Option<Eco> {
        let mut text = *b"?00  ";
        text[0] = value
            .first()
            .map(u8::to_ascii_uppercase)
            .filter(|letter| matches!(letter, b'A'..=b'E'))?;
        for (digit, &byte) in text[1..3].iter_mut().zip(&value[1..]) {
            *digit = Some(byte).filter(u8::is_ascii_digit)?;
        }
        let mut length = 3;
        if let Some(&letter @ b'a'..=b'z') = value.get(3) {
            text[3] = letter;
            length = 4;
            if let Some(&digit @ b'1'..=b'4') = value.get(4) {
                text[4] = digit;
                length = 5;
            }
        }
        Some(Eco { text, length })
    }

    /// The code.
    pub fn as_bytes(&self) -> &[u8] {
        &self.text[..self.length]
    }
}

/// The name of a player, and the rating of four digits that ` (2433)` at the end gives.
///
/// Spaces at the beginning, and spaces and dots at the end are dropped. One space follows a comma.
/// `van der X` becomes `Van der X`.
///
/// ```
/// use babson_pgn::tags::cql6::name;
/// assert_eq!(name(b"  van Der X,Y. "), (b"Van der X, Y".to_vec(), None));
/// assert_eq!(name(b"Carlsen (2433)"), (b"Carlsen".to_vec(), Some(2433)));
/// ```
pub fn name(value: &[u8]) -> (Vec<u8>, Option<u32>) {
    let mut name = Vec::with_capacity(value.len() + 1);
    let mut after_comma = false;
    for &byte in value {
        match byte {
            b',' => {
                name.push(b',');
                after_comma = true;
            }
            b' ' if after_comma || name.is_empty() => {}
            byte => {
                if after_comma {
                    name.push(b' ');
                    after_comma = false;
                }
                name.push(byte);
            }
        }
    }
    while let Some(b' ' | b'.' | b'\t') = name.last() {
        name.pop();
    }
    if name.starts_with(b"van ") {
        name[0] = b'V';
    }
    for prefix in [&b"Van Der "[..], b"Van Den ", b"Van De "] {
        if name.starts_with(prefix) {
            name[4] = b'd';
        }
    }
    let begin = name.len().saturating_sub(7);
    let rating = match name[begin..] {
        [b' ', b'(', ref digits @ .., b')']
            if begin > 0 && digits.iter().all(u8::is_ascii_digit) =>
        {
            Some(rating(digits))
        }
        _ => None,
    };
    if rating.is_some() {
        name.truncate(begin);
    }
    (name, rating)
}

/// A rating, at most 4000; 0 if the value does not begin with a number.
///
/// ```
/// use babson_pgn::tags::cql6::rating;
/// assert_eq!([rating(b"2500.5"), rating(b"9999"), rating(b"?"), rating(b"-1")], [2500, 4000, 0, 4000]);
/// ```
pub fn rating(value: &[u8]) -> u32 {
    leading_number(value).min(MAX_CQL6_RATING)
}

/// The number at the beginning of a text, as `strtoul` of C reads it, truncated to 32 bits; so `-1`
/// is the greatest number. 0 if there is none.
fn leading_number(text: &[u8]) -> u32 {
    let spaces = text.iter().take_while(|&&byte| byte == b' ' || (9..=13).contains(&byte));
    let text = &text[spaces.count()..];
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    };
    let mut number = Some(0u64);
    for digit in digits.iter().take_while(|byte| byte.is_ascii_digit()) {
        let digit = u64::from(digit - b'0');
        number = number.and_then(|number| number.checked_mul(10)?.checked_add(digit));
    }
    let number = match number {
        Some(number) if negative => number.wrapping_neg(),
        Some(number) => number,
        None => u64::MAX,
    };
    number as u32
}

/// A value as CQL 6.2 writes it: two-byte letters of UTF-8 that begin with C3 become one byte of
/// Latin-1; other bytes do not change. Filters see the bytes of the file.
///
/// ```
/// use babson_pgn::tags::cql6::latin1;
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
    fn dates_keep_the_parts_that_are_numbers() {
        for (text, date) in [
            ("2000.02.30", "2000.02.30"),
            ("02.01.2000", "0002.01.??"),
            ("0000.00.00", "????.??.??"),
            ("2000.??.12", "2000.??.12"),
            ("2000.00.10", "2000.??.10"),
            ("2000.5.45", "2000.05.??"),
            ("2000.13.12", "2000.??.??"),
            ("2047.12.31", "2047.12.31"),
            ("2048.01.01", "????.01.01"),
            ("????.05.05", "????.05.05"),
            ("1999-01-02", "1999.??.??"),
            ("19990102", "????.??.??"),
            (" 2000. 1 .2nd", "2000.01.02"),
            ("-5.1.1", "????.01.01"),
            ("+1999.+1", "1999.01.??"),
            ("4294969296.1", "2000.01.??"),
            ("99999999999999999999999", "????.??.??"),
            ("c. 1850", "????.??.??"),
            ("", "????.??.??"),
        ] {
            assert_eq!(Date::read(text.as_bytes()).to_string(), date, "{text}");
        }
    }

    #[test]
    fn codes() {
        for (text, code) in [
            ("A", Some("A00")),
            ("e9", Some("E90")),
            ("A000", Some("A00")),
            ("A99a", Some("A99a")),
            ("D05q", Some("D05q")),
            ("D05d5", Some("D05d")),
            ("C42a4x", Some("C42a4")),
            ("C42A", Some("C42")),
            ("B12 ", Some("B12")),
            ("C 42", None),
            (" C42", None),
            ("Cx", None),
            ("", None),
            ("?", None),
        ] {
            let read = Eco::read(text.as_bytes());
            let read = read.as_ref().map(Eco::as_bytes);
            assert_eq!(read, code.map(str::as_bytes), "{text}");
        }
    }

    #[test]
    fn names() {
        for (text, read, rating) in [
            ("unknown", "unknown", None),
            ("von Bardeleben", "von Bardeleben", None),
            ("van", "van", None),
            ("vanessa", "vanessa", None),
            ("van De Berg", "Van de Berg", None),
            ("Van Den Berg", "Van den Berg", None),
            ("éluard", "éluard", None),
            ("A,   B", "A, B", None),
            ("A,,B,", "A,, B,", None),
            ("A , B", "A , B", None),
            (",B", ", B", None),
            ("A  B", "A  B", None),
            ("\tA\tB\t", "\tA\tB", None),
            ("A. .\t", "A", None),
            ("A,.", "A,", None),
            ("(2433)", "(2433)", None),
            (" (2433)", "(2433)", None),
            ("N(2433)", "N(2433)", None),
            ("N (99)", "N (99)", None),
            ("N (243x)", "N (243x)", None),
            ("N (2433) x", "N (2433) x", None),
            ("N  (2433).", "N ", Some(2433)),
            ("N (9999)", "N", Some(4000)),
            ("N (0000)", "N", Some(0)),
            ("", "", None),
        ] {
            assert_eq!(name(text.as_bytes()), (read.as_bytes().to_vec(), rating), "{text}");
        }
    }

    #[test]
    fn the_first_rating_that_is_one_and_the_first_of_equal_names() {
        let tags: [(&[u8], &[u8]); 11] = [
            (b"WhiteRating", b"?"),
            (b"WhiteRapid", b"2500"),
            (b"WhiteElo", b"2400"),
            (b"Black", b"B (2300)"),
            (b"BlackElo", b"2200"),
            (b"BlackTitle", b"GM"),
            (b"Event", b"one"),
            (b"Event", b"two"),
            (b"Zed", b"1"),
            (b"Yes", b"2"),
            (b"Zed", b"3"),
        ];
        let read = Cql6Tags::read(tags.into_iter());
        assert_eq!((read.white.rating, read.white.rating_kind), (2500, "Rapid"));
        assert_eq!((read.black.rating, read.black.rating_kind), (2300, "Elo"));
        assert_eq!((read.event, read.site), (Some(&b"one"[..]), None));
        let extra: [(&[u8], &[u8]); 5] = [
            (b"WhiteElo", b"2400"),
            (b"BlackElo", b"2200"),
            (b"BlackTitle", b"GM"),
            (b"Zed", b"1"),
            (b"Yes", b"2"),
        ];
        assert_eq!(read.extra(), extra);
        assert_eq!(read.extra_tag(b"Zed"), Some(&b"1"[..]));
        assert_eq!(read.extra_tag(b"Event"), None);
    }
}
