//! The parser: from the text of a query to its AST.
//!
//! Some tokens have two readings (docs/src/language/reading.md#tokens-with-two-readings). Parsing
//! is speculative: it takes the first reading, and takes the second one at the nearest such token
//! before an error as long as the error moves forward. Type checking adds vetoes, and the query is
//! parsed again.

use std::collections::HashSet;
use std::rc::Rc;

use lalrpop_util::ParseError;

use crate::ast::{Expr, ExprKind, InfixOp, MAX_DEPTH, Query, Span};
use crate::build::AstBuilder;
use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::Dialect;
use crate::grammar::QueryParser;
use crate::keywords::Keyword;
use crate::lexer::{Lexeme, lex};
use crate::limits::{GRAMMAR_ERROR_STEPS, MAX_ERRORS, MAX_SINGLE_READINGS};
use crate::steps::Steps;
use crate::tokens::terminal::Terminal;
use crate::tokens::{BracketPair, NameTable, SpannedTerminal, match_brackets, tokens};

/// The parts of a query, as spans of one text that contains them in sequence.
///
/// Each part is parsed separately: a bracket, string or comment ends with its part. The names that
/// one part declares are known in all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryParts {
    /// The keywords of the transforms around all filters, outermost first. They precede all other
    /// parts.
    pub transforms: Vec<Span>,
    /// Texts of imported files, which have only functions. They precede all filters
    /// ([`crate::imports`]).
    pub imports: Vec<Span>,
    /// Texts of filters without a header. They precede the filters of the query.
    pub filters: Vec<Span>,
    /// The query with its header, the last part. It may be empty if there are other filters.
    pub query: Span,
}

impl QueryParts {
    /// The parts of a text that is one query.
    pub fn whole(text: &str) -> QueryParts {
        QueryParts {
            query: Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX)),
            ..QueryParts::default()
        }
    }
}

/// Parses a query.
///
/// `vetoes` are the spans of tokens that get their second reading, because type checking has
/// rejected the first one (docs/src/language/reading.md#tokens-with-two-readings):
///
/// - a binary `-` ([`crate::ast::InfixOperand::op_span`]) begins a filter;
/// - a name that was a bound ([`crate::ast::RangeBound::span`]) becomes an operand;
/// - the `:` of a speculative move belongs to the last operand of the move;
/// - a capture `[x]` becomes an index;
/// - the empty span before a dash separates the dash from its left operand;
/// - the empty span before another operator ends a `path` there.
///
/// Any other span is ignored.
///
/// # Errors
///
/// All lexical errors; else the unbalanced brackets; else the grammar errors. Never empty.
pub fn parse(text: &str, dialect: Dialect, vetoes: &[Span]) -> Result<Query, Vec<Diagnostic>> {
    parse_parts(text, &QueryParts::whole(text), dialect, vetoes)
}

/// [`parse`] of a query that consists of several parts.
///
/// # Errors
///
/// As [`parse`]; also a part without filters, and a header in a part that is not the query.
///
/// ```
/// use babson_lang::{Dialect, QueryParts, Span, parse_parts};
///
/// let parts = QueryParts { filters: vec![Span::new(0, 5)], query: Span::new(6, 16), ..QueryParts::default() };
/// let query = parse_parts("check cql() mate", &parts, Dialect::CQLI, &[]).unwrap();
/// assert_eq!(query.items.len(), 2);
/// let errors = parse_parts("check cql() mat(", &parts, Dialect::CQLI, &[]).unwrap_err();
/// assert_eq!(errors[0].span, Span::new(15, 16));
/// ```
pub fn parse_parts(
    text: &str,
    parts: &QueryParts,
    dialect: Dialect,
    vetoes: &[Span],
) -> Result<Query, Vec<Diagnostic>> {
    let mut steps = Steps::default();
    let mut choices = Choices { vetoes: vetoes.to_vec(), guesses: Vec::new() };
    SourceTexts::new(text, parts, dialect, &mut steps)?.parse(&mut choices, &mut steps)
}

