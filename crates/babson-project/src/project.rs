//! A project: the file of a folder, with its paths.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use babson_lang::{Dialect, Span};

use crate::file::{Problem, ProjectFile};
use crate::limits::MAX_PROJECT_FILE;

/// A project. Its paths can be opened: they are absolute, or relative to the current folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Project {
    /// The project file.
    pub file: PathBuf,
    /// How queries are read that do not name a dialect.
    pub dialect: Option<Dialect>,
    /// The files and folders of games that are searched. They need not exist.
    pub databases: Vec<PathBuf>,
    /// The folders in which `import` looks for files. They need not exist.
    pub imports: Vec<PathBuf>,
}

/// Why a project file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The file cannot be opened, or is too large.
    #[error("cannot read {}: {source}", name(.file))]
    Read {
        /// The project file.
        file: PathBuf,
        /// The reason of the system.
        source: io::Error,
    },
    /// The file has mistakes. The message has a line for each, with its line and column.
    #[error("{}", shown(.file, .text, .problems))]
    Wrong {
        /// The project file.
        file: PathBuf,
        /// Its text.
        text: String,
        /// The mistakes, at least one.
        problems: Vec<Problem>,
    },
}

impl ProjectError {
    /// The project file.
    pub fn file(&self) -> &Path {
        match self {
            ProjectError::Read { file, .. } | ProjectError::Wrong { file, .. } => file,
        }
    }
}

/// The path in messages: a name with a line feed must not forge a line.
fn name(file: &Path) -> String {
    let letters = file.to_string_lossy();
    let letter = |letter: char| match letter.is_control() {
        true => letter.escape_default().to_string(),
        false => letter.to_string(),
    };
    letters.chars().map(letter).collect()
}

/// A line for each mistake.
fn shown(file: &Path, text: &str, problems: &[Problem]) -> String {
    let line = |problem: &Problem| {
        let (line, column) = problem.line_column(text);
        let help = problem.help.iter().map(|help| format!("; {help}")).collect::<String>();
        format!("{}:{line}:{column}: {}{help}", name(file), problem.message)
    };
    problems.iter().map(line).collect::<Vec<_>>().join("\n")
}

impl Project {
    /// The name of a project file.
    pub const FILE_NAME: &str = "babson.toml";

    /// Finds the project of a folder: the file `babson.toml` in it, or else in the nearest folder
    /// above it. An empty path is the current folder.
    ///
    /// ```
    /// use babson_project::Project;
    ///
    /// let root = tempfile::tempdir()?;
    /// std::fs::write(root.path().join("babson.toml"), "database = 'games.pgn'")?;
    /// std::fs::create_dir(root.path().join("queries"))?;
    /// let project = Project::find(root.path().join("queries"))?.unwrap();
    /// assert_eq!(project.databases, [root.path().join("games.pgn")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The nearest project file cannot be read, or has mistakes.
    pub fn find(folder: impl AsRef<Path>) -> Result<Option<Project>, ProjectError> {
        Project::nearest_file(folder.as_ref()).map(Project::open).transpose()
    }

    /// The path of the nearest project file: relative to the current folder, if it is in there.
    fn nearest_file(folder: &Path) -> Option<PathBuf> {
        let current = std::env::current_dir();
        let folder = match current.as_ref() {
            Ok(current) => current.join(folder),
            Err(_) => folder.to_owned(),
        };
        // The folder above `q/..` is not `q`.
        let leaves = folder.components().any(|part| part == Component::ParentDir);
        let folder = if leaves { dunce::canonicalize(folder).ok()? } else { folder };
        let mut files = folder.ancestors().map(|folder| folder.join(Project::FILE_NAME));
        let file = files.find(|file| file.is_file())?;
        let relative = current.ok().and_then(|current| file.strip_prefix(current).ok());
        Some(relative.map_or_else(|| file.clone(), Path::to_owned))
    }

