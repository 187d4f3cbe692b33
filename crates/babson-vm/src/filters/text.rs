//! Values as `str`, `message` and `comment` print them (`docs/src/language/comments.md`).

use babson_chess::{Piece, Square, SquareSet};

/// Appends a square, such as `e4`.
#[inline]
pub fn square(out: &mut Vec<u8>, square: Square) {
    out.extend_from_slice(&[b'a' + square.file(), b'1' + square.rank()]);
}

/// Appends a set: `[]`, `e4` for one square, else `[a1,h8]` in the order a1, b1, … h8.
pub fn set(out: &mut Vec<u8>, set: SquareSet) {
    if let Some(single) = set.single() {
        return square(out, single);
    }
    out.push(b'[');
    for (number, member) in set.iter().enumerate() {
        if number > 0 {
            out.push(b',');
        }
        square(out, member);
    }
    out.push(b']');
}

/// Appends a piece on the board: its letter and square, such as `Ke1`.
pub fn piece(out: &mut Vec<u8>, piece: Piece, on: Square) {
    let letter = piece.letter() as u8;
    out.extend_from_slice(&[letter, b'a' + on.file(), b'1' + on.rank()]);
}

/// Appends a number in decimal.
pub fn number(out: &mut Vec<u8>, n: i32) {
    let mut digits = [0; 10];
    let mut first = digits.len();
    let mut left = n.unsigned_abs();
    loop {
        first -= 1;
        digits[first] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    if n < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[first..]);
}
