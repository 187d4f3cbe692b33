//! What the table says of a plain filter besides its name: its types, its effects and cost, and how
//! CQL 6.2 differs. The other kinds of nodes have such rows, too.

use crate::dialect::DialectSwitch;
use crate::effects::{Constancy, Effects, Errors, Traits};
use crate::types::Type;

/// The row of a plain filter. Nothing in it depends on the operands.
#[derive(Clone, Copy, Debug)]
pub struct Signature {
    /// The type of its operands, if it has any. `pieceid` also takes a piece.
    pub operands: Option<Type>,
    /// The type of its value. A condition has type Boolean.
    pub ty: Type,
    /// What it does besides.
    pub traits: Traits,
}

/// A filter of the board or the context.
pub(crate) const fn filter(ty: Type, cost: u32) -> Signature {
    let effects = Effects {
        comments: false,
        keeps_text: false,
        state: false,
        errors: Errors::None,
        look_ahead: 0,
        constancy: Constancy::None,
        cost,
    };
    let traits = Traits {
        effects,
        repeats: 1,
        reads_comments: false,
        outside: None,
        needs_game: true,
        always_matches: false,
        switch: None,
    };
    Signature { operands: None, ty, traits }
}

/// A filter without a value.
pub(super) const fn condition(cost: u32) -> Signature {
    filter(Type::Bool, cost)
}

/// A text or a number of the tags.
pub(super) const fn of_tags(ty: Type) -> Signature {
    filter(ty, 200).lasts(Constancy::Tags)
}

/// A function of its operands alone.
pub(super) const fn function(operands: Type, ty: Type) -> Signature {
    filter(ty, 2).of(operands).lasts(Constancy::Query).anywhere()
}

/// A function of two operands alone.
pub(super) const fn function_of_two(operands: Type, ty: Type) -> Signature {
    filter(ty, 20).of(operands).lasts(Constancy::Query).anywhere()
}

impl Signature {
    pub(super) const fn of(mut self, operands: Type) -> Signature {
        self.operands = Some(operands);
        self
    }

    /// The row with a value of this type.
    pub(crate) const fn gives(mut self, ty: Type) -> Signature {
        self.ty = ty;
        self
    }

    pub(crate) const fn lasts(mut self, constancy: Constancy) -> Signature {
        self.traits.effects.constancy = constancy;
        self
    }

    /// Looks at this many moves after the current position, at most. This takes the place of what
    /// the row had before, such as the whole game of a search.
    pub(crate) const fn looks_ahead(mut self, moves: u32) -> Signature {
        self.traits.effects.look_ahead = moves;
        self
    }

    /// Looks at any position of the game.
    pub(crate) const fn looks_anywhere(self) -> Signature {
        self.looks_ahead(Effects::UNBOUNDED)
    }

    pub(crate) const fn may_fail(self) -> Signature {
        self.may_fail_if(true)
    }

    pub(crate) const fn changes_state(self) -> Signature {
        self.changes_state_if(true)
    }

    pub(crate) const fn with_comments(mut self) -> Signature {
        self.traits.reads_comments = true;
        // The comments of a position end where the next move begins. That the move cannot be read
        // may be a comment of its own.
        if self.traits.effects.look_ahead == 0 {
            self.traits.effects.look_ahead = 1;
        }
        self
    }

    pub(crate) const fn anywhere(mut self) -> Signature {
        self.traits.needs_game = false;
        self
    }

    pub(crate) const fn always(mut self) -> Signature {
        self.traits.always_matches = true;
        self
    }

    pub(crate) const fn differs(mut self, switch: DialectSwitch) -> Signature {
        self.traits.switch = Some(switch);
        self
    }

    pub(crate) const fn opens(mut self, filter: &'static str) -> Signature {
        self.traits.outside = Some(filter);
        self
    }

    pub(crate) const fn costs(mut self, cost: u32) -> Signature {
        self.traits.effects.cost = cost;
        self
    }

    pub(crate) const fn repeats(mut self, repeats: u32) -> Signature {
        self.traits.repeats = repeats;
        self
    }

    pub(crate) const fn keeps_text_if(mut self, keeps: bool) -> Signature {
        self.traits.effects.keeps_text = keeps;
        self
    }

    pub(crate) const fn changes_state_if(mut self, state: bool) -> Signature {
        self.traits.effects.state |= state;
        self
    }

    pub(crate) const fn adds_comments_if(mut self, comments: bool) -> Signature {
        self.traits.effects.comments |= comments;
        self
    }

    pub(crate) const fn may_fail_if(mut self, fails: bool) -> Signature {
        if fails {
            self.traits.effects.errors = Errors::Any;
        }
        self
    }

    /// Its only error is the limit of steps.
    pub(crate) const fn searches(mut self) -> Signature {
        self.traits.effects.errors = Errors::TooManySteps;
        self
    }

    pub(crate) const fn needs_game_if(mut self, needs_game: bool) -> Signature {
        self.traits.needs_game = needs_game;
        self
    }
}
