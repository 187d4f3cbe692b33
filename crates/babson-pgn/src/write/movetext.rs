//! The move text: numbers, moves, glyphs, comments, variations.

use babson_chess::{Color, san};

use super::comments::Comments;
use super::lines::Lines;
use super::{Annotated, Layout};
use crate::game::Game;

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

/// Writes moves and result. Returns how many positions have comments that are too long for CQL 6.2.
pub(super) fn write(
    game: &Game<'_>,
    added: &Annotated<'_>,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> u32 {
    let mut writer = Writer {
        game,
        layout,
        comments: Comments::new(added, *layout),
        lines: Lines::new(out, layout.width, layout.cql6.is_some()),
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
    lines: Lines<'w>,
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
                // Put without a look at the column.
                self.lines.raw(b"}");
                self.lines.line_end();
            } else {
                self.comment(text);
            }
        }
        let mut tasks = vec![Task::After(0, true)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Close => {
                    if self.layout.compact_variations {
                        self.lines.drop_blank();
                    }
                    self.lines.word(b")");
                    self.lines.blank();
                }
                Task::Line(id) => {
                    self.lines.word(b"(");
                    if !self.layout.compact_variations {
                        self.lines.blank();
                    }
                    if let Some(text) = game.variation_comment(id)
                        && !self.layout.elide_comments
                    {
                        self.comment(&text);
                    }
                    let numbered = self.one_move(id, true);
                    tasks.push(Task::Close);
                    tasks.push(Task::After(id, numbered));
                }
                Task::After(parent, numbered) => {
                    let Some(id) = game.first_child(parent) else {
                        continue;
                    };
                    let numbered = self.one_move(id, numbered);
                    let siblings: Vec<u32> = if self.layout.elide_variations {
                        Vec::new()
                    } else {
                        game.children(parent).skip(1).collect()
                    };
                    tasks.push(Task::After(id, numbered || !siblings.is_empty()));
                    tasks.extend(siblings.into_iter().rev().map(Task::Line));
                }
            }
        }
        self.lines.word(game.result().text().as_bytes());
    }

    fn open_comment(&mut self, text: &[u8]) {
        self.lines.word(b"{");
        if !self.layout.compact_comments {
            self.lines.blank();
        }
        self.lines.text(text);
        if !self.layout.compact_comments {
            self.lines.blank();
        }
    }

    /// A comment in braces, and the blank after it. In CQL 6.2's layout braces are words of their
    /// own, in CQLi's lines break at blanks only.
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
        self.lines.blank();
    }

    /// Writes the number, the move, its glyphs and comments. Whether the next move is numbered.
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
                    self.lines.blank();
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
                self.lines.blank();
                scratch.clear();
                scratch.push('$');
                number(u32::from(nag), scratch);
                self.lines.word(scratch.as_bytes());
                number_next |= layout.number_after_nag;
            }
        }
        self.lines.blank();
        for text in &self.comments.of(game, id) {
            self.comment(text);
            number_next |= layout.number_after_comment;
        }
        number_next
    }
}
