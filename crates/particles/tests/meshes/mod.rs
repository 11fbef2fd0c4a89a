//! Spring meshes of any size, for tests and benchmarks of cost.

use carom_particles::force::{SimpleGravity, Spring};
use carom_particles::{Integrator, Model, Particle, ParticleIndex, ParticleSettings, State, World};
use glam::DVec2;

/// A square cloth of `side` × `side` particles at unit distance, joined along rows, columns and
/// both diagonals by damped springs, hung by its two upper corners and pushed sideways a little.
///
/// h² k / m = 10 at the time step of [`cloth_world`]: explicit methods would be unstable.
pub(crate) fn cloth(side: usize) -> (Model, State) {
    let mut model = Model::default();
    let (mut positions, mut velocities) = (Vec::new(), Vec::new());
    for y in 0..side {
        for x in 0..side {
            let fixed = y + 1 == side && (x == 0 || x + 1 == side);
            model.particles.push(Particle { mass: 0.01, radius: 0.01, fixed });
            positions.push(DVec2::new(x as f64, y as f64));
            // A pattern that is not smooth, so that every wave length is there.
            let push = ((x * 7 + y * 13) % 11) as f64 / 11.0 - 0.5;
            velocities.push(if fixed { DVec2::ZERO } else { DVec2::new(push, -push) });
            join(&mut model, side, (x, y));
        }
    }
    model.forces.gravities.push(SimpleGravity { acceleration: DVec2::new(0.0, -9.81) });
    (model, State::new(positions, velocities))
}

fn join(model: &mut Model, side: usize, (x, y): (usize, usize)) {
    let here = y * side + x;
    let neighbours = [
        (x > 0, here.wrapping_sub(1), 1.0),
        (y > 0, here.wrapping_sub(side), 1.0),
        (x > 0 && y > 0, here.wrapping_sub(side + 1), std::f64::consts::SQRT_2),
        (x + 1 < side && y > 0, here.wrapping_sub(side).wrapping_add(1), std::f64::consts::SQRT_2),
    ];
    for (exists, other, rest_length) in neighbours {
        if exists {
            model.forces.springs.push(Spring {
                first: ParticleIndex(other),
                second: ParticleIndex(here),
                stiffness: 1000.0,
                rest_length,
                damping: 0.1,
            });
        }
    }
}

/// A cloth ready to step, with a step of a hundredth of a second for implicit methods and one that
/// is stable for the others.
pub(crate) fn cloth_world(side: usize, integrator: Integrator) -> World {
    let (model, state) = cloth(side);
    let time_step = if integrator.is_implicit() { 0.01 } else { 0.0005 };
    let settings = ParticleSettings { integrator, ..ParticleSettings::with_time_step(time_step) };
    World::new(model, state, settings).expect("the cloth is a valid model")
}
