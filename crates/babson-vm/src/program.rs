//! A compiled query.

use std::cmp::Ordering;
use std::sync::Arc;

use babson_chess::VariantNames;
use babson_lang::diagnostic::{Code as DiagnosticCode, Diagnostic, Remedy, Span};
use babson_lang::dialect::Dialect;
use babson_lang::hir::{self, CommentLevel};
use babson_pgn::{Needs, Reader};

use crate::code::{Code, SharedState};
use crate::compile::{self, Conditions};
use crate::explain;
use crate::game_dependence::GameDependence;
use crate::game_guard::GameGuard;
use crate::op::Op;
use crate::options::{CompileOptions, RunOptions};
use crate::outcome::SortValue;
use crate::profile::ProfiledFilter;
use crate::trace::TraceEntry;

/// The compiled form of a query, for tools.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The typed tree, a node a line.
    pub typed: String,
    /// The optimizations, one in each line.
    pub optimizer: Vec<String>,
    /// How many threads may run the games; if only one, the reason.
    pub threads: String,
    /// What the reader must do.
    pub needs: Needs,
    /// Registers that the machine needs.
    pub registers: usize,
    /// The instructions.
    pub bytecode: Vec<String>,
}

/// What the games of a run share: persistent variables, dictionaries, files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing<'p> {
    /// They share nothing: any machine may run any game.
    Nothing,
    /// They share values that can be joined: machines that [`Machine::fork`](crate::Machine::fork)
    /// makes may each run some of the games, and their [changes](crate::SharedChanges) are joined
    /// in the order of the games.
    Joined,
    /// A game may read what earlier games left: one machine must run all games in their order, for
    /// this reason.
    InOrder(&'p GameDependence),
}

/// A compiled query: immutable, and shared by its clones and by all threads.
#[derive(Clone, Debug)]
pub struct Program {
    parts: Arc<ProgramData>,
}

/// What a program consists of, as a machine runs it.
#[derive(Debug)]
pub(crate) struct ProgramData {
    pub(crate) query: hir::Query,
    pub(crate) sorts: Vec<hir::SortKey>,
    pub(crate) needs: Needs,
    pub(crate) dialect: Dialect,
    pub(crate) variants: VariantNames,
    pub(crate) code: Code,
}

impl Program {
    /// Compiles a typed query, in the dialect that it was read in, with the default options.
    ///
    /// # Errors
    /// As [`Program::compile_with`].
    pub fn compile(query: &hir::Query) -> Result<Program, Vec<Diagnostic>> {
        Program::compile_with(query, &CompileOptions::default())
    }

    /// Compiles a typed query, in the dialect that it was read in.
    ///
    /// # Errors
    /// Diagnostics if the query is too large for the machine (65,535 registers), or if the host
    /// refuses or cannot read the file of `similarposition`.
    pub fn compile_with(
        query: &hir::Query,
        options: &CompileOptions,
    ) -> Result<Program, Vec<Diagnostic>> {
        Program::compile_code(query, options, Conditions::Used)
    }

    /// Compiles a query that has no conditions on games and positions.
    #[cfg(test)]
    pub(crate) fn without_conditions(query: &hir::Query) -> Result<Program, Vec<Diagnostic>> {
        Program::compile_code(query, &CompileOptions::default(), Conditions::Unused)
    }

    fn compile_code(
        query: &hir::Query,
        options: &CompileOptions,
        conditions: Conditions,
    ) -> Result<Program, Vec<Diagnostic>> {
        let dialect = query.dialect;
        let code = compile::compile(query, options, conditions)?;
        let mut sorts = query.sorts.clone();
        if query.header.sort_match_count {
            sorts.push(hir::SortKey {
                name: "matchcount".to_owned(),
                ty: hir::Type::Number,
                min: false,
                quiet: false,
            });
        }
        let parts = ProgramData {
            // Its typed tree is printed only if it is explained.
            query: query.clone(),
            sorts,
            needs: Needs { usual_start: dialect.usual_start, ..code.needs },
            dialect,
            variants: options.variants.clone(),
            code,
        };
        Ok(Program { parts: Arc::new(parts) })
    }

