//! A scene in motion: one type over all families.

use crate::build::{self, BuildError};
use crate::failure::{INTERRUPTED, RestoreError, StepFailure};
use crate::handle::Names;
use crate::status::StepStatus;
use crate::timed::Timed;
use crate::world::World;
use crate::{particle_world, rigid_world, spatial_world, steps, wrapping};
use carom_frames::{BodyConstants, Diagnostics, Family, Frame, Polynomials};
use carom_scene::description::Wrap;
use carom_scene::{Scene, System};
use std::sync::Arc;

/// What is chosen about a run that is not part of the scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Options {
    /// Reproduce the known errors of the course's program (docs/course-compatibility.md).
    pub course: bool,
}

impl Options {
    /// As the course's program runs, or as it is right.
    pub const fn course(course: bool) -> Options {
        Options { course }
    }
}

/// A scene in motion.
#[derive(Debug, Clone)]
pub struct Simulation {
    pub(crate) world: World,
    /// What it was made of, for changes.
    pub(crate) scene: Arc<Scene>,
    pub(crate) options: Options,
    /// Names of the bodies, which handles hold.
    pub(crate) names: Names,
    /// Forces that change in time.
    timed: Vec<Timed>,
    planned_steps: u64,
    dt: f64,
    course: bool,
    /// The box that bodies come in again on the other side of, and room for a frame to do it with.
    wrap: Option<(Wrap, Box<Frame>)>,
    /// How the last step went.
    diagnostics: Diagnostics,
}

impl Simulation {
    /// A simulation at the start of a scene.
    pub fn new(scene: &Scene, options: Options) -> Result<Self, BuildError> {
        let (world, dt) = match &scene.system {
            System::Particles(system) => {
                let world = build::particle_world(system, options)?;
                (World::Particles(Box::new(particle_world::ParticleWorld::new(world))), system.integrator.dt)
            }
            System::RigidBodies(system) => {
                let world = build::rigid_world(system, options)?;
                (World::RigidBodies(Box::new(rigid_world::RigidWorld::new(world))), system.integrator.dt)
            }
            System::SpatialBodies(_) if options.course => {
                return Err(BuildError::CourseRefuses("the course's program has no spatial bodies"));
            }
            System::SpatialBodies(system) => {
                let world = build::spatial_world(system)?;
                let world = spatial_world::SpatialWorld::new(world, system.frame_rate);
                (World::SpatialBodies(Box::new(world)), system.integrator.dt)
            }
        };
        let planned_steps = steps::planned(scene.general.duration, dt, options.course);
        let wrap = scene.general.wrap.map(|wrap| (wrap, Box::default()));
        let mut simulation = Self {
            world,
            scene: Arc::new(scene.clone()),
            options,
            names: Names::default(),
            // The course's program knows none.
            timed: if options.course { Vec::new() } else { Timed::of(scene) },
            planned_steps,
            dt,
            course: options.course,
            wrap,
            diagnostics: Diagnostics::default(),
        };
        simulation.names = Names::new(simulation.body_count());
        Ok(simulation)
    }

