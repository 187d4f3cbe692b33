//! A hint after a search for a player that found nothing: names differ in their capitals.

use babson::{Input, Query, other_spellings};

use super::summary::plural;
use crate::limits::MAX_NAMES_SEARCHED;
use crate::search_config::SearchConfig;
use crate::terminal::{self, ShowName as _};

/// Tells of each name of a player in the queries that only its capitals keep it from being found.
/// The inputs are read again, unless they are long, not all of them were searched, or nothing but
/// results is shown.
pub(super) fn tell(config: &SearchConfig, queries: &[Query], inputs: &[Input]) {
    let length: u64 = inputs.iter().filter_map(Input::size).sum();
    if !config.summary || config.range.is_some() || length > MAX_NAMES_SEARCHED {
        return;
    }
    let mut told = Vec::new();
    for query in queries {
        // A failure to read has been told by the search.
        for one in other_spellings(query, inputs, config.threads).unwrap_or_default() {
            let games = plural(one.games, "game has", "games have");
            let line = format!(
                "babson: no player's name contains '{}', but {games} '{}': capitals and small \
                 letters differ",
                one.text.shown(),
                one.spelling.shown()
            );
            if !told.contains(&line) {
                terminal::error_line(&line);
                told.push(line);
            }
        }
    }
}
