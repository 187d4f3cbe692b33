//! From the name of a query to its typed tree.

use std::path::{Path, PathBuf};

use babson_chess::VariantNames;
use babson_engine::is_database_name;
use babson_lang::hir::{Expr, ExprKind, Unary};
use babson_lang::{Diagnostic, Dialect, cql3, hir, sema};
use babson_vm::read_up_to;

use crate::compose::Source;
use crate::failure::Failure;
use crate::limits::MAX_QUERY_FILE;
use crate::options::{Given, Id};
use crate::run::OutputName;

/// A query as it was named on the command line.
#[derive(Clone, Debug)]
pub(crate) struct QueryFile {
    /// Its path; nothing when the filters come from options alone.
    pub(crate) path: Option<PathBuf>,
}

impl QueryFile {
    /// The queries that the words name; a folder stands for every `.cql` in it, in name order.
    pub(crate) fn expand(words: &[String]) -> Result<Vec<QueryFile>, Failure> {
        let mut found = Vec::new();
        for word in words {
            let path = Path::new(word);
            if !path.is_dir() {
                found.push(QueryFile { path: Some(with_ending(path)) });
                continue;
            }
            let fail = |error| Failure::Io(format!("cannot read {word}: {error}"));
            let mut files = Vec::new();
            for entry in std::fs::read_dir(path).map_err(fail)? {
                let file = entry.map_err(fail)?.path();
                if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("cql")) {
                    files.push(file);
                }
            }
            if files.is_empty() {
                return Err(Failure::Io(format!("cannot read {word}: the folder holds no query")));
            }
            files.sort();
            found.extend(files.into_iter().map(|file| QueryFile { path: Some(file) }));
        }
        Ok(found)
    }

    /// The name without folder and ending: outputs are named after it.
    pub(crate) fn stem(&self) -> String {
        self.path
            .as_deref()
            .and_then(Path::file_stem)
            .map_or("cqldefault".to_owned(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Reads the text and puts the filters of the options into it.
    pub(crate) fn source(&self, given: &[Given]) -> Result<Source, Failure> {
        let (name, bytes) = match &self.path {
            None => ("<options>".to_owned(), Vec::new()),
            Some(path) => {
                // It may be a pipe: a shell names one for `<(…)`.
                let bytes = std::fs::File::open(path)
                    .and_then(|file| read_up_to(file, MAX_QUERY_FILE))
                    .map_err(|error| {
                        Failure::Io(format!("cannot read {}: {error}", path.display()))
                    })?;
                (path.display().to_string(), bytes)
            }
        };
        Source::read(&name, &bytes, given).map_err(Failure::Usage)
    }
}

/// The path, with `.cql` added if there is no such file without it.
fn with_ending(path: &Path) -> PathBuf {
    let mut longer = path.as_os_str().to_owned();
    longer.push(".cql");
    let longer = PathBuf::from(longer);
    let has_ending = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("cql"));
    if has_ending || path.exists() { path.to_owned() } else { longer }
}

/// A query that was understood.
pub(crate) struct Understood {
    pub(crate) query: hir::Query,
    /// How it was read.
    pub(crate) dialect: Dialect,
    /// Where the dialects differ, if nobody has named one.
    pub(crate) warnings: Vec<Diagnostic>,
    /// What probably means something else, whatever the dialect.
    pub(crate) advice: Vec<Diagnostic>,
}

/// How queries are read, as the options say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading {
    /// The dialect of `--dialect`, which wins over what a query names for itself.
    pub(crate) named: Option<Dialect>,
    /// The dialect that the file of default options names, over which the query wins.
    pub(crate) default: Option<Dialect>,
    pub(crate) variants: VariantNames,
    /// Queries that reach beyond the games are errors.
    pub(crate) secure: bool,
}

