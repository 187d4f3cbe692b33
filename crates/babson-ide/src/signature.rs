//! The parameters of the function or filter that is being written.

use babson_lang::Span;
use babson_lang::imports::library_function;
use babson_lang::keywords::Keyword;

use crate::answer::Signature;
use crate::book::{Book, forms, places};
use crate::cql3;
use crate::imported::{ImportedFunction, imported_functions};
use crate::limits::MAX_SIGNATURES;
use crate::markdown::{code, described};
use crate::names::{Declaration, NameKind, declarations};
use crate::options::Options;
use crate::place::PlaceReader;
use crate::source::{Source, SourceToken, border, span};

/// The forms of the function or filter around an offset, the most fitting first: a function whose
/// arguments are written, a filter with a list in parentheses, or a filter whose parameters can
/// follow. Empty for any other place.
///
/// ```
/// use babson_ide::{Options, signature};
///
/// let text = "function on(pieces squares) { pieces & squares } on(R ";
/// let found = signature(text, text.len(), &Options::default());
/// assert_eq!(found[0].label, "on(pieces squares)");
/// assert_eq!(found[0].active, Some(1));
/// ```
pub fn signature(text: &str, offset: usize, options: &Options) -> Vec<Signature> {
    let Some(source) = Source::new(text, options) else { return Vec::new() };
    let offset = border(text, offset);
    if source.comment_at(offset).is_some() {
        return Vec::new();
    }
    if source.is_cql3 {
        return cql3::signature(&source, offset, options);
    }
    let query = source.resolve(options);
    let known = source.understand(&query, options);
    let names = declarations(&source, &known);
    let imported = imported_functions(&source, &query);
    let book = options.entries();
    let reader = PlaceReader { source: &source, book: &book, names: &names };
    // The token that ends before the place, and the one after it.
    let at = source.tokens.partition_point(|token| (token.span.start as usize) < offset);
    let mut open = source.opening(at);
    while let Some(bracket) = open {
        if let Some(name) = bracket.checked_sub(1)
            && source.tokens[bracket].text == "("
        {
            let word = source.tokens[name].text;
            let arguments = arguments_before(&source, bracket, offset);
            if let Some(found) = of_function(&names, &imported, word, arguments) {
                return vec![found];
            }
            let keyword = source.tokens[name].keyword();
            let found = keyword.map(|keyword| of_filter(&book, keyword, None, Some(arguments)));
            if let Some(found) = found.filter(|found| !found.is_empty()) {
                return found;
            }
        }
        // A function may be called in the parentheses of another one.
        open = source.opening(bracket);
        if source.tokens[bracket].text == "{" {
            break;
        }
    }
    if let Some((filter, present)) = reader.open_filter(at) {
        return of_filter(&book, filter, present.last().copied(), None);
    }
    // A filter whose operand is to be written.
    let before = at.checked_sub(1).map(|before| source.tokens[before]);
    let is_after = |token: &SourceToken<'_>| (token.span.end as usize) < offset;
    match before.filter(is_after).and_then(|token| token.keyword()) {
        Some(keyword) => of_filter(&book, keyword, None, Some(0)),
        None => Vec::new(),
    }
}

/// The number of arguments of a call that end before the place.
fn arguments_before(source: &Source<'_>, bracket: usize, offset: usize) -> usize {
    let depth_of = |at: usize| source.opening(at);
    let mut count = 0;
    let mut at = bracket + 1;
    while let Some(token) = source.tokens.get(at) {
        if token.span.end as usize >= offset || depth_of(at) != Some(bracket) {
            break;
        }
        let next = source.closing(at).map_or(at + 1, |closing| closing + 1);
        let ends_before = source.tokens[next - 1].span.end as usize;
        if ends_before >= offset {
            break;
        }
        // An operator joins the operands beside it to one argument.
        if !token.is_operator && !source.tokens.get(next).is_some_and(|next| next.is_operator) {
            count += 1;
        }
        at = next;
    }
    count
}

/// The signature of a function of the query, of a file that it imports, or of the library.
fn of_function(
    names: &[Declaration],
    imported: &[ImportedFunction],
    name: &str,
    arguments: usize,
) -> Option<Signature> {
    let declared = names.iter().find(|one| one.name == name).and_then(|one| match &one.kind {
        NameKind::Function(parameters) => Some(parameters.clone()),
        NameKind::Variable(_) | NameKind::Dictionary(..) => None,
    });
    let of_file = || {
        let function = imported.iter().find(|function| function.name == name)?;
        Some((function.parameters.clone(), Some(function.doc())))
    };
    let of_library = || {
        let function = library_function(name)?;
        let parameters = function.parameters.split_whitespace().map(str::to_owned);
        Some((parameters.collect(), Some(code(function.text))))
    };
    let declared = declared.map(|parameters| (parameters, None));
    let (parameters, doc) = declared.or_else(of_file).or_else(of_library)?;
    let mut label = format!("{name}(");
    let mut places = Vec::new();
    for (number, parameter) in parameters.iter().enumerate() {
        if number > 0 {
            label.push(' ');
        }
        let start = label.len();
        label += parameter;
        places.push(span(start, label.len()));
    }
    label.push(')');
    let active = (arguments < places.len()).then_some(arguments);
    Some(Signature { label, doc, parameters: places, active })
}

/// The forms of a filter in the book. `word` is the parameter before the place, `arguments` the
/// number of arguments before it.
fn of_filter(
    book: &Book,
    filter: Keyword,
    word: Option<Keyword>,
    arguments: Option<usize>,
) -> Vec<Signature> {
    let mut found = Vec::new();
    for entry in book.beginning_with(filter.name()) {
        for form in forms(&entry.forms) {
            let begins = form.split([' ', '(']).next() == Some(filter.name());
            let parameters = places(form);
            if !begins || parameters.is_empty() {
                continue;
            }
            let active = match (arguments, word) {
                (Some(count), _) => (count < parameters.len()).then_some(count),
                (None, Some(word)) => parameters.iter().position(|place: &Span| {
                    let before = &form[..place.start as usize];
                    before.trim_end().ends_with(word.name())
                }),
                (None, None) => None,
            };
            let label = form.to_owned();
            found.push(Signature { label, doc: Some(described(entry)), parameters, active });
        }
    }
    // The forms with the parameter at the place come first.
    found.sort_by_key(|one| one.active.is_none());
    found.truncate(MAX_SIGNATURES);
    found
}
