//! The retro-analysis of a position.

use std::fmt::Write as _;

use babson::chess::retro::{self, reverse};
use babson::chess::{Color, Position, SquareSet, fen};

/// The questions about the past of a position.
#[derive(Clone, Copy, Default)]
pub(super) struct PastQuestions {
    pub(super) legal: bool,
    pub(super) reachable: bool,
    pub(super) reverse: bool,
}

/// A verdict on the position.
pub(super) struct Finding {
    /// The question.
    pub(super) name: &'static str,
    pub(super) holds: bool,
    /// The text that the filter prints, in angle brackets.
    pub(super) text: String,
    /// The reasons against it, in plain words.
    why: Vec<&'static str>,
    /// The squares at fault.
    squares: SquareSet,
}

impl PastQuestions {
    /// The verdicts on the questions.
    pub(super) fn findings(self, position: &Position) -> Vec<Finding> {
        let mut all = Vec::new();
        let union = |set: SquareSet, squares| set | squares;
        if self.legal {
            let legality = retro::legality(position);
            let squares = legality.reasons.iter().map(|reason| reason.squares(position));
            all.push(Finding {
                name: "legal",
                holds: legality.is_legal(),
                text: legality.to_string(),
                why: legality.reasons.iter().map(|reason| reason.explanation()).collect(),
                squares: squares.fold(SquareSet::EMPTY, union),
            });
        }
        if self.reachable {
            let verdict = retro::analyze(position);
            let squares = verdict.reasons.iter().map(|reason| reason.squares(position));
            all.push(Finding {
                name: "reachable",
                holds: verdict.is_reachable(),
                text: verdict.to_string(),
                why: verdict.reasons.iter().map(|reason| reason.explanation()).collect(),
                squares: squares.fold(SquareSet::EMPTY, union),
            });
        }
        all
    }
}

/// The squares at fault in any of the verdicts.
pub(super) fn at_fault(findings: &[Finding]) -> SquareSet {
    let all = findings.iter().map(|finding| finding.squares);
    all.fold(SquareSet::EMPTY, |set, squares| set | squares)
}

/// The verdicts as lines of text with their explanations, each explanation once.
pub(super) fn describe(findings: &[Finding], out: &mut String) {
    let mut told = Vec::new();
    for finding in findings {
        let answer = if finding.holds { "yes" } else { "no" };
        let text = finding.text.trim_matches(['<', '>']);
        let _ = writeln!(out, "{}: {answer}; {text}", finding.name);
        for why in &finding.why {
            if !told.contains(why) {
                told.push(why);
                let _ = writeln!(out, "  {why}");
            }
        }
    }
}

/// The positions from which a legal move leads here: board and side to move of each.
pub(super) fn predecessors(position: &Position) -> Vec<String> {
    let mut all = Vec::new();
    for mv in reverse::legal(position) {
        let before = mv.predecessor(position);
        let mut text = String::new();
        fen::write_board(&before, &mut text);
        text.push_str(match before.side() {
            Color::White => " w",
            Color::Black => " b",
        });
        all.push(text);
    }
    all
}
