//! The contact problem: velocity before, mass, and an ordered list of contacts.

use crate::direction::Direction;
use carom_numerics::qp::mass::BlockDiagonalMass;

/// Index of one degree of freedom in the vector of all velocities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dof(pub u32);

/// What a contact is called from step to step, for warm starts: for example the two bodies and the two
/// features that touch. Equal keys in one problem are allowed; only the largest impulse is then remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContactKey(pub [u32; 4]);

impl ContactKey {
    /// No identity: such contacts are not remembered. The default.
    pub const NONE: ContactKey = ContactKey([u32::MAX; 4]);
}

impl Default for ContactKey {
    fn default() -> Self {
        ContactKey::NONE
    }
}

/// One place where two things touch.
///
/// The gap speed of the contact is ηᵀv + [`prescribed_speed`](Contact::prescribed_speed).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The direction in which the gap opens.
    pub normal: Direction,
    /// Coefficient of restitution e, from 0 (stick) to 1 (bounce).
    pub restitution: f64,
    /// Coulomb friction coefficient μ ≥ 0; used with the contact's tangents.
    pub friction: f64,
    /// Part of the gap speed that does not come from the velocity vector: the normal speed of a scripted
    /// obstacle, positive when the obstacle withdraws. A fixed body may be written either as entries with
    /// M⁻¹η = 0 whose velocity stands in the velocity vector, or be left out with its speed given here.
    /// To treat it as at rest (the course's `velocity-projection` and `gr-*`), leave it out and give 0.
    pub prescribed_speed: f64,
    /// Approach speed that is still harmless because the gap is open: gap/Δt, at least 0. The inelastic
    /// responses demand gap speed + allowance ≥ 0; restitution and Generalized Reflection act only on closed
    /// contacts (allowance 0) and leave open ones alone.
    pub allowance: f64,
    /// Identity from step to step.
    pub key: ContactKey,
}

impl Contact {
    /// A frictionless, inelastic, closed contact.
    pub fn new(normal: Direction) -> Contact {
        Contact {
            normal,
            restitution: 0.0,
            friction: 0.0,
            prescribed_speed: 0.0,
            allowance: 0.0,
            key: ContactKey::default(),
        }
    }

    /// Gap speed ηᵀv + prescribed speed; negative = approaching.
    pub fn gap_speed(&self, velocity: &[f64]) -> f64 {
        self.normal.gap_speed(velocity) + self.prescribed_speed
    }
}

/// Everything a response needs to know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactProblem {
    /// Velocity before the impact, all degrees of freedom.
    pub velocity: Vec<f64>,
    /// The mass matrix; an infinite diagonal entry marks a degree of freedom that cannot move.
    pub mass: BlockDiagonalMass,
    contacts: Vec<Contact>,
    tangents: Vec<Direction>,
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
        self.clear_contacts();
    }

    /// Forgets the contacts only.
    pub fn clear_contacts(&mut self) {
        self.contacts.clear();
        self.tangents.clear();
        self.tangent_end.clear();
    }

    /// Adds a degree of freedom; `mass` is infinite for one that cannot move.
    pub fn push_dof(&mut self, velocity: f64, mass: f64) -> Dof {
        let dof = Dof(self.velocity.len() as u32);
        self.velocity.push(velocity);
        self.mass.diagonal.push(mass);
        dof
    }

    /// Adds a contact with its tangents: none, one in the plane, two at right angles in space.
    pub fn push_contact(&mut self, contact: Contact, tangents: &[Direction]) {
        self.tangents.extend_from_slice(tangents);
        self.tangent_end.push(self.tangents.len() as u32);
        self.contacts.push(contact);
    }

    /// The contacts, in the order they were added.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// All tangents, contact by contact; see [`ContactProblem::tangent_range`].
    pub fn tangents(&self) -> &[Direction] {
        &self.tangents
    }

    /// Where the tangents of contact `k` stand in [`ContactProblem::tangents`].
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

    /// The problem with only the contacts of the given indices, in the given order. Indices that are out
    /// of range are skipped.
    pub fn restricted_to(&self, subset: &[usize]) -> ContactProblem {
        let mut smaller =
            ContactProblem { velocity: self.velocity.clone(), mass: self.mass.clone(), ..Self::default() };
        for &k in subset.iter().filter(|&&k| k < self.contacts.len()) {
            smaller.push_contact(self.contacts[k], &self.tangents[self.tangent_range(k)]);
        }
        smaller
    }

    /// Velocity after normal impulses: v + M⁻¹Nλ, summed in contact order.
    pub fn velocity_after(&self, impulses: &[f64]) -> Vec<f64> {
        let mut velocity = self.velocity.clone();
        for (contact, &impulse) in self.contacts.iter().zip(impulses) {
            contact.normal.apply_impulse(&mut velocity, impulse);
        }
        velocity
    }

    /// True if all sizes fit and all numbers are finite and in range.
    pub fn is_valid(&self) -> bool {
        let n = self.dof_count();
        self.mass.is_valid()
            && self.mass.diagonal.len() == n
            && self.velocity.iter().all(|v| v.is_finite())
            && self.tangents.iter().all(|t| t.is_valid(n))
            && self.contacts.iter().all(|c| {
                c.normal.is_valid(n)
                    && (0.0..=1.0).contains(&c.restitution)
                    && c.friction >= 0.0
                    && c.friction.is_finite()
                    && c.prescribed_speed.is_finite()
                    && c.allowance >= 0.0
                    && c.allowance.is_finite()
            })
    }
}
