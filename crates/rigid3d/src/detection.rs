//! Which bodies touch, and where.
//!
//! Boxes find pairs that may touch; the shapes find where they do. The result never depends on how pairs were found: contacts come
//! in rising order of the two bodies, and within a pair in the order of features.

mod balls;
pub mod broad_phase;
mod clipping;
mod contact;
mod meeting;
mod placement;
mod polyhedra;

pub use broad_phase::{Bounds, PairFinder};
pub use contact::{Approach, Contact, ContactKind, Feature};

use crate::bodies::Pose;
use crate::model::{BodyIndex, Model};
use crate::shape::Shape;
use crate::state::BodyState;
use balls::Ball;
use carom_stepping::{Pair, Surfaces, Sweep};
use clipping::Clipping;
use glam::DVec3;
use placement::{Nearness, Placed, Placement, Solid};

/// Boxes are larger than what they hold by this part of its extent, so that rounding never hides a pair.
const BOX_ROOM: f64 = 1e-9;

/// How far ahead of a body others still count.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Reach {
    /// Where its centre goes: only the difference of the two bodies of a pair counts.
    pub motion: DVec3,
    /// Room on all sides.
    pub room: f64,
}

impl Reach {
    /// Room on all sides of a body that goes nowhere.
    pub fn within(room: f64) -> Self {
        Self { motion: DVec3::ZERO, room }
    }
}

/// Finds contacts; keeps its memory from step to step.
#[derive(Debug, Clone, Default)]
pub struct Detector {
    /// Pairs that [`Detector::detect`] looks at; all when absent.
    most_pairs: Option<usize>,
    /// Whether the last look met more, and so gave up.
    pub(crate) gave_up: bool,
    /// Who touches whom.
    pub(crate) surfaces: Surfaces,
    bodies: Vec<Known>,
    half_spaces: Vec<u32>,
    vertices: Vec<DVec3>,
    normals: Vec<DVec3>,
    boxes: Vec<Bounds>,
    broad_phase: PairFinder,
    pairs: Vec<(u32, u32)>,
    clipping: Clipping,
    /// Two bodies elsewhere: corners and normals of faces.
    placed: [(Vec<DVec3>, Vec<DVec3>); 2],
    /// Scratch of the search for meetings.
    resting: Vec<bool>,
    touching: Vec<[Feature; 2]>,
    found: Vec<Contact>,
    parabolas: [Vec<[f64; 4]>; 2],
}

/// What of a body does not change.
#[derive(Debug, Clone)]
struct Known {
    vertices: std::ops::Range<usize>,
    normals: std::ops::Range<usize>,
    free: bool,
    extent: f64,
    thickness: f64,
}

impl Detector {
    /// A detector for the bodies of a model.
    pub fn new(model: &Model) -> Self {
        let (mut vertex_count, mut normal_count) = (0, 0);
        let mut known = Vec::with_capacity(model.bodies.len());
        for body in &model.bodies {
            let (vertices, normals) = match &body.shape {
                Shape::Polyhedron(shape) => (shape.vertices().len(), shape.faces().len()),
                Shape::HalfSpace { .. } => (0, 1),
                Shape::Sphere { .. } => (0, 0),
            };
            known.push(Known {
                vertices: vertex_count..vertex_count + vertices,
                normals: normal_count..normal_count + normals,
                free: body.motion.is_free(),
                extent: body.shape.extent(),
                thickness: body.shape.thickness(),
            });
            vertex_count += vertices;
            normal_count += normals;
        }
        let half_spaces = (0..model.bodies.len() as u32)
            .filter(|&k| matches!(model.bodies[k as usize].shape, Shape::HalfSpace { .. }))
            .collect();
        Self {
            half_spaces,
            vertices: vec![DVec3::ZERO; vertex_count],
            normals: vec![DVec3::ZERO; normal_count],
            boxes: vec![Bounds::NOWHERE; known.len()],
            bodies: known,
            broad_phase: PairFinder::default(),
            pairs: Vec::new(),
            clipping: Clipping::default(),
            ..Self::default()
        }
    }

    /// Greatest distance of a point of a body from its centre.
    pub(crate) fn extent(&self, body: usize) -> f64 {
        self.bodies[body].extent
    }

