//! A query between its type check and its compilation.

use std::sync::Arc;

use babson_lang::hir::{self, Header, OutsideAccess};
use babson_lang::imports::ImportedFile;
use babson_lang::sema::AnalyzedQuery;
use babson_lang::{Diagnostic, Dialect, QuerySpans};
use babson_pgn::Layout;
use babson_vm::{ParseError, Program};

use crate::query::{LazyProgram, QueryData};
use crate::settings::QuerySettings;
use crate::{CompileError, Query};

/// A query that is parsed and type-checked, but not compiled: [`QueryBuilder::analyze`]. Nothing
/// was read or run yet, so a program that runs queries of strangers can inspect what they would
/// open.
///
/// ```
/// use babson::Query;
///
/// let typed = Query::builder("cql(input a.pgn) readfile \"secret.txt\"").analyze()?;
/// assert_eq!(typed.header().input.as_ref().map(|file| file.name.as_str()), Some("a.pgn"));
/// assert_eq!(typed.outside_access()[0].filter, "readfile");
/// let query = typed.compile()?;
/// # Ok::<(), babson::CompileError>(())
/// ```
///
/// [`QueryBuilder::analyze`]: crate::QueryBuilder::analyze
#[derive(Clone, Debug)]
#[must_use = "it does nothing until it is compiled"]
pub struct TypedQuery {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) parts: QuerySpans,
    pub(crate) files: Vec<ImportedFile>,
    pub(crate) analysis: AnalyzedQuery,
    pub(crate) settings: QuerySettings,
}

impl TypedQuery {
    /// The dialect in which it was read.
    pub fn dialect(&self) -> Dialect {
        self.analysis.query.dialect
    }

    /// What its header says.
    pub fn header(&self) -> &Header {
        &self.analysis.query.header
    }

    /// Warnings: constructs that probably mean something else.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.analysis.warnings
    }

    /// Where CQL 6.2 would read the query differently. Empty if the query is read as CQL 6.2 does.
    pub fn differences(&self) -> &[Diagnostic] {
        &self.analysis.differences
    }

    /// The filters that open a file or start a program, each place once. The files that the header
    /// names are not among them.
    pub fn outside_access(&self) -> Vec<OutsideAccess> {
        self.analysis.query.outside_access()
    }

    /// The typed tree as text, a node a line, indented by two spaces for each level.
    pub fn tree(&self) -> String {
        hir::print(&self.analysis.query)
    }

    /// Sets the layout in which its matches are written as PGN, instead of the layout of its
    /// dialect.
    pub fn layout(mut self, layout: Layout) -> TypedQuery {
        self.settings.layout = Some(layout);
        self
    }

    /// Compiles the query.
    ///
    /// # Errors
    /// The query needs variations and neither its header nor the options visit them; or it is too
    /// large for the machine (65,535 registers); or the host cannot read the file of
    /// `similarposition`.
    pub fn compile(self) -> Result<Query, CompileError> {
        let TypedQuery { name, text, parts, files, analysis, settings } = self;
        let program = Program::compile_with(&analysis.query, &settings.compile_options());
        let program = program.and_then(|program| {
            program.check_variations(&settings.options).map_err(|error| vec![error])?;
            Ok(program)
        });
        let program = match program {
            Ok(program) => program,
            Err(errors) => {
                return Err(CompileError::new(&name, ParseError::new(text, files, errors)));
            }
        };
        Ok(Query::new(QueryData {
            name,
            text,
            parts,
            program,
            settings,
            analysis: Arc::new(analysis),
            valued: LazyProgram::default(),
            traced: LazyProgram::default(),
        }))
    }
}