    /// Takes one step. How it went is in the next [`Simulation::frame`]; a step that could not be
    /// taken is an error and leaves the simulation where it was.
    ///
    /// ```
    /// use carom::{Particle, ParticleBuilder};
    ///
    /// let mut build = ParticleBuilder::new(0.5);
    /// let ball = build.particle(Particle::new(1.0, [0.0, 0.0], [3.0, 0.0]));
    /// let mut simulation = build.simulation()?;
    /// simulation.step()?;
    /// assert_eq!((simulation.step_count(), simulation.time()), (1, 0.5));
    /// assert_eq!(simulation.position(ball), Some([1.5, 0.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(&mut self) -> Result<(), StepFailure> {
        if self.dt <= 0.0 {
            // Only the course's way of reading lets such a scene through, and its program then
            // takes no step.
            let reason = format!("dt is {}; time does not go on", self.dt);
            let status = StepStatus::NotConverged;
            return Err(StepFailure { step: 1, time: 0.0, status, reason, interrupted: false });
        }
        self.push_timed();
        let outcome = self.world.step();
        match outcome {
            Ok(diagnostics) => {
                self.diagnostics = diagnostics;
                self.wrap_bodies();
                Ok(())
            }
            Err((status, reason)) => {
                let interrupted = reason == INTERRUPTED;
                Err(StepFailure {
                    step: self.step_count() + 1,
                    time: self.time(),
                    status,
                    reason,
                    interrupted,
                })
            }
        }
    }

    /// Forces that change in time, for the step that comes.
    fn push_timed(&mut self) {
        let step = self.step_count() as f64;
        let span = [step * self.dt, (step + 1.0) * self.dt];
        for k in 0..self.timed.len() {
            let timed = self.timed[k];
            let mean = timed.mean(span);
            if mean != 0.0 {
                self.push(timed.body, timed.force.map(|f| mean * f), timed.torque.map(|t| mean * t));
            }
        }
    }

    /// Brings what left the scene's box in on the other side.
    fn wrap_bodies(&mut self) {
        let Some((wrap, mut frame)) = self.wrap.take() else { return };
        self.write_frame(&mut frame);
        if wrapping::wrap(self.family(), &wrap, &mut frame) {
            // The places are finite and nothing else changed: a world takes its own frame back.
            let _its_own_frame_fits = self.restore(&frame);
        }
        self.wrap = Some((wrap, frame));
    }

    /// Pushes and turns a particle or body during the next step only, as a player or a hand would.
    /// Several pushes add up; fixed and kinematic bodies do not feel them. Planar bodies feel the
    /// first two numbers of the force and the third of the torque, particles the first two numbers
    /// of the force. Says whether the body is there.
    pub fn push(&mut self, body: usize, force: [f64; 3], torque: [f64; 3]) -> bool {
        self.world.push(body, force, torque)
    }

    /// Steps taken since the start.
    pub fn step_count(&self) -> u64 {
        self.world.step_count()
    }

    /// Steps that the scene's duration asks for.
    pub fn planned_steps(&self) -> u64 {
        self.planned_steps
    }

    /// Steps to a simulated time, counted as [`Simulation::planned_steps`] is.
    pub fn steps_until(&self, time: f64) -> u64 {
        steps::planned(time, self.dt, self.course)
    }

    /// Length of a step in seconds.
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// Simulated seconds since the start.
    pub fn time(&self) -> f64 {
        self.step_count() as f64 * self.dt
    }

    /// The kind of system.
    pub fn family(&self) -> Family {
        self.world.family()
    }

    /// Number of particles or bodies.
    pub fn body_count(&self) -> usize {
        self.world.body_count()
    }

    /// Leaves energies, momenta and overlaps out of the frames to come (they are then NaN), for
    /// runs whose file does not hold them: finding them costs about as much as a step. Rigid bodies
    /// always have theirs, as the course's files do.
    pub fn show_states_only(&mut self) {
        match &mut self.world {
            World::Particles(world) => world.show_states_only(),
            World::RigidBodies(_) | World::SpatialBodies(_) => {}
        }
    }

    /// Steps from one frame to the next when nobody says otherwise: 1, or 0 for a scene with a
    /// frame rate of its own.
    pub fn usual_every(&self) -> u64 {
        match &self.world {
            World::Particles(_) | World::RigidBodies(_) => 1,
            World::SpatialBodies(_) => 0,
        }
    }

    /// Whether a step is one that the scene's own frame rate shows: the nearest to the time of some
    /// frame. Every step is, in scenes without a frame rate.
    pub fn is_output_step(&self, step: u64) -> bool {
        match &self.world {
            World::Particles(_) | World::RigidBodies(_) => true,
            World::SpatialBodies(world) => world.is_output_step(step),
        }
    }

    /// Largest distance of a 3D orientation from a rotation in the last step, before it was
    /// normalized; 0 where there are none.
    pub fn orientation_drift(&self) -> f64 {
        match &self.world {
            World::Particles(_) | World::RigidBodies(_) => 0.0,
            World::SpatialBodies(world) => world.orientation_drift(),
        }
    }

    /// How the last step went.
    pub fn diagnostics(&self) -> Diagnostics {
        self.diagnostics
    }

    /// How many contacts the last step had: as many as its frame shows.
    pub fn contact_count(&self) -> usize {
        self.world.contacts().len()
    }

    /// The contact problem of the last step in which something touched, as it was solved last. None
    /// for particles whose collisions are answered one after the other.
    pub fn contact_problem(&self) -> Option<&carom_contact::ContactProblem> {
        self.world.contact_problem()
    }

    /// The present moment as plain data.
    pub fn frame(&self) -> Frame {
        let mut frame = Frame::default();
        self.write_frame(&mut frame);
        frame
    }

    /// The present moment, into a frame that is there already: no allocation once it has its size.
    pub fn write_frame(&self, frame: &mut Frame) {
        frame.step = self.step_count();
        frame.time = self.time();
        frame.diagnostics = self.diagnostics;
        self.world.write_frame(frame);
        if frame.diagnostics.status == StepStatus::Solved.code() && self.overflows(frame) {
            frame.diagnostics.status = StepStatus::Overflow.code();
        }
    }

    pub(crate) fn shows_states_only(&self) -> bool {
        matches!(&self.world, World::Particles(world) if world.shows_states_only())
    }

    /// Whether energies and momenta were computed, and one of them is not a finite number.
    fn overflows(&self, frame: &Frame) -> bool {
        let shown = !self.shows_states_only();
        let q = &frame.quantities;
        let numbers = q.momentum.iter().chain(&q.angular_momentum).chain([&q.kinetic, &q.potential]);
        shown && numbers.into_iter().any(|number| !number.is_finite())
    }

    /// Goes to a stored frame. The next step is, to the bit, that of a run which came there by
    /// itself.
    ///
    /// ```
    /// use carom::{Particle, ParticleBuilder};
    ///
    /// let mut build = ParticleBuilder::new(0.01);
    /// build.particle(Particle::new(1.0, [0.0, 2.0], [1.0, 0.0]));
    /// build.simplegravity([0.0, -10.0]);
    /// let mut simulation = build.simulation()?;
    /// simulation.step()?;
    /// let saved = simulation.frame();
    /// simulation.step()?;
    /// let went_on = simulation.frame();
    /// simulation.restore(&saved)?;
    /// simulation.step()?;
    /// assert_eq!(simulation.frame(), went_on);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore(&mut self, frame: &Frame) -> Result<(), RestoreError> {
        let restored = self.world.restore(frame);
        restored.map_err(|reason| RestoreError { step: frame.step, reason })?;
        self.diagnostics = frame.diagnostics;
        Ok(())
    }

    /// Writes down the polynomials of the collision tests in the steps from now on, or stops doing
    /// so: see [`Simulation::polynomials`]. The log costs the square of the number of particles.
    pub fn log_polynomials(&mut self, wanted: bool) {
        if let World::Particles(world) = &mut self.world {
            world.log_conditions(wanted);
        }
    }

    /// The polynomials in the course's files of the last step, for its first record and for its
    /// second; `None` where they were not asked for.
    pub fn polynomials(&self) -> Option<[Polynomials; 2]> {
        match &self.world {
            World::Particles(world) => world.polynomials(),
            World::RigidBodies(_) | World::SpatialBodies(_) => None,
        }
    }

    /// Masses, centres and moments of inertia of planar bodies as they are now; the course's files
    /// hold those of the start.
    pub fn body_constants(&self) -> BodyConstants {
        let (masses, inertias) = self.mass_properties();
        let positions = self.frame().positions;
        let centres = positions.chunks_exact(3).flat_map(|x| [x[0], x[1]]).collect();
        BodyConstants { masses, centres, inertias }
    }

    /// Masses of all bodies, and their moments of inertia where bodies have them: one for each
    /// planar body, for each spatial body Ixx Iyy Izz Ixy Iyz Izx in body axes.
    pub fn mass_properties(&self) -> (Vec<f64>, Vec<f64>) {
        self.world.mass_properties()
    }
}
