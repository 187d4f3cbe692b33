//! Piece designators: from text to a set of piece contents and a set of squares
//! (docs/src/language/reading.md#lexemes).

use super::errors::LexicalError;
use crate::ast::{Content, DesignatorLiteral};
use crate::limits::MAX_BRACKETED_SQUARES;
use crate::symbols::to_ascii;

/// Parses a designator that matches the regular expression of the lexer.
///
/// # Errors
///
/// A decreasing range, or a Unicode piece that occurs twice.
pub(super) fn parse(text: &str) -> Result<DesignatorLiteral, LexicalError> {
    let (pieces, squares) = split(text);
    let (pieces, squares) = (contents(pieces)?, mask(squares)?);
    Ok(DesignatorLiteral {
        pieces: pieces.unwrap_or(Content::ANY),
        squares: squares.unwrap_or(u64::MAX),
        has_pieces: pieces.is_some(),
        has_squares: squares.is_some(),
    })
}

/// Divides a designator into its pieces, without their brackets, and its squares.
pub(crate) fn split(text: &str) -> (&str, &str) {
    let inner = text.strip_prefix('[');
    let mut first = inner.unwrap_or(text).chars();
    let is_file = matches!(first.next(), Some('a'..='h'));
    if is_file && matches!(first.next(), Some('1'..='8' | '-')) {
        return ("", text);
    }
    if let Some(parts) = inner.and_then(|inner| inner.split_once(']')) {
        return parts;
    }
    // One letter, or several symbols.
    let ascii = text.starts_with(|c: char| c.is_ascii());
    let end = text
        .char_indices()
        .find(|&(i, c)| if ascii { i > 0 } else { c.is_ascii() })
        .map_or(text.len(), |(i, _)| i);
    text.split_at(end)
}

/// The contents of a square that a letter or a symbol stands for.
fn content(c: char) -> Option<Content> {
    let mut buffer = [0; 4];
    let spelling = &*c.encode_utf8(&mut buffer);
    match if c.is_ascii() { spelling } else { to_ascii(spelling)? }.as_bytes() {
        b"A" => Some(Content::WHITE),
        b"a" => Some(Content::BLACK),
        b"[Aa]" => Some(Content(Content::WHITE.0 | Content::BLACK.0)),
        &[letter] => Content::of_letter(letter),
        // The symbol of an operator or a keyword.
        _ => None,
    }
}

fn contents(pieces: &str) -> Result<Option<Content>, LexicalError> {
    if pieces.is_empty() {
        return Ok(None);
    }
    let mut all = Content::default();
    for (i, c) in pieces.char_indices() {
        let one = content(c).ok_or(LexicalError::MalformedDesignator)?;
        if !c.is_ascii() && pieces[..i].contains(c) {
            return Err(LexicalError::RepeatedPiece(c));
        }
        all.0 |= one.0;
    }
    Ok(Some(all))
}

fn mask(text: &str) -> Result<Option<u64>, LexicalError> {
    if text.is_empty() {
        return Ok(None);
    }
    let inner = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(text);
    let mut all = 0;
    for part in inner.split(',') {
        let mut bytes = part.bytes().peekable();
        let inside = |byte: Option<u8>, low: u8| {
            let byte = byte.filter(|byte| (low..low + 8).contains(byte));
            byte.ok_or(LexicalError::MalformedDesignator)
        };
        let mut range = |low: u8| -> Result<(u8, u8), LexicalError> {
            let first = inside(bytes.next(), low)?;
            let last = match bytes.next_if_eq(&b'-') {
                Some(_) => inside(bytes.next(), low)?,
                None => first,
            };
            if last < first {
                return Err(LexicalError::DecreasingRange(char::from(first), char::from(last)));
            }
            Ok((first - low, last - low))
        };
        let files = range(b'a')?;
        let ranks = range(b'1')?;
        if bytes.next().is_some() {
            return Err(LexicalError::MalformedDesignator);
        }
        for rank in ranks.0..=ranks.1 {
            for file in files.0..=files.1 {
                all |= 1u64 << (rank * 8 + file);
            }
        }
    }
    Ok(Some(all))
}

