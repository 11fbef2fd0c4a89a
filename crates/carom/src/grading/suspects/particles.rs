//! A small program of particle collisions with a switch for each error: the hand-out of Theme 2
//! Milestone 1 written down once more, pair by pair.
//!
//! `simple` is run as a whole. Of `continuous-time`, the collisions that Carom found are answered
//! again, each with the error.

mod answer;

use super::bench::{Bench, Motion};
use super::{Suspect, Trial};
use crate::grading::Sample;
use answer::{Other, PredictedContact, answer};
use carom_scene::System;
use carom_scene::description::particles::{ParticleScene, Response};
use carom_trajectory::{Contact, ContactKind};
use glam::DVec2;

/// The program, with its errors.
pub(super) struct Program<'a> {
    pub(super) scene: &'a ParticleScene,
    pub(super) course: bool,
    /// Nothing for the right program.
    pub(super) error: Option<Suspect>,
    /// Which of several ways to make it.
    pub(super) variant: usize,
}

/// Errors that the program can make, with the number of ways to make each.
const ERRORS: [(Suspect, usize); 16] = [
    (Suspect::RadiusLeftOut, 3),
    (Suspect::KindLeftOut, 3),
    (Suspect::FixedMassUsed, 1),
    (Suspect::FixedPushed, 2),
    (Suspect::NormalSign, 1),
    (Suspect::ImpulseSign, 1),
    (Suspect::ClampForgotten, 2),
    (Suspect::ApproachNotTested, 1),
    (Suspect::ResponseOrder, 4),
    (Suspect::AllAtOnce, 1),
    (Suspect::NormalNotUnit, 1),
    (Suspect::OneSided, 2),
    (Suspect::ImpulseTwice, 1),
    (Suspect::MassesSwapped, 2),
    (Suspect::AlphaSwapped, 2),
    (Suspect::MassesIgnored, 1),
];

/// In the order of [`Other::kind`].
const KINDS: [&str; 3] = ["particle–particle", "particle–edge", "particle–half-plane"];

pub(super) fn trials(bench: &Bench<'_>) -> Vec<Trial> {
    let System::Particles(scene) = &bench.scene.system else { return Vec::new() };
    let swept = match scene.collision.response {
        Response::Simple => false,
        Response::ContinuousTime if bench.options.course => true,
        _ => return Vec::new(),
    };
    if scene.collision.friction != 0.0 || !scene.particles.iter().all(|p| p.mass > 0.0) {
        return Vec::new();
    }
    let right = Program { scene, course: bench.options.course, error: None, variant: 0 };
    // a program that does not agree with Carom where it makes no error has nothing to say
    let is_right = predict(bench, &right, swept).iter().zip(&bench.samples).all(|(predicted, sample)| {
        predicted.as_ref().is_some_and(|p| p.is_near(&Motion::of(&sample.step.expected)))
    });
    if !is_right {
        return Vec::new();
    }
    let mut trials = Vec::new();
    for (suspect, variants) in ERRORS {
        for variant in 0..variants {
            let program = Program { error: Some(suspect), variant, ..right };
            let detail = match suspect {
                Suspect::KindLeftOut => Some(KINDS[variant].to_owned()),
                Suspect::RadiusLeftOut if variant == 2 => {
                    Some("that of what a particle meets, edges too".to_owned())
                }
                Suspect::RadiusLeftOut => Some("of two particles only one counts".to_owned()),
                Suspect::MassesIgnored => Some("in the answer to collisions".to_owned()),
                _ => None,
            };
            trials.push(Trial { suspect, detail, predicted: predict(bench, &program, swept) });
        }
    }
    if swept {
        trials.push(positions_not_moved(bench));
    }
    trials
}

fn predict(bench: &Bench<'_>, program: &Program<'_>, swept: bool) -> Vec<Option<Motion>> {
    let ends = bench.samples.iter().zip(&bench.free).map(|(sample, free)| {
        let mut state = State::of(free.as_ref()?);
        if swept {
            program.sweep(sample, &mut state);
        } else {
            program.simple(&mut state);
        }
        Some(state.motion())
    });
    ends.collect()
}

