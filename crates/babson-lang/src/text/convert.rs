//! ASCII to symbols and back (language.md 2.4). Comments, strings and layout stay as they are.

use super::lexemes;
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::lexer::{Lex, Lexeme};
use crate::symbols::{SYMBOLS, to_ascii, to_symbol};
use crate::tokens::Names;

/// One of the two ways to write a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `R->k & .`
    Ascii,
    /// `♖→♚ ∩ ▦`
    Unicode,
}

/// Rewrites a query in one spelling.
///
/// Where two tokens would become one, a blank is put between them.
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
    let is_token = |lexeme: &&Lexeme| !matches!(lexeme.kind, Lex::Comment | Lex::Semicolon);
    let words: Vec<Lexeme> = all.iter().filter(is_token).copied().collect();
    let names = Names::collect(source, &words, dialect);
    let keys = source.contains("[x]").then(|| crate::sema::offsets_of_x(source, dialect)).flatten();
    let mut texts: Vec<String> = Vec::with_capacity(all.len());
    for (index, lexeme) in all.iter().enumerate() {
        texts.push(if is_key(source, &all, index, &names, keys.as_deref()) {
            lexeme.span.text(source).to_owned()
        } else {
            respell(lexeme, source, to, &names)
        });
    }
    // Blanks that keep tokens apart, by the index of the token behind them.
    let mut apart = vec![false; all.len()];
    for _ in 0..=all.len() {
        let out = assemble(source, &all, &texts, &apart);
        let Some(wrong) = first_difference(&out, &all, &texts, dialect) else {
            return Ok(out);
        };
        // The token that came out wrong swallowed the one behind it, or was cut off by it.
        let found = [wrong + 1, wrong]
            .into_iter()
            .find(|&index| index > 0 && index < all.len() && !apart[index] && touches(&all, index));
        match found {
            Some(index) => apart[index] = true,
            // As it stood it was right.
            None => texts[wrong] = all[wrong].span.text(source).to_owned(),
        }
    }
    Ok(source.to_owned())
}

/// Whether a lexeme is the key of a dictionary or the index of a string and no capture: `D[x]`
/// (language.md 2.5). In a query that does not parse only the names of dictionaries tell.
fn is_key(
    source: &str,
    all: &[Lexeme],
    index: usize,
    names: &Names<'_>,
    keys: Option<&[u32]>,
) -> bool {
    let lexeme = all[index];
    if lexeme.kind != Lex::Capture || index == 0 || !touches(all, index) {
        return false;
    }
    let before = all[index - 1];
    match keys {
        Some(keys) => keys.contains(&(lexeme.span.start + 1)),
        None => before.kind == Lex::Word && names.is_dictionary(before.span.text(source)),
    }
}

/// Whether nothing stands between a lexeme and the one before it.
fn touches(all: &[Lexeme], index: usize) -> bool {
    all[index].span.start == all[index - 1].span.end
}

fn assemble(source: &str, all: &[Lexeme], texts: &[String], apart: &[bool]) -> String {
    let mut out = String::with_capacity(source.len() + source.len() / 2);
    let mut end = 0;
    for ((lexeme, text), &blank) in all.iter().zip(texts).zip(apart) {
        out.push_str(source.get(end..lexeme.span.start as usize).unwrap_or(""));
        if blank {
            out.push(' ');
        }
        out.push_str(text);
        end = lexeme.span.end as usize;
    }
    out.push_str(source.get(end..).unwrap_or(""));
    out
}

