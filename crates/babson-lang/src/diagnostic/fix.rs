//! Edits of the query that remove the cause of a diagnostic.

use serde::{Deserialize, Serialize};

use super::Span;

/// A replacement of one part of the query.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Edit {
    /// The bytes that are replaced; an empty span is a place where the text is inserted.
    pub span: Span,
    /// What stands there instead.
    pub text: String,
}

impl Edit {
    /// Replaces the span by the text.
    pub fn new(span: Span, text: impl Into<String>) -> Edit {
        Edit { span, text: text.into() }
    }

    /// The edit that makes the text `new` of the text `old`, without what is equal at their ends.
    ///
    /// ```
    /// use babson_lang::diagnostic::{Edit, Span};
    ///
    /// assert_eq!(Edit::between("flip R", "flip Ra1"), Edit::new(Span::new(6, 6), "a1"));
    /// ```
    pub fn between(old: &str, new: &str) -> Edit {
        let is_equal = |(one, other): &(u8, u8)| one == other;
        let mut start = old.bytes().zip(new.bytes()).take_while(is_equal).count();
        while !old.is_char_boundary(start) {
            start -= 1;
        }
        let rest = old.len().min(new.len()) - start;
        let ends = old.bytes().rev().zip(new.bytes().rev());
        let mut end = ends.take(rest).take_while(is_equal).count();
        while !old.is_char_boundary(old.len() - end) {
            end -= 1;
        }
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let span = Span::new(offset(start), offset(old.len() - end));
        Edit::new(span, &new[start..new.len() - end])
    }

    /// Whether the two edits overlap, or one begins where the other ends.
    fn touches(&self, other: &Edit) -> bool {
        self.span.start <= other.span.end && other.span.start <= self.span.end
    }
}

/// A change of the query after which the diagnostic is gone.
///
/// A diagnostic can have several, and the author chooses one of them. A fix is a proposal:
/// [`retain_sound_fixes`](crate::retain_sound_fixes) drops the fixes after which the query does not
/// compile.
///
/// ```
/// use babson_lang::{Dialect, analyze};
///
/// let text = "Mate flipcolor Ra8";
/// let errors = analyze(text, Dialect::CQLI).unwrap_err();
/// let fix = &errors[0].fixes[0];
/// assert_eq!((fix.title.as_str(), fix.certain), ("replace by `mate`", true));
/// assert_eq!(fix.apply(text).unwrap(), "mate flipcolor Ra8");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fix {
    /// What the fix does, in a few words.
    pub title: String,
    /// Its edits, in the order of the text. No two of them overlap.
    pub edits: Vec<Edit>,
    /// The query can mean nothing else, so a program may apply the fix without asking.
    pub certain: bool,
}

impl Fix {
    /// Replaces the span by the text.
    pub fn replace(span: Span, text: impl Into<String>) -> Fix {
        let text = text.into();
        let title = match (text.trim(), span.start == span.end) {
            ("", _) => "remove it".to_owned(),
            (shown, true) => format!("insert `{shown}`"),
            (shown, false) => format!("replace by `{shown}`"),
        };
        Fix { title, edits: vec![Edit::new(span, text)], certain: false }
    }

    /// Makes these edits, which are sorted by their places.
    pub fn edit(title: impl Into<String>, mut edits: Vec<Edit>) -> Fix {
        edits.sort_by_key(|edit| edit.span);
        Fix { title: title.into(), edits, certain: false }
    }

