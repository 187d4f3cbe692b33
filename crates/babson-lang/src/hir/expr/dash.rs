//! `L--R=P(T)` and `L[x]R=P(T)` (docs/src/language/dash.md#dash-filters).

use super::Expr;

/// The conditions of a dash on a move, in a dash filter or a step of `path`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dash {
    /// `[x]`: the move must capture, and `right` is about the capture square.
    pub capture: bool,
    /// The origin, a Set; `None` is any. Evaluated at the position before the move, as all
    /// operands.
    pub left: Option<Expr>,
    /// The destination, or the capture square; a Set, `None` is any.
    pub right: Option<Expr>,
    /// Only promotions to these.
    pub promotion: Option<Promotion>,
}

/// The kinds to which a pawn may promote.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Promotion {
    /// Bit set of kinds (pawn 0 … king 5); see [`Promotion::kinds`].
    Kinds(u8),
    /// A String whose letters name the kinds.
    Text(Expr),
}

impl Promotion {
    /// Every kind.
    pub const ANY: u8 = 0x3f;

    /// The kinds that the letters of a string name, whatever their case: `"qn"`. An empty one
    /// and `.` stand for all; other characters for none.
    ///
    /// ```
    /// use babson_lang::hir::Promotion;
    ///
    /// assert_eq!(Promotion::kinds(b"Nn"), 1 << 1);
    /// assert_eq!(Promotion::kinds(b""), Promotion::ANY);
    /// ```
    pub fn kinds(letters: &[u8]) -> u8 {
        if letters.is_empty() {
            return Promotion::ANY;
        }
        letters.iter().fold(0, |kinds, letter| {
            kinds
                | match letter.to_ascii_lowercase() {
                    b'.' => Promotion::ANY,
                    letter => b"pnbrqk"
                        .iter()
                        .position(|&known| known == letter)
                        .map_or(0, |bit| 1 << bit),
                }
        })
    }
}

impl Dash {
    /// The filters in it, in textual order.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        let promotion = match &self.promotion {
            Some(Promotion::Text(text)) => Some(text),
            Some(Promotion::Kinds(_)) | None => None,
        };
        self.left.iter().chain(&self.right).chain(promotion)
    }
}

/// A dash filter: it looks for a move that meets the conditions of `dash` and at whose tail the
/// target matches. The value of the filter is the value of the target at the first such move; with
/// `count`, it is the number of such moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DashFilter {
    /// The move.
    pub dash: Dash,
    /// `previous`: the move that led here, not those played from here.
    pub previous: bool,
    /// `countmoves`: type Number.
    pub count: bool,
    /// The filter that must match at the tail of the move. Without `count` it gives the dash filter
    /// its type.
    pub target: Option<Expr>,
}
