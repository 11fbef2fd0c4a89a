//! Contacts of a step, from detection to new velocities; and the memory that is kept for it.

use crate::contact_rows::{self, Gaps, Mobility, RowRules};
use crate::detection::{Contact, Detector, Reach};
use crate::energy::Totals;
use crate::impulse_loop;
use crate::model::{Model, Motion};
use crate::projection::{self, Projection};
use crate::report::{StepReport, Touched};
use crate::settings::{ContactSettings, ImpulseLoop, Response};
use crate::state::BodyState;
use carom_contact::{ContactProblem, Reflection, Simultaneous, Status, Within, Workspace, resolve};
use glam::DVec3;

/// What contact needs from step to step: no step allocates once these have grown.
#[derive(Debug, Clone)]
pub(crate) struct Impact {
    pub(crate) contacts: Vec<Contact>,
    pub(crate) problem: ContactProblem,
    pub(crate) workspace: Workspace,
    mobility: Mobility,
    pub(crate) detector: Detector,
    pub(crate) reaches: Vec<Reach>,
    /// Contacts as far as bodies go after a response.
    pub(crate) further: Vec<Contact>,
    impulses: Vec<DVec3>,
    projection: Projection,
}

/// Separating is linear and turning is not: it is repeated, but not for ever.
const MOST_SEPARATIONS: usize = 4;
/// The same where bodies could only go a part of the way.
const MOST_PARTS_OF_THE_WAY: usize = 8;
/// Contacts that contradict each other are not asked again: each time must leave at most this part of the deepest overlap.
const PROGRESS: f64 = 0.95;
/// A step that ends its separations with a deeper overlap, as a part of the smaller body's extent, says so.
const LEFT_OVERLAPPING: f64 = 0.01;
/// Large groups are relaxed in almost every step: what is left can wait.
const MOST_RELAXATIONS: usize = 2;

/// In steps ahead, others may be pushed towards a body faster than they move now: room for that, as a part of its extent.
pub(crate) const ROOM_FOR_SURPRISE: f64 = 0.05;

impl Impact {
    pub(crate) fn new(model: &Model) -> Self {
        Self {
            contacts: Vec::new(),
            problem: ContactProblem::new(),
            workspace: Workspace::new(),
            mobility: Mobility::default(),
            detector: Detector::new(model),
            reaches: Vec::new(),
            further: Vec::new(),
            impulses: Vec::new(),
            projection: Projection::default(),
        }
    }

    /// Who touches now.
    pub(crate) fn detect(&mut self, model: &Model, states: &[BodyState], touching: f64) {
        self.detector.detect(model, states, touching, &[], &mut self.contacts);
    }

    /// Who may touch within the step at about the present velocities.
    pub(crate) fn detect_ahead(&mut self, model: &Model, states: &[BodyState], touching: f64, dt: f64) {
        self.reaches.clear();
        self.reaches.extend(model.bodies.iter().zip(states).enumerate().map(|(index, (body, state))| {
            let extent = self.detector.extent(index);
            let motion = || dt * state.velocity(body);
            let turning = || dt * state.angular_velocity(body).length() * extent;
            match body.motion {
                Motion::Free => Reach { motion: motion(), room: turning() + ROOM_FOR_SURPRISE * extent },
                Motion::Scripted(_) if extent.is_finite() => Reach { motion: motion(), room: turning() },
                // A half-space that turns reaches everywhere; only its motion counts.
                Motion::Scripted(_) => Reach { motion: motion(), room: 0.0 },
                Motion::Fixed => Reach::default(),
            }
        }));
        self.detector.detect(model, states, touching, &self.reaches, &mut self.contacts);
    }

