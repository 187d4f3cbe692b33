//! What is understood of a query that may have errors: editors ask while it is written.

use std::collections::HashSet;

use babson_chess::VariantNames;

use crate::ast::{self, Expr, ExprKind};
use crate::cql3;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::Dialect;
use crate::hir::{Dictionary, Type, Var};
use crate::keywords::Keyword;
use crate::parse::SourceTexts;
use crate::query_parts::QuerySpans;
use crate::sema::{Lesson, learn};
use crate::speculation::Speculation;
use crate::steps::Steps;

/// What is understood of a query in modern CQL, whether it has errors or not.
///
/// ```
/// use babson_chess::VariantNames;
/// use babson_lang::hir::Type;
/// use babson_lang::{Dialect, QuerySpans, Span, understand};
///
/// let text = "x = #Q\n(mate\nx > and\npower A";
/// let (parts, variants) = (QuerySpans::whole(text), VariantNames::default());
/// let known = understand(text, &parts, Dialect::CQLI, &variants);
/// assert_eq!(known.errors.len(), 2);
/// assert_eq!(known.variables[0].ty, Type::Number);
/// let power = known.innermost(text.len() - 3).unwrap();
/// assert_eq!((power.span.text(text), power.ty), ("power A", Type::Number));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Understanding {
    /// The tree. [`ast::ExprKind::Error`] stands for what was not parsed. `None` if the text has no
    /// filters, is a query of CQL 3, or has errors after which the parser cannot go on.
    pub tree: Option<ast::Query>,
    /// The types of the expressions that could be typed, in the order of their places: an outer one
    /// comes before those in it.
    pub types: Vec<TypedSpan>,
    /// The variables, those for arguments of functions included. Several may have one name.
    pub variables: Vec<Var>,
    /// The dictionaries. Types that nothing decides are string and number.
    pub dictionaries: Vec<Dictionary>,
    /// The errors of all stages, in the order of the text, and at most one for each statement: for
    /// each filter that stands in no other one.
    pub errors: Vec<Diagnostic>,
}

/// An expression and its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TypedSpan {
    /// Its place.
    pub span: Span,
    /// Its type.
    pub ty: Type,
}

impl Understanding {
    /// The smallest typed expression around the byte at an offset.
    pub fn innermost(&self, offset: usize) -> Option<TypedSpan> {
        let holds =
            |one: &&TypedSpan| one.span.start as usize <= offset && offset < one.span.end as usize;
        let around = self.types.iter().filter(holds);
        around.min_by_key(|one| one.span.end - one.span.start).copied()
    }

    /// The type of the expression at a place.
    pub fn type_at(&self, span: Span) -> Option<Type> {
        let key = |one: &TypedSpan| (one.span.start, std::cmp::Reverse(one.span.end));
        let wanted = (span.start, std::cmp::Reverse(span.end));
        let at = self.types.binary_search_by_key(&wanted, key).ok()?;
        Some(self.types[at].ty)
    }

    /// The same with only one error of each statement.
    fn with_one_error_a_statement(self, text: &str) -> Understanding {
        let statements = self.tree.as_ref().map_or(&[][..], |tree| &tree.items);
        let errors = one_a_statement(text, self.errors, statements);
        Understanding { errors, ..self }
    }

    /// The largest typed expression that ends at an offset.
    pub fn ending_at(&self, offset: usize) -> Option<TypedSpan> {
        self.types.iter().find(|one| one.span.end as usize == offset).copied()
    }
}

/// Reads a query in modern CQL as far as possible: what is not a lexeme and brackets that close
/// nothing are left out, open brackets are closed, the parser goes on after errors, and what it
/// read is typed.
///
/// The query may be made of several texts, as in [`analyze_spans`](crate::analyze_spans()).
pub fn understand(
    text: &str,
    parts: &QuerySpans,
    dialect: Dialect,
    variants: &VariantNames,
) -> Understanding {
    if cql3::begins_query(parts.query.text(text)) {
        return Understanding::default();
    }
    understand_in(text, parts, dialect, variants, &mut Steps::default())
}

/// Does the same for modern CQL, and counts the steps.
fn understand_in(
    text: &str,
    parts: &QuerySpans,
    dialect: Dialect,
    variants: &VariantNames,
    steps: &mut Steps,
) -> Understanding {
    let mut read = |with_header| {
        let known = read(text, parts, dialect, variants, with_header, steps);
        known.with_one_error_a_statement(text)
    };
    let whole = read(true);
    if whole.tree.is_some() {
        return whole;
    }
    // The parser cannot go on after an error in the header.
    let rest = read(false);
    match rest.tree {
        Some(_) => Understanding { errors: whole.errors, ..rest },
        None => whole,
    }
}

