//! The functions of the files that a query imports.

use babson_lang::imports::{ResolvedQuery, library_name};
use babson_lang::keywords::Keyword;
use babson_lang::{Span, Understanding};

use crate::markdown::code;
use crate::names::{Declaration, NameKind, declarations};
use crate::source::{Source, span, stands_alone};

/// A function of an imported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ImportedFunction {
    pub(crate) name: String,
    pub(crate) parameters: Vec<String>,
    /// Its text, with the comments before it.
    text: String,
    /// The key of its file.
    file: String,
}

impl ImportedFunction {
    /// Whether a file of the library with this name has it.
    pub(crate) fn is_of_library(&self, file: &str) -> bool {
        library_name(&self.file) == Some(file)
    }

    /// Its text and its file, in Markdown.
    pub(crate) fn doc(&self) -> String {
        let file = match library_name(&self.file) {
            Some(file) => file,
            None => self.file.rsplit(['/', '\\']).next().unwrap_or(&self.file),
        };
        format!("{}\n\nfrom `{file}`", code(&self.text))
    }
}

/// The functions of the files of a query, in the order of the files and of their texts. Tokens show
/// them: a file that is being written has functions, too.
pub(crate) fn imported_functions(
    query: &Source<'_>,
    resolved: &ResolvedQuery,
) -> Vec<ImportedFunction> {
    let mut found = Vec::new();
    for file in &resolved.files {
        let source = Source::in_dialect(file.span.text(&resolved.text), query.dialect);
        for declared in declarations(&source, &Understanding::default()) {
            let Declaration { name, kind: NameKind::Function(parameters), place, .. } = declared
            else {
                continue;
            };
            let text = text_of(&source, place).to_owned();
            found.push(ImportedFunction { name, parameters, text, file: file.key.clone() });
        }
    }
    found
}

/// The text of the function whose name is at a place: from the comments directly above it to its
/// closing brace, or to the end of its line.
fn text_of<'t>(source: &Source<'t>, name: Span) -> &'t str {
    let text = source.text;
    let at = source.tokens.partition_point(|token| token.span.start < name.start);
    // A function without a body does not have the body of the next one.
    let is_end = |&at: &usize| {
        source.tokens[at].text == "{" || source.tokens[at].keyword() == Some(Keyword::Function)
    };
    let end = (at..source.tokens.len()).find(is_end);
    let body = end.filter(|&at| source.tokens[at].text == "{");
    let line =
        text[name.end as usize..].find('\n').map_or(text.len(), |end| name.end as usize + end);
    let end = body.and_then(|body| source.closing(body));
    let end = end.map_or(line, |end| source.tokens[end].span.end as usize);
    let keyword = at.checked_sub(1).map_or(name, |at| source.tokens[at].span);
    let mut start = keyword.start as usize;
    for comment in source.comments.iter().rev().filter(|comment| comment.end <= keyword.start) {
        let between = text.get(comment.end as usize..start).unwrap_or_default();
        let is_above = between.trim().is_empty() && between.matches('\n').count() == 1;
        if !is_above || !stands_alone(text, comment.start as usize) {
            break;
        }
        start = comment.start as usize;
    }
    span(start, end).text(text)
}
