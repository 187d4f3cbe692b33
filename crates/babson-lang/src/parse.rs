//! The parser: from the text of a query to its AST, with one reading of each token.
//!
//! Which reading a token gets is the business of [`crate::speculation`].

use std::collections::HashSet;
use std::rc::Rc;

use lalrpop_util::ParseError;

use crate::ast::{Expr, ExprKind, Filter, Header, MAX_DEPTH, Query, Span};
use crate::build::AstBuilder;
use crate::choice::Choice;
use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::Dialect;
use crate::grammar::QueryParser;
use crate::keywords::Keyword;
use crate::lexer::{Lexeme, LexemeClass, LexemeKind, lex, lex_all};
use crate::limits::{GRAMMAR_ERROR_STEPS, MAX_ERRORS};
use crate::query_parts::QuerySpans;
use crate::steps::Steps;
use crate::tokens::terminal::Terminal;
use crate::tokens::{
    BracketPair, Cursor, NameTable, SpannedTerminal, balanced, match_brackets, tokens,
};

/// The lexed parts of a query, which can be parsed repeatedly with different readings.
pub(crate) struct SourceTexts<'s> {
    text: &'s str,
    transforms: &'s [Span],
    dialect: Dialect,
    names: NameTable<'s>,
    texts: Vec<SourceText<'s>>,
}

impl<'s> SourceTexts<'s> {
    /// Lexes all parts and matches their brackets.
    ///
    /// # Errors
    /// All lexical errors; else the unbalanced brackets.
    pub(crate) fn new(
        text: &'s str,
        parts: &'s QuerySpans,
        dialect: Dialect,
        steps: &mut Steps,
    ) -> Result<SourceTexts<'s>, Vec<Diagnostic>> {
        if u32::try_from(text.len()).is_err() {
            return Err(vec![Diagnostic::query_too_long()]);
        }
        let lexed = filter_texts(parts)
            .map(|(place, role)| SourceText::new(text, place, role, parts, dialect));
        let lexed: Vec<SourceText<'_>> = all_or_errors(lexed)?.into_iter().flatten().collect();
        let mut names = NameTable::default();
        for one in &lexed {
            steps.lexed += one.lexemes.len();
            names.add(one.source, &one.lexemes, dialect);
        }
        let texts = all_or_errors(lexed.into_iter().map(SourceText::with_brackets))?;
        Ok(SourceTexts { text, transforms: &parts.transforms, dialect, names, texts })
    }

    /// Does the same for a text that may have such errors, and mends what it can: it leaves out
    /// what is not a lexeme and brackets that close nothing, and closes the brackets that are open.
    /// The errors come with it; `None` if the text cannot be mended. It may leave out the header.
    pub(crate) fn mended(
        text: &'s str,
        parts: &'s QuerySpans,
        dialect: Dialect,
        with_header: bool,
        steps: &mut Steps,
    ) -> (Option<SourceTexts<'s>>, Vec<Diagnostic>) {
        let (mut texts, mut errors) = (Vec::new(), Vec::new());
        let mut names = NameTable::default();
        for (place, role) in filter_texts(parts) {
            let (lexemes, found) = lex_all(place.text(text), dialect, &mut Vec::new());
            errors.extend(found.into_iter().map(|error| error.shifted(place.start)));
            let shifted =
                |lexeme: Lexeme| Lexeme { span: lexeme.span.shifted(place.start), ..lexeme };
            let lexemes: Vec<Lexeme> = lexemes.into_iter().map(shifted).collect();
            let source = text.get(..place.end as usize).unwrap_or(text);
            let (mut lexemes, found) = balanced(source, lexemes);
            errors.extend(found);
            if !with_header {
                drop(lexemes.drain(..header_length(source, &lexemes)));
            }
            if lexemes.is_empty() {
                continue;
            }
            steps.lexed += lexemes.len();
            names.add(source, &lexemes, dialect);
            match (SourceText { source, lexemes, pairs: Vec::new(), role }).with_brackets() {
                Ok(one) => texts.push(one),
                Err(found) => return (None, found),
            }
        }
        let transforms = &parts.transforms;
        let mended = SourceTexts { text, transforms, dialect, names, texts };
        (Some(mended).filter(|mended| mended.len() > 0), errors)
    }

    /// The number of parts that have lexemes.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The number of bytes of all parts.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Parses one part with these second readings, until the parser has recovered from `max_errors`
    /// errors.
    pub(crate) fn attempt(
        &self,
        part: usize,
        second: &HashSet<Choice>,
        max_errors: usize,
        steps: &mut Steps,
    ) -> (Vec<SpannedTerminal<'s>>, Result<Query, ParseFailure<'s>>) {
        let SourceText { source, lexemes, pairs, .. } = &self.texts[part];
        let (names, dialect) = (&self.names, self.dialect);
        let tokens = tokens(Cursor { source, lexemes, pairs, names, dialect, second });
        let result = run_parser(source, &tokens, max_errors, steps);
        let errors = result.as_ref().err().map_or(0, |failure| failure.unexpected.len());
        steps.parsed += tokens.len() + errors * GRAMMAR_ERROR_STEPS;
        (tokens, result)
    }

    /// Joins the trees of all parts to one query.
    ///
    /// # Errors
    /// A header or an import in the wrong part, a filter in an imported file, or a wrong transform.
    pub(crate) fn join(&self, trees: Vec<Query>) -> Result<Query, Vec<Diagnostic>> {
        let mut query = Query { header: None, items: Vec::new() };
        for (one, tree) in self.texts.iter().zip(trees) {
            let header = tree.header.map(|header| check_header(header, one.role)).transpose()?;
            query.header = header.or(query.header);
            check_imports(&tree.items, one.role)?;
            query.items.extend(tree.items);
        }
        wrap(&mut query.items, self.text, self.transforms)?;
        Ok(query)
    }
}

