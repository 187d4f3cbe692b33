//! The options for reading queries.

use std::sync::Arc;
use std::time::Duration;

use babson::chess::VariantNames;
use babson::host::DEFAULT_PIPE_TIMEOUT;
use babson::{Diagnostic, Dialect, Host, RefusingHost};

use crate::failure::Failure;
use crate::options::{OptionId, ParsedOption};
use crate::signals;
use crate::source::QuerySource;

/// The options for reading queries and for showing what is wrong with them.
#[derive(Clone, Debug)]
pub(crate) struct ReadingOptions {
    /// The dialect of `--dialect`, which overrides the one that a query names.
    named: Option<Dialect>,
    /// The dialect of the file of default options, which the one that a query names overrides.
    default: Option<Dialect>,
    pub(crate) variants: VariantNames,
    /// Whether a query that names a file or a program is an error.
    pub(crate) secure: bool,
    /// The colors of diagnostics.
    pub(crate) color: ColorChoice,
    /// How long a program of `commandpipe` may take to answer; zero for ever.
    pipe_timeout: Duration,
}

impl ReadingOptions {
    /// Reads them from the options of a command line.
    ///
    /// # Errors
    /// An option has a word that it cannot have.
    pub(crate) fn new(options: &[ParsedOption]) -> Result<ReadingOptions, Failure> {
        let mut reading = ReadingOptions {
            named: None,
            default: None,
            variants: variant_names(options)?,
            secure: false,
            color: ColorChoice::Auto,
            pipe_timeout: DEFAULT_PIPE_TIMEOUT,
        };
        for option in options {
            if option.id == OptionId::Dialect && option.is_default {
                reading.default = Some(dialect(option.word())?);
            } else if option.id == OptionId::Dialect {
                reading.named = Some(dialect(option.word())?);
            } else if option.id == OptionId::Secure {
                reading.secure = true;
            } else if option.id == OptionId::PipeTimeout {
                let seconds = option.word().parse().unwrap_or(u64::MAX);
                reading.pipe_timeout = Duration::from_secs(seconds);
            } else if option.id == OptionId::Color {
                reading.color = ColorChoice::parse(option.word()).map_err(Failure::Usage)?;
            } else if option.id == OptionId::AnsiColors {
                reading.color = if option.on { ColorChoice::Always } else { ColorChoice::Never };
            }
        }
        Ok(reading)
    }

    /// What queries reach outside of the games.
    pub(crate) fn host(&self) -> Arc<dyn Host> {
        if self.secure {
            return Arc::new(RefusingHost);
        }
        Arc::new(signals::system().host.with_pipe_timeout(self.pipe_timeout))
    }

    /// The dialect of a text that is not a query.
    pub(crate) fn dialect(&self) -> Dialect {
        self.named.or(self.default).unwrap_or_default()
    }

    /// The dialect of a query, and whether a dialect was named.
    ///
    /// # Errors
    /// The query names a dialect that does not exist.
    pub(crate) fn dialect_of(
        &self,
        source: &QuerySource,
    ) -> Result<(Dialect, bool), Vec<Diagnostic>> {
        let declared = source.declared_dialect()?;
        let named = self.named.or(declared).or(self.default);
        Ok((named.unwrap_or_default(), named.is_some()))
    }
}

/// Whether output is colored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    Always,
    Never,
}

impl ColorChoice {
    /// Reads the word after `--color`.
    pub(crate) fn parse(word: &str) -> Result<ColorChoice, String> {
        match word.to_ascii_lowercase().as_str() {
            "auto" => Ok(ColorChoice::Auto),
            "always" => Ok(ColorChoice::Always),
            "never" => Ok(ColorChoice::Never),
            _ => Err(format!("--color: '{word}' is not auto, always or never")),
        }
    }

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

/// The dialect that an option names.
fn dialect(word: &str) -> Result<Dialect, Failure> {
    let unknown = || Failure::Usage(format!("--dialect: '{word}' is neither cqli nor cql6"));
    Dialect::named(word).ok_or_else(unknown)
}

/// The names of variants, including the aliases of options.
fn variant_names(options: &[ParsedOption]) -> Result<VariantNames, Failure> {
    let mut names = VariantNames::default();
    for option in options.iter().filter(|option| option.id == OptionId::VariantAlias) {
        let [name, alias] = option.words.as_slice() else {
            continue;
        };
        let fail = |what: String| Failure::Usage(format!("--variantalias: {what}"));
        let variant = names
            .find(name)
            .ok_or_else(|| fail(format!("'{name}' is not a variant; the variants are {names}")))?;
        names.add(alias, variant).map_err(|other| {
            let (variant, other) = (variant.name(), other.name());
            fail(format!("'{alias}' cannot mean {variant}, it means {other}"))
        })?;
    }
    Ok(names)
}
