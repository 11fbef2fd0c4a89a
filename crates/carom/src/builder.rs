//! Scenes built in code, in the words of the scene format: one builder for each kind of system.
//!
//! A builder makes a [`Scene`] and gives a typed handle for every body. What it is not given
//! is what the format says when it is left out. [`crate::Simulation::edit`] hands the same builders
//! to a simulation that runs.
//!
//! ```
//! use carom::{Particle, ParticleBuilder, scene::description::particles::Response};
//!
//! let mut build = ParticleBuilder::new(0.01);
//! let ball = build.particle(Particle::new(1.0, [0.0, 1.5], [0.0, 0.0]).with_radius(0.5));
//! build.halfplane([0.0, 0.0], [0.0, 1.0]);
//! build.simplegravity([0.0, -10.0]).collision(Response::Lcp, 0.0, 0.0);
//! let mut simulation = build.simulation()?;
//! for _ in 0..200 {
//!     simulation.step()?;
//! }
//! assert!((simulation.position(ball).unwrap()[1] - 0.5).abs() < 1e-6, "it rests on the floor");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod particles;
mod planar;
mod spatial;

pub use particles::ParticleBuilder;
pub use planar::PlanarBuilder;
pub use spatial::SpatialBuilder;

use crate::build::BuildError;
use crate::handle::{Handle, Names};
use crate::simulation::{Options, Simulation};
use carom_scene::{ReadOptions, Refusal, Scene};
use std::fmt;

/// Why a scene that was made in code cannot be run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum BuilderError {
    /// Its description breaks a rule of the format: a number out of range, a body that is not
    /// there.
    Scene(Box<Refusal>),
    /// The description is sound; a world cannot be made of it.
    World(BuildError),
}

impl fmt::Display for BuilderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuilderError::Scene(refusal) => refusal.fmt(f),
            BuilderError::World(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BuilderError {}

/// What all builders share: the scene so far and the names of its bodies.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Draft {
    pub(crate) scene: Scene,
    pub(crate) names: Names,
}

impl Draft {
    pub(crate) fn new(scene: Scene) -> Self {
        Self { scene, names: Names::default() }
    }

    fn add<H: Handle>(&mut self) -> H {
        H::of(self.names.add())
    }

    /// The number of a body. One that is not there gets a number that no scene has, which the check
    /// tells.
    fn index<H: Handle>(&self, handle: H) -> usize {
        self.names.index(handle.name()).unwrap_or(u32::MAX as usize)
    }

    /// The simulation, if the scene is sound.
    fn simulation(&self) -> Result<Simulation, BuilderError> {
        check(&self.scene)?;
        let mut simulation = Simulation::new(&self.scene, Options::default()).map_err(BuilderError::World)?;
        simulation.names.clone_from(&self.names);
        Ok(simulation)
    }
}

pub(crate) fn check(scene: &Scene) -> Result<(), BuilderError> {
    carom_scene::check(scene, &ReadOptions::default())
        .map_err(|refusal| BuilderError::Scene(Box::new(refusal)))
}

/// What a builder has, whatever it builds.
macro_rules! common {
    ($builder:ident, $system:ident, $kind:ty) => {
        impl $builder {
            /// How long a run lasts in seconds; 1 when nothing is said. A program may step on after
            /// that.
            pub fn duration(&mut self, seconds: f64) -> &mut Self {
                self.0.scene.general.duration = seconds;
                self
            }

            /// The scene so far, for files (`carom::scene::write`) and for what has no word here.
            pub fn scene(&self) -> &carom_scene::Scene {
                &self.0.scene
            }

            /// The system so far, with every field of the format. Bodies are added by the builder,
            /// not here.
            pub fn system(&mut self) -> &mut $kind {
                match &mut self.0.scene.system {
                    carom_scene::System::$system(system) => system,
                    _ => unreachable!("a builder keeps the system that it was made with"),
                }
            }

            /// The simulation at its start.
            pub fn simulation(&self) -> Result<crate::Simulation, super::BuilderError> {
                self.0.simulation()
            }

            pub(crate) fn from_draft(draft: super::Draft) -> Option<Self> {
                matches!(draft.scene.system, carom_scene::System::$system(_)).then_some(Self(draft))
            }

            pub(crate) fn into_draft(self) -> super::Draft {
                self.0
            }
        }

        impl super::Builder for $builder {
            fn from_draft(draft: super::Draft) -> Option<Self> {
                $builder::from_draft(draft)
            }

            fn into_draft(self) -> super::Draft {
                $builder::into_draft(self)
            }
        }
    };
}
use common;

