//! Moving bodies that overlap apart.
//!
//! The least displacement Δ, weighed by mass, that opens every overlap and closes no gap: min ½ ΔᵀMΔ subject to gap + NᵀΔ ≥ 0.
//! This is the contact problem again, with displacements for velocities; velocities are not touched.

use crate::contact_rows::{self, Gaps, Mobility, RowRules};
use crate::detection::Contact;
use crate::model::Model;
use crate::orientation::exponential;
use crate::state::BodyState;
use carom_contact::{ContactProblem, Response, Workspace, resolve};
use glam::DVec3;

/// Memory of the projection.
#[derive(Debug, Clone, Default)]
pub(crate) struct Projection {
    problem: ContactProblem,
    mobility: Mobility,
    workspace: Workspace,
}

impl Projection {
    /// Moves bodies apart by one linear solve over the contacts at hand. Angular velocities stay: angular momentum turns with
    /// the body.
    pub(crate) fn separate(&mut self, model: &Model, states: &mut [BodyState], contacts: &[Contact]) {
        let rules = RowRules { restitution: 0.0, friction: 0.0, gaps: Gaps::Demand, still: true };
        contact_rows::fill(&mut self.problem, &mut self.mobility, (model, states), contacts, &rules);
        // Each separation starts afresh, so that only the memory of velocities needs saving.
        self.workspace.restore_memory(&[]);
        let resolution = resolve(&self.problem, &Response::VELOCITY_PROJECTION, &mut self.workspace);
        let displacements = resolution.velocity.chunks_exact(6);
        for ((body, moved), displacement) in model.bodies.iter().zip(states).zip(displacements) {
            if body.motion.is_free() && displacement.iter().any(|x| *x != 0.0) {
                moved.position += DVec3::from_slice(displacement);
                let turn = exponential(DVec3::from_slice(&displacement[3..]));
                moved.orientation = moved.orientation.turned_by(turn).mended().0;
                moved.angular_momentum = turn * moved.angular_momentum;
            }
        }
    }
}

/// Whether an overlap is deeper than a part of the smaller body's extent.
pub(crate) fn overlaps_beyond(contacts: &[Contact], part: f64) -> bool {
    contacts.iter().any(|contact| -contact.gap > part * contact.extent)
}
