//! The course's order: move, look who touches, change velocities. Bodies overlap by up to a step's
//! way at an impact, and nothing moves them apart. Also the step of penalty forces and of bodies
//! that pass through each other.

use crate::bodies::Bodies;
use crate::contact_rows;
use crate::detection::{PlanarContact, Rules};
use crate::energy::Totals;
use crate::force::{self, Load};
use crate::settings::{ContactSettings, Response};
use crate::state::BodyState;
use carom_contact::{ContactProblem, Reflection, Simultaneous, Workspace, resolve};
use carom_geometry::plane::broad_phase::most_pairs;
use carom_stepping::{Material, StepReport, Touched};

/// Memory of such steps.
#[derive(Debug, Clone, Default)]
pub(crate) struct CourseOrder {
    contacts: Vec<PlanarContact>,
    margins: Vec<f64>,
    pub(crate) problem: ContactProblem,
    workspace: Workspace,
    pub(crate) touched: Vec<Touched<PlanarContact>>,
}

impl CourseOrder {
    /// Takes one step.
    pub(crate) fn step(&mut self, bodies: &mut Bodies) -> StepReport {
        let mut report = StepReport::default();
        self.touched.clear();
        self.advance(bodies);
        if let Some(contact) = bodies.settings.contact {
            let rules = Rules::of(&bodies.settings);
            let Bodies { model, state, detector, .. } = bodies;
            detector.detect(model, &state.bodies, rules, &[], &mut self.contacts);
            self.respond(bodies, &contact, &mut report);
        }
        if bodies.detector.gave_up {
            report.refused_pairs = most_pairs();
        }
        report
    }

    /// Moves everything as if nothing touched, but for penalty forces.
    fn advance(&mut self, bodies: &mut Bodies) {
        let rules = Rules::of(&bodies.settings);
        let Bodies { model, state, settings, applied, loads, detector, .. } = bodies;
        self.margins.clear();
        if let Some(penalty) = settings.penalty {
            self.margins.resize(model.bodies.len(), 0.5 * penalty.thickness);
        }
        let mut law = |bodies: &[BodyState], loads: &mut [Load]| {
            loads.copy_from_slice(applied);
            force::accumulate(model, bodies, loads);
            if let Some(penalty) = settings.penalty {
                detector.detect(model, bodies, rules, &self.margins, &mut self.contacts);
                penalty.accumulate(&self.contacts, loads);
            }
        };
        settings.integrator.advance(model, state, settings.dt, &mut law, loads);
        if settings.penalty.is_some() {
            let closed = self.contacts.iter().filter(|contact| contact.is_closed());
            self.touched.extend(closed.map(|&contact| touched(contact, 0.0, 0.0)));
        }
    }

    /// Turns the velocities of all contacts into velocities that none forbids.
    fn respond(&mut self, bodies: &mut Bodies, contact: &ContactSettings, report: &mut StepReport) {
        if self.contacts.is_empty() {
            return;
        }
        let (model, state) = (&bodies.model, &mut bodies.state);
        let before = Totals::of_motion(model, &state.bodies);
        let material = Material { restitution: contact.restitution, friction: contact.friction, bias: 0.0 };
        let fixed_bodies_move = matches!(contact.response, Response::Lcp | Response::ReflectionLcp);
        let from = (model, state.bodies.as_slice());
        contact_rows::fill(&mut self.problem, from, &self.contacts, &material, fixed_bodies_move);
        let resolution = resolve(&self.problem, &method(contact.response), &mut self.workspace);
        contact_rows::read_velocities(&resolution.velocity, model, &mut state.bodies);
        let after = Totals::of_motion(model, &state.bodies);
        report.contacts = self.contacts.len();
        report.contact_rows = self.contacts.len();
        report.active_contacts = resolution.active_contacts();
        report.islands = resolution.islands;
        report.largest_island = resolution.largest_island;
        report.status = resolution.status;
        report.iterations = resolution.iterations;
        report.sweeps = resolution.sweeps;
        report.residual = resolution.residual;
        report.responses = 1;
        (report.kinetic_before, report.kinetic_after) = (before.kinetic, after.kinetic);
        let change = after.momentum - before.momentum;
        report.momentum_change = [change.x, change.y, 0.0];
        report.angular_momentum_change = [0.0, 0.0, after.angular_momentum - before.angular_momentum];
        for (k, &contact) in self.contacts.iter().enumerate() {
            let along = self.problem.tangent_range(k).map(|t| resolution.friction_impulses[t]).sum();
            self.touched.push(touched(contact, resolution.impulses[k], along));
        }
    }
}

fn touched(contact: PlanarContact, impulse: f64, along: f64) -> Touched<PlanarContact> {
    Touched { contact, time: 0.0, impulse, friction: [along, 0.0] }
}

fn method(response: Response) -> carom_contact::Response {
    let over =
        |inner| carom_contact::Response::GeneralizedReflection(Reflection { inner, ..Reflection::COURSE });
    match response {
        Response::Impulse => carom_contact::Response::Impulses,
        Response::Lcp => carom_contact::Response::LCP,
        Response::VelocityProjection => carom_contact::Response::VELOCITY_PROJECTION,
        Response::ReflectionLcp => over(Simultaneous::Lcp),
        Response::ReflectionVelocityProjection => over(Simultaneous::VelocityProjection),
    }
}
