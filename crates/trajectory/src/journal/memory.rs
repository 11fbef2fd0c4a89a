//! A journal in memory: for who has no file system.

use super::hash::RunHash;
use super::header::Header;
use super::record::{self, Shape};
use super::tail;
use crate::error::TrajectoryError;
use crate::frame::Frame;
use std::path::Path;

/// Collects frames; the bytes are those that [`super::JournalWriter`] writes.
#[derive(Debug)]
pub struct JournalBytes {
    bytes: Vec<u8>,
    shape: Shape,
    offsets: Vec<u64>,
    hash: RunHash,
}

impl JournalBytes {
    /// A journal without frames.
    pub fn new(header: &Header) -> Result<JournalBytes, TrajectoryError> {
        let bytes = header.to_bytes()?;
        let shape = header.shape().map_err(|reason| TrajectoryError::InvalidHeader { reason })?;
        Ok(JournalBytes { bytes, shape, offsets: Vec::new(), hash: RunHash::default() })
    }

    /// Adds a frame.
    pub fn append(&mut self, frame: &Frame) -> Result<(), TrajectoryError> {
        if let Some(reason) = self.shape.misfit(frame) {
            let path = Path::new("(bytes in memory)").to_path_buf();
            return Err(TrajectoryError::WrongFrame { path, reason });
        }
        let offset = self.bytes.len() as u64;
        self.hash = record::encode(&mut self.bytes, frame, self.offsets.len() as u64, &self.hash);
        self.offsets.push(offset);
        Ok(())
    }

    /// Bytes so far.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// The whole file.
    pub fn finish(mut self) -> Vec<u8> {
        let end = self.bytes.len() as u64;
        tail::encode(&mut self.bytes, &self.offsets, end, &self.hash);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Family;
    use crate::journal::JournalWriter;

    #[test]
    fn the_bytes_are_those_of_a_file() {
        let header = Header::new(Family::Particles, 1, 0.1, "fall.xml", "<scene/>");
        let frames = (0..3).map(|step| Frame {
            step,
            positions: vec![0.0, step as f64],
            velocities: vec![0.0; 2],
            ..Frame::default()
        });
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fall.carom");
        let mut file = JournalWriter::create(&path, &header).unwrap();
        let mut memory = JournalBytes::new(&header).unwrap();
        for frame in frames {
            file.append(&frame).unwrap();
            memory.append(&frame).unwrap();
        }
        file.finish().unwrap();
        assert_eq!(memory.finish(), std::fs::read(&path).unwrap());
        let wrong = Frame::default();
        assert!(JournalBytes::new(&header).unwrap().append(&wrong).is_err());
    }
}
