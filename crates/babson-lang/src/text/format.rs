//! The formatter.
//!
//! It keeps the line breaks of the author and changes only other whitespace:
//!
//! - two spaces of indentation per level of brackets, and one level more for a line that continues
//!   the filter of the line before;
//! - line breaks after the `{` and before the `}` of a block of several lines;
//! - a space on both sides of comparisons, assignments and set operators, and inside braces;
//! - at most one empty line in sequence, and none at the ends of a block;
//! - a line break after the header.
//!
//! Whitespace can have a meaning (docs/src/language/reading.md#whitespace). So the formatter parses
//! its output, and changes less if the tree is different.

use super::{lexemes, refuse_cql3};
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::lexer::{Lexeme, LexemeClass, LexemeKind, Spacing};
use crate::limits::MAX_FORMAT_PASSES;
use crate::{analyze, hir, parse};

/// Formats a query. Comments and meaning do not change, and formatting is idempotent.
///
/// # Errors
/// The errors of a query that does not parse.
///
/// ```
/// use babson_lang::{Dialect, text::format};
/// let source = "cql(quiet) flip{   // both\nK==a1\n\n\n  mate}";
/// assert_eq!(
///     format(source, Dialect::CQLI).unwrap(),
///     "cql(quiet)\nflip { // both\n  K == a1\n\n  mate\n}\n"
/// );
/// ```
pub fn format(source: &str, dialect: Dialect) -> Result<String, Vec<Diagnostic>> {
    refuse_cql3(source)?;
    let tree = tree(source, dialect)?;
    let mut text = source.to_owned();
    for _ in 0..MAX_FORMAT_PASSES {
        let next = pass(&text, &tree, dialect)?;
        if next == text {
            return Ok(text);
        }
        text = next;
    }
    // Formatting does not converge: return the text unchanged.
    Ok(source.to_owned())
}

/// One pass: the full style, else only its line layout, else no change.
fn pass(source: &str, tree: &Tree, dialect: Dialect) -> Result<String, Vec<Diagnostic>> {
    let all = lexemes(source, dialect)?;
    for style in [Style::Full, Style::Lines] {
        let (out, open) = (String::with_capacity(source.len() + source.len() / 8), Vec::new());
        let formatter = QueryFormatter { source, all: &all, style, out, open, indents: false };
        let styled = formatter.print();
        if self::tree(&styled, dialect).as_ref() == Ok(tree) {
            return Ok(styled);
        }
    }
    Ok(source.to_owned())
}

/// The AST and, if type checking succeeds, the HIR, as text.
type Tree = (String, Option<String>);

/// Prints the trees of a query, without places.
fn tree(source: &str, dialect: Dialect) -> Result<Tree, Vec<Diagnostic>> {
    let query = parse(source, dialect)?;
    let mut text = String::new();
    for param in query.header.iter().flat_map(|header| &header.params) {
        text.push_str(&format!("{:?} ", param.kind));
    }
    text.push_str(&ast::print::query(&query));
    let typed = analyze(source, dialect).ok().map(|analysis| hir::print(&analysis.query));
    Ok((text, typed))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Full,
    /// Only line breaks, indentation and runs of spaces.
    Lines,
}

/// The whitespace between two tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    Nothing,
    Space,
    /// A line end and a number of empty lines.
    Line(usize),
}

struct QueryFormatter<'s> {
    source: &'s str,
    all: &'s [Lexeme],
    style: Style,
    out: String,
    /// For each open bracket, whether it indents: only the first one of a line does.
    open: Vec<bool>,
    /// Whether the current line has opened a bracket that indents.
    indents: bool,
}

