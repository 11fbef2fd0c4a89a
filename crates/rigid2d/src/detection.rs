//! Which bodies touch, and where.
//!
//! Boxes find pairs that may touch; vertices against edges find where they do. The result never
//! depends on how pairs were found: contacts come in rising order of the two bodies, and within a
//! pair in a fixed order.

mod contact;

pub use carom_geometry::plane::Feature;
pub use contact::{Depth, PlanarContact};

use crate::model::{Model, Shape};
use crate::rotation::Rotation;
use crate::script::Pose;
use crate::settings::{CONTACT_TOLERANCE, PlanarSettings};
use crate::state::BodyState;
use carom_geometry::plane::broad_phase::{Aabb, BroadPhase, Candidates, KeptCandidates};
use carom_geometry::plane::disc_disc::{Disc, discs};
use carom_geometry::plane::sweep::{self, Way};
use carom_geometry::plane::{BOX_ROOM, Manifold, Narrow, Nearness, Placed, box_of};
use carom_stepping::{Motion, Pair, Surfaces, Sweep};
use glam::DVec2;

/// What counts as a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// The course's rule to the letter: strictly nearer than the sum of the radii; its order, its
    /// duplicates rule; no normal where a vertex lies on an edge. Only for outlines: discs follow
    /// our rule.
    pub course: bool,
    /// Bodies touch when their gap is at most this fraction of the smaller one's extent. Not used
    /// by the course's rule.
    pub touching: f64,
}

impl Rules {
    /// The rules of a world's settings.
    pub fn of(settings: &PlanarSettings) -> Self {
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
    /// Candidates of swept boxes.
    kept: KeptCandidates,
    /// Swept boxes of the edges of hollow outlines, where their vertices are.
    edges: Vec<Aabb>,
    narrow: Narrow,
    found: Manifold,
    /// Vertices of two bodies elsewhere.
    placed: [Vec<DVec2>; 2],
}

/// What of a body does not change.
#[derive(Debug, Clone, Copy)]
struct Known {
    start: usize,
    count: usize,
    is_disc: bool,
    /// Normal of a half-plane in body axes.
    half_plane: Option<DVec2>,
    solid: bool,
    free: bool,
    radius: f64,
    extent: f64,
}

impl Known {
    /// Whether bodies may be inside: a bin holds much that is nowhere near its walls.
    fn is_hollow(&self) -> bool {
        !self.is_disc && !self.solid
    }

