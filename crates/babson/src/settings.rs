//! The settings of a query.

use std::sync::Arc;

use babson_chess::VariantNames;
use babson_pgn::Layout;
use babson_vm::{CompileOptions, RunOptions};

/// The options that do not decide how the text is read.
#[derive(Clone, Debug, Default)]
pub(crate) struct QuerySettings {
    pub(crate) options: RunOptions,
    pub(crate) variants: VariantNames,
    /// The layout of matches; `None` for the layout of the dialect.
    pub(crate) layout: Option<Layout>,
    pub(crate) sort_match_count: bool,
    pub(crate) values: bool,
    pub(crate) profile: bool,
}

impl QuerySettings {
    /// The options of a compilation.
    pub(crate) fn compile_options(&self) -> CompileOptions {
        CompileOptions {
            value: self.values,
            profile: self.profile,
            variants: self.variants.clone(),
            host: Arc::clone(&self.options.host),
            ..CompileOptions::default()
        }
    }
}
