//! The effects of a filter. They decide whether it may be reordered or skipped and whether its
//! comments are rolled back.

use super::constancy::Constancy;

/// The possible effects of a filter and its operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    /// Adds comments.
    pub(crate) comments: bool,
    /// Text that it made may still be in use after it has failed.
    pub(crate) keeps_text: bool,
    /// Changes something that outlives it: variables, dictionaries, tags, sort keys, messages.
    pub(crate) state: bool,
    /// May end in a run-time error.
    pub(crate) errors: bool,
    /// Looks at other nodes than the current one, or needs the tree.
    pub(crate) tree: bool,
    /// How long its outcome stays the same.
    pub(crate) constancy: Constancy,
    /// Rough cost of one evaluation, in nanoseconds.
    pub(crate) cost: u32,
}

/// The cost of a filter whose outcome is known, in nanoseconds.
const COST_OF_KNOWN: u32 = 2;

impl Flags {
    /// Whether it may be reordered, repeated or skipped.
    pub(crate) fn is_pure(self) -> bool {
        !self.comments && !self.state && !self.errors
    }

    /// Rough cost of an evaluation that is not the first.
    pub(crate) fn cost_again(self) -> u32 {
        match self.constancy {
            Constancy::None | Constancy::Position => self.cost,
            Constancy::Game | Constancy::Tags | Constancy::Query => self.cost.min(COST_OF_KNOWN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_and_errors_are_impure() {
        let flags = Flags::default();
        assert!(flags.is_pure());
        assert!(Flags { tree: true, keeps_text: true, cost: 9, ..flags }.is_pure());
        assert!(!Flags { comments: true, ..flags }.is_pure());
        assert!(!Flags { state: true, ..flags }.is_pure());
        assert!(!Flags { errors: true, ..flags }.is_pure());
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
            let flags = Flags { constancy, cost: 60, ..Flags::default() };
            assert_eq!(flags.cost_again(), again, "{constancy:?}");
            assert_eq!(Flags { cost: 1, ..flags }.cost_again(), 1, "{constancy:?}");
        }
    }
}
