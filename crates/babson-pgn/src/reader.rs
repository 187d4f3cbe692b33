//! Replaying the text of one game into a flat arena.
//!
//! The main line comes first; a variation is only noted where it stands and read when the lines
//! around it are done. Notes are taken from a stack, so that nodes come out in position-id order
//! without being moved, and no nest is too deep.

use babson_chess::{Move, Numbering, PieceIds, Position, Rules, SanError, Variant, fen, san};

use crate::damage::{Damage, Reason};
use crate::game::{Game, GameResult, Node};
use crate::scan::{Braces, Nest, variation_end};
use crate::split::{may_hold_two, rest_of_game};
use crate::tags::skip_section;
use crate::token::{Lexer, Token, result_at};

/// The number of positions that a game may have before the reader gives up on it.
pub const MAX_POSITIONS: usize = 1_000_000;

const BLANK: u8 = 1;
const DIGIT: u8 = 2;
/// Begins a move.
const MOVE: u8 = 4;
/// May stand inside a move.
const CORE: u8 = 8;

static CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' | b'\n' => BLANK,
            b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'O' => MOVE | CORE,
            b'0'..=b'9' => DIGIT | CORE,
            b'x' | b'=' | b'-' => CORE,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// Skips white space and move numbers that end in dots.
#[inline(always)]
fn skip_plain(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text.get(at) {
        let class = CLASS[byte as usize];
        if class & BLANK != 0 {
            at += 1;
        } else if class & DIGIT != 0 {
            let mut end = at + 1;
            while let Some(&byte) = text.get(end)
                && byte.is_ascii_digit()
            {
                end += 1;
            }
            if text.get(end) != Some(&b'.') {
                return at;
            }
            while text.get(end) == Some(&b'.') {
                end += 1;
            }
            at = end;
        } else {
            return at;
        }
    }
    at
}

/// The number of damages of one game that are reported one by one.
const MAX_REPORTS: usize = 1000;

/// The number of comments, and of glyphs, that one game may have.
const MAX_ANNOTATIONS: usize = 1 << 22;

/// What a query asks of the replay; nothing else is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Needs {
    /// Moves and positions. Without them a game has its initial position only.
    pub moves: bool,
    /// Variations; without them the main line has the same ids as with them.
    pub variations: bool,
    /// Comments and glyphs.
    pub comments: bool,
    /// A table of piece identities for every position.
    pub piece_ids: bool,
}

impl Needs {
    /// Tags and result only.
    pub const TAGS: Needs = Needs {
        moves: false,
        variations: false,
        comments: false,
        piece_ids: false,
    };
    /// The positions of the main line.
    pub const MAIN_LINE: Needs = Needs {
        moves: true,
        ..Needs::TAGS
    };
    /// Everything but piece identities: what the writer needs.
    pub const ALL: Needs = Needs {
        variations: true,
        comments: true,
        ..Needs::MAIN_LINE
    };

    /// What either asks for.
    #[must_use]
    pub const fn union(self, other: Needs) -> Needs {
        Needs {
            moves: self.moves || other.moves,
            variations: self.variations || other.variations,
            comments: self.comments || other.comments,
            piece_ids: self.piece_ids || other.piece_ids,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CommentRange {
    pub(crate) node: u32,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) before: bool,
}

/// A variation that waits for its turn.
#[derive(Clone, Copy, Debug)]
struct Pending {
    /// The text after its `(`.
    at: usize,
    parent: u32,
}

/// Everything of the current game; the buffers are kept from game to game.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    /// Only the first `len` are alive.
    pub(crate) positions: Vec<Position>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) len: usize,
    pub(crate) main_len: usize,
    pub(crate) rules: Rules,
    pub(crate) result: GameResult,
    pub(crate) has_result: bool,
    pub(crate) comments: Vec<CommentRange>,
    pub(crate) nags: Vec<(u32, u8)>,
    pub(crate) damages: Vec<Damage>,
    pub(crate) piece_ids: Vec<PieceIds>,
}

