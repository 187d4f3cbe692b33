//! The text of a game that a table stores as codes of moves.

use babson_chess::{Color, san};

use super::movetext::goes_on;
use super::short_word::ShortWord;
use crate::game::Game;

/// A text from which the game is read again: its tag section, as it is if it ends with a line feed,
/// and the main line. For a game that has nothing else, as
/// [`Reader::replay_if`](crate::Reader::replay_if) makes it.
///
/// ```
/// use babson_pgn::{Needs, Reader, plain_text};
///
/// let mut reader = Reader::new();
/// let game = reader.read(b"[White \"Adams\"]\n\n1.e4 e5  2.Nf3", Needs::ALL);
/// let text = plain_text(&game);
/// assert!(String::from_utf8_lossy(&text).ends_with("\n\n1. e4 e5 2. Nf3\n"));
/// ```
pub fn plain_text(game: &Game<'_>) -> Vec<u8> {
    let mut out = game.text()[..tag_section_len(game.text())].to_vec();
    if !out.ends_with(b"\n") {
        out.truncate(out.trim_ascii_end().len());
        if !out.is_empty() {
            out.extend_from_slice(b"\n\n");
        }
    }
    let begin = out.len();
    for id in 1..game.main_line_len() {
        let (node, next) = (game.node(id), game.position(id));
        let before = game.position(node.parent);
        let is_white = before.side() == Color::White;
        if is_white || node.parent == 0 {
            let dots = if is_white { ShortWord::DOT } else { ShortWord::DOTS };
            ShortWord::number(before.full_moves()).append_to(&mut out);
            dots.append_to(&mut out);
            out.push(b' ');
        }
        let mv = san::write_in_line(before, next, game.rules(), node.mv, || goes_on(game, id));
        ShortWord::from(mv).append_to(&mut out);
        out.push(b' ');
    }
    if game.has_result() {
        out.extend_from_slice(game.result().text().as_bytes());
    }
    if out.len() > begin && out.ends_with(b" ") {
        out.pop();
    }
    out.push(b'\n');
    out
}

/// The length of the tag section of a game, with the text around the tags: what is after it is the
/// move text.
pub fn tag_section_len(text: &[u8]) -> usize {
    crate::tags::skip_section(text, |_| {})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Games, Needs, Reader};

    #[test]
    fn the_game_is_read_again() {
        let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games");
        let (mut reader, mut again) = (Reader::new(), Reader::new());
        for file in ["masters-2k.pgn", "special.pgn"] {
            let text = std::fs::read(games.join(file)).expect(file);
            for (_, text) in Games::new(&text) {
                let game = reader.read(text, Needs::ALL);
                let written = plain_text(&game);
                let read = again.read(&written, Needs::ALL);
                let main_line = game.main_line_len() as usize;
                assert_eq!(read.positions(), &game.positions()[..main_line]);
                assert!(read.tags().eq(game.tags()), "{}", String::from_utf8_lossy(&written));
                assert_eq!(read.has_result(), game.has_result());
                assert_eq!(read.result_tag(), game.result_tag());
            }
        }
    }

    #[test]
    fn a_black_start_has_three_dots() {
        let text = b"[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 7\"]\n\n7... Kd8 8. Kd1 *";
        let mut reader = Reader::new();
        let written = plain_text(&reader.read(text, Needs::ALL));
        assert_eq!(&written[..], &[&text[..], b"\n"].concat()[..]);
    }
}
