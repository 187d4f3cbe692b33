//! Filters without operands that only match or not.

use super::{Award, CastlingKind, GameResult, Side, VariantEnding};

/// A filter without operands and without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum Condition {
    // Of the board.
    Check,
    Mate,
    Stalemate,
    /// `wtm`, `btm`
    SideToMove(Side),
    /// `legalposition`
    LegalPosition,
    /// `reachableposition`
    ReachablePosition,
    /// `variantwin`, `variantloss`, `variantdraw`, `variantend`
    VariantEnd(VariantEnding),
    // Of the node.
    Initial,
    Terminal,
    Mainline,
    Variation,
    VirtualMainline,
    Try,
    Primary,
    Secondary,
    NullMove,
    /// `o-o`, `o-o-o`, `castle` of the previous move
    Castling(CastlingKind),
    EnPassant,
    // Of the game.
    /// `variant "X"`
    IsVariant(babson_chess::Variant),
    /// `result R`
    Result(GameResult),
    /// `hhdb cooked`, `hhdb mainline`, `hhdb variation`
    Hhdb(HhdbCondition),
    /// Whether the game has such an award; its value is [`super::Quantity::Award`].
    HasAward(Award),
    // With an effect.
    /// `removecomment`
    RemoveComment,
    /// `cql_abort`
    Abort,
    /// A value that the query does not use, which CQL 6.2 takes for a mistake: ends the run.
    BareValue,
}

/// The keys of the Heijden database that match or not and combine no other filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub enum HhdbCondition {
    Cooked,
    Mainline,
    Variation,
}
