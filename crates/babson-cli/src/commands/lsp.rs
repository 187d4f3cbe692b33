//! `babson lsp`: the language server.

use babson_lsp::{LspError, serve};

use crate::failure::Failure;
use crate::options::CommandLine;

/// Serves an editor on standard input and output.
pub(crate) fn lsp(_: &CommandLine) -> Result<u8, Failure> {
    match serve() {
        Ok(()) => Ok(0),
        // The protocol asks for the exit code 1 after an end without `shutdown`.
        Err(error @ LspError::Protocol(_)) => {
            Err(Failure::Run(format!("{error} (an editor starts babson lsp)")))
        }
        Err(error @ (LspError::ClientGone | LspError::ParentGone)) => {
            Err(Failure::Run(error.to_string()))
        }
        Err(error @ LspError::System(_)) => Err(Failure::Io(error.to_string())),
    }
}
