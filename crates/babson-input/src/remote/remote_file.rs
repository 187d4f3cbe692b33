//! A file on a server or in an object store.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use url::{Host, Url};

use super::connection::{Connection, Version, plain_endpoint};
use super::failure::{Failure, FailureKind};
use super::per_process::PerProcess;
use super::text::RemoteText;
use super::{Traffic, is_azure, without_query};
use crate::error::InputError;
use crate::limits::{MAX_BEGINNING, MAX_CACHE, MAX_SILENCE};

/// A file on a server or in an object store: the value of [`Input::Remote`](crate::Input::Remote).
///
/// Clones share a connection, what was read of a table, and the version of the file: the first
/// answer of the server decides the version, and an answer with another one is an error. A process
/// that is forked later shares nothing of this: it asks the server itself.
#[derive(Clone)]
pub struct RemoteFile(Arc<RemoteState>);

struct RemoteState {
    url: Url,
    /// The URL without its query.
    name: String,
    /// The URL as a path.
    path: PathBuf,
    silence: Duration,
    cache: AtomicU64,
    server: PerProcess<ServerState>,
}

/// What a process knows from the server of a file.
#[derive(Default)]
struct ServerState {
    connection: OnceLock<Result<Arc<Connection>, Failure>>,
    contents: OnceLock<Result<Contents, Failure>>,
    is_changed: AtomicBool,
    #[cfg(feature = "table")]
    ranges: OnceLock<Arc<super::ranges::RemoteRanges>>,
}

/// What the first answer tells of a file.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    pub(super) version: Version,
    /// Its first bytes; none if the server gives no ranges.
    beginning: Bytes,
    /// Whether the server gives ranges of it.
    pub(super) has_ranges: bool,
}

impl RemoteFile {
    /// The file of a URL, without a look at it.
    ///
    /// # Errors
    /// The name is not a URL of a file, or has something in it that does not belong there.
    pub(crate) fn parse(name: &Path) -> Result<RemoteFile, InputError> {
        RemoteFile::with_silence(name, MAX_SILENCE)
    }

    /// The same with a server that may be silent for this time.
    pub(super) fn with_silence(name: &Path, silence: Duration) -> Result<RemoteFile, InputError> {
        let shown = without_query(name);
        let fail = |reason: &str| {
            let source = io::Error::new(io::ErrorKind::InvalidInput, reason);
            Err(InputError::Read { path: shown.clone(), source })
        };
        let url = name.to_str().and_then(|name| Url::parse(name).ok());
        let Some(mut url) = url.filter(Url::has_host) else {
            return fail("it is not a URL of a file, as https://host/games.arrow is");
        };
        let is_http = matches!(url.scheme(), "http" | "https");
        let has_user = !url.username().is_empty() && !is_azure(url.scheme());
        if has_user || url.password().is_some() {
            return fail(
                "a URL with a user or a password is not read: use a signed URL, or the variables of the environment",
            );
        }
        if url.query().is_some() && !is_http {
            return fail("only URLs of http and https have a query: leave it out");
        }
        if url.path().ends_with('/') || url.path().is_empty() {
            return fail("it is the URL of a folder: name a file in it");
        }
        url.set_fragment(None);
        Ok(RemoteFile(Arc::new(RemoteState {
            path: PathBuf::from(url.as_str()),
            url,
            name: shown,
            silence,
            cache: AtomicU64::new(MAX_CACHE),
            server: PerProcess::new(),
        })))
    }

    fn server(&self) -> &ServerState {
        self.0.server.get()
    }

    /// The name in messages: the URL without its query, which may be a signature.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The URL with its query, which may be a secret.
    pub fn url(&self) -> &Path {
        &self.0.path
    }

    /// Whether the URL has a query, as signed URLs do.
    pub fn has_query(&self) -> bool {
        self.0.url.query().is_some()
    }

    /// Whether the file comes over a network without encryption, so that others can read and change
    /// it on its way: by `http`, and not from this machine.
    pub fn is_insecure(&self) -> bool {
        let url = match self.0.url.scheme() {
            "https" => return false,
            "http" => self.0.url.clone(),
            scheme => match plain_endpoint(scheme).and_then(|url| Url::parse(&url).ok()) {
                Some(url) => url,
                None => return false,
            },
        };
        match url.host() {
            Some(Host::Domain(name)) => name != "localhost" && !name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => !address.is_loopback(),
            Some(Host::Ipv6(address)) => !address.is_loopback(),
            None => true,
        }
    }

