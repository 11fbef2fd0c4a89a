//! Standard output, whose errors say that they are its own.

use std::io::{Error, Result, Write};

/// A writer to standard output.
pub(crate) struct Output<W>(W);

/// Standard output as it is.
pub(crate) fn stdout() -> Output<std::io::Stdout> {
    Output(std::io::stdout())
}

/// Standard output with colours where a terminal shows them.
pub(crate) fn colored() -> Output<anstream::AutoStream<std::io::StdoutLock<'static>>> {
    Output(anstream::stdout().lock())
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.write(bytes).map_err(named)
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush().map_err(named)
    }
}

/// The same kind of error, with the name of what failed. An interruption is tried again.
fn named(error: Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::Interrupted => error,
        kind => Error::new(kind, format!("standard output: {error}")),
    }
}
