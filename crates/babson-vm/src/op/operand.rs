//! The types that only operands have.

use babson_lang::hir::{Content, Dictionary, JoinRule, Update};

use super::{OptionalRegister, Place, Register};

/// An operand that may be a register.
pub(crate) trait RegisterOperand {
    fn register(self) -> Option<Register>;
}

impl RegisterOperand for OptionalRegister {
    fn register(self) -> Option<Register> {
        self.get()
    }
}

impl RegisterOperand for Place {
    fn register(self) -> Option<Register> {
        match self {
            Place::Set(register)
            | Place::Piece(register)
            | Place::LoopPiece { var: register, .. } => Some(register),
        }
    }
}

/// The register of a dictionary's key. Without a register the key is the current board.
pub(crate) type KeyOrBoard = OptionalRegister;

/// The register of a dictionary's key, or all keys.
pub(crate) type KeyOrAll = OptionalRegister;

/// A regular expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RegexOperand {
    /// A literal one, by its number.
    Literal(u16),
    /// The string in a register.
    Register(Register),
}

impl RegisterOperand for RegexOperand {
    fn register(self) -> Option<Register> {
        match self {
            RegexOperand::Literal(_) => None,
            RegexOperand::Register(register) => Some(register),
        }
    }
}

/// A string constant, packed as registers hold strings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TextConstant(pub(crate) u64);

/// The squares on which an instruction looks for a content.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SquareMask(pub(crate) u64);

/// A content of one bit that is a piece, by the number of the bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContentBit(pub(crate) u8);

impl ContentBit {
    /// Returns none unless the content is exactly one piece.
    pub(crate) fn of(content: Content) -> Option<ContentBit> {
        let bits = content.0 & Content::ANY.0;
        (bits.count_ones() == 1 && bits < Content::EMPTY.0)
            .then_some(ContentBit(bits.trailing_zeros() as u8))
    }
}

/// What an operator does with a key that a dictionary does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingKey {
    /// The run of the game ends.
    Error,
    /// The key begins with 0, `""` or the empty set.
    Empty,
    /// The key gets the operand: an intersection of nothing but it.
    Operand,
}

impl MissingKey {
    /// The rule of an assignment with this operator, if any, to a key of this dictionary.
    pub(crate) fn of(declared: &Dictionary, op: Option<Update>, from_zero: bool) -> MissingKey {
        if !from_zero {
            MissingKey::Error
        } else if op == Some(Update::Intersection)
            && declared.join_rule == Some(JoinRule::Intersection)
        {
            MissingKey::Operand
        } else {
            MissingKey::Empty
        }
    }
}
