//! The limits of the course's grader, which differ between particles and rigid bodies.

use serde::Serialize;

use super::collisions::CollisionDifferences;
use super::{Difference, beyond, distance, most_different, with_nearer_signs, worse};
use crate::course::{BodyConstants, BodyQuantities, Polynomials};
use crate::frame::{Contact, Family, Frame};

/// Particles: limit of the distance of one particle in one step.
const PARTICLE_LARGEST: f64 = 1e-10;
/// Rigid bodies: limit of the distance of one body in one step, and of each mass, energy and
/// momentum.
const RIGID_LARGEST: f64 = 1e-8;
/// Both: limit of the sum over all steps.
const SUM: f64 = 1e-6;
/// Limit of the times of collisions within a step, which the course's grader does not look at:
/// roots of quintics.
const TIME_LARGEST: f64 = 1e-7;
const TIMES: &str = "times of collisions";
/// Limit of the coefficients of polynomials, relative to the largest of each or to 1; the course's
/// grader has about 1e-10, after rescaling.
const POLYNOMIAL_LARGEST: f64 = 1e-10;
/// A polynomial that is some times the expected one is right, as it is for the course's grader:
/// only its signs count. Factors this near to 1 are errors of a coefficient, not another scale.
const OTHER_SCALE: f64 = 1e-3;
/// Residual of [`Grader::add_polynomials`]: two lists of different lengths.
pub const POLYNOMIAL_COUNT: &str = "number of polynomials";
/// Residual of [`Grader::add_polynomials`]: two polynomials of different degrees.
pub const POLYNOMIAL_DEGREE: &str = "number of coefficients of a polynomial";
/// Residual of [`Grader::add_polynomials`]: coefficients that differ.
pub const POLYNOMIAL_COEFFICIENT: &str = "coefficient of a polynomial";

/// How far one quantity is off, over all frames.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Residual {
    /// The name of the quantity.
    pub quantity: &'static str,
    /// Sum over the steps: of the distance of each particle; of the 2-norm over all rigid bodies.
    pub sum: f64,
    /// What the sum must be below; nothing where only the largest counts.
    pub sum_limit: Option<f64>,
    /// Largest distance of one body in one step.
    pub largest: f64,
    /// What the largest must be below.
    pub largest_limit: f64,
}

impl Residual {
    fn new(quantity: &'static str, largest_limit: f64, sum_limit: Option<f64>) -> Residual {
        Residual { quantity, sum: 0.0, sum_limit, largest: 0.0, largest_limit }
    }

    fn widen(&mut self, difference: f64) {
        self.largest = worse(self.largest, difference);
    }

    /// Whether both are below their limits, strictly.
    pub fn passes(&self) -> bool {
        self.sum_passes() && self.largest_passes()
    }

    /// Whether the sum is below its limit.
    pub fn sum_passes(&self) -> bool {
        self.sum_limit.is_none_or(|limit| self.sum < limit)
    }

    /// Whether the largest is below its limit.
    pub fn largest_passes(&self) -> bool {
        self.largest < self.largest_limit
    }
}

/// Grades frames as the course's grader does. The caller makes each computed frame from the
/// reference's previous one.
///
/// ```
/// use carom_trajectory::compare::Grader;
/// use carom_trajectory::{Family, Frame};
///
/// let expected = Frame { positions: vec![0.0, 1.0], velocities: vec![2.0, 3.0], ..Frame::default() };
/// let mut got = expected.clone();
/// let mut grader = Grader::new(Family::Particles);
/// grader.add_state(1, &expected, &got);
/// assert!(grader.passes());
/// got.velocities[1] += 1e-6;
/// grader.add_state(2, &expected, &got);
/// assert!(!grader.passes());
/// let first = grader.first.unwrap();
/// assert_eq!((first.frame, first.body, first.quantity), (2, Some(0), "vy"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Grader {
    /// The kind of system.
    pub family: Family,
    /// Frames compared.
    pub frames: u64,
    /// Residuals of the state: positions and velocities of particles; X, theta, V and omega of
    /// rigid bodies.
    pub residuals: Vec<Residual>,
    /// Residuals of masses, centres, moments of inertia, energies and momenta of rigid bodies.
    pub quantities: Vec<Residual>,
    /// Differences of collisions.
    pub collisions: CollisionDifferences,
    /// The first number that is beyond its limit.
    pub first: Option<Difference>,
    /// The number that is off most.
    pub worst: Option<Difference>,
    /// Numbers beyond their limits so far.
    #[serde(skip)]
    pub beyond: u64,
}

