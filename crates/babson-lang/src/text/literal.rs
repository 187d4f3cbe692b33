//! Values as the text of an expression.

use crate::{Dialect, parse};

/// An expression whose value is this text. A string literal cannot contain quotes or line ends, so
/// they are concatenated.
///
/// ```
/// use babson_lang::text;
/// assert_eq!(text::string("mate in 2"), r#""mate in 2""#);
/// assert_eq!(text::string("the \"end\""), r#"("the " + \" + "end" + \" + "")"#);
/// ```
pub fn string(text: &str) -> String {
    if !text.contains(['"', '\n']) {
        return format!("\"{text}\"");
    }
    let text = text.replace('"', "\" + \\\" + \"").replace('\n', "\" + \\n + \"");
    format!("(\"{text}\")")
}

/// Whether a query may have a variable of this name, in any dialect.
///
/// ```
/// use babson_lang::text;
/// assert!(text::is_variable_name("n2") && !text::is_variable_name("mate"));
/// ```
pub fn is_variable_name(name: &str) -> bool {
    let is_word =
        name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$'));
    // The parser tells a name from a keyword or a piece designator.
    is_word && parse(&format!("{name} = 1"), Dialect::CQLI).is_ok()
}
