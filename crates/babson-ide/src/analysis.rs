//! A query with what is understood of it and of the files that it imports.

use babson_lang::diagnostic::Edit;
use babson_lang::imports::{ImportedFile, ResolvedQuery};
use babson_lang::{QuerySpans, Span, Understanding};

use crate::answer::FileSpan;
use crate::name_index::NameIndex;
use crate::options::Options;
use crate::source::Source;

/// A query in modern CQL, its files, and its names.
pub(crate) struct Analysis<'t> {
    pub(crate) source: Source<'t>,
    pub(crate) known: Understanding,
    /// The text of the query, then the texts of its files.
    pub(crate) text: String,
    parts: QuerySpans,
    files: Vec<ImportedFile>,
    pub(crate) names: NameIndex,
}

impl<'t> Analysis<'t> {
    /// Reads a query; `None` if it is too long or a query of CQL 3.
    pub(crate) fn new(text: &'t str, options: &Options) -> Option<Analysis<'t>> {
        Analysis::of(Source::new(text, options)?, options)
    }

    /// Reads a query whose tokens are known; `None` if it is a query of CQL 3.
    pub(crate) fn of(source: Source<'t>, options: &Options) -> Option<Analysis<'t>> {
        if source.is_cql3 {
            return None;
        }
        let resolved = source.resolve(options);
        let known = source.understand(&resolved, options);
        let names =
            known.tree.as_ref().map(|tree| NameIndex::new(tree, &resolved.text, source.dialect));
        let names = names.unwrap_or_default();
        let ResolvedQuery { text, parts, files, .. } = resolved;
        Some(Analysis { source, known, text, parts, files, names })
    }

    /// Whether a place is in the query itself, not in a file that it imports.
    pub(crate) fn is_own(&self, span: Span) -> bool {
        span.end as usize <= self.source.text.len()
    }

    /// The parts of the text after these edits; `None` if an edit is not in one of them.
    pub(crate) fn parts_after(&self, edits: &[Edit]) -> Option<QuerySpans> {
        self.parts.edited(edits)
    }

    /// A place with the file that has it.
    pub(crate) fn file_span(&self, span: Span) -> FileSpan {
        let in_file = |file: &ImportedFile| Some((file.key.clone(), file.place_in_file(span)?));
        match self.files.iter().find_map(in_file) {
            None => FileSpan { file: None, span },
            Some((key, span)) => FileSpan { file: Some(key), span },
        }
    }
}
