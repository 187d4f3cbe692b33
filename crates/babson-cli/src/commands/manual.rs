//! `babson man`: the manual page, generated from the table, and the tables of the book.

use std::fmt::Write as _;

use crate::failure::{EXIT_CODES, ExitCode, Failure};
use crate::options::{
    COMMANDS, CommandId, CommandLine, CommandSpec, INTRODUCTION, OPTIONS, OptionGroup, OptionSpec,
};
use crate::terminal;

/// Prints the page in roff; with `--markdown` the tables of the book.
pub(crate) fn man(line: &CommandLine) -> Result<u8, Failure> {
    let text = match line.config()?.run.command.markdown {
        true => format!("{}\n{}\n{}", command_table(), exit_code_table(), option_tables()),
        false => page(),
    };
    terminal::print_text(&text)
}

/// Text for roff: a line must not begin with a dot or a quote, and hyphens must stay ASCII.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    match text.chars().next() {
        Some('.' | '\'') => format!("\\&{text}"),
        _ => text,
    }
}

fn page() -> String {
    let mut out = format!(
        ".TH BABSON 1 \"\" \"babson {}\" \"User Commands\"\n.SH NAME\nbabson \\- search chess games with CQL\n\
         .SH SYNOPSIS\n",
        env!("CARGO_PKG_VERSION")
    );
    let usages = COMMANDS.iter().map(|command| format!(".B babson\n{}\n", roff(command.usage)));
    out.push_str(&usages.collect::<Vec<_>>().join(".br\n"));
    let _ = write!(
        out,
        ".SH DESCRIPTION\n{}\nIt reads databases of games in PGN and writes the games that match a query.\n\
         Options have one hyphen or two, in any case. All options of CQL 6.2 and of CQLi are accepted.\n.SH COMMANDS\n",
        roff(INTRODUCTION)
    );
    for command in COMMANDS.iter().filter(|command| command.id != CommandId::Search) {
        command_entry(command, &mut out);
    }
    let search = CommandSpec::of(CommandId::Search);
    for group in OptionGroup::ALL {
        let options: Vec<_> = search.options().filter(|option| option.group == *group).collect();
        if !options.is_empty() {
            let _ = writeln!(out, ".SH {}", roff(&group.title().to_uppercase()));
        }
        for option in options {
            let _ = writeln!(out, ".TP\n{}\n{}", spelled(option), roff(&option.help()));
        }
    }
    out.push_str(".SH EXIT STATUS\n");
    for ExitCode { code, with_status, meaning } in &EXIT_CODES {
        let codes = match code == with_status {
            true => code.to_string(),
            false => roff(&format!("{code}, with --exit-status {with_status}")),
        };
        let _ = writeln!(out, ".TP\n{codes}\n{}", roff(meaning));
    }
    out.push_str(
        ".SH EXAMPLES\n.nf\n\
         babson \\-i games.pgn \\-o mates.pgn mate.cql\nbabson \\-i games.pgn \\-\\-count \\-\\-cql 'move promote N'\n.fi\n",
    );
    out
}

/// A command with its own options and the names of those that it shares with the search.
fn command_entry(command: &CommandSpec, out: &mut String) {
    let _ = writeln!(out, ".TP\n.B {}\n{}", roff(command.usage), roff(command.help));
    if !command.details.is_empty() {
        let _ = writeln!(out, ".br\n{}", roff(command.details));
    }
    let (own, shared): (Vec<_>, Vec<_>) =
        command.options().partition(|option| option.group == OptionGroup::Command);
    for option in own {
        let _ = writeln!(out, ".br\n{}: {}", spelled(option), roff(&option.help()));
    }
    let shared: Vec<String> = shared
        .iter()
        .map(|option| format!("\\fB{}\\fR", roff(&format!("--{}", option.names[0]))))
        .collect();
    let _ = writeln!(out, ".br\nIt also takes {}.", shared.join(", "));
}

/// The names of an option and its operand.
fn spelled(option: &OptionSpec) -> String {
    let names: Vec<String> =
        option.spellings().iter().map(|name| format!("\\fB{}\\fR", roff(name))).collect();
    match option.operand() {
        "" => names.join(", "),
        operand => format!("{} \\fI{}\\fR", names.join(", "), roff(operand)),
    }
}

/// The commands as a Markdown table for the book.
fn command_table() -> String {
    let row = |command: &CommandSpec| {
        format!("| `babson {}` | {} |\n", cell(command.usage), cell(command.help))
    };
    let rows: String = COMMANDS.iter().map(row).collect();
    format!("| command line | meaning |\n| --- | --- |\n{rows}")
}

/// The exit codes as a Markdown table for the book.
fn exit_code_table() -> String {
    let row = |row: &ExitCode| {
        format!("| {} | {} | {} |\n", row.code, row.with_status, cell(row.meaning))
    };
    let rows: String = EXIT_CODES.iter().map(row).collect();
    format!("| code | with `--exit-status` | meaning |\n| --- | --- | --- |\n{rows}")
}

/// Text for a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// The options as Markdown tables for the book.
fn option_tables() -> String {
    let mut out = String::new();
    for group in OptionGroup::ALL {
        let _ = write!(
            out,
            "### {}\n\n| option | meaning | of | commands |\n| --- | --- | --- | --- |\n",
            group.title()
        );
        for option in OPTIONS.iter().filter(|option| option.group == *group) {
            let names: Vec<String> =
                option.spellings().iter().map(|name| format!("`{name}`")).collect();
            let operand = match option.operand() {
                "" => String::new(),
                operand => format!(" {operand}"),
            };
            let _ = writeln!(
                out,
                "| {}{} | {} | {} | {} |",
                names.join(", "),
                cell(&operand),
                cell(&option.help()),
                option.owner.name(),
                commands_of(option)
            );
        }
        out.push('\n');
    }
    out
}

/// The names of the commands that take an option.
fn commands_of(option: &OptionSpec) -> String {
    let named = |command: &&CommandSpec| option.commands.contains(&command.id);
    let names =
        COMMANDS.iter().filter(named).map(|command| match command.id == CommandId::Search {
            true => "the search".to_owned(),
            false => format!("`{}`", command.name),
        });
    match option.commands.len() == COMMANDS.len() {
        true => "all".to_owned(),
        false => names.collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_option_is_in_the_page_and_in_the_book() {
        let (page, tables) = (page(), option_tables());
        for name in OPTIONS.iter().map(|option| option.names[0]) {
            assert!(page.contains(&roff(name)) && tables.contains(name), "{name}");
        }
    }

    /// The book has the generated tables; `BABSON_BLESS=1` rewrites them.
    #[test]
    fn the_book_has_the_table() {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../").join("docs/src/command-line.md");
        let bless = std::env::var_os("BABSON_BLESS").is_some();
        for (what, generated) in [
            ("commands", command_table()),
            ("exit codes", exit_code_table()),
            ("options", option_tables()),
        ] {
            let (begin, end) = (format!("<!-- {what} -->\n"), format!("<!-- end of {what} -->"));
            let page = std::fs::read_to_string(&path).unwrap();
            let (head, rest) = page.split_once(&begin).expect("a place for the text");
            let (held, tail) = rest.split_once(&end).expect("the end of that place");
            let expected = format!("\n{}\n\n", generated.trim_end());
            if held != expected && bless {
                std::fs::write(&path, format!("{head}{begin}{expected}{end}{tail}")).unwrap();
                continue;
            }
            assert_eq!(held, expected, "run with BABSON_BLESS=1");
        }
    }
}
