//! How long the outcome of a filter stays the same.

/// Where the outcome of a filter without effects is the same as before, from seldom to always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Constancy {
    /// Nowhere: it may depend on variables, on the move that is looked at, on what was evaluated.
    #[default]
    None,
    /// At the same position of the game, as long as filters look at its own board.
    Position,
    /// In the same game.
    Game,
    /// In the same game, and its tags and number decide.
    Tags,
    /// In all games.
    Query,
}
