//! What the header of a query says.

use babson_lang::ast::HeaderKind;

use crate::analysis::Analysis;
use crate::options::Options;

/// The input that the header names, as it is written there.
///
/// ```
/// use babson_ide::{Options, input_of};
///
/// let found = input_of("cql(input games.pgn) mate", &Options::default());
/// assert_eq!(found.as_deref(), Some("games.pgn"));
/// ```
pub fn input_of(text: &str, options: &Options) -> Option<String> {
    let analysis = Analysis::new(text, options)?;
    let header = analysis.known.tree?.header?;
    header
        .params
        .into_iter()
        .find_map(|param| if let HeaderKind::Input(name) = param.kind { Some(name) } else { None })
}
