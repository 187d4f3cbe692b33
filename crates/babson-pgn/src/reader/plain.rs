//! The loop for plain text, which nearly all move text is: moves, move numbers and whitespace.
//!
//! The loop loads eight bytes at a time, and finds the end of a number or a token by arithmetic on
//! the word, not byte by byte. `san::step_word` reads the token from the same word. Anything else
//! in the text (a comment, a variation, a result, an unusual spelling) ends the loop, and the lexer
//! continues.

use babson_chess::{Position, san};

use super::{Arena, Reader};
use crate::node::Node;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x80 * ONES;

/// The eight bytes at `at`, the first one lowest; zeros follow the end of the text.
#[inline(always)]
fn window(text: &[u8], at: usize) -> u64 {
    match text.get(at..).and_then(|rest| rest.first_chunk()) {
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

/// The number of bytes before the first space or control character; 8 if there is none.
#[inline(always)]
fn word_len(window: u64) -> usize {
    // A borrow affects only higher bytes, so the lowest flag is exact.
    let ends = window.wrapping_sub(0x21 * ONES) & !window & HIGHS;
    (ends.trailing_zeros() / 8) as usize
}

/// The number of digits at the beginning, 0 to 8.
#[inline(always)]
fn digits(window: u64) -> usize {
    let values = window ^ (0x30 * ONES);
    let others = (((values & !HIGHS) + 0x76 * ONES) | values) & HIGHS;
    (others.trailing_zeros() / 8) as usize
}

#[inline(always)]
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Skips whitespace and move numbers that end in dots. Returns the eight bytes after them.
#[inline(always)]
fn skip_plain(text: &[u8], at: &mut usize) -> u64 {
    loop {
        let mut word = window(text, *at);
        while is_space(word as u8) {
            *at += 1;
            word = window(text, *at);
        }
        // Usually this is a letter, the beginning of a move.
        if word as u8 > b'9' {
            return word;
        }
        let count = digits(word);
        if count == 0 {
            return word;
        }
        // The dot must be in the word; seven digits are not a move number.
        if count > 6 || (word >> (8 * count)) as u8 != b'.' {
            return word;
        }
        *at += count + 1;
        while text.get(*at) == Some(&b'.') {
            *at += 1;
        }
    }
}

impl Reader {
    /// Plays moves while the text is plain. `last` is the newest node of the arena. Returns where
    /// the plain text ends.
    pub(super) fn plain_moves(&mut self, text: &[u8], mut at: usize, last: &mut u32) -> usize {
        loop {
            let before = self.arena.len;
            let full = self.plain_run(text, &mut at);
            *last = self.arena.len as u32 - 1;
            if !full || self.arena.len >= self.max_positions || self.arena.len == before {
                return at;
            }
        }
    }

    /// Plays moves until the plain text ends (returns false) or the arena has no room (returns
    /// true; the next call makes room).
    // Not inlined, so that all processor registers are free for the loop.
    #[inline(never)]
    fn plain_run(&mut self, text: &[u8], at: &mut usize) -> bool {
        let limit = self.max_positions;
        let arena = &mut self.arena;
        if arena.len == arena.positions.len() {
            arena.grow(arena.len + 1);
        }
        let Arena { positions, nodes, len, .. } = arena;
        let mut id = *len - 1;
        let mut node = nodes[id];
        let room = limit.min(positions.len()).min(nodes.len()).max(*len);
        // Iteration over both arrays needs no bounds checks.
        let (done, free) = positions[..room].split_at_mut(*len);
        let slots = free.iter_mut().zip(&mut nodes[*len..room]);
        let mut position: &Position = &done[id];
        let mut full = true;
        for (next, slot) in slots {
            let word = skip_plain(text, at);
            let mut token = word_len(word);
            // The `)` of a variation often follows its last move directly.
            if token > 2 && (word >> (8 * (token - 1))) as u8 == b')' {
                token -= 1;
            }
            // The careful path reads moves of eight bytes, and reports a line of 65,535 plies.
            if token > 7 || node.ply == u16::MAX {
                full = false;
                break;
            }
            let Some(mv) = san::step_word(position, word, token, next) else {
                full = false;
                break;
            };
            node = Node {
                parent: id as u32,
                subtree_end: 0,
                mv,
                depth: node.depth,
                sibling: 0,
                ply: node.ply + 1,
            };
            *slot = node;
            id += 1;
            position = next;
            *at += token;
        }
        *len = id + 1;
        full
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!((word_len(word(text)), digits(word(text))), (len, count), "{text:?}");
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
            ("1234567.e4", 0),
            ("123456.e4", 7),
            ("1.", 2),
            ("  ", 2),
        ] {
            let mut at = 0;
            skip_plain(text.as_bytes(), &mut at);
            assert_eq!(at, end, "{text:?}");
        }
    }
}
