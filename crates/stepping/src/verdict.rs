//! Every answer is checked before it is used: what gains energy is not used.

use carom_contact::{ContactProblem, Resolution, Response, Status, Workspace, resolve};

/// Energy gained up to this part of what was there or was given is rounding.
const ROUNDING: f64 = 1e-9;

/// Solves a problem. An answer that gains energy that neither motion nor moving obstacles had is replaced by one
/// without bounce, and that by one without friction; then the status is at least `Inaccurate`.
pub(crate) fn resolve_soundly<'w>(
    problem: &mut ContactProblem,
    response: &Response,
    workspace: &'w mut Workspace,
) -> &'w Resolution {
    resolve(problem, response, workspace);
    if gains(problem, workspace.resolution()) {
        let inelastic = match response {
            Response::Within(within) => Response::Within(*within),
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
    }
    workspace.resolution()
}

/// Whether contacts gained energy: ΔK + Σ λ s > 0, where s is the part of a gap speed that obstacles make.
fn gains(problem: &ContactProblem, resolution: &Resolution) -> bool {
    let before = problem.mass.half_square(&problem.velocity);
    let change = problem.mass.half_square(&resolution.velocity) - before;
    let of_obstacles = |row: carom_contact::Line<'_>| {
        let entries = row.entries().filter(|&(dof, ..)| !problem.is_movable(dof));
        entries.fold(0.0, |sum, (dof, eta, _)| sum + eta * problem.velocity[dof.0 as usize])
    };
    let (mut given, mut scale) = (0.0, before);
    for k in 0..problem.contact_count() {
        let mut work = resolution.impulses[k] * of_obstacles(problem.normal(k));
        for t in problem.tangent_range(k) {
            work += resolution.friction_impulses[t] * of_obstacles(problem.tangent(t));
        }
        given += work;
        scale += work.abs();
    }
    let gain = change + given;
    gain > ROUNDING * scale || gain.is_nan()
}
