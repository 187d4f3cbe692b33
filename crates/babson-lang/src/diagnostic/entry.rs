//! What a code means, with an example: its section of the page of the book, which is the source.

use super::Code;

/// The page. A section is the heading with the code, the title, the explanation, the example and
/// the mended example, with an empty line between them.
const PAGE: &str = babson_book::DIAGNOSTICS.text;

/// The explanation of a code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodeEntry {
    /// What is wrong and how it is mended, as Markdown.
    pub explanation: &'static str,
    /// What provokes the message.
    pub example: Example,
    /// The example without the mistake, if a small change of it mends it.
    pub mended: Option<&'static str>,
}

/// What provokes a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Example {
    /// A query in the dialect `cqli` or of CQL 3.
    Query(&'static str),
    /// A query in the dialect `cql6`.
    Cql6(&'static str),
    /// A query of CQL 3 that `babson_cql3::to_modern` converts.
    Conversion(&'static str),
    /// What no short query can show, in words.
    Elsewhere(&'static str),
}

impl Default for Example {
    fn default() -> Example {
        Example::Elsewhere("")
    }
}

impl CodeEntry {
    /// The entry of a code. A test holds that each has one.
    pub(super) fn of(code: Code) -> CodeEntry {
        section(code).and_then(CodeEntry::read).unwrap_or_default()
    }

    /// Reads a section without its heading; `None` if it has another form.
    fn read(section: &'static str) -> Option<CodeEntry> {
        let mut paragraphs = section.trim().split("\n\n");
        let (_title, explanation) = (paragraphs.next()?, paragraphs.next()?);
        let example = match paragraphs.next()? {
            "In the dialect `cql6`:" => Example::Cql6(block(paragraphs.next()?)?),
            "Converted to the modern language:" => Example::Conversion(block(paragraphs.next()?)?),
            paragraph => match paragraph.strip_prefix("For example: ") {
                Some(words) => Example::Elsewhere(words),
                None => Example::Query(block(paragraph)?),
            },
        };
        let mended = match paragraphs.next() {
            Some("Mended:") => Some(block(paragraphs.next()?)?),
            Some(_) => return None,
            None => None,
        };
        paragraphs.next().is_none().then_some(CodeEntry { explanation, example, mended })
    }
}

/// The text of the page after the heading of the code, until the next heading.
fn section(code: Code) -> Option<&'static str> {
    let (_, rest) = PAGE.split_once(&format!("\n### {code}\n"))?;
    rest.split("\n##").next()
}

/// The content of a code block.
fn block(paragraph: &'static str) -> Option<&'static str> {
    paragraph.strip_prefix("```text\n")?.strip_suffix("\n```")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_a_section_for_each_code() {
        let headings = PAGE.lines().filter_map(|line| line.strip_prefix("### "));
        let codes = Code::ALL.iter().map(|code| code.as_str());
        assert!(headings.eq(codes), "the sections are in the order of the codes");
        for &code in Code::ALL {
            let section = section(code).expect("a section");
            let entry = CodeEntry::read(section);
            assert!(entry.is_some(), "the form of the section {code}: {section}");
            let title = format!("\n**{}**\n", code.title());
            let begins = section.get(..title.len());
            assert!(begins.is_some_and(|text| text.eq_ignore_ascii_case(&title)), "{code}");
        }
    }

    #[test]
    fn a_section_of_another_form_is_refused() {
        assert!(CodeEntry::read("**T**\n\nWhy.\n\n```text\nmate\n```").is_some());
        let title = ["**T**", "**T**\n\nWhy.", "**T**\n\nWhy.\n\nMate."];
        for broken in title.into_iter().chain(["", "**T**\n\nWhy.\n\n```text\nmate\n```\n\nOr."]) {
            assert_eq!(CodeEntry::read(broken), None, "{broken}");
        }
    }
}
