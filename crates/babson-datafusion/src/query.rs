//! A query of SQL: compiled once, and run by as many threads as there are.

use std::sync::{Mutex, PoisonError};

use babson_vm::lang::hir::{ExprKind, Property, Query, Type};
use babson_vm::lang::imports::{LibraryOnly, ResolvedQuery, resolve};
use babson_vm::lang::{Diagnostic, QuerySpans, declared_dialect};
use babson_vm::run::GameRun;
use babson_vm::{
    CompileOptions, GameGuard, ParseError, Program, RunOptions, Sharing, analyze_resolved,
};
use datafusion::error::{DataFusionError, Result};

use crate::evaluator::Evaluator;
use crate::query_function::QueryFunction;
use crate::render;

/// A query of SQL.
#[derive(Debug)]
pub(crate) struct CompiledQuery {
    text: String,
    function: QueryFunction,
    program: Program,
    options: RunOptions,
    /// The type of its last filter.
    value_type: Type,
    /// Whether it asks for the numbers of games.
    uses_numbers: bool,
    /// Evaluators that no thread uses now.
    idle: Mutex<Vec<Evaluator>>,
}

impl CompiledQuery {
    /// Compiles the query of a call. It is read in the dialect that it names, otherwise in the
    /// dialect of CQLi. It can import the built-in library; it reads no files and starts no
    /// programs.
    ///
    /// # Errors
    /// The query is wrong, or its result depends on the order of the games.
    pub(crate) fn new(text: &str, function: QueryFunction) -> Result<CompiledQuery> {
        let wrong = |resolved: ResolvedQuery, errors: Vec<Diagnostic>| {
            let ResolvedQuery { text, files, .. } = resolved;
            let errors = render::errors(&ParseError::new(text, files, errors));
            DataFusionError::Plan(format!("the query of {} is wrong:\n{errors}", function.name()))
        };
        let spans = QuerySpans::whole(text);
        let (dialect, unknown) = match declared_dialect(text) {
            Ok(dialect) => (dialect.unwrap_or_default(), None),
            Err(errors) => (Default::default(), Some(errors)),
        };
        let resolved = resolve(text, &spans, dialect, &LibraryOnly);
        if let Some(errors) = unknown {
            return Err(wrong(resolved, errors));
        }
        let mut options = RunOptions::in_dialect(dialect);
        let compiled =
            CompileOptions { value: function == QueryFunction::Value, ..Default::default() };
        let analysis = analyze_resolved(&resolved, dialect, &compiled.variants);
        let analysis = match analysis {
            Ok(analysis) => analysis,
            Err(errors) => return Err(wrong(resolved, errors)),
        };
        let query = &analysis.query;
        let program = Program::compile_with(query, &compiled).and_then(|program| {
            program.check_variations(&options).map_err(|error| vec![error])?;
            Ok(program)
        });
        let program = match program {
            Ok(program) => program,
            Err(errors) => return Err(wrong(resolved, errors)),
        };
        refuse_dependence(&program, function)?;
        options.first_match =
            function.needs_one_position() && program.is_settled_by_first_match(&options);
        Ok(CompiledQuery {
            text: text.to_owned(),
            function,
            value_type: query.body.last().map_or(Type::Bool, |filter| filter.ty),
            uses_numbers: uses_numbers(query, &program),
            program,
            options,
            idle: Mutex::default(),
        })
    }

    /// Its text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The type of its last filter.
    pub(crate) fn value_type(&self) -> Type {
        self.value_type
    }

    /// Whether it asks for the numbers of games.
    pub(crate) fn uses_numbers(&self) -> bool {
        self.uses_numbers
    }

    /// The numbers of the games that it may match, from the first to the last; none for all games.
    pub(crate) fn game_range(&self) -> Option<(u64, u64)> {
        self.program.header().game_range()
    }

    /// The conditions on a game of a table without which the query does not match there.
    pub(crate) fn guard(&self) -> Option<&GameGuard> {
        self.program.game_guard(&self.options)
    }

    /// Whether the guard tells of most games that they match.
    pub(crate) fn is_decided(&self) -> bool {
        self.program.deciding_guard(&self.options).is_some()
    }

    /// Calls `use_it` with an evaluator that no other thread uses.
    ///
    /// # Errors
    /// A `cqlbegin` block of the query has failed, or `use_it` fails.
    pub(crate) fn with_evaluator<T>(
        &self,
        use_it: impl FnOnce(&mut Evaluator) -> Result<T>,
    ) -> Result<T> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let known = idle().pop();
        let mut evaluator = match known {
            Some(evaluator) => evaluator,
            None => self.evaluator()?,
        };
        // After an error its run has perhaps ended, so it is not used again.
        let done = use_it(&mut evaluator)?;
        idle().push(evaluator);
        Ok(done)
    }

    fn evaluator(&self) -> Result<Evaluator> {
        let mut run = GameRun::new(self.program.clone(), self.options.clone());
        if let Some(error) = &run.begin().error {
            return Err(DataFusionError::Execution(self.blame(&error.message)));
        }
        let reader = self.program.reader(&self.options);
        Ok(Evaluator::new(run, reader, self.function == QueryFunction::Error))
    }

    /// An error of the query at run time, with its name.
    pub(crate) fn blame(&self, message: &str) -> String {
        format!("{} with the query `{}`: {message}", self.function.name(), self.text)
    }
}

/// # Errors
/// What the query says of a game depends on the games before it: SQL has no order.
fn refuse_dependence(program: &Program, function: QueryFunction) -> Result<()> {
    let refuse = |reason: &str| {
        let name = function.name();
        let message = format!(
            "the query of {name} needs the games in their order, which SQL does not have: {reason}"
        );
        Err(DataFusionError::Plan(message))
    };
    match program.sharing() {
        Sharing::InOrder(reason) => refuse(&reason.to_string()),
        Sharing::Nothing | Sharing::Joined if program.wants_last_number() => {
            refuse("it asks for the number of the last game")
        }
        Sharing::Nothing | Sharing::Joined => Ok(()),
    }
}

fn uses_numbers(query: &Query, program: &Program) -> bool {
    let number = ExprKind::Property(Property::GameNumber);
    let mut filters = query.body.iter().chain(&query.begin);
    filters.any(|filter| filter.any(&|filter| filter.kind == number))
        || program.header().game_range().is_some()
}
