//! Programs that a task runs and that may be missing.

use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program of npm.
pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// The subcommands of cargo that tasks run, with the versions that the tasks were written for.
const CARGO_TOOLS: [(&str, &str); 6] = [
    ("cyclonedx", "0.5"),
    ("deb", "3"),
    ("deny", "0.20"),
    ("machete", "0.9"),
    ("mutants", "27"),
    ("semver-checks", "0.51"),
];

/// The tool, if it is there. Otherwise it says why not; with `CI=true` that is an error.
pub(crate) fn available<T>(tool: Result<T, String>) -> io::Result<Option<T>> {
    match tool {
        Ok(tool) => Ok(Some(tool)),
        Err(reason) => {
            println!("skipped: {}", missing(reason)?);
            Ok(None)
        }
    }
}

/// What a task that lacks a tool says. With `CI=true` the lack is an error.
pub(crate) fn missing(reason: String) -> io::Result<String> {
    match std::env::var_os("CI").is_some_and(|value| value == "true") {
        true => Err(Error::other(reason)),
        false => Ok(reason),
    }
}

/// The folder of cargo at home, with the sources of packages in `registry/src`.
///
/// # Errors
/// Neither `CARGO_HOME` nor a home directory is set.
pub(crate) fn cargo_home() -> io::Result<PathBuf> {
    match std::env::var_os("CARGO_HOME").filter(|home| !home.is_empty()) {
        Some(home) => std::path::absolute(PathBuf::from(home)),
        None => std::env::home_dir()
            .map(|home| home.join(".cargo"))
            .ok_or_else(|| Error::other("there is neither CARGO_HOME nor a home directory")),
    }
}

/// A command of the cargo that runs this task.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Whether a subcommand of cargo is there, or how to install it.
pub(crate) fn find_cargo_tool(name: &str) -> Result<(), String> {
    let shown = cargo().args([name, "--version"]).output();
    if shown.is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    let version = CARGO_TOOLS.iter().find(|(tool, _)| *tool == name).map_or("*", |(_, it)| it);
    Err(format!("there is no cargo-{name}: cargo install --locked cargo-{name}@~{version}"))
}

/// Installs subcommands of cargo, those that the tasks name, where `cargo install` puts programs.
///
/// # Errors
/// No task needs a tool of that name, or it cannot be built.
pub(crate) fn install(names: &[&str]) -> io::Result<()> {
    for name in names {
        let Some((name, version)) = CARGO_TOOLS.iter().find(|(tool, _)| tool == name) else {
            let known = CARGO_TOOLS.map(|(tool, _)| tool).join(", ");
            return Err(Error::other(format!("no task needs cargo-{name}, only {known}")));
        };
        run(cargo().args(["install", "--locked", &format!("cargo-{name}@~{version}")]))?;
    }
    Ok(())
}

/// The platform of this machine, as rustc names it.
pub(crate) fn host() -> io::Result<String> {
    let told = output(Command::new("rustc").arg("-vV"))?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Error::other("rustc does not name this platform"))
}

/// The folder of the compiler with which the repository is built.
pub(crate) fn sysroot(root: &Path) -> io::Result<PathBuf> {
    let told = output(Command::new("rustc").args(["--print", "sysroot"]).current_dir(root))?;
    Ok(told.trim().into())
}

/// Runs a command, which must succeed.
pub(crate) fn run(command: &mut Command) -> io::Result<()> {
    let shown = command.get_program().display().to_string();
    let status = command.status().map_err(|error| Error::other(format!("{shown}: {error}")))?;
    if status.success() { Ok(()) } else { Err(Error::other(format!("{shown}: {status}"))) }
}

/// Builds the command without optimizations, and says where it lies.
pub(crate) fn debug_binary(root: &Path, options: &[&str]) -> io::Result<PathBuf> {
    let mut build = cargo();
    build.args(["build", "--locked", "--package", "babson-cli"]).args(options).current_dir(root);
    run(&mut build)?;
    Ok(root.join(format!("target/debug/babson{}", std::env::consts::EXE_SUFFIX)))
}

/// Runs a command, which must succeed, and returns what it prints. Its errors are shown.
pub(crate) fn output(command: &mut Command) -> io::Result<String> {
    let shown = command.get_program().display().to_string();
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| Error::other(format!("{shown}: {error}")))?;
    match output.status.success() {
        true => String::from_utf8(output.stdout).map_err(Error::other),
        false => Err(Error::other(format!("{shown}: {}", output.status))),
    }
}

/// Installs what the lock file of a package of npm names.
pub(crate) fn npm_install(package: &Path) -> io::Result<()> {
    // Scripts of packages are not run: none of ours needs one.
    let options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    run(Command::new(NPM).args(options).current_dir(package))
}

/// Whether node and npm are there and new enough, or what is missing.
pub(crate) fn find_node() -> Result<(), String> {
    let version = |program| {
        let output = Command::new(program).arg("--version").output();
        output.ok().filter(|output| output.status.success())
    };
    let node =
        version("node").ok_or("there is no node, which this task needs: version 20 or later")?;
    let text = String::from_utf8_lossy(&node.stdout).trim().to_owned();
    let major = text.trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
    if major.is_none_or(|major: u32| major < 20) {
        return Err(format!("node is {text}, and this task needs version 20 or later"));
    }
    version(NPM).map(|_| ()).ok_or_else(|| "there is no npm".to_owned())
}

/// A browser for tests of pages, or why there is none.
pub(crate) fn find_browser() -> Result<PathBuf, String> {
    find_program(&["chromium", "chromium-browser", "google-chrome"])
        .ok_or_else(|| "there is no Chromium".to_owned())
}

/// The first of these programs that is installed.
pub(crate) fn find_program(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::var_os("PATH")
        .map(|path| std::env::split_paths(&path).collect())
        .unwrap_or_default();
    let mut paths =
        names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    paths.find(|path| path.is_file())
}
