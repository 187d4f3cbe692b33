//! From query text to tree.

use crate::ast::{Expr, ExprKind, InfixOp, MAX_DEPTH, PrintKind, Query, Span};
use crate::build::Builder;
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::grammar::QueryParser;
use crate::keywords::Keyword;
use crate::lexer::{Lexeme, lex};
use crate::tokens::token::Tok;
use crate::tokens::{Names, Pair, Spanned, match_brackets, tokens};

/// The texts that a query is made of, as places in one text that holds them one after another.
///
/// Each is parsed by itself: no bracket, string or comment of one reaches into the next, and an error has its
/// place in the text that is wrong. The names of one are known in all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The words of transforms around all filters, outermost first; they stand before all else.
    pub transforms: Vec<Span>,
    /// Texts of filters without a header. They come before the filters of the query.
    pub filters: Vec<Span>,
    /// The query with its header, the last of the texts. It may be empty if there are other filters.
    pub query: Span,
    /// Whether the value of the last filter is printed as `message quiet` prints it.
    pub prints_value: bool,
}

impl Parts {
    /// A text that is a query as it stands.
    pub fn whole(text: &str) -> Parts {
        Parts {
            query: Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX)),
            ..Parts::default()
        }
    }
}

/// Parses a query.
///
/// `vetoes` turn guesses of the token pass that the typing pass found wrong (grammar notes, section 3B): the place of a
/// binary `-` ([`crate::ast::Tail::op_span`]) makes it start a filter; the place of a name taken as a range
/// ([`crate::ast::Bound::span`]) makes it an operand; the place of the `:` of a speculative move makes it part of
/// the move's last operand; the place of a capture `[x]` makes it an index. A place that was no guess is ignored.
///
/// Every `-` behind an operand is binary until it is vetoed, or until nothing else parses.
///
/// # Errors
///
/// All lexical errors; else unbalanced delimiters; else all grammar errors found. Never empty.
pub fn parse(text: &str, dialect: Dialect, vetoes: &[Span]) -> Result<Query, Vec<Diagnostic>> {
    parse_parts(text, &Parts::whole(text), dialect, vetoes)
}

/// [`parse`] of a query that is made of several texts.
///
/// # Errors
///
/// As [`parse`], each in its own text; also a text of filters that has none, or has a header.
///
/// ```
/// use babson_lang::{Dialect, Parts, Span, parse_parts};
///
/// let parts = Parts { filters: vec![Span::new(0, 5)], query: Span::new(6, 16), ..Parts::default() };
/// let query = parse_parts("check cql() mate", &parts, Dialect::CQLI, &[]).unwrap();
/// assert_eq!(query.items.len(), 2);
/// let errors = parse_parts("check cql() mat(", &parts, Dialect::CQLI, &[]).unwrap_err();
/// assert_eq!(errors[0].span, Span::new(15, 16));
/// ```
pub fn parse_parts(
    text: &str,
    parts: &Parts,
    dialect: Dialect,
    vetoes: &[Span],
) -> Result<Query, Vec<Diagnostic>> {
    if u32::try_from(text.len()).is_err() {
        let error = Diagnostic::error(Span::default(), "the query is too long");
        return Err(vec![error]);
    }
    let texts = all(places(parts), |&(place, is_query)| {
        Text::new(text, place, is_query, parts, dialect)
    })?;
    let texts: Vec<Text<'_>> = texts.into_iter().filter_map(|(_, one)| one).collect();
    let mut names = Names::default();
    for one in &texts {
        names.add(one.source, &one.lexemes, dialect);
    }
    let texts = all(texts, |one| match_brackets(one.source, &one.lexemes))?;
    let parsed = all(texts, |(one, pairs)| {
        one.parse(pairs, &names, dialect, vetoes)
    })?;
    let mut query = Query {
        header: None,
        items: Vec::new(),
    };
    for ((one, _), tree) in parsed {
        match tree.header {
            Some(header) if !one.is_query => {
                let error = Diagnostic::error(header.span, "filters have no header");
                let help = "`cql(…)` stands at the beginning of a query's own text";
                return Err(vec![error.with_help(help)]);
            }
            header => query.header = header.or(query.header),
        }
        query.items.extend(tree.items);
    }
    if parts.prints_value {
        print_value(&mut query.items);
    }
    wrap(&mut query.items, text, &parts.transforms)?;
    Ok(query)
}

