//! Planar bodies as the step sees them.

use crate::contact_rows;
use crate::detection::{Detector, PlanarContact};
use crate::energy::{BodyQuantities, Totals};
use crate::force::{self, Load};
use crate::integrator::Integrator;
use crate::model::{Model, Motion as MovedBy, Shape};
use crate::relaxation::Relaxation;
use crate::script::Pose;
use crate::settings::PlanarSettings;
use crate::state::{BodyState, State};
use carom_contact::{ContactKey, ContactProblem};
use carom_geometry::plane::broad_phase::most_pairs;
use carom_stepping::{Flight, Material, Mechanics, Momentum, Motion, Pair, Path, Sweep, Vector};
use glam::DVec2;

/// Model, state and what a step needs of them.
#[derive(Debug, Clone)]
pub(crate) struct Bodies {
    pub(crate) model: Model,
    pub(crate) state: State,
    pub(crate) settings: PlanarSettings,
    /// Forces from outside, for the next step only.
    pub(crate) applied: Vec<Load>,
    /// Scratch for the forces of a step.
    pub(crate) loads: Vec<Load>,
    pub(crate) detector: Detector,
    /// The end of a step without contact.
    end: State,
    relaxation: Relaxation,
}

impl Bodies {
    pub(crate) fn new(model: Model, state: State, settings: PlanarSettings) -> Self {
        let nothing = vec![Load::default(); model.bodies.len()];
        Self {
            detector: Detector::new(&model).limited(most_pairs()),
            model,
            settings,
            applied: nothing.clone(),
            loads: nothing,
            end: state.clone(),
            state,
            relaxation: Relaxation::default(),
        }
    }

    fn contact_tolerance(&self) -> f64 {
        self.settings.contact.map_or(0.0, |contact| contact.contact_tolerance)
    }
}

impl Mechanics for Bodies {
    type Pose = Pose;
    type Contact = PlanarContact;
    const DOF: usize = 3;
    const LINEAR: usize = 2;
    const LIFTS: bool = true;

    carom_stepping::rigid_mechanics!();

    fn is_round(&self, body: usize) -> bool {
        matches!(self.model.bodies[body].shape, Shape::Disc { .. })
    }

    fn fly(&mut self, dt: f64, flight: &mut Flight<Pose>) {
        let Self { model, state, settings, applied, loads, end, .. } = self;
        end.bodies.clone_from(&state.bodies);
        end.step = state.step;
        let mut law = |bodies: &[BodyState], loads: &mut [Load]| {
            loads.copy_from_slice(applied);
            force::accumulate(model, bodies, loads);
        };
        settings.integrator.advance(model, end, dt, &mut law, loads);
        flight.clear();
        let moves_by_end = settings.integrator == Integrator::SymplecticEuler;
        flight.shift = match settings.integrator {
            Integrator::ExplicitEuler => 0.5,
            Integrator::SymplecticEuler => -0.5,
            Integrator::VelocityVerlet => 0.0,
        };
        for ((body, start), end) in model.bodies.iter().zip(&state.bodies).zip(&end.bodies) {
            let (mut before, mut after) = (vector(start), vector(end));
            let mut mean = after;
            match body.motion {
                MovedBy::Fixed => (before, mean, after) = Default::default(),
                MovedBy::Kinematic(_) => before = after,
                MovedBy::Free if !moves_by_end => {
                    let way = end.position - start.position;
                    mean = planar(way / dt, (end.angle - start.angle) / dt);
                }
                MovedBy::Free => {}
            }
            let mut acceleration = Vector::default();
            for k in 0..Self::DOF {
                acceleration[k] = (after[k] - before[k]) / dt;
            }
            flight.start.push(Motion { pose: pose(start), velocity: before, acceleration });
            flight.mean.push(mean);
            flight.end.push((pose(end), after));
        }
    }

    fn drift(&self, _: usize, motion: &Motion<Pose>, time: f64) -> Motion<Pose> {
        let Motion { mut pose, mut velocity, acceleration } = *motion;
        let mean = |k: usize| motion.velocity[k] + 0.5 * time * acceleration[k];
        pose.position += time * DVec2::new(mean(0), mean(1));
        pose.angle += time * mean(2);
        for k in 0..Self::DOF {
            velocity[k] += time * acceleration[k];
        }
        Motion { pose, velocity, acceleration }
    }

