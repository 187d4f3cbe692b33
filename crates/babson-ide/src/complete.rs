//! What can be written at a place.

use babson_lang::hir::{GameResult, JoinRule, Type};
use babson_lang::imports::library_functions;
use babson_lang::keywords::{Keyword, KeywordClass, KeywordOrigin};
use babson_lang::synonyms::SYNONYMS;
use babson_lang::vocabulary::{further_parameters, header_parameters};
use babson_lang::{Dialect, Span};

use crate::answer::{Item, ItemKind};
use crate::book::{Book, ValueTypes};
use crate::imported::{ImportedFunction, imported_functions};
use crate::limits::{MAX_ITEMS, MAX_KEYS};
use crate::markdown::{code, described};
use crate::names::{Declaration, NameKind, declarations};
use crate::options::Options;
use crate::place::{FilterPlace, Place, PlaceReader, StringPlace};
use crate::snippets::{HEADER, SNIPPETS, Snippet};
use crate::source::{Source, border, span};
use crate::{cql3, squares, tags};

/// What can be written at an offset, the most probable first: only what fits there, and begins with
/// the letters of the word before it, in any case.
///
/// The offset is moved to the border of a character and into the text.
///
/// ```
/// use babson_ide::{ItemKind, Options, complete};
///
/// let text = "move from Q ";
/// let items = complete(text, text.len(), &Options::default());
/// let parameters = items.iter().filter(|item| item.kind == ItemKind::Parameter);
/// let labels: Vec<&str> = parameters.map(|item| item.label.as_str()).collect();
/// assert!(labels.contains(&"to") && !labels.contains(&"from"), "{labels:?}");
/// ```
pub fn complete(text: &str, offset: usize, options: &Options) -> Vec<Item> {
    let Some(source) = Source::new(text, options) else { return Vec::new() };
    let offset = border(text, offset);
    if source.is_cql3 {
        return cql3::complete(&source, offset, options);
    }
    if let Some(comment) = source.comment_at(offset) {
        return in_comment(&source, comment, offset);
    }
    let query = source.resolve(options);
    let known = source.understand(&query, options);
    let names = declarations(&source, &known);
    let book = options.entries();
    let reader = PlaceReader { source: &source, book: &book, names: &names };
    if let Some(at) = source.string_at(offset) {
        return in_string(&reader, at, offset, options);
    }
    let (word, prefix) = source.word_at(offset);
    if prefix.starts_with(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let at = reader.index_at(word);
    let mut list = ItemList::new(word, prefix);
    match reader.place(at) {
        Place::Free => {}
        Place::Header(present) => list.header(&book, &present),
        Place::Dialect => list.dialects(),
        Place::Result => list.results(),
        Place::Hhdb(words) => list.hhdb(&book, &words),
        Place::DictionaryType => list.dictionary_types(),
        Place::MergeRule(name) => list.merge_rules(name),
        Place::Name => {
            // The name may be bound later.
            names.iter().for_each(|name| list.name(name));
        }
        Place::Filter(place) => {
            let known = names.iter().filter(|name| name.is_known_at(offset)).collect();
            let imported = imported_functions(&source, &query);
            let scope = Scope { source: &source, book: &book, names: known, imported };
            list.filters(&reader, &scope, &place, at == 0);
        }
    }
    list.items
}

/// The name of a dialect, in the comment of the first line that declares it.
fn in_comment(source: &Source<'_>, comment: Span, offset: usize) -> Vec<Item> {
    let (word, prefix) = source.word_at(offset);
    let before = source.text.get(comment.start as usize..word.start as usize).unwrap_or("");
    let before: Vec<&str> = before.trim_start_matches('/').split_whitespace().collect();
    let mut list = ItemList::new(word, prefix);
    if before == ["babson:", "dialect"] {
        list.dialects();
    }
    list.items
}

/// What a string at an index can be.
fn in_string(
    reader: &PlaceReader<'_, '_>,
    at: usize,
    offset: usize,
    options: &Options,
) -> Vec<Item> {
    let token = reader.source.tokens[at];
    let is_open = token.is_open_string();
    let start = token.span.start as usize + 1;
    let end = if is_open { offset } else { token.span.end as usize - 1 };
    let prefix = reader.source.text.get(start..offset).unwrap_or("");
    let mut list = ItemList::new(span(start, end), prefix);
    let close = if is_open { "\"" } else { "" };
    let mut value = |text: &str, doc: Option<String>| {
        list.push(text, ItemKind::Value, &format!("{text}{close}"), doc);
    };
    match reader.string(at) {
        StringPlace::Free => {}
        StringPlace::Tag => {
            let usual = tags::USUAL.into_iter().filter(|tag| !options.tags.contains_key(*tag));
            let of_database = options.tags.keys().map(String::as_str);
            of_database.chain(usual).for_each(|tag| value(tag, None));
        }
        StringPlace::TagValue(tag) => {
            let values = options.tags.get(tag).into_iter().flatten();
            values.for_each(|text| value(text, None));
        }
        StringPlace::Import => {
            let files = options.imports.names();
            files.iter().for_each(|file| value(file, None));
            // A file counts more than the file of the library that has its name.
            let library = babson_lang::imports::LIBRARY.into_iter().map(|(file, _)| file);
            for file in library.filter(|file| files.iter().all(|name| name != file)) {
                let functions: Vec<&str> = library_functions()
                    .filter(|function| function.file == file)
                    .map(|function| function.name)
                    .collect();
                value(file, Some(format!("the library: {}", functions.join(", "))));
            }
        }
        StringPlace::Variant => {
            let names = options.variants.to_string();
            names.split(", ").for_each(|name| value(name.split(" (").next().unwrap_or(name), None));
        }
        StringPlace::Hhdb => {
            for (key, entry) in reader.book.hhdb_keys() {
                if let Some(mark) = key.strip_prefix('"').and_then(|key| key.strip_suffix('"')) {
                    value(mark, Some(described(entry)));
                }
            }
        }
        StringPlace::Key(dictionary) => {
            let keys = reader.keys_of(dictionary, Some(token.span));
            keys.into_iter().take(MAX_KEYS).for_each(|key| value(key, None));
        }
    }
    list.items
}

/// What is known at the place.
struct Scope<'a, 't> {
    source: &'a Source<'t>,
    book: &'a Book,
    names: Vec<&'a Declaration>,
    imported: Vec<ImportedFunction>,
}

/// The items so far.
struct ItemList<'p> {
    word: Span,
    /// What their labels begin with.
    prefix: &'p str,
    items: Vec<Item>,
}