/// One quantity of a state: which numbers of each body belong to it.
struct Part {
    names: &'static [&'static str],
    start: usize,
    velocity: bool,
}

const PARTICLE_PARTS: [Part; 2] = [
    Part { names: &["x", "y"], start: 0, velocity: false },
    Part { names: &["vx", "vy"], start: 0, velocity: true },
];
const RIGID_PARTS: [Part; 4] = [
    Part { names: &["x", "y"], start: 0, velocity: false },
    Part { names: &["theta"], start: 2, velocity: false },
    Part { names: &["vx", "vy"], start: 0, velocity: true },
    Part { names: &["omega"], start: 2, velocity: true },
];
const SPATIAL_PARTS: [Part; 4] = [
    Part { names: &["x", "y", "z"], start: 0, velocity: false },
    Part { names: &["qw", "qx", "qy", "qz"], start: 3, velocity: false },
    Part { names: &["vx", "vy", "vz"], start: 0, velocity: true },
    Part { names: &["omegax", "omegay", "omegaz"], start: 3, velocity: true },
];
const CONSTANT_NAMES: [&str; 3] = ["M", "X(0)", "I"];
const QUANTITY_NAMES: [&str; 6] = ["P", "Lcm", "Lspin", "Tcm", "Tspin", "U"];

impl Grader {
    /// A grader with the limits of a family.
    pub fn new(family: Family) -> Grader {
        let state = |names: &[&'static str], limit: f64| {
            names.iter().map(|name| Residual::new(name, limit, Some(SUM))).collect()
        };
        let (residuals, quantities) = match family {
            Family::Particles => (state(&["positions", "velocities"], PARTICLE_LARGEST), Vec::new()),
            Family::RigidBodies => {
                let names = CONSTANT_NAMES.iter().chain(&QUANTITY_NAMES);
                let checks = names.map(|name| Residual::new(name, RIGID_LARGEST, None)).collect();
                (state(&["X", "theta", "V", "omega"], RIGID_LARGEST), checks)
            }
            Family::SpatialBodies => (state(&["x", "q", "v", "omega"], RIGID_LARGEST), Vec::new()),
        };
        let collisions = CollisionDifferences::default();
        Grader { family, frames: 0, residuals, quantities, collisions, first: None, worst: None, beyond: 0 }
    }

    /// Compares the positions and velocities of a frame of the reference with those computed.
    pub fn add_state(&mut self, frame: u64, expected: &Frame, got: &Frame) {
        self.frames += 1;
        self.add_motion(
            frame,
            (&expected.positions, &expected.velocities),
            (&got.positions, &got.velocities),
        );
    }

    /// Compares the state between the stages of a step, where either has one; a method without
    /// stages has its end there.
    pub fn add_intermediate(&mut self, frame: u64, expected: &Frame, got: &Frame) {
        if expected.intermediate.is_none() && got.intermediate.is_none() {
            return;
        }
        let inner = |frame: &Frame| {
            let inner = frame.intermediate.clone();
            inner.map_or((frame.positions.clone(), frame.velocities.clone()), |i| (i.positions, i.velocities))
        };
        let (wanted, found) = (inner(expected), inner(got));
        self.add_motion(frame, (&wanted.0, &wanted.1), (&found.0, &found.1));
    }

    fn add_motion(&mut self, frame: u64, expected: (&[f64], &[f64]), got: (&[f64], &[f64])) {
        let near = with_nearer_signs(self.family, expected.0, got.0);
        let parts = match self.family {
            Family::Particles => &PARTICLE_PARTS[..],
            Family::RigidBodies => &RIGID_PARTS[..],
            Family::SpatialBodies => &SPATIAL_PARTS[..],
        };
        for (index, part) in parts.iter().enumerate() {
            let (e, g) = if part.velocity { (expected.1, got.1) } else { (expected.0, &*near) };
            self.add_part(index, part, frame, (e, g));
        }
    }

