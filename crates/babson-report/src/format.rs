//! The report as an output of the engine.

use babson_engine::{
    Destination, FileSink, Format, Job, MatchText, MatchedGame, Omitted, OutputRoom, OutputTotals,
};

use crate::page::{PageLayout, head_of};
use crate::{MAX_BYTES, MAX_GAMES, ReportGame, ReportQuery, ReportTotals, append, tail};

/// The format of a report: the text of the page, for a sink of the engine.
///
/// It has the title and the text of the query, [`Job::title`] and [`Job::text`], and what the
/// filters did, if they are [traced](Job::tracing).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What the page is made for.
    pub layout: PageLayout,
    /// The title of the page, instead of [`Job::title`].
    pub title: Option<String>,
}

impl Report {
    /// The query of a job, under the title of the page.
    fn query<'j>(&'j self, job: &'j Job) -> ReportQuery<'j> {
        let query = ReportQuery::of(job);
        ReportQuery { title: self.title.as_deref().unwrap_or(query.title), ..query }
    }
}

/// The sink of a report. It has room for the first [`MAX_GAMES`] matching games and [`MAX_BYTES`]
/// bytes of their data, and says on the page how many are left out.
///
/// ```
/// use babson_engine::{Destination, Input, Job, Settings, Silent, Task, scan};
/// use babson_lang::{Dialect, analyze};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("mates.html");
/// let mut job = Job::new(&analyze("mate", Dialect::CQLI).unwrap().query).unwrap();
/// job.title = "Mates".to_owned();
/// let sink = babson_report::sink(Destination::File(path.clone()));
/// let games = Input::bytes("games", *b"1. f3 e5 2. g4 Qh4# 0-1\n");
/// let task = Task::new(job).sink(sink);
/// scan(&[games], vec![task], &Settings::default(), &mut Silent)?;
/// assert!(std::fs::read_to_string(&path).unwrap().contains("<title>Mates</title>"));
/// # Ok::<(), babson_engine::Error>(())
/// ```
pub fn sink(destination: Destination) -> FileSink {
    sink_of(Report::default(), destination)
}

/// The sink of a report with its own layout or title. It has room for as many games as [`sink`].
pub fn sink_of(report: Report, destination: Destination) -> FileSink {
    FileSink::html(report, destination)
}

impl<'j> ReportQuery<'j> {
    /// The query of a job of a scan.
    pub fn of(job: &'j Job) -> ReportQuery<'j> {
        ReportQuery {
            title: &job.title,
            text: job.text.as_ref(),
            program: &job.program,
            options: &job.options,
            tracing: job.tracing.get(),
        }
    }
}

impl Format for Report {
    fn traces(&self, _: &Job) -> bool {
        match self.layout {
            PageLayout::Report => true,
            // A sheet of puzzles marks nothing.
            PageLayout::Worksheet => false,
        }
    }

    fn room(&self) -> OutputRoom {
        OutputRoom { games: MAX_GAMES, bytes: MAX_BYTES }
    }

    fn head(&self, job: &Job) -> String {
        head_of(&self.query(job), self.layout)
    }

    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
        let MatchedGame { game, outcome, traces, number, input, input_number, .. } = *matched;
        let game = ReportGame { game, outcome, traces, number, input, input_number };
        append(&self.query(matched.job), &game, out.bytes());
        Omitted::default()
    }

    fn tail(&self, totals: &OutputTotals) -> String {
        let OutputTotals { searched, written, left_out, .. } = *totals;
        tail(&ReportTotals { searched, written, left_out })
    }
}
