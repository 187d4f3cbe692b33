//! `babson scan --slice JSON QUERY... -o PART`: the search of one slice.

use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

use babson::sink::Destination;
use babson::{Input, Slice};

use crate::failure::Failure;
use crate::options::{CommandLine, OptionId};
use crate::output_name::is_stdout;
use crate::part_note::PartNote;
use crate::query::QueryFile;
use crate::run;
use crate::search_config::SearchConfig;
use crate::signals;
use crate::terminal;

/// Searches a slice, writes its part and prints the name of the part, except on standard output.
pub(crate) fn scan(line: &CommandLine) -> Result<u8, Failure> {
    let usage = || Failure::Usage(line.command.usage());
    let slice = slice(line.option(OptionId::Slice).ok_or_else(usage)?.word())?;
    let part = &line.option(OptionId::PartOutput).ok_or_else(usage)?.file;
    let part = match is_stdout(part) {
        true => Destination::Stdout,
        false => Destination::File(PathBuf::from(part)),
    };
    if part == Destination::Stdout && std::io::stdout().is_terminal() {
        return Err(Failure::Usage("-o -: a part is not text for a terminal".to_owned()));
    }
    let config = SearchConfig::new(&line.options)?;
    let mut queries = QueryFile::of_line(line)?;
    for query in &mut queries {
        query.load();
    }
    let several = QueryFile::are_several(&queries, line);
    let mut scan = config.scan(Vec::new()).settings(|settings| run::protect(settings, &queries));
    let sources: Vec<_> = queries.iter().map(|query| query.source(&line.options)).collect();
    for (query, source) in queries.iter().zip(sources) {
        let title = query.title();
        scan = match several {
            // The merge tells which ones have errors, as a search does.
            true => match run::compile_one_of_several(&source, title, &config) {
                Ok(query) => scan.query(&query),
                Err(_) => scan,
            },
            false => scan.query(&run::compile_or_report(&source?, title, &config)?),
        };
    }
    let note = PartNote::new(&line.options, &queries, several).text()?;
    signals::record_inputs(&[Input::File((&*slice.input).into())]);
    scan.slice_to(&slice, &note, &part)?;
    if part == Destination::Stdout {
        return Ok(0);
    }
    terminal::print_text(&format!("{}\n", part.name()))
}

/// Reads the slice.
fn slice(word: &str) -> Result<Slice, Failure> {
    let mut read = String::new();
    let text = match word {
        "-" => {
            let line = std::io::stdin().lock().read_line(&mut read);
            line.map_err(|error| Failure::Io(format!("cannot read stdin: {error}")))?;
            read.as_str()
        }
        text => text,
    };
    serde_json::from_str(text.trim()).map_err(|error| {
        Failure::Usage(format!("--slice: it is not a line of `babson plan`: {error}"))
    })
}
