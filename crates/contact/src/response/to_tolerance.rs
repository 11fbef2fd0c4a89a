//! Simultaneous answers without friction only as exact as asked for: sweeps first, the exact
//! solvers where sweeps do not come to the tolerance.
//!
//! Energy is not gained however early sweeps stop: they lower f = ½λᵀAλ + bᵀλ from 0 on, the
//! contacts' work is W = λᵀg⁻ + ½λᵀAλ, and b ≥ g⁻ in an inelastic answer, so W ≤ f ≤ 0
//! ([`carom_numerics::lcp::sweeps`]).

use super::simultaneous::{SPARSE_FROM, Simultaneous, write_demands};
use crate::resolution::Status;
use crate::workspace::{Island, Report};
use carom_numerics::lcp::LcpStatus;
use carom_numerics::lcp::sweeps::{SweepProblem, SweepSettings};

/// A simultaneous answer that is only as exact as asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToTolerance {
    /// The solver of small islands, and of those that sweeps do not solve.
    pub method: Simultaneous,
    /// No contact's speed is wrong by more than this: neither its approach, nor the speed by which
    /// it opens although it pushes, nor, with friction, the speed that friction should have
    /// stopped. As exact as can be when 0.
    pub tolerance: f64,
    /// Whether the last few contacts that are wrong are solved one by one: half the sweeps in a
    /// pile, for callers that lift what sinks ([`SweepSettings::last_few_alone`]).
    pub last_few_alone: bool,
    /// Something lands where a contact with friction approaches faster than this; half of the
    /// tolerance is enough there, as what is left does not add up from step to step. Infinity where
    /// nobody knows.
    pub landing: f64,
}

/// Sweeps before the exact solver is asked.
const MOST_SWEEPS: u64 = 1000;

impl ToTolerance {
    /// As exact as can be.
    pub(crate) fn exactly(method: Simultaneous) -> ToTolerance {
        ToTolerance { method, tolerance: 0.0, last_few_alone: false, landing: f64::INFINITY }
    }

    /// Whether an island is worth sweeps: one that the exact solvers of small problems do not
    /// answer as cheaply.
    pub(crate) fn sweeps(&self, island: &Island) -> bool {
        self.tolerance > 0.0 && island.contacts.len() >= SPARSE_FROM
    }
}

/// Sweeps over an island, with a part of its restitution. False where the exact solvers must be
/// asked; then only the report has changed.
pub(crate) fn sweep(within: &ToTolerance, island: &mut Island, bounce: f64) -> bool {
    let settings = settings(within.tolerance, within.last_few_alone);
    let solved = sweeps(settings, island, bounce);
    if solved {
        take_swept(island);
    }
    solved
}

/// The same, and what sweeps come to is the answer.
pub(crate) fn sweep_anyway(tolerance: f64, island: &mut Island, bounce: f64) {
    sweeps(settings(tolerance, false), island, bounce);
    take_swept(island);
}

fn settings(tolerance: f64, last_few_alone: bool) -> SweepSettings {
    SweepSettings { tolerance, max_sweeps: MOST_SWEEPS, last_few_alone }
}

/// Sweeps and reports; true if they came to the tolerance.
fn sweeps(settings: SweepSettings, island: &mut Island, bounce: f64) -> bool {
    let mut scratch = std::mem::take(&mut island.simultaneous);
    write_demands(island, bounce, &mut scratch.b);
    let task = SweepProblem { rows: &island.rows, mass: &island.mass, b: &scratch.b };
    scratch.swept.clear();
    scratch.swept.extend_from_slice(&island.guess);
    scratch.swept.resize(if island.guess.is_empty() { 0 } else { task.rows.len() }, 0.0);
    let outcome = scratch.sweeper.solve(&task, &settings, &mut scratch.swept, &mut scratch.u);
    let solved = outcome.status == LcpStatus::Solved;
    island.report = Report {
        status: if solved { Status::Solved } else { Status::LimitReached },
        iterations: outcome.sweeps,
        operations: outcome.operations,
        sweeps: 1,
        fallbacks: 0,
        residual: outcome.residual.into(),
    };
    island.simultaneous = scratch;
    solved
}

/// Takes what sweeps found as the island's answer.
fn take_swept(island: &mut Island) {
    let scratch = &island.simultaneous;
    island.impulses.copy_from_slice(&scratch.swept);
    for (v, change) in island.velocity.iter_mut().zip(&scratch.u) {
        *v += change;
    }
}
