//! Worlds in a few lines, for tests.
#![allow(dead_code, reason = "each test file uses its own part")]

use carom_rigid3d::orientation::exponential;
use carom_rigid3d::{
    BodyIndex, BodyState, ContactSettings, DVec3, Integrator, Model, Motion, Orientation, OrientationKind,
    OverlapFinder, Placed, Response, SpatialSettings, State, World,
};

pub(crate) const GRAVITY: f64 = 9.81;

/// A world that is being put together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Build {
    pub(crate) model: Model,
    pub(crate) state: State,
}

pub(crate) fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

pub(crate) fn body(k: usize) -> BodyIndex {
    BodyIndex(u32::try_from(k).unwrap())
}

impl Build {
    /// Gravity along −z and a floor at z = 0, which is body 0.
    pub(crate) fn on_floor() -> Self {
        let mut build = Self::default();
        build.model.forces.gravities.push(v(0.0, 0.0, -GRAVITY));
        build.add(Placed::half_space(DVec3::ZERO, DVec3::Z, Motion::Fixed), DVec3::ZERO);
        build
    }

    /// The same with gravity leaning along +x by an angle: a slope in axes of its own.
    pub(crate) fn on_slope(angle: f64) -> Self {
        let mut build = Self::on_floor();
        let (sin, cos) = carom_numerics::elementary::sin_cos(angle);
        build.model.forces.gravities[0] = GRAVITY * v(sin, 0.0, -cos);
        build
    }

    pub(crate) fn add(&mut self, placed: Placed, velocity: DVec3) -> usize {
        self.state.bodies.push(BodyState::at(placed.center).moving(&placed.body, velocity, DVec3::ZERO));
        self.model.bodies.push(placed.body);
        self.state.bodies.len() - 1
    }

    /// A ball of mass 1.
    pub(crate) fn ball(&mut self, center: DVec3, radius: f64, velocity: DVec3) -> usize {
        let mut placed = Placed::sphere(center, radius, 1.0, Motion::Free);
        placed.body = carom_rigid3d::Body::new(
            1.0,
            *placed.body.inertia() * (1.0 / placed.body.mass),
            placed.body.shape,
            Motion::Free,
        );
        self.add(placed, velocity)
    }

    /// A box of density 1 by its centre and half sides.
    pub(crate) fn cuboid(&mut self, center: DVec3, half: DVec3, motion: Motion) -> usize {
        self.add(Placed::cuboid(center, half, 1.0, motion).unwrap(), DVec3::ZERO)
    }

    /// Turns a body by a rotation vector and gives it velocities.
    pub(crate) fn turn(&mut self, k: usize, rotation: DVec3, velocity: DVec3, spin: DVec3) {
        let orientation = Orientation::Quaternion(exponential(rotation));
        let turned = BodyState { orientation, ..self.state.bodies[k] };
        self.state.bodies[k] = turned.moving(&self.model.bodies[k], velocity, spin);
    }

    pub(crate) fn world(self, dt: f64, response: Response) -> World {
        self.with(dt, ContactSettings::new(response))
    }

    pub(crate) fn with(self, dt: f64, contact: ContactSettings) -> World {
        self.stepped_by(dt, Integrator::SymplecticEuler, contact)
    }

    pub(crate) fn stepped_by(self, dt: f64, integrator: Integrator, contact: ContactSettings) -> World {
        let orientation = OrientationKind::Quaternion;
        let settings = SpatialSettings { dt, integrator, orientation, contact: Some(contact) };
        World::new(self.model, self.state, settings).unwrap()
    }
}

/// The deepest overlap of a world where it is.
pub(crate) fn deepest(world: &World) -> f64 {
    OverlapFinder::new(world).deepest(world)
}

/// A triangle of `rows` rows of unit balls in the plane z = 0 that touch exactly, its tip at the
/// origin, and a striker from the left.
pub(crate) fn rack(rows: usize, gap: f64, speed: f64) -> Build {
    let mut build = Build::default();
    build.ball(v(-2.0 - gap, 0.0, 0.0), 1.0, v(speed, 0.0, 0.0));
    let root_three = 3f64.sqrt();
    for row in 0..rows {
        for k in 0..=row {
            let y = 2.0 * (k as f64 - 0.5 * row as f64);
            build.ball(v(root_three * row as f64, y, 0.0), 1.0, DVec3::ZERO);
        }
    }
    build
}

/// A tower of boxes of side 1 on the floor.
pub(crate) fn tower(count: usize) -> Build {
    let mut build = Build::on_floor();
    for k in 0..count {
        build.cuboid(v(0.0, 0.0, 0.5 + k as f64), v(0.5, 0.5, 0.5), Motion::Free);
    }
    build
}
