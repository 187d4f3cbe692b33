//! Writing the move text: numbers, moves, glyphs, comments and variations.

use babson_chess::{Color, processor, san};

use super::comments::Comments;
use super::lines::{LineRest, LineWriter};
use super::short_word::ShortWord;
use super::{Annotations, Fragment, Layout};
use crate::game::Game;

/// With a dot and two spaces, the greatest move number of a short word.
const MAX_SHORT_NUMBER: u32 = 99_999;

/// A task on the stack of the writer.
enum WriteTask {
    /// Writes the variation that begins with this node.
    Line(u32),
    /// Writes the moves after this node, the first one with its number if `true`.
    After(u32, bool),
    /// Writes the end of a variation.
    Close,
}

/// Writes the moves of a part of a game and the result. Returns the number of positions with
/// comments that are too long for CQL 6.2.
pub(super) fn write(
    game: &Game<'_>,
    fragment: Fragment,
    added: &Annotations<'_>,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> u32 {
    let first_ply = u32::from(game.node(fragment.start).ply);
    let last_ply = fragment.plies.map_or(u32::MAX, |plies| first_ply.saturating_add(plies));
    let mut writer = Writer {
        game,
        layout,
        comments: Comments::new(game, added, *layout),
        lines: LineWriter::new(out, layout.width, layout.cql6.is_some()),
        has_glyphs: game.has_glyphs() && !layout.elide_nags,
        glued: Vec::new(),
        last_ply: u16::try_from(last_ply).unwrap_or(u16::MAX),
    };
    writer.all(fragment.start);
    let ignored = writer.comments.ignored.get();
    out.extend_from_slice(b"\n\n\n");
    ignored
}

struct Writer<'w, 'g> {
    game: &'w Game<'g>,
    layout: &'w Layout,
    comments: Comments<'w>,
    lines: LineWriter<'w>,
    has_glyphs: bool,
    /// A comment with its braces.
    glued: Vec<u8>,
    /// The ply of the last moves that are written.
    last_ply: u16,
}

