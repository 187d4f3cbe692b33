//! Tests of the table and of the parser.

use std::collections::HashSet;
use std::ffi::OsString;

use babson_arbitrary::{Choices, check_law};

use super::*;

fn line(command: CommandId, text: &str) -> Result<CommandLine, String> {
    let words = text.split_whitespace().map(OsString::from);
    parse(CommandSpec::of(command), words).map_err(|mistake| mistake.why)
}

fn search(text: &str) -> Result<CommandLine, String> {
    line(CommandId::Search, text)
}

fn one(text: &str) -> ParsedOption {
    search(text).unwrap().options.remove(0)
}

fn is_on(text: &str) -> bool {
    matches!(one(text).value, ParsedValue::Switch(true, _))
}

fn range(option: &ParsedOption) -> Option<(i64, i64)> {
    let ParsedValue::Range(range, _) = option.value else { return None };
    Some(range)
}

#[test]
fn names_are_unique_and_lower_case() {
    for command in COMMANDS {
        let mut seen = HashSet::new();
        for name in command.options().flat_map(|option| option.names) {
            assert!(seen.insert(name), "{}: {name} occurs twice", command.name);
            assert_eq!(*name, name.to_ascii_lowercase());
        }
    }
    let names: HashSet<&str> = COMMANDS.iter().map(|command| command.name).collect();
    assert_eq!(names.len(), COMMANDS.len());
}

#[test]
fn every_row_belongs_to_a_command() {
    for option in OPTIONS {
        assert!(!option.commands.is_empty(), "{:?}", option.names);
        let unique: HashSet<&CommandId> = option.commands.iter().collect();
        assert_eq!(unique.len(), option.commands.len(), "{:?}", option.names);
        for command in option.commands {
            let (row, on) = CommandSpec::of(*command).option(option.names[0]).unwrap();
            assert!(on && std::ptr::eq(row, option), "{:?}", option.names);
        }
    }
    for command in COMMANDS {
        assert_eq!(CommandSpec::of(command.id).name, command.name);
        assert!(command.takes(OptionId::Help), "{}", command.name);
        assert!(command.usage.starts_with(command.name), "{}", command.usage);
    }
}

#[test]
#[rustfmt::skip]
fn every_option_that_the_program_names_has_a_row() {
    use OptionId as Id;
    for id in [
        Id::Input, Id::Output, Id::Append, Id::Rejects, Id::Count, Id::Group, Id::Columns,
        Id::Compress, Id::Unique, Id::NoClobber, Id::CreateDirectories, Id::TableOutput,
        Id::AppendedTable, Id::Slice, Id::PartOutput, Id::GuiStdout, Id::ExitStatus, Id::Range,
        Id::Limit, Id::Year, Id::Cql, Id::Dialect, Id::VariantAlias, Id::Variations, Id::Hhdb,
        Id::Color, Id::AnsiColors, Id::NoConfig, Id::Help, Id::Version, Id::License,
    ] {
        assert!(OptionSpec::of(id).is(id), "{id:?}");
    }
}

/// Words for every kind of value.
fn words_for(option: &OptionSpec) -> &'static str {
    match option.value {
        OptionValue::Flag(_)
        | OptionValue::Switch(_)
        | OptionValue::OptionalNumber(..)
        | OptionValue::OptionalRange(_) => "",
        OptionValue::Text(..) | OptionValue::Choice(..) | OptionValue::File(..) => "x",
        OptionValue::Number(_, u64::MAX, _) => "1000000",
        OptionValue::Number(..) => "2",
        OptionValue::Range(_) => "1 2",
        OptionValue::Pair(..) => "x y",
        OptionValue::Similar(_) => "nosort x.pgn",
        OptionValue::Hhdb(_) => "cooked",
    }
}