/// The tokens that get their second reading.
#[derive(Default)]
pub(crate) struct Choices {
    /// The tokens whose first reading type checking rejected.
    vetoes: Vec<Span>,
    /// The tokens whose first reading does not parse, each with the offset of the error.
    guesses: Vec<(u32, Span)>,
}

impl Choices {
    /// The number of vetoes.
    pub(crate) fn veto_count(&self) -> usize {
        self.vetoes.len()
    }

    /// Adds vetoes in the order of the text; returns whether one of them is new.
    pub(crate) fn add_vetoes(&mut self, mut spans: Vec<Span>) -> bool {
        let known: HashSet<Span> = self.vetoes.iter().copied().collect();
        spans.retain(|span| !known.contains(span));
        spans.sort_unstable();
        spans.dedup();
        let Some(&first) = spans.first() else {
            return false;
        };
        // The tokens before the first veto do not change, and neither do the errors among them.
        self.guesses.retain(|&(place, _)| place < first.start);
        self.vetoes.extend(spans);
        true
    }

    /// Retracts vetoes that led to an error at the offset `place`. The first `sure` ones stay. Of
    /// the others, those before the error stay, except the last.
    pub(crate) fn retract_vetoes(&mut self, sure: usize, place: u32) {
        let later = self.vetoes.get(sure..).unwrap_or_default();
        let before = later.partition_point(|span| span.start <= place);
        self.vetoes.truncate(sure + before.saturating_sub(1).max(1));
        let first = self.vetoes.get(sure).map_or(0, |span| span.start);
        self.guesses.retain(|&(place, _)| place < first);
    }

    /// Chooses the second reading of the nearest ambiguous token before each of the first `max`
    /// errors, which are at these offsets. Returns whether there is such a token.
    fn guess(&mut self, tokens: &[SpannedTerminal<'_>], errors: &[u32], max: usize) -> bool {
        let known = self.guesses.len();
        // A token belongs to the first error after it.
        let mut from = 0;
        for &place in errors.iter().take(max) {
            let guess = nearest_guess(tokens, place, from);
            self.guesses.extend(guess.map(|guess| (place, guess)));
            from = place.saturating_add(1);
        }
        self.guesses.len() > known
    }

    /// All tokens that get their second reading.
    fn all(&self) -> HashSet<Span> {
        let guesses = self.guesses.iter().map(|&(_, span)| span);
        self.vetoes.iter().copied().chain(guesses).collect()
    }
}

/// The lexed parts of a query, which can be parsed repeatedly with different readings.
pub(crate) struct SourceTexts<'s> {
    text: &'s str,
    parts: &'s QueryParts,
    dialect: Dialect,
    names: NameTable<'s>,
    texts: Vec<(SourceText<'s>, Vec<BracketPair>)>,
}

impl<'s> SourceTexts<'s> {
    pub(crate) fn new(
        text: &'s str,
        parts: &'s QueryParts,
        dialect: Dialect,
        steps: &mut Steps,
    ) -> Result<SourceTexts<'s>, Vec<Diagnostic>> {
        if u32::try_from(text.len()).is_err() {
            return Err(vec![Diagnostic::query_too_long()]);
        }
        let texts = try_each(filter_texts(parts), |&(place, role)| {
            SourceText::new(text, place, role, parts, dialect)
        })?;
        let texts: Vec<SourceText<'_>> = texts.into_iter().filter_map(|(_, one)| one).collect();
        let mut names = NameTable::default();
        for one in &texts {
            steps.lexed += one.lexemes.len();
            names.add(one.source, &one.lexemes, dialect);
        }
        let texts = try_each(texts, |one| match_brackets(one.source, &one.lexemes))?;
        Ok(SourceTexts { text, parts, dialect, names, texts })
    }

