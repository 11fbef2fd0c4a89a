//! Other engines, asked the same questions: the scenes of the cases as plain numbers, and frames of
//! their answers.

use crate::scenes::{Body, Kind, Setting, Shape, TestedResponse};
use crate::track::Track;
use carom::Frame;
use std::fmt::{self, Debug, Formatter};
use std::rc::Rc;

/// Another engine.
pub trait Peer {
    /// Its name and version.
    fn name(&self) -> &str;
    /// Planar or spatial.
    fn kind(&self) -> Kind;
    /// Runs a scene with the engine's own defaults. For every frame from the start on and every
    /// body: x, height, angle, and their rates. Nothing where the engine has no word for the
    /// question.
    fn run(&self, setting: &Setting, bodies: &[Body]) -> Result<Option<Vec<Vec<[f64; 6]>>>, String>;
}

/// The peer that a sheet is of.
#[derive(Clone)]
pub(crate) struct Asked(pub(crate) Rc<dyn Peer>);

impl Debug for Asked {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.name())
    }
}

impl PartialEq for Asked {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

/// Every case asks every response; a peer has one answer. This one is in every list.
const ASKED_FOR: &str = "gr-lcp";

impl Asked {
    /// The run of the peer where the question is for it.
    pub(crate) fn run(
        &self,
        method: TestedResponse,
        setting: &Setting,
        bodies: &[Body],
    ) -> Option<Result<Track, String>> {
        if method.kind != self.0.kind() || method.response != ASKED_FOR {
            return None;
        }
        let rows = self.0.run(setting, bodies).transpose()?;
        let frames = rows.and_then(|rows| {
            let complete = rows.iter().all(|row| row.len() == bodies.len());
            let finite = rows.iter().flatten().flatten().all(|number| number.is_finite());
            if !complete || rows.is_empty() {
                return Err("an answer without numbers".to_owned());
            }
            if !finite {
                return Err("numbers that are not finite".to_owned());
            }
            let frame = |(k, row): (usize, &Vec<[f64; 6]>)| frame(method.kind, (k, setting.dt), bodies, row);
            Ok(rows.iter().enumerate().map(frame).collect())
        });
        Some(frames.map(|frames| Track::new(method.kind, setting.dt, frames)))
    }
}

/// A frame as ours are laid out, with energy and momentum of what moves.
fn frame(kind: Kind, (step, dt): (usize, f64), bodies: &[Body], row: &[[f64; 6]]) -> Frame {
    let mut frame = Frame { step: step as u64, time: step as f64 * dt, ..Frame::default() };
    frame.quantities.momentum = [0.0; 3];
    for (body, &[x, y, angle, vx, vy, spin]) in bodies.iter().zip(row) {
        if kind == Kind::Spatial {
            frame.positions.extend([x, 0.0, y, 1.0, 0.0, 0.0, 0.0]);
            frame.velocities.extend([vx, 0.0, vy, 0.0, -spin, 0.0]);
        } else {
            frame.positions.extend([x, y, angle]);
            frame.velocities.extend([vx, vy, spin]);
        }
        if body.fixed || body.driven {
            continue;
        }
        let up = if kind == Kind::Spatial { 2 } else { 1 };
        frame.quantities.momentum[0] += body.mass * vx;
        frame.quantities.momentum[up] += body.mass * vy;
        let inertia = body.mass * gyration(kind, body.shape);
        let turning = body.mass * (x * vy - y * vx) + inertia * spin;
        // A turn counter-clockwise with x to the right and z up is one against y.
        if kind == Kind::Spatial {
            frame.quantities.angular_momentum[1] -= turning;
        } else {
            frame.quantities.angular_momentum[2] += turning;
        }
        frame.quantities.kinetic += 0.5 * body.mass * (vx * vx + vy * vy) + 0.5 * inertia * spin * spin;
    }
    frame
}

/// The square of the radius of gyration.
fn gyration(kind: Kind, shape: Shape) -> f64 {
    match shape {
        Shape::Ball(radius) => (if kind == Kind::Spatial { 0.4 } else { 0.5 }) * radius * radius,
        Shape::Box([a, b]) | Shape::Bar([a, b]) => (a * a + b * b) / 3.0,
        Shape::Wall(_) | Shape::HalfPlane(_) => 0.0,
    }
}
