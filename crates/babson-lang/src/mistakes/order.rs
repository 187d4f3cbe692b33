//! Parts of a query in the wrong order: filters in the header, a header after the filters, a
//! transform after its filter, an arrow without `line`.

use super::TokenContext;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Help, Span};
use crate::keywords::{Keyword, KeywordClass};
use crate::limits::MAX_REPEATED;
use crate::tokens::terminal::Terminal;

/// `CQL(input games.pgn)`: the header in capitals is read as a call.
pub(super) fn header_in_capitals(around: &TokenContext<'_>) -> Option<Diagnostic> {
    let [first, open, ..] = around.places else { return None };
    let word = first.text(around.text);
    let is_header = word.eq_ignore_ascii_case("cql") && open.text(around.text) == "(";
    (is_header && word != "cql").then(|| {
        let error = Diagnostic::new(
            Code::UnknownFunction,
            *first,
            format!("unknown function `{word}`: the header begins with `cql` in small letters"),
        );
        error.with_help(Help::write(*first, "cql").certain())
    })
}

/// `cql(year == 1920) mate`, `mate cql(input games.pgn)`
pub(super) fn header(
    around: &TokenContext<'_>,
    token: &Terminal<'_>,
    span: Span,
    in_header: bool,
) -> Option<Diagnostic> {
    if in_header {
        return file_with_sign(around, span).or_else(|| filter_in_header(around, token, span));
    }
    if around.word(-1) == Some("cql") && around.places.first() == around.span(-1).as_ref() {
        return Some(header_without_list(around, span));
    }
    if span.text(around.text) != "cql" || around.word(1) != Some("(") {
        return None;
    }
    let first = around.places.first()?;
    let last = around.span(around.closing(1)?)?;
    let whole = span.to(last);
    let before = around.span(-1)?;
    let removed = around.removal(before, whole);
    let message = "the header stands before all filters";
    let error = Diagnostic::new(Code::MisplacedHeader, whole, message);
    let header = whole.text(around.text);
    if first.text(around.text) == "cql" {
        let help = Help::from("a query has one header: remove this one");
        return Some(error.with_help(help.with(Fix::edit("remove it", vec![removed]))));
    }
    let start = Span::new(first.start, first.start);
    let moved = Fix::edit(
        "move the header to the beginning",
        vec![Edit::new(start, format!("{header} ")), removed],
    );
    Some(error.with_help(Help::from("move it to the beginning of the query").with(moved)))
}

/// `cql mate`, `cql{} mate`
fn header_without_list(around: &TokenContext<'_>, span: Span) -> Diagnostic {
    let word = span.text(around.text);
    let error = Diagnostic::unexpected(span, word, "`(`");
    let close = match word {
        "{" | "[" => around.closing(0).and_then(|close| around.span(close)),
        _ => None,
    };
    let fix = match close {
        Some(close) => {
            Fix::edit("write parentheses", vec![Edit::new(span, "("), Edit::new(close, ")")])
        }
        None => {
            let end = around.span(-1).map_or(span.start, |header| header.end);
            Fix::replace(Span::new(end, end), "()")
        }
    };
    error.with_help(Help::from("the header is `cql()`, or it is left out").with(fix))
}

/// `cql(input=games.pgn)`, `cql(input: games.pgn)`
fn file_with_sign(around: &TokenContext<'_>, span: Span) -> Option<Diagnostic> {
    let is_file = |place: &Span| matches!(place.text(around.text), "input" | "output");
    let word = [around.span(-1)?, span].into_iter().find(is_file)?;
    let after = around.text.get(word.end as usize..)?;
    let sign = after.trim_start().chars().next().filter(|sign| matches!(sign, '=' | ':'))?;
    let rest = after.trim_start().trim_start_matches(sign).trim_start();
    let place = Span::new(word.end, word.end + (after.len() - rest.len()) as u32);
    let name = word.text(around.text);
    let message = format!("the file of `{name}` follows it directly, without `{sign}`");
    let error = Diagnostic::new(Code::UnexpectedToken, place, message);
    let file = rest.split([' ', ')', '\n']).next().unwrap_or_default();
    let help = Help::from(format!("write `{name} {file}`"));
    Some(error.with_help(help.with(Fix::edit("write a space", vec![Edit::new(place, " ")]))))
}

fn filter_in_header(
    around: &TokenContext<'_>,
    token: &Terminal<'_>,
    span: Span,
) -> Option<Diagnostic> {
    let word = span.text(around.text);
    let is_filter = match Keyword::from_word(word) {
        Some(keyword) => {
            !matches!(keyword.class(), KeywordClass::Parameter | KeywordClass::Reserved)
        }
        None => matches!(token, Terminal::Designator(_) | Terminal::Dot | Terminal::LBrace),
    };
    if !is_filter {
        return None;
    }
    let before = around.span(-1)?;
    let close = around.span(around.closing(around.opening()?)?)?;
    let message = format!("`{word}` is a filter, and `cql(…)` has only parameters of the search");
    let edits = match around.is_blank(before, span) {
        true => vec![Edit::new(Span::new(before.end, span.start), ") "), Edit::new(close, "")],
        false => vec![Edit::new(Span::new(span.start, span.start), ") "), Edit::new(close, "")],
    };
    let help = Help::from(format!("filters follow the header: `cql(…) {word} …`"));
    let help = help.with(Fix::edit("move the filters behind the header", edits));
    Some(Diagnostic::new(Code::UnexpectedToken, span, message).with_help(help))
}

