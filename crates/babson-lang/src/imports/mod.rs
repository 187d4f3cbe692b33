//! Imports: a query takes the functions of other files (docs/src/language/library.md#import).
//!
//! The front end opens no files: the caller passes an [`ImportFiles`] that finds them. The text of
//! each imported file is appended to the text of the query, as a part of its own.

mod library;

use std::collections::HashSet;

pub use library::{
    LIBRARY, LibraryFunction, library_function, library_functions, library_key, library_name,
    library_text,
};
use serde::{Deserialize, Serialize};

use crate::cql3;
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::dialect::Dialect;
use crate::lexer::{LexemeKind, lex, unquoted};
use crate::limits::{MAX_IMPORTED_BYTES, MAX_IMPORTS};
use crate::query_parts::QuerySpans;
use crate::suggest::nearest_of;
use crate::tokens::NameTable;

/// A statement `import "NAME"`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Import {
    /// The name between the quotes.
    pub name: String,
    /// The place of the name with its quotes.
    pub span: Span,
}

/// A file that an import names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundFile {
    /// Equal for the same file, however it is named, such as its absolute path.
    pub key: String,
    /// The name in messages.
    pub name: String,
    /// The text.
    pub text: String,
}

impl FoundFile {
    /// A file with its key, its name in messages and its text.
    pub fn new(
        key: impl Into<String>,
        name: impl Into<String>,
        text: impl Into<String>,
    ) -> FoundFile {
        FoundFile { key: key.into(), name: name.into(), text: text.into() }
    }
}

/// What finds the files of imports.
pub trait ImportFiles: std::fmt::Debug + Send + Sync {
    /// Finds the file that `name` means in the file with the key `from`; without `from` in the
    /// query. `None` if no file has this name: then the built-in library is searched.
    ///
    /// # Errors
    /// Why the file cannot be read or may not be.
    fn find(&self, name: &str, from: Option<&str>) -> Result<Option<FoundFile>, String>;

    /// The names by which the query can import files, the nearest first: an editor offers them.
    /// None if the files are not listed.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    /// The folders in which [`find`](ImportFiles::find) looks for a file that the file with the key
    /// `from` imports, in their order, as messages name them. Empty if they are not known.
    fn searched(&self, from: Option<&str>) -> Vec<String> {
        let _ = from;
        Vec::new()
    }
}

/// No files: imports find only the built-in library.
#[derive(Clone, Copy, Debug, Default)]
pub struct LibraryOnly;

impl ImportFiles for LibraryOnly {
    fn find(&self, _: &str, _: Option<&str>) -> Result<Option<FoundFile>, String> {
        Ok(None)
    }
}

/// An imported file in the text of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ImportedFile {
    /// What tells it apart from other files, as [`FoundFile::key`]: `<motifs>` for a file of the
    /// library. It is not stored with an analysis, since it may be a path of one machine.
    #[serde(skip)]
    pub key: String,
    /// The name in messages.
    pub name: String,
    /// Where its text is.
    pub span: Span,
}

impl ImportedFile {
    /// A place of the whole query as a place in the text of this file; `None` if it does not begin
    /// in the file.
    pub fn place_in_file(&self, place: Span) -> Option<Span> {
        let begins_here = self.span.start <= place.start && place.start <= self.span.end;
        let offset = |at: u32| at.saturating_sub(self.span.start);
        begins_here.then(|| Span::new(offset(place.start), offset(place.end.max(place.start))))
    }
}

/// A query with the files that it imports.
#[derive(Clone, Debug, Default)]
pub struct ResolvedQuery {
    /// The text of the query, followed by the texts of the imported files.
    pub text: String,
    /// The parts of the text.
    pub parts: QuerySpans,
    /// The imported files, in the order of the text.
    pub files: Vec<ImportedFile>,
    /// The imports that cannot be resolved.
    pub errors: Vec<Diagnostic>,
}

