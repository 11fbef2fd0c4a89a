//! What a response gives back: impulses, the velocity after, and how good they are.

use crate::problem::ContactProblem;

/// How a solve ended. Ordered from best to worst; a problem's status is the worst of its islands'.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The residual is within the tolerance.
    #[default]
    Solved,
    /// Generalized Reflection stopped because velocities no longer change although some contact
    /// still approaches, by an amount at the level of rounding.
    Stalled,
    /// With friction the residual is above 1e-6 of what impulses change, or friction wedges what
    /// must bounce.
    FrictionNotConverged,
    /// The solver stopped above its tolerance; the residual says how far.
    Inaccurate,
    /// The sweep or iteration limit was reached, or an elastic impact has no end (a ball wedged
    /// between walls) and its contacts answered without bounce.
    LimitReached,
    /// No velocity satisfies all contacts (contradictory prescribed speeds): the best iterate is
    /// given.
    Infeasible,
    /// Input with NaN, infinities or indices out of range: the velocity is given back unchanged.
    InvalidInput,
}

/// How far the result is from the optimality conditions of 0 ≤ λ ⊥ w ≥ 0.
///
/// For [`Status`] `Solved` answers the first three are at or below the tolerance of the response.
/// All are zero for an exact answer. For Generalized Reflection the first two have this meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// Largest remaining approach, max(0, −w): a speed.
    pub penetration_speed: f64,
    /// Largest pull, max(0, −λ): an impulse.
    pub negative_impulse: f64,
    /// Largest min(λ aₖₖ, w) where aₖₖ = ηᵀM⁻¹η: the speed by which a contact is both pushed and
    /// opening. Of Generalized Reflection at its limit the largest approach that was answered
    /// without bounce instead of being reflected.
    pub complementarity: f64,
    /// With friction the largest error in velocity of a contact, normal and tangents together
    /// ([`crate::coulomb::Certificate::velocity_error`]): a speed.
    pub friction: f64,
}

impl Residual {
    /// The worst of two, entry by entry.
    pub fn max(self, other: Residual) -> Residual {
        Residual {
            penetration_speed: self.penetration_speed.max(other.penetration_speed),
            negative_impulse: self.negative_impulse.max(other.negative_impulse),
            complementarity: self.complementarity.max(other.complementarity),
            friction: self.friction.max(other.friction),
        }
    }

    /// The largest of the entries of the complementarity problem (friction left out).
    pub fn worst(&self) -> f64 {
        self.penetration_speed.max(self.negative_impulse).max(self.complementarity)
    }
}

/// The answer of a response.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resolution {
    /// Normal impulse of every contact, in the problem's order.
    pub impulses: Vec<f64>,
    /// Impulse of every tangent, in the order of [`ContactProblem::tangent`]; zeros without
    /// friction.
    pub friction_impulses: Vec<f64>,
    /// Velocity after.
    pub velocity: Vec<f64>,
    /// How the solve ended.
    pub status: Status,
    /// Pivots, Newton or interior-point steps, or sweeps to a tolerance, summed over islands and
    /// sweeps.
    pub iterations: u64,
    /// Approximate multiplication count of all solves (machine-independent cost).
    pub operations: u64,
    /// Sweeps of Generalized Reflection or rounds of friction: the most of any island.
    pub sweeps: u64,
    /// Islands that sweeps did not bring to the tolerance that was asked for, so that the exact
    /// solver had to.
    pub fallbacks: u64,
    /// Distance from optimality.
    pub residual: Residual,
    /// Kinetic energy after minus before, from the work of the impulses.
    pub energy_change: f64,
    /// Number of islands.
    pub islands: usize,
    /// Contacts in the largest island.
    pub largest_island: usize,
}

impl Resolution {
    /// Number of contacts that push.
    pub fn active_contacts(&self) -> usize {
        self.impulses.iter().filter(|&&l| l > 0.0).count()
    }

    /// Sets everything to "nothing happens" for this problem, keeping memory.
    pub(crate) fn reset(&mut self, problem: &ContactProblem) {
        self.impulses.clear();
        self.impulses.resize(problem.contact_count(), 0.0);
        self.friction_impulses.clear();
        self.friction_impulses.resize(problem.tangent_count(), 0.0);
        self.velocity.clear();
        self.velocity.extend_from_slice(&problem.velocity);
        self.status = Status::Solved;
        self.iterations = 0;
        self.operations = 0;
        self.sweeps = 0;
        self.fallbacks = 0;
        self.residual = Residual::default();
        self.energy_change = 0.0;
        self.islands = 0;
        self.largest_island = 0;
    }
}
