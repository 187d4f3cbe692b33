//! `babson completions` and `babson man`, generated from the table of options.

use std::fmt::Write as _;

use crate::failure::Failure;
use crate::options::{COMMANDS, INTRODUCTION, OPTIONS, OptionGroup, OptionSpec, OptionValue};
use crate::terminal;

/// `babson completions bash|zsh|fish|powershell`.
pub(crate) fn completions(words: &[String]) -> Result<u8, Failure> {
    let shell = match words {
        [shell] => shell.to_ascii_lowercase(),
        _ => String::new(),
    };
    let text = match shell.as_str() {
        "bash" => bash(),
        "zsh" => zsh(),
        "fish" => fish(),
        "powershell" => powershell(),
        _ => {
            return Err(Failure::Usage(
                "usage: babson completions bash|zsh|fish|powershell".to_owned(),
            ));
        }
    };
    terminal::print_text(&text)
}

/// `babson man`: the manual page, in roff; with `--markdown` the tables of options in the
/// book.
pub(crate) fn man(words: &[String]) -> Result<u8, Failure> {
    match words {
        [] => terminal::print_text(&page()),
        [word] if word.eq_ignore_ascii_case("--markdown") => terminal::print_text(&book()),
        _ => Err(Failure::Usage("usage: babson man [--markdown]".to_owned())),
    }
}

/// Whether a file name follows the option.
fn takes_file(option: &OptionSpec) -> bool {
    matches!(option.value, OptionValue::Word("FILE" | "QUERY") | OptionValue::Similar)
}

/// The words that may follow an option, if there are few.
fn choices(option: &OptionSpec) -> &'static [&'static str] {
    match option.names {
        ["dialect", ..] => &["cqli", "cql6"],
        ["color", ..] => &["auto", "always", "never"],
        ["result", ..] => &["1-0", "0-1", "1/2-1/2"],
        _ => &[],
    }
}

fn command_names() -> String {
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    names.join(" ")
}

fn bash() -> String {
    let all: Vec<String> = OPTIONS.iter().flat_map(OptionSpec::spellings).collect();
    let mut cases = String::new();
    for option in OPTIONS {
        let names = option.spellings().join("|");
        if takes_file(option) {
            let _ =
                writeln!(cases, "    {names}) COMPREPLY=($(compgen -f -- \"$word\")); return ;;");
        } else if !choices(option).is_empty() {
            let words = choices(option).join(" ");
            let _ = writeln!(
                cases,
                "    {names}) COMPREPLY=($(compgen -W '{words}' -- \"$word\")); return ;;"
            );
        }
    }
    format!(
        "# bash completion for babson\n\
         _babson() {{\n  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" before=\"${{COMP_WORDS[COMP_CWORD-1]}}\"\n  \
         COMPREPLY=()\n  case \"$before\" in\n{cases}  esac\n  \
         if [[ $word == -* ]]; then\n    COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n  else\n    \
         COMPREPLY=($(compgen -f -- \"$word\"))\n    \
         [[ $COMP_CWORD -eq 1 ]] && COMPREPLY+=($(compgen -W '{}' -- \"$word\"))\n  fi\n}}\n\
         complete -o filenames -F _babson babson\n",
        all.join(" "),
        command_names()
    )
}

/// Text for single quotes, with `quote` in place of each quote.
fn single(text: &str, quote: &str) -> String {
    text.replace('\'', quote)
}

fn zsh() -> String {
    let mut out =
        String::from("#compdef babson\n\n_babson() {\n  local -a commands\n  commands=(\n");
    for command in COMMANDS {
        let _ = writeln!(out, "    '{}:{}'", command.name, single(command.help, "'\\''"));
    }
    out.push_str("  )\n  _arguments -s \\\n");
    for option in OPTIONS {
        let help = single(option.help, "'\\''").replace(':', "\\:");
        let help = help.replace('[', "(").replace(']', ")");
        let action = if takes_file(option) {
            ":file:_files".to_owned()
        } else if !choices(option).is_empty() {
            format!(":value:({})", choices(option).join(" "))
        } else {
            match option.value {
                OptionValue::None | OptionValue::Switch | OptionValue::OptionalRange => {
                    String::new()
                }
                OptionValue::Pair(_) => ":name: :value: ".to_owned(),
                OptionValue::Word(_)
                | OptionValue::Number(_)
                | OptionValue::Range
                | OptionValue::Similar
                | OptionValue::Hhdb => ":value: ".to_owned(),
            }
        };
        for name in option.spellings() {
            let _ = writeln!(out, "    '*{name}[{help}]{action}' \\");
        }
    }
    out.push_str(
        "    '1: :->first' \\\n    '*:query:_files'\n  \
         [[ $state == first ]] && { _describe command commands; _files }\n}\n\n_babson \"$@\"\n",
    );
    out
}

