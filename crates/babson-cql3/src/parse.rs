//! Parses a text: tokens, parentheses, the grammar, then the tree.

use babson_lang::Steps;
use babson_lang::diagnostic::{Code, Diagnostic, Span};

use crate::grammar::QueryParser;
use crate::reader::FormReader;
use crate::tree::MatchList;
use crate::{keywords, lexer, parentheses};

/// The tree of a query, or all syntax errors.
pub(super) fn parse(text: &str, steps: &mut Steps) -> Result<MatchList, Vec<Diagnostic>> {
    let mut tokens = lexer::lex(text)?;
    steps.lexed += tokens.len();
    let unbalanced = parentheses::balance(text, &mut tokens).map_err(|error| vec![error])?;
    steps.parsed += tokens.len();
    let first = tokens.first().map_or(Span::default(), |token| Span::new(token.0, token.2));
    let mut reader = FormReader::new(text);
    let query = QueryParser::new().parse(tokens.into_iter().map(Ok));
    // Once the parentheses balance, the grammar rejects only what is not a list.
    let query = query.map_err(|_| vec![no_list(text, first)])?;
    let tree = keywords::query(&mut reader, &query);
    // Errors before an unbalanced parenthesis come first.
    reader.errors.extend(unbalanced);
    if reader.errors.is_empty() { Ok(tree) } else { Err(reader.errors) }
}

/// The error of a text that does not begin with a list.
fn no_list(text: &str, first: Span) -> Diagnostic {
    match first.text(text) {
        "" => {
            let message = "the query ends here: expected `(match`";
            Diagnostic::new(Code::UnexpectedToken, first, message)
        }
        found => Diagnostic::unexpected(first, found, "`(match`"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TOKENS: [&str; 14] = [
        "(match",
        "(position",
        "(",
        "(",
        ")",
        ")",
        ":pgn",
        ":mate",
        ":relation",
        "Ra1",
        "7",
        "1-0",
        "\"a\"",
        "d4",
    ];

    proptest! {
        /// The grammar accepts every text that begins with a list.
        #[test]
        fn all_that_balances_is_in_the_grammar(
            tokens in prop::collection::vec(prop::sample::select(&TOKENS[..]), 0..40),
        ) {
            let text = format!("(match {}", tokens.join(" "));
            let mut tokens = lexer::lex(&text).unwrap();
            let unbalanced = parentheses::balance(&text, &mut tokens).unwrap();
            prop_assert!(QueryParser::new().parse(tokens.into_iter().map(Ok)).is_ok());
            let opened = text.matches('(').count();
            if opened != text.matches(')').count() {
                prop_assert!(unbalanced.is_some());
            }
        }
    }
}
