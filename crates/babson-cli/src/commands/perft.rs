//! `babson perft [FEN] DEPTH [--variant NAME] [--divide]`

use babson_chess::{Rules, Variant, VariantNames, fen, perft};

use crate::failure::Failure;
use crate::options::Command;
use crate::terminal;

/// Counts the leaves of the move tree; the total is the last number printed.
pub(crate) fn perft(words: &[String]) -> Result<u8, Failure> {
    let usage = |text: String| Failure::Usage(text);
    let mut others = Vec::new();
    let mut variant = Variant::Standard;
    let mut divide = false;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.to_ascii_lowercase().trim_start_matches('-') {
            "divide" => divide = true,
            "variant" => {
                let name =
                    words.next().ok_or_else(|| usage("--variant needs a name".to_owned()))?;
                variant = Variant::parse(name).ok_or_else(|| {
                    usage(format!(
                        "--variant: '{name}' is not a variant; the variants are {}",
                        VariantNames::default()
                    ))
                })?;
            }
            _ => others.push(word.as_str()),
        }
    }
    let (board, depth) = match others.as_slice() {
        [depth] => (None, depth),
        [board, depth] => (Some(board), depth),
        _ => {
            return Err(usage(Command::usage("perft")));
        }
    };
    let depth: u32 =
        depth.parse().map_err(|_| usage(format!("perft: '{depth}' is not a depth")))?;
    let (position, rules) = match board {
        Some(board) => fen::parse_variant(board, variant)
            .map_err(|error| usage(format!("perft: bad FEN: {error}")))?,
        None => (variant.start(), Rules::STANDARD.with_variant(variant)),
    };
    let mut text = String::new();
    let total = if divide {
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
