//! Tests the fixes of diagnostics: a fix after which the query does not compile is not offered.

use std::collections::{BTreeSet, HashSet};

use babson_chess::VariantNames;

use crate::analyze::analyze_counted;
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Severity, Span};
use crate::dialect::Dialect;
use crate::imports::{LibraryOnly, ResolvedQuery, resolve};
use crate::limits::{
    MAX_ERRORS, MAX_FIX_STEPS, MAX_FIXED_TEXT, MAX_FOLLOWED_FIXES, MAX_TESTED_FIXES,
};
use crate::query_parts::QuerySpans;
use crate::sema::AnalyzedQuery;
use crate::steps::Steps;
use crate::understanding::{is_of_name, statements};

/// Drops the fixes after which the query does not compile.
///
/// A fix of an error is kept if one of these holds:
///
/// 1. After it, the query compiles, or has only other errors that it had before.
/// 2. After it, each new error has fixes, and the first fixes of all of them together lead to a
///    query for which one of these rules holds; or else the second fixes, and so on.
///
/// A mistake that nothing fixes thus does not hide the fixes of the others. But it may hide what is
/// wrong after a fix: an error of the lexer ends the analysis. So the same is tested for the query
/// without its other wrong statements, except those that the fix edits: it has to compile. A name
/// that a statement left out may declare is not unknown.
///
/// Whoever takes a fix, and then the first one that is offered each time, comes to a query that
/// compiles, or keeps errors that were there before.
///
/// Several certain fixes of an error exclude each other: the first one after which the whole query
/// compiles is kept, and is certain if it is the only one. After a fix of a warning the query
/// compiles at once, and the warning is gone. This crate reads only files of the library, so what
/// an import of another file leads to is not tested.
///
/// Each test is an analysis. The first 64 fixes of a query of at most 256 KiB are tested, each by
/// at most 16 analyses, as long as all of them take less than 4 million [steps](Steps) together.
/// The others are dropped.
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
    let reading = Reading { dialect, variants, max_steps: MAX_FIX_STEPS };
    retain_counted(text, parts, reading, diagnostics, &mut Steps::default());
}

/// Does the same as [`retain_sound_fixes`], and counts the steps.
fn retain_counted(
    text: &str,
    parts: &QuerySpans,
    reading: Reading<'_>,
    diagnostics: &mut [Diagnostic],
    steps: &mut Steps,
) {
    if diagnostics.iter().all(|one| one.fixes.is_empty()) {
        return;
    }
    if text.len() > MAX_FIXED_TEXT {
        diagnostics.iter_mut().for_each(|one| one.fixes = Box::default());
        return;
    }
    let statements = WrongStatements::new(text, parts, reading, diagnostics, steps);
    let errors: Vec<OldError> = diagnostics
        .iter()
        .filter(|one| one.severity() == Severity::Error)
        .map(|error| OldError(error.code, error.span, error.message.clone()))
        .collect();
    let mut left = MAX_TESTED_FIXES;
    for diagnostic in diagnostics {
        let fixes = std::mem::take(&mut diagnostic.fixes);
        let are_exclusive = are_exclusive(&fixes);
        let mut all_are_tested = true;
        let is_sound = |fix: &Fix| {
            if left == 0 || steps.total() > reading.max_steps {
                all_are_tested = false;
                return false;
            }
            left -= 1;
            if diagnostic.severity() == Severity::Warning {
                return removes_warning(fix, diagnostic, text, parts, reading, steps);
            }
            let mut test = FixTest { reading, missing: HashSet::new(), tests: 1, steps };
            // Which of them is right shows only in a query without other errors.
            if are_exclusive {
                return test.leads_to_a_query(text, parts, fix, Vec::new());
            }
            test.tests = MAX_FOLLOWED_FIXES;
            let others = errors.iter().filter(|error| error.1 != diagnostic.span);
            if !test.leads_to_a_query(text, parts, fix, others.cloned().collect()) {
                return false;
            }
            if errors.len() == 1 {
                return true;
            }
            // The other errors may have hidden what this fix leaves.
            let without = statements.unrelated(diagnostic, fix);
            let words = without.iter().flat_map(|place| place.text(text).split(is_not_of_name));
            test.missing = words.collect();
            let rest = leave_out(text, &without, &parts.imports);
            test.leads_to_a_query(&rest, parts, fix, Vec::new())
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

/// How a query is read.
#[derive(Clone, Copy)]
struct Reading<'r> {
    dialect: Dialect,
    variants: &'r VariantNames,
    /// The steps after which no test begins.
    max_steps: usize,
}

impl Reading<'_> {
    /// Analyzes a query after a fix, which may import a file of the library.
    fn analyze(
        self,
        text: String,
        parts: QuerySpans,
        steps: &mut Steps,
    ) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
        let Reading { dialect, variants, .. } = self;
        // Comments, and texts that the lexer refuses, have no lexemes that are counted.
        steps.lexed += text.len() / BYTES_A_STEP;
        let resolved = match parts.imports.is_empty() {
            true => resolve(&text, &parts, dialect, &LibraryOnly),
            false => ResolvedQuery { text, parts, ..ResolvedQuery::default() },
        };
        if !resolved.errors.is_empty() {
            return Err(resolved.errors);
        }
        analyze_counted(&resolved.text, &resolved.parts, dialect, variants, steps)
    }
}