    /// Parses with these readings, and adds the second readings that the grammar requires.
    pub(crate) fn parse(
        &self,
        choices: &mut Choices,
        steps: &mut Steps,
    ) -> Result<Query, Vec<Diagnostic>> {
        let SourceTexts { text, parts, dialect, ref names, ref texts } = *self;
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
                Some(header) if one.role == PartRole::Import => {
                    let error = Diagnostic::new(
                        Code::ImportedHeader,
                        header.span,
                        "an imported file has no header",
                    );
                    let help = "leave out `cql(…)`: the file has only functions";
                    return Err(vec![error.with_help(help)]);
                }
                Some(header) if one.role == PartRole::Filters => {
                    let error = Diagnostic::new(
                        Code::MisplacedHeader,
                        header.span,
                        "a header is not allowed here",
                    );
                    let help = "leave out `cql(…)`: this text consists of filters; \
                                put a query with a header into a file";
                    return Err(vec![error.with_help(help)]);
                }
                header => query.header = header.or(query.header),
            }
            check_imports(&tree.items, one.role)?;
            query.items.extend(tree.items);
        }
        wrap(&mut query.items, text, &parts.transforms)?;
        Ok(query)
    }
}

/// The error for a query whose ambiguous tokens need too many attempts.
pub(crate) fn too_ambiguous(span: Span) -> Diagnostic {
    let message = "the query has too many operators that can be read in two ways";
    let help = "write braces around filters: `{x} {-1}` is two filters, `{x - 1}` a difference";
    Diagnostic::new(Code::TooAmbiguous, span, message).with_help(help)
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartRole {
    Import,
    Filters,
    Query,
}

/// The spans of the parts with filters or functions, in the order in which they count.
fn filter_texts(parts: &QueryParts) -> Vec<(Span, PartRole)> {
    let imports = parts.imports.iter().map(|&span| (span, PartRole::Import));
    let filters = parts.filters.iter().map(|&span| (span, PartRole::Filters));
    imports.chain(filters).chain([(parts.query, PartRole::Query)]).collect()
}

/// Checks where imports stand, and that an imported file has nothing but functions.
fn check_imports(items: &[Expr], role: PartRole) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    for item in items {
        if is_import(item) {
            continue;
        }
        if role == PartRole::Import && !matches!(item.kind, ExprKind::Function { .. }) {
            let error = Diagnostic::new(
                Code::ImportedFilter,
                item.span,
                "an imported file has only functions",
            );
            errors.push(error.with_help("put filters into a function, and call it in the query"));
        }
        item.kind.for_each_child(&mut |child| find_nested_import(child, &mut errors));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn is_import(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::KeywordText { keyword: Keyword::Import, .. })
}

fn find_nested_import(e: &Expr, errors: &mut Vec<Diagnostic>) {
    if is_import(e) {
        let error = Diagnostic::new(
            Code::NestedImport,
            e.span,
            "`import` must stand alone, outside of other filters",
        );
        errors.push(error.with_help("write it at the beginning of the query"));
    }
    e.kind.for_each_child(&mut |child| find_nested_import(child, errors));
}

/// Applies a function to each element; returns the pairs of element and result, or all errors.
fn try_each<T, R>(
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

/// One lexed part of a query.
struct SourceText<'s> {
    /// The whole text up to the end of this part, so that spans need no conversion.
    source: &'s str,
    lexemes: Vec<Lexeme>,
    role: PartRole,
}

impl<'s> SourceText<'s> {
    /// Lexes a part. The result is `None` for a query that is empty because other parts have
    /// filters.
    fn new(
        text: &'s str,
        place: Span,
        role: PartRole,
        parts: &QueryParts,
        dialect: Dialect,
    ) -> Result<Option<SourceText<'s>>, Vec<Diagnostic>> {
        let mut lexemes = match lex(place.text(text), dialect) {
            Ok(lexemes) => lexemes,
            Err(errors) => {
                return Err(errors.into_iter().map(|e| e.shifted(place.start)).collect());
            }
        };
        for lexeme in &mut lexemes {
            lexeme.span = lexeme.span.shifted(place.start);
        }
        if lexemes.is_empty() {
            let message = match role {
                PartRole::Import => return Ok(None),
                PartRole::Query if !parts.filters.is_empty() => return Ok(None),
                PartRole::Query => "the query is empty",
                PartRole::Filters => "this text has no filter",
            };
            let error =
                Diagnostic::new(Code::EmptyQuery, Span::new(place.start, place.start), message);
            return Err(vec![error.with_help("write at least one filter, for example `mate`")]);
        }
        Ok(Some(SourceText {
            source: text.get(..place.end as usize).unwrap_or(text),
            lexemes,
            role,
        }))
    }

    /// Parses the part with these readings.
    ///
    /// After a grammar error, a `-` perhaps begins a filter, or a `[x]` is an index. Each round
    /// chooses the second reading of such tokens before errors, and parses the part again. Rounds
    /// go on as long as the first error moves forward. When it does not, the readings were not the
    /// cause, and the errors of the first attempt are reported.
    fn parse(
        &self,
        pairs: &[BracketPair],
        names: &NameTable<'s>,
        dialect: Dialect,
        choices: &mut Choices,
        steps: &mut Steps,
    ) -> Result<Query, Vec<Diagnostic>> {
        let SourceText { source, lexemes, .. } = self;
        // Returns the tree or the errors, the tokens, and the steps so far.
        let mut attempt = |choices: &Choices, max_errors: usize| {
            let list = tokens(source, lexemes, pairs, names, dialect, &choices.all());
            let result = run_parser(source, &list, max_errors);
            let errors = result.as_ref().err().map_or(0, |failure| failure.unexpected.len());
            steps.parsed += list.len() + errors * GRAMMAR_ERROR_STEPS;
            (result, list, *steps)
        };
        let (result, mut list, _) = attempt(choices, MAX_ERRORS);
        let first_failure = match result {
            Ok(query) => return Ok(query),
            Err(failure) => failure,
        };
        let mut errors = first_failure.places.clone();
        for round in 0.. {
            let Some(&first_error) = errors.first() else { break };
            if !choices.guess(&list, &errors, max_readings(round)) {
                break;
            }
            // The next round changes a token before each error that this attempt finds.
            let (result, tokens, steps) = attempt(choices, max_readings(round + 1));
            errors = match result {
                Ok(query) => return Ok(query),
                Err(failure) => failure.places,
            };
            let moved_forward = errors.first().is_some_and(|&next| next > first_error);
            if !moved_forward {
                break;
            }
            if !steps.may_read_again(source.len()) {
                return Err(vec![too_ambiguous(Span::new(first_error, first_error))]);
            }
            list = tokens;
        }
        Err(first_failure.report(source, &list))
    }
}

