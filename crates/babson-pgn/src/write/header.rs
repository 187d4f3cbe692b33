//! Writing the tag section.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use babson_chess::fen;

use super::{Annotations, Fragment, Layout};
use crate::game::Game;
use crate::tags::{RawTag, TagForm, TagScanner, cql6};

/// The name and the value of a tag, as they are written.
pub type OutputTag<'a> = (Cow<'a, [u8]>, Cow<'a, [u8]>);

/// Appends the tags and the empty line after them.
pub(super) fn write(
    game: &Game<'_>,
    fragment: Option<Fragment>,
    added: &Annotations<'_>,
    layout: &Layout,
    out: &mut Vec<u8>,
) {
    let is_edited = !added.tags.is_empty() || !added.hidden_tags.is_empty();
    if fragment.is_none() && layout.cql6.is_none() && !is_edited && copy(game, out) {
        return;
    }
    let mut tags = tags(game, added, layout);
    if let Some(Fragment { start, .. }) = fragment {
        tags.retain(|tag| !matches!(&*tag.0, b"FEN" | b"SetUp" | b"PlyCount"));
        let fen = fen::write(game.position(start), game.rules());
        let text = |text: &'static [u8]| Cow::Borrowed(text);
        tags.push((text(b"SetUp"), text(b"1")));
        tags.push((text(b"FEN"), Cow::Owned(fen.into_bytes())));
    }
    for (name, value) in tags {
        append(&name, &value, out);
        out.push(b'\n');
    }
    out.push(b'\n');
}

/// Appends the tags as they are read, and the empty line after them. Returns false if there are no
/// tags.
fn copy(game: &Game<'_>, out: &mut Vec<u8>) -> bool {
    let (text, begin) = (game.text(), out.len());
    let mut has_result = false;
    let tags = TagScanner::new(text, 0).filter(|tag| !tag.name.is_empty());
    for RawTag { name, value, start, end, form } in tags {
        let is_result = !has_result && name == b"Result";
        has_result |= is_result;
        // The brackets, the quotes and a space in its place, and nothing else.
        let is_usual = form != TagForm::Broken
            && end - start == name.len() + value.len() + 5
            && text[start + 1 + name.len()..].starts_with(b" \"");
        if is_usual && (!is_result || value == game.result_tag()) {
            out.extend_from_slice(&text[start..end]);
        } else {
            append(name, if is_result { game.result_tag() } else { value }, out);
        }
        out.push(b'\n');
    }
    let has_tags = out.len() > begin;
    if has_tags {
        out.push(b'\n');
    }
    has_tags
}

/// Appends a tag.
fn append(name: &[u8], value: &[u8], out: &mut Vec<u8>) {
    for part in [b"[", name, b" \"", value, b"\"]"] {
        out.extend_from_slice(part);
    }
}

/// The tags that [`write()`](super::write()) writes, in their order.
pub fn tags<'a>(game: &Game<'a>, added: &Annotations<'a>, layout: &Layout) -> Vec<OutputTag<'a>> {
    let mut tags = match layout.cql6 {
        Some(_) => as_cql6(game, added.tags),
        None => as_read(game, added.tags),
    };
    if !added.hidden_tags.is_empty() {
        let hidden: HashSet<&[u8]> = added.hidden_tags.iter().copied().collect();
        tags.retain(|tag| !hidden.contains(&*tag.0));
    }
    tags
}

/// Sets the values of tags and appends new tags. Of several tags with one name, the first changes.
fn edit<'a>(tags: &mut Vec<OutputTag<'a>>, edits: &[(&'a [u8], &'a [u8])]) {
    if edits.is_empty() {
        return;
    }
    let mut indices: HashMap<Cow<'a, [u8]>, usize> = HashMap::new();
    for (index, tag) in tags.iter().enumerate() {
        indices.entry(tag.0.clone()).or_insert(index);
    }
    for &(name, value) in edits {
        let index = *indices.entry(Cow::Borrowed(name)).or_insert(tags.len());
        match tags.get_mut(index) {
            Some(tag) => tag.1 = Cow::Borrowed(value),
            None => tags.push((Cow::Borrowed(name), Cow::Borrowed(value))),
        }
    }
}

