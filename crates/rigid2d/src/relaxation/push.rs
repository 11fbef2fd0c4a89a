//! A contact as relaxation sees it: what it takes to open it, in one line of the cache.

use crate::detection::PlanarContact;
use crate::model::{Body, Shape};
use crate::rotation::cross;
use glam::DVec2;

/// How far a body was moved, and how easily it moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moved {
    pub(super) by: DVec2,
    pub(super) turned: f64,
    pub(super) inverse_mass: f64,
    pub(super) inverse_inertia: f64,
}

impl Moved {
    /// A body that was not moved yet. A disc is pushed through its centre: it does not turn, which
    /// rounding would make it do.
    pub(super) fn nowhere(body: &Body) -> Self {
        let is_disc = matches!(body.shape, Shape::Disc { .. });
        Self {
            by: DVec2::ZERO,
            turned: 0.0,
            inverse_mass: body.inverse_mass(),
            inverse_inertia: if is_disc { 0.0 } else { body.inverse_inertia() },
        }
    }
}

/// A contact that may be pushed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Push {
    pub(super) bodies: [u32; 2],
    normal: DVec2,
    /// How the gap opens when each of the bodies turns.
    turns: [f64; 2],
    effective_mass: f64,
    /// How far the gap is from its goal.
    gap: f64,
    impulse: f64,
}

impl Push {
    /// Pushes nothing.
    pub(super) const NONE: Self = Self {
        bodies: [0; 2],
        normal: DVec2::ZERO,
        turns: [0.0; 2],
        effective_mass: 0.0,
        gap: 0.0,
        impulse: 0.0,
    };

    /// Of a contact that is to be opened until it overlaps by the goal.
    pub(super) fn of(contact: &PlanarContact, bodies: &[Moved], goal: f64, lift: DVec2) -> Self {
        let normal = contact.normal;
        let mut push = Self {
            bodies: [contact.first.0, contact.second.0],
            normal,
            turns: [-cross(contact.first_arm, normal), cross(contact.second_arm, normal)],
            gap: contact.gap + goal,
            ..Self::NONE
        };
        let mut inverse_effective_mass = 0.0;
        for (share, (&body, turn)) in push.shares(lift).into_iter().zip(push.bodies.iter().zip(push.turns)) {
            let body = &bodies[body as usize];
            inverse_effective_mass +=
                share * (body.inverse_mass * normal.length_squared() + body.inverse_inertia * turn * turn);
        }
        push.effective_mass = if inverse_effective_mass > 0.0 { 1.0 / inverse_effective_mass } else { 0.0 };
        push
    }

    /// How far each body goes, as a multiple of what its mass alone would tell.
    fn shares(&self, lift: DVec2) -> [f64; 2] {
        let more = lift.dot(self.normal);
        [1.0 - more, 1.0 + more]
    }

    fn gap(&self, bodies: &[Moved]) -> f64 {
        let [first, second] = self.bodies.map(|body| &bodies[body as usize]);
        let [turn_first, turn_second] = self.turns;
        self.gap
            + self.normal.dot(second.by - first.by)
            + (turn_first * first.turned + turn_second * second.turned)
    }

    /// Whether it can be opened and is deep.
    pub(super) fn is_deep(&self, bodies: &[Moved], deep: f64) -> bool {
        self.gap(bodies) < -deep && self.effective_mass > 0.0
    }

    /// Pushes until the gap is open, or as long as it was pushed before.
    pub(super) fn open(&mut self, bodies: &mut [Moved], lift: DVec2) {
        let impulse = (self.impulse - self.gap(bodies) * self.effective_mass).max(0.0);
        let change = impulse - self.impulse;
        if change != 0.0 {
            self.impulse = impulse;
            let [first, second] = self.shares(lift).map(|share| share * change);
            let pushed = &mut bodies[self.bodies[0] as usize];
            pushed.by -= first * pushed.inverse_mass * self.normal;
            pushed.turned += first * pushed.inverse_inertia * self.turns[0];
            let pushed = &mut bodies[self.bodies[1] as usize];
            pushed.by += second * pushed.inverse_mass * self.normal;
            pushed.turned += second * pushed.inverse_inertia * self.turns[1];
        }
    }
}
