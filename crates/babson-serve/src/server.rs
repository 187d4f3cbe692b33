//! The server, from its start to its end.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::ServeConfig;
use crate::connections;
use crate::databases::Databases;
use crate::error::ServeError;
use crate::limits::END_TIME;
use crate::phase::EndPhase;
use crate::reachable::reachable;
use crate::state::ServerState;

/// A server whose databases are open and that listens on its address.
///
/// ```
/// use std::io::{Read as _, Write as _};
///
/// use babson_serve::{DatabaseSpec, ServeConfig, Server};
///
/// # let folder = tempfile::tempdir()?;
/// # let games = folder.path().join("club.pgn");
/// # std::fs::write(&games, "[White \"Ann\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// let mut config = ServeConfig::new(vec![DatabaseSpec::new("club", &games)]);
/// config.listen = "127.0.0.1:0".parse()?;
/// let server = Server::open(config)?;
/// let (address, stopper) = (server.address(), server.stopper());
/// let thread = std::thread::spawn(move || server.run());
///
/// let mut client = std::net::TcpStream::connect(address)?;
/// client.write_all(b"GET /api/databases HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
/// let mut answer = String::new();
/// client.read_to_string(&mut answer)?;
/// assert!(answer.contains(r#"{"name":"club","file":"club.pgn","games":1,"bytes":"#), "{answer}");
/// stopper.stop();
/// thread.join().unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    state: Arc<ServerState>,
    phase: watch::Sender<EndPhase>,
    /// What waits for signals.
    watched: JoinHandle<()>,
}

/// Ends a server, as a signal does.
#[derive(Clone, Debug)]
pub struct Stopper(watch::Sender<EndPhase>);

impl Stopper {
    /// Ends the server: it takes no more requests, and the searches that run have some time to end.
    /// If it ends already, cancels them, and closes all connections at once.
    pub fn stop(&self) {
        self.0.send_modify(|phase| {
            *phase = match phase {
                EndPhase::Serving => EndPhase::Ending,
                EndPhase::Ending | EndPhase::Cancelling => EndPhase::Cancelling,
            };
        });
    }
}

impl Server {
    /// Opens the databases and begins to listen. An address that other machines can reach needs a
    /// token, or the word that the server is public. From here on SIGTERM and Ctrl-C end the
    /// server, not the process.
    ///
    /// # Errors
    /// A database cannot be read, the address is taken, others could search without leave, or the
    /// process cannot handle signals.
    pub fn open(config: ServeConfig) -> Result<Server, ServeError> {
        let listen = config.listen;
        if config.token.is_some() && config.public {
            return Err(ServeError::TokenAndPublic);
        }
        if !listen.ip().is_loopback() && config.token.is_none() && !config.public {
            return Err(ServeError::Open { listen });
        }
        let is_sendable =
            |token: &String| !token.is_empty() && token.bytes().all(|b| b.is_ascii_graphic());
        if config.token.as_ref().is_some_and(|token| !is_sendable(token)) {
            return Err(ServeError::BadToken);
        }
        let is_no_name = |host: &&String| host.is_empty() || host.contains(['/', ':', ' ']);
        if let Some(host) = config.hosts.iter().find(|host| host.parse::<IpAddr>().is_ok()) {
            return Err(ServeError::HostAddress { host: host.clone() });
        }
        if let Some(host) = config.hosts.iter().find(is_no_name) {
            return Err(ServeError::BadHost { host: host.clone() });
        }
        let databases = Databases::open(&config.databases)?;
        let runtime =
            Builder::new_multi_thread().enable_all().build().map_err(ServeError::System)?;
        let fail = |source| ServeError::Listen { listen, source };
        let listener = runtime.block_on(TcpListener::bind(listen)).map_err(fail)?;
        let address = listener.local_addr().map_err(fail)?;
        #[cfg(unix)]
        crate::truncation::survive().map_err(ServeError::System)?;
        let state = Arc::new(ServerState::new(config, databases));
        let phase = watch::Sender::new(EndPhase::Serving);
        // Whoever reads the address may send a signal at once.
        let watched = runtime
            .block_on(async { signals(Stopper(phase.clone())).map(tokio::spawn) })
            .map_err(ServeError::System)?;
        Ok(Server { runtime, listener, address, state, phase, watched })
    }

    /// The address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The addresses of the page for a browser. If the server listens on all addresses of the
    /// machine, these are the loopback address and then the addresses for other machines.
    pub fn pages(&self) -> Vec<String> {
        reachable(self.address).into_iter().map(|address| format!("http://{address}/")).collect()
    }

    /// The names of the databases, and the games of each.
    pub fn databases(&self) -> impl Iterator<Item = (&str, u64)> {
        self.state.databases.iter()
    }

    /// What ends it.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.phase.clone())
    }

    /// Serves until a [stopper](Server::stopper) or a signal (SIGTERM, Ctrl-C) ends it. Then it
    /// takes no more requests; the searches that run have some time to end, and are cancelled after
    /// it. A second signal cancels them at once, and waits for no client.
    pub fn run(self) {
        let Server { runtime, listener, state, phase, watched, .. } = self;
        runtime.block_on(connections::serve(listener, state, phase.subscribe()));
        watched.abort();
        runtime.shutdown_timeout(END_TIME);
    }
}

/// Ends the server at the first signal, and its searches at the second one.
#[cfg(unix)]
fn signals(stopper: Stopper) -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        loop {
            tokio::select! {
                _ = terminate.recv() => (),
                _ = interrupt.recv() => (),
            }
            stopper.stop();
        }
    })
}

/// Ends the server at the first signal, and its searches at the second one.
#[cfg(not(unix))]
fn signals(stopper: Stopper) -> std::io::Result<impl Future<Output = ()>> {
    Ok(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            stopper.stop();
        }
    })
}
