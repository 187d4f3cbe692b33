//! `babson serve [DB...]`: a server of databases, with a page for the browser.

use std::process::{Command, Stdio};
use std::sync::Arc;

use babson_project::Project;
use babson_serve::{DatabaseSpec, ServeConfig, ServeError, Server};

use crate::config::ReadingOptions;
use crate::failure::Failure;
use crate::options::CommandLine;
use crate::{project, terminal};

/// The environment variable with the token. Other users see the words of a command line.
const TOKEN: &str = "BABSON_TOKEN";

/// Serves until a signal ends it.
pub(crate) fn serve(line: &CommandLine) -> Result<u8, Failure> {
    let config = line.config()?;
    let options = &config.run.command.serve;
    let mut serving = ServeConfig::new(databases(line, &config.run.reading)?);
    serving.listen = options.listen.unwrap_or(serving.listen);
    serving.token = options.token.clone().or_else(|| std::env::var(TOKEN).ok());
    serving.public = options.public;
    serving.hosts = options.hosts.clone();
    serving.timeout = options.timeout.unwrap_or(serving.timeout);
    serving.max_matches = options.max_matches.unwrap_or(serving.max_matches);
    serving.jobs = options.jobs.unwrap_or(serving.jobs);
    serving.log = Arc::new(|line| terminal::error_line(&format!("babson: {line}")));
    let server = Server::open(serving).map_err(failure)?;
    for (name, games) in server.databases() {
        terminal::error_line(&format!("babson: {name}: {games} games"));
    }
    let pages = server.pages();
    for (index, page) in pages.iter().enumerate() {
        terminal::error_line(&match index {
            0 => format!("babson: serving at {page} (Ctrl-C ends it)"),
            _ => format!("babson: and for other machines at {page}"),
        });
    }
    if let Some(page) = pages.first().filter(|_| options.opens) {
        open(page);
    }
    server.run();
    Ok(0)
}

/// The databases of the command line, or else of the project of the current folder.
fn databases(line: &CommandLine, reading: &ReadingOptions) -> Result<Vec<DatabaseSpec>, Failure> {
    if !line.operands.is_empty() {
        return Ok(line.operands.iter().map(DatabaseSpec::of_argument).collect());
    }
    let project = project::of_folder("".as_ref(), reading)?;
    match project.filter(|project| !project.databases.is_empty()) {
        Some(project) => Ok(project.databases.iter().map(DatabaseSpec::of_path).collect()),
        None => Err(Failure::Usage(format!(
            "which database? Name its file, or name it in a file {}; {}",
            Project::FILE_NAME,
            line.command.usage()
        ))),
    }
}

/// Opens a page in the browser. The server also runs where there is none.
fn open(page: &str) {
    let (program, words): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/c", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(words).arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(mut child) => {
            // Nobody waits for a thread that only collects the exit code.
            let _ = std::thread::Builder::new().spawn(move || child.wait());
        }
        Err(error) => {
            terminal::error_line(&format!("babson: {program} cannot be started ({error})"));
        }
    }
}

/// Why the server does not run, with the options that help.
fn failure(error: ServeError) -> Failure {
    let text = error.to_string();
    match error {
        ServeError::Database(error) => error.into(),
        ServeError::Listen { .. } => Failure::Io(format!("{text} (--listen names another port)")),
        ServeError::System(_) => Failure::Io(text),
        ServeError::Open { .. } => Failure::Usage(format!("{text} (--token T, --public)")),
        ServeError::TokenAndPublic => {
            Failure::Usage(format!("{text} (--token T or $BABSON_TOKEN, --public)"))
        }
        ServeError::HostAddress { .. } => {
            Failure::Usage(format!("{text} (--listen ADDRESS:PORT listens on an address)"))
        }
        ServeError::NoDatabase
        | ServeError::SameName { .. }
        | ServeError::BadName { .. }
        | ServeError::StandardInput
        | ServeError::NoGames { .. }
        | ServeError::BadHost { .. }
        | ServeError::BadToken => Failure::Usage(text),
    }
}
