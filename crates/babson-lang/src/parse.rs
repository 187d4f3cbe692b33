//! From query text to tree.

use std::collections::HashSet;
use std::rc::Rc;

use lalrpop_util::ParseError;

use crate::ast::{Expr, ExprKind, InfixOp, MAX_DEPTH, PrintKind, Query, Span};
use crate::build::Builder;
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::grammar::QueryParser;
use crate::keywords::Keyword;
use crate::lexer::{Lexeme, lex};
use crate::limits::{MAX_ERRORS, MAX_SINGLE_READINGS};
use crate::steps::Steps;
use crate::tokens::token::Tok;
use crate::tokens::{Names, Pair, Spanned, match_brackets, tokens};

/// The texts that a query is made of, as places in one text that holds them one after another.
///
/// Each is parsed by itself: no bracket, string or comment of one reaches into the next, and an
/// error has its place in the text that is wrong. The names of one are known in all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// The words of transforms around all filters, outermost first; they stand before all else.
    pub transforms: Vec<Span>,
    /// Texts of filters without a header. They come before the filters of the query.
    pub filters: Vec<Span>,
    /// The query with its header, the last of the texts. It may be empty if there are other
    /// filters.
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
/// `vetoes` turn guesses of the token pass that the typing pass found wrong (grammar notes, section
/// 3B): the place of a binary `-` ([`crate::ast::Tail::op_span`]) makes it start a filter; the
/// place of a name taken as a range ([`crate::ast::Bound::span`]) makes it an operand; the place of
/// the `:` of a speculative move makes it part of the move's last operand; the place of a capture
/// `[x]` makes it an index. The empty place before a dash unties it from what it touches at its
/// left, before another operator it ends a `path` there. A place that was not a guess is ignored.
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
    let mut steps = Steps::default();
    let mut choices = Choices { vetoes: vetoes.to_vec(), guesses: Vec::new() };
    Texts::new(text, parts, dialect, &mut steps)?.parse(&mut choices, &mut steps)
}

/// Which ambiguous tokens are read the other way.
#[derive(Default)]
pub(crate) struct Choices {
    /// Those that the typing pass turned.
    vetoes: Vec<Span>,
    /// Those that the parser turned because nothing else parses, with the place of the error that
    /// showed it.
    guesses: Vec<(u32, Span)>,
}

impl Choices {
    /// How many the typing pass has turned.
    pub(crate) fn len(&self) -> usize {
        self.vetoes.len()
    }

    /// Turns more tokens, in the order of the text; returns whether there was a new one.
    pub(crate) fn turn(&mut self, mut spans: Vec<Span>) -> bool {
        let known: HashSet<Span> = self.vetoes.iter().copied().collect();
        spans.retain(|span| !known.contains(span));
        spans.sort_unstable();
        spans.dedup();
        let Some(&first) = spans.first() else {
            return false;
        };
        // The tokens before the first are what they were, and so are the errors among them.
        self.guesses.retain(|&(place, _)| place < first.start);
        self.vetoes.extend(spans);
        true
    }

    /// Takes back all but the first `sure` and, of the later ones, those that an error at `place`
    /// leaves in question.
    pub(crate) fn doubt(&mut self, sure: usize, place: u32) {
        let later = self.vetoes.get(sure..).unwrap_or_default();
        let before = later.partition_point(|span| span.start <= place);
        self.vetoes.truncate(sure + before.saturating_sub(1).max(1));
        let first = self.vetoes.get(sure).map_or(0, |span| span.start);
        self.guesses.retain(|&(place, _)| place < first);
    }

    fn all(&self) -> HashSet<Span> {
        let guesses = self.guesses.iter().map(|&(_, span)| span);
        self.vetoes.iter().copied().chain(guesses).collect()
    }
}

/// The texts of a query, ready to be parsed with one choice of readings after the other.
pub(crate) struct Texts<'s> {
    text: &'s str,
    parts: &'s Parts,
    dialect: Dialect,
    names: Names<'s>,
    texts: Vec<(Text<'s>, Vec<Pair>)>,
}

