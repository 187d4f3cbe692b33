//! Every option of the command in one table: names, values, meaning, help.
//!
//! CQL's options have one hyphen or two, any case, and one or two numbers after them; so the
//! parser is our own. Help is made from the same table.

/// What follows an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Nothing.
    None,
    /// One word; the text is its name in the help.
    Word(&'static str),
    /// A whole number of at least this.
    Number(i64),
    /// One number or two, the ends of a range.
    Range,
    /// Two words.
    Pair(&'static str),
}

/// What an option means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[rustfmt::skip]
pub(crate) enum Id {
    Input, Output, Range, MatchCount, Limit, Variations, MainLine, VirtualMainLine, SingleThreaded,
    MultiThreaded, Threads, Cql, Player, White, Black, Event, Site, ResultTag, Year, Fen, Wtm, Btm,
    Assign, Transform, MatchString, NoHeader, Quiet, Silent, AlwaysComment, NoSortComments,
    UniqueComments, NoUniqueComments, NoRemoveComment, NoSetTag, KeepAllBest, NoSort,
    LineIncrement, NoProgress, ShowMatches, ShowOutput, Count, Rejects, Dialect, Cql6Output, Color,
    Steps, Secure, CreateDirectories, DryRun, NoClobber, Vi, Vii, Help, Version, License,
    /// Accepted: what it asks for is always so.
    Always,
    /// Known, but its feature is not built yet.
    Later,
}

/// One option.
#[derive(Debug)]
pub(crate) struct Opt {
    /// The first is the usual one; all are lower case, without hyphens in front.
    pub(crate) names: &'static [&'static str],
    pub(crate) value: Value,
    pub(crate) id: Id,
    pub(crate) help: &'static str,
}

const fn opt(names: &'static [&'static str], value: Value, id: Id, help: &'static str) -> Opt {
    Opt {
        names,
        value,
        id,
        help,
    }
}