impl<'p> ItemList<'p> {
    fn new(word: Span, prefix: &'p str) -> ItemList<'p> {
        ItemList { word, prefix, items: Vec::new() }
    }

    /// Whether an item with this label fits the letters before the place.
    fn fits(&self, label: &str) -> bool {
        let start = label.get(..self.prefix.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(self.prefix))
    }

    fn push(&mut self, label: &str, kind: ItemKind, insert: &str, doc: Option<String>) {
        let is_there =
            || self.items.iter().any(|item| item.label == label && item.insert == insert);
        if self.items.len() < MAX_ITEMS && self.fits(label) && !is_there() {
            let (label, insert) = (label.to_owned(), insert.to_owned());
            self.items.push(Item { label, kind, insert, doc, span: self.word });
        }
    }

    /// A value that is written as it is shown.
    fn value(&mut self, label: &str, doc: Option<String>) {
        self.push(label, ItemKind::Value, label, doc);
    }

    fn header(&mut self, book: &Book, present: &[Keyword]) {
        for word in header_parameters() {
            let doc = || book.of_header(word.name()).map(described);
            if !present.contains(word) && self.fits(word.name()) {
                self.push(word.name(), ItemKind::Parameter, word.name(), doc());
            }
        }
        let doc = book.of_header("dialect").map(described);
        self.push("dialect", ItemKind::Parameter, "dialect", doc);
    }

    fn dialects(&mut self) {
        self.value(Dialect::CQLI.name(), Some("CQLi, the default".to_owned()));
        self.value(Dialect::CQL6.name(), Some("CQL 6.2".to_owned()));
    }

    fn results(&mut self) {
        let docs = ["White wins", "Black wins", "a draw"];
        for (result, doc) in GameResult::ALL.into_iter().zip(docs) {
            self.value(result.name(), Some(doc.to_owned()));
        }
    }

    /// The keys of `hhdb`, or the words that can follow these.
    fn hhdb(&mut self, book: &Book, words: &[&str]) {
        let keys = book.hhdb_keys();
        let parts: Vec<&str> = babson_lang::hhdb_parts().collect();
        if words.is_empty() {
            for (key, entry) in &keys {
                if !key.contains(' ') {
                    self.value(key, Some(described(entry)));
                }
            }
        }
        let is_gbr = words == ["gbr"];
        for part in parts {
            let of_gbr = keys.iter().find(|(key, _)| *key == format!("gbr {part}"));
            let fits = if is_gbr { of_gbr.is_some() } else { of_gbr.is_none() };
            let entry = of_gbr.or_else(|| keys.iter().find(|(key, _)| key == "award"));
            if fits && !words.contains(&part) {
                self.value(part, entry.map(|(_, entry)| described(entry)));
            }
        }
    }

    fn dictionary_types(&mut self) {
        for (name, doc) in [
            ("int", "numbers"),
            ("str", "strings"),
            ("set", "sets of squares"),
            ("position", "positions of one game"),
        ] {
            self.value(name, Some(doc.to_owned()));
        }
    }

    fn merge_rules(&mut self, name: &str) {
        let ty = match name {
            "int" => Type::Number,
            "str" | "string" => Type::String,
            "set" => Type::Set,
            _ => return,
        };
        JoinRule::of(ty).for_each(|rule| self.value(rule.name(), None));
    }

    /// A name that the query declares.
    fn name(&mut self, declared: &Declaration) {
        let name = declared.name.as_str();
        match &declared.kind {
            NameKind::Variable(ty) => {
                let doc = ty.map(|ty| format!("a variable: {}", ty.name()));
                self.push(name, ItemKind::Variable, name, doc);
            }
            NameKind::Function(parameters) => {
                let doc = format!("`{name}({})`", parameters.join(" "));
                let call = call(name, parameters.iter().map(String::as_str));
                self.push(name, ItemKind::Function, &call, Some(doc));
            }
            NameKind::Dictionary(key, value) => {
                let doc = format!("a dictionary: {} --> {}", key.name(), value.name());
                self.push(name, ItemKind::Dictionary, name, Some(doc));
            }
        }
    }

    /// What can stand where a filter can begin.
    fn filters(
        &mut self,
        reader: &PlaceReader<'_, '_>,
        scope: &Scope<'_, '_>,
        place: &FilterPlace,
        is_first: bool,
    ) {
        if let Some((filter, present)) = &place.parameters {
            for word in further_parameters(*filter, present) {
                let entry = scope.book.of_parameter(filter.name(), word.name());
                self.push(word.name(), ItemKind::Parameter, word.name(), entry.map(described));
            }
        }
        if let Some(dictionary) = &place.dictionary {
            for key in reader.keys_of(dictionary, None).into_iter().take(MAX_KEYS) {
                self.value(&format!("\"{key}\""), None);
            }
        }
        if let Some(left) = place.after {
            let mut before = scope.source.tokens[..reader.index_at(self.word)].iter();
            let has_if = before.any(|token| token.text == "if");
            self.operators(scope.book, left, has_if);
        }
        let fits =
            |ty: Option<Type>| place.types.is_empty() || ty.is_none_or(|ty| fits(&place.types, ty));
        for declared in &scope.names {
            let ty = match declared.kind {
                NameKind::Variable(ty) => ty,
                NameKind::Function(_) => None,
                NameKind::Dictionary(_, value) => Some(value),
            };
            if fits(ty) {
                self.name(declared);
            }
        }
        if place.types.contains(&Type::Set) {
            for (designator, meaning) in squares::DESIGNATORS {
                // Letters are an exact word.
                if self.prefix.is_empty() || designator.starts_with(self.prefix) {
                    self.value(designator, Some(meaning.to_owned()));
                }
            }
        }
        let is_any = place.types.is_empty();
        if is_first && is_any {
            self.snippet(scope.book, &HEADER);
        }
        self.keywords(scope, place);
        if is_any {
            SNIPPETS.iter().for_each(|snippet| self.snippet(scope.book, snippet));
        } else {
            let gives = |snippet: &&Snippet| match scope.book.types_of(snippet.keyword) {
                ValueTypes::Known(types) => types.iter().any(|&ty| place.types.contains(&ty)),
                ValueTypes::OfOperands => false,
            };
            SNIPPETS.iter().filter(gives).for_each(|snippet| self.snippet(scope.book, snippet));
        }
        self.imported(&scope.imported);
        if scope.source.dialect.own_words && place.is_statement && !self.prefix.is_empty() {
            self.library(&scope.imported);
        }
        if is_any && self.prefix.len() > 2 {
            self.synonyms();
        }
    }

    /// The operators that are words, after an operand of this type.
    fn operators(&mut self, book: &Book, left: Option<Type>, has_if: bool) {
        let is_set = left.is_none_or(|ty| ty == Type::Set);
        let may_be_in = left.is_none_or(|ty| matches!(ty, Type::Set | Type::String));
        for (word, fits) in [
            ("and", true),
            ("or", true),
            ("attacks", is_set),
            ("attackedby", is_set),
            ("in", may_be_in),
            ("then", has_if),
            ("else", has_if),
        ] {
            if fits && self.fits(word) {
                self.push(word, ItemKind::Keyword, word, book.of(word).map(described));
            }
        }
    }

    /// The filters whose value has a type that fits.
    fn keywords(&mut self, scope: &Scope<'_, '_>, place: &FilterPlace) {
        for &keyword in Keyword::ALL {
            let name = keyword.name();
            let is_in_dialect =
                scope.source.dialect.own_words || keyword.origin() != KeywordOrigin::Babson;
            if !self.fits(name) || !begins_filter(keyword) || !is_in_dialect {
                continue;
            }
            let fits = place.types.is_empty()
                || match scope.book.types_of(keyword) {
                    ValueTypes::Known(types) => types.iter().any(|&ty| fits(&place.types, ty)),
                    ValueTypes::OfOperands => true,
                }
                || keyword.class() == KeywordClass::Transform;
            if fits {
                let doc = scope.book.of(name).map(described);
                self.push(name, ItemKind::Keyword, name, doc);
            }
        }
    }

    fn snippet(&mut self, book: &Book, snippet: &Snippet) {
        if self.fits(snippet.label) {
            let doc = book.of(snippet.keyword.name()).map(described);
            self.push(snippet.label, ItemKind::Snippet, snippet.insert, doc);
        }
    }

    /// The functions of the files that are imported.
    fn imported(&mut self, functions: &[ImportedFunction]) {
        for function in functions {
            let call = call(&function.name, function.parameters.iter().map(String::as_str));
            self.push(&function.name, ItemKind::Function, &call, Some(function.doc()));
        }
    }

    /// The functions of the files of the library that are not imported, with their imports.
    fn library(&mut self, imported: &[ImportedFunction]) {
        for function in library_functions() {
            if imported.iter().any(|one| one.is_of_library(function.file)) {
                continue;
            }
            let call = call(function.name, function.parameters.split_whitespace());
            let insert = format!("import \"{}\" {call}", function.file);
            self.push(function.name, ItemKind::Function, &insert, Some(code(function.text)));
        }
    }

    fn synonyms(&mut self) {
        for synonym in SYNONYMS {
            for word in synonym.words {
                self.push(word, ItemKind::Synonym, synonym.query, Some(synonym.to_string()));
            }
        }
    }
}

/// Whether a value of a type can stand where one of these is expected.
fn fits(types: &[Type], ty: Type) -> bool {
    types.contains(&ty) || ty == Type::Piece && types.contains(&Type::Set)
}

/// Whether a filter can begin with the keyword.
fn begins_filter(keyword: Keyword) -> bool {
    let is_part = matches!(
        keyword,
        Keyword::All
            | Keyword::And
            | Keyword::AttackedBy
            | Keyword::Attacks
            | Keyword::Cql
            | Keyword::Else
            | Keyword::In
            | Keyword::Or
            | Keyword::Size
            | Keyword::Then
            | Keyword::Quiet
            | Keyword::Count
    );
    let is_word = !matches!(keyword.class(), KeywordClass::Parameter | KeywordClass::Reserved);
    is_word && !is_part
}

/// A call of a function, with places for its arguments.
fn call<'n>(name: &str, parameters: impl Iterator<Item = &'n str>) -> String {
    let places: Vec<String> = parameters
        .enumerate()
        .map(|(number, parameter)| format!("${{{}:{parameter}}}", number + 1))
        .collect();
    format!("{name}({})", places.join(" "))
}
