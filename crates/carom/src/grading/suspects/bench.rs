//! What every suspect works with: the scene, and the samples with their steps as far as they are
//! free of collisions.

use super::super::Sample;
use crate::{Frame, Options, Scene, Simulation};
use carom_scene::System;
use carom_scene::description::particles::Response;

/// Positions and velocities of all bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// As in a frame.
    pub positions: Vec<f64>,
    /// As in a frame.
    pub velocities: Vec<f64>,
}

/// Two motions are the same when no number differs by more than this part of the largest: far above
/// rounding, far below any error.
const NEAR: f64 = 1e-9;

impl Motion {
    /// That of a frame.
    pub fn of(frame: &Frame) -> Motion {
        Motion { positions: frame.positions.clone(), velocities: frame.velocities.clone() }
    }

    /// Whether two motions are the same but for rounding. Numbers that are not finite are near
    /// nothing.
    pub fn is_near(&self, other: &Motion) -> bool {
        let near = |a: &[f64], b: &[f64]| {
            let scale = b.iter().fold(1.0, |scale: f64, x| scale.max(x.abs()));
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() <= NEAR * scale)
        };
        near(&self.positions, &other.positions) && near(&self.velocities, &other.velocities)
    }
}

/// A scene on the bench.
pub(super) struct Bench<'a> {
    pub(super) scene: &'a Scene,
    pub(super) options: Options,
    pub(super) samples: Vec<&'a Sample>,
    /// Where each sample would end if nothing touched.
    pub(super) free: Vec<Option<Motion>>,
}

impl<'a> Bench<'a> {
    pub(super) fn new(scene: &'a Scene, options: Options, samples: &[&'a Sample]) -> Option<Bench<'a>> {
        let mut bench = Bench { scene, options, samples: samples.to_vec(), free: Vec::new() };
        bench.free = bench.steps_of(&without_response(scene))?;
        Some(bench)
    }

    /// The end of every sample's step in another scene; nothing where that scene cannot be run.
    pub(super) fn steps_of(&self, scene: &Scene) -> Option<Vec<Option<Motion>>> {
        let mut simulation = Simulation::new(scene, self.options).ok()?;
        let step = |sample: &&Sample| step(&mut simulation, &sample.step.before);
        Some(self.samples.iter().map(step).collect())
    }

    /// The answer to collisions at this place and these velocities, by a step in which nothing
    /// moves and no force acts.
    pub(super) fn respond_at(&self, motions: &[Option<Motion>]) -> Option<Vec<Option<Motion>>> {
        let mut still = without_forces(self.scene);
        match &mut still.system {
            System::Particles(system) => system.integrator.dt = STILL,
            System::RigidBodies(system) => system.integrator.dt = STILL,
            System::SpatialBodies(_) => return None,
        }
        let mut simulation = Simulation::new(&still, self.options).ok()?;
        let answered = motions.iter().zip(&self.samples).map(|(motion, sample)| {
            let motion = motion.as_ref()?;
            let mut frame = Frame { step: sample.step.before.step, ..Frame::default() };
            frame.positions.clone_from(&motion.positions);
            frame.velocities.clone_from(&motion.velocities);
            let after = step(&mut simulation, &frame)?;
            Some(Motion { positions: motion.positions.clone(), velocities: after.velocities })
        });
        Some(answered.collect())
    }
}

/// A step so short that nothing moves.
const STILL: f64 = 1e-200;

pub(super) fn step(simulation: &mut Simulation, before: &Frame) -> Option<Motion> {
    // what a method remembers belongs to the right scene
    let before = Frame {
        step: before.step,
        positions: before.positions.clone(),
        velocities: before.velocities.clone(),
        ..Frame::default()
    };
    simulation.restore(&before).ok()?;
    simulation.step().ok()?;
    Some(Motion::of(&simulation.frame()))
}

/// The scene without any answer to collisions; forces of penalty are left in place where they
/// belong to another handler.
pub(super) fn without_response(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    match &mut scene.system {
        System::Particles(system) => {
            system.collision.response = match system.collision.response {
                // the penalty force of `hybrid` is a force
                Response::Hybrid { penalty, .. } | Response::Penalty(penalty) => Response::Penalty(penalty),
                _ => Response::None,
            };
        }
        System::RigidBodies(system) => system.contact = None,
        System::SpatialBodies(system) => system.contact = None,
    }
    scene
}

/// The scene without forces, those of penalty included.
pub(super) fn without_forces(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    match &mut scene.system {
        System::Particles(system) => system.forces = Default::default(),
        System::RigidBodies(system) => {
            system.gravities.clear();
            system.springs.clear();
            system.winds.clear();
        }
        System::SpatialBodies(_) => {}
    }
    scene
}
