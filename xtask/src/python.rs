//! The Python package: its wheel, and its checks.
//!
//! All that is made stands in `target/python` and `target/wheels`: a virtual environment for the
//! tools, and two new ones for the tests, without and with the packages that the package uses where
//! they are installed.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::notices::{self, Product};
use crate::own_workspace::OwnWorkspace;
use crate::tools::{available, host, output, run};

const PACKAGE: &str = "crates/babson-python";
/// As the releases of the command, with URLs as inputs.
const FEATURES: &str = "remote";

/// How the wheel is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Profile {
    /// As the command is built: minutes.
    Release,
    /// As the tests are built.
    Dev,
}

/// Builds the wheel into `target/wheels`, and tests it in new environments.
///
/// # Errors
/// A tool is missing, the wheel cannot be built, or a test fails.
pub(crate) fn wheel(root: &Path) -> io::Result<()> {
    let python = find_python().map_err(Error::other)?;
    let wheel = build(root, &python, Profile::Release)?;
    println!("{}", wheel.display());
    test(root, &python, &wheel)
}

/// Builds the package without the optimizations of a release, and runs all its checks: format and
/// lints of the crate, the tests without and with the optional packages, the type checkers, the
/// notebooks of the book. Where Python is missing it says so; with `CI=true` that is an error.
///
/// # Errors
/// A check fails.
pub(crate) fn check(root: &Path) -> io::Result<()> {
    let Some(python) = available(find_python())? else {
        return Ok(());
    };
    OwnWorkspace::of(root, "babson-python").lint(FEATURES)?;
    let wheel = build(root, &python, Profile::Dev)?;
    test(root, &python, &wheel)?;
    let package = root.join(PACKAGE);
    let full = Environment::at(root, "full");
    full.install(&["--requirement".as_ref(), package.join("requirements-check.txt").as_ref()])?;
    // pyright looks for the stubs of the packages in this environment.
    run(full.command("mypy").current_dir(&package))?;
    let stubtest = ["babson", "--allowlist", "stubtest-allowed.txt"];
    run(full.command("stubtest").args(stubtest).current_dir(&package))?;
    let python_path = full.program("python");
    run(full.command("pyright").arg("--pythonpath").arg(python_path).current_dir(&package))?;
    run(full.command("python").arg(package.join("tests/run_notebooks.py")).current_dir(root))
}

/// Builds the package as [`check`] does, and tests it in Spark, Ray and Dask. Where Python or Java
/// is missing it says so; with `CI=true` that is an error.
///
/// # Errors
/// A check fails.
pub(crate) fn check_spark(root: &Path) -> io::Result<()> {
    let java = Command::new("java").arg("-version").output();
    let java = match java.is_ok_and(|output| output.status.success()) {
        true => Ok(()),
        false => Err("there is no java, which Spark needs: Java 17 or later".to_owned()),
    };
    let Some(python) = available(find_python().and_then(|python| java.map(|()| python)))? else {
        return Ok(());
    };
    let wheel = build(root, &python, Profile::Dev)?;
    let package = root.join(PACKAGE);
    let spark = Environment::at(root, "spark");
    spark.create(&python)?;
    let [tests, needed] = ["requirements-test.txt", "requirements-spark.txt"]
        .map(|name| package.join(name).into_os_string());
    let (option, wheel) = ("--requirement".as_ref(), wheel.as_ref());
    spark.install(&[wheel, option, tests.as_ref(), option, needed.as_ref()])?;
    // Their own warnings are not errors.
    let pytest = || {
        let mut command = spark.command("pytest");
        command.args(["-W", "default"]).current_dir(&package);
        command
    };
    run(pytest().arg("spark"))?;
    run(pytest().args(["tests/test_names.py", "-k", "test_the_book"]))
}

