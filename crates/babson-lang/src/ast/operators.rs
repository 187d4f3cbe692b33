//! Operators and their levels.

/// The levels of left-associative operators, loosest first
/// (docs/src/language/reading.md#operators).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PrecedenceLevel {
    /// `or`.
    Or,
    /// `and`.
    And,
    /// `+` `-`.
    Sum,
    /// `*` `/` `%`.
    Product,
    /// `|`.
    Union,
    /// `&`.
    Intersection,
    /// `attacks` `attackedby`.
    Attacks,
}

/// The operators of the left-associative levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InfixOp {
    /// `or`.
    Or,
    /// `and`.
    And,
    /// `+`.
    Add,
    /// `-`.
    Sub,
    /// `*`.
    Mul,
    /// `/`.
    Div,
    /// `%`.
    Rem,
    /// `|`.
    Union,
    /// `&`.
    Intersect,
    /// `attacks`.
    Attacks,
    /// `attackedby`.
    AttackedBy,
}

impl InfixOp {
    /// The level.
    pub fn level(self) -> PrecedenceLevel {
        match self {
            InfixOp::Or => PrecedenceLevel::Or,
            InfixOp::And => PrecedenceLevel::And,
            InfixOp::Add | InfixOp::Sub => PrecedenceLevel::Sum,
            InfixOp::Mul | InfixOp::Div | InfixOp::Rem => PrecedenceLevel::Product,
            InfixOp::Union => PrecedenceLevel::Union,
            InfixOp::Intersect => PrecedenceLevel::Intersection,
            InfixOp::Attacks | InfixOp::AttackedBy => PrecedenceLevel::Attacks,
        }
    }

    /// The ASCII spelling.
    pub fn name(self) -> &'static str {
        match self {
            InfixOp::Or => "or",
            InfixOp::And => "and",
            InfixOp::Add => "+",
            InfixOp::Sub => "-",
            InfixOp::Mul => "*",
            InfixOp::Div => "/",
            InfixOp::Rem => "%",
            InfixOp::Union => "|",
            InfixOp::Intersect => "&",
            InfixOp::Attacks => "attacks",
            InfixOp::AttackedBy => "attackedby",
        }
    }
}

/// Relational operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelOp {
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
    /// `[<]`, proper ancestor.
    Before,
    /// `[<=]`.
    BeforeOrSame,
    /// `[>]`, proper descendant.
    After,
    /// `[>=]`.
    AfterOrSame,
}

impl RelOp {
    /// Whether it compares the places of positions in the tree of the game.
    pub(crate) fn compares_positions(self) -> bool {
        match self {
            RelOp::Before | RelOp::BeforeOrSame | RelOp::After | RelOp::AfterOrSame => true,
            RelOp::Eq | RelOp::Ne | RelOp::Lt | RelOp::Le | RelOp::Gt | RelOp::Ge => false,
        }
    }

    /// The ASCII spelling.
    pub fn name(self) -> &'static str {
        match self {
            RelOp::Eq => "==",
            RelOp::Ne => "!=",
            RelOp::Lt => "<",
            RelOp::Le => "<=",
            RelOp::Gt => ">",
            RelOp::Ge => ">=",
            RelOp::Before => "[<]",
            RelOp::BeforeOrSame => "[<=]",
            RelOp::After => "[>]",
            RelOp::AfterOrSame => "[>=]",
        }
    }
}

/// The assignment operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignOp {
    /// `=`.
    Set,
    /// `=?`.
    SetIfAny,
    /// `+=`.
    Add,
    /// `-=`.
    Sub,
    /// `*=`.
    Mul,
    /// `/=`.
    Div,
    /// `%=`.
    Rem,
    /// `|=`.
    Union,
    /// `&=`.
    Intersect,
}

impl AssignOp {
    /// The ASCII spelling.
    pub fn name(self) -> &'static str {
        match self {
            AssignOp::Set => "=",
            AssignOp::SetIfAny => "=?",
            AssignOp::Add => "+=",
            AssignOp::Sub => "-=",
            AssignOp::Mul => "*=",
            AssignOp::Div => "/=",
            AssignOp::Rem => "%=",
            AssignOp::Union => "|=",
            AssignOp::Intersect => "&=",
        }
    }
}
