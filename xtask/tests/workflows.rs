//! The workflow files: they can be read, and do what the tasks of this repository do.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// The workflows by their file names.
fn workflows() -> Vec<(String, Value)> {
    let mut workflows = Vec::new();
    for entry in fs::read_dir(root().join(".github/workflows")).expect("the folder of workflows") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a workflow");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let value = serde_saphyr::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        workflows.push((name, value));
    }
    workflows.sort_by(|a, b| a.0.cmp(&b.0));
    workflows
}

/// The steps of the jobs of a workflow, each with the name of its job. A job that calls another
/// workflow of ours has none.
fn steps(workflow: &Value) -> Vec<(&String, &Value)> {
    let jobs = workflow["jobs"].as_object().expect("jobs");
    let jobs = jobs.iter().filter(|(_, job)| job["uses"].is_null());
    let steps = jobs.flat_map(|(name, job)| {
        let steps = job["steps"].as_array().unwrap_or_else(|| panic!("{name} has no steps"));
        steps.iter().map(move |step| (name, step))
    });
    steps.collect()
}

/// The tasks in the help of this program, with the steps of a release.
fn help() -> String {
    let source = fs::read_to_string(root().join("xtask/src/main.rs")).expect("the main module");
    let (_, help) = source.split_once("usage: cargo xtask TASK").expect("the help");
    help.split("\";").next().unwrap_or(help).to_owned()
}

#[test]
fn there_are_three_workflows() {
    let names: Vec<String> = workflows().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["ci.yml", "nightly.yml", "release.yml"]);
}

#[test]
fn each_step_does_one_thing_and_actions_have_a_version() {
    for (file, workflow) in workflows() {
        for key in ["name", "on", "permissions", "jobs"] {
            assert!(!workflow[key].is_null(), "{file} has no {key}");
        }
        for (job, step) in steps(&workflow) {
            match (step["run"].as_str(), step["uses"].as_str()) {
                (Some(_), None) => {}
                (None, Some(action)) => {
                    // What others maintain could publish in our name.
                    assert!(action.starts_with("actions/"), "{file}, {job}: {action}");
                    let version = action.split_once('@').map_or("", |(_, version)| version);
                    assert!(!version.is_empty() && version != "main", "{file}, {job}: {action}");
                }
                _ => panic!("{file}, {job}: a step runs a command or uses an action"),
            }
        }
        for (name, job) in workflow["jobs"].as_object().expect("jobs") {
            let needed = match &job["needs"] {
                Value::String(one) => vec![one.as_str()],
                Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
                _ => Vec::new(),
            };
            for needed in needed {
                assert!(!workflow["jobs"][needed].is_null(), "{file}, {name}: no job {needed}");
            }
        }
    }
}

#[test]
fn each_task_of_a_workflow_exists() {
    let help = help();
    let tasks = Regex::new(r"(?m)^  ([a-z][a-z-]+)").unwrap();
    let tasks: BTreeSet<&str> =
        tasks.captures_iter(&help).filter_map(|found| found.get(1)).map(|it| it.as_str()).collect();
    let (_, release) = help.split_once("\n  release ").expect("the help of a release");
    let release = release.split("\n  check-datafusion").next().unwrap_or(release);
    let named = Regex::new(r"cargo xtask ([a-z-]+)([^\n&]*)").unwrap();
    let mut found = BTreeSet::new();
    for (file, workflow) in workflows() {
        for (job, step) in steps(&workflow) {
            let command = step["run"].as_str().unwrap_or_default();
            for task in named.captures_iter(command) {
                assert!(tasks.contains(&task[1]), "{file}, {job}: no task {}", &task[1]);
                found.insert(task[1].to_owned());
                if &task[1] == "release" {
                    for word in task[2].split_whitespace().filter(|word| is_step(word)) {
                        assert!(release.contains(word), "{file}, {job}: no step {word}");
                    }
                }
            }
        }
        let rows = workflow["jobs"]["command"]["strategy"]["matrix"]["include"].as_array();
        for row in rows.into_iter().flatten() {
            for word in row["steps"].as_str().expect("the steps of a platform").split(' ') {
                assert!(release.contains(word), "{file}: no step {word}");
            }
        }
    }
    for task in ["advisories", "release", "vendor-check"] {
        assert!(found.contains(task), "no workflow runs {task}");
    }
}

