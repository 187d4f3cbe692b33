//! `babson convert`, and the conversions that are options of CQL 6.2: `-a`, `-u`, `-utf8`, `-html`,
//! `-echo`, `-colorize`.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use babson::command::{is_same_file, read_up_to};
use babson::sink::{Destination, Output};
use babson::text::{self, Spelling, TokenClass};
use babson::{Diagnostic, cql3};

use crate::config::{
    ColorChoice, ConvertTarget, QueryConversion, ReadingOptions, RunConfig, SearchConfig,
};
use crate::failure::Failure;
use crate::limits::MAX_QUERY_FILE;
use crate::options::CommandLine;
use crate::query::{QueryFile, check_files};
use crate::render;
use crate::show_name::ShowName as _;
use crate::source::QuerySource;
use crate::{project, signals, terminal};

/// `babson convert --to ascii|unicode|modern QUERY [-o FILE]`.
pub(crate) fn convert(line: &CommandLine) -> Result<u8, Failure> {
    let usage = || Failure::Usage(line.command.usage());
    // The query is only read, so `--secure` has nothing to forbid.
    let RunConfig { reading, command, .. } = line.config()?.run;
    let target = command.target.ok_or_else(usage)?;
    let QueryText { source, path } = read(line.operands.first().ok_or_else(usage)?, &reading)?;
    let mut database = None;
    let text = match target {
        ConvertTarget::Spelled(spelling) => respell(&source, spelling, &reading)?,
        ConvertTarget::Modern if !cql3::begins_query(&source.text) => {
            return Err(Failure::Usage(format!(
                "{} is not a query of CQL 3: only those have a modern form",
                source.name()
            )));
        }
        ConvertTarget::Modern => {
            let modern = modern(&source)
                .map_err(|diagnostics| tell(&source, &diagnostics, reading.color))?;
            render::print(&source, &modern.changes, reading.color);
            database = modern.input.map(|input| PathBuf::from(input.name));
            modern.query
        }
    };
    let output = command.converted.as_deref();
    if let Some(output) = output {
        let read = [(path, "the query"), (database, "the query's database")];
        for (path, what) in read.iter().filter_map(|(path, what)| Some((path.as_ref()?, what))) {
            let unknown = |why| {
                let names = format!("{} and {}", output.shown(), path.shown());
                Failure::Io(format!("cannot find out whether {names} are one file: {why}"))
            };
            if is_same_file(Path::new(output), path).map_err(unknown)? {
                return Err(Failure::Usage(format!(
                    "-o {} would replace {what}: give another name",
                    output.shown()
                )));
            }
        }
    }
    write(output, &text)
}

/// The modern form of a query. An error if its files have names that a modern query cannot use.
fn modern(source: &QuerySource) -> Result<cql3::ModernQuery, Vec<Diagnostic>> {
    source.check()?;
    let modern = cql3::to_modern(&source.text)?;
    match check_files(modern.input.as_ref(), modern.output.as_ref()) {
        Ok(()) => Ok(modern),
        Err(mut errors) => {
            for error in &mut errors {
                error.message.push_str(" of a modern query");
            }
            Err(errors)
        }
    }
}

/// Runs the first conversion among the options, if there is one.
pub(crate) fn convert_flags(config: &SearchConfig) -> Option<Result<u8, Failure>> {
    let appends = config.run.reading.dialect().a_appends;
    let is_asked = |conversion| !appends || conversion != QueryConversion::InPlace(Spelling::Ascii);
    let mut conversions = config.run.conversions.iter();
    let (conversion, file) = conversions.find(|(conversion, _)| is_asked(*conversion))?;
    Some(convert_file(file, *conversion, config))
}

fn convert_file(
    name: &OsStr,
    conversion: QueryConversion,
    config: &SearchConfig,
) -> Result<u8, Failure> {
    let reading = &config.run.reading;
    let QueryText { source, path } = read(name, reading)?;
    let output = config.outputs.names.first().map(OsString::as_os_str);
    let tell = |diagnostics: Vec<Diagnostic>| tell(&source, &diagnostics, reading.color);
    match conversion {
        QueryConversion::InPlace(spelling) => {
            let text = respell(&source, spelling, reading)?;
            write(path.as_deref().map(Path::as_os_str), &text)
        }
        QueryConversion::Unicode => write(output, &respell(&source, Spelling::Unicode, reading)?),
        QueryConversion::Page => {
            let page = page(&source, reading).map_err(tell)?;
            let stem = Path::new(name).file_stem().unwrap_or_default();
            let default = PathBuf::from(stem).with_extension("html");
            write(Some(output.unwrap_or(default.as_os_str())), &page)
        }
        QueryConversion::Copy => {
            source.check().map_err(tell)?;
            write(output, &source.text)
        }
        QueryConversion::Colors => {
            let text = colored(&source, reading, output.is_none()).map_err(tell)?;
            match output {
                // The colors must not be escaped.
                None => terminal::print_bytes(&text),
                Some(_) => write(output, &String::from_utf8_lossy(&text)),
            }
        }
    }
}

