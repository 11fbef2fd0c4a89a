//! How a step went.

use crate::detection::Contact;
use crate::energy::Totals;
use carom_contact::{Residual, Status};
use glam::DVec3;

/// How a step went. Zeros where nothing touched.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepReport {
    /// Contacts of the step, where they were looked for last.
    pub contacts: usize,
    /// Times that contacts were responded to within the step.
    pub responses: usize,
    /// Contacts that were responded to together, the size of A; the most of any response.
    pub contact_rows: usize,
    /// Contacts that pushed.
    pub active_contacts: usize,
    /// Groups of bodies that touch and were solved together.
    pub islands: usize,
    /// Contacts of the largest group; the most of any response. 0 where contacts were answered one after the other.
    pub largest_island: usize,
    /// How the response ended.
    pub status: Status,
    /// Iterations of its solver.
    pub iterations: u64,
    /// Products of numbers in contact solves and in separating bodies, about: what they cost, the same on every machine.
    pub operations: u64,
    /// Sweeps of Generalized Reflection, rounds of friction, or passes of the lecture's loop.
    pub sweeps: u64,
    /// Groups that sweeps did not bring to the tolerance of the settings, so that the exact solver had to.
    pub fallbacks: u64,
    /// What the response left unsolved.
    pub residual: Residual,
    /// Kinetic energy of the free bodies just before the first response.
    pub kinetic_before: f64,
    /// The same with what all responses of the step changed: the energy just after it, where there is one. What forces do between
    /// responses is left out.
    pub kinetic_after: f64,
    /// Change of the linear momentum of the free bodies by all responses.
    pub momentum_change: DVec3,
    /// Change of their angular momentum about the origin by all responses.
    pub angular_momentum_change: DVec3,
    /// Deepest overlap where contacts were looked for, before any projection.
    pub deepest_penetration: f64,
    /// Times of contact at which the step stopped.
    pub impacts: usize,
    /// Largest distance of an orientation from a rotation before it was mended.
    pub orientation_drift: f64,
    /// Steps of the adaptive integrator within the step, 1 for the others; tries of the bisection included.
    pub own_steps: u64,
    /// Whether the integrator did not reach its tolerance.
    pub integrator_inaccurate: bool,
}

impl StepReport {
    /// Takes one response to some contacts into account, by the motion before and after it.
    pub(crate) fn add_response(&mut self, contacts: usize, before: &Totals, after: &Totals) {
        if self.responses == 0 {
            self.kinetic_before = before.kinetic;
        }
        self.kinetic_after = if self.responses == 0 {
            after.kinetic
        } else {
            self.kinetic_after + (after.kinetic - before.kinetic)
        };
        self.momentum_change += after.momentum - before.momentum;
        self.angular_momentum_change += after.angular_momentum - before.angular_momentum;
        self.contact_rows = self.contact_rows.max(contacts);
        self.responses += 1;
    }
}

/// Two bodies that touched in the last step, and how hard.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touched {
    /// Where and along which normal, when contacts were looked for.
    pub contact: Contact,
    /// Impulse on the second body in world axes, along the normal and of friction.
    pub impulse: DVec3,
}
