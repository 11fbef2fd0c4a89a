//! Which bodies touch, and where.
//!
//! Boxes find pairs that may touch; vertices against edges find where they do. The result never depends on how pairs were
//! found: contacts come in rising order of the two bodies, and within a pair in a fixed order.

mod contact;
mod course_set;
mod meeting;
mod narrow;
mod vertex_edge;

pub use contact::{Contact, Depth, Feature};

use crate::model::{BodyIndex, Model, Shape};
use crate::rotation::Rotation;
use crate::script::Pose;
use crate::settings::{CONTACT_TOLERANCE, Settings};
use crate::state::BodyState;
use carom_geometry::broad_phase::{Aabb, BroadPhase, Candidates};
use carom_stepping::{Pair, Surfaces, Sweep};
use glam::DVec2;
use narrow::{Narrow, Nearness, Placement};

/// Boxes are larger than what they hold by this part, so that rounding never hides a pair.
const BOX_ROOM: f64 = 1e-9;

/// What counts as a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// The course's rule to the letter: strictly nearer than the sum of the radii; its order, its duplicates rule; no
    /// normal where a vertex lies on an edge. Only for outlines: discs follow our rule.
    pub course: bool,
    /// Bodies touch when their gap is at most this fraction of the smaller one's extent. Not used by the course's rule.
    pub touching: f64,
}

impl Rules {
    /// The rules of a world's settings.
    pub fn of(settings: &Settings) -> Self {
        let touching = settings.contact.map_or(CONTACT_TOLERANCE, |contact| contact.contact_tolerance);
        Self { course: settings.course, touching }
    }
}

/// Finds contacts; keeps its memory from step to step.
#[derive(Debug, Clone)]
pub struct Detector {
    /// Pairs that [`Detector::detect`] looks at; all when absent.
    most_pairs: Option<usize>,
    /// Whether the last look met more, and so gave up.
    pub(crate) gave_up: bool,
    /// Who touches whom.
    pub(crate) surfaces: Surfaces,
    bodies: Vec<Known>,
    vertices: Vec<DVec2>,
    rotations: Vec<Rotation>,
    cores: Vec<Aabb>,
    boxes: Vec<Aabb>,
    broad_phase: BroadPhase,
    candidates: Candidates,
    narrow: Narrow,
    /// Vertices of two bodies elsewhere.
    placed: [Vec<DVec2>; 2],
}

/// What of a body does not change.
#[derive(Debug, Clone)]
struct Known {
    start: usize,
    count: usize,
    is_disc: bool,
    solid: bool,
    free: bool,
    radius: f64,
    extent: f64,
}

impl Detector {
    /// A detector for the bodies of a model.
    pub fn new(model: &Model) -> Self {
        let mut start = 0;
        let bodies: Vec<_> = model
            .bodies
            .iter()
            .map(|body| {
                let (count, is_disc, solid) = match &body.shape {
                    Shape::Polygon(outline) => (outline.vertices.len(), false, outline.solid),
                    Shape::Disc { .. } => (1, true, false),
                };
                let (radius, extent, free) = (body.radius(), body.extent(), body.motion.is_free());
                start += count;
                Known { start: start - count, count, is_disc, solid, free, radius, extent }
            })
            .collect();
        let nowhere = box_of(&[]);
        Self {
            vertices: vec![DVec2::ZERO; start],
            rotations: vec![Rotation { cos: 1.0, sin: 0.0 }; bodies.len()],
            cores: vec![nowhere; bodies.len()],
            boxes: vec![nowhere; bodies.len()],
            broad_phase: BroadPhase::default(),
            candidates: Candidates::default(),
            narrow: Narrow::default(),
            placed: Default::default(),
            surfaces: Surfaces::default(),
            bodies,
            most_pairs: None,
            gave_up: false,
        }
    }

    /// Greatest distance of a point of a body from its centre.
    pub(crate) fn extent(&self, body: usize) -> f64 {
        self.bodies[body].extent
    }

    /// Bounds what [`Detector::detect`] looks at, and so its memory. Where there is more it gives up.
    pub(crate) fn limited(self, most_pairs: usize) -> Self {
        Self { most_pairs: Some(most_pairs), ..self }
    }

