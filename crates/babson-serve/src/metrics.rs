//! The counters of the server, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::gate::Gate;

/// The counters of the server.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// By the name of the call and the status of the answer.
    requests: Mutex<BTreeMap<(&'static str, u16), RequestCount>>,
    /// Games searched.
    pub(crate) games: AtomicU64,
    /// Games that matched.
    pub(crate) matches: AtomicU64,
    /// Calls that read games or waited for it and were cancelled, because their client went away or
    /// the server ended.
    cancelled: AtomicU64,
    /// Open connections.
    pub(crate) connections: AtomicUsize,
    /// Connections that were closed at once, because there were too many.
    pub(crate) refused_connections: AtomicU64,
}

#[derive(Clone, Copy, Debug, Default)]
struct RequestCount {
    count: u64,
    time: Duration,
}

impl Metrics {
    /// Counts a request, up to the head of its answer.
    pub(crate) fn count_request(&self, call: &'static str, status: u16, time: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let request = requests.entry((call, status)).or_default();
        request.count += 1;
        request.time += time;
    }

    /// Counts a call that was cancelled.
    pub(crate) fn count_cancelled(&self) {
        self.cancelled.fetch_add(1, Ordering::Relaxed);
    }

    /// The text for Prometheus.
    pub(crate) fn text(&self, jobs: &Gate) -> String {
        let mut out = String::new();
        let mut value = |name: &str, kind: &str, help: &str, value: u64| {
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
        };
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        value("babson_jobs_running", "gauge", "Requests that read games.", number(jobs.running()));
        value("babson_jobs_waiting", "gauge", "Requests that wait.", number(jobs.waiting()));
        value("babson_games_searched_total", "counter", "Games searched.", read(&self.games));
        value("babson_matches_total", "counter", "Games that matched.", read(&self.matches));
        let help = "Calls that were cancelled while they read games or waited.";
        value("babson_cancelled_total", "counter", help, read(&self.cancelled));
        let connections = number(self.connections.load(Ordering::Relaxed));
        value("babson_connections", "gauge", "Open connections.", connections);
        let help = "Connections that were refused, because there were too many.";
        let refused = read(&self.refused_connections);
        value("babson_refused_connections_total", "counter", help, refused);
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone();
        out.push_str("# HELP babson_request_seconds Seconds up to the head of the answer.\n");
        out.push_str("# TYPE babson_request_seconds summary\n");
        for ((call, status), request) in requests {
            let labels = format!("{{call=\"{call}\",status=\"{status}\"}}");
            let _ = writeln!(out, "babson_request_seconds_count{labels} {}", request.count);
            let seconds = request.time.as_secs_f64();
            let _ = writeln!(out, "babson_request_seconds_sum{labels} {seconds}");
        }
        out
    }
}