/// Reads games one after another; keeps its buffers between them.
#[derive(Clone, Debug)]
pub struct Reader {
    arena: Arena,
    braces: Braces,
    nest: Nest,
    pending: Vec<Pending>,
    before: Vec<(usize, usize)>,
    max_positions: usize,
    numbering: Numbering,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader::new()
    }
}

/// How a line came to its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    /// At its `)`, its result or the end of the text.
    Complete,
    /// By damage.
    Damaged,
    /// The game has too many positions.
    Full,
}

impl Reader {
    /// A reader with small buffers and the default limit on positions.
    pub fn new() -> Reader {
        Reader {
            arena: Arena {
                positions: vec![Position::start(); 256],
                nodes: vec![Node::ROOT; 256],
                len: 1,
                main_len: 1,
                rules: Rules::STANDARD,
                result: GameResult::Unknown,
                has_result: false,
                comments: Vec::new(),
                nags: Vec::new(),
                damages: Vec::new(),
                piece_ids: Vec::new(),
            },
            braces: Braces::default(),
            nest: Nest::default(),
            pending: Vec::new(),
            before: Vec::new(),
            max_positions: MAX_POSITIONS,
            numbering: Numbering::A1,
        }
    }

    /// Changes the limit on positions of a game (at least 1).
    #[must_use]
    pub fn with_max_positions(mut self, limit: usize) -> Reader {
        self.max_positions = limit.clamp(1, u32::MAX as usize - 1);
        self
    }

    /// Chooses how piece identities are numbered; by default as CQL 6.2 does.
    #[must_use]
    pub fn with_numbering(mut self, numbering: Numbering) -> Reader {
        self.numbering = numbering;
        self
    }

    /// Reads the first game of `text`, nearly always all of it: [`Games`](crate::Games) yields
    /// single games. [`Game::consumed`] tells where a next game in the slice would begin.
    ///
    /// Never fails: what is wrong with a game is told by [`Game::damages`].
    pub fn read<'g>(&'g mut self, text: &'g [u8], needs: Needs) -> Game<'g> {
        self.clear();
        let whole = text;
        let text = &text[..text.len().min(u32::MAX as usize - 1)];
        if text.len() < whole.len() {
            self.damage(text.len(), text.len(), Reason::TextTooLong, true);
        }
        if let Some(nul) = memchr::memchr(0, text) {
            self.damage(nul, nul + 1, Reason::NulByte, true);
        }
        let (start, playable) = self.tags(text);
        let end = if needs.moves && playable {
            self.moves(text, start, needs)
        } else {
            self.result_only(text, start)
        };
        self.finish(needs.variations);
        if needs.piece_ids {
            self.number_pieces();
        }
        let length = if end >= text.len() { whole.len() } else { end };
        Game {
            text: &whole[..length],
            arena: &self.arena,
        }
    }

    fn clear(&mut self) {
        let arena = &mut self.arena;
        arena.len = 1;
        arena.main_len = 1;
        arena.rules = Rules::STANDARD;
        arena.result = GameResult::Unknown;
        arena.has_result = false;
        arena.comments.clear();
        arena.nags.clear();
        arena.damages.clear();
        arena.piece_ids.clear();
        self.braces.clear();
        self.nest.clear();
        self.pending.clear();
        self.before.clear();
        // One monstrous game must not cost its memory for ever.
        if arena.positions.len() > 1 << 16 {
            arena.positions.truncate(1 << 12);
            arena.positions.shrink_to_fit();
            arena.nodes.truncate(1 << 12);
            arena.nodes.shrink_to_fit();
        }
    }

    fn damage(&mut self, start: usize, end: usize, reason: Reason, main_line: bool) {
        // After so many, only what costs moves is worth a report.
        if self.arena.damages.len() >= MAX_REPORTS
            && !(main_line && reason.ends_line() && self.arena.damages.len() < 2 * MAX_REPORTS)
        {
            return;
        }
        self.arena.damages.push(Damage {
            start,
            end,
            reason,
            main_line,
        });
    }

