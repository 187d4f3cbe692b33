//! Balances the brackets of a text that may have errors in them.

use crate::diagnostic::{Diagnostic, Span};
use crate::lexer::{Lexeme, LexemeClass, LexemeKind, Spacing};
use crate::limits::MAX_CLOSED_BRACKETS;

/// The lexemes with balanced brackets, and the errors. A bracket that closes nothing is left out.
/// An open `(` or `[` is closed at the end of its line, and an open `{` at the end of the brackets
/// around it, so that the filters after it are read as if it were closed.
///
/// A text with more open brackets than [`MAX_CLOSED_BRACKETS`] keeps them.
pub(crate) fn balanced(source: &str, lexemes: Vec<Lexeme>) -> (Vec<Lexeme>, Vec<Diagnostic>) {
    let mut out: Vec<Lexeme> = Vec::with_capacity(lexemes.len());
    let mut errors = Vec::new();
    // The indices of open brackets, and of those that are never closed, the innermost first.
    let (mut open, mut unclosed): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for lexeme in lexemes {
        let class = lexeme.kind.class();
        if class == LexemeClass::OpeningBracket {
            open.push(out.len());
        } else if class == LexemeClass::ClosingBracket {
            let Some(at) = open.iter().rposition(|&at| lexeme.kind.closes(out[at].kind)) else {
                errors.push(Diagnostic::closes_nothing(lexeme.span, lexeme.span.text(source)));
                continue;
            };
            unclosed.extend(open.drain(at..).skip(1).rev());
        }
        out.push(lexeme);
    }
    unclosed.extend(open.into_iter().rev());
    for &at in &unclosed {
        errors.push(never_closed(source, &out[at]));
    }
    if unclosed.len() <= MAX_CLOSED_BRACKETS {
        // What stands after a bracket moves, so the last one is closed first. Those inside of a
        // bracket are later than it.
        unclosed.sort_unstable();
        for at in unclosed.into_iter().rev() {
            close(&mut out, at);
        }
    }
    (out, errors)
}

/// The error for an opening bracket that is never closed.
pub(super) fn never_closed(source: &str, bracket: &Lexeme) -> Diagnostic {
    let closing = bracket.kind.closing().map_or("", |(_, closing)| closing);
    Diagnostic::never_closed(bracket.span, bracket.span.text(source), closing)
}

/// Closes the bracket at an index. All brackets after it are balanced.
fn close(lexemes: &mut Vec<Lexeme>, at: usize) {
    let Some((closing, _)) = lexemes[at].kind.closing() else { return };
    let last = closing_places(lexemes, at).take_while(|place| place.is_usual).last();
    let end = last.map_or(at, |place| place.after) + 1;
    let place = lexemes[end - 1].span.end;
    let span = Span::new(place, place);
    lexemes.insert(end, Lexeme { kind: closing, span, spacing: Spacing::Space });
}

/// A place where an open bracket can be closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClosingPlace {
    /// The index of the lexeme before it.
    pub(super) after: usize,
    /// Whether authors usually close the bracket here or before: a `(` or `[` on its line.
    pub(super) is_usual: bool,
}

/// The places, in their order, where the open bracket at an index can be closed: after each lexeme
/// or pair of brackets up to the end of the brackets around it. All brackets after it are balanced.
pub(super) fn closing_places(lexemes: &[Lexeme], at: usize) -> impl Iterator<Item = ClosingPlace> {
    let on_its_line = lexemes[at].kind != LexemeKind::LBrace;
    let mut depth = 0_usize;
    let mut is_usual = true;
    let rest = lexemes.iter().enumerate().skip(at + 1);
    let places = rest.map_while(move |(after, lexeme)| {
        is_usual &= depth > 0 || !on_its_line || lexeme.spacing < Spacing::LineEnd;
        let class = lexeme.kind.class();
        if class == LexemeClass::OpeningBracket {
            depth += 1;
        } else if class == LexemeClass::ClosingBracket {
            depth = depth.checked_sub(1)?;
        }
        Some((depth == 0).then_some(ClosingPlace { after, is_usual }))
    });
    let first = ClosingPlace { after: at, is_usual: true };
    std::iter::once(first).chain(places.flatten())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::lexer::lex;

    /// The text with the brackets that were added, and the number of errors.
    fn mended(source: &str) -> (String, usize) {
        let (lexemes, errors) = balanced(source, lex(source, Dialect::CQLI).unwrap());
        let shown = |lexeme: &Lexeme| match (lexeme.kind, lexeme.span.text(source)) {
            (LexemeKind::RParen, "") => ")".to_owned(),
            (LexemeKind::RBracket, "") => "]".to_owned(),
            (LexemeKind::RBrace, "") => "}".to_owned(),
            (_, text) => text.to_owned(),
        };
        (lexemes.iter().map(shown).collect::<Vec<_>>().join(" "), errors.len())
    }

    #[test]
    fn brackets_are_balanced() {
        for (source, expected, errors) in [
            ("(K q) {R}", "( K q ) { R }", 0),
            ("mate ) check", "mate check", 1),
            ("(K attacks\nmate", "( K attacks ) mate", 1),
            ("{ mate (K\n check } wtm", "{ mate ( K ) check } wtm", 1),
            ("{ mate\ncheck", "{ mate check }", 1),
            ("((K {R\n", "( ( K { R } ) )", 3),
            ("(K\n) check", "( K ) check", 0),
            ("x[(K", "x [ ( K ) ]", 2),
        ] {
            assert_eq!(mended(source), (expected.to_owned(), errors), "{source}");
        }
    }
}
