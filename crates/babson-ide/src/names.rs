//! The names that a query declares, and where they are known.

use std::collections::HashMap;

use babson_lang::ast::{self, ExprKind};
use babson_lang::hir::Type;
use babson_lang::keywords::{Keyword, KeywordOrigin};
use babson_lang::text::TokenClass;
use babson_lang::{Span, Understanding};

use crate::limits::MAX_DECLARATIONS;
use crate::source::{Source, SourceToken, span};

/// What a name is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    /// A variable, and its type if it is known.
    Variable(Option<Type>),
    /// A function, and its parameters.
    Function(Vec<String>),
    /// A dictionary, and the types of its keys and values.
    Dictionary(Type, Type),
}

/// A name that the query declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declaration {
    pub(crate) name: String,
    pub(crate) kind: NameKind,
    /// Where it is declared first.
    pub(crate) place: Span,
    /// Where it is known.
    known: Span,
}

impl Declaration {
    /// Whether the name is known at an offset.
    pub(crate) fn is_known_at(&self, offset: usize) -> bool {
        self.known.start as usize <= offset && offset <= self.known.end as usize
    }
}

/// The names that the query declares, in the order of the text. Tokens show the declarations, since
/// a half-written query has no tree; the tree tells where the body of a loop ends.
pub(crate) fn declarations(source: &Source<'_>, known: &Understanding) -> Vec<Declaration> {
    let mut reader = Reader { source, known, found: Vec::new() };
    for at in 0..source.tokens.len() {
        reader.read(at);
    }
    let mut bodies = HashMap::new();
    for item in known.tree.iter().flat_map(|tree| &tree.items) {
        loops(item, &mut bodies);
    }
    for declaration in &mut reader.found {
        if let Some(body) = bodies.get(&declaration.place) {
            declaration.known = *body;
        }
    }
    reader.found
}

/// The names of loops, each with the place of its body.
fn loops(e: &ast::Expr, found: &mut HashMap<Span, Span>) {
    if let ExprKind::ForEach { name, body, .. } = &e.kind {
        found.insert(name.span, body.span);
    }
    e.kind.for_each_child(&mut |child| loops(child, found));
}

struct Reader<'s, 't> {
    source: &'s Source<'t>,
    known: &'s Understanding,
    found: Vec<Declaration>,
}

impl<'t> Reader<'_, 't> {
    fn token(&self, at: usize) -> Option<SourceToken<'t>> {
        self.source.tokens.get(at).copied()
    }

    fn text(&self, at: usize) -> &'t str {
        self.token(at).map_or("", |token| token.text)
    }

    /// Reads the declaration that begins at a token.
    fn read(&mut self, at: usize) {
        let end = self.source.text.len();
        match self.text(at) {
            "function" => return self.function(at),
            "dictionary" => return self.dictionary(at),
            "square" | "piece" | "key" | "string" => {
                let name = at + 1 + usize::from(self.text(at + 1) == "all");
                if matches!(self.text(name + 1), "in" | "∊" | "[element]") {
                    let kind = match self.text(at) {
                        "square" => Some(Type::Set),
                        "piece" => Some(Type::Piece),
                        "string" => Some(Type::String),
                        _ => None,
                    };
                    return self.add(name, NameKind::Variable(kind), self.end_of_block(name));
                }
            }
            "echo" | "consecutivemoves" => {
                let open = (at + 1..at + 5).find(|&at| self.text(at) == "(");
                if let Some(open) = open.filter(|_| self.text(at) == "echo") {
                    let block = self.end_of_block(at);
                    for name in [open + 1, open + 2] {
                        self.add(name, NameKind::Variable(Some(Type::Position)), block);
                    }
                }
                return;
            }
            _ => {}
        }
        // A query may use some keywords as names.
        let is_word = |token: SourceToken<'_>| {
            let origin = token.keyword().map(Keyword::origin);
            token.class == TokenClass::Name
                || origin.is_some_and(|origin| origin != KeywordOrigin::Both)
        };
        let next = self.text(at + 1);
        if self.token(at).is_some_and(is_word) && matches!(next, "∊" | "[element]") {
            let name = at;
            self.add(name, NameKind::Variable(None), self.end_of_block(name));
        } else if self.token(at).is_some_and(is_word) && is_assignment(next) {
            self.add(at, NameKind::Variable(None), end);
        }
    }

    /// `function f(x y) { … }`
    fn function(&mut self, at: usize) {
        if self.text(at + 2) != "(" {
            return;
        }
        let names = (at + 3..self.source.tokens.len()).take_while(|&at| self.text(at) != ")");
        let is_word =
            |&at: &usize| self.token(at).is_some_and(|token| token.text.starts_with(is_letter));
        let names: Vec<usize> = names.take_while(is_word).collect();
        let parameters = names.iter().map(|&at| self.text(at).to_owned()).collect();
        self.add(at + 1, NameKind::Function(parameters), self.source.text.len());
        let body = self.source.closing(at + 4 + names.len());
        let last = body.and_then(|closing| self.token(closing));
        let end = last.map_or(self.source.text.len(), |last| last.span.end as usize);
        for name in names {
            self.add(name, NameKind::Variable(None), end);
        }
    }

    /// `dictionary D` or `dictionary int --> int (sum) D`
    fn dictionary(&mut self, at: usize) {
        let mut name = at + 1;
        if self.text(name + 1) == "-->" {
            name += 3;
            if self.text(name) == "(" {
                name += 3;
            }
        }
        let declared = self.known.dictionaries.iter().find(|one| one.name == self.text(name));
        let (key, value) =
            declared.map_or((Type::String, Type::Number), |one| (one.key, one.value));
        self.add(name, NameKind::Dictionary(key, value), self.source.text.len());
    }

    /// Adds the name at a token, which is known after it, up to an offset.
    fn add(&mut self, at: usize, kind: NameKind, end: usize) {
        let Some(token) = self.token(at).filter(|_| self.found.len() < MAX_DECLARATIONS) else {
            return;
        };
        let is_name = token.text.starts_with(is_letter) && token.class != TokenClass::Piece;
        let start = token.span.end as usize;
        let is_known = self
            .found
            .iter()
            .any(|one| one.name == token.text && one.is_known_at(start) && one.is_known_at(end));
        if !is_name || is_known {
            return;
        }
        let kind = match kind {
            NameKind::Variable(None) => NameKind::Variable(self.type_of(token.text)),
            NameKind::Variable(Some(_)) | NameKind::Function(_) | NameKind::Dictionary(..) => kind,
        };
        let known = span(start, end);
        self.found.push(Declaration {
            name: token.text.to_owned(),
            kind,
            place: token.span,
            known,
        });
    }

    /// The type of the variables with this name, if all have the same.
    fn type_of(&self, name: &str) -> Option<Type> {
        let mut types = self.known.variables.iter().filter(|var| var.name == name);
        let first = types.next()?.ty;
        types.all(|var| var.ty == first).then_some(first)
    }

    /// The end of the innermost brackets around a token.
    fn end_of_block(&self, at: usize) -> usize {
        let closing = self.source.opening(at).and_then(|open| self.source.closing(open));
        let token = closing.and_then(|closing| self.token(closing));
        token.map_or(self.source.text.len(), |token| token.span.start as usize)
    }
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphabetic() || matches!(letter, '_' | '$')
}

/// Whether it is an assignment operator.
pub(crate) fn is_assignment(text: &str) -> bool {
    matches!(text, "=" | "=?" | "+=" | "-=" | "*=" | "/=" | "%=" | "|=" | "∪=" | "&=" | "∩=")
}
