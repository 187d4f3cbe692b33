//! The files of databases.

use std::fs;
use std::path::{Path, PathBuf};

use babson::Input;
use babson::files::InputError;

use crate::failure::Failure;

/// The files of databases.
///
/// # Errors
/// One is not there, or it is neither a file nor a folder.
pub(crate) fn inputs_in(databases: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    let mut inputs: Vec<Input> = Vec::new();
    for database in databases {
        check_kind(database)?;
        let unread = |error: InputError| Failure::Refused(error.to_string());
        inputs.extend(Input::expand(database).map_err(unread)?);
    }
    Ok(inputs)
}

/// Checks that a database is a file or a folder: standard input carries the messages of the
/// client, and also the system has names for it, such as `/dev/fd/0`. A file that is not there
/// passes: to open it says why.
fn check_kind(database: &Path) -> Result<(), Failure> {
    let is_special = || fs::metadata(database).is_ok_and(|data| !data.is_file() && !data.is_dir());
    let what = if Input::is_stdin(database) {
        "standard input, which carries the messages of the editor"
    } else if is_special() {
        "a device or a pipe"
    } else {
        return Ok(());
    };
    let why = format!(
        "the database `{}` is {what}: name a file or a folder",
        database.display().to_string().escape_debug()
    );
    Err(Failure::Refused(why))
}
