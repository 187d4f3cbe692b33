//! From HIR to bytecode.
use babson_lang::{diagnostic::Diagnostic, dialect::Dialect, hir};
use babson_pgn::Needs;

#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) needs: Needs,
    pub(crate) uses_files: bool,
}

pub(crate) fn compile(_query: &hir::Query, _dialect: &Dialect) -> Result<Code, Vec<Diagnostic>> {
    Ok(Code { needs: Needs::ALL, uses_files: false })
}
