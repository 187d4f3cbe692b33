//! What is done with the games, and what is printed.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use babson::RunOptions;
use babson::chess::{Variant, VariantNames};
use babson::text::Spelling;

use super::ReadingOptions;

/// What is done with the games, and what is printed.
#[derive(Default)]
pub(crate) struct RunConfig {
    /// How queries are read.
    pub(crate) reading: ReadingOptions,
    /// The options of a run, except the settings of its outputs and its host.
    pub(crate) options: RunOptions,
    /// `--sortmatchcount`
    pub(crate) sort_match_count: bool,
    /// Whether matches are written in game order.
    pub(crate) unsorted: bool,
    pub(crate) limit: Option<u64>,
    /// `--timeout`
    pub(crate) timeout: Option<Duration>,
    /// The number of threads that an option names.
    pub(crate) threads: Option<usize>,
    /// What is printed of the query instead of searching.
    pub(crate) show: Option<ShowMode>,
    /// Whether trees are drawn with line characters.
    pub(crate) line_characters: bool,
    /// Whether the compiled query is printed.
    pub(crate) debug: bool,
    /// The conversions of queries that are wanted instead of a search.
    pub(crate) conversions: Vec<(QueryConversion, OsString)>,
    pub(crate) console: ConsoleConfig,
    pub(crate) command: CommandConfig,
}

impl RunConfig {
    /// The number of threads. The default is the number of cores.
    pub(crate) fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(cores)
    }
}

/// What is printed besides the outputs.
#[derive(Default)]
pub(crate) struct ConsoleConfig {
    /// Whether the exit code tells whether a game matched.
    pub(crate) exit_status: bool,
    pub(crate) no_progress: bool,
    /// Whether the summary is left out.
    pub(crate) no_summary: bool,
    /// Games between two lines of progress.
    pub(crate) increment: Option<u64>,
    pub(crate) show_matches: bool,
    pub(crate) show_dictionaries: bool,
    /// Whether the games that the conditions of a query let through are counted.
    pub(crate) stats: bool,
    /// Whether results are printed as lines for programs.
    pub(crate) gui: bool,
}

/// The options of single commands.
#[derive(Default)]
pub(crate) struct CommandConfig {
    /// `check`, `explain`, `why` and `position`: whether the answer is JSON.
    pub(crate) json: bool,
    pub(crate) differences: bool,
    /// `check`: whether certain fixes are applied.
    pub(crate) fixes: bool,
    /// `check`: whether the answer is SARIF, and the file where it is written.
    pub(crate) sarif: bool,
    pub(crate) sarif_output: Option<OsString>,
    /// `check`: whether what changes is checked again.
    pub(crate) watches: bool,
    pub(crate) bytecode: bool,
    pub(crate) ply: Option<u32>,
    /// `fmt`: whether nothing is written.
    pub(crate) checks_style: bool,
    pub(crate) target: Option<ConvertTarget>,
    /// `convert`: where the query is written.
    pub(crate) converted: Option<OsString>,
    pub(crate) legal: bool,
    pub(crate) reachable: bool,
    pub(crate) reverse: bool,
    pub(crate) variant: Option<Variant>,
    pub(crate) divide: bool,
    pub(crate) markdown: bool,
    /// `plan`: how many slices at most.
    pub(crate) slices: Option<usize>,
    /// `scan`: the slices; there must be one.
    pub(crate) slice: Vec<String>,
    /// `scan`: the outputs; there must be one.
    pub(crate) part: Vec<OsString>,
    /// `pack`: the outputs; there must be one.
    pub(crate) table: Vec<OsString>,
    /// `pack`: the tables that are appended to; one at most, and then no output.
    pub(crate) appended_tables: Vec<OsString>,
    /// `pack`: whether tables are checked instead of written.
    pub(crate) checks_tables: bool,
    pub(crate) serve: ServeOptions,
}

/// The options of `serve`. What is not named has the value of the server.
#[derive(Default)]
pub(crate) struct ServeOptions {
    pub(crate) listen: Option<SocketAddr>,
    /// Whether the page is opened in the browser.
    pub(crate) opens: bool,
    pub(crate) token: Option<String>,
    pub(crate) public: bool,
    pub(crate) hosts: Vec<String>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_matches: Option<u64>,
    pub(crate) jobs: Option<usize>,
}

impl ServeOptions {
    /// `--listen`
    ///
    /// # Errors
    /// The word is neither an address with a port nor a port.
    pub(crate) fn set_listen(&mut self, word: &str) -> Result<(), String> {
        self.listen = Some(listen_address(word)?);
        Ok(())
    }
}

