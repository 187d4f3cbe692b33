//! Completion for fish.

use std::fmt::Write as _;

use super::{Completion, command_names, named_commands, recipe_topics, single, topics};
use crate::options::{COMMANDS, CommandId, OperandKind};

pub(super) fn script() -> String {
    let names = command_names();
    let mut out = format!(
        "# fish completion for babson\nset -l search 'not __fish_seen_subcommand_from {names}'\n"
    );
    for command in named_commands() {
        let help = single(command.help, "\\'");
        let name = command.name;
        let _ = writeln!(out, "complete -c babson -n __fish_use_subcommand -a {name} -d '{help}'");
    }
    for command in COMMANDS {
        let condition = match command.id == CommandId::Search {
            true => "$search".to_owned(),
            false => format!("'__fish_seen_subcommand_from {}'", command.name),
        };
        for option in command.options() {
            let help = single(&option.help(), "\\'");
            let value = match Completion::of(option) {
                Completion::Nothing => String::new(),
                Completion::File => " -r -F".to_owned(),
                Completion::Words(words) => format!(" -x -a '{}'", words.join(" ")),
                Completion::List(words) => {
                    format!(" -x -a '(__fish_append , {})'", words.join(" "))
                }
                Completion::Other(_) => " -x".to_owned(),
            };
            for name in option.spellings() {
                let flag = match name.strip_prefix("--") {
                    Some(long) => format!("-l {long}"),
                    None => format!("-s {}", &name[1..]),
                };
                let _ =
                    writeln!(out, "complete -c babson -n {condition} {flag}{value} -d '{help}'");
            }
        }
        let operands = match command.operands.kind {
            // Files are the default of fish.
            OperandKind::Files if command.operands.most > 0 => continue,
            OperandKind::Files | OperandKind::Texts => "-f".to_owned(),
            OperandKind::OneOf(words) => format!("-x -a '{}'", words.join(" ")),
            OperandKind::Topic => format!("-x -a '{}'", topics()),
            OperandKind::Recipe => {
                let first = "'__fish_seen_subcommand_from cookbook; \
                             and test (count (commandline -opc)) -eq 2'";
                let topics = recipe_topics();
                let _ = writeln!(out, "complete -c babson -n {first} -x -a '{topics}'");
                continue;
            }
        };
        let _ = writeln!(out, "complete -c babson -n {condition} {operands}");
    }
    out
}
