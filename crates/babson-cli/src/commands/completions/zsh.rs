//! Completion for zsh.

use std::fmt::Write as _;

use super::{Completion, named_commands, recipe_topics, single, topics};
use crate::options::{CommandId, CommandSpec, OperandKind, OptionSpec};

pub(super) fn script() -> String {
    let mut commands = String::new();
    for command in named_commands() {
        let help = single(command.help, "'\\''");
        let _ = writeln!(commands, "    '{}:{help}'", command.name);
    }
    let mut cases = String::new();
    for command in named_commands() {
        let _ = write!(
            cases,
            "  {})\n    shift words\n    (( CURRENT-- ))\n{}    ;;\n",
            command.name,
            arguments(command)
        );
    }
    let search = arguments(CommandSpec::of(CommandId::Search));
    format!(
        "#compdef babson\n\n_babson_first() {{\n  local -a commands\n  commands=(\n{commands}  )\n  \
         _describe command commands\n  _files\n}}\n\n_babson() {{\n  local first=\n  \
         (( CURRENT > 2 )) && first=$words[2]\n  case $first in\n{cases}  *)\n{search}    ;;\n  \
         esac\n}}\n\n_babson \"$@\"\n"
    )
}

/// The options and operands of a command.
fn arguments(command: &CommandSpec) -> String {
    let mut out = String::from("    _arguments -s \\\n");
    for option in command.options() {
        option_lines(option, &mut out);
    }
    match command.operands.kind {
        _ if command.operands.most == 0 => {}
        _ if command.id == CommandId::Search => {
            out.push_str("      '1: :_babson_first' '*:query:_files' \\\n");
        }
        OperandKind::Files => out.push_str("      '*:query:_files' \\\n"),
        OperandKind::Texts => out.push_str("      '*:word: ' \\\n"),
        OperandKind::OneOf(words) => {
            let _ = writeln!(out, "      '1:word:({})' \\", words.join(" "));
        }
        OperandKind::Topic => {
            let _ = writeln!(out, "      '*:topic:({})' \\", topics());
        }
        OperandKind::Recipe => {
            let topics = recipe_topics();
            let _ = writeln!(out, "      '1:topic:({topics})' '*:database:_files' \\");
        }
    }
    // The last line does not continue.
    out.truncate(out.len() - " \\\n".len());
    out.push('\n');
    out
}

fn option_lines(option: &OptionSpec, out: &mut String) {
    let help = single(&option.help(), "'\\''").replace(':', "\\:");
    let help = help.replace('[', "(").replace(']', ")");
    let action = match Completion::of(option) {
        Completion::Nothing => String::new(),
        Completion::File => ":file:_files".to_owned(),
        Completion::Words(words) => format!(":value:({})", words.join(" ")),
        Completion::List(words) => {
            let words = words.join(" ").replace(':', "\\:");
            format!(":list:_sequence compadd - {words}")
        }
        Completion::Other(count) => ":value: ".repeat(count),
    };
    for name in option.spellings() {
        let _ = writeln!(out, "      '*{name}[{help}]{action}' \\");
    }
}
