//! Spatial rigid bodies behind the façade: steps, frames, and back.
//!
//! A frame shows positions, quaternions and velocities. The state is momenta, and matrices where
//! the scene asks for them: these go into the memory of the frame, before what the contact solver
//! remembers, so that a run goes on to the same bits.

use crate::answer::{Answer, ReportDetail};
use crate::failure::{INTERRUPTED, left_the_numbers, too_many};
use crate::overlap::Overlap;
use crate::status::StepStatus;
use crate::watch;
use crate::world::FamilyWorld;
use carom_contact::ContactProblem;
use carom_frames::{Contact, ContactKind, Diagnostics, Family, Frame};
use carom_rigid3d::{
    Body, BodyIndex, BodyState, DMat3, DQuat, DVec3, Orientation, OrientationKind, OverlapFinder, Response,
    State, Touched, World,
};

#[derive(Debug, Clone)]
pub(crate) struct SpatialWorld {
    world: World,
    /// Frames a second that the scene asks for.
    frame_rate: f64,
    /// Who touched in the last step that could be taken.
    contacts: Vec<Contact>,
    overlap: Overlap<OverlapFinder>,
    /// The bodies and the impulse cache before the step, to go back to when it cannot be taken.
    before: (Vec<BodyState>, Vec<f64>),
}

impl SpatialWorld {
    pub(crate) fn new(world: World, frame_rate: f64) -> Self {
        let overlap = Overlap::new(OverlapFinder::new(&world));
        Self { world, frame_rate, contacts: Vec::new(), overlap, before: Default::default() }
    }

    /// Undoes a step.
    fn step_back(&mut self, status: StepStatus, reason: String) -> (StepStatus, String) {
        let step = self.world.state().step - 1;
        let before = State { bodies: self.before.0.clone(), step };
        self.world.set_state(before).expect("the state before a step was sound");
        self.world.restore_memory(&self.before.1);
        (status, reason)
    }

    /// Whether a step is the nearest to the time of some frame: k frames last k / rate seconds.
    pub(crate) fn is_output_step(&self, step: u64) -> bool {
        let steps_per_frame = 1.0 / (self.frame_rate * self.world.settings().dt);
        let frame = (step as f64 / steps_per_frame).round();
        steps_per_frame.is_nan() || steps_per_frame <= 1.0 || (frame * steps_per_frame).round() == step as f64
    }

    /// Largest distance of an orientation from a rotation in the last step, before it was
    /// normalized.
    pub(crate) fn orientation_drift(&self) -> f64 {
        self.world.advanced().drift
    }
}

impl FamilyWorld for SpatialWorld {
    fn family(&self) -> Family {
        Family::SpatialBodies
    }

    fn step(&mut self) -> Result<Diagnostics, (StepStatus, String)> {
        self.before.0.clone_from(&self.world.state().bodies);
        self.before.1 = self.world.memory();
        let report = self.world.step();
        if watch::is_over() {
            return Err(self.step_back(StepStatus::NotConverged, INTERRUPTED.to_owned()));
        }
        if report.refused_pairs > 0 {
            return Err(self.step_back(StepStatus::LimitReached, too_many(report.refused_pairs)));
        }
        if let Some(lost) = self.world.state().bodies.iter().position(|body| !body.is_finite()) {
            return Err(self.step_back(StepStatus::NonFinite, left_the_numbers(lost)));
        }
        self.overlap.moved(None);
        self.contacts.clear();
        let dt = self.world.settings().dt;
        self.contacts.extend(self.world.touched().iter().map(|touched| contact(touched, dt)));
        let status = match StepStatus::of_contact(report.status) {
            StepStatus::Solved if self.world.advanced().inaccurate => StepStatus::NotConverged,
            status => status,
        };
        let detail = match self.world.settings().contact.map(|contact| contact.response) {
            None => ReportDetail::Nothing,
            Some(Response::Impulse) => ReportDetail::Rows,
            Some(_) => ReportDetail::RowsAndIslands,
        };
        Ok(Answer::of(&report).diagnostics(status, detail))
    }

    fn push(&mut self, body: usize, force: [f64; 3], torque: [f64; 3]) -> bool {
        let there = body < self.body_count();
        if there {
            self.world.apply(BodyIndex(body as u32), force.into(), torque.into());
        }
        there
    }

    fn write_frame(&self, frame: &mut Frame) {
        let (model, state) = (self.world.model(), self.world.state());
        frame.positions.clear();
        frame.velocities.clear();
        for (body, moving) in model.bodies.iter().zip(&state.bodies) {
            frame.positions.extend(shown_pose(moving));
            frame.velocities.extend(shown_velocity(body, moving));
        }
        let totals = self.world.totals();
        frame.quantities.kinetic = totals.kinetic;
        frame.quantities.potential = totals.potential;
        frame.quantities.momentum = totals.momentum.to_array();
        frame.quantities.angular_momentum = totals.angular_momentum.to_array();
        frame.quantities.deepest_penetration = self.overlap.find(|finder| finder.deepest(&self.world));
        frame.memory.clear();
        for moving in &state.bodies {
            frame.memory.extend(moving.momentum.to_array());
            frame.memory.extend(moving.angular_momentum.to_array());
            if let Orientation::Matrix(r) = moving.orientation {
                frame.memory.extend(r.to_cols_array());
            }
        }
        frame.memory.extend(self.world.memory());
        frame.contacts.clone_from(&self.contacts);
    }

