//! The calls that need nothing but a text: from a body in JSON to an answer in JSON.

use serde::Serialize;

use crate::{ApiError, ErrorCode, body, check, complete, convert, explain, format, hover};

/// A call whose answer follows from its body alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextCall {
    /// Diagnostics.
    Check,
    /// What fits at a place.
    Complete,
    /// What is known about a place.
    Hover,
    /// The query in the format of the formatter.
    Format,
    /// The query in another form.
    Convert,
    /// What the query searches, and how.
    Explain,
}

impl TextCall {
    /// All of them.
    pub const ALL: [TextCall; 6] = [
        TextCall::Check,
        TextCall::Complete,
        TextCall::Hover,
        TextCall::Format,
        TextCall::Convert,
        TextCall::Explain,
    ];

    /// The name of the call, the last part of its path.
    pub fn name(self) -> &'static str {
        match self {
            TextCall::Check => "check",
            TextCall::Complete => "complete",
            TextCall::Hover => "hover",
            TextCall::Format => "format",
            TextCall::Convert => "convert",
            TextCall::Explain => "explain",
        }
    }

    /// The answer to a body.
    ///
    /// # Errors
    /// The body is not what the call takes, or the query has an error.
    pub fn answer(self, text: &str) -> Result<String, ApiError> {
        match self {
            TextCall::Check => json(&check(&body(text)?)),
            TextCall::Complete => json(&complete(&body(text)?)),
            TextCall::Hover => json(&hover(&body(text)?)),
            TextCall::Format => json(&format(&body(text)?)?),
            TextCall::Convert => json(&convert(&body(text)?)?),
            TextCall::Explain => json(&explain(&body(text)?)?),
        }
    }
}

fn json(answer: &impl Serialize) -> Result<String, ApiError> {
    // The keys of all maps are strings.
    serde_json::to_string(answer)
        .map_err(|error| ApiError::new(ErrorCode::Internal, error.to_string()))
}
