//! The contact problem: velocity before, mass, and an ordered list of contacts.

use crate::jacobian_row::{JacobianRow, RowStore, RowView};
use carom_numerics::qp::mass::BlockDiagonalMass;

/// Index of one degree of freedom in the vector of all velocities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dof(pub u32);

/// What a contact is called from step to step, for warm starts: for example the two bodies and the
/// two features that touch. Equal keys in one problem are allowed; only the largest impulse is then
/// remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContactKey(pub [u32; 4]);

impl ContactKey {
    /// No identity: such contacts are not remembered. The default.
    pub const NONE: ContactKey = ContactKey([u32::MAX; 4]);

    /// The first two numbers: the bodies.
    pub(crate) fn pair(&self) -> [u32; 2] {
        [self.0[0], self.0[1]]
    }
}

impl Default for ContactKey {
    fn default() -> Self {
        ContactKey::NONE
    }
}

/// One place where two things touch, as it is added to a problem.
///
/// The gap speed of the contact is ηᵀv + [`kinematic_speed`](ContactRow::kinematic_speed).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRow {
    /// The direction in which the gap opens.
    pub normal: JacobianRow,
    /// Coefficient of restitution e, from 0 (stick) to 1 (bounce).
    pub restitution: f64,
    /// Coulomb friction coefficient μ ≥ 0; used with the contact's tangents.
    pub friction: f64,
    /// Part of the gap speed that does not come from the velocity vector: the normal speed of a
    /// kinematic obstacle, positive when the obstacle withdraws. A fixed body may be written either
    /// as entries with M⁻¹η = 0 whose velocity stands in the velocity vector, or be left out with
    /// its speed given here. To treat it as at rest (the course's `velocity-projection` and
    /// `gr-*`), leave it out and give 0.
    pub kinematic_speed: f64,
    /// Approach speed that is still harmless because the gap is open: gap/Δt, at least 0. The
    /// inelastic responses demand gap speed + speculative_bias ≥ 0; restitution and Generalized
    /// Reflection act only on closed contacts (speculative_bias 0) and leave open ones alone.
    pub speculative_bias: f64,
    /// Identity from step to step.
    pub key: ContactKey,
    /// Where it is: a contact whose name is new is known by its place among those of its pair.
    pub point: [f64; 3],
}

impl ContactRow {
    /// A frictionless, inelastic, closed contact.
    pub fn new(normal: JacobianRow) -> ContactRow {
        ContactRow {
            normal,
            restitution: 0.0,
            friction: 0.0,
            kinematic_speed: 0.0,
            speculative_bias: 0.0,
            key: ContactKey::default(),
            point: [0.0; 3],
        }
    }

    /// Gap speed ηᵀv + prescribed speed; negative = approaching.
    pub fn gap_speed(&self, velocity: &[f64]) -> f64 {
        self.normal.line().gap_speed(velocity) + self.kinematic_speed
    }
}

/// What a problem keeps of a contact beside its directions; see [`ContactRow`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContactParameters {
    pub(crate) restitution: f64,
    pub(crate) friction: f64,
    pub(crate) kinematic_speed: f64,
    pub(crate) speculative_bias: f64,
    pub(crate) key: ContactKey,
    pub(crate) point: [f64; 3],
}

impl ContactParameters {
    fn is_valid(&self) -> bool {
        (0.0..=1.0).contains(&self.restitution)
            && self.friction >= 0.0
            && self.friction.is_finite()
            && self.kinematic_speed.is_finite()
            && self.speculative_bias >= 0.0
            && self.speculative_bias.is_finite()
    }
}

/// Everything a response needs to know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactProblem {
    /// Velocity before the impact, all degrees of freedom.
    pub velocity: Vec<f64>,
    /// The mass matrix; an infinite diagonal entry marks a degree of freedom that cannot move.
    pub mass: BlockDiagonalMass,
    /// The first degree of freedom of the body that each one belongs to.
    body: Vec<u32>,
    /// Where the body being written begins.
    begun: u32,
    parameters: Vec<ContactParameters>,
    normals: RowStore,
    tangents: RowStore,
    /// Where each contact's tangents end in `tangents`.
    tangent_end: Vec<u32>,
}

impl ContactProblem {
    /// A problem without degrees of freedom or contacts.
    pub fn new() -> ContactProblem {
        ContactProblem::default()
    }

    /// Forgets contents, keeps memory: for the next step.
    pub fn clear(&mut self) {
        self.velocity.clear();
        self.mass.clear();
        self.body.clear();
        self.begun = 0;
        self.clear_contacts();
    }

    /// Forgets the contacts only.
    pub fn clear_contacts(&mut self) {
        self.parameters.clear();
        self.normals.clear();
        self.tangents.clear();
        self.tangent_end.clear();
    }

    /// Adds a degree of freedom; `mass` is infinite for one that cannot move.
    pub fn push_dof(&mut self, velocity: f64, mass: f64) -> Dof {
        let dof = Dof(self.velocity.len() as u32);
        self.velocity.push(velocity);
        self.mass.diagonal.push(mass);
        self.body.push(dof.0);
        dof
    }

