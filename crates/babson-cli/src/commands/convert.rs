//! `babson convert`, and the conversions that are options of CQL 6.2: `-a`, `-u`, `-utf8`, `-html`,
//! `-echo`, `-colorize`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use babson_engine::{Destination, Output, is_same_file, read_up_to};
use babson_lang::text::{self, Spelling, TokenClass};
use babson_lang::{Diagnostic, cql3};

use crate::failure::Failure;
use crate::limits::MAX_QUERY_FILE;
use crate::options::{Command, OptionId, ParsedOption};
use crate::query::{QueryFile, ReadingOptions, check_files};
use crate::render::{self, ColorChoice};
use crate::search_config::SearchConfig;
use crate::source::QuerySource;
use crate::terminal;

/// What a query is converted to.
enum Conversion {
    Spelled(Spelling),
    /// A query of CQL 3 in the modern language.
    Modern,
}

/// `babson convert --to ascii|unicode|modern QUERY [-o FILE]`.
pub(crate) fn convert(words: &[String]) -> Result<u8, Failure> {
    let usage = || Failure::Usage(Command::usage("convert"));
    let mut rest = Vec::new();
    let mut to = None;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let bare = word.to_ascii_lowercase();
        match bare.trim_start_matches('-').split_once('=') {
            Some(("to", value)) if bare.starts_with('-') => to = Some(value.to_owned()),
            _ if bare == "--to" || bare == "-to" => to = words.next().cloned(),
            _ => rest.push(word.clone()),
        }
    }
    let target = match to.ok_or_else(usage)?.to_ascii_lowercase().as_str() {
        "ascii" => Conversion::Spelled(Spelling::Ascii),
        "unicode" | "utf8" | "utf-8" => Conversion::Spelled(Spelling::Unicode),
        "modern" => Conversion::Modern,
        other => {
            return Err(Failure::Usage(format!("--to: '{other}' is not ascii, unicode or modern")));
        }
    };
    let (options, files) = super::command_line("convert", rest)?;
    let mut reading = ReadingOptions::default();
    let mut color = ColorChoice::Auto;
    let mut output = None;
    for option in &options {
        // The query is only read, so `--secure` has nothing to forbid.
        if reading.take(option)? {
            continue;
        }
        if option.id == OptionId::Color {
            color = ColorChoice::parse(option.word()).map_err(Failure::Usage)?;
        } else if option.id == OptionId::Output {
            output = Some(option.word());
        } else {
            return Err(super::unknown_option("convert", option));
        }
    }
    let [file] = files.as_slice() else {
        return Err(usage());
    };
    let source = read(file)?;
    let mut database = None;
    let text = match target {
        Conversion::Spelled(spelling) => respell(&source, spelling, &reading, color)?,
        Conversion::Modern if !cql3::begins_query(&source.text) => {
            return Err(Failure::Usage(format!(
                "{file} is not a query of CQL 3: only those have a modern form"
            )));
        }
        Conversion::Modern => {
            let modern =
                modern(&source).map_err(|diagnostics| tell(&source, &diagnostics, color))?;
            render::print(&source, &modern.changes, color);
            database = modern.input.map(|input| input.name);
            modern.query
        }
    };
    if let Some(output) = output {
        refuse_replacing(output, source.name(), "the query")?;
        if let Some(database) = &database {
            refuse_replacing(output, database, "the query's database")?;
        }
    }
    write(output, &text)
}