/// Whether a word after `release` is a step: not an option, nor a variable, nor its value.
fn is_step(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_lowercase())
}

#[test]
fn the_checks_are_those_of_the_script() {
    let workflows = workflows();
    let (_, ci) = &workflows[0];
    assert!(steps(ci).iter().any(|(_, step)| step["run"].as_str() == Some(".ci/run")));
}

/// A release is tested as each other commit is, and before anything is published.
#[test]
fn a_release_runs_all_checks() {
    let workflows = workflows();
    let [(_, ci), _, (_, release)] = workflows.as_slice() else { panic!("three workflows") };
    let on = ci["on"].as_object().expect("the events of ci.yml");
    assert!(on.contains_key("workflow_call"), "ci.yml cannot be called");
    let jobs = release["jobs"].as_object().expect("jobs");
    let tests = jobs.iter().find(|(_, job)| job["uses"] == "./.github/workflows/ci.yml");
    let (name, _) = tests.expect("a job of release.yml that calls ci.yml");
    let needed = jobs["publish"]["needs"].as_array().expect("what publish needs");
    assert!(needed.iter().any(|needed| needed == name), "{needed:?} is without {name}");
}

/// The files of all jobs come together in the folder where the steps write them: an upload of a
/// folder keeps the paths below it, one of a pattern those below its first wildcard.
#[test]
fn files_are_handed_on_in_one_folder() {
    let source = fs::read_to_string(root().join("xtask/src/release/mod.rs")).expect("a source");
    let out = Regex::new(r#"const OUT: &str = "([^"]+)";"#).unwrap();
    let out = &out.captures(&source).expect("the folder of the files")[1];
    let workflows = workflows();
    let mut uploads = 0;
    for (job, step) in steps(&workflows[2].1) {
        let action = step["uses"].as_str().unwrap_or_default();
        let download = action.starts_with("actions/download-artifact@");
        if download || action.starts_with("actions/upload-artifact@") {
            assert_eq!(step["with"]["path"].as_str(), Some(out), "{job}: {action}");
            assert_eq!(step["with"]["merge-multiple"].as_bool().is_some(), download, "{job}");
            uploads += usize::from(!download);
        }
    }
    assert!(uploads > 2, "{uploads} uploads");
}

/// A publication that has failed half-way is run again as it is.
#[test]
fn a_publication_can_be_run_again() {
    let workflows = workflows();
    let steps = steps(&workflows[2].1);
    let commands = steps.iter().filter(|(job, _)| *job == "publish");
    let commands = commands.filter_map(|(_, step)| step["run"].as_str());
    let again = [
        ("gh release create", "gh release view"),
        ("gh release upload", "--clobber"),
        ("npm publish", "npm view"),
        ("twine upload", "--skip-existing"),
        ("vsce publish", "--skip-duplicate"),
        ("release version publish", "cargo xtask"),
    ];
    let mut found = BTreeSet::new();
    for command in commands {
        for (publishes, with) in again {
            if command.contains(publishes) {
                found.insert(publishes);
                assert!(command.contains(with), "{command}: without {with}");
            }
        }
        assert!(!command.contains("cargo publish"), "{command}");
    }
    assert_eq!(found.len(), again.len(), "{found:?}");
}

/// `cargo binstall` finds the archives by the metadata of the crate.
#[test]
fn the_metadata_names_the_archives() {
    let manifest = fs::read_to_string(root().join("crates/babson-cli/Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let binstall = &manifest["package"]["metadata"]["binstall"];
    // As `Release::archive_name` and the step `archive` of xtask name them.
    let archive = "babson-{ version }-{ target }";
    let url = |ending| format!("{{ repo }}/releases/download/v{{ version }}/{archive}{ending}");
    assert_eq!(binstall["pkg-url"].as_str(), Some(&*url(".tar.gz")));
    let folder = format!("{archive}/{{ bin }}{{ binary-ext }}");
    assert_eq!(binstall["bin-dir"].as_str(), Some(&*folder));
    let overrides = binstall["overrides"].as_table().unwrap();
    for (target, others) in overrides {
        assert!(target.contains("-windows-"), "{target}");
        assert_eq!(others["pkg-url"].as_str(), Some(&*url(".zip")));
    }
}