    pub(crate) fn parts(&self) -> &ProgramData {
        &self.parts
    }

    /// The parts of a program without clones, for tests that run it without an optimization.
    #[cfg(test)]
    pub(crate) fn parts_mut(&mut self) -> &mut ProgramData {
        Arc::get_mut(&mut self.parts).expect("the program has no clone")
    }

    /// What the reader must do for this query, if no option decides about variations. A query that
    /// looks only at the first positions of a game does not need the moves after them.
    ///
    /// ```
    /// use babson_vm::{Dialect, Program};
    ///
    /// let last_ply = |query| Program::parse(query, Dialect::CQLI).unwrap().needs().last_ply;
    /// assert_eq!(last_ply("ply <= 20 check"), 20);
    /// assert_eq!(last_ply("ply <= 20 terminal"), 21);
    /// ```
    pub fn needs(&self) -> Needs {
        self.parts.needs
    }

    /// What the reader must do for a run with these options, which may decide about variations.
    pub fn needs_with(&self, options: &RunOptions) -> Needs {
        self.parts.needs.with_variations(self.visits_variations(options))
    }

    /// Whether a run with these options visits variations.
    pub fn visits_variations(&self, options: &RunOptions) -> bool {
        options.variations.unwrap_or(self.parts.query.header.variations)
    }

    /// Whether a filter asks for the number of the last game, so that the games must be counted
    /// before they are searched: see [`GameContext::last_number`](crate::GameContext::last_number).
    pub fn wants_last_number(&self) -> bool {
        self.parts.query.wants_last_number()
    }

    /// Checks that a run with these options visits variations if the query demands it.
    ///
    /// # Errors
    /// The filter that demands it (`cql_assertvariations`, `hhdb mainline` and similar filters), if
    /// the run visits no variations. Then the query must not be run.
    ///
    /// ```
    /// use babson_vm::{Program, RunOptions, lang};
    ///
    /// let query = lang::analyze("hhdb mainline", lang::Dialect::CQLI).unwrap().query;
    /// let program = Program::compile(&query).unwrap();
    /// assert!(program.check_variations(&RunOptions::default()).is_err());
    /// let options = RunOptions { variations: Some(true), ..RunOptions::default() };
    /// assert!(program.check_variations(&options).is_ok());
    /// ```
    pub fn check_variations(&self, options: &RunOptions) -> Result<(), Diagnostic> {
        match self.parts.query.requires_variations.filter(|_| !self.visits_variations(options)) {
            None => Ok(()),
            Some(span) => {
                let message = "this filter needs variations";
                let error = Diagnostic::new(DiagnosticCode::NeedsVariations, span, message);
                let error = error.with_help("visit them with `cql(variations)`");
                Err(error.with_remedy(Remedy::Variations))
            }
        }
    }

    /// A reader of games for runs with these options. It knows the variants with which the program
    /// was compiled. For output in the format of CQL 6.2, it turns moves that it cannot read into
    /// comments.
    pub fn reader(&self, options: &RunOptions) -> Reader {
        let mut reader = Reader::new().with_variants(self.parts.variants.clone());
        reader.write_error_comments(options.cql6_output);
        reader
    }

    /// What the reader must do so that a matching game can be written.
    pub fn output_needs(&self) -> Needs {
        Needs { usual_start: self.parts.needs.usual_start, ..Needs::ALL }
    }

    /// The names that variants may have in the games.
    pub fn variants(&self) -> &VariantNames {
        &self.parts.variants
    }

    /// The header of the query.
    pub fn header(&self) -> &hir::Header {
        &self.parts.query.header
    }

    /// Returns the comment for a matching position: the match string of the options, or else of the
    /// header, or else `CQL`.
    pub fn match_string<'s>(&'s self, options: &'s RunOptions) -> &'s str {
        self.parts.match_string(options)
    }