    /// Joins fixes to one, and counts the joined ones. A fix that touches an earlier one is left
    /// out: the earlier one may have removed its mistake.
    ///
    /// ```
    /// use babson_lang::diagnostic::{Fix, Span};
    ///
    /// let fix = |start, end, text| Fix::replace(Span::new(start, end), text);
    /// let (joined, count) = Fix::join(&[fix(5, 6, "R"), fix(0, 4, "flip"), fix(6, 7, "Q")]);
    /// assert_eq!((joined.apply("Flip r").as_deref(), count), (Some("flip R"), 2));
    /// ```
    pub fn join<'f>(fixes: impl IntoIterator<Item = &'f Fix>) -> (Fix, u64) {
        let (mut edits, mut count): (Vec<Edit>, u64) = (Vec::new(), 0);
        for fix in fixes {
            let touches = |edit: &Edit| edits.iter().any(|other| edit.touches(other));
            if !fix.edits.iter().any(touches) {
                edits.extend_from_slice(&fix.edits);
                count += 1;
            }
        }
        (Fix::edit("", edits), count)
    }

    /// The same fix, which a program may apply without asking.
    pub fn certain(self) -> Fix {
        Fix { certain: true, ..self }
    }

    /// The text with the edits; `None` if a span is not in the text, or two of them overlap.
    pub fn apply(&self, text: &str) -> Option<String> {
        let (mut fixed, mut done) = (String::with_capacity(text.len()), 0);
        for edit in &self.edits {
            let (start, end) = (edit.span.start as usize, edit.span.end as usize);
            fixed.push_str(text.get(done..start)?);
            text.get(start..end)?;
            fixed.push_str(&edit.text);
            done = end;
        }
        fixed.push_str(text.get(done..)?);
        Some(fixed)
    }

    /// The same fix of a text that begins `start` bytes into the query.
    pub(super) fn shifted(mut self, start: u32) -> Fix {
        for edit in &mut self.edits {
            edit.span = edit.span.shifted(start);
        }
        self
    }
}

/// What helps with a mistake: a sentence, and the fixes that it describes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Help {
    /// The sentence, without a period at the end.
    pub text: String,
    /// The fixes.
    pub fixes: Vec<Fix>,
}

impl Help {
    /// "write `text`": the text replaces the span.
    pub(crate) fn write(span: Span, text: impl Into<String>) -> Help {
        let text = text.into();
        Help::from(format!("write `{text}`")).with(Fix::replace(span, text))
    }

    /// "did you mean `text`?": the text replaces the span.
    pub(crate) fn did_you_mean(span: Span, text: &str) -> Help {
        Help::from(format!("did you mean `{text}`?")).with(Fix::replace(span, text))
    }

    /// The same sentence with another fix.
    pub fn with(mut self, fix: Fix) -> Help {
        self.fixes.push(fix);
        self
    }

    /// The same with fixes that a program may apply without asking.
    pub(crate) fn certain(mut self) -> Help {
        self.fixes = self.fixes.into_iter().map(Fix::certain).collect();
        self
    }

    /// The same fixes with another sentence.
    pub(crate) fn worded(self, text: impl Into<String>) -> Help {
        Help { text: text.into(), ..self }
    }
}

impl From<String> for Help {
    fn from(text: String) -> Help {
        Help { text, fixes: Vec::new() }
    }
}

impl From<&str> for Help {
    fn from(text: &str) -> Help {
        Help::from(text.to_owned())
    }
}

impl From<&String> for Help {
    fn from(text: &String) -> Help {
        Help::from(text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_applied_in_order() {
        let fix = Fix::edit(
            "",
            vec![
                Edit::new(Span::new(4, 5), "c"),
                Edit::new(Span::new(0, 2), ""),
                Edit::new(Span::new(5, 5), "!"),
            ],
        );
        assert_eq!(fix.apply("a b c").as_deref(), Some("b c!"));
    }

    #[test]
    fn an_edit_between_texts_is_small() {
        for (old, new, part) in [
            ("♔a♔b♔", "♔a♕b♔", "♕"),
            ("aa", "aaa", "a"),
            ("abc", "", ""),
            ("", "x", "x"),
            ("same", "same", ""),
            // The texts are equal inside of a character, too.
            ("é", "è", "è"),
        ] {
            let edit = Edit::between(old, new);
            assert_eq!(edit.text, part, "{old}");
            assert_eq!(Fix::edit("", vec![edit]).apply(old).as_deref(), Some(new));
        }
    }

    #[test]
    fn edits_outside_of_the_text_or_of_each_other_are_refused() {
        assert_eq!(Fix::replace(Span::new(4, 6), "x").apply("a b c"), None);
        assert_eq!(Fix::replace(Span::new(2, 1), "x").apply("a b c"), None);
        assert_eq!(Fix::replace(Span::new(1, 2), "x").apply("é"), None);
        let overlap = vec![Edit::new(Span::new(0, 2), ""), Edit::new(Span::new(1, 3), "")];
        assert_eq!(Fix::edit("", overlap).apply("a b c"), None);
    }
}
