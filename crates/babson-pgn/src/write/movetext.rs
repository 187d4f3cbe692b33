//! Writing the move text: numbers, moves, glyphs, comments and variations.

use babson_chess::{Color, san};

use super::comments::Comments;
use super::lines::LineWriter;
use super::{Annotations, Layout};
use crate::game::Game;

/// Appends a number. `fmt` would take longer than the move itself.
fn number(value: u32, out: &mut String) {
    if value >= 10 {
        number(value / 10, out);
    }
    out.push(char::from(b'0' + (value % 10) as u8));
}

/// A task on the stack of the writer.
enum WriteTask {
    /// Writes the variation that begins with this node.
    Line(u32),
    /// Writes the moves after this node, the first one with its number if `true`.
    After(u32, bool),
    /// Writes the end of a variation.
    Close,
}

/// Writes the moves and the result. Returns the number of positions with comments that are too long
/// for CQL 6.2.
pub(super) fn write(
    game: &Game<'_>,
    added: &Annotations<'_>,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> u32 {
    let mut writer = Writer {
        game,
        layout,
        comments: Comments::new(added, *layout),
        lines: LineWriter::new(out, layout.width, layout.cql6.is_some()),
        scratch: String::new(),
        glued: Vec::new(),
    };
    writer.all();
    let ignored = writer.comments.ignored.get();
    out.extend_from_slice(b"\n\n\n");
    ignored
}

struct Writer<'w, 'g> {
    game: &'w Game<'g>,
    layout: &'w Layout,
    comments: Comments<'w>,
    lines: LineWriter<'w>,
    scratch: String,
    /// A comment with its braces.
    glued: Vec<u8>,
}

impl Writer<'_, '_> {
    fn all(&mut self) {
        let game = self.game;
        for text in &self.comments.of(game, 0) {
            if self.layout.cql6.is_some() {
                self.open_comment(text);
                // CQL 6.2 writes this brace without a test of the column.
                self.lines.raw(b"}");
                self.lines.line_end();
            } else {
                self.comment(text);
            }
        }
        let mut tasks = vec![WriteTask::After(0, true)];
        while let Some(task) = tasks.pop() {
            match task {
                WriteTask::Close => {
                    if self.layout.compact_variations {
                        self.lines.drop_space();
                    }
                    self.lines.word(b")");
                    self.lines.space();
                }
                WriteTask::Line(id) => {
                    self.lines.word(b"(");
                    if !self.layout.compact_variations {
                        self.lines.space();
                    }
                    if let Some(text) = game.variation_comment(id)
                        && !self.layout.elide_comments
                    {
                        self.comment(&text);
                    }
                    let numbered = self.one_move(id, true);
                    tasks.push(WriteTask::Close);
                    tasks.push(WriteTask::After(id, numbered));
                }
                WriteTask::After(parent, numbered) => {
                    let Some(id) = game.first_child(parent) else {
                        continue;
                    };
                    let numbered = self.one_move(id, numbered);
                    let siblings: Vec<u32> = if self.layout.elide_variations {
                        Vec::new()
                    } else {
                        game.children(parent).skip(1).collect()
                    };
                    tasks.push(WriteTask::After(id, numbered || !siblings.is_empty()));
                    tasks.extend(siblings.into_iter().rev().map(WriteTask::Line));
                }
            }
        }
        self.lines.word(game.result().text().as_bytes());
    }

    fn open_comment(&mut self, text: &[u8]) {
        self.lines.word(b"{");
        if !self.layout.compact_comments {
            self.lines.space();
        }
        self.lines.text(text);
        if !self.layout.compact_comments {
            self.lines.space();
        }
    }

    /// Writes a comment in braces, and a space. In the layout of CQL 6.2 braces are words of their
    /// own; in that of CQLi lines break only at spaces.
    fn comment(&mut self, text: &[u8]) {
        if self.layout.cql6.is_some() || !self.layout.compact_comments {
            self.open_comment(text);
            self.lines.word(b"}");
        } else {
            self.glued.clear();
            self.glued.push(b'{');
            self.glued.extend_from_slice(text);
            self.glued.push(b'}');
            self.lines.text(&self.glued);
        }
        self.lines.space();
    }

    /// Writes the number, the move, its glyphs and its comments. Returns whether the next move
    /// needs a number.
    fn one_move(&mut self, id: u32, numbered: bool) -> bool {
        let (game, layout) = (self.game, self.layout);
        let node = game.node(id);
        let before = game.position(node.parent);
        let white = before.side() == Color::White;
        let scratch = &mut self.scratch;
        scratch.clear();
        if (white || numbered) && layout.move_numbers {
            number(before.full_moves(), scratch);
            scratch.push_str(if white { "." } else { "..." });
            if layout.split_moves {
                self.lines.word(scratch.as_bytes());
                scratch.clear();
                if !layout.compact_moves {
                    self.lines.space();
                }
            } else if !layout.compact_moves {
                scratch.push(' ');
            }
        }
        san::write_between(before, game.position(id), game.rules(), node.mv, scratch);
        self.lines.word(scratch.as_bytes());
        let mut number_next = false;
        if !layout.elide_nags {
            for nag in game.nags(id) {
                self.lines.space();
                scratch.clear();
                scratch.push('$');
                number(u32::from(nag), scratch);
                self.lines.word(scratch.as_bytes());
                number_next |= layout.number_after_nag;
            }
        }
        self.lines.space();
        for text in &self.comments.of(game, id) {
            self.comment(text);
            number_next |= layout.number_after_comment;
        }
        number_next
    }
}
