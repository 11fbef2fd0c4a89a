//! Errors in the penalty force of Theme 2 Milestone 1: the force is written down once more, pair by
//! pair, with a switch for each error, and added to a step without it. Explicit integrators add
//! forces up, so that is the step with the error.

use super::bench::{Bench, Motion};
use super::{Suspect, Trial};
use carom_scene::System;
use carom_scene::description::particles::{ParticleMethod, ParticleScene, Penalty, Response};
use glam::DVec2;

/// Errors with the number of ways to make each.
const ERRORS: [(Suspect, usize); 6] = [
    (Suspect::ClampForgotten, 1),
    (Suspect::AlphaSwapped, 1),
    (Suspect::OneSided, 2),
    (Suspect::NormalNotUnit, 1),
    (Suspect::RadiusLeftOut, 3),
    (Suspect::KindLeftOut, 1),
];

/// The force, with its errors.
#[derive(Clone, Copy)]
struct Program<'a> {
    scene: &'a ParticleScene,
    penalty: Penalty,
    error: Option<Suspect>,
    variant: usize,
}

pub(super) fn trials(bench: &Bench<'_>) -> Vec<Trial> {
    let System::Particles(scene) = &bench.scene.system else { return Vec::new() };
    let Response::Penalty(penalty) = scene.collision.response else { return Vec::new() };
    let mut bare = bench.scene.clone();
    if let System::Particles(system) = &mut bare.system {
        system.collision.response = Response::None;
    }
    let is_explicit =
        matches!(scene.integrator.method, ParticleMethod::ExplicitEuler | ParticleMethod::SymplecticEuler);
    let Some(bare) = bench.steps_of(&bare).filter(|_| is_explicit) else { return Vec::new() };
    let right = Program { scene, penalty, error: None, variant: 0 };
    // a program that does not agree with Carom where it makes no error has nothing to say
    let is_right = predict(bench, &bare, &right).iter().zip(&bench.samples).all(|(predicted, sample)| {
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
                Suspect::KindLeftOut => Some("particle–particle".to_owned()),
                Suspect::RadiusLeftOut => Some("of two only one counts".to_owned()),
                _ => None,
            };
            trials.push(Trial { suspect, detail, predicted: predict(bench, &bare, &program) });
        }
    }
    trials
}

fn predict(bench: &Bench<'_>, bare: &[Option<Motion>], program: &Program<'_>) -> Vec<Option<Motion>> {
    let ends = bench.samples.iter().zip(bare).map(|(sample, bare)| {
        let mut end = bare.clone()?;
        let vectors = sample.step.before.positions.chunks_exact(2).map(|p| DVec2::new(p[0], p[1]));
        let force = program.forces(&vectors.collect::<Vec<DVec2>>());
        let dt = program.scene.integrator.dt;
        for (k, (particle, force)) in program.scene.particles.iter().zip(force).enumerate() {
            if particle.fixed {
                continue;
            }
            let change = dt * force / particle.mass;
            let moved = match program.scene.integrator.method {
                ParticleMethod::ExplicitEuler => DVec2::ZERO,
                _ => dt * change,
            };
            for (axis, (change, moved)) in [(change.x, moved.x), (change.y, moved.y)].into_iter().enumerate()
            {
                *end.velocities.get_mut(2 * k + axis)? += change;
                *end.positions.get_mut(2 * k + axis)? += moved;
            }
        }
        Some(end)
    });
    ends.collect()
}

impl Program<'_> {
    fn makes(&self, error: Suspect) -> bool {
        self.error == Some(error)
    }

    fn forces(&self, x: &[DVec2]) -> Vec<DVec2> {
        let mut force = vec![DVec2::ZERO; x.len()];
        let (particles, edges) = (&self.scene.particles, &self.scene.edges);
        for i in 0..particles.len().min(x.len()) {
            let own = particles[i].radius;
            let later = if self.makes(Suspect::KindLeftOut) { x.len() } else { i + 1 };
            for j in later..x.len() {
                let reach = self.reach(own, particles[j].radius, true);
                self.push(&mut force, x[j] - x[i], reach, [(i, -1.0), (j, 1.0), (j, 0.0)]);
            }
            for edge in edges.iter().filter(|edge| edge.start != i && edge.end != i) {
                let (a, b) = (edge.start, edge.end);
                let along = x[b] - x[a];
                let alpha = (x[i] - x[a]).dot(along) / along.length_squared();
                let alpha = if self.makes(Suspect::ClampForgotten) { alpha } else { alpha.clamp(0.0, 1.0) };
                let n = x[a] + alpha * along - x[i];
                let q = if self.makes(Suspect::AlphaSwapped) { 1.0 - alpha } else { alpha };
                self.push(
                    &mut force,
                    n,
                    self.reach(own, edge.radius, false),
                    [(i, -1.0), (a, 1.0 - q), (b, q)],
                );
            }
            for plane in &self.scene.half_planes {
                let normal = DVec2::from(plane.normal);
                let n = (DVec2::from(plane.point) - x[i]).dot(normal) / normal.length_squared() * normal;
                self.push(&mut force, n, own, [(i, -1.0), (i, 0.0), (i, 0.0)]);
            }
        }
        force
    }

    fn reach(&self, own: f64, other: f64, is_particle: bool) -> f64 {
        match (self.makes(Suspect::RadiusLeftOut), self.variant) {
            (true, 0) if is_particle => own,
            (true, 1) if is_particle => other,
            (true, 2) => own,
            _ => own + other,
        }
    }

    /// The force −k (‖n‖ − r₁ − r₂ − T) (∇n)ᵀ n̂ on those that take part, each with its share.
    fn push(&self, force: &mut [DVec2], n: DVec2, reach: f64, shares: [(usize, f64); 3]) {
        let depth = n.length() - reach - self.penalty.thickness;
        if !(depth < 0.0 && n != DVec2::ZERO) {
            return;
        }
        let unit = if self.makes(Suspect::NormalNotUnit) { n } else { n / n.length() };
        // a half-plane pushes only one anyway
        let is_one_sided = self.makes(Suspect::OneSided) && shares[0].0 != shares[1].0;
        for (place, (k, share)) in shares.into_iter().enumerate() {
            let is_left_out = is_one_sided && (place == 0) == (self.variant == 1);
            if !is_left_out {
                force[k] -= self.penalty.stiffness * depth * share * unit;
            }
        }
    }
}