    /// Moves bodies that overlap too far apart, a few times if need be. What counts as near is looked for again after
    /// each time by `detect_again`. `LimitReached` where bodies still overlap.
    pub(crate) fn separate(
        &mut self,
        model: &Model,
        states: &mut [BodyState],
        beyond: f64,
        mut detect_again: impl FnMut(&mut Self, &[BodyState]),
    ) -> Status {
        let mut depth = projection::deepest(&self.contacts);
        for time in 1..=MOST_PARTS_OF_THE_WAY {
            if depth <= beyond {
                break;
            }
            let separated = self.projection.separate((model, states), &self.contacts, beyond);
            detect_again(self, states);
            let left = projection::deepest(&self.contacts);
            let most = if separated.relaxed { MOST_RELAXATIONS } else { MOST_SEPARATIONS };
            if left > PROGRESS * depth || separated.all_the_way && time >= most {
                break;
            }
            depth = left;
        }
        let overlaps = projection::overlaps_beyond(&self.contacts, beyond.max(LEFT_OVERLAPPING));
        if overlaps { Status::LimitReached } else { Status::Solved }
    }

    /// Moves bodies that overlap by more than a harmless depth apart by a few sweeps, where contacts are solved to a tolerance only. False where an overlap is so
    /// deep that more is needed.
    pub(crate) fn relax(&mut self, model: &Model, states: &mut [BodyState], depth: f64) -> bool {
        let deepest = self.contacts.iter().fold(0.0f64, |deepest, contact| deepest.max(-contact.gap));
        let is_deep = projection::overlaps_beyond(&self.contacts, ROOM_FOR_SURPRISE);
        if deepest > depth && !is_deep {
            self.projection.relax_within((model, states), &mut self.contacts, depth);
        }
        !is_deep
    }

    /// Moves bodies that overlap too far apart once, keeping the contacts at hand. `LimitReached` where bodies that overlapped deeply still do, but for
    /// impulses, which promise nothing.
    pub(crate) fn separate_once(
        &mut self,
        model: &Model,
        states: &mut [BodyState],
        contact: &ContactSettings,
        beyond: f64,
    ) -> Status {
        let depth = projection::deepest(&self.contacts);
        let mut apart =
            depth <= beyond || self.projection.separate((model, states), &self.contacts, beyond).all_the_way;
        if depth > ROOM_FOR_SURPRISE && !matches!(contact.response, Response::Impulse(_)) {
            // Seldom so deep: then it is worth a look.
            self.detector.detect(model, states, contact.touching, &[], &mut self.further);
            apart &= !projection::overlaps_beyond(&self.further, beyond.max(LEFT_OVERLAPPING));
        }
        if apart { Status::Solved } else { Status::LimitReached }
    }

    /// New velocities for the bodies of the contacts at hand.
    pub(crate) fn respond(
        &mut self,
        model: &Model,
        states: &mut [BodyState],
        demand: Demand,
        report: &mut StepReport,
    ) {
        self.impulses.clear();
        report.operations += std::mem::take(&mut self.projection.operations);
        if self.contacts.is_empty() {
            return;
        }
        let before = Totals::of_motion(model, states);
        match method(&demand.contact) {
            Ok(method) => self.solve(method, model, states, demand, report),
            Err(settings) => self.collide(&settings, model, states, demand, report),
        }
        let after = Totals::of_motion(model, states);
        report.active_contacts = self.impulses.iter().filter(|j| **j != DVec3::ZERO).count();
        report.add_response(self.contacts.len(), &before, &after);
    }

