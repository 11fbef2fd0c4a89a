//! Export for numpy: `numpy.load("run.npz")["positions"]`.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::Path;

use tempfile::SpooledTempFile;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::npy;
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

type Archive<'a> = ZipWriter<&'a mut BufWriter<File>>;

/// Writes all frames as arrays in one `.npz`; gives the number of frames. The arrays are listed in
/// `docs/trajectory-format.md`.
pub fn write_npz<R: Read + Seek>(
    trajectory: &mut Trajectory<R>,
    path: &Path,
) -> Result<u64, TrajectoryError> {
    let folder = atomic::folder_of(path);
    let family = trajectory.family();
    let mut columns = Columns::new(&folder, trajectory.bodies(), family);
    let (mut frames, mut frame_count, mut contact_count) = (trajectory.frames(), 0, 0);
    while let Some(frame) = frames.next_frame()? {
        columns.add(frame_count, frame).map_err(TrajectoryError::io("write beside", path))?;
        frame_count += 1;
        contact_count += frame.contacts.len() as u64;
    }
    let scene = trajectory.header().map_or("", |header| header.scene.as_str()).to_string();
    let dt = trajectory.dt();
    let (masses, inertias) = trajectory.masses_and_inertias();
    let (masses, inertias) = (masses.to_vec(), inertias.to_vec());
    atomic::write_whole(path, |out| {
        let mut archive: Archive<'_> = ZipWriter::new(out);
        columns.write(&mut archive, frame_count, contact_count)?;
        write_numbers(&mut archive, "dt", &[], &[dt])?;
        write_numbers(&mut archive, "masses", &[masses.len() as u64], &masses)?;
        match family {
            Family::SpatialBodies => {
                write_numbers(&mut archive, "inertias", &[inertias.len() as u64 / 6, 6], &inertias)?;
            }
            _ => write_numbers(&mut archive, "inertias", &[inertias.len() as u64], &inertias)?,
        }
        write_text(&mut archive, "family", family.name())?;
        write_text(&mut archive, "scene", &scene)?;
        archive.finish()?;
        Ok::<u64, io::Error>(frame_count)
    })
}

/// One array while it grows by rows.
struct Column {
    name: &'static str,
    descr: &'static str,
    /// Shape of one row.
    row: Vec<u64>,
    data: BufWriter<SpooledTempFile>,
}

/// The arrays with a row for each frame, and those with a row for each contact.
struct Columns {
    frames: Vec<Column>,
    contacts: Vec<Column>,
}

impl Columns {
    fn new(folder: &Path, bodies: u64, family: Family) -> Columns {
        let column = |(name, descr, row): (&'static str, &'static str, Vec<u64>)| {
            let spool = tempfile::spooled_tempfile_in(COLUMN_BYTES_IN_MEMORY, folder);
            Column { name, descr, row, data: BufWriter::new(spool) }
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
        }
        Ok(())
    }

    fn write(self, archive: &mut Archive<'_>, frames: u64, contacts: u64) -> io::Result<()> {
        let frames = self.frames.into_iter().map(|column| (frames, column));
        let contacts = self.contacts.into_iter().map(|column| (contacts, column));
        for (rows, column) in frames.chain(contacts) {
            let mut data = column.data.into_inner().map_err(|e| e.into_error())?;
            let bytes = data.stream_position()?;
            data.rewind()?;
            let mut shape = vec![rows];
            shape.extend(&column.row);
            start(archive, column.name, bytes)?;
            archive.write_all(&npy::header(column.descr, &shape))?;
            io::copy(&mut data, archive)?;
        }
        Ok(())
    }
}

/// One row of several arrays, from the first to the last.
struct Row<'a>(std::slice::IterMut<'a, Column>);

impl Row<'_> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.next().expect("a row has as many entries as there are arrays").data.write_all(bytes)
    }

    fn numbers(&mut self, numbers: &[f64]) -> io::Result<()> {
        let data = &mut self.0.next().expect("a row has as many entries as there are arrays").data;
        numbers.iter().try_for_each(|x| data.write_all(&x.to_le_bytes()))
    }
}

fn start(archive: &mut Archive<'_>, name: &str, bytes: u64) -> io::Result<()> {
    // Stored, not packed, as numpy.savez does: floating-point numbers hardly pack.
    let options =
        SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(bytes >= LARGE);
    archive.start_file(format!("{name}.npy"), options).map_err(io::Error::from)
}

fn write_numbers(archive: &mut Archive<'_>, name: &str, shape: &[u64], numbers: &[f64]) -> io::Result<()> {
    start(archive, name, numbers.len() as u64 * 8)?;
    archive.write_all(&npy::header("<f8", shape))?;
    numbers.iter().try_for_each(|x| archive.write_all(&x.to_le_bytes()))
}

/// A text as an array without dimensions: `str(run["scene"])`.
fn write_text(archive: &mut Archive<'_>, name: &str, text: &str) -> io::Result<()> {
    let characters = text.chars().count().max(1);
    start(archive, name, characters as u64 * 4)?;
    archive.write_all(&npy::header(&format!("<U{characters}"), &[]))?;
    let padding = if text.is_empty() { Some('\0') } else { None };
    text.chars().chain(padding).try_for_each(|c| archive.write_all(&u32::from(c).to_le_bytes()))
}
