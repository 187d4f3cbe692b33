//! Repetitions: `{n}`, `{n,}`, `{,m}` and `{n,m}`.

use crate::limits::MAX_REPEAT;

/// Parses a repetition into its minimum and maximum.
pub(crate) fn repeat(text: &str) -> Result<(u32, Option<u32>), String> {
    let inner = text.trim_start_matches('{').trim_end_matches('}');
    let number = |s: &str| match s.parse::<u32>() {
        Ok(n) if n <= MAX_REPEAT => Ok(n),
        _ => Err(format!("a repetition is at most {MAX_REPEAT}")),
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
        return Err(format!("`{text}` is empty: the second number is smaller"));
    }
    Ok((min, max))
}