    /// Reads what the tags say about the initial position. Returns the end of the tag section and
    /// whether moves can be played.
    fn tags(&mut self, text: &[u8]) -> (usize, bool) {
        let mut fen_tag = None;
        let mut variant_tag = None;
        let damages = &mut self.arena.damages;
        let offset = |part: &[u8]| part.as_ptr() as usize - text.as_ptr() as usize;
        let end = skip_section(text, |tag| {
            match tag.name {
                b"FEN" => fen_tag = fen_tag.or(Some(tag.value)),
                b"Variant" => variant_tag = variant_tag.or(Some(tag.value)),
                _ => {}
            }
            if !tag.well_formed && damages.len() < MAX_REPORTS {
                let (start, end) = (tag.start, tag.end);
                damages.push(Damage {
                    start,
                    end,
                    reason: Reason::MalformedTag,
                    main_line: true,
                });
            }
        });
        let mut playable = true;
        let variant = match variant_tag {
            None => Variant::Standard,
            Some(name) => std::str::from_utf8(name)
                .ok()
                .and_then(Variant::parse)
                .unwrap_or_else(|| {
                    let start = offset(name);
                    self.damage(start, start + name.len(), Reason::UnknownVariant, true);
                    playable = false;
                    Variant::Standard
                }),
        };
        self.arena.positions[0] = Position::start();
        let supported = Rules::STANDARD.with_variant(variant).is_ok();
        if let Some(name) = variant_tag
            && !supported
        {
            let start = offset(name);
            self.damage(start, start + name.len(), Reason::UnsupportedVariant, true);
            playable = false;
        }
        if let Some(value) = fen_tag {
            let text = std::str::from_utf8(value).ok();
            match text.and_then(|text| fen::parse(text).ok()) {
                Some((position, rules)) => {
                    self.arena.positions[0] = position;
                    self.arena.rules = rules;
                }
                // Variants have FENs of their own.
                None if !supported => {}
                None => {
                    let start = offset(value);
                    self.damage(start, start + value.len(), Reason::BadFen, true);
                    playable = false;
                }
            }
        }
        if let Ok(rules) = self.arena.rules.with_variant(variant) {
            self.arena.rules = rules;
        }
        self.arena.nodes[0] = Node::ROOT;
        (end, playable)
    }

    /// Finds the result without replaying anything. Returns the end of the game.
    fn result_only(&mut self, text: &[u8], start: usize) -> usize {
        let trimmed = text.trim_ascii_end();
        let word = trimmed
            .iter()
            .rposition(|byte| byte.is_ascii_whitespace())
            .map_or(0, |at| at + 1);
        // Inside a comment or a variation a result means nothing.
        let plain = word >= start
            && memchr::memchr3(b'{', b'(', b';', text).is_none()
            && memchr::memchr(b'%', text).is_none()
            && !may_hold_two(text);
        if plain
            && let Some((result, length)) = result_at(&trimmed[word..])
            && word + length == trimmed.len()
        {
            self.arena.result = result;
            self.arena.has_result = true;
            return text.len();
        }
        self.skip_to_result(text, start)
    }

    /// Goes on to the result without playing. Returns the end of the game.
    fn skip_to_result(&mut self, text: &[u8], at: usize) -> usize {
        let mut lexer = Lexer::new(text, at);
        while let Some(token) = lexer.next(&mut self.braces) {
            match token {
                Token::Result(result) => return self.result(text, result, lexer.at),
                Token::Open => {
                    lexer.at = variation_end(text, lexer.start, &mut self.braces)
                        .map_or(text.len(), |close| close + 1);
                }
                _ => {}
            }
        }
        text.len()
    }

