//! What is offered for a wrong query, for several tests.

use babson_chess::VariantNames;
use babson_lang::imports::{LibraryOnly, resolve};
use babson_lang::{Diagnostic, Dialect, QuerySpans, retain_sound_fixes};

/// The errors of a query, or its warnings if it has no error, with the fixes that are offered.
pub(crate) fn offered(text: &str, dialect: Dialect) -> Vec<Diagnostic> {
    let (parts, variants) = (QuerySpans::whole(text), VariantNames::default());
    let resolved = resolve(text, &parts, dialect, &LibraryOnly);
    let mut found = match resolved.analyze(dialect, &variants) {
        Ok(analysis) => analysis.warnings,
        Err(errors) => errors,
    };
    retain_sound_fixes(text, &parts, dialect, &variants, &mut found);
    found
}
