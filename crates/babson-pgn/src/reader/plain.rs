//! The loop for plain text, which nearly all move text is: moves, move numbers and whitespace.
//!
//! The loop loads eight bytes at a time, and finds the end of a number or a token by arithmetic on
//! the word, not byte by byte. `san::step_word` reads the token from the same word. Anything else
//! in the text (a comment, a variation, a result, an unusual spelling) ends the loop, and the lexer
//! continues.

use babson_chess::{Move, Position, processor, san};

use super::{Arena, Reader};
use crate::node::Node;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x80 * ONES;

/// The eight bytes at `at`, the first one lowest; zeros follow the end of the text.
#[inline(always)]
fn window(text: &[u8], at: usize) -> u64 {
    match text.get(at..at.wrapping_add(8)).and_then(|rest| rest.first_chunk()) {
        Some(&bytes) => u64::from_le_bytes(bytes),
        None => last_window(text, at),
    }
}

#[cold]
#[inline(never)]
fn last_window(text: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    for (byte, &found) in bytes.iter_mut().zip(text.get(at..).unwrap_or_default()) {
        *byte = found;
    }
    u64::from_le_bytes(bytes)
}

/// Eight times the number of bytes before the first space or control character: 0 to 64.
#[inline(always)]
fn word_bits(window: u64) -> u32 {
    // A borrow affects only higher bytes, so the lowest flag is exact.
    let ends = window.wrapping_sub(0x21 * ONES) & !window & HIGHS;
    ends.trailing_zeros() & !7
}

/// Eight times the number of digits at the beginning: 0 to 64.
#[inline(always)]
fn digit_bits(window: u64) -> u32 {
    let values = window ^ (0x30 * ONES);
    let others = (((values & !HIGHS) + 0x76 * ONES) | values) & HIGHS;
    others.trailing_zeros() & !7
}

/// The byte after the first `bits` bits; the first byte for 64.
#[inline(always)]
fn byte_after(window: u64, bits: u32) -> u8 {
    (window >> (bits & 63)) as u8
}

/// Skips whitespace, dots, and move numbers that end in dots. Returns the eight bytes after them.
#[inline(always)]
fn skip_plain(text: &[u8], at: &mut usize) -> u64 {
    loop {
        let word = window(text, *at);
        // Usually this is a letter, the beginning of a move.
        if word as u8 > b'9' {
            return word;
        }
        if matches!(word as u8, b' ' | b'\n' | b'\r' | b'\t' | b'.') {
            *at += 1;
            continue;
        }
        // The dot must be in the word. For eight digits or none the first byte is not a dot.
        let digits = digit_bits(word);
        if byte_after(word, digits) != b'.' {
            return word;
        }
        *at += digits as usize / 8 + 1;
    }
}

/// The node after a move that continues the line of the node `id`.
#[inline(always)]
fn after(node: Node, id: u32, mv: Move) -> Node {
    let Node { depth, ply, .. } = node;
    Node { parent: id, subtree_end: 0, mv, depth, sibling: 0, ply: ply + 1 }
}

impl Reader {
    /// Plays moves while the text is plain. `last` is the newest node of the arena. Returns where
    /// the plain text ends.
    pub(super) fn plain_moves(&mut self, text: &[u8], mut at: usize, last: &mut u32) -> usize {
        loop {
            let before = self.arena.len;
            let full = self.plain_run(text, &mut at);
            if !full {
                self.closing_move(text, &mut at);
            }
            *last = self.arena.len as u32 - 1;
            if !full || self.arena.len >= self.max_positions || self.arena.len == before {
                return at;
            }
        }
    }

    /// Plays the move at `at` if the `)` of a variation follows it directly. `plain_run` has
    /// returned false, so the arena has room, and the move is within the limits.
    fn closing_move(&mut self, text: &[u8], at: &mut usize) {
        let word = window(text, *at);
        let bits = word_bits(word);
        if bits <= 16 || byte_after(word, bits - 8) != b')' {
            return;
        }
        let token = bits as usize / 8 - 1;
        let arena = &mut self.arena;
        let id = arena.len;
        let before = arena.nodes[id - 1];
        debug_assert!(id < self.max_positions && before.ply < u16::MAX);
        let (done, free) = arena.positions.split_at_mut(id);
        if let Some(mv) = san::step_word(&done[id - 1], word, token, &mut free[0]) {
            arena.nodes[id] = after(before, id as u32 - 1, mv);
            arena.len = id + 1;
            *at += token;
        }
    }

    /// Plays moves until the plain text ends (returns false) or the arena has no room (returns
    /// true; the next call makes room).
    // Not inlined, so that all processor registers are free for the loop.
    #[inline(never)]
    fn plain_run(&mut self, text: &[u8], start: &mut usize) -> bool {
        processor::dispatch(
            #[inline(always)]
            || self.plain_loop(text, start),
        )
    }

