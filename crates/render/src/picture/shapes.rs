//! Where the parts of a scene are in a frame: the geometry that views, bodies and marks share.

use carom_scene::description::rigid::{Anchor, RigidScene, Shape};
use carom_scene::{Scene, System};
use carom_trajectory::Frame;

use crate::display_list::Point;

/// Place of a particle or of the centre of a body; not a number when the frame does not hold it.
pub(crate) fn place_of(scene: &Scene, frame: &Frame, index: usize) -> [f64; 3] {
    let stride = super::family(scene).coordinates();
    let number = |offset: usize| frame.positions.get(index * stride + offset).copied().unwrap_or(f64::NAN);
    let height = if matches!(scene.system, System::SpatialBodies(_)) { number(2) } else { 0.0 };
    [number(0), number(1), height]
}

/// Place of a particle, in 2D.
fn flat_place(scene: &Scene, frame: &Frame, index: usize) -> Point {
    let [x, y, _] = place_of(scene, frame, index);
    [x, y]
}

/// Every place that a picture of the frame should hold, each with the distance around it that
/// belongs to it.
pub(crate) fn reach(scene: &Scene, frame: &Frame) -> Vec<(Point, f64)> {
    match &scene.system {
        System::Particles(particles) => {
            let radius = |index: usize| particles.particles[index].radius.max(0.0);
            let mut all: Vec<(Point, f64)> =
                (0..particles.particles.len()).map(|i| (flat_place(scene, frame, i), radius(i))).collect();
            for edge in &particles.edges {
                all.push((flat_place(scene, frame, edge.start), edge.radius.max(0.0)));
                all.push((flat_place(scene, frame, edge.end), edge.radius.max(0.0)));
            }
            all
        }
        System::RigidBodies(rigid) => {
            let mut all = Vec::new();
            for (index, body) in rigid.bodies.iter().enumerate() {
                let pose = Pose::of(rigid, frame, index);
                let around = |point: Point| (point, body.radius.max(0.0));
                match body.shape {
                    Shape::Disc { .. } => all.push(around(pose.place([0.0, 0.0]))),
                    Shape::HalfPlane { .. } => {}
                    _ => all.extend(outline(rigid, index, &pose).into_iter().map(around)),
                }
            }
            for spring in &rigid.springs {
                all.push((anchor(rigid, frame, &spring.start), 0.0));
                all.push((anchor(rigid, frame, &spring.end), 0.0));
            }
            all
        }
        // Spatial bodies are seen by a camera, which is fitted otherwise.
        System::SpatialBodies(_) => Vec::new(),
    }
}

/// Place and turn of a rigid body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pose {
    center: Point,
    sine: f64,
    cosine: f64,
}

impl Pose {
    /// The pose of a body in a frame; not a number when the frame does not hold it.
    pub(crate) fn of(scene: &RigidScene, frame: &Frame, body: usize) -> Pose {
        debug_assert!(body < scene.bodies.len(), "bodies come from the scene");
        let number = |offset: usize| frame.positions.get(3 * body + offset).copied().unwrap_or(f64::NAN);
        let angle = number(2);
        Pose { center: [number(0), number(1)], sine: libm::sin(angle), cosine: libm::cos(angle) }
    }

    /// Where a point given from the centre of mass in body axes is.
    pub(crate) fn place(&self, offset: Point) -> Point {
        [
            self.center[0] + self.cosine * offset[0] - self.sine * offset[1],
            self.center[1] + self.sine * offset[0] + self.cosine * offset[1],
        ]
    }
}

/// Corners of a planar body's polygon; a disc has none.
pub(crate) fn outline(scene: &RigidScene, body: usize, pose: &Pose) -> Vec<Point> {
    let center = scene.center_of_mass(body).unwrap_or([f64::NAN; 2]);
    let vertex = |index: usize| scene.vertices.get(index).map_or([f64::NAN; 2], |v| v.position);
    let corners = scene.bodies.get(body).map_or(&[][..], |body| body.outline());
    corners
        .iter()
        .map(|&index| {
            let at = vertex(index);
            pose.place([at[0] - center[0], at[1] - center[1]])
        })
        .collect()
}

/// Where an end of a spring is.
pub(crate) fn anchor(scene: &RigidScene, frame: &Frame, anchor: &Anchor) -> Point {
    match *anchor {
        Anchor::World(point) => point,
        Anchor::Body { body, offset } if body < scene.bodies.len() => {
            Pose::of(scene, frame, body).place(offset)
        }
        Anchor::Body { .. } => [f64::NAN; 2],
    }
}
