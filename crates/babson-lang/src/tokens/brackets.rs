//! Checks that brackets are balanced, and finds what each pair contains directly.

use super::balance::{ClosingPlace, closing_places, never_closed};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::keywords::{Keyword, KeywordClass};
use crate::lexer::{Lexeme, LexemeClass, LexemeKind, Spacing};
use crate::limits::{MAX_CLOSING_PLACES, MAX_NESTING};

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
///
/// # Errors
/// Brackets that do not match, or are nested too deep.
pub(crate) fn match_brackets(
    source: &str,
    lexemes: &[Lexeme],
) -> Result<Vec<BracketPair>, Vec<Diagnostic>> {
    let pairs = vec![BracketPair::default(); lexemes.len()];
    let mut matcher = BracketMatcher {
        source,
        lexemes,
        pairs,
        open: Vec::new(),
        unclosed: Vec::new(),
        errors: Vec::new(),
    };
    for i in 0..lexemes.len() {
        if let Err(error) = matcher.read(i) {
            matcher.errors.push(error);
            return Err(matcher.errors);
        }
    }
    matcher.finish()
}

/// A bracket whose closing bracket has not been read.
struct OpenBracket {
    /// Index of its lexeme.
    index: usize,
    /// The keyword of a `line`, `imagine` or `dictionary` was read directly inside, and no `:`
    /// after it. An arrow belongs to that filter.
    in_arrow_filter: bool,
    /// The previous word directly inside is `find` or a parameter of it. An arrow belongs to it.
    after_find: bool,
}

struct BracketMatcher<'a> {
    source: &'a str,
    lexemes: &'a [Lexeme],
    pairs: Vec<BracketPair>,
    /// Outermost first.
    open: Vec<OpenBracket>,
    /// Brackets that are never closed, with the bracket that closes one around them.
    unclosed: Vec<(usize, Option<(Span, String)>)>,
    errors: Vec<Diagnostic>,
}

