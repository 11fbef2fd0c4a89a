//! Export for spreadsheets: three tables, of frames, of states and of contacts.

use std::ffi::OsString;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::atomic;
use crate::error::TrajectoryError;
use crate::frame::{Family, Frame, Impact};
use crate::trajectory::Trajectory;

const FRAME_COLUMNS: &str = "step,time,kinetic,potential,energy,momentum_x,momentum_y,momentum_z,\
    angular_momentum_x,angular_momentum_y,angular_momentum_z,deepest_penetration,contacts,active_contacts,\
    status,iterations,residual,contact_rows,largest_island,kinetic_before,kinetic_after,momentum_change_x,momentum_change_y,\
    momentum_change_z,angular_momentum_change_x,angular_momentum_change_y,angular_momentum_change_z";
const CONTACT_COLUMNS: &str = "step,time,kind,first,second,point_x,point_y,point_z,normal_x,normal_y,normal_z,\
    contact_time,impulse,gap,friction_x,friction_y,friction_z";

/// Writes three tables: `run.csv` (a row for each frame), `run.states.csv` (a row for each body of
/// each frame) and `run.contacts.csv` (a row for each contact). Gives the number of frames.
/// `run.csv` appears last. A cell is empty where nothing is known; `NaN` is a number that was
/// computed and is none.
pub fn write_csv<R: Read + Seek>(
    trajectory: &mut Trajectory<R>,
    path: &Path,
) -> Result<u64, TrajectoryError> {
    let (states_path, contacts_path) = companion_paths(path);
    let family = trajectory.family();
    let mut iterator = trajectory.frames();
    atomic::write_whole(path, |frames| {
        atomic::write_whole(&states_path, |states| {
            atomic::write_whole(&contacts_path, |contacts| {
                let mut tables = Tables { frames, states, contacts, family };
                tables.titles().map_err(TrajectoryError::io("write", path))?;
                let mut count = 0;
                while let Some(frame) = iterator.next_frame()? {
                    tables.add(frame).map_err(TrajectoryError::io("write", path))?;
                    count += 1;
                }
                Ok::<u64, TrajectoryError>(count)
            })
        })
    })
}

/// The three tables in memory: of frames, of states and of contacts.
pub fn csv_bytes<R: Read + Seek>(trajectory: &mut Trajectory<R>) -> Result<[Vec<u8>; 3], TrajectoryError> {
    let family = trajectory.family();
    let mut tables = Tables { frames: Vec::new(), states: Vec::new(), contacts: Vec::new(), family };
    let mut iterator = trajectory.frames();
    let mut write = || {
        tables.titles().map_err(in_memory)?;
        while let Some(frame) = iterator.next_frame()? {
            tables.add(frame).map_err(in_memory)?;
        }
        Ok::<(), TrajectoryError>(())
    };
    write()?;
    Ok([tables.frames, tables.states, tables.contacts])
}

fn in_memory(error: io::Error) -> TrajectoryError {
    TrajectoryError::io("write", Path::new("(bytes in memory)"))(error)
}

/// The names of the tables of states and of contacts that go with `run.csv`.
pub fn companion_paths(path: &Path) -> (PathBuf, PathBuf) {
    let with = |what: &str| {
        let mut name = path.file_stem().map(OsString::from).unwrap_or_default();
        name.push(format!(".{what}.csv"));
        path.with_file_name(name)
    };
    (with("states"), with("contacts"))
}

struct Tables<W> {
    frames: W,
    states: W,
    contacts: W,
    family: Family,
}

impl<W: Write> Tables<W> {
    fn titles(&mut self) -> io::Result<()> {
        writeln!(self.frames, "{FRAME_COLUMNS}")?;
        writeln!(self.contacts, "{CONTACT_COLUMNS}")?;
        match self.family {
            Family::Particles => writeln!(self.states, "step,time,body,x,y,vx,vy"),
            Family::RigidBodies => writeln!(self.states, "step,time,body,x,y,theta,vx,vy,omega"),
            Family::SpatialBodies => {
                writeln!(self.states, "step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,omegax,omegay,omegaz")
            }
        }
    }

    fn add(&mut self, frame: &Frame) -> io::Result<()> {
        let (q, d) = (&frame.quantities, &frame.diagnostics);
        write!(self.frames, "{}", frame.step)?;
        put(&mut self.frames, &[frame.time])?;
        let known = q.are_known();
        put_known(&mut self.frames, known, &[q.kinetic, q.potential, q.kinetic + q.potential])?;
        put_known(&mut self.frames, known, &q.momentum)?;
        put_known(&mut self.frames, known, &q.angular_momentum)?;
        put_known(&mut self.frames, !q.deepest_penetration.is_nan(), &[q.deepest_penetration])?;
        let contacts = frame.contacts.len();
        write!(self.frames, ",{contacts},{},{},{}", d.active_contacts, d.status, d.iterations)?;
        put(&mut self.frames, &[d.residual])?;
        put_count(&mut self.frames, d.contact_rows)?;
        put_count(&mut self.frames, d.largest_island)?;
        put_known(&mut self.frames, matches!(d.impact, Impact::Happened { .. }), &d.impact.kinetic())?;
        let known = d.impact != Impact::Unknown;
        put_known(&mut self.frames, known, &d.impact.momentum_change())?;
        put_known(&mut self.frames, known, &d.impact.angular_momentum_change())?;
        writeln!(self.frames)?;

        let positions = frame.positions.chunks_exact(self.family.coordinates());
        let bodies = positions.zip(frame.velocities.chunks_exact(self.family.degrees_of_freedom()));
        for (body, (x, v)) in bodies.enumerate() {
            write!(self.states, "{},{:?},{body}", frame.step, frame.time)?;
            put(&mut self.states, x)?;
            put(&mut self.states, v)?;
            writeln!(self.states)?;
        }
        for c in &frame.contacts {
            let kind = c.kind.name();
            write!(self.contacts, "{},{:?},{kind},{},{}", frame.step, frame.time, c.first, c.second)?;
            put_known(&mut self.contacts, !c.point.iter().all(|x| x.is_nan()), &c.point)?;
            put(&mut self.contacts, &c.normal)?;
            put(&mut self.contacts, &[c.time, c.impulse])?;
            put_known(&mut self.contacts, !c.gap.is_nan(), &[c.gap])?;
            put_known(&mut self.contacts, !c.friction.iter().all(|x| x.is_nan()), &c.friction)?;
            writeln!(self.contacts)?;
        }
        Ok(())
    }
}

/// Numbers after a comma each, in the fewest digits that read back to the same number.
fn put(out: &mut impl Write, numbers: &[f64]) -> io::Result<()> {
    numbers.iter().try_for_each(|x| write!(out, ",{x:?}"))
}

/// Numbers after a comma each; nothing there when they are not known.
fn put_known(out: &mut impl Write, known: bool, numbers: &[f64]) -> io::Result<()> {
    if known { put(out, numbers) } else { numbers.iter().try_for_each(|_| write!(out, ",")) }
}

/// A count after a comma; nothing there when it is not known.
fn put_count(out: &mut impl Write, count: Option<u32>) -> io::Result<()> {
    match count {
        Some(count) => write!(out, ",{count}"),
        None => write!(out, ","),
    }
}
