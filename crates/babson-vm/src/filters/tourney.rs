//! The tourney in the Event tag of a study, for `hhdb tourney_name` and similar filters.
//!
//! An Event has the form `DISTINCTION EDITION NAME YEARS#DIAGRAM`, where only the name is required:
//! `3.p 2nd UAPA internet ty#22`. The specification only names the parts; each function here says
//! what it takes for one.

use super::hhdb::EventAward;
use crate::limits::MAX_TOURNEY_YEARS;

/// The parts of an Event tag without the distinction and the diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tourney {
    /// The number of the edition: `2nd` as the first word, or a later Roman numeral or `WCCT9`.
    pub edition: Option<i32>,
    /// The remaining words, separated by spaces; may be empty.
    pub name: Vec<u8>,
    /// The years: the last word that has the form of years.
    pub years: Option<Years>,
}

/// One or several years: `1976`, `1976-77`, `1976/II`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Years {
    /// The first or only year.
    pub first: i32,
    /// The last one, where there are several.
    pub last: Option<i32>,
    /// The part of the year, as it is written: `II`, `7-12`.
    pub part: Option<Vec<u8>>,
}

/// The years that a word can name: `Kiev 1500` is an anniversary.
const YEARS: std::ops::RangeInclusive<i32> = 1800..=2199;

impl Tourney {
    /// Takes an Event tag apart.
    ///
    /// ```
    /// use babson_vm::filters::tourney::Tourney;
    ///
    /// let found = Tourney::read(b"3.p 2nd UAPA internet ty#22");
    /// assert_eq!(found.edition, Some(2));
    /// assert_eq!(found.name, b"UAPA internet ty");
    /// assert_eq!(found.years, None);
    /// ```
    pub fn read(event: &[u8]) -> Tourney {
        let after = &event[distinction(event).map_or(0, <[u8]>::len)..];
        let mut words: Vec<&[u8]> = after
            .split(|&byte| byte == b' ')
            .map(before_diagram)
            .filter(|word| !word.is_empty())
            .collect();

        let mut found = Tourney::default();
        if let Some(edition) = words.first().and_then(|word| ordinal(word)) {
            found.edition = Some(edition);
            words.remove(0);
        }
        if let Some(at) = words.iter().rposition(|word| Years::read(word).is_some()) {
            found.years = Years::read(words.remove(at));
            if let Some(years) = &mut found.years
                && years.part.is_none()
                && words.get(at).is_some_and(|word| roman(word).is_some())
            {
                years.part = Some(words.remove(at).to_vec());
            }
        }
        if found.edition.is_none() {
            let behind = words.iter().skip(1).rposition(|word| roman(word).is_some());
            if let Some(at) = behind.map(|at| at + 1) {
                found.edition = roman(words.remove(at));
            } else if let Some(at) = words.iter().position(|word| numbered(word).is_some()) {
                let (short, edition) = numbered(words[at]).unzip();
                found.edition = edition;
                words[at] = short.unwrap_or(words[at]);
            }
        }
        found.name = words.join(&b' ');
        found
    }
}

impl Years {
    fn read(word: &[u8]) -> Option<Years> {
        let (first, behind) = word.split_at_checked(4)?;
        let first = digits(first).filter(|year| YEARS.contains(year))?;
        let mut years = Years { first, last: None, part: None };
        let Some((b'-' | b'/', behind)) = behind.split_first() else {
            return behind.is_empty().then_some(years);
        };
        let slash = behind.iter().position(|&byte| byte == b'/');
        let (span, part) = behind.split_at(slash.unwrap_or(behind.len()));
        years.last = digits(span).and_then(|last| match span.len() {
            4 => (last > first && YEARS.contains(&last)).then_some(last),
            2 => Some(first + (last - first).rem_euclid(100)).filter(|last| {
                let length = last - first;
                (1..=MAX_TOURNEY_YEARS).contains(&length)
            }),
            _ => None,
        });
        let part = match years.last {
            None => behind,
            Some(_) if part.is_empty() => return Some(years),
            Some(_) => &part[1..],
        };
        let is_part =
            |word: &[u8]| roman(word).is_some() || word.len() < 3 && digits(word).is_some();
        years.part = Some(part.to_vec());
        part.split(|&byte| byte == b'-').all(is_part).then_some(years)
    }
}

/// The award as it is written, the first word of an Event tag: `3.p`, `2/3.sp.hm`.
pub fn distinction(event: &[u8]) -> Option<&[u8]> {
    EventAward::read(event)?;
    let word = event.split(|&byte| byte == b' ').next()?;
    Some(before_diagram(word))
}

/// The word without the diagram's number after `#`.
fn before_diagram(word: &[u8]) -> &[u8] {
    word.split(|&byte| byte == b'#').next().unwrap_or(word)
}

