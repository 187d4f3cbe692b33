//! Whether a text may have a termination marker before its end: then it may hold a second game.
//!
//! Nearly no game has one. The test looks at blocks of bytes without branches, so that the compiler
//! makes a few vector instructions of it, and only what it does not rule out is looked at again.

use babson_chess::processor;
use memchr::{memchr2, memchr3};

use crate::token::result_at;

/// Bytes that are looked at together.
const BLOCK: usize = 32;

/// Blocks between two questions whether anything was found. Most games have fewer. A text of many
/// games takes linear time, since the test of each of them ends soon after its result.
const BLOCKS: usize = 32;

/// The markers that a game usually ends with. No other marker overlaps the end of one of them and
/// ends before it.
const LAST: [&[u8]; 4] = [b"1/2-1/2", b"1-0", b"0-1", b"*"];

/// Whether a result may be anywhere but at the end: a quick test, which can be true without need.
pub(crate) fn may_hold_two(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let before_last = LAST.iter().find_map(|last| text.strip_suffix(*last)).unwrap_or(text);
    has_mark(before_last) && has_early_result(text)
}

/// One if a result may have this byte after this other one: each result has such a byte.
#[inline(always)]
fn is_mark(before: u8, byte: u8) -> u8 {
    // In a result, a digit stands before each `-`, `/` and `:`; in `½-½` the `½` is found.
    let joins = u8::from(byte | 2 == b'/') | u8::from(byte == b':');
    let is_digit = u8::from(before.wrapping_sub(b'0') < 3);
    joins & is_digit | u8::from(byte == b'*') | u8::from(byte == 0xBD)
}

/// Whether a text has such a byte.
fn has_mark(text: &[u8]) -> bool {
    let Some((&first, after)) = text.split_first() else { return false };
    if is_mark(0, first) != 0 {
        return true;
    }
    let (Some(last), Some(last_before)) =
        (after.last_chunk::<BLOCK>(), text[..after.len()].last_chunk::<BLOCK>())
    else {
        return text.iter().zip(after).any(|(&before, &byte)| is_mark(before, byte) != 0);
    };
    let (before, blocks) = (text.as_chunks().0.chunks(BLOCKS), after.as_chunks().0.chunks(BLOCKS));
    processor::dispatch(
        #[inline(always)]
        || {
            before.zip(blocks).any(|(before, blocks)| have_mark(before, blocks))
                // The last block may overlap the one before it.
                || have_mark(&[*last_before], &[*last])
        },
    )
}

/// Whether blocks have such a byte. Each byte of `before` is the one before its byte of `blocks`.
#[inline(always)]
fn have_mark(before: &[[u8; BLOCK]], blocks: &[[u8; BLOCK]]) -> bool {
    let mut found = [0; BLOCK];
    for (before, block) in before.iter().zip(blocks) {
        for (found, (&before, &byte)) in found.iter_mut().zip(before.iter().zip(block)) {
            *found |= is_mark(before, byte);
        }
    }
    found != [0; BLOCK]
}

/// Whether a result ends before the end of the text.
#[cold]
pub(crate) fn has_early_result(text: &[u8]) -> bool {
    let early = |at: usize| {
        let is_digit = |at: usize| matches!(text[at], b'0'..=b'2');
        if matches!(text[at], b'-' | b'/' | b':') && !at.checked_sub(1).is_some_and(is_digit) {
            return false;
        }
        let starts = [0, 1, 3].iter().filter_map(|back| at.checked_sub(*back));
        starts
            .filter_map(|start| Some(start + result_at(&text[start..])?.1))
            .any(|result_end| result_end < text.len())
    };
    let mut at = 0;
    while let Some(step) = memchr3(b'*', b'-', b'/', &text[at..]) {
        if early(at + step) {
            return true;
        }
        at += step + 1;
    }
    at = 0;
    while let Some(step) = memchr2(b':', 0xBD, &text[at..]) {
        if early(at + step) {
            return true;
        }
        at += step + 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_before_the_end_are_found() {
        for (text, expected) in [
            ("", false),
            ("1-0", false),
            ("1. e4 e5 1/2-1/2\r\n", false),
            ("1. O-O-O e5 0-1", false),
            ("1-0 1. e4 *", true),
            ("* *", true),
            ("1/2 1/2", true),
            ("1:0 0:1", true),
            ("½-½ ½-½", true),
            // Moves after it make the text long.
            ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0 1. d4 d5 2. c4 e6 3. Nc3 Nf6 *", true),
            ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 *", false),
        ] {
            assert_eq!(may_hold_two(text.as_bytes()), expected, "{text}");
        }
    }
}