impl Writer<'_, '_> {
    fn all(&mut self, start: u32) {
        let game = self.game;
        let mut comments = if start == 0 { Vec::new() } else { self.comments.headers() };
        comments.extend(self.comments.of(game, start));
        for text in &comments {
            if self.layout.cql6.is_some() {
                self.open_comment(text);
                // CQL 6.2 writes this brace without a test of the column.
                self.lines.raw(b"}");
                self.lines.line_end();
            } else {
                self.comment(text);
            }
        }
        let mut tasks = vec![WriteTask::After(start, true)];
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
                WriteTask::After(parent, numbered) => self.moves(parent, numbered, &mut tasks),
            }
        }
        self.lines.word(game.result().text().as_bytes());
    }

    /// Writes the moves after a node up to the first one with variations. These, and the moves
    /// after them, become tasks.
    fn moves(&mut self, node: u32, mut numbered: bool, tasks: &mut Vec<WriteTask>) {
        let (game, mut parent) = (self.game, node);
        loop {
            if !numbered && self.lines.has_space() && !self.has_glyphs {
                parent = self.rest_of_line(parent);
            }
            let next = game.first_child(parent).filter(|&id| game.node(id).ply <= self.last_ply);
            let Some(id) = next else { return };
            numbered = self.one_move(id, numbered);
            if !self.layout.elide_variations && game.next_sibling(id).is_some() {
                tasks.push(WriteTask::After(id, true));
                let first = tasks.len();
                tasks.extend(game.children(parent).skip(1).map(WriteTask::Line));
                tasks[first..].reverse();
                return;
            }
            parent = id;
        }
    }

    /// Writes the next moves after a node that have no comments and no variations, as many as fit
    /// on the line. Returns the node of the last one. A space must be pending, and no move may have
    /// a glyph.
    fn rest_of_line(&mut self, node: u32) -> u32 {
        let Writer { game, layout, comments, lines, last_ply, .. } = self;
        processor::dispatch(
            #[inline(always)]
            || {
                lines.fill(
                    #[inline(always)]
                    |rest| fill(rest, game, node, layout, comments, *last_ply),
                )
            },
        )
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

    /// Writes a comment in braces, and a space. In the layout of CQL 6.2, and where spaces stand
    /// inside braces, a line may break after `{` and before `}`. Otherwise the braces stay attached
    /// to the words next to them.
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

    /// Writes a move after its number.
    fn numbered(&mut self, number: u32, white: bool, mv: ShortWord) {
        let number = ShortWord::number(number);
        let dots = if white { ShortWord::DOT } else { ShortWord::DOTS };
        let layout = self.layout;
        if layout.compact_moves
            && (!layout.split_moves || self.lines.fits(number.len() + dots.len() + mv.len()))
        {
            self.lines.short([number, dots, mv]);
        } else if layout.split_moves {
            self.lines.short([number, dots]);
            if !layout.compact_moves {
                self.lines.space();
            }
            self.lines.short([mv]);
        } else {
            self.lines.short([number, dots, ShortWord::SPACE, mv]);
        }
    }

    /// Writes the number, the move, its glyphs and its comments. Returns whether the next move
    /// needs a number.
    fn one_move(&mut self, id: u32, numbered: bool) -> bool {
        let (game, layout) = (self.game, self.layout);
        let node = game.node(id);
        let before = game.position(node.parent);
        let white = before.side() == Color::White;
        let (next, rules) = (game.position(id), game.rules());
        let mv = san::write_in_line(before, next, rules, node.mv, || goes_on(game, id)).into();
        if (white || numbered) && layout.move_numbers {
            self.numbered(before.full_moves(), white, mv);
        } else {
            self.lines.short([mv]);
        }
        let mut number_next = false;
        if self.has_glyphs {
            for nag in game.nags(id) {
                self.lines.space();
                self.lines.short([ShortWord::GLYPH, ShortWord::number(u32::from(nag))]);
                number_next |= layout.number_after_nag;
            }
        }
        self.lines.space();
        if self.comments.may_have(id) {
            for text in &self.comments.of(game, id) {
                self.comment(text);
                number_next |= layout.number_after_comment;
            }
        }
        number_next
    }
}

/// Whether a legal move was played after the move of a node.
#[inline(always)]
pub(super) fn goes_on(game: &Game<'_>, id: u32) -> bool {
    game.first_child(id).is_some_and(|child| !game.node(child).mv.is_null())
}

/// [`Writer::rest_of_line`] on the rest of a line.
#[inline(always)]
fn fill(
    rest: &mut LineRest<'_>,
    game: &Game<'_>,
    node: u32,
    layout: &Layout,
    comments: &Comments<'_>,
    last_ply: u16,
) -> u32 {
    let end = game.node(node).subtree_end;
    let range = node as usize + 1..end as usize;
    let nodes = game.nodes()[range.clone()].iter().zip(&game.positions()[range]);
    let after_dot = if layout.compact_moves { ShortWord::EMPTY } else { ShortWord::SPACE };
    let dot = ShortWord::DOT.then(after_dot);
    let (mut before, mut last) = (game.position(node), node);
    let has_comments = !comments.are_none();
    for (node, next) in nodes {
        let id = last + 1;
        // The subtree of a move without alternatives ends where the one of its parent does.
        if node.subtree_end != end || node.ply > last_ply || has_comments && comments.may_have(id) {
            break;
        }
        let goes_on = || goes_on(game, id);
        let mv = san::write_in_line(before, next, game.rules(), node.mv, goes_on);
        let is_numbered = before.side() == Color::White && layout.move_numbers;
        let number = match before.full_moves() {
            _ if !is_numbered => ShortWord::EMPTY,
            number @ ..=MAX_SHORT_NUMBER => ShortWord::number(number).then(dot),
            _ => break,
        };
        if !rest.push(number, mv.into()) {
            break;
        }
        (before, last) = (next, id);
    }
    last
}
