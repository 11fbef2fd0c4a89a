//! Shorthands for people who make scenes in code. What is not given is what the file format says
//! when it is left out.

use super::{General, ParticleScene, RigidScene, Scene, SpatialScene, System};

impl Scene {
    /// A particle scene that runs for so many seconds.
    ///
    /// ```
    /// use carom_scene::description::particles::{Integrator, ParticleMethod, Particle};
    /// use carom_scene::{ParticleScene, ReadOptions, Scene, check, write};
    ///
    /// let mut system = ParticleScene::new(Integrator { method: ParticleMethod::SymplecticEuler, dt: 0.01 });
    /// system.particles.push(Particle::new(1.0, [0.0, 2.0], [1.0, 0.0]));
    /// system.forces.gravities.push([0.0, -9.81]);
    /// let scene = Scene::particles(5.0, system);
    /// assert!(check(&scene, &ReadOptions::default()).is_ok());
    /// assert!(write(&scene).contains("<simplegravity"));
    /// ```
    pub fn particles(duration: f64, system: ParticleScene) -> Scene {
        Scene { general: General::new(duration), system: System::Particles(system) }
    }

    /// A scene of rigid bodies that runs for so many seconds.
    pub fn rigid_bodies(duration: f64, system: RigidScene) -> Scene {
        Scene { general: General::new(duration), system: System::RigidBodies(system) }
    }

    /// A scene of spatial bodies that runs for so many seconds.
    pub fn spatial_bodies(duration: f64, system: SpatialScene) -> Scene {
        Scene { general: General::new(duration), system: System::SpatialBodies(system) }
    }
}
