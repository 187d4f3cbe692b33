//! The formatter as small edits.

use babson_lang::diagnostic::{Edit, Fix};
use babson_lang::{Diagnostic, Span, text};

use crate::options::Options;
use crate::source::{Source, span};

/// The edits that format the query, or only the lines that a part of it touches. Each edit changes
/// whitespace alone, so that cursors and marks of an editor stay where they are. Empty if nothing
/// changes, or if the lines cannot be formatted without the others.
///
/// ```
/// use babson_ide::{Options, format};
///
/// let text = "flip{K==a1}";
/// let edits = format(text, None, &Options::default()).unwrap();
/// let fixed = babson_lang::diagnostic::Fix::edit("", edits).apply(text).unwrap();
/// assert_eq!(fixed, "flip { K == a1 }\n");
/// ```
///
/// # Errors
/// The errors of a query that does not parse, and a query of CQL 3.
pub fn format(
    text: &str,
    part: Option<Span>,
    options: &Options,
) -> Result<Vec<Edit>, Vec<Diagnostic>> {
    let Some(source) = Source::new(text, options) else { return Ok(Vec::new()) };
    // A text with both kinds of ends gets `\n`. No string has an end of a line in it.
    let returns = text.matches("\r\n").count();
    let ends_with_return = returns > 0 && returns == text.matches('\n').count();
    // The formatter ends lines with `\n`.
    let style = |text: &str| -> Result<String, Vec<Diagnostic>> {
        let styled = text::format(text, source.dialect)?.replace("\r\n", "\n");
        Ok(if ends_with_return { styled.replace('\n', "\r\n") } else { styled })
    };
    let styled: String = style(text)?;
    let mut edits = whitespace_edits(text, &styled)
        .unwrap_or_else(|| vec![Edit::new(span(0, text.len()), styled.clone())]);
    let Some(part) = part else { return Ok(edits) };
    let lines = whole_lines(text, part);
    edits.retain(|edit| lines.start <= edit.span.start && edit.span.end <= lines.end);
    // Whitespace can have a meaning, and some of it depends on other whitespace.
    let partly = Fix::edit("", edits.clone()).apply(text);
    let is_sound = |partly: String| style(&partly).is_ok_and(|again: String| again == styled);
    Ok(if partly.is_some_and(is_sound) { edits } else { Vec::new() })
}

/// The edits between two texts that differ in whitespace alone; `None` if they differ in more.
fn whitespace_edits(old: &str, new: &str) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    let (mut at_old, mut at_new) = (0, 0);
    loop {
        let gap = |text: &str, at: usize| text[at..].len() - text[at..].trim_start().len();
        let (gap_old, gap_new) = (gap(old, at_old), gap(new, at_new));
        let (white_old, white_new) =
            (&old[at_old..at_old + gap_old], &new[at_new..at_new + gap_new]);
        if white_old != white_new {
            edits.push(Edit::new(span(at_old, at_old + gap_old), white_new));
        }
        (at_old, at_new) = (at_old + gap_old, at_new + gap_new);
        match (old[at_old..].chars().next(), new[at_new..].chars().next()) {
            (None, None) => return Some(edits),
            (Some(one), Some(other)) if one == other => {
                (at_old, at_new) = (at_old + one.len_utf8(), at_new + one.len_utf8());
            }
            _ => return None,
        }
    }
}

/// The part grown to whole lines.
fn whole_lines(text: &str, part: Span) -> Span {
    let start = (part.start as usize).min(text.len());
    let end = (part.end as usize).clamp(start, text.len());
    let (start, end) = (crate::source::border(text, start), crate::source::border(text, end));
    let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let after = text[end..].find('\n').map_or(text.len(), |at| end + at);
    span(begin, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatted(text: &str, part: Option<Span>) -> String {
        let edits = format(text, part, &Options::default()).unwrap();
        Fix::edit("", edits).apply(text).unwrap()
    }

    #[test]
    fn the_ends_of_lines_stay() {
        assert_eq!(formatted("flip{\r\nK==a1}\r\n", None), "flip {\r\n  K == a1\r\n}\r\n");
        assert_eq!(formatted("flip{\nK==a1}", None), "flip {\n  K == a1\n}\n");
        let mixed = "flip{\r\nK==a1\nmate}\n";
        assert_eq!(formatted(mixed, None), "flip {\n  K == a1\n  mate\n}\n");
    }

    #[test]
    fn only_the_lines_of_a_part_change() {
        let text = "flip{K==a1}\nflip{K==a2}\nflip{K==a3}\n";
        let second = Span::new(14, 15);
        assert_eq!(formatted(text, Some(second)), "flip{K==a1}\nflip { K == a2 }\nflip{K==a3}\n");
        let all = Span::new(0, text.len() as u32);
        assert_eq!(formatted(text, Some(all)), formatted(text, None));
    }

    #[test]
    fn edits_are_small() {
        let edits = format("K==a1 // king\nmate\n", None, &Options::default()).unwrap();
        assert_eq!(edits, [Edit::new(Span::new(1, 1), " "), Edit::new(Span::new(3, 3), " ")]);
        assert_eq!(format("mate\n", None, &Options::default()), Ok(Vec::new()));
        assert!(format("{mate", None, &Options::default()).is_err());
    }
}
