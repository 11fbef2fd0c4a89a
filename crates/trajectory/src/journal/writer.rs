//! Writes journals frame by frame: what is on the disk can be read at any moment, and gone on with.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::hash::RunHash;
use super::header::Header;
use super::reader::JournalReader;
use super::record::{self, Shape};
use super::tail;
use crate::atomic;
use crate::error::{JOURNAL, TrajectoryError};
use crate::frame::Frame;

/// Bytes that are collected before they are handed to the system.
const BUFFER_BYTES: usize = 1 << 18;
/// Frames that the index grows by at once, so that memory is asked for rarely.
const INDEX_CHUNK: usize = 1 << 16;

/// Writes a journal. Dropping it hands over what was appended; only [`JournalWriter::finish`] makes
/// the file whole.
#[derive(Debug)]
pub struct JournalWriter {
    file: File,
    path: PathBuf,
    shape: Shape,
    /// Where the last frame ends, those in `pending` included.
    end: u64,
    offsets: Vec<u64>,
    hash: RunHash,
    /// The hash before the last frame, known only right after resuming.
    hash_before_last: Option<RunHash>,
    pending: Vec<u8>,
    /// Bytes of frames in `pending`.
    frame_bytes_pending: u64,
    failed: bool,
}

/// A journal that can be gone on with.
#[derive(Debug)]
pub struct Resumed {
    /// Appends after the last whole frame.
    pub writer: JournalWriter,
    /// What the file says about itself.
    pub header: Header,
    /// The last whole frame; nothing when the run was stopped before its first.
    pub last: Option<Frame>,
    /// Number of whole frames.
    pub frames: u64,
    /// Bytes after the last whole frame that were cut off.
    pub dropped_bytes: u64,
}

impl JournalWriter {
    /// Makes a new journal, replacing a file of that name. The file appears with a whole header or
    /// not at all.
    pub fn create(path: &Path, header: &Header) -> Result<JournalWriter, TrajectoryError> {
        let bytes = header.to_bytes()?;
        let shape = header.shape().map_err(|reason| TrajectoryError::InvalidHeader { reason })?;
        let target = atomic::resolve(path)?;
        if let Ok(existing) = File::open(&target) {
            lock(&existing, path)?;
        }
        let mut temporary = atomic::temporary_beside(&target)?;
        temporary.write_all(&bytes).map_err(TrajectoryError::io("write", path))?;
        // On the disk before it has its name: a loss of power leaves no journal that cannot be
        // read.
        temporary.as_file().sync_all().map_err(TrajectoryError::io("write", path))?;
        let file =
            temporary.persist(&target).map_err(|e| e.error).map_err(TrajectoryError::io("write", path))?;
        atomic::sync_folder(&target);
        let end = bytes.len() as u64;
        Ok(JournalWriter::at(file, path, shape, end))
    }

    /// Opens a journal that was cut off and cuts its torn tail away. A finished one can be resumed
    /// as well; one of an older version of the format is refused.
    pub fn resume(path: &Path) -> Result<Resumed, TrajectoryError> {
        let open = || OpenOptions::new().read(true).write(true).open(path);
        let file = open().map_err(TrajectoryError::io("open", path))?;
        lock(&file, path)?;
        let source = file.try_clone().map_err(TrajectoryError::io("open", path))?;
        let mut reader = JournalReader::scanned(BufReader::new(source), path)?;
        reader.check_resumable()?;
        let header = reader.header().clone();
        let shape = header.shape().map_err(|reason| TrajectoryError::InvalidHeader { reason })?;
        let mut writer = JournalWriter::at(file, path, shape, reader.frames_end());
        let frames = reader.frames();
        let last = match frames.checked_sub(1) {
            Some(index) => {
                writer.hash = reader.stored_hash(index)?;
                writer.hash_before_last = Some(match index.checked_sub(1) {
                    Some(previous) => reader.stored_hash(previous)?,
                    None => RunHash::default(),
                });
                Some(reader.frame(index)?)
            }
            None => None,
        };
        writer.offsets.extend_from_slice(reader.offsets());
        let length = writer.file.metadata().map_err(TrajectoryError::io("read", path))?.len();
        writer.cut_back().map_err(TrajectoryError::io(JOURNAL, path))?;
        let dropped_bytes = length.saturating_sub(writer.end);
        Ok(Resumed { writer, header, last, frames, dropped_bytes })
    }

