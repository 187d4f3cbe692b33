//! Failures that end the command, and their exit codes.

use std::path::Path;

use babson::files::InputError;
use babson::scan::OutputRefusal;
use babson::table::TableError;
use babson::{Error, Input};
use babson_project::{Problem, ProjectError};

use crate::options::{OptionError, OptionId, OptionSpec};
use crate::show_name::ShowName as _;

/// Why the command ended early, with the exit code: `docs/src/command-line.md#exit-codes`.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The query has an error: 1. The diagnostics are already printed.
    Query,
    /// The query ended the run or cannot be run on this input: 1.
    Run(String),
    /// The command line has an error: 2.
    Usage(String),
    /// The project file has mistakes: 2; or it cannot be read: 3.
    Project(Box<ProjectFailure>),
    /// Input or output failed: 3.
    Io(String),
    /// An input cannot be read, which is already printed: 3.
    Told,
    /// The reader of our output went away: 0.
    ClosedPipe,
}

/// Why the project file cannot be used.
#[derive(Debug)]
pub(crate) struct ProjectFailure {
    error: ProjectError,
    message: String,
}

/// A row of the table of exit codes, for the manual page and the book.
pub(crate) struct ExitCode {
    pub(crate) code: u8,
    /// The code with `--exit-status`.
    pub(crate) with_status: u8,
    pub(crate) meaning: &'static str,
}

/// All exit codes. [`Failure::code`] and `SearchConfig::exit_code` return them.
pub(crate) const EXIT_CODES: [ExitCode; 5] = [
    ExitCode {
        code: 0,
        with_status: 0,
        meaning: "the run completed: games may be damaged, and the reader of a pipe may have \
                  closed it",
    },
    ExitCode { code: 0, with_status: 1, meaning: "the search completed, and no game matched" },
    ExitCode {
        code: 1,
        with_status: ERROR_WITH_STATUS,
        meaning: "a query has an error, at compile time or at run time",
    },
    ExitCode {
        code: 2,
        with_status: 2,
        meaning: "the command line has an error, such as an invalid FEN for `position` or `perft`",
    },
    ExitCode {
        code: BROKEN_INPUT,
        with_status: BROKEN_INPUT,
        meaning: "input or output failed, also if only one of many inputs could not be read \
                  whole; an input cannot be cut into slices, or a slice or part is not of the \
                  input or plan",
    },
];

/// The exit code of an error of a query if 1 means that no game matched.
pub(crate) const ERROR_WITH_STATUS: u8 = 2;

/// The exit code of a search that could not read all of its inputs.
pub(crate) const BROKEN_INPUT: u8 = 3;

/// The message for a broken input that ends a run, because its results would be taken for the
/// results of whole inputs.
pub(crate) struct BrokenInputAdvice {
    /// What is not done, in a sentence.
    pub(crate) lost: &'static str,
    /// What needs the inputs.
    pub(crate) needs: &'static str,
    /// What helps.
    pub(crate) help: &'static str,
}

impl BrokenInputAdvice {
    /// What helps if all inputs must be whole.
    pub(crate) const NEW_COPIES: &'static str =
        "get new copies of broken inputs, or leave them out";
}

/// The clause about the damaged games of a broken input. A decoder may find the damage of
/// compressed data only after it has delivered wrong text, which then looks like damaged games.
pub(crate) fn consequence(damaged: u64) -> String {
    match damaged {
        0 => String::new(),
        1 => "; its damaged game may be a consequence".to_owned(),
        games => format!("; its {games} damaged games may be a consequence"),
    }
}

/// The name of the input, or another file, that could not be read.
pub(crate) fn failed_input(error: &Error) -> Option<&String> {
    let Error::Input(
        InputError::Read { path, .. }
        | InputError::Decompress { path, .. }
        | InputError::NotPgn { path }
        | InputError::Table { path, .. },
    ) = error
    else {
        return None;
    };
    Some(path)
}

impl Failure {
    /// The failure of work that needs whole inputs. The first input that is found broken ends it,
    /// so that it is not known whether others are. `damaged` is the number of its games that were
    /// reported as damaged.
    pub(crate) fn of_broken_input(
        error: Error,
        inputs: &[Input],
        damaged: u64,
        advice: &BrokenInputAdvice,
    ) -> Failure {
        // A file that is not an input, such as a part, is another failure.
        let is_input = |path: &String| inputs.iter().any(|input| input.name() == *path);
        if !failed_input(&error).is_some_and(is_input) {
            return error.into();
        }
        let BrokenInputAdvice { lost, needs, help } = advice;
        let whole = match inputs.len() {
            1 => "its input whole",
            _ => "all inputs whole, and others may be broken, too",
        };
        let told = Failure::from(error);
        let told = told.message().unwrap_or_default();
        let clause = consequence(damaged);
        Failure::Io(format!("{told}{clause}; {lost}: {needs} needs {whole} ({help})"))
    }

