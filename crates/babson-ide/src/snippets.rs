//! Constructs with places to fill in.

use babson_lang::keywords::Keyword;

/// A construct, and the word with whose entry in the book it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snippet {
    /// What the list shows.
    pub label: &'static str,
    /// Its keyword.
    pub keyword: Keyword,
    /// The text to insert. A place to fill in is `${1:text}`, as in the snippets of editors.
    pub insert: &'static str,
}

const fn snippet(label: &'static str, keyword: Keyword, insert: &'static str) -> Snippet {
    Snippet { label, keyword, insert }
}

/// The constructs that can stand where a filter can. Each is a query if its places are filled with
/// what stands in them.
pub(crate) const SNIPPETS: &[Snippet] = &[
    snippet("find …", Keyword::Find, "find ${1:check}"),
    snippet("find range …", Keyword::Find, "find ${1:2} ${2:100} ${3:check}"),
    snippet("line --> …", Keyword::Line, "line --> ${1:check} --> ${2:mate}"),
    snippet("path -- …", Keyword::Path, "path ${1:Q}--${2:.} ${3:check} ${4:--} ${5:mate}"),
    snippet("path focus …", Keyword::Path, "path focus ${1:Q} ${2:--} ${3:--}"),
    snippet("move from … to …", Keyword::Move, "move from ${1:Q} to ${2:.}"),
    snippet("move legal …", Keyword::Move, "move legal from ${1:Q} to ${2:.}"),
    snippet("pin from … to …", Keyword::Pin, "pin from ${1:[QRB]} through ${2:n} to ${3:k}"),
    snippet("ray (…)", Keyword::Ray, "ray (${1:R} ${2:k})"),
    snippet("between (…)", Keyword::Between, "between (${1:R} ${2:k})"),
    snippet("square x in …", Keyword::Square, "square ${1:x} in ${2:R} ${3:x attacks k}"),
    snippet("piece x in …", Keyword::Piece, "piece ${1:x} in ${2:A} ${3:x attacks k}"),
    snippet("if … then …", Keyword::If, "if ${1:wtm} then ${2:K attacks q} else ${3:k attacks Q}"),
    snippet("while (…) …", Keyword::While, "while (${1:mate}) ${2:check}"),
    snippet("echo (x y) …", Keyword::Echo, "echo (${1:x} ${2:y}) { ${3:x [<] y} }"),
    snippet(
        "consecutivemoves …",
        Keyword::ConsecutiveMoves,
        "echo (x y) consecutivemoves ${1:2} ${2:100} (x y)",
    ),
    snippet("function …", Keyword::Function, "function ${1:f}(${2:X}) { ${3:#X > 1} }"),
    snippet("dictionary …", Keyword::Dictionary, "dictionary ${1:D}"),
    snippet("sort …", Keyword::Sort, "sort \"${1:plies}\" ${2:ply}"),
    snippet("comment(…)", Keyword::Comment, "comment(\"${1:text}\")"),
    snippet("message(…)", Keyword::Message, "message(\"${1:text}\")"),
];

/// The header, which only the beginning of a query can have.
pub(crate) const HEADER: Snippet =
    snippet("cql(input …)", Keyword::Cql, "cql(input ${1:games.pgn})\n");

/// All constructs, the header last.
///
/// ```
/// let mut snippets = babson_ide::snippets();
/// let find = snippets.find(|snippet| snippet.label == "find …").unwrap();
/// assert_eq!(find.insert, "find ${1:check}");
/// ```
pub fn snippets() -> impl Iterator<Item = Snippet> {
    SNIPPETS.iter().chain([&HEADER]).copied()
}

/// The text with what stands in its places.
#[cfg(test)]
pub(crate) fn filled(insert: &str) -> String {
    let mut out = String::new();
    let mut rest = insert;
    while let Some((before, after)) = rest.split_once("${") {
        let (place, after) = after.split_once('}').expect("the end of a place");
        out += before;
        out += place.split_once(':').expect("a place with a text").1;
        rest = after;
    }
    out + rest
}
