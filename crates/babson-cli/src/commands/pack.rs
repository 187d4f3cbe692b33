//! `babson pack DB... -o TABLE.arrow`: databases as a game table, or more games of one.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use babson::command::is_table_name;
use babson::files::InputError;
use babson::table::{self, TableError};
use babson::{Error, Input};

use crate::config::SearchConfig;
use crate::console::Console;
use crate::failure::{BrokenInputAdvice, Failure};
use crate::input_names::is_parquet_name;
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
    let PackedName { path, is_appended } = packed_name(&config)?;
    check_file(&path, !is_appended, &config)?;
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
    let (outputs, settings) = (&config.outputs, config.settings());
    let packed = match is_appended {
        true => {
            let compression = outputs.named_compression();
            table::append(&inputs, &path, compression, &settings, &mut console)
        }
        false => table::pack(&inputs, &path, outputs.compression(), &settings, &mut console),
    };
    console.finish();
    let summary = packed.map_err(|error| {
        let damaged = console.damaged_of(&error);
        match console.has_told(&error) {
            true => console.failure(error),
            false => Failure::of_broken_input(error, &inputs, damaged, &ADVICE),
        }
    })?;
    // Everyone knows that a Parquet file has no checksums.
    let is_parquet = |input: &&Input| input.path().is_some_and(is_parquet_name);
    let parquet_files = inputs.iter().filter(is_parquet).count() as u64;
    let rewritten_tables = summary.rewritten_tables.saturating_sub(parquet_files);
    if rewritten_tables > 0 {
        let tables = plural(rewritten_tables, "table was", "tables were");
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
            plural(summary.appended, "game", "games"),
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
    let (to, all) = match is_appended {
        true => ("appended to", format!("{}, ", plural(summary.games, "game", "games"))),
        false => ("to", String::new()),
    };
    text.push_str(&format!(
        "{} in {} seconds using {} {to} {} ({all}{} bytes)\n",
        plural(summary.appended, "game", "games"),
        three_digits(console.seconds()),
        plural(summary.threads as u64, "thread", "threads"),
        path.shown(),
        summary.bytes,
    ));
    console.print(text.as_bytes()).map_err(Failure::console)?;
    Ok(0)
}

/// The table that is written.
struct PackedName {
    path: PathBuf,
    /// Whether the games are appended to it.
    is_appended: bool,
}

/// The name of the table.
fn packed_name(config: &SearchConfig) -> Result<PackedName, Failure> {
    let usage = |text: &str| Err(Failure::Usage(text.to_owned()));
    let command = &config.run.command;
    let (path, is_appended) = match (&command.table[..], &command.appended_tables[..]) {
        ([table], []) => (PathBuf::from(table), false),
        ([], [table]) => (PathBuf::from(table), true),
        ([], []) => return usage("pack writes a table: name it with -o TABLE.arrow"),
        (_, []) => return usage("pack writes one table: give -o once"),
        ([], _) => return usage("pack appends to one table: give --append once"),
        _ => return usage("pack writes a new table with -o or appends to one with --append"),
    };
    if is_appended {
        if config.outputs.files.no_clobber {
            return usage("--append replaces the table by a longer one, which --noclobber forbids");
        }
        if !is_table_name(&path) {
            let name = path.shown();
            return usage(&format!(
                "--append {name}: it is not a game table, whose name ends with .arrow"
            ));
        }
        if !path.exists() {
            let name = path.shown();
            return Err(Failure::Io(format!(
                "cannot append to {name}: it does not exist; -o {name} makes a table of the games"
            )));
        }
        return Ok(PackedName { path, is_appended });
    }
    let is_arrow = |extension: &OsStr| extension.eq_ignore_ascii_case("arrow");
    if !path.extension().is_some_and(is_arrow) && !is_parquet_name(&path) {
        let name = path.shown();
        return usage(&format!("-o {name}: the name of a table ends with .arrow"));
    }
    Ok(PackedName { path, is_appended })
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
        OptionId::AppendedTable,
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
                let is_parquet = is_parquet_name(&path);
                let (path, games, writer) = (path.shown(), summary.games, summary.writer);
                terminal::print_text(&match summary.is_rewritten {
                    false => format!("{path}: sound, {games} games, written by {writer}\n"),
                    true => format!(
                        "{path}: {}, without checksums; its {games} games can be played\n",
                        match is_parquet {
                            true => "a Parquet file",
                            false => "written anew by another program",
                        }
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
