//! The help for names of functions of the library that the query does not import.

use super::around;
use crate::ast;
use crate::diagnostic::{Edit, Fix, Help, Span};
use crate::imports::LibraryFunction;
use crate::limits::MAX_REPEATED;

/// Where the import of a library stands: before the first filter.
pub(super) fn library_place(query: &ast::Query) -> Option<Span> {
    let first = query.items.first()?.span.start;
    Some(Span::new(first, first))
}

/// The help for the name of a function of the library that the query does not import. The import
/// is added at the place `import`.
pub(super) fn of_library(
    text: &str,
    library: &[LibraryFunction],
    name: Span,
    import: Option<Span>,
) -> Option<Help> {
    let word = name.text(text);
    let LibraryFunction { file, name: function, parameters, .. } =
        library.iter().find(|function| function.name == word)?;
    let after = text.get(name.end as usize..).unwrap_or_default();
    let call = match after.starts_with('(') {
        true => call_length(after).map(|length| &after[..length]),
        false => parameters.is_empty().then_some("()"),
    };
    let Some(call) = call else {
        let help = format!(
            "`{function}` is in the library: put `import \"{file}\"` at the beginning, and call it \
             as `{function}({parameters})`"
        );
        return Some(Help::from(help));
    };
    let help =
        format!("`{function}` is in the library: write `import \"{file}\" {function}{call}`");
    let mut edits: Vec<Edit> =
        import.map(|place| Edit::new(place, format!("import \"{file}\" "))).into_iter().collect();
    if !after.starts_with('(') {
        edits.push(Edit::new(Span::new(name.end, name.end), call));
    }
    Some(Help::from(help).with(Fix::edit(format!("import `{file}`"), edits)))
}

/// The help for such a name that is written in pieces, as in `smothered mate`.
pub(super) fn of_library_in_pieces(
    text: &str,
    library: &[LibraryFunction],
    name: Span,
    import: Option<Span>,
) -> Option<Help> {
    let (LibraryFunction { file, name: function, .. }, run) =
        around::library_function(text, name, library)?;
    let help = format!("`{function}` is in the library: write `import \"{file}\" {function}()`");
    let mut edits: Vec<Edit> =
        import.map(|place| Edit::new(place, format!("import \"{file}\" "))).into_iter().collect();
    edits.push(Edit::new(run, format!("{function}()")));
    Some(Help::from(help).with(Fix::edit(format!("import `{file}`"), edits)))
}

/// The length of a list in parentheses at the beginning of a text, if it is short and on one line.
fn call_length(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut shown =
        text.char_indices().take(MAX_REPEATED).take_while(|(_, letter)| *letter != '\n');
    shown.find_map(|(at, letter)| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at + 1)
    })
}
