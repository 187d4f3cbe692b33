//! One style for a query.
//!
//! Line breaks stay where the author put them; the rest is ours: two blanks a level of brackets, a
//! block of several lines opens and closes with lines of its own, a line that goes on with the one
//! before stands one level further in, one blank around signs that
//! compare or assign and inside braces, at most one empty line, none at the ends, the header on a
//! line of its own.
//!
//! White space means something in this language (`R--a1`, `[x]`), so the styled text is parsed, and
//! if its tree is another one, less is changed.

use super::lexemes;
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::lexer::{Lex, Lexeme};
use crate::{analyze, hir, parse};

/// Puts a query into the one style. Comments stay, the meaning too, and a second call changes
/// nothing.
///
/// # Errors
/// What is wrong with the query: one that cannot be read is left alone.
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
    let tree = tree(source, dialect)?;
    let mut text = source.to_owned();
    for _ in 0..MAX_PASSES {
        let next = pass(&text, &tree, dialect)?;
        if next == text {
            return Ok(text);
        }
        text = next;
    }
    // It does not settle: better no style than one that changes at each call.
    Ok(source.to_owned())
}

/// One pass: in the full style, else only its lines, else nothing.
fn pass(source: &str, tree: &Tree, dialect: Dialect) -> Result<String, Vec<Diagnostic>> {
    let all = lexemes(source, dialect)?;
    for style in [Style::Full, Style::Lines] {
        let styled = Printer::new(source, &all, style).print();
        if self::tree(&styled, dialect).as_ref() == Ok(tree) {
            return Ok(styled);
        }
    }
    Ok(source.to_owned())
}

/// Passes until the style changes nothing any more. One is usual; what the first one joins, the
/// second may indent.
const MAX_PASSES: usize = 8;

/// The trees as text: what is written, and what is typed if the types are right.
type Tree = (String, Option<String>);

/// The trees as text, without places; no typed one if the query has an error of types.
fn tree(source: &str, dialect: Dialect) -> Result<Tree, Vec<Diagnostic>> {
    let query = parse(source, dialect, &[])?;
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
    /// Only line breaks, indentation and runs of blanks.
    Lines,
}

/// What stands between two tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    Nothing,
    Blank,
    /// A line end, and so many empty lines.
    Line(usize),
}

struct Printer<'s> {
    source: &'s str,
    all: &'s [Lexeme],
    style: Style,
    out: String,
    /// For each open bracket: whether it indents, as the first of its line.
    open: Vec<bool>,
    /// Whether a bracket that indents was opened on this line.
    indents: bool,
}