/// The tags of the file with the edits of the query. A game without tags gets the seven tags that
/// PGN requires (PGN 8.1.1). If the game has a termination marker, `Result` gets its value before
/// the edits.
fn as_read<'a>(game: &Game<'a>, edits: &[(&'a [u8], &'a [u8])]) -> Vec<OutputTag<'a>> {
    let borrowed = |(name, value)| (Cow::Borrowed(name), Cow::Borrowed(value));
    // Nearly all games have fewer tags.
    let mut tags: Vec<OutputTag<'a>> = Vec::with_capacity(16);
    tags.extend(game.tags().map(borrowed));
    if tags.is_empty() {
        let unknown = |name: &'static [u8]| match name {
            b"Date" => (name, &b"????.??.??"[..]),
            _ => (name, &b"?"[..]),
        };
        tags.extend(Annotations::ROSTER.map(unknown).map(borrowed));
    }
    if let Some(result) = tags.iter_mut().find(|tag| &*tag.0 == b"Result") {
        result.1 = Cow::Borrowed(game.result_tag());
    }
    edit(&mut tags, edits);
    tags
}

/// The tags in the order of CQL 6.2, with its forms of the values
/// (`docs/src/language/tags.md#in-cql-62`).
fn as_cql6<'a>(game: &Game<'a>, edits: &[(&'a [u8], &'a [u8])]) -> Vec<OutputTag<'a>> {
    let read = cql6::Cql6Tags::read(game.tags());
    let text = |text: String| Cow::Owned(text.into_bytes());
    let plain = |value: Option<&'a [u8]>| cql6::latin1(value.unwrap_or(b"?"));
    let player = |player: &cql6::Player| match &player.name {
        Some(name) => Cow::Owned(cql6::latin1(name).into_owned()),
        None => Cow::Borrowed(&b"?"[..]),
    };
    // Nearly all games have fewer tags.
    let mut tags: Vec<OutputTag<'a>> = Vec::with_capacity(16);
    let values = [
        plain(read.event),
        plain(read.site),
        text(read.date.to_string()),
        plain(read.round),
        player(&read.white),
        player(&read.black),
        Cow::Borrowed(&b"*"[..]),
    ];
    for (name, value) in Annotations::ROSTER.into_iter().zip(values) {
        tags.push((Cow::Borrowed(name), value));
    }
    for (side, player) in [("White", &read.white), ("Black", &read.black)] {
        if player.rating > 0 {
            let name = text(format!("{side}{}", player.rating_kind));
            tags.push((name, text(player.rating.to_string())));
        }
    }
    if let Some(code) = read.eco {
        let value = Cow::Owned(code.as_bytes().to_vec());
        tags.push((Cow::Borrowed(b"ECO"), value));
    }
    if !read.event_date.is_unknown() {
        let value = text(read.event_date.to_string());
        tags.push((Cow::Borrowed(b"EventDate"), value));
    }
    for &(name, value) in read.extra() {
        tags.push((Cow::Borrowed(name), cql6::latin1(value)));
    }
    if read.has_fen && !game.has_bad_fen() {
        let fen = fen::write(game.position(0), game.rules());
        tags.push((Cow::Borrowed(b"FEN"), text(fen)));
    }
    edit(&mut tags, edits);
    if let Some(result) = tags.iter_mut().find(|tag| &*tag.0 == b"Result") {
        result.1 = Cow::Borrowed(game.result().text().as_bytes());
    }
    if let Some(index) = tags.iter().position(|tag| &*tag.0 == b"FEN") {
        let fen = tags.remove(index);
        tags.push(fen);
    }
    tags
}