/// The number of one to four digits.
fn digits(text: &[u8]) -> Option<i32> {
    let is_number = (1..=4).contains(&text.len()) && text.iter().all(u8::is_ascii_digit);
    is_number.then(|| text.iter().fold(0, |sum, digit| sum * 10 + i32::from(digit - b'0')))
}

/// `1st`, `2nd`, `3rd`, `4th` …
fn ordinal(word: &[u8]) -> Option<i32> {
    let (number, end) = word.split_at_checked(word.len().checked_sub(2)?)?;
    matches!(end, b"st" | b"nd" | b"rd" | b"th").then_some(())?;
    digits(number).filter(|&number| number > 0)
}

/// A short name in capitals followed by the edition: `WCCT9`.
fn numbered(word: &[u8]) -> Option<(&[u8], i32)> {
    let letters = word.iter().take_while(|byte| byte.is_ascii_uppercase());
    let (short, number) = word.split_at(letters.count());
    let edition = digits(number).filter(|&number| number > 0)?;
    (short.len() >= 2 && number.len() <= 2).then_some((short, edition))
}

/// A Roman numeral up to 39, so of the letters I, V and X.
fn roman(word: &[u8]) -> Option<i32> {
    const ONES: [&[u8]; 10] =
        [b"", b"I", b"II", b"III", b"IV", b"V", b"VI", b"VII", b"VIII", b"IX"];
    let tens = word.iter().take_while(|&&byte| byte == b'X').count();
    let ones = ONES.iter().position(|ones| *ones == &word[tens..])?;
    (tens <= 3 && !word.is_empty()).then_some((10 * tens + ones) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(event: &str) -> (Option<i32>, String, Option<i32>, Option<i32>, String) {
        let found = Tourney::read(event.as_bytes());
        let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let (first, last, part) = found
            .years
            .map(|years| (years.first, years.last, years.part))
            .map_or_else(Default::default, |(first, last, part)| {
                (Some(first), last, part.unwrap_or_default())
            });
        (found.edition, text(&found.name), first, last, text(&part))
    }

    fn without_years(edition: Option<i32>, name: &str, event: &str) {
        let expected = (edition, name.to_string(), None, None, String::new());
        assert_eq!(parts(event), expected, "{event}");
    }

    #[test]
    fn editions_and_names() {
        without_years(Some(2), "UAPA internet ty", "3.p 2nd UAPA internet ty#22");
        without_years(Some(18), "Russian Team champ", "9/10.p Russian Team champ XVIII");
        without_years(Some(9), "WCCT ty", "63/69.p WCCT9 ty");
        without_years(None, "64", "1/2.p 64#076");
        without_years(None, "Kiev 1500 AT", "Kiev 1500 AT");
        without_years(None, "Argentina-200 AT", "1.p Argentina-200 AT");
        without_years(None, "Tvorchestvo Grigorieva (1952)", "Tvorchestvo Grigorieva (1952)#40");
        without_years(None, "L'Italia Scacchistica", ".c L'Italia Scacchistica#3631");
        without_years(None, "0th IIII CCCC VX", "0th IIII CCCC VX");
        without_years(None, "X", "X");
        without_years(None, "", "1.p");
        without_years(None, "", "");
    }

    #[test]
    fn years() {
        let cases: [(&str, i32, Option<i32>, &str); 11] = [
            ("EG 1976", 1976, None, ""),
            ("EG#12 1976", 1976, None, ""),
            ("1.p EG 1976-1977#5", 1976, Some(1977), ""),
            ("EG 1976/77", 1976, Some(1977), ""),
            ("EG 1999-00", 1999, Some(2000), ""),
            ("EG 1976-77/II", 1976, Some(1977), "II"),
            ("EG 1976/II", 1976, None, "II"),
            ("EG 1976 I", 1976, None, "I"),
            ("EG 1976/7-12", 1976, None, "7-12"),
            ("EG 1976-12", 1976, None, "12"),
            ("1976 EG", 1976, None, ""),
        ];
        for (event, first, last, part) in cases {
            let expected = (None, "EG".to_string(), Some(first), last, part.to_string());
            assert_eq!(parts(event), expected, "{event}");
        }
        for none in ["1976-1970", "1976-", "1976/77/", "1976/x", "19765", "1976-77-"] {
            assert_eq!(Years::read(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn distinctions() {
        assert_eq!(distinction(b"2/3.sp.hm Moscow ty"), Some(&b"2/3.sp.hm"[..]));
        assert_eq!(distinction(b".c"), Some(&b".c"[..]));
        assert_eq!(distinction(b"1.p#3 EG"), Some(&b"1.p"[..]));
        assert_eq!(distinction(b"Moscow ty"), None);
    }
}
