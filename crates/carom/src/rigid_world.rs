//! Planar rigid bodies behind the façade: steps, frames, and back.

use crate::answer::{Answer, ReportDetail};
use crate::failure::{INTERRUPTED, left_the_numbers, too_many};
use crate::overlap::Overlap;
use crate::status::StepStatus;
use crate::watch;
use crate::world::FamilyWorld;
use carom_contact::ContactProblem;
use carom_frames::{Contact, ContactKind, Diagnostics, Family, Frame};
use carom_rigid2d::energy::course_potential_energy;
use carom_rigid2d::{BodyIndex, BodyState, Model, OverlapFinder, Response, State, Touched, World};
use glam::DVec2;

#[derive(Debug, Clone)]
pub(crate) struct RigidWorld {
    world: World,
    /// Who touched in the last step that could be taken.
    contacts: Vec<Contact>,
    overlap: Overlap<OverlapFinder>,
    /// The bodies and the memory of the solver before the step, to go back to when it cannot be
    /// taken.
    before: (Vec<BodyState>, Vec<f64>),
}

impl RigidWorld {
    pub(crate) fn new(world: World) -> Self {
        Self {
            overlap: Overlap::new(OverlapFinder::new(&world)),
            world,
            contacts: Vec::new(),
            before: Default::default(),
        }
    }

    /// Undoes a step.
    fn step_back(&mut self, status: StepStatus, reason: String) -> (StepStatus, String) {
        let step = self.world.state().step - 1;
        let before = State { bodies: self.before.0.clone(), step };
        // The course's way of running goes on with states that are not finite; they are not put
        // back.
        if self.world.set_state(before).is_ok() {
            self.world.restore_memory(&self.before.1);
        }
        (status, reason)
    }
}

impl FamilyWorld for RigidWorld {
    fn family(&self) -> Family {
        Family::RigidBodies
    }

    fn step(&mut self) -> Result<Diagnostics, (StepStatus, String)> {
        self.before.0.clone_from(&self.world.state().bodies);
        self.world.write_memory(&mut self.before.1);
        let report = self.world.step();
        if watch::is_over() {
            return Err(self.step_back(StepStatus::NotConverged, INTERRUPTED.to_owned()));
        }
        if report.refused_pairs > 0 {
            return Err(self.step_back(StepStatus::LimitReached, too_many(report.refused_pairs)));
        }
        let lost = self.world.state().bodies.iter().position(|body| !body.is_finite());
        let status = match lost {
            None => StepStatus::of_contact(report.status),
            Some(_) if self.world.settings().course => StepStatus::NonFinite,
            Some(body) => return Err(self.step_back(StepStatus::NonFinite, left_the_numbers(body))),
        };
        self.overlap.moved(None);
        self.contacts.clear();
        let course = self.world.settings().course;
        let (model, dt) = (self.world.model(), self.world.settings().dt);
        self.contacts
            .extend(self.world.touched().iter().map(|touched| contact(touched, (model, dt), course)));
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
            self.world.apply(BodyIndex(body as u32), DVec2::new(force[0], force[1]), torque[2]);
        }
        there
    }

    fn write_frame(&self, frame: &mut Frame) {
        let (model, state) = (self.world.model(), self.world.state());
        frame.positions.clear();
        frame.velocities.clear();
        for body in &state.bodies {
            frame.positions.extend([body.position.x, body.position.y, body.angle]);
            frame.velocities.extend([body.velocity.x, body.velocity.y, body.angular_velocity]);
        }
        let totals = self.world.totals();
        frame.quantities.kinetic = totals.kinetic;
        // The course's own number counts the weight of fixed and kinematic bodies too.
        frame.quantities.potential = match self.world.settings().course {
            true => course_potential_energy(model, &state.bodies),
            false => totals.potential,
        };
        frame.quantities.momentum = [totals.momentum.x, totals.momentum.y, 0.0];
        frame.quantities.angular_momentum = [0.0, 0.0, totals.angular_momentum];
        frame.quantities.deepest_penetration = self.overlap.find(|finder| finder.deepest(&self.world));
        self.world.write_memory(&mut frame.memory);
        frame.contacts.clone_from(&self.contacts);
    }

    fn restore(&mut self, frame: &Frame) -> Result<(), String> {
        let positions = frame.positions.chunks_exact(3);
        let bodies = positions.zip(frame.velocities.chunks_exact(3)).map(|(x, v)| BodyState {
            position: DVec2::new(x[0], x[1]),
            angle: x[2],
            velocity: DVec2::new(v[0], v[1]),
            angular_velocity: v[2],
        });
        let state = State { bodies: bodies.collect(), step: frame.step };
        self.world.set_state(state).map_err(|e| e.to_string())?;
        self.world.restore_memory(&frame.memory);
        self.contacts.clone_from(&frame.contacts);
        self.overlap.moved(Some(frame.quantities.deepest_penetration));
        Ok(())
    }

    fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    fn coordinates(&self, index: usize) -> [f64; 7] {
        let BodyState { position, angle, .. } = self.world.state().bodies[index];
        [position.x, position.y, angle, 0.0, 0.0, 0.0, 0.0]
    }

    fn speeds(&self, index: usize) -> [f64; 6] {
        let BodyState { velocity, angular_velocity, .. } = self.world.state().bodies[index];
        [velocity.x, velocity.y, angular_velocity, 0.0, 0.0, 0.0]
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

    fn mass_properties(&self) -> (Vec<f64>, Vec<f64>) {
        self.world.model().bodies.iter().map(|b| (b.mass, b.inertia)).unzip()
    }
}

/// A contact as files hold it: its unit normal, or for the course the shortest vector from core to
/// core.
fn contact(
    touched: &Touched<carom_rigid2d::PlanarContact>,
    (model, dt): (&Model, f64),
    course: bool,
) -> Contact {
    let contact = &touched.contact;
    let [first, second] = [contact.first, contact.second].map(|index| model.bodies[index.get()].radius());
    let length = if course { contact.gap + first + second } else { 1.0 };
    let normal = length * contact.normal;
    let friction = touched.friction[0] * contact.tangent();
    Contact {
        kind: ContactKind::BodyBody,
        first: contact.first.0,
        second: contact.second.0,
        point: [contact.point.x, contact.point.y, 0.0],
        normal: [normal.x, normal.y, 0.0],
        gap: contact.gap,
        time: touched.time / dt,
        impulse: touched.impulse,
        friction: [friction.x, friction.y, 0.0],
    }
}
