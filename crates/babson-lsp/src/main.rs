//! The language server alone: what `babson lsp` starts.

use std::process::ExitCode;

fn main() -> ExitCode {
    match babson_lsp::serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("babson-lsp: {error}");
            ExitCode::FAILURE
        }
    }
}
