//! Chess words that are not words of the language, with the query that says the same.

use crate::diagnostic::{Fix, Help, Span};

/// A word that people try, and what the language has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Synonym {
    /// The words with this meaning, in lowercase, without underscores.
    pub words: &'static [&'static str],
    /// A query with this meaning, or an example of one.
    pub query: &'static str,
    /// What the reader must know besides the query; may be empty.
    pub note: &'static str,
    /// The query is an example: its operands or numbers must be replaced.
    pub is_example: bool,
}

/// The synonym with this word, in any case and with or without spaces, underscores and hyphens.
///
/// ```
/// use babson_lang::synonyms;
/// assert_eq!(synonyms::find("Check_Mate").unwrap().query, "mate");
/// assert_eq!(synonyms::find("mate"), None);
/// ```
pub fn find(word: &str) -> Option<&'static Synonym> {
    // No word of the table is longer, and a name may have a megabyte.
    if word.len() > MAX_WORD {
        return None;
    }
    let mut plain = word.to_ascii_lowercase();
    plain.retain(|letter| !matches!(letter, ' ' | '_' | '-'));
    SYNONYMS.iter().find(|synonym| synonym.words.contains(&plain.as_str()))
}

/// The help for `rank` or `file` where it has no set of squares after it: squares were meant, and
/// these words are numbers.
pub(crate) fn rank_or_file(word: &str) -> Option<&'static str> {
    matches!(word, "rank" | "file").then_some("the squares of a rank are `a-h7`, of a file `e1-8`")
}

impl Synonym {
    /// The help for the word at this place.
    pub(crate) fn help(&self, place: Span) -> Help {
        let help = Help::from(self.to_string());
        if self.is_example {
            return help;
        }
        let fix = Fix::replace(place, self.query);
        // What needs a note is only near to what the word means.
        let fix = if self.note.is_empty() { fix.certain() } else { fix };
        help.with(fix)
    }
}

impl std::fmt::Display for Synonym {
    /// The help of an error: what to write.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "write `{}`", self.query)?;
        if self.note.is_empty() { Ok(()) } else { write!(f, ": {}", self.note) }
    }
}

/// More than the length of any word that [`find`] looks for, with its hyphens.
const MAX_WORD: usize = 32;

const fn synonym(
    words: &'static [&'static str],
    query: &'static str,
    note: &'static str,
) -> Synonym {
    Synonym { words, query, note, is_example: false }
}

/// A synonym whose query has operands or numbers that the reader must replace.
const fn example(
    words: &'static [&'static str],
    query: &'static str,
    note: &'static str,
) -> Synonym {
    Synonym { words, query, note, is_example: true }
}

