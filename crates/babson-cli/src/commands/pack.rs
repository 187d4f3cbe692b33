//! `babson pack DB... -o TABLE.arrow`: databases as a game table.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use babson::command::is_table_name;
use babson::files::InputError;
use babson::table::{self, TableError};
use babson::{Error, Input};

use crate::config::SearchConfig;
use crate::console::Console;
use crate::failure::{BrokenInputAdvice, Failure};
use crate::options::{CommandLine, OptionId};
use crate::plural::plural;
use crate::run::outputs::check_file;
use crate::run::summary::{damaged_games, equal_games, three_digits};
use crate::search_config::expand_input;
use crate::show_name::ShowName as _;
use crate::signals;
use crate::terminal;

/// The message about a broken input of a table.
const ADVICE: BrokenInputAdvice = BrokenInputAdvice {
    lost: "no table is written",
    needs: "pack",
    help: BrokenInputAdvice::NEW_COPIES,
};

/// Writes a table, or checks tables.
pub(crate) fn pack(line: &CommandLine) -> Result<u8, Failure> {
    let config = line.config()?;
    if config.run.command.checks_tables {
        return check(line, &config);
    }
    let path = table_name(&config.run.command.table)?;
    check_file(&path, true, &config)?;
    let mut inputs = Vec::new();
    for name in &line.operands {
        inputs.extend(expand_input(Path::new(name), false)?);
    }
    if inputs.iter().filter(|input| **input == Input::Stdin).count() > 1 {
        return Err(Failure::Usage("stdin can be read only once".to_owned()));
    }
    let mut console = Console::new(Vec::new());
    console.packs = true;
    console.progress = !config.run.console.no_progress;
    console.increment = config.run.console.increment;
    console.total = inputs.iter().map(Input::size).sum();
    signals::record_inputs(&inputs);
    let (compression, settings) = (config.outputs.compression(), config.settings());
    let packed = table::pack(&inputs, &path, compression, &settings, &mut console);
    console.finish();
    let summary = packed.map_err(|error| {
        let damaged = console.damaged_of(&error);
        match console.has_told(&error) {
            true => console.failure(error),
            false => Failure::of_broken_input(error, &inputs, damaged, &ADVICE),
        }
    })?;
    if summary.rewritten_tables > 0 {
        let tables = plural(summary.rewritten_tables, "table was", "tables were");
        terminal::error_line(&format!(
            "babson: {tables} written anew by another program, without checksums: the new table \
             has the facts of the games as they are now"
        ));
    }
    if summary.equal_games > 0 && !config.inputs.unique {
        terminal::error_line(&format!(
            "babson: {} of {} {} equal to an earlier one (the same players, date and moves): \
             --unique leaves such games out",
            summary.equal_games,
            plural(summary.games, "game", "games"),
            if summary.equal_games == 1 { "is" } else { "are" },
        ));
    }
    if config.run.console.no_summary {
        return Ok(0);
    }
    let kept = summary.damaged - summary.left_out;
    let mut text =
        damaged_games(kept, if kept == 1 { "kept as it is" } else { "kept as they are" });
    text.push_str(&damaged_games(summary.left_out, "left out"));
    if config.inputs.unique {
        text.push_str(&equal_games(summary.equal_games));
    }
    text.push_str(&format!(
        "{} in {} seconds using {} to {} ({} bytes)\n",
        plural(summary.games, "game", "games"),
        three_digits(console.seconds()),
        plural(summary.threads as u64, "thread", "threads"),
        path.shown(),
        summary.bytes,
    ));
    console.print(text.as_bytes()).map_err(Failure::console)?;
    Ok(0)
}

/// The name of the table.
fn table_name(outputs: &[OsString]) -> Result<PathBuf, Failure> {
    let path = match outputs {
        [table] => PathBuf::from(table),
        [] => {
            let text = "pack writes a table: name it with -o TABLE.arrow";
            return Err(Failure::Usage(text.to_owned()));
        }
        _ => return Err(Failure::Usage("pack writes one table: give -o once".to_owned())),
    };
    let extension = path.extension().and_then(|extension| extension.to_str());
    if extension.is_none_or(|extension| !extension.eq_ignore_ascii_case("arrow")) {
        let name = path.shown();
        return Err(Failure::Usage(format!("-o {name}: the name of a table ends with .arrow")));
    }
    Ok(path)
}

/// The tables of an operand of `--check`: a folder stands for all its tables.
fn tables_of(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let inputs = Input::expand(path)?.into_iter();
    let tables: Vec<PathBuf> = inputs
        .filter_map(|input| match input {
            Input::File(path) => is_table_name(&path).then_some(path),
            Input::Stdin | Input::Bytes { .. } | Input::Reader(_) | Input::Member(_) | _ => None,
        })
        .collect();
    match tables.is_empty() {
        true => Err(Failure::Io(format!("{}: the folder holds no game table", path.shown()))),
        false => Ok(tables),
    }
}

/// Why a table is not sound, and what helps.
fn told(error: &Error) -> String {
    if let Error::Input(InputError::Table { source: TableError::Damaged(_), .. }) = error {
        return format!("{error} (get a new copy of the table, or pack its games again)");
    }
    // A file that has another name was hardly meant to be a table.
    if let Error::Input(InputError::Table { path, source: TableError::NotArrow }) = error
        && !is_table_name(path)
    {
        return format!(
            "cannot read {}: the file is not a game table (an Arrow file); --check tests tables",
            path.shown()
        );
    }
    error.to_string()
}

/// Checks tables and prints a line for each.
fn check(line: &CommandLine, config: &SearchConfig) -> Result<u8, Failure> {
    for id in [
        OptionId::TableOutput,
        OptionId::Compress,
        OptionId::Unique,
        OptionId::NoClobber,
        OptionId::CreateDirectories,
    ] {
        if let Some(option) = line.option(id).filter(|option| !option.is_default) {
            let name = option.name();
            return Err(Failure::Usage(format!("--check writes no table: it takes no --{name}")));
        }
    }
    let mut paths = Vec::new();
    for name in &line.operands {
        paths.extend(tables_of(Path::new(name))?);
    }
    let mut code = 0;
    for path in paths {
        match table::check(&path, !config.inputs.unmapped) {
            Ok(summary) => {
                let (path, games, writer) = (path.shown(), summary.games, summary.writer);
                terminal::print_text(&match summary.is_rewritten {
                    false => format!("{path}: sound, {games} games, written by {writer}\n"),
                    true => format!(
                        "{path}: written anew by another program, without checksums; its {games} \
                         games can be played\n"
                    ),
                })?;
            }
            Err(error) => {
                terminal::error_line(&format!("babson: {}", told(&error)));
                code = Failure::from(error).code();
            }
        }
    }
    Ok(code)
}
