//! Operators and their levels, and the levels of the operands of other filters.
//!
//! This is the only table of levels: the token pass, the climb and type checking read it.

/// The levels of left-associative operators, loosest first, with their numbers in
/// docs/src/language/reading.md#operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PrecedenceLevel {
    /// `or`.
    Or = 1,
    /// `and`.
    And = 2,
    /// `+` `-`.
    Sum = 5,
    /// `*` `/` `%`.
    Product = 6,
    /// `|`.
    Union = 9,
    /// `&`.
    Intersection = 10,
    /// `attacks` `attackedby`.
    Attacks = 11,
}

/// An operator on two numbers. It wraps, and division by zero has no value. `+` also joins strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Arithmetic {
    /// The spelling.
    pub fn name(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::Remainder => "%",
        }
    }
}

/// The operators of the left-associative levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InfixOp {
    /// `or`.
    Or,
    /// `and`.
    And,
    /// `+` and so on.
    Arithmetic(Arithmetic),
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
    pub const fn level(self) -> PrecedenceLevel {
        match self {
            InfixOp::Or => PrecedenceLevel::Or,
            InfixOp::And => PrecedenceLevel::And,
            InfixOp::Arithmetic(Arithmetic::Add | Arithmetic::Subtract) => PrecedenceLevel::Sum,
            InfixOp::Arithmetic(
                Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::Remainder,
            ) => PrecedenceLevel::Product,
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
            InfixOp::Arithmetic(op) => op.name(),
            InfixOp::Union => "|",
            InfixOp::Intersect => "&",
            InfixOp::Attacks => "attacks",
            InfixOp::AttackedBy => "attackedby",
        }
    }
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Infix(InfixOp),
    Rel(ComparisonOperator),
    In,
    With,
    Match,
    /// `[…]` after a string: an index or a slice.
    Index,
    /// `->`, or `<-` if true.
    Arrow(bool),
    /// A dash after its left operand.
    Dash,
}

impl BinaryOp {
    /// The level of the operator. Operators of a higher level bind more tightly.
    pub(crate) const fn level(self) -> u8 {
        match self {
            BinaryOp::Infix(op) => op.level() as u8,
            BinaryOp::In => 3,
            BinaryOp::Rel(_) => 4,
            BinaryOp::Dash => 7,
            BinaryOp::Arrow(_) => 8,
            BinaryOp::Match | BinaryOp::Index => 12,
            BinaryOp::With => 13,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            BinaryOp::Infix(op) => op.name(),
            BinaryOp::Rel(op) => op.name(),
            BinaryOp::In => "in",
            BinaryOp::With => ":",
            BinaryOp::Match => "~~",
            BinaryOp::Index => "[…]",
            BinaryOp::Arrow(false) => "->",
            BinaryOp::Arrow(true) => "<-",
            BinaryOp::Dash => "--",
        }
    }

    /// The least level of operators in the right operand.
    pub(crate) fn right_level(self) -> u8 {
        let is_right_associative = matches!(self, BinaryOp::Rel(_) | BinaryOp::With);
        self.level() + u8::from(!is_right_associative)
    }
}

/// The operator `-`.
pub(crate) const SUBTRACT: BinaryOp = BinaryOp::Infix(InfixOp::Arithmetic(Arithmetic::Subtract));

/// A comparison operator. `==` on sets compares squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComparisonOperator {
    /// `==`
    Equal,
    /// `!=`: no value counts as unequal; Boolean.
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `[<]`: proper ancestor (positions)
    Ancestor,
    /// `[<=]`
    AncestorOrSame,
    /// `[>]`
    Descendant,
    /// `[>=]`
    DescendantOrSame,
}

impl ComparisonOperator {
    /// Whether it compares the places of positions in the tree of the game.
    pub(crate) fn compares_positions(self) -> bool {
        use ComparisonOperator::{Ancestor, AncestorOrSame, Descendant, DescendantOrSame};
        matches!(self, Ancestor | AncestorOrSame | Descendant | DescendantOrSame)
    }

    /// The operator that says the same of exchanged operands: `<` for `>`.
    pub fn mirrored(self) -> ComparisonOperator {
        use ComparisonOperator::{
            Ancestor, AncestorOrSame, Descendant, DescendantOrSame, Equal, Greater, GreaterEqual,
            Less, LessEqual, NotEqual,
        };
        match self {
            Less => Greater,
            LessEqual => GreaterEqual,
            Greater => Less,
            GreaterEqual => LessEqual,
            Ancestor => Descendant,
            AncestorOrSame => DescendantOrSame,
            Descendant => Ancestor,
            DescendantOrSame => AncestorOrSame,
            Equal | NotEqual => self,
        }
    }

    /// The ASCII spelling.
    pub fn name(self) -> &'static str {
        match self {
            ComparisonOperator::Equal => "==",
            ComparisonOperator::NotEqual => "!=",
            ComparisonOperator::Less => "<",
            ComparisonOperator::LessEqual => "<=",
            ComparisonOperator::Greater => ">",
            ComparisonOperator::GreaterEqual => ">=",
            ComparisonOperator::Ancestor => "[<]",
            ComparisonOperator::AncestorOrSame => "[<=]",
            ComparisonOperator::Descendant => "[>]",
            ComparisonOperator::DescendantOrSame => "[>=]",
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
    /// `+=` and so on.
    Arithmetic(Arithmetic),
    /// `|=`.
    Union,
    /// `&=`.
    Intersect,
}

impl AssignOp {
    /// The ASCII spelling.
    pub fn name(self) -> String {
        match self {
            AssignOp::Set => "=".to_owned(),
            AssignOp::SetIfAny => "=?".to_owned(),
            AssignOp::Arithmetic(op) => format!("{}=", op.name()),
            AssignOp::Union => "|=".to_owned(),
            AssignOp::Intersect => "&=".to_owned(),
        }
    }
}
