//! Other formats: every export reads a trajectory once, keeps little in memory and appears whole or
//! not at all.

mod csv;
pub mod glb;
pub(crate) mod npy;
mod npz;
pub(crate) mod once;
mod stored;

pub use csv::{companion_paths, csv_bytes, write_csv};
pub use glb::{Solid, glb_bytes, write_glb};
pub use npz::{npz_bytes, write_npz};
pub use stored::zip_bytes;

use std::io::{Read, Seek};
use std::path::Path;

use crate::atomic;
use crate::course::{CourseLayout, CourseRecord, CourseWriter, Polynomials};
use crate::error::{JOURNAL, TrajectoryError};
use crate::frame::Frame;
use crate::journal::{Header, JournalWriter, RunHash};
use crate::trajectory::Trajectory;

/// Gives the polynomials of the step that led to a frame, for the first and the second record of a
/// step. It sees the frames in their order.
pub type PolynomialsOf<'a> = &'a mut dyn FnMut(&Frame) -> [Polynomials; 2];

/// Writes a course file; gives the number of its frames. A course file is copied as it is,
/// polynomials included; those of other trajectories come from `polynomials`.
///
/// Runs of scenes that the course's program cannot make are refused.
pub fn write_course<R: Read + Seek>(
    trajectory: &mut Trajectory<R>,
    polynomials: PolynomialsOf<'_>,
    path: &Path,
) -> Result<u64, TrajectoryError> {
    let layout = trajectory.course_layout().ok_or_else(|| no_layout(path))?;
    let (masses, inertias) = trajectory.masses_and_inertias();
    let (masses, inertias) = (masses.to_vec(), inertias.to_vec());
    atomic::write_whole(path, |out| {
        let mut writer = CourseWriter::new(out, path, layout, &masses, &inertias)?;
        let mut count = 0;
        if let Trajectory::Course(course) = trajectory {
            course.rewind()?;
            course.keep_polynomials(true);
            let mut record = CourseRecord::default();
            while course.next_record(&mut record)? {
                writer.write_record(&record)?;
                count += 1;
            }
            return Ok::<u64, TrajectoryError>(count);
        }
        let mut frames = trajectory.frames();
        while let Some(frame) = frames.next_frame()? {
            writer.write_frame(frame, polynomials)?;
            count += 1;
        }
        Ok(count)
    })
}

/// Writes a course file of frames that are in memory; `header` says what they are.
pub fn write_course_frames(
    header: &Header,
    frames: &[Frame],
    polynomials: PolynomialsOf<'_>,
    path: &Path,
) -> Result<(), TrajectoryError> {
    let layout = CourseLayout::of_header(header).ok_or_else(|| no_layout(path))?;
    atomic::write_whole(path, |out| {
        let mut writer = CourseWriter::new(out, path, layout, &header.masses, &header.inertias)?;
        frames.iter().try_for_each(|frame| writer.write_frame(frame, polynomials))
    })
}

fn no_layout(path: &Path) -> TrajectoryError {
    let reason = "the course's format has no layout for this kind of scene; use .carom, .npz or .csv".into();
    TrajectoryError::WrongFrame { path: path.to_path_buf(), reason }
}

/// Writes a journal, finished; gives the hash of the run.
pub fn write_journal<R: Read + Seek>(
    trajectory: &mut Trajectory<R>,
    header: &Header,
    path: &Path,
) -> Result<RunHash, TrajectoryError> {
    let target = atomic::resolve(path)?;
    let (_, name) = atomic::temporary_beside(&target)?.into_parts();
    // Nothing is kept of a file that cannot be written whole: there is no run to go on with.
    let named = |error| match error {
        TrajectoryError::Io { action: JOURNAL, cause, .. } => TrajectoryError::io("write", path)(cause),
        error => error,
    };
    let mut writer = JournalWriter::create(&name, header).map_err(named)?;
    let mut frames = trajectory.frames();
    while let Some(frame) = frames.next_frame()? {
        writer.append(frame).map_err(named)?;
    }
    let locked_until_it_has_its_name = writer.handle();
    let hash = writer.finish().map_err(named)?;
    name.persist(&target).map_err(|e| e.error).map_err(TrajectoryError::io("write", path))?;
    drop(locked_until_it_has_its_name);
    atomic::sync_folder(&target);
    Ok(hash)
}
