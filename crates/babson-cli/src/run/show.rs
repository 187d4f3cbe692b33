//! `--parse` and `--lex`: the query itself is printed, and nothing is searched.

use babson_lang::text;

use super::settings::{Show, Wanted};
use crate::compose::Source;
use crate::failure::Failure;
use crate::query;

/// Prints the tokens, and the typed tree if it is asked for.
pub(super) fn query(source: &Source, wanted: &Wanted, show: Show) -> Result<u8, Failure> {
    let fail = |diagnostics: Vec<babson_lang::Diagnostic>| {
        super::print_errors(source, &diagnostics, wanted);
        Failure::Query
    };
    let mut out = String::new();
    for piece in text::pieces(&source.text, wanted.dialect).map_err(fail)? {
        let word = piece.span.text(&source.text);
        out.push_str(&format!("{:<10} {word}\n", piece.class.name()));
    }
    if show == Show::Tree {
        let understood = query::understand(source, wanted.dialect).map_err(fail)?;
        out.push_str("\nQueryContainer\n");
        out.push_str(&tree(
            &babson_lang::hir::print(&understood.query),
            wanted.line_characters,
        ));
    }
    crate::console_text(&out)
}

/// Draws branches where the tree is only indented, two blanks a level.
fn tree(indented: &str, line_characters: bool) -> String {
    let (bar, branch, last) = if line_characters {
        ("│ ", "├─", "└─")
    } else {
        ("| ", "|-", "`-")
    };
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