/// The table and the commands multiplied: an option is parsed where it belongs, and refused
/// elsewhere with the commands that take it.
#[test]
fn an_option_belongs_to_its_commands_alone() {
    let mut refused = 0;
    // `help` explains the options of all commands.
    for command in COMMANDS.iter().filter(|command| command.operands.kind != OperandKind::Topic) {
        for option in OPTIONS {
            for spelling in option.spellings() {
                let parsed = line(command.id, &format!("{spelling} {}", words_for(option)));
                let name = spelling.trim_start_matches('-');
                if command.option(name).is_some() {
                    assert!(parsed.is_ok(), "{} {spelling}: {parsed:?}", command.name);
                    continue;
                }
                let why = parsed.unwrap_err();
                let subject = match command.name {
                    "" => "the search".to_owned(),
                    name => format!("babson {name}"),
                };
                let begin = format!("{subject} does not take {spelling}: it is an option of ");
                let owners = why.strip_prefix(&begin).unwrap_or_else(|| panic!("{why}"));
                for owner in option.commands {
                    let owner = match CommandSpec::of(*owner).name {
                        "" => "the search",
                        name => name,
                    };
                    assert!(owners.contains(owner), "{why}");
                }
                refused += 1;
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}

#[test]
fn hyphens_case_and_ranges() {
    let parsed = search("-GameNumber 1 100 --I a.pgn -g 5 q.cql -s").unwrap();
    let options = &parsed.options;
    assert_eq!(range(&options[0]), Some((1, 100)));
    assert_eq!((options[1].name(), options[1].word()), ("input", "a.pgn"));
    assert_eq!(range(&options[2]), Some((5, 5)));
    assert_eq!(options[3].name(), "singlethreaded");
    assert_eq!(parsed.operands, ["q.cql"]);
    assert_eq!(one("--limit=3").word(), "3");
    assert_eq!(one("-i - x").word(), "-");
    assert_eq!(one("--output=a=b.pgn").word(), "a=b.pgn");
    assert_eq!(search("-- --help -i").unwrap().operands, ["--help", "-i"]);
}

#[test]
fn switches_and_words_after_an_option() {
    assert!(is_on("--CompactMoves"));
    assert!(!is_on("-noCompactMoves") && !is_on("--no-compactmoves"));
    assert!(search("--nolimit").is_err());
    assert_eq!(one("--hhdb special prize mate.cql").words, ["special", "prize"]);
    assert_eq!(one("-similarposition nosort F.pgn q.cql").words, ["nosort", "F.pgn"]);
    assert_eq!(one("--sortmatchcount q.cql").words.len(), 0);
    assert_eq!(one("--sortmatchcount 2 9 q.cql").words, ["2", "9"]);
    assert_eq!(one("--sortmatchcount=2 9 q.cql").words, ["2", "9"]);
    assert_eq!(search("-g 1 2 3").unwrap().operands, ["3"]);
    assert_eq!(one("-A x.pgn").written, "a");
}

fn config(command: CommandId, text: &str) -> SearchConfig {
    line(command, text).unwrap().config().unwrap()
}

#[test]
fn the_last_of_two_options_counts() {
    let search = |text: &str| config(CommandId::Search, text);
    assert_eq!(search("-s --threads 3").run.threads, Some(3));
    assert_eq!(search("--threads 3 -m").run.threads, None);
    let tree = search("--mainline --virtualmainline").run;
    assert_eq!((tree.options.variations, tree.reading.filters.len()), (Some(true), 1));
    assert_eq!(search("--virtualmainline --mainline").run.options.variations, Some(false));
    let counted = search("--matchcount 2 3 --sortmatchcount").run;
    assert_eq!((counted.options.match_count, counted.sort_match_count), (Some((2, 3)), true));
    assert_eq!(search("--sortmatchcount 4").run.options.match_count, Some((4, 4)));
    let layout = search("--compactmoves --nocompactmoves --pgnlinewidth 9").outputs;
    assert_eq!(layout.layout_options, ["--compactmoves", "--nocompactmoves", "--pgnlinewidth"]);
    let layout = layout.layout(babson::Dialect::CQL6);
    assert_eq!((layout.compact_moves, layout.width), (false, 9));
}

#[test]
fn numbers_are_as_large_as_their_fields() {
    assert_eq!(config(CommandId::Why, "--ply 99999999999").run.command.ply, Some(u32::MAX));
    let search = config(CommandId::Search, "-g -5 3 --matchcount 1 99999999999");
    assert_eq!(search.inputs.range, Some((0, 3)));
    assert_eq!(search.run.options.match_count, Some((1, i32::MAX)));
}

/// The class of a row agrees with what the row does.
#[test]
fn what_becomes_a_part_of_the_query_has_a_class() {
    for option in CommandSpec::of(CommandId::Search).options() {
        let text = format!("{} {}", option.spellings()[0], words_for(option));
        let filters = search(&text).unwrap().config().map(|config| config.run.reading.filters);
        let others = [OptionClass::Variable, OptionClass::Transform];
        let is_part = option.class.is_filter() || others.contains(&option.class);
        assert_eq!(filters.is_ok_and(|filters| !filters.is_empty()), is_part, "{text}");
    }
}

/// The options of a slice are read again from its part.
#[test]
fn an_option_is_read_again_from_its_words() {
    let mut read = 0;
    for option in CommandSpec::of(CommandId::Scan).options() {
        for spelling in option.spellings() {
            let text = format!("{spelling} {}", words_for(option));
            let first = line(CommandId::Scan, &text).unwrap().options.remove(0);
            let again = ParsedOption::of_scan(&first.written, first.words.iter().cloned()).unwrap();
            assert_eq!(format!("{first:?}"), format!("{again:?}"));
            read += 1;
        }
    }
    assert!(read > 80, "{read}");
    for (written, words) in [("nosuch", &["x"][..]), ("limit", &[]), ("limit", &["3", "4"])] {
        assert!(ParsedOption::of_scan(written, words.iter().map(OsString::from)).is_none());
    }
}

#[test]
fn errors_are_reported() {
    let error = |text: &str| search(text).unwrap_err();
    assert!(error("--limti 3").contains("did you mean --limit?"));
    assert!(error("--nothing").contains("see babson --help"));
    assert!(error("--pipetimeout x").contains("number"));
    assert!(error("--threads 0").contains("less than 1"));
    assert!(error("--threads 257").contains("more than 256"));
    assert!(error("--threads 99999999999").contains("more than 256"));
    assert_eq!(one("--threads 256").word(), "256");
    assert!(error("-i").contains("needs FILE"));
    let forgotten = "--resume needs DIR after it, but -o is an option (./-o is a file)";
    assert_eq!(error("-i b.pgn --resume -o r.jsonl"), forgotten);
    assert!(error("-i --Output=x.pgn").contains("-i needs FILE after it, but --Output=x.pgn is"));
    assert_eq!(one("--resume=-o").word(), "-o");
    assert_eq!(one("-o -nothing").word(), "-nothing");
    assert!(error("--hhdb").contains("--hhdb help"));
    assert!(error("-g x").contains("'x' is not a number"));
    assert_eq!(error("--timeout 0.5"), "--timeout: '0.5' is not a whole number");
    assert_eq!(error("--timeout 1m"), "--timeout: '1m' is not a number");
    let large = "--seed: '99999999999999999999' is more than 9223372036854775807";
    assert_eq!(error("--seed 99999999999999999999"), large);
    assert!(error("--threads 99999999999999999999").ends_with("is more than 256"));
    for option in ["--timeout", "-g"] {
        let forgotten = format!("{option} needs a number after it, but -o is an option");
        assert_eq!(error(&format!("{option} -o x.pgn")), forgotten);
    }
    for empty in ["-g 3 2", "-matchcount 2 1", "--sortmatchcount=2 -1", "-year 2000 1999"] {
        assert!(error(empty).contains("is empty"), "{empty}");
    }
    let error = |text: &str| line(CommandId::Perft, text).unwrap_err();
    assert!(error("--divid 3").contains("did you mean --divide?"));
    assert!(error("--nothing 3").contains("see babson perft --help"));
}

#[test]
fn commands_and_the_number_of_operands() {
    let read = |text: &str| {
        let words: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
        let (command, skipped) = CommandSpec::of_words(&words);
        let line = parse(command, words.into_iter().skip(skipped)).unwrap();
        (
            command.id,
            line.check_operands().map_err(|why| {
                let OptionError::Usage(why) = why else { panic!("{why:?}") };
                why
            }),
        )
    };
    assert_eq!(read("mate.cql all.cql"), (CommandId::Search, Ok(())));
    assert_eq!(read("perft 3"), (CommandId::Perft, Ok(())));
    let usage = CommandSpec::of(CommandId::Perft).usage();
    assert_eq!(read("perft"), (CommandId::Perft, Err(usage)));
    let why = read("man page").1.unwrap_err();
    assert_eq!(why, "'page' is one word too many; usage: babson man [--markdown]");
    let why = read("position 8/8 w").1.unwrap_err();
    assert!(why.starts_with("'w' is one word too many (a text with spaces is put in quotes)"));
}

/// The option table states the defaults that the engine has.
#[test]
fn defaults_are_those_of_the_engine() {
    let default = |name: &str| {
        let (option, _) = CommandSpec::of(CommandId::Search).option(name).unwrap();
        option.default.unwrap().to_owned()
    };
    let run = babson::RunOptions::default();
    assert_eq!(default("steps"), run.steps.to_string());
    assert_eq!(default("pipetimeout"), babson::host::DEFAULT_PIPE_TIMEOUT.as_secs().to_string());
    let split = babson::sink::SplitRules::default();
    assert_eq!(default("maxopenoutputfiles"), split.max_open.to_string());
    let layout = babson::pgn::Layout::CQLI;
    assert_eq!(default("pgnlinewidth"), layout.width.to_string());
    let yes = |holds: bool| if holds { "yes" } else { "no" };
    for (name, holds) in [
        ("coalescecomments", layout.coalesce_comments),
        ("compactcomments", layout.compact_comments),
        ("compactmoves", layout.compact_moves),
        ("compactvariations", layout.compact_variations),
        ("elidecomments", layout.elide_comments),
        ("elidenags", layout.elide_nags),
        ("elidevariations", layout.elide_variations),
        ("movenumbers", layout.move_numbers),
        ("movenumberaftercomment", layout.number_after_comment),
        ("movenumberafternag", layout.number_after_nag),
        ("splitmoves", layout.split_moves),
        ("uniquecomments", run.unique_comments),
    ] {
        assert_eq!(default(name), yes(holds), "{name}");
    }
}

#[test]
fn the_help_names_every_option_that_works() {
    for command in COMMANDS.iter().filter(|command| !command.has_options_of_search()) {
        let page = page(command);
        for option in command.options() {
            assert!(page.contains(option.names[0]), "{:?}", option.names);
        }
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_need_not_be_utf8() {
    use std::os::unix::ffi::OsStringExt;
    let word = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    let read = |words: &[&[u8]]| {
        let words = words.iter().map(|bytes| word(bytes));
        parse(CommandSpec::of(CommandId::Search), words).map_err(|mistake| mistake.why)
    };
    let parsed = read(&[b"-i", b"a\xff.pgn", b"--output=b\xff.pgn", b"q\xff.cql"]).unwrap();
    assert_eq!(parsed.options[0].words, [word(b"a\xff.pgn")]);
    assert_eq!(parsed.options[1].words, [word(b"b\xff.pgn")]);
    assert_eq!(parsed.operands, [word(b"q\xff.cql")]);
    for (words, why) in [
        (&[&b"--cql"[..], b"\xff"][..], "--cql: '\u{fffd}' is not UTF-8"),
        (&[b"--cql=\xff"], "--cql=\u{fffd}: '\u{fffd}' is not UTF-8"),
        (&[b"-g", b"1\xff"], "-g: '1\u{fffd}' is not UTF-8"),
        (&[b"--assign", b"x", b"\xff"], "--assign: '\u{fffd}' is not UTF-8"),
        (&[b"-\xff"], "unknown option -\u{fffd}; see babson --help"),
    ] {
        assert_eq!(read(words).unwrap_err(), why);
    }
}

/// Words of command lines in any order: they are read, or the error says what is wrong. See
/// docs/src/testing.md#laws.
#[test]
fn command_lines() {
    check_law!("command_lines", 2000, |bytes| {
        let names: Vec<String> = OPTIONS
            .iter()
            .flat_map(|option| option.names)
            .flat_map(|name| [format!("--{name}"), format!("-{name}"), format!("--no-{name}")])
            .chain(COMMANDS.iter().map(|command| command.name.to_owned()))
            .collect();
        let values = [
            "a.cql",
            "a.pgn",
            "-",
            "--",
            "1",
            "-1",
            "3",
            "9",
            "18446744073709551616",
            "2 4",
            "",
            "x.csv",
            "year",
            "--top=3",
            "--=",
            "=",
            "-o",
            "é",
            "mate",
            "%W.pgn",
            "1-5",
            "on",
            "\u{0}",
        ];
        let mut choices = Choices::new(bytes);
        let mut words = Vec::new();
        while !choices.is_over() && words.len() < 24 {
            words.push(OsString::from(match choices.below(4) {
                0 | 1 => choices.choose(&names),
                2 => choices.choose(&values).to_owned(),
                _ => format!("{}={}", choices.choose(&names), choices.choose(&values)),
            }));
        }
        let _ = CommandLine::of_search(&words);
        match CommandLine::read(words.clone()) {
            Ok(line) => {
                let _ = line.check_operands();
                let _ = line.texts();
                let _ = line.config();
            }
            Err(OptionError::Usage(why) | OptionError::Unreadable(why)) => {
                assert!(!why.is_empty(), "{words:?}");
            }
        }
    });
}