    /// Makes one body of the degrees of freedom since the last one. Without it each is a body of
    /// its own; solvers are faster when they know who moves together.
    pub fn end_body(&mut self) {
        let first = self.begun;
        self.body[first as usize..].fill(first);
        self.begun = self.body.len() as u32;
    }

    /// The first degree of freedom of the body that this one belongs to.
    pub(crate) fn body(&self, dof: u32) -> u32 {
        self.body[dof as usize]
    }

    /// Adds a contact with its tangents: none, one in 2D, two at right angles in 3D.
    #[inline]
    pub fn push_contact(&mut self, contact: ContactRow, tangents: &[JacobianRow]) {
        let ContactRow { normal, restitution, friction, kinematic_speed, speculative_bias, key, point } =
            contact;
        tangents.iter().for_each(|tangent| self.tangents.push(tangent));
        self.tangent_end.push(self.tangents.len() as u32);
        self.normals.push(&normal);
        self.parameters.push(ContactParameters {
            restitution,
            friction,
            kinematic_speed,
            speculative_bias,
            key,
            point,
        });
    }

    /// Sets how much of the approach of contact `k` is harmless (speculative bias, gap/Δt);
    /// negative where the gap must open.
    pub fn set_bias(&mut self, k: usize, bias: f64) {
        let parameters = &mut self.parameters[k];
        parameters.speculative_bias = bias.max(0.0);
        parameters.kinematic_speed = bias.min(0.0);
    }

    /// Gives all contacts a restitution, and where it is named a coefficient of friction.
    pub fn set_materials(&mut self, restitution: f64, friction: Option<f64>) {
        for parameters in &mut self.parameters {
            parameters.restitution = restitution;
            parameters.friction = friction.unwrap_or(parameters.friction);
        }
    }

    /// Number of contacts.
    pub fn contact_count(&self) -> usize {
        self.parameters.len()
    }

    /// A copy of contact `k`.
    pub fn contact(&self, k: usize) -> ContactRow {
        let ContactParameters { restitution, friction, kinematic_speed, speculative_bias, key, point } =
            self.parameters[k];
        let normal = self.normal(k).to_direction();
        ContactRow { normal, restitution, friction, kinematic_speed, speculative_bias, key, point }
    }

    /// Copies of the contacts, in the order they were added.
    pub fn contacts(&self) -> impl Iterator<Item = ContactRow> + '_ {
        (0..self.contact_count()).map(|k| self.contact(k))
    }

    /// The direction in which contact `k` opens.
    pub fn normal(&self, k: usize) -> RowView<'_> {
        self.normals.get(k)
    }

    pub(crate) fn parameters(&self, k: usize) -> &ContactParameters {
        &self.parameters[k]
    }

    /// Gap speed of contact `k`: ηᵀv + prescribed speed; negative = approaching.
    pub fn gap_speed(&self, k: usize, velocity: &[f64]) -> f64 {
        self.normal(k).gap_speed(velocity) + self.parameters[k].kinematic_speed
    }

    /// Approach of contact `k` that is still harmless; see [`ContactRow::speculative_bias`].
    pub fn speculative_bias(&self, k: usize) -> f64 {
        self.parameters[k].speculative_bias
    }

    /// Number of tangents of all contacts.
    pub fn tangent_count(&self) -> usize {
        self.tangents.len()
    }

    /// A tangent; see [`ContactProblem::tangent_range`].
    pub fn tangent(&self, t: usize) -> RowView<'_> {
        self.tangents.get(t)
    }

    /// The numbers of the tangents of contact `k`.
    pub fn tangent_range(&self, k: usize) -> std::ops::Range<usize> {
        let start = if k == 0 { 0 } else { self.tangent_end[k - 1] };
        start as usize..self.tangent_end[k] as usize
    }

    /// Number of degrees of freedom.
    pub fn dof_count(&self) -> usize {
        self.velocity.len()
    }

    /// True if the degree of freedom can move.
    pub fn is_movable(&self, dof: Dof) -> bool {
        self.mass.diagonal[dof.0 as usize].is_finite()
    }

    /// Velocity after normal impulses: v + M⁻¹Nλ, summed in contact order.
    pub fn velocity_after(&self, impulses: &[f64]) -> Vec<f64> {
        let mut velocity = self.velocity.clone();
        for (k, &impulse) in impulses.iter().enumerate().take(self.contact_count()) {
            self.normal(k).apply_impulse(&mut velocity, impulse);
        }
        velocity
    }

    /// True if all sizes fit and all numbers are finite and in range.
    pub fn is_valid(&self) -> bool {
        let n = self.dof_count();
        self.mass.is_valid()
            && self.mass.diagonal.len() == n
            && self.velocity.iter().all(|v| v.is_finite())
            && self.normals.are_valid(n)
            && self.tangents.are_valid(n)
            && self.parameters.iter().all(ContactParameters::is_valid)
    }
}
