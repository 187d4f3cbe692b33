//! Pass 0: delimiters are balanced and not too deep; what each pair holds directly.

use crate::diagnostic::Diagnostic;
use crate::keywords::{Class, Keyword};
use crate::lexer::{Lex, Lexeme};
use crate::limits::MAX_NESTING;

/// Facts about a bracket pair, found once so that look-ahead costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pair {
    /// Index of the other bracket.
    pub(super) mate: usize,
    /// A dash stands directly inside (or in a group directly inside).
    pub(super) has_dash: bool,
    /// A chain arrow stands directly inside that belongs to no `find`, `line`, `imagine` or
    /// `dictionary` in there, or a wildcard before the closer: after an arrow of `line` this is a
    /// group of constituents.
    pub(super) has_chain: bool,
}

/// One entry per lexeme; only those of brackets mean anything.
pub(crate) fn match_brackets(
    source: &str,
    lexemes: &[Lexeme],
) -> Result<Vec<Pair>, Vec<Diagnostic>> {
    let mut pairs = vec![Pair::default(); lexemes.len()];
    let mut errors = Vec::new();
    // Open brackets: index, the words that own arrows seen so far at this level.
    let mut open: Vec<(usize, bool, bool)> = Vec::new();
    for (i, lexeme) in lexemes.iter().enumerate() {
        match lexeme.kind {
            Lex::LParen | Lex::LBrace | Lex::LBracket => {
                if open.len() >= MAX_NESTING {
                    errors.push(Diagnostic::error(
                        lexeme.span,
                        format!("brackets are nested more than {MAX_NESTING} deep"),
                    ));
                    return Err(errors);
                }
                open.push((i, false, false));
            }
            Lex::RParen | Lex::RBrace | Lex::RBracket => {
                let closes = match lexeme.kind {
                    Lex::RParen => Lex::LParen,
                    Lex::RBrace => Lex::LBrace,
                    _ => Lex::LBracket,
                };
                let text = lexeme.span.text(source);
                match open.last() {
                    Some(&(o, ..)) if lexemes[o].kind == closes => {
                        open.pop();
                        pairs[o].mate = i;
                        pairs[i].mate = o;
                        pairs[o].has_chain |=
                            is_wild(i.checked_sub(1).and_then(|j| lexemes.get(j)));
                        let group = is_wild(lexemes.get(i + 1))
                            || lexeme.kind == Lex::RParen && may_be_group(source, lexemes, o);
                        if pairs[o].has_dash
                            && group
                            && let Some(&(outer, ..)) = open.last()
                        {
                            pairs[outer].has_dash = true;
                        }
                    }
                    Some(&(o, ..)) => {
                        let opener = lexemes[o].span.text(source);
                        errors.push(
                            Diagnostic::error(
                                lexeme.span,
                                format!("`{text}` does not close `{opener}`"),
                            )
                            .with_label(format!("closes nothing: `{opener}` is open")),
                        );
                        return Err(errors);
                    }
                    None => errors
                        .push(Diagnostic::error(lexeme.span, format!("`{text}` closes nothing"))),
                }
            }
            Lex::Dash | Lex::Capture => {
                if let Some(&(o, ..)) = open.last() {
                    pairs[o].has_dash = true;
                }
            }
            Lex::Word => {
                let word = lexeme.span.text(source);
                if let Some(top) = open.last_mut() {
                    top.1 |= matches!(word, "line" | "imagine" | "dictionary");
                    top.2 = word == "find" || top.2 && matches!(word, "quiet" | "all" | "count");
                }
            }
            Lex::Colon => {
                if let Some(top) = open.last_mut() {
                    top.1 = false;
                }
            }
            Lex::Forward | Lex::Backward => {
                if let Some(&(o, owned, find)) = open.last() {
                    pairs[o].has_chain |= !owned && !find;
                }
            }
            _ => {}
        }
    }
    for &(o, ..) in &open {
        let text = lexemes[o].span.text(source);
        errors.push(Diagnostic::error(lexemes[o].span, format!("`{text}` is never closed")));
    }
    if errors.is_empty() { Ok(pairs) } else { Err(errors) }
}

/// Can the `(` at `open` stand where a constituent of `path` stands: is it not that of a call, of a
/// target or of an operand?
fn may_be_group(source: &str, lexemes: &[Lexeme], open: usize) -> bool {
    let Some(before) = open.checked_sub(1).and_then(|i| lexemes.get(i)) else {
        return true;
    };
    match before.kind {
        Lex::LParen | Lex::RParen | Lex::RBrace | Lex::RBracket => true,
        Lex::Designator | Lex::Dot | Lex::Empty => true,
        Lex::CastleShort | Lex::CastleLong | Lex::CurrentSymbol => true,
        Lex::Word => match Keyword::from_word(before.span.text(source)) {
            Some(keyword) => keyword.class() == Class::Nullary,
            None => !lexemes[open].tied,
        },
        _ => is_wild(Some(before)),
    }
}

/// Can this lexeme be a wildcard after a group?
pub(super) fn is_wild(lexeme: Option<&Lexeme>) -> bool {
    lexeme.is_some_and(|l| {
        matches!(
            l.kind,
            Lex::Plus | Lex::Star | Lex::Question | Lex::Repeat | Lex::RepeatStar | Lex::RepeatPlus
        )
    })
}
