//! The table of the command line: the commands, and the options with the commands that take them.
//!
//! The parser reads it; the help, the manual page, the completions and the page of the book are
//! generated from it. A new command is a row of [`COMMANDS`], a module of `commands` and an arm in
//! `main.rs`; its options are rows of [`OPTIONS`], or its name stands in rows that are there.

use babson::MAX_THREADS;

use super::spec::{
    CommandId, CommandSpec, OperandKind, Operands, OptionGroup, OptionId, OptionOwner, OptionSpec,
    OptionValue,
};

use CommandId::{
    Check, Completions, Convert, Cookbook, Explain, Fmt, Help, Man, Merge, Pack, Perft, Plan,
    Position, Profile, Scan, Search, Why,
};
use OptionGroup as G;
use OptionId as Id;
use OptionOwner::{Babson, Both, Cql6, Cqli};
use OptionValue::{
    Choice, File, Hhdb, None, Number, NumberUpTo, OptionalNumber, OptionalRange, Pair, Range,
    Similar, Switch, Text,
};

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
        usage: "check [QUERY...] [--cql FILTERS] [--json] [--differences]",
        operands: files(0, usize::MAX),
        help: "diagnostics of queries; nothing is run",
        details: "With --differences, or if the query or an option names a dialect, it also tells \
                  where CQL 6.2 reads the query differently. The exit code is 1 if a query has an \
                  error.",
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
        usage: "pack DB... -o TABLE.arrow [--compress zstd] [--unique] [--noclobber] | --check TABLE.arrow...",
        operands: files(1, usize::MAX),
        help: "write databases as a game table, an Arrow file",
        details: "A game table holds the games, and for each game the facts from which a search sees \
                  that nothing in it matches. Data tools open it too. Damaged games are reported and \
                  kept.",
    },
    CommandSpec {
        id: Fmt,
        name: "fmt",
        usage: "fmt QUERY... [--check]",
        operands: files(1, usize::MAX),
        help: "put queries into one style, in place; the QUERY - is standard input",
        details: "",
    },
    CommandSpec {
        id: Convert,
        name: "convert",
        usage: "convert --to ascii|unicode|modern QUERY [-o FILE]",
        operands: files(1, 1),
        help: "the other spelling of a query; CQL 3 to modern",
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
        help: "a script for the shell",
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

const fn opt(
    group: G,
    owner: OptionOwner,
    commands: &'static [CommandId],
    names: &'static [&'static str],
    value: OptionValue,
    id: Id,
    help: &'static str,
) -> OptionSpec {
    OptionSpec { group, owner, commands, names, value, id, help, default: Option::None }
}