    /// Reads a project file.
    ///
    /// # Errors
    /// It cannot be read, or has mistakes.
    pub fn open(file: impl Into<PathBuf>) -> Result<Project, ProjectError> {
        let file = file.into();
        let bytes = match read(&file) {
            Ok(bytes) => bytes,
            Err(source) => return Err(ProjectError::Read { file, source }),
        };
        let (text, problem) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let at = u32::try_from(error.utf8_error().valid_up_to()).unwrap_or(u32::MAX);
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let message = "the file is not UTF-8 from here on";
                (text, Some(Problem::new(Span::new(at, at), message)))
            }
        };
        let project = match problem {
            Some(problem) => Err(vec![problem]),
            None => Project::of_text(&file, &text),
        };
        project.map_err(|problems| ProjectError::Wrong { file, text, problems })
    }

    /// The project of a file with this text, which an editor may not have saved yet.
    ///
    /// # Errors
    /// The mistakes of the text.
    pub fn of_text(file: &Path, text: &str) -> Result<Project, Vec<Problem>> {
        let ProjectFile { dialect, databases, imports } = ProjectFile::parse(text)?;
        let project = Project::without_settings(file);
        let folder = project.folder();
        let all = |paths: Vec<String>| paths.iter().map(|path| folder.join(path)).collect();
        let (databases, imports) = (all(databases), all(imports));
        Ok(Project { dialect, databases, imports, ..project })
    }

    /// A project without settings: a file that need not exist.
    pub fn without_settings(file: impl Into<PathBuf>) -> Project {
        Project { file: file.into(), dialect: None, databases: Vec::new(), imports: Vec::new() }
    }

    /// The folder of the project file; empty for the current folder.
    pub fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }
}

/// Reads a file that is not too large.
fn read(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(MAX_PROJECT_FILE as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_PROJECT_FILE {
        let why = format!("it has more than {} MiB", MAX_PROJECT_FILE >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_nearest_file_counts() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        fs::create_dir_all(path("a/b/c")).unwrap();
        fs::create_dir_all(path("d")).unwrap();
        fs::write(path("a/babson.toml"), "dialect = 'cql6'\nimports = ['../lib']").unwrap();
        fs::write(path("a/b/babson.toml"), "database = ['x.pgn', '/y.pgn']").unwrap();
        let find = |folder: &str| Project::find(path(folder)).unwrap();
        let inner = find("a/b/c").unwrap();
        assert_eq!((inner.file.as_path(), inner.dialect), (&*path("a/b/babson.toml"), None));
        // On Windows it is on the drive of the project.
        let absolute = Path::new("/y.pgn");
        assert_eq!(inner.databases, [path("a/b/x.pgn"), path("a/b").join(absolute)]);
        assert_eq!(find("a/b"), Some(inner.clone()));
        let outer = find("a/b/../").unwrap();
        assert_eq!(outer.dialect, Some(Dialect::CQL6));
        assert_eq!(outer.imports[0].canonicalize().ok(), None, "it need not exist");
        assert!(outer.imports[0].ends_with("a/../lib"));
        // The folder above `a/b/..` is the folder above `a`, which has no project.
        assert_eq!(find("a/../d"), None);
        assert_eq!(find("d/nosuch"), None);
        // A folder of this name is not a project file.
        fs::create_dir(path("d/babson.toml")).unwrap();
        assert_eq!(find("d"), None);
    }

    #[test]
    fn errors_name_the_file_and_the_place() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("babson.toml");
        let told = |bytes: &[u8]| {
            fs::write(&file, bytes).unwrap();
            let error = Project::find(root.path()).unwrap_err();
            assert_eq!(error.file(), file);
            error.to_string().replace(&file.display().to_string(), "FILE")
        };
        assert_eq!(
            told(b"dialect = 'x'\nimport = []"),
            "FILE:1:11: `x` is not a dialect; the dialects are `cqli` and `cql6`\n\
             FILE:2:1: `import` is not a setting of a project; did you mean `imports`?"
        );
        assert_eq!(told(b"# \xe9"), "FILE:1:3: the file is not UTF-8 from here on");
        let large = [b"# ", vec![b'x'; MAX_PROJECT_FILE].as_slice()].concat();
        assert!(told(&large).contains("more than 1 MiB"));
        let missing = Project::open(root.path().join("none.toml")).unwrap_err();
        assert!(matches!(missing, ProjectError::Read { .. }), "{missing}");
    }
}
