//! What queries reach outside of the games, on this system.

mod children;
mod files;
mod pipe;

use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use babson_vm::{Host, HostError, Pipe};

use children::Children;
pub use children::KilledChildren;
use files::check_regular;
pub use files::{read_regular_file, read_up_to};
use pipe::ProcessPipe;

/// How long a program of `commandpipe` may take to answer, its start included, unless
/// [`SystemHost::with_pipe_timeout`] says otherwise.
pub const DEFAULT_PIPE_TIMEOUT: Duration = Duration::from_secs(10);

/// The host that opens files and starts programs of this system.
///
/// It owns the programs that it has started. A clone is a handle of the same host, so whoever keeps
/// one can [kill](SystemHost::kill_children) the programs of a run. Two hosts do not know of each
/// other.
///
/// ```
/// use std::sync::Arc;
///
/// use babson_engine::SystemHost;
/// use babson_lang::{Dialect, analyze};
/// use babson_vm::{Machine, Program, RunOptions};
///
/// let query = analyze(r#"cqlbegin { message(commandpipe("cat" "hello")) } true"#, Dialect::CQLI);
/// let program = Program::compile(&query.unwrap().query).unwrap();
/// let host = SystemHost::new();
/// let options = RunOptions { host: Arc::new(host.clone()), ..RunOptions::default() };
/// assert_eq!(Machine::new(program).begin(&options, None).messages, b"hello\n");
/// ```
#[derive(Clone, Debug)]
pub struct SystemHost {
    children: Arc<Children>,
    pipe_timeout: Duration,
    /// When the time of the clock was zero.
    started: Instant,
}

impl Default for SystemHost {
    fn default() -> SystemHost {
        SystemHost::new()
    }
}

impl SystemHost {
    /// A host without programs.
    pub fn new() -> SystemHost {
        SystemHost {
            children: Arc::default(),
            pipe_timeout: DEFAULT_PIPE_TIMEOUT,
            started: Instant::now(),
        }
    }

    /// A handle of the same host whose programs must answer in this time; zero for any time.
    #[must_use]
    pub fn with_pipe_timeout(&self, pipe_timeout: Duration) -> SystemHost {
        SystemHost { pipe_timeout, ..self.clone() }
    }

    /// Kills the programs that the host has started, with their children. No other can be started
    /// from now on. Threads that start or end a program wait until the result is dropped, so that a
    /// process that is about to end can keep them from telling that their programs are gone.
    pub fn kill_children(&self) -> KilledChildren<'_> {
        self.children.kill()
    }
}

impl Host for SystemHost {
    fn read_file(&self, name: &str, limit: usize) -> Result<Vec<u8>, HostError> {
        Ok(read_regular_file(name.as_ref(), limit)?)
    }

    fn write_file(&self, name: &str, text: &[u8], append: bool) -> Result<(), HostError> {
        check_regular(name.as_ref())?;
        let mut options = OpenOptions::new();
        options.create(true).write(true).append(append).truncate(!append);
        Ok(options.open(name)?.write_all(text)?)
    }

    fn start_program(&self, command: &[String]) -> Result<Box<dyn Pipe>, HostError> {
        Ok(Box::new(ProcessPipe::start(command, self.pipe_timeout, &self.children)?))
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests;
