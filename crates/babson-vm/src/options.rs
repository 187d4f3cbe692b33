//! The options of a run that the query does not decide.

use std::sync::Arc;
use std::time::Duration;

use babson_chess::VariantNames;
use babson_lang::Dialect;
use babson_lang::hir::CommentLevel;
use babson_lang::imports::{ImportFiles, LibraryOnly};
use babson_pgn::Layout;

use crate::limits::DEFAULT_KEPT_ENTRIES;
use crate::stop::StopSignal;
use crate::{Host, RefusingHost};

/// Default of [`RunOptions::steps`]: a few seconds of one core.
pub const DEFAULT_STEPS: u64 = 50_000_000;

/// Default of [`RunOptions::memory`]: 64 MiB.
pub const DEFAULT_MEMORY: usize = 64 << 20;

/// The options of a run. An option at its default leaves the decision to the header of the query.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// How much is commented; [`CommentLevel::Normal`] leaves it to the header.
    pub comment_level: CommentLevel,
    /// The match comment instead of the header's; empty for none.
    pub match_string: Option<String>,
    /// Whether the comment `Game number N` is made. Only if `cql6_output` is set too.
    pub header: bool,
    /// Comments in the order of CQL 6.2: sort header last, game number first.
    pub cql6_output: bool,
    /// Whether variations are visited; `None` leaves it to the header. Without variations, the
    /// query sees only the main line.
    pub variations: Option<bool>,
    /// `-alwayscomment`: comments are never undone and `sort` keeps all.
    pub always_comment: bool,
    /// `-noremovecomment`: `removecomment` only matches.
    pub no_remove_comment: bool,
    /// `-nosettag`: `settag` is evaluated but sets nothing.
    pub no_set_tag: bool,
    /// `--noremovetag`: `removetag` is evaluated but removes nothing.
    pub no_remove_tag: bool,
    /// `-nosortcomments`: `sort` does not filter comments.
    pub no_sort_comments: bool,
    /// `-nolinearize`: `move` filters in a constituent of `line` see all continuations.
    pub no_linearize: bool,
    /// `--keepallbest`: `sort` keeps the comments of all ties.
    pub keep_all_best: bool,
    /// Whether equal comments of one position are written once.
    pub unique_comments: bool,
    /// Inclusive range of numbers of matching positions, instead of the header's.
    pub match_count: Option<(i32, i32)>,
    /// Ends the evaluation of a game at its first matching position, in the order of ids: the
    /// outcome has no other, and comments, messages, sort keys and variables are as that position
    /// leaves them. Then a range of [`match_count`](RunOptions::match_count) from 2 on never holds.
    pub first_match: bool,
    /// Evaluation steps (turns of loops and searches) that one game may take.
    pub steps: u64,
    /// Bytes of text and of dictionary entries that one game may make; more than 1 GiB is the same
    /// as 1 GiB.
    pub memory: usize,
    /// Bytes of dictionary entries that outlive their game, over the whole run. A query that goes
    /// beyond it ends the run.
    pub kept_entries: usize,
    /// Stops the run from outside, before its end.
    pub stop: StopSignal,
    /// The time that the run may take. A search or a scan makes a
    /// [deadline](StopSignal::deadline) of it when it begins; a machine, which runs single games,
    /// does not. In WebAssembly outside of a system, where Rust has no clock, it is ignored.
    pub timeout: Option<Duration>,
    /// What `readfile`, `writefile` and `commandpipe` reach, and the clock of profiles. The default
    /// refuses: see [`RefusingHost`].
    pub host: Arc<dyn Host>,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            comment_level: CommentLevel::Normal,
            match_string: None,
            header: true,
            cql6_output: false,
            variations: None,
            always_comment: false,
            no_remove_comment: false,
            no_set_tag: false,
            no_remove_tag: false,
            no_sort_comments: false,
            no_linearize: false,
            keep_all_best: false,
            unique_comments: true,
            match_count: None,
            first_match: false,
            steps: DEFAULT_STEPS,
            memory: DEFAULT_MEMORY,
            kept_entries: DEFAULT_KEPT_ENTRIES,
            stop: StopSignal::default(),
            timeout: None,
            host: Arc::new(RefusingHost),
        }
    }
}

impl RunOptions {
    /// The default options of queries in this dialect: the comments of CQL 6.2 are in its order.
    pub fn in_dialect(dialect: Dialect) -> RunOptions {
        RunOptions { cql6_output: !dialect.separate_comments, ..RunOptions::default() }
    }

    /// The layout in which matches are written as PGN.
    pub fn layout(&self) -> Layout {
        if self.cql6_output { Layout::CQL6 } else { Layout::CQLI }
    }
}

/// What a machine must know of a game beyond its text.
#[derive(Clone, Copy, Debug)]
pub struct GameContext<'o> {
    /// Its number, from 1, over all inputs.
    pub number: u64,
    /// The number of games of the inputs, if it is known.
    pub last_number: Option<u64>,
    /// The options of the run.
    pub options: &'o RunOptions,
}

/// The options of a compilation that the query does not decide.
///
/// ```
/// use babson_vm::{CompileOptions, Dialect, Machine, Position, Program};
/// use babson_vm::{Value, chess::Rules};
///
/// let options = CompileOptions { value: true, ..CompileOptions::default() };
/// let program = Program::parse_with("#P", Dialect::CQLI, &options)?;
/// let value = Machine::new(program).evaluate(&Position::start(), &Rules::STANDARD)?;
/// assert_eq!(value, Value::Number(8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// Whether every filter is counted and none is skipped, for
    /// [`Machine::profile`](crate::Machine::profile). Such a program is slower.
    pub profile: bool,
    /// Whether each match has the value of the query's last filter, in
    /// [`Outcome::values`](crate::Outcome::values). A filter that may match without a value, as an
    /// award of `hhdb` may, counts as a condition.
    pub value: bool,
    /// Whether every filter leaves a trace, for [`Machine::trace`](crate::Machine::trace). The
    /// program evaluates the filters in the order of the text, each of them every time it is
    /// reached.
    pub trace: bool,
    /// The names that variants may have: in the text of a query, and in the games that a
    /// [`Machine`](crate::Machine) reads itself.
    pub variants: VariantNames,
    /// Finds the files that the text of a query imports. By default only the built-in library is
    /// found.
    pub imports: Arc<dyn ImportFiles>,
    /// Reads the file of `similarposition`.
    pub host: Arc<dyn Host>,
}

impl Default for CompileOptions {
    fn default() -> CompileOptions {
        CompileOptions {
            profile: false,
            value: false,
            trace: false,
            variants: VariantNames::default(),
            imports: Arc::new(LibraryOnly),
            host: Arc::new(RefusingHost),
        }
    }
}
