//! The names of inputs.

use std::path::Path;

use babson::command::{foreign_help, is_database_file, may_be_database_name};

/// What the name of an input must be, in a sentence.
pub(crate) const INPUT_NAMES: &str = match cfg!(feature = "parquet") {
    true => "an input ends in .pgn, .txt, .gz, .zst, .xz, .bz2, .zip, .arrow, .feather or .parquet",
    false => "an input ends in .pgn, .txt, .gz, .zst, .xz, .bz2, .zip, .arrow or .feather",
};

/// Whether a name has the extension of a Parquet file.
pub(crate) fn is_parquet_name(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("parquet"))
}

/// Why a file is not read, and what helps, if its name belongs to games in another form.
pub(crate) fn foreign_refusal(file: &Path) -> Option<String> {
    if cfg!(not(feature = "parquet")) && is_parquet_name(file) {
        let why = "this program was built without the feature parquet, which reads Parquet files";
        return Some(why.to_owned());
    }
    foreign_help(file).map(|help| format!("Babson does not read files of this kind: {help}"))
}

/// Why a file cannot be an input, as far as its name or its text shows it.
pub(crate) fn refusal(file: &Path) -> Option<String> {
    if let Some(why) = foreign_refusal(file) {
        return Some(why);
    }
    if !may_be_database_name(file) {
        return Some(INPUT_NAMES.to_owned());
    }
    // A text that does not begin as PGN may have games after a foreword.
    let is_text = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("txt"));
    (!is_text && !is_database_file(file)).then(|| NOT_PGN.to_owned())
}

/// What is wrong with a compressed file that is not named `.pgn`, and is not one.
const NOT_PGN: &str = "its text does not begin as PGN does; if it has games, add .pgn to its name, as \
                       in games.pgn.gz";
