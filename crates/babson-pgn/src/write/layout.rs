//! How a written game looks.

/// The looks of a written game: CQLi's options (cqli.md section 15.3), and CQL 6.2's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Columns that a line may have.
    pub width: usize,
    /// One brace pair for all comments of a position.
    pub coalesce_comments: bool,
    /// No blanks inside braces.
    pub compact_comments: bool,
    /// No blank between number and move.
    pub compact_moves: bool,
    /// No blanks inside the parentheses of a variation.
    pub compact_variations: bool,
    /// Writes no comments, neither those of the file nor those of the query.
    pub elide_comments: bool,
    /// Writes no annotation glyphs.
    pub elide_nags: bool,
    /// Writes no variations.
    pub elide_variations: bool,
    /// Writes move numbers.
    pub move_numbers: bool,
    /// Repeats the number before a Black move that follows a comment.
    pub number_after_comment: bool,
    /// Repeats the number before a Black move that follows a glyph.
    pub number_after_nag: bool,
    /// Allows a line end between number and move.
    pub split_moves: bool,
    /// What CQL 6.2 does to games; `None` leaves bytes and tags as they were.
    pub cql6: Option<Cql6>,
}

/// The rules of CQL 6.2 that are no matter of taste: tags are rewritten and put in its order, a
/// line ends after the initial comment, commented bytes above 126 become `?`, and texts have
/// limits (evaluation-and-output.md sections 4.3 and 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cql6 {
    /// Bytes of a written game; what is longer is cut (`-outputbuffer`).
    pub game_limit: usize,
}

impl Layout {
    /// CQLi's: every comment has its own braces, and the moves go on after the initial comment.
    pub const CQLI: Layout = Layout {
        width: 79,
        coalesce_comments: false,
        compact_comments: true,
        compact_moves: true,
        compact_variations: false,
        elide_comments: false,
        elide_nags: false,
        elide_variations: false,
        move_numbers: true,
        number_after_comment: true,
        number_after_nag: false,
        split_moves: true,
        cql6: None,
    };

    /// CQL 6.2's, to the byte.
    pub const CQL6: Layout = Layout {
        coalesce_comments: true,
        cql6: Some(Cql6 { game_limit: 105_000 }),
        ..Layout::CQLI
    };
}

impl Default for Layout {
    fn default() -> Layout {
        Layout::CQLI
    }
}
