//! The table of the command line: the commands, and the options with the commands that take them.
//!
//! The parser reads it; the help, the manual page, the completions and the page of the book are
//! generated from it. A new command is a row of [`COMMANDS`], a module of `commands` and an arm in
//! `main.rs`; its options are rows of [`OPTIONS`], or its name stands in rows that are there.

use std::ffi::OsString;
use std::time::Duration;

use babson::compile::CommentLevel;
use babson::scan::MAX_THREADS;
use babson::text::Spelling;

use super::spec::{
    CommandId, CommandSpec, OperandKind, Operands, OptionGroup, OptionId, OptionOwner, OptionSpec,
};
use super::value::{OptionValue, Update};
use crate::config::{
    ColorChoice, ConfigBuilder, Counting, OptionClass, QueryConversion, ShowMode, Template, assign,
    bytes, destination, format, hhdb, pattern, player, positions, result, similar_position, size,
    target, variant,
};

use CommandId::{
    Check, Completions, Convert, Cookbook, Explain, Fmt, Help, Lsp, Man, Merge, Pack, Perft, Plan,
    Position, Profile, Scan, Search, Serve, Why,
};
use OptionClass as Class;
use OptionGroup as G;
use OptionId as Id;
use OptionOwner::{Babson, Both, Cql6, Cqli};
use OptionValue::{
    Choice, File, Flag, Hhdb, Number, OptionalNumber, OptionalRange, Pair, Range, Similar, Switch,
    Text,
};
use QueryConversion as Conversion;
use Update::{Filter, Nothing, Read, Set};

/// The shells that have a script of completions.
const SHELLS: &[&str] = &["bash", "zsh", "fish", "powershell"];

/// The commands, the search first, in the order of the help.
pub(crate) static COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        id: Search,
        name: "",
        usage: "[OPTIONS] QUERY.cql... [GAMES.pgn...]",
        operands: files(0, usize::MAX),
        help: "search databases of games",
        details: "",
    },
    CommandSpec {
        id: Check,
        name: "check",
        usage: "check [QUERY...] [--cql FILTERS] [--fix] [--json|--sarif [-o FILE]] [--watch] [--differences]",
        operands: files(0, usize::MAX),
        help: "diagnostics of queries; nothing is run",
        details: "A folder stands for the queries in it and in its subfolders, and without a query \
                  all queries of the project are checked. With --fix it mends what can mean nothing \
                  else, and names the fixes that the author has to choose. With --watch it checks \
                  again what changes, until Ctrl-C ends it. With --differences, or if the query or \
                  an option names a dialect, it also tells where CQL 6.2 reads the query differently. \
                  The exit code is 1 if a query has an error.",
    },
    CommandSpec {
        id: Explain,
        name: "explain",
        usage: "explain [QUERY...] [--cql FILTERS] [--bytecode] [--json]",
        operands: files(0, usize::MAX),
        help: "what a query searches, in sentences, and how",
        details: "It prints the query in sentences, then the notes of the optimizer: the conditions \
                  that are tested first.",
    },
    CommandSpec {
        id: Why,
        name: "why",
        usage: "why DB [QUERY] [-g N] [--ply P] [--cql FILTERS] [--json]",
        operands: files(0, usize::MAX),
        help: "why a query matches in one game or does not, filter by filter",
        details: "It shows what held and what failed at a matching position, or at the one that is \
                  nearest to a match, with the values of the filters. The database is a file of \
                  games or is named with -i. Without -g the game is the first that matches. The \
                  options that choose games, such as --white, --black and --year, choose the game \
                  and are not part of the query: if none of their games matches, the first of them \
                  is shown.",
    },
    CommandSpec {
        id: Profile,
        name: "profile",
        usage: "profile [QUERY] [--cql FILTERS] -i FILE",
        operands: files(0, 1),
        help: "evaluations, matches and time of every filter",
        details: "It runs the query on one thread, without prefilters and outputs.",
    },
    CommandSpec {
        id: Plan,
        name: "plan",
        usage: "plan DB... [--slices N]",
        operands: files(1, usize::MAX),
        help: "cut databases into slices, to be searched by several processes",
        details: "It prints one line of JSON for each slice. A slice may reach from one database into \
                  the next ones, so --slices 1 is one slice of all databases. A compressed database \
                  is not cut.",
    },
    CommandSpec {
        id: Scan,
        name: "scan",
        usage: "scan --slice JSON [OPTIONS] QUERY.cql... -o PART",
        operands: files(0, usize::MAX),
        help: "search one slice; its part holds the results",
        details: "The slice is the text of a line of babson plan, for instance \
                  --slice \"$(sed -n 1p plan.jsonl)\"; the slice - is read from standard input. The \
                  name of the part is printed on standard output. Of several queries, one that has \
                  an error does not stop the others, and babson merge reports it.",
    },
    CommandSpec {
        id: Merge,
        name: "merge",
        usage: "merge PART... -o FILE",
        operands: files(1, usize::MAX),
        help: "write the results of all slices, as one search would",
        details: "The parts hold the queries and options of babson scan. The outputs, --rejects \
                  among them, are options of merge, which writes no other file.",
    },
    CommandSpec {
        id: Pack,
        name: "pack",
        usage: "pack DB... {-o|--append} TABLE.arrow [--compress zstd] [--unique] [--noclobber] | --check TABLE.arrow...",
        operands: files(1, usize::MAX),
        help: "write databases as a game table, an Arrow file",
        details: "A game table holds the games, and for each game the facts from which a search sees \
                  that nothing in it matches. Data tools open it too. Damaged games are reported and \
                  kept.",
    },
    CommandSpec {
        id: Serve,
        name: "serve",
        usage: "serve [DB...] [--listen ADDRESS] [--open] [--token T] [--timeout S] [--max-matches N] [--jobs N]",
        operands: files(0, usize::MAX),
        help: "serve databases to browsers: a page that searches them, and its calls",
        details: "A database is named by its file without the ending; NAME=DB names it otherwise. \
                  Without any, the databases of the project are served. Only \
                  programs of this machine reach the server, unless --listen has another address: \
                  then everybody who reaches it needs the token, or --public lets everybody search. \
                  Queries reach no files and no programs. The token may also stand in \
                  $BABSON_TOKEN, where other users do not see it. Ctrl-C or SIGTERM ends the \
                  server; searches that run have 20 seconds to end.",
    },
    CommandSpec {
        id: Lsp,
        name: "lsp",
        usage: "lsp [--stdio]",
        operands: files(0, 0),
        help: "the language server, which an editor starts",
        details: "It speaks the Language Server Protocol on standard input and output: diagnostics, \
                  completion, navigation, formatting, fixes, and searches of a database. The page \
                  \"In your editor\" of the book has the settings of editors.",
    },
    CommandSpec {
        id: Fmt,
        name: "fmt",
        usage: "fmt QUERY... [--check]",
        operands: files(1, usize::MAX),
        help: "format queries in place; the QUERY - is standard input",
        details: "A folder stands for the queries in it and in its subfolders.",
    },
    CommandSpec {
        id: Convert,
        name: "convert",
        usage: "convert --to ascii|unicode|modern QUERY [-o FILE]",
        operands: files(1, 1),
        help: "convert a query to ASCII or Unicode spelling, or from CQL 3 to modern CQL",
        details: "",
    },
    CommandSpec {
        id: Position,
        name: "position",
        usage: "position FEN [--cql FILTERS] [--legal] [--reachable] [--reverse] [--json]",
        operands: Operands { least: 1, most: 1, kind: OperandKind::Texts },
        help: "draw one position and evaluate filters on it; the FEN - reads one FEN from each \
               line of standard input",
        details: "The FEN is one word: put it in quotes.",
    },
    CommandSpec {
        id: Perft,
        name: "perft",
        usage: "perft [FEN] DEPTH [--variant NAME] [--divide]",
        operands: Operands { least: 1, most: 2, kind: OperandKind::Texts },
        help: "count moves",
        details: "The FEN is one word: put it in quotes. Without it the count begins with the \
                  initial position.",
    },
    CommandSpec {
        id: Completions,
        name: "completions",
        usage: "completions bash|zsh|fish|powershell",
        operands: Operands { least: 1, most: 1, kind: OperandKind::OneOf(SHELLS) },
        help: "print a script of completions for a shell",
        details: "With it the shell completes the commands, options and values of babson. To \
                  install it:\n  \
                  bash: babson completions bash > ~/.local/share/bash-completion/completions/babson\n  \
                  zsh:  babson completions zsh > ~/.zfunc/_babson, with fpath+=~/.zfunc before compinit\n  \
                  fish: babson completions fish > ~/.config/fish/completions/babson.fish\n  \
                  PowerShell: babson completions powershell >> $PROFILE",
    },
    CommandSpec {
        id: Man,
        name: "man",
        usage: "man [--markdown]",
        operands: files(0, 0),
        help: "the manual page",
        details: "To read it: babson man | man -l -\n\
                  To install it: babson man > \
                  ~/.local/share/man/man1/babson.1",
    },
    CommandSpec {
        id: Cookbook,
        name: "cookbook",
        usage: "cookbook [TOPIC [GAMES.pgn... [OPTIONS]]]",
        operands: Operands { least: 0, most: usize::MAX, kind: OperandKind::Recipe },
        help: "the recipes of the cookbook: list them, print one with its query, or run it",
        details: "The topic is the number of a recipe, words of its question, or the title of a \
                  page: babson cookbook windmill",
    },
    CommandSpec {
        id: Help,
        name: "help",
        usage: "help [TOPIC...]",
        operands: Operands { least: 0, most: usize::MAX, kind: OperandKind::Topic },
        help: "the help of babson, or of a command, an option, a word of the language or a code",
        details: "A word of the language is explained by the tables of the book: babson help attacks\n\
                  The code of a diagnostic has an example: babson help E0107",
    },
];