    /// Compares the collisions of a frame.
    pub fn add_collisions(&mut self, frame: u64, expected: &[Contact], got: &[Contact]) {
        self.collisions.add(frame, expected, got);
    }

    /// Compares when in the step collisions happened that both have.
    pub fn add_collision_times(&mut self, frame: u64, expected: &[Contact], got: &[Contact]) {
        if self.family != Family::Particles {
            return;
        }
        for (first, wanted, found) in super::collisions::common_times(expected, got) {
            let difference = distance(&[wanted], &[found]);
            self.quantity(TIMES, TIME_LARGEST).widen(difference);
            let (body, quantity) = (Some(u64::from(first)), "time of collision");
            let (expected, got) = (wanted, found);
            self.note(TIME_LARGEST, Difference { frame, body, quantity, expected, got, difference });
        }
    }

    /// Compares the polynomials of the collision tests of a step, which two of the course's file
    /// layouts hold: their number, their lengths, and their coefficients up to a positive factor.
    pub fn add_polynomials(&mut self, frame: u64, expected: &Polynomials, got: &Polynomials) {
        let counts = (expected.lengths.len() as f64, got.lengths.len() as f64);
        if counts.0 != counts.1 {
            return self.note_polynomial(frame, POLYNOMIAL_COUNT, counts, f64::INFINITY);
        }
        let (mut wanted, mut found) = (expected.coefficients.as_slice(), got.coefficients.as_slice());
        for (&length, &other) in expected.lengths.iter().zip(&got.lengths) {
            let (Some((e, rest)), Some((g, others))) =
                (wanted.split_at_checked(length as usize), found.split_at_checked(other as usize))
            else {
                return;
            };
            (wanted, found) = (rest, others);
            if length != other {
                let lengths = (f64::from(length), f64::from(other));
                self.note_polynomial(frame, POLYNOMIAL_DEGREE, lengths, f64::INFINITY);
                continue;
            }
            let factor = scale_of(e, g);
            let g: Vec<f64> = g.iter().map(|c| c * factor).collect();
            let scale = e.iter().fold(1.0, |scale: f64, c| worse(scale, c.abs()));
            if let Some((_, expected, got)) = most_different(e, &g) {
                let off = (expected - got).abs() / scale;
                self.note_polynomial(frame, POLYNOMIAL_COEFFICIENT, (expected, got), off);
            }
        }
    }

    fn note_polynomial(
        &mut self,
        frame: u64,
        quantity: &'static str,
        (expected, got): (f64, f64),
        difference: f64,
    ) {
        self.quantity(quantity, POLYNOMIAL_LARGEST).widen(difference);
        self.note(POLYNOMIAL_LARGEST, Difference { frame, body: None, quantity, expected, got, difference });
    }

    /// The residual of a quantity that only some files hold.
    fn quantity(&mut self, name: &'static str, limit: f64) -> &mut Residual {
        let known = self.quantities.iter().position(|residual| residual.quantity == name);
        let place = known.unwrap_or(self.quantities.len());
        if known.is_none() {
            self.quantities.push(Residual::new(name, limit, None));
        }
        &mut self.quantities[place]
    }

    /// Compares energies and momenta of rigid bodies: those in the file with those that its state
    /// has. The course's grader leaves out the last frame.
    pub fn add_quantities(&mut self, frame: u64, expected: &BodyQuantities, got: &BodyQuantities) {
        let offset = CONSTANT_NAMES.len();
        let (wanted, found) = (expected.named(), got.named());
        for (index, ((name, width, e), (_, _, g))) in wanted.into_iter().zip(found).enumerate() {
            self.add_list(offset + index, (name, width), frame, (e, g));
        }
        let potential = (&[expected.potential][..], &[got.potential][..]);
        self.add_list(offset + QUANTITY_NAMES.len() - 1, ("U", 0), frame, potential);
    }

    /// Compares masses, centres and moments of inertia of rigid bodies.
    pub fn add_constants(&mut self, expected: &BodyConstants, got: &BodyConstants) {
        self.add_list(0, ("M", 1), 0, (&expected.masses, &got.masses));
        self.add_list(1, ("X(0)", 2), 0, (&expected.centres, &got.centres));
        self.add_list(2, ("I", 1), 0, (&expected.inertias, &got.inertias));
    }

