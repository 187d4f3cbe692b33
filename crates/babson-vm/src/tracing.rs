//! Whether the filters of a query are traced where it matches.

use babson_lang::Diagnostic;

use crate::{Program, Sharing};

/// Whether the filters of a query are traced where it matches, for outputs that show why.
#[derive(Clone, Debug, Default)]
pub enum Tracing {
    /// They are not.
    #[default]
    Off,
    /// By this program, which was compiled [for it](crate::CompileOptions::trace).
    On(Program),
    /// They cannot be, for this reason.
    Impossible(String),
}

impl Tracing {
    /// Traces by a program, where the query can be evaluated a second time: not if a game sees what
    /// earlier games left, and not if it reads or writes files.
    pub fn of(program: &Program, traced: Result<Program, &[Diagnostic]>) -> Tracing {
        match (program.sharing(), traced) {
            (Sharing::InOrder(why), _) => Tracing::Impossible(why.to_owned()),
            (Sharing::Nothing | Sharing::Joined, Ok(program)) => Tracing::On(program),
            (Sharing::Nothing | Sharing::Joined, Err(errors)) => {
                let error = errors.first().map(|error| error.message.clone());
                Tracing::Impossible(error.unwrap_or_default())
            }
        }
    }
}
