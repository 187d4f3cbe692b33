//! Completion for PowerShell.

use super::{Completion, named_commands, recipe_topics, single, topics};
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
    let mut values = vec![
        format!("    'help' = '{}'", topics()),
        format!("    'cookbook' = '{}'", recipe_topics()),
    ];
    let mut lists = Vec::new();
    for option in OPTIONS {
        let (words, rows) = match Completion::of(option) {
            Completion::Words(words) => (words, &mut values),
            Completion::List(words) => (words, &mut lists),
            Completion::Nothing | Completion::File | Completion::Other(_) => continue,
        };
        let row = |name: String| format!("    '{name}' = '{}'", words.join(" "));
        rows.extend(option.spellings().into_iter().map(row));
    }
    // An option of several commands has one row for each; a table takes only one.
    for rows in [&mut values, &mut lists] {
        rows.sort();
        rows.dedup_by(|next, last| next.split('=').next() == last.split('=').next());
    }
    let names: Vec<String> = named_commands().map(|command| name_of(command.id)).collect();
    format!(
        "# PowerShell completion for babson\n\
         Register-ArgumentCompleter -Native -CommandName babson -ScriptBlock {{\n  \
         param($word, $ast, $cursor)\n  \
         $elements = @($ast.CommandElements | ForEach-Object {{ \"$_\" }})\n  \
         $before = if ($word -eq '') {{ $elements[-1] }} else {{ $elements[-2] }}\n  \
         $values = @{{\n{}\n  }}\n  \
         $lists = @{{\n{}\n  }}\n  \
         $done = ''\n  \
         if ($lists.ContainsKey($before)) {{\n    \
         $done = $word.Substring(0, $word.LastIndexOf(',') + 1)\n    \
         $values = $lists\n  }}\n  \
         if ($values.ContainsKey($before)) {{\n    \
         $values[$before].Split(' ') | Where-Object {{ \"$done$_\" -like \"$word*\" }} | ForEach-Object {{\n      \
         [System.Management.Automation.CompletionResult]::new(\"$done$_\", $_, 'ParameterValue', $_)\n    }}\n    \
         return\n  }}\n  \
         $command = $elements[1]\n  \
         if ($command -eq $word -or @({}) -notcontains $command) {{ $command = '' }}\n  @(\n{}\n  ) | \
         Where-Object {{ $_[0] -like \"$word*\" -and $_[2] -contains $command }} | ForEach-Object {{\n    \
         [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterName', $_[1])\n  }}\n}}\n",
        values.join("\n"),
        lists.join("\n"),
        names.join(", "),
        lines.join(",\n")
    )
}
