//! Verification of answers: those that rounding has spoiled are solved again, and disproportionate
//! ones are regularized.
//!
//! With masses far apart (a feather between anvils, from ratios of about 1e10 on) the digits of a
//! double no longer tell impulses apart: an "exact" answer may leave contacts approaching, or gain
//! energy that nobody gave. Sweeps cannot: they lower f = ½λᵀAλ + bᵀλ from 0 on
//! ([`carom_numerics::lcp::sweeps`]), and with it the work of the contacts. So such an answer is
//! sought again by sweeps, the better one is taken, and its status is `Inaccurate` at best.
//!
//! Obstacles that close on bodies with hardly any way out (a press on boxes that just fill their
//! case) drive them out as fast as the way is narrow. An island that ends more than a hundred times
//! as fast as anything moved before counts as contradictory: contacts give a little, `Infeasible`.

use super::simultaneous;
use super::to_tolerance;
use crate::resolution::Status;
use crate::workspace::Island;

/// An answer whose residual is above this part of the largest |b| is spoiled.
const SPOILED: f64 = 1e-6;
/// Energy gained by contacts, as a part of what was there or was given, above which an answer is
/// spoiled.
const GAINED: f64 = 1e-6;
/// Speeds below this part of the largest one are rounding.
const ROUNDING: f64 = 1e-10;
/// Kinetic energy after, as a multiple of that before with everything at least as fast as the
/// obstacles: a hundred times the speed, as out of a wedge of half a degree.
const PROPORTION: f64 = 1e4;

/// Looks at the exact answer of an island, found with a part of its restitution, and replaces it if
/// rounding has spoiled it.
pub(crate) fn fall_back(island: &mut Island, bounce: f64) {
    if island.report.status < Status::Infeasible && is_spoiled(island, bounce) {
        sweep_instead(island, bounce);
    }
}

/// Replaces an answer that is disproportionate to what moved before.
pub(crate) fn clamp_velocity(island: &mut Island, bounce: f64) {
    if island.report.status >= Status::Infeasible || !is_out_of_proportion(island) {
        return;
    }
    let report = island.report;
    island.reset();
    simultaneous::respond_regularized(island, bounce);
    island.report.iterations += report.iterations;
    island.report.operations += report.operations;
    island.report.fallbacks = report.fallbacks;
}

/// Whether contacts gained energy that neither motion nor obstacles had.
pub(crate) fn gains(island: &Island) -> bool {
    let given = island.against_obstacles();
    let there = island.mass.half_square(&island.velocity_before) + given.abs();
    let work = island.energy_change() + given;
    work > GAINED * there || work.is_nan()
}

fn is_spoiled(island: &Island, bounce: f64) -> bool {
    let before = island.velocity_before.iter().chain(&island.bias);
    let fastest = before.fold(0.0f64, |most, speed| most.max(speed.abs()));
    let left = island.report.residual.worst();
    let solved = left <= SPOILED * largest_demand(island) + ROUNDING * fastest;
    // With restitution contacts may gain, which is seen to afterwards.
    !solved || !island.bounces(bounce) && gains(island)
}

/// The largest |b|, by which the solvers measure what is solved.
fn largest_demand(island: &Island) -> f64 {
    island.simultaneous.b.iter().fold(0.0f64, |most, b| most.max(b.abs()))
}

fn is_out_of_proportion(island: &Island) -> bool {
    let fastest = island.bias.iter().fold(0.0f64, |most, speed| most.max(speed.abs()));
    let carried = 0.5 * island.mass.diagonal.iter().sum::<f64>() * fastest * fastest;
    let before = island.mass.half_square(&island.velocity_before) + carried;
    island.mass.half_square(&island.velocity) > PROPORTION * before
}

/// Sweeps from nothing; kept if they leave less, or if the answer at hand gained energy.
fn sweep_instead(island: &mut Island, bounce: f64) {
    let (first, gained) = (island.report, gains(island));
    let mut answer = std::mem::take(&mut island.simultaneous.spoiled);
    island.put_aside(&mut answer);
    island.reset();
    island.guess.clear();
    to_tolerance::sweep_anyway(SPOILED * largest_demand(island), island, bounce);
    let swept = island.report;
    if !gained && first.residual.worst() <= swept.residual.worst() {
        island.take_back(&mut answer);
        island.report = first;
    }
    island.simultaneous.spoiled = answer;
    island.report.iterations = first.iterations + swept.iterations;
    island.report.operations = first.operations + swept.operations;
    island.report.status = island.report.status.max(first.status).max(Status::Inaccurate);
    if gains(island) && !island.bounces(bounce) {
        // Not even sweeps: nothing is pushed.
        island.reset();
        island.friction.lambda_mut().fill(0.0);
        island.report.status = Status::LimitReached;
    }
}
