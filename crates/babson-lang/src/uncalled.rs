//! Functions that are never called.
//!
//! CQL 6.2 reads the body of a function where it is called, so a body that is never called may hold
//! anything. A query whose only errors stand in such bodies is read without these functions
//! (docs/src/language/variables.md#functions-that-are-never-called).

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::lexer::{Lexeme, LexemeKind, lex_around_errors};
use crate::query_parts::QuerySpans;

/// The definition of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    name: Span,
    /// Their number.
    parameters: usize,
    /// From the word `function` to the brace at the end.
    span: Span,
    /// The braces with the body.
    body: Span,
}

impl Definition {
    /// Whether the error stands before the body, in the name or the parameters.
    pub(crate) fn has_in_head(&self, error: &Diagnostic) -> bool {
        contains(self.span, error.span) && !contains(self.body, error.span)
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The functions of the query that nothing calls. Imported files are libraries, whose functions
/// need not be called.
pub(crate) fn uncalled_functions(text: &str, parts: &QuerySpans) -> Vec<Definition> {
    if !text.contains("function") {
        return Vec::new();
    }
    let (mut definitions, mut calls) = (Vec::new(), Vec::new());
    let places = parts.imports.iter().chain(&parts.filters).chain([&parts.query]);
    for &place in places {
        let lexemes = lex_around_errors(text, place);
        let found = definitions_in(text, &lexemes);
        calls.extend(calls_in(text, &lexemes, &found));
        if !parts.imports.contains(&place) {
            definitions.extend(found);
        }
    }
    let called = called_functions(&calls);
    definitions.retain(|function| {
        // CQL 6.2 refuses empty braces after parameters.
        let body = function.body.text(text);
        let is_empty = body.get(1..body.len() - 1).is_some_and(|body| body.trim().is_empty());
        let is_refused = function.parameters > 0 && is_empty;
        !is_refused && !called.contains(function.name.text(text))
    });
    definitions
}

/// The text without these functions. All spans remain as they are: in place of each definition
/// stands a condition that always holds, and spaces.
pub(crate) fn without(text: &str, functions: &[Definition]) -> String {
    let mut masked = text.to_owned();
    for Definition { span, .. } in functions {
        let length = (span.end - span.start) as usize;
        masked
            .replace_range(span.start as usize..span.end as usize, &format!("{:length$}", "true"));
    }
    masked
}

/// The text with a call of each of these functions, so that their bodies are checked. The arguments
/// are sets: [`certain_errors`] are those that do not depend on it.
pub(crate) fn with_calls(text: &str, functions: &[Definition]) -> String {
    let mut called = text.to_owned();
    for function in functions {
        let arguments = vec!["A"; function.parameters].join(" ");
        // An empty line ends a `path`.
        called += &format!("\n\n{}({arguments})", function.name.text(text));
    }
    called
}

/// The errors of a query with such calls that do not depend on the types of the arguments: unknown
/// names, and all errors of functions without parameters. A name that is declared somewhere is not
/// unknown: the function that declares it may call the one that reads it.
pub(crate) fn certain_errors(
    text: &str,
    errors: Vec<Diagnostic>,
    functions: &[Definition],
) -> Vec<Diagnostic> {
    if errors.is_empty() {
        return errors;
    }
    let declared = declared_names(text);
    let is_declared =
        |error: &Diagnostic| error.is_unknown() && declared.contains(error.span.text(text));
    let depends = |error: &Diagnostic| {
        let mut around = functions.iter().filter(|one| contains(one.body, error.span));
        around.any(|function| function.parameters > 0)
    };
    let is_certain =
        |error: &Diagnostic| !is_declared(error) && (error.is_unknown() || !depends(error));
    errors.into_iter().filter(is_certain).collect()
}

/// The names that an assignment, `piece` or `square` declares anywhere in the text.
fn declared_names(text: &str) -> HashSet<&str> {
    let whole = Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX));
    let lexemes = lex_around_errors(text, whole);
    let words = lexemes.iter().enumerate().filter(|(_, lexeme)| lexeme.kind == LexemeKind::Word);
    let is_declared = |&(at, _): &(usize, &Lexeme)| {
        let before = at.checked_sub(1).map(|before| lexemes[before].span.text(text));
        lexemes.get(at + 1).is_some_and(|next| next.kind == LexemeKind::Assign)
            || matches!(before, Some("piece" | "square"))
    };
    words.filter(is_declared).map(|(_, lexeme)| lexeme.span.text(text)).collect()
}

