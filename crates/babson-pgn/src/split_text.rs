//! The text of a game with what its splitter has found out about it.

/// What [`Games`](crate::Games) knows of the text of a game, so that the reader need not find it
/// again. By default nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextFacts {
    /// Where the move text begins, if all tags before it are well formed and none of them can
    /// decide the initial position; else 0.
    pub(crate) moves: u32,
    /// Whether no result is before the end of the move text.
    pub(crate) one_result: bool,
    /// Whether the text has no NUL byte.
    pub(crate) no_nul: bool,
}

/// The text of a game, for a [`Reader`](crate::Reader).
///
/// ```
/// use babson_pgn::{Games, Needs, Reader, SplitText};
///
/// let file = b"[White \"Adams\"]\n\n1. e4 *\n\n[White \"Morphy\"]\n\n1. d4 d5 1-0\n";
/// let mut games = Games::new(file);
/// let mut reader = Reader::new();
/// let mut lengths = Vec::new();
/// while let Some((_, text)) = games.next() {
///     let text = SplitText::new(text).with_facts(games.facts());
///     lengths.push(reader.read_split_if(text, Needs::ALL, |_| true).0.len());
/// }
/// assert_eq!(lengths, [2, 3]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SplitText<'t> {
    text: &'t [u8],
    facts: TextFacts,
}

impl<'t> SplitText<'t> {
    /// A text without facts.
    pub fn new(text: &'t [u8]) -> SplitText<'t> {
        SplitText { text, facts: TextFacts::default() }
    }

    /// The same text with its facts. Facts about another text would make a wrong game of it.
    #[must_use]
    pub fn with_facts(self, facts: TextFacts) -> SplitText<'t> {
        SplitText { facts, ..self }
    }

    /// The text.
    pub fn text(self) -> &'t [u8] {
        self.text
    }

    /// What is known of the text.
    pub fn facts(self) -> TextFacts {
        self.facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Games;

    #[test]
    fn facts_are_kept_with_the_text() {
        let mut games = Games::new(b"[White \"A\"]\n\n1. e4 1-0\n");
        let (_, text) = games.next().unwrap();
        let split = SplitText::new(text).with_facts(games.facts());
        assert_eq!((split.text(), split.facts()), (text, games.facts()));
        assert_ne!(games.facts(), TextFacts::default());
    }

    #[test]
    fn each_game_has_its_own_facts() {
        let file =
            b"[White \"A\"]\n\n1. e4 1-0\n\n[FEN \"x\"]\n\n*\n\n[White \"B\"]\n; note\n1. e4 *\n\n\
            [White \"C\"]\n[Black \"D\"]\n1. e4 * 1. d4 d5 *\n\n[White \"E\"]\n\n";
        let mut games = Games::new(file);
        let mut found = Vec::new();
        while games.next().is_some() {
            let TextFacts { moves, one_result, no_nul } = games.facts();
            assert!(no_nul);
            found.push((moves, one_result));
        }
        let expected = [(13, true), (0, true), (0, true), (24, false), (0, true), (0, true)];
        assert_eq!(found, expected);
        let mut games = Games::new(b"[White \"A\0\"]\n\n1. e4 *");
        assert!(games.next().is_some() && !games.facts().no_nul);
    }
}
