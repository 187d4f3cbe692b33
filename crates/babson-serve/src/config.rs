//! What a server serves, and to whom.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::limits::{DEFAULT_MAX_MATCHES, DEFAULT_TIMEOUT, ServeLimits};

/// What a server serves, and to whom.
#[derive(Clone)]
#[non_exhaustive]
pub struct ServeConfig {
    /// The databases.
    pub databases: Vec<DatabaseSpec>,
    /// The address to listen on; the port 0 is any free one.
    pub listen: SocketAddr,
    /// What a client must show, if not everybody may search.
    pub token: Option<String>,
    /// Whether everybody who reaches the address may search.
    pub public: bool,
    /// The names under which browsers reach the server, besides `localhost` and addresses.
    pub hosts: Vec<String>,
    /// The time that a search may take.
    pub timeout: Duration,
    /// The matches that a search may find.
    pub max_matches: u64,
    /// The searches that run at once.
    pub jobs: usize,
    /// All other limits.
    pub limits: ServeLimits,
    /// Takes what whoever runs the server should know, a line each.
    pub log: Log,
}

/// Takes lines for whoever runs the server.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

impl ServeConfig {
    /// A server of these databases on the port 8080 of this machine, for programs of this machine.
    pub fn new(databases: Vec<DatabaseSpec>) -> ServeConfig {
        ServeConfig {
            databases,
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            token: None,
            public: false,
            hosts: Vec::new(),
            timeout: DEFAULT_TIMEOUT,
            max_matches: DEFAULT_MAX_MATCHES,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            limits: ServeLimits::default(),
            log: Arc::new(|_| ()),
        }
    }
}

impl std::fmt::Debug for ServeConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the token.
        f.debug_struct("ServeConfig")
            .field("databases", &self.databases)
            .field("listen", &self.listen)
            .field("public", &self.public)
            .finish_non_exhaustive()
    }
}

/// A database with its name in requests.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DatabaseSpec {
    /// The name.
    pub name: String,
    /// The file, folder or archive.
    pub path: PathBuf,
}

/// The endings of compressed files, which come after the ending of a database.
const COMPRESSED: [&str; 5] = ["bz2", "gz", "xz", "zip", "zst"];

impl DatabaseSpec {
    /// A database that is named by its file without its ending.
    pub fn new(name: impl Into<String>, path: impl Into<PathBuf>) -> DatabaseSpec {
        DatabaseSpec { name: name.into(), path: path.into() }
    }

    /// The database of an argument: `path`, which is named by its file without the ending, or
    /// `name=path`. A file whose name has the character `=` is a path.
    ///
    /// ```
    /// use babson_serve::DatabaseSpec;
    ///
    /// assert_eq!(DatabaseSpec::of_argument("games/masters-2k.pgn.zst").name, "masters-2k");
    /// let spec = DatabaseSpec::of_argument("club=/srv/games.arrow");
    /// assert_eq!((spec.name.as_str(), spec.path.to_str()), ("club", Some("/srv/games.arrow")));
    /// ```
    pub fn of_argument(argument: impl AsRef<Path>) -> DatabaseSpec {
        let path = argument.as_ref();
        let named = path.to_str().and_then(|text| text.split_once('='));
        if let Some((name, rest)) = named
            && !name.is_empty()
            && !name.contains(['/', '\\'])
            && !path.exists()
        {
            return DatabaseSpec::new(name, rest);
        }
        DatabaseSpec::of_path(path)
    }

    /// The database of a path, which is named by its file without the ending.
    ///
    /// ```
    /// use babson_serve::DatabaseSpec;
    ///
    /// assert_eq!(DatabaseSpec::of_path("games/a=b.pgn").name, "a=b");
    /// ```
    pub fn of_path(path: impl AsRef<Path>) -> DatabaseSpec {
        let path = path.as_ref();
        let mut file = Path::new(path.file_name().unwrap_or(path.as_os_str()));
        if path.is_dir() {
            return DatabaseSpec::new(file.to_string_lossy(), path);
        }
        let is_compressed = file.extension().and_then(|ending| ending.to_str());
        if is_compressed.is_some_and(|ending| COMPRESSED.contains(&ending)) {
            file = Path::new(file.file_stem().unwrap_or_default());
        }
        DatabaseSpec::new(file.file_stem().unwrap_or_default().to_string_lossy(), path)
    }
}
