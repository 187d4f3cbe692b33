//! Why a server does not start.

use std::io;
use std::net::SocketAddr;

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// It would have nothing to serve.
    #[error("no database is named")]
    NoDatabase,
    /// Two databases have the same name.
    #[error("two databases are named `{name}`: give one another name with NAME=DB")]
    SameName {
        /// The name.
        name: String,
    },
    /// A database has no name, or one with control characters.
    #[error("`{}` is not a name of a database: give it one with NAME=DB", .name.escape_debug())]
    BadName {
        /// The name.
        name: String,
    },
    /// Standard input can be read once.
    #[error("a server cannot read standard input: save the games to a file")]
    StandardInput,
    /// A database has no games.
    #[error("the database `{name}` has no games: is it a PGN file or a game table?")]
    NoGames {
        /// The name.
        name: String,
    },
    /// A host is not a name alone.
    #[error("`{}` is not the name of a host: it has no http://, port or path", .host.escape_debug())]
    BadHost {
        /// What was named.
        host: String,
    },
    /// Others than this machine could search, and nothing says that they may.
    #[error("{listen} can be reached from other machines: name a token, or make the server public")]
    Open {
        /// The address.
        listen: SocketAddr,
    },
    /// The address is named as a host.
    #[error("`{host}` is an address, and a server is reached by its addresses without naming them")]
    HostAddress {
        /// What was named.
        host: String,
    },
    /// A token keeps others out, and a public server lets everybody in.
    #[error(
        "a server with a token is not public: only those who send the token search, so name the \
         token or make the server public"
    )]
    TokenAndPublic,
    /// The token is empty or cannot be sent in a header.
    #[error("the token must be printable ASCII without spaces, and not empty")]
    BadToken,
    /// A database cannot be read.
    #[error(transparent)]
    Database(#[from] babson::Error),
    /// The address is taken, or cannot be listened on.
    #[error("cannot listen on {listen}: {source}")]
    Listen {
        /// The address.
        listen: SocketAddr,
        /// The reason of the system.
        source: io::Error,
    },
    /// The system starts no threads, or does not let the process handle signals.
    #[error("cannot start the server: {0}")]
    System(io::Error),
}
