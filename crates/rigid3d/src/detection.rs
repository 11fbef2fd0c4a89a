//! Which bodies touch, and where.
//!
//! Boxes find pairs that may touch; the shapes find where they do. The result never depends on how
//! pairs were found: contacts come in rising order of the two bodies, and within a pair in the
//! order of features.

mod contact;
mod kept;
mod ways;

pub use carom_geometry::space::broad_phase::{self, Bounds, PairFinder};
pub use carom_geometry::space::{ContactKind, Feature};
pub use contact::{Approach, SpatialContact};

use crate::bodies::{Bodies, Pose};
use crate::model::Model;
use crate::shape::Shape;
use crate::state::BodyState;
use carom_geometry::space::sweep::{Meetings, Shapes};
use carom_geometry::space::{Ball, Manifold, Narrow, Nearness, PlacedPolyhedron, Solid};
use carom_stepping::{Pair, Path, Surfaces, Sweep};
use glam::DVec3;
use kept::KeptPairs;
use ways::Ways;

/// Boxes are larger than what they hold by this part of its extent, so that rounding never hides a
/// pair.
const BOX_ROOM: f64 = 1e-9;

/// How far ahead of a body others still count.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SpeculativeMargin {
    /// Where its centre goes: only the difference of the two bodies of a pair counts.
    pub motion: DVec3,
    /// Room on all sides.
    pub room: f64,
}

impl SpeculativeMargin {
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
    /// Pairs of swept boxes.
    kept: KeptPairs,
    pairs: Vec<(u32, u32)>,
    narrow: Narrow,
    found: Manifold,
    meetings: Meetings,
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
            kept: KeptPairs::default(),
            pairs: Vec::new(),
            ..Self::default()
        }
    }

    /// Greatest distance of a point of a body from its centre.
    pub(crate) fn extent(&self, body: usize) -> f64 {
        self.bodies[body].extent
    }

    /// Replaces `contacts` by all contacts at a state: gaps of up to `touching` times the smaller
    /// extent. Pairs of which no body is free are left out. `reaches`, if not empty, holds for each
    /// body how far from its surface others still count.
    pub fn detect(
        &mut self,
        model: &Model,
        states: &[BodyState],
        touching: f64,
        reaches: &[SpeculativeMargin],
        contacts: &mut Vec<SpatialContact>,
    ) {
        contacts.clear();
        let reach = |k: usize| reaches.get(k).copied().unwrap_or_default();
        self.place(model, states);
        for (k, known) in self.bodies.iter().enumerate() {
            if known.extent.is_finite() {
                let SpeculativeMargin { motion, room } = reach(k);
                self.boxes[k] =
                    self.boxes[k].grown(motion.length() + room + (touching + BOX_ROOM) * known.extent);
            }
        }
        self.find_pairs(states, reaches);
        let mut narrow = std::mem::take(&mut self.narrow);
        let mut found = std::mem::take(&mut self.found);
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
            let near = Nearness { limit, tolerance, extent };
            found.points.clear();
            narrow.pair([a, b].map(|k| self.solid(k, model, states)), near, &mut found);
            take_over(([i, j], centers), &near, &found, contacts);
        }
        (self.narrow, self.found) = (narrow, found);
    }

    /// Places all bodies and lists the pairs of which one can move and whose swept boxes meet.
    /// False where there are more than `most`.
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
        if !self.kept.find_at_most(&self.boxes, most, &mut self.pairs) {
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
        contacts: &mut Vec<SpatialContact>,
    ) {
        let mut narrow = std::mem::take(&mut self.narrow);
        let mut found = std::mem::take(&mut self.found);
        let near = self.nearness(pair, (tolerance, margin));
        found.points.clear();
        narrow.pair(pair.map(|k| self.solid(k as usize, model, states)), near, &mut found);
        let centers = pair.map(|k| states[k as usize].position);
        take_over((pair, centers), &near, &found, contacts);
        (self.narrow, self.found) = (narrow, found);
    }

    /// Adds the contacts of a pair at given poses.
    pub(crate) fn manifold(
        &mut self,
        model: &Model,
        pair: Pair,
        poses: [Pose; 2],
        (tolerance, margin): (f64, f64),
        contacts: &mut Vec<SpatialContact>,
    ) {
        let near = self.nearness(pair, (tolerance, margin));
        let shapes = pair.map(|k| &model.bodies[k as usize].shape);
        self.found.points.clear();
        self.narrow.pair_at(shapes, poses.map(|pose| pose.placed()), near, &mut self.found);
        take_over((pair, poses.map(|pose| pose.position)), &near, &self.found, contacts);
    }

    /// The first time in (0, `span`] at which parts of two bodies that do not touch now come to
    /// touch, within a tolerance.
    pub(crate) fn first_meeting(
        &mut self,
        bodies: &Bodies,
        pair: Pair,
        paths: [Path<Pose>; 2],
        tolerance: f64,
        span: f64,
    ) -> Option<f64> {
        let shapes = Shapes {
            shapes: pair.map(|k| &bodies.model.bodies[k as usize].shape),
            extents: pair.map(|k| self.bodies[k as usize].extent),
            thicknesses: pair.map(|k| self.bodies[k as usize].thickness),
        };
        self.meetings.first_meeting(shapes, Ways { bodies, pair, paths }, tolerance, span)
    }

    fn nearness(&self, pair: Pair, (touching, margin): (f64, f64)) -> Nearness {
        let extent = self.extent(pair[0] as usize).min(self.extent(pair[1] as usize));
        let tolerance = touching * extent;
        Nearness { limit: tolerance + margin, tolerance, extent }
    }

    /// Bounds what [`Detector::detect`] looks at, and so its memory. Where there is more it gives
    /// up.
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
    fn find_pairs(&mut self, states: &[BodyState], reaches: &[SpeculativeMargin]) {
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
                if self.bodies[k].free && bounds.height_above(states[h as usize].position, normal) <= ahead {
                    let k = k as u32;
                    self.pairs.push((h.min(k), h.max(k)));
                }
            }
        }
        if !self.half_spaces.is_empty() {
            self.pairs.sort_unstable();
        }
    }

    fn solid<'a>(&'a self, k: usize, model: &'a Model, states: &[BodyState]) -> Solid<'a> {
        let known = &self.bodies[k];
        let position = states[k].position;
        match &model.bodies[k].shape {
            Shape::Sphere { radius } => Solid::Ball(Ball { center: position, radius: *radius }),
            Shape::HalfSpace { .. } => {
                Solid::HalfSpace { through: position, normal: self.normals[known.normals.start] }
            }
            Shape::Polyhedron(shape) => Solid::Polyhedron(PlacedPolyhedron {
                shape,
                vertices: &self.vertices[known.vertices.clone()],
                normals: &self.normals[known.normals.clone()],
                center: position,
            }),
        }
    }
}

/// Adds the points of a manifold as contacts of a pair of bodies with these centres.
fn take_over(
    (pair, centers): (Pair, [DVec3; 2]),
    near: &Nearness,
    found: &Manifold,
    contacts: &mut Vec<SpatialContact>,
) {
    contacts.extend(found.points.iter().map(|point| SpatialContact::of(pair, centers, point, near)));
}