/// The options, in the order of the help.
#[rustfmt::skip]
pub(crate) static OPTIONS: &[OptionSpec] = &[
    opt(G::Command, Babson, &[Check], &["differences"], None, Id::Differences, "also tell where CQL 6.2 and CQLi read the query differently"),
    opt(G::Command, Babson, &[Explain], &["bytecode"], None, Id::Bytecode, "print also the typed tree and the bytecode"),
    opt(G::Command, Babson, &[Check, Explain], &["json"], None, Id::Json, "print one JSON object for each query"),
    opt(G::Command, Babson, &[Why], &["ply"], Number(0), Id::Ply, "the position after so many plies of the main line").default("the first match, or the position nearest to one"),
    opt(G::Command, Babson, &[Why], &["json"], None, Id::Json, "print one JSON object"),
    opt(G::Command, Babson, &[Fmt], &["check"], None, Id::CheckStyle, "write nothing, name the files that would change; then the exit code is 1"),
    opt(G::Command, Babson, &[Convert], &["to"], Choice("SPELLING", &["ascii", "unicode", "modern"]), Id::ConvertTo, "ascii, unicode, or modern for a query of CQL 3"),
    opt(G::Command, Babson, &[Convert], &["output", "o"], File("FILE"), Id::ConvertedQuery, "where the converted query is written").default("stdout"),
    opt(G::Command, Babson, &[Position], &["cql"], Text("FILTERS"), Id::Cql, "filters to evaluate on the position; repeatable"),
    opt(G::Command, Babson, &[Position], &["legal"], None, Id::Legal, "is it legal?"),
    opt(G::Command, Babson, &[Position], &["reachable"], None, Id::Reachable, "can it occur in a game, and if not, why?"),
    opt(G::Command, Babson, &[Position], &["reverse"], None, Id::Reverse, "the positions one move before"),
    opt(G::Command, Babson, &[Position], &["json"], None, Id::Json, "print one JSON object for each position"),
    opt(G::Command, Babson, &[Perft], &["variant"], Text("NAME"), Id::Variant, "the rules of a variant of chess").default("standard chess"),
    opt(G::Command, Babson, &[Perft], &["divide"], None, Id::Divide, "a line for each first move"),
    opt(G::Command, Babson, &[Man], &["markdown"], None, Id::Markdown, "the tables of the book instead"),

    opt(G::Command, Babson, &[Plan], &["slices"], Number(1), Id::Slices, "how many slices at most").default("16"),
    opt(G::Command, Babson, &[Scan], &["slice"], Text("JSON"), Id::Slice, "the slice: a line of babson plan, or - for a line of standard input"),
    opt(G::Command, Babson, &[Scan], &["output", "o"], File("PART"), Id::PartOutput, "where the part of the slice is written, or - for stdout"),
    opt(G::Command, Babson, &[Pack], &["output", "o"], File("TABLE"), Id::TableOutput, "the table; its name ends with .arrow"),
    opt(G::Command, Babson, &[Pack], &["check"], None, Id::CheckTable, "test tables, those of a folder, or - for stdin, against their checksums; nothing is written"),

    opt(G::Files, Both, OPENING, &["input", "i"], File("FILE"), Id::Input, "games: .pgn or .txt, also as .gz, .zst, .xz or .bz2, .zip, .arrow, a folder, or - for stdin; repeatable"),
    opt(G::Files, Babson, MAPPING, &["no-mmap", "nommap"], None, Id::NoMmap, "read plain files instead of mapping them into memory; the results are the same"),
    opt(G::Files, Both, OPENING, &["vi"], None, Id::Vi, "the same as -i HHdbVI.pgn"),
    opt(G::Files, Both, OPENING, &["vii"], None, Id::Vii, "the same as -i HHdbVII.pgn"),
    opt(G::Files, Both, WRITING, &["output", "o"], File("FILE"), Id::Output, "matches: .pgn, .jsonl, .json, .csv, .tsv or .epd, with .gz or .zst after it to compress, .html, .arrow, or - for stdout; repeatable; of several queries a folder, or one file of all; {query}, {tag:NAME} and {sort:NAME} in it split the games"),
    opt(G::Files, Babson, WRITING, &["format"], Choice("FORMAT", &["pgn", "jsonl", "json", "csv", "tsv", "epd", "html"]), Id::Format, "the format of an output whose name says none: - (the default with this option), a device, or the files of a folder"),
    opt(G::Files, Babson, WRITING, &["columns"], Text("LIST"), Id::Columns, "the columns of .csv and .tsv, and of .jsonl and .json as flat objects, with commas: game,white,next.san,tag:NAME,sort:NAME,field:NAME"),
    opt(G::Files, Babson, WRITING, &["group"], Text("LIST"), Id::Group, "count the games and their results for each value of these keys, with commas: any column, year, decade, eco:1, player; to stdout, .csv, .tsv, .jsonl, .json or .txt"),
    opt(G::Files, Babson, WRITING, &["overlay"], None, Id::Overlay, "write each game that several queries find once, with the comments and marks of all, to one .pgn"),
    opt(G::Files, Babson, TABULATING, &["compress"], Choice("METHOD", &["none", "zstd"]), Id::Compress, "how a game table is compressed; with zstd it is less than half as large, and slower to search").default("none"),
    opt(G::Files, Cqli, SEARCH, &["append", "a"], File("FILE"), Id::Append, "append matches to a file (-a with --dialect cql6: convert a query to ASCII, in place)"),
    opt(G::Files, Cqli, &[Merge], &["append", "a"], File("FILE"), Id::Append, "append matches to a file"),
    opt(G::Files, Babson, WRITING, &["count"], None, Id::Count, "write nothing, print the number of matching games, of several queries with their names"),
    opt(G::Files, Babson, SEARCH, &["nonmatching"], File("FILE"), Id::Nonmatching, "write the games that are searched and do not match, as .pgn (also .gz or .zst) or .arrow, or - for stdout"),
    opt(G::Files, Babson, WRITING, &["exit-status", "exitstatus"], None, Id::ExitStatus, "the exit code tells whether a game matched: 0 if one did, 1 if none did, 2 or 3 after an error"),
    opt(G::Files, Babson, REPORTING, &["rejects"], File("FILE"), Id::Rejects, "write the text of damaged games to a file, or - for stdout"),
    opt(G::Files, Cqli, TABULATING, &["createdirectories"], None, Id::CreateDirectories, "create missing folders of outputs"),
    opt(G::Files, Cqli, TABULATING, &["noclobber"], None, Id::NoClobber, "never replace a file"),
    opt(G::Files, Cqli, WRITING, &["dryrun"], None, Id::DryRun, "print the names of the outputs and write none"),
    opt(G::Files, Cqli, WRITING, &["includetagpattern"], Text("REGEX"), Id::IncludeTags, "write only tags whose name matches this regular expression; repeatable"),
    opt(G::Files, Cqli, WRITING, &["excludetagpattern"], Text("REGEX"), Id::ExcludeTags, "write no tags whose name matches this regular expression; repeatable"),
    opt(G::Files, Cqli, WRITING, &["maxopenoutputfiles"], Number(1), Id::MaxOpen, "files open at a time when games are split into many").default("100"),
    opt(G::Files, Cqli, WRITING, &["binaryoutput"], None, Id::Always, "accepted, without effect: line ends are always written as they are"),
    opt(G::Files, Cqli, SEARCHING, &["nestedcomments"], Switch, Id::Always, "accepted, without effect: comments may always nest"),
    opt(G::Files, Cqli, SCANNING, &["skipunknownvariants"], None, Id::SkipUnknownVariants, "skip games of unknown variants without a report"),
    opt(G::Files, Cqli, TYPING, &["variantalias"], Pair("NAME ALIAS"), Id::VariantAlias, "another name of a variant, in the Variant tag and in the filter variant; repeatable"),

    opt(G::Search, Both, SCANNING, &["gamenumber", "g"], Range, Id::Range, "only games with these numbers"),
    opt(G::Search, Babson, COMPARING, &["unique"], None, Id::Unique, "keep only the first of equal games: those with the same players, date and moves"),
    opt(G::Search, Babson, SEARCH, &["resume"], File("DIR"), Id::Resume, "keep the results of finished slices in this folder, and go on from there after an interruption"),
    opt(G::Search, Cqli, SCANNING, &["limit"], Number(1), Id::Limit, "stop after the first N matching games"),
    opt(G::Search, Babson, WRITING, &["top"], Number(1), Id::Top, "write only the N games that the sort of the query puts first"),
    opt(G::Search, Babson, WRITING, &["sample"], Number(1), Id::Sample, "write only N of the matching games, chosen at random, of several queries N of each"),
    opt(G::Search, Babson, WRITING, &["seed"], Number(0), Id::Seed, "the seed of --sample: another one chooses other games").default("0"),
    opt(G::Search, Babson, SEARCHING, &["first"], None, Id::First, "end each game at its first matching position"),
    opt(G::Search, Both, SCANNING, &["matchcount"], Range, Id::MatchCount, "only games with this number of matching positions"),
    opt(G::Search, Cqli, SEARCHING, &["sortmatchcount"], OptionalRange, Id::SortMatchCount, "sort games by their number of matching positions; with a range also --matchcount"),
    opt(G::Search, Both, SCANNING, &["variations"], None, Id::Variations, "visit variations"),
    opt(G::Search, Both, SCANNING, &["mainline"], None, Id::MainLine, "do not visit variations, whatever the header says"),
    opt(G::Search, Both, FILTERING, &["virtualmainline"], None, Id::VirtualMainLine, "visit variations, but match only positions to which no variation of White and no null move leads"),
    opt(G::Search, Cqli, SEARCHING, &["nosort"], None, Id::NoSort, "write matches in game order, unsorted"),
    opt(G::Search, Both, THREADED, &["threads"], NumberUpTo(1, MAX_THREADS as i64), Id::Threads, "threads that read games").default("all cores"),
    opt(G::Search, Both, THREADED, &["singlethreaded", "s"], None, Id::SingleThreaded, "one thread"),
    opt(G::Search, Cql6, THREADED, &["multithreaded", "m"], None, Id::MultiThreaded, "all cores"),
    opt(G::Search, Babson, READING, &["dialect"], Choice("cqli|cql6", &["cqli", "cql6"]), Id::Dialect, "the dialect of queries, where CQLi and CQL 6.2 differ").default("cqli"),
    opt(G::Search, Babson, RUNNING, &["steps"], Number(1), Id::Steps, "evaluation steps that one game may take").default("50000000"),
    opt(G::Search, Babson, FILTERING, &["import-path", "importpath"], File("DIR"), Id::ImportPath, "a folder in which import finds files, after that of the query; repeatable; also those of $BABSON_PATH"),
    opt(G::Search, Cqli, GUARDED, &["secure"], None, Id::Secure, "queries may not name files, in their header or in filters, nor start programs"),
    opt(G::Search, Cqli, SCANNING, &["pipetimeout"], Number(0), Id::PipeTimeout, "seconds that commandpipe waits for an answer; 0 means for ever").default("10"),
    opt(G::Search, Cql6, SCANNING, &["nolinearize"], None, Id::NoLinearize, "let move filters in a constituent of line match any continuation, not only that of the line"),

    opt(G::Filters, Both, FILTERING, &["cql"], Text("FILTERS"), Id::Cql, "the query, or filters before those of the query file; repeatable"),
    opt(G::Filters, Both, FILTERING, &["player"], Text("REGEX"), Id::Player, "only games of this player; case matters"),
    opt(G::Filters, Both, FILTERING, &["white"], Text("REGEX"), Id::White, "only games with this player of the white pieces; case matters"),
    opt(G::Filters, Both, FILTERING, &["black"], Text("REGEX"), Id::Black, "only games with this player of the black pieces; case matters"),
    opt(G::Filters, Both, FILTERING, &["event"], Text("TEXT"), Id::Event, "only games with this text in the Event tag; case matters"),
    opt(G::Filters, Both, FILTERING, &["site"], Text("TEXT"), Id::Site, "only games with this text in the Site tag; case matters"),
    opt(G::Filters, Both, FILTERING, &["result"], Choice("RESULT", &["1-0", "0-1", "1/2-1/2"]), Id::ResultTag, "only games that ended 1-0, 0-1 or 1/2-1/2"),
    opt(G::Filters, Both, FILTERING, &["year"], Range, Id::Year, "only games of these years"),
    opt(G::Filters, Both, FILTERING, &["fen"], Text("FEN"), Id::Fen, "only positions with this arrangement of pieces"),
    opt(G::Filters, Both, FILTERING, &["wtm"], None, Id::Wtm, "only positions with White to move"),
    opt(G::Filters, Both, FILTERING, &["btm"], None, Id::Btm, "only positions with Black to move"),
    opt(G::Filters, Both, FILTERING, &["assign"], Pair("NAME VALUE"), Id::Assign, "set a variable before the query is evaluated"),
    opt(G::Filters, Cql6, FILTERING, &["similarposition"], Similar, Id::SimilarPosition, "positions similar to those of a file; the words nosort and notransform are allowed before FILE"),
    opt(G::Filters, Both, FILTERING, &["hhdb"], Hhdb, Id::Hhdb, "a filter of the Heijden database (--hhdb help names them)"),
    opt(G::Filters, Both, FILTERING, &["flip"], None, Id::Transform, "apply this transform to the whole query"),
    opt(G::Filters, Both, FILTERING, &["flipcolor"], None, Id::Transform, "the same"),
    opt(G::Filters, Both, FILTERING, &["flipvertical"], None, Id::Transform, "the same"),
    opt(G::Filters, Both, FILTERING, &["fliphorizontal"], None, Id::Transform, "the same"),
    opt(G::Filters, Both, FILTERING, &["reversecolor"], None, Id::Transform, "the same"),
    opt(G::Filters, Both, FILTERING, &["shift"], None, Id::Transform, "the same"),
    opt(G::Filters, Both, FILTERING, &["shifthorizontal"], None, Id::Transform, "the same"),
    opt(G::Filters, Both, FILTERING, &["shiftvertical"], None, Id::Transform, "the same"),
    opt(G::Filters, Both, FILTERING, &["rotate90"], None, Id::Transform, "the same"),
    opt(G::Filters, Both, FILTERING, &["rotate45"], None, Id::Transform, "the same"),

    opt(G::Comments, Both, SEARCHING, &["matchstring"], Text("TEXT"), Id::MatchString, "the comment at matching positions").default("CQL"),
    opt(G::Comments, Both, SEARCHING, &["quiet"], None, Id::Quiet, "no match comment and no automatic comments"),
    opt(G::Comments, Both, SEARCHING, &["silent"], None, Id::Silent, "no added comments at all"),
    opt(G::Comments, Both, SEARCHING, &["noheader"], None, Id::NoHeader, "with --cql6output or --dialect cql6: no comment with the game number"),
    opt(G::Comments, Both, SEARCHING, &["alwayscomment", "nosmartcomments"], None, Id::AlwaysComment, "keep the comments of filters that failed"),
    opt(G::Comments, Cql6, SEARCHING, &["nosortcomments"], None, Id::NoSortComments, "keep the comments of all values of a sort"),
    opt(G::Comments, Cqli, SEARCHING, &["keepallbest"], None, Id::KeepAllBest, "keep the comments of all equally good values of a sort"),
    opt(G::Comments, Both, SEARCHING, &["uniquecomments"], Switch, Id::UniqueComments, "write equal comments that are added to a position once; comments of the input are kept").default("yes"),
    opt(G::Comments, Both, SEARCHING, &["noremovecomment"], None, Id::NoRemoveComment, "ignore removecomment"),
    opt(G::Comments, Both, SEARCHING, &["nosettag"], None, Id::NoSetTag, "ignore settag"),
    opt(G::Comments, Cqli, SEARCHING, &["noremovetag"], None, Id::NoRemoveTag, "ignore removetag"),
    opt(G::Comments, Cqli, SEARCHING, &["nocommitlog"], None, Id::Always, "accepted, without effect"),

    opt(G::Layout, Babson, SEARCHING, &["cql6-output", "cql6output"], None, Id::Cql6Output, "comments and layout as CQL 6.2 writes them"),
    opt(G::Layout, Cqli, WRITING, &["coalescecomments"], Switch, Id::CoalesceComments, "one brace for all comments of a position").default("no"),
    opt(G::Layout, Cqli, WRITING, &["compactcomments"], Switch, Id::CompactComments, "no space inside braces").default("yes"),
    opt(G::Layout, Cqli, WRITING, &["compactmoves"], Switch, Id::CompactMoves, "no space after a move number").default("yes"),
    opt(G::Layout, Cqli, WRITING, &["compactvariations"], Switch, Id::CompactVariations, "no space inside parentheses").default("no"),
    opt(G::Layout, Cqli, WRITING, &["elidecomments"], Switch, Id::ElideComments, "write no comments").default("no"),
    opt(G::Layout, Cqli, WRITING, &["elidenags"], Switch, Id::ElideNags, "write no annotation glyphs").default("no"),
    opt(G::Layout, Cqli, WRITING, &["elidevariations"], Switch, Id::ElideVariations, "write no variations").default("no"),
    opt(G::Layout, Cqli, WRITING, &["movenumbers"], Switch, Id::MoveNumbers, "write move numbers").default("yes"),
    opt(G::Layout, Cqli, WRITING, &["movenumberaftercomment"], Switch, Id::NumberAfterComment, "repeat the number after a comment").default("yes"),
    opt(G::Layout, Cqli, WRITING, &["movenumberafternag"], Switch, Id::NumberAfterNag, "repeat the number after a glyph").default("no"),
    opt(G::Layout, Cqli, WRITING, &["splitmoves"], Switch, Id::SplitMoves, "a line may end after a move number").default("yes"),
    opt(G::Layout, Cqli, WRITING, &["pgnlinewidth"], Number(1), Id::LineWidth, "columns of a line of PGN").default("79"),
    opt(G::Layout, Babson, WRITING, &["fragment"], OptionalNumber(1), Id::Fragment, "write the games from their matching positions on, to their end or for N plies; in an .epd also the next moves"),
    opt(G::Layout, Babson, WRITING, &["marks"], None, Id::Marks, "mark the squares of the query's sets, the last and the next move at matches, as [%csl] and [%cal] in comments"),
    opt(G::Layout, Babson, WRITING, &["safecsv", "safe-csv"], None, Id::SafeCsv, "put a ' before CSV cells that a spreadsheet would read as a formula"),
    opt(G::Layout, Cql6, WRITING, &["outputbuffer"], Number(100_001), Id::OutputBuffer, "in the layout of CQL 6.2, truncate a game after N bytes").default("105000"),

    opt(G::Console, Both, PROGRESSING, &["lineincrement"], Number(1), Id::LineIncrement, "a line of progress every N games where stderr is not a terminal").default("none"),
    opt(G::Console, Both, PROGRESSING, &["noprogress", "nooutputstatus"], None, Id::NoProgress, "no progress"),
    opt(G::Console, Babson, TABULATING, &["no-summary", "nosummary", "q"], None, Id::NoSummary, "no progress and no summary: only results, messages and errors"),
    opt(G::Console, Cql6, PROGRESSING, &["showoutput"], None, Id::ShowOutput, "show progress (default)"),
    opt(G::Console, Cql6, PROGRESSING, &["showthread"], None, Id::ShowOutput, "the same"),
    opt(G::Console, Both, WRITING, &["showmatches"], None, Id::ShowMatches, "print the number of each matching game"),
    opt(G::Console, Cqli, SEARCHING, &["showdictionaries"], None, Id::ShowDictionaries, "print the dictionaries at the end"),
    opt(G::Console, Babson, SEARCHING, &["stats"], None, Id::Stats, "print how many games of game tables each condition of the game guard lets through, and of how many games the moves were not read"),
    opt(G::Console, Cqli, SEARCH, &["noasyncmessages"], None, Id::Always, "accepted, without effect: messages are always in game order"),
    opt(G::Console, Babson, COLORED, &["color"], Choice("WHEN", &["auto", "always", "never"]), Id::Color, "auto, always or never").default("auto"),
    opt(G::Console, Cqli, COLORED, &["ansicolors"], Switch, Id::AnsiColors, "the same as --color always, or never"),
    opt(G::Console, Cqli, SEARCH, &["warnlevel", "w"], Number(0), Id::Always, "accepted, without effect: babson check prints all warnings"),
    opt(G::Console, Cql6, WRITING, &["gui"], None, Id::Gui, "print results as lines for programs"),
    opt(G::Console, Cql6, OPENING, &["guipgnstdin"], None, Id::GuiStdin, "the same as -i -"),
    opt(G::Console, Cql6, WRITING, &["guipgnstdout"], None, Id::GuiStdout, "print the matches on stdout, between a line with CqlGuiPgn and a line with /CqlGuiPgn"),

    opt(G::Convert, Cql6, SEARCH, &["u"], File("QUERY"), Id::ToUnicode, "convert a query to Unicode, in place"),
    opt(G::Convert, Cql6, SEARCH, &["utf8"], File("QUERY"), Id::ToUtf8, "convert a query to Unicode, to stdout or -o FILE"),
    opt(G::Convert, Cql6, SEARCH, &["html"], File("QUERY"), Id::ToHtml, "show a query as a page, QUERY.html or -o FILE (a report of games is -o found.html)"),
    opt(G::Convert, Cql6, SEARCH, &["echo"], File("QUERY"), Id::Echo, "print a query"),
    opt(G::Convert, Cql6, SEARCH, &["colorize"], File("QUERY"), Id::Colorize, "print a query in colors"),

    opt(G::Debug, Both, SEARCH, &["parse"], None, Id::Parse, "print the tokens and the tree of the query instead of searching"),
    opt(G::Debug, Cql6, SEARCH, &["lex"], None, Id::Lex, "print the tokens of the query instead of searching"),
    opt(G::Debug, Cql6, SEARCH, &["debug", "d"], None, Id::Debug, "print the compiled query before the search"),
    opt(G::Debug, Cql6, SEARCH, &["showfromstring"], None, Id::Always, "accepted, without effect"),
    opt(G::Debug, Cqli, SEARCH, &["consoleunicode"], Switch, Id::ConsoleUnicode, "draw the tree of --parse with line characters").default("no"),

    opt(G::General, Babson, CONFIGURED, &["no-config", "noconfig"], None, Id::NoConfig, "do not read the default options of the file that $BABSON_CONFIG names"),
    opt(G::General, Both, ALL, &["help", "h"], None, Id::Help, "the help"),
    opt(G::General, Both, SEARCH, &["version", "v"], None, Id::Version, "the version"),
    opt(G::General, Cqli, SEARCH, &["license"], None, Id::License, "the license"),
];