const fn files(least: usize, most: usize) -> Operands {
    Operands { least, most, kind: OperandKind::Files }
}

/// All commands.
const ALL: &[CommandId] = &[
    Search,
    Check,
    Explain,
    Why,
    Profile,
    Plan,
    Scan,
    Merge,
    Pack,
    Serve,
    Lsp,
    Fmt,
    Convert,
    Position,
    Perft,
    Completions,
    Man,
    Cookbook,
    Help,
];
/// Those that read the text of a query.
const READING: &[CommandId] = &[Search, Check, Explain, Why, Profile, Scan, Fmt, Convert, Position];
/// Those, and the one that gets queries from parts.
const GUARDED: &[CommandId] =
    &[Search, Check, Explain, Why, Profile, Scan, Merge, Fmt, Convert, Position];
/// Those that take default options from a file.
const CONFIGURED: &[CommandId] =
    &[Search, Check, Explain, Why, Profile, Plan, Scan, Merge, Pack, Fmt, Convert, Position];
/// Those that print in colors.
const COLORED: &[CommandId] =
    &[Search, Check, Explain, Why, Profile, Scan, Merge, Fmt, Convert, Position];
/// Those whose query is made of files and of options.
const FILTERING: &[CommandId] = &[Search, Check, Explain, Why, Profile, Scan];
/// Those that type-check a query.
const TYPING: &[CommandId] = &[Search, Check, Explain, Why, Profile, Scan, Position];
/// Those that evaluate a query.
const RUNNING: &[CommandId] = &[Search, Why, Profile, Scan, Position];
/// Those that evaluate a query on games.
const SCANNING: &[CommandId] = &[Search, Why, Profile, Scan];
/// Those that read games.
const MAPPING: &[CommandId] = &[Search, Why, Profile, Plan, Scan, Pack];
/// Those that read games on several threads.
const THREADED: &[CommandId] = &[Search, Scan, Pack];
/// Those that compare all games with each other.
const COMPARING: &[CommandId] = &[Search, Pack];
/// Those that show progress.
const PROGRESSING: &[CommandId] = &[Search, Merge, Pack];
/// Those whose inputs the command line names.
const OPENING: &[CommandId] = &[Search, Why, Profile];
/// Those that search for matches, whole or in slices.
const SEARCHING: &[CommandId] = &[Search, Scan];
/// Those that report damaged games.
const REPORTING: &[CommandId] = &[Search, Scan, Merge];
/// Those that write matches.
const WRITING: &[CommandId] = &[Search, Merge];
/// Those that write matches or game tables.
const TABULATING: &[CommandId] = &[Search, Merge, Pack];
/// The search.
const SEARCH: &[CommandId] = &[Search];
/// Those that read the project file.
const PROJECT: &[CommandId] =
    &[Search, Check, Explain, Why, Profile, Scan, Serve, Fmt, Convert, Position];
