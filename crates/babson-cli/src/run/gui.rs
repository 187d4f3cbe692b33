//! `-guipgnstdout`: prints the matches on standard output, in an element with their number and
//! length. They are stored in a temporary file until the scan has ended.

use std::io::{BufRead, BufReader, Write};

use babson::sink::{Destination, FileFormat, FileSink};
use tempfile::TempDir;

use crate::config::SearchConfig;
use crate::failure::Failure;
use crate::show_name::ShowName as _;
use crate::{signals, terminal};

/// The temporary file of the matches.
pub(super) struct GuiElement {
    folder: TempDir,
}

impl GuiElement {
    /// Creates the file if the options request it.
    pub(super) fn new(config: &SearchConfig) -> Result<Option<GuiElement>, Failure> {
        if !config.outputs.gui_stdout || config.outputs.counts() {
            return Ok(None);
        }
        match tempfile::tempdir() {
            Ok(folder) => {
                signals::system().ledger.add_folder(folder.path().to_owned());
                Ok(Some(GuiElement { folder }))
            }
            Err(error) => Err(Failure::Io(format!("cannot create a temporary folder: {error}"))),
        }
    }

    /// The sink that writes the file.
    pub(super) fn sink(&self) -> FileSink {
        let path = self.folder.path().join("stdout.pgn");
        FileSink::new(FileFormat::Pgn, Destination::File(path))
    }

    /// Prints the element.
    pub(super) fn print(&self, games: u64) -> Result<(), Failure> {
        let path = self.folder.path().join("stdout.pgn");
        let file = std::fs::File::open(&path)
            .map_err(|error| Failure::Io(format!("cannot read {}: {error}", path.shown())))?;
        let bytes = file.metadata().map_or(0, |data| data.len());
        let mut stdout = terminal::stdout().map_err(Failure::console)?;
        writeln!(stdout, "<CqlGuiPgn numbergames={games} numberbytes={bytes}>")
            .and_then(|()| copy(BufReader::new(file), &mut stdout))
            .and_then(|()| writeln!(stdout, "</CqlGuiPgn>"))
            .map_err(Failure::console)
    }
}

/// Copies lines to standard output.
fn copy(mut from: impl BufRead, stdout: &mut impl Write) -> std::io::Result<()> {
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        stdout.write_all(&terminal::for_stdout(&line))?;
        line.clear();
    }
    Ok(())
}