/// Squares that a query writes in separate brackets after a piece, as in `k[f-h]8`: the length of
/// the text and the correct spelling.
pub(super) fn squares_in_brackets(rest: &str) -> Option<(usize, String)> {
    let (files, after) = bracketed(rest)?;
    let (ranks, after) = match bracketed(after) {
        Some(found) => found,
        None => {
            let end = after.find(|c: char| !matches!(c, '1'..='8' | '-')).unwrap_or(after.len());
            let (ranks, after) = after.split_at(end);
            (ranks.split_terminator(',').collect(), after)
        }
    };
    if after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$') {
        return None;
    }
    let plain = |part: &str, low: u8| match part.as_bytes() {
        [one] => (low..low + 8).contains(one),
        [one, b'-', two] => one < two && [one, two].iter().all(|c| (low..low + 8).contains(*c)),
        _ => false,
    };
    let length = rest.len() - after.len();
    let join = |all: Vec<String>| match <[String; 1]>::try_from(all) {
        Ok([one]) => one,
        Err(all) => format!("[{}]", all.join(",")),
    };
    if files.iter().all(|part| plain(part, b'a')) && ranks.iter().all(|part| plain(part, b'1')) {
        // `K[a]` can be two filters.
        let several = files.len() > 1 || files.iter().any(|part| part.contains('-'));
        if ranks.is_empty() && !several {
            return None;
        }
        let ranks = if ranks.is_empty() { vec!["1-8"] } else { ranks };
        let all =
            files.iter().flat_map(|file| ranks.iter().map(move |rank| format!("{file}{rank}")));
        return Some((length, join(all.collect())));
    }
    // A rectangle given by two corners, as in `a1-c3`.
    let corners = |part: &&str| match *part.as_bytes() {
        [a, b, b'-', c, d] => {
            let range = |low: u8, high: u8| match low.cmp(&high) {
                std::cmp::Ordering::Equal => Some(char::from(low).to_string()),
                std::cmp::Ordering::Less => {
                    Some(format!("{}-{}", char::from(low), char::from(high)))
                }
                std::cmp::Ordering::Greater => None,
            };
            let (files, ranks) = (range(a, c)?, range(b, d)?);
            (plain(&files, b'a') && plain(&ranks, b'1')).then(|| files + &ranks)
        }
        [file, rank] => {
            let fits = (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
            fits.then(|| part.to_string())
        }
        _ => None,
    };
    let all: Option<Vec<String>> = files.iter().map(corners).collect();
    all.filter(|_| ranks.is_empty()).map(|all| (length, join(all)))
}

/// The content of brackets, split at its commas, and the text after them.
fn bracketed(text: &str) -> Option<(Vec<&str>, &str)> {
    let inner = text.strip_prefix('[')?;
    let close = inner.bytes().take(MAX_BRACKETED_SQUARES).position(|byte| byte == b']')?;
    let (inside, after) = (inner.get(..close)?, inner.get(close + 1..)?);
    Some((inside.split(',').collect(), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_and_squares() {
        let d = parse("[RN][a1-2,c-d4]").unwrap();
        assert_eq!(d.pieces, Content(0b1010));
        assert_eq!(d.squares, 1 | 1 << 8 | 1 << 26 | 1 << 27);
        let d = parse("Ra-h7").unwrap();
        assert_eq!((d.pieces, d.squares), (Content(0b1000), 0xff << 48));
        let d = parse("a1").unwrap();
        assert_eq!((d.pieces, d.squares, d.has_pieces), (Content::ANY, 1, false));
        let d = parse("a").unwrap();
        assert_eq!((d.pieces, d.has_squares), (Content::BLACK, false));
        assert_eq!(parse("♖♘a1").unwrap().pieces, Content(0b1010));
        assert_eq!(parse("[Aa_]").unwrap().pieces, Content::ANY);
        assert_eq!(parse("[a1,h8]").unwrap().squares, 1 | 1 << 63);
    }

    #[test]
    fn mistakes() {
        assert!(parse("h-a1").is_err());
        assert!(parse("a8-1").is_err());
        assert!(parse("♖♖").is_err());
        // The symbol of `path`, which begins with the letter of a pawn.
        assert!(parse("⊢").is_err());
        assert!(parse("[RRR]").is_ok());
    }
}
