//! Two trajectories side by side, without a scene: frames of the same step are compared.

use std::io::{Read, Seek};

use serde::Serialize;

use super::collisions::CollisionDifferences;
use super::{Difference, with_nearer_signs, worse};
use crate::error::TrajectoryError;
use crate::frame::{Family, Frame};
use crate::trajectory::Trajectory;

/// The largest difference of one quantity.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Largest {
    /// The name of the quantity.
    pub quantity: &'static str,
    /// How far it is off at most; NaN when it is a NaN anywhere.
    pub difference: f64,
    /// Where that is; nothing where nothing differs.
    pub place: Option<Difference>,
}

/// How two trajectories differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// Differences above this count.
    pub tolerance: f64,
    /// Frames that both have, by their step.
    pub frames: u64,
    /// Frames that only the first has.
    pub only_expected: u64,
    /// Frames that only the second has.
    pub only_got: u64,
    /// Whether all states of common frames are equal bit for bit.
    pub identical: bool,
    /// The largest difference of each quantity.
    pub largest: Vec<Largest>,
    /// The first number beyond the tolerance.
    pub first: Option<Difference>,
    /// Differences of contacts, where both files have contacts.
    pub collisions: Option<CollisionDifferences>,
    #[serde(skip)]
    family: Family,
    #[serde(skip)]
    compares_quantities: bool,
    #[serde(skip)]
    compares_penetration: bool,
}

const PARTICLE_NAMES: [&str; 4] = ["x", "y", "vx", "vy"];
const SPATIAL_NAMES: [&str; 13] =
    ["x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "omegax", "omegay", "omegaz"];
const RIGID_NAMES: [&str; 6] = ["x", "y", "theta", "vx", "vy", "omega"];

impl Comparison {
    /// Nothing compared yet; energies and momenta are, contacts and penetration are not.
    pub fn new(family: Family, tolerance: f64) -> Comparison {
        Comparison {
            tolerance,
            frames: 0,
            only_expected: 0,
            only_got: 0,
            identical: true,
            largest: Vec::new(),
            first: None,
            collisions: None,
            family,
            compares_quantities: true,
            compares_penetration: false,
        }
    }

    /// The same, but of positions and velocities alone.
    pub fn of_states(mut self) -> Comparison {
        self.compares_quantities = false;
        self
    }

    /// Compares two frames of the same step.
    pub fn add(&mut self, expected: &Frame, got: &Frame) {
        self.frames += 1;
        let frame = expected.step;
        let names: (&[_], &[_]) = match self.family {
            Family::Particles => PARTICLE_NAMES.split_at(2),
            Family::RigidBodies => RIGID_NAMES.split_at(3),
            Family::SpatialBodies => SPATIAL_NAMES.split_at(7),
        };
        let near = with_nearer_signs(self.family, &expected.positions, &got.positions);
        self.identical &= matches!(near, std::borrow::Cow::Borrowed(_));
        self.add_numbers(frame, (names.0, true), &expected.positions, &near);
        self.add_numbers(frame, (names.1, true), &expected.velocities, &got.velocities);
        let (e, g) = (&expected.quantities, &got.quantities);
        if self.compares_quantities {
            let names = (&["kinetic", "potential"][..], false);
            self.add_numbers(frame, names, &[e.kinetic, e.potential], &[g.kinetic, g.potential]);
            self.add_numbers(frame, (&["momentum"], false), &e.momentum, &g.momentum);
            let angular = (&["angular momentum"][..], false);
            self.add_numbers(frame, angular, &e.angular_momentum, &g.angular_momentum);
        }
        if self.compares_penetration {
            let depths = (&[e.deepest_penetration], &[g.deepest_penetration]);
            self.add_numbers(frame, (&["deepest penetration"], false), depths.0, depths.1);
        }
        if let Some(collisions) = &mut self.collisions {
            collisions.add(frame, &expected.contacts, &got.contacts);
        }
    }

    /// Whether both have the same frames and nothing is beyond the tolerance. Contacts are
    /// reported, not judged.
    pub fn passes(&self) -> bool {
        self.only_expected == 0 && self.only_got == 0 && self.first.is_none()
    }

    /// Compares lists in which the names come round again and again, once for each body when
    /// `bodies`.
    fn add_numbers(
        &mut self,
        frame: u64,
        (names, bodies): (&[&'static str], bool),
        expected: &[f64],
        got: &[f64],
    ) {
        if expected.len() != got.len() {
            let (expected, got) = (expected.len() as f64, got.len() as f64);
            let difference = (expected - got).abs();
            let quantity = "number of coordinates";
            self.identical = false;
            self.note(Difference { frame, body: None, quantity, expected, got, difference }, true);
            return;
        }
        for (k, (&expected, &got)) in expected.iter().zip(got).enumerate() {
            let quantity = names[k % names.len()];
            let body = bodies.then_some((k / names.len()) as u64);
            self.identical &= !bodies || expected.to_bits() == got.to_bits();
            // Equal infinities have no difference.
            let difference = if expected == got { 0.0 } else { (expected - got).abs() };
            let far = difference.is_nan() || difference > self.tolerance;
            self.note(Difference { frame, body, quantity, expected, got, difference }, far);
        }
    }

    fn note(&mut self, difference: Difference, far: bool) {
        if far && self.first.is_none() {
            self.first = Some(difference.clone());
        }
        let quantity = difference.quantity;
        let index = self.largest.iter().position(|entry| entry.quantity == quantity).unwrap_or_else(|| {
            self.largest.push(Largest { quantity, difference: 0.0, place: None });
            self.largest.len() - 1
        });
        let entry = &mut self.largest[index];
        let off = difference.difference;
        if !entry.difference.is_nan() && (off.is_nan() || off > entry.difference) {
            entry.difference = worse(entry.difference, off);
            entry.place = Some(difference);
        }
    }
}

/// Compares two trajectories, frame by frame of the same step, with the memory of one frame of
/// each.
pub fn compare_trajectories<A: Read + Seek, B: Read + Seek>(
    expected: &mut Trajectory<A>,
    got: &mut Trajectory<B>,
    tolerance: f64,
) -> Result<Comparison, TrajectoryError> {
    let mut comparison = Comparison::new(expected.family(), tolerance);
    comparison.compares_quantities = expected.has_quantities() && got.has_quantities();
    comparison.compares_penetration = expected.header().is_some() && got.header().is_some();
    let contacts = expected.has_contacts() && got.has_contacts();
    comparison.collisions = contacts.then(CollisionDifferences::default);
    let (mut wanted, mut found) = (expected.frames(), got.frames());
    let (mut a, mut b) = (wanted.next().transpose()?, found.next().transpose()?);
    loop {
        match (&a, &b) {
            (None, None) => return Ok(comparison),
            (Some(e), Some(g)) if e.step == g.step => {
                comparison.add(e, g);
                a = wanted.next().transpose()?;
                b = found.next().transpose()?;
            }
            (Some(e), other) if other.as_ref().is_none_or(|g| e.step < g.step) => {
                comparison.only_expected += 1;
                a = wanted.next().transpose()?;
            }
            _ => {
                comparison.only_got += 1;
                b = found.next().transpose()?;
            }
        }
    }
}
