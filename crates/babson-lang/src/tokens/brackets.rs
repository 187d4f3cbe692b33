//! Checks that brackets are balanced, and finds what each pair contains directly.

use crate::diagnostic::Diagnostic;
use crate::keywords::{Keyword, KeywordClass};
use crate::lexer::{Lexeme, LexemeKind};
use crate::limits::MAX_NESTING;

/// Properties of a bracket pair, computed once so that look-ahead takes constant time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BracketPair {
    /// Index of the other bracket.
    pub(super) mate: usize,
    /// The pair contains a dash, directly or in a group.
    pub(super) has_dash: bool,
    /// The pair directly contains an arrow that does not belong to a `find`, `line`, `imagine` or
    /// `dictionary` inside, or ends with a wildcard. After an arrow of `line`, such a pair is a
    /// group of constituents.
    pub(super) has_chain: bool,
}

/// Returns one entry per lexeme; only the entries of brackets are meaningful.
pub(crate) fn match_brackets(
    source: &str,
    lexemes: &[Lexeme],
) -> Result<Vec<BracketPair>, Vec<Diagnostic>> {
    let mut pairs = vec![BracketPair::default(); lexemes.len()];
    let mut errors = Vec::new();
    // Open brackets: the index, whether a keyword that takes an arrow was seen directly inside,
    // and whether the previous keyword is `find` or a parameter of it.
    let mut open: Vec<(usize, bool, bool)> = Vec::new();
    for (i, lexeme) in lexemes.iter().enumerate() {
        match lexeme.kind {
            LexemeKind::LParen | LexemeKind::LBrace | LexemeKind::LBracket => {
                if open.len() >= MAX_NESTING {
                    errors.push(Diagnostic::error(
                        lexeme.span,
                        format!("brackets are nested more than {MAX_NESTING} deep"),
                    ));
                    return Err(errors);
                }
                open.push((i, false, false));
            }
            LexemeKind::RParen | LexemeKind::RBrace | LexemeKind::RBracket => {
                let closes = match lexeme.kind {
                    LexemeKind::RParen => LexemeKind::LParen,
                    LexemeKind::RBrace => LexemeKind::LBrace,
                    _ => LexemeKind::LBracket,
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
                            || lexeme.kind == LexemeKind::RParen
                                && may_be_group(source, lexemes, o);
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
            LexemeKind::Dash | LexemeKind::Capture => {
                if let Some(&(o, ..)) = open.last() {
                    pairs[o].has_dash = true;
                }
            }
            LexemeKind::Word => {
                let word = lexeme.span.text(source);
                if let Some(top) = open.last_mut() {
                    top.1 |= matches!(word, "line" | "imagine" | "dictionary");
                    top.2 = word == "find" || top.2 && matches!(word, "quiet" | "all" | "count");
                }
            }
            LexemeKind::Colon => {
                if let Some(top) = open.last_mut() {
                    top.1 = false;
                }
            }
            LexemeKind::Forward | LexemeKind::Backward => {
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

/// Whether the `(` at `open` can begin a constituent of `path`: it does not follow a function, a
/// dash or an operator.
fn may_be_group(source: &str, lexemes: &[Lexeme], open: usize) -> bool {
    let Some(before) = open.checked_sub(1).and_then(|i| lexemes.get(i)) else {
        return true;
    };
    match before.kind {
        LexemeKind::LParen | LexemeKind::RParen | LexemeKind::RBrace | LexemeKind::RBracket => true,
        LexemeKind::Designator | LexemeKind::Dot | LexemeKind::Empty => true,
        LexemeKind::CastleShort | LexemeKind::CastleLong | LexemeKind::CurrentSymbol => true,
        LexemeKind::Word => match Keyword::from_word(before.span.text(source)) {
            Some(keyword) => keyword.class() == KeywordClass::Nullary,
            None => !lexemes[open].adjacent,
        },
        _ => is_wild(Some(before)),
    }
}

/// Whether the lexeme can be a wildcard after a group.
pub(super) fn is_wild(lexeme: Option<&Lexeme>) -> bool {
    lexeme.is_some_and(|l| {
        matches!(
            l.kind,
            LexemeKind::Plus
                | LexemeKind::Star
                | LexemeKind::Question
                | LexemeKind::Repeat
                | LexemeKind::RepeatStar
                | LexemeKind::RepeatPlus
        )
    })
}