impl<'s> Printer<'s> {
    fn new(source: &'s str, all: &'s [Lexeme], style: Style) -> Printer<'s> {
        Printer {
            source,
            all,
            style,
            out: String::with_capacity(source.len() + source.len() / 8),
            open: Vec::new(),
            indents: false,
        }
    }

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
                Gap::Blank => self.out.push(' '),
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

    /// How many brackets indent.
    fn depth(&self) -> usize {
        self.open.iter().filter(|indents| **indents).count()
    }

    fn token(&mut self, lexeme: &Lexeme) {
        let text = lexeme.span.text(self.source);
        if lexeme.kind == Lex::Comment {
            // A comment ends its lines without blanks.
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

    /// What stands before each token.
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
                    (Lex::LBrace, Lex::RBrace) => gaps[index],
                    (Lex::LBrace, _) | (_, Lex::RBrace) => Gap::Blank,
                    (left, right) if is_spaced(left) || is_spaced(right) => Gap::Blank,
                    (Lex::Word, Lex::LBrace) | (Lex::RBrace, Lex::Word | Lex::LBrace) => Gap::Blank,
                    (Lex::LParen, right) if !is_sign(right) => Gap::Nothing,
                    (left, Lex::RParen) if !is_sign(left) => Gap::Nothing,
                    (_, Lex::Comment) => Gap::Blank,
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
        let gap = self.source.get(end..start).unwrap_or("");
        let lines = gap.bytes().filter(|&byte| byte == b'\n').count();
        match lines {
            0 if gap.is_empty() => Gap::Nothing,
            0 => Gap::Blank,
            lines => Gap::Line((lines - 1).min(1)),
        }
    }

    /// A block that holds line breaks opens and closes with a line end; no empty lines at its ends.
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
                if lexeme.kind != Lex::RBrace || !gaps[begin + 1..=index].iter().any(breaks) {
                    continue;
                }
                // A comment may stay beside the brace.
                let mut first = begin + 1;
                while self.all[first].kind == Lex::Comment && !breaks(&gaps[first]) {
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

    /// The first filter stands below the header.
    fn header(&self, gaps: &mut [Gap]) {
        let code: Vec<usize> =
            (0..self.all.len()).filter(|&index| self.all[index].kind != Lex::Comment).collect();
        let is_header = code.first().is_some_and(|&index| {
            self.all[index].kind == Lex::Word && self.all[index].span.text(self.source) == "cql"
        });
        if !is_header {
            return;
        }
        let mut depth = 0;
        for (at, &index) in code.iter().enumerate() {
            match self.all[index].kind {
                Lex::LParen => depth += 1,
                Lex::RParen if depth == 1 => {
                    // A comment may stay behind the header.
                    if let Some(&next) = code.get(at + 1)
                        && !gaps[index + 1..=next].iter().any(|gap| matches!(gap, Gap::Line(_)))
                    {
                        gaps[next] = Gap::Line(0);
                    }
                    return;
                }
                Lex::RParen => depth -= 1,
                _ => {}
            }
        }
    }
}

fn is_open(kind: Lex) -> bool {
    matches!(kind, Lex::LBrace | Lex::LParen | Lex::LBracket)
}

fn is_close(kind: Lex) -> bool {
    matches!(kind, Lex::RBrace | Lex::RParen | Lex::RBracket)
}

/// Whether a line that begins with this token goes on with the filter of the line before.
fn continues(lexeme: &Lexeme, source: &str) -> bool {
    match lexeme.kind {
        Lex::Forward | Lex::Backward => true,
        Lex::Word => matches!(lexeme.span.text(source), "and" | "or" | "in"),
        kind => is_spaced(kind),
    }
}

/// Signs with a blank at both sides.
fn is_spaced(kind: Lex) -> bool {
    kind.assigns()
        || matches!(
            kind,
            Lex::Eq
                | Lex::Ne
                | Lex::Le
                | Lex::Ge
                | Lex::Lt
                | Lex::Gt
                | Lex::Match
                | Lex::Union
                | Lex::Intersect
        )
}

/// Signs beside which a blank can mean something.
fn is_sign(kind: Lex) -> bool {
    matches!(
        kind,
        Lex::Dash
            | Lex::Capture
            | Lex::Forward
            | Lex::Backward
            | Lex::Minus
            | Lex::Plus
            | Lex::Star
            | Lex::Question
            | Lex::Comment
    )
}

/// Which gaps belong to a run of touching tokens with a dash in it: there every blank counts.
fn frozen(all: &[Lexeme]) -> Vec<bool> {
    let touches = |index: usize| all[index].span.start == all[index - 1].span.end;
    let mut frozen = vec![false; all.len()];
    let mut begin = 0;
    for index in 1..=all.len() {
        if index < all.len() && touches(index) {
            continue;
        }
        let run = begin..index;
        if all[run.clone()].iter().any(|lexeme| matches!(lexeme.kind, Lex::Dash | Lex::Capture)) {
            frozen[run].fill(true);
            if let Some(behind) = frozen.get_mut(index) {
                *behind = true;
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
    fn blanks() {
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
    fn mistakes_are_told() {
        assert!(format("{mate", Dialect::CQLI).is_err());
    }
}
