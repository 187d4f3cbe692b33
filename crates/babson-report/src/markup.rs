//! Text in markup and in the data of the page.

use serde::Serialize;

/// Appends text to markup, also within quotes.
pub(crate) fn push(out: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(letter),
            control if control.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
}

/// Data as JSON on one line, which ends no script element and opens no comment there: `<` occurs
/// only in strings, and is escaped.
pub(crate) fn json(data: &impl Serialize) -> String {
    let text = serde_json::to_string(data).unwrap_or_default();
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => out.push_str("\\u003c"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            '\u{7f}' => out.push_str("\\u007f"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let mut out = String::new();
        push(&mut out, "<script>\"a\" & b\u{7}</script>");
        assert_eq!(out, "&lt;script&gt;&quot;a&quot; &amp; b\u{fffd}&lt;/script&gt;");
    }

    #[test]
    fn data_cannot_end_their_element() {
        let hostile = "</script><!--<script>\u{2028}\u{2029}\n\\\"\u{0}\u{7f}é]]>";
        let text = json(&[hostile]);
        assert!(!text.contains(['<', '\n', '\u{2028}', '\u{2029}', '\u{0}', '\u{7f}']), "{text}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).unwrap(), [hostile]);
    }
}