impl QueryFormatter<'_> {
    fn print(mut self) -> String {
        let gaps = self.gaps();
        for (index, lexeme) in self.all.iter().enumerate() {
            let gap = gaps.get(index).copied().unwrap_or(Gap::Nothing);
            let closes = is_close(lexeme.kind);
            let mut depth = self.depth();
            if closes && self.open.pop() == Some(true) {
                depth -= usize::from(matches!(gap, Gap::Line(_)));
            }
            match gap {
                Gap::Nothing => {}
                Gap::Space => self.out.push(' '),
                Gap::Line(empty) => {
                    self.out.push('\n');
                    for _ in 0..empty {
                        self.out.push('\n');
                    }
                    for _ in 0..depth + usize::from(continues(lexeme, self.source)) {
                        self.out.push_str("  ");
                    }
                    self.indents = false;
                }
            }
            self.token(lexeme);
            if is_open(lexeme.kind) {
                self.open.push(!self.indents);
                self.indents = true;
            }
        }
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    /// The number of open brackets that indent.
    fn depth(&self) -> usize {
        self.open.iter().filter(|indents| **indents).count()
    }

    fn token(&mut self, lexeme: &Lexeme) {
        let text = lexeme.span.text(self.source);
        if lexeme.kind == LexemeKind::Comment {
            // Remove whitespace at the line ends of a comment.
            for (index, line) in text.lines().enumerate() {
                if index > 0 {
                    self.out.push('\n');
                }
                self.out.push_str(line.trim_end());
            }
        } else {
            self.out.push_str(text);
        }
    }

    /// The whitespace before each token.
    fn gaps(&self) -> Vec<Gap> {
        let all = self.all;
        let mut gaps: Vec<Gap> = (0..all.len()).map(|index| self.source_gap(index)).collect();
        self.blocks(&mut gaps);
        self.header(&mut gaps);
        if self.style == Style::Full {
            let frozen = frozen(all);
            for index in 1..all.len() {
                if matches!(gaps[index], Gap::Line(_)) || frozen[index] {
                    continue;
                }
                gaps[index] = match (all[index - 1].kind, all[index].kind) {
                    (LexemeKind::LBrace, LexemeKind::RBrace) => gaps[index],
                    (LexemeKind::LBrace, _) | (_, LexemeKind::RBrace) => Gap::Space,
                    (left, right) if is_spaced(left) || is_spaced(right) => Gap::Space,
                    (LexemeKind::Word, LexemeKind::LBrace)
                    | (LexemeKind::RBrace, LexemeKind::Word | LexemeKind::LBrace) => Gap::Space,
                    (LexemeKind::LParen, right) if !is_space_sensitive(right) => Gap::Nothing,
                    (left, LexemeKind::RParen) if !is_space_sensitive(left) => Gap::Nothing,
                    (_, LexemeKind::Comment) => Gap::Space,
                    _ => gaps[index],
                };
            }
        }
        gaps
    }

    fn source_gap(&self, index: usize) -> Gap {
        let start = self.all[index].span.start as usize;
        let Some(before) = index.checked_sub(1) else {
            return Gap::Nothing;
        };
        let end = self.all[before].span.end as usize;
        match Spacing::of(self.source.get(end..start).unwrap_or("")) {
            Spacing::Touching => Gap::Nothing,
            Spacing::Space => Gap::Space,
            Spacing::LineEnd => Gap::Line(0),
            Spacing::EmptyLine => Gap::Line(1),
        }
    }

    /// Puts line breaks at both ends of a block that contains line breaks, and removes empty lines
    /// there.
    fn blocks(&self, gaps: &mut [Gap]) {
        let mut open: Vec<usize> = Vec::new();
        for (index, lexeme) in self.all.iter().enumerate() {
            if is_open(lexeme.kind) {
                open.push(index);
            } else if is_close(lexeme.kind)
                && let Some(begin) = open.pop()
            {
                for at in [begin + 1, index] {
                    if let Gap::Line(empty) = &mut gaps[at] {
                        *empty = 0;
                    }
                }
                let breaks = |gap: &Gap| matches!(gap, Gap::Line(_));
                if lexeme.kind != LexemeKind::RBrace || !gaps[begin + 1..=index].iter().any(breaks)
                {
                    continue;
                }
                // A comment can stay on the line of the brace.
                let mut first = begin + 1;
                while self.all[first].kind == LexemeKind::Comment && !breaks(&gaps[first]) {
                    first += 1;
                }
                for at in [first, index] {
                    if !breaks(&gaps[at]) {
                        gaps[at] = Gap::Line(0);
                    }
                }
            }
        }
    }

    /// Puts a line break after the header.
    fn header(&self, gaps: &mut [Gap]) {
        let is_code = |(_, lexeme): &(usize, &Lexeme)| lexeme.kind != LexemeKind::Comment;
        let mut code = self.all.iter().enumerate().filter(is_code);
        if code.next().is_none_or(|(_, first)| first.span.text(self.source) != "cql") {
            return;
        }
        let mut depth = 0;
        let end = code.find(|(_, lexeme)| {
            depth += i32::from(lexeme.kind == LexemeKind::LParen);
            depth -= i32::from(lexeme.kind == LexemeKind::RParen);
            depth == 0
        });
        // A comment can stay on the line of the header.
        if let (Some((end, _)), Some((next, _))) = (end, code.next())
            && !gaps[end + 1..=next].iter().any(|gap| matches!(gap, Gap::Line(_)))
        {
            gaps[next] = Gap::Line(0);
        }
    }
}