/// The bytes of a query that is analyzed again that count as a step.
const BYTES_A_STEP: usize = 4;

/// Whether a program cannot know which of these fixes of an error is right.
fn are_exclusive(fixes: &[Fix]) -> bool {
    fixes.iter().filter(|fix| fix.certain).count() > 1
}

/// An error that the query had before a fix: its code, its place and its message.
#[derive(Clone)]
struct OldError(Code, Span, String);

/// Follows one fix of a query.
struct FixTest<'t> {
    reading: Reading<'t>,
    /// The words of the statements that are left out.
    missing: HashSet<&'t str>,
    /// The number of analyses that may follow.
    tests: usize,
    steps: &'t mut Steps,
}

impl FixTest<'_> {
    /// Whether the query compiles after the fix, or after the fixes of the errors that follow. The
    /// errors `before` the fix may remain.
    fn leads_to_a_query(
        &mut self,
        text: &str,
        parts: &QuerySpans,
        fix: &Fix,
        mut before: Vec<OldError>,
    ) -> bool {
        let (Some(text), Some(parts)) = (fix.apply(text), parts.edited(&fix.edits)) else {
            return false;
        };
        if self.tests == 0 || self.steps.total() > self.reading.max_steps {
            return false;
        }
        self.tests -= 1;
        let analysis = self.reading.analyze(text.clone(), parts.clone(), self.steps);
        before.retain_mut(|OldError(_, place, _)| {
            let moved = place_after(*place, &fix.edits);
            *place = moved.unwrap_or_default();
            moved.is_some()
        });
        let was_before = |error: &Diagnostic| {
            let mut old = before.iter();
            old.any(|old| (old.0, old.1, &old.2) == (error.code, error.span, &error.message))
        };
        let is_missing = |error: &Diagnostic| {
            error.is_unknown() && self.missing.contains(error.span.text(&text))
        };
        // It may be a file that exists, which is not read here.
        let is_import = |error: &Diagnostic| error.code == Code::ImportNotFound;
        let mut errors = analysis.err().unwrap_or_default();
        errors.retain(|error| !was_before(error) && !is_missing(error) && !is_import(error));
        if errors.is_empty() {
            return true;
        }
        if errors.iter().any(|error| error.fixes.is_empty()) {
            return false;
        }
        if errors.iter().any(|error| are_exclusive(&error.fixes)) {
            self.tests = self.tests.min(1);
        }
        let choices = errors.iter().map(|error| error.fixes.len()).max().unwrap_or(0);
        (0..choices).any(|nth| {
            let fix_of = |error: &Diagnostic| error.fixes.get(nth).or(error.fixes.last()).cloned();
            let fixes: Vec<Fix> = errors.iter().filter_map(fix_of).collect();
            self.leads_to_a_query(&text, &parts, &Fix::join(&fixes).0, before.clone())
        })
    }
}