/// The number of tokens whose reading a round changes. The first rounds change one, because a
/// later error can be a consequence of the first. Then a round changes a token before every error,
/// so that a query with many of them needs few rounds.
fn max_readings(round: usize) -> usize {
    if round < MAX_SINGLE_READINGS { 1 } else { usize::MAX }
}

/// Wraps all filters in transforms.
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
            return Err(vec![Diagnostic::nested_too_deep(word, "this is", MAX_DEPTH)]);
        }
        let Some(keyword) = Keyword::from_word(word.text(text)) else {
            let message = format!("`{}` is not a transform", word.text(text));
            return Err(vec![Diagnostic::new(Code::UnknownTransform, word, message)]);
        };
        let span = word.to(around.span);
        let arg = Box::new(around);
        let range = None;
        around = Expr::new(ExprKind::Transform { keyword, range, arg }, span);
    }
    items.push(around);
    Ok(())
}

/// Finds the last token with a second reading that begins at or before the offset `place` of an
/// error, and not before `from`: a binary `-` that does not follow a number, or a capture `[x]`
/// after a name or brackets. Tokens in brackets that close before the error are skipped.
fn nearest_guess(list: &[SpannedTerminal<'_>], place: u32, from: u32) -> Option<Span> {
    // The number of brackets around the token that close before the error.
    let mut closed = 0;
    let from = list.partition_point(|token| token.0 < from);
    let upto = list.partition_point(|token| token.0 <= place);
    for (i, (start, token, end)) in list.iter().enumerate().take(upto).skip(from).rev() {
        let before = i.checked_sub(1).map(|i| &list[i].1);
        if *start < place && token.closes_bracket() {
            closed += 1;
        } else if *start < place && token.opens_bracket() {
            closed = usize::checked_sub(closed, 1)?;
        }
        if closed > 0 {
            continue;
        }
        let is_difference = matches!(token, Terminal::Add(InfixOp::Sub))
            && !matches!(before, Some(Terminal::Int(_)));
        // Only the spelling of three bytes can be a key; `×` cannot.
        let is_key = matches!(token, Terminal::DashLeft(true) | Terminal::DashBoth(true))
            && end - start == 3
            && matches!(before, Some(Terminal::Name(_) | Terminal::RBracket | Terminal::RParen));
        if is_difference || is_key {
            return Some(Span::new(*start, *end));
        }
    }
    None
}

/// The errors of tokens that do not parse.
struct ParseFailure<'s> {
    /// The errors that the grammar actions report.
    errors: Vec<Diagnostic>,
    /// The errors from which the parser recovered, and the one at which it stopped.
    unexpected: Vec<ParseError<u32, Terminal<'s>, ()>>,
    /// The offsets of all errors in ascending order, with those of the tokens that the grammar
    /// never accepts, since the parser finds no further errors after one of them.
    places: Vec<u32>,
}

