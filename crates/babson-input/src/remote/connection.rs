//! The connection to the server of a file: requests for the file or for ranges of it.

use std::fmt;
use std::future::Future;
use std::ops::Range;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpService, ReqwestConnector,
};
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{
    BackoffConfig, ClientOptions, GetOptions, GetRange, GetResult, ObjectStore, RetryConfig,
};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Semaphore;
use url::Url;

use super::Traffic;
use super::failure::{Failure, FailureKind, Status};
use super::per_process::PerProcess;
use crate::limits::{MAX_REQUESTS, MAX_RETRIES, MIN_RATE};

/// A file on a server, to which requests can be sent.
pub(super) struct Connection {
    store: Box<dyn ObjectStore>,
    path: Path,
    network: Arc<Network>,
    traffic: Arc<Counters>,
    /// How long the server may be silent.
    silence: Duration,
    requests: Semaphore,
}

/// What was sent and read.
#[derive(Debug, Default)]
struct Counters {
    requests: AtomicU64,
    bytes: AtomicU64,
}

/// What identifies the contents of a file, as the server tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) length: u64,
    tag: Option<String>,
    /// In seconds; 0 if the server does not tell.
    modified: i64,
}

/// An answer of a server.
pub(super) struct Answer {
    pub(super) version: Version,
    pub(super) bytes: futures_util::stream::BoxStream<'static, object_store::Result<Bytes>>,
}

impl Connection {
    /// Prepares the connection. Nothing is sent yet.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the URL or with the settings of the object store.
    pub(super) fn open(url: &Url, silence: Duration) -> Result<Connection, Failure> {
        let wrong = |_: object_store::Error| {
            let message = "its URL, or the settings of the object store in the environment, are \
                           wrong or not complete";
            Failure::new(FailureKind::Other, message)
        };
        // Another part of the program may have chosen another provider: it is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let network = Network::get()?;
        let traffic = Arc::new(Counters::default());
        let connector = Connector(Arc::clone(&traffic));
        let options = ClientOptions::new()
            .with_timeout_disabled()
            .with_connect_timeout(silence)
            .with_read_timeout(silence)
            .with_allow_http(url.scheme() == "http" || has_plain_endpoint(url.scheme()));
        let retry = RetryConfig {
            backoff: BackoffConfig { max_backoff: Duration::from_secs(5), ..Default::default() },
            max_retries: MAX_RETRIES,
            retry_timeout: silence,
        };
        let path = || {
            let wrong = |_| Failure::new(FailureKind::Other, "its URL does not name a file");
            Path::from_url_path(url.path()).map_err(wrong)
        };
        // The client of the library makes threads of its runtime.
        let handle = network.handle.clone();
        let _entered = handle.enter();
        let (store, path): (Box<dyn ObjectStore>, _) = match url.scheme() {
            "s3" | "s3a" => {
                let store = AmazonS3Builder::from_env().with_url(url.as_str());
                let store = store.with_client_options(options).with_retry(retry);
                (Box::new(store.with_http_connector(connector).build().map_err(wrong)?), path()?)
            }
            "gs" => {
                let store = GoogleCloudStorageBuilder::from_env().with_url(url.as_str());
                let store = store.with_client_options(options).with_retry(retry);
                (Box::new(store.with_http_connector(connector).build().map_err(wrong)?), path()?)
            }
            "az" | "abfs" | "abfss" => {
                let store = MicrosoftAzureBuilder::from_env().with_url(url.as_str());
                let store = store.with_client_options(options).with_retry(retry);
                (Box::new(store.with_http_connector(connector).build().map_err(wrong)?), path()?)
            }
            // The whole URL is the base, so that its query and its escapes stay as they are.
            _ => {
                let store = HttpBuilder::new().with_url(url.as_str());
                let store = store.with_client_options(options).with_retry(retry);
                let store = store.with_http_connector(connector).build().map_err(wrong)?;
                (Box::new(store), Path::default())
            }
        };
        let requests = Semaphore::new(MAX_REQUESTS);
        Ok(Connection { store, path, network, traffic, silence, requests })
    }

    pub(super) fn traffic(&self) -> Traffic {
        Traffic {
            requests: self.traffic.requests.load(Ordering::Relaxed),
            bytes: self.traffic.bytes.load(Ordering::Relaxed),
        }
    }

    /// Runs something on the thread of the network and waits for it. The caller may be a thread of
    /// another runtime.
    pub(super) fn run<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Failure> {
        self.start(future).recv().map_err(|_| self.ended())
    }

    /// Runs something on the thread of the network. If that has ended, nothing comes: then
    /// [`ended`](Connection::ended) says why.
    pub(super) fn start<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> mpsc::Receiver<T> {
        let (sender, receiver) = mpsc::channel();
        if !self.network.is_of_other_process() {
            self.network.handle.spawn(async move {
                // Nobody may be waiting any more.
                let _ = sender.send(future.await);
            });
        }
        receiver
    }

    /// Why nothing comes from the thread of the network.
    pub(super) fn ended(&self) -> Failure {
        match self.network.is_of_other_process() {
            true => Failure::forked(),
            false => Failure::ended(),
        }
    }

    /// How long the server may be silent.
    pub(super) fn silence(&self) -> Duration {
        self.silence
    }

