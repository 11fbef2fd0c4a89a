//! Reads journals: finished ones by their index, cut-off ones by one scan that stops at the last
//! whole frame.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::hash::RunHash;
use super::header::{Header, PREFIX, SUFFIX, VERSION};
use super::record::{self, MAX_RECORD_BYTES, START, Shape};
use super::tail::{self, FOOTER, Footer};
use crate::error::TrajectoryError;
use crate::frame::Frame;

/// Reads a journal frame by frame, in any order, with the memory of one frame and of the index.
#[derive(Debug)]
pub struct JournalReader<R = BufReader<File>> {
    source: R,
    /// Where the source stands, when that is known.
    position: Option<u64>,
    path: PathBuf,
    header: Header,
    version: u32,
    shape: Shape,
    offsets: Vec<u64>,
    frames_end: u64,
    finished: Option<RunHash>,
    torn: Option<TornTail>,
    record: Vec<u8>,
}

/// What follows the last whole frame of a file that was cut off or damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TornTail {
    /// Where the last whole frame ends.
    pub offset: u64,
    /// Bytes after it.
    pub bytes: u64,
    /// Why they are not a frame.
    pub reason: String,
}

impl JournalReader {
    /// Opens a file, finished or not.
    pub fn open(path: &Path) -> Result<JournalReader, TrajectoryError> {
        let file = File::open(path).map_err(TrajectoryError::io("open", path))?;
        JournalReader::from_source(BufReader::new(file), path)
    }

    /// Opens a file and checks every frame, whatever its index says.
    pub(crate) fn rescan(path: &Path) -> Result<JournalReader, TrajectoryError> {
        let file = File::open(path).map_err(TrajectoryError::io("open", path))?;
        JournalReader::scanned(BufReader::new(file), path)
    }

    /// Opens a file that was written with this header a moment ago, without reading the header
    /// again: it holds the whole scene.
    pub fn reopen(path: &Path, header: Header) -> Result<JournalReader, TrajectoryError> {
        let file = File::open(path).map_err(TrajectoryError::io("open", path))?;
        JournalReader::indexed(BufReader::new(file), path, Some(header))
    }
}

impl<'a> JournalReader<Cursor<&'a [u8]>> {
    /// Reads a journal that is in memory.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, TrajectoryError> {
        JournalReader::from_source(Cursor::new(bytes), Path::new("(bytes in memory)"))
    }
}

impl<R: Read + Seek> JournalReader<R> {
    /// Reads a journal from anything that can be read and sought; `path` is for messages.
    pub fn from_source(source: R, path: &Path) -> Result<JournalReader<R>, TrajectoryError> {
        JournalReader::indexed(source, path, None)
    }

    fn indexed(source: R, path: &Path, known: Option<Header>) -> Result<JournalReader<R>, TrajectoryError> {
        let mut reader = JournalReader::at_first_frame(source, path, known)?;
        let length = reader.length()?;
        if !reader.load_index(length)? {
            reader.scan(length)?;
        }
        Ok(reader)
    }

    /// As [`JournalReader::from_source`], but checks every frame whatever the index says.
    pub(crate) fn scanned(source: R, path: &Path) -> Result<JournalReader<R>, TrajectoryError> {
        let mut reader = JournalReader::at_first_frame(source, path, None)?;
        let length = reader.length()?;
        reader.scan(length)?;
        Ok(reader)
    }

    /// What the file says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Refuses files that can be read but not gone on with: those that an older version of the
    /// format laid out otherwise.
    pub fn check_resumable(&self) -> Result<(), TrajectoryError> {
        if self.version == VERSION {
            return Ok(());
        }
        let path = self.path.clone();
        Err(TrajectoryError::OlderVersion { path, found: self.version, written: VERSION })
    }

    /// Number of whole frames.
    pub fn frames(&self) -> u64 {
        self.offsets.len() as u64
    }

    /// The hash of the run as stored at its end; nothing when the run was not finished.
    pub fn finished(&self) -> Option<RunHash> {
        self.finished
    }

