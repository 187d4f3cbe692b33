//! Dialects: one switch for each difference between CQL 6.2 and CQLi
//! (docs/src/language/dialects.md).

/// The reading of the language, with one switch for each row of the table in
/// docs/src/language/dialects.md. Other code tests these switches, never the name of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// Each of the four promotions is a legal move (otherwise the four count as one).
    pub promotions_are_distinct: bool,
    /// Legal moves follow the castling rights, the en passant square and the variant of the
    /// position (otherwise the rules of CQL 6.2).
    pub true_rights: bool,
    /// `fen` without an argument is `standardfen`.
    pub fen_is_standard: bool,
    /// `movenumber` starts from the number in the FEN (otherwise from 1).
    pub movenumber_from_fen: bool,
    /// Piece ids count from 1 in the reading order of a FEN (otherwise from 0, a1 … h8).
    pub piece_ids_in_fen_order: bool,
    /// A piece variable whose piece has been captured prints `[absent]` (otherwise nothing).
    pub absent_piece_prints: bool,
    /// Variables first assigned in the body of an iteration or function are local to it.
    pub local_scopes: bool,
    /// `;` starts a comment to the end of the line (otherwise it is an error).
    pub semicolon_comments: bool,
    /// Bare `1-0`, `0-1`, `1/2-1/2` are filters (otherwise literals only).
    pub bare_results: bool,
    /// Keywords that only CQL 6.2 reserves are names in a query that assigns them (otherwise they
    /// are always reserved).
    pub contextual_keywords: bool,
    /// The words that only Babson has are keywords in a query that does not assign them (otherwise
    /// they are always names).
    pub own_words: bool,
    /// `D[k] += v` on a missing key starts from 0 or "" (otherwise an error).
    pub missing_keys_start_empty: bool,
    /// Strings consist of UTF-8 characters (otherwise of bytes).
    pub unicode_strings: bool,
    /// Filters see tags as they are in the file (otherwise tags are rewritten first).
    pub raw_tags: bool,
    /// A game with an invalid FEN or an unknown variant is played from the standard initial
    /// position (otherwise its positions are not searched).
    pub usual_start: bool,
    /// The comments of a filter that fails are never written (otherwise only some filters roll them
    /// back).
    pub failed_comments_vanish: bool,
    /// The value of a dash with a set comes from the first move that matches (otherwise from the
    /// first one between the squares of the dash, even if it is the empty set).
    pub dash_values_match: bool,
    /// `move` evaluates its sets at every position (otherwise only where a move follows).
    pub moveless_operands: bool,
    /// An end that `path keepallbest` reaches in several ways counts once (otherwise the second way
    /// is an alternative).
    pub path_ends_are_distinct: bool,
    /// A `fen` pattern with a digit is shifted like other filters (otherwise it stays where it is).
    pub fen_digits_shift: bool,
    /// `removecomment` removes comments of its game only (otherwise, at the initial position, also
    /// the comments before the first moves of all later games).
    pub removals_end_with_the_game: bool,
    /// Errors in the body of a function that is never called are warnings (otherwise nobody looks
    /// for them).
    pub uncalled_bodies_are_checked: bool,
    /// A value that no filter uses is a filter that matches (otherwise it ends the run when it is
    /// evaluated).
    pub bare_values: bool,
    /// The output has braces for each comment and the sort header first (otherwise as CQL 6.2).
    pub separate_comments: bool,
    /// `-a F` appends the output to F (otherwise converts the query to ASCII).
    pub a_appends: bool,
}

impl Dialect {
    /// The dialect with this name, as in `--dialect` and the header.
    pub fn named(name: &str) -> Option<Dialect> {
        match name.to_ascii_lowercase().as_str() {
            "cqli" => Some(Dialect::CQLI),
            "cql6" | "cql62" | "cql" => Some(Dialect::CQL6),
            _ => None,
        }
    }

    /// Its name, as [`Dialect::named`] reads it.
    ///
    /// ```
    /// use babson_lang::Dialect;
    ///
    /// assert_eq!(Dialect::CQL6.name(), "cql6");
    /// ```
    pub fn name(&self) -> &'static str {
        if *self == Dialect::CQL6 { "cql6" } else { "cqli" }
    }

    /// CQLi, the default.
    pub const CQLI: Dialect = Dialect {
        promotions_are_distinct: true,
        true_rights: true,
        fen_is_standard: true,
        movenumber_from_fen: true,
        piece_ids_in_fen_order: true,
        absent_piece_prints: true,
        local_scopes: true,
        semicolon_comments: false,
        bare_results: true,
        contextual_keywords: true,
        own_words: true,
        missing_keys_start_empty: true,
        unicode_strings: true,
        raw_tags: true,
        usual_start: false,
        failed_comments_vanish: true,
        dash_values_match: true,
        moveless_operands: true,
        path_ends_are_distinct: true,
        fen_digits_shift: true,
        removals_end_with_the_game: true,
        uncalled_bodies_are_checked: true,
        bare_values: true,
        separate_comments: true,
        a_appends: true,
    };

    /// CQL 6.2.
    pub const CQL6: Dialect = Dialect {
        promotions_are_distinct: false,
        true_rights: false,
        fen_is_standard: false,
        movenumber_from_fen: false,
        piece_ids_in_fen_order: false,
        absent_piece_prints: false,
        local_scopes: false,
        semicolon_comments: true,
        bare_results: false,
        contextual_keywords: false,
        own_words: false,
        missing_keys_start_empty: false,
        unicode_strings: false,
        raw_tags: false,
        usual_start: true,
        failed_comments_vanish: false,
        dash_values_match: false,
        moveless_operands: false,
        path_ends_are_distinct: false,
        fen_digits_shift: false,
        removals_end_with_the_game: false,
        uncalled_bodies_are_checked: false,
        bare_values: false,
        separate_comments: false,
        a_appends: false,
    };
}

/// A field of [`Dialect`] that can change the meaning of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DialectSwitch {
    Promotions,
    Rights,
    Fen,
    MoveNumber,
    PieceIds,
    AbsentPiece,
    LocalScopes,
    BareResults,
    ContextualKeywords,
    MissingKeys,
    UnicodeStrings,
    RawTags,
}

impl Default for Dialect {
    fn default() -> Dialect {
        Dialect::CQLI
    }
}
