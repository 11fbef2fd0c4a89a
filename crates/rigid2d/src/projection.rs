//! Moving bodies that overlap apart.
//!
//! The least displacement Δ, weighed by mass, that opens every overlap and closes no gap: min ½ ΔᵀMΔ subject to gap + NᵀΔ ≥ 0.
//! This is the contact problem again, with displacements for velocities; velocities are not touched.
//!
//! Bodies deep inside each other have contacts that contradict each other, or nearly so, and the least displacement that opens them all may lead
//! anywhere. No body is moved by more than half its extent at once: where one would be, its whole group goes that part of the way, which
//! opens every overlap by that part.
//!
//! What a tolerance leaves open is only relaxed: [`crate::relaxation`].

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
    /// Which part of its displacement each group goes.
    shares: Vec<f64>,
}

/// No body is moved further at once than this part of its extent.
const LONGEST_WAY: f64 = 0.5;

impl Projection {
    /// Moves bodies apart by one linear solve over the contacts at hand. False if some could only go a part of the way.
    pub(crate) fn separate(
        &mut self,
        model: &Model,
        state: &mut State,
        contacts: &[Contact],
        response: &Response,
    ) -> bool {
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
        resolve(&self.problem, response, &mut self.workspace);
        let went_all_the_way = self.choose_shares(model, response);
        let displacements = self.workspace.resolution().velocity.chunks_exact(3);
        for (index, (moved, displacement)) in state.bodies.iter_mut().zip(displacements).enumerate() {
            if model.bodies[index].motion.is_free() {
                let share = self.group_of(index).map_or(1.0, |group| self.shares[group]);
                moved.position += share * DVec2::new(displacement[0], displacement[1]);
                moved.angle += share * displacement[2];
            }
        }
        went_all_the_way
    }

    /// The part of its way that each group can go so that no body moves too far; true if that is all of it. Impulses, pair by pair,
    /// move no further than overlaps are deep.
    fn choose_shares(&mut self, model: &Model, response: &Response) -> bool {
        self.shares.clear();
        if matches!(response, Response::Impulses) {
            return true;
        }
        self.shares.resize(self.workspace.islands().len(), 1.0);
        let displacements = self.workspace.resolution().velocity.chunks_exact(3);
        for (index, (body, displacement)) in model.bodies.iter().zip(displacements).enumerate() {
            let (Some(group), true) = (self.group_of(index), body.motion.is_free()) else { continue };
            let extent = body.extent();
            let way = DVec2::new(displacement[0], displacement[1]).length() + displacement[2].abs() * extent;
            if way > LONGEST_WAY * extent {
                self.shares[group] = self.shares[group].min(LONGEST_WAY * extent / way);
            }
        }
        self.shares.iter().all(|&share| share == 1.0)
    }

    /// The group of a body, where there are groups and it touches something.
    fn group_of(&self, body: usize) -> Option<usize> {
        if self.shares.is_empty() { None } else { self.workspace.islands().island_of_dof(3 * body as u32) }
    }
}
