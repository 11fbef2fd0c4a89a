//! Moving bodies that overlap apart.
//!
//! The least displacement Δ, weighed by mass, that opens every overlap and closes no gap: min ½ ΔᵀMΔ subject to gap + NᵀΔ ≥ 0.
//! This is the contact problem again, with displacements for velocities; velocities are not touched.

use crate::contact_rows::{self, RowRules};
use crate::detection::Contact;
use crate::model::Model;
use crate::state::{BodyState, State};
use carom_contact::{ContactProblem, Response, Workspace, resolve};
use glam::DVec2;

/// Memory of the projection.
#[derive(Debug, Clone, Default)]
pub(crate) struct Projection {
    problem: ContactProblem,
    workspace: Workspace,
    still: Vec<BodyState>,
}

impl Projection {
    /// Moves bodies apart by one linear solve over the contacts at hand.
    pub(crate) fn separate(
        &mut self,
        model: &Model,
        state: &mut State,
        contacts: &[Contact],
        response: &Response,
    ) {
        self.still.clear();
        self.still.resize(model.bodies.len(), BodyState::default());
        let rules = RowRules {
            restitution: 0.0,
            friction: 0.0,
            fixed_bodies_move: false,
            gaps: contact_rows::Gaps::Demand,
        };
        contact_rows::fill(&mut self.problem, model, &self.still, contacts, &rules);
        // Each separation starts afresh, so that only the memory of velocities needs saving.
        self.workspace.restore_memory(&[]);
        let resolution = resolve(&self.problem, response, &mut self.workspace);
        let displacements = resolution.velocity.chunks_exact(3);
        for ((body, moved), displacement) in model.bodies.iter().zip(&mut state.bodies).zip(displacements) {
            if body.motion.is_free() {
                moved.position += DVec2::new(displacement[0], displacement[1]);
                moved.angle += displacement[2];
            }
        }
    }
}

/// Whether an overlap is deeper than a part of the smaller body's extent.
pub(crate) fn overlaps_beyond(contacts: &[Contact], part: f64) -> bool {
    contacts.iter().any(|contact| -contact.gap > part * contact.extent)
}
