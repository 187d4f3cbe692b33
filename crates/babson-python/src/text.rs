//! Functions of the text of queries, and packing.

use std::path::PathBuf;

use babson::scan::{Settings, Silent};
use babson::table::{self, Compression};
use babson::text::{self, Spelling};
use babson::{Dialect, cql3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{PlainError, scan_error, text_error};
use crate::inputs;
use crate::options::compression;
use crate::run::warn;
use crate::work::{self, Raised};

/// The dialect that a text names, otherwise the default.
fn dialect_of(text: &str) -> Dialect {
    babson::text::declared_dialect(text).ok().flatten().unwrap_or_default()
}

/// A query in the usual layout. It is the same query, with its comments.
///
/// >>> import babson
/// >>> babson.format("if check   then {mate  btm}")
/// 'if check then { mate btm }'
#[pyfunction]
pub(crate) fn format(py: Python<'_>, text: &str) -> PyResult<String> {
    let formatted = py.detach(|| text::format(text, dialect_of(text)));
    let formatted = formatted.map_err(|errors| text_error(py, &errors, text))?;
    Ok(formatted.trim_end_matches('\n').to_owned())
}

/// A query of CQL 3 in the modern language.
///
/// >>> import babson
/// >>> babson.compile(babson.to_modern("(match (position :mate))")).dialect
/// 'cqli'
#[pyfunction]
pub(crate) fn to_modern(py: Python<'_>, text: &str) -> PyResult<String> {
    let modern = py.detach(|| cql3::to_modern(text));
    Ok(modern.map_err(|errors| text_error(py, &errors, text))?.query)
}

/// A query in one spelling of its symbols: "ascii" or "unicode".
///
/// >>> import babson
/// >>> babson.convert("R attacks k", "unicode")
/// '♖ attacks ♚'
#[pyfunction]
pub(crate) fn convert(py: Python<'_>, text: &str, spelling: &str) -> PyResult<String> {
    let spelling = match spelling {
        "ascii" => Spelling::Ascii,
        "unicode" => Spelling::Unicode,
        other => {
            return Err(PyValueError::new_err(format!(
                "{other:?} is not a spelling: it is \"ascii\" or \"unicode\""
            )));
        }
    };
    let converted = py.detach(|| text::convert(text, spelling, dialect_of(text)));
    converted.map_err(|errors| text_error(py, &errors, text))
}

/// What the book says of a word of the language, of a function of the library, or of the code of a
/// diagnostic.
///
/// >>> import babson
/// >>> print(babson.help("mate").splitlines()[3].strip())
/// the side to move is in check and has no legal move; more about mates
#[pyfunction]
pub(crate) fn help(word: &str) -> PyResult<String> {
    let word = word.trim();
    text::help(word).ok_or_else(|| {
        PlainError::new_err(format!("{word:?} is not a word of the language or a code"))
    })
}

/// Packs the games of inputs into a game table, an Arrow file that is searched without reading
/// text. Returns the number of games of the table.
///
/// The compression is "zstd", "none" or None. With `append`, the games are added to a table that
/// exists: None keeps its compression, and the old table is whole until the new one is. Without it,
/// None is the same as "none".
///
/// With `unique`, games that are equal to an earlier one are left out. Otherwise `DataWarning` says
/// how many there are.
#[pyfunction]
#[pyo3(signature = (inputs, output, *, compression=None, append=false, unique=false))]
pub(crate) fn pack(
    py: Python<'_>,
    inputs: &Bound<'_, PyAny>,
    output: PathBuf,
    compression: Option<&Bound<'_, PyAny>>,
    append: bool,
    unique: bool,
) -> PyResult<u64> {
    let compression = compression.map(self::compression).transpose()?;
    let raised = Raised::default();
    let inputs = inputs::inputs(inputs, &raised)?;
    let mut settings = Settings::default();
    settings.unique = unique;
    let ledger = settings.ledger.clone();
    let run = work::run_with_outputs(py, &raised, ledger.clone(), move |stop| {
        settings.stop = stop;
        if append {
            return table::append(&inputs, &output, compression, &settings, &mut Silent);
        }
        let compression = compression.unwrap_or(Compression::None);
        table::pack(&inputs, &output, compression, &settings, &mut Silent)
    });
    let packed = run.and_then(|packed| packed.map_err(scan_error));
    // Temporary files that could not be removed. They are not why a run fails, so a warning that
    // is an exception does not replace its error.
    for error in ledger.cleanup_errors() {
        let warned = warn(py, &error.to_string());
        if packed.is_ok() {
            warned?;
        }
    }
    let summary = packed?;
    if summary.equal_games > 0 && !unique {
        let (equal, games) = (summary.equal_games, summary.appended);
        let text = format!(
            "equal games: {equal} of {games} (the same players, date and moves as an earlier one): \
             unique=True leaves such games out"
        );
        warn(py, &text)?;
    }
    if summary.damaged > 0 {
        let (damaged, left_out) = (summary.damaged, summary.left_out);
        warn(py, &format!("damaged games: {damaged}, not in the table: {left_out}"))?;
    }
    Ok(summary.games)
}
