//! Moving bodies that overlap apart.
//!
//! The least displacement Δ, weighed by mass, that opens every overlap and closes no gap: min ½ ΔᵀMΔ subject to gap + NᵀΔ ≥ 0.
//! This is the contact problem again, with displacements for velocities; velocities are not touched.
//!
//! Bodies deep inside each other have contacts that contradict each other, or nearly so, and the least displacement that opens them all may lead
//! anywhere. No body is moved by more than half its extent at once: where one would be, its whole group goes that part of the way, which
//! opens every overlap by that part.
//!
//! It is linear and turning is not, so an exact answer is not an exact place. Large groups, in which something overlaps a little in almost every
//! step, are therefore only relaxed: sweeps of Gauss and Seidel's method over the contacts (Cottle, Pang and Stone, "The linear
//! complementarity problem", 1992, section 5.2), whose cost is linear. What they leave is seen in the next step.

use crate::contact_rows::{self, Gaps, Mobility, RowRules};
use crate::detection::Contact;
use crate::model::{BodyIndex, Model};
use crate::orientation::exponential;
use crate::state::BodyState;
use carom_contact::direction::MAX_ENTRIES;
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
    /// Which part of its displacement each group goes.
    shares: Vec<f64>,
    islands: Islands,
    /// Up to which gap a contact counts: without end in a group that is solved, not at all in one without overlap.
    reach: Vec<Option<f64>>,
    in_small: Vec<Contact>,
    in_large: Vec<Contact>,
    pushes: Vec<Push>,
    /// The last sweep that moved each body.
    moved: Vec<u32>,
    /// Products so far, about.
    pub(crate) operations: u64,
}

/// What relaxing knows of a contact.
#[derive(Debug, Clone, Copy)]
struct Push {
    bodies: [u32; 2],
    stiffness: f64,
    impulse: f64,
}

/// How a separation went.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Separated {
    /// A group was so large that it was relaxed.
    pub(crate) relaxed: bool,
    /// No group had to stop on its way.
    pub(crate) all_the_way: bool,
}

/// No body is moved further at once than this part of its extent.
const LONGEST_WAY: f64 = 0.5;
/// Groups up to this many contacts are solved, larger ones relaxed.
const SOLVED_TO: usize = 500;
/// Sweeps over the contacts in one separation.
const SWEEPS: u32 = 40;
/// Sweeps end when what is left is this part of the deepest overlap.
const LEFT: f64 = 1e-3;
/// The same where every step leaves a little.
const FEW_SWEEPS: u32 = 8;
const MUCH_LEFT: f64 = 0.1;
/// Gaps beyond this many times the deepest overlap are left out of sweeps: what little moves does not close them.
const NEAR: f64 = 4.0;

impl Projection {
    /// Moves bodies apart by one linear solve over the contacts at hand, in groups in which something overlaps by more than a part of the smaller body's
    /// extent. Angular velocities stay: angular momentum turns with the body.
    pub(crate) fn separate(
        &mut self,
        (model, states): (&Model, &mut [BodyState]),
        contacts: &[Contact],
        beyond: f64,
    ) -> Separated {
        let rules = RowRules { restitution: 0.0, friction: 0.0, gaps: Gaps::Demand, still: true };
        let bodies = (model, &*states);
        contact_rows::fill(&mut self.problem, &mut self.mobility, bodies, contacts, &rules);
        self.sort_by_group(contacts, beyond);
        let relaxed = !self.in_large.is_empty();
        if self.in_small.len() < contacts.len() {
            contact_rows::fill(&mut self.problem, &mut self.mobility, bodies, &self.in_small, &rules);
        }
        // Each separation starts afresh, so that only the memory of velocities needs saving.
        self.workspace.restore_memory(&[]);
        let resolution = resolve(&self.problem, &Response::VELOCITY_PROJECTION, &mut self.workspace);
        self.displacement.clone_from(&resolution.velocity);
        self.operations += resolution.operations;
        if relaxed {
            contact_rows::fill(&mut self.problem, &mut self.mobility, bodies, &self.in_large, &rules);
            self.relax(SWEEPS, LEFT);
        }
        let all_the_way = self.shorten(model);
        self.displace(model, states);
        Separated { relaxed, all_the_way }
    }

    /// Shortens the displacements of groups in which a body would move too far; true if there are none. The groups are those of all contacts.
    fn shorten(&mut self, model: &Model) -> bool {
        self.shares.clear();
        self.shares.resize(self.islands.len(), 1.0);
        let group_of = |index: usize| self.islands.island_of_dof(6 * index as u32);
        for (index, (body, displacement)) in
            model.bodies.iter().zip(self.displacement.chunks_exact(6)).enumerate()
        {
            let (Some(group), true) = (group_of(index), body.motion.is_free()) else { continue };
            let (extent, turn) = (body.shape.extent(), DVec3::from_slice(&displacement[3..]));
            let way = DVec3::from_slice(displacement).length() + turn.length() * extent;
            if way > LONGEST_WAY * extent {
                self.shares[group] = self.shares[group].min(LONGEST_WAY * extent / way);
            }
        }
        if self.shares.iter().all(|&share| share == 1.0) {
            return true;
        }
        for (index, displacement) in self.displacement.chunks_exact_mut(6).enumerate() {
            let share = group_of(index).map_or(1.0, |group| self.shares[group]);
            displacement.iter_mut().for_each(|x| *x *= share);
        }
        false
    }

