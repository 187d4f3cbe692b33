//! The connections of clients, which may be slow, silent, or many.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, Sleep, sleep, sleep_until, timeout};

use crate::limits::{ACCEPT_PAUSE, CANCEL_STEP, END_TIME, LAST_WRITES, MAX_HEAD, OTHER_FILES};
use crate::phase::EndPhase;
use crate::routes::{answer, router};
use crate::state::ServerState;

/// What a connection gets that is one too many.
const TOO_MANY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// Serves connections while the phase is to serve, and then until all requests are answered, or for
/// the grace of the server, or until the next phase.
pub(crate) async fn serve(
    listener: TcpListener,
    state: Arc<ServerState>,
    mut phase: watch::Receiver<EndPhase>,
) {
    let limits = &state.config.limits;
    let places = Arc::new(Semaphore::new(limits.connections.min(open_files())));
    let graceful = GracefulShutdown::new();
    let router = router(Arc::clone(&state));
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head_time).max_buf_size(MAX_HEAD);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = phase.wait_for(|phase| *phase >= EndPhase::Ending) => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(_) => {
                sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            state.metrics.refused_connections.fetch_add(1, Ordering::Relaxed);
            let _ = stream.try_write(TOO_MANY);
            continue;
        };
        // Lines are sent when they are there.
        let _ = stream.set_nodelay(true);
        let io = TokioIo::new(TimedStream::new(stream, limits.write_time));
        let (of_requests, router) = (Arc::clone(&state), router.clone());
        let service =
            service_fn(move |request| respond(Arc::clone(&of_requests), router.clone(), request));
        let connection = graceful.watch(builder.serve_connection(io, service));
        state.metrics.connections.fetch_add(1, Ordering::Relaxed);
        let of_connection = Arc::clone(&state);
        tokio::spawn(async move {
            // A client that goes away is not an error of the server.
            let _ = connection.await;
            of_connection.metrics.connections.fetch_sub(1, Ordering::Relaxed);
            drop(place);
        });
    }
    drop(listener);
    state.end();
    let mut ended = std::pin::pin!(graceful.shutdown());
    let is_late = tokio::select! {
        ended = timeout(limits.grace, &mut ended) => ended.is_err(),
        _ = phase.wait_for(|phase| *phase == EndPhase::Cancelling) => true,
    };
    if is_late {
        if state.is_reading() {
            (state.config.log)("searches that still run are cancelled");
        }
        state.cancel_all();
        let cancelled = async {
            while state.is_reading() {
                sleep(CANCEL_STEP).await;
            }
        };
        let _ = timeout(END_TIME, cancelled).await;
        // A client that reads gets the last line; nobody waits for the others.
        let _ = timeout(LAST_WRITES, ended).await;
    }
}

async fn respond(
    state: Arc<ServerState>,
    router: Router,
    request: Request<Incoming>,
) -> Result<Response<Body>, std::convert::Infallible> {
    Ok(answer(state, router, request.map(Body::new)).await)
}

/// The number of connections for which the system lets the process open files. The limit is raised
/// as far as the system lets it.
fn open_files() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
        let limit = match setrlimit(Resource::Nofile, raised) {
            Ok(()) => limit.maximum,
            Err(_) => limit.current,
        };
        let files = limit.unwrap_or(u64::MAX).saturating_sub(OTHER_FILES).max(1);
        usize::try_from(files).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS)
    }
    #[cfg(not(unix))]
    {
        let _ = OTHER_FILES;
        Semaphore::MAX_PERMITS
    }
}

/// A connection that fails if its client takes no byte for some time.
struct TimedStream {
    stream: TcpStream,
    time: Duration,
    /// When the write that waits fails.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl TimedStream {
    fn new(stream: TcpStream, time: Duration) -> TimedStream {
        TimedStream { stream, time, deadline: None }
    }

    /// The result of a write, or an error if it waits for too long.
    fn timed<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let time = self.time;
        let deadline =
            self.deadline.get_or_insert_with(|| Box::pin(sleep_until(Instant::now() + time)));
        match deadline.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.timed(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.timed(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
