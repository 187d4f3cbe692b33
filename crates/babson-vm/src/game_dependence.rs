//! Why the games of a query depend on earlier ones.

/// Why a game may see what earlier games left, so that one machine must run all games in their
/// order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameDependence {
    /// The query reads or writes files.
    #[error("it reads or writes files")]
    Files,
    /// A comment that `removecomment` removes is also removed in later games (CQL 6.2).
    #[error("`removecomment` affects later games in CQL 6.2")]
    RemovedComments,
    /// A game may use a persistent variable or a dictionary after earlier games changed it.
    #[error("earlier games may have changed `{name}` where it {usage}")]
    Name {
        /// The name of the variable or dictionary.
        name: String,
        /// The use that cannot be joined with the changes of other games.
        usage: DependentUse,
    },
}

/// A use of a name that depends on what earlier games stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DependentUse {
    /// Its value is read.
    #[error("is looked at")]
    Read,
    /// Its value is changed by an operator whose order counts, such as `*=`.
    #[error("is updated")]
    Updated,
    /// It is changed by operators that do not go together, such as `+=` and an assignment.
    #[error("is changed in several ways")]
    ChangedDifferently,
    /// It is the variable of a loop.
    #[error("is the variable of a loop")]
    Loop,
    /// A key of the dictionary is erased.
    #[error("loses a key")]
    KeyErased,
    /// The variable is unbound.
    #[error("is unbound")]
    Unbound,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences() {
        let name = |usage| GameDependence::Name { name: "Seen".to_owned(), usage };
        let changed = "earlier games may have changed `Seen` where it ";
        for (dependence, sentence) in [
            (GameDependence::Files, "it reads or writes files".to_owned()),
            (
                GameDependence::RemovedComments,
                "`removecomment` affects later games in CQL 6.2".to_owned(),
            ),
            (name(DependentUse::Read), format!("{changed}is looked at")),
            (name(DependentUse::Updated), format!("{changed}is updated")),
            (
                name(DependentUse::ChangedDifferently),
                format!("{changed}is changed in several ways"),
            ),
            (name(DependentUse::Loop), format!("{changed}is the variable of a loop")),
            (name(DependentUse::KeyErased), format!("{changed}loses a key")),
            (name(DependentUse::Unbound), format!("{changed}is unbound")),
        ] {
            assert_eq!(dependence.to_string(), sentence);
        }
    }
}