    fn at(file: File, path: &Path, shape: Shape, end: u64) -> JournalWriter {
        JournalWriter {
            file,
            path: path.to_path_buf(),
            shape,
            end,
            offsets: Vec::new(),
            hash: RunHash::default(),
            hash_before_last: None,
            pending: Vec::with_capacity(BUFFER_BYTES + (1 << 16)),
            frame_bytes_pending: 0,
            failed: false,
        }
    }

    /// Takes back the last frame of a journal that was just resumed. A run that was stopped between
    /// two frames that it should keep leaves one that it should not; going on from it and taking it
    /// back gives the bytes of an unbroken run. Does nothing when there is no frame, or when frames
    /// were appended since.
    pub fn discard_last(&mut self) -> Result<(), TrajectoryError> {
        let Some(hash) = self.hash_before_last.take() else { return Ok(()) };
        if let Some(offset) = self.offsets.pop() {
            self.end = offset;
            self.hash = hash;
            self.cut_back().map_err(TrajectoryError::io(JOURNAL, &self.path))?;
        }
        Ok(())
    }

    /// Adds a frame.
    pub fn append(&mut self, frame: &Frame) -> Result<(), TrajectoryError> {
        self.refuse_if_failed()?;
        if let Some(reason) = self.shape.misfit(frame) {
            return Err(TrajectoryError::WrongFrame { path: self.path.clone(), reason });
        }
        if self.offsets.len() == self.offsets.capacity() {
            self.offsets.reserve_exact(INDEX_CHUNK);
        }
        self.hash_before_last = None;
        let start = self.pending.len();
        self.hash = record::encode(&mut self.pending, frame, self.offsets.len() as u64, &self.hash);
        self.offsets.push(self.end);
        let added = (self.pending.len() - start) as u64;
        self.end += added;
        self.frame_bytes_pending += added;
        if self.pending.len() >= BUFFER_BYTES { self.flush() } else { Ok(()) }
    }

    /// Hands everything to the system: frames appended so far survive a kill of this process.
    pub fn flush(&mut self) -> Result<(), TrajectoryError> {
        self.refuse_if_failed()?;
        self.check_undisturbed().inspect_err(|_| self.failed = true)?;
        if let Err(error) = self.file.write_all(&self.pending) {
            // A record may be torn now: readers stop before it, and resuming cuts it off.
            self.failed = true;
            return Err(TrajectoryError::io(JOURNAL, &self.path)(error));
        }
        self.pending.clear();
        self.frame_bytes_pending = 0;
        Ok(())
    }

    /// Waits until everything is on the disk: frames appended so far survive a loss of power.
    pub fn sync(&mut self) -> Result<(), TrajectoryError> {
        self.flush()?;
        self.file.sync_data().map_err(TrajectoryError::io(JOURNAL, &self.path))
    }

    /// A file that is shorter or longer than what was written, or no longer there under its name,
    /// is nothing to go on writing to.
    fn check_undisturbed(&self) -> Result<(), TrajectoryError> {
        let disturbed = |reason: String| TrajectoryError::Disturbed { path: self.path.clone(), reason };
        // The name is copied only where there is an error to tell: appending allocates nothing.
        let failed = |error| TrajectoryError::io(JOURNAL, &self.path)(error);
        let here = self.file.metadata().map_err(failed)?;
        if !here.is_file() {
            return Ok(());
        }
        let named = fs::metadata(&self.path)
            .map_err(|error| disturbed(format!("it is no longer under its name ({error})")))?;
        if !is_same_file(&here, &named) {
            return Err(disturbed("another file has its name".to_owned()));
        }
        let written = self.end - self.frame_bytes_pending;
        if here.len() != written {
            return Err(disturbed(format!("it has {} bytes, {written} were written", here.len())));
        }
        Ok(())
    }

    /// Writes index and footer, waits until all is on the disk, and gives the hash of the run.
    pub fn finish(mut self) -> Result<RunHash, TrajectoryError> {
        self.flush()?;
        self.check_frames()?;
        tail::encode(&mut self.pending, &self.offsets, self.end, &self.hash);
        self.flush()?;
        self.file.sync_all().map_err(TrajectoryError::io(JOURNAL, &self.path))?;
        Ok(self.hash)
    }

    /// Reads every frame back by its checksum: what was cut and grew again between two looks has
    /// the right length.
    fn check_frames(&self) -> Result<(), TrajectoryError> {
        if !self.file.metadata().is_ok_and(|data| data.is_file()) {
            return Ok(());
        }
        let reader = JournalReader::rescan(&self.path)?;
        if reader.frames() == self.frames() && reader.frames_end() == self.end {
            return Ok(());
        }
        let reason = format!("{} of {} frames can be read back", reader.frames(), self.frames());
        Err(TrajectoryError::Disturbed { path: self.path.clone(), reason })
    }

