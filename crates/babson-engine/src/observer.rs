//! The receiver of the events of a scan.

use std::ops::ControlFlow;

use babson_vm::Event;

use crate::error::Error;

/// A receiver of the events of a scan. They come in the order of the games, on the thread that
/// called the scan. A closure is one:
///
/// ```
/// use std::ops::ControlFlow;
///
/// use babson_engine::{Event, Input, Job, Settings, Task, scan};
/// use babson_lang::{Dialect, analyze};
///
/// let job = Job::new(&analyze("mate", Dialect::CQLI).unwrap().query).unwrap();
/// let games = Input::bytes("games", "1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(9).into_bytes());
/// let mut first = None;
/// let mut observer = |event: Event| {
///     Ok(match event {
///         Event::Match { hit, .. } => {
///             first = Some(hit);
///             ControlFlow::Break(())
///         }
///         _ => ControlFlow::Continue(()),
///     })
/// };
/// let summary = scan(&[games], vec![Task::new(job)], &Settings::default(), &mut observer)?;
/// assert_eq!((summary.games, summary.ended_early), (1, true));
/// assert_eq!(first.unwrap().positions[0].mv, "2...Qh4#");
/// # Ok::<(), babson_engine::Error>(())
/// ```
pub trait Observer {
    /// Takes the next event. [`ControlFlow::Break`] means *enough*: no event comes after it, and
    /// the scan ends with the game of this event. That game is complete: all of its matches are
    /// counted and written, also the matches of other queries. Later games do not count. Outputs
    /// are finished, and [`Summary::ended_early`](crate::Summary::ended_early) is set.
    ///
    /// If the event does not belong to a game, the scan ends with the last game that it has counted
    /// so far. The number of threads affects how many games that is at an [`Event::Progress`], and
    /// how many games one [`Event::Message`] covers. A query may already have searched later games.
    /// These games may have changed what the query keeps from game to game, such as persistent
    /// variables, and the files that it writes.
    ///
    /// A plan of slices, the part of a slice and a packed table have all games or do not exist.
    /// While one of them is made, *enough* ends the work with [`Error::Stopped`]. A scan that can
    /// be resumed ends with this error too while it searches slices, and the next run continues it.
    /// While it merges them, it ends early as any scan does.
    ///
    /// # Errors
    /// An error ends the scan. The command does not print [`Error::ClosedPipe`]; at a message it
    /// ends the scan only if nobody reads anything else.
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error>;

    /// Whether a match comes as data ([`Event::Match`], the default) or only as the number of its
    /// game ([`Event::Matched`]), which is faster.
    fn takes_matches(&self) -> bool {
        true
    }

    /// Whether the messages of several games may come as one event ([`Event::Message`], the
    /// default), which is faster. Otherwise each game has its own event, with its number.
    fn joins_messages(&self) -> bool {
        true
    }
}

impl<F: FnMut(Event) -> Result<ControlFlow<()>, Error>> Observer for F {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        self(event)
    }
}

/// Tells an observer, after these games, of an event of work that is whole or does not exist.
///
/// # Errors
/// As [`Observer::event`]; or the observer has enough.
pub(crate) fn tell(observer: &mut dyn Observer, event: Event, games: u64) -> Result<(), Error> {
    match observer.event(event)? {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::ended_early(games)),
    }
}

/// An observer that ignores all events.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&mut self, _event: Event) -> Result<ControlFlow<()>, Error> {
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}