/// Runs the generated parser until it has recovered from `max_errors` errors.
fn run_parser<'s>(
    text: &'s str,
    list: &[SpannedTerminal<'s>],
    max_errors: usize,
) -> Result<Query, ParseFailure<'s>> {
    let mut builder = AstBuilder::new(text);
    let recoveries = Rc::clone(&builder.recoveries);
    // An error in place of a token ends the parse.
    let tokens = list
        .iter()
        .map(|token| if recoveries.get() < max_errors { Ok(token.clone()) } else { Err(()) });
    let result = QueryParser::new().parse(&mut builder, tokens);
    let AstBuilder { errors, recovered: mut unexpected, .. } = builder;
    match result {
        Ok(query) if errors.is_empty() && unexpected.is_empty() => return Ok(query),
        Ok(_) | Err(ParseError::User { .. }) => {}
        Err(error) => unexpected.push(error),
    }
    let starts = errors.iter().map(|error| error.span.start);
    let ends = unexpected.iter().map(|error| crate::grammar_errors::place(error).start);
    let loose = list.iter().filter(|token| matches!(token.1, Terminal::LooseTarget));
    let loose = loose.map(|token| token.0).take(max_errors);
    let mut places: Vec<u32> = starts.chain(ends).chain(loose).collect();
    places.sort_unstable();
    places.dedup();
    Err(ParseFailure { errors, unexpected, places })
}

impl ParseFailure<'_> {
    /// Converts the errors to diagnostics, in the order of the text.
    fn report(self, text: &str, list: &[SpannedTerminal<'_>]) -> Vec<Diagnostic> {
        let starts: Vec<(u32, u32)> = list.iter().map(|token| (token.0, token.2)).collect();
        let mut errors = self.errors;
        for error in self.unexpected.iter().take(MAX_ERRORS) {
            if !errors.is_empty() && crate::grammar_errors::follows_imagine(error) {
                continue;
            }
            if let Some(mistake) = crate::mistakes::find(text, error, &starts) {
                errors.push(mistake);
                break;
            }
            errors.push(crate::grammar_errors::report(text, error, &starts));
            if crate::grammar_errors::in_header(error) {
                break;
            }
        }
        errors.sort_by_key(|error| error.span);
        errors.dedup_by_key(|error| error.span);
        errors
    }
}
