//! The answers for queries of CQL 3.

mod lists;
mod tags_and_sums;

use babson_cql3::{KeywordList, keywords_in};
use babson_lang::Span;
use babson_lang::hir::{Content, Expr, ExprKind, GameResult};
use babson_lang::text::TokenClass;

pub(crate) use lists::{inlay_hints, signature, symbols};
pub(crate) use tags_and_sums::{definition, references, rename, renamed_place};

use crate::answer::{Hover, Item, ItemKind, MeaningToken, ReferenceKind, TokenMeaning};
use crate::markdown::{code, described, entries_shown};
use crate::options::Options;
use crate::source::{Source, SourceToken, span};
use crate::squares;
use tags_and_sums::{Cql3NameKind, Name, name_at, names, written_name};

/// The keyword that a token is, without its colon.
fn keyword_of(token: &SourceToken<'_>) -> Option<&'static str> {
    babson_lang::cql3::keyword(token.text.strip_prefix(':')?)
}

/// The file of games that the query names.
pub(crate) fn input_of(source: &Source<'_>) -> Option<String> {
    let at = source.tokens.iter().position(|token| keyword_of(token) == Some("pgn"))?;
    let name = written_name(source.tokens.get(at + 1)?)?;
    Some(name.text(source.text).to_owned())
}

/// What can be written at an offset.
pub(crate) fn complete(source: &Source<'_>, offset: usize, options: &Options) -> Vec<Item> {
    if source.comment_at(offset).is_some() || source.string_at(offset).is_some() {
        return Vec::new();
    }
    let is_at = |token: &&SourceToken<'_>| {
        let is_word = token.class != TokenClass::Symbol && token.class != TokenClass::String;
        is_word && (token.span.start as usize) < offset && offset <= token.span.end as usize
    };
    let word = source.tokens.iter().find(is_at);
    let place = word.map_or(span(offset, offset), |word| word.span);
    let prefix = source.text.get(place.start as usize..offset).unwrap_or("").to_ascii_lowercase();
    let before = source.tokens.iter().rfind(|token| token.span.end <= place.start);
    let item = |label: String, kind, doc| {
        let insert = label.clone();
        Item { label, kind, insert, doc, span: place }
    };
    match before.and_then(keyword_of) {
        Some("result") => {
            let results = GameResult::ALL.into_iter().map(|result| result.name().to_owned());
            let fitting = results.filter(|result| result.starts_with(&prefix));
            return fitting.map(|result| item(result, ItemKind::Value, None)).collect();
        }
        Some(keyword @ ("tagmatch" | "sumrange" | "accumulate")) => {
            let is_tag = keyword == "tagmatch";
            let labels = declared(source, is_tag, place).map(str::to_owned);
            let fitting = labels.filter(|name| name.to_ascii_lowercase().starts_with(&prefix));
            return fitting.map(|name| item(name, ItemKind::Variable, None)).collect();
        }
        Some(_) | None => {}
    }
    let at = source.tokens.partition_point(|token| token.span.end <= place.start);
    if begins_list(source, at) && "position".starts_with(&prefix) {
        let doc = "a list of conditions on a position".to_owned();
        return vec![item("position".to_owned(), ItemKind::Keyword, Some(doc))];
    }
    let tags = declared(source, true, place).map(|tag| format!("${tag}"));
    let tags =
        tags.filter(|tag| prefix.starts_with('$') && tag.to_ascii_lowercase().starts_with(&prefix));
    let book = options.entries();
    let keywords = list_at(source, at).map(keywords_in).unwrap_or_default();
    let keywords = keywords.into_iter().map(|name| format!(":{name}"));
    let fitting = keywords.filter(|word| {
        word.starts_with(&prefix) || !prefix.is_empty() && word[1..].starts_with(&prefix)
    });
    let keyword = |word: String| {
        let doc = book.of(&word).map(described);
        item(word, ItemKind::Keyword, doc)
    };
    let tags = tags.map(|tag| item(tag, ItemKind::Variable, None));
    tags.chain(fitting.map(keyword)).collect()
}

/// Whether the token at an index is the first of a list that is not the list of a keyword.
fn begins_list(source: &Source<'_>, at: usize) -> bool {
    let Some(open) = at.checked_sub(1).filter(|&open| source.tokens[open].text == "(") else {
        return false;
    };
    open.checked_sub(1).is_some_and(|before| keyword_of(&source.tokens[before]).is_none())
}

/// The list that the token at an index is in, if it can have keywords.
fn list_at(source: &Source<'_>, at: usize) -> Option<KeywordList> {
    let open = source.opening(at)?;
    let before = open.checked_sub(1).and_then(|before| keyword_of(&source.tokens[before]));
    match source.tokens.get(open + 1)?.text {
        "match" => Some(KeywordList::Match),
        "position" => Some(KeywordList::Position),
        _ if before == Some("relation") => Some(KeywordList::Relation),
        _ => None,
    }
}

