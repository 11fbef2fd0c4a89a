//! Moving bodies that overlap apart.
//!
//! The least displacement Δ, weighed by mass, that opens every overlap and closes no gap: min ½ ΔᵀMΔ subject to gap + NᵀΔ ≥ 0.
//! This is the contact problem again, with displacements for velocities; velocities are not touched.
//!
//! It is linear and turning is not, so an exact answer is not an exact place. Large groups, in which something overlaps a little in almost every
//! step, are therefore only relaxed: sweeps of Gauss and Seidel's method over the contacts (Cottle, Pang and Stone, "The linear
//! complementarity problem", 1992, section 5.2), whose cost is linear. What they leave is seen in the next step.

use crate::contact_rows::{self, Gaps, Mobility, RowRules};
use crate::detection::Contact;
use crate::model::Model;
use crate::orientation::exponential;
use crate::state::BodyState;
use carom_contact::islands::Islands;
use carom_contact::{ContactProblem, Response, Workspace, resolve};
use glam::DVec3;

/// Memory of the projection.
#[derive(Debug, Clone, Default)]
pub(crate) struct Projection {
    problem: ContactProblem,
    mobility: Mobility,
    workspace: Workspace,
    displacement: Vec<f64>,
    islands: Islands,
    in_small: Vec<Contact>,
    in_large: Vec<Contact>,
    pushes: Vec<Push>,
    /// The last sweep that moved each body.
    moved: Vec<u32>,
}

/// What relaxing knows of a contact.
#[derive(Debug, Clone, Copy)]
struct Push {
    bodies: [u32; 2],
    stiffness: f64,
    impulse: f64,
}

/// Groups up to this many contacts are solved, larger ones relaxed.
const SOLVED_TO: usize = 500;
/// Sweeps over the contacts in one separation.
const SWEEPS: u32 = 40;
/// Sweeps end when what is left is this part of the deepest overlap.
const LEFT: f64 = 1e-3;
/// Gaps beyond this many times the deepest overlap are left out of sweeps: what little moves does not close them.
const NEAR: f64 = 4.0;

impl Projection {
    /// Moves bodies apart by one linear solve over the contacts at hand. Angular velocities stay: angular momentum turns with
    /// the body. True if a group was so large that it was relaxed.
    pub(crate) fn separate(&mut self, model: &Model, states: &mut [BodyState], contacts: &[Contact]) -> bool {
        let rules = RowRules { restitution: 0.0, friction: 0.0, gaps: Gaps::Demand, still: true };
        let bodies = (model, &*states);
        contact_rows::fill(&mut self.problem, &mut self.mobility, bodies, contacts, &rules);
        let relaxes = contacts.len() > SOLVED_TO && self.sort_by_group(contacts);
        if relaxes {
            contact_rows::fill(&mut self.problem, &mut self.mobility, bodies, &self.in_small, &rules);
        }
        // Each separation starts afresh, so that only the memory of velocities needs saving.
        self.workspace.restore_memory(&[]);
        let resolution = resolve(&self.problem, &Response::VELOCITY_PROJECTION, &mut self.workspace);
        self.displacement.clone_from(&resolution.velocity);
        if relaxes {
            contact_rows::fill(&mut self.problem, &mut self.mobility, bodies, &self.in_large, &rules);
            self.relax();
        }
        let displacements = self.displacement.chunks_exact(6);
        for ((body, moved), displacement) in model.bodies.iter().zip(states).zip(displacements) {
            if body.motion.is_free() && displacement.iter().any(|x| *x != 0.0) {
                moved.position += DVec3::from_slice(displacement);
                let turn = exponential(DVec3::from_slice(&displacement[3..]));
                moved.orientation = moved.orientation.turned_by(turn).mended().0;
                moved.angular_momentum = turn * moved.angular_momentum;
            }
        }
        relaxes
    }

    /// Tells contacts of small groups from those of large ones; true if there are large ones.
    fn sort_by_group(&mut self, contacts: &[Contact]) -> bool {
        self.islands.find(&self.problem);
        self.in_small.clear();
        self.in_large.clear();
        let deepest = contacts.iter().fold(0.0f64, |deepest, contact| deepest.max(-contact.gap));
        for island in 0..self.islands.len() {
            let members = self.islands.contacts(island);
            let of_island = members.iter().map(|&k| contacts[k as usize]);
            if members.len() <= SOLVED_TO {
                self.in_small.extend(of_island);
            } else {
                self.in_large.extend(of_island.filter(|contact| contact.gap <= NEAR * deepest));
            }
        }
        !self.in_large.is_empty()
    }

    /// Sweeps forth and back over the contacts of large groups, each pushed until it is open. A contact whose bodies stayed where they were when it
    /// was last looked at is passed over.
    fn relax(&mut self) {
        let rows = self.problem.contacts();
        self.moved.clear();
        self.moved.resize(self.problem.dof_count() / 6, 0);
        self.pushes.clear();
        self.pushes.extend(rows.iter().zip(&self.in_large).map(|(row, contact)| Push {
            bodies: [contact.first.0, contact.second.0],
            stiffness: row.normal.coupling(&row.normal),
            impulse: 0.0,
        }));
        let mut deepest = 0.0f64;
        for sweep in 1..=SWEEPS {
            let mut worst = 0.0f64;
            for turn in 0..rows.len() {
                let k = if sweep % 2 == 1 { turn } else { rows.len() - 1 - turn };
                let push = &mut self.pushes[k];
                let stays = push.bodies.iter().all(|&body| self.moved[body as usize] + 1 < sweep);
                if push.stiffness <= 0.0 || sweep > 1 && stays {
                    continue;
                }
                let gap = rows[k].gap_speed(&self.displacement) + rows[k].allowance;
                worst = worst.max(-gap);
                let impulse = (push.impulse - gap / push.stiffness).max(0.0);
                if impulse != push.impulse {
                    rows[k].normal.apply_impulse(&mut self.displacement, impulse - push.impulse);
                    push.impulse = impulse;
                    push.bodies.iter().for_each(|&body| self.moved[body as usize] = sweep);
                }
            }
            deepest = deepest.max(worst);
            if worst <= LEFT * deepest {
                break;
            }
        }
    }
}

/// Whether an overlap is deeper than a part of the smaller body's extent.
pub(crate) fn overlaps_beyond(contacts: &[Contact], part: f64) -> bool {
    contacts.iter().any(|contact| -contact.gap > part * contact.extent)
}
