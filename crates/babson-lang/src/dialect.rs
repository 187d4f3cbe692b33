//! Where CQL 6.2 and CQLi read the same text differently (dialects.md): named switches, nothing
//! else.

/// One switch for each row of the table in dialects.md. Nothing else in the code knows about
/// engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dialect {
    /// Each of the four promotions is a legal move of its own (otherwise the four count as one).
    pub promotions_are_distinct: bool,
    /// Legal moves obey castling rights, en passant square and variant of the position (otherwise
    /// the rules of 6.2).
    pub true_rights: bool,
    /// `fen` without argument is `standardfen`.
    pub fen_is_standard: bool,
    /// `movenumber` starts from the number in the FEN (otherwise from 1).
    pub movenumber_from_fen: bool,
    /// Piece ids count from 1 in the reading order of a FEN (otherwise from 0, a1 … h8).
    pub piece_ids_in_fen_order: bool,
    /// A piece variable whose piece is gone prints `[absent]` (otherwise nothing).
    pub absent_piece_prints: bool,
    /// Variables first assigned in the body of an iteration or function are local to it.
    pub local_scopes: bool,
    /// `;` starts a comment up to the end of the line (otherwise it is an error).
    pub semicolon_comments: bool,
    /// Bare `1-0`, `0-1`, `1/2-1/2` are filters (otherwise literals only).
    pub bare_results: bool,
    /// Words that only 6.2 reserves are names in a query that assigns them (otherwise always
    /// reserved).
    pub contextual_keywords: bool,
    /// `D[k] += v` on a missing key starts from 0 or "" (otherwise an error).
    pub missing_keys_start_empty: bool,
    /// Strings are made of UTF-8 characters (otherwise of bytes).
    pub unicode_strings: bool,
    /// Tags are seen as they stand in the file (otherwise rewritten first).
    pub raw_tags: bool,
    /// A game with a bad FEN or of an unknown variant is played from the usual position (otherwise
    /// none of its positions is searched).
    pub usual_start: bool,
    /// A value that nobody asks for is a filter that matches (otherwise it ends the run when it is
    /// evaluated).
    pub bare_values: bool,
    /// Output has a brace for each comment and the sort header first (otherwise as 6.2).
    pub separate_comments: bool,
    /// `-a F` appends the output to F (otherwise converts the query to ASCII).
    pub a_appends: bool,
}

impl Dialect {
    /// The dialect of this name, as `--dialect` and the header take it.
    pub fn named(name: &str) -> Option<Dialect> {
        match name.to_ascii_lowercase().as_str() {
            "cqli" => Some(Dialect::CQLI),
            "cql6" | "cql62" | "cql" => Some(Dialect::CQL6),
            _ => None,
        }
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
        missing_keys_start_empty: true,
        unicode_strings: true,
        raw_tags: true,
        usual_start: false,
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
        missing_keys_start_empty: false,
        unicode_strings: false,
        raw_tags: false,
        usual_start: true,
        bare_values: false,
        separate_comments: false,
        a_appends: false,
    };
}

impl Default for Dialect {
    fn default() -> Dialect {
        Dialect::CQLI
    }
}
