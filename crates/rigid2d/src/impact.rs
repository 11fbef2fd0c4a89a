//! Contacts of a step, from detection to new velocities; and the memory that is kept for it.

use crate::contact_rows::{self, Gaps, RowRules};
use crate::detection::{Contact, Depth, Detector, Rules};
use crate::energy::Totals;
use crate::model::{Model, Motion};
use crate::projection::Projection;
use crate::relaxation::Relaxation;
use crate::report::{StepReport, Touched};
use crate::settings::{ContactSettings, Response};
use crate::state::{BodyState, State};
use carom_contact::{ContactProblem, Reflection, Simultaneous, Status, Within, Workspace, resolve};

/// What contact needs from step to step: no step allocates once these have grown.
#[derive(Debug, Clone)]
pub(crate) struct Impact {
    pub(crate) contacts: Vec<Contact>,
    /// How deep they are, as they were found.
    pub(crate) depth: Depth,
    pub(crate) problem: ContactProblem,
    pub(crate) workspace: Workspace,
    pub(crate) detector: Detector,
    pub(crate) margins: Vec<f64>,
    /// Contacts as far as bodies go after a response.
    pub(crate) further: Vec<Contact>,
    projection: Projection,
    relaxation: Relaxation,
}

/// Separating is linear and turning is not: it is repeated, but not for ever.
const MOST_SEPARATIONS: usize = 4;
/// The same where bodies could only go a part of the way.
const MOST_PARTS_OF_THE_WAY: usize = 8;
/// Contacts that contradict each other are not asked again: each time must leave at most this part of the deepest overlap.
const PROGRESS: f64 = 0.95;
/// A step that ends its separations with a deeper overlap, as a part of the smaller body's extent, says so.
const LEFT_OVERLAPPING: f64 = 0.01;

/// In steps ahead, others may be pushed towards a body faster than they move now: room for that, as a part of its extent.
pub(crate) const ROOM_FOR_SURPRISE: f64 = 0.05;

impl Impact {
    pub(crate) fn new(model: &Model) -> Self {
        Self {
            contacts: Vec::new(),
            depth: Depth::default(),
            problem: ContactProblem::new(),
            workspace: Workspace::new(),
            detector: Detector::new(model),
            margins: Vec::new(),
            further: Vec::new(),
            projection: Projection::default(),
            relaxation: Relaxation::default(),
        }
    }

    /// Who touches now.
    pub(crate) fn detect(&mut self, model: &Model, states: &[BodyState], rules: Rules) {
        self.depth = self.detector.detect(model, states, rules, &[], &mut self.contacts);
    }

    /// Who may touch within the step at about the present velocities.
    pub(crate) fn detect_ahead(&mut self, model: &Model, states: &[BodyState], rules: Rules, dt: f64) {
        self.margins.clear();
        self.margins.extend(model.bodies.iter().zip(states).enumerate().map(|(index, (body, state))| {
            let extent = self.detector.extent(index);
            let speed = state.velocity.length() + state.angular_velocity.abs() * extent;
            match body.motion {
                Motion::Free => dt * speed + ROOM_FOR_SURPRISE * extent,
                Motion::Scripted(_) => dt * speed,
                Motion::Fixed => 0.0,
            }
        }));
        self.depth = self.detector.detect(model, states, rules, &self.margins, &mut self.contacts);
    }

    /// Who is nearer than a thickness.
    pub(crate) fn detect_within(
        &mut self,
        model: &Model,
        states: &[BodyState],
        rules: Rules,
        thickness: f64,
    ) {
        self.margins.clear();
        self.margins.resize(model.bodies.len(), 0.5 * thickness);
        self.depth = self.detector.detect(model, states, rules, &self.margins, &mut self.contacts);
    }

    /// Moves bodies that overlap too far apart, a few times if need be. What counts as near is looked for again after
    /// each time by `detect_again`. `LimitReached` where bodies still overlap.
    pub(crate) fn separate(
        &mut self,
        model: &Model,
        state: &mut State,
        beyond: f64,
        mut detect_again: impl FnMut(&mut Self, &State),
    ) -> Status {
        let mut depth = self.depth.part;
        for time in 1..=MOST_PARTS_OF_THE_WAY {
            if depth <= beyond {
                break;
            }
            let method = &carom_contact::Response::VELOCITY_PROJECTION;
            let went_all_the_way = self.projection.separate(model, state, &self.contacts, method);
            detect_again(self, state);
            let left = self.depth.part;
            if left > PROGRESS * depth || went_all_the_way && time == MOST_SEPARATIONS {
                break;
            }
            depth = left;
        }
        if self.depth.part > beyond.max(LEFT_OVERLAPPING) { Status::LimitReached } else { Status::Solved }
    }

    /// Moves bodies that overlap by more than a harmless depth apart by a few sweeps, where contacts are solved to a tolerance only. False where an overlap is so deep that more
    /// is needed.
    pub(crate) fn relax(&mut self, model: &Model, state: &mut State, depth: f64) -> bool {
        let is_deep = self.depth.part > ROOM_FOR_SURPRISE;
        if self.depth.length > depth && !is_deep {
            self.relaxation.relax(model, state, &mut self.contacts, depth);
        }
        !is_deep
    }

