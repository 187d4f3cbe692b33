//! What the header of a query says.

use babson_lang::ast::HeaderKind;

use crate::analysis::Analysis;
use crate::cql3;
use crate::options::Options;
use crate::source::Source;

/// The input that the header names, as it is written there. A query of CQL 3 names it after `:pgn`.
///
/// ```
/// use babson_ide::{Options, input_of};
///
/// let found = input_of("cql(input games.pgn) mate", &Options::default());
/// assert_eq!(found.as_deref(), Some("games.pgn"));
/// let found = input_of("(match :pgn games.pgn (position :mate))", &Options::default());
/// assert_eq!(found.as_deref(), Some("games.pgn"));
/// ```
pub fn input_of(text: &str, options: &Options) -> Option<String> {
    let source = Source::new(text, options)?;
    if source.is_cql3 {
        return cql3::input_of(&source);
    }
    let analysis = Analysis::of(source, options)?;
    let header = analysis.known.tree?.header?;
    header
        .params
        .into_iter()
        .find_map(|param| if let HeaderKind::Input(name) = param.kind { Some(name) } else { None })
}
