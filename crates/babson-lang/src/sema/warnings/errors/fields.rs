//! The help for values in the form of search fields: `player:Alekhine`, `clk < 0:30`.

use super::super::correction::{between, is_digits};
use super::meaning::WordMeaning;
use crate::cql3;
use crate::diagnostic::{Fix, Help, Span};
use crate::hir::Type;
use crate::keywords::Keyword;
use crate::limits::{MAX_REPEATED, MAX_TIME};

/// The help for a `:` at this place that cannot follow its left operand.
pub(super) fn explain(text: &str, operator: Span) -> Option<Help> {
    of_cql3(text, operator)
        .map(Help::from)
        .or_else(|| of_field(text, operator))
        .or_else(|| of_time(text, operator))
}

/// The help for a `:` before a word of CQL 3: `K:attackby A`.
fn of_cql3(text: &str, operator: Span) -> Option<String> {
    let after = text.get(operator.end as usize..)?;
    let word = after.split(|letter: char| !letter.is_ascii_alphanumeric()).next()?;
    (operator.text(text) == ":").then(|| cql3::keyword_help(word)).flatten()
}

/// The help for a `:` between a filter and its value, as search fields have it: `player:Alekhine`,
/// `elo white:2500`, `year:1950-1960`.
fn of_field(text: &str, operator: Span) -> Option<Help> {
    if operator.text(text) != ":" {
        return None;
    }
    let is_letter = |letter: char| letter.is_ascii_alphanumeric();
    let before = text.get(..operator.start as usize)?.trim_end();
    let mut words = before.rsplit(|letter| !is_letter(letter));
    let (word, other) = (words.next()?, words.next().unwrap_or_default());
    let after = text.get(operator.end as usize..)?.trim_start();
    let value = match after.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?.0,
        None => after.split(|letter: char| !is_letter(letter) && letter != '-').next()?,
    };
    if value.is_empty() || value.len() > MAX_REPEATED || value.contains(['\n', '\r']) {
        return None;
    }
    let keyword = Keyword::from_word(word)?;
    let is_color = matches!(keyword, Keyword::White | Keyword::Black);
    let of_rating = is_color && other == Keyword::Elo.name();
    // The value is a part of the text, so its address tells its end.
    let quote = u32::from(after.starts_with('"'));
    let value_end = (text.len() - after.len() + value.len()) as u32 + 2 * quote;
    let field = |length: usize| Span::new((before.len() - length) as u32, value_end);
    let number = |subject: &str, op: &str, place: Span| match value.split_once('-') {
        Some((low, high)) => {
            (is_digits(low) && is_digits(high)).then(|| between(place, subject, low, high))
        }
        None => is_digits(value).then(|| Help::write(place, format!("{subject} {op} {value}"))),
    };
    if of_rating || keyword == Keyword::Elo {
        let color = if of_rating { format!(" {word}") } else { String::new() };
        let subject = format!("{}{color}", Keyword::Elo.name());
        return number(&subject, ">=", field(subject.len()));
    }
    let meaning =
        if is_color { WordMeaning::Player(keyword) } else { WordMeaning::Filter(keyword) };
    // `player white:…`
    let of_player = is_color && other == Keyword::Player.name();
    let start = before.rfind(other).filter(|_| of_player);
    let place = field(start.map_or(word.len(), |start| before.len() - start));
    let query = meaning.with(value).map(|query| Help::write(place, query));
    query.or_else(|| number(word, "==", place).filter(|_| keyword.ty() == Some(Type::Number)))
}

/// The help for a time after a comparison, as in `clk < 0:30`: the clock counts seconds.
fn of_time(text: &str, operator: Span) -> Option<Help> {
    if operator.text(text) != ":" {
        return None;
    }
    let is_time = |letter: char| letter.is_ascii_digit() || letter == ':';
    let before = text.get(..operator.start as usize)?;
    let after = text.get(operator.start as usize..)?;
    let start = before.trim_end_matches(is_time).len();
    let end = text.len() - after.trim_start_matches(is_time).len();
    let written = text.get(start..end).filter(|written| written.len() <= MAX_TIME)?;
    let mut seconds = 0_u32;
    for (at, field) in written.split(':').enumerate() {
        let is_field = if at == 0 { !field.is_empty() } else { field.len() == 2 };
        seconds = seconds * 60 + field.parse::<u32>().ok().filter(|_| is_field)?;
    }
    let help = Help::from(format!("a time is a number of seconds: write `{seconds}`"));
    Some(help.with(Fix::replace(Span::new(start as u32, end as u32), seconds.to_string())))
}

/// The help for a range of codes of openings that begins at this place, `B20-B99` or `B20..B99`,
/// and the place of the second code. The range is written in the place of `filter` and the codes.
pub(super) fn range_of_codes(text: &str, first: Span, filter: Span) -> Option<(Help, Span)> {
    let code = |text: &str| matches!(text.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']);
    let low = first.text(text);
    let after = text.get(first.end as usize..)?;
    let separator = ["..", " - ", "-"].into_iter().find(|one| after.starts_with(one))?;
    let start = first.end + separator.len() as u32;
    let second = Span::new(start, start + 3);
    let high = text.get(start as usize..second.end as usize)?;
    let query = format!("\"{low}\" <= eco <= \"{high}\"");
    let help = || {
        let help = Help::from(format!("for a range of codes write `{query}`"));
        help.with(Fix::replace(filter.to(second), query.clone()))
    };
    (code(low) && code(high)).then(|| (help(), second))
}