    /// Where contacts are solved to a tolerance only, every step leaves a little overlap somewhere: what is deeper than `depth`, a length, is relaxed whatever
    /// the size of its group, to half of that. The gaps of the contacts follow.
    pub(crate) fn relax_within(
        &mut self,
        (model, states): (&Model, &mut [BodyState]),
        contacts: &mut [Contact],
        depth: f64,
    ) {
        let rules = RowRules { restitution: 0.0, friction: 0.0, gaps: Gaps::Demand, still: true };
        let deepest = contacts.iter().fold(0.0f64, |deepest, contact| deepest.max(-contact.gap));
        let harmless = |contact: &Contact| Contact { gap: contact.gap + 0.5 * depth, ..*contact };
        self.in_large.clear();
        self.in_large.extend(contacts.iter().filter(|contact| contact.gap < deepest).map(harmless));
        contact_rows::fill(&mut self.problem, &mut self.mobility, (model, &*states), &self.in_large, &rules);
        self.displacement.clear();
        self.displacement.resize(self.problem.dof_count(), 0.0);
        self.relax(FEW_SWEEPS, MUCH_LEFT);
        for contact in contacts {
            let moved = |body: BodyIndex| {
                let displacement = &self.displacement[6 * body.get()..];
                let turn = DVec3::from_slice(&displacement[3..]);
                let at_point = turn.cross(contact.point - states[body.get()].position);
                contact.normal.dot(DVec3::from_slice(displacement) + at_point)
            };
            contact.gap += moved(contact.second) - moved(contact.first);
        }
        self.displace(model, states);
    }

    fn displace(&self, model: &Model, states: &mut [BodyState]) {
        let displacements = self.displacement.chunks_exact(6);
        for ((body, moved), displacement) in model.bodies.iter().zip(states).zip(displacements) {
            if body.motion.is_free() && displacement.iter().any(|x| *x != 0.0) {
                moved.position += DVec3::from_slice(displacement);
                let turn = exponential(DVec3::from_slice(&displacement[3..]));
                moved.orientation = moved.orientation.turned_by(turn).mended().0;
                moved.angular_momentum = turn * moved.angular_momentum;
            }
        }
    }

    /// Tells contacts of small groups from those of large ones; groups in which nothing overlaps are left out.
    fn sort_by_group(&mut self, contacts: &[Contact], beyond: f64) {
        self.islands.find(&self.problem);
        self.reach.clear();
        self.reach.resize(contacts.len(), None);
        for island in 0..self.islands.len() {
            let members = self.islands.contacts(island);
            let of_island = || members.iter().map(|&k| &contacts[k as usize]);
            if of_island().any(|contact| overlaps(contact, beyond)) {
                let deepest = of_island().fold(0.0f64, |deepest, contact| deepest.max(-contact.gap));
                let reach = if members.len() <= SOLVED_TO { f64::INFINITY } else { NEAR * deepest };
                members.iter().for_each(|&k| self.reach[k as usize] = Some(reach));
            }
        }
        self.in_small.clear();
        self.in_large.clear();
        for (contact, reach) in contacts.iter().zip(&self.reach) {
            match *reach {
                Some(f64::INFINITY) => self.in_small.push(*contact),
                Some(reach) if contact.gap <= reach => self.in_large.push(*contact),
                _ => {}
            }
        }
    }

    /// Sweeps forth and back over the contacts of large groups, each pushed until it is open. A contact whose bodies stayed where they were when it
    /// was last looked at is passed over.
    fn relax(&mut self, sweeps: u32, left: f64) {
        let problem = &self.problem;
        let count = problem.contact_count();
        self.moved.clear();
        self.moved.resize(self.problem.dof_count() / 6, 0);
        self.pushes.clear();
        self.pushes.extend(self.in_large.iter().enumerate().map(|(k, contact)| Push {
            bodies: [contact.first.0, contact.second.0],
            stiffness: problem.normal(k).stiffness(),
            impulse: 0.0,
        }));
        let mut deepest = 0.0f64;
        for sweep in 1..=sweeps {
            let mut worst = 0.0f64;
            for turn in 0..count {
                let k = if sweep % 2 == 1 { turn } else { count - 1 - turn };
                let push = &mut self.pushes[k];
                let stays = push.bodies.iter().all(|&body| self.moved[body as usize] + 1 < sweep);
                if push.stiffness <= 0.0 || sweep > 1 && stays {
                    continue;
                }
                let gap = problem.gap_speed(k, &self.displacement) + problem.allowance(k);
                worst = worst.max(-gap);
                self.operations += MAX_ENTRIES as u64;
                let impulse = (push.impulse - gap / push.stiffness).max(0.0);
                if impulse != push.impulse {
                    problem.normal(k).apply_impulse(&mut self.displacement, impulse - push.impulse);
                    push.impulse = impulse;
                    push.bodies.iter().for_each(|&body| self.moved[body as usize] = sweep);
                }
            }
            deepest = deepest.max(worst);
            if worst <= left * deepest {
                break;
            }
        }
    }
}

/// Whether an overlap is deeper than a part of the smaller body's extent.
pub(crate) fn overlaps_beyond(contacts: &[Contact], part: f64) -> bool {
    deepest(contacts) > part
}

/// The deepest overlap, as a part of the smaller body's extent.
pub(crate) fn deepest(contacts: &[Contact]) -> f64 {
    contacts.iter().fold(0.0, |deepest: f64, contact| deepest.max(-contact.gap / contact.extent))
}

fn overlaps(contact: &Contact, part: f64) -> bool {
    -contact.gap > part * contact.extent
}
