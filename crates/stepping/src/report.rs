//! How a step went.

use carom_contact::{Residual, Resolution, Status};

/// How a step went. Zeros where nothing touched.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepReport {
    /// Contacts that touched or pushed.
    pub contacts: usize,
    /// Times that contacts were solved within the step.
    pub responses: usize,
    /// Contacts that were solved together, the size of A; the most of any solve.
    pub contact_rows: usize,
    /// Contacts that pushed.
    pub active_contacts: usize,
    /// Islands of the contact problem.
    pub islands: usize,
    /// Contacts of the largest island of any solve.
    pub largest_island: usize,
    /// The worst status of all solves and of the step itself.
    pub status: Status,
    /// Iterations of the solvers.
    pub iterations: u64,
    /// Approximate multiplication count of the solvers (machine-independent cost).
    pub operations: u64,
    /// Iterations of Generalized Reflection or of friction.
    pub sweeps: u64,
    /// Islands that iterations did not bring to the tolerance, so that the exact solver had to.
    pub fallbacks: u64,
    /// What the solves left.
    pub residual: Residual,
    /// Kinetic energy of the free bodies before any response.
    pub kinetic_before: f64,
    /// The same with what all responses of the step changed.
    pub kinetic_after: f64,
    /// Change of the linear momentum of the free bodies by all responses.
    pub momentum_change: [f64; 3],
    /// Change of their angular momentum about the origin by all responses.
    pub angular_momentum_change: [f64; 3],
    /// Impacts of the step, each at its instant.
    pub impacts: usize,
    /// Impacts after which their bodies waited for the next step, because they had too many (Zeno
    /// guard).
    pub early_impacts: usize,
    /// Potential energy that position correction added.
    pub correction_energy: f64,
    /// More pairs than this overlap or come near: nothing was checked, and bodies passed through
    /// each other. 0 where there were fewer.
    pub refused_pairs: usize,
}

impl StepReport {
    /// Takes a solve into account.
    pub(crate) fn add(&mut self, resolution: &Resolution) {
        self.add_work(resolution);
        self.add_answer(resolution);
    }

    /// The work of a solve, whether its answer is used or not.
    pub(crate) fn add_work(&mut self, resolution: &Resolution) {
        self.responses += 1;
        self.iterations += resolution.iterations;
        self.operations += resolution.operations;
        self.sweeps += resolution.sweeps;
        self.fallbacks += resolution.fallbacks;
    }

    /// How good the answer of a solve is.
    pub(crate) fn add_answer(&mut self, resolution: &Resolution) {
        self.contact_rows = self.contact_rows.max(resolution.impulses.len());
        self.largest_island = self.largest_island.max(resolution.largest_island);
        self.status = self.status.max(resolution.status);
        self.residual = self.residual.max(resolution.residual);
    }
}

/// Two bodies that touched in the last step, and how hard.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touched<C> {
    /// Where and along which normal.
    pub contact: C,
    /// Seconds into the step; 0 for contact that lasts.
    pub time: f64,
    /// Impulse along the normal; at least 0.
    pub impulse: f64,
    /// Impulses of friction along the tangents.
    pub friction: [f64; 2],
}
