//! An enclosed gas of elastic discs keeps its energy for ten minutes.

use super::world;
use crate::build::{Build, FIXED, FREE, SOLVED, deepest, v};
use carom_rigid2d::{ContactSettings, DVec2, Integrator, Placed, World};

/// Ten minutes at sixty steps a second.
const STEPS: usize = 36_000;

fn gas(gravity: f64) -> Build {
    let mut build = Build::gravity(v(0.0, gravity));
    let corners = [v(-2.1, -0.1), v(2.1, -0.1), v(2.1, 4.1), v(-2.1, 4.1)];
    for k in 0..4 {
        build.outline(&[corners[k], corners[(k + 1) % 4]], 0.1, FIXED);
    }
    for k in 0..20 {
        let (column, row) = (f64::from(k % 5), f64::from(k / 5));
        let place = v(-1.5 + 0.75 * column, 0.6 + 0.85 * row);
        let velocity = v(1.7 - 0.13 * row - 0.8 * column, 0.9 * column - 1.3 + 0.2 * row);
        let radius = 0.15 + 0.02 * column;
        build.add(Placed::disc(place, radius, 0.5 + 0.3 * row, FREE), velocity);
    }
    build
}

/// Energy with the velocities of the instant: symplectic Euler stores those of half a step before.
fn energy(world: &World, gravity: f64) -> f64 {
    let ahead = match world.settings().integrator {
        Integrator::SymplecticEuler => v(0.0, 0.5 * world.settings().dt * gravity),
        _ => DVec2::ZERO,
    };
    let bodies = world.model().bodies.iter().zip(&world.state().bodies);
    bodies
        .filter(|(body, _)| body.motion.is_free())
        .map(|(body, state)| {
            body.mass * (0.5 * (state.velocity + ahead).length_squared() - gravity * state.position.y)
        })
        .sum()
}

fn keeps_its_energy(integrator: Integrator, gravity: f64) {
    for response in SOLVED {
        let contact = ContactSettings::with_restitution(response, 1.0);
        let mut world = world(gas(gravity), 1.0 / 60.0, integrator, contact);
        let start = energy(&world, gravity);
        let (mut impacts, mut early, mut worst) = (0, 0, 0.0f64);
        for step in 0..STEPS {
            let report = world.step();
            impacts += report.impacts;
            early += report.early_impacts;
            let drift = energy(&world, gravity) / start - 1.0;
            worst = worst.max(drift.abs());
            assert!(drift.abs() < 1e-3, "{response:?} {gravity}, step {step}: energy off by {drift:e}");
        }
        let inside = |body: &carom_rigid2d::BodyState| {
            body.position.x.abs() < 2.0 && (0.0..4.0).contains(&body.position.y)
        };
        assert!(world.state().bodies[4..].iter().all(inside), "{response:?} {gravity}: one is outside");
        assert!(deepest(&world) < 1e-6);
        assert!(impacts > 10_000 && early == 0, "{response:?} {gravity}: {impacts} impacts, {early} early");
        // Without forces nothing but rounding is left.
        assert!(gravity != 0.0 || worst < 1e-10, "{response:?}: energy off by {worst:e}");
    }
}

#[test]
fn without_forces() {
    keeps_its_energy(Integrator::SymplecticEuler, 0.0);
}

#[test]
fn under_gravity() {
    keeps_its_energy(Integrator::SymplecticEuler, -9.81);
}

#[test]
fn under_gravity_by_verlet() {
    keeps_its_energy(Integrator::VelocityVerlet, -9.81);
}
