//! How long the outcome of a filter stays the same.

/// How long the outcome of a filter without effects stays the same, from the shortest time to the
/// longest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Constancy {
    /// It may change at any time: it may depend on variables, on the followed move or on earlier
    /// evaluations.
    #[default]
    None,
    /// At the same position of the game, as long as filters look at its own board.
    Position,
    /// In the same game.
    Game,
    /// In the same game; it depends only on the tags and the number of the game.
    Tags,
    /// In all games.
    Query,
}
