//! Completion for bash.

use std::fmt::Write as _;

use super::{Completion, command_names, recipe_topics, topics};
use crate::options::{COMMANDS, CommandId, CommandSpec, OperandKind, OptionSpec};

pub(super) fn script() -> String {
    let (mut values, mut words) = (String::new(), String::new());
    for command in COMMANDS {
        for option in command.options() {
            value(command, option, &mut values);
        }
        let options: Vec<String> = command.options().flat_map(OptionSpec::spellings).collect();
        let operands = match command.operands.kind {
            _ if command.id == CommandId::Search => format!("-f -W '{}'", command_names()),
            _ if command.operands.most == 0 => String::new(),
            OperandKind::Files => "-f".to_owned(),
            OperandKind::Texts => String::new(),
            OperandKind::OneOf(words) => format!("-W '{}'", words.join(" ")),
            OperandKind::Topic => format!("-W '{}'", topics()),
            OperandKind::Recipe => "-f".to_owned(),
        };
        let (name, options) = (command.name, options.join(" "));
        // The first operand is a topic.
        let first = match command.operands.kind {
            OperandKind::Recipe => {
                format!(" [[ $COMP_CWORD -eq 2 ]] && operands=\"-W '{}'\"", recipe_topics())
            }
            OperandKind::Files
            | OperandKind::Texts
            | OperandKind::OneOf(_)
            | OperandKind::Topic => String::new(),
        };
        let _ =
            writeln!(words, "    '{name}') options='{options}' operands=\"{operands}\";{first} ;;");
    }
    let names = command_names().replace(' ', "|");
    format!(
        r#"# bash completion for babson
# Completes the last item of a list with commas between its items.
_babson_list() {{
  compopt -o nospace 2>/dev/null
  COMPREPLY=($(compgen -P "${{word%"${{word##*,}}"}}" -W "$1" -- "${{word##*,}}"))
}}
_babson() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
  local command= options operands
  if [[ $COMP_CWORD -gt 1 ]]; then
    case "${{COMP_WORDS[1]}}" in {names}) command="${{COMP_WORDS[1]}}" ;; esac
  fi
  COMPREPLY=()
  case "$command $before" in
{values}  esac
  case "$command" in
{words}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ -n $operands ]]; then
    COMPREPLY=($(eval "compgen $operands -- \"\$word\""))
  fi
}}
complete -o filenames -F _babson babson
"#
    )
}

/// The case for the word after an option.
fn value(command: &CommandSpec, option: &OptionSpec, out: &mut String) {
    let action = match Completion::of(option) {
        Completion::Nothing => return,
        Completion::File => "COMPREPLY=($(compgen -f -- \"$word\")); return".to_owned(),
        Completion::Words(words) => {
            format!("COMPREPLY=($(compgen -W '{}' -- \"$word\")); return", words.join(" "))
        }
        Completion::List(words) => format!("_babson_list '{}'; return", words.join(" ")),
        Completion::Other(_) => "return".to_owned(),
    };
    let names: Vec<String> =
        option.spellings().iter().map(|option| format!("'{} {option}'", command.name)).collect();
    let _ = writeln!(out, "    {}) {action} ;;", names.join("|"));
}
