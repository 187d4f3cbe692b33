//! What a filter does besides matching. It decides whether a filter may be reordered or skipped and
//! whether its comments are rolled back.

use crate::dialect::DialectSwitch;

/// How long the outcome of a filter without effects stays the same, from the shortest time to the
/// longest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Constancy {
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

/// The errors in which an evaluation may end, from the mildest to the most severe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Errors {
    /// None.
    #[default]
    None,
    /// A search may take too many steps. A search that is skipped takes none.
    TooManySteps,
    /// Any run-time error, or a loop that does not end. It must be reported.
    Any,
}

/// The possible effects of a filter, and what an evaluation costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Adds comments.
    pub comments: bool,
    /// Text that it made may still be in use after it has failed.
    pub keeps_text: bool,
    /// Changes something that outlives it: variables, dictionaries, tags, sort keys, messages.
    pub state: bool,
    /// The run-time errors in which it may end.
    pub errors: Errors,
    /// How many moves after the current position it looks at, at most, or
    /// [`Effects::UNBOUNDED`]. A filter with a position as its value counts as one that looks at
    /// that position.
    pub look_ahead: u32,
    /// How long its outcome stays the same.
    pub constancy: Constancy,
    /// Rough cost of one evaluation, in nanoseconds.
    pub cost: u32,
}

/// The cost of a filter whose outcome is known, in nanoseconds.
const COST_OF_KNOWN: u32 = 2;

impl Effects {
    /// The [look-ahead](Effects::look_ahead) of a filter that may look at all of the game.
    pub const UNBOUNDED: u32 = u32::MAX;

    /// Whether the filter may be reordered, repeated or skipped.
    pub fn is_pure(self) -> bool {
        !self.comments && !self.state && self.errors == Errors::None
    }

    /// Rough cost of an evaluation that is not the first.
    pub fn cost_again(self) -> u32 {
        match self.constancy {
            Constancy::None | Constancy::Position => self.cost,
            Constancy::Game | Constancy::Tags | Constancy::Query => self.cost.min(COST_OF_KNOWN),
        }
    }
}

/// What a node does by itself, whatever its operands do.
#[derive(Clone, Copy, Debug)]
pub struct Traits {
    /// Its own effects and cost; the constancy of the whole if no operand has less.
    pub effects: Effects,
    /// How often, roughly, it evaluates its operands.
    pub repeats: u32,
    /// Looks at the comments of the game.
    pub reads_comments: bool,
    /// The name of the filter if it opens a file or starts a program.
    pub(crate) outside: Option<&'static str>,
    /// Needs a game or a position, so it cannot stand in `cqlbegin` and `cqlend`.
    pub(crate) needs_game: bool,
    /// Always matches. As a condition, CQL 6.2 takes it for a mistake.
    pub(crate) always_matches: bool,
    /// The field of the dialect that can change its meaning. Of some, the operands or the
    /// parameters decide whether it does.
    pub(crate) switch: Option<DialectSwitch>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_and_errors_are_impure() {
        let effects = Effects::default();
        assert!(effects.is_pure());
        assert!(Effects { look_ahead: 1, keeps_text: true, cost: 9, ..effects }.is_pure());
        assert!(!Effects { comments: true, ..effects }.is_pure());
        assert!(!Effects { state: true, ..effects }.is_pure());
        for errors in [Errors::TooManySteps, Errors::Any] {
            assert!(!Effects { errors, ..effects }.is_pure());
        }
    }

    #[test]
    fn what_a_game_keeps_costs_little_the_second_time() {
        for (constancy, again) in [
            (Constancy::None, 60),
            (Constancy::Position, 60),
            (Constancy::Game, COST_OF_KNOWN),
            (Constancy::Tags, COST_OF_KNOWN),
            (Constancy::Query, COST_OF_KNOWN),
        ] {
            let effects = Effects { constancy, cost: 60, ..Effects::default() };
            assert_eq!(effects.cost_again(), again, "{constancy:?}");
            assert_eq!(Effects { cost: 1, ..effects }.cost_again(), 1, "{constancy:?}");
        }
    }
}