    /// What follows the last whole frame, when the file was cut off or damaged.
    pub fn torn(&self) -> Option<&TornTail> {
        self.torn.as_ref()
    }

    /// Where the last whole frame ends.
    pub(crate) fn frames_end(&self) -> u64 {
        self.frames_end
    }

    /// Where the frames begin.
    pub(crate) fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// Reads one frame.
    pub fn frame(&mut self, index: u64) -> Result<Frame, TrajectoryError> {
        let mut frame = Frame::default();
        self.read_frame(index, &mut frame)?;
        Ok(frame)
    }

    /// Reads one frame into memory that is there already.
    pub fn read_frame(&mut self, index: u64, frame: &mut Frame) -> Result<(), TrajectoryError> {
        let offset = usize::try_from(index).ok().and_then(|i| self.offsets.get(i)).copied();
        let Some(offset) = offset else {
            let path = self.path.clone();
            return Err(TrajectoryError::NoSuchFrame { path, frame: index, frames: self.frames() });
        };
        let end = self.offsets.get(index as usize + 1).copied().unwrap_or(self.frames_end);
        self.seek(offset)?;
        let read = self.read_record(index, end - offset)?;
        read.and_then(|()| record::decode(&self.record, self.shape, frame)).map_err(|reason| {
            TrajectoryError::DamagedFrame { path: self.path.clone(), frame: index, offset, reason }
        })
    }

    /// The link in the chain of hashes that one frame carries.
    pub(crate) fn stored_hash(&mut self, index: u64) -> Result<RunHash, TrajectoryError> {
        let mut frame = Frame::default();
        self.read_frame(index, &mut frame)?;
        Ok(record::stored_hash(&self.record))
    }

    /// Reads all frames, checks every link in the chain of hashes and gives the hash of the run.
    pub fn verify(&mut self) -> Result<RunHash, TrajectoryError> {
        let (mut frame, mut hash) = (Frame::default(), RunHash::default());
        for index in 0..self.frames() {
            self.read_frame(index, &mut frame)?;
            hash = record::computed_hash(&self.record, self.shape, &hash);
            self.expect_hash(record::stored_hash(&self.record), hash)?;
        }
        if let Some(stored) = self.finished {
            self.expect_hash(stored, hash)?;
        }
        Ok(hash)
    }

    fn expect_hash(&self, stored: RunHash, computed: RunHash) -> Result<(), TrajectoryError> {
        if stored == computed {
            return Ok(());
        }
        let (stored, computed) = (stored.to_string(), computed.to_string());
        Err(TrajectoryError::WrongHash { path: self.path.clone(), stored, computed })
    }

    /// Reads the header, unless it is known; no frames are known yet.
    fn at_first_frame(
        mut source: R,
        path: &Path,
        known: Option<Header>,
    ) -> Result<JournalReader<R>, TrajectoryError> {
        let read = TrajectoryError::io;
        let length = source.seek(SeekFrom::End(0)).map_err(read("read", path))?;
        source.seek(SeekFrom::Start(0)).map_err(read("read", path))?;
        if length < PREFIX as u64 {
            return Err(TrajectoryError::NotATrajectory { path: path.to_path_buf() });
        }
        let mut prefix = [0; PREFIX];
        source.read_exact(&mut prefix).map_err(read("read", path))?;
        let json = Header::json_length(&prefix, length, path)?;
        let header_bytes = PREFIX + json + SUFFIX;
        let header = match known {
            Some(header) => header,
            None => {
                let mut bytes = vec![0; header_bytes];
                bytes[..PREFIX].copy_from_slice(&prefix);
                source.read_exact(&mut bytes[PREFIX..]).map_err(read("read", path))?;
                Header::from_bytes(&bytes, path)?
            }
        };
        let damaged = |reason| TrajectoryError::DamagedHeader { path: path.to_path_buf(), reason };
        let version = Header::version(&prefix);
        let shape = header.shape_in(version).map_err(damaged)?;
        Ok(JournalReader {
            source,
            position: None,
            path: path.to_path_buf(),
            header,
            version,
            shape,
            offsets: Vec::new(),
            frames_end: header_bytes as u64,
            finished: None,
            torn: None,
            record: Vec::new(),
        })
    }