    /// Sets how many bytes of a table are kept in memory once they were read: 64 MiB unless it is
    /// set. Has an effect until the file is opened.
    pub fn set_cache(&self, bytes: u64) {
        self.0.cache.store(bytes, Ordering::Relaxed);
    }

    /// What was read of the file so far, by all clones.
    pub fn traffic(&self) -> Traffic {
        match self.server().connection.get() {
            Some(Ok(connection)) => connection.traffic(),
            Some(Err(_)) | None => Traffic::default(),
        }
    }

    /// The length of the file in bytes. The first call asks the server.
    ///
    /// # Errors
    /// The server does not tell.
    pub fn length(&self) -> io::Result<u64> {
        Ok(self.contents().map_err(Failure::into_error)?.version.length)
    }

    /// The first bytes of the file, at least as many as a signature has if the file is as long.
    pub(crate) fn beginning(&self) -> io::Result<Vec<u8>> {
        let contents = self.contents().map_err(Failure::into_error)?;
        Ok(contents.beginning.to_vec())
    }

    /// Whether the server has answered with another version of the file.
    pub(crate) fn is_changed(&self) -> bool {
        self.server().is_changed.load(Ordering::Relaxed)
    }

    /// The bytes from an offset on.
    pub(crate) fn read_from(&self, offset: u64) -> Box<dyn Read + Send> {
        Box::new(RemoteText::new(self.clone(), offset))
    }

    /// Reads a range of the file, for instance for a checksum.
    ///
    /// # Errors
    /// The server does not give it.
    pub fn read_range(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut text = self.read_from(range.start).take(range.end.saturating_sub(range.start));
        text.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The ranges of a table.
    #[cfg(feature = "table")]
    pub(crate) fn ranges(&self) -> io::Result<Arc<super::ranges::RemoteRanges>> {
        let contents = self.contents().map_err(Failure::into_error)?;
        if !contents.has_ranges {
            let message = "the server does not give ranges of the file, as a search of a game \
                           table needs them: get a copy of the file and search that";
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        let cache = self.0.cache.load(Ordering::Relaxed);
        let new =
            || Arc::new(super::ranges::RemoteRanges::new(self, contents.version.length, cache));
        Ok(Arc::clone(self.server().ranges.get_or_init(new)))
    }

    pub(super) fn connection(&self) -> Result<Arc<Connection>, Failure> {
        let open = || Connection::open(&self.0.url, self.0.silence).map(Arc::new);
        self.server().connection.get_or_init(open).clone()
    }

    /// What the first answer of the server tells. A failure is kept too, so that the server is not
    /// asked again for a file that it does not give.
    pub(super) fn contents(&self) -> Result<Contents, Failure> {
        self.server().contents.get_or_init(|| self.ask()).clone()
    }

    fn ask(&self) -> Result<Contents, Failure> {
        let connection = self.connection()?;
        let asking = Arc::clone(&connection);
        connection.run(async move {
            match asking.read(0..MAX_BEGINNING, None).await {
                Ok((version, beginning)) => Ok(Contents { version, beginning, has_ranges: true }),
                // It is empty, or the server gives only all of it.
                Err(failure) if failure.kind == FailureKind::NoRanges => {
                    let version = asking.ask(None).await?.version;
                    Ok(Contents { version, beginning: Bytes::new(), has_ranges: false })
                }
                Err(failure) => Err(failure),
            }
        })?
    }

    /// Notes a failure that says that the file has changed.
    pub(super) fn note(&self, failure: Failure) -> Failure {
        if failure.kind == FailureKind::Changed {
            self.server().is_changed.store(true, Ordering::Relaxed);
        }
        failure
    }

    /// The same file, without holding what was read of it.
    #[cfg(feature = "table")]
    pub(super) fn weak(&self) -> WeakFile {
        WeakFile(Arc::downgrade(&self.0))
    }
}

/// A remote file that may be gone.
#[cfg(feature = "table")]
pub(super) struct WeakFile(std::sync::Weak<RemoteState>);

#[cfg(feature = "table")]
impl WeakFile {
    pub(super) fn note(&self, failure: Failure) -> Failure {
        match self.0.upgrade() {
            Some(file) => RemoteFile(file).note(failure),
            None => failure,
        }
    }
}

/// The name alone: the URL may be a secret.
impl fmt::Debug for RemoteFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RemoteFile").field(&self.0.name).finish()
    }
}

/// The URLs are equal.
impl PartialEq for RemoteFile {
    fn eq(&self, other: &RemoteFile) -> bool {
        self.0.url == other.0.url
    }
}

impl Eq for RemoteFile {}