/// The table, in the order of the help.
#[rustfmt::skip]
pub(crate) const OPTIONS: &[Opt] = &[
    opt(&["input", "i"], Value::Word("FILE"), Id::Input, "games: .pgn, .pgn.zst, .pgn.gz, a folder, or - for stdin; repeatable"),
    opt(&["output", "o"], Value::Word("FILE"), Id::Output, "matches: .pgn, .jsonl, or - for stdout; repeatable; a folder for several queries"),
    opt(&["count"], Value::None, Id::Count, "write nothing, print the number of matching games"),
    opt(&["rejects"], Value::Word("FILE"), Id::Rejects, "collect the text of damaged games"),
    opt(&["vi"], Value::None, Id::Vi, "the same as -i HHdbVI.pgn"),
    opt(&["vii"], Value::None, Id::Vii, "the same as -i HHdbVII.pgn"),
    opt(&["gamenumber", "g"], Value::Range, Id::Range, "only games with these numbers"),
    opt(&["limit"], Value::Number(0), Id::Limit, "stop after the first N matching games"),
    opt(&["matchcount"], Value::Range, Id::MatchCount, "needed number of matching positions of a game"),
    opt(&["variations"], Value::None, Id::Variations, "visit variations"),
    opt(&["mainline"], Value::None, Id::MainLine, "do not visit variations, whatever the header says"),
    opt(&["virtualmainline"], Value::None, Id::VirtualMainLine, "only positions of the virtual main line"),
    opt(&["threads"], Value::Number(1), Id::Threads, "threads that search (default: all cores)"),
    opt(&["singlethreaded", "s"], Value::None, Id::SingleThreaded, "one thread"),
    opt(&["multithreaded", "m"], Value::None, Id::MultiThreaded, "all cores"),
    opt(&["dialect"], Value::Word("cqli|cql6"), Id::Dialect, "whose reading is taken where the engines differ (default: cqli)"),
    opt(&["cql6-output", "cql6output"], Value::None, Id::Cql6Output, "comments and layout as CQL 6.2 writes them"),
    opt(&["cql"], Value::Word("FILTERS"), Id::Cql, "filters in front of the query's; repeatable"),
    opt(&["player"], Value::Word("REGEX"), Id::Player, "only games of this player"),
    opt(&["white"], Value::Word("REGEX"), Id::White, "only games with this player of the white pieces"),
    opt(&["black"], Value::Word("REGEX"), Id::Black, "only games with this player of the black pieces"),
    opt(&["event"], Value::Word("TEXT"), Id::Event, "only games with this text in the Event tag"),
    opt(&["site"], Value::Word("TEXT"), Id::Site, "only games with this text in the Site tag"),
    opt(&["result"], Value::Word("RESULT"), Id::ResultTag, "only games that ended 1-0, 0-1 or 1/2-1/2"),
    opt(&["year"], Value::Range, Id::Year, "only games of these years"),
    opt(&["fen"], Value::Word("FEN"), Id::Fen, "only positions with this arrangement of pieces"),
    opt(&["wtm"], Value::None, Id::Wtm, "only positions with White to move"),
    opt(&["btm"], Value::None, Id::Btm, "only positions with Black to move"),
    opt(&["assign"], Value::Pair("NAME VALUE"), Id::Assign, "set a variable before the query is evaluated"),
    opt(&["flip"], Value::None, Id::Transform, "apply this transform to the whole query"),
    opt(&["flipcolor"], Value::None, Id::Transform, "the same"),
    opt(&["flipvertical"], Value::None, Id::Transform, "the same"),
    opt(&["fliphorizontal"], Value::None, Id::Transform, "the same"),
    opt(&["reversecolor"], Value::None, Id::Transform, "the same"),
    opt(&["shift"], Value::None, Id::Transform, "the same"),
    opt(&["shifthorizontal"], Value::None, Id::Transform, "the same"),
    opt(&["shiftvertical"], Value::None, Id::Transform, "the same"),
    opt(&["rotate90"], Value::None, Id::Transform, "the same"),
    opt(&["rotate45"], Value::None, Id::Transform, "the same"),
    opt(&["matchstring"], Value::Word("TEXT"), Id::MatchString, "the comment at matching positions (default: CQL)"),
    opt(&["quiet"], Value::None, Id::Quiet, "no match comment and no automatic ones"),
    opt(&["silent"], Value::None, Id::Silent, "no added comments at all"),
    opt(&["noheader"], Value::None, Id::NoHeader, "no comment with the game number"),
    opt(&["alwayscomment", "nosmartcomments"], Value::None, Id::AlwaysComment, "keep the comments of filters that failed"),
    opt(&["nosortcomments"], Value::None, Id::NoSortComments, "keep the comments of all values of a sort"),
    opt(&["keepallbest"], Value::None, Id::KeepAllBest, "keep the comments of all equally good values of a sort"),
    opt(&["uniquecomments"], Value::None, Id::UniqueComments, "write equal comments of a position once (default)"),
    opt(&["nouniquecomments"], Value::None, Id::NoUniqueComments, "write equal comments of a position again"),
    opt(&["noremovecomment"], Value::None, Id::NoRemoveComment, "ignore removecomment"),
    opt(&["nosettag"], Value::None, Id::NoSetTag, "ignore settag"),
    opt(&["nosort"], Value::None, Id::NoSort, "leave matches in the order of the games"),
    opt(&["lineincrement"], Value::Number(1), Id::LineIncrement, "a line of progress every N games (default: 1000)"),
    opt(&["noprogress", "nooutputstatus"], Value::None, Id::NoProgress, "no progress"),
    opt(&["showmatches"], Value::None, Id::ShowMatches, "print the number of each matching game"),
    opt(&["showoutput"], Value::None, Id::ShowOutput, "show progress (default)"),
    opt(&["color"], Value::Word("WHEN"), Id::Color, "auto, always or never"),
    opt(&["steps"], Value::Number(1), Id::Steps, "evaluation steps that one game may take"),
    opt(&["secure"], Value::None, Id::Secure, "queries may not read or write files"),
    opt(&["createdirectories"], Value::None, Id::CreateDirectories, "make missing folders of outputs"),
    opt(&["noclobber"], Value::None, Id::NoClobber, "never replace a file"),
    opt(&["dryrun"], Value::None, Id::DryRun, "name the outputs and write none"),
    opt(&["help", "h"], Value::None, Id::Help, "this text"),
    opt(&["version", "v"], Value::None, Id::Version, "the version"),
    opt(&["license"], Value::None, Id::License, "the license"),
    // What these ask for is how Babson always works.
    opt(&["binaryoutput"], Value::None, Id::Always, "line ends are written as they are (always)"),
    opt(&["nestedcomments"], Value::None, Id::Always, "comments may nest (always)"),
    opt(&["noasyncmessages"], Value::None, Id::Always, "messages come in game order (always)"),
    opt(&["showthread"], Value::None, Id::Always, "accepted, without effect"),
    opt(&["outputbuffer"], Value::Number(0), Id::Always, "accepted: games are never cut"),
    opt(&["maxopenoutputfiles"], Value::Number(0), Id::Always, "accepted, without effect"),
    opt(&["warnlevel", "w"], Value::Number(1), Id::Always, "accepted, without effect"),
    opt(&["compactcomments"], Value::None, Id::Always, "no blank inside braces (always)"),
    opt(&["compactmoves"], Value::None, Id::Always, "no blank after a move number (always)"),
    opt(&["movenumbers"], Value::None, Id::Always, "write move numbers (always)"),
    opt(&["movenumberaftercomment"], Value::None, Id::Always, "repeat the number after a comment (always)"),
    opt(&["splitmoves"], Value::None, Id::Always, "a line may end after a move number (always)"),
    // Known names whose features come later.
    opt(&["append", "a"], Value::Word("FILE"), Id::Later, "append matches to a file"),
    opt(&["similarposition"], Value::Word("FILE"), Id::Later, "positions similar to those of a file"),
    opt(&["hhdb"], Value::Word("WORDS"), Id::Later, "filters of the Heijden database"),
    opt(&["u"], Value::Word("FILE"), Id::Later, "convert a query to Unicode"),
    opt(&["utf8"], Value::Word("FILE"), Id::Later, "convert a query to Unicode"),
    opt(&["html"], Value::Word("FILE"), Id::Later, "convert a query to HTML"),
    opt(&["echo"], Value::Word("FILE"), Id::Later, "print a query"),
    opt(&["colorize"], Value::None, Id::Later, "print a query in colors"),
    opt(&["gui"], Value::None, Id::Later, "lines for programs"),
    opt(&["guipgnstdin"], Value::None, Id::Later, "lines for programs"),
    opt(&["guipgnstdout"], Value::None, Id::Later, "lines for programs"),
    opt(&["nolinearize"], Value::None, Id::Later, "no tied moves in line"),
    opt(&["parse"], Value::None, Id::Later, "print the tree of a query"),
    opt(&["lex"], Value::None, Id::Later, "print the tokens of a query"),
    opt(&["debug", "d"], Value::None, Id::Later, "debugging"),
    opt(&["showfromstring"], Value::None, Id::Later, "debugging"),
    opt(&["sortmatchcount"], Value::None, Id::Later, "sort by the number of matching positions"),
    opt(&["skipunknownvariants"], Value::None, Id::Later, "pass over games of unknown variants"),
    opt(&["variantalias"], Value::Pair("NAME ALIAS"), Id::Later, "another name of a variant"),
    opt(&["includetagpattern"], Value::Word("PATTERN"), Id::Later, "which tags are written"),
    opt(&["excludetagpattern"], Value::Word("PATTERN"), Id::Later, "which tags are not written"),
    opt(&["nocommitlog"], Value::None, Id::Later, "comments as CQL 6.1 keeps them"),
    opt(&["noremovetag"], Value::None, Id::Later, "ignore removetag"),
    opt(&["pipetimeout"], Value::Number(0), Id::Later, "seconds to wait for a pipe"),
    opt(&["showdictionaries"], Value::None, Id::Later, "print dictionaries"),
    opt(&["coalescecomments", "nocoalescecomments"], Value::None, Id::Later, "one brace for a position"),
    opt(&["nocompactcomments"], Value::None, Id::Later, "a blank inside braces"),
    opt(&["nocompactmoves"], Value::None, Id::Later, "a blank after a move number"),
    opt(&["compactvariations", "nocompactvariations"], Value::None, Id::Later, "no blank inside parentheses"),
    opt(&["elidecomments", "noelidecomments"], Value::None, Id::Later, "write no comments"),
    opt(&["elidenags", "noelidenags"], Value::None, Id::Later, "write no glyphs"),
    opt(&["elidevariations", "noelidevariations"], Value::None, Id::Later, "write no variations"),
    opt(&["nomovenumbers"], Value::None, Id::Later, "write no move numbers"),
    opt(&["nomovenumberaftercomment"], Value::None, Id::Later, "do not repeat the number after a comment"),
    opt(&["movenumberafternag", "nomovenumberafternag"], Value::None, Id::Later, "repeat the number after a glyph"),
    opt(&["nosplitmoves"], Value::None, Id::Later, "no line ends after a move number"),
    opt(&["pgnlinewidth"], Value::Number(1), Id::Later, "the width of lines"),
    opt(&["ansicolors", "noansicolors"], Value::None, Id::Later, "colors of --parse"),
    opt(&["consoleunicode", "noconsoleunicode"], Value::None, Id::Later, "letters of --parse"),
];