    /// Moves bodies that overlap too far apart once, keeping the contacts at hand: pair by pair for impulses, as the asteroids of
    /// the exercise are, all together otherwise. `LimitReached` where bodies that overlapped deeply still do, but for impulses,
    /// which promise nothing.
    pub(crate) fn separate_once(
        &mut self,
        model: &Model,
        state: &mut State,
        (contact, rules): (&ContactSettings, Rules),
        beyond: f64,
    ) -> Status {
        let response = match contact.response {
            Response::Impulse => carom_contact::Response::Impulses,
            _ => carom_contact::Response::VELOCITY_PROJECTION,
        };
        let depth = self.depth.part;
        let mut apart = depth <= beyond || self.projection.separate(model, state, &self.contacts, &response);
        if depth > ROOM_FOR_SURPRISE && contact.response != Response::Impulse {
            // Seldom so deep: then it is worth a look.
            let depth = self.detector.detect(model, &state.bodies, rules, &[], &mut self.further);
            apart &= depth.part <= beyond.max(LEFT_OVERLAPPING);
        }
        if apart { Status::Solved } else { Status::LimitReached }
    }

    /// Turns the velocities of all contacts into velocities that none forbids. Gaps that may still close within `ahead`
    /// seconds are left room to.
    pub(crate) fn respond(
        &mut self,
        model: &Model,
        state: &mut State,
        demand: Demand,
        report: &mut StepReport,
    ) {
        let Some(method) = method(&demand).filter(|_| !self.contacts.is_empty()) else { return };
        let before = Totals::of_motion(model, &state.bodies);
        contact_rows::fill(&mut self.problem, model, &state.bodies, &self.contacts, &row_rules(&demand));
        let resolution = resolve(&self.problem, &method, &mut self.workspace);
        contact_rows::read_velocities(&resolution.velocity, model, &mut state.bodies);
        let after = Totals::of_motion(model, &state.bodies);

        report.active_contacts = resolution.active_contacts();
        report.islands = resolution.islands;
        report.largest_island = report.largest_island.max(resolution.largest_island);
        report.status = report.status.max(resolution.status);
        report.iterations += resolution.iterations;
        report.sweeps += resolution.sweeps;
        report.fallbacks += resolution.fallbacks;
        report.residual = report.residual.max(resolution.residual);
        report.add_response(self.contacts.len(), &before, &after);
    }

    /// The contacts at hand that are closed or pushed, with their impulses.
    pub(crate) fn touched<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = Touched> + 'a {
        let resolution = self.workspace.resolution();
        self.contacts.iter().enumerate().filter_map(move |(k, contact)| {
            let [first, second] = [contact.first, contact.second].map(|index| &model.bodies[index.get()]);
            let impulse = resolution.impulses.get(k).copied().unwrap_or(0.0);
            let touched = Touched {
                contact: *contact,
                shortest: (contact.gap + first.radius() + second.radius()) * contact.normal,
                impulse,
                friction_impulse: resolution.friction_impulses.get(k).copied().unwrap_or(0.0),
            };
            let pushed = impulse > 0.0 || touched.friction_impulse != 0.0;
            (contact.is_closed() || pushed).then_some(touched)
        })
    }

    /// How many contacts there are, and how deep they are.
    pub(crate) fn describe(&self, report: &mut StepReport) {
        report.contacts = self.contacts.len();
        report.deepest_penetration = report.deepest_penetration.max(self.depth.length);
    }
}

/// What is asked of a response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Demand {
    pub(crate) contact: ContactSettings,
    pub(crate) course: bool,
    /// Seconds within which gaps may still close; none where every contact counts as closed.
    pub(crate) ahead: Option<f64>,
}

/// The response of the contact crate; none for penalty forces, which act elsewhere.
fn method(demand: &Demand) -> Option<carom_contact::Response> {
    let reflection = if demand.course { Reflection::COURSE } else { Reflection::DEFAULT };
    let over = |inner| carom_contact::Response::GeneralizedReflection(Reflection { inner, ..reflection });
    let simultaneous = |method| match demand.contact.tolerance {
        None => carom_contact::Response::Simultaneous(method),
        // What they leave of the others is lifted from the ground up: `crate::relaxation`.
        Some(tolerance) => {
            carom_contact::Response::Within(Within { method, tolerance, last_few_alone: true })
        }
    };
    match demand.contact.response {
        Response::Impulse => Some(carom_contact::Response::Impulses),
        Response::Penalty(_) => None,
        Response::Lcp => Some(simultaneous(Simultaneous::Lcp)),
        Response::VelocityProjection => Some(simultaneous(Simultaneous::VelocityProjection)),
        Response::ReflectionLcp => Some(over(Simultaneous::Lcp)),
        Response::ReflectionVelocityProjection => Some(over(Simultaneous::VelocityProjection)),
    }
}

fn row_rules(demand: &Demand) -> RowRules {
    let contact = &demand.contact;
    RowRules {
        restitution: contact.restitution,
        friction: contact.friction,
        fixed_bodies_move: demand.course
            && matches!(contact.response, Response::Lcp | Response::ReflectionLcp),
        gaps: demand.ahead.map_or(Gaps::Ignore, |dt| Gaps::Allow { dt }),
    }
}
