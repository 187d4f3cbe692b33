//! The calls of the server.

use babson_api::TextCall;

/// A call of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Databases,
    Search,
    Group,
    Text(TextCall),
    Why,
    Game,
    OpenApi,
    Health,
    Metrics,
}

impl Call {
    /// All of them.
    pub(crate) fn all() -> impl Iterator<Item = Call> {
        let others = [
            Call::Databases,
            Call::Search,
            Call::Group,
            Call::Why,
            Call::Game,
            Call::OpenApi,
            Call::Health,
            Call::Metrics,
        ];
        others.into_iter().chain(TextCall::ALL.map(Call::Text))
    }

    /// The path, with names in braces for what varies.
    pub(crate) fn path(self) -> String {
        match self {
            Call::Game => "/api/games/{database}/{game}".to_owned(),
            Call::OpenApi => "/api/openapi.json".to_owned(),
            Call::Health => "/healthz".to_owned(),
            Call::Metrics => "/metrics".to_owned(),
            Call::Databases | Call::Search | Call::Group | Call::Text(_) | Call::Why => {
                format!("/api/{}", self.name())
            }
        }
    }

    /// The call of the path of a request, if it is one.
    pub(crate) fn of_path(path: &str) -> Option<Call> {
        Call::all().find(|call| match call {
            Call::Game => path.starts_with("/api/games/"),
            Call::Databases
            | Call::Search
            | Call::Group
            | Call::Text(_)
            | Call::Why
            | Call::OpenApi
            | Call::Health
            | Call::Metrics => call.path() == path,
        })
    }

    /// The name in metrics.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Call::Databases => "databases",
            Call::Search => "search",
            Call::Group => "group",
            Call::Text(call) => call.name(),
            Call::Why => "why",
            Call::Game => "games",
            Call::OpenApi => "openapi",
            Call::Health => "healthz",
            Call::Metrics => "metrics",
        }
    }

    /// Whether its method is POST; otherwise it is GET.
    pub(crate) fn is_post(self) -> bool {
        match self {
            Call::Search | Call::Group | Call::Text(_) | Call::Why => true,
            Call::Databases | Call::Game | Call::OpenApi | Call::Health | Call::Metrics => false,
        }
    }

    /// Whether the server wants its token, if it has one.
    pub(crate) fn is_guarded(self) -> bool {
        match self {
            Call::OpenApi | Call::Health => false,
            Call::Databases
            | Call::Search
            | Call::Group
            | Call::Text(_)
            | Call::Why
            | Call::Game
            | Call::Metrics => true,
        }
    }
}
