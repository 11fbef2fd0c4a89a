//! Every answer is checked before it is used: what gains energy is not used.

use crate::track::energy_change;
use carom_contact::{
    ContactProblem, Resolution, Response, RowView, Status, Workspace, resolve, resolve_again,
};

/// Energy gained up to this part of what was there or was given is rounding.
const ROUNDING: f64 = 1e-9;

/// How fast contacts make bodies, in speeds of obstacles: what bounces off one has twice its speed,
/// and what is squeezed out between two of them as many times as they are narrow.
const OF_BAD_ANSWERS: f64 = 2.0;
const OF_GOOD_ANSWERS: f64 = 10.0;

/// Solves a problem. An answer that gains energy that neither motion nor moving obstacles had is
/// replaced by one without bounce, and that by one without friction; then the status is at least
/// `Inaccurate`.
pub(crate) fn resolve_soundly<'w>(
    problem: &mut ContactProblem,
    response: &Response,
    workspace: &'w mut Workspace,
) -> &'w Resolution {
    resolve_soundly_again(problem, response, workspace, None);
    workspace.resolution()
}

/// The same, where islands without a fresh contact may keep their answers of the last call. Whether
/// they may in the next one: what was replaced is solved anew.
pub(crate) fn resolve_soundly_again(
    problem: &mut ContactProblem,
    response: &Response,
    workspace: &mut Workspace,
    is_fresh: Option<&[bool]>,
) -> bool {
    match is_fresh {
        Some(is_fresh) => resolve_again(problem, response, workspace, is_fresh),
        None => resolve(problem, response, workspace),
    };
    let mut is_whole = true;
    if gains(problem, workspace.resolution()) {
        let inelastic = match response {
            Response::ToTolerance(within) => Response::ToTolerance(*within),
            Response::Simultaneous(method) => Response::Simultaneous(*method),
            Response::GeneralizedReflection(reflection) => Response::Simultaneous(reflection.inner),
            Response::Impulses => Response::VELOCITY_PROJECTION,
        };
        problem.set_materials(0.0, None);
        resolve(problem, &inelastic, workspace);
        if gains(problem, workspace.resolution()) {
            problem.set_materials(0.0, Some(0.0));
            resolve(problem, &inelastic, workspace);
        }
        workspace.lower_status(Status::Inaccurate);
        is_whole = false;
    }
    is_whole & !keep_measure(problem, workspace)
}

/// Contacts with moving obstacles that contradict each other, or nearly, have no answer, or one
/// that drives bodies out of a wedge as fast as it is narrow. As much of it is used as gives them
/// no more energy than some times the speed of the fastest obstacle would; whether that is a part.
fn keep_measure(problem: &ContactProblem, workspace: &mut Workspace) -> bool {
    let Resolution { velocity: after, status, .. } = workspace.resolution();
    let gain = energy_change(&problem.mass, &problem.velocity, after);
    if gain <= 0.0 {
        return false;
    }
    let (mut fastest, mut moved) = (0.0f64, 0.0);
    for k in 0..problem.contact_count() {
        let row = problem.normal(k);
        fastest = fastest.max(of_obstacles(problem, row).abs());
        for t in problem.tangent_range(k) {
            fastest = fastest.max(of_obstacles(problem, problem.tangent(t)).abs());
        }
        let inverse_mass = row.inverse_mass();
        moved += if inverse_mass > 0.0 { 1.0 / inverse_mass } else { 0.0 };
    }
    let times = if *status > Status::Stalled { OF_BAD_ANSWERS } else { OF_GOOD_ANSWERS };
    // √K is a length: no obstacle makes it longer than by its own push.
    let push = (0.5 * moved).sqrt() * times * fastest;
    let most = push * (push + 2.0 * problem.mass.half_square(&problem.velocity).sqrt());
    if gain <= most || fastest == 0.0 {
        return false;
    }
    // K(s) - K(0) = (gain - c) s + c s², where c is the energy of the change alone: the root is the
    // share.
    let change: Vec<f64> = after.iter().zip(&problem.velocity).map(|(a, b)| a - b).collect();
    let c = problem.mass.half_square(&change);
    let b = gain - c;
    let root = (b * b + 4.0 * c * most).sqrt();
    let share = if b > 0.0 { 2.0 * most / (b + root) } else { (root - b) / (2.0 * c) };
    let is_part = (0.0..1.0).contains(&share);
    if is_part {
        workspace.keep_share(problem, share);
        workspace.lower_status(Status::Infeasible);
    }
    is_part
}

/// Whether contacts gained energy: ΔK + Σ λ s > 0, where s is the part of a gap speed that
/// obstacles make.
fn gains(problem: &ContactProblem, resolution: &Resolution) -> bool {
    let before = problem.mass.half_square(&problem.velocity);
    let change = problem.mass.half_square(&resolution.velocity) - before;
    let (mut given, mut scale) = (0.0, before);
    for k in 0..problem.contact_count() {
        let mut work = resolution.impulses[k] * of_obstacles(problem, problem.normal(k));
        for t in problem.tangent_range(k) {
            work += resolution.friction_impulses[t] * of_obstacles(problem, problem.tangent(t));
        }
        given += work;
        scale += work.abs();
    }
    let gain = change + given;
    gain > ROUNDING * scale || gain.is_nan()
}

/// The part of a speed that obstacles make.
fn of_obstacles(problem: &ContactProblem, row: RowView<'_>) -> f64 {
    let entries = row.entries().filter(|&(dof, ..)| !problem.is_movable(dof));
    entries.fold(0.0, |sum, (dof, eta, _)| sum + eta * problem.velocity[dof.0 as usize])
}
