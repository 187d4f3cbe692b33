//! `babson lsp`: the language server.

use babson_lsp::{LspError, serve};

use crate::failure::Failure;
use crate::options::CommandLine;

/// Serves an editor on standard input and output.
pub(crate) fn lsp(_: &CommandLine) -> Result<u8, Failure> {
    match serve() {
        Ok(()) => Ok(0),
        Err(error @ LspError::Protocol(_)) => {
            Err(Failure::Io(format!("{error} (an editor starts babson lsp)")))
        }
        // The protocol asks for the exit code 1.
        Err(error @ (LspError::ClientGone | LspError::ParentGone)) => {
            Err(Failure::Run(error.to_string()))
        }
        Err(error @ LspError::System(_)) => Err(Failure::Io(error.to_string())),
    }
}
