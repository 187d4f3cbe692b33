//! `--parse` and `--lex`: the query itself is printed, and nothing is searched.

use babson_lang::{Span, cql3, text};

use super::settings::{Show, Wanted};
use crate::compose::Source;
use crate::failure::Failure;
use crate::query;

/// Prints the tokens, and the typed tree if it is asked for; the exit code. CQL 3 has tokens of its
/// own, which are not shown.
pub(super) fn query(source: &Source, wanted: &Wanted, show: Show) -> Result<u8, Failure> {
    if let Err(diagnostics) = source.check() {
        super::print_errors(source, &diagnostics, wanted);
        return Ok(1);
    }
    let dialect = match wanted.reading.dialect_of(source) {
        Ok((dialect, _)) => dialect,
        Err(diagnostics) => {
            super::print_errors(source, &diagnostics, wanted);
            return Ok(1);
        }
    };
    let mut out = String::new();
    if !cql3::begins_query(&source.text) || show == Show::Tokens {
        for place in source.texts() {
            let one = place.text(&source.text);
            match text::tokens(one, dialect) {
                Ok(pieces) => {
                    for piece in pieces {
                        let word = piece.span.text(one);
                        out.push_str(&format!("{:<10} {word}\n", piece.class.name()));
                    }
                }
                Err(mut diagnostics) => {
                    for error in &mut diagnostics {
                        let (start, end) = (error.span.start, error.span.end);
                        error.span = Span::new(place.start + start, place.start + end);
                    }
                    super::print_errors(source, &diagnostics, wanted);
                    return Ok(1);
                }
            }
        }
    }
    if show == Show::Tree {
        match query::understand(source, &wanted.reading) {
            Ok(understood) => {
                out.push_str("\nQueryContainer\n");
                let typed = babson_lang::hir::print(&understood.query);
                out.push_str(&tree(&typed, wanted.line_characters));
            }
            Err(diagnostics) => {
                crate::console_text(&out)?;
                super::print_errors(source, &diagnostics, wanted);
                return Ok(1);
            }
        }
    }
    crate::console_text(&out)
}

/// Draws branches where the tree is only indented, two blanks a level.
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
    // From below: whether a level goes on further down.
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
