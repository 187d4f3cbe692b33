//! The words of the warnings.

use super::{Contradiction, Reason};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::limits::MAX_QUOTED;

/// The help for what only games of chess exclude.
const NOT_CHESS: &str = "it can hold in a variant, or where a FEN sets up such a position";

/// The text of a filter, if it is short enough for a message.
fn name(text: &str, span: Span) -> Option<&str> {
    let name = span.text(text);
    let is_short = !name.is_empty() && name.len() <= MAX_QUOTED && !name.contains('\n');
    is_short.then_some(name)
}

/// The same in backquotes, or other words for a filter that is long.
fn quoted(text: &str, span: Span) -> String {
    name(text, span).map_or("the filter".to_owned(), |name| format!("`{name}`"))
}

/// The warning for alternatives that always hold together.
pub(super) fn one_always_holds(text: &str, span: Span) -> Diagnostic {
    let message = format!("{} holds in every position", quoted(text, span));
    Diagnostic::new(Code::AlwaysHolds, span, message)
        .with_help("in each position one of its conditions is true: leave all of them out")
}

impl Contradiction {
    /// The reason to report if both alternatives fail: one that only chess excludes, if there is
    /// one, because it claims less.
    pub(super) fn or(self, other: Contradiction) -> Contradiction {
        let is_of_chess = matches!(other.reason, Reason::ChessBounds(_) | Reason::OneKing(_));
        if is_of_chess { other } else { self }
    }

    pub(super) fn diagnostic(&self, text: &str) -> Diagnostic {
        let this = quoted(text, self.span);
        let warning = |code, message| Diagnostic::new(code, self.span, message);
        match self.reason {
            Reason::With { other, .. } if other == self.span => {
                warning(Code::NeverHolds, format!("{this} never holds"))
            }
            Reason::With { other, opposite } => {
                let one = quoted(text, other);
                let help = match (opposite, name(text, other), name(text, self.span)) {
                    (true, ..) => Help::from("each is the opposite of the other: leave one out"),
                    (false, Some(one), Some(two)) => {
                        let query = format!("{one} or {two}");
                        let help = Help::from(format!("for one of the two, write `{query}`"));
                        let between = Span::new(other.end, self.span.start).text(text);
                        // Only filters that follow each other can be joined.
                        match !between.is_empty() && matches!(between.trim(), "" | "and") {
                            true => help.with(Fix::replace(other.to(self.span), query)),
                            false => help,
                        }
                    }
                    (false, ..) => Help::from("for one of the two, write `or` between them"),
                };
                warning(
                    Code::NeverHolds,
                    format!("{one} and {this} never hold in the same position"),
                )
                .with_help(help)
                .with_related(other, "this one")
            }
            Reason::EmptySet => {
                warning(Code::NeverHolds, format!("{this} never holds: no square is in the set"))
            }
            Reason::WithSeveral => warning(
                Code::NeverHolds,
                format!("{this} and the filters before it leave no piece for the square"),
            ),
            Reason::OneKing(None) => {
                let message = format!(
                    "{this} and the filters before it leave no square for the king in a game of chess"
                );
                warning(Code::NeverInChess, message).with_help(NOT_CHESS)
            }
            Reason::OneKing(Some(other)) => {
                let one = quoted(text, other);
                let message =
                    format!("{one} and {this} hold in no game of chess: a side has one king");
                warning(Code::NeverInChess, message)
                    .with_help(NOT_CHESS)
                    .with_related(other, "this one")
            }
            Reason::Bounds(bounds) => warning(
                Code::NeverHolds,
                format!("{this} never holds: the number is {}", range(bounds)),
            ),
            Reason::ChessBounds(bounds) => warning(
                Code::NeverInChess,
                format!("{this} holds in no game of chess: the number is {}", range(bounds)),
            )
            .with_help(NOT_CHESS),
            Reason::TriedMove => warning(
                Code::NeverHolds,
                format!("{this} never holds here: a move that is tried is not played"),
            )
            .with_help(
                "conditions on the move are parameters before the colon: `move legal from P : …`",
            ),
        }
    }
}

fn range((low, high): (i32, i32)) -> String {
    if low == high { format!("always {low}") } else { format!("from {low} to {high}") }
}