    /// Asks for the file, or for a range of it. The library repeats requests, but no more once the
    /// server was silent for long.
    pub(super) async fn ask(&self, range: Option<Range<u64>>) -> Result<Answer, Failure> {
        let status = Status::default();
        let mut options = GetOptions { range: range.map(GetRange::Bounded), ..Default::default() };
        options.extensions.insert(status.clone());
        let answer = self.store.get_opts(&self.path, options).await;
        let answer: GetResult = answer.map_err(|error| Failure::of(&error, &status))?;
        let version = Version {
            length: answer.meta.size,
            tag: answer.meta.e_tag.clone(),
            modified: answer.meta.last_modified.timestamp(),
        };
        Ok(Answer { version, bytes: answer.into_stream() })
    }

    /// Counts bytes that have come.
    pub(super) fn count(&self, bytes: usize) {
        self.traffic.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Reads a range, again if the answer breaks off. Returns the version of the file, too. The
    /// range may end after the file.
    pub(super) async fn read(
        &self,
        range: Range<u64>,
        expected: Option<&Version>,
    ) -> Result<(Version, Bytes), Failure> {
        let _permit = self.requests.acquire().await.map_err(|_| Failure::ended())?;
        let mut delay = Duration::from_millis(100);
        for attempt in 0.. {
            match self.read_once(range.clone(), expected).await {
                Err(failure) if failure.may_pass(attempt) => {
                    tokio::time::sleep(delay).await;
                    delay *= 2;
                }
                answer => return answer,
            }
        }
        Err(Failure::slow())
    }

    async fn read_once(
        &self,
        range: Range<u64>,
        expected: Option<&Version>,
    ) -> Result<(Version, Bytes), Failure> {
        let mut answer = self.ask(Some(range.clone())).await?;
        if expected.is_some_and(|expected| *expected != answer.version) {
            return Err(Failure::changed());
        }
        let length = range.end.min(answer.version.length).saturating_sub(range.start);
        let limit = self.silence.saturating_add(Duration::from_secs(length / MIN_RATE));
        let bytes = async {
            let mut bytes = BytesMut::new();
            while let Some(part) = answer.bytes.next().await {
                let part = part.map_err(|error| Failure::of_answer(&error))?;
                self.count(part.len());
                bytes.extend_from_slice(&part);
            }
            Ok(bytes.freeze())
        };
        let bytes = tokio::time::timeout(limit, bytes).await;
        let bytes = bytes.unwrap_or_else(|_| Err(Failure::slow()))?;
        match bytes.len() as u64 == length {
            true => Ok((answer.version, bytes)),
            false => Err(Failure::short()),
        }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The store knows credentials.
        f.debug_struct("Connection").field("traffic", &self.traffic).finish_non_exhaustive()
    }
}

/// Whether the environment says that the object store of a scheme is spoken to without encryption,
/// as one on this machine is.
pub(super) fn has_plain_endpoint(scheme: &str) -> bool {
    plain_endpoint(scheme).is_some()
}

/// The URL of the object store of a scheme, if the environment names one without encryption.
pub(super) fn plain_endpoint(scheme: &str) -> Option<String> {
    let names: &[&str] = match scheme {
        "s3" | "s3a" => &["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"],
        "az" | "abfs" | "abfss" => &["AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT"],
        "gs" => &["GOOGLE_BASE_URL"],
        _ => &[],
    };
    let mut endpoints = names.iter().filter_map(|name| std::env::var(name).ok());
    endpoints.find(|endpoint| endpoint.to_ascii_lowercase().starts_with("http://"))
}

/// The thread on which all requests of the process run. It ends with the last remote file.
struct Network {
    handle: Handle,
    /// Until it is dropped.
    runtime: Option<Runtime>,
    process: u32,
}

/// The thread that is running.
static NETWORK: PerProcess<Mutex<Weak<Network>>> = PerProcess::new();

impl Network {
    fn get() -> Result<Arc<Network>, Failure> {
        let mut shared = NETWORK.get().lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(network) = shared.upgrade() {
            return Ok(network);
        }
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| {
            Failure::new(FailureKind::Other, format!("no thread for the network: {error}"))
        })?;
        let (handle, process) = (runtime.handle().clone(), std::process::id());
        let network = Arc::new(Network { handle, runtime: Some(runtime), process });
        *shared = Arc::downgrade(&network);
        Ok(network)
    }

    /// Whether this process was forked after the thread was started, so that it has no such thread.
    fn is_of_other_process(&self) -> bool {
        self.process != std::process::id()
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        let Some(runtime) = self.runtime.take() else { return };
        match self.is_of_other_process() {
            // Its threads may have held locks that it needs to end.
            true => std::mem::forget(runtime),
            // To wait for its end would be an error in a thread of another runtime.
            false => runtime.shutdown_background(),
        }
    }
}

/// Makes clients that count requests and remember the status of answers.
#[derive(Debug)]
struct Connector(Arc<Counters>);

#[derive(Debug)]
struct CountingService {
    client: HttpClient,
    counters: Arc<Counters>,
}

impl HttpConnector for Connector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = ReqwestConnector::default().connect(options)?;
        Ok(HttpClient::new(CountingService { client, counters: Arc::clone(&self.0) }))
    }
}

impl HttpService for CountingService {
    fn call<'s, 'f>(
        &'s self,
        request: HttpRequest,
    ) -> Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'f>>
    where
        's: 'f,
        Self: 'f,
    {
        Box::pin(async move {
            let status = request.extensions().get::<Status>().cloned();
            self.counters.requests.fetch_add(1, Ordering::Relaxed);
            if let Some(status) = &status {
                status.set_sent();
            }
            let answer = self.client.execute(request).await?;
            if let Some(status) = &status {
                status.set(answer.status().as_u16());
            }
            Ok(answer)
        })
    }
}
