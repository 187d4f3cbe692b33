//! The project file `babson.toml`: which databases the queries of a folder search, in which dialect
//! they are read, and where they find the files that they import.
//!
//! ```
//! use std::path::Path;
//!
//! use babson_project::Project;
//!
//! let text = "dialect = \"cql6\"\ndatabase = \"games/club.arrow\"\nimports = [\"lib\"]\n";
//! let project = Project::of_text(Path::new("queries/babson.toml"), text).unwrap();
//! assert_eq!(project.dialect.map(|dialect| dialect.name()), Some("cql6"));
//! assert_eq!(project.databases, [Path::new("queries/games/club.arrow")]);
//! assert_eq!(project.imports, [Path::new("queries/lib")]);
//! ```
//!
//! [`Project::find`] looks for the file of a query. `ProjectFile::parse` is pure: it reads a text,
//! and says of each mistake where it is, for editors, too. What the settings mean is in
//! `docs/src/projects.md` in the repository, and the glossary, `docs/src/glossary.md`, defines the
//! terms.

#![forbid(unsafe_code)]
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod file;
pub mod limits;
mod project;

pub use file::{Problem, ProjectFile};
pub use project::{Project, ProjectError};

/// The example of the README of the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