/// The imports of a text, in its order. A dialect without the words of Babson has none, nor has a
/// query that uses `import` as a name.
///
/// ```
/// use babson_lang::{Dialect, imports};
/// let found = imports::imports("import \"motifs\" mate", Dialect::CQLI);
/// assert_eq!(found[0].name, "motifs");
/// assert!(imports::imports("import = 3 import > 2", Dialect::CQLI).is_empty());
/// ```
pub fn imports(text: &str, dialect: Dialect) -> Vec<Import> {
    if !dialect.own_words || !text.contains("import") || cql3::begins_query(text) {
        return Vec::new();
    }
    // The parser reports the errors of a text that has no lexemes.
    let Ok(lexemes) = lex(text, dialect) else { return Vec::new() };
    if NameTable::collect(text, &lexemes, dialect).is_bound("import") {
        return Vec::new();
    }
    let pairs = lexemes.windows(2).filter_map(|pair| match pair {
        [word, name]
            if word.kind == LexemeKind::Word
                && word.span.text(text) == "import"
                && name.kind == LexemeKind::Str =>
        {
            let quoted = name.span.text(text);
            Some(Import { name: unquoted(quoted).to_owned(), span: name.span })
        }
        _ => None,
    });
    pairs.collect()
}

/// Appends the files that a query imports, and those that they import. A file that is imported
/// twice is taken once.
///
/// ```
/// use babson_chess::VariantNames;
/// use babson_lang::imports::{LibraryOnly, resolve};
/// use babson_lang::{Dialect, QuerySpans};
///
/// let text = "import \"motifs\" doublecheck()";
/// let resolved = resolve(text, &QuerySpans::whole(text), Dialect::CQLI, &LibraryOnly);
/// assert!(resolved.errors.is_empty() && resolved.text.starts_with(text));
/// assert_eq!(resolved.files[0].name, "<motifs>");
/// assert!(resolved.analyze(Dialect::CQLI, &VariantNames::default()).is_ok());
/// ```
pub fn resolve(
    text: &str,
    parts: &QuerySpans,
    dialect: Dialect,
    files: &dyn ImportFiles,
) -> ResolvedQuery {
    let query = ResolvedQuery { text: text.to_owned(), parts: parts.clone(), ..Default::default() };
    let mut resolver = Resolver { query, dialect, files, known: HashSet::new() };
    for place in importing(parts) {
        resolver.imports_of(place, &mut Vec::new());
    }
    resolver.query
}

/// The texts of a query that may have imports.
fn importing(parts: &QuerySpans) -> impl Iterator<Item = Span> {
    parts.filters.iter().copied().chain([parts.query])
}

/// An error for each import of a query without imported files.
pub(crate) fn unresolved(text: &str, parts: &QuerySpans, dialect: Dialect) -> Vec<Diagnostic> {
    let places = importing(parts).filter(|_| parts.imports.is_empty());
    let errors = places.flat_map(|place| {
        imports(place.text(text), dialect).into_iter().map(move |import| {
            let message = format!("the import of `{}` was not resolved", import.name);
            let span = import.span.shifted(place.start);
            Diagnostic::new(Code::ImportNotFound, span, message).with_help(
                "the function `babson_lang::imports::resolve` finds the files and appends their \
                 texts to the query",
            )
        })
    });
    errors.collect()
}

/// A file whose imports are being resolved.
struct Importing {
    key: String,
    name: String,
}

struct Resolver<'f> {
    query: ResolvedQuery,
    dialect: Dialect,
    files: &'f dyn ImportFiles,
    /// The keys of the files that are taken already.
    known: HashSet<String>,
}

