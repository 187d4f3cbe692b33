//! Converts a query between ASCII and Unicode spelling (docs/src/language/reading.md#lexemes).
//! Comments, strings and layout do not change.

use babson_chess::VariantNames;

use super::lexemes;
use crate::analyze::parse_and_check;
use crate::ast::{Expr, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::lexer::{Lexeme, LexemeKind, split_designator};
use crate::query_parts::QuerySpans;
use crate::steps::Steps;
use crate::symbols::{to_ascii, to_symbol};
use crate::tokens::NameTable;

/// A spelling of the symbols of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spelling {
    /// `R->k & .`
    Ascii,
    /// `♖→♚ ∩ ▦`
    Unicode,
}

/// Converts a query to one spelling.
///
/// A space separates two tokens that would otherwise become one.
///
/// # Errors
/// All lexical errors.
///
/// ```
/// use babson_lang::{Dialect, text::{Spelling, convert}};
/// let symbols = convert("flip [RQ]a1->k // R", Spelling::Unicode, Dialect::CQLI).unwrap();
/// assert_eq!(symbols, "✵ [♖♕]a1→♚ // R");
/// assert_eq!(convert(&symbols, Spelling::Ascii, Dialect::CQLI).unwrap(), "flip [RQ]a1->k // R");
/// ```
pub fn convert(source: &str, to: Spelling, dialect: Dialect) -> Result<String, Vec<Diagnostic>> {
    let all = lexemes(source, dialect)?;
    let is_token =
        |lexeme: &&Lexeme| !matches!(lexeme.kind, LexemeKind::Comment | LexemeKind::Semicolon);
    let words: Vec<Lexeme> = all.iter().filter(is_token).copied().collect();
    let names = NameTable::collect(source, &words, dialect);
    let keys = source.contains("[x]").then(|| offsets_of_x(source, dialect)).flatten();
    let mut texts: Vec<String> = Vec::with_capacity(all.len());
    for (index, lexeme) in all.iter().enumerate() {
        texts.push(if is_key(source, &all, index, &names, keys.as_deref()) {
            lexeme.span.text(source).to_owned()
        } else {
            respell(lexeme, source, to, &names)
        });
    }
    // Whether a space must precede the lexeme at each index.
    let mut apart = vec![false; all.len()];
    for _ in 0..=all.len() {
        let out = assemble(source, &all, &texts, &apart);
        let Some(wrong) = first_difference(&out, &all, &texts, dialect) else {
            return Ok(out);
        };
        // The wrong lexeme merged with the next or the previous one: separate them.
        let found = [wrong + 1, wrong]
            .into_iter()
            .find(|&index| index > 0 && index < all.len() && !apart[index] && touches(&all, index));
        match found {
            Some(index) => apart[index] = true,
            // Keep the original spelling.
            None => texts[wrong] = all[wrong].span.text(source).to_owned(),
        }
    }
    Ok(source.to_owned())
}

/// Whether a `[x]` is a key or an index instead of a capture: `D[x]`
/// (docs/src/language/reading.md#tokens-with-two-readings). In a query that does not parse, only
/// the names of dictionaries decide.
fn is_key(
    source: &str,
    all: &[Lexeme],
    index: usize,
    names: &NameTable<'_>,
    keys: Option<&[u32]>,
) -> bool {
    let lexeme = all[index];
    if lexeme.kind != LexemeKind::Capture || index == 0 || !touches(all, index) {
        return false;
    }
    let before = all[index - 1];
    match keys {
        Some(keys) => keys.contains(&(lexeme.span.start + 1)),
        None => before.kind == LexemeKind::Word && names.is_dictionary(before.span.text(source)),
    }
}

/// The offsets of the name `x` in a query that parses. The `x` of `[x]` is one of them only if the
/// brackets are not a capture.
fn offsets_of_x(text: &str, dialect: Dialect) -> Option<Vec<u32>> {
    fn collect(e: &Expr, offsets: &mut Vec<u32>) {
        if matches!(&e.kind, ExprKind::Name(name) if name == "x") {
            offsets.push(e.span.start);
        }
        e.kind.for_each_child(&mut |child| collect(child, offsets));
    }
    let (parts, variants) = (QuerySpans::whole(text), VariantNames::default());
    let parsed = parse_and_check(text, &parts, dialect, &variants, &mut Steps::default());
    let mut offsets = Vec::new();
    for item in &parsed.ok()?.0.items {
        collect(item, &mut offsets);
    }
    Some(offsets)
}

/// Whether nothing separates a lexeme from the previous one.
fn touches(all: &[Lexeme], index: usize) -> bool {
    all[index].span.start == all[index - 1].span.end
}

fn assemble(source: &str, all: &[Lexeme], texts: &[String], apart: &[bool]) -> String {
    let mut out = String::with_capacity(source.len() + source.len() / 2);
    let mut end = 0;
    for ((lexeme, text), &space) in all.iter().zip(texts).zip(apart) {
        out.push_str(source.get(end..lexeme.span.start as usize).unwrap_or(""));
        if space {
            out.push(' ');
        }
        out.push_str(text);
        end = lexeme.span.end as usize;
    }
    out.push_str(source.get(end..).unwrap_or(""));
    out
}

/// The index of the first lexeme that the new text changes.
fn first_difference(
    out: &str,
    all: &[Lexeme],
    texts: &[String],
    dialect: Dialect,
) -> Option<usize> {
    let Ok(now) = lexemes(out, dialect) else {
        // The wrong lexeme is unknown: restore the original spellings one by one.
        let is_new = |(lexeme, text): (&Lexeme, &String)| {
            (lexeme.span.end - lexeme.span.start) as usize != text.len()
        };
        return all.iter().zip(texts).position(is_new);
    };
    let same = now
        .iter()
        .zip(all)
        .zip(texts)
        .take_while(|((now, then), text)| {
            kind(now.kind) == kind(then.kind) && now.span.text(out) == text.as_str()
        })
        .count();
    (same < all.len() || now.len() > all.len()).then(|| same.min(all.len().saturating_sub(1)))
}

