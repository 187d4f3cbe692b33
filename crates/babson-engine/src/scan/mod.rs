//! The scan: the inputs are cut into chunks, the chunks are searched, the results are merged.

mod count;
mod events;
mod own_files;

#[cfg(test)]
pub(crate) mod tests;

use babson_input::chunk::{Cutter, chunk_size};
use babson_input::{Input, InputStamps};
use babson_pgn::Game;
use babson_vm::{Outcome, Sharing};

use crate::collect::StoredMatch;
use crate::drive::{BatchTaker as _, ChunkQueue, last_wanted, many_threads, one_thread};
use crate::error::Error;
use crate::job::Job;
use crate::merge::Merger;
use crate::observer::Observer;
use crate::output::Unpublished;
use crate::sink::MatchedGame;
use crate::summary::Summary;
use crate::task::{Settings, Task};
use crate::worker::{Plan, Worker};
pub use count::count;
use count::count_until;
pub use events::RunningScan;
pub(crate) use own_files::own_files;

/// Runs all jobs on the games of all inputs, each game replayed once.
///
/// Games are numbered consecutively over all inputs. The events and every byte of the outputs are
/// the same for any number of threads.
///
/// An input that is damaged or cannot be read does not end the scan: its games before the damage
/// are searched, [`Event::BrokenInput`](crate::Event::BrokenInput) tells of it, and the scan goes
/// on with the next input. [`Summary::broken_inputs`] lists such inputs.
///
/// # Errors
/// No game of any input can be read, an input has changed while it was read, an output cannot be
/// written, the system starts no thread, or a query needs something that the inputs do not have. No
/// output is created then. If a query needs the number of all games (`lastgamenumber`), each input
/// must be whole. A pipe whose reader goes away is an error, [`Error::ClosedPipe`], only if all
/// remaining output would go to such pipes. A panic, also of a sink or of the observer, is the
/// error [`Error::Panicked`]. A job that its own query ended is not an error: see
/// [`QuerySummary::stopped`](crate::QuerySummary::stopped).
pub fn scan(
    inputs: &[Input],
    tasks: Vec<Task>,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let (summary, outputs) = scan_unpublished(inputs, tasks, settings, observer)?;
    outputs.publish()?;
    Ok(summary)
}

/// As [`scan`], but returns the outputs for the caller to publish, perhaps together with others.
///
/// # Errors
/// As [`scan`].
pub fn scan_unpublished(
    inputs: &[Input],
    tasks: Vec<Task>,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<(Summary, Unpublished), Error> {
    Error::catch(|| scan_uncaught(inputs, tasks, settings, observer, None))
}

/// A matching game as it is in its input: see [`matching_games`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundGame {
    /// Its number, from 1 over all inputs.
    pub number: u64,
    /// Its text; of a game of a table a text with the same tags and moves.
    pub text: Vec<u8>,
    /// The name of its input; of a game of a table, the file that it comes from.
    pub input: String,
    /// Its number in the input, from 1.
    pub input_number: u64,
    /// The offset of its first byte in the (decompressed) input.
    pub offset: u64,
    /// The length of its text there.
    pub length: u64,
    /// The line there that its text begins on, from 1.
    pub line: u64,
}

impl FoundGame {
    /// The game as outputs get it, without traces. `game` was read from its text.
    pub fn matched<'h>(
        &'h self,
        game: &'h Game<'h>,
        outcome: &'h Outcome,
        job: &'h Job,
    ) -> MatchedGame<'h> {
        MatchedGame {
            game,
            outcome,
            traces: &[],
            job,
            number: self.number,
            input: &self.input,
            input_number: self.input_number,
            offset: self.offset,
            length: self.length,
            line: self.line,
        }
    }
}

