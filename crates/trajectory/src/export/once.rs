//! A writer that fails once: what a writer of archives still writes while it is given up goes
//! nowhere.

use std::io::{self, Seek, SeekFrom, Write};

/// Gives its first error and nothing but success afterwards. `ZipWriter` writes its index when it
/// is dropped, and prints where that fails; the error that was its cause has been given by then.
#[derive(Debug)]
pub(crate) struct FailsOnce<W> {
    out: W,
    failed: bool,
    /// Where the next byte goes, or would go.
    place: u64,
}

impl<W> FailsOnce<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, failed: false, place: 0 }
    }

    fn noted<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        // What only asks to be tried again is no failure.
        self.failed |= result.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        result
    }
}

impl<W: Write> Write for FailsOnce<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed {
            self.place += bytes.len() as u64;
            return Ok(bytes.len());
        }
        let result = self.out.write(bytes);
        self.place += *result.as_ref().unwrap_or(&0) as u64;
        // Where there is no room, some writers take nothing.
        self.failed |= !bytes.is_empty() && result.as_ref().is_ok_and(|taken| *taken == 0);
        self.noted(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed {
            return Ok(());
        }
        let result = self.out.flush();
        self.noted(result)
    }
}

impl<W: Seek> Seek for FailsOnce<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if self.failed {
            self.place = match to {
                SeekFrom::Start(place) => place,
                SeekFrom::Current(by) => self.place.saturating_add_signed(by),
                SeekFrom::End(_) => self.place,
            };
            return Ok(self.place);
        }
        let result = self.out.seek(to);
        self.place = *result.as_ref().unwrap_or(&self.place);
        self.noted(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_given_and_no_other() {
        let mut room = [0; 4];
        let mut out = FailsOnce::new(io::Cursor::new(&mut room[..]));
        assert!(out.write_all(b"four").is_ok());
        assert!(out.write_all(b"more").is_err());
        assert!(
            out.write_all(b"more").is_ok() && out.seek(SeekFrom::Start(99)).is_ok() && out.flush().is_ok()
        );
        assert_eq!(out.stream_position().ok(), Some(99));
    }
}
