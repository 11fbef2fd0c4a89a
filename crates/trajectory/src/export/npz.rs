//! Export for numpy: `numpy.load("run.npz")["positions"]`.

use std::io::{self, BufWriter, Cursor, Read, Seek, Write};
use std::path::Path;

use tempfile::SpooledTempFile;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::npy;
use super::once::FailsOnce;
use super::stored::zip_bytes;
use crate::atomic;
use crate::error::TrajectoryError;
use crate::frame::{Family, Frame};
use crate::trajectory::Trajectory;

/// A column moves from memory to a temporary file when it grows beyond this.
const COLUMN_BYTES_IN_MEMORY: usize = 1 << 20;
/// Entries of an archive from this size on need 64-bit sizes.
const LARGE: u64 = 0xFFFF_0000;

/// Stands for a count that is not known.
const UNKNOWN: i64 = -1;

/// Writes all frames as arrays in one `.npz`; gives the number of frames. The arrays are listed in
/// `docs/trajectory-format.md`.
pub fn write_npz<R: Read + Seek>(
    trajectory: &mut Trajectory<R>,
    path: &Path,
) -> Result<u64, TrajectoryError> {
    let folder = atomic::folder_of(path);
    let spool = || BufWriter::new(tempfile::spooled_tempfile_in(COLUMN_BYTES_IN_MEMORY, &folder));
    let contents = Contents::read(trajectory, path, spool)?;
    atomic::write_whole(path, |out| {
        let mut archive = ZipWriter::new(FailsOnce::new(out));
        let count = contents.write(&mut archive)?;
        archive.finish()?;
        Ok::<u64, io::Error>(count)
    })
}

/// As [`write_npz`], in memory.
pub fn npz_bytes<R: Read + Seek>(trajectory: &mut Trajectory<R>) -> Result<Vec<u8>, TrajectoryError> {
    let path = Path::new("(bytes in memory)");
    let contents = Contents::read(trajectory, path, || Cursor::new(Vec::new()))?;
    let mut entries = Entries::default();
    contents.write(&mut entries).map_err(TrajectoryError::io("write", path))?;
    zip_bytes(&entries.0)
}

/// What an archive is made of, wherever it goes.
trait Sink {
    /// Begins an entry of so many bytes.
    fn start(&mut self, name: &str, bytes: u64) -> io::Result<()>;
    fn add(&mut self, bytes: &[u8]) -> io::Result<()>;
    fn copy(&mut self, from: &mut impl Read) -> io::Result<()>;
}

impl<W: Write + Seek> Sink for ZipWriter<W> {
    fn start(&mut self, name: &str, bytes: u64) -> io::Result<()> {
        // Stored, not packed, as numpy.savez does: floating-point numbers hardly pack.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(bytes >= LARGE);
        self.start_file(format!("{name}.npy"), options).map_err(io::Error::from)
    }

    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn copy(&mut self, from: &mut impl Read) -> io::Result<()> {
        io::copy(from, self).map(drop)
    }
}

/// Entries in memory.
#[derive(Default)]
struct Entries(Vec<(String, Vec<u8>)>);

impl Sink for Entries {
    fn start(&mut self, name: &str, bytes: u64) -> io::Result<()> {
        self.0.push((format!("{name}.npy"), Vec::with_capacity(bytes as usize + 128)));
        Ok(())
    }

    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some((_, data)) = self.0.last_mut() {
            data.extend(bytes);
        }
        Ok(())
    }

    fn copy(&mut self, from: &mut impl Read) -> io::Result<()> {
        match self.0.last_mut() {
            Some((_, data)) => from.read_to_end(data).map(drop),
            None => Ok(()),
        }
    }
}

/// All that goes into an archive.
struct Contents<S> {
    columns: Columns<S>,
    frames: u64,
    contacts: u64,
    family: Family,
    dt: f64,
    masses: Vec<f64>,
    inertias: Vec<f64>,
    scene: String,
}

