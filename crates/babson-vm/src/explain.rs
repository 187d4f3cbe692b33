//! What `babson explain` prints.
use crate::compile::Code;
pub(crate) fn explain(typed: &str, code: &Code) -> String {
    format!("{typed}\n{code:?}\n")
}
