//! The evaluation of one query on one game after another.

use babson_pgn::{Game, Needs, Reader, Shown};
use babson_vm::run::{GameAnswer, GameRun, GameText};
use babson_vm::{GameDamage, Outcome, RuntimeError};

/// What one thread needs to run a query on games.
#[derive(Debug)]
pub(crate) struct Evaluator {
    run: GameRun,
    reader: Reader,
    needs: Needs,
    /// Whether the troubles of games are reported.
    reports: bool,
}

/// What a query says of a game.
pub(crate) struct Answer<'e> {
    /// Whether the game matches; `None` if that is not known.
    pub(crate) matches: Option<bool>,
    /// Where it matches.
    pub(crate) outcome: &'e Outcome,
    /// Whether a part of the game could not be read.
    pub(crate) is_damaged: bool,
    /// What is wrong with the game, or why its evaluation ended, if that is reported.
    pub(crate) trouble: Option<String>,
}

impl Evaluator {
    /// Runs a query on games that this reader reads. `reports` says whether the caller wants
    /// the troubles of games.
    pub(crate) fn new(run: GameRun, reader: Reader, reports: bool) -> Evaluator {
        let mut needs = run.needs();
        needs.damage |= reports;
        if reports {
            // Damage is reported wherever it is.
            needs.last_ply = Needs::ALL_PLIES;
        }
        Evaluator { run, reader, needs, reports }
    }

    /// Runs the query on a game.
    ///
    /// # Errors
    /// An error that ends the run: the query has asked for it, or its limits are too low for many
    /// games.
    pub(crate) fn answer(
        &mut self,
        game: &GameText<'_>,
        number: u64,
    ) -> Result<Answer<'_>, RuntimeError> {
        let Evaluator { run, reader, needs, reports } = self;
        let by_tags = needs.has_moves() && !*reports;
        let is_inside = run.is_inside(number);
        let mut can_match = true;
        let read = game.read_if(reader, *needs, |head| {
            can_match = is_inside && (!by_tags || run.can_match(head, number));
            can_match || *reports
        });
        let (matches, is_damaged, mut trouble) = match &read {
            Err(error) => (None, true, reports.then(|| GameDamage::Unplayable(*error).to_string())),
            Ok((game, _)) => {
                let matches = can_match.then(|| run.search(game, number));
                let trouble = if *reports { damage(game) } else { None };
                let matches = match matches {
                    None => Some(false),
                    Some(GameAnswer::Match) => Some(true),
                    Some(GameAnswer::NoMatch) => Some(false),
                    Some(GameAnswer::Failed | GameAnswer::Stopped) => None,
                };
                (matches, game.damage().is_some(), trouble)
            }
        };
        if read.is_err() || !can_match {
            run.skip(1);
            run.machine_mut().clear_outcome();
        }
        let outcome = run.outcome();
        if let Some(error) = &outcome.error {
            if error.fatal {
                return Err(error.clone());
            }
            trouble = reports.then(|| error.message.clone()).or(trouble);
        }
        Ok(Answer { matches, outcome, is_damaged, trouble })
    }
}

/// The worst damage of a game, in words.
fn damage(game: &Game<'_>) -> Option<String> {
    let damage = game.damage()?;
    let text = String::from_utf8_lossy(game.damaged_text(damage)).trim().to_owned();
    let reason = GameDamage::from(damage.reason);
    Some(if text.is_empty() { reason.to_string() } else { format!("{reason}: {}", Shown(&text)) })
}
