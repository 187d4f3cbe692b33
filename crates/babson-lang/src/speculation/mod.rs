//! Speculative parsing. Some tokens have two readings, and only the grammar or the types can decide
//! between them (docs/src/language/reading.md#tokens-with-two-readings). A query is parsed with the
//! first readings. Each time that the grammar or type checking rejects one, its token gets the
//! second reading, and the query is parsed again.
//!
//! [`ChoiceKind`] lists the kinds of tokens with two readings. The token pass asks which tokens get
//! the second one. Type checking [rejects][reject] choices, and goes on as far as it
//! can to find more. All attempts are made in [`Speculation::run`], which counts their steps.
//!
//! [`ChoiceKind`]: crate::choice::ChoiceKind
//! [reject]: crate::choice::Rejections::reject

mod choices;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use crate::ast::Query;
use crate::choice::{CheckFailure, Choice};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::Dialect;
use crate::limits::{MAX_ERRORS, MAX_SINGLE_READINGS};
use crate::parse::{ParseFailure, SourceTexts};
use crate::query_parts::QuerySpans;
use crate::steps::Steps;
use crate::tokens::SpannedTerminal;
use choices::Choices;

/// Parses a query. Tokens with two readings get the first one that the grammar accepts.
///
/// # Errors
///
/// All lexical errors; else the unbalanced brackets; else the grammar errors. Never empty.
pub fn parse(text: &str, dialect: Dialect) -> Result<Query, Vec<Diagnostic>> {
    parse_spans(text, &QuerySpans::whole(text), dialect)
}

/// [`parse`] of a query that consists of several parts.
///
/// # Errors
///
/// As [`parse`]; also a part without filters, and a header in a part that is not the query.
///
/// ```
/// use babson_lang::{Dialect, QuerySpans, Span, parse_spans};
///
/// let parts = QuerySpans { filters: vec![Span::new(0, 5)], query: Span::new(6, 16), ..QuerySpans::default() };
/// let query = parse_spans("check cql() mate", &parts, Dialect::CQLI).unwrap();
/// assert_eq!(query.items.len(), 2);
/// let errors = parse_spans("check cql() mat(", &parts, Dialect::CQLI).unwrap_err();
/// assert_eq!(errors[0].span, Span::new(15, 16));
/// ```
pub fn parse_spans(
    text: &str,
    parts: &QuerySpans,
    dialect: Dialect,
) -> Result<Query, Vec<Diagnostic>> {
    let mut steps = Steps::default();
    let texts = SourceTexts::new(text, parts, dialect, &mut steps)?;
    Speculation::new(&texts, &mut steps).run(|_, _| Ok(())).map(|(query, _)| query)
}

/// The tree with the result of the check, or the errors of a text that does not parse.
pub(crate) type SpeculationResult<T> = Result<(Query, Result<T, Vec<Diagnostic>>), Vec<Diagnostic>>;

/// The attempts to read one query.
pub(crate) struct Speculation<'a, 's> {
    texts: &'a SourceTexts<'s>,
    steps: &'a mut Steps,
    choices: Choices,
    /// The error of the first reading, for the case that the second one does not parse.
    rejected: Option<Diagnostic>,
    /// Whether a tree with errors is wanted, too.
    recovers: bool,
    /// The errors from which the parser recovered when it made the last tree.
    recovered: Option<Vec<Diagnostic>>,
}

/// The attempts to parse a part that has grammar errors.
struct GrammarRounds<'s> {
    /// The failure of the first attempt. It is reported if no reading helps.
    first: ParseFailure<'s>,
    /// The tokens of the last attempt whose first error was later than the one before.
    tokens: Vec<SpannedTerminal<'s>>,
    /// The offsets of the errors of that attempt.
    errors: Vec<u32>,
    /// The number of the round.
    round: usize,
}

/// The number of tokens whose reading a round changes. The first rounds change one, because a
/// later error can be a consequence of the first. Then a round changes a token before every error,
/// so that a query with many of them needs few rounds.
fn max_readings(round: usize) -> usize {
    if round < MAX_SINGLE_READINGS { 1 } else { usize::MAX }
}

impl<'a, 's> Speculation<'a, 's> {
    pub(crate) fn new(texts: &'a SourceTexts<'s>, steps: &'a mut Steps) -> Speculation<'a, 's> {
        let choices = Choices::default();
        Speculation { texts, steps, choices, rejected: None, recovers: false, recovered: None }
    }

    /// Does the same as [`Speculation::run`] with the trees of texts that do not parse, and returns
    /// the errors from which the parser recovered. [`ast::ExprKind::Error`](crate::ast::ExprKind)
    /// stands in the tree for what was not parsed.
    pub(crate) fn run_recovering<T>(
        mut self,
        check: impl FnMut(&Query, &mut Steps) -> Result<T, CheckFailure>,
    ) -> (SpeculationResult<T>, Vec<Diagnostic>) {
        self.recovers = true;
        let result = self.run(check);
        (result, self.recovered.unwrap_or_default())
    }

