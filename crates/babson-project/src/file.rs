//! The text of a project file: its settings, and what is wrong with them.

use babson_lang::{Dialect, Span, nearest_of};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::limits::MAX_PROBLEMS;

/// What a project file says, as it is written: its paths are relative to the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProjectFile {
    /// `dialect`: how queries are read that do not name a dialect.
    pub dialect: Option<Dialect>,
    /// `database`: the files and folders of games that are searched.
    pub databases: Vec<String>,
    /// `imports`: the folders in which `import` looks for files.
    pub imports: Vec<String>,
}

/// A mistake in a project file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The place in the text.
    pub span: Span,
    /// One sentence without a period at the end.
    pub message: String,
    /// What would help.
    pub help: Option<String>,
}

/// Reads the value of a setting.
type ReadSetting = fn(&mut Reader, &Spanned<DeValue<'_>>);

/// The settings of a project file, each with the function that reads its value.
const SETTINGS: [(&str, ReadSetting); 3] =
    [("dialect", Reader::dialect), ("database", Reader::databases), ("imports", Reader::imports)];

impl Problem {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Problem {
        Problem { span, message: message.into(), help: None }
    }

    fn with_help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(help.into()), ..self }
    }

    /// The line and the column of the mistake in the text of the file. Both begin with 1; a column
    /// is a character.
    pub fn line_column(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.span.start as usize).unwrap_or(text);
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let is_mark = before.starts_with('\u{feff}') && line == 0;
        let column = before[line..].chars().count() - usize::from(is_mark);
        (1 + before.matches('\n').count(), 1 + column)
    }
}

impl ProjectFile {
    /// Reads the text of a project file.
    ///
    /// ```
    /// use babson_project::ProjectFile;
    ///
    /// let text = "# the games of the club\ndatabse = \"games.arrow\"\n";
    /// let problems = ProjectFile::parse(text).unwrap_err();
    /// assert_eq!(problems[0].message, "`databse` is not a setting of a project");
    /// assert_eq!(problems[0].help.as_deref(), Some("did you mean `database`?"));
    /// assert_eq!(problems[0].line_column(text), (2, 1));
    /// ```
    ///
    /// # Errors
    /// The mistakes, in the order of the text: it is not TOML, has an unknown key, or a value that
    /// its setting cannot have.
    pub fn parse(text: &str) -> Result<ProjectFile, Vec<Problem>> {
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut reader = Reader::default();
        for error in &errors {
            let end = text.len();
            let span = error.span().map_or(span_of(end..end), span_of);
            reader.problem(Problem::new(span, error.message()));
        }
        // A text that is not TOML would give further problems that are none.
        if errors.is_empty() {
            for (key, value) in table.get_ref() {
                reader.setting(key, value);
            }
        }
        let Reader { file, mut problems } = reader;
        problems.sort_by_key(|problem| problem.span);
        problems.truncate(MAX_PROBLEMS);
        if problems.is_empty() { Ok(file) } else { Err(problems) }
    }
}

/// A place of the TOML parser. A file has far fewer bytes than a span can count.
fn span_of(range: std::ops::Range<usize>) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(range.start), offset(range.end))
}

/// A value as messages name it.
fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// Whether a path stands for standard input, as for the option `-i`, or by a name of the system.
/// In `babson lsp` it carries the messages of the editor.
fn is_stdin(path: &str) -> bool {
    // Not as paths of this system: a project is the same on each.
    let parts = |path: &str| {
        let parts = path.split('/').filter(|part| !part.is_empty() && *part != ".");
        parts.map(str::to_owned).collect::<Vec<_>>()
    };
    let system = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
    ["-", "stdin"].contains(&path)
        || path.starts_with('/') && system.iter().any(|name| parts(path) == parts(name))
}