    /// The open file once more, with its lock.
    pub(crate) fn handle(&self) -> std::io::Result<File> {
        self.file.try_clone()
    }

    /// The hash of the frames so far.
    pub fn hash(&self) -> RunHash {
        self.hash
    }

    /// Number of frames so far.
    pub fn frames(&self) -> u64 {
        self.offsets.len() as u64
    }

    /// The file that is being written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn refuse_if_failed(&self) -> Result<(), TrajectoryError> {
        if !self.failed {
            return Ok(());
        }
        let error = std::io::Error::other("an earlier write failed; resume the run to go on");
        Err(TrajectoryError::io(JOURNAL, &self.path)(error))
    }

    fn cut_back(&mut self) -> std::io::Result<()> {
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end)).map(|_| ())
    }
}

impl Drop for JournalWriter {
    fn drop(&mut self) {
        if !self.failed {
            let _ = self.file.write_all(&self.pending);
        }
    }
}

#[cfg(unix)]
fn is_same_file(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Elsewhere a file that is open keeps its name.
#[cfg(not(unix))]
fn is_same_file(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// Removes a journal that is no longer needed.
pub fn remove(path: &Path) -> Result<(), TrajectoryError> {
    fs::remove_file(path).map_err(TrajectoryError::io("remove", path))
}

/// Keeps two runs from writing the same file. File systems without locks are taken as free.
fn lock(file: &File, path: &Path) -> Result<(), TrajectoryError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(TrajectoryError::Busy { path: path.to_path_buf() }),
        _ => Ok(()),
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn after_a_full_disk_nothing_more_is_written() {
        // The device /dev/full refuses every write as a full disk does.
        let path = Path::new("/dev/full");
        let device = OpenOptions::new().write(true).open(path).unwrap();
        let mut writer = JournalWriter::at(
            device,
            path,
            Shape { fixed: record::FIXED, contact: record::CONTACT, positions: 0, velocities: 0 },
            0,
        );
        writer.append(&Frame::default()).unwrap();
        let error = writer.flush().unwrap_err().to_string();
        assert!(error.contains("--resume"), "{error}");
        assert!(writer.append(&Frame::default()).is_err());
        assert!(writer.flush().is_err());
        assert!(writer.finish().is_err());
    }

    fn one_body() -> (Header, Frame) {
        let header = Header::new(crate::Family::Particles, 1, 0.1, "fall.xml", "<scene/>");
        (header, Frame { positions: vec![0.0; 2], velocities: vec![0.0; 2], ..Frame::default() })
    }

    /// A journal that another program cut in mid-run gave exit 0 and an output that nobody could
    /// read.
    #[test]
    fn a_journal_that_is_cut_in_mid_run_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.carom.part");
        let (header, frame) = one_body();
        let mut writer = JournalWriter::create(&path, &header).unwrap();
        writer.append(&frame).unwrap();
        writer.flush().unwrap();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(100).unwrap();
        writer.append(&Frame { step: 1, ..frame }).unwrap();
        let error = writer.finish().unwrap_err().to_string();
        assert!(error.contains("another program") && error.contains("100 bytes"), "{error}");
    }

    /// Cut and grown again to its length: only reading it back shows the hole.
    #[test]
    fn a_hole_in_a_journal_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.carom.part");
        let (header, frame) = one_body();
        let mut writer = JournalWriter::create(&path, &header).unwrap();
        writer.append(&frame).unwrap();
        writer.flush().unwrap();
        let other = OpenOptions::new().write(true).open(&path).unwrap();
        let length = other.metadata().unwrap().len();
        other.set_len(length - 50).unwrap();
        other.set_len(length).unwrap();
        let error = writer.finish().unwrap_err().to_string();
        assert!(error.contains("0 of 1 frames"), "{error}");
    }

    /// A removed folder was noticed only at the end of the run.
    #[test]
    #[cfg(unix)]
    fn a_removed_folder_is_noticed_at_the_next_write() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("results");
        fs::create_dir(&inner).unwrap();
        let (header, frame) = one_body();
        let mut writer = JournalWriter::create(&inner.join("run.carom.part"), &header).unwrap();
        fs::remove_dir_all(&inner).unwrap();
        writer.append(&frame).unwrap();
        let error = writer.flush().unwrap_err().to_string();
        assert!(error.contains("no longer under its name"), "{error}");
    }
}