    /// Whether everything is below its limits.
    pub fn passes(&self) -> bool {
        self.residuals.iter().chain(&self.quantities).all(Residual::passes) && self.collisions.passes()
    }

    fn add_part(&mut self, index: usize, part: &Part, frame: u64, (expected, got): (&[f64], &[f64])) {
        if expected.len() != got.len() {
            self.wrong_size(frame, index, (expected.len(), got.len()));
            return;
        }
        let width = if part.velocity { self.family.degrees_of_freedom() } else { self.family.coordinates() };
        let (mut sum, mut squares, mut largest) = (0.0, 0.0, 0.0);
        for (body, (e, g)) in expected.chunks_exact(width).zip(got.chunks_exact(width)).enumerate() {
            let range = part.start..part.start + part.names.len();
            let (e, g) = (&e[range.clone()], &g[range]);
            let off = distance(e, g);
            sum += off;
            squares += off * off;
            largest = worse(largest, off);
            let limit = self.residuals[index].largest_limit;
            if let Some((component, expected, got)) = most_different(e, g) {
                let quantity = part.names[component];
                let body = Some(body as u64);
                self.note(limit, Difference { frame, body, quantity, expected, got, difference: off });
            }
        }
        let residual = &mut self.residuals[index];
        residual.sum += match self.family {
            Family::Particles => sum,
            Family::RigidBodies | Family::SpatialBodies => squares.sqrt(),
        };
        residual.largest = worse(residual.largest, largest);
    }

    /// Compares lists of numbers with `width` for each body; 0 for a number of the whole system.
    fn add_list(
        &mut self,
        index: usize,
        (quantity, width): (&'static str, usize),
        frame: u64,
        (expected, got): (&[f64], &[f64]),
    ) {
        let Some(residual) = self.quantities.get_mut(index) else { return };
        if expected.len() != got.len() {
            residual.largest = f64::INFINITY;
            residual.sum = f64::INFINITY;
            let (expected, got) = (expected.len() as f64, got.len() as f64);
            let count = "number of quantities";
            let difference = f64::INFINITY;
            let limit = residual.largest_limit;
            self.note(limit, Difference { frame, body: None, quantity: count, expected, got, difference });
            return;
        }
        let limit = residual.largest_limit;
        for (e, g) in expected.iter().zip(got) {
            residual.sum += (e - g).abs();
            residual.largest = worse(residual.largest, (e - g).abs());
        }
        if let Some((k, expected, got)) = most_different(expected, got) {
            let body = k.checked_div(width).map(|body| body as u64);
            let difference = (expected - got).abs();
            self.note(limit, Difference { frame, body, quantity, expected, got, difference });
        }
    }

    fn wrong_size(&mut self, frame: u64, index: usize, (expected, got): (usize, usize)) {
        let residual = &mut self.residuals[index];
        (residual.sum, residual.largest) = (f64::INFINITY, f64::INFINITY);
        let limit = residual.largest_limit;
        let (expected, got, difference) = (expected as f64, got as f64, f64::INFINITY);
        let quantity = "number of coordinates";
        self.note(limit, Difference { frame, body: None, quantity, expected, got, difference });
    }

    fn note(&mut self, limit: f64, difference: Difference) {
        if beyond(difference.difference, limit) {
            self.beyond += 1;
            self.first.get_or_insert_with(|| difference.clone());
        }
        let off = difference.difference;
        let worse =
            |worst: &Difference| !worst.difference.is_nan() && (off.is_nan() || off > worst.difference);
        if (off > 0.0 || off.is_nan()) && self.worst.as_ref().is_none_or(worse) {
            self.worst = Some(difference);
        }
    }
}

/// What a polynomial has to be multiplied by to be nearest to the expected one, where that is
/// positive and another scale; 1 otherwise.
fn scale_of(expected: &[f64], got: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let factor = dot(expected, got) / dot(got, got);
    if factor.is_finite() && factor > 0.0 && (factor - 1.0).abs() > OTHER_SCALE { factor } else { 1.0 }
}
