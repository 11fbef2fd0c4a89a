//! The story of a step, and the memory that it keeps.

use crate::bounce::Bounces;
use crate::contact::Rows;
use crate::correction::Correction;
use crate::impact::Cluster;
use crate::mechanics::{Flight, Mechanics, Pair, Sweep};
use crate::neighbours::Neighbours;
use crate::quiet::Outlook;
use crate::report::{StepReport, Touched};
use crate::separating::Separating;
use crate::settings::ContactSettings;
use crate::track::{angular_length, linear_length};
use carom_contact::{ContactProblem, Status, Workspace};
use carom_numerics::watch;

/// Pairs closer than this fraction of the smaller bounding radius, and slower in a step, get a row
/// without a look at where they meet: the bounded speculative margin.
pub(crate) const MARGIN: f64 = 0.01;

/// Pairs of a step for each body, and in all, beyond which it is refused: an allocation that grows
/// with the square of what overlaps.
const MOST_PAIRS_PER_BODY: usize = 400;
const MOST_PAIRS: usize = 4_000_000;

/// Pairs after which it is asked whether somebody ends the work.
const PAIRS_OF_A_LOOK: usize = 64;

/// The step and what it keeps from step to step: no step allocates once this has grown.
#[derive(Debug, Clone)]
pub struct Stepper<M: Mechanics> {
    pub(crate) flight: Flight<M::Pose>,
    pub(crate) neighbours: Neighbours,
    /// The pairs before they were looked for again.
    pub(crate) old_pairs: Vec<Pair>,
    pub(crate) sweeps: Vec<Sweep>,
    /// Contacts within the margin at the start, pair by pair.
    pub(crate) near: Vec<M::Contact>,
    /// Where the contacts of each pair end in `near`.
    pub(crate) near_end: Vec<u32>,
    /// Pairs of which nothing comes unless something else acts on them.
    pub(crate) idle: Vec<bool>,
    pub(crate) bounces: Bounces<M>,
    pub(crate) cluster: Cluster<M>,
    pub(crate) rows: Rows<M>,
    pub(crate) separating: Separating,
    pub(crate) problem: ContactProblem,
    /// Masses and velocities of all bodies, for their energy.
    account: ContactProblem,
    pub(crate) workspace: Workspace,
    /// For problems that are solved afresh: displacements, mean velocities.
    pub(crate) afresh: Workspace,
    pub(crate) correction: Correction,
    /// Contacts found at some instant.
    pub(crate) found: Vec<M::Contact>,
    /// Who touched in the last step.
    pub(crate) touched: Vec<Touched<M::Contact>>,
}

impl<M: Mechanics> Stepper<M> {
    /// Takes one step.
    pub fn step(&mut self, bodies: &mut M, settings: &ContactSettings, dt: f64) -> StepReport {
        let mut report = StepReport::default();
        self.touched.clear();
        bodies.fly(dt, &mut self.flight);
        if self.find_pairs(bodies, settings, dt) {
            self.near.clear();
            let mut outlook = self.look_ahead(bodies, dt);
            if outlook > Outlook::Clear {
                self.find_near(bodies);
                if self.correct_positions(bodies, settings, dt, &mut report) {
                    outlook = self.look_ahead(bodies, dt);
                }
            }
            match outlook {
                Outlook::Active => self.answer(bodies, settings, dt, &mut report),
                _ => self.fly_by(bodies),
            }
        } else {
            report.status = Status::InvalidInput;
            report.refused_pairs = most_pairs(bodies.body_count());
        }
        self.arrive(bodies, dt);
        self.correct_the_end(bodies, settings, dt, &mut report);
        report.contacts = self.touched.len();
        report.active_contacts = self.touched.iter().filter(|touched| touched.impulse > 0.0).count();
        report
    }

    /// Impacts, then contact.
    fn answer(&mut self, bodies: &mut M, settings: &ContactSettings, dt: f64, report: &mut StepReport) {
        self.bounces.spun.clear();
        let before = *report;
        self.bounce(bodies, settings, dt, report);
        self.hold(bodies, settings, dt, report);
        if self.contact_spins(bodies, dt) {
            // Once more, with impacts.
            *report = before;
            self.touched.clear();
            self.look_ahead(bodies, dt);
            self.bounce(bodies, settings, dt, report);
            self.hold(bodies, settings, dt, report);
        }
        self.take_account(bodies, report);
    }

    /// Who touched in the last step, in order: impacts at their instants, then contact that lasts.
    pub fn touched(&self) -> &[Touched<M::Contact>] {
        &self.touched
    }

    /// The contact problem of the last step in which something touched.
    pub fn problem(&self) -> &ContactProblem {
        &self.problem
    }

    /// The solver's memory: warm starts.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The same, to be changed.
    pub fn workspace_mut(&mut self) -> &mut Workspace {
        &mut self.workspace
    }

