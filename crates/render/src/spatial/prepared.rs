//! Solids as the camera sees them: faces and spheres in the picture, planes over all of it.

use glam::{DMat3, DVec3};

use super::light::Linear;
use super::mesh::{Mesh, MeshFace};
use super::{Camera, Form, Solid, Stage};

/// What can be met in the picture.
#[derive(Debug)]
pub(super) enum Primitive {
    Face(Face),
    Ball(Ball),
    Plane(Plane),
}

/// A face towards the camera.
#[derive(Debug)]
pub(super) struct Face {
    /// Corners in pixels.
    pub(super) points: Vec<[f64; 2]>,
    /// Whether each edge is seen as a line.
    pub(super) creases: Vec<bool>,
    /// Inverse depth over the picture.
    pub(super) inverse: [f64; 3],
    /// In world axes.
    pub(super) normal: DVec3,
    pub(super) color: Linear,
}

/// A sphere in front of the camera.
#[derive(Debug)]
pub(super) struct Ball {
    /// In camera axes.
    pub(super) center: DVec3,
    pub(super) radius: f64,
    /// Left, top, right and bottom in pixels.
    pub(super) frame: [f64; 4],
    /// World to body axes.
    pub(super) turn: DMat3,
    pub(super) color: Linear,
}

/// A half-space whose front is turned to the camera.
#[derive(Debug)]
pub(super) struct Plane {
    pub(super) inverse: [f64; 3],
    /// In world axes.
    pub(super) normal: DVec3,
    pub(super) color: Linear,
}

/// All primitives of a stage.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) primitives: Vec<Primitive>,
    /// Solids of which something may be in the picture.
    pub(super) in_sight: Vec<bool>,
}

impl Prepared {
    pub(super) fn new(stage: &Stage) -> Prepared {
        let mut primitives = Vec::new();
        let mut in_sight = Vec::with_capacity(stage.solids.len());
        for solid in &stage.solids {
            let before = primitives.len();
            if solid.is_finite() {
                add(&mut primitives, solid, &stage.camera);
            }
            in_sight.push(primitives.len() > before);
        }
        Prepared { primitives, in_sight }
    }
}

fn add(primitives: &mut Vec<Primitive>, solid: &Solid, camera: &Camera) {
    let color = Linear::surface(solid.color);
    match &solid.form {
        Form::Sphere { radius } => {
            let center = camera.local(solid.position);
            if let Some(frame) = frame_of(camera, center, *radius) {
                let turn = DMat3::from_quat(solid.orientation).transpose();
                primitives.push(Primitive::Ball(Ball { center, radius: *radius, frame, turn, color }));
            }
        }
        Form::Mesh(mesh) => add_faces(primitives, mesh, solid, camera),
        Form::HalfSpace { normal } => {
            let normal = solid.orientation * *normal;
            let local = camera.turned(normal);
            let offset = local.dot(camera.local(solid.position));
            // The eye is at the origin: a negative offset means that it is in front of the plane.
            if offset < 0.0 {
                let inverse = camera.inverse_depth(local, offset);
                primitives.push(Primitive::Plane(Plane { inverse, normal, color }));
            }
        }
    }
}

fn add_faces(primitives: &mut Vec<Primitive>, mesh: &Mesh, solid: &Solid, camera: &Camera) {
    let middle = camera.local(solid.position);
    if frame_of(camera, middle, mesh.reach()).is_none_or(|frame| outside(camera, frame)) {
        return;
    }
    let rotation = DMat3::from_quat(solid.orientation);
    let corners: Vec<DVec3> =
        mesh.corners().iter().map(|c| camera.local(solid.position + rotation * *c)).collect();
    let color = Linear::surface(solid.color);
    for face in mesh.faces() {
        let normal = rotation * face.normal;
        let local = camera.turned(normal);
        let offset = face.corners.first().map_or(0.0, |&corner| local.dot(corners[corner]));
        if offset >= 0.0 {
            continue;
        }
        let (points, creases) = seen(face, &corners, camera);
        if points.len() >= 3 {
            let inverse = camera.inverse_depth(local, offset);
            primitives.push(Primitive::Face(Face { points, creases, inverse, normal, color }));
        }
    }
}

