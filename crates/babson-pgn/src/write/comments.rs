//! The comments of each position, as they are written.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashSet;

use super::{Annotations, Layout};
use crate::game::Game;
use crate::limits::{MAX_CQL6_COMMENT, MAX_CQL6_CUT_COMMENT};

/// What CQL 6.2 writes in place of an added comment that is too long.
const TRUNCATED: &[u8] = b"[cql truncate]...";

/// The comments of a game: its original comments, and the comments that the query adds.
pub(super) struct Comments<'a> {
    added: Vec<(u32, &'a [u8])>,
    /// How many of the first ones come before the original comment of the initial position.
    headers: usize,
    removed: Vec<u32>,
    layout: Layout,
    keep_duplicates: bool,
    /// A bit for each node that may have a comment; missing words are zeros.
    nodes: Vec<u64>,
    /// The number of positions whose comments are too long for CQL 6.2.
    pub(super) ignored: Cell<u32>,
}

/// Replaces `{` and `}` by `_`, and bytes from 127 by `?`.
fn printable(text: &mut [u8]) {
    for byte in text {
        *byte = match *byte {
            b'{' | b'}' => b'_',
            127.. => b'?',
            other => other,
        };
    }
}

/// Replaces `{` and `}`, which would end the comment, by `_`.
fn without_braces(text: &[u8]) -> Vec<u8> {
    let clean = |&byte: &u8| match byte {
        b'{' | b'}' => b'_',
        other => other,
    };
    text.iter().map(clean).collect()
}

impl<'a> Comments<'a> {
    pub(super) fn new(game: &Game<'_>, added: &Annotations<'a>, layout: Layout) -> Comments<'a> {
        let mut nodes = Vec::new();
        if !layout.elide_comments && (!added.comments.is_empty() || game.has_comments()) {
            nodes.resize(game.len().div_ceil(64) as usize, 0);
            let added = added.comments.iter().map(|comment| comment.0);
            for node in game.commented_nodes().chain(added) {
                if let Some(word) = nodes.get_mut(node as usize / 64) {
                    *word |= 1 << (node % 64);
                }
            }
        }
        let mut comments = added.comments.to_vec();
        comments.sort_by_key(|comment| comment.0);
        let mut removed = added.removed.to_vec();
        removed.sort_unstable();
        Comments {
            added: comments,
            headers: added.headers,
            removed,
            layout,
            keep_duplicates: added.keep_duplicates,
            nodes,
            ignored: Cell::new(0),
        }
    }

    /// Whether no node has a comment.
    #[inline]
    pub(super) fn are_none(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether the node may have a comment. If not, [`Comments::of`] has no text.
    #[inline]
    pub(super) fn may_have(&self, id: u32) -> bool {
        self.nodes.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 != 0)
    }

    /// The headers, which stand before the original comment of the initial position.
    pub(super) fn headers<'g>(&self) -> Vec<Cow<'g, [u8]>> {
        if self.layout.elide_comments || self.layout.cql6.is_some() {
            return Vec::new();
        }
        let texts = self.added.iter().take(self.headers).filter(|comment| comment.0 == 0);
        let texts = texts.map(|comment| comment.1.trim_ascii());
        texts.filter(|text| !text.is_empty()).map(|text| Cow::Owned(without_braces(text))).collect()
    }

    /// The texts of one node, one for each pair of braces.
    pub(super) fn of<'g>(&self, game: &Game<'g>, id: u32) -> Vec<Cow<'g, [u8]>> {
        if !self.may_have(id) {
            return Vec::new();
        }
        let removed = self.removed.binary_search(&id).is_ok();
        let original = if removed { None } else { game.comment(id) };
        let from = self.added.partition_point(|comment| comment.0 < id);
        if self.added.get(from).is_none_or(|comment| comment.0 != id) {
            return original.into_iter().collect();
        }
        // The original comments have no spaces at their ends, either.
        let trims = self.layout.compact_comments && self.layout.cql6.is_none();
        let mut added: Vec<&[u8]> = Vec::new();
        let mut known = HashSet::new();
        let mut headers = 0;
        for (index, &(_, text)) in
            self.added[from..].iter().take_while(|comment| comment.0 == id).enumerate()
        {
            let text = if trims { text.trim_ascii() } else { text };
            if !text.is_empty() && (known.insert(text) || self.keep_duplicates) {
                added.push(text);
                headers += usize::from(id == 0 && index < self.headers);
            }
        }
        if added.is_empty() {
            return original.into_iter().collect();
        }
        if self.layout.cql6.is_some() && self.layout.coalesce_comments {
            let had_one = removed && game.comment(id).is_some();
            return self.as_cql6(original, had_one, &added);
        }
        let own = |text: &&[u8]| {
            let mut text = without_braces(text);
            if self.layout.cql6.is_some() {
                printable(&mut text);
            }
            Cow::Owned(text)
        };
        let (before, after) = match self.layout.cql6 {
            Some(_) => (&[][..], &added[..]),
            None => added.split_at(headers),
        };
        let all: Vec<Cow<'g, [u8]>> =
            before.iter().map(own).chain(original).chain(after.iter().map(own)).collect();
        match self.layout.coalesce_comments {
            true => vec![Cow::Owned(all.join(&b' '))],
            false => all,
        }
    }

    /// One text for all comments, with the limits of CQL 6.2.
    fn as_cql6<'g>(
        &self,
        original: Option<Cow<'g, [u8]>>,
        removed: bool,
        added: &[&[u8]],
    ) -> Vec<Cow<'g, [u8]>> {
        let mut all = original.as_deref().unwrap_or_default().to_vec();
        // With `removecomment` the space after the original comment remains.
        let mut space = !all.is_empty() || removed;
        for text in added {
            let length = all.len() + usize::from(space) + text.len();
            if length > MAX_CQL6_CUT_COMMENT {
                break;
            }
            if length > MAX_CQL6_COMMENT {
                all.extend_from_slice(TRUNCATED);
                break;
            }
            if space {
                all.push(b' ');
            }
            space = true;
            all.extend_from_slice(text);
        }
        if all.len() > MAX_CQL6_COMMENT {
            self.ignored.set(self.ignored.get() + 1);
            return original.into_iter().collect();
        }
        if all.is_empty() {
            return Vec::new();
        }
        printable(&mut all);
        vec![Cow::Owned(all)]
    }
}
