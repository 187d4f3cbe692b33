//! `babson check --fix`: mends the mistakes of a query file that can mean nothing else.

use std::fs::Metadata;

use babson::Diagnostic;
use babson::diagnostic::{Edit, Fix};

use super::checked::CheckedQuery;
use super::request::CheckRequest;
use crate::commands::convert::write;
use crate::failure::Failure;
use crate::limits::MAX_FIXES;
use crate::plural::plural;
use crate::query::QueryFile;
use crate::show_name::ShowName as _;
use crate::source::QuerySource;
use crate::terminal;

/// Applies the certain fixes of a query to its file, round by round, since they can make room for
/// others. Returns the query after them, and their number. Standard input is printed with its
/// fixes, unless the answer is on standard output. The file must be loaded: the text that is mended
/// is then the text that was checked.
pub(super) fn apply_certain(
    file: &QueryFile,
    mut source: QuerySource,
    mut checked: CheckedQuery,
    request: &CheckRequest<'_>,
) -> Result<(QuerySource, CheckedQuery, u64), Failure> {
    let bytes = file.bytes().map_err(Failure::Io)?;
    let has_mark = bytes.starts_with("\u{feff}".as_bytes());
    let mut fixed = 0;
    while fixed < MAX_FIXES
        && let Some((text, count)) = mended(&source, &checked)
    {
        let file = QueryFile { text: Some(Ok(text.into_bytes())), ..file.clone() };
        source = file.source(request.reading)?;
        checked = CheckedQuery::new(&source, request.reading, request.compares);
        fixed += count;
    }
    let mark = if has_mark { "\u{feff}" } else { "" };
    let text = format!("{mark}{}", source.parts.query.text(&source.text));
    if file.is_stdin() {
        if !request.uses_stdout() {
            // Without a fix they are the bytes that came in, in whatever encoding.
            let printed = if fixed > 0 { text.as_bytes() } else { &bytes };
            terminal::print_bytes(&terminal::for_stdout(printed))?;
        }
    } else if fixed > 0
        && let Some(path) = &file.path
    {
        let metadata = path.metadata();
        let is = |test: fn(&Metadata) -> bool| metadata.as_ref().is_ok_and(test);
        let why = if is(|file| !file.is_file()) {
            Some("it is not a file on disk (`-` is standard input)")
        } else if is(|file| file.permissions().readonly()) {
            Some("it is read-only")
        } else {
            None
        };
        if let Some(why) = why {
            return Err(Failure::Io(format!("cannot mend {}: {why}", path.shown())));
        }
        write(Some(path.as_os_str()), &text)?;
    }
    if fixed > 0 {
        let mistakes = plural(fixed, "mistake", "mistakes");
        terminal::error_line(&format!("babson: fixed {mistakes} in {}", source.name()));
    }
    Ok((source, checked, fixed))
}

/// The text of the file with its certain fixes, as far as they do not overlap, and their number;
/// `None` if there is none.
fn mended(source: &QuerySource, checked: &CheckedQuery) -> Option<(String, u64)> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut count = 0;
    for fix in checked.certain_fixes(source) {
        let overlaps = |edit: &Edit| {
            let touches = |other: &Edit| {
                edit.span.start <= other.span.end && other.span.start <= edit.span.end
            };
            edits.iter().any(touches)
        };
        if !fix.edits.iter().any(overlaps) {
            edits.extend_from_slice(&fix.edits);
            count += 1;
        }
    }
    let fixed = Fix::edit("", edits).apply(&source.text).filter(|_| count > 0)?;
    let own = source.mendable()?;
    // The parts before the file and after it have not changed.
    let after = source.text.len() - own.end as usize;
    let text = fixed.get(own.start as usize..fixed.len() - after)?;
    Some((text.to_owned(), count))
}

/// Shows the line after each fix that is left to the author: a fix that is not certain, or a
/// certain one of a query that is in no file, such as `--cql`.
pub(super) fn show_choices(source: &QuerySource, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        for fix in &diagnostic.fixes {
            let Some((name, number, line)) = fixed_line(source, fix) else { continue };
            let (title, code) = (&fix.title, diagnostic.code.as_str());
            let kind = if fix.certain { "certain fix, not written" } else { "possible fix" };
            terminal::error_line(&format!("{name}:{number}: {code}: {kind}: {title}: {line}"));
        }
    }
}

/// The line of the first edit after the fix, with the name of its file and its number.
fn fixed_line<'s>(source: &'s QuerySource, fix: &Fix) -> Option<(&'s str, usize, String)> {
    let span = fix.edits.first()?.span;
    let excerpt = source.excerpt(span);
    let number = 1 + excerpt.text.get(..excerpt.range.start)?.matches('\n').count();
    let fixed = fix.apply(&source.text)?;
    let from = fixed.get(..span.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
    let line = fixed.get(from..)?.lines().next()?;
    Some((excerpt.name, number, line.trim().to_owned()))
}

/// Tells an author who does not know it that `--fix` mends this number of mistakes, of these errors
/// and warnings.
pub(super) fn hint(certain: u64, (errors, warnings): (u64, u64)) {
    let which = match (certain, errors + warnings) {
        (0, _) => return,
        (1, 1) => "this mistake".to_owned(),
        (certain, all) if certain == all => "these mistakes".to_owned(),
        (certain, _) => format!("{certain} of these mistakes"),
    };
    terminal::error_line(&format!("babson check --fix mends {which}"));
}

/// Tells what `--fix` has mended in all, and how many errors and warnings are left. The line of a
/// single file is printed already. Without `all_are_read` some queries or projects were not read.
pub(super) fn tell_rest(
    (fixed, files): (u64, u64),
    (errors, warnings): (u64, u64),
    all_are_read: bool,
) {
    let mut parts = Vec::new();
    match files {
        // Nobody knows what is in a file that cannot be read.
        0 if errors + warnings == 0 && !all_are_read => {}
        0 if errors + warnings == 0 => parts.push("nothing to fix".to_owned()),
        0 => parts.push("nothing was fixed".to_owned()),
        1 => {}
        files => {
            let mistakes = plural(fixed, "mistake", "mistakes");
            parts.push(format!("fixed {mistakes} in {files} files"));
        }
    }
    let numbers = [(errors, "error", "errors"), (warnings, "warning", "warnings")];
    let left = numbers.iter().filter(|(number, ..)| *number > 0);
    let left: Vec<String> = left.map(|&(number, one, many)| plural(number, one, many)).collect();
    if !left.is_empty() {
        let verb = if errors + warnings == 1 { "is" } else { "are" };
        parts.push(format!("{} {verb} left to you", left.join(" and ")));
    }
    if !parts.is_empty() {
        terminal::error_line(&format!("babson: {}", parts.join("; ")));
    }
}
