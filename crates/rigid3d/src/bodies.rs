//! Spatial bodies as the step sees them.

use crate::contact_rows;
use crate::detection::{Detector, SpatialContact};
use crate::energy::Totals;
use crate::force::{self, Load};
use crate::integrator::{self, Advanced, Integrator, Scratch, free_turn};
use crate::model::{Model, Motion as MovedBy};
use crate::orientation::{Orientation, exponential};
use crate::settings::SpatialSettings;
use crate::shape::Shape;
use crate::state::{BodyState, State};
use carom_contact::{ContactKey, ContactProblem};
use carom_stepping::{Flight, Material, Mechanics, Momentum, Motion, Pair, Path, Sweep, Vector};
use glam::DVec3;

/// Where a body is and how it is turned.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pose {
    /// Centre of mass.
    pub position: DVec3,
    /// Orientation.
    pub orientation: Orientation,
}

impl Pose {
    /// The same with a rotation matrix, as geometry sees it.
    pub(crate) fn placed(&self) -> carom_geometry::space::Pose {
        carom_geometry::space::Pose { position: self.position, rotation: self.orientation.matrix() }
    }
}

/// Model, state and what a step needs of them.
#[derive(Debug, Clone)]
pub(crate) struct Bodies {
    pub(crate) model: Model,
    pub(crate) state: State,
    pub(crate) settings: SpatialSettings,
    /// Forces from outside, for the next step only.
    pub(crate) applied: Vec<Load>,
    /// How the free motion of the last step went.
    pub(crate) advanced: Advanced,
    pub(crate) detector: Detector,
    scratch: Scratch,
    /// The end of a step without contact.
    end: Vec<BodyState>,
}

impl Bodies {
    pub(crate) fn new(model: Model, settings: SpatialSettings) -> Self {
        Self {
            detector: Detector::new(&model),
            applied: vec![Load::default(); model.bodies.len()],
            model,
            state: State::default(),
            settings,
            advanced: Advanced::default(),
            scratch: Scratch::default(),
            end: Vec::new(),
        }
    }

    /// Moves everything as if nothing touched.
    pub(crate) fn advance(&mut self) {
        self.fly_to_end();
        self.state.bodies.copy_from_slice(&self.end);
    }

    /// Writes where bodies end without contact.
    fn fly_to_end(&mut self) {
        let Self { model, state, settings, applied, scratch, end, .. } = self;
        let (start, until) = (state.step as f64 * settings.dt, (state.step + 1) as f64 * settings.dt);
        end.clone_from(&state.bodies);
        integrator::aim_kinematic(model, end, until, until - start);
        let mut law = |_: f64, bodies: &[BodyState], loads: &mut [Load]| {
            loads.copy_from_slice(applied);
            force::accumulate(model, bodies, loads);
        };
        self.advanced = settings.integrator.advance(model, end, (start, until), &mut law, scratch);
        integrator::move_kinematic(model, end, until);
    }

    fn contact_tolerance(&self) -> f64 {
        self.settings.contact.map_or(0.0, |contact| contact.contact_tolerance)
    }
}

impl Mechanics for Bodies {
    type Pose = Pose;
    type Contact = SpatialContact;
    const DOF: usize = 6;
    const LINEAR: usize = 3;

    carom_stepping::rigid_mechanics!();

    fn is_round(&self, body: usize) -> bool {
        matches!(self.model.bodies[body].shape, Shape::Sphere { .. })
    }

    fn fly(&mut self, dt: f64, flight: &mut Flight<Pose>) {
        self.fly_to_end();
        flight.clear();
        let leapfrog = self.settings.integrator == Integrator::SymplecticEuler;
        flight.shift = match self.settings.integrator {
            Integrator::ExplicitEuler => 0.5,
            Integrator::SymplecticEuler => -0.5,
            _ => 0.0,
        };
        for ((body, start), end) in self.model.bodies.iter().zip(&self.state.bodies).zip(&self.end) {
            let [before, after] =
                [start, end].map(|at| spatial(at.velocity(body), at.angular_velocity(body)));
            let inverse = start.inverse_inertia(body);
            let (velocity, mean, last, acceleration) = match body.motion {
                MovedBy::Fixed => Default::default(),
                MovedBy::Kinematic(_) => (after, after, after, Vector::default()),
                MovedBy::Free => {
                    let force = (end.velocity(body) - start.velocity(body)) / dt;
                    let torque = (end.angular_momentum - start.angular_momentum) / dt;
                    // What turns the body is its angular momentum in the middle, or what the
                    // integrator takes for it.
                    let mean = if leapfrog {
                        spatial(end.velocity(body), inverse * end.angular_momentum)
                    } else {
                        let middle = 0.5 * (start.angular_momentum + end.angular_momentum);
                        let spin = inverse * (middle - flight.shift * dt * torque);
                        spatial((end.position - start.position) / dt, spin)
                    };
                    (before, mean, after, spatial(force, inverse * torque))
                }
            };
            flight.start.push(Motion { pose: pose(start), velocity, acceleration });
            flight.mean.push(mean);
            flight.end.push((pose(end), last));
        }
    }

