//! The layout of written games (`docs/src/command-line.md#layout-of-written-games`).

/// The layout of a written game: the options of CQLi, and the rules of CQL 6.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// The greatest number of columns of a line.
    pub width: usize,
    /// Writes all comments of a position in one pair of braces.
    pub coalesce_comments: bool,
    /// Writes no spaces inside braces.
    pub compact_comments: bool,
    /// Writes no space between number and move.
    pub compact_moves: bool,
    /// Writes no spaces inside the parentheses of a variation.
    pub compact_variations: bool,
    /// Writes no comments, neither from the file nor from the query.
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
    /// The other rules of CQL 6.2; `None` does not change bytes and tags.
    pub cql6: Option<Cql6>,
}

/// The rules of CQL 6.2 that are not options: tags are rewritten and sorted, a line ends after the
/// initial comment, bytes above 126 in comments become `?`, and texts have limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cql6 {
    /// The greatest number of bytes of a written game; a longer one is truncated (`-outputbuffer`).
    pub game_limit: usize,
}

impl Layout {
    /// The layout of CQLi: each comment has its own braces, and the moves follow the initial
    /// comment on its line.
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

    /// The layout of CQL 6.2, byte for byte.
    pub const CQL6: Layout = Layout {
        coalesce_comments: true,
        cql6: Some(Cql6 { game_limit: crate::limits::MAX_CQL6_GAME }),
        ..Layout::CQLI
    };
}

impl Default for Layout {
    fn default() -> Layout {
        Layout::CQLI
    }
}