    /// Notes the result and looks at what follows it. Returns the end of the game.
    fn result(&mut self, text: &[u8], result: GameResult, after: usize) -> usize {
        self.arena.result = result;
        self.arena.has_result = true;
        if text[after..].trim_ascii_start().is_empty() {
            return text.len();
        }
        rest_of_game(text, after, &mut self.braces)
    }

    /// Replays the moves. Returns the end of the game.
    fn moves(&mut self, text: &[u8], start: usize, needs: Needs) -> usize {
        let (line_end, at) = self.line(text, start, 0, true, needs);
        self.arena.main_len = self.arena.len;
        let end = if line_end == LineEnd::Complete {
            at
        } else {
            self.skip_to_result(text, at)
        };
        let mut full = line_end == LineEnd::Full;
        while let Some(variation) = self.pending.pop() {
            if full {
                break;
            }
            let (line_end, _) = self.line(text, variation.at, variation.parent, false, needs);
            full = line_end == LineEnd::Full;
        }
        end
    }

    /// Replays one line that begins at `at` in the position `parent`; its variations are pushed
    /// to `pending`. Returns how and where the line ended; for the main line the end of the game.
    fn line(
        &mut self,
        text: &[u8],
        mut at: usize,
        parent: u32,
        main: bool,
        needs: Needs,
    ) -> (LineEnd, usize) {
        let first_pending = self.pending.len();
        let mut last = parent;
        let end = loop {
            at = self.fast_moves(text, at, &mut last, parent, main);
            let mut lexer = Lexer::new(text, at);
            let Some(token) = lexer.next(&mut self.braces) else {
                break (LineEnd::Complete, text.len());
            };
            at = lexer.at;
            let (start, end) = (lexer.start, lexer.end);
            let moved = last != parent;
            match token {
                Token::Number | Token::Nothing => {}
                Token::Move | Token::Null => {
                    match self.play(text, (start, end), token, last, parent, main) {
                        Ok(id) => last = id,
                        Err(reason) => {
                            self.damage(start, end, reason, main);
                            let full = reason == Reason::TooManyPositions;
                            break (
                                if full {
                                    LineEnd::Full
                                } else {
                                    LineEnd::Damaged
                                },
                                at,
                            );
                        }
                    }
                }
                Token::Comment => self.comment(last, moved || main, start, end, needs),
                Token::OpenComment => {
                    self.comment(last, moved || main, start, end, needs);
                    self.damage(start - 1, end, Reason::UnterminatedComment, main);
                    break (LineEnd::Damaged, at);
                }
                Token::Nag(nag) => {
                    if nag != 0 && moved && needs.comments {
                        if self.arena.nags.len() < MAX_ANNOTATIONS {
                            self.arena.nags.push((last, nag));
                        } else {
                            self.damage(start, end, Reason::TooManyAnnotations, main);
                        }
                    }
                }
                Token::Open => {
                    let close = if needs.variations {
                        self.nest.close(text, start, &mut self.braces)
                    } else {
                        variation_end(text, start, &mut self.braces)
                    };
                    if !moved {
                        self.damage(start, start + 1, Reason::VariationBeforeMove, main);
                    } else if needs.variations {
                        let parent = self.arena.nodes[last as usize].parent;
                        self.pending.push(Pending {
                            at: start + 1,
                            parent,
                        });
                    }
                    match close {
                        Some(close) => at = close + 1,
                        None => {
                            self.damage(start, start + 1, Reason::UnterminatedVariation, main);
                            break (LineEnd::Damaged, text.len());
                        }
                    }
                }
                Token::Close if !main => break (LineEnd::Complete, at),
                Token::Close => self.damage(start, end, Reason::StrayParenthesis, main),
                Token::StrayBrace => self.damage(start, end, Reason::StrayBrace, main),
                Token::Unknown if lexer.slice() == b"\0" => {}
                Token::Unknown => self.damage(start, end, Reason::UnknownWord, main),
                // A result inside a variation means nothing.
                Token::Result(_) if !main => {}
                Token::Result(result) => {
                    let end = self.result(text, result, at);
                    self.after_result(text, at, end, last, needs);
                    break (LineEnd::Complete, end);
                }
            }
        };
        self.order_pending(first_pending);
        self.before.clear();
        end
    }