fn is_open(kind: LexemeKind) -> bool {
    kind.class() == LexemeClass::OpeningBracket
}

fn is_close(kind: LexemeKind) -> bool {
    kind.class() == LexemeClass::ClosingBracket
}

/// Whether a line that begins with this token continues the filter of the previous line.
fn continues(lexeme: &Lexeme, source: &str) -> bool {
    lexeme.kind.class() == LexemeClass::Chain
        || lexeme.kind == LexemeKind::Word
            && matches!(lexeme.span.text(source), "and" | "or" | "in")
        || is_spaced(lexeme.kind)
}

/// Whether an operator has a space on both sides.
fn is_spaced(kind: LexemeKind) -> bool {
    kind.assigns()
        || kind.compares_values()
        || matches!(kind, LexemeKind::Match | LexemeKind::Union | LexemeKind::Intersect)
}

/// Whether a space beside the symbol can have a meaning.
fn is_space_sensitive(kind: LexemeKind) -> bool {
    matches!(
        kind,
        LexemeKind::Dash
            | LexemeKind::Capture
            | LexemeKind::Forward
            | LexemeKind::Backward
            | LexemeKind::Minus
            | LexemeKind::Plus
            | LexemeKind::Star
            | LexemeKind::Question
            | LexemeKind::Comment
    )
}

/// For each gap, whether it touches or belongs to a run of adjacent tokens with a dash, in which
/// whitespace has a meaning.
fn frozen(all: &[Lexeme]) -> Vec<bool> {
    let touches = |index: usize| all[index].span.start == all[index - 1].span.end;
    let mut frozen = vec![false; all.len()];
    let mut begin = 0;
    for index in 1..=all.len() {
        if index < all.len() && touches(index) {
            continue;
        }
        let run = begin..index;
        if all[run.clone()]
            .iter()
            .any(|lexeme| matches!(lexeme.kind, LexemeKind::Dash | LexemeKind::Capture))
        {
            frozen[run].fill(true);
            if let Some(after) = frozen.get_mut(index) {
                *after = true;
            }
        }
        begin = index;
    }
    frozen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        let once = format(source, Dialect::CQLI).unwrap();
        assert_eq!(once, expected);
        assert_eq!(format(&once, Dialect::CQLI).unwrap(), once);
    }

    #[test]
    fn spaces() {
        check("x=3   x>=2", "x = 3 x >= 2\n");
        check("{check}or{ mate }", "{ check } or { mate }\n");
        check("between( a1   b2 )", "between(a1 b2)\n");
        check("R--a1 R -- a1", "R--a1 R -- a1\n");
        check("K&a1|Q", "K & a1 | Q\n");
        check("mate//end  \n\n\n\n", "mate //end\n");
    }

    #[test]
    fn lines() {
        check("cql() { check\n\n\n  mate }", "cql()\n{\n  check\n\n  mate\n}\n");
        check("flip {wtm {\nmate\n}}\n", "flip {\n  wtm {\n    mate\n  }\n}\n");
        check("\r\n\r\nmate\r\n  check\r\n", "mate\ncheck\n");
        check(
            "flip{\nline\n--> check\n--> mate\n}\nor check",
            "flip {\n  line\n    --> check\n    --> mate\n}\n  or check\n",
        );
        check("if check\nthen mate", "if check\nthen mate\n");
        check("// first\ncql(quiet) // header\nmate", "// first\ncql(quiet) // header\nmate\n");
    }

    #[test]
    fn errors_are_reported() {
        assert!(format("{mate", Dialect::CQLI).is_err());
    }
}