/// The server.
const SERVING: &[CommandId] = &[Serve];

const fn opt(
    group: G,
    owner: OptionOwner,
    commands: &'static [CommandId],
    names: &'static [&'static str],
    value: OptionValue,
    help: &'static str,
) -> OptionSpec {
    OptionSpec {
        group,
        owner,
        commands,
        names,
        value,
        help,
        default: None,
        class: Class::Setting,
        id: None,
        is_usual: false,
    }
}

/// The maximum of a number without one.
const MAX: u64 = u64::MAX;

/// Names an input.
pub(super) const ADD_INPUT: Update<OsString> = Set(|c, file| c.inputs.names.push(file));

/// Transforms the query.
const TRANSFORM: Update<()> = Set(ConfigBuilder::transform);

/// The options, in the order of the help. What a row does with the value is a function of the
/// configuration `c`.
#[rustfmt::skip]
pub(crate) static OPTIONS: &[OptionSpec] = &[
    opt(G::Command, Babson, &[Check], &["differences"], Flag(Set(|c, ()| c.run.command.differences = true)), "also tell where CQL 6.2 and CQLi read the query differently"),
    opt(G::Command, Babson, &[Explain], &["bytecode"], Flag(Set(|c, ()| c.run.command.bytecode = true)), "print also the typed tree and the bytecode"),
    opt(G::Command, Babson, &[Check], &["fix"], Flag(Set(|c, ()| c.run.command.fixes = true)), "mend the mistakes that can mean nothing else, in the files of the queries, and show the other fixes; the QUERY - is standard input, whose mended text is printed"),
    opt(G::Command, Babson, &[Check], &["sarif"], Flag(Set(|c, ()| c.run.command.sarif = true)), "print the diagnostics as SARIF 2.1.0, for code scanning and other tools"),
    opt(G::Command, Babson, &[Check], &["output", "o"], File("FILE", Set(|c, file| c.run.command.sarif_output = Some(file))), "where the SARIF is written; then the diagnostics are shown, too").default("stdout"),
    opt(G::Command, Babson, &[Lsp], &["stdio"], Flag(Set(|_, ()| ())), "speak on standard input and output, as without it: many editors give it"),
    opt(G::Command, Babson, &[Check], &["watch"], Flag(Set(|c, ()| c.run.command.watches = true)), "check again what changes, until Ctrl-C ends it"),
    opt(G::Command, Babson, &[Check, Explain], &["json"], Flag(Set(|c, ()| c.run.command.json = true)), "print one JSON object for each query"),
    opt(G::Command, Babson, &[Why], &["ply"], Number(0, MAX, Set(|c, n| c.run.command.ply = Some(n.min(u32::MAX.into()) as u32))), "the position after N plies of the main line").default("the first match, or the position nearest to one"),
    opt(G::Command, Babson, &[Why], &["json"], Flag(Set(|c, ()| c.run.command.json = true)), "print one JSON object"),
    opt(G::Command, Babson, &[Fmt], &["check"], Flag(Set(|c, ()| c.run.command.checks_style = true)), "write nothing, name the files that would change; then the exit code is 1"),
    opt(G::Command, Babson, &[Convert], &["to"], Choice("SPELLING", &["ascii", "unicode", "modern"], Read(|c, word| target(&word).map(|target| c.run.command.target = Some(target)))), "ascii, unicode, or modern for a query of CQL 3"),
    opt(G::Command, Babson, &[Convert], &["output", "o"], File("FILE", Set(|c, file| c.run.command.converted = Some(file))), "where the converted query is written").default("stdout"),
    opt(G::Command, Babson, &[Position], &["cql"], Text("FILTERS", Filter(|_| Ok(Template::default().word(0)))), "filters to evaluate on the position; repeatable").class(Class::Query).id(Id::Cql).usual(),
    opt(G::Command, Babson, &[Position], &["legal"], Flag(Set(|c, ()| c.run.command.legal = true)), "is it legal?"),
    opt(G::Command, Babson, &[Position], &["reachable"], Flag(Set(|c, ()| c.run.command.reachable = true)), "can it occur in a game, and if not, why?"),
    opt(G::Command, Babson, &[Position], &["reverse"], Flag(Set(|c, ()| c.run.command.reverse = true)), "the positions one move before"),
    opt(G::Command, Babson, &[Position], &["json"], Flag(Set(|c, ()| c.run.command.json = true)), "print one JSON object for each position"),
    opt(G::Command, Babson, &[Perft], &["variant"], Text("NAME", Read(|c, name| variant(&name).map(|variant| c.run.command.variant = Some(variant)))), "the rules of a variant of chess").default("standard chess"),
    opt(G::Command, Babson, &[Perft], &["divide"], Flag(Set(|c, ()| c.run.command.divide = true)), "a line for each first move"),
    opt(G::Command, Babson, &[Man], &["markdown"], Flag(Set(|c, ()| c.run.command.markdown = true)), "the tables of the book instead"),

    opt(G::Command, Babson, &[Plan], &["slices"], Number(1, MAX, Set(|c, n| c.run.command.slices = Some(size(n)))), "how many slices at most").default("16"),
    opt(G::Command, Babson, &[Scan], &["slice"], Text("JSON", Set(|c, text| c.run.command.slice.push(text))), "the slice: a line of babson plan, or - for a line of standard input").id(Id::Slice),
    opt(G::Command, Babson, &[Scan], &["output", "o"], File("PART", Set(|c, file| c.run.command.part.push(file))), "where the part of the slice is written, or - for stdout").id(Id::PartOutput),
    opt(G::Command, Babson, &[Pack], &["output", "o"], File("TABLE", Set(|c, file| c.run.command.table.push(file))), "the table; its name ends with .arrow").id(Id::TableOutput),
    opt(G::Command, Babson, &[Pack], &["append"], File("TABLE", Set(|c, file| c.run.command.appended_tables.push(file))), "append the games to this table instead; with --unique, only those that it does not have").id(Id::AppendedTable),
    opt(G::Command, Babson, &[Pack], &["check"], Flag(Set(|c, ()| c.run.command.checks_tables = true)), "test tables against their checksums and write nothing; a folder stands for its tables, and - for stdin"),
    opt(G::Command, Babson, SERVING, &["listen"], Text("ADDRESS", Read(|c, word| c.run.command.serve.set_listen(&word))), "the address to listen on, or a port of this machine; an address that others reach needs --token or --public").default("127.0.0.1:8080"),
    opt(G::Command, Babson, SERVING, &["open"], Flag(Set(|c, ()| c.run.command.serve.opens = true)), "open the page in the browser"),
    opt(G::Command, Babson, SERVING, &["token"], Text("T", Set(|c, word| c.run.command.serve.token = Some(word))), "answer only those who send this token; the page asks for it"),
    opt(G::Command, Babson, SERVING, &["public"], Flag(Set(|c, ()| c.run.command.serve.public = true)), "let everybody search who reaches the address; without it, an address that others reach needs --token"),
    opt(G::Command, Babson, SERVING, &["host"], Text("NAME", Set(|c, word| c.run.command.serve.hosts.push(word))), "a name under which browsers reach the server, such as the name of a reverse proxy; repeatable"),
    opt(G::Command, Babson, SERVING, &["timeout"], Number(1, MAX, Set(|c, n| c.run.command.serve.timeout = Some(Duration::from_secs(n)))), "end a search after N seconds").default("60"),
    opt(G::Command, Babson, SERVING, &["max-matches", "maxmatches"], Number(1, MAX, Set(|c, n| c.run.command.serve.max_matches = Some(n))), "end a search after N matches").default("100000"),
    opt(G::Command, Babson, SERVING, &["jobs"], Number(1, 1024, Set(|c, n| c.run.command.serve.jobs = Some(size(n)))), "searches that run at once; 256 more wait, and others are refused").default("all cores"),

    opt(G::Files, Both, OPENING, &["input", "i"], File("FILE", ADD_INPUT), "games: .pgn or .txt, also as .gz, .zst, .xz or .bz2, .zip, .arrow, a folder, or - for stdin; repeatable").id(Id::Input).usual(),
    opt(G::Files, Babson, OPENING, &["cache"], Text("SIZE", Read(|c, word| bytes(&word).map(|size| c.inputs.cache = Some(size)))), "keep this much of each game table of a URL in memory, in bytes or with K, M or G").default("64M"),
    opt(G::Files, Babson, MAPPING, &["no-mmap", "nommap"], Flag(Set(|c, ()| c.inputs.unmapped = true)), "read plain files instead of mapping them into memory; the results are the same"),
    opt(G::Files, Both, OPENING, &["vi"], Flag(Set(|c, ()| c.inputs.names.push("HHdbVI.pgn".into()))), "the same as -i HHdbVI.pgn"),
    opt(G::Files, Both, OPENING, &["vii"], Flag(Set(|c, ()| c.inputs.names.push("HHdbVII.pgn".into()))), "the same as -i HHdbVII.pgn"),
    opt(G::Files, Both, WRITING, &["output", "o"], File("FILE", Set(|c, file| c.outputs.names.push(file))), "matches: .pgn, .jsonl, .json, .csv, .tsv or .epd, with .gz or .zst after it to compress, .html, .arrow, or - for stdout; repeatable; for several queries a folder, or one file for all; {query}, {tag:NAME} and {sort:NAME} in the name split the games").id(Id::Output).usual(),
    opt(G::Files, Babson, WRITING, &["format"], Choice("FORMAT", &["pgn", "jsonl", "json", "csv", "tsv", "epd", "html"], Read(|c, word| format(&word).map(|format| c.outputs.format = Some(format)))), "the format of an output whose name has no extension: - (the default with this option), a device, or a folder of files"),
    opt(G::Files, Babson, WRITING, &["columns"], Text("LIST", Read(ConfigBuilder::columns)), "the columns of .csv and .tsv, and of .jsonl and .json as flat objects, with commas: game,white,next.san,tag:NAME,sort:NAME,field:NAME").id(Id::Columns),
    opt(G::Files, Babson, WRITING, &["group"], Text("LIST", Read(ConfigBuilder::group)), "count the games and their results for each value of these keys, with commas: any column, next, year, decade, eco:1, player; to stdout, .csv, .tsv, .jsonl, .json or .txt").id(Id::Group),
    opt(G::Files, Babson, WRITING, &["overlay"], Flag(Set(ConfigBuilder::overlay)), "write each game that several queries find once, with the comments and marks of all, to one .pgn"),
    opt(G::Files, Babson, TABULATING, &["compress"], Choice("METHOD", &["none", "zstd"], Read(ConfigBuilder::compress)), "how a game table is compressed; with zstd it is less than half as large, and slower to search").default("none").id(Id::Compress),
    opt(G::Files, Cqli, SEARCH, &["append", "a"], File("FILE", Set(ConfigBuilder::append)), "append matches to a file (-a with --dialect cql6: convert a query to ASCII, in place)").id(Id::Append),
    opt(G::Files, Cqli, &[Merge], &["append", "a"], File("FILE", Set(ConfigBuilder::append)), "append matches to a file").id(Id::Append),
    opt(G::Files, Babson, WRITING, &["count"], Flag(Set(|c, ()| c.outputs.counting = Counting::Asked)), "write nothing; print the number of matching games, for several queries with their names").id(Id::Count).usual(),
    opt(G::Files, Babson, SEARCH, &["nonmatching"], File("FILE", Set(|c, file| c.outputs.nonmatching = Some(file))), "write the games that are searched and do not match, as .pgn (also .gz or .zst) or .arrow, or - for stdout"),
    opt(G::Files, Babson, WRITING, &["exit-status", "exitstatus"], Flag(Set(|c, ()| c.run.console.exit_status = true)), "the exit code tells whether a game matched: 0 if one did, 1 if none did, 2 or 3 after an error").id(Id::ExitStatus),
    opt(G::Files, Babson, REPORTING, &["rejects"], File("FILE", Set(|c, file| c.outputs.rejects = Some(destination(&file)))), "write the text of damaged games to a file, or - for stdout").id(Id::Rejects),
    opt(G::Files, Cqli, TABULATING, &["createdirectories"], Flag(Set(|c, ()| c.outputs.files.create_directories = true)), "create missing folders of outputs").id(Id::CreateDirectories),
    opt(G::Files, Cqli, TABULATING, &["noclobber"], Flag(Set(|c, ()| c.outputs.files.no_clobber = true)), "never replace a file").id(Id::NoClobber),
    opt(G::Files, Cqli, WRITING, &["dryrun"], Flag(Set(|c, ()| c.outputs.files.dry_run = true)), "print the names of the outputs and write none"),
    opt(G::Files, Cqli, WRITING, &["includetagpattern"], Text("REGEX", Read(|c, word| pattern(&word).map(|one| c.outputs.tags.only.push(one)))), "write only tags whose name matches this regular expression; repeatable").class(Class::Layout),
    opt(G::Files, Cqli, WRITING, &["excludetagpattern"], Text("REGEX", Read(|c, word| pattern(&word).map(|one| c.outputs.tags.never.push(one)))), "write no tags whose name matches this regular expression; repeatable").class(Class::Layout),
    opt(G::Files, Cqli, WRITING, &["maxopenoutputfiles"], Number(1, MAX, Set(|c, n| c.outputs.files.max_open = size(n))), "files open at a time when games are split into many").default("100"),
    opt(G::Files, Cqli, WRITING, &["binaryoutput"], Flag(Nothing), "accepted, without effect: line ends are always written as they are"),
    opt(G::Files, Cqli, SEARCHING, &["nestedcomments"], Switch(Nothing), "accepted, without effect: comments may always nest"),
    opt(G::Files, Cqli, SCANNING, &["skipunknownvariants"], Flag(Set(|c, ()| c.inputs.skip_unknown_variants = true)), "skip games of unknown variants without a report"),
    opt(G::Files, Cqli, TYPING, &["variantalias"], Pair("NAME ALIAS", Read(|c, [name, alias]| c.run.reading.add_alias(&name, &alias))), "another name of a variant, in the Variant tag and in the filter variant; repeatable").id(Id::VariantAlias),

    opt(G::Search, Both, SCANNING, &["gamenumber", "g"], Range(Set(|c, range| c.inputs.set_range(range))), "only games with these numbers").id(Id::Range).usual(),
    opt(G::Search, Babson, COMPARING, &["unique"], Flag(Set(|c, ()| c.inputs.unique = true)), "keep only the first of equal games: those with the same players, date and moves").id(Id::Unique),
    opt(G::Search, Babson, SEARCH, &["resume"], File("DIR", Set(|c, folder| c.inputs.resume = Some(folder.into()))), "keep the results of finished slices in this folder, and go on from there after an interruption"),
    opt(G::Search, Cqli, SCANNING, &["limit"], Number(1, MAX, Set(|c, n| c.run.limit = Some(n))), "stop after the first N matching games").id(Id::Limit).usual(),
    opt(G::Search, Babson, WRITING, &["top"], Number(1, MAX, Set(|c, n| c.outputs.top = Some(n))), "write only the N games that the sort of the query puts first"),
    opt(G::Search, Babson, WRITING, &["sample"], Number(1, MAX, Set(|c, n| c.outputs.sample = Some(n))), "write only N of the matching games, chosen at random; with several queries, N of each"),
    opt(G::Search, Babson, WRITING, &["seed"], Number(0, MAX, Set(|c, n| c.outputs.seed = Some(n))), "the seed of --sample: another seed chooses other games").default("0"),
    opt(G::Search, Babson, SEARCHING, &["first"], Flag(Set(|c, ()| c.run.options.first_match = true)), "end each game at its first matching position"),
    opt(G::Search, Both, SCANNING, &["matchcount"], Range(Set(|c, range| c.run.options.match_count = Some(positions(range)))), "only games with this number of matching positions"),
    opt(G::Search, Cqli, SEARCHING, &["sortmatchcount"], OptionalRange(Set(ConfigBuilder::sort_match_count)), "sort games by their number of matching positions; with a range also --matchcount"),
    opt(G::Search, Both, SCANNING, &["variations"], Flag(Set(|c, ()| c.run.options.variations = Some(true))), "visit variations").id(Id::Variations).usual(),
    opt(G::Search, Both, SCANNING, &["mainline"], Flag(Set(|c, ()| c.run.options.variations = Some(false))), "do not visit variations, whatever the header says"),
    opt(G::Search, Both, FILTERING, &["virtualmainline"], Flag(Set(ConfigBuilder::virtual_main_line)), "visit variations, but match only positions to which no variation of White and no null move leads").class(Class::Filter),
    opt(G::Search, Cqli, SEARCHING, &["nosort"], Flag(Set(|c, ()| c.run.unsorted = true)), "write matches in game order, unsorted"),
    opt(G::Search, Both, THREADED, &["threads"], Number(1, MAX_THREADS as u64, Set(|c, n| c.run.threads = Some(size(n)))), "threads that read games").default("all cores").usual(),
    opt(G::Search, Both, THREADED, &["singlethreaded", "s"], Flag(Set(|c, ()| c.run.threads = Some(1))), "one thread"),
    opt(G::Search, Cql6, THREADED, &["multithreaded", "m"], Flag(Set(|c, ()| c.run.threads = None)), "all cores"),
    opt(G::Search, Babson, READING, &["dialect"], Choice("cqli|cql6", &["cqli", "cql6"], Read(ConfigBuilder::dialect)), "the dialect of queries, where CQLi and CQL 6.2 differ").default("cqli").id(Id::Dialect),
    opt(G::Search, Babson, RUNNING, &["steps"], Number(1, MAX, Set(|c, n| c.run.options.steps = n)), "evaluation steps that one game may take").default("50000000"),
    opt(G::Search, Babson, FILTERING, &["import-path", "importpath"], File("DIR", Set(|c, folder| c.run.reading.import_folders.push(folder.into()))), "a folder in which import looks for files, after the folder of the query; repeatable; then the folders of the project and of $BABSON_PATH").id(Id::ImportPath),
    opt(G::Search, Cqli, GUARDED, &["secure"], Flag(Set(|c, ()| c.run.reading.secure = true)), "queries may not name files, in their header or in filters, nor start programs"),
    opt(G::Search, Babson, SEARCHING, &["timeout"], Number(1, MAX, Set(|c, n| c.run.timeout = Some(Duration::from_secs(n)))), "stop the run after N seconds; then no output is written, and the exit code is 1"),
    opt(G::Search, Cqli, SCANNING, &["pipetimeout"], Number(0, MAX, Set(|c, n| c.run.reading.pipe_timeout = Some(Duration::from_secs(n)))), "seconds that commandpipe waits for an answer; 0 means for ever").default("10"),
    opt(G::Search, Cql6, SCANNING, &["nolinearize"], Flag(Set(|c, ()| c.run.options.no_linearize = true)), "let move filters in a constituent of line match any continuation, not only the one of the line"),

    opt(G::Filters, Both, FILTERING, &["cql"], Text("FILTERS", Filter(|_| Ok(Template::default().word(0)))), "the query, or filters that precede the query file; repeatable").class(Class::Query).id(Id::Cql).usual(),
    opt(G::Filters, Both, FILTERING, &["player"], Text("REGEX", Filter(player)), "only games of this player; case matters").class(Class::GameChoice).usual(),
    opt(G::Filters, Both, FILTERING, &["white"], Text("REGEX", Filter(|name| Template::new("player white ~~ ").quoted(0, &name))), "only games with this player of the white pieces; case matters").class(Class::GameChoice),
    opt(G::Filters, Both, FILTERING, &["black"], Text("REGEX", Filter(|name| Template::new("player black ~~ ").quoted(0, &name))), "only games with this player of the black pieces; case matters").class(Class::GameChoice),
    opt(G::Filters, Both, FILTERING, &["event"], Text("TEXT", Filter(|text| Ok(Template::in_tag("event", &text)))), "only games with this text in the Event tag; case matters").class(Class::GameChoice),
    opt(G::Filters, Both, FILTERING, &["site"], Text("TEXT", Filter(|text| Ok(Template::in_tag("site", &text)))), "only games with this text in the Site tag; case matters").class(Class::GameChoice),
    opt(G::Filters, Both, FILTERING, &["result"], Choice("RESULT", &["1-0", "0-1", "1/2-1/2"], Filter(result)), "only games that ended 1-0, 0-1 or 1/2-1/2").class(Class::GameChoice),
    opt(G::Filters, Both, FILTERING, &["year"], Range(Filter(|(low, high)| Ok(Template::new(&format!("year >= {low} year <= {high}"))))), "only games of these years").class(Class::GameChoice).id(Id::Year),
    opt(G::Filters, Both, FILTERING, &["fen"], Text("FEN", Filter(|fen| Template::new("fen ").quoted(0, &fen))), "only positions with this arrangement of pieces").class(Class::Filter),
    opt(G::Filters, Babson, FILTERING, &["like"], Text("FEN", Filter(|_| Ok(Template::default().word(0)))), "keep of each game the matching position that is most similar to this FEN, and sort the games by the similarity, the sort key like").class(Class::Like),
    opt(G::Filters, Both, FILTERING, &["wtm"], Flag(Filter(|()| Ok(Template::new("wtm")))), "only positions with White to move").class(Class::Filter),
    opt(G::Filters, Both, FILTERING, &["btm"], Flag(Filter(|()| Ok(Template::new("btm")))), "only positions with Black to move").class(Class::Filter),
    opt(G::Filters, Both, FILTERING, &["assign"], Pair("NAME VALUE", Filter(assign)), "set a variable before the query is evaluated").class(Class::Variable),
    opt(G::Filters, Cql6, FILTERING, &["similarposition"], Similar(Filter(similar_position)), "positions that are similar to a position of a file; the words nosort and notransform are allowed before FILE").class(Class::Filter),
    opt(G::Filters, Both, FILTERING, &["hhdb"], Hhdb(Filter(hhdb)), "a filter of the Heijden database (--hhdb help names them)").class(Class::GameChoice).id(Id::Hhdb),
    opt(G::Filters, Both, FILTERING, &["flip"], Flag(TRANSFORM), "apply this transform to the whole query").class(Class::Transform),
    opt(G::Filters, Both, FILTERING, &["flipcolor"], Flag(TRANSFORM), "the same").class(Class::Transform),
    opt(G::Filters, Both, FILTERING, &["flipvertical"], Flag(TRANSFORM), "the same").class(Class::Transform),
    opt(G::Filters, Both, FILTERING, &["fliphorizontal"], Flag(TRANSFORM), "the same").class(Class::Transform),
    opt(G::Filters, Both, FILTERING, &["reversecolor"], Flag(TRANSFORM), "the same").class(Class::Transform),
    opt(G::Filters, Both, FILTERING, &["shift"], Flag(TRANSFORM), "the same").class(Class::Transform),
    opt(G::Filters, Both, FILTERING, &["shifthorizontal"], Flag(TRANSFORM), "the same").class(Class::Transform),
    opt(G::Filters, Both, FILTERING, &["shiftvertical"], Flag(TRANSFORM), "the same").class(Class::Transform),
    opt(G::Filters, Both, FILTERING, &["rotate90"], Flag(TRANSFORM), "the same").class(Class::Transform),
    opt(G::Filters, Both, FILTERING, &["rotate45"], Flag(TRANSFORM), "the same").class(Class::Transform),

    opt(G::Comments, Both, SEARCHING, &["matchstring"], Text("TEXT", Set(|c, text| c.run.options.match_string = Some(text))), "the comment at matching positions").default("CQL"),
    opt(G::Comments, Both, SEARCHING, &["quiet"], Flag(Set(|c, ()| c.comments(CommentLevel::Quiet))), "no match comment and no automatic comments"),
    opt(G::Comments, Both, SEARCHING, &["silent"], Flag(Set(|c, ()| c.comments(CommentLevel::Silent))), "no added comments at all"),
    opt(G::Comments, Both, SEARCHING, &["noheader"], Flag(Set(|c, ()| c.run.options.header = false)), "with --cql6output or --dialect cql6: no comment with the game number"),
    opt(G::Comments, Both, SEARCHING, &["alwayscomment", "nosmartcomments"], Flag(Set(|c, ()| c.run.options.always_comment = true)), "keep the comments of filters that failed"),
    opt(G::Comments, Cql6, SEARCHING, &["nosortcomments"], Flag(Set(|c, ()| c.run.options.no_sort_comments = true)), "keep the comments of all values of a sort"),
    opt(G::Comments, Cqli, SEARCHING, &["keepallbest"], Flag(Set(|c, ()| c.run.options.keep_all_best = true)), "keep the comments of all equally good values of a sort"),
    opt(G::Comments, Both, SEARCHING, &["uniquecomments"], Switch(Set(|c, on| c.run.options.unique_comments = on)), "write equal comments that are added to a position once; comments of the input are kept").default("yes"),
    opt(G::Comments, Both, SEARCHING, &["noremovecomment"], Flag(Set(|c, ()| c.run.options.no_remove_comment = true)), "ignore removecomment"),
    opt(G::Comments, Both, SEARCHING, &["nosettag"], Flag(Set(|c, ()| c.run.options.no_set_tag = true)), "ignore settag"),
    opt(G::Comments, Cqli, SEARCHING, &["noremovetag"], Flag(Set(|c, ()| c.run.options.no_remove_tag = true)), "ignore removetag"),
    opt(G::Comments, Cqli, SEARCHING, &["nocommitlog"], Flag(Nothing), "accepted, without effect"),

    opt(G::Layout, Babson, SEARCHING, &["cql6-output", "cql6output"], Flag(Set(|c, ()| c.outputs.cql6_output = true)), "comments and layout as CQL 6.2 writes them"),
    opt(G::Layout, Cqli, WRITING, &["coalescecomments"], Switch(Set(|c, on| c.outputs.each_layout(|layout| layout.coalesce_comments = on))), "one brace for all comments of a position").default("no").class(Class::Layout),
    opt(G::Layout, Cqli, WRITING, &["compactcomments"], Switch(Set(|c, on| c.outputs.each_layout(|layout| layout.compact_comments = on))), "no space inside braces").default("yes").class(Class::Layout),
    opt(G::Layout, Cqli, WRITING, &["compactmoves"], Switch(Set(|c, on| c.outputs.each_layout(|layout| layout.compact_moves = on))), "no space after a move number").default("yes").class(Class::Layout),
    opt(G::Layout, Cqli, WRITING, &["compactvariations"], Switch(Set(|c, on| c.outputs.each_layout(|layout| layout.compact_variations = on))), "no space inside parentheses").default("no").class(Class::Layout),
    opt(G::Layout, Cqli, WRITING, &["elidecomments"], Switch(Set(|c, on| c.outputs.each_layout(|layout| layout.elide_comments = on))), "write no comments").default("no").class(Class::Layout),
    opt(G::Layout, Cqli, WRITING, &["elidenags"], Switch(Set(|c, on| c.outputs.each_layout(|layout| layout.elide_nags = on))), "write no annotation glyphs").default("no").class(Class::Layout),
    opt(G::Layout, Cqli, WRITING, &["elidevariations"], Switch(Set(|c, on| c.outputs.each_layout(|layout| layout.elide_variations = on))), "write no variations").default("no").class(Class::Layout),
    opt(G::Layout, Cqli, WRITING, &["movenumbers"], Switch(Set(|c, on| c.outputs.each_layout(|layout| layout.move_numbers = on))), "write move numbers").default("yes").class(Class::Layout),
    opt(G::Layout, Cqli, WRITING, &["movenumberaftercomment"], Switch(Set(|c, on| c.outputs.each_layout(|layout| layout.number_after_comment = on))), "repeat the number after a comment").default("yes").class(Class::Layout),
    opt(G::Layout, Cqli, WRITING, &["movenumberafternag"], Switch(Set(|c, on| c.outputs.each_layout(|layout| layout.number_after_nag = on))), "repeat the number after a glyph").default("no").class(Class::Layout),
    opt(G::Layout, Cqli, WRITING, &["splitmoves"], Switch(Set(|c, on| c.outputs.each_layout(|layout| layout.split_moves = on))), "a line may end after a move number").default("yes").class(Class::Layout),
    opt(G::Layout, Cqli, WRITING, &["pgnlinewidth"], Number(1, MAX, Set(|c, n| c.outputs.each_layout(|layout| layout.width = size(n)))), "columns of a line of PGN").default("79").class(Class::Layout),
    opt(G::Layout, Babson, WRITING, &["fragment"], OptionalNumber(1, Set(|c, plies| c.outputs.set_fragment(plies))), "write the games from their matching positions on, to their end or for N plies; in an .epd also the next moves"),
    opt(G::Layout, Babson, WRITING, &["worksheet"], Flag(Set(ConfigBuilder::worksheet)), "make a .html a sheet of puzzles: numbered boards without arrows, six on a printed page, and the moves of the games at the end"),
    opt(G::Layout, Babson, WRITING, &["title"], Text("TEXT", Set(ConfigBuilder::title)), "the title of a .html").default("the query"),
    opt(G::Layout, Babson, WRITING, &["marks"], Flag(Set(|c, ()| c.outputs.marks = true)), "mark the squares of the query's sets, the last and the next move at matches, as [%csl] and [%cal] in comments").class(Class::Layout),
    opt(G::Layout, Babson, WRITING, &["safecsv", "safe-csv"], Flag(Set(|c, ()| c.outputs.safe_csv = true)), "put a ' before CSV cells that a spreadsheet would read as a formula").class(Class::Layout),
    opt(G::Layout, Cql6, WRITING, &["outputbuffer"], Number(100_001, MAX, Set(|c, n| c.outputs.set_output_buffer(n))), "in the layout of CQL 6.2, truncate a game after N bytes").default("105000").class(Class::Layout),

    opt(G::Console, Both, PROGRESSING, &["lineincrement"], Number(1, MAX, Set(|c, n| c.run.console.increment = Some(n))), "a line of progress every N games where stderr is not a terminal").default("none"),
    opt(G::Console, Both, PROGRESSING, &["noprogress", "nooutputstatus"], Flag(Set(|c, ()| c.run.console.no_progress = true)), "no progress"),
    opt(G::Console, Babson, TABULATING, &["no-summary", "nosummary", "q"], Flag(Set(|c, ()| (c.run.console.no_progress, c.run.console.no_summary) = (true, true))), "no progress and no summary: only results, messages and errors"),
    opt(G::Console, Cql6, PROGRESSING, &["showoutput"], Flag(Set(|c, ()| c.run.console.no_progress = false)), "show progress (default)"),
    opt(G::Console, Cql6, PROGRESSING, &["showthread"], Flag(Set(|c, ()| c.run.console.no_progress = false)), "the same"),
    opt(G::Console, Both, WRITING, &["showmatches"], Flag(Set(|c, ()| c.run.console.show_matches = true)), "print the number of each matching game"),
    opt(G::Console, Cqli, SEARCHING, &["showdictionaries"], Flag(Set(|c, ()| c.run.console.show_dictionaries = true)), "print the dictionaries at the end"),
    opt(G::Console, Babson, SEARCHING, &["stats"], Flag(Set(|c, ()| c.run.console.stats = true)), "print how many games of game tables pass each condition of the game guard, and for how many games the moves were not read, or not to the end"),
    opt(G::Console, Cqli, SEARCH, &["noasyncmessages"], Flag(Nothing), "accepted, without effect: messages are always in game order"),
    opt(G::Console, Babson, COLORED, &["color"], Choice("WHEN", &["auto", "always", "never"], Read(|c, word| c.run.reading.set_color(&word))), "auto, always or never").default("auto").id(Id::Color),
    opt(G::Console, Cqli, COLORED, &["ansicolors"], Switch(Set(|c, on| c.run.reading.color = if on { ColorChoice::Always } else { ColorChoice::Never })), "the same as --color always, or never").id(Id::AnsiColors),
    opt(G::Console, Cqli, SEARCH, &["warnlevel", "w"], Number(0, MAX, Nothing), "accepted, without effect: babson check prints all warnings"),
    opt(G::Console, Cql6, WRITING, &["gui"], Flag(Set(|c, ()| c.run.console.gui = true)), "print results as lines for programs"),
    opt(G::Console, Cql6, OPENING, &["guipgnstdin"], Flag(Set(|c, ()| c.inputs.names.push("-".into()))), "the same as -i -"),
    opt(G::Console, Cql6, WRITING, &["guipgnstdout"], Flag(Set(|c, ()| c.outputs.gui_stdout = true)), "print the matches on stdout, between a line with CqlGuiPgn and a line with /CqlGuiPgn").id(Id::GuiStdout),

    opt(G::Convert, Cql6, SEARCH, &["u"], File("QUERY", Set(|c, file| c.run.conversions.push((Conversion::InPlace(Spelling::Unicode), file)))), "convert a query to Unicode, in place").class(Class::Inspection),
    opt(G::Convert, Cql6, SEARCH, &["utf8"], File("QUERY", Set(|c, file| c.run.conversions.push((Conversion::Unicode, file)))), "convert a query to Unicode, to stdout or -o FILE").class(Class::Inspection),
    opt(G::Convert, Cql6, SEARCH, &["html"], File("QUERY", Set(|c, file| c.run.conversions.push((Conversion::Page, file)))), "show a query as a page, QUERY.html or -o FILE (a report of games is -o found.html)").class(Class::Inspection),
    opt(G::Convert, Cql6, SEARCH, &["echo"], File("QUERY", Set(|c, file| c.run.conversions.push((Conversion::Copy, file)))), "print a query").class(Class::Inspection),
    opt(G::Convert, Cql6, SEARCH, &["colorize"], File("QUERY", Set(|c, file| c.run.conversions.push((Conversion::Colors, file)))), "print a query in colors").class(Class::Inspection),

    opt(G::Debug, Both, SEARCH, &["parse"], Flag(Set(|c, ()| c.run.show = Some(ShowMode::Tree))), "print the tokens and the tree of the query instead of searching").class(Class::Inspection),
    opt(G::Debug, Cql6, SEARCH, &["lex"], Flag(Set(|c, ()| c.run.show = c.run.show.or(Some(ShowMode::Tokens)))), "print the tokens of the query instead of searching").class(Class::Inspection),
    opt(G::Debug, Cql6, SEARCH, &["debug", "d"], Flag(Set(|c, ()| c.run.debug = true)), "print the compiled query before the search"),
    opt(G::Debug, Cql6, SEARCH, &["showfromstring"], Flag(Nothing), "accepted, without effect"),
    opt(G::Debug, Cqli, SEARCH, &["consoleunicode"], Switch(Set(|c, on| c.run.line_characters = on)), "draw the tree of --parse with line characters").default("no"),

    opt(G::General, Babson, CONFIGURED, &["no-config", "noconfig"], Flag(Nothing), "do not read the default options of the file that $BABSON_CONFIG names").class(Class::Information).id(Id::NoConfig),
    opt(G::General, Babson, PROJECT, &["no-project", "noproject"], Flag(Set(|c, ()| c.run.reading.no_project = true)), "do not read the project file babson.toml"),
    opt(G::General, Both, ALL, &["help", "h"], Flag(Nothing), "the help").class(Class::Information).id(Id::Help),
    opt(G::General, Both, SEARCH, &["version", "v"], Flag(Nothing), "the version").class(Class::Information).id(Id::Version),
    opt(G::General, Cqli, SEARCH, &["license"], Flag(Nothing), "the license").class(Class::Information).id(Id::License),
];