    /// Least distance of a face of a body from what is opposite to it.
    fn thickness(&self, body: usize) -> f64 {
        self.bodies[body].thickness
    }

    /// Replaces `contacts` by all contacts at a state: gaps of up to `touching` times the smaller extent. Pairs of which no body is
    /// free are left out. `reaches`, if not empty, holds for each body how far from its surface others still count.
    pub fn detect(
        &mut self,
        model: &Model,
        states: &[BodyState],
        touching: f64,
        reaches: &[Reach],
        contacts: &mut Vec<Contact>,
    ) {
        contacts.clear();
        let reach = |k: usize| reaches.get(k).copied().unwrap_or_default();
        self.place(model, states);
        for (k, known) in self.bodies.iter().enumerate() {
            if known.extent.is_finite() {
                let Reach { motion, room } = reach(k);
                self.boxes[k] =
                    self.boxes[k].grown(motion.length() + room + (touching + BOX_ROOM) * known.extent);
            }
        }
        self.find_pairs(states, reaches);
        let mut clipping = std::mem::take(&mut self.clipping);
        for &(i, j) in &self.pairs {
            let (a, b) = (i as usize, j as usize);
            if !self.bodies[a].free && !self.bodies[b].free || !self.surfaces.meet([i, j]) {
                continue;
            }
            let extent = self.bodies[a].extent.min(self.bodies[b].extent);
            let tolerance = touching * extent;
            let (own, other) = (reach(a), reach(b));
            let limit = (own.motion - other.motion).length() + own.room + other.room + tolerance;
            let centers = [states[a].position, states[b].position];
            let near = Nearness { bodies: [BodyIndex(i), BodyIndex(j)], centers, limit, tolerance, extent };
            let pair = [a, b].map(|k| self.placement(k, model, states));
            narrow(pair, near, &mut clipping, contacts);
        }
        self.clipping = clipping;
    }

    /// Places all bodies and lists the pairs of which one can move and whose swept boxes meet. False where there
    /// are more than `most`.
    pub(crate) fn pairs(
        &mut self,
        model: &Model,
        states: &[BodyState],
        (sweeps, tolerance): (&[Sweep], f64),
        most: usize,
        pairs: &mut Vec<Pair>,
    ) -> bool {
        pairs.clear();
        self.place(model, states);
        for (k, (known, sweep)) in self.bodies.iter().zip(sweeps).enumerate() {
            if known.extent.is_finite() {
                let (own, way) = (self.boxes[k], DVec3::from_array(sweep.displacement));
                let moved = Bounds { low: own.low.min(own.low + way), high: own.high.max(own.high + way) };
                self.boxes[k] = moved.grown(sweep.room + (tolerance + BOX_ROOM) * known.extent);
            }
        }
        if !self.broad_phase.find_at_most(&self.boxes, most, &mut self.pairs) {
            return false;
        }
        self.find_half_space_pairs(states, |h| {
            let sweep = &sweeps[h];
            DVec3::from_array(sweep.displacement).length() + sweep.room
        });
        let bodies = &self.bodies;
        let movable = |&&(i, j): &&(u32, u32)| bodies[i as usize].free || bodies[j as usize].free;
        let surfaces = &self.surfaces;
        let touching = self.pairs.iter().filter(movable).map(|&(i, j)| [i, j]);
        pairs.extend(touching.filter(|&pair| surfaces.meet(pair)));
        true
    }

    /// Adds the contacts of a pair where bodies were placed last.
    pub(crate) fn near(
        &mut self,
        model: &Model,
        states: &[BodyState],
        pair: Pair,
        (tolerance, margin): (f64, f64),
        contacts: &mut Vec<Contact>,
    ) {
        let mut clipping = std::mem::take(&mut self.clipping);
        let near = self.nearness(pair, pair.map(|k| states[k as usize].position), (tolerance, margin));
        let placed = pair.map(|k| self.placement(k as usize, model, states));
        narrow(placed, near, &mut clipping, contacts);
        self.clipping = clipping;
    }