/// Whether the query compiles after the fix, without the warning at the place of the edits.
fn removes_warning(
    fix: &Fix,
    warning: &Diagnostic,
    text: &str,
    parts: &QuerySpans,
    reading: Reading<'_>,
    steps: &mut Steps,
) -> bool {
    let (Some(text), Some(parts)) = (fix.apply(text), parts.edited(&fix.edits)) else {
        return false;
    };
    let edited = places_after(&fix.edits);
    let place = place_after(warning.span, &fix.edits);
    let is_at_place = |other: &Diagnostic| {
        place.is_some_and(|place| other.span.start < place.end && place.start < other.span.end)
    };
    // A wrong word beside a new text is often its consequence.
    let touches = |other: &Diagnostic| {
        let is_beside = |place: &Span| {
            place.start < place.end
                && other.span.start <= place.end
                && place.start <= other.span.end
        };
        edited.iter().any(is_beside)
    };
    let stays =
        |other: &Diagnostic| other.code == warning.code && (touches(other) || is_at_place(other));
    let analysis = reading.analyze(text, parts, steps);
    analysis.is_ok_and(|analysis| !analysis.warnings.iter().any(stays))
}

/// The statements of a query, and those that belong to its errors.
#[derive(Default)]
struct WrongStatements {
    /// All statements, and what stands in none of them and has an error, in the order of the text.
    statements: Vec<Span>,
    /// Of each error the statements that it or its fixes touch, by their indexes.
    of_errors: Vec<BTreeSet<usize>>,
}

impl WrongStatements {
    fn new(
        text: &str,
        parts: &QuerySpans,
        Reading { dialect, variants, .. }: Reading<'_>,
        diagnostics: &[Diagnostic],
        steps: &mut Steps,
    ) -> WrongStatements {
        let errors: Vec<&Diagnostic> =
            diagnostics.iter().filter(|one| one.severity() == Severity::Error).collect();
        // There is nothing to leave out.
        if errors.len() < 2 {
            return WrongStatements::default();
        }
        let statements = statements(text, parts, dialect, variants, steps);
        let mut wrong = WrongStatements { statements, of_errors: Vec::new() };
        // A character that is not a lexeme, or a bracket that closes nothing, with what follows it
        // on its line.
        let lone = errors.iter().filter(|error| wrong.holding(error.span).is_none());
        let lone = lone.map(|error| {
            let rest = text.get(error.span.start as usize..).unwrap_or_default();
            let line = rest.lines().next().unwrap_or_default().len() as u32;
            error.span.to(Span::new(error.span.start, error.span.start + line))
        });
        let lone: Vec<Span> = lone.collect();
        wrong.statements.extend(lone);
        wrong.statements.sort_unstable();
        wrong.statements.dedup();
        for error in &errors {
            let mut touched = wrong.touched(&error.fixes);
            touched.extend(wrong.holding(error.span));
            wrong.of_errors.push(touched);
        }
        // A full list does not tell whether the statements after it are right.
        let last = errors.iter().map(|error| error.span.start).max().unwrap_or(0);
        if errors.len() >= MAX_ERRORS {
            for (at, &place) in wrong.statements.iter().enumerate() {
                if place.start > last {
                    wrong.of_errors.push(BTreeSet::from([at]));
                }
            }
        }
        wrong
    }

    /// The statements of other errors. A statement that the fix or the error touches is not one of
    /// them, nor are those that one of its other errors belongs to.
    fn unrelated(&self, error: &Diagnostic, fix: &Fix) -> Vec<Span> {
        let mut own = self.touched(std::slice::from_ref(fix));
        own.extend(self.holding(error.span));
        let (own, other): (Vec<_>, Vec<_>) =
            self.of_errors.iter().partition(|statements| !own.is_disjoint(statements));
        let own: BTreeSet<usize> = own.into_iter().flatten().copied().collect();
        let other: BTreeSet<usize> = other.into_iter().flatten().copied().collect();
        let edits = fix.edits.iter().map(|edit| edit.span);
        let kept: Vec<Span> = own.iter().map(|&at| self.statements[at]).chain(edits).collect();
        let is_apart = |place: &Span| {
            kept.iter().all(|kept| kept.end <= place.start || place.end <= kept.start)
        };
        other.difference(&own).map(|&at| self.statements[at]).filter(is_apart).collect()
    }

    /// The statements that these fixes edit.
    fn touched(&self, fixes: &[Fix]) -> BTreeSet<usize> {
        let touched = |edit: &Edit| {
            let first = self.statements.partition_point(|place| place.end < edit.span.start);
            let end = self.statements.partition_point(|place| place.start <= edit.span.end);
            first..end
        };
        fixes.iter().flat_map(|fix| &fix.edits).flat_map(touched).collect()
    }

