//! Worlds in a few lines, for tests.
#![allow(dead_code, reason = "each test file uses its own part")]

use carom_rigid2d::{
    BodyState, ContactSettings, DVec2, Forces, Integrator, Model, Motion, OverlapFinder, Placed,
    PlanarSettings, PointMass, Response, State, World,
};

pub(crate) const FREE: Motion = Motion::Free;
pub(crate) const FIXED: Motion = Motion::Fixed;

/// Every response that is solved.
pub(crate) const SOLVED: [Response; 5] = [
    Response::Impulse,
    Response::Lcp,
    Response::VelocityProjection,
    Response::ReflectionLcp,
    Response::ReflectionVelocityProjection,
];

/// A world that is being put together.
#[derive(Debug, Clone)]
pub(crate) struct Build {
    pub(crate) model: Model,
    pub(crate) state: State,
}

pub(crate) fn v(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

impl Build {
    pub(crate) fn new() -> Self {
        Self { model: Model::default(), state: State::default() }
    }

    pub(crate) fn gravity(gravity: DVec2) -> Self {
        let forces = Forces { gravities: vec![gravity], ..Forces::default() };
        Self { model: Model { forces, ..Model::default() }, ..Self::new() }
    }

    pub(crate) fn add(&mut self, placed: Placed, velocity: DVec2) -> usize {
        self.model.bodies.push(placed.body);
        self.state.bodies.push(BodyState { velocity, ..BodyState::at(placed.center) });
        self.state.bodies.len() - 1
    }

    /// A disc of unit density about its mass.
    pub(crate) fn disc(&mut self, center: DVec2, radius: f64, velocity: DVec2) -> usize {
        self.add(Placed::disc(center, radius, 1.0, FREE), velocity)
    }

    /// A hollow outline of unit point masses.
    pub(crate) fn outline(&mut self, vertices: &[DVec2], radius: f64, motion: Motion) -> usize {
        let points: Vec<_> = vertices.iter().map(|&position| PointMass { position, mass: 1.0 }).collect();
        self.add(Placed::point_masses(&points, radius, motion), DVec2::ZERO)
    }

    /// A box by its centre and half sides.
    pub(crate) fn block(&mut self, center: DVec2, half: DVec2, radius: f64, motion: Motion) -> usize {
        let corners = [v(-1.0, -1.0), v(-1.0, 1.0), v(1.0, 1.0), v(1.0, -1.0)].map(|c| center + c * half);
        self.outline(&corners, radius, motion)
    }

    /// A fixed box whose upper surface is at y = 0, turned about the origin by `angle`.
    pub(crate) fn floor(&mut self, angle: f64) -> usize {
        let k = self.block(v(0.0, -1.1), v(100.0, 1.0), 0.1, FIXED);
        let turn = carom_rigid2d::rotation::Rotation::by(angle);
        self.state.bodies[k].position = turn.apply(self.state.bodies[k].position);
        self.state.bodies[k].angle = angle;
        k
    }

    pub(crate) fn world(self, dt: f64, response: Response) -> World {
        self.with(dt, ContactSettings::new(response))
    }

    pub(crate) fn with(self, dt: f64, contact: ContactSettings) -> World {
        let settings =
            PlanarSettings { contact: Some(contact), ..PlanarSettings::new(dt, Integrator::SymplecticEuler) };
        World::new(self.model, self.state, settings).unwrap()
    }
}

/// The deepest overlap of a world where it is.
pub(crate) fn deepest(world: &World) -> f64 {
    OverlapFinder::new(world).deepest(world)
}

/// A triangle of `rows` rows of unit discs that touch exactly, its tip at the origin, and a striker
/// from the left.
pub(crate) fn rack(rows: usize, gap: f64, speed: f64) -> Build {
    let mut build = Build::new();
    build.disc(v(-2.0 - gap, 0.0), 1.0, v(speed, 0.0));
    let root_three = 3f64.sqrt();
    for row in 0..rows {
        for k in 0..=row {
            let y = 2.0 * (k as f64 - 0.5 * row as f64);
            build.disc(v(root_three * row as f64, y), 1.0, DVec2::ZERO);
        }
    }
    build
}
