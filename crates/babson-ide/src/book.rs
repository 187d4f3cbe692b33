//! The entries of the book by their words.

use std::collections::HashMap;

use babson_lang::Span;
use babson_lang::hir::Type;
use babson_lang::keywords::Keyword;
use babson_lang::reference::{Entry, entries};

/// All entries of the book on the language.
#[derive(Debug)]
pub(crate) struct Book {
    entries: Vec<Entry>,
    /// The best entry of each word, by the word and whether it is a parameter of the header.
    best: HashMap<(String, bool), usize>,
    /// The entries with a form that begins with a word, by the word.
    beginning: HashMap<String, Vec<usize>>,
}

/// The types of the values of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ValueTypes {
    /// One of these.
    Known(Vec<Type>),
    /// That of its operands.
    OfOperands,
}

impl Book {
    /// Reads the book.
    pub(crate) fn read() -> Book {
        let entries: Vec<Entry> = entries().collect();
        let mut best: HashMap<(String, bool), (u8, usize)> = HashMap::new();
        let mut beginning: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, entry) in entries.iter().enumerate() {
            for word in forms(&entry.forms).map(first_word) {
                let of_word = beginning.entry(word.to_owned()).or_default();
                if of_word.last() != Some(&at) {
                    of_word.push(at);
                }
            }
            for term in &entry.terms {
                let named = |form: &str| first_word(form) == term.text;
                let is_named = forms(&entry.forms).any(named);
                let is_first = entry.terms.first() == Some(term);
                let rank = 2 * u8::from(!is_named) + u8::from(!is_first);
                let known = best.entry((term.text.clone(), term.header)).or_insert((rank, at));
                if rank < known.0 {
                    *known = (rank, at);
                }
            }
        }
        let best = best.into_iter().map(|(word, (_, at))| (word, at)).collect();
        Book { entries, best, beginning }
    }

    /// The entry of a word or symbol.
    pub(crate) fn of(&self, word: &str) -> Option<&Entry> {
        self.best.get(&(word.to_owned(), false)).map(|&at| &self.entries[at])
    }

    /// The first entry of a word or symbol in a filter whose value has this type.
    pub(crate) fn of_type(&self, word: &str, ty: Type) -> Option<&Entry> {
        let has = |entry: &&Entry| {
            entry.value_type.as_deref() == Some(ty.name())
                && entry.terms.iter().any(|term| term.text == word && !term.header)
        };
        self.entries.iter().find(has)
    }

    /// The entry of a parameter of the header.
    pub(crate) fn of_header(&self, word: &str) -> Option<&Entry> {
        self.best.get(&(word.to_owned(), true)).map(|&at| &self.entries[at])
    }

    /// The entry of a parameter of a filter: a form begins with the filter and has the word.
    pub(crate) fn of_parameter(&self, filter: &str, word: &str) -> Option<&Entry> {
        let has = |form: &str| {
            let mut words = form.split([' ', '(', ')']);
            words.next() == Some(filter) && words.any(|other| other == word)
        };
        let mut found = self.entries.iter().filter(|entry| forms(&entry.forms).any(has));
        found.next().or_else(|| self.of(word))
    }

    /// The entries with a form that begins with a word, in the order of the book.
    pub(crate) fn beginning_with(&self, word: &str) -> impl Iterator<Item = &Entry> {
        self.beginning.get(word).into_iter().flatten().map(|&at| &self.entries[at])
    }

    /// The keys of `hhdb`, each with its entry: the words and strings after it, and the other words
    /// that the entry has for them.
    pub(crate) fn hhdb_keys(&self) -> Vec<(String, &Entry)> {
        let mut keys = Vec::new();
        for entry in self.beginning_with("hhdb") {
            let of_form = |form: &str| form.strip_prefix("hhdb ").map(str::to_owned);
            keys.extend(forms(&entry.forms).filter_map(of_form).map(|key| (key, entry)));
            let is_word = |word: &&str| {
                let is_lowercase =
                    |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
                word.len() > 3 && word.chars().all(is_lowercase)
            };
            let others = forms(&entry.meaning).filter(is_word);
            keys.extend(others.map(|word| (word.to_owned(), entry)));
        }
        keys
    }

    /// The types of the values of a filter that begins with the keyword.
    pub(crate) fn types_of(&self, keyword: Keyword) -> ValueTypes {
        if let Some(signature) = keyword.signature() {
            return ValueTypes::Known(vec![signature.ty]);
        }
        let all = [Type::Bool, Type::Number, Type::Set, Type::String, Type::Position];
        let mut types = Vec::new();
        for entry in self.beginning_with(keyword.name()) {
            let Some(text) = entry.value_type.as_deref().filter(|text| !text.is_empty()) else {
                continue;
            };
            let words = text.split([' ', ';', ',']);
            let before = types.len();
            types.extend(words.filter_map(|word| all.into_iter().find(|ty| ty.name() == word)));
            if types.len() == before {
                return ValueTypes::OfOperands;
            }
        }
        ValueTypes::Known(types)
    }
}

/// The word that a form begins with.
fn first_word(form: &str) -> &str {
    form.split([' ', '(']).next().unwrap_or(form)
}

/// The forms of an entry, without their backquotes.
pub(crate) fn forms(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The places of the operands in a form of the book, which begin with a capital letter: `S` and `T`
/// in `between (S T)`.
pub(crate) fn places(form: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in form.split([' ', '(', ')']) {
        if word.starts_with(|c: char| c.is_ascii_uppercase()) {
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            found.push(Span::new(offset(at), offset(at + word.len())));
        }
        at += word.len() + 1;
    }
    found
}
