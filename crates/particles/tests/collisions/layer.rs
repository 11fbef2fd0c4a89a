//! The repulsion of `hybrid` acts between slow things only (Bridson, Fedkiw and Anderson 2002).

use super::scenes::*;
use carom_numerics::elementary;
use carom_particles::*;

const HYBRID: Response =
    Response::Hybrid { penalty: Penalty { stiffness: 100.0, thickness: 0.001 }, max_iterations: 10 };

/// Galperin's billiard: a heavy ball drives a light one against a wall. For masses 100ⁿ : 1 they
/// meet 3, 31, 314 times, and the heavy one leaves at the cosine of the whole angle, whatever the
/// layer between them.
#[test]
fn fast_impacts_pass_through_the_layer_unchanged() {
    for (ratio, meetings) in [(1.0, 3_u32), (100.0, 31), (10_000.0, 314)] {
        let scene = Scene::default()
            .particle(1.0, 0.1, v(1.0, 0.0), v(0.0, 0.0))
            .particle(ratio, 0.1, v(1.6, 0.0), v(-1.0, 0.0))
            .half_plane(v(0.0, 0.0), v(1.0, 0.0));
        let mut world = scene.world(HYBRID, 1.0, steps_of(0.001));
        let kinetic = world.invariants().kinetic_energy;
        for step in 0..6000 {
            world.step();
            let now = world.invariants().kinetic_energy;
            assert!((now / kinetic - 1.0).abs() < 1e-6, "ratio {ratio}, step {step}: {now} of {kinetic}");
        }
        let half_angle = elementary::atan2(1.0, f64::sqrt(ratio));
        let expected = elementary::cos(2.0 * half_angle * f64::from(meetings.div_ceil(2))).abs();
        let heavy = world.state().velocities[1].x;
        assert!(heavy > 0.0 && (heavy - expected).abs() < 1e-3, "ratio {ratio}: {heavy}, not {expected}");
    }
}

/// What lies stays, with the layer's push or without, whatever restitution is.
#[test]
fn what_lies_in_the_layer_stays() {
    for restitution in [0.0, 0.5, 1.0] {
        let mut scene = Scene::default().gravity(v(0.0, -9.81)).half_plane(v(0.0, 0.0), v(0.0, 1.0));
        for k in 0..5 {
            scene = scene.particle(1.0, 0.2, v(0.0, 0.2 + 0.4 * f64::from(k)), v(0.0, 0.0));
        }
        let mut world = scene.world(HYBRID, restitution, steps_of(1.0 / 60.0));
        for _ in 0..600 {
            world.step();
        }
        for (k, x) in world.state().positions.iter().enumerate() {
            let moved = (*x - v(0.0, 0.2 + 0.4 * k as f64)).length();
            assert!(moved < 1e-6, "restitution {restitution}: {k} moved by {moved}");
        }
    }
}

/// Two slow balls within the thickness are pushed apart by the spring; fast ones are not.
#[test]
fn slow_pairs_are_held_apart() {
    let penalty = Penalty { stiffness: 100.0, thickness: 0.1 };
    let response = Response::Hybrid { penalty, max_iterations: 10 };
    // the layer acts below 0.1 thickness / dt = 1
    for (speed, pushes) in [(0.0, true), (0.4, true), (0.6, false), (5.0, false)] {
        let scene = Scene::default().particle(1.0, 0.5, v(-0.54, 0.0), v(speed, 0.0)).particle(
            1.0,
            0.5,
            v(0.54, 0.0),
            v(-speed, 0.0),
        );
        let mut world = scene.world(response, 1.0, steps_of(0.01));
        world.step();
        let change = world.state().velocities[1].x.abs() - speed;
        // 100 · (0.1 − 0.08) newton for a hundredth of a second
        let expected = if !pushes {
            0.0
        } else if speed == 0.0 {
            0.02
        } else {
            -0.02
        };
        assert!((change - expected).abs() < 1e-12, "at {speed}: {change}");
    }
}