/// An option as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) id: Id,
    /// Its usual name.
    pub(crate) name: &'static str,
    /// The words after it.
    pub(crate) words: Vec<String>,
}

impl Given {
    /// The first word, or nothing.
    pub(crate) fn word(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// The words as numbers: one, or the two ends of a range.
    pub(crate) fn range(&self) -> (i64, i64) {
        let number = |index: usize| self.words.get(index).and_then(|word| word.parse().ok());
        let low = number(0).unwrap_or(0);
        (low, number(1).unwrap_or(low))
    }
}

/// Splits a command line into options and the other words.
///
/// # Errors
/// One sentence that says what is wrong.
pub(crate) fn parse(
    words: impl IntoIterator<Item = String>,
) -> Result<(Vec<Given>, Vec<String>), String> {
    let mut words = words.into_iter().peekable();
    let mut given = Vec::new();
    let mut others = Vec::new();
    while let Some(word) = words.next() {
        if !word.starts_with('-') || word == "-" {
            others.push(word);
            continue;
        }
        if word == "--" {
            others.extend(words);
            break;
        }
        let bare = word
            .strip_prefix("--")
            .or(word.strip_prefix('-'))
            .unwrap_or(&word);
        let (name, attached) = match bare.split_once('=') {
            Some((name, value)) => (name.to_ascii_lowercase(), Some(value.to_owned())),
            None => (bare.to_ascii_lowercase(), None),
        };
        let option = OPTIONS
            .iter()
            .find(|option| option.names.contains(&name.as_str()))
            .ok_or_else(|| unknown(&word, &name))?;
        if option.id == Id::Later {
            return Err(format!("not supported yet: --{}", option.names[0]));
        }
        let mut values = Vec::new();
        let wants = match option.value {
            Value::None => 0,
            Value::Pair(_) => 2,
            _ => 1,
        };
        if wants == 0 && attached.is_some() {
            return Err(format!("{word}: --{name} takes no value"));
        }
        values.extend(attached);
        while values.len() < wants {
            values.push(words.next().ok_or_else(|| match option.value {
                Value::Word(what) | Value::Pair(what) => format!("{word} needs {what} after it"),
                _ => format!("{word} needs a number after it"),
            })?);
        }
        if option.value == Value::Range
            && words.peek().is_some_and(|word| word.parse::<i64>().is_ok())
        {
            values.extend(words.next());
        }
        let least = match option.value {
            Value::Number(least) => Some(least),
            Value::Range => Some(i64::MIN),
            _ => None,
        };
        if let Some(least) = least {
            for value in &values {
                let number: i64 = value
                    .parse()
                    .map_err(|_| format!("{word}: '{value}' is no number"))?;
                if number < least {
                    return Err(format!("{word}: {number} is less than {least}"));
                }
            }
        }
        given.push(Given {
            id: option.id,
            name: option.names[0],
            words: values,
        });
    }
    Ok((given, others))
}

/// What to say about an option that does not exist, with the nearest one that does.
fn unknown(word: &str, name: &str) -> String {
    let nearest = OPTIONS
        .iter()
        .filter(|option| option.id != Id::Later)
        .flat_map(|option| option.names)
        .map(|known| (distance(name, known), known))
        .min();
    match nearest {
        Some((distance, known)) if distance <= 2 && known.len() > 2 => {
            format!("unknown option {word}; did you mean --{known}?")
        }
        _ => format!("unknown option {word}; see babson --help"),
    }
}

/// The number of letters to change, add or drop between two words.
fn distance(one: &str, two: &str) -> usize {
    let two = two.as_bytes();
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (i, a) in one.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in two.iter().enumerate() {
            let change = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[two.len()]
}

/// The text of `--help`.
pub(crate) fn help() -> String {
    let mut text = String::from(
        "Babson searches chess games with CQL, the Chess Query Language.\n\n\
         usage: babson [OPTIONS] QUERY.cql...\n       \
         babson check FILE...               diagnostics of queries\n       \
         babson explain FILE                what a query is compiled to\n       \
         babson perft [FEN] DEPTH [--divide]  count moves\n\n\
         example: babson -i games.pgn -o mates.pgn mate.cql\n\n\
         Options have one hyphen or two, in any case:\n\n",
    );
    for option in OPTIONS.iter().filter(|option| option.id != Id::Later) {
        let mut names: Vec<String> = option
            .names
            .iter()
            .map(|name| {
                if name.len() == 1 {
                    format!("-{name}")
                } else {
                    format!("--{name}")
                }
            })
            .collect();
        names.sort_by_key(String::len);
        let value = match option.value {
            Value::None => "",
            Value::Word(name) | Value::Pair(name) => name,
            Value::Number(_) => "N",
            Value::Range => "LO [HI]",
        };
        let left = format!("  {} {value}", names.join(", "));
        text.push_str(&format!("{:<34} {}\n", left.trim_end(), option.help));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<(Vec<Given>, Vec<String>), String> {
        parse(text.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn names_are_unique_and_lower_case() {
        let mut seen = std::collections::HashSet::new();
        for name in OPTIONS.iter().flat_map(|option| option.names) {
            assert!(seen.insert(name), "{name} stands twice");
            assert_eq!(*name, name.to_ascii_lowercase());
        }
    }

    #[test]
    fn hyphens_case_and_ranges() {
        let (given, others) = words("-GameNumber 1 100 --I a.pgn -g 5 q.cql -s").unwrap();
        assert_eq!(given[0].range(), (1, 100));
        assert_eq!((given[1].id, given[1].word()), (Id::Input, "a.pgn"));
        assert_eq!(given[2].range(), (5, 5));
        assert_eq!(given[3].id, Id::SingleThreaded);
        assert_eq!(others, ["q.cql"]);
        assert_eq!(words("--limit=3").unwrap().0[0].word(), "3");
        assert_eq!(words("-i - x").unwrap().0[0].word(), "-");
    }

    #[test]
    fn mistakes_are_told() {
        assert!(
            words("--limti 3")
                .unwrap_err()
                .contains("did you mean --limit?")
        );
        assert_eq!(
            words("--similarposition x").unwrap_err(),
            "not supported yet: --similarposition"
        );
        assert!(words("--threads 0").unwrap_err().contains("less than 1"));
        assert!(words("-i").unwrap_err().contains("needs FILE"));
        assert!(words("-g x").unwrap_err().contains("no number"));
    }

    #[test]
    fn the_help_names_every_option_that_works() {
        let help = help();
        for option in OPTIONS.iter().filter(|option| option.id != Id::Later) {
            assert!(help.contains(option.names[0]), "{:?}", option.names);
        }
    }
}