/// The number of lexemes of the header with which a text of balanced brackets begins.
fn header_length(source: &str, lexemes: &[Lexeme]) -> usize {
    let is_header = matches!(lexemes, [cql, open, ..]
        if cql.span.text(source) == "cql" && open.kind == LexemeKind::LParen);
    if !is_header {
        return 0;
    }
    let mut depth = 0_usize;
    for (at, lexeme) in lexemes.iter().enumerate() {
        match lexeme.kind.class() == LexemeClass::OpeningBracket {
            true => depth += 1,
            false if lexeme.kind.class() == LexemeClass::ClosingBracket => {
                depth = depth.saturating_sub(1)
            }
            false => {}
        }
        if depth == 0 && at > 1 {
            return at + 1;
        }
    }
    lexemes.len()
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SpanRole {
    Import,
    Filters,
    Query,
}

/// The spans of the parts with filters or functions, in the order in which they count.
fn filter_texts(parts: &QuerySpans) -> impl Iterator<Item = (Span, SpanRole)> {
    let imports = parts.imports.iter().map(|&span| (span, SpanRole::Import));
    let filters = parts.filters.iter().map(|&span| (span, SpanRole::Filters));
    imports.chain(filters).chain([(parts.query, SpanRole::Query)])
}

/// Checks that a header stands in the query itself.
fn check_header(header: Header, role: SpanRole) -> Result<Header, Vec<Diagnostic>> {
    let (code, message, help) = match role {
        SpanRole::Query => return Ok(header),
        SpanRole::Import => (
            Code::ImportedHeader,
            "an imported file has no header",
            "leave out `cql(…)`: the file has only functions",
        ),
        SpanRole::Filters => (
            Code::MisplacedHeader,
            "a header is not allowed here",
            "leave out `cql(…)`: this text consists of filters; put a query with a header into a \
             file",
        ),
    };
    Err(vec![Diagnostic::new(code, header.span, message).with_help(help)])
}

/// Checks where imports stand, and that an imported file has nothing but functions.
fn check_imports(items: &[Expr], role: SpanRole) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    for item in items {
        if is_import(item) {
            continue;
        }
        if role == SpanRole::Import && !matches!(item.kind, ExprKind::Function { .. }) {
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
    matches!(&e.kind, ExprKind::Filter(filter) if filter.keyword == Keyword::Import)
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

/// Returns all results, or the errors of all that failed.
fn all_or_errors<T>(
    results: impl Iterator<Item = Result<T, Vec<Diagnostic>>>,
) -> Result<Vec<T>, Vec<Diagnostic>> {
    let (mut all, mut errors) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(one) => all.push(one),
            Err(more) => errors.extend(more),
        }
    }
    if errors.is_empty() { Ok(all) } else { Err(errors) }
}

/// One lexed part of a query.
struct SourceText<'s> {
    /// The whole text up to the end of this part, so that spans need no conversion.
    source: &'s str,
    lexemes: Vec<Lexeme>,
    pairs: Vec<BracketPair>,
    role: SpanRole,
}