    /// The keys that [`Outcome::sort`](crate::Outcome::sort) gives, most significant first;
    /// `sort matchcount` of the header is the last.
    pub fn sorts(&self) -> &[hir::SortKey] {
        &self.parts.sorts
    }

    /// The names of the fields that [`Outcome::fields`](crate::Outcome::fields) may give, each
    /// once, in the order of the query's text.
    pub fn fields(&self) -> Vec<&str> {
        let code = &self.parts.code;
        let of_op = |(op, span): (&Op, &Span)| {
            let Op::Field { name, .. } = op else { return None };
            Some((span.start, code.names[*name].as_str()))
        };
        let mut fields: Vec<(u32, &str)> =
            code.ops.iter().zip(&code.spans).filter_map(of_op).collect();
        fields.sort_by_key(|(start, _)| *start);
        let mut names = Vec::new();
        for (_, name) in fields {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Compares the sort keys of two matches: `Less` if the first stands before the second. A key
    /// that was never bound is the worst.
    pub fn compare(&self, one: &[Option<SortValue>], two: &[Option<SortValue>]) -> Ordering {
        for (key, (one, two)) in self.parts.sorts.iter().zip(one.iter().zip(two)) {
            let order = match (one, two) {
                (Some(one), Some(two)) if key.min => one.cmp(two),
                (one, two) => two.cmp(one),
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }

    /// The least number of matching positions of a game that a run with these options accepts.
    pub fn least_match_count(&self, options: &RunOptions) -> i32 {
        options.match_count.or(self.parts.query.header.match_count).map_or(1, |range| range.0)
    }

    /// The file that `similarposition` compares with, and how many games were read from it.
    pub fn submission(&self) -> Option<(&str, usize)> {
        let similar = self.parts.code.similar.as_ref()?;
        Some((similar.file(), similar.games()))
    }

    /// The files that `readfile` reads, where the query names them with a constant.
    pub fn read_files(&self) -> impl Iterator<Item = &str> {
        self.parts.code.read_files.iter().map(String::as_str)
    }

    /// What games share, and so whether several machines may each run some of them.
    pub fn sharing(&self) -> Sharing<'_> {
        match &self.parts.code.shared {
            SharedState::Nothing => Sharing::Nothing,
            SharedState::Joined { .. } => Sharing::Joined,
            SharedState::InOrder(reason) => Sharing::InOrder(reason),
        }
    }

    /// The conditions on a whole game without which a run with these options finds nothing there;
    /// none if there are no conditions, if a game may match without a matching position, or if the
    /// program is profiled or traced, so that every filter has to be evaluated.
    pub fn game_guard(&self, options: &RunOptions) -> Option<&GameGuard> {
        let guard = &self.parts.code.guard;
        let matches_anyway = self.parts.matches_by_count(options, false, 0);
        (!guard.is_empty() && !matches_anyway).then_some(guard)
    }

    /// The guard of a run with these options, if it [decides](GameGuard::decides) whether a game
    /// matches and the run does not ask where: it ends each game at its first matching position.
    pub fn deciding_guard(&self, options: &RunOptions) -> Option<&GameGuard> {
        let matches_once = options.first_match && self.parts.matches_by_count(options, false, 1);
        self.game_guard(options).filter(|guard| guard.decides() && matches_once)
    }

    /// Whether a game is known to match a run with these options at its first matching position:
    /// the positions after it change nothing but comments and the positions of the outcome. Then
    /// [`RunOptions::first_match`] gives the same games.
    pub fn is_settled_by_first_match(&self, options: &RunOptions) -> bool {
        let any_number = options.match_count.or(self.parts.query.header.match_count).is_none();
        any_number && self.parts.code.is_silent
    }

    /// Whether a run with these options may add comments to a game that it matches: by a filter, at
    /// each matching position, or with the number of the game.
    ///
    /// ```
    /// use babson_vm::{Dialect, Program, RunOptions};
    ///
    /// let adds_comments = |query| {
    ///     let program = Program::parse(query, Dialect::CQLI).unwrap();
    ///     program.adds_comments(&RunOptions::default())
    /// };
    /// assert!(adds_comments("mate"));
    /// assert!(!adds_comments("cql(quiet) mate"));
    /// assert!(adds_comments("cql(quiet) mate comment(ply)"));
    /// ```
    pub fn adds_comments(&self, options: &RunOptions) -> bool {
        match self.parts.comment_level(options) {
            CommentLevel::Normal => true,
            CommentLevel::Quiet => {
                self.parts.code.comments || options.header && options.cql6_output
            }
            CommentLevel::Silent => false,
        }
    }

    /// The filters that are counted; none unless the program was compiled for it.
    pub fn profiled(&self) -> &[ProfiledFilter] {
        &self.parts.code.profiled
    }

    /// The entries of each trace, before anything is evaluated; none unless the program was
    /// compiled for traces.
    ///
    /// ```
    /// use babson_lang::{Dialect, analyze};
    /// use babson_vm::{CompileOptions, Program};
    ///
    /// let query = analyze("R attacks k", Dialect::CQLI).unwrap().query;
    /// let options = CompileOptions { trace: true, ..CompileOptions::default() };
    /// let program = Program::compile_with(&query, &options).unwrap();
    /// let filters: Vec<_> = program.trace_entries().collect();
    /// assert_eq!(filters.len(), 3);
    /// assert!(filters.iter().all(|filter| filter.names_squares && filter.evaluated == 0));
    /// ```
    pub fn trace_entries(&self) -> impl Iterator<Item = &TraceEntry> {
        self.parts.code.traced.iter().map(|filter| &filter.entry)
    }

    /// What [`explain`](Program::explain) prints, in parts.
    pub fn explanation(&self) -> Explanation {
        let code = &self.parts.code;
        Explanation {
            typed: hir::print(&self.parts.query),
            optimizer: explain::notes(&self.parts.query, code),
            threads: explain::sharing(code),
            needs: code.needs,
            registers: code.registers,
            bytecode: code.ops.iter().map(|op| op.disassembly(code)).collect(),
        }
    }

    /// The part of [`explain`](Program::explain) between the typed tree and the bytecode: what the
    /// optimizer did, the number of threads, and what is read of a game.
    pub fn conditions(&self) -> String {
        explain::conditions(&self.parts.query, &self.parts.code)
    }

    /// The typed tree, what the optimizer did, and the bytecode.
    pub fn explain(&self) -> String {
        explain::explain(&self.parts.query, &self.parts.code)
    }
}

impl ProgramData {
    /// Returns the comment for a matching position: the match string of the options, or else of the
    /// header, or else `CQL`.
    pub(crate) fn match_string<'s>(&'s self, options: &'s RunOptions) -> &'s str {
        let chosen = options.match_string.as_deref().or(self.query.header.match_string.as_deref());
        chosen.unwrap_or("CQL")
    }

    /// How much a run with these options comments.
    #[inline]
    pub(crate) fn comment_level(&self, options: &RunOptions) -> CommentLevel {
        match options.comment_level {
            CommentLevel::Normal => self.query.header.comment_level,
            level @ (CommentLevel::Quiet | CommentLevel::Silent) => level,
        }
    }

    /// Whether a game matches, given the number of its matching positions and whether the lists
    /// of a CQL 3 query matched.
    pub(crate) fn matches_by_count(
        &self,
        options: &RunOptions,
        lists_matched: bool,
        count: i32,
    ) -> bool {
        let range = options.match_count;
        if !self.code.game_lists.is_empty() && range.is_none() {
            return lists_matched;
        }
        let (min, max) = range.or(self.query.header.match_count).unwrap_or((1, i32::MAX));
        (min..=max).contains(&count)
    }
}
