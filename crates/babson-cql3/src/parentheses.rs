//! Balances the parentheses, so that the grammar needs no error recovery.

use babson_lang::diagnostic::{Code, Diagnostic, Span};

use crate::lexer::{Cql3Token, SpannedToken};
use crate::limits::MAX_DEPTH;

/// Removes the tokens after the first list and closes the lists that are open at the end of the
/// text. Returns the error of the parentheses, if they do not balance.
///
/// # Errors
/// Lists nested deeper than [`MAX_DEPTH`]: they are not parsed.
pub(super) fn balance(
    text: &str,
    tokens: &mut Vec<SpannedToken<'_>>,
) -> Result<Option<Diagnostic>, Diagnostic> {
    let mut open = Vec::new();
    for (at, &(start, token, end)) in tokens.iter().enumerate() {
        match token {
            Cql3Token::Match | Cql3Token::Position | Cql3Token::Open => {
                open.push(Span::new(start, end))
            }
            Cql3Token::Close => drop(open.pop()),
            Cql3Token::Atom(..) | Cql3Token::Keyword(_) => {}
        }
        if open.len() > MAX_DEPTH {
            let span = Span::new(start, end);
            return Err(Diagnostic::nested_too_deep(span, "lists are", MAX_DEPTH));
        }
        if open.is_empty() {
            let rest = tokens.get(at + 1).map(|&(start, _, end)| Span::new(start, end));
            tokens.truncate(at + 1);
            return Ok(rest.map(|found| after_the_end(text, found)));
        }
    }
    let Some(&innermost) = open.last() else {
        return Ok(None);
    };
    let end = tokens.last().map_or(0, |token| token.2);
    tokens.extend(open.iter().map(|_| (end, Cql3Token::Close, end)));
    Ok(Some(unclosed(text, innermost, end)))
}

/// The error of a token after the match list.
fn after_the_end(text: &str, found: Span) -> Diagnostic {
    let error = match found.text(text) {
        ")" => Diagnostic::closes_nothing(found, ")"),
        text => Diagnostic::unexpected(found, text, "the end of the query"),
    };
    error.with_help("a file holds one match list, and nothing follows it")
}

/// The error of a text that ends in a list. It shows the innermost open list.
fn unclosed(text: &str, opening: Span, end: u32) -> Diagnostic {
    let shown = opening.text(text);
    let message = format!("`{shown}` is never closed");
    // After the last token there are only whitespace and comments.
    let rest = text.get(end as usize..).unwrap_or_default();
    Diagnostic::new(Code::UnclosedBracket, opening, message).with_help(if rest.contains(')') {
        "a closing parenthesis is missing: what follows `;` is a comment"
    } else {
        "a closing parenthesis is missing"
    })
}