/// The kind of a lexeme, independent of its spelling: a symbol that stands for a keyword is a word.
fn kind(kind: LexemeKind) -> LexemeKind {
    if matches!(kind, LexemeKind::KeywordSymbol(_)) { LexemeKind::Word } else { kind }
}

fn respell(lexeme: &Lexeme, source: &str, to: Spelling, names: &NameTable<'_>) -> String {
    let text = lexeme.span.text(source);
    if matches!(lexeme.kind, LexemeKind::Designator(_)) {
        return designator(text, to);
    }
    if lexeme.kind == LexemeKind::PieceVar {
        let (symbol, ascii) = ("◭", "[Aa]");
        let name = text.trim_start_matches(symbol).trim_start_matches(ascii);
        let head = if to == Spelling::Ascii { ascii } else { symbol };
        return format!("{head}{name}");
    }
    let is_text =
        matches!(lexeme.kind, LexemeKind::Comment | LexemeKind::Str | LexemeKind::FileWord);
    // A keyword that the query uses as a name is not converted.
    let respelled = match to {
        _ if is_text => None,
        Spelling::Unicode if lexeme.kind == LexemeKind::Word && text == "curpos" => Some("∙"),
        Spelling::Unicode => to_symbol(text).filter(|_| !names.is_bound(text)),
        Spelling::Ascii => to_ascii(text).filter(|word| !names.is_bound(word)),
    };
    respelled.unwrap_or(text).to_owned()
}

/// Converts the pieces of a designator; its squares are the same in both spellings.
fn designator(text: &str, to: Spelling) -> String {
    let (pieces, squares) = split_designator(text);
    // There are no pieces, or they have this spelling.
    if pieces.is_empty() || pieces.is_ascii() == (to == Spelling::Ascii) {
        return text.to_owned();
    }
    if pieces == "Aa" {
        return ["◭", squares].concat();
    }
    let mut respelled = String::new();
    for piece in pieces.chars() {
        let spellings = if to == Spelling::Unicode { to_symbol } else { to_ascii };
        let other = spellings(piece.encode_utf8(&mut [0; 4]));
        // `◭` stands for two letters in brackets.
        respelled.push_str(other.unwrap_or("").trim_matches(['[', ']']));
    }
    if text.starts_with('[') || respelled.chars().count() > 1 {
        format!("[{respelled}]{squares}")
    } else {
        respelled + squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unicode(text: &str) -> String {
        convert(text, Spelling::Unicode, Dialect::CQLI).unwrap()
    }

    fn ascii(text: &str) -> String {
        convert(text, Spelling::Ascii, Dialect::CQLI).unwrap()
    }

    #[test]
    fn pieces_and_squares() {
        for (one, other) in [
            ("K", "♔"),
            ("a", "▲"),
            ("a1", "a1"),
            ("aa1", "▲a1"),
            ("ba1-8", "♝a1-8"),
            ("b1-8", "b1-8"),
            ("b-d4", "b-d4"),
            ("a[a1,h8]", "▲[a1,h8]"),
            ("[a1,b2]", "[a1,b2]"),
            ("[RQ]a1", "[♖♕]a1"),
            ("[Aa]", "◭"),
            ("[Aa]x", "◭x"),
            ("_", "□"),
            (". & _", "▦ ∩ □"),
        ] {
            assert_eq!(unicode(one), other);
            assert_eq!(ascii(other), one);
        }
        assert_eq!(ascii("♖♕a1"), "[RQ]a1");
    }

    /// `[x]` is a capture unless it is the key of a dictionary.
    #[test]
    fn keys_are_not_captures() {
        let keys = "local dictionary D x=\"a\" D[x]=1 R[x]k";
        let symbols = "local dictionary D x=\"a\" D[x]=1 ♖×♚";
        assert_eq!(unicode(keys), symbols);
        assert_eq!(ascii(symbols), keys);
        assert!(crate::analyze(symbols, Dialect::CQLI).is_ok());
        // Without a declaration, types decide.
        let text = "function f(y){y[x]} x=1 s=\"abc\" y1=R s[x]=\"q\" f(s) y1[x]k";
        assert_eq!(unicode(text), text.replace("y1=R", "y1=♖").replace("y1[x]k", "y1×♚"));
    }

    #[test]
    fn comments_strings_and_layout_stay() {
        let text = "cql(input R.pgn)\n\t// R & k\n  flip   R->k /* . */\ncomment(\"R->k\" R)\n";
        let expected = "cql(input R.pgn)\n\t// R & k\n  ✵   ♖→♚ /* . */\ncomment(\"R->k\" ♖)\n";
        assert_eq!(unicode(text), expected);
        assert_eq!(ascii(expected), text);
    }

    #[test]
    fn names_are_not_keywords() {
        assert_eq!(unicode("focus=Q path focus"), "focus=♕ ⊢ focus");
        assert_eq!(ascii("focus=♕ path ◎"), "focus=Q path ◎");
    }

    #[test]
    fn tokens_stay_apart() {
        // Without the space these would be one word, or another symbol.
        assert_eq!(ascii("flip⊢check"), "flip path check");
        assert_eq!(ascii("x<→"), "x< ->");
        for text in ["[Aa][RQ]", "R--a1", "x&=R", "[x]", "R[x]k", "-->check"] {
            assert_eq!(ascii(&unicode(text)), text);
        }
    }
}
