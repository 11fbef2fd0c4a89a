//! Bytes of a course file, taken with a check of what is left before any memory is asked for.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::error::{CourseProblem, TrajectoryError};
use crate::journal::MAX_RECORD_BYTES;

/// Bytes that are read at once.
const CHUNK: usize = 1 << 13;

#[derive(Debug)]
pub(super) struct Input<R> {
    source: R,
    path: PathBuf,
    pub(super) length: u64,
    pub(super) offset: u64,
    /// Number of the record that is being read, for messages.
    pub(super) record: u64,
}

impl<R: Read + Seek> Input<R> {
    pub(super) fn new(mut source: R, path: &Path) -> Result<Input<R>, TrajectoryError> {
        let length = source.seek(SeekFrom::End(0)).map_err(TrajectoryError::io("read", path))?;
        source.seek(SeekFrom::Start(0)).map_err(TrajectoryError::io("read", path))?;
        Ok(Input { source, path: path.to_path_buf(), length, offset: 0, record: 0 })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn at_end(&self) -> bool {
        self.offset >= self.length
    }

    pub(super) fn left(&self) -> u64 {
        self.length.saturating_sub(self.offset)
    }

    pub(super) fn seek(&mut self, offset: u64, record: u64) -> Result<(), TrajectoryError> {
        self.source.seek(SeekFrom::Start(offset)).map_err(TrajectoryError::io("read", &self.path))?;
        (self.offset, self.record) = (offset, record);
        Ok(())
    }

    pub(super) fn problem(&self, problem: CourseProblem) -> TrajectoryError {
        let path = self.path.clone();
        TrajectoryError::Course { path, record: self.record, offset: self.offset, problem }
    }

    /// Makes sure that `count` things of `size` bytes are there and are not too many for memory.
    pub(super) fn expect(&self, count: u64, size: u64) -> Result<(), TrajectoryError> {
        let needed = count.saturating_mul(size);
        if needed > self.left() {
            return Err(self.problem(CourseProblem::Truncated { needed, left: self.left() }));
        }
        if needed > MAX_RECORD_BYTES {
            return Err(self.problem(CourseProblem::TooLarge { bytes: needed, limit: MAX_RECORD_BYTES }));
        }
        Ok(())
    }

    /// Appends `count` numbers to a list.
    pub(super) fn numbers(&mut self, count: u64, numbers: &mut Vec<f64>) -> Result<(), TrajectoryError> {
        self.expect(count, 8)?;
        let mut chunk = [0; CHUNK];
        let mut bytes = count as usize * 8;
        while bytes > 0 {
            let now = bytes.min(CHUNK);
            self.fill(&mut chunk[..now])?;
            numbers.extend(chunk[..now].chunks_exact(8).map(|word| {
                let mut eight = [0; 8];
                eight.copy_from_slice(word);
                f64::from_le_bytes(eight)
            }));
            bytes -= now;
        }
        Ok(())
    }

    pub(super) fn number(&mut self) -> Result<f64, TrajectoryError> {
        self.expect(1, 8)?;
        let mut word = [0; 8];
        self.fill(&mut word)?;
        Ok(f64::from_le_bytes(word))
    }

    pub(super) fn integer(&mut self) -> Result<i32, TrajectoryError> {
        self.expect(1, 4)?;
        let mut word = [0; 4];
        self.fill(&mut word)?;
        Ok(i32::from_le_bytes(word))
    }

    /// A count of things of at least `size` bytes, all of which must be there.
    pub(super) fn count(&mut self, what: &'static str, size: u64) -> Result<u64, TrajectoryError> {
        let count = self.integer()?;
        let checked = u64::try_from(count).map_err(|_| {
            self.offset -= 4;
            self.problem(CourseProblem::NegativeCount { what, count })
        })?;
        self.expect(checked, size)?;
        Ok(checked)
    }

    /// Passes over `count` things of `size` bytes.
    pub(super) fn skip(&mut self, count: u64, size: u64) -> Result<(), TrajectoryError> {
        let bytes = count.saturating_mul(size);
        if bytes > self.left() {
            return Err(self.problem(CourseProblem::Truncated { needed: bytes, left: self.left() }));
        }
        self.source.seek_relative(bytes as i64).map_err(TrajectoryError::io("read", &self.path))?;
        self.offset += bytes;
        Ok(())
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), TrajectoryError> {
        self.source.read_exact(bytes).map_err(TrajectoryError::io("read", &self.path))?;
        self.offset += bytes.len() as u64;
        Ok(())
    }
}