/// A query, or a list in brackets, that ends with a word which needs a filter after it: `mate
/// flipcolor`, `mate and`.
pub(super) fn unfinished(around: &TokenContext<'_>) -> Option<Diagnostic> {
    let (by, place) = (1..).map(|by: isize| -by).find_map(|by| {
        let place = around.span(by);
        place.is_none_or(|place| place.start < place.end).then_some((by, place))
    })?;
    let place = place?;
    let word = place.text(around.text);
    let keyword = Keyword::from_word(word)?;
    let message = format!("`{word}` needs a filter after it");
    let error = Diagnostic::new(Code::UnexpectedToken, place, message);
    if matches!(keyword, Keyword::Not | Keyword::Then) {
        return Some(error.with_help(format!("write the filter, as in `{word} check`")));
    }
    let before = around.span(by - 1)?;
    let removed = around.removal(before, place);
    if matches!(keyword, Keyword::And | Keyword::Or) {
        let help = Help::from(format!("write the second condition, or leave out `{word}`"));
        return Some(error.with_help(help.with(Fix::edit("remove it", vec![removed]))));
    }
    if keyword.class() != KeywordClass::Transform {
        return None;
    }
    let start = around.list_start(by - 1)?;
    let filters = start.to(before);
    let content = filters.text(around.text);
    let query = format!("{word} {{ {content} }}");
    let is_shown = content.len() <= MAX_REPEATED && !content.contains('\n');
    let help = match is_shown {
        true => format!("a transform stands before what it transforms: write `{query}`"),
        false => format!("a transform stands before what it transforms: `{word} {{ … }}`"),
    };
    let closed = Edit::new(Span::new(before.end, before.end), " }");
    let opened = Edit::new(Span::new(start.start, start.start), format!("{word} {{ "));
    let edits = match around.is_blank(before, place) {
        true => vec![opened, Edit::new(Span::new(before.end, place.end), " }")],
        false => vec![opened, closed, around.removal(before, place)],
    };
    let fix = Fix::edit(format!("put `{word}` before the filters"), edits);
    Some(error.with_help(Help::from(help).with(fix)))
}

/// `check --> mate`, `line check --> mate`
pub(super) fn arrow(
    around: &TokenContext<'_>,
    token: &Terminal<'_>,
    span: Span,
    wants: &dyn Fn(&str) -> bool,
) -> Option<Diagnostic> {
    let word = span.text(around.text);
    if around.word(-1) == Some("line") && wants("chain") && word != "-->" {
        let place = Span::new(span.start, span.start);
        let error = Diagnostic::unexpected(span, word, "`-->`");
        let help = Help::from(format!("`line` begins with an arrow: `line --> {word}`"));
        return Some(error.with_help(help.with(Fix::replace(place, "--> "))));
    }
    // A word of a construct that takes the arrow has an error of its own.
    let is_lone = word == "-->" && wants("operator") && !matches!(token, Terminal::Gives);
    if !is_lone || super::dictionary(around).is_some() {
        return None;
    }
    let before = around.span(-1)?;
    let mut starts = vec![around.list_start(-1)?.start, before.start];
    starts.dedup();
    let mut help = Help::from("positions in a row are a `line`, as in `line --> check --> mate`");
    for start in starts {
        help = help.with(Fix::replace(Span::new(start, start), "line --> "));
    }
    let error = Diagnostic::unexpected(span, word, "a filter or an operator");
    Some(error.with_help(help))
}

impl TokenContext<'_> {
    /// The place of the first token of the list around the token `by` places after the error: it
    /// follows an opening bracket or the header, or begins the query.
    fn list_start(&self, by: isize) -> Option<Span> {
        let header = self.end_of_header();
        let mut depth = 0;
        let mut first = None;
        for back in (0..).map(|back: isize| by - back) {
            let Some(word) = self.word(back) else { break };
            if header == Some(back) {
                break;
            }
            depth += super::brackets(word);
            if depth > 0 {
                break;
            }
            first = self.span(back).filter(|place| place.start < place.end).or(first);
        }
        first
    }

    /// Whether only whitespace stands between two tokens, no comment.
    fn is_blank(&self, before: Span, after: Span) -> bool {
        Span::new(before.end, after.start).text(self.text).trim().is_empty()
    }

    /// Removes what follows a token, together with the whitespace before it. A comment between them
    /// stays, and with it the end of its line, unless nothing else follows there.
    fn removal(&self, before: Span, removed: Span) -> Edit {
        let between = Span::new(before.end, removed.start).text(self.text);
        let line = self.text.get(removed.end as usize..).and_then(|rest| rest.lines().next());
        let is_last = line.is_none_or(|rest| rest.trim().is_empty());
        let is_removed = is_last || between.trim().is_empty();
        let space = if is_removed { between.len() - between.trim_end().len() } else { 0 };
        Edit::new(Span::new(removed.start - space as u32, removed.end), "")
    }

    /// The place of the `)` that ends the header.
    fn end_of_header(&self) -> Option<isize> {
        let begins = |word: Option<&Span>, text| word.is_some_and(|it| it.text(self.text) == text);
        let is_header = begins(self.places.first(), "cql") && begins(self.places.get(1), "(");
        let open = 1 - isize::try_from(self.at).ok()?;
        if is_header { self.closing(open) } else { None }
    }
}