/// An error if the output is a file that is read.
fn refuse_replacing(output: &str, read: &str, what: &str) -> Result<(), Failure> {
    match is_same_file(Path::new(output), Path::new(read)) {
        true => Err(Failure::Usage(format!("-o {output} would replace {what}: give another name"))),
        false => Ok(()),
    }
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

/// The conversion that an option of CQL 6.2 asks for.
#[derive(Clone, Copy)]
enum QueryConversion {
    /// Spells the query anew, in place.
    InPlace(Spelling),
    /// Writes the query in Unicode.
    Unicode,
    /// Writes a page that shows the query.
    Page,
    /// Writes the query unchanged.
    Copy,
    /// Writes the query in colors.
    Colors,
}

/// The options that ask for a conversion. `Append` does so only as `-a`, in the dialects where this
/// is not the name of `--append`.
const CONVERSIONS: [(OptionId, QueryConversion); 6] = [
    (OptionId::Append, QueryConversion::InPlace(Spelling::Ascii)),
    (OptionId::ToUnicode, QueryConversion::InPlace(Spelling::Unicode)),
    (OptionId::ToUtf8, QueryConversion::Unicode),
    (OptionId::ToHtml, QueryConversion::Page),
    (OptionId::Echo, QueryConversion::Copy),
    (OptionId::Colorize, QueryConversion::Colors),
];

/// Runs the first conversion among the options, if there is one.
pub(crate) fn convert_flags(
    options: &[ParsedOption],
    config: &SearchConfig,
) -> Option<Result<u8, Failure>> {
    let appends = |option: &ParsedOption| {
        option.id == OptionId::Append
            && (option.written != "a" || config.reading.dialect().a_appends)
    };
    options.iter().filter(|option| !appends(option)).find_map(|option| {
        let (_, conversion) = CONVERSIONS.iter().find(|(id, _)| *id == option.id)?;
        Some(convert_file(option.word(), *conversion, config))
    })
}

fn convert_file(
    name: &str,
    conversion: QueryConversion,
    config: &SearchConfig,
) -> Result<u8, Failure> {
    let source = read(name)?;
    let output = config.outputs.first().map(String::as_str);
    let respelled = |spelling| respell(&source, spelling, &config.reading, config.color);
    match conversion {
        QueryConversion::InPlace(spelling) => write(Some(&path_of(&source)), &respelled(spelling)?),
        QueryConversion::Unicode => write(output, &respelled(Spelling::Unicode)?),
        QueryConversion::Page => {
            let page = page(&source, &config.reading)
                .map_err(|diagnostics| tell(&source, &diagnostics, config.color))?;
            let stem = Path::new(name).file_stem().unwrap_or_default();
            let default = PathBuf::from(stem).with_extension("html");
            write(Some(output.unwrap_or(&default.to_string_lossy())), &page)
        }
        QueryConversion::Copy => {
            let readable = source.check();
            readable.map_err(|diagnostics| tell(&source, &diagnostics, config.color))?;
            write(output, &source.text)
        }
        QueryConversion::Colors => {
            let text = colored(&source, &config.reading, output.is_none())
                .map_err(|diagnostics| tell(&source, &diagnostics, config.color))?;
            match output {
                // The colors must not be escaped.
                None => terminal::print_bytes(&text),
                Some(_) => write(output, &String::from_utf8_lossy(&text)),
            }
        }
    }
}

/// The unchanged text of a query file; `-` is standard input.
pub(super) fn read(name: &str) -> Result<QuerySource, Failure> {
    if name == "-" {
        let bytes = read_up_to(std::io::stdin(), MAX_QUERY_FILE)
            .map_err(|error| Failure::Io(format!("cannot read stdin: {error}")))?;
        return QuerySource::read("stdin", &bytes, &[]).map_err(Failure::Usage);
    }
    match QueryFile::expand(&[name.to_owned()])?.as_slice() {
        [file] => file.source(&[]),
        _ => Err(Failure::Usage(format!("{name} is a folder"))),
    }
}

/// The path from which a query was read.
fn path_of(source: &QuerySource) -> String {
    source.name().to_owned()
}

fn respell(
    source: &QuerySource,
    spelling: Spelling,
    reading: &ReadingOptions,
    color: ColorChoice,
) -> Result<String, Failure> {
    reading
        .dialect_of(source)
        .and_then(|(dialect, _)| text::convert(&source.text, spelling, dialect))
        .map_err(|diagnostics| tell(source, &diagnostics, color))
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
pub(super) fn write(output: Option<&str>, text: &str) -> Result<u8, Failure> {
    match output {
        None | Some("-" | "stdout") => terminal::print_text(text),
        Some(name) => {
            let mut file = Output::create(&Destination::File(PathBuf::from(name)))?;
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
) -> Result<Vec<u8>, Vec<babson_lang::Diagnostic>> {
    let (dialect, _) = reading.dialect_of(source)?;
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
fn page(
    source: &QuerySource,
    reading: &ReadingOptions,
) -> Result<String, Vec<babson_lang::Diagnostic>> {
    const STYLE: &str = ":root{color-scheme:light dark}body{margin:2rem auto;max-width:60rem;padding:0 1rem;\
        font:16px/1.5 system-ui,sans-serif}pre{overflow-x:auto;padding:1rem;border:1px solid #8884;\
        border-radius:.5rem;font:15px/1.5 ui-monospace,monospace}.comment{color:#7a828a;font-style:italic}\
        .string{color:#2c8a4b}.number{color:#1e8a93}.keyword{color:#3b6fd4;font-weight:600}.name{color:#a2549c}\
        .piece{color:#b5761a}";
    let (dialect, _) = reading.dialect_of(source)?;
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
