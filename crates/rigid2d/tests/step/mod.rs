//! The step itself: closed forms for every response, and what must not change when a scene is
//! seen in another frame.

use crate::build;
mod first_scenes;
mod gas;
mod hard_scenes;
mod transformed;

use carom_rigid2d::{ContactSettings, Integrator, PlanarSettings, World};

/// A world of a build.
fn world(build: build::Build, dt: f64, integrator: Integrator, contact: ContactSettings) -> World {
    let settings = PlanarSettings { contact: Some(contact), ..PlanarSettings::new(dt, integrator) };
    World::new(build.model, build.state, settings).unwrap()
}

const INTEGRATORS: [Integrator; 3] =
    [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::ExplicitEuler];
