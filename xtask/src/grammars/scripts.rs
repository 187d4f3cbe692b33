//! The words and patterns in the scripts that highlight queries: of the book, by highlight.js, and
//! of the page of `babson serve`, by CodeMirror.

use babson_lang::symbols::SYMBOLS;

use super::patterns::{
    CASTLING, ESCAPE, GROUP, LINE_COMMENT, REPEAT, RESULT, designator, piece_variable,
};
use super::scopes::{escaped, keyword_symbols};

/// The highlighter of the book.
pub(super) const HIGHLIGHTER: &str = "docs/theme/cql.js";
/// The module of the page.
pub(super) const MODULE: &str = "crates/babson-serve/page/src/editor/vocabulary.ts";

/// The marks around what is generated in a script that people write.
const BEGIN: &str = "    // Written by `cargo xtask grammars`.\n";
const END: &str = "    // End of what is written.\n";
/// Columns of a line of words.
const WIDTH: usize = 100;

/// The script of the book with fresh words and patterns. `None` if it has no place for them.
pub(super) fn with_words(script: &str) -> Option<String> {
    let (head, rest) = script.split_once(BEGIN)?;
    let (_, tail) = rest.split_once(END)?;
    let words = lines(&super::words().into_iter().collect::<Vec<_>>());
    let mut generated = format!("    const WORDS = `\n{words}`;\n");
    for (name, pattern) in patterns() {
        generated += &format!("    const {name} = /{pattern}/;\n");
    }
    Some(format!("{head}{BEGIN}{generated}{END}{tail}"))
}

/// The module of the page.
pub(super) fn module() -> String {
    let words = lines(&super::words().into_iter().collect::<Vec<_>>());
    let mut text = format!(
        "// Written by `cargo xtask grammars` from the tables of the language.\n\n\
         /** The words of the language. */\n\
         export const WORDS: ReadonlySet<string> = new Set(`\n{words}`.trim().split(/\\s+/));\n\n\
         // The patterns begin where the lexer stands.\n"
    );
    for (name, pattern) in patterns() {
        text += &format!("export const {name} = /^(?:{pattern})/;\n");
    }
    text
}

/// The patterns of lexemes by the names that the scripts have for them.
fn patterns() -> [(&'static str, String); 10] {
    // A slash would end the literal of a regular expression.
    let literal = |pattern: &str| pattern.replace('/', r"\/");
    // `[x]`, `[element]`, `[forall]`; a list of pieces is a designator.
    let is_word = |ascii: &str| {
        let inner = ascii.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        inner.is_some_and(|inner| inner.chars().all(|letter| letter.is_ascii_lowercase()))
    };
    let words = SYMBOLS.iter().filter(|(ascii, _)| is_word(ascii));
    let words: Vec<String> = words.map(|(ascii, _)| escaped(ascii)).collect();
    let symbols: String = keyword_symbols().map(|(symbol, _)| symbol).collect();
    [
        ("LINE_COMMENT", literal(LINE_COMMENT)),
        ("ESCAPE", literal(ESCAPE)),
        ("GROUP", literal(GROUP)),
        ("REPEAT", literal(REPEAT)),
        ("RESULT", literal(RESULT)),
        ("CASTLING", literal(CASTLING)),
        ("KEYWORD_SYMBOL", format!("[{symbols}]")),
        ("WORD_SYMBOL", words.join("|")),
        ("PIECE_VARIABLE", literal(&piece_variable())),
        ("DESIGNATOR", literal(&designator())),
    ]
}

/// The words as lines of text.
fn lines(words: &[String]) -> String {
    let mut lines = vec![String::new()];
    for word in words {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.len() + word.len() < WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.clone()),
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let script = format!("head\n{BEGIN}old\n{END}tail\n");
        let fresh = with_words(&script).expect("the marks");
        assert!(fresh.starts_with("head\n") && fresh.ends_with("tail\n"));
        assert!(fresh.contains(" stalemate ") && !fresh.contains("old\n"));
        assert_eq!(with_words(&fresh), Some(fresh.clone()));
        assert_eq!(with_words("head"), None);
    }
}