/// Reads a query with its header or without it. A statement may have several errors.
fn read(
    text: &str,
    parts: &QuerySpans,
    dialect: Dialect,
    variants: &VariantNames,
    with_header: bool,
    steps: &mut Steps,
) -> Understanding {
    let (texts, mut errors) = SourceTexts::mended(text, parts, dialect, with_header, steps);
    let Some(texts) = texts else { return Understanding { errors, ..Understanding::default() } };
    let (mut lesson, mut tree) = (Lesson::default(), None);
    let check = |query: &ast::Query, steps: &mut Steps| {
        let (learned, rejected) = learn(query, dialect, variants, steps);
        lesson = learned;
        tree = Some(query.clone());
        rejected.map_or(Ok(()), Err)
    };
    let (result, recovered) = Speculation::new(&texts, steps).run_recovering(check);
    errors.extend(recovered);
    errors.extend(result.and_then(|(_, checked)| checked).err().into_iter().flatten());
    errors.extend(std::mem::take(&mut lesson.errors));
    let types = lesson.types.into_iter().map(|(span, ty)| TypedSpan { span, ty });
    let mut types: Vec<TypedSpan> = types.collect();
    types.sort_unstable_by_key(|one| (one.span.start, std::cmp::Reverse(one.span.end)));
    let Lesson { variables, dictionaries, .. } = lesson;
    Understanding { tree, types, variables, dictionaries, errors }
}

/// The errors of a query that the parser refuses with these ones, together with the errors of types
/// in its other statements.
pub(crate) fn errors_of_statements(
    text: &str,
    parts: &QuerySpans,
    dialect: Dialect,
    variants: &VariantNames,
    mut errors: Vec<Diagnostic>,
    steps: &mut Steps,
) -> Vec<Diagnostic> {
    if SourceTexts::new(text, parts, dialect, steps).is_ok() {
        let understood = understand_in(text, parts, dialect, variants, steps).errors;
        return if understood.is_empty() { errors } else { understood };
    }
    // A text whose lexemes or brackets are mended has errors that are consequences of it. Only a
    // misspelled name is wrong wherever a bracket is closed.
    if errors.iter().all(|error| error.code == Code::UnclosedBracket) {
        let is_misspelled = |error: &Diagnostic| error.is_unknown() && !error.fixes.is_empty();
        let all = read(text, parts, dialect, variants, true, steps).errors;
        errors.extend(all.into_iter().filter(is_misspelled));
        errors.sort_by_key(|error| error.span);
    }
    errors
}

/// The places of the statements of a query that may have errors, in the order of the text. What was
/// not parsed belongs to the statement on its line.
pub(crate) fn statements(
    text: &str,
    parts: &QuerySpans,
    dialect: Dialect,
    variants: &VariantNames,
    steps: &mut Steps,
) -> Vec<Span> {
    let tree = understand_in(text, parts, dialect, variants, steps).tree;
    let items = tree.as_ref().map_or(&[][..], |tree| &tree.items);
    groups(text, items).into_iter().map(|group| group.span).collect()
}

/// The errors in the order of the text, but only one in each statement: the first one that has a
/// fix, else the first one. A name is not unknown that a statement before it may declare if it is
/// parsed.
fn one_a_statement(
    text: &str,
    mut errors: Vec<Diagnostic>,
    statements: &[Expr],
) -> Vec<Diagnostic> {
    let groups = groups(text, statements);
    // The errors of earlier stages come first at a place.
    errors.sort_by_key(|error| error.span.start);
    // The words of the statements with wrong syntax before an error.
    let (mut words, mut next) = (HashSet::new(), 0);
    // The last statement with an error, and the place of that error.
    let mut last = None;
    let mut kept: Vec<Diagnostic> = Vec::new();
    for error in errors {
        let at = error.span.start;
        while let Some(group) = groups.get(next).filter(|group| group.span.end <= at) {
            if !group.is_parsed {
                words.extend(group.span.text(text).split(|c| !is_of_name(c)));
            }
            next += 1;
        }
        // A wrong import may have any function.
        let may_be_imported =
            error.code == Code::UnknownFunction && words.contains(Keyword::Import.name());
        if error.is_unknown() && (may_be_imported || words.contains(error.span.text(text))) {
            continue;
        }
        let after = groups.partition_point(|group| group.span.start <= at);
        let statement = after.checked_sub(1).filter(|&i| at <= groups[i].span.end);
        match last {
            Some((before, place)) if statement == Some(before) => {
                let one: &mut Diagnostic = &mut kept[place];
                if one.fixes.is_empty() && !error.fixes.is_empty() {
                    *one = error;
                }
            }
            Some(_) | None => {
                last = statement.map(|statement| (statement, kept.len())).or(last);
                kept.push(error);
            }
        }
    }
    kept
}

pub(crate) fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// A statement, with what belongs to it.
struct Group {
    span: Span,
    /// Whether all of it was parsed.
    is_parsed: bool,
}

/// The statements in the order of the text. What was not parsed belongs to the statement before it
/// on its line, and what follows it on that line belongs to it.
fn groups(text: &str, statements: &[Expr]) -> Vec<Group> {
    // The functions of imported files count first and stand last.
    let mut statements: Vec<&Expr> = statements.iter().collect();
    statements.sort_by_key(|statement| statement.span.start);
    let mut groups: Vec<Group> = Vec::new();
    let mut follows_error = false;
    for statement in statements {
        let is_error = statement.kind == ExprKind::Error;
        let is_joined = |group: &Group| {
            let between = Span::new(group.span.end, statement.span.start).text(text);
            (is_error || follows_error) && !between.contains('\n')
        };
        match groups.last_mut() {
            Some(group) if is_joined(group) => {
                group.span.end = statement.span.end;
                group.is_parsed &= !is_error;
            }
            Some(_) | None => groups.push(Group { span: statement.span, is_parsed: !is_error }),
        }
        follows_error = is_error;
    }
    groups
}
