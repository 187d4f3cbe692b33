//! `babson perft [FEN] DEPTH [--variant NAME] [--divide]`

use babson::chess::{Rules, Variant, fen, perft};

use crate::failure::Failure;
use crate::options::CommandLine;
use crate::terminal;

/// Counts the leaves of the move tree; the total is the last number printed.
pub(crate) fn perft(line: &CommandLine) -> Result<u8, Failure> {
    let usage = |text: String| Failure::Usage(text);
    let command = line.config()?.run.command;
    let variant = command.variant.unwrap_or(Variant::Standard);
    let (board, depth) = match line.texts()?.as_slice() {
        [board, depth] => (Some(*board), *depth),
        texts => (None, texts.first().copied().unwrap_or_default()),
    };
    let depth: u32 =
        depth.parse().map_err(|_| usage(format!("perft: '{depth}' is not a depth")))?;
    let (position, rules) = match board {
        Some(board) => fen::parse_variant(board, variant)
            .map_err(|error| usage(format!("perft: bad FEN: {error}")))?,
        None => (variant.start(), Rules::STANDARD.with_variant(variant)),
    };
    let mut text = String::new();
    let total = if command.divide {
        let parts = perft::divide(&position, &rules, depth);
        for (mv, leaves) in &parts {
            text.push_str(&format!("{mv}: {leaves}\n"));
        }
        if depth == 0 { 1 } else { parts.iter().map(|part| part.1).sum() }
    } else {
        perft::perft(&position, &rules, depth)
    };
    text.push_str(&format!("{total}\n"));
    terminal::print_text(&text)
}