/// Builds the wheel and returns its path.
fn build(root: &Path, python: &Path, profile: Profile) -> io::Result<PathBuf> {
    let package = root.join(PACKAGE);
    let tools = Environment::at(root, "tools");
    tools.create_if_missing(python)?;
    tools.install(&["--requirement".as_ref(), package.join("requirements-build.txt").as_ref()])?;
    let wheels = match profile {
        Profile::Release => root.join("target/wheels"),
        Profile::Dev => root.join("target/python/wheels"),
    };
    // An older wheel would be found instead.
    if wheels.exists() {
        fs::remove_dir_all(&wheels)?;
    }
    // `license-files` of pyproject.toml names it.
    let product = Product {
        title: "The Python package babson",
        package: "babson-python",
        features: FEATURES,
        target: Some(&host()?),
    };
    fs::write(package.join(notices::NAME), product.notices(root)?)?;
    let mut maturin = tools.command("maturin");
    maturin.arg("build").arg("--locked").arg("--out").arg(&wheels).current_dir(&package);
    maturin.args(["--features", FEATURES, "--profile"]).arg(match profile {
        Profile::Release => "release",
        Profile::Dev => "dev",
    });
    // The interpreter says which tags the wheel has; the wheel itself is for any from 3.10 on.
    maturin.arg("--interpreter").arg(python);
    run(&mut maturin)?;
    let mut found = fs::read_dir(&wheels)?.filter_map(Result::ok).map(|entry| entry.path());
    found
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or_else(|| Error::other(format!("no wheel was built in {}", wheels.display())))
}

/// Runs the tests of the package in new environments, without and with the optional packages.
fn test(root: &Path, python: &Path, wheel: &Path) -> io::Result<()> {
    let package = root.join(PACKAGE);
    for name in ["plain", "full"] {
        let environment = Environment::at(root, name);
        environment.create(python)?;
        let needed = package.join("requirements-test.txt");
        environment.install(&[wheel.as_ref(), "--requirement".as_ref(), needed.as_ref()])?;
        if name == "full" {
            let optional = package.join("requirements-optional.txt");
            environment.install(&["--requirement".as_ref(), optional.as_ref()])?;
        }
        println!("the tests in the environment {name}");
        run(environment.command("pytest").current_dir(&package))?;
    }
    Ok(())
}

/// Installs a wheel into a new environment in a folder, without a network, and counts the games of
/// a database that fit a query there.
///
/// # Errors
/// Python is missing, the wheel cannot be installed, or the search fails.
pub(crate) fn count_installed(
    folder: &Path,
    wheel: &Path,
    games: &Path,
    query: &Path,
) -> io::Result<usize> {
    let python = find_python().map_err(Error::other)?;
    let environment = Environment(folder.to_owned());
    environment.create(&python)?;
    environment.install(&["--no-index".as_ref(), wheel.as_ref()])?;
    let program = "import sys, babson, pathlib\n\
        query = babson.compile(pathlib.Path(sys.argv[2]).read_text())\n\
        print(sum(1 for _ in query.search(sys.argv[1])))";
    let mut count = environment.command("python");
    let told = output(count.args(["-c", program]).args([games, query]).current_dir(folder))?;
    told.trim().parse().map_err(|_| Error::other(format!("{} says {told:?}", wheel.display())))
}

/// A virtual environment in `target/python`.
struct Environment(PathBuf);

impl Environment {
    fn at(root: &Path, name: &str) -> Environment {
        Environment(root.join("target/python").join(name))
    }

    fn program(&self, name: &str) -> PathBuf {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        self.0.join(folder).join(name)
    }

    fn command(&self, name: &str) -> Command {
        Command::new(self.program(name))
    }

    /// A new environment.
    fn create(&self, python: &Path) -> io::Result<()> {
        run(Command::new(python).args(["-m", "venv", "--clear"]).arg(&self.0))
    }

    fn create_if_missing(&self, python: &Path) -> io::Result<()> {
        if self.0.join("pyvenv.cfg").exists() { Ok(()) } else { self.create(python) }
    }

    fn install(&self, what: &[&OsStr]) -> io::Result<()> {
        let mut pip = self.command("python");
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(what);
        run(&mut pip)
    }
}

/// The interpreter that makes environments, or why there is none.
pub(crate) fn find_python() -> Result<PathBuf, String> {
    let asked = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    for name in ["python3", "python"] {
        let output = Command::new(name).args(["-c", asked]).output();
        if output.is_ok_and(|output| output.status.success()) {
            return Ok(PathBuf::from(name));
        }
    }
    Err("there is no Python 3.10 or later with the module venv".to_owned())
}
