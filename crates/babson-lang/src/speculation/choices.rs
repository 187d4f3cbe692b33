//! The choices whose tokens get the second reading.

use std::collections::HashSet;

use crate::ast::SUBTRACT;
use crate::choice::{Choice, ChoiceKind};
use crate::diagnostic::Span;
use crate::tokens::SpannedTerminal;
use crate::tokens::terminal::Terminal;

/// The choices whose first reading was rejected, so that their tokens get the second one.
#[derive(Default)]
pub(super) struct Choices {
    /// Those that type checking rejected.
    typed: Vec<Choice>,
    /// The number of `typed` with which the query last parsed.
    confirmed: usize,
    /// Those that the grammar rejected, each with the offset of the error.
    guessed: Vec<(u32, Choice)>,
}

impl Choices {
    /// Adds the choices that type checking has rejected in a query that parsed. Returns whether one
    /// of them is new.
    pub(super) fn reject(&mut self, mut choices: Vec<Choice>) -> bool {
        self.confirmed = self.typed.len();
        let known: HashSet<Choice> = self.typed.iter().copied().collect();
        choices.retain(|choice| !known.contains(choice));
        choices.sort_unstable();
        choices.dedup();
        let Some(first) = choices.first() else {
            return false;
        };
        // The tokens before the first choice do not change, and neither do the errors among them.
        self.guessed.retain(|&(place, _)| place < first.offset);
        self.typed.extend(choices);
        true
    }

    /// Retracts the latest choices of type checking, with which there is an error at the offset
    /// `place`: those after it, and the last one before it. Returns whether one remains to be tried
    /// alone.
    pub(super) fn retract(&mut self, place: u32) -> bool {
        let latest = self.typed.get(self.confirmed..).unwrap_or_default();
        let [first, _, ..] = latest else {
            return false;
        };
        self.guessed.retain(|&(place, _)| place < first.offset);
        let before = latest.partition_point(|choice| choice.offset <= place);
        self.typed.truncate(self.confirmed + before.saturating_sub(1).max(1));
        true
    }

    /// Takes the second reading of the nearest token with two before each of the first `max`
    /// errors, which are at these offsets. Returns whether there is such a token.
    pub(super) fn guess(
        &mut self,
        tokens: &[SpannedTerminal<'_>],
        errors: &[u32],
        max: usize,
    ) -> bool {
        let known = self.guessed.len();
        // A token belongs to the first error after it.
        let mut from = 0;
        for &place in errors.iter().take(max) {
            let choice = nearest_choice(tokens, place, from);
            self.guessed.extend(choice.map(|choice| (place, choice)));
            from = place.saturating_add(1);
        }
        self.guessed.len() > known
    }

    /// All choices whose tokens get the second reading.
    pub(super) fn second(&self) -> HashSet<Choice> {
        let guessed = self.guessed.iter().map(|&(_, choice)| choice);
        self.typed.iter().copied().chain(guessed).collect()
    }
}

/// Finds the last choice that the grammar can decide, at or before the offset `place` of an error
/// and not before `from`: a binary `-` that does not follow a number, or a capture `[x]` after a
/// name or brackets. Tokens in brackets that close before the error are skipped.
fn nearest_choice(tokens: &[SpannedTerminal<'_>], place: u32, from: u32) -> Option<Choice> {
    // The number of brackets around the token that close before the error.
    let mut closed = 0;
    let from = tokens.partition_point(|token| token.0 < from);
    let upto = tokens.partition_point(|token| token.0 <= place);
    for (i, (start, token, end)) in tokens.iter().enumerate().take(upto).skip(from).rev() {
        let before = i.checked_sub(1).map(|i| &tokens[i].1);
        if *start < place && token.closes_bracket() {
            closed += 1;
        } else if *start < place && token.opens_bracket() {
            closed = usize::checked_sub(closed, 1)?;
        }
        if closed > 0 {
            continue;
        }
        let token_span = Span::new(*start, *end);
        if matches!(token, Terminal::Operator(SUBTRACT))
            && !matches!(before, Some(Terminal::Int(_)))
        {
            return Some(ChoiceKind::Difference.at(token_span));
        }
        // Only the spelling of three bytes can be a key; `×` cannot.
        if matches!(token, Terminal::DashLeft(true) | Terminal::DashBoth(true))
            && end - start == 3
            && matches!(before, Some(Terminal::Name(_) | Terminal::RBracket | Terminal::RParen))
        {
            return Some(ChoiceKind::Capture.at(token_span));
        }
    }
    None
}