    /// The box of a part of the body on its way, with room for what touches it.
    fn swept(&self, core: Aabb, sweep: &Sweep, tolerance: f64) -> Aabb {
        let way = DVec2::new(sweep.displacement[0], sweep.displacement[1]);
        let moved = Aabb { min: core.min + way, max: core.max + way };
        let room = (self.radius + sweep.room) * (1.0 + BOX_ROOM) + tolerance * self.extent;
        core.union(&moved).grown(room)
    }
}

impl Detector {
    /// A detector for the bodies of a model.
    pub fn new(model: &Model) -> Self {
        let mut start = 0;
        let bodies: Vec<_> = model
            .bodies
            .iter()
            .map(|body| {
                let (count, is_disc, solid, half_plane) = match &body.shape {
                    Shape::Polygon(outline) => (outline.vertices.len(), false, outline.solid, None),
                    Shape::Disc { .. } => (1, true, false, None),
                    Shape::HalfPlane { normal } => (0, false, true, Some(*normal)),
                };
                let (radius, extent, free) = (body.radius(), body.extent(), body.motion.is_free());
                start += count;
                Known { start: start - count, count, is_disc, half_plane, solid, free, radius, extent }
            })
            .collect();
        let nowhere = box_of(&[]);
        Self {
            vertices: vec![DVec2::ZERO; start],
            rotations: vec![Rotation::NONE; bodies.len()],
            cores: vec![nowhere; bodies.len()],
            boxes: vec![nowhere; bodies.len()],
            broad_phase: BroadPhase::default(),
            candidates: Candidates::default(),
            kept: KeptCandidates::default(),
            edges: vec![nowhere; start],
            narrow: Narrow::default(),
            found: Manifold::default(),
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

    /// Bounds what [`Detector::detect`] looks at, and so its memory. Where there is more it gives
    /// up.
    pub(crate) fn limited(self, most_pairs: usize) -> Self {
        Self { most_pairs: Some(most_pairs), ..self }
    }

    /// Replaces `contacts` by all contacts at a state. Pairs of which no body is free are left out:
    /// nothing can be done about them. `margins`, if not empty, holds for each body how far from
    /// its surface others still count. Returns how deep they are.
    pub fn detect(
        &mut self,
        model: &Model,
        states: &[BodyState],
        rules: Rules,
        margins: &[f64],
        contacts: &mut Vec<PlanarContact>,
    ) -> Depth {
        contacts.clear();
        let mut depth = Depth::default();
        self.place(model, states);
        let margin = |k: usize| margins.get(k).copied().unwrap_or(0.0);
        for (k, known) in self.bodies.iter().enumerate() {
            if known.half_plane.is_some() {
                self.boxes[k] = Aabb::EVERYWHERE;
                continue;
            }
            let touching = if rules.course { 0.0 } else { rules.touching * known.extent };
            self.boxes[k] = self.cores[k].grown((known.radius + margin(k)) * (1.0 + BOX_ROOM) + touching);
        }
        let most = self.most_pairs.unwrap_or(usize::MAX);
        self.gave_up = !self.broad_phase.find_at_most(&self.boxes, &[], most, &mut self.candidates);
        let mut narrow = std::mem::take(&mut self.narrow);
        let mut found = std::mem::take(&mut self.found);
        for (i, j) in self.candidates.discs.iter().map(|(i, j)| (i as usize, j as usize)) {
            let (a, b) = (&self.bodies[i], &self.bodies[j]);
            if !a.free && !b.free || !self.surfaces.meet([i as u32, j as u32]) {
                continue;
            }
            let near = Nearness {
                course: rules.course && a.is_polygon() && b.is_polygon(),
                touching: if rules.course { 0.0 } else { rules.touching },
                margin: margin(i) + margin(j),
            };
            let known = contacts.len();
            found.points.clear();
            narrow.pair(self.placement(i, states), self.placement(j, states), near, &mut found);
            self.take_over([i as u32, j as u32], near.touching, &found, contacts);
            depth = depth.and(&contacts[known..]);
        }
        (self.narrow, self.found) = (narrow, found);
        depth
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
            if known.half_plane.is_some() {
                self.boxes[k] = Aabb::EVERYWHERE;
                continue;
            }
            self.boxes[k] = known.swept(self.cores[k], sweep, tolerance);
            if known.is_hollow() {
                let own = known.start..known.start + known.count;
                let vertices = &self.vertices[own.clone()];
                let ends = vertices.iter().zip(vertices.iter().cycle().skip(1));
                for (edge, (&a, &b)) in self.edges[own].iter_mut().zip(ends) {
                    *edge = known.swept(Aabb { min: a.min(b), max: a.max(b) }, sweep, tolerance);
                }
            }
        }
        let Self { kept, boxes, bodies, surfaces, edges, rotations, .. } = self;
        let Some(candidates) = kept.find_at_most(boxes, &[], most) else { return false };
        let outline_reaches = |own: &Known, other: &Aabb| {
            let edges = &edges[own.start..own.start + own.count];
            !own.is_hollow() || edges.iter().any(|edge| edge.overlaps(other))
        };
        // Whether a box reaches into a half-plane, which itself comes as far as its sweep.
        let ground_reaches = |ground: usize, other: &Aabb| {
            let Some(normal) = bodies[ground].half_plane else { return true };
            let [x, y, _] = sweeps[ground].displacement;
            let ahead = DVec2::new(x, y).length() + sweeps[ground].room;
            other.height_above(states[ground].position, rotations[ground].apply(normal)) <= ahead
        };
        for (i, (a, of_a)) in bodies.iter().zip(&*boxes).enumerate() {
            for &j in candidates.discs.of(i) {
                let (b, of_b) = (&bodies[j as usize], &boxes[j as usize]);
                let pair = [i as u32, j];
                if (a.free || b.free)
                    && of_a.may_touch(of_b)
                    && surfaces.meet(pair)
                    && outline_reaches(a, of_b)
                    && outline_reaches(b, of_a)
                    && ground_reaches(i, of_b)
                    && ground_reaches(j as usize, of_a)
                {
                    pairs.push(pair);
                }
            }
        }
        true
    }

    /// Adds the contacts of a pair where bodies were placed last.
    pub(crate) fn near(
        &mut self,
        states: &[BodyState],
        [i, j]: Pair,
        (touching, margin): (f64, f64),
        contacts: &mut Vec<PlanarContact>,
    ) {
        let (a, b) = (&self.bodies[i as usize], &self.bodies[j as usize]);
        let near = Nearness { course: false, touching, margin };
        if a.is_disc && b.is_disc {
            let [a, b] = [(i, a), (j, b)].map(|(k, known)| {
                let (center, Known { radius, extent, .. }) = (states[k as usize].position, *known);
                Disc { center, radius, extent }
            });
            let extent = a.extent.min(b.extent);
            let found = discs(&a, &b, near);
            contacts.extend(found.map(|point| PlanarContact::of([i, j], &point, touching * extent, extent)));
            return;
        }
        let mut narrow = std::mem::take(&mut self.narrow);
        let mut found = std::mem::take(&mut self.found);
        let (a, b) = (self.placement(i as usize, states), self.placement(j as usize, states));
        found.points.clear();
        narrow.pair(a, b, near, &mut found);
        self.take_over([i, j], touching, &found, contacts);
        (self.narrow, self.found) = (narrow, found);
    }

    /// Adds the contacts of a pair at given poses.
    pub(crate) fn manifold(
        &mut self,
        model: &Model,
        pair: Pair,
        poses: [Pose; 2],
        (touching, margin): (f64, f64),
        contacts: &mut Vec<PlanarContact>,
    ) {
        let near = Nearness { course: false, touching, margin };
        if pair.iter().all(|&k| self.bodies[k as usize].is_disc) {
            let [a, b] = [0, 1].map(|side| {
                let Known { radius, extent, .. } = self.bodies[pair[side] as usize];
                Disc { center: poses[side].position, radius, extent }
            });
            let extent = a.extent.min(b.extent);
            let found = discs(&a, &b, near);
            contacts.extend(found.map(|point| PlanarContact::of(pair, &point, touching * extent, extent)));
            return;
        }
        let mut narrow = std::mem::take(&mut self.narrow);
        let mut found = std::mem::take(&mut self.found);
        let mut placed = std::mem::take(&mut self.placed);
        let rotations = [0, 1].map(|side| {
            let (shape, pose) = (&model.bodies[pair[side] as usize].shape, &poses[side]);
            shape.place(pose.position, pose.angle, &mut placed[side])
        });
        let [a, b] = [0, 1].map(|side| {
            let at = (poses[side].position, rotations[side]);
            self.bodies[pair[side] as usize].placed(at, &placed[side], box_of(&placed[side]))
        });
        found.points.clear();
        narrow.pair(a, b, near, &mut found);
        self.take_over(pair, touching, &found, contacts);
        (self.narrow, self.found, self.placed) = (narrow, found, placed);
    }

    /// Adds the points of a manifold as contacts of a pair.
    fn take_over(&self, pair: Pair, touching: f64, found: &Manifold, contacts: &mut Vec<PlanarContact>) {
        let extent = self.extent(pair[0] as usize).min(self.extent(pair[1] as usize));
        let tolerance = touching * extent;
        contacts.extend(found.points.iter().map(|point| PlanarContact::of(pair, point, tolerance, extent)));
    }

    /// The first time in (0, `span`] at which parts of two bodies that do not touch now come to
    /// touch, within a tolerance.
    pub(crate) fn first_meeting(
        &self,
        model: &Model,
        pair: Pair,
        motions: [Motion<Pose>; 2],
        tolerance: f64,
        span: f64,
    ) -> Option<f64> {
        let shapes = pair.map(|k| &model.bodies[k as usize].shape);
        let extents = pair.map(|k| self.extent(k as usize));
        sweep::first_meeting(shapes, extents, motions.map(|motion| way(&motion)), tolerance, span)
    }

    /// World vertices, rotations and boxes of all bodies.
    fn place(&mut self, model: &Model, states: &[BodyState]) {
        for (k, ((body, state), known)) in model.bodies.iter().zip(states).zip(&self.bodies).enumerate() {
            let world = &mut self.vertices[known.start..known.start + known.count];
            match &body.shape {
                Shape::Disc { .. } => world[0] = state.position,
                Shape::HalfPlane { .. } => self.rotations[k] = Rotation::by(state.angle),
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

    fn placement(&self, k: usize, states: &[BodyState]) -> Placed<'_> {
        let known = &self.bodies[k];
        let vertices = &self.vertices[known.start..known.start + known.count];
        known.placed((states[k].position, self.rotations[k]), vertices, self.cores[k])
    }
}

impl Known {
    fn is_polygon(&self) -> bool {
        !self.is_disc && self.half_plane.is_none()
    }

    fn placed<'a>(
        &self,
        (center, rotation): (DVec2, Rotation),
        vertices: &'a [DVec2],
        core: Aabb,
    ) -> Placed<'a> {
        let Self { is_disc, solid, radius, extent, .. } = *self;
        let half_plane = self.half_plane.map(|normal| rotation.apply(normal));
        Placed { vertices, is_disc, half_plane, solid, radius, extent, center, rotation, core }
    }
}

/// A motion as geometry sees it.
fn way(motion: &Motion<Pose>) -> Way {
    let [vx, vy, spin, ..] = motion.velocity;
    let [ax, ay, spin_rate, ..] = motion.acceleration;
    let Pose { position: place, angle } = motion.pose;
    let (velocity, acceleration) = (DVec2::new(vx, vy), DVec2::new(ax, ay));
    Way { place, angle, velocity, acceleration, spin, spin_rate }
}
