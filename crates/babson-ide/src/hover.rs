//! What is known about a place.

use babson_lang::ast::{self, ExprKind};
use babson_lang::hir::Content;
use babson_lang::imports::ResolvedQuery;
use babson_lang::reference::{Entry, signature_of};
use babson_lang::text::TokenClass;
use babson_lang::{Span, Understanding};

use crate::answer::Hover;
use crate::constants::{value_at, value_of_name};
use crate::cql3;
use crate::imported::imported_functions;
use crate::limits::{MAX_ENTRIES, MAX_REPEATED};
use crate::markdown::{code, entries_shown};
use crate::names::{Declaration, NameKind, declarations};
use crate::options::Options;
use crate::place::PlaceReader;
use crate::source::{Source, SourceToken, border};
use crate::squares;

/// What is known about the word, symbol or literal at an offset: the type of the smallest
/// expression around it, the value of a constant, the squares of a designator, what the book says,
/// and where it says more. `None` for whitespace and comments.
///
/// ```
/// use babson_ide::{Options, hover};
///
/// let text = "piecesquares = e1-4 A attacks piecesquares";
/// let answer = hover(text, 35, &Options::default()).unwrap();
/// assert_eq!(answer.span.text(text), "piecesquares");
/// assert!(answer.markdown.contains("4 squares: e1 e2 e3 e4"), "{}", answer.markdown);
/// ```
pub fn hover(text: &str, offset: usize, options: &Options) -> Option<Hover> {
    let source = Source::new(text, options)?;
    let offset = border(text, offset);
    if source.is_cql3 {
        return cql3::hover(&source, offset, options);
    }
    let at = source.token_at(offset)?;
    let token = source.tokens[at];
    let query = source.resolve(options);
    let known = source.understand(&query, options);
    let names = declarations(&source, &known);
    let book = options.entries();
    let reader = PlaceReader { source: &source, book: &book, names: &names };
    let place = HoverPlace { token, at, query: &query, known: &known, reader, options };
    let mut parts = Vec::new();
    parts.extend(place.expression());
    parts.extend(place.meaning());
    (!parts.is_empty()).then(|| Hover { span: token.span, markdown: parts.join("\n\n") })
}

/// A token to hover over.
struct HoverPlace<'a, 't> {
    token: SourceToken<'t>,
    /// Its index.
    at: usize,
    query: &'a ResolvedQuery,
    known: &'a Understanding,
    reader: PlaceReader<'a, 't>,
    options: &'a Options,
}

impl HoverPlace<'_, '_> {
    /// The smallest expression around the token with its type, and its value if it is constant.
    fn expression(&self) -> Option<String> {
        let typed = self.known.innermost(self.token.span.start as usize)?;
        let text = self.reader.source.text;
        let shown = one_line(typed.span.text(text));
        let mut out = code(&format!("{shown}: {}", typed.ty.name()));
        // A name has its value in its meaning.
        let is_name = typed.span == self.token.span;
        if let Some(value) = value_at(self.known, typed.span).filter(|_| !is_name) {
            out += &format!("\n\n= {}", value.shown());
        }
        Some(out)
    }

    /// What the token itself means.
    fn meaning(&self) -> Option<String> {
        let text = self.token.text;
        if self.token.class == TokenClass::Piece {
            return Some(self.designator());
        }
        if self.token.class == TokenClass::Name || self.token.class == TokenClass::Keyword {
            let declared = self.declaration();
            if let Some(declared) = declared {
                return Some(self.name(declared));
            }
        }
        if self.token.class == TokenClass::Number {
            return None;
        }
        if self.token.class == TokenClass::Name {
            let imported = imported_functions(self.reader.source, self.query);
            if let Some(function) = imported.iter().find(|function| function.name == text) {
                return Some(function.doc());
            }
        }
        if self.reader.is_in_header(self.at) {
            let entry = self.reader.book.of_header(text)?;
            return entries_shown(&[entry], self.options);
        }
        if let Some(entry) = self.reader.entry_of_hhdb(self.at) {
            return entries_shown(&[entry], self.options);
        }
        if let Some(filter) = self.reader.filter_of_parameter(self.at) {
            let entry = self.reader.book.of_parameter(filter.name(), text)?;
            return entries_shown(&[entry], self.options);
        }
        self.entries()
    }

