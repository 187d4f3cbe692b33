//! Parentheses that do not balance, found before the grammar reads them.

use super::lexer::{Spanned, Tok};
use crate::diagnostic::{Diagnostic, Span};
use crate::limits::MAX_CQL3_DEPTH;

/// Cuts off what follows the first list and closes the lists that are open at the end of the text.
/// Returns what was wrong with the parentheses, if anything.
///
/// # Errors
/// Lists that are nested too deeply to be read at all.
pub(super) fn balance(
    text: &str,
    tokens: &mut Vec<Spanned<'_>>,
) -> Result<Option<Diagnostic>, Diagnostic> {
    let mut open = Vec::new();
    for (at, &(start, token, end)) in tokens.iter().enumerate() {
        match token {
            Tok::Match | Tok::Position | Tok::Open => open.push(Span::new(start, end)),
            Tok::Close => drop(open.pop()),
            Tok::Int(..)
            | Tok::Result(..)
            | Tok::Designator(_)
            | Tok::Text(_)
            | Tok::Atom(_)
            | Tok::Keyword(_) => {}
        }
        if open.len() > MAX_CQL3_DEPTH {
            let error = Diagnostic::error(Span::new(start, end), "lists are nested too deeply");
            return Err(error.with_help(format!("{MAX_CQL3_DEPTH} levels are the limit")));
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
    tokens.extend(open.iter().map(|_| (end, Tok::Close, end)));
    Ok(Some(unclosed(text, innermost, end)))
}

/// A token follows the match list.
fn after_the_end(text: &str, found: Span) -> Diagnostic {
    let message = match found.text(text) {
        ")" => "this `)` closes nothing".to_owned(),
        found => format!("`{found}` stands after the end of the query"),
    };
    Diagnostic::error(found, message)
        .with_help("a file holds one match list, and nothing follows it")
}

/// The text ends within a list: the innermost that is open is shown.
fn unclosed(text: &str, opening: Span, end: u32) -> Diagnostic {
    let shown = opening.text(text);
    let message = format!("`{shown}` is not closed where the query ends");
    // All after the last token is white space and comments.
    let rest = text.get(end as usize..).unwrap_or_default();
    Diagnostic::error(opening, message).with_help(if rest.contains(')') {
        "a closing parenthesis is missing: what follows `;` is a comment"
    } else {
        "a closing parenthesis is missing"
    })
}
