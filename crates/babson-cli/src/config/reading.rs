//! How queries are read.

use std::path::PathBuf;
use std::time::Duration;

use babson::Dialect;
use babson::chess::VariantNames;

use super::{OptionClass, OptionFilter};

/// How queries are read, and how what is wrong with them is shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadingOptions {
    /// The dialect of `--dialect`, which overrides the one that a query names.
    pub(crate) named: Option<Dialect>,
    /// The dialect of the file of default options, which the one that a query names overrides.
    pub(crate) default: Option<Dialect>,
    pub(crate) variants: VariantNames,
    /// Whether a query that names a file or a program is an error.
    pub(crate) secure: bool,
    /// Whether no project file is read.
    pub(crate) no_project: bool,
    /// The colors of diagnostics.
    pub(crate) color: ColorChoice,
    /// How long a program of `commandpipe` may take to answer, if an option says it; zero for ever.
    pub(crate) pipe_timeout: Option<Duration>,
    /// Where queries find the files that they import.
    pub(crate) import_folders: Vec<PathBuf>,
    /// The options that become a part of the query, in their order.
    pub(crate) filters: Vec<OptionFilter>,
}

impl ReadingOptions {
    /// The same with some of the filters only.
    pub(crate) fn with_filters(&self, wanted: impl Fn(OptionClass) -> bool) -> ReadingOptions {
        let mut reading = self.clone();
        reading.filters.retain(|filter| wanted(filter.class));
        reading
    }

    /// Whether the filters are a query, so that no file is needed.
    pub(crate) fn has_query(&self) -> bool {
        self.filters.iter().any(|filter| filter.class.is_filter())
    }

    /// The dialect of a text that is not a query.
    pub(crate) fn dialect(&self) -> Dialect {
        self.named.or(self.default).unwrap_or_default()
    }

    /// `--variantalias`
    pub(crate) fn add_alias(&mut self, name: &str, alias: &str) -> Result<(), String> {
        let names = &mut self.variants;
        let variant = names
            .find(name)
            .ok_or_else(|| format!("'{name}' is not a variant; the variants are {names}"))?;
        names.add(alias, variant).map_err(|other| {
            let (variant, other) = (variant.name(), other.name());
            format!("'{alias}' cannot mean {variant}, it means {other}")
        })
    }

    /// `--color`
    pub(crate) fn set_color(&mut self, word: &str) -> Result<(), String> {
        self.color = match word.to_ascii_lowercase().as_str() {
            "auto" => ColorChoice::Auto,
            "always" => ColorChoice::Always,
            "never" => ColorChoice::Never,
            _ => return Err(format!("'{word}' is not auto, always or never")),
        };
        Ok(())
    }
}

/// Whether output is colored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    Always,
    Never,
}

impl ColorChoice {
    /// Whether standard error is to be colored.
    pub(crate) fn on_stderr(self) -> bool {
        use std::io::IsTerminal;
        match self {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                    && std::io::stderr().is_terminal()
            }
        }
    }
}
