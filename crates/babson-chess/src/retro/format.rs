//! The parts of the texts of reasons: colors, kinds, squares, verdicts.

use std::fmt;

use crate::{Color, Kind, SquareSet};

/// `White` or `Black`.
pub(super) fn color(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The name of the kind, capitalized.
pub(super) fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "Pawn",
        Kind::Knight => "Knight",
        Kind::Bishop => "Bishop",
        Kind::Rook => "Rook",
        Kind::Queen => "Queen",
        Kind::King => "King",
    }
}

/// `light` or `dark`.
pub(super) fn shade(light: bool) -> &'static str {
    if light { "light" } else { "dark" }
}

/// The `s` of the plural; empty for a count of 1.
pub(super) fn s(count: u32) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Displays `square a1` or `squares a1, b2`.
pub(super) struct SquareList(pub(super) SquareSet);

impl fmt::Display for SquareList {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "square{} {}", s(self.0.len()), List(self.0))
    }
}

/// Displays `a1, b2`.
pub(super) struct List(pub(super) SquareSet);

impl fmt::Display for List {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, square) in self.0.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            write!(out, "{comma}{square}")?;
        }
        Ok(())
    }
}

/// Writes a verdict in angle brackets: the first word if there are no reasons, else the second word
/// and the reasons.
pub(super) fn verdict<R: fmt::Display>(
    out: &mut fmt::Formatter<'_>,
    words: [&str; 2],
    reasons: &[R],
) -> fmt::Result {
    if reasons.is_empty() {
        return write!(out, "<{} position>", words[0]);
    }
    write!(out, "<{} position: ", words[1])?;
    for (index, reason) in reasons.iter().enumerate() {
        write!(out, "{}{reason}", if index > 0 { "; " } else { "" })?;
    }
    out.write_str(">")
}