    /// Comments after the result belong to the last move; anything else there is reported.
    fn after_result(&mut self, text: &[u8], at: usize, end: usize, last: u32, needs: Needs) {
        let mut lexer = Lexer::new(text, at);
        while let Some(token) = lexer.next(&mut self.braces) {
            if lexer.start >= end {
                return;
            }
            match token {
                Token::Comment => self.comment(last, true, lexer.start, lexer.end, needs),
                Token::OpenComment => {
                    self.comment(last, true, lexer.start, lexer.end, needs);
                    self.damage(
                        lexer.start - 1,
                        lexer.end,
                        Reason::UnterminatedComment,
                        true,
                    );
                }
                Token::Nothing | Token::Nag(_) => {}
                _ => return self.damage(lexer.start, lexer.end, Reason::TextAfterResult, true),
            }
        }
    }

    /// Plays moves as long as the text is plain: numbers, white space, and moves that the fast
    /// step understands. Returns where something else begins.
    #[inline]
    fn fast_moves(
        &mut self,
        text: &[u8],
        mut at: usize,
        last: &mut u32,
        parent: u32,
        main: bool,
    ) -> usize {
        // The head of a variation takes the careful path, which links it to its parent.
        if *last == parent && !main {
            return at;
        }
        let arena = &mut self.arena;
        let mut previous = *last as usize;
        let mut len = arena.len;
        let (depth, mut ply) = (arena.nodes[previous].depth, arena.nodes[previous].ply);
        let limit = self.max_positions;
        loop {
            let start = skip_plain(text, at);
            at = start;
            let Some(&first) = text.get(start) else { break };
            if CLASS[first as usize] & MOVE == 0 {
                break;
            }
            let mut end = start + 1;
            while let Some(&byte) = text.get(end)
                && CLASS[byte as usize] & CORE != 0
            {
                end += 1;
            }
            let core = end;
            let next = match text.get(end) {
                Some(b'+' | b'#') => text.get(end + 1),
                next => next,
            };
            if next.is_some_and(|&byte| byte > b' ' && byte != b')')
                || len >= limit
                || ply == u16::MAX
            {
                break;
            }
            if len >= arena.positions.len() {
                let room = len * 2;
                arena.positions.resize(room, Position::start());
                arena.nodes.resize(room, Node::ROOT);
            }
            let (done, free) = arena.positions.split_at_mut(len);
            let Some(mv) = san::step(&done[previous], &text[start..core], &mut free[0]) else {
                break;
            };
            ply += 1;
            let parent = previous as u32;
            arena.nodes[len] = Node {
                parent,
                subtree_end: 0,
                mv,
                depth,
                sibling: 0,
                ply,
            };
            previous = len;
            len += 1;
            at = core + usize::from(matches!(text.get(core), Some(b'+' | b'#')));
        }
        arena.len = len;
        *last = previous as u32;
        at
    }

    /// Plays one move by the careful path; the new node's id.
    fn play(
        &mut self,
        text: &[u8],
        range: (usize, usize),
        token: Token,
        last: u32,
        parent: u32,
        main: bool,
    ) -> Result<u32, Reason> {
        let position = self.arena.positions[last as usize];
        let mv = if token == Token::Null {
            Move::NULL
        } else {
            let read = san::read(&position, &self.arena.rules, &text[range.0..range.1]);
            let read = read.map_err(|error| match error {
                SanError::Ambiguous => Reason::AmbiguousMove,
                _ => Reason::IllegalMove,
            })?;
            if read.without_right {
                self.damage(range.0, range.1, Reason::CastlingWithoutRight, main);
            }
            read.mv
        };
        let next = position.make(mv, &self.arena.rules);
        self.push(mv, next, last, last == parent && !main)
    }