    /// The statement to which an error at this place belongs.
    fn holding(&self, place: Span) -> Option<usize> {
        let after = self.statements.partition_point(|statement| statement.start <= place.start);
        let at = after.checked_sub(1)?;
        holds(self.statements[at], place.start).then_some(at)
    }
}

fn holds(part: Span, at: u32) -> bool {
    part.start <= at && at <= part.end
}

fn is_not_of_name(letter: char) -> bool {
    !is_of_name(letter)
}

/// The text with a condition that always holds, and spaces, in place of each of these statements.
/// Imported files have only functions, so spaces alone are there.
fn leave_out(text: &str, statements: &[Span], imports: &[Span]) -> String {
    let mut rest = text.to_owned();
    for &statement in statements {
        let (start, end) = (statement.start as usize, statement.end as usize);
        let length = end - start;
        let is_imported = imports.iter().any(|&import| holds(import, statement.start));
        let condition = if is_imported || length == 0 { "" } else { "." };
        rest.replace_range(start..end, &format!("{condition:length$}"));
    }
    rest
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

/// A place of the text after these edits; `None` if one of them changes it.
fn place_after(place: Span, edits: &[Edit]) -> Option<Span> {
    let mut growth = 0;
    for Edit { span, text } in edits {
        if span.end <= place.start {
            growth += text.len() as i64 - i64::from(span.end - span.start);
        } else if span.start < place.end {
            return None;
        }
    }
    let moved = |at: u32| (i64::from(at) + growth) as u32;
    Some(Span::new(moved(place.start), moved(place.end)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::analyze;
    use crate::limits::MAX_STEPS_A_BYTE;

    /// Whatever the query is, the tests of its fixes end: no test begins after the last step.
    #[test]
    fn the_work_of_all_tests_is_bounded() {
        const MAX_TEST_STEPS: usize = 20_000;
        let variants = VariantNames::default();
        let reading =
            Reading { dialect: Dialect::CQLI, variants: &variants, max_steps: MAX_TEST_STEPS };
        let mut are_cut = 0;
        for (part, times) in [
            ("Mate ", 50),
            ("Mate\n", 50),
            ("mate && wtm\n", 25),
            ("K atacks q ", 25),
            ("K atacks q,\n", 10),
            ("two rooks ", 25),
            ("mate; ", 50),
            ("(mate ", 25),
            ("wtm check --> mate ", 7),
            ("for x in [] { x atacks q } ", 7),
            ("elo white 2500 or 2600 ", 12),
            ("flipcolor { shift { Mate } } ", 6),
        ] {
            let text = part.repeat(times);
            let Err(mut errors) = analyze(&text, Dialect::CQLI) else { continue };
            let mut steps = Steps::default();
            retain_counted(&text, &QuerySpans::whole(&text), reading, &mut errors, &mut steps);
            // The statements, and the last analysis.
            let most = MAX_TEST_STEPS + 2 * MAX_STEPS_A_BYTE * text.len();
            assert!(steps.total() <= most, "{part}: {steps:?}");
            are_cut += usize::from(steps.total() > MAX_TEST_STEPS);
        }
        assert!(are_cut > 2, "{are_cut}");
    }

    /// A mistake that nothing fixes does not hide the fixes of other statements, even if its error
    /// ends the analysis; the fixes of its own statement are not offered.
    #[test]
    fn other_statements_do_not_count() {
        for (text, offered) in [
            ("Mate\ng(Q)", 1),
            ("g(Q)\nCHECK\nA atacks k", 2),
            ("[Q,R]h7\n@ mate", 1),
            ("Mate && !wtm\nplayer “Carlsen”", 2),
            ("@ Mate", 0),
            ("Mate and g(Q)", 0),
            ("x = g(Q)\nMate x > 1", 1),
            ("Mate\nA atacks 3", 1),
            // The new name is unknown, too.
            ("mate && foo", 0),
        ] {
            let mut errors = analyze(text, Dialect::CQLI).unwrap_err();
            let (parts, variants) = (QuerySpans::whole(text), VariantNames::default());
            retain_sound_fixes(text, &parts, Dialect::CQLI, &variants, &mut errors);
            let fixes = errors.iter().map(|error| error.fixes.len()).sum::<usize>();
            assert_eq!(fixes, offered, "{text}: {errors:?}");
        }
    }
}