    /// Parses and checks the query until both succeed, or fail with no other reading to try.
    pub(crate) fn run<T>(
        &mut self,
        mut check: impl FnMut(&Query, &mut Steps) -> Result<T, CheckFailure>,
    ) -> SpeculationResult<T> {
        loop {
            let query = match self.parse() {
                Ok(query) => query,
                // One of the latest rejections was wrong.
                Err(errors) if self.choices.retract(first_place(&errors)) => {
                    if self.steps.may_read_again(self.texts.bytes()) {
                        continue;
                    }
                    let place = first_place(&errors);
                    return Err(vec![too_ambiguous(Span::new(place, place))]);
                }
                Err(errors) => {
                    return Err(self.rejected.take().map_or(errors, |error| vec![error]));
                }
            };
            match check(&query, self.steps) {
                Ok(typed) => return Ok((query, Ok(typed))),
                Err(CheckFailure::Errors(errors)) => return Ok((query, Err(errors))),
                Err(CheckFailure::Rejected(choices, error)) => {
                    if !self.choices.reject(choices) {
                        return Ok((query, Err(vec![*error])));
                    }
                    if !self.steps.may_read_again(self.texts.bytes()) {
                        return Ok((query, Err(vec![too_ambiguous(error.span)])));
                    }
                    self.rejected = Some(*error);
                }
            }
        }
    }

    /// Parses all parts and joins their trees, or returns the errors of all parts.
    fn parse(&mut self) -> Result<Query, Vec<Diagnostic>> {
        let mut second = self.choices.second();
        let (mut trees, mut errors) = (Vec::new(), Vec::new());
        for part in 0..self.texts.len() {
            match self.parse_part(part, &mut second) {
                Ok(tree) => trees.push(tree),
                Err((more, tree)) => {
                    errors.extend(more);
                    trees.extend(tree);
                }
            }
        }
        // Another reading must not make more errors than the one before it.
        let most = match &self.recovered {
            _ if !self.recovers => 0,
            None => usize::MAX,
            Some(before) => before.len(),
        };
        if errors.len() > most || trees.len() < self.texts.len() {
            return Err(errors);
        }
        self.recovered = Some(errors);
        self.texts.join(trees)
    }

    /// Parses a part. After an error, the nearest tokens with two readings before the first errors
    /// get the second one, as long as the first error moves forward. When it does not, the readings
    /// were not the cause, and the errors of the first attempt are reported, with its tree.
    fn parse_part(
        &mut self,
        part: usize,
        second: &mut HashSet<Choice>,
    ) -> Result<Query, (Vec<Diagnostic>, Option<Query>)> {
        let mut known: Option<GrammarRounds<'s>> = None;
        loop {
            // The next round changes a token before each error that this attempt finds.
            let round = known.as_ref().map_or(0, |rounds| rounds.round + 1);
            let max_errors = if known.is_some() { max_readings(round) } else { MAX_ERRORS };
            let (tokens, failure) = match self.texts.attempt(part, second, max_errors, self.steps) {
                (_, Ok(query)) => return Ok(query),
                (tokens, Err(failure)) => (tokens, failure),
            };
            let errors = failure.places.clone();
            let rounds = match known {
                None => GrammarRounds { first: failure, tokens, errors, round },
                Some(last) if errors.first() <= last.errors.first() => {
                    return Err(last.first.report_with_tree(&last.tokens));
                }
                Some(last) if !self.steps.may_read_again(self.texts.bytes()) => {
                    let place = last.errors.first().copied().unwrap_or_default();
                    return Err((vec![too_ambiguous(Span::new(place, place))], None));
                }
                Some(last) => GrammarRounds { first: last.first, tokens, errors, round },
            };
            if !self.choices.guess(&rounds.tokens, &rounds.errors, max_readings(round)) {
                return Err(rounds.first.report_with_tree(&rounds.tokens));
            }
            *second = self.choices.second();
            known = Some(rounds);
        }
    }
}

/// The offset of the first error.
fn first_place(errors: &[Diagnostic]) -> u32 {
    errors.first().map_or(0, |error| error.span.start)
}

/// The error for a query whose tokens with two readings need too many attempts.
fn too_ambiguous(span: Span) -> Diagnostic {
    let message = "the query has too many operators that can be read in two ways";
    let help = "write braces around filters: `{x} {-1}` is two filters, `{x - 1}` a difference";
    Diagnostic::new(Code::TooAmbiguous, span, message).with_help(help)
}
