//! Games and positions that the machine reads itself, so that its caller needs no reader.

use babson_chess::{Position, Rules};
use babson_pgn::Reader;

use super::Machine;
use crate::{GameContext, Hit, Outcome, Program, RunError, RunOptions, RuntimeError, Value};

/// What a machine reads games with.
#[derive(Debug)]
pub(super) struct OwnReader {
    options: RunOptions,
    reader: Reader,
    /// The games that were read.
    games: u64,
}

impl OwnReader {
    fn new(program: &Program, options: RunOptions) -> Box<OwnReader> {
        Box::new(OwnReader { reader: program.reader(&options), options, games: 0 })
    }

    fn of_dialect(program: &Program) -> Box<OwnReader> {
        OwnReader::new(program, RunOptions::in_dialect(program.parts().dialect))
    }
}

impl Machine {
    /// A machine for this program. It runs the games and positions that it reads itself with these
    /// options: in [`Machine::search`], [`Machine::run_text`], [`Machine::matches`] and
    /// [`Machine::evaluate`]. The options of [`Machine::run`] are in its context.
    ///
    /// ```
    /// use babson_vm::{Dialect, Machine, Position, Program, RunOptions};
    ///
    /// let program = Program::parse("while (true) {true}", Dialect::CQLI)?;
    /// let options = RunOptions { steps: 1000, ..RunOptions::default() };
    /// let mut machine = Machine::with_options(program, options);
    /// let error = machine.matches(&Position::start()).unwrap_err();
    /// assert_eq!(error.to_string(), "the evaluation limit of 1000 steps was reached");
    /// # Ok::<(), babson_vm::ParseError>(())
    /// ```
    pub fn with_options(program: Program, options: RunOptions) -> Machine {
        let own = OwnReader::new(&program, options);
        Machine { own: Some(own), ..Machine::new(program) }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Reads the first game of a PGN text and evaluates the program on it. Games are numbered from
    /// 1 in the order of the calls. A game outside the range of numbers in the header of the query
    /// does not match.
    ///
    /// A damaged game is evaluated up to the damage: [`Game::damages`](babson_pgn::Game::damages)
    /// of a [`Hit`] has it. [`Machine::outcome`] has the lines of `message` filters, also if the
    /// game does not match.
    ///
    /// # Errors
    /// The run-time error that ended the evaluation. If it is [fatal](RuntimeError::fatal), the
    /// query asks to end the whole run.
    ///
    /// ```
    /// use babson_vm::{Dialect, Machine, Program};
    ///
    /// let program = Program::parse("mate comment(\"the end\")", Dialect::CQLI)?;
    /// let mut machine = Machine::new(program);
    /// let hit = machine.run_text(b"1. f3 e5 2. g4 Qh4# 0-1")?.expect("a mate");
    /// assert_eq!(hit.positions(), [4]);
    /// assert_eq!(hit.row().positions[0].mv, "2...Qh4#");
    /// assert!(String::from_utf8(hit.pgn())?.contains("Qh4# {the end}"));
    /// assert!(machine.run_text(b"1. d4 *")?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_text<'m>(&'m mut self, text: &'m [u8]) -> Result<Option<Hit<'m>>, RuntimeError> {
        let mut own = self.take_own();
        own.games += 1;
        let number = own.games;
        let range = self.program.header().game_range();
        let run = if range.is_none_or(|(low, high)| (low..=high).contains(&number)) {
            let game = own.reader.read(text, self.program.needs_with(&own.options));
            let context = GameContext { number, last_number: None, options: &own.options };
            self.run(&game, &context).map(drop)
        } else {
            self.outcome.clear();
            Ok(())
        };
        let OwnReader { options, reader, .. } = &mut **self.own.insert(own);
        run?;
        if let Some(error) = &self.outcome.error {
            return Err(error.clone());
        }
        if !self.outcome.matched {
            return Ok(None);
        }
        let game = reader.read(text, self.program.output_needs());
        Ok(Some(Hit::new(&self.program, options, game, &self.outcome, number)))
    }

    /// Returns whether the query matches at a position of standard chess, as the only position of
    /// the only game.
    ///
    /// # Errors
    /// The run-time error that ended the evaluation.
    ///
    /// ```
    /// use babson_vm::{Dialect, Machine, Position, Program};
    ///
    /// let mut machine = Machine::new(Program::parse("K attacks r", Dialect::CQLI)?);
    /// let board: Position = "8/8/8/8/8/3k4/4r3/4K3 w - - 0 1".parse()?;
    /// assert!(machine.matches(&board)?);
    /// assert!(!machine.matches(&Position::start())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matches(&mut self, position: &Position) -> Result<bool, RuntimeError> {
        self.run_position(position, &Rules::STANDARD).map(|outcome| outcome.matched)
    }

    /// Returns the value of the query's last filter at a position of a game with these rules;
    /// `Value::Bool(true)` if the filter is a condition, `Value::Bool(false)` if the query does not
    /// match there.
    ///
    /// # Errors
    /// The run-time error that ended the evaluation, or the program was not compiled
    /// [for values](crate::CompileOptions::value).
    ///
    /// ```
    /// use babson_vm::chess::{Rules, fen};
    /// use babson_vm::{CompileOptions, Dialect, Machine, Program};
    ///
    /// let options = CompileOptions { value: true, ..CompileOptions::default() };
    /// let program = Program::parse_with("pin through n", Dialect::CQLI, &options)?;
    /// let mut machine = Machine::new(program);
    /// let (board, rules) = fen::parse("4k3/8/2n5/1B6/8/8/8/4K3 b - - 0 1")?;
    /// assert_eq!(machine.evaluate(&board, &rules)?.to_string(), "c6");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluate(&mut self, position: &Position, rules: &Rules) -> Result<Value, RuntimeError> {
        if self.program.parts().code.value.is_none() {
            self.outcome.clear();
            return Err(RunError::NoValues.into());
        }
        let outcome = self.run_position(position, rules)?;
        Ok(match outcome.matched {
            true => outcome.values.first().cloned().unwrap_or(Value::Bool(true)),
            false => Value::Bool(false),
        })
    }

    fn run_position(
        &mut self,
        position: &Position,
        rules: &Rules,
    ) -> Result<&Outcome, RuntimeError> {
        let mut own = self.take_own();
        let needs = self.program.needs_with(&own.options);
        let game = own.reader.one_position(position, rules, needs);
        let context = GameContext { number: 1, last_number: Some(1), options: &own.options };
        let run = self.run(&game, &context).map(drop);
        self.own = Some(own);
        run?;
        match &self.outcome.error {
            Some(error) => Err(error.clone()),
            None => Ok(&self.outcome),
        }
    }

    /// The program, and the options of the calls that read.
    pub(crate) fn own_options(&mut self) -> (&Program, &RunOptions) {
        let own = self.own.get_or_insert_with(|| OwnReader::of_dialect(&self.program));
        (&self.program, &own.options)
    }

    /// Takes the reader out of the machine, which can then be run. The caller puts it back.
    fn take_own(&mut self) -> Box<OwnReader> {
        self.own.take().unwrap_or_else(|| OwnReader::of_dialect(&self.program))
    }
}
