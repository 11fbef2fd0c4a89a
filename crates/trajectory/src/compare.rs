//! Comparison of frames: the grader's limits, the first difference, collisions missed and
//! superfluous.
//!
//! [`Grader`] takes pairs of frames (expected, computed) and applies the limits of the course's
//! grader; [`compare_trajectories`] compares two files step by step. Nothing here simulates: who
//! calls makes the frames. A NaN never passes.

mod collisions;
mod grader;
mod trajectories;

pub use collisions::{CollisionDifference, CollisionDifferences, CollisionProblem, NORMAL_TOLERANCE};
pub use grader::{Grader, POLYNOMIAL_COEFFICIENT, POLYNOMIAL_COUNT, POLYNOMIAL_DEGREE, Residual};
pub use trajectories::{Comparison, Largest, compare_trajectories};

use crate::frame::Family;
use serde::Serialize;
use std::borrow::Cow;

/// One number that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Number of the frame.
    pub frame: u64,
    /// The body; nothing for quantities of the whole system.
    pub body: Option<u64>,
    /// The name of the number: `x`, `vy`, `omega`, `kinetic`.
    pub quantity: &'static str,
    /// What the reference has.
    pub expected: f64,
    /// What was computed.
    pub got: f64,
    /// The distance of the two.
    pub difference: f64,
}

/// The greater of two differences, where NaN is greater than all and stays.
fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// Whether a difference is not below a limit; NaN never is.
fn beyond(difference: f64, limit: f64) -> bool {
    difference.is_nan() || difference >= limit
}

/// The entry of two lists that differs most: its place, what was expected and what was got. NaN
/// differs most of all.
fn most_different(expected: &[f64], got: &[f64]) -> Option<(usize, f64, f64)> {
    let mut most: Option<(usize, f64, f64)> = None;
    for (k, (&e, &g)) in expected.iter().zip(got).enumerate() {
        let distance =
            |(_, e, g): (usize, f64, f64)| if (e - g).is_nan() { f64::INFINITY } else { (e - g).abs() };
        if most.is_none_or(|m| distance((k, e, g)) > distance(m)) {
            most = Some((k, e, g));
        }
    }
    most
}

/// The positions that were got, each quaternion with the sign that is nearer to the expected one:
/// both signs mean the same.
fn with_nearer_signs<'a>(family: Family, expected: &[f64], got: &'a [f64]) -> Cow<'a, [f64]> {
    let mut near = Cow::Borrowed(got);
    if family == Family::SpatialBodies && expected.len() == got.len() {
        let width = family.coordinates();
        for (body, (e, g)) in expected.chunks_exact(width).zip(got.chunks_exact(width)).enumerate() {
            let along: f64 = e[3..].iter().zip(&g[3..]).map(|(a, b)| a * b).sum();
            if along < 0.0 {
                near.to_mut()[width * body + 3..width * (body + 1)].iter_mut().for_each(|x| *x = -*x);
            }
        }
    }
    near
}

/// The length of the difference of two vectors.
fn distance(expected: &[f64], got: &[f64]) -> f64 {
    expected.iter().zip(got).map(|(e, g)| (e - g) * (e - g)).sum::<f64>().sqrt()
}
