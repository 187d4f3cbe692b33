//! The text of comments, as queries see it.

use std::borrow::Cow;

/// Appends the text between the braces of a comment. Each run of whitespace becomes one space;
/// whitespace at the ends is dropped; inner braces become `_`.
///
/// The comments of one position are joined with a space: `joined` says that `out` already holds a
/// comment.
pub(crate) fn append(out: &mut Vec<u8>, raw: &[u8], mut joined: bool) {
    for word in raw.split(|byte| byte.is_ascii_whitespace() || *byte == 0x0b) {
        if word.is_empty() {
            continue;
        }
        if joined {
            out.push(b' ');
        }
        joined = true;
        out.extend(word.iter().map(|&byte| if matches!(byte, b'{' | b'}') { b'_' } else { byte }));
    }
}

/// The text of one comment; borrowed if nothing has to change, as in nearly every comment.
pub(crate) fn clean(raw: &[u8]) -> Cow<'_, [u8]> {
    let raw = raw.trim_ascii();
    let mut space = false;
    for &byte in raw {
        if byte < b' ' && (byte.is_ascii_whitespace() || byte == 0x0b)
            || byte == b' ' && space
            || matches!(byte, b'{' | b'}')
        {
            let mut out = Vec::with_capacity(raw.len());
            append(&mut out, raw, false);
            return Cow::Owned(out);
        }
        space = byte == b' ';
    }
    Cow::Borrowed(raw)
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn whitespace_and_braces() {
        assert_eq!(&*clean(b"  a {b}  c\r\n d "), b"a _b_ c d");
        assert!(matches!(clean(b" plain text "), std::borrow::Cow::Borrowed(b"plain text")));
        assert_eq!(&*clean(b" \n "), b"");
        // A vertical tab is whitespace, other control characters are not.
        assert_eq!(&*clean(b"a\x0bb"), b"a b");
        assert!(matches!(clean(b"a\x01b"), std::borrow::Cow::Borrowed(b"a\x01b")));
    }
}
