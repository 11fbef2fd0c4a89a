//! Physics of one contact problem: a box in a corner, an arch at its limits, heavy on light.

use crate::arch::Arch;
use carom_contact::coulomb::{Cone, Problem, Settings, Solver, SolverStatus};
use carom_numerics::elementary::{cos, sin};
use std::f64::consts::PI;

fn solve(problem: &Problem) -> (SolverStatus, Vec<f64>, Vec<f64>) {
    let mut solver = Solver::new(Settings::default());
    let mut r = vec![0.0; problem.rows()];
    let answer = solver.solve(problem, &mut r);
    (answer.status, r, solver.velocity().to_vec())
}

/// A point mass on the floor, pulled at an azimuth: it slides exactly against the pull, however the
/// tangents lie. A pyramid instead of the cone would turn the direction.
#[test]
fn sliding_follows_the_pull_at_every_azimuth() {
    let mu = 0.5;
    for degrees in (0..=90).step_by(5) {
        let angle = f64::from(degrees) * PI / 180.0;
        for pull in [1.01, 1.1, 1.5] {
            // Gravity 1 down, pull μ · `pull` along the azimuth, for one step of 1.
            let q = vec![-1.0, mu * pull * cos(angle), mu * pull * sin(angle)];
            let w = [(0, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0)];
            let problem = Problem::from_delassus(vec![Cone::SecondOrder { dim: 3, mu }], &w, q).unwrap();
            let (status, _, u) = solve(&problem);
            assert_eq!(status, SolverStatus::Solved);
            let speed = mu * (pull - 1.0);
            assert!((u[1] - speed * cos(angle)).abs() < 1e-12 && (u[2] - speed * sin(angle)).abs() < 1e-12);
        }
    }
}

/// 1e6 on 1: the light box carries the heavy one, and nothing moves.
#[test]
fn a_light_mass_carries_a_heavy_one() {
    for ratio in [1e3, 1e6] {
        let cones = vec![Cone::NonNegative; 2];
        // Masses 1 (below) and `ratio`, both with velocity −0.1 after gravity.
        let mass = [(0, 0, 1.0), (1, 1, ratio)];
        let jacobian = [(0, 0, 1.0), (0, 1, -1.0), (1, 1, 1.0)];
        let problem =
            Problem::from_mass(cones, &mass, &jacobian, &[-0.1, -0.1 * ratio], &[0.0, 0.0]).unwrap();
        let (status, r, u) = solve(&problem);
        assert_eq!(status, SolverStatus::Solved);
        // W has 1 + 1/ratio as an entry: its rounding is ratio · 1e-16 of the impulse.
        assert!((r[0] - 0.1 * (1.0 + ratio)).abs() < 1e-15 * ratio * r[0], "{r:?}");
        assert!(u.iter().all(|u| u.abs() < 1e-15 * ratio), "{u:?}");
    }
}

/// Bisects for the least value at which the arch stands.
fn least(mut falls: f64, mut stands: f64, speed: impl Fn(f64) -> f64) -> f64 {
    assert!(speed(falls) > 1e-6 && speed(stands) < 1e-9);
    for _ in 0..12 {
        let middle = 0.5 * (falls + stands);
        if speed(middle) < 1e-8 {
            stands = middle;
        } else {
            falls = middle;
        }
    }
    stands
}

fn arch_speed(stones: usize, thickness: f64, mu: f64) -> f64 {
    let motion = Arch { stones, thickness, mu }.motion();
    assert_eq!(motion.status, SolverStatus::Solved, "{stones} stones, thickness {thickness}, friction {mu}");
    motion.speed
}

/// Cocchetti and Rizzi 2020: the arch stands from thickness/radius 0.107426 if μ > 0.395832.
#[test]
fn the_least_thickness_of_an_arch() {
    let found = least(0.08, 0.15, |thickness| arch_speed(27, thickness, 0.6));
    assert!((found / 0.107426 - 1.0).abs() < 0.02, "{found}");
    let finer = least(0.08, 0.15, |thickness| arch_speed(81, thickness, 0.6));
    assert!((finer / 0.107426 - 1.0).abs() < (found / 0.107426 - 1.0).abs(), "{found} {finer}");
}

/// The same source: no arch stands below μ = 0.309215, however thick.
#[test]
fn the_least_friction_of_an_arch() {
    let found = least(0.2, 0.45, |mu| arch_speed(27, 0.25, mu));
    assert!((found / 0.309215 - 1.0).abs() < 0.03, "{found}");
}
