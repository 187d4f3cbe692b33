//! `babson check --fix`: mends the mistakes of a query file that can mean nothing else.

use std::path::Path;

use babson::Diagnostic;
use babson::diagnostic::Fix;

use super::check::CheckedQuery;
use super::convert::write;
use crate::config::ReadingOptions;
use crate::failure::Failure;
use crate::limits::MAX_FIXES;
use crate::plural::plural;
use crate::query::QueryFile;
use crate::source::QuerySource;
use crate::terminal;

/// Applies the certain fixes of a query to its file, one after the other, since each can make room
/// for the next. Returns the query after them. Standard input is printed with its fixes.
///
/// Filters of options have no file, and an imported file is checked by itself: their fixes are not
/// applied.
pub(super) fn apply_certain(
    file: &QueryFile,
    mut source: QuerySource,
    mut checked: CheckedQuery,
    reading: &ReadingOptions,
    compares: bool,
) -> Result<(QuerySource, CheckedQuery), Failure> {
    let mut fixed = 0;
    while fixed < MAX_FIXES
        && let Some(text) = certain_fix(file, &source, &checked.diagnostics)
    {
        let file = QueryFile { text: Some(Ok(text.into_bytes())), ..file.clone() };
        source = file.source(reading)?;
        checked = CheckedQuery::new(&source, reading, compares);
        fixed += 1;
    }
    let text = source.parts.query.text(&source.text);
    if file.is_stdin() {
        terminal::print_text(text)?;
    } else if fixed > 0
        && let Some(path) = &file.path
    {
        write(Some(path.as_os_str()), text)?;
    }
    if fixed > 0 {
        let mistakes = plural(fixed, "mistake", "mistakes");
        terminal::error_line(&format!("{}: {mistakes} fixed", source.name()));
    }
    Ok((source, checked))
}

/// The text of the file with the first certain fix of it.
fn certain_fix(
    file: &QueryFile,
    source: &QuerySource,
    diagnostics: &[Diagnostic],
) -> Option<String> {
    file.path.as_deref().map(Path::as_os_str)?;
    let own = source.parts.query;
    let is_own = |fix: &&Fix| {
        fix.certain
            && fix.edits.iter().all(|edit| own.start <= edit.span.start && edit.span.end <= own.end)
    };
    let fix = diagnostics.iter().flat_map(|one| &one.fixes).find(is_own)?;
    let fixed = fix.apply(&source.text)?;
    // The parts before the file and after it have not changed.
    let after = source.text.len() - own.end as usize;
    fixed.get(own.start as usize..fixed.len() - after).map(str::to_owned)
}

/// Shows the fixes among which the author has to choose: what each makes of its line.
pub(super) fn show_choices(source: &QuerySource, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        for fix in &diagnostic.fixes {
            let Some(line) = fixed_line(source, fix) else { continue };
            let (title, code) = (&fix.title, diagnostic.code.as_str());
            terminal::error_line(&format!("fix for {code}, {title}: {line}"));
        }
    }
}

/// The line of the first edit after the fix.
fn fixed_line(source: &QuerySource, fix: &Fix) -> Option<String> {
    let start = fix.edits.first()?.span.start as usize;
    let fixed = fix.apply(&source.text)?;
    let from = fixed.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    fixed.get(from..)?.lines().next().map(|line| line.trim().to_owned())
}

/// Tells an author who does not know it that `--fix` mends some of the mistakes.
pub(super) fn hint(diagnostics: &[Diagnostic]) {
    let is_certain = |one: &&Diagnostic| one.fixes.iter().any(|fix| fix.certain);
    let certain = diagnostics.iter().filter(is_certain).count() as u64;
    if certain > 0 {
        let mistakes = plural(certain, "mistake", "mistakes");
        terminal::error_line(&format!("babson check --fix mends {mistakes} of these"));
    }
}