/// The address that a word names: an address with a port, `localhost` with a port, or a port of
/// this machine, perhaps after a colon.
fn listen_address(word: &str) -> Result<SocketAddr, String> {
    if let Ok(address) = word.parse() {
        return Ok(address);
    }
    let (host, port) = word.rsplit_once(':').unwrap_or(("", word));
    let is_own = host.is_empty() || host.eq_ignore_ascii_case("localhost");
    match port.parse::<u16>() {
        Ok(port) if is_own => Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port))),
        Ok(_) | Err(_) => {
            Err(format!("'{word}' is not an address with a port{}", listen_hint(word)))
        }
    }
}

/// What to write in place of a word that is not an address with a port.
fn listen_hint(word: &str) -> String {
    if let Ok(ip) = word.parse::<IpAddr>() {
        return format!("; write `--listen {}`", SocketAddr::new(ip, 8080));
    }
    if word.eq_ignore_ascii_case("localhost") {
        return "; write `--listen localhost:8080`".to_owned();
    }
    let of_page = word.strip_prefix("http://").or_else(|| word.strip_prefix("https://"));
    if let Some(rest) = of_page {
        let authority = rest.split('/').next().unwrap_or_default();
        return match listen_address(authority) {
            Ok(_) => format!("; write `--listen {authority}`"),
            Err(_) => ", such as 127.0.0.1:8080".to_owned(),
        };
    }
    let (host, port) = word.rsplit_once(':').unwrap_or(("", word));
    let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    match host {
        _ if is_number && port.parse::<u16>().is_err() => "; the last port is 65535".to_owned(),
        "*" if is_number => format!("; write `--listen 0.0.0.0:{port}` for all addresses"),
        host if is_number && !host.is_empty() => format!(
            ", because it takes no names; write `--listen {port}` for this machine alone, or \
             `--listen 0.0.0.0:{port} --host {host}` for others"
        ),
        _ => ", such as 127.0.0.1:8080 or [::]:8080".to_owned(),
    }
}

/// What `--parse` and `--lex` print of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShowMode {
    Tokens,
    /// The tokens and the typed tree.
    Tree,
}

/// What `babson convert` converts a query to.
#[derive(Clone, Copy)]
pub(crate) enum ConvertTarget {
    Spelled(Spelling),
    /// A query of CQL 3 in the modern language.
    Modern,
}

/// The value of `--to`.
pub(crate) fn target(word: &str) -> Result<ConvertTarget, String> {
    match word.to_ascii_lowercase().as_str() {
        "ascii" => Ok(ConvertTarget::Spelled(Spelling::Ascii)),
        "unicode" | "utf8" | "utf-8" => Ok(ConvertTarget::Spelled(Spelling::Unicode)),
        "modern" => Ok(ConvertTarget::Modern),
        other => Err(format!("'{other}' is not ascii, unicode or modern")),
    }
}

/// The value of `--variant`.
pub(crate) fn variant(name: &str) -> Result<Variant, String> {
    let all = VariantNames::default();
    Variant::parse(name).ok_or_else(|| format!("'{name}' is not a variant; the variants are {all}"))
}

/// The conversion of a query that an option of CQL 6.2 asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueryConversion {
    /// Spells the query anew, in place. The option for ASCII is `-a`, which does so only in the
    /// dialects where it is not the name of `--append`.
    InPlace(Spelling),
    /// Writes the query in Unicode.
    Unicode,
    /// Writes a page that shows the query.
    Page,
    /// Writes the query unchanged.
    Copy,
    /// Writes the query in colors.
    Colors,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_to_listen_on() {
        for (word, expected) in [
            ("8080", "127.0.0.1:8080"),
            (":8080", "127.0.0.1:8080"),
            ("localhost:8080", "127.0.0.1:8080"),
            ("LOCALHOST:80", "127.0.0.1:80"),
            ("0.0.0.0:0", "0.0.0.0:0"),
            ("[::1]:8080", "[::1]:8080"),
        ] {
            assert_eq!(listen_address(word), Ok(expected.parse().unwrap()), "{word}");
        }
        for (word, hint) in [
            ("0.0.0.0", "write `--listen 0.0.0.0:8080`"),
            ("::1", "write `--listen [::1]:8080`"),
            ("localhost", "write `--listen localhost:8080`"),
            ("http://localhost:8080/", "write `--listen localhost:8080`"),
            ("http://", ", such as 127.0.0.1:8080"),
            ("80800", "the last port is 65535"),
            ("127.0.0.1:80800", "the last port is 65535"),
            ("*:80", "write `--listen 0.0.0.0:80` for all addresses"),
            ("chess-pc:80", "`--listen 0.0.0.0:80 --host chess-pc` for others"),
            ("elsewhere", ", such as 127.0.0.1:8080 or [::]:8080"),
            ("", ", such as 127.0.0.1:8080 or [::]:8080"),
            ("é:é", ", such as 127.0.0.1:8080 or [::]:8080"),
        ] {
            let error = listen_address(word).unwrap_err();
            let begin = format!("'{word}' is not an address with a port");
            assert!(error.starts_with(&begin) && error.ends_with(hint), "{error}");
        }
    }
}
