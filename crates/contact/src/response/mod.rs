//! Responses: from a contact problem to a resolution.

pub(crate) mod friction;
pub mod generalized_reflection;
pub mod impulses;
pub(crate) mod lcp;
pub(crate) mod regularized;
pub mod simultaneous;
pub(crate) mod to_tolerance;
pub(crate) mod velocity_projection;
pub(crate) mod verification;

use crate::problem::ContactProblem;
use crate::resolution::{Residual, Resolution, Status};
use crate::workspace::{Island, Workspace};
use carom_numerics::watch;
pub use generalized_reflection::Reflection;
use rayon::prelude::*;
pub use simultaneous::{Simultaneous, ToTolerance};

/// Below this many contacts the islands are solved on the calling thread.
const PARALLEL_FROM: usize = 256;

/// How contacts answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Response {
    /// One contact after the other, each reading what earlier ones left: simple and
    /// order-dependent.
    Impulses,
    /// All contacts at once: after the impact no contact approaches, and every contact with
    /// restitution e leaves at least with e times its approach.
    Simultaneous(Simultaneous),
    /// The same, only as exactly as asked for: cheaper where thousands of contacts settle.
    ToTolerance(ToTolerance),
    /// Elastic sweeps until nothing approaches (Smith et al. 2012), blended with the inelastic
    /// answer for restitution below 1.
    GeneralizedReflection(Reflection),
}

impl Response {
    /// `lcp`: complementarity by pivoting.
    pub const LCP: Response = Response::Simultaneous(Simultaneous::Lcp);
    /// `velocity-projection`: the dual active set.
    pub const VELOCITY_PROJECTION: Response = Response::Simultaneous(Simultaneous::VelocityProjection);
    /// `gr-lcp` with the default tolerances.
    pub const GENERALIZED_REFLECTION: Response = Response::GeneralizedReflection(Reflection::DEFAULT);
}

/// Solves the problem. The result stays in the workspace.
///
/// Islands are solved independently, in parallel when there is enough to do; the bits of the result
/// do not depend on the number of threads.
pub fn resolve<'w>(
    problem: &ContactProblem,
    response: &Response,
    workspace: &'w mut Workspace,
) -> &'w Resolution {
    resolve_fresh(problem, response, workspace, None)
}

/// Solves a problem that has new contacts, or other rows for some, since the last call with this
/// workspace, and the same response and velocities: all that are not as they were are fresh.
/// Islands without a fresh contact keep their answers.
pub fn resolve_again<'w>(
    problem: &ContactProblem,
    response: &Response,
    workspace: &'w mut Workspace,
    is_fresh: &[bool],
) -> &'w Resolution {
    resolve_fresh(problem, response, workspace, Some(is_fresh))
}

fn resolve_fresh<'w>(
    problem: &ContactProblem,
    response: &Response,
    workspace: &'w mut Workspace,
    is_fresh: Option<&[bool]>,
) -> &'w Resolution {
    workspace.resolution.reset(problem);
    if !problem.is_valid() {
        workspace.resolution.status = Status::InvalidInput;
        return &workspace.resolution;
    }
    if let Response::Impulses = response {
        impulses::sweep(problem, &mut workspace.resolution);
        return &workspace.resolution;
    }
    workspace.split(problem, is_fresh);
    let remembers = matches!(response, Response::Simultaneous(_) | Response::ToTolerance(_));
    let count = workspace.islands.len();
    let (local_dof, memory) = (&workspace.local_dof, &workspace.memory);
    let solve = |island: &mut Island| {
        if island.is_kept {
            return;
        }
        island.gather(problem, local_dof);
        if remembers {
            island.warm_start(memory);
        }
        match response {
            Response::Simultaneous(method) => simultaneous::respond(ToTolerance::exactly(*method), island),
            Response::ToTolerance(within) => simultaneous::respond(*within, island),
            Response::GeneralizedReflection(settings) => {
                generalized_reflection::respond(settings, problem, island)
            }
            Response::Impulses => {}
        }
    };
    let islands = &mut workspace.island[..count];
    if count > 1 && problem.contact_count() >= PARALLEL_FROM {
        let watch = watch::current();
        islands.par_iter_mut().for_each(|island| watch::during(watch.clone(), || solve(island)));
    } else {
        islands.iter_mut().for_each(solve);
    }
    for island in &workspace.island[..count] {
        collect(island, &mut workspace.resolution);
    }
    if remembers {
        workspace.remember();
    }
    &workspace.resolution
}

/// Adds one island's answer to the whole; called in island order.
fn collect(island: &Island, resolution: &mut Resolution) {
    for (&k, &impulse) in island.contacts.iter().zip(&island.impulses) {
        resolution.impulses[k as usize] = impulse;
    }
    if island.friction.is_active() {
        for (tangent, impulse) in island.friction.impulses() {
            resolution.friction_impulses[tangent as usize] = impulse;
        }
    }
    for (&dof, &v) in island.dofs.iter().zip(&island.velocity) {
        resolution.velocity[dof as usize] = v;
    }
    let report = &island.report;
    resolution.status = resolution.status.max(report.status);
    resolution.iterations += report.iterations;
    resolution.operations += report.operations;
    resolution.sweeps = resolution.sweeps.max(report.sweeps);
    resolution.fallbacks += report.fallbacks;
    resolution.residual = resolution.residual.max(report.residual);
    resolution.energy_change += island.energy_change();
    resolution.islands += 1;
    resolution.largest_island = resolution.largest_island.max(island.contacts.len());
}

impl From<carom_numerics::lcp::LcpStatus> for Status {
    fn from(status: carom_numerics::lcp::LcpStatus) -> Status {
        use carom_numerics::lcp::LcpStatus;
        match status {
            LcpStatus::Solved => Status::Solved,
            LcpStatus::Inaccurate => Status::Inaccurate,
            LcpStatus::LimitReached => Status::LimitReached,
            LcpStatus::Infeasible => Status::Infeasible,
        }
    }
}

impl From<carom_numerics::lcp::KktResidual> for Residual {
    fn from(residual: carom_numerics::lcp::KktResidual) -> Residual {
        Residual {
            penetration_speed: residual.violation,
            negative_impulse: residual.negativity,
            complementarity: residual.complementarity,
            friction: 0.0,
        }
    }
}