impl BracketMatcher<'_> {
    /// Reads one lexeme. An error is fatal: what follows would only repeat it.
    fn read(&mut self, i: usize) -> Result<(), Diagnostic> {
        let lexeme = self.lexemes[i];
        match lexeme.kind.class() {
            LexemeClass::OpeningBracket => {
                if self.open.len() >= MAX_NESTING {
                    return Err(Diagnostic::nested_too_deep(
                        lexeme.span,
                        "brackets are",
                        MAX_NESTING,
                    ));
                }
                self.open.push(OpenBracket { index: i, in_arrow_filter: false, after_find: false });
            }
            LexemeClass::ClosingBracket => self.close(i)?,
            LexemeClass::Dash => {
                if let Some(bracket) = self.open.last() {
                    self.pairs[bracket.index].has_dash = true;
                }
            }
            LexemeClass::Word => {
                let word = lexeme.span.text(self.source);
                if let Some(bracket) = self.open.last_mut() {
                    bracket.in_arrow_filter |= matches!(word, "line" | "imagine" | "dictionary");
                    bracket.after_find = word == "find"
                        || bracket.after_find && matches!(word, "quiet" | "all" | "count");
                }
            }
            LexemeClass::Colon => {
                if let Some(bracket) = self.open.last_mut() {
                    bracket.in_arrow_filter = false;
                }
            }
            LexemeClass::Chain => {
                if let Some(bracket) = self.open.last() {
                    self.pairs[bracket.index].has_chain |=
                        !bracket.in_arrow_filter && !bracket.after_find;
                }
            }
            LexemeClass::Operand
            | LexemeClass::Prefix
            | LexemeClass::Operator(_)
            | LexemeClass::Assignment
            | LexemeClass::Element
            | LexemeClass::Wildcard
            | LexemeClass::Parameter
            | LexemeClass::LineComment
            | LexemeClass::Comment => {}
        }
        Ok(())
    }

    /// Reads a closing bracket.
    fn close(&mut self, i: usize) -> Result<(), Diagnostic> {
        let lexeme = self.lexemes[i];
        let text = lexeme.span.text(self.source);
        let Some(&OpenBracket { index: open, .. }) = self.open.last() else {
            self.errors.push(Diagnostic::closes_nothing(lexeme.span, text));
            return Ok(());
        };
        if !lexeme.kind.closes(self.lexemes[open].kind) {
            let is_closed =
                |outer: &OpenBracket| lexeme.kind.closes(self.lexemes[outer.index].kind);
            let Some(outer) = self.open.iter().rposition(is_closed) else {
                let opening = self.lexemes[open].span.text(self.source);
                let message = format!("`{text}` does not close `{opening}`");
                let error = Diagnostic::new(Code::UnmatchedBracket, lexeme.span, message)
                    .with_label(format!("closes nothing: `{opening}` is open"));
                return Err(match self.lexemes[open].kind.closing() {
                    Some((_, right)) => error.with_help(Help::write(lexeme.span, right)),
                    None => error,
                });
            };
            let around = self.lexemes[self.open[outer].index].span;
            let label = format!("closes the `{}` around it", around.text(self.source));
            for inner in self.open.drain(outer + 1..) {
                self.unclosed.push((inner.index, Some((lexeme.span, label.clone()))));
            }
            return self.close(i);
        }
        self.open.pop();
        self.pairs[open].mate = i;
        self.pairs[i].mate = open;
        self.pairs[open].has_chain |= is_wild(i.checked_sub(1).and_then(|i| self.lexemes.get(i)));
        // A dash in a group is also a dash of the brackets around the group.
        let is_group = is_wild(self.lexemes.get(i + 1))
            || lexeme.kind == LexemeKind::RParen && may_be_group(self.source, self.lexemes, open);
        if self.pairs[open].has_dash
            && is_group
            && let Some(outer) = self.open.last()
        {
            self.pairs[outer.index].has_dash = true;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<BracketPair>, Vec<Diagnostic>> {
        self.unclosed.extend(self.open.iter().map(|bracket| (bracket.index, None)));
        self.unclosed.sort_by_key(|&(index, _)| index);
        let is_alone = self.unclosed.len() == 1 && self.errors.is_empty();
        for (index, closing) in std::mem::take(&mut self.unclosed) {
            let mut error = never_closed(self.source, &self.lexemes[index]);
            if is_alone {
                error.fixes = self.closing_fixes(index).into();
            }
            if let Some((span, label)) = closing {
                error = error.with_related(span, label);
            }
            self.errors.push(error);
        }
        if self.errors.is_empty() { Ok(self.pairs) } else { Err(self.errors) }
    }

    /// The fixes that close the only open bracket. The last usual place comes first. If they are
    /// all there are, one of them is certain, unless another one is sound, too.
    fn closing_fixes(&self, open: usize) -> Vec<Fix> {
        let Some((_, bracket)) = self.lexemes[open].kind.closing() else { return Vec::new() };
        // Only parentheses may be empty.
        let has_empty = self.lexemes[open].kind == LexemeKind::LParen;
        let places = closing_places(self.lexemes, open).skip(usize::from(!has_empty));
        let mut places: Vec<ClosingPlace> = places.take(MAX_CLOSING_PLACES + 1).collect();
        // `{ mate }`, but `{mate}`
        let next = self.lexemes.get(open + 1);
        let is_apart = self.lexemes[open].kind == LexemeKind::LBrace
            && next.is_some_and(|next| next.spacing != Spacing::Touching);
        let bracket = format!("{}{bracket}", if is_apart { " " } else { "" });
        let is_whole = places.len() <= MAX_CLOSING_PLACES;
        let usual = places.iter().rposition(|place| place.is_usual).unwrap_or_default();
        if let Some(upto) = places.get_mut(..=usual) {
            upto.rotate_right(1);
        }
        let fix = |place: &ClosingPlace| {
            let end = self.lexemes[place.after].span.end;
            let fix = Fix::replace(Span::new(end, end), bracket.as_str());
            if is_whole { fix.certain() } else { fix }
        };
        let wanted = if is_whole { places.len() } else { 1 };
        places.iter().take(wanted).map(fix).collect()
    }
}

/// Whether the `(` at `open` can begin a constituent of `path`: it does not follow a function, a
/// dash or an operator.
fn may_be_group(source: &str, lexemes: &[Lexeme], open: usize) -> bool {
    let Some(before) = open.checked_sub(1).and_then(|i| lexemes.get(i)) else {
        return true;
    };
    if before.kind == LexemeKind::Word {
        return match Keyword::from_word(before.span.text(source)) {
            Some(keyword) => keyword.class() == KeywordClass::Nullary,
            None => lexemes[open].spacing != Spacing::Touching,
        };
    }
    let ends_set = matches!(
        before.kind,
        LexemeKind::Designator(_)
            | LexemeKind::Dot
            | LexemeKind::Empty
            | LexemeKind::Castle
            | LexemeKind::KeywordSymbol(Keyword::CurrentPosition)
    );
    ends_set
        || before.kind == LexemeKind::LParen
        || before.kind.class() == LexemeClass::ClosingBracket
        || before.kind.may_be_wildcard()
}

/// Whether the lexeme can be a wildcard after a group.
pub(super) fn is_wild(lexeme: Option<&Lexeme>) -> bool {
    lexeme.is_some_and(|lexeme| lexeme.kind.may_be_wildcard())
}
