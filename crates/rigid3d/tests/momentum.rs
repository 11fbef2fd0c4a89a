//! What reports say of momentum.

use crate::build;

use build::{Build, v};
use carom_rigid3d::{ContactSettings, DVec3, Motion, Response};

/// A cube that falls on a fixed one, askew, and comes to rest: what reports say of its momentum is
/// what it gained beside its weight, in every step.
#[test]
fn reports_tell_the_change_of_momentum() {
    for (restitution, friction) in [(0.0, 0.0), (0.5, 0.0), (0.5, 0.4), (1.0, 0.0)] {
        let mut build = Build::default();
        build.model.forces.gravities.push(v(0.0, 0.0, -build::GRAVITY));
        build.cuboid(v(0.0, 0.0, -1.0), v(2.0, 2.0, 1.0), Motion::Fixed);
        let cube = build.cuboid(v(0.1, 0.0, 0.8), v(0.3, 0.3, 0.3), Motion::Free);
        build.turn(cube, v(0.3, 0.2, 0.0), v(0.4, 0.0, -1.0), v(1.0, -2.0, 0.5));
        let contact =
            ContactSettings { friction, ..ContactSettings::with_restitution(Response::Lcp, restitution) };
        let (dt, mut impacts) = (1.0 / 60.0, 0);
        let mut world = build.with(dt, contact);
        for step in 0..120 {
            let before = world.state().bodies[cube].momentum;
            let report = world.step();
            let gained = world.state().bodies[cube].momentum - before;
            let weight = v(0.0, 0.0, -build::GRAVITY) * dt * world.model().bodies[cube].mass;
            let reported = DVec3::from_array(report.momentum_change);
            let off = (gained - weight - reported).length();
            assert!(off < 1e-12, "{restitution} {friction}, step {step}: {reported} of {}", gained - weight);
            impacts += report.impacts;
        }
        assert!(restitution == 0.0 || impacts > 0);
    }
}