impl<'s> SourceText<'s> {
    /// Lexes a part. The result is `None` for a query that is empty because other parts have
    /// filters.
    fn new(
        text: &'s str,
        place: Span,
        role: SpanRole,
        parts: &QuerySpans,
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
                SpanRole::Import => return Ok(None),
                SpanRole::Query if !parts.filters.is_empty() || parts.like.is_some() => {
                    return Ok(None);
                }
                SpanRole::Query => "the query is empty",
                SpanRole::Filters => "this text has no filter",
            };
            let error =
                Diagnostic::new(Code::EmptyQuery, Span::new(place.start, place.start), message);
            return Err(vec![error.with_help("write at least one filter, for example `mate`")]);
        }
        let source = text.get(..place.end as usize).unwrap_or(text);
        Ok(Some(SourceText { source, lexemes, pairs: Vec::new(), role }))
    }

    /// Matches the brackets.
    fn with_brackets(mut self) -> Result<SourceText<'s>, Vec<Diagnostic>> {
        self.pairs = match_brackets(self.source, &self.lexemes)?;
        Ok(self)
    }
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
        let filter = Filter { args: vec![around], ..Filter::plain(keyword) };
        around = Expr::new(ExprKind::Filter(filter), span);
    }
    items.push(around);
    Ok(())
}

/// The errors of tokens that do not parse.
pub(crate) struct ParseFailure<'s> {
    /// The text up to the end of the part.
    source: &'s str,
    /// The errors that the grammar actions report.
    errors: Vec<Diagnostic>,
    /// The errors from which the parser recovered, and the one at which it stopped.
    unexpected: Vec<ParseError<u32, Terminal<'s>, ()>>,
    /// The offsets, in ascending order, of all errors and of the tokens that the grammar never
    /// accepts. Those tokens are added because the parser finds no further error after one of them.
    pub(crate) places: Vec<u32>,
    /// The tree with [`ExprKind::Error`] in it, if the parser recovered from all errors.
    tree: Option<Box<Query>>,
}

/// Runs the generated parser until it has recovered from `max_errors` errors.
fn run_parser<'s>(
    text: &'s str,
    list: &[SpannedTerminal<'s>],
    max_errors: usize,
    steps: &mut Steps,
) -> Result<Query, ParseFailure<'s>> {
    let mut builder = AstBuilder::new(text, list);
    let recoveries = Rc::clone(&builder.recoveries);
    // An error in place of a token ends the parse.
    let tokens = list
        .iter()
        .map(|token| if recoveries.get() < max_errors { Ok(token.clone()) } else { Err(()) });
    let result = QueryParser::new().parse(&mut builder, tokens);
    let AstBuilder { errors, recovered: mut unexpected, children, .. } = builder;
    steps.built += children;
    let tree = match result {
        Ok(query) if errors.is_empty() && unexpected.is_empty() => return Ok(query),
        Ok(query) => Some(Box::new(query)),
        Err(ParseError::User { .. }) => None,
        Err(error) => {
            unexpected.push(error);
            None
        }
    };
    // A run is climbed when its brackets close, after those inside it.
    unexpected.sort_by_key(crate::grammar_errors::place);
    let starts = errors.iter().map(|error| error.span.start);
    let ends = unexpected.iter().map(|error| crate::grammar_errors::place(error).start);
    let loose = list.iter().filter(|token| matches!(token.1, Terminal::LooseTarget));
    let loose = loose.map(|token| token.0).take(max_errors);
    let mut places: Vec<u32> = starts.chain(ends).chain(loose).collect();
    places.sort_unstable();
    places.dedup();
    Err(ParseFailure { source: text, errors, unexpected, places, tree })
}

impl ParseFailure<'_> {
    /// The errors as diagnostics, and the tree of a parser that recovered from them.
    pub(crate) fn report_with_tree(
        mut self,
        list: &[SpannedTerminal<'_>],
    ) -> (Vec<Diagnostic>, Option<Query>) {
        let tree = self.tree.take().map(|tree| *tree);
        (self.report(list), tree)
    }

    /// Converts the errors to diagnostics, in the order of the text.
    pub(crate) fn report(self, list: &[SpannedTerminal<'_>]) -> Vec<Diagnostic> {
        let text = self.source;
        let places: Vec<Span> = list.iter().map(|token| Span::new(token.0, token.2)).collect();
        let mut errors = self.errors;
        for error in self.unexpected.iter().take(MAX_ERRORS) {
            if !errors.is_empty() && crate::grammar_errors::follows_imagine(error) {
                continue;
            }
            if let Some(mistake) = crate::mistakes::find(text, error, &places) {
                errors.push(mistake);
                break;
            }
            errors.push(crate::grammar_errors::report(text, error, &places));
            if crate::grammar_errors::in_header(error) {
                break;
            }
        }
        errors.sort_by_key(|error| error.span);
        errors.dedup_by_key(|error| error.span);
        errors
    }
}