impl Resolver<'_> {
    /// Takes the files that a text imports. `chain` has the files that lead to the text.
    fn imports_of(&mut self, place: Span, chain: &mut Vec<Importing>) {
        for import in imports(place.text(&self.query.text), self.dialect) {
            let span = import.span.shifted(place.start);
            match self.find(&import.name, span, chain.last()) {
                Ok(found) => self.take(found, span, chain),
                Err(error) => self.query.errors.push(error),
            }
        }
    }

    fn find(
        &self,
        name: &str,
        span: Span,
        from: Option<&Importing>,
    ) -> Result<FoundFile, Diagnostic> {
        let key = from.map(|from| from.key.as_str());
        // The library imports only from itself.
        let is_library = key.is_some_and(|key| library_name(key).is_some());
        if !is_library {
            let found = self.files.find(name, key);
            let found = found.map_err(|why| Diagnostic::new(Code::UnreadableFile, span, why))?;
            if let Some(found) = found {
                return Ok(found);
            }
        }
        if let Some(text) = library_text(name) {
            let key = library_key(name);
            return Ok(FoundFile { name: key.clone(), key, text: text.to_owned() });
        }
        let names: Vec<String> = LIBRARY.iter().map(|(name, _)| format!("`{name}`")).collect();
        let message = format!("no file `{name}` was found to import");
        let searched = if is_library { Vec::new() } else { self.files.searched(key) };
        let rule = match searched.as_slice() {
            [] => "a file is searched in the folder of the file that imports it, then in the \
                   folders of the search path"
                .to_owned(),
            folders => format!("it is in none of the searched folders: {}", folders.join(", ")),
        };
        let rule = format!("{rule}; the built-in library has {}", names.join(", "));
        // `names` lists what the query itself can import.
        let listed = if from.is_none() { self.files.names() } else { Vec::new() };
        let library = LIBRARY.iter().map(|(name, _)| *name);
        let near = nearest_of(name, listed.iter().map(String::as_str).chain(library))
            .filter(|near| !self.is_query(near));
        let help = match near {
            Some(near) => {
                let name = format!("\"{near}\"");
                Help::from(format!("did you mean `{near}`? {rule}")).with(Fix::replace(span, name))
            }
            None => Help::from(rule),
        };
        Err(Diagnostic::new(Code::ImportNotFound, span, message).with_help(help))
    }

    /// Whether the file is the query itself, which does not import itself.
    fn is_query(&self, name: &str) -> bool {
        let found = self.files.find(name, None).ok().flatten();
        found.is_some_and(|file| !file.text.is_empty() && self.query.text.starts_with(&file.text))
    }

    fn take(&mut self, found: FoundFile, span: Span, chain: &mut Vec<Importing>) {
        let FoundFile { key, name, text } = found;
        if let Some(at) = chain.iter().position(|file| file.key == key) {
            let names = chain[at..].iter().map(|file| file.name.as_str());
            let names: Vec<&str> = names.chain([name.as_str()]).collect();
            let message = format!("`{name}` imports itself: {}", names.join(" → "));
            self.query.errors.push(Diagnostic::new(Code::ImportCycle, span, message));
            return;
        }
        if !self.known.insert(key.clone()) {
            return;
        }
        let bytes: u32 = self.query.files.iter().map(|file| file.span.end - file.span.start).sum();
        if self.query.files.len() >= MAX_IMPORTS
            || (bytes as usize).saturating_add(text.len()) > MAX_IMPORTED_BYTES
        {
            let message = format!(
                "the query imports more than {MAX_IMPORTS} files, or more than {} MB",
                MAX_IMPORTED_BYTES >> 20
            );
            self.query.errors.push(Diagnostic::new(Code::TooManyImports, span, message));
            return;
        }
        let whole = &mut self.query.text;
        whole.push('\n');
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let start = offset(whole.len());
        whole.push_str(&text);
        let place = Span::new(start, offset(whole.len()));
        let file = ImportedFile { key: key.clone(), name: name.clone(), span: place };
        self.query.files.push(file);
        chain.push(Importing { key, name });
        self.imports_of(place, chain);
        chain.pop();
        // A function must be defined before the functions that call it.
        self.query.parts.imports.push(place);
    }
}

#[cfg(test)]
mod tests;