    /// [`Reader::plain_run`] for the processor of the caller.
    #[inline(always)]
    fn plain_loop(&mut self, text: &[u8], start: &mut usize) -> bool {
        let (limit, last_ply) = (self.max_positions, self.last_ply);
        let arena = &mut self.arena;
        if arena.len == arena.positions.len() {
            arena.grow(arena.len + 1);
        }
        let Arena { positions, nodes, len, .. } = arena;
        let mut id = *len - 1;
        let mut node = nodes[id];
        // The careful path reports a line of 65,535 plies, and ends one after the last ply needed.
        let last_ply = last_ply.min(u32::from(u16::MAX));
        let plies = last_ply.saturating_sub(u32::from(node.ply)) as usize;
        let room = limit.min(positions.len()).min(nodes.len()).min(*len + plies).max(*len);
        // Iteration over both arrays needs no bounds checks.
        let (done, free) = positions[..room].split_at_mut(*len);
        let slots = free.iter_mut().zip(&mut nodes[*len..room]);
        let mut position: &Position = &done[id];
        let mut full = true;
        let mut at = *start;
        for (next, slot) in slots {
            let word = skip_plain(text, &mut at);
            let bits = word_bits(word);
            let Some(mv) = san::step_word(position, word, bits as usize / 8, next) else {
                full = false;
                break;
            };
            node = after(node, id as u32, mv);
            *slot = node;
            id += 1;
            position = next;
            // A space after the move is skipped with it.
            at += bits as usize / 8 + usize::from(byte_after(word, bits) == b' ');
        }
        *start = at;
        *len = id + 1;
        full
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Needs;

    fn word(text: &str) -> u64 {
        window(text.as_bytes(), 0)
    }

    #[test]
    fn words_are_measured() {
        for (text, len, count) in [
            ("", 0, 0),
            ("e4", 2, 0),
            ("Nf3 Nf6 ", 3, 0),
            ("Qh4xe1+\r\n", 7, 0),
            ("Qh4xe1+)\r", 8, 0),
            ("12.e4 e5", 5, 2),
            ("1\u{a0}23", 5, 1),
            ("12345678", 8, 8),
            ("9:/0a", 5, 1),
            ("\u{ff}\u{fe} ", 4, 0),
        ] {
            let measured = (word_bits(word(text)), digit_bits(word(text)));
            assert_eq!(measured, (8 * len, 8 * count), "{text:?}");
        }
    }

    #[test]
    fn plain_text_is_skipped() {
        for (text, end) in [
            ("e4", 0),
            (" \r\n\t1.e4", 6),
            ("1. e4", 3),
            ("12... e5", 6),
            ("3.  4.x", 6),
            ("1-0", 0),
            ("7", 0),
            ("1234567.e4", 8),
            ("12345678.", 0),
            ("..e4", 2),
            ("123456.e4", 7),
            ("1.", 2),
            ("  ", 2),
        ] {
            let mut at = 0;
            skip_plain(text.as_bytes(), &mut at);
            assert_eq!(at, end, "{text:?}");
        }
    }

    #[test]
    fn a_parenthesis_may_follow_a_move_directly() {
        let positions = |text: &str| {
            let mut reader = Reader::new();
            let game = reader.read(text.as_bytes(), Needs::ALL);
            assert!(game.damages().is_empty(), "{text}: {:?}", game.damages());
            (game.positions().to_vec(), game.nodes().to_vec())
        };
        let glued = positions("1. e4 (1. d4 d5 (1... Nf6 2. c4)2. c4 dxc4) (1. f4 e5+) e5 *");
        let spaced = positions("1. e4 ( 1. d4 d5 ( 1... Nf6 2. c4 ) 2. c4 dxc4 ) (1. f4 e5 ) e5 *");
        assert_eq!(glued, spaced);
        assert_eq!(glued.0.len(), 11);
        // The limit on positions also holds for such a move.
        let mut small = Reader::new().with_max_positions(4);
        for text in ["1. e4 (1. d4 d5 2. c4) *", "1.e4 (1.d4 d5 2.c4) *"] {
            assert_eq!(small.read(text.as_bytes(), Needs::ALL).len(), 4);
        }
    }

    #[test]
    fn the_longest_line_ends_in_time() {
        let text = "Nf3 Nf6 Ng1 Ng8 ".repeat(1 << 14);
        let mut reader = Reader::new();
        let game = reader.read(text.as_bytes(), Needs::ALL);
        assert_eq!((game.len(), game.damages().len()), (1 << 16, 1));
        // The limit also holds for a move that a parenthesis follows directly.
        let text = text.trim_end().trim_end_matches("Ng8").to_owned() + "(Ng1 Ng8)";
        let game = reader.read(text.as_bytes(), Needs::ALL);
        assert_eq!((game.len(), game.damages().len()), ((1 << 16) + 1, 1));
    }
}