/// All synonyms, by theme.
pub const SYNONYMS: &[Synonym] = &[
    // Pieces.
    synonym(&["king", "kings", "roi", "rey"], "[Kk]", "`K` is the white king, `k` the black king"),
    synonym(
        &["queen", "queens", "dame", "dama"],
        "[Qq]",
        "`Q` is a white queen, `q` a black queen",
    ),
    synonym(
        &["rook", "rooks", "turm", "tour", "torre"],
        "[Rr]",
        "`R` is a white rook, `r` a black rook",
    ),
    synonym(
        &["bishop", "bishops", "fou", "alfil"],
        "[Bb]",
        "`B` is a white bishop, `b` a black bishop",
    ),
    synonym(
        &["knight", "knights", "springer", "cavalier", "caballo"],
        "[Nn]",
        "`N` is a white knight, `n` a black knight",
    ),
    synonym(
        &["pawn", "pawns", "bauer", "pion", "peon"],
        "[Pp]",
        "`P` is a white pawn, `p` a black pawn",
    ),
    synonym(&["pieces", "anypiece"], "[Aa]", "`A` is any white piece, `a` any black piece"),
    synonym(&["whitepiece", "whitepieces"], "A", ""),
    synonym(&["blackpiece", "blackpieces"], "a", ""),
    synonym(&["emptysquare", "empty", "emptysquares"], "_", "a square without a piece"),
    synonym(&["squares", "anysquare", "board"], ".", "any square"),
    synonym(
        &["material", "materialbalance", "powerdifference"],
        "power A - power a",
        "pawns count 1, queens 9",
    ),
    example(&["countsquares", "piececount"], "#Q == 2", "`#` counts squares and pieces"),
    example(
        &["on", "at", "standson"],
        "Ra-h7",
        "a rook on the seventh rank; on the e-file `Re1-8`, a king on g8 `Kg8`",
    ),
    // Moves.
    synonym(&["captured", "capturing", "takes", "taken"], "[x]", ""),
    example(&["movefrom"], "move from Q", "or `Q--`"),
    example(&["moveto"], "move to e4", "or `--e4`"),
    synonym(
        &["castling", "castles", "castled"],
        "castle",
        "the move to the position is castling; `move castle` if the next one is",
    ),
    synonym(&["shortcastle", "shortcastling", "castlekingside", "kingsidecastle"], "o-o", ""),
    synonym(&["longcastle", "longcastling", "castlequeenside", "queensidecastle"], "o-o-o", ""),
    synonym(
        &["promotion", "promotions", "promotes", "promoted"],
        "move promote [QRBN]",
        "the move that follows promotes a pawn",
    ),
    synonym(&["underpromotion", "underpromotions", "underpromotes"], "move promote [RBN]", ""),
    // Checks and ends.
    synonym(&["checkmate", "checkmates", "checkmated", "mated", "mates"], "mate", ""),
    synonym(&["stalemated", "stalemates"], "stalemate", ""),
    synonym(&["checks", "incheck", "ischeck", "checked"], "check", "the side to move is in check"),
    synonym(&["doublecheck"], "wtm #(a attacks K) == 2", "or `btm #(A attacks k) == 2`"),
    synonym(&["draw", "draws", "drawn"], "result 1/2-1/2", "the result of the game"),
    synonym(
        &["whitewins", "whitewon", "win", "wins", "won", "winner"],
        "result 1-0",
        "`result 0-1` if Black wins",
    ),
    synonym(
        &["blackwins", "blackwon", "loss", "lost", "loses"],
        "result 0-1",
        "`result 1-0` if White wins",
    ),
    synonym(
        &["fiftymoves", "fiftymoverule", "fifty"],
        "halfmoveclock >= 100",
        "the clock counts plies",
    ),
    synonym(&["finalposition", "gameend", "endofgame"], "terminal", ""),
    synonym(&["firstposition", "startposition", "startpos", "beginning"], "initial", ""),
    synonym(
        &["threefold", "threefoldrepetition", "repetition", "repetitions"],
        "dictionary str --> int (min) $D if initial then unbind $D $D[zobristkey] += 1 \
         $D[zobristkey] >= 3",
        "the position occurs for the third time",
    ),
    synonym(&["bishoppair", "twobishops"], "light B dark B", "of White; `light b dark b` of Black"),
    example(&["endgame", "ending", "endings"], "not [Qq]", "no queens, for example"),
    // Structures.
    synonym(&["doubled", "doubledpawn"], "doubledpawns", "`P & doubledpawns` are the white ones"),
    synonym(
        &["isolated", "isolatedpawn", "isolani"],
        "isolatedpawns",
        "`P & isolatedpawns` are the white ones",
    ),
    synonym(
        &["passed", "passedpawn", "passer", "passers"],
        "passedpawns",
        "`P & passedpawns` are the white ones",
    ),
    synonym(
        &["connected", "connectedpawn"],
        "connectedpawns",
        "`P & connectedpawns` are the white ones",
    ),
    synonym(&["pinned", "pins", "pinning"], "pin", "the pinned pieces"),
    example(
        &["attacking", "defends", "protects", "guards"],
        "A attacks k",
        "the white pieces that attack the black king; `R attacks P` guards a pawn",
    ),
    example(&["attackby"], "k attackedby A", "the black king, if a white piece attacks it"),
    example(&["attackcount"], "#(A attacks k) >= 2", "the number of attackers"),
    // The game.
    synonym(&["whitetomove", "whitesmove", "whiteturn"], "wtm", ""),
    synonym(&["blacktomove", "blacksmove", "blackturn"], "btm", ""),
    synonym(&["turn", "tomove", "sideonmove"], "sidetomove", ""),
    synonym(
        &["moveno", "moves", "fullmove", "fullmovenumber", "movecount", "gamelength"],
        "movenumber",
        "`ply` counts the moves of both sides",
    ),
    synonym(&["halfmove", "halfmoves", "plynumber", "plies"], "ply", ""),
    example(
        &["rating", "ratings"],
        "elo >= 2500",
        "the higher of the two ratings; of one player `elo white`, `elo black`",
    ),
    example(&["whiterating"], "elo white >= 2500", ""),
    example(&["blackrating"], "elo black >= 2500", ""),
    synonym(&["ecocode"], "eco", ""),
    synonym(
        &["clock", "timeleft", "remainingtime"],
        "clk",
        "the seconds that the player who has just moved has left",
    ),
    example(
        &["name", "players"],
        "player \"Carlsen\"",
        "either player; `player white \"Carlsen\"`",
    ),
    example(&["tournament"], "event \"Linares\"", ""),
    // Time.
    example(
        &["ever", "sometime", "eventually", "contains"],
        "find check",
        "`find` looks at this position and all after it",
    ),
    example(&["never"], "initial not find castle", "once a game: no position of it matches"),
    example(&["always"], "initial not find not wtm", "no position is without the condition"),
    example(
        &["afterwards", "followedby", "next", "sequence"],
        "line --> castle --> check",
        "`-->` joins conditions of positions in a row; `.*` skips some",
    ),
    example(
        &["next2", "nextmove"],
        "line singlecolor --> check --> check",
        "with `singlecolor` only positions with the same side to move count",
    ),
    example(
        &["gappedsequence"],
        "line --> castle --> .* --> check",
        "`-->` joins conditions of positions; `.*` skips some",
    ),
    example(
        &["relation"],
        "echo (x y) { #(x & y) >= 20 }",
        "x is the current position, y another one of the game",
    ),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::keywords::Keyword;

    #[test]
    fn every_word_is_found_and_no_keyword() {
        let mut seen = HashSet::new();
        for word in SYNONYMS.iter().flat_map(|synonym| synonym.words) {
            assert_eq!(Keyword::from_word(word), None, "{word}");
            assert!(find(word).is_some(), "{word}");
            assert!(seen.insert(word), "{word} twice");
        }
    }
}
