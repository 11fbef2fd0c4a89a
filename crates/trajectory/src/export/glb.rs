//! Export for Blender and other viewers of 3D scenes: one binary glTF 2.0 file with the
//! bodies and their motion.
//!
//! Khronos Group, "glTF 2.0 specification" (2021): a header, a chunk of JSON and a chunk of
//! numbers. Each body is a node with a mesh; its place and turn are animated where they change.
//! glTF has y up and our custom is z up: a root node turns between the two.

mod document;

use std::io::{Read, Seek, Write};
use std::path::Path;

use crate::atomic;
use crate::error::TrajectoryError;
use crate::frame::{Family, Frame};
use crate::trajectory::Trajectory;
use document::Document;

/// The surface of a body in its own axes about its centre of mass, and its colour.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Solid {
    /// What it is called.
    pub name: String,
    /// Red, green and blue, each from 0 to 1, as on a screen.
    pub color: [f64; 3],
    /// Points of the surface.
    pub points: Vec<[f64; 3]>,
    /// Unit normal at each point.
    pub normals: Vec<[f64; 3]>,
    /// Triangles between points, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Numbers a body has in positions.
const WIDTH: usize = 7;

/// Writes all bodies and at most `rate` frames a second of their motion; gives the number of frames
/// written. There is one solid for each body. Only runs of spatial bodies can be written.
pub fn write_glb<R: Read + Seek>(
    trajectory: &mut Trajectory<R>,
    solids: &[Solid],
    rate: f64,
    path: &Path,
) -> Result<u64, TrajectoryError> {
    let (bytes, count) = made(trajectory, solids, rate, path)?;
    atomic::write_whole(path, |out| out.write_all(&bytes))?;
    Ok(count)
}

/// As [`write_glb`], in memory.
pub fn glb_bytes<R: Read + Seek>(
    trajectory: &mut Trajectory<R>,
    solids: &[Solid],
    rate: f64,
) -> Result<Vec<u8>, TrajectoryError> {
    Ok(made(trajectory, solids, rate, Path::new("(bytes in memory)"))?.0)
}

/// The whole file, and how many frames it shows.
fn made<R: Read + Seek>(
    trajectory: &mut Trajectory<R>,
    solids: &[Solid],
    rate: f64,
    path: &Path,
) -> Result<(Vec<u8>, u64), TrajectoryError> {
    let refuse = |reason: String| TrajectoryError::WrongFrame { path: path.to_path_buf(), reason };
    if trajectory.family() != Family::SpatialBodies {
        return Err(refuse("a .glb file is for spatial bodies; use .carom, .npz or .csv".to_string()));
    }
    if trajectory.bodies() != solids.len() as u64 {
        let bodies = trajectory.bodies();
        return Err(refuse(format!("there are {} shapes for {bodies} bodies", solids.len())));
    }
    let mut motion = Motion { times: Vec::new(), poses: vec![Vec::new(); solids.len()] };
    let mut frames = trajectory.frames();
    // Of the frames about each moment the nearest.
    let mut nearest = Frame::default();
    let (mut reached, mut distance) = (f64::NEG_INFINITY, f64::INFINITY);
    while let Some(frame) = frames.next_frame()? {
        let moment = (frame.time * rate).round();
        let off = (frame.time * rate - moment).abs();
        if moment > reached && reached.is_finite() {
            motion.add(&nearest).map_err(refuse)?;
        }
        if moment > reached || off < distance {
            (reached, distance) = (moment, off);
            nearest.clone_from(frame);
        }
    }
    if reached.is_finite() {
        motion.add(&nearest).map_err(refuse)?;
    }
    let count = motion.times.len() as u64;
    Ok((glb(solids, &motion).map_err(refuse)?, count))
}

/// Where every body is at each moment that is shown.
struct Motion {
    times: Vec<f32>,
    /// For each body, for each time: x y z and the quaternion x y z w, as glTF orders it.
    poses: Vec<Vec<[f32; WIDTH]>>,
}

impl Motion {
    fn add(&mut self, frame: &Frame) -> Result<(), String> {
        let time = frame.time as f32;
        if self.times.last().is_some_and(|last| time <= *last) {
            // glTF wants times that rise; these frames are nearer to each other than its numbers
            // can tell.
            return Ok(());
        }
        if frame.positions.len() != WIDTH * self.poses.len() {
            return Err(format!("step {} has {} positions", frame.step, frame.positions.len()));
        }
        if frame.positions.iter().any(|x| !(*x as f32).is_finite()) {
            return Err(format!("step {} has positions that glTF cannot hold", frame.step));
        }
        self.times.push(time);
        for (x, poses) in frame.positions.chunks_exact(WIDTH).zip(&mut self.poses) {
            let mut pose = [x[0], x[1], x[2], x[4], x[5], x[6], x[3]].map(|x| x as f32);
            // Of the two quaternions of an orientation the one near to the last: viewers take the
            // short way between the two.
            if let Some(before) = poses.last() {
                let along: f32 = before[3..].iter().zip(&pose[3..]).map(|(a, b)| a * b).sum();
                if along < 0.0 {
                    pose[3..].iter_mut().for_each(|q| *q = -*q);
                }
            }
            poses.push(pose);
        }
        Ok(())
    }
}

/// The whole file.
fn glb(solids: &[Solid], motion: &Motion) -> Result<Vec<u8>, String> {
    let mut document = Document::default();
    for (solid, poses) in solids.iter().zip(&motion.poses) {
        document.add_body(solid, poses.first());
    }
    if motion.times.len() > 1 {
        document.animate(&motion.times, &motion.poses);
    }
    let (mut json, mut numbers) = document.finish();
    json.resize(json.len().next_multiple_of(4), b' ');
    numbers.resize(numbers.len().next_multiple_of(4), 0);
    let whole = 12 + 8 + json.len() + 8 + numbers.len();
    let too_long = || "the motion is more than a .glb file can hold; keep fewer frames".to_string();
    let whole = u32::try_from(whole).map_err(|_| too_long())?;
    let mut bytes = Vec::with_capacity(whole as usize);
    bytes.extend_from_slice(b"glTF");
    for word in [2, whole, json.len() as u32] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.extend_from_slice(b"JSON");
    bytes.extend_from_slice(&json);
    bytes.extend_from_slice(&(numbers.len() as u32).to_le_bytes());
    bytes.extend_from_slice(b"BIN\0");
    bytes.extend_from_slice(&numbers);
    Ok(bytes)
}
