//! `babson scan --slice JSON QUERY... -o PART`: the search of one slice.

use std::io::IsTerminal;
use std::path::PathBuf;

use babson::command::read_up_to;
use babson::sink::FileFormat;
use babson::slices::{PartDestination, Slice};

use crate::config::CommandConfig;
use crate::console::Console;
use crate::failure::{BrokenInputAdvice, Failure};
use crate::limits::MAX_SLICE;
use crate::options::{CommandLine, CommandSpec, OptionId, OptionSpec};
use crate::output_name::is_stdout;
use crate::part_note::PartNote;
use crate::query::QueryFile;
use crate::run;
use crate::show_name::ShowName as _;
use crate::signals;
use crate::terminal;

/// The message about a broken input of a slice.
const ADVICE: BrokenInputAdvice = BrokenInputAdvice {
    lost: "no part is written",
    needs: "a slice",
    help: "run babson plan again without broken inputs",
};

/// Searches a slice, writes its part and prints the name of the part, except on standard output.
pub(crate) fn scan(line: &CommandLine) -> Result<u8, Failure> {
    let config = line.config()?;
    let CommandConfig { slice: slices, part: parts, .. } = &config.run.command;
    let slice = slice(the_only(slices, OptionId::Slice, line.command)?)?;
    let part = the_only(parts, OptionId::PartOutput, line.command)?;
    if FileFormat::of_name(&part.to_string_lossy()).is_some() {
        return Err(Failure::Usage(format!(
            "-o {}: a part is not a file of matches, which babson merge writes; give it another \
             extension, such as .part",
            part.shown()
        )));
    }
    let part = match is_stdout(part) {
        true => PartDestination::Stdout,
        false => PartDestination::File(PathBuf::from(part)),
    };
    if part == PartDestination::Stdout {
        terminal::check_stdout()?;
    }
    if part == PartDestination::Stdout && std::io::stdout().is_terminal() {
        return Err(Failure::Usage("-o -: a part is not text for a terminal".to_owned()));
    }
    let mut queries = QueryFile::of_words(&line.operands, &config.run.reading)?;
    for query in &mut queries {
        query.load(&config.run.reading);
    }
    let several = QueryFile::are_several(&queries, line);
    let scan = config.scan(Vec::new()).settings(|settings| run::protect(settings, &queries));
    // Each of several queries may have an error, which the merge tells.
    let mut scan = scan.allow_no_query(several);
    let sources: Vec<_> = queries.iter().map(|query| query.source(&config.run.reading)).collect();
    for (query, source) in queries.iter().zip(sources) {
        let title = query.title();
        scan = match several {
            true => match run::compile_one_of_several(&source, title, &config) {
                Ok((_, query)) => scan.task(config.task(&query)),
                Err(_) => scan,
            },
            false => {
                let query = run::compile_or_report(&source?, title, &config)?;
                scan.task(config.task(&query))
            }
        };
    }
    let note = PartNote::new(&line.options, &queries, several).text()?;
    let inputs = slice.inputs();
    signals::record_inputs(&inputs);
    let mut console = Console::new(Vec::new());
    console.progress = false;
    let searched = scan.slice_to(&slice, &note, &part, &mut console);
    // The damaged games of a slice are reported when the parts are merged.
    searched.map_err(|error| Failure::of_broken_input(error, &inputs, 0, &ADVICE))?;
    match &part {
        PartDestination::File(path) => terminal::print_name(path),
        PartDestination::Stdout | _ => Ok(0),
    }
}

/// The value of an option that must be given exactly once.
fn the_only<'v, T>(values: &'v [T], id: OptionId, scan: &CommandSpec) -> Result<&'v T, Failure> {
    let option = OptionSpec::of(id);
    match values {
        [value] => Ok(value),
        [] => Err(Failure::Usage(format!("scan needs {}; {}", option.mention(), scan.usage()))),
        _ => Err(Failure::Usage(format!(
            "--{} is given twice: babson scan searches one slice and writes one part",
            option.names[0]
        ))),
    }
}

/// Reads the slice.
fn slice(word: &str) -> Result<Slice, Failure> {
    const HINT: &str = "give the text of one line of the plan, --slice \"$(sed -n 1p plan.jsonl)\"";
    let wrong = |why: String| Failure::Usage(format!("--slice: {why}; {HINT}"));
    let text = match word {
        "-" => {
            let bytes = read_up_to(std::io::stdin(), MAX_SLICE)
                .map_err(|error| Failure::Io(format!("cannot read stdin: {error}")))?;
            String::from_utf8(bytes).map_err(|_| wrong("standard input is not UTF-8".to_owned()))?
        }
        text => text.to_owned(),
    };
    match text.lines().filter(|line| !line.trim().is_empty()).count() {
        0 => return Err(wrong("the slice is empty".to_owned())),
        1 if text.trim().starts_with('{') => {}
        1 => return Err(wrong(format!("'{}' is not a slice", text.trim()))),
        lines => return Err(wrong(format!("there are {lines} lines"))),
    }
    serde_json::from_str(&text)
        .map_err(|error| wrong(format!("it is not a line of babson plan: {error}")))
}