    fn drift(&self, index: usize, motion: &Motion<Pose>, time: f64) -> Motion<Pose> {
        if time == 0.0 {
            return *motion;
        }
        let body = &self.model.bodies[index];
        let [velocity, spin] = halves(&motion.velocity);
        let [acceleration, spin_rate] = halves(&motion.acceleration);
        let position = motion.pose.position + time * (velocity + 0.5 * time * acceleration);
        let velocity = velocity + time * acceleration;
        let still = spin == DVec3::ZERO && spin_rate == DVec3::ZERO;
        let round = matches!(body.shape, Shape::Sphere { .. }) || !body.motion.is_free();
        let orientation = motion.pose.orientation;
        if still || round {
            let turn = || exponential(time * (spin + 0.5 * time * spin_rate));
            let orientation = if still { orientation } else { orientation.turned_by(turn()).normalized().0 };
            let velocity = spatial(velocity, spin + time * spin_rate);
            return Motion { pose: Pose { position, orientation }, velocity, ..*motion };
        }
        // Angular momentum changes by the torque alone; how it turns the body is the integrator's
        // own rule.
        let at = BodyState { orientation, ..BodyState::default() };
        let inertia = at.inertia(body);
        let (momentum, torque) = (inertia * spin, inertia * spin_rate);
        let middle = momentum + 0.5 * time * torque;
        let (turn, _) = free_turn::free_turn(body, orientation.matrix(), middle, time);
        let orientation = orientation.turned_by(turn).normalized().0;
        let end =
            BodyState { orientation, angular_momentum: momentum + time * torque, ..BodyState::default() };
        let velocity = spatial(velocity, end.angular_velocity(body));
        Motion { pose: Pose { position, orientation }, velocity, ..*motion }
    }

    fn displaced(&self, _: usize, pose: &Pose, by: &Vector) -> Pose {
        let [way, turn] = halves(by);
        let orientation = match turn == DVec3::ZERO {
            true => pose.orientation,
            false => pose.orientation.turned_by(exponential(turn)).normalized().0,
        };
        Pose { position: pose.position + way, orientation }
    }

    fn carried(&self, body: usize, velocity: &Vector, by: &Vector) -> Vector {
        let ([way, spin], [_, turn]) = (halves(velocity), halves(by));
        match self.is_round(body) || spin == DVec3::ZERO {
            true => *velocity,
            false => spatial(way, exponential(turn) * spin),
        }
    }

    fn position(pose: &Pose) -> [f64; 3] {
        pose.position.to_array()
    }

    fn pose(&self, body: usize) -> Pose {
        pose(&self.state.bodies[body])
    }

    fn land(&mut self, body: usize) {
        self.state.bodies[body] = self.end[body];
    }

    fn settle(&mut self, index: usize, pose: Pose, velocity: &Vector) {
        let [velocity, spin] = halves(velocity);
        let at = BodyState { position: pose.position, orientation: pose.orientation, ..BodyState::default() };
        self.state.bodies[index] = at.moving(&self.model.bodies[index], velocity, spin);
    }

    fn pairs(&mut self, sweeps: &[Sweep], most: usize, pairs: &mut Vec<Pair>) -> bool {
        let tolerance = self.contact_tolerance();
        self.detector.pairs(&self.model, &self.state.bodies, (sweeps, tolerance), most, pairs)
    }

    fn near(&mut self, pair: Pair, margin: f64, contacts: &mut Vec<SpatialContact>) {
        let tolerance = self.contact_tolerance();
        self.detector.near(&self.model, &self.state.bodies, pair, (tolerance, margin), contacts);
    }

    fn manifold(
        &mut self,
        pair: Pair,
        at: impl Fn(u32) -> Pose,
        margin: f64,
        contacts: &mut Vec<SpatialContact>,
    ) {
        let tolerance = self.contact_tolerance();
        let poses = pair.map(at);
        self.detector.manifold(&self.model, pair, poses, (tolerance, margin), contacts);
    }

    fn first_meeting(&mut self, pair: Pair, of: impl Fn(u32) -> Path<Pose>, span: f64) -> Option<f64> {
        let tolerance = 0.5 * self.contact_tolerance() * self.extent(pair);
        let paths = pair.map(of);
        let mut detector = std::mem::take(&mut self.detector);
        let time = detector.first_meeting(self, pair, paths, tolerance, span);
        self.detector = detector;
        time
    }

    fn push_body(&self, body: usize, pose: &Pose, velocity: &Vector, problem: &mut ContactProblem) {
        contact_rows::push_body(problem, &self.model.bodies[body], pose, velocity);
    }

    fn push_contact(
        &self,
        contact: &SpatialContact,
        at: impl Fn(u32) -> Pose,
        place: impl Fn(u32) -> u32,
        material: Material,
        problem: &mut ContactProblem,
    ) {
        let pair = [contact.first.0, contact.second.0];
        let (poses, material) = (pair.map(at), self.detector.surfaces.material(pair, material));
        contact_rows::push_contact(problem, &self.model, contact, poses, place, &material);
    }

    fn momentum(&self, index: usize, pose: &Pose, velocity: &Vector) -> Momentum {
        let body = &self.model.bodies[index];
        let [velocity, spin] = halves(velocity);
        let at = BodyState { orientation: pose.orientation, ..BodyState::default() };
        let state = at.moving(body, velocity, spin);
        let angular = pose.position.cross(state.momentum) + state.angular_momentum;
        Momentum { linear: state.momentum.to_array(), angular: angular.to_array() }
    }
}

fn pose(state: &BodyState) -> Pose {
    Pose { position: state.position, orientation: state.orientation }
}

fn spatial(velocity: DVec3, spin: DVec3) -> Vector {
    [velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z]
}

/// The part of place and the part of turning.
pub(crate) fn halves(vector: &Vector) -> [DVec3; 2] {
    [DVec3::from_slice(vector), DVec3::from_slice(&vector[3..])]
}
