//! Brackets in the form of other languages: pieces with spaces between them, a tag of PGN, the body
//! of a function without braces.

use super::TokenContext;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Help, Span};
use crate::lexer::is_designator;
use crate::limits::MAX_REPEATED;
use crate::sema::warnings::tag_filter;

/// Recognizes such a mistake at the error.
pub(super) fn find(
    around: &TokenContext<'_>,
    span: Span,
    wants: &dyn Fn(&str) -> bool,
) -> Option<Diagnostic> {
    if span.text(around.text) == "[" {
        return tag(around, 0).or_else(|| pieces(around, span));
    }
    // `mate [Event "Linares"]`
    if around.word(-2) == Some("[") && span.text(around.text).starts_with('"') {
        return tag(around, -2);
    }
    // `function f(x) x attacks k`
    let is_body = around.word(-1) == Some(")") && wants("{") && !wants("nullary");
    is_body.then(|| body(around, span)).flatten()
}

/// `[White "Carlsen, Magnus"]`, with its bracket `at` places after the error.
fn tag(around: &TokenContext<'_>, at: isize) -> Option<Diagnostic> {
    let (open, name, value) = (around.span(at)?, around.word(at + 1)?, around.word(at + 2)?);
    let value = value.strip_prefix('"')?.strip_suffix('"')?;
    let close = around.span(at + 3).filter(|close| close.text(around.text) == "]")?;
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if !is_name || value.len() > MAX_REPEATED {
        return None;
    }
    let place = open.to(close);
    let message = "this is a tag of PGN, not a filter";
    let error = Diagnostic::new(Code::UnexpectedToken, place, message);
    Some(error.with_help(Help::write(place, tag_filter(name, value))))
}

/// `[Q R]h7`, `[Q|R] attacks k`
fn pieces(around: &TokenContext<'_>, open: Span) -> Option<Diagnostic> {
    let is_piece = |letter: u8| b"KQRBNPkqrbnpAa_".contains(&letter);
    let (mut letters, mut by) = (String::new(), 1);
    loop {
        match around.word(by)? {
            "]" => break,
            "|" | "/" | "or" => {}
            word if !word.is_empty() && word.bytes().all(is_piece) && word.len() <= 12 => {
                letters.push_str(word);
            }
            _ => return None,
        }
        by += 1;
    }
    let close = around.span(by)?;
    let after = around.span(by + 1).filter(|after| after.start == close.end);
    let squares = after.filter(|after| is_designator(after.text(around.text)));
    let place = open.to(squares.unwrap_or(close));
    let query = format!("[{letters}]{}", squares.map_or("", |it| it.text(around.text)));
    let message = "the pieces of a designator stand in brackets without spaces";
    let error = Diagnostic::new(Code::MalformedDesignator, place, message);
    is_designator(&query).then(|| error.with_help(Help::write(place, query)))
}

/// The error for the body of a function without braces. The fix takes the rest of the line for it.
fn body(around: &TokenContext<'_>, span: Span) -> Option<Diagnostic> {
    let open = around.opening_of(-1)?;
    if around.word(open - 2) != Some("function") {
        return None;
    }
    let word = span.text(around.text);
    let error = Diagnostic::unexpected(span, word, "`{`");
    let head = around.span(open - 2)?.to(around.span(-1)?).text(around.text);
    let rest = around.text.get(span.start as usize..)?;
    let line = rest.lines().next()?.trim_end();
    let end = span.start + line.len() as u32;
    let edits = vec![
        Edit::new(Span::new(span.start, span.start), "{ "),
        Edit::new(Span::new(end, end), " }"),
    ];
    let help = Help::from(format!("the body of a function stands in braces: `{head} {{ … }}`"));
    Some(error.with_help(help.with(Fix::edit("write braces", edits))))
}

impl TokenContext<'_> {
    /// The place of the bracket that the one at `close` closes.
    fn opening_of(&self, close: isize) -> Option<isize> {
        let mut depth = 0;
        (0..).map(|back: isize| close - back).map_while(|by| Some((by, self.word(by)?))).find_map(
            |(by, word)| {
                depth += super::brackets(word);
                (depth == 0).then_some(by)
            },
        )
    }
}
