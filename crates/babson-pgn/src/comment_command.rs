//! Commands in comments, which servers and programs write: `[%clk 0:01:00]`, `[%eval 0.35]`.

/// The evaluation of a mate in no moves. A mate in n moves is n less.
pub const MATE_EVALUATION: i32 = 100_000;

/// The most centipawns of an evaluation that is not a mate. Higher ones are cut to it, so that a
/// mate has always more.
pub const MAX_EVALUATION: i32 = 89_999;

/// The longest mate that has an evaluation of its own.
const MAX_MATE: i32 = 10_000;

/// The seconds that the first `[%clk h:mm:ss]` of a comment leaves on the clock. A fraction of a
/// second is cut.
///
/// ```
/// use babson_pgn::clock;
/// assert_eq!(clock(b"[%eval 0.3] [%clk 1:02:03.9] good"), Some(3723));
/// assert_eq!(clock(b"[%clk 10]"), None);
/// ```
pub fn clock(comment: &[u8]) -> Option<u32> {
    arguments(comment, b"clk").find_map(seconds)
}

/// The first `[%eval …]` of a comment in centipawns from the view of White. It is written in pawns,
/// such as `0.35`, or as a mate, such as `#-3`; a search depth can follow a comma. A mate in n
/// moves has the value 100000 - n if White mates, and n - 100000 if Black does.
///
/// ```
/// use babson_pgn::evaluation;
/// assert_eq!(evaluation(b"[%eval -1.5,22]"), Some(-150));
/// assert_eq!(evaluation(b"[%eval #3]"), Some(99_997));
/// assert_eq!(evaluation(b"[%eval #-3]"), Some(-99_997));
/// assert_eq!(evaluation(b"an eval of 3"), None);
/// ```
pub fn evaluation(comment: &[u8]) -> Option<i32> {
    arguments(comment, b"eval").find_map(|text| {
        let value = text.split(|&byte| byte == b',').next()?.trim_ascii();
        match value.strip_prefix(b"#") {
            Some(moves) => mate(moves),
            None => centipawns(value),
        }
    })
}

/// The arguments of the commands of a name, without the whitespace around them.
fn arguments<'c>(comment: &'c [u8], name: &'static [u8]) -> impl Iterator<Item = &'c [u8]> {
    // A bracket in a command ends it, so that no byte is read twice.
    comment.split(|&byte| byte == b'[').skip(1).filter_map(move |piece| {
        let inner = piece.split(|&byte| byte == b']').next().filter(|it| it.len() < piece.len())?;
        let text = inner.strip_prefix(b"%")?.strip_prefix(name)?;
        text.first().is_some_and(u8::is_ascii_whitespace).then(|| text.trim_ascii())
    })
}

/// The number of a text that has only digits.
fn digits(text: &[u8]) -> Option<u32> {
    if text.is_empty() || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// `h:mm:ss` or `h:mm:ss.fff`.
fn seconds(text: &[u8]) -> Option<u32> {
    let mut parts = text.split(|&byte| byte == b':');
    let (hours, minutes, rest) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let mut halves = rest.splitn(2, |&byte| byte == b'.');
    let whole = halves.next()?;
    let fraction = halves.next().unwrap_or_default();
    if !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let hours = digits(hours)?.checked_mul(3600)?;
    let minutes = digits(minutes)?.checked_mul(60)?;
    let total = hours.checked_add(minutes)?.checked_add(digits(whole)?)?;
    (total <= i32::MAX as u32).then_some(total)
}

/// Whether a number is negative, and the text without its sign.
fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

fn mate(text: &[u8]) -> Option<i32> {
    let (negative, text) = sign(text);
    let moves = i32::try_from(digits(text)?).unwrap_or(i32::MAX).min(MAX_MATE);
    let value = MATE_EVALUATION - moves;
    Some(if negative { -value } else { value })
}

/// Pawns with a fraction; what is less than a centipawn is cut.
fn centipawns(text: &[u8]) -> Option<i32> {
    let (negative, text) = sign(text);
    let mut halves = text.splitn(2, |&byte| byte == b'.');
    let whole = halves.next()?;
    let fraction = halves.next().unwrap_or_default();
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    if !has_digits || !whole.iter().chain(fraction).all(u8::is_ascii_digit) {
        return None;
    }
    let digit = |at: usize| fraction.get(at).map_or(0, |digit| i32::from(digit - b'0'));
    let pawns = match whole {
        [] => 0,
        // More digits than fit are cut as any other high value.
        _ => digits(whole).and_then(|pawns| i32::try_from(pawns).ok()).unwrap_or(i32::MAX),
    };
    let value = pawns.saturating_mul(100).saturating_add(10 * digit(0) + digit(1));
    let value = value.min(MAX_EVALUATION);
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks() {
        for (comment, expect) in [
            ("[%clk 0:00:09]", Some(9)),
            ("[%clk\n0:01:00.25]", Some(60)),
            ("[%clk 0:00:07.]", Some(7)),
            ("[%clk 100:00:00]", Some(360_000)),
            ("a [%emt 0:00:01] [%clk 0:00:02] [%clk 0:00:03]", Some(2)),
            ("[%clk x] [%clk  0:00:03 ]", Some(3)),
            ("[%clk [%clk 0:00:04]", Some(4)),
            ("[%clk 0:09]", None),
            ("[%clk -0:00:09]", None),
            ("[%clk 0:00:09", None),
            ("[%clock 0:00:09]", None),
            ("[%clk0:00:09]", None),
            ("[%clk 0:00:0:9]", None),
            ("[%clk 0::9]", None),
            ("[%clk 0:00:+9]", None),
            ("[%clk 99999999999:00:00]", None),
            ("[%clk 1193046:00:00]", None),
            ("", None),
        ] {
            assert_eq!(clock(comment.as_bytes()), expect, "{comment}");
        }
    }

    #[test]
    fn evaluations() {
        for (comment, expect) in [
            ("[%eval 0.35]", Some(35)),
            ("[%eval -0.4]", Some(-40)),
            ("[%eval +2]", Some(200)),
            ("[%eval .5]", Some(50)),
            ("[%eval 5.]", Some(500)),
            ("[%eval 0.019]", Some(1)),
            ("[%eval 12.3,30]", Some(1230)),
            ("[%eval #1]", Some(99_999)),
            ("[%eval #+2,10]", Some(99_998)),
            ("[%eval #-0]", Some(-100_000)),
            ("[%eval #99999999999]", None),
            ("[%eval #4000000000]", Some(90_000)),
            ("[%eval 99999999999.5]", Some(89_999)),
            ("[%eval -900]", Some(-89_999)),
            ("[%eval #x] [%eval 1.0]", Some(100)),
            ("[%eval .]", None),
            ("[%eval -]", None),
            ("[%eval 1e3]", None),
            ("[%eval]", None),
            ("%eval 1", None),
        ] {
            assert_eq!(evaluation(comment.as_bytes()), expect, "{comment}");
        }
    }
}
