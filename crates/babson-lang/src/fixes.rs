//! Tests the fixes of diagnostics: a fix that does not remove its mistake is not offered.

use babson_chess::VariantNames;

use crate::analyze::analyze_in;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Severity, Span};
use crate::dialect::Dialect;
use crate::imports::{LibraryOnly, ResolvedQuery, resolve};
use crate::limits::{MAX_ERRORS, MAX_FIX_STEPS, MAX_FIXED_TEXT, MAX_TESTED_FIXES};
use crate::query_parts::QuerySpans;
use crate::sema::AnalyzedQuery;
use crate::steps::Steps;

/// Drops the fixes after which the query is not better. After a fix that stays, the query has no
/// error at the place of the edits, and fewer errors than before, or only errors that were hidden:
/// a later stage of the analysis finds them, or they are unknown names or operators after the
/// edits, where the analysis did not come because of the first error. Several certain fixes of a
/// diagnostic exclude each other: the first sound one stays, and is certain if it is the only one.
///
/// Each test is an analysis. The first 64 fixes of a query of at most 256 KiB are tested, as long
/// as the tests take less than 4 million [steps](Steps) together; the others are dropped.
///
/// ```
/// use babson_chess::VariantNames;
/// use babson_lang::{Dialect, QuerySpans, analyze, retain_sound_fixes};
///
/// let text = "mate A atacks 3";
/// let mut errors = analyze(text, Dialect::CQLI).unwrap_err();
/// assert_eq!(errors[0].fixes[0].title, "replace by `attacks`");
/// // `attacks` needs a set after it.
/// let (parts, variants) = (QuerySpans::whole(text), VariantNames::default());
/// retain_sound_fixes(text, &parts, Dialect::CQLI, &variants, &mut errors);
/// assert!(errors[0].fixes.is_empty());
/// ```
pub fn retain_sound_fixes(
    text: &str,
    parts: &QuerySpans,
    dialect: Dialect,
    variants: &VariantNames,
    diagnostics: &mut [Diagnostic],
) {
    let is_error = |one: &&mut Diagnostic| one.severity() == Severity::Error;
    let errors = diagnostics.iter_mut().filter(is_error).count();
    let (mut left, mut steps) = (MAX_TESTED_FIXES, Steps::default());
    for diagnostic in diagnostics {
        let fixes = std::mem::take(&mut diagnostic.fixes);
        let are_exclusive = fixes.iter().filter(|fix| fix.certain).count() > 1;
        let mut all_are_tested = true;
        let is_sound = |fix: &Fix| {
            if left == 0 || steps.total() > MAX_FIX_STEPS || text.len() > MAX_FIXED_TEXT {
                all_are_tested = false;
                return false;
            }
            left -= 1;
            let (Some(fixed), Some(parts)) = (fix.apply(text), parts.edited(&fix.edits)) else {
                return false;
            };
            let analysis = analyze_fixed(fixed, parts, dialect, variants, &mut steps);
            // Which of them is right shows only in a query without other errors.
            (analysis.is_ok() || !are_exclusive) && mends(fix, diagnostic.code, errors, analysis)
        };
        let mut sound: Vec<Fix> = fixes.into_iter().filter(is_sound).collect();
        if are_exclusive {
            let is_certain = sound.len() == 1 && all_are_tested;
            sound.truncate(1);
            sound.iter_mut().for_each(|fix| fix.certain = is_certain);
        }
        diagnostic.fixes = sound.into();
    }
}

/// Analyzes a query after a fix, which may import a file of the library.
fn analyze_fixed(
    text: String,
    parts: QuerySpans,
    dialect: Dialect,
    variants: &VariantNames,
    steps: &mut Steps,
) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    let resolved = match parts.imports.is_empty() {
        true => resolve(&text, &parts, dialect, &LibraryOnly),
        false => ResolvedQuery { text, parts, ..ResolvedQuery::default() },
    };
    if !resolved.errors.is_empty() {
        return Err(resolved.errors);
    }
    analyze_in(&resolved.text, &resolved.parts, dialect, variants, steps)
}

/// Whether the query is better after the fix of a diagnostic with this code. Before, it had this
/// many errors.
fn mends(
    fix: &Fix,
    code: Code,
    errors: usize,
    analysis: Result<AnalyzedQuery, Vec<Diagnostic>>,
) -> bool {
    let edited = places_after(&fix.edits);
    // A wrong word beside a new text is often its consequence.
    let touches = |other: &Diagnostic| {
        let is_beside = |place: &Span| {
            place.start < place.end
                && other.span.start <= place.end
                && place.start <= other.span.end
        };
        edited.iter().any(is_beside)
    };
    match analysis {
        Ok(analysis) => {
            let stays = |one: &Diagnostic| one.code == code && touches(one);
            !analysis.warnings.iter().any(stays)
        }
        Err(others) => {
            // Errors of an earlier stage hide the later ones.
            let is_later = |other: &Diagnostic| stage(other.code) > stage(code);
            // Of the errors that the lexer leaves, only a certain fix can do without a parser.
            let is_tested = stage(code) > 0 || fix.certain || others.iter().all(is_later);
            // A list that is full does not tell how many there are.
            let is_fewer = others.len() < errors || errors >= MAX_ERRORS;
            let end = edited.iter().map(|place| place.end).max().unwrap_or(0);
            let was_hidden = |other: &Diagnostic| {
                let may_be_hidden =
                    matches!(other.code, Code::UnknownName | Code::MisplacedOperator);
                is_later(other) || may_be_hidden && other.span.start > end
            };
            let is_better = is_fewer || others.len() <= errors && others.iter().all(was_hidden);
            is_tested && is_better && !others.iter().any(touches)
        }
    }
}

/// The stage of the analysis that finds the mistake: the lexer, the parser or a later one. It finds
/// nothing if an earlier stage has found errors.
fn stage(code: Code) -> u8 {
    match code.as_str().get(1..3) {
        Some("00") => 0,
        Some("01") => 1,
        Some(_) | None => 2,
    }
}

/// The places of the new texts, after all edits.
fn places_after(edits: &[Edit]) -> Vec<Span> {
    let (mut grown, mut places) = (0, Vec::with_capacity(edits.len()));
    for Edit { span, text } in edits {
        let (start, length) = (i64::from(span.start) + grown, text.len() as i64);
        places.push(Span::new(start as u32, (start + length) as u32));
        grown += length - i64::from(span.end - span.start);
    }
    places
}