    /// The exit code with `--exit-status`: 1 only means that no game matched.
    pub(crate) fn code_with_status(&self) -> u8 {
        match self {
            Failure::Query | Failure::Run(_) => ERROR_WITH_STATUS,
            Failure::Usage(_)
            | Failure::Project(_)
            | Failure::Io(_)
            | Failure::Told
            | Failure::ClosedPipe => self.code(),
        }
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Failure::ClosedPipe => 0,
            Failure::Query | Failure::Run(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Project(failure) => match failure.error {
                ProjectError::Wrong { .. } => 2,
                ProjectError::Read { .. } => BROKEN_INPUT,
            },
            Failure::Io(_) | Failure::Told => BROKEN_INPUT,
        }
    }

    /// The message for standard error, if there is one.
    pub(crate) fn message(&self) -> Option<&str> {
        match self {
            Failure::ClosedPipe | Failure::Query | Failure::Told => None,
            Failure::Run(text) | Failure::Usage(text) | Failure::Io(text) => Some(text),
            Failure::Project(failure) => Some(&failure.message),
        }
    }

    /// The project file with its text and its mistakes, if these are the failure.
    pub(crate) fn project_problems(&self) -> Option<(&Path, &str, &[Problem])> {
        let Failure::Project(failure) = self else { return None };
        match &failure.error {
            ProjectError::Wrong { file, text, problems } => Some((file, text, problems)),
            ProjectError::Read { .. } => None,
        }
    }

    /// The same failure with another message, if it has one.
    pub(crate) fn map(self, change: impl FnOnce(String) -> String) -> Failure {
        match self {
            Failure::Run(text) => Failure::Run(change(text)),
            Failure::Usage(text) => Failure::Usage(change(text)),
            Failure::Io(text) => Failure::Io(change(text)),
            Failure::Project(failure) => {
                let ProjectFailure { error, message } = *failure;
                Failure::Project(Box::new(ProjectFailure { error, message: change(message) }))
            }
            Failure::Query | Failure::Told | Failure::ClosedPipe => self,
        }
    }

    /// A failure to write to standard output or standard error.
    pub(crate) fn console(error: std::io::Error) -> Failure {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            Failure::ClosedPipe
        } else {
            Failure::Io(format!("cannot write stdout: {error}"))
        }
    }
}

impl From<ProjectError> for Failure {
    fn from(error: ProjectError) -> Failure {
        let message = error.to_string();
        Failure::Project(Box::new(ProjectFailure { error, message }))
    }
}

impl From<OptionError> for Failure {
    fn from(error: OptionError) -> Failure {
        match error {
            OptionError::Usage(text) => Failure::Usage(text),
            OptionError::Unreadable(text) => Failure::Io(text),
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Failure {
        Error::from(error).into()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::ClosedPipe => Failure::ClosedPipe,
            Error::OutputRefused { reason, .. } => {
                let option = match reason {
                    OutputRefusal::MissingFolder => OptionId::CreateDirectories,
                    OutputRefusal::Exists => OptionId::NoClobber,
                    // The options and the names of the outputs do not go together.
                    OutputRefusal::AppendedTable
                    | OutputRefusal::SplitTable
                    | OutputRefusal::NoColumns
                    | OutputRefusal::OneQuery
                    | OutputRefusal::SharedSort
                    | OutputRefusal::SharedSample
                    | OutputRefusal::Fragments
                    | OutputRefusal::OverlaidFormat
                    | OutputRefusal::OverlaidFragments
                    | OutputRefusal::OverlaidLayout
                    | OutputRefusal::OverlaidDialects
                    | OutputRefusal::NoMatches
                    | OutputRefusal::NonmatchingName
                    | OutputRefusal::SlicedGames
                    | OutputRefusal::HasNoGroups
                    | OutputRefusal::NoGroups
                    | OutputRefusal::AppendedGroups
                    | OutputRefusal::SplitGroups => return Failure::Usage(error.to_string()),
                    // What the file holds, this program, or a reason that this version of the
                    // command does not know.
                    OutputRefusal::OtherHead | OutputRefusal::NoTables | _ => {
                        return Failure::Io(error.to_string());
                    }
                };
                Failure::Io(format!("{error} ({})", OptionSpec::of(option).mention()))
            }
            Error::Input(InputError::Table { ref path, source: TableError::Damaged(_) }) => {
                Failure::Io(format!(
                    "{error} (`babson pack --check {}` tests all of it; get a new copy \
                     of the table, or pack its games again)",
                    path.shown()
                ))
            }
            Error::SameFile { .. }
            | Error::Columns { .. }
            | Error::Groups { .. }
            | Error::TopWithoutSort { .. }
            | Error::FirstOfSeveral { .. } => Failure::Usage(error.to_string()),
            Error::Stopped { .. }
            | Error::Fatal(_)
            | Error::Panicked(_)
            | Error::NoQuery
            | Error::VariantNames { .. }
            | Error::NeedsOrder { .. }
            | Error::Uncountable { .. }
            | Error::NoParts
            | Error::DictionaryLimit => Failure::Run(error.to_string()),
            Error::Input(_)
            | Error::Threads { .. }
            | Error::Write { .. }
            | Error::Sink { .. }
            | Error::Slice { .. }
            | Error::SliceResult { .. }
            | _ => Failure::Io(error.to_string()),
        }
    }
}