/// A query file as it is.
pub(super) struct QueryText {
    pub(super) source: QuerySource,
    /// Its path; `None` for standard input.
    pub(super) path: Option<PathBuf>,
}

/// The unchanged text of a query file; `-` is standard input.
pub(super) fn read(name: &OsStr, reading: &ReadingOptions) -> Result<QueryText, Failure> {
    if name == "-" {
        let bytes = read_up_to(std::io::stdin(), MAX_QUERY_FILE)
            .map_err(|error| Failure::Io(format!("cannot read stdin: {error}")))?;
        let mut source = QuerySource::read("stdin", &bytes, &[]).map_err(Failure::Usage)?;
        source.project = project::of_folder("".as_ref(), reading)?;
        return Ok(QueryText { source, path: None });
    }
    match QueryFile::expand(&[name.to_owned()])?.as_slice() {
        [file] => Ok(QueryText { source: file.own_source(reading)?, path: file.path.clone() }),
        _ => Err(Failure::Usage(format!("{} is a folder", name.shown()))),
    }
}

fn respell(
    source: &QuerySource,
    spelling: Spelling,
    reading: &ReadingOptions,
) -> Result<String, Failure> {
    source
        .dialect(reading)
        .and_then(|(dialect, _)| text::convert(&source.text, spelling, dialect))
        .map_err(|diagnostics| tell(source, &diagnostics, reading.color))
}

/// Prints diagnostics.
pub(super) fn tell(
    source: &QuerySource,
    diagnostics: &[Diagnostic],
    color: ColorChoice,
) -> Failure {
    render::print(source, diagnostics, color);
    Failure::Query
}

/// Writes to a file, completely or not at all, or to standard output.
pub(super) fn write(output: Option<&OsStr>, text: &str) -> Result<u8, Failure> {
    match output.filter(|name| *name != "-" && *name != "stdout") {
        None => terminal::print_text(text),
        Some(name) => {
            let destination = Destination::File(PathBuf::from(name));
            let mut file = Output::create(&destination, &signals::system().ledger)?;
            file.write(text.as_bytes())?;
            file.finish()?;
            Ok(0)
        }
    }
}

/// The query with ANSI colors. Control characters of the query are escaped for standard output.
fn colored(
    source: &QuerySource,
    reading: &ReadingOptions,
    for_stdout: bool,
) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let (dialect, _) = source.dialect(reading)?;
    let mut out = Vec::new();
    let shown = |text| {
        if for_stdout { terminal::for_stdout(text) } else { Cow::Borrowed(text) }
    };
    let text_of = |span| shown(source.text.as_bytes().get(span).unwrap_or_default());
    let mut end = 0;
    for piece in text::tokens(&source.text, dialect)? {
        let color = match piece.class {
            TokenClass::Comment => "90",
            TokenClass::String => "32",
            TokenClass::Number => "36",
            TokenClass::Keyword => "1;34",
            TokenClass::Name => "35",
            TokenClass::Piece => "33",
            TokenClass::Symbol => "0",
        };
        let place = piece.span.start as usize..piece.span.end as usize;
        out.extend_from_slice(&text_of(end..place.start));
        end = place.end;
        out.extend_from_slice(format!("\x1b[{color}m").as_bytes());
        out.extend_from_slice(&text_of(place));
        out.extend_from_slice(b"\x1b[0m");
    }
    out.extend_from_slice(&text_of(end..source.text.len()));
    Ok(out)
}

/// The query as an HTML page.
fn page(source: &QuerySource, reading: &ReadingOptions) -> Result<String, Vec<Diagnostic>> {
    const STYLE: &str = ":root{color-scheme:light dark}body{margin:2rem auto;max-width:60rem;padding:0 1rem;\
        font:16px/1.5 system-ui,sans-serif}pre{overflow-x:auto;padding:1rem;border:1px solid #8884;\
        border-radius:.5rem;font:15px/1.5 ui-monospace,monospace}.comment{color:#7a828a;font-style:italic}\
        .string{color:#2c8a4b}.number{color:#1e8a93}.keyword{color:#3b6fd4;font-weight:600}.name{color:#a2549c}\
        .piece{color:#b5761a}";
    let (dialect, _) = source.dialect(reading)?;
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let name = escape(source.name());
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\">\n<title>{name}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<h1>{name}</h1>\n<pre><code>"
    );
    let mut end = 0;
    for piece in text::tokens(&source.text, dialect)? {
        out.push_str(source.text.get(end..piece.span.start as usize).unwrap_or(""));
        let word = escape(piece.span.text(&source.text));
        if piece.class == TokenClass::Symbol {
            out.push_str(&word);
        } else {
            out.push_str(&format!("<span class=\"{}\">{word}</span>", piece.class.name()));
        }
        end = piece.span.end as usize;
    }
    out.push_str(source.text.get(end..).unwrap_or("").trim_end());
    out.push_str("</code></pre>\n</body>\n</html>\n");
    Ok(out)
}
