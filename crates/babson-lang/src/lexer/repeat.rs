//! Repetitions: `{n}`, `{n,}`, `{,m}` and `{n,m}`.

use crate::diagnostic::Code;
use crate::limits::MAX_REPEAT;

/// Parses a repetition into its minimum and maximum.
///
/// # Errors
///
/// The kind of mistake and its message.
pub(crate) fn repeat(text: &str) -> Result<(u32, Option<u32>), (Code, String)> {
    let inner = text.trim_start_matches('{').trim_end_matches('}');
    let number = |s: &str| match s.parse::<u32>() {
        Ok(n) if n <= MAX_REPEAT => Ok(n),
        _ => Err((Code::MalformedRepetition, format!("a repetition is at most {MAX_REPEAT}"))),
    };
    let (min, max) = match inner.split_once(',') {
        None => {
            let n = number(inner)?;
            (n, Some(n))
        }
        Some((min, max)) => {
            let min = if min.is_empty() { 0 } else { number(min)? };
            (min, if max.is_empty() { None } else { Some(number(max)?) })
        }
    };
    if max.is_some_and(|max| max < min) {
        let message = format!("`{text}` is empty: the second number is smaller");
        return Err((Code::EmptyRange, message));
    }
    Ok((min, max))
}