impl<'s> Texts<'s> {
    pub(crate) fn new(
        text: &'s str,
        parts: &'s Parts,
        dialect: Dialect,
        steps: &mut Steps,
    ) -> Result<Texts<'s>, Vec<Diagnostic>> {
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
            steps.lexed += one.lexemes.len();
            names.add(one.source, &one.lexemes, dialect);
        }
        let texts = all(texts, |one| match_brackets(one.source, &one.lexemes))?;
        Ok(Texts { text, parts, dialect, names, texts })
    }

    /// Parses with these choices, and adds those without which nothing parses.
    pub(crate) fn parse(
        &self,
        choices: &mut Choices,
        steps: &mut Steps,
    ) -> Result<Query, Vec<Diagnostic>> {
        let Texts { text, parts, dialect, ref names, ref texts } = *self;
        let mut parsed = Vec::with_capacity(texts.len());
        let mut errors = Vec::new();
        for (one, pairs) in texts {
            match one.parse(pairs, names, dialect, choices, steps) {
                Ok(tree) => parsed.push((one, tree)),
                Err(more) => errors.extend(more),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut query = Query { header: None, items: Vec::new() };
        for (one, tree) in parsed {
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
}

/// What is said of a query whose ambiguous tokens need too many readings.
pub(crate) fn too_ambiguous(span: Span) -> Diagnostic {
    let message = "the query has too many operators that can be read in two ways";
    let help = "write braces around filters: `{x} {-1}` is two filters, `{x - 1}` a difference";
    Diagnostic::error(span, message).with_help(help)
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
    if errors.is_empty() { Ok(out) } else { Err(errors) }
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
            let message =
                if is_query { "the query is empty" } else { "there is no filter in this text" };
            let error = Diagnostic::error(Span::new(place.start, place.start), message);
            return Err(vec![error.with_help("write at least one filter, for example `mate`")]);
        }
        Ok(Some(Text { source: text.get(..place.end as usize).unwrap_or(text), lexemes, is_query }))
    }

    fn parse(
        &self,
        pairs: &[Pair],
        names: &Names<'s>,
        dialect: Dialect,
        choices: &mut Choices,
        steps: &mut Steps,
    ) -> Result<Query, Vec<Diagnostic>> {
        let Text { source, lexemes, .. } = self;
        let mut attempt = |choices: &Choices, limit: usize| {
            let list = tokens(source, lexemes, pairs, names, dialect, &choices.all());
            let result = attempt(source, &list, limit);
            let errors = result.as_ref().err().map_or(0, |failed| failed.unexpected.len());
            steps.parsed += list.len() + errors * ERROR;
            (result, list, *steps)
        };
        // Where there are many, also before the errors behind it, each as if what is before it were
        // right.
        let limit = |round| {
            if round < MAX_SINGLE_READINGS { 1 } else { usize::MAX }
        };
        let (result, mut list, _) = attempt(choices, MAX_ERRORS);
        let first = match result {
            Ok(query) => return Ok(query),
            Err(failed) => failed,
        };
        // Perhaps a `-` began a filter, or a `[x]` is an index: the nearest one before the error,
        // as long as that leads further.
        let mut places = first.places.clone();
        for round in 0.. {
            let Some(&place) = places.first() else { break };
            let mut least = 0;
            for &place in places.iter().take(limit(round)) {
                let guess = nearest_guess(&list, place, least);
                choices.guesses.extend(guess.map(|guess| (place, guess)));
                least = place.saturating_add(1);
            }
            if choices.guesses.last().is_none_or(|guess| guess.0 < place) {
                break;
            }
            let (result, tokens, steps) = attempt(choices, limit(round + 1));
            places = match result {
                Ok(query) => return Ok(query),
                Err(failed) => failed.places,
            };
            if places.first().is_none_or(|&further| further <= place) {
                break;
            }
            if !steps.may_read_again(source.len()) {
                return Err(vec![too_ambiguous(Span::new(place, place))]);
            }
            list = tokens;
        }
        Err(first.report(source, &list))
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
    let kind =
        ExprKind::Print { kind: PrintKind::Message, quiet: true, list: true, args: vec![value] };
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
        around = Expr::new(ExprKind::Transform { keyword, range, arg }, span);
    }
    items.push(around);
    Ok(())
}

/// The last binary `-`, or capture `[x]`, before or at a place, not inside brackets that are closed
/// there, that can be something else: a `-` that does not follow a number, a `[x]` behind a name or
/// brackets. It is not before `least`.
fn nearest_guess(list: &[Spanned<'_>], place: u32, least: u32) -> Option<Span> {
    let mut closed = 0;
    let from = list.partition_point(|token| token.0 < least);
    let upto = list.partition_point(|token| token.0 <= place);
    for (i, (start, token, end)) in list.iter().enumerate().take(upto).skip(from).rev() {
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

/// Steps of an error of the grammar: it is found out which of some 130 terminals could have stood
/// there.
const ERROR: usize = 130;

/// What was wrong when tokens did not parse.
struct Failed<'s> {
    /// What the actions of the grammar found.
    errors: Vec<Diagnostic>,
    /// Where the grammar recovered or gave up.
    unexpected: Vec<ParseError<u32, Tok<'s>, ()>>,
    /// The places of all of it, in order, and of all tokens that fit nowhere: behind one of those
    /// the grammar finds no further errors.
    places: Vec<u32>,
}

/// Parses until it has recovered from `limit` errors.
fn attempt<'s>(text: &'s str, list: &[Spanned<'s>], limit: usize) -> Result<Query, Failed<'s>> {
    let mut builder = Builder::new(text);
    let recoveries = Rc::clone(&builder.recoveries);
    let tokens = list.iter().map(|token| match recoveries.get() < limit {
        true => Ok(token.clone()),
        false => Err(()),
    });
    let result = QueryParser::new().parse(&mut builder, tokens);
    let Builder { errors, recovered: mut unexpected, .. } = builder;
    match result {
        Ok(query) if errors.is_empty() && unexpected.is_empty() => return Ok(query),
        Ok(_) | Err(ParseError::User { .. }) => {}
        Err(error) => unexpected.push(error),
    }
    let starts = errors.iter().map(|error| error.span.start);
    let ends = unexpected.iter().map(|error| crate::expected::place(error).start);
    let loose = list.iter().filter(|token| matches!(token.1, Tok::LooseTarget));
    let loose = loose.map(|token| token.0).take(limit);
    let mut places: Vec<u32> = starts.chain(ends).chain(loose).collect();
    places.sort_unstable();
    places.dedup();
    Err(Failed { errors, unexpected, places })
}

impl Failed<'_> {
    /// All of it in words, in the order of the text.
    fn report(self, text: &str, list: &[Spanned<'_>]) -> Vec<Diagnostic> {
        let starts: Vec<(u32, u32)> = list.iter().map(|token| (token.0, token.2)).collect();
        let mut errors = self.errors;
        for error in self.unexpected.iter().take(MAX_ERRORS) {
            if !errors.is_empty() && crate::expected::follows_imagine(error) {
                continue;
            }
            if let Some(mistake) = crate::mistakes::find(text, error, &starts) {
                errors.push(mistake);
                break;
            }
            errors.push(crate::expected::report(text, error, &starts));
            if crate::expected::in_header(error) {
                break;
            }
        }
        errors.sort_by_key(|error| error.span);
        errors.dedup_by_key(|error| error.span);
        errors
    }
}
