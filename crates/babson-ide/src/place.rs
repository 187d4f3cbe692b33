//! What a place of a query expects, as its tokens tell: a half-written query has no tree there.

use babson_lang::Span;
use babson_lang::hir::Type;
use babson_lang::keywords::{Keyword, KeywordClass};
use babson_lang::text::TokenClass;
use babson_lang::vocabulary::{ParameterForm, further_parameters, parameter_form};

use babson_lang::reference::Entry;

use crate::book::{Book, ValueTypes};
use crate::limits::MAX_FILTER_TOKENS;
use crate::names::{Declaration, NameKind, is_assignment};
use crate::source::{Source, SourceToken};

/// What can be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place<'t> {
    /// A name that does not exist yet, or a number: nothing can be offered.
    Free,
    /// A parameter of the header that is not there yet.
    Header(Vec<Keyword>),
    /// The name of a dialect.
    Dialect,
    /// The result of a game.
    Result,
    /// A key of `hhdb` after these words.
    Hhdb(Vec<&'t str>),
    /// A type, in the declaration of a dictionary.
    DictionaryType,
    /// The merge rule of a dictionary with values of this type.
    MergeRule(&'t str),
    /// A variable, or a dictionary.
    Name,
    /// A filter.
    Filter(FilterPlace),
}

/// What is known of a place where a filter can begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FilterPlace {
    /// The types that fit; all if there are none.
    pub(crate) types: Vec<Type>,
    /// Whether an operand ends before the place, so that an operator can follow, and its type if it
    /// is known.
    pub(crate) after: Option<Option<Type>>,
    /// The filter before the place whose parameters can follow, and those that it has.
    pub(crate) parameters: Option<(Keyword, Vec<Keyword>)>,
    /// Whether a statement of the query can begin here, outside of all brackets.
    pub(crate) is_statement: bool,
    /// The dictionary whose key is written.
    pub(crate) dictionary: Option<String>,
}