impl<S: Store> Contents<S> {
    fn read<R: Read + Seek>(
        trajectory: &mut Trajectory<R>,
        path: &Path,
        store: impl Fn() -> S,
    ) -> Result<Self, TrajectoryError> {
        let family = trajectory.family();
        let mut columns = Columns::new(trajectory.bodies(), family, store);
        let (mut frames, mut count, mut contacts) = (trajectory.frames(), 0, 0);
        while let Some(frame) = frames.next_frame()? {
            columns.add(count, frame).map_err(TrajectoryError::io("write beside", path))?;
            count += 1;
            contacts += frame.contacts.len() as u64;
        }
        let scene = trajectory.header().map_or("", |header| header.scene.as_str()).to_string();
        let dt = trajectory.dt();
        let (masses, inertias) = trajectory.masses_and_inertias();
        let (masses, inertias) = (masses.to_vec(), inertias.to_vec());
        Ok(Contents { columns, frames: count, contacts, family, dt, masses, inertias, scene })
    }

    /// Writes the archive; gives the number of frames.
    fn write(self, archive: &mut impl Sink) -> io::Result<u64> {
        self.columns.write(archive, self.frames, self.contacts)?;
        write_numbers(archive, "dt", &[], &[self.dt])?;
        write_numbers(archive, "masses", &[self.masses.len() as u64], &self.masses)?;
        let count = self.inertias.len() as u64;
        match self.family {
            Family::SpatialBodies => {
                write_numbers(archive, "inertias", &[count / 6, 6], &self.inertias)?;
            }
            _ => write_numbers(archive, "inertias", &[count], &self.inertias)?,
        }
        write_text(archive, "family", self.family.name())?;
        write_text(archive, "scene", &self.scene)?;
        Ok(self.frames)
    }
}

/// Where a column grows: a file that is temporary, or memory.
trait Store: Write {
    /// All that was written, from its start, and how many bytes.
    fn reread(self) -> io::Result<(impl Read, u64)>;
}

impl Store for BufWriter<SpooledTempFile> {
    fn reread(self) -> io::Result<(impl Read, u64)> {
        let mut data = self.into_inner().map_err(|e| e.into_error())?;
        let bytes = data.stream_position()?;
        data.rewind()?;
        Ok((data, bytes))
    }
}

impl Store for Cursor<Vec<u8>> {
    fn reread(self) -> io::Result<(impl Read, u64)> {
        let bytes = self.into_inner();
        let count = bytes.len() as u64;
        Ok((Cursor::new(bytes), count))
    }
}

/// One array while it grows by rows.
struct Column<S> {
    name: &'static str,
    descr: &'static str,
    /// Shape of one row.
    row: Vec<u64>,
    data: S,
}

/// The arrays with a row for each frame, and those with a row for each contact.
struct Columns<S> {
    frames: Vec<Column<S>>,
    contacts: Vec<Column<S>>,
}

impl<S: Store> Columns<S> {
    fn new(bodies: u64, family: Family, store: impl Fn() -> S) -> Self {
        let column = |(name, descr, row): (&'static str, &'static str, Vec<u64>)| Column {
            name,
            descr,
            row,
            data: store(),
        };
        let frames = [
            ("step", "<u8", vec![]),
            ("time", "<f8", vec![]),
            ("positions", "<f8", vec![bodies, family.coordinates() as u64]),
            ("velocities", "<f8", vec![bodies, family.degrees_of_freedom() as u64]),
            ("kinetic", "<f8", vec![]),
            ("potential", "<f8", vec![]),
            ("momentum", "<f8", vec![3]),
            ("angular_momentum", "<f8", vec![3]),
            ("penetration", "<f8", vec![]),
            ("residual", "<f8", vec![]),
            ("iterations", "<u4", vec![]),
            ("status", "<u4", vec![]),
            ("active_contacts", "<u4", vec![]),
            ("contact_count", "<u4", vec![]),
            ("contact_rows", "<i8", vec![]),
            ("largest_island", "<i8", vec![]),
            ("kinetic_before", "<f8", vec![]),
            ("kinetic_after", "<f8", vec![]),
            ("momentum_change", "<f8", vec![3]),
            ("angular_momentum_change", "<f8", vec![3]),
        ];
        let contacts = [
            ("contact_frame", "<u8", vec![]),
            ("contact_kind", "<u4", vec![]),
            ("contact_first", "<u4", vec![]),
            ("contact_second", "<u4", vec![]),
            ("contact_point", "<f8", vec![3]),
            ("contact_normal", "<f8", vec![3]),
            ("contact_time", "<f8", vec![]),
            ("contact_impulse", "<f8", vec![]),
            ("contact_gap", "<f8", vec![]),
            ("contact_friction", "<f8", vec![3]),
        ];
        Columns {
            frames: frames.into_iter().map(column).collect(),
            contacts: contacts.into_iter().map(column).collect(),
        }
    }

