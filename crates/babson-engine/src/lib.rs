//! Babson's scanner: inputs, chunks, worker pool, ordered merge and sinks.