    fn displaced(&self, _: usize, pose: &Pose, by: &Vector) -> Pose {
        Pose { position: pose.position + DVec2::new(by[0], by[1]), angle: pose.angle + by[2] }
    }

    fn position(pose: &Pose) -> [f64; 3] {
        [pose.position.x, pose.position.y, 0.0]
    }

    fn pose(&self, body: usize) -> Pose {
        pose(&self.state.bodies[body])
    }

    fn land(&mut self, body: usize) {
        self.state.bodies[body] = self.end.bodies[body];
    }

    fn settle(&mut self, body: usize, pose: Pose, velocity: &Vector) {
        self.state.bodies[body] = BodyState {
            position: pose.position,
            angle: pose.angle,
            velocity: DVec2::new(velocity[0], velocity[1]),
            angular_velocity: velocity[2],
        };
    }

    fn pairs(&mut self, sweeps: &[Sweep], most: usize, pairs: &mut Vec<Pair>) -> bool {
        let tolerance = self.contact_tolerance();
        self.detector.pairs(&self.model, &self.state.bodies, (sweeps, tolerance), most, pairs)
    }

    fn near(&mut self, pair: Pair, margin: f64, contacts: &mut Vec<PlanarContact>) {
        let tolerance = self.contact_tolerance();
        self.detector.near(&self.state.bodies, pair, (tolerance, margin), contacts);
    }

    fn manifold(
        &mut self,
        pair: Pair,
        at: impl Fn(u32) -> Pose,
        margin: f64,
        contacts: &mut Vec<PlanarContact>,
    ) {
        let tolerance = self.contact_tolerance();
        let poses = pair.map(at);
        self.detector.manifold(&self.model, pair, poses, (tolerance, margin), contacts);
    }

    fn first_meeting(&mut self, pair: Pair, of: impl Fn(u32) -> Path<Pose>, span: f64) -> Option<f64> {
        let tolerance = 0.5 * self.contact_tolerance() * self.extent(pair);
        let motions = pair.map(|body| {
            let path = of(body);
            self.drift(body as usize, &path.motion, path.since)
        });
        self.detector.first_meeting(&self.model, pair, motions, tolerance, span)
    }

    fn push_body(&self, body: usize, _: &Pose, velocity: &Vector, problem: &mut ContactProblem) {
        contact_rows::push_body(problem, &self.model.bodies[body], &velocity[..Self::DOF]);
    }

    fn push_contact(
        &self,
        contact: &PlanarContact,
        _: impl Fn(u32) -> Pose,
        place: impl Fn(u32) -> u32,
        material: Material,
        problem: &mut ContactProblem,
    ) {
        let material = self.detector.surfaces.material([contact.first.0, contact.second.0], material);
        contact_rows::push_contact(problem, &self.model, contact, place, &material);
    }

    fn momentum(&self, body: usize, pose: &Pose, velocity: &Vector) -> Momentum {
        let state = BodyState {
            position: pose.position,
            angle: pose.angle,
            velocity: DVec2::new(velocity[0], velocity[1]),
            angular_velocity: velocity[2],
        };
        let own = BodyQuantities::of(&self.model.bodies[body], &state);
        let angular = own.orbital_angular_momentum + own.spin_angular_momentum;
        Momentum { linear: [own.momentum.x, own.momentum.y, 0.0], angular: [0.0, 0.0, angular] }
    }

    fn relax(&mut self, contacts: &mut [PlanarContact], depth: f64) -> bool {
        let Self { relaxation, model, state, detector, .. } = self;
        relaxation.relax(model, state, contacts, (depth, |body| detector.extent(body)))
    }
}

fn pose(state: &BodyState) -> Pose {
    Pose { position: state.position, angle: state.angle }
}

fn planar(velocity: DVec2, angular: f64) -> Vector {
    [velocity.x, velocity.y, angular, 0.0, 0.0, 0.0]
}

fn vector(state: &BodyState) -> Vector {
    planar(state.velocity, state.angular_velocity)
}