/// A face in the picture, cut at the nearest depth that is drawn (Sutherland and Hodgman 1974).
fn seen(face: &MeshFace, corners: &[DVec3], camera: &Camera) -> (Vec<[f64; 2]>, Vec<bool>) {
    let near = camera.near();
    let count = face.corners.len();
    let mut points = Vec::with_capacity(count + 1);
    let mut creases = Vec::with_capacity(count + 1);
    for at in 0..count {
        let (a, b) = (corners[face.corners[at]], corners[face.corners[(at + 1) % count]]);
        let (ahead_a, ahead_b) = (-a.z - near, -b.z - near);
        if ahead_a > 0.0 {
            points.push(camera.place(a));
            creases.push(face.creases[at]);
        }
        if (ahead_a > 0.0) != (ahead_b > 0.0) {
            let cut = a + (b - a) * (ahead_a / (ahead_a - ahead_b));
            points.push(camera.place(DVec3::new(cut.x, cut.y, -near)));
            // From here the border runs along the cut, or along the edge that comes back.
            creases.push(ahead_a <= 0.0 && face.creases[at]);
        }
    }
    (points, creases)
}

/// The box around a sphere's picture; absent when it is behind the camera or around it.
///
/// Seen from above, the tangents from the eye to the circle of radius r at (c, d) have slopes (c d
/// ± r √(c² + d² − r²)) / (d² − r²).
fn frame_of(camera: &Camera, center: DVec3, radius: f64) -> Option<[f64; 4]> {
    let depth = -center.z;
    let [w, h] = camera.size().map(f64::from);
    if depth + radius <= camera.near() || center.length_squared() <= radius * radius {
        return (depth + radius > camera.near()).then_some([0.0, 0.0, w, h]);
    }
    if depth - radius <= camera.near() {
        return Some([0.0, 0.0, w, h]);
    }
    let slopes = |c: f64| {
        let root = radius * (c * c + depth * depth - radius * radius).max(0.0).sqrt();
        let below = depth * depth - radius * radius;
        [(c * depth - root) / below, (c * depth + root) / below]
    };
    let ([x0, x1], [y0, y1], f) = (slopes(center.x), slopes(center.y), camera.focal());
    Some([0.5 * w + f * x0, 0.5 * h - f * y1, 0.5 * w + f * x1, 0.5 * h - f * y0])
}

fn outside(camera: &Camera, [left, top, right, bottom]: [f64; 4]) -> bool {
    let [w, h] = camera.size().map(f64::from);
    right < 0.0 || bottom < 0.0 || left > w || top > h
}

impl Primitive {
    /// First and last row of pixels that it can cover.
    pub(super) fn rows(&self) -> [f64; 2] {
        match self {
            Primitive::Face(face) => face
                .points
                .iter()
                .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], p| [low.min(p[1]), high.max(p[1])]),
            Primitive::Ball(ball) => [ball.frame[1], ball.frame[3]],
            Primitive::Plane(_) => [f64::NEG_INFINITY, f64::INFINITY],
        }
    }
}

impl Ball {
    /// Depth at which a ray of unit depth meets it from outside.
    pub(super) fn depth(&self, ray: DVec3) -> Option<f64> {
        let (a, b) = (ray.length_squared(), ray.dot(self.center));
        let c = self.center.length_squared() - self.radius * self.radius;
        let discriminant = b * b - a * c;
        if discriminant < 0.0 || c <= 0.0 || b <= 0.0 {
            return None;
        }
        // The nearer root, without cancellation.
        Some(c / (b + discriminant.sqrt()))
    }
}