fn fish() -> String {
    let mut out = String::from("# fish completion for babson\n");
    for command in COMMANDS {
        let help = single(command.help, "\\'");
        let _ = writeln!(
            out,
            "complete -c babson -n __fish_use_subcommand -a {} -d '{help}'",
            command.name
        );
    }
    for option in OPTIONS {
        let help = single(option.help, "\\'");
        for name in option.spellings() {
            let flag = match name.strip_prefix("--") {
                Some(long) => format!("-l {long}"),
                None => format!("-s {}", &name[1..]),
            };
            let value = if takes_file(option) {
                " -r -F".to_owned()
            } else if !choices(option).is_empty() {
                format!(" -x -a '{}'", choices(option).join(" "))
            } else {
                match option.value {
                    OptionValue::None | OptionValue::Switch | OptionValue::OptionalRange => {
                        String::new()
                    }
                    OptionValue::Word(_)
                    | OptionValue::Number(_)
                    | OptionValue::Range
                    | OptionValue::Pair(_)
                    | OptionValue::Similar
                    | OptionValue::Hhdb => " -x".to_owned(),
                }
            };
            let _ = writeln!(out, "complete -c babson {flag}{value} -d '{help}'");
        }
    }
    out
}

fn powershell() -> String {
    let mut out = String::from(
        "# PowerShell completion for babson\n\
         Register-ArgumentCompleter -Native -CommandName babson -ScriptBlock {\n  \
         param($word, $ast, $cursor)\n  @(\n",
    );
    let mut line = |name: &str, help: &str| {
        let help = single(help, "''");
        let _ = writeln!(out, "    @('{name}', '{help}'),");
    };
    for command in COMMANDS {
        line(command.name, command.help);
    }
    for option in OPTIONS {
        for name in option.spellings() {
            line(&name, option.help);
        }
    }
    // The list ends without a comma.
    if out.ends_with(",\n") {
        out.truncate(out.len() - 2);
    }
    out.push_str(
        "\n  ) | Where-Object { $_[0] -like \"$word*\" } | ForEach-Object {\n    \
         [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterName', $_[1])\n  }\n}\n",
    );
    out
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
         .SH SYNOPSIS\n.B babson\n[OPTIONS] QUERY.cql...\n",
        env!("CARGO_PKG_VERSION")
    );
    for command in COMMANDS {
        let _ = writeln!(out, ".br\n.B babson\n{}", roff(command.usage));
    }
    let _ = write!(
        out,
        ".SH DESCRIPTION\n{}\nIt reads databases of games in PGN and writes the games that match a query.\n\
         Options have one hyphen or two, in any case; those of CQL 6.2 and of CQLi are all there.\n.SH COMMANDS\n",
        roff(INTRODUCTION)
    );
    for command in COMMANDS {
        let (usage, help) = (roff(command.usage), roff(command.help));
        let _ = writeln!(out, ".TP\n.B {usage}\n{help}");
        for (option, help) in command.own {
            let (option, help) = (roff(option), roff(help));
            let _ = writeln!(out, ".br\n\\fB{option}\\fR: {help}");
        }
    }
    for group in OptionGroup::ALL {
        let _ = writeln!(out, ".SH {}", roff(&group.title().to_uppercase()));
        for option in OPTIONS.iter().filter(|option| option.group == *group) {
            let names: Vec<String> =
                option.spellings().iter().map(|name| format!("\\fB{}\\fR", roff(name))).collect();
            let operand = match option.operand() {
                "" => String::new(),
                operand => format!(" \\fI{}\\fR", roff(operand)),
            };
            let _ = writeln!(out, ".TP\n{}{operand}\n{}", names.join(", "), roff(option.help));
        }
    }
    out.push_str(
        ".SH EXIT STATUS\n.TP\n0\nIt ran; also with no match or damaged games.\n.TP\n1\nA query has an error, before or \
         while it runs.\n.TP\n2\nThe command line has one.\n.TP\n3\nInput or output failed.\n.SH EXAMPLES\n.nf\n\
         babson \\-i games.pgn \\-o mates.pgn mate.cql\nbabson \\-i games.pgn \\-\\-count \\-\\-cql 'move promote N'\n.fi\n",
    );
    out
}

/// The options as Markdown tables for the book.
fn book() -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut out = String::new();
    for group in OptionGroup::ALL {
        let _ = write!(
            out,
            "### {}\n\n| option | meaning | of |\n| --- | --- | --- |\n",
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
                "| {}{} | {} | {} |",
                names.join(", "),
                cell(&operand),
                cell(option.help),
                option.who.name()
            );
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_option_is_in_every_text() {
        for text in [bash(), zsh(), fish(), powershell(), page(), book()] {
            for option in OPTIONS {
                let name = option.names[0];
                let escaped = name.replace('-', "\\-");
                assert!(text.contains(name) || text.contains(&escaped), "{name}");
            }
        }
    }

    /// The book has the generated tables; `BABSON_BLESS=1` rewrites them.
    #[test]
    fn the_book_has_the_table() {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../").join("docs/src/command-line.md");
        let (begin, end) = ("<!-- options -->\n", "<!-- end of options -->");
        let page = std::fs::read_to_string(&path).unwrap();
        let (head, rest) = page.split_once(begin).expect("a place for the options");
        let (held, tail) = rest.split_once(end).expect("the end of that place");
        let expected = format!("\n{}", book());
        if held != expected && std::env::var_os("BABSON_BLESS").is_some() {
            std::fs::write(path, format!("{head}{begin}{expected}{end}{tail}")).unwrap();
            return;
        }
        assert_eq!(held, expected, "run with BABSON_BLESS=1");
    }
}
