//! The channels and the queue between threads, from crossbeam, because several threads may take
//! from one. No other module names that crate.

pub(crate) use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
pub(crate) use crossbeam::queue::ArrayQueue;
