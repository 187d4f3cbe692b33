//! Whether the filters of a query are traced where it matches.

use babson_lang::Diagnostic;

use crate::{GameDependence, Program, Sharing};

/// Whether the filters of a query are traced where it matches, for outputs that show why.
#[derive(Clone, Debug, Default)]
pub enum Tracing {
    /// They are not.
    #[default]
    Off,
    /// By this program, which was compiled [for it](crate::CompileOptions::trace).
    On(Program),
    /// They cannot be, for this reason.
    Impossible(TraceRefusal),
}

/// Why the filters of a query cannot be traced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TraceRefusal {
    /// A second evaluation of a game could see what later games left.
    #[error(transparent)]
    Games(GameDependence),
    /// The query does not compile with a trace.
    #[error("{}", .0.first().map_or("", |error| error.message.as_str()))]
    Query(Vec<Diagnostic>),
}

impl Tracing {
    /// Traces by a program, where the query can be evaluated a second time: not if a game sees what
    /// earlier games left, and not if it reads or writes files.
    pub fn of(program: &Program, traced: Result<Program, &[Diagnostic]>) -> Tracing {
        match (program.sharing(), traced) {
            (Sharing::InOrder(why), _) => Tracing::Impossible(TraceRefusal::Games(why.clone())),
            (Sharing::Nothing | Sharing::Joined, Ok(program)) => Tracing::On(program),
            (Sharing::Nothing | Sharing::Joined, Err(errors)) => {
                Tracing::Impossible(TraceRefusal::Query(errors.to_vec()))
            }
        }
    }
}
