//! The command as a whole: bad input, exit codes, streams, and the same bytes whatever the threads.

mod appended_tables;
mod archives;
mod bench;
mod broken_inputs;
mod check;
mod codes;
mod columns;
mod combinations;
#[cfg(unix)]
mod completions;
mod compressed;
mod containers;
mod exit_status;
#[cfg(target_os = "linux")]
mod file_names;
mod fix;
mod group;
mod imports;
mod inputs;
#[cfg(unix)]
mod large_files;
mod like;
mod limits;
mod name_hints;
mod nonmatching;
mod options;
mod outputs;
mod parquet;
mod projects;
mod queries;
mod selection;
mod several;
#[cfg(unix)]
#[path = "../signals/mod.rs"]
mod signals;
#[cfg(unix)]
mod streams;
mod unique;
#[cfg(unix)]
mod watch;