/// Whether a path begins with the home folder as shells write it: no shell expands it here.
fn is_of_home(path: &str) -> bool {
    path.strip_prefix('~').is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The settings that are read so far, and the problems.
#[derive(Default)]
struct Reader {
    file: ProjectFile,
    problems: Vec<Problem>,
}

impl Reader {
    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    fn setting(&mut self, key: &Spanned<std::borrow::Cow<'_, str>>, value: &Spanned<DeValue<'_>>) {
        let name = key.get_ref().as_ref();
        if let Some((_, read)) = SETTINGS.iter().find(|(known, _)| *known == name) {
            read(self, value);
            return;
        }
        let names = || SETTINGS.iter().map(|(known, _)| *known);
        let table = value.get_ref().as_table();
        let inner = table.and_then(|table| {
            table.keys().find(|key| names().any(|one| one == key.get_ref().as_ref()))
        });
        let help = match (inner, nearest_of(name, names())) {
            (Some(inner), _) => {
                format!("write `{}` at the beginning of the file, in no table", inner.get_ref())
            }
            (None, Some(near)) => format!("did you mean `{near}`?"),
            (None, None) => {
                let all: Vec<String> = names().map(|one| format!("`{one}`")).collect();
                format!("the settings are {}", all.join(", "))
            }
        };
        let shown = name.escape_debug();
        let message = format!("`{shown}` is not a setting of a project");
        self.problem(Problem::new(span_of(key.span()), message).with_help(help));
    }

    fn dialect(&mut self, value: &Spanned<DeValue<'_>>) {
        const DIALECTS: &str = "the dialects are `cqli` and `cql6`";
        let span = span_of(value.span());
        let Some(name) = value.get_ref().as_str() else {
            let message = format!("`dialect` is a text, not {}", kind(value.get_ref()));
            return self.problem(Problem::new(span, message).with_help(DIALECTS));
        };
        match Dialect::named(name) {
            Some(dialect) => self.file.dialect = Some(dialect),
            None => {
                let message = format!("`{}` is not a dialect", name.escape_debug());
                self.problem(Problem::new(span, message).with_help(DIALECTS));
            }
        }
    }

    fn databases(&mut self, value: &Spanned<DeValue<'_>>) {
        let paths = self.paths("database", "a path, or a list of paths", value);
        for (path, span) in paths {
            // A file of a stranger must not make the command connect to a server.
            if path.contains("://") {
                let message = format!("`{}` is a URL", path.escape_debug());
                let help = "a project names files and folders; name a URL with -i";
                self.problem(Problem::new(span, message).with_help(help));
            } else if is_stdin(&path) {
                let message = "standard input is not the database of a project";
                let help = format!("a file of this name is `./{path}`");
                let problem = Problem::new(span, message);
                let is_file_name = !path.contains('/');
                self.problem(if is_file_name { problem.with_help(help) } else { problem });
            } else {
                self.file.databases.push(path);
            }
        }
    }

    fn imports(&mut self, value: &Spanned<DeValue<'_>>) {
        let paths = self.paths("imports", "a list of folders", value);
        self.file.imports.extend(paths.into_iter().map(|(path, _)| path));
    }

    /// The paths of a setting, which is one text or a list of texts, with their places.
    fn paths(
        &mut self,
        name: &str,
        what: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Vec<(String, Span)> {
        let items: Vec<&Spanned<DeValue<'_>>> = match value.get_ref() {
            DeValue::String(_) => vec![value],
            DeValue::Array(items) => items.iter().collect(),
            other @ (DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_)
            | DeValue::Table(_)) => {
                let message = format!("`{name}` is {what}, not {}", kind(other));
                self.problem(Problem::new(span_of(value.span()), message));
                Vec::new()
            }
        };
        let mut paths = Vec::new();
        for item in items {
            let span = span_of(item.span());
            match item.get_ref().as_str() {
                Some("") => {
                    let message = format!("a path of `{name}` is empty");
                    let help = "`.` is the folder of the project file";
                    self.problem(Problem::new(span, message).with_help(help));
                }
                Some(path) if path.contains('\0') => {
                    self.problem(Problem::new(span, "a path cannot contain the character NUL"));
                }
                Some(path) if is_of_home(path) => {
                    let message = "`~` is not the home folder in a project file";
                    let help = format!(
                        "write the whole path, or one that is relative to the file; a file of this \
                         name is `./{}`",
                        path.escape_debug()
                    );
                    self.problem(Problem::new(span, message).with_help(help));
                }
                Some(path) => paths.push((path.to_owned(), span)),
                None => {
                    let message = format!(
                        "`{name}` is {what}, and one of its items is {}",
                        kind(item.get_ref())
                    );
                    self.problem(Problem::new(span, message));
                }
            }
        }
        paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The settings, or the problems as messages show them.
    fn read(text: &str) -> String {
        match ProjectFile::parse(text) {
            Ok(file) => {
                let dialect = file.dialect.map(|dialect| dialect.name());
                format!("{dialect:?} {:?} {:?}", file.databases, file.imports)
            }
            Err(problems) => {
                let shown = problems.iter().map(|problem| {
                    let (line, column) = problem.line_column(text);
                    let help = problem.help.as_deref().unwrap_or("-");
                    let place = problem.span.text(text);
                    format!("{line}:{column} [{place}] {} / {help}", problem.message)
                });
                shown.collect::<Vec<_>>().join("\n")
            }
        }
    }

    #[test]
    fn settings_are_read() {
        for (text, expected) in [
            ("", "None [] []"),
            ("# nothing\n", "None [] []"),
            ("dialect = 'CQL6'", "Some(\"cql6\") [] []"),
            ("database = \"a b.pgn\"", "None [\"a b.pgn\"] []"),
            ("database = [\"é.pgn\", '../b']", "None [\"é.pgn\", \"../b\"] []"),
            ("imports = [\n  'lib', # mine\n  '.',\n]", "None [] [\"lib\", \".\"]"),
            ("imports = 'lib'", "None [] [\"lib\"]"),
            ("\u{feff}dialect = 'cqli'\r\nimports = []\r\n", "Some(\"cqli\") [] []"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn mistakes_have_a_place_and_help() {
        let texts = [
            "databse = 'a.pgn'\nimport = ['lib']\n\"é\\n\" = 1\n",
            "dialect = 'cqli'\nthreads = 4\n",
            "[project]\ndatabase = 'a.pgn'\n",
            "dialect = 'cql7'\n",
            "dialect = 6\n",
            "database = true\nimports = { a = 1 }\n",
            "# é\ndatabase = ['a.pgn', 3, '', '-', 's3://bucket/a.arrow']\n",
            "database = ['stdin', '/dev/stdin', '//dev/./fd/0', './stdin', 'a/-']\n",
            "imports = ['', 1979-05-27, []]\n",
            "database = 'a\\0'\nimports = [\"a\\u0000\"]\n",
            "dialect = cqli\n",
            "dialect = 'cqli\n",
            "dialect = 'cqli' database = 'a'\n",
            "dialect = 'cqli'\ndialect = 'cql6'\n",
            "dialect\n",
            "\u{feff}x = 1\n",
            "database = '~/games.pgn'\nimports = ['~', '~x', './~']\n",
            "imports = [",
            "{}",
        ];
        let told = texts.map(|text| format!("{text:?}\n{}\n", read(text))).join("\n");
        insta::assert_snapshot!(told);
    }

    /// Whatever the text, each problem has a place in it.
    #[test]
    fn no_text_is_too_odd() {
        let whole = "dialect = 'cqli'\ndatabase = [\"é.pgn\", 'b']\n[a.\"b\"]\nc = 1.5e3\n";
        for end in 0..whole.len() {
            let Some(text) = whole.get(..end) else { continue };
            for problem in ProjectFile::parse(text).err().iter().flatten() {
                let (line, column) = problem.line_column(text);
                assert!(line >= 1 && column >= 1 && problem.span.start <= problem.span.end);
                assert!(problem.span.end as usize <= text.len(), "{text:?} {problem:?}");
            }
        }
        let deep = format!("imports = {}", "[".repeat(100_000));
        assert!(ProjectFile::parse(&deep).is_err());
        let many = "x = 1\n".repeat(1000);
        assert!(ProjectFile::parse(&many).unwrap_err().len() <= MAX_PROBLEMS);
    }
}
