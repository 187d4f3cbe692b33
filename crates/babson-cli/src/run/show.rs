//! `--parse` and `--lex`: prints the query instead of searching.

use babson::{cql3, text};

use crate::config::{SearchConfig, ShowMode};
use crate::failure::Failure;
use crate::query;
use crate::render;
use crate::source::QuerySource;
use crate::terminal;

/// Prints the tokens, and the typed tree if requested, and returns the exit code. The tokens of a
/// CQL 3 query are not shown.
pub(super) fn query(
    source: &QuerySource,
    config: &SearchConfig,
    show: ShowMode,
) -> Result<u8, Failure> {
    if let Err(diagnostics) = source.check() {
        render::print(source, &diagnostics, config.run.reading.color);
        return Ok(1);
    }
    let dialect = match source.dialect(&config.run.reading) {
        Ok((dialect, _)) => dialect,
        Err(diagnostics) => {
            render::print(source, &diagnostics, config.run.reading.color);
            return Ok(1);
        }
    };
    let mut out = String::new();
    if !cql3::begins_query(&source.text) || show == ShowMode::Tokens {
        for place in source.texts() {
            let one = place.text(&source.text);
            match text::tokens(one, dialect) {
                Ok(pieces) => {
                    for piece in pieces {
                        let word = piece.span.text(one);
                        out.push_str(&format!("{:<10} {word}\n", piece.class.name()));
                    }
                }
                Err(errors) => {
                    let errors: Vec<_> =
                        errors.into_iter().map(|error| error.shifted(place.start)).collect();
                    render::print(source, &errors, config.run.reading.color);
                    return Ok(1);
                }
            }
        }
    }
    if show == ShowMode::Tree {
        match query::analyze(source, &config.run.reading, |builder| builder) {
            Ok(typed) => {
                out.push_str("\nQueryContainer\n");
                out.push_str(&tree(&typed.tree(), config.run.line_characters));
            }
            Err(diagnostics) => {
                terminal::print_text(&out)?;
                render::print(source, &diagnostics, config.run.reading.color);
                return Ok(1);
            }
        }
    }
    terminal::print_text(&out)
}

/// Draws the branches of a tree that is indented by two spaces for each level.
fn tree(indented: &str, line_characters: bool) -> String {
    let (bar, branch, last) =
        if line_characters { ("│ ", "├─", "└─") } else { ("| ", "|-", "`-") };
    let lines: Vec<(usize, &str)> = indented
        .lines()
        .map(|line| {
            let text = line.trim_start();
            ((line.len() - text.len()) / 2, text)
        })
        .collect();
    // For each level, whether it continues on a later line.
    let mut open = Vec::new();
    let mut drawn = Vec::new();
    for &(depth, text) in lines.iter().rev() {
        open.resize(depth + 1, false);
        let mut line = String::new();
        for &goes_on in &open[..depth] {
            line.push_str(if goes_on { bar } else { "  " });
        }
        line.push_str(if open[depth] { branch } else { last });
        line.push_str(text);
        open[depth] = true;
        drawn.push(line);
    }
    drawn.reverse();
    drawn.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    #[test]
    fn branches() {
        assert_eq!(
            super::tree("a\n  b\n    c\n  d\ne\n", false),
            "|-a\n| |-b\n| | `-c\n| `-d\n`-e\n"
        );
        assert_eq!(super::tree("a\n  b\n", true), "└─a\n  └─b\n");
    }
}