    /// Adds the contacts of a pair at given poses.
    pub(crate) fn manifold(
        &mut self,
        model: &Model,
        pair: Pair,
        poses: [Pose; 2],
        (tolerance, margin): (f64, f64),
        contacts: &mut Vec<Contact>,
    ) {
        let near = self.nearness(pair, poses.map(|pose| pose.position), (tolerance, margin));
        self.narrow_at(model, (pair, poses), near, contacts);
    }

    /// The same with gaps up to a limit, whatever counts as closed.
    fn manifold_within(
        &mut self,
        model: &Model,
        pair: Pair,
        poses: [Pose; 2],
        limit: f64,
        contacts: &mut Vec<Contact>,
    ) {
        let near = self.nearness(pair, poses.map(|pose| pose.position), (0.0, limit));
        self.narrow_at(model, (pair, poses), near, contacts);
    }

    fn nearness(&self, pair: Pair, centers: [DVec3; 2], (touching, margin): (f64, f64)) -> Nearness {
        let extent = self.extent(pair[0] as usize).min(self.extent(pair[1] as usize));
        let tolerance = touching * extent;
        Nearness { bodies: pair.map(BodyIndex), centers, limit: tolerance + margin, tolerance, extent }
    }

    fn narrow_at(
        &mut self,
        model: &Model,
        (pair, poses): (Pair, [Pose; 2]),
        near: Nearness,
        contacts: &mut Vec<Contact>,
    ) {
        let mut placed = std::mem::take(&mut self.placed);
        let mut clipping = std::mem::take(&mut self.clipping);
        let solids = self.place_two(model, pair, poses, &mut placed);
        let [a, b] = [0, 1].map(|side| {
            let (pose, shape) = (&poses[side], &model.bodies[pair[side] as usize].shape);
            let solid = match (shape, solids[side]) {
                (_, Some(placed)) => Solid::Polyhedron(placed),
                (Shape::Sphere { radius }, _) => Solid::Ball { radius: *radius },
                (Shape::HalfSpace { normal }, _) => {
                    Solid::HalfSpace { normal: pose.orientation.matrix() * *normal }
                }
                (Shape::Polyhedron(_), None) => Solid::Ball { radius: 0.0 },
            };
            Placement { index: BodyIndex(pair[side]), position: pose.position, solid }
        });
        narrow([a, b], near, &mut clipping, contacts);
        self.clipping = clipping;
        self.placed = placed;
    }