/// The velocities of the right answer at the positions of the free step.
fn positions_not_moved(bench: &Bench<'_>) -> Trial {
    let ends = bench.samples.iter().zip(&bench.free).map(|(sample, free)| {
        let positions = free.as_ref()?.positions.clone();
        Some(Motion { positions, velocities: sample.step.expected.velocities.clone() })
    });
    Trial { suspect: Suspect::PositionsNotMoved, detail: None, predicted: ends.collect() }
}

/// Positions and velocities as vectors.
pub(super) struct State {
    pub(super) x: Vec<DVec2>,
    pub(super) v: Vec<DVec2>,
}

impl State {
    fn of(motion: &Motion) -> State {
        let pairs =
            |list: &[f64]| list.chunks_exact(2).map(|p| DVec2::new(p[0], p[1])).collect::<Vec<DVec2>>();
        State { x: pairs(&motion.positions), v: pairs(&motion.velocities) }
    }

    fn motion(&self) -> Motion {
        let flat = |list: &[DVec2]| list.iter().flat_map(|p| [p.x, p.y]).collect();
        Motion { positions: flat(&self.x), velocities: flat(&self.v) }
    }
}

impl Program<'_> {
    pub(super) fn makes(&self, error: Suspect) -> bool {
        self.error == Some(error)
    }

    fn looks_at(&self, hit: &PredictedContact) -> bool {
        !(self.makes(Suspect::KindLeftOut) && hit.other.kind() == self.variant)
    }

    /// Detects at the end of the step and answers at once.
    fn simple(&self, state: &mut State) {
        let before = self.makes(Suspect::AllAtOnce).then(|| state.v.clone());
        for (i, other) in self.pairs() {
            let seen = before.as_ref().unwrap_or(&state.v);
            let Some(hit) = self.detect(&state.x, seen, i, other).filter(|hit| self.looks_at(hit)) else {
                continue;
            };
            for (k, change) in answer(self, &hit, |k| seen[k]).into_iter().flatten() {
                state.v[k] += change;
            }
        }
    }

    /// Answers the collisions that were found on the way, in their order, on velocities and end
    /// positions.
    fn sweep(&self, sample: &Sample, state: &mut State) {
        let start = State::of(&Motion::of(&sample.step.before)).x;
        let dt = self.scene.integrator.dt;
        let mut contacts = sample.step.expected.contacts.clone();
        if self.makes(Suspect::ResponseOrder) {
            contacts.reverse();
        }
        let before = self.makes(Suspect::AllAtOnce).then(|| state.x.clone());
        for contact in &contacts {
            let ends = before.as_ref().unwrap_or(&state.x);
            let hit = self.hit_on_path(contact, &start, ends).filter(|hit| self.looks_at(hit));
            let Some(hit) = hit else { continue };
            let velocity = |k: usize| (ends[k] - start[k]) * (1.0 / dt);
            for (k, change) in answer(self, &hit, velocity).into_iter().flatten() {
                state.v[k] += change;
                state.x[k] += dt * change;
            }
        }
    }

    fn hit_on_path(&self, contact: &Contact, start: &[DVec2], end: &[DVec2]) -> Option<PredictedContact> {
        let at = |k: usize| start[k] + contact.time * (end[k] - start[k]);
        let (i, second) = (contact.first as usize, contact.second as usize);
        let n = DVec2::new(contact.normal[0], contact.normal[1]);
        let (other, alpha) = match contact.kind {
            ContactKind::ParticleParticle => (Other::Particle(second), 0.0),
            ContactKind::ParticleEdge => {
                let edge = self.scene.edges.get(second)?;
                let (a, b) = (at(edge.start), at(edge.end));
                let alpha = (at(i) - a).dot(b - a) / (b - a).length_squared();
                let clamps = !self.makes(Suspect::ClampForgotten);
                (Other::Edge(second), if clamps { alpha.clamp(0.0, 1.0) } else { alpha })
            }
            ContactKind::ParticleHalfPlane => (Other::HalfPlane(second), 0.0),
            ContactKind::BodyBody => return None,
        };
        Some(PredictedContact { i, other, n, alpha })
    }

    /// All pairs in the order in which they are answered.
    fn pairs(&self) -> Vec<(usize, Other)> {
        let mut pairs = Vec::new();
        for i in 0..self.scene.particles.len() {
            pairs.extend((i + 1..self.scene.particles.len()).map(|j| (i, Other::Particle(j))));
            let edges = self.scene.edges.iter().enumerate();
            let apart = edges.filter(|(_, edge)| edge.start != i && edge.end != i);
            pairs.extend(apart.map(|(e, _)| (i, Other::Edge(e))));
            pairs.extend((0..self.scene.half_planes.len()).map(|h| (i, Other::HalfPlane(h))));
        }
        if self.makes(Suspect::ResponseOrder) {
            match self.variant {
                0 => pairs.reverse(),
                // kind by kind: particles, edges, half-planes; or the other way round
                1 => pairs.sort_by_key(|(_, other)| other.kind()),
                2 => pairs.sort_by_key(|(_, other)| 2 - other.kind()),
                // for each particle the half-planes first
                _ => pairs.sort_by_key(|(i, other)| (*i, 2 - other.kind())),
            }
        }
        pairs
    }

    /// Whether a pair touches while coming nearer.
    fn detect(&self, x: &[DVec2], v: &[DVec2], i: usize, other: Other) -> Option<PredictedContact> {
        let room = if self.course { 1.0 } else { 1.0 + 1e-9 };
        let particle = &self.scene.particles[i];
        let (n, alpha, reach, away, movable) = match other {
            Other::Particle(j) => {
                let second = &self.scene.particles[j];
                let radii = match (self.makes(Suspect::RadiusLeftOut), self.variant) {
                    (false, _) => particle.radius + second.radius,
                    (true, 1) => second.radius,
                    (true, _) => particle.radius,
                };
                let reach = radii * room;
                (x[j] - x[i], 0.0, reach, v[j], !particle.fixed || !second.fixed)
            }
            Other::Edge(e) => {
                let edge = self.scene.edges[e];
                let (a, b) = (edge.start, edge.end);
                let alpha = (x[i] - x[a]).dot(x[b] - x[a]) / (x[b] - x[a]).length_squared();
                let alpha = match (self.makes(Suspect::ClampForgotten), self.variant) {
                    (false, _) => alpha.clamp(0.0, 1.0),
                    (true, 0) => alpha,
                    // forgotten on one side
                    (true, _) => alpha.min(1.0),
                };
                let free = |k: usize| !self.scene.particles[k].fixed;
                let n = x[a] + alpha * (x[b] - x[a]) - x[i];
                let bare = self.makes(Suspect::RadiusLeftOut) && self.variant == 2;
                let reach = (particle.radius + if bare { 0.0 } else { edge.radius }) * room;
                let q = self.seen_share(alpha);
                (n, alpha, reach, v[a] + q * (v[b] - v[a]), free(i) || free(a) || free(b))
            }
            Other::HalfPlane(h) => return self.detect_half_plane(x[i], v[i], i, h),
        };
        let approach = (v[i] - away).dot(n);
        let touches = n.length() < reach && self.approaches(approach) && n != DVec2::ZERO;
        (touches && (movable || self.course)).then_some(PredictedContact { i, other, n, alpha })
    }

    fn detect_half_plane(&self, x: DVec2, v: DVec2, i: usize, h: usize) -> Option<PredictedContact> {
        let (plane, particle) = (&self.scene.half_planes[h], &self.scene.particles[i]);
        let unit = DVec2::from(plane.normal).try_normalize()?;
        let (height, velocity) = (unit.dot(x - DVec2::from(plane.point)), DVec2::from(plane.velocity));
        let n = -height * unit;
        let touches = if self.course {
            n.length() < particle.radius && self.approaches(v.dot(n)) && n != DVec2::ZERO
        } else {
            let sinks = self.approaches(-(v - velocity).dot(unit));
            height < particle.radius * (1.0 + 1e-9) && sinks && !particle.fixed
        };
        let n = if self.course { n } else { -height.abs().max(f64::MIN_POSITIVE) * unit };
        touches.then_some(PredictedContact { i, other: Other::HalfPlane(h), n, alpha: 0.0 })
    }

    /// The α by which the velocity of the nearest point of an edge is found.
    pub(super) fn seen_share(&self, alpha: f64) -> f64 {
        if self.makes(Suspect::AlphaSwapped) && self.variant == 1 { 1.0 - alpha } else { alpha }
    }

    fn approaches(&self, speed: f64) -> bool {
        match self.error {
            Some(Suspect::NormalSign) => speed < 0.0,
            Some(Suspect::ApproachNotTested) => true,
            _ => speed > 0.0,
        }
    }
}