impl Reading {
    /// Takes an option that is about the reading of queries; whether it is one.
    pub(crate) fn take(&mut self, option: &Given) -> Result<bool, Failure> {
        match option.id {
            Id::Dialect if option.by_default => self.default = Some(dialect(option.word())?),
            Id::Dialect => self.named = Some(dialect(option.word())?),
            Id::Secure => self.secure = true,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The dialect of a text that is not a query.
    pub(crate) fn dialect(&self) -> Dialect {
        self.named.or(self.default).unwrap_or_default()
    }

    /// The dialect of a query, and whether anybody has named one.
    ///
    /// # Errors
    /// The query names one that does not exist.
    pub(crate) fn dialect_of(&self, source: &Source) -> Result<(Dialect, bool), Vec<Diagnostic>> {
        let declared = source.declared_dialect()?;
        let named = self.named.or(declared).or(self.default);
        Ok((named.unwrap_or_default(), named.is_some()))
    }
}

/// Parses and types a query.
pub(crate) fn understand(
    source: &Source,
    reading: &Reading,
) -> Result<Understood, Vec<Diagnostic>> {
    source.check()?;
    let (dialect, is_named) = reading.dialect_of(source)?;
    let analysis = if cql3::begins_query(&source.text) && source.parts.filters.is_empty() {
        cql3::analyze(&source.text)?
    } else {
        let query = &source.text;
        let analysis = sema::analyze_parts(query, &source.parts, dialect, &reading.variants);
        analysis.map_err(|errors| match cql3::lone_position(query) {
            Some(cause) => vec![cause],
            None => errors,
        })?
    };
    if reading.secure {
        allow_no_access(&analysis.query)?;
    }
    let header = &analysis.query.header;
    check_files(header.input.as_ref(), header.output.as_ref())?;
    Ok(Understood {
        query: analysis.query,
        dialect,
        warnings: if is_named { Vec::new() } else { analysis.warnings },
        advice: analysis.advice,
    })
}

/// Checks the files that the header names: it takes what `-i` and `-o` take.
///
/// # Errors
/// Each name that cannot be what it is given for.
pub(crate) fn check_files(
    input: Option<&hir::FileName>,
    output: Option<&hir::FileName>,
) -> Result<(), Vec<Diagnostic>> {
    let mut errors = Vec::new();
    if let Some(input) = input {
        let path = Path::new(&input.name);
        // A folder may have any name, and may not be there if an option replaces it.
        let is_database = input.any_ending
            || matches!(input.name.as_str(), "-" | "stdin")
            || is_database_name(&input.name)
            || path.extension().is_none() && !path.is_file()
            || path.exists() && !path.is_file();
        if !is_database {
            let message = format!("`{}` cannot be an input", input.name);
            let help =
                "an input ends in .pgn, .pgn.gz or .pgn.zst, or is a folder of such files, or `-`";
            errors.push(Diagnostic::error(input.span, message).with_help(help));
        }
    }
    if let Some(output) = output
        && let Err(why) = OutputName::of_header(output)
    {
        let message = format!("`{}` cannot be an output", output.name);
        errors.push(Diagnostic::error(output.span, message).with_help(why));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The dialect that an option names.
pub(crate) fn dialect(word: &str) -> Result<Dialect, Failure> {
    let unknown = || Failure::Usage(format!("--dialect: '{word}' is none of cqli, cql6"));
    Dialect::named(word).ok_or_else(unknown)
}

/// The names of variants, with those that options add.
pub(crate) fn variant_names(given: &[Given]) -> Result<VariantNames, Failure> {
    let mut names = VariantNames::default();
    for option in given.iter().filter(|option| option.id == Id::VariantAlias) {
        let [name, alias] = option.words.as_slice() else {
            continue;
        };
        let fail = |what: String| Failure::Usage(format!("--variantalias: {what}"));
        let variant = names
            .find(name)
            .ok_or_else(|| fail(format!("'{name}' is no variant; known are {names}")))?;
        names.add(alias, variant).map_err(|other| {
            let (variant, other) = (variant.name(), other.name());
            fail(format!("'{alias}' cannot mean {variant}, it means {other}"))
        })?;
    }
    Ok(names)
}

/// Refuses what reaches beyond the games (`--secure`), before anything is read or run: a file that
/// the header names, even where an option replaces it, and filters that open files or start
/// programs.
///
/// # Errors
/// One for each such place.
fn allow_no_access(query: &hir::Query) -> Result<(), Vec<Diagnostic>> {
    const HELP: &str = "with --secure a query sees nothing but the games";
    fn search(expr: &Expr, errors: &mut Vec<Diagnostic>) {
        let filter = match &expr.kind {
            ExprKind::CommandPipe { .. } => Some("commandpipe"),
            ExprKind::WriteFile { .. } => Some("writefile"),
            ExprKind::Unary(Unary::ReadFile, _) => Some("readfile"),
            ExprKind::SimilarPosition => Some("similarposition"),
            _ => None,
        };
        if let Some(filter) = filter {
            let error =
                Diagnostic::error(expr.span, format!("`{filter}` is forbidden by --secure"));
            let error = error.with_help(HELP);
            // The copies under a transform, and the calls of a function, say so once.
            if !errors.contains(&error) {
                errors.push(error);
            }
        }
        expr.for_each_operand(&mut |operand| search(operand, errors));
    }
    let mut errors = Vec::new();
    let header = &query.header;
    let is_stream = |name: &str| matches!(name, "-" | "stdin");
    let input = header.input.iter().filter(|file| !is_stream(&file.name));
    let writes_file = |name: &str| !matches!(OutputName::parse(name), Ok(OutputName::Stdout));
    let output = header.output.iter().filter(|file| writes_file(&file.name));
    for (file, role, option) in input
        .map(|file| (file, "an input", "-i"))
        .chain(output.map(|file| (file, "an output", "-o")))
    {
        let message = format!("`{}` as {role} of the query is forbidden by --secure", file.name);
        let help = format!("{HELP}: name the file with {option} instead");
        errors.push(Diagnostic::error(file.span, message).with_help(help));
    }
    for expr in query.begin.iter().chain(&query.body).chain(&query.end) {
        search(expr, &mut errors);
    }
    // Its file is read when the query is compiled, whether the filter is ever reached or not.
    if let Some(similar) = &query.similar
        && errors.is_empty()
    {
        let message = "`similarposition` is forbidden by --secure";
        errors.push(Diagnostic::error(similar.span, message).with_help(HELP));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}