    /// Takes the frames from the index; false when the file has no whole index.
    fn load_index(&mut self, length: u64) -> Result<bool, TrajectoryError> {
        let first = self.frames_end;
        if length < first + FOOTER as u64 {
            return Ok(false);
        }
        let mut bytes = [0; FOOTER];
        self.seek(length - FOOTER as u64)?;
        self.fill(&mut bytes)?;
        let Some(footer) = Footer::from_bytes(&bytes) else { return Ok(false) };
        let Some(index_bytes) = footer.index_bytes().filter(|&n| n <= MAX_RECORD_BYTES) else {
            return Ok(false);
        };
        let end = footer.index_offset.checked_add(index_bytes).and_then(|n| n.checked_add(FOOTER as u64));
        if end != Some(length) || footer.index_offset < first {
            return Ok(false);
        }
        let mut index = vec![0; index_bytes as usize];
        self.seek(footer.index_offset)?;
        self.fill(&mut index)?;
        let Some(offsets) = tail::decode_index(&index, &footer, first) else { return Ok(false) };
        self.offsets = offsets;
        self.frames_end = footer.index_offset;
        self.finished = Some(footer.hash);
        Ok(true)
    }

    /// Goes through the frames from the first; stops at the first bytes that are not a whole frame.
    fn scan(&mut self, length: u64) -> Result<(), TrajectoryError> {
        let mut frame = Frame::default();
        let mut offset = self.frames_end;
        self.seek(offset)?;
        while offset < length {
            let read = self.read_record(self.frames(), length - offset)?;
            match read.and_then(|()| record::decode(&self.record, self.shape, &mut frame)) {
                Ok(()) => self.offsets.push(offset),
                Err(reason) => {
                    self.torn = Some(TornTail { offset, bytes: length - offset, reason });
                    break;
                }
            }
            offset += self.record.len() as u64;
        }
        self.frames_end = offset;
        Ok(())
    }

    /// Reads the record at the current place into `self.record`; the inner error says why it cannot
    /// be frame `index`.
    fn read_record(&mut self, index: u64, left: u64) -> Result<Result<(), String>, TrajectoryError> {
        if left < START as u64 {
            return Ok(Err(format!("only {left} bytes are left")));
        }
        let mut start = [0; START];
        self.fill(&mut start)?;
        let length = match record::length(&start, index, self.shape, left) {
            Ok(length) => length as usize,
            Err(reason) => return Ok(Err(reason)),
        };
        let mut record = std::mem::take(&mut self.record);
        record.resize(length, 0);
        record[..START].copy_from_slice(&start);
        self.fill(&mut record[START..])?;
        self.record = record;
        Ok(Ok(()))
    }

    fn length(&mut self) -> Result<u64, TrajectoryError> {
        self.position = None;
        self.source.seek(SeekFrom::End(0)).map_err(TrajectoryError::io("read", &self.path))
    }

    /// Goes to a byte; what is buffered stays when the frames are read in order.
    fn seek(&mut self, offset: u64) -> Result<(), TrajectoryError> {
        let relative = self.position.and_then(|position| offset.checked_signed_diff(position));
        let moved = match relative {
            Some(distance) => self.source.seek_relative(distance),
            None => self.source.seek(SeekFrom::Start(offset)).map(|_| ()),
        };
        self.position = None;
        moved.map_err(TrajectoryError::io("read", &self.path))?;
        self.position = Some(offset);
        Ok(())
    }

    /// Fills a buffer from the current place.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), TrajectoryError> {
        let position = self.position.take();
        self.source.read_exact(bytes).map_err(TrajectoryError::io("read", &self.path))?;
        self.position = position.map(|position| position + bytes.len() as u64);
        Ok(())
    }
}

/// Reads a whole journal from memory and gives the number of its frames: every byte is checked.
pub fn read_journal_bytes(bytes: &[u8]) -> Result<u64, TrajectoryError> {
    let mut reader = JournalReader::from_bytes(bytes)?;
    reader.verify()?;
    Ok(reader.frames())
}