    /// Two bodies at given poses, where they are polyhedra.
    fn place_two<'a>(
        &self,
        model: &'a Model,
        pair: Pair,
        poses: [Pose; 2],
        placed: &'a mut [(Vec<DVec3>, Vec<DVec3>); 2],
    ) -> [Option<Placed<'a>>; 2] {
        for side in 0..2 {
            let (vertices, normals) = &mut placed[side];
            vertices.clear();
            normals.clear();
            if let Shape::Polyhedron(shape) = &model.bodies[pair[side] as usize].shape {
                let (turn, at) = (poses[side].orientation.matrix(), poses[side].position);
                vertices.extend(shape.vertices().iter().map(|&v| turn * v + at));
                normals.extend(shape.faces().iter().map(|face| turn * face.normal));
            }
        }
        [0, 1].map(|side| match &model.bodies[pair[side] as usize].shape {
            Shape::Polyhedron(shape) => Some(Placed {
                shape,
                vertices: &placed[side].0,
                normals: &placed[side].1,
                center: poses[side].position,
            }),
            _ => None,
        })
    }

    /// Bounds what [`Detector::detect`] looks at, and so its memory. Where there is more it gives up.
    pub(crate) fn limited(self, most_pairs: usize) -> Self {
        Self { most_pairs: Some(most_pairs), ..self }
    }

    /// World corners, normals and boxes of all bodies.
    fn place(&mut self, model: &Model, states: &[BodyState]) {
        for (k, (body, state)) in model.bodies.iter().zip(states).enumerate() {
            let known = &self.bodies[k];
            match &body.shape {
                Shape::Sphere { radius } => {
                    self.boxes[k] = Bounds::around(&[state.position]).grown(*radius);
                }
                Shape::HalfSpace { normal } => {
                    self.normals[known.normals.start] = state.orientation.matrix() * *normal;
                }
                Shape::Polyhedron(shape) => {
                    let rotation = state.orientation.matrix();
                    let world = &mut self.vertices[known.vertices.clone()];
                    for (to, from) in world.iter_mut().zip(shape.vertices()) {
                        *to = rotation * *from + state.position;
                    }
                    for (to, face) in self.normals[known.normals.clone()].iter_mut().zip(shape.faces()) {
                        *to = rotation * face.normal;
                    }
                    self.boxes[k] = Bounds::around(world);
                }
            }
        }
    }

    /// Overlapping boxes, and boxes that reach into a half-space.
    fn find_pairs(&mut self, states: &[BodyState], reaches: &[Reach]) {
        let most = self.most_pairs.unwrap_or(usize::MAX);
        self.gave_up = !self.broad_phase.find_at_most(&self.boxes, most, &mut self.pairs);
        self.find_half_space_pairs(states, |h| {
            let own = reaches.get(h).copied().unwrap_or_default();
            own.motion.length() + own.room
        });
    }

    /// Adds boxes that reach into a half-space, which itself comes `ahead` that far.
    fn find_half_space_pairs(&mut self, states: &[BodyState], ahead: impl Fn(usize) -> f64) {
        for &h in &self.half_spaces {
            let normal = self.normals[self.bodies[h as usize].normals.start];
            let ahead = ahead(h as usize);
            for (k, bounds) in self.boxes.iter().enumerate() {
                // The corner of the box that is farthest down.
                let lowest = DVec3::select(normal.cmpgt(DVec3::ZERO), bounds.low, bounds.high);
                if self.bodies[k].free && normal.dot(lowest - states[h as usize].position) <= ahead {
                    let k = k as u32;
                    self.pairs.push((h.min(k), h.max(k)));
                }
            }
        }
        if !self.half_spaces.is_empty() {
            self.pairs.sort_unstable();
        }
    }

    fn placement<'a>(&'a self, k: usize, model: &'a Model, states: &[BodyState]) -> Placement<'a> {
        let known = &self.bodies[k];
        let position = states[k].position;
        let solid = match &model.bodies[k].shape {
            Shape::Sphere { radius } => Solid::Ball { radius: *radius },
            Shape::HalfSpace { .. } => Solid::HalfSpace { normal: self.normals[known.normals.start] },
            Shape::Polyhedron(shape) => Solid::Polyhedron(Placed {
                shape,
                vertices: &self.vertices[known.vertices.clone()],
                normals: &self.normals[known.normals.clone()],
                center: position,
            }),
        };
        Placement { index: BodyIndex(k as u32), position, solid }
    }
}

/// Adds the contacts of a pair.
fn narrow([a, b]: [Placement<'_>; 2], near: Nearness, clipping: &mut Clipping, contacts: &mut Vec<Contact>) {
    let ball = |placement: &Placement<'_>, radius: f64| Ball { center: placement.position, radius };
    match (&a.solid, &b.solid) {
        (Solid::Ball { radius: first }, Solid::Ball { radius: second }) => {
            balls::ball_ball(ball(&a, *first), ball(&b, *second), &near, contacts);
        }
        (Solid::HalfSpace { normal }, Solid::Ball { radius }) => {
            balls::half_space_ball((a.position, *normal), ball(&b, *radius), &near, contacts);
        }
        (Solid::HalfSpace { normal }, Solid::Polyhedron(solid)) => {
            balls::half_space_corners((a.position, *normal), solid, &near, contacts);
        }
        (Solid::Polyhedron(solid), Solid::Ball { radius }) => {
            balls::polyhedron_ball(solid, ball(&b, *radius), &near, contacts);
        }
        (Solid::Polyhedron(first), Solid::Polyhedron(second)) => {
            polyhedra::pair(first, second, &near, clipping, contacts);
        }
        (Solid::HalfSpace { .. }, Solid::HalfSpace { .. }) => {}
        (Solid::Ball { .. } | Solid::Polyhedron(_), _) => {
            let start = contacts.len();
            let [own, other] = near.centers;
            let swapped = Nearness { bodies: [b.index, a.index], centers: [other, own], ..near };
            narrow([b, a], swapped, clipping, contacts);
            for contact in &mut contacts[start..] {
                *contact = contact.swapped();
            }
        }
    }
}
