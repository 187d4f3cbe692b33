//! The tag section.

use std::borrow::Cow;

use babson_chess::fen;

use super::{Annotated, Layout};
use crate::game::Game;
use crate::tags::normal;

type Tag<'a> = (Cow<'a, [u8]>, Cow<'a, [u8]>);

const RATINGS: [&str; 7] = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "BCF"];

fn line(out: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    out.push(b'[');
    out.extend_from_slice(name);
    out.extend_from_slice(b" \"");
    out.extend_from_slice(value);
    out.extend_from_slice(b"\"]\n");
}

pub(super) fn write(game: &Game<'_>, added: &Annotated<'_>, layout: &Layout, out: &mut Vec<u8>) {
    if layout.cql6.is_some() {
        as_cql6(game, added, out);
    } else {
        as_read(game, added, out);
    }
    out.push(b'\n');
}

/// Changes tags, and appends new ones.
fn edit<'a>(tags: &mut Vec<Tag<'a>>, edits: &[(&'a [u8], &'a [u8])]) {
    for &(name, value) in edits {
        match tags.iter_mut().find(|tag| &*tag.0 == name) {
            Some(tag) => tag.1 = Cow::Borrowed(value),
            None => tags.push((Cow::Borrowed(name), Cow::Borrowed(value))),
        }
    }
}

/// The tags as they stand in the file, edited (cqli.md section 16); a game without any has those
/// that every game should have. The result is the marker's, which wins over the tag's.
fn as_read(game: &Game<'_>, added: &Annotated<'_>, out: &mut Vec<u8>) {
    let mut tags: Vec<Tag<'_>> = Vec::new();
    for (name, value) in game.tags() {
        tags.push((Cow::Borrowed(name), Cow::Borrowed(value)));
    }
    if tags.is_empty() {
        for name in Annotated::ROSTER {
            tags.push((Cow::Borrowed(name), Cow::Borrowed(unknown(name))));
        }
    }
    if let Some(result) = tags.iter_mut().find(|tag| &*tag.0 == b"Result") {
        result.1 = Cow::Borrowed(game.result_tag());
    }
    edit(&mut tags, added.tags);
    for (name, value) in &tags {
        if !added.hidden_tags.contains(&&**name) {
            line(out, name, value);
        }
    }
}

/// What a tag says that has nothing to say.
fn unknown(name: &[u8]) -> &'static [u8] {
    match name {
        b"Date" => b"????.??.??",
        _ => b"?",
    }
}

/// CQL 6.2's values and order (evaluation-and-output.md section 8.1).
fn as_cql6(game: &Game<'_>, added: &Annotated<'_>, out: &mut Vec<u8>) {
    let mut tags: Vec<Tag<'_>> = Vec::new();
    for (name, value) in game.tags() {
        // Of equal names the first one counts.
        if !tags.iter().any(|tag| &*tag.0 == name) {
            tags.push((Cow::Borrowed(name), Cow::Borrowed(value)));
        }
    }
    rewrite(game, &mut tags);
    edit(&mut tags, added.tags);
    let hidden = |name: &[u8]| added.hidden_tags.contains(&name);
    for name in Annotated::ROSTER.into_iter().filter(|name| !hidden(name)) {
        let value = tags.iter().find(|tag| &*tag.0 == name).map(|tag| &*tag.1);
        let value = match name {
            b"Result" => game.result().text().as_bytes(),
            b"Date" => value
                .filter(|value| !value.is_empty())
                .unwrap_or(unknown(name)),
            _ => value.unwrap_or(unknown(name)),
        };
        line(out, name, value);
    }
    tags.retain(|tag| !Annotated::ROSTER.contains(&&*tag.0) && !hidden(&tag.0));
    for side in ["White", "Black"] {
        let found = RATINGS.iter().find_map(|rating| {
            let name = format!("{side}{rating}");
            tags.iter().position(|tag| *tag.0 == *name.as_bytes())
        });
        if let Some(index) = found {
            let (name, value) = tags.remove(index);
            line(out, &name, &value);
        }
    }
    for name in [&b"ECO"[..], b"EventDate"] {
        if let Some(index) = tags.iter().position(|tag| &*tag.0 == name) {
            let (name, value) = tags.remove(index);
            line(out, &name, &value);
        }
    }
    let fen = tags
        .iter()
        .position(|tag| &*tag.0 == b"FEN")
        .map(|index| tags.remove(index));
    tags.extend(fen);
    for (name, value) in &tags {
        line(out, name, value);
    }
}

/// Rewrites values as CQL 6.2 does before it looks at them.
fn rewrite<'a>(game: &Game<'a>, tags: &mut Vec<Tag<'a>>) {
    let mut ratings = Vec::new();
    tags.retain_mut(|(name, value)| {
        if let Cow::Owned(bytes) = normal::latin1(value) {
            *value = Cow::Owned(bytes);
        }
        match &**name {
            b"White" | b"Black" => {
                let (text, rating) = normal::name(value);
                if let Some(rating) = rating {
                    ratings.push((name.clone(), rating));
                }
                *value = Cow::Owned(text);
            }
            b"Date" | b"EventDate" => *value = Cow::Owned(normal::date(value).into_bytes()),
            b"ECO" => match normal::eco(value).map(<[u8]>::to_vec) {
                Some(code) => *value = Cow::Owned(code),
                None => return false,
            },
            b"FEN" if value.trim_ascii().is_empty() => return false,
            b"FEN" => {
                let text = fen::write(game.position(0), game.rules());
                *value = Cow::Owned(text.into_bytes());
            }
            other => {
                let is_rating = other
                    .strip_prefix(b"White")
                    .or(other.strip_prefix(b"Black"))
                    .is_some_and(|rest| RATINGS.iter().any(|rating| rating.as_bytes() == rest));
                if is_rating {
                    match normal::elo(value) {
                        Some(number) => *value = Cow::Owned(number.to_string().into_bytes()),
                        None => return false,
                    }
                }
            }
        }
        true
    });
    for (side, rating) in ratings {
        let has = RATINGS.iter().any(|kind| {
            let name = [&*side, kind.as_bytes()].concat();
            tags.iter().any(|tag| *tag.0 == *name)
        });
        if !has {
            let name = [&*side, b"Elo"].concat();
            tags.push((
                Cow::Owned(name),
                Cow::Owned(rating.to_string().into_bytes()),
            ));
        }
    }
}