    /// The declaration of the token, known at its place or there.
    fn declaration(&self) -> Option<&Declaration> {
        let start = self.token.span.start as usize;
        let named = |one: &&Declaration| one.name == self.token.text;
        let names = self.reader.names.iter().filter(named);
        names.clone().find(|one| one.is_known_at(start) || one.place == self.token.span)
    }

    fn name(&self, declared: &Declaration) -> String {
        let name = &declared.name;
        match &declared.kind {
            NameKind::Variable(ty) => {
                let ty = ty.map_or("", |ty| ty.name());
                let mut out = format!("`{name}`: a variable");
                if !ty.is_empty() {
                    out += &format!(", {ty}");
                }
                if let Some(value) = value_of_name(self.known, name) {
                    out += &format!(", always {}", value.shown());
                }
                out
            }
            NameKind::Function(parameters) => {
                let head = format!("function {name}({})", parameters.join(" "));
                code(&self.function(declared.place).unwrap_or(head))
            }
            NameKind::Dictionary(key, value) => {
                let (key, value) = (key.name(), value.name());
                format!("`{name}`: a dictionary, {key} --> {value}")
            }
        }
    }

    /// The text of the function whose name is at a place.
    fn function(&self, place: Span) -> Option<String> {
        let items = &self.known.tree.as_ref()?.items;
        let is_this = |item: &&ast::Expr| matches!(&item.kind, ExprKind::Function { name, .. } if name.span == place);
        let function = items.iter().find(is_this)?;
        Some(function.span.text(self.reader.source.text).to_owned())
    }

    fn designator(&self) -> String {
        let place = self.token.span;
        let mut found = None;
        for item in self.known.tree.iter().flat_map(|tree| &tree.items) {
            find_designator(item, place, &mut found);
        }
        let (pieces, mask) = found.unwrap_or(match self.token.text {
            "[]" => (Content::ANY, 0),
            _ => (Content::ANY, !0),
        });
        format!("{} on {}", squares::pieces(pieces), squares::list(mask))
    }

    /// What the book says of the word or symbol.
    fn entries(&self) -> Option<String> {
        let text = self.token.text;
        let book = self.reader.book;
        // An alias has the entries of its keyword.
        let keyword = self.token.keyword();
        let word = keyword.map_or(text, |keyword| keyword.name());
        let mut entries: Vec<&Entry> = book.beginning_with(word).take(MAX_ENTRIES).collect();
        if entries.is_empty() {
            let typed = self.known.innermost(self.token.span.start as usize);
            let of_type = typed.and_then(|typed| book.of_type(text, typed.ty));
            entries.extend(of_type.or_else(|| book.of(text)).or_else(|| book.of(word)));
        }
        let shown = entries_shown(&entries, self.options)?;
        let line = signature_of(text).map(|line| format!("`{text}`: {line}\n\n"));
        Some(line.unwrap_or_default() + &shown)
    }
}

/// The contents and squares of the designator at a place.
fn find_designator(e: &ast::Expr, place: Span, found: &mut Option<(Content, u64)>) {
    if let ExprKind::Designator(designator) = &e.kind
        && e.span == place
    {
        *found = Some((designator.pieces, designator.squares));
    }
    e.kind.for_each_child(&mut |child| find_designator(child, place, found));
}

/// A text on one line, shortened.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= MAX_REPEATED {
        return line;
    }
    line.chars().take(MAX_REPEATED).collect::<String>() + " …"
}
