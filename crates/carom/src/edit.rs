//! Bodies that come and go while a simulation runs.
//!
//! The scene is changed, a new world is made of it, and every body that was there goes on from
//! where it is. That is the same on every run. Impulse caches start cold, and forces that were
//! added for the next step are gone.

use crate::builder::{Builder, BuilderError, Draft, check};
use crate::handle::{Handle, Names};
use crate::simulation::Simulation;
use carom_frames::{Contact, ContactKind, Frame};
use carom_scene::description::spatial::Orientation;
use carom_scene::{Scene, System};
use std::fmt;

/// Why a simulation was not changed: it goes on as it was.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum EditError {
    /// The builder is of another kind of system.
    OtherFamily,
    /// There is no such body.
    NoSuchBody,
    /// Bodies that are there must stay; only [`Simulation::remove`] takes them away.
    BodiesMissing,
    /// The changed scene cannot be run.
    Scene(BuilderError),
    /// A body cannot go on from where it is.
    State(String),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::OtherFamily => f.write_str("the builder is of another kind of system"),
            EditError::NoSuchBody => f.write_str("there is no such body"),
            EditError::BodiesMissing => f.write_str("bodies are missing; `remove` takes them away"),
            EditError::Scene(error) => error.fmt(f),
            EditError::State(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for EditError {}

impl Simulation {
    /// Adds bodies, springs and forces, or changes numbers of the scene, by the builder of its
    /// family. Bodies that were there stay where they are; what the change says about their start
    /// has no effect.
    ///
    /// ```
    /// use carom::{Particle, ParticleBuilder};
    ///
    /// let mut build = ParticleBuilder::new(0.1);
    /// let first = build.particle(Particle::new(1.0, [0.0, 0.0], [1.0, 0.0]));
    /// let mut simulation = build.simulation()?;
    /// simulation.step()?;
    /// let place = simulation.position(first).unwrap();
    /// let second = simulation.edit(|build: &mut ParticleBuilder| {
    ///     build.particle(Particle::new(1.0, [5.0, 5.0], [0.0, 1.0]))
    /// })?;
    /// simulation.step()?;
    /// assert_eq!(simulation.position(first), Some([2.0 * place[0], 0.0]));
    /// assert!(simulation.position(second).unwrap()[1] > 5.0);
    /// simulation.remove(first)?;
    /// assert_eq!((simulation.body_count(), simulation.position(first)), (1, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edit<B: Builder, R>(&mut self, change: impl FnOnce(&mut B) -> R) -> Result<R, EditError> {
        let draft = Draft { scene: (*self.scene).clone(), names: self.names.clone() };
        let mut builder = B::from_draft(draft).ok_or(EditError::OtherFamily)?;
        let result = change(&mut builder);
        let Draft { scene, names } = builder.into_draft();
        if scene.movable().len() != names.len() {
            return Err(EditError::BodiesMissing);
        }
        self.become_scene(scene, names)?;
        Ok(result)
    }

    /// Takes a body away, with all that is fastened to it: edges, springs, forces and scripts.
    /// Handles of other bodies stay true; their numbers in frames move up.
    pub fn remove<H: Handle>(&mut self, handle: H) -> Result<(), EditError> {
        let index = self.index(handle).ok_or(EditError::NoSuchBody)?;
        let (mut scene, mut names) = ((*self.scene).clone(), self.names.clone());
        scene.remove_body(index);
        names.remove(index);
        self.become_scene(scene, names)
    }

    /// Goes on with another scene. Bodies of the same name are where they were.
    fn become_scene(&mut self, scene: Scene, names: Names) -> Result<(), EditError> {
        check(&scene).map_err(EditError::Scene)?;
        let made = Simulation::new(&scene, self.options);
        let mut next = made.map_err(|error| EditError::Scene(BuilderError::World(error)))?;
        let before = self.frame();
        let mut frame = next.frame();
        let family = self.family();
        let old = |index: usize| names.name(index).and_then(|name| self.names.index(name));
        let kept = (0..names.len()).filter_map(|new| old(new).map(|old| (old, new)));
        let remembered = numbers_in_memory(&scene);
        for (old, new) in kept {
            carry(&before.positions, &mut frame.positions, family.coordinates(), (old, new));
            carry(&before.velocities, &mut frame.velocities, family.degrees_of_freedom(), (old, new));
            carry(&before.memory, &mut frame.memory, remembered, (old, new));
        }
        (frame.step, frame.time, frame.diagnostics) = (before.step, before.time, before.diagnostics);
        let new = |old: u32| self.names.name(old as usize).and_then(|name| names.index(name));
        frame.contacts = still_there(&before, new);
        frame.quantities.deepest_penetration = f64::NAN;
        next.restore(&frame).map_err(|error| EditError::State(error.reason))?;
        next.names = names;
        if self.shows_states_only() {
            next.show_states_only();
        }
        *self = next;
        Ok(())
    }
}

/// Numbers of a body's own in the memory of a frame: momenta, and matrices where orientations are
/// kept so.
fn numbers_in_memory(scene: &Scene) -> usize {
    match &scene.system {
        System::Particles(_) | System::RigidBodies(_) => 0,
        System::SpatialBodies(system) => match system.integrator.orientation {
            Orientation::Quaternion => 6,
            Orientation::Matrix => 15,
        },
    }
}

fn carry(from: &[f64], to: &mut [f64], width: usize, (old, new): (usize, usize)) {
    let parts = (from.get(old * width..(old + 1) * width), to.get_mut(new * width..(new + 1) * width));
    if let (Some(from), Some(to)) = parts {
        to.copy_from_slice(from);
    }
}

/// Contacts between bodies that are still there, so that events go on. Edges may have new numbers:
/// theirs begin anew.
fn still_there(frame: &Frame, new: impl Fn(u32) -> Option<usize>) -> Vec<Contact> {
    let renamed = |contact: &Contact| {
        let first = new(contact.first)? as u32;
        let second = match contact.kind {
            ContactKind::ParticleParticle | ContactKind::BodyBody => new(contact.second)? as u32,
            ContactKind::ParticleHalfPlane => contact.second,
            ContactKind::ParticleEdge => return None,
        };
        Some(Contact { first, second, ..*contact })
    };
    frame.contacts.iter().filter_map(renamed).collect()
}