/// The texts with filters, and whether it is the query.
fn places(parts: &Parts) -> Vec<(Span, bool)> {
    let filters = parts.filters.iter().map(|&place| (place, false));
    filters.chain([(parts.query, true)]).collect()
}

/// What each of a list gives, beside it; or all errors.
fn all<T, R>(
    list: Vec<T>,
    mut step: impl FnMut(&T) -> Result<R, Vec<Diagnostic>>,
) -> Result<Vec<(T, R)>, Vec<Diagnostic>> {
    let mut out = Vec::with_capacity(list.len());
    let mut errors = Vec::new();
    for one in list {
        match step(&one) {
            Ok(result) => out.push((one, result)),
            Err(more) => errors.extend(more),
        }
    }
    if errors.is_empty() {
        Ok(out)
    } else {
        Err(errors)
    }
}

/// One of the texts.
struct Text<'s> {
    /// All texts up to the end of this one, so that its places are places in all of them.
    source: &'s str,
    lexemes: Vec<Lexeme>,
    is_query: bool,
}

impl<'s> Text<'s> {
    /// Its lexemes; nothing if it is empty and may be.
    fn new(
        text: &'s str,
        place: Span,
        is_query: bool,
        parts: &Parts,
        dialect: Dialect,
    ) -> Result<Option<Text<'s>>, Vec<Diagnostic>> {
        let mut lexemes = match lex(place.text(text), dialect) {
            Ok(lexemes) => lexemes,
            Err(mut errors) => {
                for error in &mut errors {
                    error.span = error.span.behind(place.start);
                }
                return Err(errors);
            }
        };
        for lexeme in &mut lexemes {
            lexeme.span = lexeme.span.behind(place.start);
        }
        if lexemes.is_empty() {
            if is_query && !parts.filters.is_empty() {
                return Ok(None);
            }
            let message = if is_query {
                "the query is empty"
            } else {
                "there is no filter in this text"
            };
            let error = Diagnostic::error(Span::new(place.start, place.start), message);
            return Err(vec![
                error.with_help("write at least one filter, for example `mate`"),
            ]);
        }
        Ok(Some(Text {
            source: text.get(..place.end as usize).unwrap_or(text),
            lexemes,
            is_query,
        }))
    }

    fn parse(
        &self,
        pairs: &[Pair],
        names: &Names<'s>,
        dialect: Dialect,
        vetoes: &[Span],
    ) -> Result<Query, Vec<Diagnostic>> {
        let Text {
            source, lexemes, ..
        } = self;
        let read = |vetoes: &[Span]| tokens(source, lexemes, pairs, names, dialect, vetoes);
        let errors = match attempt(source, read(vetoes)) {
            Ok(query) => return Ok(query),
            Err(errors) => errors,
        };
        // Perhaps a `-` began a filter, or a `[x]` is an index: the nearest one before the error, as long as that leads further.
        let mut vetoes = vetoes.to_vec();
        let mut place = errors.first().map_or(0, |e| e.span.start);
        loop {
            let Some(guess) = nearest_guess(&read(&vetoes), place) else {
                return Err(errors);
            };
            vetoes.push(guess);
            match attempt(source, read(&vetoes)) {
                Ok(query) => return Ok(query),
                Err(later) => match later.first().map_or(0, |e| e.span.start) {
                    further if further > place => place = further,
                    _ => return Err(errors),
                },
            }
        }
    }
}

/// Makes the last filter one that prints its value.
fn print_value(items: &mut [Expr]) {
    let Some(last) = items.last_mut() else { return };
    // What is evaluated outside the games has no value at a position.
    if matches!(last.kind, ExprKind::Hook { .. }) {
        return;
    }
    let span = last.span;
    let value = std::mem::replace(last, Expr::new(ExprKind::Error, span));
    let kind = ExprKind::Print {
        kind: PrintKind::Message,
        quiet: true,
        list: true,
        args: vec![value],
    };
    *last = Expr::new(kind, span);
}