/// What the builders of planar and spatial bodies share: the same words, each with the names of its
/// tags.
macro_rules! bodies {
    (
        $builder:ident, $handle:ty, $point:ty, $turn:ty, $integrator:ident: $method:ty, $gravity:ident,
        $spring:ident, $drag:ident, $timed:ident, $collision:ident, $surface:ident
    ) => {
        impl $builder {
            #[doc = concat!("`", stringify!($integrator), "`: the method that moves the bodies.")]
            pub fn $integrator(&mut self, method: $method) -> &mut Self {
                self.system().integrator.method = method;
                self
            }

            #[doc = concat!("Any body. The vertices that it names are in [`", stringify!($builder), "::system`].")]
            pub fn body(&mut self, body: Body) -> $handle {
                self.system().bodies.push(body);
                self.0.add()
            }

            /// A body that was added, to change how it moves or what it is.
            pub fn get(&mut self, body: $handle) -> Option<&mut Body> {
                let index = self.0.index(body);
                self.system().bodies.get_mut(index)
            }

            /// An end of a spring: a point of a body, from its centre of mass in body axes.
            pub fn anchor(&self, body: $handle, offset: $point) -> Anchor {
                Anchor::Body { body: self.0.index(body), offset }
            }

            #[doc = concat!("`", stringify!($spring), "`: stiffness k, rest length l0, damping b.")]
            pub fn $spring(&mut self, ends: [Anchor; 2], k: f64, l0: f64, b: f64) -> &mut Self {
                let [start, end] = ends;
                self.system().springs.push(Spring { start, end, stiffness: k, rest_length: l0, damping: b });
                self
            }

            #[doc = concat!("`", stringify!($gravity), "`: the same acceleration for all.")]
            pub fn $gravity(&mut self, acceleration: $point) -> &mut Self {
                self.system().gravities.push(acceleration);
                self
            }

            #[doc = concat!("`", stringify!($drag), "`: a force −b v and a torque −`angular` ω on every body.")]
            pub fn $drag(&mut self, b: f64, angular: f64) -> &mut Self {
                self.system().drags.push(Drag { linear: b, angular });
                self
            }

            #[doc = concat!("`", stringify!($timed), "`: `force` and `torque` times cos(rate t + phase), from 0 on.")]
            pub fn $timed(
                &mut self,
                body: $handle,
                (force, torque): ($point, $turn),
                rate: f64,
                phase: f64,
            ) -> &mut Self {
                let body = self.0.index(body);
                let timed = TimedForce { body, force, torque, rate, phase, from: 0.0, until: None };
                self.system().timed.push(timed);
                self
            }

            #[doc = concat!("`", stringify!($collision), "`: how contacts are answered, with restitution and friction.")]
            pub fn $collision(&mut self, response: Response, cor: f64, mu: f64) -> &mut Self {
                let contact = CollisionHandling { restitution: Some(cor), friction: mu, ..CollisionHandling::new(response) };
                self.system().contact = Some(contact);
                self
            }

            #[doc = concat!(
                "`", stringify!($surface),
                "`: what one body is like where it touches. The index in `surface` does not count."
            )]
            pub fn surface(&mut self, body: $handle, surface: Surface) -> &mut Self {
                let index = self.0.index(body);
                self.system().surfaces.push(Surface { index, ..surface });
                self
            }
        }
    };
}
use bodies;

/// One of the three builders.
pub trait Builder: Sized + private::Sealed {
    #[doc(hidden)]
    fn from_draft(draft: Draft) -> Option<Self>;
    #[doc(hidden)]
    fn into_draft(self) -> Draft;
}

mod private {
    /// Only the builders here.
    pub trait Sealed {}
    impl Sealed for super::ParticleBuilder {}
    impl Sealed for super::PlanarBuilder {}
    impl Sealed for super::SpatialBuilder {}
}
