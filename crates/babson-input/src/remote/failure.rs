//! Why a server does not give a file, in words that have no secret in them.

use std::error::Error as _;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use object_store::client::{HttpError, HttpErrorKind};

use crate::limits::{MAX_RETRIES, MIN_RATE};

/// The last status that a server has answered to a request. It travels with the request.
#[derive(Clone, Debug, Default)]
pub(super) struct Status(Arc<AtomicU16>);

/// The request was sent, and has no answer yet.
const SENT: u16 = 1;

impl Status {
    pub(super) fn set_sent(&self) {
        self.set(SENT);
    }

    pub(super) fn set(&self, status: u16) {
        self.0.store(status, Ordering::Relaxed);
    }

    fn get(&self) -> u16 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why a request or its answer has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) kind: FailureKind,
    /// A sentence without secrets.
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailureKind {
    /// The server does not have the file.
    Missing,
    /// The server does not let us read the file.
    Denied,
    /// The server does not give ranges, or not of an empty file.
    NoRanges,
    /// The server has another version of the file now.
    Changed,
    /// The answer has broken off.
    Broken,
    /// The server was silent, or the answer has taken too long.
    Slow,
    /// Anything else.
    Other,
}

/// The request was not sent: the library had nothing to sign it with.
const NO_CREDENTIALS: &str = "there are no credentials, or they cannot be used: set the \
                              variables of the object store (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and \
                              AWS_REGION; GOOGLE_SERVICE_ACCOUNT; AZURE_STORAGE_ACCOUNT_NAME and \
                              AZURE_STORAGE_ACCOUNT_KEY), or AWS_SKIP_SIGNATURE, \
                              GOOGLE_SKIP_SIGNATURE or AZURE_SKIP_SIGNATURE to true for what \
                              everybody may read";

impl Failure {
    pub(super) fn new(kind: FailureKind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into() }
    }

    /// The failure of a request whose server has answered this last.
    pub(super) fn of(error: &object_store::Error, status: &Status) -> Failure {
        use FailureKind as K;

        let (kind, message) = match status.get() {
            401 | 403 => {
                (K::Denied, "the server denies access (%): check the credentials or the signature")
            }
            404 | 410 => (K::Missing, "the server has no such file (%)"),
            412 => return Failure::changed(),
            416 => (K::NoRanges, "the server has no such range of the file (%)"),
            429 => (K::Other, "the server has had too many requests (%): try again later"),
            408 | 504 => (K::Other, "the server has given up (%): try again later"),
            500..=599 => (K::Other, "the server has an error (%): try again later"),
            300..=399 => (K::Other, "the server sends us elsewhere (%): name the file there"),
            400..=499 => (K::Other, "the server refuses the request (%)"),
            200..=299 if matches!(error, object_store::Error::NotSupported { .. }) => {
                (K::NoRanges, "the server does not give ranges of the file")
            }
            SENT.. => return Failure::of_connection(error),
            0 => (K::Denied, NO_CREDENTIALS),
        };
        Failure::new(kind, message.replace('%', &status.get().to_string()))
    }

    /// The failure of a connection, or of an answer that does not keep to the protocol.
    fn of_connection(error: &object_store::Error) -> Failure {
        let mut kind = None;
        let mut reason = String::new();
        let mut cause = error.source();
        while let Some(error) = cause {
            if let Some(error) = error.downcast_ref::<HttpError>() {
                kind = Some(error.kind());
            }
            if let Some(error) = error.downcast_ref::<io::Error>() {
                reason = format!(" ({error})");
            }
            // The last one says what has happened, and does not know the URL.
            if error.source().is_none() && reason.is_empty() && kind.is_some() {
                reason = format!(" ({error})");
            }
            cause = error.source();
        }
        match kind {
            Some(HttpErrorKind::Connect) => {
                Failure::new(FailureKind::Other, format!("no connection to the server{reason}"))
            }
            Some(HttpErrorKind::Timeout) => Failure::slow(),
            Some(
                HttpErrorKind::Request
                | HttpErrorKind::Interrupted
                | HttpErrorKind::Decode
                | HttpErrorKind::Unknown
                | _,
            ) => Failure::new(
                FailureKind::Broken,
                format!("the connection to the server was lost{reason}"),
            ),
            None => Failure::odd(),
        }
    }

    /// The failure of an answer that has begun.
    pub(super) fn of_answer(error: &object_store::Error) -> Failure {
        let failure = Failure::of_connection(error);
        match failure.kind {
            FailureKind::Slow => failure,
            FailureKind::Missing
            | FailureKind::Denied
            | FailureKind::NoRanges
            | FailureKind::Changed
            | FailureKind::Broken
            | FailureKind::Other => Failure { kind: FailureKind::Broken, ..failure },
        }
    }

    /// The failure of an answer with too few or too many bytes.
    pub(super) fn short() -> Failure {
        let message = "the server sends another number of bytes than it says";
        Failure::new(FailureKind::Broken, message)
    }

    pub(super) fn changed() -> Failure {
        let message = "the server has another version of the file now";
        Failure::new(FailureKind::Changed, message)
    }

    pub(super) fn slow() -> Failure {
        let message = format!(
            "the server does not answer, or sends less than {} KiB a second",
            MIN_RATE >> 10
        );
        Failure::new(FailureKind::Slow, message)
    }

    /// A thread has ended too early.
    pub(super) fn ended() -> Failure {
        Failure::new(FailureKind::Other, "the thread of the network has ended")
    }

    /// The process was forked, and the thread of the network belongs to the process before it.
    pub(super) fn forked() -> Failure {
        let message = "the file was opened before this process was forked: open it again";
        Failure::new(FailureKind::Other, message)
    }

    /// An answer without the length of the file, or with another range than the requested one.
    pub(super) fn odd() -> Failure {
        let message = "the server does not say what it sends: its answer has no length, or another \
                       range than the requested one";
        Failure::new(FailureKind::Other, message)
    }

    /// Whether it may help to ask again, after this number of attempts to repair it.
    pub(super) fn may_pass(&self, attempts: usize) -> bool {
        match self.kind {
            FailureKind::Broken => attempts < MAX_RETRIES,
            // Each attempt takes long.
            FailureKind::Slow => attempts < 1,
            FailureKind::Missing
            | FailureKind::Denied
            | FailureKind::NoRanges
            | FailureKind::Changed
            | FailureKind::Other => false,
        }
    }

    pub(super) fn into_error(self) -> io::Error {
        let kind = match self.kind {
            FailureKind::Missing => io::ErrorKind::NotFound,
            FailureKind::Denied => io::ErrorKind::PermissionDenied,
            FailureKind::NoRanges => io::ErrorKind::Unsupported,
            FailureKind::Changed | FailureKind::Other => io::ErrorKind::Other,
            FailureKind::Broken => io::ErrorKind::ConnectionAborted,
            FailureKind::Slow => io::ErrorKind::TimedOut,
        };
        io::Error::new(kind, self.message)
    }

    #[cfg(feature = "table")]
    pub(super) fn message(&self) -> &str {
        &self.message
    }
}