    /// Candidates from a broad phase over swept bounds. False where there are too many.
    pub(crate) fn find_pairs(&mut self, bodies: &mut M, settings: &ContactSettings, dt: f64) -> bool {
        let count = bodies.body_count();
        let bounces = settings.restitution > 0.0;
        // An impact turns a body anywhere, at about the speed of those around it.
        let usual = if bounces { 2.0 * self.usual_speed(bodies) } else { 0.0 };
        self.sweeps.clear();
        for body in 0..count {
            let (mean, start) = (&self.flight.mean[body], &self.flight.start[body]);
            let free = bodies.is_free(body);
            let radius = bodies.bounding_radius(body);
            let radius = if radius.is_finite() { radius } else { 0.0 };
            let (speed, bend) = (linear_length::<M>(mean), linear_length::<M>(&start.acceleration));
            let turning = (dt * angular_length::<M>(mean)).min(2.0) * radius;
            let sag = dt * dt * bend;
            let mut sweep = Sweep { displacement: [0.0; 3], room: turning + sag };
            if free {
                sweep.room += MARGIN * radius;
            }
            if bounces && free {
                sweep.room += dt * (speed + usual);
            } else {
                for axis in 0..M::LINEAR {
                    sweep.displacement[axis] = dt * mean[axis];
                }
            }
            self.sweeps.push(sweep);
        }
        self.find_pairs_again(bodies)
    }

    /// Root of the mean square of the speeds of the free bodies.
    fn usual_speed(&self, bodies: &M) -> f64 {
        let (mut sum, mut count) = (0.0, 0);
        for (body, mean) in self.flight.mean.iter().enumerate() {
            if bodies.is_free(body) {
                sum += linear_length::<M>(mean).powi(2);
                count += 1;
            }
        }
        if count == 0 { 0.0 } else { (sum / f64::from(count)).sqrt() }
    }

    /// The same with the sweeps at hand.
    pub(crate) fn find_pairs_again(&mut self, bodies: &mut M) -> bool {
        let count = bodies.body_count();
        let found = bodies.pairs(&self.sweeps, most_pairs(count), self.neighbours.pairs_mut());
        if !found {
            self.neighbours.pairs_mut().clear();
        }
        found
    }

    /// Contacts within the margin, where bodies are now.
    pub(crate) fn find_near(&mut self, bodies: &mut M) {
        self.near.clear();
        self.near_end.clear();
        let mut is_over = false;
        for (number, &pair) in self.neighbours.pairs.iter().enumerate() {
            is_over |= number % PAIRS_OF_A_LOOK == 0 && watch::is_over();
            if !is_over {
                bodies.near(pair, MARGIN * bodies.extent(pair), &mut self.near);
            }
            self.near_end.push(self.near.len() as u32);
        }
    }

    /// The contacts of a pair in `near`.
    pub(crate) fn near_of(&self, pair: usize) -> std::ops::Range<usize> {
        let start = if pair == 0 { 0 } else { self.near_end[pair - 1] };
        start as usize..self.near_end[pair] as usize
    }

    /// Kinetic energy before any response, where there was one.
    fn take_account(&mut self, bodies: &M, report: &mut StepReport) {
        if report.responses == 0 {
            return;
        }
        let account = &mut self.account;
        account.clear();
        for (body, (pose, velocity)) in self.flight.end.iter().enumerate() {
            bodies.push_body(body, pose, velocity, account);
        }
        report.kinetic_before = account.mass.half_square(&account.velocity);
        report.kinetic_after += report.kinetic_before;
    }

    /// Puts every body where it ends.
    fn arrive(&mut self, bodies: &mut M, dt: f64) {
        for body in 0..bodies.body_count() {
            match self.rows.end_of(bodies, &self.flight, body, dt) {
                None => bodies.land(body),
                Some((pose, velocity)) => bodies.settle(body, pose, &velocity),
            }
        }
    }
}

/// Pairs that a step of so many bodies looks at.
fn most_pairs(bodies: usize) -> usize {
    watch::most_pairs(MOST_PAIRS.min(1000 + MOST_PAIRS_PER_BODY * bodies))
}

impl<M: Mechanics> Default for Stepper<M> {
    fn default() -> Self {
        Self {
            flight: Flight { start: Vec::new(), mean: Vec::new(), end: Vec::new(), shift: 0.0 },
            neighbours: Neighbours::default(),
            old_pairs: Vec::new(),
            sweeps: Vec::new(),
            near: Vec::new(),
            near_end: Vec::new(),
            idle: Vec::new(),
            bounces: Bounces::default(),
            cluster: Cluster::default(),
            rows: Rows::default(),
            separating: Separating::default(),
            problem: ContactProblem::new(),
            account: ContactProblem::new(),
            workspace: Workspace::new(),
            afresh: Workspace::new(),
            correction: Correction::default(),
            found: Vec::new(),
            touched: Vec::new(),
        }
    }
}
