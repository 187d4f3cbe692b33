//! Commas in lists that the language writes otherwise: the two parts of a name without quotes, and
//! squares without brackets.

use super::is_designator;
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::keywords::{Keyword, KeywordClass};
use crate::limits::MAX_REPEATED;

/// The error for the list around a comma, and the place of the list.
pub(super) fn explain(source: &str, comma: Span) -> Option<(Diagnostic, Span)> {
    name(source, comma).or_else(|| squares(source, comma))
}

/// `player Alekhine, Alexander`
fn name(source: &str, comma: Span) -> Option<(Diagnostic, Span)> {
    let (before, after) = around(source, comma)?;
    let words: Vec<&str> = before.split([' ', '(', '{']).filter(|word| !word.is_empty()).collect();
    let is_search = |word: &&str| {
        Keyword::from_word(word).is_some_and(|keyword| {
            matches!(keyword.class(), KeywordClass::Search | KeywordClass::Colored)
        })
    };
    let at = words.iter().rposition(is_search)?;
    let color = words.get(at + 1).filter(|word| matches!(**word, "white" | "black"));
    let names = words.get(at + 1 + usize::from(color.is_some())..)?;
    if names.is_empty() || !names.iter().all(|word| is_name(word)) {
        return None;
    }
    let mut rest = after;
    let mut end = None;
    loop {
        let word = rest.trim_start_matches([' ', ',']);
        let length = word.find(|letter: char| !is_of_name(letter)).unwrap_or(word.len());
        if !is_name(&word[..length]) {
            break;
        }
        rest = &word[length..];
        end = Some(comma.end + (after.len() - rest.len()) as u32);
    }
    let offset = |word: &str| comma.start - before.len() as u32 + offset_in(before, word);
    let (start, place) = (offset(words[at]), Span::new(offset(names[0]), end?));
    let head = Span::new(start, place.start).text(source).trim_end();
    let query = format!("{head} \"{}\"", place.text(source));
    let help = Help::from(format!("a text stands in quotes: `{query}`"));
    let fix = Fix::replace(Span::new(start, place.end), query);
    let error = Diagnostic::literal_needed(place, &format!("the text after `{head}`"));
    Some((error.with_help(help.with(fix)), place))
}

/// `K in e4,e5`, `Ke4,e5`
fn squares(source: &str, comma: Span) -> Option<(Diagnostic, Span)> {
    let (before, after) = around(source, comma)?;
    let pieces = before.trim_end_matches(is_of_square);
    let first = &before[pieces.len()..];
    if !is_square(first) || pieces.ends_with(['-', ',']) || is_in_call(pieces) {
        return None;
    }
    let mut listed = vec![first];
    let mut rest = after;
    loop {
        let square = rest.trim_start_matches(' ');
        let length = square.find(|letter: char| !is_of_square(letter)).unwrap_or(square.len());
        if !is_square(&square[..length]) {
            break;
        }
        listed.push(&square[..length]);
        rest = &square[length..];
        match rest.strip_prefix(',') {
            Some(next) => rest = next,
            None => break,
        }
    }
    if listed.len() < 2 {
        return None;
    }
    let end = comma.end + (after.len() - rest.len()) as u32;
    // `K on e4,e5`
    let head = ["on", "at"].iter().find_map(|word| pieces.trim_end().strip_suffix(word));
    let head = head.filter(|head| head.ends_with(' ')).map(str::trim_end);
    let piece = head.and_then(|head| head.rsplit(' ').next()).filter(|word| is_pieces(word));
    let start = match piece {
        Some(piece) => offset_in(before, piece),
        None => offset_in(before, first),
    };
    let place = Span::new(comma.start - before.len() as u32 + start, end);
    let query = format!("{}[{}]", piece.unwrap_or_default(), listed.join(","));
    let message = "several squares stand in brackets";
    let error = Diagnostic::new(Code::UnknownCharacter, place, message);
    Some((error.with_help(Help::write(place, query)), place))
}

/// Whether the text ends between the parentheses of a call, whose operands are not one set.
fn is_in_call(text: &str) -> bool {
    let mut closed = 0_u32;
    for (at, bracket) in text.rmatch_indices(['(', ')']) {
        if bracket == ")" {
            closed += 1;
        } else if closed > 0 {
            closed -= 1;
        } else {
            return text[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        }
    }
    false
}

/// The text before and after the comma on its line, as far as it is looked at: whole words.
fn around(source: &str, comma: Span) -> Option<(&str, &str)> {
    let (before, rest) = source.split_at_checked(comma.start as usize)?;
    let after = rest.strip_prefix(',')?;
    // A line may have a megabyte.
    let first = before.len().saturating_sub(MAX_REPEATED);
    let first = (first..=before.len()).find(|&at| before.is_char_boundary(at))?;
    let last = after.len().min(MAX_REPEATED);
    let last = (0..=last).rev().find(|&at| after.is_char_boundary(at))?;
    let (mut near, mut next) = (&before[first..], &after[..last]);
    if first > 0 {
        near = near.split_once([' ', '\n']).map_or("", |(_, whole)| whole);
    }
    if last < after.len() {
        next = next.rsplit_once([' ', '\n']).map_or("", |(whole, _)| whole);
    }
    Some((near.rsplit('\n').next()?, next.lines().next().unwrap_or_default()))
}

/// Where a part of a text begins in it.
fn offset_in(text: &str, part: &str) -> u32 {
    (part.as_ptr() as usize - text.as_ptr() as usize) as u32
}

/// Whether the word is a part of a name: it begins with a capital and is not a piece on a square.
fn is_name(word: &str) -> bool {
    let is_piece = word.len() > 1 && is_designator(word);
    word.starts_with(char::is_uppercase) && word.chars().all(is_of_name) && !is_piece
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '.' | '-')
}

/// Whether the word is a designator of pieces on any square.
fn is_pieces(word: &str) -> bool {
    is_designator(word) && !word.ends_with(|letter: char| letter.is_ascii_digit())
}

/// Whether the text is a square or a rectangle of squares.
fn is_square(text: &str) -> bool {
    let has_both = text.starts_with(|letter: char| letter.is_ascii_lowercase())
        && text.ends_with(|letter: char| letter.is_ascii_digit());
    has_both && is_designator(text)
}

fn is_of_square(letter: char) -> bool {
    matches!(letter, 'a'..='h' | '1'..='8' | '-')
}