/// The warnings for errors in the bodies of these functions, one for each function.
pub(crate) fn warnings(
    text: &str,
    functions: &[Definition],
    errors: &[Diagnostic],
) -> Vec<Diagnostic> {
    let first_errors = functions.iter().filter_map(|function| {
        let error = errors.iter().find(|error| contains(function.body, error.span))?;
        Some((function, error))
    });
    first_errors
        .map(|(function, error)| {
            let name = function.name.text(text);
            let message =
                format!("`{name}` is never called, and its body has an error: {}", error.message);
            let warning = Diagnostic::new(Code::UncalledFunctionError, error.span, message);
            Diagnostic {
                label: error.label.clone(),
                help: error.help.clone(),
                fixes: error.fixes.clone(),
                ..warning
            }
        })
        .collect()
}

/// The functions that are defined outside of other functions.
fn definitions_in(text: &str, lexemes: &[Lexeme]) -> Vec<Definition> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < lexemes.len() {
        match definition_at(text, lexemes, at) {
            Some((definition, last)) => {
                found.push(definition);
                at = last + 1;
            }
            None => at += 1,
        }
    }
    found
}

/// The function that is defined at a lexeme, and the index of its last lexeme.
fn definition_at(text: &str, lexemes: &[Lexeme], at: usize) -> Option<(Definition, usize)> {
    let kind = |at: usize| lexemes.get(at).map(|lexeme| lexeme.kind);
    let word = |at: usize| kind(at) == Some(LexemeKind::Word);
    if lexemes.get(at)?.span.text(text) != "function" || !word(at + 1) {
        return None;
    }
    let parameters = (at + 3..).take_while(|&at| word(at)).count();
    let open = at + parameters + 4;
    let brackets = [kind(at + 2)?, kind(open - 1)?, kind(open)?];
    if brackets != [LexemeKind::LParen, LexemeKind::RParen, LexemeKind::LBrace] {
        return None;
    }
    let mut depth = 0_usize;
    for (last, lexeme) in lexemes.iter().enumerate().skip(open) {
        if lexeme.kind == LexemeKind::LBrace {
            depth += 1;
        } else if lexeme.kind == LexemeKind::RBrace {
            depth -= 1;
        }
        if depth == 0 {
            let name = lexemes[at + 1].span;
            let (span, body) =
                (lexemes[at].span.to(lexeme.span), lexemes[open].span.to(lexeme.span));
            return Some((Definition { name, parameters, span, body }, last));
        }
    }
    None
}

/// A word that may be the name of a function, which calls it or misuses it, and the function in
/// whose body it stands.
type Call<'s> = (&'s str, Option<&'s str>);

fn calls_in<'s>(text: &'s str, lexemes: &[Lexeme], definitions: &[Definition]) -> Vec<Call<'s>> {
    let mut calls = Vec::new();
    let mut definitions = definitions.iter().peekable();
    for lexeme in lexemes {
        let span = lexeme.span;
        let is_call = lexeme.kind == LexemeKind::Word;
        while definitions.next_if(|around| around.span.end <= span.start).is_some() {}
        let around = definitions.peek().filter(|around| contains(around.span, span));
        if is_call && around.is_none_or(|around| around.name != span) {
            calls.push((span.text(text), around.map(|around| around.name.text(text))));
        }
    }
    calls
}

/// The functions that are called outside of all bodies, or in the bodies of such functions.
fn called_functions<'s>(calls: &[Call<'s>]) -> HashSet<&'s str> {
    let mut called: HashSet<&str> = HashSet::new();
    let mut waiting: Vec<&str> =
        calls.iter().filter(|call| call.1.is_none()).map(|call| call.0).collect();
    let mut bodies: HashMap<&str, Vec<&str>> = HashMap::new();
    for &(name, around) in calls {
        if let Some(around) = around {
            bodies.entry(around).or_default().push(name);
        }
    }
    while let Some(name) = waiting.pop() {
        if called.insert(name) {
            waiting.extend(bodies.remove(name).unwrap_or_default());
        }
    }
    called
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_call_reaches_is_uncalled() {
        let text = "function a() { b() } function b() { K } function c(x) { d() } \
                    function d() { c(1) } function e() { } a()";
        let found = uncalled_functions(text, &QuerySpans::whole(text));
        let names: Vec<&str> = found.iter().map(|function| function.name.text(text)).collect();
        assert_eq!(names, ["c", "d", "e"]);
        let masked = without(text, &found);
        assert_eq!(masked.len(), text.len());
        assert!(masked.trim_end().ends_with("a()") && !masked.contains("function c"));
    }
}
