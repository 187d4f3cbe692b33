//! The values of literals, and the texts inside of them.

use super::LexemeKind;
use super::errors::LexicalError;
use crate::limits::MAX_REPEAT;

/// An integer literal modulo 2^32 (docs/src/language/reading.md#lexemes).
pub(super) fn int(digits: &str) -> i32 {
    digits
        .bytes()
        .fold(0i32, |n, b| n.wrapping_mul(10).wrapping_add(i32::from(b.wrapping_sub(b'0'))))
}

/// The number of a group, as in `\1` and `\-1`. One that is too large becomes 255, which no pattern
/// has.
pub(super) fn group(text: &str) -> u8 {
    let digits = text.bytes().filter(u8::is_ascii_digit);
    digits.fold(0, |n: u8, digit| n.saturating_mul(10).saturating_add(digit - b'0'))
}

/// What an escape such as `\n` stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EscapeText(pub(crate) &'static str);

/// How often a constituent repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RepeatRange {
    pub(crate) min: u32,
    pub(crate) max: Option<u32>,
}

impl RepeatRange {
    /// `{*}`.
    pub(crate) const ANY: RepeatRange = RepeatRange { min: 0, max: None };
    /// `{+}`.
    pub(crate) const SOME: RepeatRange = RepeatRange { min: 1, max: None };
}

/// Parses `{n}`, `{n,}`, `{,m}` or `{n,m}`.
pub(super) fn repeat(text: &str) -> Result<RepeatRange, LexicalError> {
    let inner = text.trim_start_matches('{').trim_end_matches('}');
    let number = |digits: &str| match digits.parse::<u32>() {
        Ok(n) if n <= MAX_REPEAT => Ok(n),
        _ => Err(LexicalError::LargeRepeat),
    };
    let (min, max) = match inner.split_once(',') {
        None => {
            let n = number(inner)?;
            (n, Some(n))
        }
        Some((min, max)) => {
            let min = if min.is_empty() { 0 } else { number(min)? };
            (min, if max.is_empty() { None } else { Some(number(max)?) })
        }
    };
    if max.is_some_and(|max| max < min) {
        Err(LexicalError::EmptyRepeat)
    } else {
        Ok(RepeatRange { min, max })
    }
}

/// A string without its closing quote.
pub(super) fn open_string(_: &mut logos::Lexer<'_, LexemeKind>) -> Result<(), LexicalError> {
    Err(LexicalError::OpenString)
}

/// A comment without its end.
pub(super) fn open_comment(_: &mut logos::Lexer<'_, LexemeKind>) -> Result<(), LexicalError> {
    Err(LexicalError::OpenComment)
}

/// The text of a string literal, without its quotes.
pub(crate) fn unquoted(literal: &str) -> &str {
    literal.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(literal)
}

/// The name of the variable in `◭x` or `[Aa]x`.
pub(crate) fn piece_variable(text: &str) -> &str {
    text.trim_start_matches("[Aa]").trim_start_matches('◭')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::literals::GameResult;

    #[test]
    fn literals_are_values() {
        for (text, kind) in [
            ("4294967297", LexemeKind::Int(1)),
            ("1/2-1/2", LexemeKind::Result(GameResult::Draw)),
            ("{2,5}", LexemeKind::Repeat(RepeatRange { min: 2, max: Some(5) })),
            ("{,5}", LexemeKind::Repeat(RepeatRange { min: 0, max: Some(5) })),
            ("{3}", LexemeKind::Repeat(RepeatRange { min: 3, max: Some(3) })),
            ("{+}", LexemeKind::Repeat(RepeatRange::SOME)),
            (r"\12", LexemeKind::Group(12)),
            (r"\-300", LexemeKind::GroupIndex(255)),
            (r"\n", LexemeKind::Escape(EscapeText("\n"))),
        ] {
            let lexemes = crate::lexer::lex(text, Dialect::CQLI).expect(text);
            assert_eq!(lexemes.iter().map(|lexeme| lexeme.kind).collect::<Vec<_>>(), [kind]);
        }
    }

    #[test]
    fn wrong_literals_are_errors() {
        assert_eq!(repeat("{5,2}"), Err(LexicalError::EmptyRepeat));
        assert_eq!(repeat("{99999999999}"), Err(LexicalError::LargeRepeat));
        for text in ["{,}", "\"open", "/* open", r"\q", "h-a1", "♖♖", "♖K"] {
            assert!(crate::lexer::lex(text, Dialect::CQLI).is_err(), "{text}");
        }
    }
}
