//! Moving bodies that overlap apart.
//!
//! The least displacement Δ, weighed by mass, that opens every overlap and closes no gap: min ½ ΔᵀMΔ subject to gap + NᵀΔ ≥ 0.
//! This is the contact problem again, with displacements for velocities; velocities are not touched.
//!
//! Bodies deep inside each other have contacts that contradict each other, or nearly so, and the least displacement that opens them all may lead
//! anywhere. No body is moved by more than half its extent at once: where one would be, its whole group goes that part of the way, which
//! opens every overlap by that part.
//!
//! Where contacts are solved to a tolerance only, every step leaves a little overlap somewhere, and is not worth a solve: it is relaxed by sweeps of Gauss and
//! Seidel's method (Cottle, Pang and Stone, "The linear complementarity problem", 1992, section 5.2), and what they leave is seen in the next step.

use crate::contact_rows::{self, RowRules};
use crate::detection::Contact;
use crate::model::{BodyIndex, Model, Shape};
use crate::rotation::cross;
use crate::state::{BodyState, State};
use carom_contact::{ContactProblem, Response, Workspace, resolve};
use glam::DVec2;

/// Memory of the projection.
#[derive(Debug, Clone, Default)]
pub(crate) struct Projection {
    problem: ContactProblem,
    workspace: Workspace,
    still: Vec<BodyState>,
    displacement: Vec<Motion3>,
    /// Which part of its displacement each group goes.
    shares: Vec<f64>,
    pushes: Vec<Push>,
}

/// Displacement of a body: x, y and angle.
type Motion3 = [f64; 3];

/// What relaxing knows of a contact: the two bodies, how the gap changes with their displacements, and how a unit push displaces them.
#[derive(Debug, Clone, Copy)]
struct Push {
    bodies: [u32; 2],
    eta: [Motion3; 2],
    scaled: [Motion3; 2],
    inverse_stiffness: f64,
    /// How far the gap is from what is harmless.
    gap: f64,
    impulse: f64,
}

/// No body is moved further at once than this part of its extent.
const LONGEST_WAY: f64 = 0.5;
/// Sweeps, forth and back by turns, in one relaxation.
const SWEEPS: usize = 8;
/// Sweeps end when what is left is this part of the deepest overlap.
const LEFT: f64 = 0.1;
/// A relaxation leaves overlaps that are this part of what is harmless.
const GOAL: f64 = 0.5;

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

impl Projection {
    /// Moves bodies apart by a few sweeps over the contacts that overlap or nearly do, until what is left of the deepest overlap is harmless: `depth`. Both
    /// are lengths. The gaps of the contacts follow.
    pub(crate) fn relax(
        &mut self,
        model: &Model,
        state: &mut State,
        contacts: &mut [Contact],
        (deepest, depth): (f64, f64),
    ) {
        self.pushes.clear();
        let near = contacts.iter().filter(|contact| contact.gap < deepest);
        self.pushes.extend(near.filter_map(|contact| push_of(model, contact, GOAL * depth)));
        self.displacement.clear();
        self.displacement.resize(model.bodies.len(), [0.0; 3]);
        let mut worst = deepest;
        for sweep in 0..SWEEPS {
            if worst <= LEFT * deepest {
                break;
            }
            worst = 0.0;
            let moved = &mut self.displacement;
            if sweep % 2 == 0 {
                self.pushes.iter_mut().for_each(|push| worst = worst.max(push.open(moved)));
            } else {
                self.pushes.iter_mut().rev().for_each(|push| worst = worst.max(push.open(moved)));
            }
        }
        for (moved, displacement) in state.bodies.iter_mut().zip(&self.displacement) {
            moved.position += DVec2::new(displacement[0], displacement[1]);
            moved.angle += displacement[2];
        }
        for contact in contacts {
            let along = |body: BodyIndex, arm: DVec2| {
                let [x, y, turn] = self.displacement[body.get()];
                contact.normal.dot(DVec2::new(x, y)) + turn * cross(arm, contact.normal)
            };
            contact.gap +=
                along(contact.second, contact.second_arm) - along(contact.first, contact.first_arm);
        }
    }
}

impl Push {
    /// Pushes until the gap is open, or as long as it was pushed before. Returns how deep it was.
    fn open(&mut self, displacement: &mut [Motion3]) -> f64 {
        let mut gap = self.gap;
        for (&body, eta) in self.bodies.iter().zip(&self.eta) {
            let moved = &displacement[body as usize];
            gap += eta[0] * moved[0] + eta[1] * moved[1] + eta[2] * moved[2];
        }
        let impulse = (self.impulse - gap * self.inverse_stiffness).max(0.0);
        let change = impulse - self.impulse;
        if change != 0.0 {
            self.impulse = impulse;
            for (&body, scaled) in self.bodies.iter().zip(&self.scaled) {
                let moved = &mut displacement[body as usize];
                moved.iter_mut().zip(scaled).for_each(|(moved, scaled)| *moved += change * scaled);
            }
        }
        -gap
    }
}

/// The push of a contact; none where nothing can move.
fn push_of(model: &Model, contact: &Contact, depth: f64) -> Option<Push> {
    let side = |index: BodyIndex, arm: DVec2, sign: f64| {
        let body = &model.bodies[index.get()];
        let normal = sign * contact.normal;
        let turn = if matches!(body.shape, Shape::Disc { .. }) { 0.0 } else { cross(arm, normal) };
        let (mass, inertia) = (body.inverse_mass(), body.inverse_inertia());
        ([normal.x, normal.y, turn], [mass * normal.x, mass * normal.y, inertia * turn])
    };
    let (eta_first, scaled_first) = side(contact.first, contact.first_arm, -1.0);
    let (eta_second, scaled_second) = side(contact.second, contact.second_arm, 1.0);
    let product =
        |eta: &Motion3, scaled: &Motion3| eta[0] * scaled[0] + eta[1] * scaled[1] + eta[2] * scaled[2];
    let stiffness = product(&eta_first, &scaled_first) + product(&eta_second, &scaled_second);
    (stiffness > 0.0).then(|| Push {
        bodies: [contact.first.0, contact.second.0],
        eta: [eta_first, eta_second],
        scaled: [scaled_first, scaled_second],
        inverse_stiffness: 1.0 / stiffness,
        gap: contact.gap + depth,
        impulse: 0.0,
    })
}

/// The deepest overlaps of some contacts; 0 where nothing overlaps.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Depth {
    pub(crate) length: f64,
    /// As a part of the smaller body's extent.
    pub(crate) part: f64,
}

impl Depth {
    pub(crate) fn of(contacts: &[Contact]) -> Self {
        contacts.iter().fold(Self::default(), |deepest, contact| Self {
            length: deepest.length.max(-contact.gap),
            part: deepest.part.max(-contact.gap / contact.extent),
        })
    }
}
