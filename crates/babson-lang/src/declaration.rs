//! The dialect that a query declares: in its header, `cql(dialect cql6)`, or in its first line,
//! `// babson: dialect cql6`, because CQL 6.2 rejects the parameter.

use logos::Logos;

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::Dialect;
use crate::lexer::{LexemeKind, file_name, unquoted};

/// A dialect and the place of its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Declaration {
    dialect: Dialect,
    span: Span,
}

/// The dialect that a query declares, if any.
///
/// ```
/// use babson_lang::{Dialect, declared_dialect};
///
/// assert_eq!(declared_dialect("cql(quiet dialect cql6) mate").unwrap(), Some(Dialect::CQL6));
/// assert_eq!(declared_dialect("// babson: dialect cql6\ncql() mate").unwrap(), Some(Dialect::CQL6));
/// assert_eq!(declared_dialect("cql() mate").unwrap(), None);
/// assert!(declared_dialect("cql(dialect cql9) mate").is_err());
/// ```
///
/// # Errors
/// An unknown dialect, or two different ones.
pub fn declared_dialect(text: &str) -> Result<Option<Dialect>, Vec<Diagnostic>> {
    let line = in_first_line(text).transpose()?;
    let header = in_header(text).transpose()?;
    match (line, header) {
        (Some(line), Some(header)) if line.dialect != header.dialect => {
            let message = "the header and the first line name different dialects";
            let help = "one of the two is enough: CQL 6.2 skips the first line as a comment, and rejects \
                        the parameter in the header";
            Err(vec![
                Diagnostic::new(Code::ConflictingDialects, header.span, message).with_help(help),
            ])
        }
        (line, header) => Ok(line.or(header).map(|found| found.dialect)),
    }
}

/// The error for an unknown name after `dialect`.
pub(crate) fn unknown(name: &str, span: Span) -> Diagnostic {
    let message = match name {
        "" => "`dialect` needs the name of a dialect".to_owned(),
        name => format!("`{name}` is not a dialect"),
    };
    Diagnostic::new(Code::UnknownDialect, span, message)
        .with_help("write `dialect cqli` or `dialect cql6`")
}

fn declaration(name: &str, span: Span) -> Result<Declaration, Vec<Diagnostic>> {
    match Dialect::named(name) {
        Some(dialect) => Ok(Declaration { dialect, span }),
        None => Err(vec![unknown(name, span)]),
    }
}

/// `// babson: dialect NAME` in the first line.
fn in_first_line(text: &str) -> Option<Result<Declaration, Vec<Diagnostic>>> {
    let line = text.lines().next()?;
    let comment = line.trim_start_matches('\u{feff}').trim_start();
    let words = comment.strip_prefix("//")?.trim_start().strip_prefix("babson:")?;
    let name = words.trim_start().strip_prefix("dialect")?;
    if !name.is_empty() && !name.starts_with(char::is_whitespace) {
        return None;
    }
    let start = line.len() - comment.len();
    let span = Span::new(offset(start), offset(line.trim_end().len()));
    Some(declaration(name.trim(), span))
}

/// `dialect NAME` in the header. Other errors of the header are not reported here.
fn in_header(text: &str) -> Option<Result<Declaration, Vec<Diagnostic>>> {
    let mut lexer = LexemeKind::lexer(text);
    // The number of open brackets, and whether `cql` has been read.
    let mut depth = 0_u32;
    let mut is_header = false;
    // The place of the word `dialect`.
    let mut word = None;
    while let Some(kind) = lexer.next() {
        let span = Span::new(offset(lexer.span().start), offset(lexer.span().end));
        let word_text = span.text(text);
        if let Some(start) = word.take() {
            if matches!(kind, Ok(LexemeKind::Comment | LexemeKind::Semicolon)) {
                word = Some(start);
                continue;
            }
            let (name, end) = match kind {
                Ok(LexemeKind::Word | LexemeKind::Str) => (unquoted(word_text), span.end),
                Ok(_) | Err(_) => ("", start + offset("dialect".len())),
            };
            return Some(declaration(name, Span::new(start, end)));
        }
        match kind {
            Ok(LexemeKind::Comment | LexemeKind::Semicolon) => {}
            Ok(LexemeKind::Word) if depth == 0 && !is_header && word_text == "cql" => {
                is_header = true
            }
            Ok(LexemeKind::LParen) if is_header => depth += 1,
            Ok(LexemeKind::RParen) if depth > 1 => depth -= 1,
            Ok(LexemeKind::Word) if depth == 1 && word_text == "dialect" => word = Some(span.start),
            Ok(LexemeKind::Word) if depth == 1 => {
                // An unquoted file name can contain any word.
                if let Some(end) = file_name(text, span) {
                    lexer.bump(end - span.end as usize);
                }
            }
            // Before the header, and at its end.
            _ if depth == 0 || matches!(kind, Ok(LexemeKind::RParen)) => return None,
            _ => {}
        }
    }
    let start = word?;
    let span = Span::new(start, start + offset("dialect".len()));
    Some(declaration("", span))
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_dialect_may_be_named() {
        for text in [
            "cql(dialect cql6) mate",
            "\u{feff}// mine\n/* \" */ cql ( variations\n dialect /* the old */ \"CQL6\" ) mate",
            "; only the old engine takes this remark\ncql(input a-dialect.pgn dialect cql6)",
            "cql(input a.pgn dialect cql62)",
            "// babson: dialect cql6",
            "\u{feff}//babson:dialect  cql6 \r\ncql() mate",
            "// babson: dialect cql6\ncql(dialect cql6) mate",
        ] {
            assert_eq!(declared_dialect(text), Ok(Some(Dialect::CQL6)), "{text}");
        }
        for text in [
            "",
            "mate",
            "dialect = 3",
            "cql() dialect cql6",
            "cql(input dialect) mate",
            "cql(input dialect cql6.pgn matchstring \"dialect cql6\")",
            "\n// babson: dialect cql6\nmate",
            "mate // babson: dialect cql6",
            "// babson: dialects\nmate",
            "(match :pgn dialect)",
        ] {
            assert_eq!(declared_dialect(text), Ok(None), "{text}");
        }
    }

    #[test]
    fn unknown_names() {
        for (text, place) in [
            ("cql(quiet dialect) mate", "dialect"),
            ("cql(quiet dialect", "dialect"),
            ("cql(dialect cql7 quiet) mate", "dialect cql7"),
            ("// babson: dialect\nmate", "// babson: dialect"),
            ("// babson: dialect cql6 and more\nmate", "// babson: dialect cql6 and more"),
            ("// babson: dialect cqli\ncql(dialect cql6)", "dialect cql6"),
        ] {
            let errors = declared_dialect(text).unwrap_err();
            assert_eq!(errors[0].span.text(text), place, "{text}");
        }
    }
}