/// The index of the first token that is another one now.
fn first_difference(
    out: &str,
    all: &[Lexeme],
    texts: &[String],
    dialect: Dialect,
) -> Option<usize> {
    let Ok(now) = lexemes(out, dialect) else {
        // Nothing says which token is broken: they go back to what they were one by one.
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

/// The kind of a lexeme without regard to its spelling.
fn kind(kind: Lex) -> Lex {
    match kind {
        Lex::PathSymbol
        | Lex::FocusSymbol
        | Lex::CurrentSymbol
        | Lex::FlipSymbol
        | Lex::FlipColorSymbol => Lex::Word,
        other => other,
    }
}

fn respell(lexeme: &Lexeme, source: &str, to: Spelling, names: &Names<'_>) -> String {
    let text = lexeme.span.text(source);
    let known = match lexeme.kind {
        Lex::Comment | Lex::Str | Lex::FileWord => None,
        Lex::Designator => return designator(text, to),
        Lex::PieceVar => {
            let (symbol, ascii) = ("◭", "[Aa]");
            let name = text.trim_start_matches(symbol).trim_start_matches(ascii);
            let head = if to == Spelling::Ascii { ascii } else { symbol };
            return format!("{head}{name}");
        }
        Lex::Word if text == "curpos" => (to == Spelling::Unicode).then_some("∙"),
        // A word that the query took as a name has no symbol, and no symbol is that word.
        _ if to == Spelling::Unicode => to_symbol(text).filter(|_| !names.is_bound(text)),
        _ => to_ascii(text).filter(|word| !names.is_bound(word)),
    };
    known.unwrap_or(text).to_owned()
}

/// Men of a designator; its squares are letters and digits in both spellings.
fn designator(text: &str, to: Spelling) -> String {
    if to == Spelling::Unicode {
        let (men, squares) = if let Some(rest) = text.strip_prefix('[')
            && rest.starts_with(|letter: char| "KQRBNPkqrbnpAa_".contains(letter))
            && let Some((inner, squares)) = rest.split_once(']')
            && inner.chars().all(|letter| "KQRBNPkqrbnpAa_".contains(letter))
        {
            (inner, squares)
        } else if text.starts_with(|letter: char| "KQRBNPkqrnpA_".contains(letter))
            || text.starts_with('a') && !is_square(text)
            || text.starts_with('b') && !is_square(text)
        {
            let (men, squares) = text.split_at(1);
            return [to_symbol(men).unwrap_or(men), squares].concat();
        } else {
            return text.to_owned();
        };
        if men == "Aa" {
            return ["◭", squares].concat();
        }
        let men: String = men
            .chars()
            .map(|letter| to_symbol(letter.encode_utf8(&mut [0; 4])).unwrap_or("").to_owned())
            .collect();
        return format!("[{men}]{squares}");
    }
    let is_symbol = |letter: char| {
        SYMBOLS
            .iter()
            .any(|(_, symbol)| symbol.starts_with(letter) && "♔♕♖♗♘♙♚♛♜♝♞♟△▲◭□".contains(letter))
    };
    let bare = text.strip_prefix('[').filter(|rest| rest.starts_with(is_symbol));
    let (men, squares) = match bare {
        Some(rest) => rest.split_once(']').unwrap_or((rest, "")),
        None => {
            let end = text.find(|letter| !is_symbol(letter)).unwrap_or(text.len());
            text.split_at(end)
        }
    };
    if men.is_empty() {
        return text.to_owned();
    }
    let mut letters = String::new();
    for symbol in men.chars() {
        let ascii = to_ascii(symbol.encode_utf8(&mut [0; 4])).unwrap_or("");
        // `◭` is a list of two by itself.
        letters.push_str(ascii.trim_matches(['[', ']']));
    }
    if letters.chars().count() == 1 && bare.is_none() {
        letters + squares
    } else {
        format!("[{letters}]{squares}")
    }
}

/// Whether a designator that begins with a file letter names squares and no men.
fn is_square(text: &str) -> bool {
    let bytes = text.as_bytes();
    matches!(bytes.get(1), Some(b'1'..=b'8')) || bytes.get(1) == Some(&b'-')
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
    fn men_and_squares() {
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

    /// `[x]` is a capture, but not where it is the key of a dictionary.
    #[test]
    fn keys_are_no_captures() {
        let keys = "local dictionary D x=\"a\" D[x]=1 R[x]k";
        let symbols = "local dictionary D x=\"a\" D[x]=1 ♖×♚";
        assert_eq!(unicode(keys), symbols);
        assert_eq!(ascii(symbols), keys);
        assert!(crate::analyze(symbols, Dialect::CQLI).is_ok());
        // Types tell what no declaration does.
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
    fn names_of_the_query_are_no_words_of_the_language() {
        assert_eq!(unicode("focus=Q path focus"), "focus=♕ ⊢ focus");
        assert_eq!(ascii("focus=♕ path ◎"), "focus=Q path ◎");
    }

    #[test]
    fn tokens_stay_apart() {
        // Without the blank these would be one word, or another sign.
        assert_eq!(ascii("flip⊢check"), "flip path check");
        assert_eq!(ascii("x<→"), "x< ->");
        for text in ["[Aa][RQ]", "R--a1", "x&=R", "[x]", "R[x]k", "-->check"] {
            assert_eq!(ascii(&unicode(text)), text);
        }
    }
}
