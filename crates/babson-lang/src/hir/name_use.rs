//! The uses that a node makes of names.

use super::{DictId, Update, VarId};

/// A variable or dictionary that a node names itself, and how it uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameUse {
    /// A variable.
    Variable(VarId, VariableUse),
    /// A dictionary.
    Dictionary(DictId, DictionaryUse),
}

/// How a node uses a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableUse {
    /// Reads its value.
    Read,
    /// Asks whether it is bound.
    Test,
    /// `x = e`
    Assign,
    /// `x op= e`
    Update(Update),
    /// `x[i] = s`
    Splice,
    /// `piece x = S`
    BindPiece,
    /// `unbind x`
    Unbind,
    /// Binds it to one value after the other while operands are evaluated.
    Loop,
}

/// How a node uses a dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DictionaryUse {
    /// Reads entries.
    Read,
    /// `D[k] = v`; the fields of [`StateFilter::Store`](super::StateFilter::Store).
    Store {
        /// How the new value joins the old one.
        op: Option<Update>,
        /// A missing key starts from nothing.
        from_zero: bool,
    },
    /// `unbind D[k]`, `unbind D`
    Erase,
}
