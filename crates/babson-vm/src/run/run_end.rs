//! When the run of a query ends: a limit of matches, an error that ends it, too many games in a row
//! that reach the limit of steps.

use serde::{Deserialize, Serialize};

use crate::limits::MAX_GAMES_AT_LIMIT;
use crate::{RunLimit, RuntimeError};

/// Counts the games of a run and says when the run ends.
#[derive(Clone, Debug, Default)]
pub struct RunEnd {
    limit: Option<u64>,
    matches: u64,
    evaluated: u64,
    /// Games in a row that used up their steps.
    at_limit: u64,
    /// The value of `evaluated` after the last of them.
    streak_end: u64,
    ended: bool,
}

/// A game that was skipped after a run-time error.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameFailure {
    /// The number of the game.
    pub game: u64,
    /// How many of the games that were searched together were evaluated before it.
    pub before: u64,
    /// The error.
    pub error: RuntimeError,
}

/// What counts of the results of some games: see [`RunEnd::replay`].
#[derive(Debug)]
pub struct Replay {
    /// How many of the matches count, the first ones.
    pub matches: usize,
    /// The failures that count. If the last one is fatal, it has ended the run.
    pub failures: Vec<GameFailure>,
}

impl RunEnd {
    /// The run ends after `limit` matches.
    pub fn new(limit: Option<u64>) -> RunEnd {
        RunEnd { limit, ..RunEnd::default() }
    }

    /// Returns whether the run has ended.
    #[inline]
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Ends the run.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// The number of matches so far.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// Counts games that were evaluated, or that cannot match.
    #[inline]
    pub fn add_games(&mut self, games: u64) {
        self.evaluated += games;
    }

    /// Forgets the games at the limit of steps: another run searches the games between.
    pub fn end_streak(&mut self) {
        self.at_limit = 0;
    }

    /// Counts a match.
    pub fn add_match(&mut self) {
        self.matches += 1;
        self.ended |= self.limit.is_some_and(|limit| self.matches >= limit);
    }

    /// Takes the error of a game that is not counted yet. It becomes fatal if too many games in a
    /// row have reached the limit of steps.
    pub fn add_failure(&mut self, error: &mut RuntimeError) {
        self.fail_after(self.evaluated, error);
    }

    /// Takes the error of the game before which `before` games were evaluated.
    fn fail_after(&mut self, before: u64, error: &mut RuntimeError) {
        if error.limit == Some(RunLimit::Steps) && !error.fatal {
            let goes_on = self.at_limit > 0 && before == self.streak_end;
            self.at_limit = if goes_on { self.at_limit + 1 } else { 1 };
            self.streak_end = before + 1;
            if self.at_limit >= MAX_GAMES_AT_LIMIT {
                error.fatal = true;
                error.message += &format!(" by {MAX_GAMES_AT_LIMIT} games in a row");
            }
        }
        self.ended |= error.fatal;
    }

    /// Counts the results of the next games, which another run has found: the numbers of the
    /// matching games and the failures, both ascending. Nothing counts after the end of the run.
    pub fn replay(
        &mut self,
        matches: impl IntoIterator<Item = u64>,
        failures: Vec<GameFailure>,
        evaluated: u64,
    ) -> Replay {
        let mut replay = Replay { matches: 0, failures: Vec::new() };
        // With a limit of zero no game counts.
        self.ended |= self.limit.is_some_and(|limit| self.matches >= limit);
        let mut matches = matches.into_iter().peekable();
        let mut failures = failures.into_iter().peekable();
        while !self.ended {
            let next = failures.peek().map_or(u64::MAX, |failure| failure.game);
            if matches.next_if(|game| *game < next).is_some() {
                self.add_match();
                replay.matches += 1;
            } else if let Some(mut failure) = failures.next() {
                self.fail_after(self.evaluated + failure.before, &mut failure.error);
                replay.failures.push(failure);
            } else {
                break;
            }
        }
        self.evaluated += evaluated;
        replay
    }
}

#[cfg(test)]
mod tests {
    use babson_lang::Span;

    use super::*;

    fn at_limit() -> RuntimeError {
        RuntimeError {
            filter: "limit".into(),
            span: Span::default(),
            position: 0,
            message: "the evaluation limit of 9 steps was reached".to_owned(),
            fatal: false,
            limit: Some(RunLimit::Steps),
        }
    }

    /// The run of all games and the replay of the runs of its pieces end with the same game.
    #[test]
    fn a_replay_ends_as_the_run_does() {
        for (limit, first_failure) in [(None, 5), (Some(4), 5), (Some(3), 1), (Some(0), 5)] {
            let fails = |game: u64| (first_failure..first_failure + 30).contains(&game);
            let mut whole = RunEnd::new(limit);
            let mut last = 0;
            for game in 1..100 {
                if whole.has_ended() || limit == Some(0) {
                    break;
                }
                last = game;
                match fails(game) {
                    true => whole.add_failure(&mut at_limit()),
                    false => whole.add_match(),
                }
                whole.add_games(1);
            }
            let mut replayed = RunEnd::new(limit);
            let mut end = 0;
            for first in (1..100).step_by(7) {
                let games = first..first + 7;
                let matches = games.clone().filter(|game| !fails(*game));
                let failures = games.clone().filter(|game| fails(*game));
                let failures = failures.map(|game| {
                    let before = game - first;
                    GameFailure { game, before, error: at_limit() }
                });
                let replay = replayed.replay(matches.clone(), failures.collect(), 7);
                let failed = replay.failures.last().map_or(0, |failure| failure.game);
                let matched = matches.take(replay.matches).last().unwrap_or(0);
                end = end.max(failed).max(matched);
                if replayed.has_ended() {
                    break;
                }
            }
            assert_eq!((end, replayed.matches()), (last, whole.matches()), "{limit:?}");
        }
    }

    #[test]
    fn an_error_is_told_of_a_streak_once() {
        let mut end = RunEnd::default();
        let mut error = at_limit();
        for _ in 0..MAX_GAMES_AT_LIMIT {
            error = at_limit();
            end.add_failure(&mut error);
            end.add_games(1);
        }
        assert!(end.has_ended() && error.message.ends_with("reached by 20 games in a row"));
        let told = error.clone();
        RunEnd::default().add_failure(&mut error);
        assert_eq!(error, told);
    }
}
