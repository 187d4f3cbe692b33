//! SQL in the place of a query: `select * from games where year = 1927`.

use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::limits::MAX_REPEATED;
use crate::sema::warnings::{is_digits, tag_filter};

/// The one error for a text of SQL.
pub(super) fn cause(written: &str, start: u32) -> Option<Diagnostic> {
    if !first_word(written).eq_ignore_ascii_case("select") {
        return None;
    }
    let from = after_word(written, "from")?;
    let span = Span::new(start, start + written.len() as u32);
    let message = "this is SQL, not a query in CQL";
    let error = Diagnostic::new(Code::SqlAsQuery, span, message);
    let condition = after_word(from, "where").and_then(filters);
    Some(error.with_help(match condition {
        Some(query) => {
            let help = match query.len() <= MAX_REPEATED {
                true => format!("a query is the condition alone: write `{query}`"),
                false => "a query is the condition alone".to_owned(),
            };
            Help::from(help).with(Fix::replace(span, query))
        }
        None => Help::from("a query is the condition after `where`, as in `year == 1927`"),
    }))
}

fn first_word(text: &str) -> &str {
    text.split(char::is_whitespace).next().unwrap_or_default()
}

/// The text after the first place of a word, in any case, between whitespace.
fn after_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let mut rest = text;
    while let Some(at) = rest.find(char::is_whitespace) {
        rest = rest[at..].trim_start();
        let found = first_word(rest);
        if found.eq_ignore_ascii_case(word) {
            return Some(&rest[found.len()..]);
        }
    }
    None
}

/// The filters for a condition of SQL; `None` if it is empty. Words that have no other form in CQL
/// stay as they are.
fn filters(condition: &str) -> Option<String> {
    let tokens = tokens(condition);
    let mut filters: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(&token) = tokens.get(at) {
        let lower = token.to_ascii_lowercase();
        if matches!(lower.as_str(), ";" | "order" | "group" | "limit") {
            break;
        }
        let operator = tokens.get(at + 1).map(|operator| operator.to_ascii_lowercase());
        let value = tokens.get(at + 2).copied();
        let text = value.and_then(|value| unquoted(value));
        let is_word = token.starts_with(|letter: char| letter.is_ascii_alphabetic());
        match (operator.as_deref(), value, text) {
            (Some("=" | "like"), Some(_), Some(text)) if is_word => {
                filters.push(search(&lower, text.trim_matches('%')));
                at += 3;
            }
            (Some("between"), Some(low), _) if is_word && tokens.len() > at + 4 => {
                filters.push(format!("{low} <= {lower} <= {}", tokens[at + 4]));
                at += 5;
            }
            _ => {
                filters.push(match (lower.as_str(), unquoted(token)) {
                    ("and" | "or" | "not", _) => lower,
                    ("=", _) => "==".to_owned(),
                    ("<>", _) => "!=".to_owned(),
                    (_, Some(text)) => format!("\"{text}\""),
                    (_, None) => token.to_owned(),
                });
                at += 1;
            }
        }
    }
    Some(filters.join(" ")).filter(|filters| !filters.is_empty())
}

/// `white = 'Alekhine'`
fn search(column: &str, text: &str) -> String {
    if is_digits(text) && column != "round" {
        return format!("{column} == {text}");
    }
    let mut letters = column.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let name: String = first.into_iter().chain(letters).collect();
    tag_filter(&name, text)
}

/// The content of a string of SQL.
fn unquoted(token: &str) -> Option<&str> {
    ['\'', '"'].into_iter().find_map(|quote| token.strip_prefix(quote)?.strip_suffix(quote))
}

/// The words, numbers, strings and operators of SQL.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length_while = |is_part: &dyn Fn(char) -> bool| {
            rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())
        };
        let length = match first {
            '\'' | '"' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            '<' | '>' | '=' | '!' => length_while(&|letter| "<>=!".contains(letter)),
            _ if is_word(first) => length_while(&is_word),
            _ => first.len_utf8(),
        };
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    found
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::filters;

    #[test]
    fn conditions_become_filters() {
        for (condition, query) in [
            ("year = 1927", "year == 1927"),
            ("white='Tal' AND result = '1-0';", "player white \"Tal\" and result 1-0"),
            ("event LIKE '%Linares%' OR eco = \"B20\"", "event \"Linares\" or eco \"B20\""),
            ("year between 1950 and 1960 limit 10", "1950 <= year <= 1960"),
            ("NOT (movenumber <> 5)", "not ( movenumber != 5 )"),
            ("year = '1927'", "year == 1927"),
            ("x = 'é", "x == 'é"),
        ] {
            assert_eq!(filters(condition).as_deref(), Some(query));
        }
        assert_eq!(filters(" ; drop"), None);
    }
}
