//! The channels and the queue between threads, which are those of crossbeam: several threads may
//! take from one. No other module names it.

pub(crate) use crossbeam::channel::{Receiver, Sender, bounded, unbounded};
pub(crate) use crossbeam::queue::ArrayQueue;
