//! What a dialect other than the default makes of filters whose sentences are the same.

use super::outline::Item;
use crate::dialect::{Dialect, DialectSwitch};
use crate::hir::Query;
use crate::sema::switches_of;

/// A sentence for each reading of the query that differs from the default.
pub(super) fn sentences(query: &Query) -> impl Iterator<Item = Item> {
    let (dialect, switches) = (query.dialect, switches_of(query).into_iter());
    switches.filter_map(move |switch| reading(switch, dialect)).map(Item::plain)
}

/// How the filters are read, if not as in the default dialect.
fn reading(switch: DialectSwitch, dialect: Dialect) -> Option<&'static str> {
    let (is_default, sentence) = match switch {
        DialectSwitch::Promotions => (
            dialect.promotions_are_distinct,
            "The four promotions of a pawn by one move count as one legal move.",
        ),
        DialectSwitch::Rights => (
            dialect.true_rights,
            "Castling and en passant captures are legal by the moves played before, whatever the \
             FEN of the game says.",
        ),
        DialectSwitch::MoveNumber => (
            dialect.movenumber_from_fen,
            "The move number counts from 1, whatever the FEN of the game says.",
        ),
        DialectSwitch::PieceIds => (
            dialect.piece_ids_in_fen_order,
            "The identities of pieces are numbers from 0, from a1 to h8.",
        ),
        DialectSwitch::AbsentPiece => {
            (dialect.absent_piece_prints, "A piece that is gone prints nothing.")
        }
        DialectSwitch::MissingKeys => (
            dialect.missing_keys_start_empty,
            "A game is skipped with an error if it changes a value that is missing in its \
             dictionary.",
        ),
        DialectSwitch::UnicodeStrings => (
            dialect.unicode_strings,
            "Texts are made of bytes, and only ASCII letters have an upper and a lower case.",
        ),
        DialectSwitch::RawTags => {
            (dialect.raw_tags, "Filters see the tags as CQL 6.2 rewrites them.")
        }
        // The sentences follow the text or the names.
        DialectSwitch::Fen
        | DialectSwitch::LocalScopes
        | DialectSwitch::BareResults
        | DialectSwitch::ContextualKeywords => return None,
    };
    (!is_default).then_some(sentence)
}
