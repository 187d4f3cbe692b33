//! The limits of the crate, each with its reason.

/// Bytes of the body of a request. A query of 200 lines has some ten thousand; the fixes of a
/// longer text than this are not tested anyway.
pub const MAX_BODY: usize = 256 << 10;

/// Lines of bytecode that the answer of `explain` has: more than anybody reads. A query that is
/// copied by transforms has millions.
pub const MAX_CODE_LINES: usize = 10_000;

/// Run-time errors of single games that a search tells. A query that fails in one game often fails
/// in all, and the first errors explain the others.
pub const MAX_TOLD_ERRORS: usize = 100;

/// Characters of a text or a name that an error of a body repeats.
pub(crate) const MAX_SHOWN_VALUE: usize = 40;

/// Characters of a filter in the answer of `why`: about a line of the page.
pub(crate) const MAX_SHOWN_FILTER: usize = 60;

/// The greatest timeout of a request, in seconds: a day. More is as good as none.
pub(crate) const MAX_TIMEOUT: f64 = 86_400.0;
