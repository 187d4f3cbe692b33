//! The move text: words on lines of at most 79 columns.

use std::borrow::Cow;

use babson_chess::{Color, san};

use super::{Annotated, Layout};
use crate::game::Game;

const WIDTH: usize = 80;

/// Places words and blanks; `column` counts from the last line end.
struct Lines<'o> {
    out: &'o mut Vec<u8>,
    column: usize,
}

impl Lines<'_> {
    fn line_end(&mut self) {
        self.out.push(b'\n');
        self.column = 0;
    }

    fn word(&mut self, word: &[u8]) {
        if self.column + word.len() >= WIDTH && self.column > 0 {
            self.line_end();
        }
        self.raw(word);
    }

    fn raw(&mut self, word: &[u8]) {
        self.out.extend_from_slice(word);
        self.column += word.len();
    }

    fn blank(&mut self) {
        if self.column + 1 >= WIDTH {
            self.line_end();
        } else {
            self.raw(b" ");
        }
    }

    /// Text with its own blanks and line ends.
    fn text(&mut self, text: &[u8]) {
        let mut from = 0;
        for (at, &byte) in text.iter().enumerate() {
            if byte == b' ' || byte == b'\n' {
                if at > from {
                    self.word(&text[from..at]);
                }
                if byte == b' ' {
                    self.blank()
                } else {
                    self.line_end()
                }
                from = at + 1;
            }
        }
        if from < text.len() {
            self.word(&text[from..]);
        }
    }

    fn comment(&mut self, text: &[u8]) {
        self.word(b"{");
        self.text(text);
        self.word(b"}");
    }
}

/// The comments of a node as they are to be written, one per brace pair.
struct Comments<'a> {
    added: Vec<(u32, &'a [u8])>,
    removed: Vec<u32>,
    layout: Layout,
    keep_duplicates: bool,
}

/// `{` and `}` as `_`, and `?` for bytes from 127.
fn printable(text: &mut [u8]) {
    for byte in text {
        *byte = match *byte {
            b'{' | b'}' => b'_',
            127.. => b'?',
            other => other,
        };
    }
}

impl<'a> Comments<'a> {
    fn new(added: &Annotated<'a>, layout: Layout) -> Comments<'a> {
        let mut comments = added.comments.to_vec();
        comments.sort_by_key(|comment| comment.0);
        let mut removed = added.removed.to_vec();
        removed.sort_unstable();
        Comments {
            added: comments,
            removed,
            layout,
            keep_duplicates: added.keep_duplicates,
        }
    }

    /// Section 4.3's merging.
    fn of<'g>(&self, game: &Game<'g>, id: u32) -> Vec<Cow<'g, [u8]>> {
        if self.added.is_empty() && !game.has_comments() {
            return Vec::new();
        }
        let removed = self.removed.binary_search(&id).is_ok();
        let original = if removed { None } else { game.comment(id) };
        let from = self.added.partition_point(|comment| comment.0 < id);
        let mut added: Vec<&[u8]> = Vec::new();
        for &(_, text) in self.added[from..]
            .iter()
            .take_while(|comment| comment.0 == id)
        {
            if !text.is_empty() && (self.keep_duplicates || !added.contains(&text)) {
                added.push(text);
            }
        }
        match self.layout {
            Layout::Cqli => {
                let own = added.iter().map(|text| {
                    // Braces would end the comment; all else is kept.
                    let clean = |&byte: &u8| {
                        if matches!(byte, b'{' | b'}') {
                            b'_'
                        } else {
                            byte
                        }
                    };
                    Cow::Owned(text.iter().map(clean).collect())
                });
                original.into_iter().chain(own).collect()
            }
            Layout::Cql6 if added.is_empty() => original.into_iter().collect(),
            Layout::Cql6 => {
                let mut all = original.map(Cow::into_owned).unwrap_or_default();
                // With `removecomment` the blank after the original comment remains.
                let mut blank = !all.is_empty() || removed && game.comment(id).is_some();
                for text in added {
                    if blank {
                        all.push(b' ');
                    }
                    blank = true;
                    all.extend_from_slice(text);
                }
                printable(&mut all);
                vec![Cow::Owned(all)]
            }
        }
    }
}

/// Adds a number; plainer than `fmt`, which takes longer than the move.
fn number(value: u32, out: &mut String) {
    if value >= 10 {
        number(value / 10, out);
    }
    out.push(char::from(b'0' + (value % 10) as u8));
}

/// What is still to be written, last first.
enum Task {
    /// The subtree of moves that begins with this node; its number is printed in any case.
    Line(u32),
    /// The moves after this node, the number printed if `true`.
    After(u32, bool),
    /// The end of a variation.
    Close,
}

pub(super) fn write(game: &Game<'_>, added: &Annotated<'_>, layout: Layout, out: &mut Vec<u8>) {
    let comments = Comments::new(added, layout);
    let mut lines = Lines { out, column: 0 };
    let initial = comments.of(game, 0);
    for text in &initial {
        lines.word(b"{");
        lines.text(text);
        match layout {
            Layout::Cql6 => {
                // Put without a look at the column.
                lines.raw(b"}");
                lines.line_end();
            }
            Layout::Cqli => {
                lines.word(b"}");
                lines.blank();
            }
        }
    }
    let mut scratch = String::new();
    let mut tasks = vec![Task::After(0, true)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Close => {
                lines.word(b")");
                lines.blank();
            }
            Task::Line(id) => {
                lines.word(b"(");
                lines.blank();
                if let Some(text) = game.variation_comment(id) {
                    lines.comment(&text);
                    lines.blank();
                }
                let commented = write_move(game, id, true, &comments, &mut lines, &mut scratch);
                tasks.push(Task::Close);
                tasks.push(Task::After(id, commented));
            }
            Task::After(parent, numbered) => {
                let Some(id) = game.first_child(parent) else {
                    continue;
                };
                let commented = write_move(game, id, numbered, &comments, &mut lines, &mut scratch);
                let siblings: Vec<u32> = game.children(parent).skip(1).collect();
                tasks.push(Task::After(id, commented || !siblings.is_empty()));
                tasks.extend(siblings.into_iter().rev().map(Task::Line));
            }
        }
    }
    lines.word(game.result().text().as_bytes());
    lines.out.extend_from_slice(b"\n\n\n");
}

/// Writes the number, the move, its glyphs and comments. Whether it has a comment.
fn write_move(
    game: &Game<'_>,
    id: u32,
    numbered: bool,
    comments: &Comments<'_>,
    lines: &mut Lines<'_>,
    scratch: &mut String,
) -> bool {
    let node = game.node(id);
    let before = game.position(node.parent);
    let white = before.side() == Color::White;
    if white || numbered {
        scratch.clear();
        number(before.full_moves(), scratch);
        scratch.push_str(if white { "." } else { "..." });
        lines.word(scratch.as_bytes());
    }
    scratch.clear();
    san::write_between(before, game.position(id), game.rules(), node.mv, scratch);
    lines.word(scratch.as_bytes());
    for nag in game.nags(id) {
        lines.blank();
        scratch.clear();
        scratch.push('$');
        number(u32::from(nag), scratch);
        lines.word(scratch.as_bytes());
    }
    lines.blank();
    let all = comments.of(game, id);
    for text in &all {
        lines.comment(text);
        lines.blank();
    }
    !all.is_empty()
}