/// Puts transforms around all filters.
fn wrap(items: &mut Vec<Expr>, text: &str, transforms: &[Span]) -> Result<(), Vec<Diagnostic>> {
    let (Some(first), Some(last)) = (items.first(), items.last()) else {
        return Ok(());
    };
    if transforms.is_empty() {
        return Ok(());
    }
    let span = first.span.to(last.span);
    let mut around = Expr::new(ExprKind::Block(std::mem::take(items)), span);
    for &word in transforms.iter().rev() {
        if around.depth >= MAX_DEPTH {
            let message = format!("this is nested more than {MAX_DEPTH} deep");
            return Err(vec![Diagnostic::error(word, message)]);
        }
        let Some(keyword) = Keyword::from_word(word.text(text)) else {
            let message = format!("`{}` is no transform", word.text(text));
            return Err(vec![Diagnostic::error(word, message)]);
        };
        let span = word.to(around.span);
        let arg = Box::new(around);
        let range = None;
        around = Expr::new(
            ExprKind::Transform {
                keyword,
                range,
                arg,
            },
            span,
        );
    }
    items.push(around);
    Ok(())
}

/// The last binary `-`, or capture `[x]`, before or at a place, not inside brackets that are closed there, that can be
/// something else: a `-` that does not follow a number, a `[x]` behind a name or brackets.
fn nearest_guess(list: &[Spanned<'_>], place: u32) -> Option<Span> {
    let mut closed = 0;
    let upto = list.partition_point(|token| token.0 <= place);
    for (i, (start, token, end)) in list.iter().enumerate().take(upto).rev() {
        match token {
            Tok::RParen | Tok::RBrace | Tok::RBracket if *start < place => closed += 1,
            Tok::LParen
            | Tok::Call
            | Tok::Target
            | Tok::LooseTarget
            | Tok::PathGroup
            | Tok::LineGroup
            | Tok::LBrace
            | Tok::LBracket
                if *start < place =>
            {
                closed = usize::checked_sub(closed, 1)?;
            }
            Tok::Add(InfixOp::Sub) if closed == 0 => {
                let number = matches!(i.checked_sub(1).map(|i| &list[i].1), Some(Tok::Int(_)));
                if !number {
                    return Some(Span::new(*start, *end));
                }
            }
            // Three bytes: `×` is no key.
            Tok::DashLeft(true) | Tok::DashBoth(true) if closed == 0 && end - start == 3 => {
                let before = i.checked_sub(1).map(|i| &list[i].1);
                if matches!(before, Some(Tok::Name(_) | Tok::RBracket | Tok::RParen)) {
                    return Some(Span::new(*start, *end));
                }
            }
            _ => {}
        }
    }
    None
}

fn attempt(text: &str, list: Vec<Spanned<'_>>) -> Result<Query, Vec<Diagnostic>> {
    let mut builder = Builder::new(text);
    let starts: Vec<(u32, u32)> = list.iter().map(|t| (t.0, t.2)).collect();
    let result = QueryParser::new().parse(&mut builder, list.into_iter().map(Ok::<_, ()>));
    let mut errors = builder.errors;
    let recovered = std::mem::take(&mut builder.recovered);
    for error in &recovered {
        if !errors.is_empty() && crate::expected::follows_imagine(error) {
            continue;
        }
        errors.push(crate::expected::report(text, error, &starts));
        if crate::expected::in_header(error) {
            return Err(errors);
        }
    }
    let query = match result {
        Ok(query) => Some(query),
        Err(error) => {
            errors.push(crate::expected::report(text, &error, &starts));
            None
        }
    };
    errors.sort_by_key(|e| e.span);
    errors.dedup_by_key(|e| e.span);
    match query {
        Some(query) if errors.is_empty() => Ok(query),
        _ => Err(errors),
    }
}
