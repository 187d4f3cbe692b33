//! Finding a game that is too long to be read.

use babson_pgn::find_boundary;

/// The offset of the last game of `games`, if it is longer than `longest` bytes.
pub(super) fn last_if_overlong(games: &[u8], longest: usize) -> Option<usize> {
    if games.len() <= longest {
        return None;
    }
    let mut last = 0;
    while let Some(next) = find_boundary(games, last + 1) {
        last = next;
    }
    (games.len() - last > longest).then_some(last)
}