    /// Appends a node after `last`; `head`: it is the first move of a variation.
    fn push(&mut self, mv: Move, next: Position, last: u32, head: bool) -> Result<u32, Reason> {
        let id = self.arena.len;
        if id >= self.max_positions {
            return Err(Reason::TooManyPositions);
        }
        self.grow(id + 1);
        let arena = &mut self.arena;
        let before = arena.nodes[last as usize];
        let Some(ply) = before.ply.checked_add(1) else {
            return Err(Reason::LineTooLong);
        };
        let (mut depth, mut sibling) = (before.depth, 0);
        if head {
            // Until the tree is finished, `subtree_end` counts the variations from a node.
            let count = &mut arena.nodes[last as usize].subtree_end;
            *count += 1;
            sibling = u16::try_from(*count).unwrap_or(u16::MAX);
            depth = depth.saturating_add(1);
            for (start, end) in self.before.drain(..) {
                let (start, end) = (start as u32, end as u32);
                arena.comments.push(CommentRange {
                    node: id as u32,
                    start,
                    end,
                    before: true,
                });
            }
        }
        arena.positions[id] = next;
        arena.nodes[id] = Node {
            parent: last,
            subtree_end: 0,
            mv,
            depth,
            sibling,
            ply,
        };
        arena.len = id + 1;
        Ok(id as u32)
    }

    /// Makes room for at least `len` positions.
    fn grow(&mut self, len: usize) {
        if len > self.arena.positions.len() {
            let room = (len * 2).max(256);
            self.arena.positions.resize(room, Position::start());
            self.arena.nodes.resize(room, Node::ROOT);
        }
    }

    fn comment(&mut self, node: u32, placed: bool, start: usize, end: usize, needs: Needs) {
        if !needs.comments {
            return;
        }
        if self.arena.comments.len() + self.before.len() >= MAX_ANNOTATIONS {
            return self.damage(start, end, Reason::TooManyAnnotations, true);
        }
        if placed {
            let (start, end) = (start as u32, end as u32);
            self.arena.comments.push(CommentRange {
                node,
                start,
                end,
                before: false,
            });
        } else {
            self.before.push((start, end));
        }
    }

    /// Brings the variations of a finished line into the order in which they are popped: those
    /// of its last move first, variations of the same move in file order.
    fn order_pending(&mut self, first: usize) {
        let mut from = first;
        let pending = &mut self.pending;
        while from < pending.len() {
            let parent = pending[from].parent;
            let same = pending[from..]
                .iter()
                .take_while(|other| other.parent == parent)
                .count();
            pending[from..from + same].reverse();
            from += same;
        }
    }

    /// Follows the pieces from position to position.
    fn number_pieces(&mut self) {
        let arena = &mut self.arena;
        arena.piece_ids.reserve(arena.len);
        arena
            .piece_ids
            .push(PieceIds::new(&arena.positions[0], self.numbering));
        for node in &arena.nodes[1..arena.len] {
            let table = arena.piece_ids[node.parent as usize].after(node.mv);
            arena.piece_ids.push(table);
        }
    }

    /// Fills in where subtrees end, and sorts the damages.
    fn finish(&mut self, variations: bool) {
        let arena = &mut self.arena;
        let nodes = &mut arena.nodes[..arena.len];
        let len = nodes.len() as u32;
        if arena.main_len == nodes.len() || !variations {
            for node in nodes {
                node.subtree_end = len;
            }
        } else {
            for (id, node) in nodes.iter_mut().enumerate() {
                node.subtree_end = id as u32 + 1;
            }
            for id in (1..nodes.len()).rev() {
                let node = nodes[id];
                let parent = &mut nodes[node.parent as usize];
                parent.subtree_end = parent.subtree_end.max(node.subtree_end);
            }
        }
        if arena.damages.len() > 1 {
            arena.damages.sort_by_key(|damage| damage.start);
        }
    }
}