    /// Adds a row to each array, in the order of [`Columns::new`].
    fn add(&mut self, index: u64, frame: &Frame) -> io::Result<()> {
        let (q, d) = (&frame.quantities, &frame.diagnostics);
        let mut row = Row(self.frames.iter_mut());
        row.put(&frame.step.to_le_bytes())?;
        row.numbers(&[frame.time])?;
        row.numbers(&frame.positions)?;
        row.numbers(&frame.velocities)?;
        row.numbers(&[q.kinetic])?;
        row.numbers(&[q.potential])?;
        row.numbers(&q.momentum)?;
        row.numbers(&q.angular_momentum)?;
        row.numbers(&[q.deepest_penetration])?;
        row.numbers(&[d.residual])?;
        row.put(&d.iterations.to_le_bytes())?;
        row.put(&d.status.to_le_bytes())?;
        row.put(&d.active_contacts.to_le_bytes())?;
        row.put(&(frame.contacts.len() as u32).to_le_bytes())?;
        row.put(&d.contact_rows.map_or(UNKNOWN, i64::from).to_le_bytes())?;
        row.put(&d.largest_island.map_or(UNKNOWN, i64::from).to_le_bytes())?;
        let [before, after] = d.impact.kinetic();
        row.numbers(&[before])?;
        row.numbers(&[after])?;
        row.numbers(&d.impact.momentum_change())?;
        row.numbers(&d.impact.angular_momentum_change())?;
        for contact in &frame.contacts {
            let mut row = Row(self.contacts.iter_mut());
            row.put(&index.to_le_bytes())?;
            row.put(&contact.kind.code().to_le_bytes())?;
            row.put(&contact.first.to_le_bytes())?;
            row.put(&contact.second.to_le_bytes())?;
            row.numbers(&contact.point)?;
            row.numbers(&contact.normal)?;
            row.numbers(&[contact.time])?;
            row.numbers(&[contact.impulse])?;
            row.numbers(&[contact.gap])?;
            row.numbers(&contact.friction)?;
        }
        Ok(())
    }

    fn write(self, archive: &mut impl Sink, frames: u64, contacts: u64) -> io::Result<()> {
        let frames = self.frames.into_iter().map(|column| (frames, column));
        let contacts = self.contacts.into_iter().map(|column| (contacts, column));
        for (rows, column) in frames.chain(contacts) {
            let (mut data, bytes) = column.data.reread()?;
            let mut shape = vec![rows];
            shape.extend(&column.row);
            archive.start(column.name, bytes)?;
            archive.add(&npy::header(column.descr, &shape))?;
            archive.copy(&mut data)?;
        }
        Ok(())
    }
}

/// One row of several arrays, from the first to the last.
struct Row<'a, S>(std::slice::IterMut<'a, Column<S>>);

impl<S: Store> Row<'_, S> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.next().expect("a row has as many entries as there are arrays").data.write_all(bytes)
    }

    fn numbers(&mut self, numbers: &[f64]) -> io::Result<()> {
        let data = &mut self.0.next().expect("a row has as many entries as there are arrays").data;
        numbers.iter().try_for_each(|x| data.write_all(&x.to_le_bytes()))
    }
}

fn write_numbers(archive: &mut impl Sink, name: &str, shape: &[u64], numbers: &[f64]) -> io::Result<()> {
    archive.start(name, numbers.len() as u64 * 8)?;
    archive.add(&npy::header("<f8", shape))?;
    numbers.iter().try_for_each(|x| archive.add(&x.to_le_bytes()))
}

/// A text as an array without dimensions: `str(run["scene"])`.
fn write_text(archive: &mut impl Sink, name: &str, text: &str) -> io::Result<()> {
    let characters = text.chars().count().max(1);
    archive.start(name, characters as u64 * 4)?;
    archive.add(&npy::header(&format!("<U{characters}"), &[]))?;
    let padding = if text.is_empty() { Some('\0') } else { None };
    text.chars().chain(padding).try_for_each(|c| archive.add(&u32::from(c).to_le_bytes()))
}