    fn restore(&mut self, frame: &Frame) -> Result<(), String> {
        let (model, kind) = (self.world.model(), self.world.settings().orientation);
        let width = numbers_in_memory(kind);
        let shown = frame.positions.chunks_exact(7).zip(frame.velocities.chunks_exact(6));
        let remembered = frame.memory.chunks_exact(width);
        let mut bodies: Vec<BodyState> = Vec::with_capacity(model.bodies.len());
        for ((body, (x, v)), memory) in model.bodies.iter().zip(shown.clone()).zip(remembered) {
            let moving = from_memory(x, memory, kind);
            // Memory that does not belong to the frame is not believed: its numbers were changed by
            // hand.
            if !same_bits(&shown_pose(&moving), x) || !same_bits(&shown_velocity(body, &moving), v) {
                break;
            }
            bodies.push(moving);
        }
        let exact = bodies.len() == model.bodies.len() && shown.len() == bodies.len();
        if !exact {
            bodies = model.bodies.iter().zip(shown).map(|(body, (x, v))| from_shown(body, x, v)).collect();
        }
        let count = bodies.len();
        self.world.set_state(State { bodies, step: frame.step }).map_err(|e| e.to_string())?;
        if exact {
            self.world.restore_memory(&frame.memory[width * count..]);
        }
        self.contacts.clone_from(&frame.contacts);
        self.overlap.moved(Some(frame.quantities.deepest_penetration).filter(|depth| !depth.is_nan()));
        Ok(())
    }

    fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    fn coordinates(&self, index: usize) -> [f64; 7] {
        shown_pose(&self.world.state().bodies[index])
    }

    fn speeds(&self, index: usize) -> [f64; 6] {
        shown_velocity(&self.world.model().bodies[index], &self.world.state().bodies[index])
    }

    fn contact_problem(&self) -> Option<&ContactProblem> {
        Some(self.world.contact_problem())
    }

    fn step_count(&self) -> u64 {
        self.world.state().step
    }

    fn body_count(&self) -> usize {
        self.world.model().bodies.len()
    }

    /// Masses, and for each body Ixx Iyy Izz Ixy Iyz Izx in body axes.
    fn mass_properties(&self) -> (Vec<f64>, Vec<f64>) {
        let bodies = &self.world.model().bodies;
        let inertia = |body: &Body| {
            let m = body.inertia();
            [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.y_axis.z, m.z_axis.x]
        };
        (bodies.iter().map(|body| body.mass).collect(), bodies.iter().flat_map(inertia).collect())
    }
}

/// Numbers that a frame remembers of each body.
fn numbers_in_memory(kind: OrientationKind) -> usize {
    match kind {
        OrientationKind::Quaternion => 6,
        OrientationKind::Matrix => 15,
    }
}

fn shown_pose(state: &BodyState) -> [f64; 7] {
    let q = match state.orientation {
        // As it is, to the bit.
        Orientation::Quaternion(q) => q,
        Orientation::Matrix(_) => state.orientation.quaternion(),
    };
    let x = state.position;
    [x.x, x.y, x.z, q.w, q.x, q.y, q.z]
}

fn shown_velocity(body: &Body, state: &BodyState) -> [f64; 6] {
    let (v, w) = (state.velocity(body), state.angular_velocity(body));
    [v.x, v.y, v.z, w.x, w.y, w.z]
}

fn from_memory(x: &[f64], memory: &[f64], kind: OrientationKind) -> BodyState {
    BodyState {
        position: DVec3::from_slice(x),
        orientation: match kind {
            OrientationKind::Quaternion => Orientation::Quaternion(quaternion(x)),
            OrientationKind::Matrix => Orientation::Matrix(DMat3::from_cols_slice(&memory[6..15])),
        },
        momentum: DVec3::from_slice(memory),
        angular_momentum: DVec3::from_slice(&memory[3..]),
    }
}

fn from_shown(body: &Body, x: &[f64], v: &[f64]) -> BodyState {
    let at = BodyState {
        position: DVec3::from_slice(x),
        orientation: Orientation::Quaternion(quaternion(x)),
        ..BodyState::default()
    };
    at.moving(body, DVec3::from_slice(v), DVec3::from_slice(&v[3..]))
}

/// The file has w first.
fn quaternion(x: &[f64]) -> DQuat {
    DQuat::from_xyzw(x[4], x[5], x[6], x[3])
}

fn same_bits(one: &[f64], other: &[f64]) -> bool {
    one.iter().zip(other).all(|(a, b)| a.to_bits() == b.to_bits())
}

fn contact(touched: &Touched<carom_rigid3d::SpatialContact>, dt: f64) -> Contact {
    let contact = touched.contact;
    let friction = match touched.friction {
        [0.0, 0.0] => DVec3::ZERO,
        [along, across] => {
            let [first, second] = contact.tangents();
            along * first + across * second
        }
    };
    Contact {
        kind: ContactKind::BodyBody,
        first: contact.first.0,
        second: contact.second.0,
        point: contact.point.to_array(),
        normal: contact.normal.to_array(),
        gap: contact.gap,
        time: touched.time / dt,
        impulse: touched.impulse,
        friction: friction.to_array(),
    }
}