    /// Replaces `contacts` by all contacts at a state. Pairs of which no body is free are left out: nothing can be done
    /// about them. `margins`, if not empty, holds for each body how far from its surface others still count. Returns how deep they are.
    pub fn detect(
        &mut self,
        model: &Model,
        states: &[BodyState],
        rules: Rules,
        margins: &[f64],
        contacts: &mut Vec<Contact>,
    ) -> Depth {
        contacts.clear();
        let mut depth = Depth::default();
        self.place(model, states);
        let margin = |k: usize| margins.get(k).copied().unwrap_or(0.0);
        for (k, known) in self.bodies.iter().enumerate() {
            let touching = if rules.course { 0.0 } else { rules.touching * known.extent };
            self.boxes[k] = self.cores[k].grown((known.radius + margin(k)) * (1.0 + BOX_ROOM) + touching);
        }
        let most = self.most_pairs.unwrap_or(usize::MAX);
        self.gave_up = !self.broad_phase.find_at_most(&self.boxes, &[], most, &mut self.candidates);
        let mut narrow = std::mem::take(&mut self.narrow);
        for (i, j) in self.candidates.discs.iter().map(|(i, j)| (i as usize, j as usize)) {
            let (a, b) = (&self.bodies[i], &self.bodies[j]);
            if !a.free && !b.free || !self.surfaces.meet([i as u32, j as u32]) {
                continue;
            }
            let near = Nearness {
                course: rules.course && !a.is_disc && !b.is_disc,
                touching: if rules.course { 0.0 } else { rules.touching },
                margin: margin(i) + margin(j),
            };
            let known = contacts.len();
            narrow.pair(self.placement(i, states), self.placement(j, states), near, contacts);
            depth = depth.and(&contacts[known..]);
        }
        self.narrow = narrow;
        depth
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
            let [x, y, _] = sweep.displacement;
            let (core, way) = (self.cores[k], DVec2::new(x, y));
            let moved = Aabb { min: core.min + way, max: core.max + way };
            let room = (known.radius + sweep.room) * (1.0 + BOX_ROOM) + tolerance * known.extent;
            self.boxes[k] = core.union(&moved).grown(room);
        }
        if !self.broad_phase.find_at_most(&self.boxes, &[], most, &mut self.candidates) {
            return false;
        }
        let bodies = &self.bodies;
        let movable = |&(i, j): &(u32, u32)| bodies[i as usize].free || bodies[j as usize].free;
        let surfaces = &self.surfaces;
        let touching = self.candidates.discs.iter().filter(movable).map(|(i, j)| [i, j]);
        pairs.extend(touching.filter(|&pair| surfaces.meet(pair)));
        true
    }

    /// Adds the contacts of a pair where bodies were placed last.
    pub(crate) fn near(
        &mut self,
        states: &[BodyState],
        [i, j]: Pair,
        (touching, margin): (f64, f64),
        contacts: &mut Vec<Contact>,
    ) {
        let mut narrow = std::mem::take(&mut self.narrow);
        let near = Nearness { course: false, touching, margin };
        let (a, b) = (self.placement(i as usize, states), self.placement(j as usize, states));
        narrow.pair(a, b, near, contacts);
        self.narrow = narrow;
    }

    /// Adds the contacts of a pair at given poses.
    pub(crate) fn manifold(
        &mut self,
        model: &Model,
        pair: Pair,
        poses: [Pose; 2],
        (touching, margin): (f64, f64),
        contacts: &mut Vec<Contact>,
    ) {
        let mut narrow = std::mem::take(&mut self.narrow);
        let mut placed = std::mem::take(&mut self.placed);
        let near = Nearness { course: false, touching, margin };
        let [a, b] = [0, 1].map(|side| {
            let (k, pose, vertices) = (pair[side] as usize, &poses[side], &mut placed[side]);
            let known = &self.bodies[k];
            vertices.clear();
            let rotation = match &model.bodies[k].shape {
                Shape::Disc { .. } => {
                    vertices.push(pose.position);
                    self.rotations[k]
                }
                Shape::Polygon(outline) => {
                    let rotation = Rotation::by(pose.angle);
                    let turned = outline.vertices.iter().map(|&v| rotation.apply(v) + pose.position);
                    vertices.extend(turned);
                    rotation
                }
            };
            (known, rotation)
        });
        let [a, b] = [(0, a), (1, b)].map(|(side, (known, rotation))| Placement {
            index: BodyIndex(pair[side]),
            vertices: &placed[side],
            is_disc: known.is_disc,
            solid: known.solid,
            radius: known.radius,
            extent: known.extent,
            center: poses[side].position,
            rotation,
            core: box_of(&placed[side]),
        });
        narrow.pair(a, b, near, contacts);
        self.narrow = narrow;
        self.placed = placed;
    }

    /// World vertices, rotations and boxes of all bodies.
    fn place(&mut self, model: &Model, states: &[BodyState]) {
        for (k, ((body, state), known)) in model.bodies.iter().zip(states).zip(&self.bodies).enumerate() {
            let world = &mut self.vertices[known.start..known.start + known.count];
            match &body.shape {
                Shape::Disc { .. } => world[0] = state.position,
                Shape::Polygon(outline) => {
                    let rotation = Rotation::by(state.angle);
                    for (to, from) in world.iter_mut().zip(&outline.vertices) {
                        *to = rotation.apply(*from) + state.position;
                    }
                    self.rotations[k] = rotation;
                }
            }
            self.cores[k] = box_of(world);
        }
    }

    fn placement(&self, k: usize, states: &[BodyState]) -> Placement<'_> {
        let known = &self.bodies[k];
        Placement {
            index: BodyIndex(k as u32),
            vertices: &self.vertices[known.start..known.start + known.count],
            is_disc: known.is_disc,
            solid: known.solid,
            radius: known.radius,
            extent: known.extent,
            center: states[k].position,
            rotation: self.rotations[k],
            core: self.cores[k],
        }
    }
}

fn box_of(points: &[DVec2]) -> Aabb {
    let empty = Aabb { min: DVec2::INFINITY, max: DVec2::NEG_INFINITY };
    points.iter().fold(empty, |b, &p| Aabb { min: b.min.min(p), max: b.max.max(p) })
}