/// As [`scan`], but returns the games that the job matches, which are held in memory.
///
/// ```
/// use babson_engine::{Input, Job, Settings, Silent, matching_games};
/// use babson_lang::{Dialect, analyze};
///
/// let job = Job::new(&analyze("mate", Dialect::CQLI).unwrap().query).unwrap();
/// let games = Input::bytes("games", *b"1. e4 *\n\n[White \"Ann\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
/// let (summary, found) = matching_games(&[games], job, &Settings::default(), &mut Silent)?;
/// assert_eq!((summary.games, found.len(), found[0].number, found[0].line), (2, 1, 2, 3));
/// assert!(found[0].text.starts_with(b"[White \"Ann\"]"));
/// # Ok::<(), babson_engine::Error>(())
/// ```
///
/// # Errors
/// As [`scan`].
pub fn matching_games(
    inputs: &[Input],
    job: Job,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<(Summary, Vec<FoundGame>), Error> {
    let mut kept = Vec::new();
    let tasks = vec![Task::new(job)];
    let scanned =
        Error::catch(|| scan_uncaught(inputs, tasks, settings, observer, Some(&mut kept)));
    let (summary, outputs) = scanned?;
    outputs.publish()?;
    let found = kept.into_iter().map(|hit| FoundGame {
        number: hit.game,
        input: hit
            .source
            .unwrap_or_else(|| inputs.get(hit.input).map(Input::name).unwrap_or_default()),
        input_number: hit.input_number,
        offset: hit.offset,
        length: hit.length.unwrap_or(hit.text.len() as u64),
        line: hit.line,
        text: hit.text,
    });
    Ok((summary, found.collect()))
}

/// Runs the jobs. Their matching games are added to `kept`, if there is one.
fn scan_uncaught(
    inputs: &[Input],
    tasks: Vec<Task>,
    settings: &Settings,
    observer: &mut dyn Observer,
    kept: Option<&mut Vec<StoredMatch>>,
) -> Result<(Summary, Unpublished), Error> {
    tasks.iter().try_for_each(|task| task.job.check())?;
    let names = inputs.iter().map(Input::name).collect();
    let own_files = own_files(inputs, &tasks, settings)?;
    let rows = observer.takes_matches();
    let (mut plan, sinks) = Plan::new(tasks, names, settings, rows);
    if kept.is_some() {
        plan.read_positions();
    }
    let mut counted = None;
    if plan.jobs.iter().any(|job| job.wants_last_number) {
        counted = Some(InputStamps::of(inputs)?);
        plan.last_number = Some(count_until(inputs, settings)?);
    }
    let mut merger = Merger::new(&plan, sinks, settings, own_files, observer, kept)?;
    let threads =
        if plan.jobs.iter().any(needs_one_thread) { 1 } else { settings.search_threads() };
    let cutter = Cutter::new(inputs, chunk_size(Input::total_size(inputs), threads))
        .with_long_texts(settings.written_rejects().is_some())
        .with_mapping(settings.mapped);
    let queue = ChunkQueue::new(cutter, last_wanted(&plan)).for_plan(&plan);
    let mut worker = Worker::new(&plan, merger.fillers());
    merger.take_blocks(worker.begin())?;
    let searched = match threads {
        1 => one_thread(&queue, &mut worker, &mut merger).map(|()| 1),
        _ => many_threads(&queue, &mut worker, &mut merger, threads),
    };
    let threads = searched.map_err(|error| error.after_searching(merger.summary.games))?;
    merger.check_inputs(inputs.len())?;
    if let Some(stamps) = counted {
        stamps.check()?;
    }
    merger.take_blocks(worker.end())?;
    if let Some(stopped) = worker.stopped() {
        return Err(Error::Stopped { stopped, games: merger.summary.games });
    }
    merger.take_closed(worker.close());
    let states = worker.final_states(settings.dictionaries);
    let (mut summary, outputs) = merger.finish()?;
    summary.threads = threads;
    summary.take_states(states);
    Ok((summary, outputs))
}

/// Whether the games must be run in order: a game may depend on persistent variables of an earlier
/// one, or on the number of earlier matches.
fn needs_one_thread(job: &Job) -> bool {
    match job.program.sharing() {
        Sharing::Nothing => false,
        Sharing::Joined => job.limit.is_some(),
        Sharing::InOrder(_) => true,
    }
}
