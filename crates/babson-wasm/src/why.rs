//! Why a query matches at a position of a game or does not, in slices of time.

use std::sync::Arc;

use babson::Query;
use babson::matches::Origin;
use babson::why::Why;
use babson_api::{ApiError, ErrorCode, RequestQuery, WhyAnswer, WhyRequest, body};

use crate::calls::json;
use crate::database::{Database, Databases};

/// The answer to `why`, which is made when it is called: [`WhyRun::step`]. The query evaluates the
/// game twice, and each time it may take as many steps as in a search.
///
/// ```
/// use babson_wasm::{Database, Databases, WhyRun};
///
/// let mut databases = Databases::default();
/// databases.add(Database::read("mine", b"1. f3 e5 2. g4 Qh4# 0-1".to_vec())?);
/// let body = r#"{"query": "check mate", "database": "mine", "game": 1, "ply": 3}"#;
/// let mut why = WhyRun::new(&databases, body)?;
/// while !why.is_done() {
///     why.step(100.0, &|| 0.0);
/// }
/// assert!(why.answer()?.contains(r#""filters":["check","mate"]"#));
/// # Ok::<(), babson_api::ApiError>(())
/// ```
pub struct WhyRun {
    request: WhyRequest,
    database: Arc<Database>,
    source: RequestQuery,
    query: Query,
    stage: Stage,
}

enum Stage {
    Begin,
    /// What the filters did is known, and not yet whether a search finds the game.
    Traced(Box<Why>),
    Done(Result<String, ApiError>),
}

impl WhyRun {
    /// Begins to answer the body.
    ///
    /// # Errors
    /// The call does not take the body, the query has an error, or no database has the name.
    pub fn new(databases: &Databases, text: &str) -> Result<WhyRun, ApiError> {
        let request: WhyRequest = body(text)?;
        let database = databases.named(&request.database)?;
        let source = RequestQuery::new(&request.query, request.dialect)?;
        let query = source.compile_search(request.variations)?;
        Ok(WhyRun { request, database, source, query, stage: Stage::Begin })
    }

    /// Goes on for some milliseconds, or to the end. `now` is a clock in milliseconds. One
    /// evaluation of the game is done at least, whatever it takes.
    pub fn step(&mut self, milliseconds: f64, now: &dyn Fn() -> f64) {
        let begin = now();
        while !self.is_done() {
            let stage = std::mem::replace(&mut self.stage, Stage::Begin);
            self.stage = self.after(stage).unwrap_or_else(|error| Stage::Done(Err(error)));
            if now() >= begin + milliseconds {
                return;
            }
        }
    }

    /// Does the next evaluation. Returns the stage after it.
    fn after(&self, stage: Stage) -> Result<Stage, ApiError> {
        let WhyRun { request, database, source, query, .. } = self;
        let number = request.game;
        match stage {
            Stage::Begin => database.with_game(number, |found| {
                let why = query.trace_in_game(found.game, number, request.ply)?;
                Ok(Stage::Traced(Box::new(why)))
            }),
            Stage::Traced(why) => database.with_game(number, |found| {
                let mut why = query.why_of_trace(found.game, number, *why)?;
                let origin = found.origin;
                why.game.origin = Origin::new(origin.input, origin.number, origin.offset);
                why.damage = found.damage;
                Ok(Stage::Done(json(&WhyAnswer::of_request(source, Ok(why))?)))
            }),
            Stage::Done(answer) => Ok(Stage::Done(answer)),
        }
    }

    /// Ends it: the answer is an error.
    pub fn cancel(&mut self) {
        if !self.is_done() {
            let error = ApiError::new(ErrorCode::Ending, "the question was cancelled");
            self.stage = Stage::Done(Err(error));
        }
    }

    /// Whether it is done.
    pub fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done(_))
    }

    /// The answer, in JSON.
    ///
    /// # Errors
    /// The database has no such game or ply, a run-time error ended the query, or it was cancelled
    /// or is not done.
    pub fn answer(self) -> Result<String, ApiError> {
        match self.stage {
            Stage::Done(answer) => answer,
            Stage::Begin | Stage::Traced(_) => {
                Err(ApiError::new(ErrorCode::Busy, "the answer is not there yet"))
            }
        }
    }
}

/// Why a query matches at a position of a game or does not.
///
/// # Errors
/// The query has an error, or the database, the game or the ply does not exist.
pub fn why(databases: &Databases, text: &str) -> Result<String, ApiError> {
    let mut run = WhyRun::new(databases, text)?;
    run.step(f64::INFINITY, &|| 0.0);
    run.answer()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn databases() -> Databases {
        let mut databases = Databases::default();
        let text = b"1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0".to_vec();
        databases.add(Database::read("mine", text).unwrap());
        databases
    }

    fn begun(query: &str) -> WhyRun {
        let body = format!(r#"{{"query": "{query}", "database": "mine", "game": 1}}"#);
        WhyRun::new(&databases(), &body).unwrap()
    }

    #[test]
    fn an_answer_takes_two_slices() {
        let mut why = begun("mate");
        let mut steps = 0;
        while !why.is_done() {
            why.step(0.0, &|| 0.0);
            steps += 1;
        }
        let answer = why.answer().unwrap();
        assert_eq!(steps, 2);
        assert!(answer.contains(r#""matched":true"#), "{answer}");
        let mut whole = begun("mate");
        whole.step(1.0, &|| 0.0);
        assert_eq!(whole.answer().unwrap(), answer);
    }

    #[test]
    fn a_query_that_does_not_end_is_an_error() {
        let mut why = begun("while (true) true");
        why.step(0.0, &|| 0.0);
        let error = why.answer().unwrap_err();
        assert_eq!(error.code, ErrorCode::Runtime);
        assert!(error.message.contains("steps"), "{error}");
    }

    #[test]
    fn it_is_cancelled_between_two_slices() {
        let mut why = begun("mate");
        why.step(0.0, &|| 0.0);
        assert!(!why.is_done());
        why.cancel();
        why.step(0.0, &|| 0.0);
        assert_eq!(why.answer().unwrap_err().code, ErrorCode::Ending);
        let unfinished = begun("mate").answer().unwrap_err();
        assert_eq!(unfinished.code, ErrorCode::Busy);
    }
}
