//! Comments in the form of other languages: a line that begins with `#`, `--` or `%`, or ends with
//! one after `#`.

use crate::diagnostic::{Code, Diagnostic, Help, Span};
use crate::lexer::is_designator;

/// What comments begin with in Python, SQL and TeX.
const MARKS: [&str; 3] = ["#", "--", "%"];

/// Replaces the errors in each such comment by one. What has no error, a piece or square, or other
/// characters than those of a text, is not a comment.
pub(crate) fn explain_comments(text: &str, errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut explained: Vec<Diagnostic> = Vec::with_capacity(errors.len());
    let mut comment = Span::default();
    for error in errors {
        if comment.start <= error.span.start && error.span.start < comment.end {
            continue;
        }
        let at = error.span.start;
        let found = line_of(text, at).and_then(|line| foreign_comment(text, line));
        match found.filter(|(place, _)| place.start <= at) {
            Some((place, found)) => {
                comment = place;
                explained.push(found);
            }
            None => explained.push(error),
        }
    }
    explained
}

/// The line around an offset, without the whitespace at both ends.
fn line_of(text: &str, at: u32) -> Option<Span> {
    let (before, after) = text.split_at_checked(at as usize)?;
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let end = text.len() - after.len() + after.find('\n').unwrap_or(after.len());
    let line = &text[start..end];
    let indent = line.len() - line.trim_start().len();
    Some(Span::new((start + indent) as u32, (start + line.trim_end().len()) as u32))
}

fn foreign_comment(text: &str, line: Span) -> Option<(Span, Diagnostic)> {
    let written = line.text(text);
    // `mate # the end`
    let start = match MARKS.iter().any(|mark| written.starts_with(mark)) {
        true => 0,
        false => written.find(" # ")? + 1,
    };
    let comment = &written[start..];
    let words = comment.trim_start_matches(['#', '-', '%']);
    let is_text = |letter: char| letter.is_alphanumeric() || " ',.:;!?-".contains(letter);
    // `-- Ng5 mte` is a part of a `path`; `a` is also an article.
    let is_designated = |word: &str| is_designator(word) && !word.eq_ignore_ascii_case("a");
    if !words.starts_with(' ')
        || !words.chars().all(is_text)
        || !words.trim().contains(' ')
        || words.split_whitespace().any(is_designated)
    {
        return None;
    }
    let start = line.start + start as u32;
    let mark = Span::new(start, line.end - words.len() as u32);
    let message = format!("`{}` does not start a comment", mark.text(text));
    let error = Diagnostic::new(Code::ForeignComment, mark, message);
    let help = Help::write(mark, "//").worded("a comment begins with `//`");
    Some((Span::new(start, line.end), error.with_help(help)))
}
