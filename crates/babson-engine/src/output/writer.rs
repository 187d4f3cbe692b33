//! What an output writes to.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};

use crate::terminal::EscapingWriter;

/// A writer that has an end of its own, after the last byte that is written to it.
pub(super) trait EndWrite: Write + Send {
    /// Writes the end. Nothing is written after it.
    fn end(&mut self) -> io::Result<()>;
}

impl EndWrite for File {
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl EndWrite for io::Stdout {
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl EndWrite for io::Sink {
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A writer of the caller.
pub(super) struct CallersWriter(pub(super) Box<dyn Write + Send>);

impl Write for CallersWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl EndWrite for CallersWriter {
    fn end(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: EndWrite + ?Sized> EndWrite for Box<W> {
    fn end(&mut self) -> io::Result<()> {
        (**self).end()
    }
}

impl<W: EndWrite> EndWrite for BufWriter<W> {
    fn end(&mut self) -> io::Result<()> {
        self.flush()?;
        self.get_mut().end()
    }
}

impl<W: EndWrite> EndWrite for EscapingWriter<W> {
    fn end(&mut self) -> io::Result<()> {
        self.0.end()
    }
}

/// The writer with a buffer.
pub(super) fn buffered(writer: impl EndWrite + 'static) -> Box<dyn EndWrite> {
    Box::new(BufWriter::with_capacity(1 << 16, writer))
}

/// Standard output. What a terminal would interpret is escaped, before the buffer, which may cut
/// characters.
pub(super) fn stdout() -> Box<dyn EndWrite> {
    let stdout = io::stdout();
    match stdout.is_terminal() {
        true => Box::new(EscapingWriter(buffered(stdout))),
        false => buffered(stdout),
    }
}