/// The tags, or the sums, that are declared elsewhere than at a place.
fn declared<'t>(
    source: &Source<'t>,
    is_tag: bool,
    place: Span,
) -> impl Iterator<Item = &'t str> + use<'t> {
    let declared = names(source).into_iter().filter(move |name| {
        let is_kind = (name.kind == Cql3NameKind::Tag) == is_tag;
        is_kind && name.role == ReferenceKind::Declaration && name.place != place
    });
    declared.map(|name| name.text)
}

/// What is known about an offset.
pub(crate) fn hover(source: &Source<'_>, offset: usize, options: &Options) -> Option<Hover> {
    let holds = |token: &&SourceToken<'_>| {
        (token.span.start as usize) <= offset && offset < token.span.end as usize
    };
    let token = source.tokens.iter().find(holds)?;
    if token.class == TokenClass::String || token.class == TokenClass::Symbol {
        return None;
    }
    let (place, text) = (token.span, token.text);
    let analysis = babson_cql3::analyze(source.text, source.dialect).ok();
    let mut innermost: Option<Expr> = None;
    for filter in analysis.iter().flat_map(|analysis| &analysis.query.body) {
        find(filter, place, &mut innermost);
    }
    let mut parts = Vec::new();
    if let Some(e) = innermost.filter(|e| e.span == place) {
        parts.push(code(&format!("{text}: {}", e.ty.name())));
        if let ExprKind::Designator(designator) = &e.kind
            && designator.content != Content::default()
        {
            let pieces = squares::pieces(designator.content);
            parts.push(format!("{pieces} on {}", squares::list(designator.squares)));
        }
    }
    if text.starts_with(':') {
        let book = options.entries();
        parts.extend(book.of(text).and_then(|entry| entries_shown(&[entry], options)));
    }
    parts.extend(name_at(source, offset).map(|name| meaning_of(source, &name)));
    (!parts.is_empty()).then(|| Hover { span: place, markdown: parts.join("\n\n") })
}

/// Finds the smallest node around a place.
fn find(e: &Expr, place: Span, found: &mut Option<Expr>) {
    let holds = e.span.start <= place.start && place.end <= e.span.end;
    let length = |e: &Expr| e.span.end - e.span.start;
    if holds && found.as_ref().is_none_or(|other| length(e) <= length(other)) {
        *found = Some(e.clone());
    }
    e.for_each_operand(&mut |operand| find(operand, place, found));
}

/// What a name means: what its declaration says.
fn meaning_of(source: &Source<'_>, name: &Name<'_>) -> String {
    let text = name.text;
    if name.kind != Cql3NameKind::Tag {
        return format!("`{text}`: a sum of its list, which begins with 0 at each position");
    }
    let is_declaration =
        |one: &Name<'_>| one.is_same(name) && one.role == ReferenceKind::Declaration;
    let declaration = names(source).into_iter().find(is_declaration);
    let pieces = declaration.and_then(|one| source.tokens.get(one.at + 1));
    match pieces.filter(|pieces| pieces.class == TokenClass::Piece) {
        Some(pieces) => format!("`{text}`: a tag, one piece of `{}`", pieces.text),
        None => format!("`{text}`: a tag"),
    }
}

/// The tokens of a query of CQL 3 with what they mean. A word with a colon is a keyword, any other
/// word a designator or a name.
pub(crate) fn meaning_tokens(source: &Source<'_>) -> Vec<MeaningToken> {
    let names = names(source);
    let comment = |&span: &Span| MeaningToken {
        span,
        meaning: TokenMeaning::Comment,
        is_declaration: false,
        is_write: false,
    };
    let token = |(at, token): (usize, &SourceToken<'_>)| {
        // A designator with a tag is a designator.
        let name = names.binary_search_by_key(&at, |name| name.at).ok().map(|found| &names[found]);
        let name = name.filter(|_| !token.text.starts_with('$'));
        let meaning = match name {
            Some(_) => TokenMeaning::Variable,
            // The name of a file or of a player.
            None if token.class == TokenClass::Name => TokenMeaning::String,
            None => TokenMeaning::of_class(token.class),
        };
        MeaningToken {
            span: token.span,
            meaning,
            is_declaration: name.is_some_and(|name| name.role == ReferenceKind::Declaration),
            is_write: name.is_some_and(|name| name.role != ReferenceKind::Read),
        }
    };
    let tokens = source.tokens.iter().enumerate().map(token);
    let mut all: Vec<MeaningToken> = tokens.chain(source.comments.iter().map(comment)).collect();
    all.sort_by_key(|token| token.span.start);
    all
}
