//! Completion for PowerShell.

use super::{named_commands, single};
use crate::options::{COMMANDS, CommandId, OPTIONS};

pub(super) fn script() -> String {
    let name_of = |id: CommandId| {
        let named = COMMANDS.iter().find(|command| command.id == id);
        format!("'{}'", named.map_or("", |command| command.name))
    };
    let line = |name: &str, help: &str, commands: &[CommandId]| {
        let commands: Vec<String> = commands.iter().copied().map(name_of).collect();
        format!("    @('{name}', '{}', @({}))", single(help, "''"), commands.join(", "))
    };
    let mut lines: Vec<String> = Vec::new();
    for command in named_commands() {
        lines.push(line(command.name, command.help, &[CommandId::Search]));
    }
    for option in OPTIONS {
        let help = option.help();
        lines.extend(option.spellings().iter().map(|name| line(name, &help, option.commands)));
    }
    let names: Vec<String> = named_commands().map(|command| name_of(command.id)).collect();
    format!(
        "# PowerShell completion for babson\n\
         Register-ArgumentCompleter -Native -CommandName babson -ScriptBlock {{\n  \
         param($word, $ast, $cursor)\n  \
         $command = \"$($ast.CommandElements[1])\"\n  \
         if ($command -eq $word -or @({}) -notcontains $command) {{ $command = '' }}\n  @(\n{}\n  ) | \
         Where-Object {{ $_[0] -like \"$word*\" -and $_[2] -contains $command }} | ForEach-Object {{\n    \
         [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterName', $_[1])\n  }}\n}}\n",
        names.join(", "),
        lines.join(",\n")
    )
}