    /// All contacts at once, through the contact problem.
    fn solve(
        &mut self,
        method: carom_contact::Response,
        model: &Model,
        states: &mut [BodyState],
        demand: Demand,
        report: &mut StepReport,
    ) {
        let rules = RowRules {
            restitution: demand.contact.restitution,
            friction: demand.contact.friction,
            gaps: demand.ahead.map_or(Gaps::Ignore, |dt| Gaps::Allow { dt }),
            still: false,
        };
        contact_rows::fill(&mut self.problem, &mut self.mobility, (model, states), &self.contacts, &rules);
        let first = resolve(&self.problem, &method, &mut self.workspace);
        report.status = report.status.max(first.status);
        report.residual = report.residual.max(first.residual);
        if rules.friction > 0.0 && first.status > Status::Inaccurate {
            // Friction has no guarantee of an answer. A step without it overlaps less than one with a bad answer; status and residual tell.
            let smooth = RowRules { friction: 0.0, ..rules };
            contact_rows::fill(
                &mut self.problem,
                &mut self.mobility,
                (model, states),
                &self.contacts,
                &smooth,
            );
            resolve(&self.problem, &method, &mut self.workspace);
        }
        let resolution = self.workspace.resolution();
        let answer = (&self.problem, resolution);
        contact_rows::apply_impulses(answer, &self.contacts, model, states);
        self.impulses.resize(self.contacts.len(), DVec3::ZERO);
        for (k, (contact, total)) in self.contacts.iter().zip(&mut self.impulses).enumerate() {
            *total += contact_rows::impulse_of(answer, k, contact);
        }
        report.islands = resolution.islands;
        report.largest_island = report.largest_island.max(resolution.largest_island);
        report.status = report.status.max(resolution.status);
        report.iterations += resolution.iterations;
        report.operations += resolution.operations;
        report.sweeps += resolution.sweeps;
        report.fallbacks += resolution.fallbacks;
        report.residual = report.residual.max(resolution.residual);
    }

    /// The lecture's loop, then a stop for what rests.
    fn collide(
        &mut self,
        settings: &ImpulseLoop,
        model: &Model,
        states: &mut [BodyState],
        demand: Demand,
        report: &mut StepReport,
    ) {
        let mut impulses = std::mem::take(&mut self.impulses);
        let outcome = impulse_loop::collide_until_done(
            (model, states),
            &self.contacts,
            &demand.contact,
            settings,
            &mut impulses,
        );
        self.impulses = impulses;
        report.status = report.status.max(outcome.status);
        report.sweeps += outcome.passes;
        if outcome.resting {
            let contact = demand.contact.without_bounce();
            let stop = carom_contact::Response::VELOCITY_PROJECTION;
            self.solve(stop, model, states, Demand { contact, ..demand }, report);
        }
    }

    /// The contacts at hand that are closed or pushed, with their impulses.
    pub(crate) fn touched(&self) -> impl Iterator<Item = Touched> + '_ {
        self.contacts.iter().enumerate().filter_map(|(k, contact)| {
            let impulse = self.impulses.get(k).copied().unwrap_or(DVec3::ZERO);
            let pushed = impulse != DVec3::ZERO;
            (contact.is_closed() || pushed).then_some(Touched { contact: *contact, impulse })
        })
    }

    /// How many contacts there are, and how deep they are.
    pub(crate) fn describe(&self, report: &mut StepReport) {
        let depths = self.contacts.iter().map(|contact| -contact.gap);
        report.contacts = self.contacts.len();
        report.deepest_penetration = depths.fold(report.deepest_penetration, f64::max);
    }
}

/// What is asked of a response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Demand {
    pub(crate) contact: ContactSettings,
    /// Seconds within which gaps may still close; none where every contact counts as closed.
    pub(crate) ahead: Option<f64>,
}

/// The response of the contact crate, or the settings of the lecture's loop.
fn method(contact: &ContactSettings) -> Result<carom_contact::Response, ImpulseLoop> {
    let over =
        |inner| carom_contact::Response::GeneralizedReflection(Reflection { inner, ..Reflection::DEFAULT });
    let simultaneous = |method| match contact.tolerance {
        None => carom_contact::Response::Simultaneous(method),
        // A pile in space is not lifted from the ground up, as one in the plane is: all contacts are swept to the end.
        Some(tolerance) => {
            carom_contact::Response::Within(Within { method, tolerance, last_few_alone: false })
        }
    };
    match contact.response {
        Response::Impulse(settings) => Err(settings),
        Response::Lcp => Ok(simultaneous(Simultaneous::Lcp)),
        Response::VelocityProjection => Ok(simultaneous(Simultaneous::VelocityProjection)),
        Response::ReflectionLcp => Ok(over(Simultaneous::Lcp)),
        Response::ReflectionVelocityProjection => Ok(over(Simultaneous::VelocityProjection)),
    }
}