/// What a string at a place names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StringPlace<'t> {
    /// Any text.
    Free,
    /// A tag.
    Tag,
    /// A value of this tag.
    TagValue(&'t str),
    /// A file of functions.
    Import,
    /// A variant.
    Variant,
    /// A mark of the database of studies.
    Hhdb,
    /// A key of this dictionary.
    Key(&'t str),
}

/// Finds what a place expects.
pub(crate) struct PlaceReader<'a, 't> {
    pub(crate) source: &'a Source<'t>,
    pub(crate) book: &'a Book,
    pub(crate) names: &'a [Declaration],
}

impl<'t> PlaceReader<'_, 't> {
    fn token(&self, at: usize) -> Option<&SourceToken<'t>> {
        self.source.tokens.get(at)
    }

    fn text(&self, at: Option<usize>) -> &'t str {
        at.and_then(|at| self.token(at)).map_or("", |token| token.text)
    }

    fn keyword(&self, at: usize) -> Option<Keyword> {
        self.token(at).filter(|token| self.declaration(token).is_none())?.keyword()
    }

    /// The declaration of the name that a token is.
    fn declaration(&self, token: &SourceToken<'t>) -> Option<&Declaration> {
        self.names.iter().find(|one| one.name == token.text)
    }

    /// The index of the first token that does not end before a word.
    pub(crate) fn index_at(&self, word: Span) -> usize {
        self.source.tokens.partition_point(|token| token.span.end <= word.start)
    }

    /// What the place before the token at an index expects.
    pub(crate) fn place(&self, at: usize) -> Place<'t> {
        if let Some(header) = self.header(at) {
            return header;
        }
        let before = at.checked_sub(1);
        let second = at.checked_sub(2);
        match self.text(before) {
            "result" => return Place::Result,
            "function" | "atomic" => return Place::Free,
            "isbound" | "isunbound" | "unbind" => return Place::Name,
            "square" | "piece" | "key" | "string" if before.is_some() => return Place::Free,
            "all" if matches!(self.text(second), "square" | "piece") => return Place::Free,
            _ => {}
        }
        if let Some(place) = self.hhdb(at).or_else(|| self.dictionary_types(at)) {
            return place;
        }
        if self.text(before) == "(" && self.is_parameter_list(at) {
            return Place::Free;
        }
        Place::Filter(self.filter(at))
    }

    /// What a string at an index names.
    pub(crate) fn string(&self, at: usize) -> StringPlace<'t> {
        let before = at.checked_sub(1);
        match (self.text(before), self.text(at.checked_sub(2))) {
            ("tag", _) | ("(", "settag" | "removetag") => StringPlace::Tag,
            ("import", _) => StringPlace::Import,
            ("variant", _) => StringPlace::Variant,
            ("hhdb", _) => StringPlace::Hhdb,
            ("[", name) if self.is_dictionary(name) => StringPlace::Key(name),
            ("==" | "!=" | "≠", _) => self.tag_before(at - 1),
            (word, _) => tag_of_word(word).map_or(StringPlace::Free, StringPlace::TagValue),
        }
    }

    /// The tag whose value is compared by the operator at an index.
    fn tag_before(&self, operator: usize) -> StringPlace<'t> {
        let (name, word) = (operator.checked_sub(1), operator.checked_sub(2));
        let tag = match self.text(word) {
            "tag" => Some(self.text(name).trim_matches('"')),
            _ => tag_of_word(self.text(name)),
        };
        tag.map_or(StringPlace::Free, StringPlace::TagValue)
    }

    fn is_dictionary(&self, name: &str) -> bool {
        let is_one =
            |one: &Declaration| one.name == name && matches!(one.kind, NameKind::Dictionary(..));
        self.names.iter().any(is_one)
    }

    /// The place, if it is between the parentheses of the header.
    fn header(&self, at: usize) -> Option<Place<'t>> {
        if self.text(Some(0)) != "cql" || self.text(Some(1)) != "(" || at < 2 {
            return None;
        }
        let inside = &self.source.tokens[2..at];
        let mut depth = 1_u32;
        for token in inside {
            match token.text {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return None;
            }
        }
        let last = inside.last().map_or("", |token| token.text);
        Some(match last {
            "result" => Place::Result,
            "dialect" => Place::Dialect,
            "gamenumber" | "matchcount" | "matchstring" | "input" | "output" => Place::Free,
            _ => {
                let keywords = inside.iter().filter_map(|token| Keyword::from_word(token.text));
                Place::Header(keywords.collect())
            }
        })
    }

    /// The place, if it is after `hhdb` and its words.
    fn hhdb(&self, at: usize) -> Option<Place<'t>> {
        let words = self.source.tokens[..at].iter().rev();
        let words: Vec<&str> = words.map(|token| token.text).take(5).collect();
        let hhdb = words.iter().position(|&word| word == "hhdb")?;
        let mut words = words[..hhdb].to_vec();
        words.reverse();
        let keys = self.book.hhdb_keys();
        let parts: Vec<&str> = babson_lang::hhdb_parts().collect();
        let is_open = match words[..] {
            [] | ["gbr"] => true,
            [..] => words.iter().all(|word| parts.contains(word) && !is_part_of_gbr(word)),
        };
        let is_key = |word: &&str| keys.iter().any(|(key, _)| key == word) || parts.contains(word);
        (is_open && words.iter().all(is_key)).then_some(Place::Hhdb(words))
    }

    /// The entry of the key of `hhdb` that a token is.
    pub(crate) fn entry_of_hhdb(&self, at: usize) -> Option<&Entry> {
        let Some(Place::Hhdb(words)) = self.hhdb(at) else { return None };
        let key = [&words[..], &[self.text(Some(at))]].concat().join(" ");
        let keys = self.book.hhdb_keys();
        let of = |wanted: &str| keys.iter().find(|(key, _)| key == wanted).map(|(_, entry)| *entry);
        of(&key).or_else(|| {
            let is_part = babson_lang::hhdb_parts().any(|part| part == self.text(Some(at)));
            if is_part { of("award") } else { None }
        })
    }

    /// The place, if it is a type or the merge rule in the declaration of a dictionary.
    fn dictionary_types(&self, at: usize) -> Option<Place<'t>> {
        let back = |n: usize| self.text(at.checked_sub(n));
        if back(1) == "dictionary" || back(1) == "-->" && back(3) == "dictionary" {
            return Some(Place::DictionaryType);
        }
        (back(1) == "(" && back(3) == "-->" && back(5) == "dictionary")
            .then(|| Place::MergeRule(back(2)))
    }

    /// Whether the `(` before an index begins the names of a function or of `echo`.
    fn is_parameter_list(&self, at: usize) -> bool {
        let back = |n: usize| self.text(at.checked_sub(n));
        back(3) == "function" || matches!(back(2), "echo")
    }

    fn filter(&self, at: usize) -> FilterPlace {
        let Some(before) = at.checked_sub(1) else {
            return FilterPlace { is_statement: true, ..FilterPlace::default() };
        };
        let parameters = self.open_filter(at);
        if let Some((filter, present)) = &parameters
            && let Some(&last) = present.last()
            && self.keyword(before) == Some(last)
            && parameter_form(*filter, last) == Some(ParameterForm::Operand)
        {
            return FilterPlace { types: types_of_parameter(last), ..FilterPlace::default() };
        }
        if self.source.is_too_deep(at) {
            return FilterPlace { parameters, ..FilterPlace::default() };
        }
        let mut place = self.after_token(before);
        place.parameters = parameters;
        place
    }

    /// What can follow the token at an index.
    fn after_token(&self, at: usize) -> FilterPlace {
        let token = self.source.tokens[at];
        let of = |types: &[Type]| FilterPlace { types: types.to_vec(), ..FilterPlace::default() };
        if let Some(keyword) = self.keyword(at) {
            return self.after_keyword(at, keyword);
        }
        if token.class != TokenClass::Symbol {
            return self.after_operand(at);
        }
        let left = || at.checked_sub(1).and_then(|left| self.type_ending_at(left));
        match token.text {
            ")" | "]" | "}" => self.after_operand(at),
            "(" | "[" | "{" => self.after_bracket(at),
            "==" | "!=" | "≠" => match left() {
                Some(Type::Set) => of(&[Type::Set, Type::Number]),
                left => of(left.as_slice()),
            },
            "<" | "<=" | "≤" | ">" | ">=" | "≥" => match left() {
                Some(Type::Set) => of(&[Type::Number]),
                left => of(left.as_slice()),
            },
            "[<]" | "≺" | "[<=]" | "≼" | "[>]" | "≻" | "[>=]" | "≽" => {
                of(&[Type::Position])
            }
            "+" | "+=" => match left() {
                Some(Type::String) => of(&[Type::String]),
                _ => of(&[Type::Number]),
            },
            "-" | "*" | "/" | "%" | "-=" | "*=" | "/=" | "%=" => of(&[Type::Number]),
            "#" => of(&[Type::Set, Type::String]),
            "~" | "|" | "∪" | "&" | "∩" | "->" | "→" | "<-" | "←" | "--" | "――" | "[x]" | "×"
            | "|=" | "∪=" | "&=" | "∩=" | "=?" | "∊" | "[element]" => of(&[Type::Set]),
            "~~" => of(&[Type::String]),
            text if is_assignment(text) => of(&[]),
            _ => of(&[]),
        }
    }

    fn after_keyword(&self, at: usize, keyword: Keyword) -> FilterPlace {
        let of = |types: &[Type]| FilterPlace { types: types.to_vec(), ..FilterPlace::default() };
        if matches!(keyword, Keyword::Attacks | Keyword::AttackedBy | Keyword::By) {
            return of(&[Type::Set]);
        }
        if keyword == Keyword::In {
            let left = at.checked_sub(1).and_then(|left| self.type_ending_at(left));
            return left.map_or_else(|| of(&[Type::Set, Type::String]), |ty| of(&[ty]));
        }
        if let Some(ty) = keyword.signature().and_then(|signature| signature.operands) {
            return of(&[ty]);
        }
        match keyword.class() {
            KeywordClass::Direction(_) => of(&[Type::Set]),
            KeywordClass::Nullary | KeywordClass::Search | KeywordClass::Colored => {
                self.after_operand(at)
            }
            KeywordClass::Transform
            | KeywordClass::Prefix(_)
            | KeywordClass::List
            | KeywordClass::Text
            | KeywordClass::Special(_)
            | KeywordClass::Parameter
            | KeywordClass::Reserved => of(&[]),
        }
    }

    /// What can follow an operand that ends with the token at an index: an operator, or what the
    /// brackets around it expect next.
    fn after_operand(&self, at: usize) -> FilterPlace {
        let next = match self.source.opening(at + 1) {
            Some(open) => self.after_bracket(open),
            None => FilterPlace { is_statement: true, ..FilterPlace::default() },
        };
        FilterPlace { after: Some(self.type_ending_at(at)), ..next }
    }

    /// What can follow the opening bracket at an index.
    fn after_bracket(&self, at: usize) -> FilterPlace {
        let of = |types: &[Type]| FilterPlace { types: types.to_vec(), ..FilterPlace::default() };
        let Some(before) = at.checked_sub(1) else { return of(&[]) };
        if self.text(Some(at)) == "{" {
            return of(&[]);
        }
        if self.text(Some(at)) == "[" {
            let name = self.text(Some(before));
            let key = |one: &Declaration| {
                if let NameKind::Dictionary(key, _) = one.kind { Some(key) } else { None }
            };
            let dictionary = self.names.iter().filter(|one| one.name == name).find_map(key);
            return match dictionary {
                Some(key) => FilterPlace { dictionary: Some(name.to_owned()), ..of(&[key]) },
                None => of(&[Type::Number]),
            };
        }
        if let Some(keyword) = self.keyword(before) {
            if matches!(keyword, Keyword::Ray | Keyword::Xray) {
                return of(&[Type::Set]);
            }
            if matches!(keyword, Keyword::Max | Keyword::Min) {
                return of(&[Type::Number, Type::String]);
            }
            if keyword.class() == KeywordClass::List {
                let operands = keyword.signature().and_then(|signature| signature.operands);
                return of(operands.as_slice());
            }
        }
        // A parenthesis stands for what it encloses.
        let outer = self.after_token(before);
        match outer.after {
            Some(_) => of(&[]),
            None => FilterPlace { parameters: None, is_statement: false, ..outer },
        }
    }

    /// The type of the operand that ends with the token at an index, as far as tokens tell.
    fn type_ending_at(&self, at: usize) -> Option<Type> {
        let token = self.token(at).filter(|_| !self.source.is_too_deep(at))?;
        let literals = [
            (TokenClass::Piece, Type::Set),
            (TokenClass::Number, Type::Number),
            (TokenClass::String, Type::String),
        ];
        let literal = literals.into_iter().find(|(class, _)| *class == token.class);
        let (start, own) = if let Some((_, ty)) = literal {
            (at, Some(ty))
        } else if matches!(token.text, ")" | "]") {
            let open = self.source.opening(at)?;
            let before = open.checked_sub(1);
            match before.and_then(|before| self.keyword(before)) {
                Some(keyword) if keyword.class() == KeywordClass::List => {
                    (open - 1, self.type_of_keyword(keyword))
                }
                _ if token.text == ")" => (open, self.type_ending_at(at.checked_sub(1)?)),
                _ => (before?, self.type_of_entry(self.text(before))),
            }
        } else {
            match self.declaration(token).map(|one| &one.kind) {
                Some(NameKind::Variable(Some(Type::Piece))) => (at, Some(Type::Set)),
                Some(NameKind::Variable(ty)) => (at, *ty),
                Some(NameKind::Function(_) | NameKind::Dictionary(..)) => (at, None),
                None => (at, self.type_of_keyword(token.keyword()?)),
            }
        };
        // A prefix before the operand makes another value of it.
        let prefix = start.checked_sub(1).and_then(|before| self.keyword(before));
        match prefix.and_then(Keyword::signature) {
            Some(signature) if signature.operands.is_some() => Some(signature.ty),
            _ if self.text(start.checked_sub(1)) == "#" => Some(Type::Number),
            _ => own,
        }
    }

    fn type_of_keyword(&self, keyword: Keyword) -> Option<Type> {
        match self.book.types_of(keyword) {
            ValueTypes::Known(types) => types.first().copied(),
            ValueTypes::OfOperands => None,
        }
    }

    /// The type of the values of a dictionary, or a string for a part of one.
    fn type_of_entry(&self, name: &str) -> Option<Type> {
        self.names.iter().find(|one| one.name == name).and_then(|one| match one.kind {
            NameKind::Dictionary(_, value) => Some(value),
            NameKind::Variable(ty) => ty,
            NameKind::Function(_) => None,
        })
    }

    /// The filter before an index whose parameters can follow there, and the ones that it has.
    pub(crate) fn open_filter(&self, at: usize) -> Option<(Keyword, Vec<Keyword>)> {
        let mut between: Vec<usize> = Vec::new();
        let mut next = at;
        while let Some(before) = next.checked_sub(1) {
            if between.len() >= MAX_FILTER_TOKENS {
                return None;
            }
            let token = self.source.tokens[before];
            next = match token.text {
                ")" | "]" | "}" => self.source.opening(before)?,
                "(" | "[" | "{" => return None,
                _ => before,
            };
            if let Some(keyword) = self.keyword(before)
                && !further_parameters(keyword, &[]).is_empty()
                && let Some(present) = self.parameters_between(keyword, &between)
            {
                return Some((keyword, present));
            }
            if is_end_of_parameters(token.text) {
                return None;
            }
            between.push(next);
        }
        None
    }

    /// The parameters in the tokens between a filter and a place, the last token first; `None` if
    /// something else is among them.
    fn parameters_between(&self, filter: Keyword, tokens: &[usize]) -> Option<Vec<Keyword>> {
        let mut present = Vec::new();
        let mut takes_operand = false;
        for &at in tokens.iter().rev() {
            let form =
                self.keyword(at).and_then(|word| Some((word, parameter_form(filter, word)?)));
            if let Some((word, form)) = form {
                present.push(word);
                takes_operand = form == ParameterForm::Operand;
                continue;
            }
            let class = self.source.tokens[at].class;
            let is_range = class == TokenClass::Number || class == TokenClass::String;
            if !takes_operand && !is_range {
                return None;
            }
        }
        Some(present)
    }

    /// The filter whose parameter the token at an index is.
    pub(crate) fn filter_of_parameter(&self, at: usize) -> Option<Keyword> {
        let word = self.keyword(at)?;
        let (filter, _) = self.open_filter(at)?;
        parameter_form(filter, word).map(|_| filter)
    }

    /// Whether the token at an index is in the header.
    pub(crate) fn is_in_header(&self, at: usize) -> bool {
        self.header(at).is_some()
    }

    /// The keys of a dictionary that are strings in the query.
    pub(crate) fn keys_of(&self, dictionary: &str, but: Option<Span>) -> Vec<&'t str> {
        let mut keys = Vec::new();
        for window in self.source.tokens.windows(3) {
            let [name, bracket, key] = window else { continue };
            let is_key = name.text == dictionary
                && bracket.text == "["
                && key.class == TokenClass::String
                && !key.is_open_string()
                && Some(key.span) != but;
            let text = key.text.trim_matches('"');
            if is_key && !text.is_empty() && !keys.contains(&text) {
                keys.push(text);
            }
        }
        keys
    }
}

/// The tag whose value a filter is.
fn tag_of_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "date" => "Date",
        "eco" => "ECO",
        "event" => "Event",
        "eventdate" => "EventDate",
        "site" => "Site",
        _ => return None,
    })
}

fn is_part_of_gbr(word: &str) -> bool {
    matches!(word, "material" | "pieces" | "pawns" | "kings")
}

/// Whether no parameter can follow a token, however the text before it begins.
fn is_end_of_parameters(text: &str) -> bool {
    matches!(
        text,
        "--" | "――"
            | "[x]"
            | "×"
            | "-->"
            | ":"
            | "and"
            | "or"
            | "then"
            | "else"
            | "=="
            | "!="
            | "<"
            | "<="
            | ">"
            | ">="
            | "≠"
            | "≤"
            | "≥"
    ) || is_assignment(text)
}

/// The types of the operand of a parameter.
fn types_of_parameter(word: Keyword) -> Vec<Type> {
    let ty = if word == Keyword::Max {
        Type::Number
    } else if word == Keyword::Title {
        Type::String
    } else {
        Type::Set
    };
    vec![ty]
}
