//! The search with one query.

use babson::sink::FileSink;
use babson::{Input, Query, Summary};

use super::gui::GuiElement;
use super::nonmatching::Nonmatching;
use super::{
    RunResult, Work, compile_or_report, console, name_hints, outputs, protect, summary, task,
    unless_closed, with_others,
};
use crate::config::SearchConfig;
use crate::console::Console;
use crate::failure::Failure;
use crate::query::QueryFile;
use crate::show_name::ShowName as _;
use crate::signals;
use crate::terminal;

/// Searches with one query.
pub(super) fn search(config: &SearchConfig, file: &QueryFile, work: Work) -> Result<u8, Failure> {
    let source = file.source(&config.run.reading)?;
    let query = compile_or_report(&source, file.title(), config)?;
    outputs::check_choice(config, &query)?;
    let header = || Ok(query.header().input.as_ref());
    let inputs = work.inputs(config, header, std::slice::from_ref(file))?;
    let mut outputs = OneOutputs::of(config, &query, file)?;
    if config.outputs.files.dry_run && !outputs::are_split(outputs.sinks()) {
        return terminal::print_text(&outputs.listing);
    }
    if !config.outputs.files.dry_run {
        outputs::prepare(config, outputs.sinks())?;
    }
    let mut console = console(config, &inputs, vec![&source]);
    console.all_to_stderr =
        config.outputs.counts() || config.outputs.files.dry_run || outputs.use_stdout;
    outputs.notes(config, &query).iter().for_each(|note| console.tell(note));
    if let Some((file, games)) = query.submission() {
        console.tell(&format!("Db: read {games} games from submission file: {file}\n"));
    }
    signals::record_inputs(&inputs);
    let files = std::slice::from_ref(file);
    let scan = config.scan(inputs.clone()).settings(|settings| protect(settings, files));
    let task = task(config, &query, std::mem::take(&mut outputs.own));
    // The summary has only the number of games, so a search may end each game at its first match if
    // no output has more. The parts of slices always have whole results, so `--resume` and a merge
    // keep the full task.
    let games_only = !task.reads_positions() && matches!(work, Work::Search);
    let task = if games_only { task.games_only() } else { task };
    let scan = scan.task(task);
    let scan = with_others(scan, outputs.nonmatching.as_ref());
    let result = work.run(scan, &inputs, &mut console);
    let result = result.and_then(|result| RunResult::complete(result).map_err(Failure::from));
    console.finish();
    outputs.report(config, (&query, &inputs), result?, &console)
}

/// The outputs of one query, and their names for messages.
struct OneOutputs {
    /// The element with which the matches are printed for a program, if there is one.
    element: Option<GuiElement>,
    /// The outputs of the matches, until the search gets them.
    own: Vec<FileSink>,
    nonmatching: Option<Nonmatching>,
    /// Whether one of them is standard output.
    use_stdout: bool,
    names: Vec<String>,
    /// The names that are known before the search, a line for each.
    listing: String,
}

impl OneOutputs {
    fn of(config: &SearchConfig, query: &Query, file: &QueryFile) -> Result<OneOutputs, Failure> {
        let element = GuiElement::new(config)?;
        let own = match &element {
            Some(element) => vec![element.sink()],
            None => outputs::of_one(config, query, file)?,
        };
        let nonmatching = Nonmatching::of(config)?;
        let use_stdout = outputs::use_stdout(config, &own, nonmatching.as_ref())?;
        // The temporary file of the element is not shown to the user.
        let (names, listing) = match &element {
            Some(_) => (vec!["stdout".to_owned()], "stdout\n".to_owned()),
            None => (outputs::names(&own), outputs::listing(&own)),
        };
        let listing = listing + &outputs::listing(nonmatching.iter().map(Nonmatching::sink));
        Ok(OneOutputs { element, own, nonmatching, use_stdout, names, listing })
    }

    /// All outputs.
    fn sinks(&self) -> impl Iterator<Item = &FileSink> {
        self.own.iter().chain(self.nonmatching.iter().map(Nonmatching::sink))
    }

    /// The messages before the search.
    fn notes(&self, config: &SearchConfig, query: &Query) -> Vec<String> {
        let notes = [
            outputs::left_out(config),
            outputs::limited(config, query, &self.own),
            outputs::unused_for_tables(config, &self.own),
            outputs::unmarked(config, query, &self.own),
        ];
        notes.into_iter().flatten().collect()
    }

    /// Tells what was found, and returns the exit code.
    fn report(
        &self,
        config: &SearchConfig,
        (query, inputs): (&Query, &[Input]),
        mut summary: Summary,
        console: &Console<'_>,
    ) -> Result<u8, Failure> {
        let seconds = console.seconds();
        let Some(mut job) = summary.queries.pop() else {
            return Ok(0);
        };
        if let Some(stopped) = job.stopped.take() {
            // The position of the error was shown when it occurred.
            return summary::stopped(stopped, &summary);
        }
        let exit_code = summary::exit_code(config, &summary, job.failed_games > 0, job.matches > 0);
        if config.outputs.files.dry_run {
            let files = job.files.iter().chain(&summary.files);
            let lines = files.map(|(name, games)| format!("{} ({games})\n", name.shown()));
            terminal::print_text(&(self.listing.clone() + &lines.collect::<String>()))?;
            return Ok(exit_code);
        }
        let mut text = summary::damaged(&summary, inputs.len());
        text += &summary::equal_games(summary.equal_games);
        text += &summary::without_games(config, &summary);
        text += &summary::failed(job.failed_games);
        if !config.run.console.no_summary {
            let others = self.nonmatching.as_ref().map(|output| output.line(&summary));
            let chosen = config.outputs.chosen(Some(job.matches));
            let line = (query.options().cql6_output, chosen, others.unwrap_or_default());
            text += &summary::line(&summary, &job, line, seconds, &self.names);
        }
        text += &summary::kept(&job, config, None);
        text += &summary::traffic(config, inputs);
        summary::tell_rewritten(&summary);
        summary::tell_left_out(&job);
        if let Some(element) = &self.element {
            unless_closed(element.print(job.matches))?;
        }
        unless_closed(console.print(text.as_bytes()).map_err(Failure::console))?;
        if job.matches == 0 {
            name_hints::tell(config, std::slice::from_ref(query), inputs);
        }
        if config.outputs.prints_count() {
            unless_closed(terminal::print_text(&format!("{}\n", job.matches)).map(drop))?;
        }
        Ok(exit_code)
    }
}
