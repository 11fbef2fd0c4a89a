//! What differs in a frame, as marks on its picture.

use carom::grading::ComparedStep;
use carom_render::Painter;
use carom_render::picture::comparison::{Differences, WrongPlace, WrongVelocity};
use carom_scene::System;
use carom_trajectory::compare::{CollisionDifference, CollisionDifferences, CollisionProblem};
use carom_trajectory::{Contact, ContactKind, Frame};

/// Largest difference of two lists of numbers; NaN where either is none, so that the curve breaks.
pub(super) fn largest(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, |m, d| if d.is_nan() || d > m { d } else { m })
}

/// What differs in one frame.
#[derive(Default)]
pub(super) struct Lists {
    missed: Vec<Contact>,
    superfluous: Vec<Contact>,
    wrong_normals: Vec<(Contact, Contact)>,
    velocities: Vec<WrongVelocity>,
    places: Vec<WrongPlace>,
}

/// Velocities and places that differ by more are drawn: below it the course's grader sees nothing
/// either.
const WRONG: f64 = 1e-8;

impl Lists {
    pub(super) fn of(painter: &Painter<'_>, step: &ComparedStep<'_>) -> Lists {
        let (expected, got) = (step.expected, step.got);
        let mut found = CollisionDifferences::default();
        if step.has_collisions {
            found.add(expected.step, &expected.contacts, &got.contacts);
        }
        let mut lists = Lists::new(&found.first, expected, got);
        let width = match painter.scene().system {
            System::Particles(_) => 2,
            System::RigidBodies(_) => 3,
            System::SpatialBodies(_) => 6,
        };
        let bodies = expected.velocities.chunks_exact(width).zip(got.velocities.chunks_exact(width));
        for (body, (right, found)) in bodies.enumerate() {
            let off = largest(right, found);
            if off > WRONG || off.is_nan() {
                // of planar bodies the spin is no direction
                let vector = |v: &[f64]| [v[0], v[1], if width == 6 { v[2] } else { 0.0 }];
                let turns = width == 3 && (right[2] - found[2]).abs() > WRONG;
                let spin = turns.then(|| [found[2], right[2]]);
                let (found, right) = (vector(found), vector(right));
                lists.velocities.push(WrongVelocity { body, found, right, spin });
            }
        }
        let width = if width == 6 { 7 } else { width };
        let bodies = expected.positions.chunks_exact(width).zip(got.positions.chunks_exact(width));
        for (body, (right, found)) in bodies.enumerate() {
            let off = largest(right, found);
            if off <= WRONG {
                continue;
            }
            let place = |x: &[f64]| [x[0], x[1], if width == 7 { x[2] } else { 0.0 }];
            lists.places.push(WrongPlace { body, found: place(found), right: place(right) });
        }
        lists
    }

    fn new(found: &[CollisionDifference], expected: &Frame, got: &Frame) -> Lists {
        let mut lists = Lists::default();
        for difference in found {
            let key = (difference.kind, difference.first, difference.second);
            let right = contact(&expected.contacts, key);
            let wrong = contact(&got.contacts, key);
            match (difference.problem, right, wrong) {
                (CollisionProblem::Missed, Some(right), _) => lists.missed.push(right),
                (CollisionProblem::Superfluous, _, Some(wrong)) => lists.superfluous.push(wrong),
                (CollisionProblem::WrongNormal, Some(right), Some(wrong)) => {
                    lists.wrong_normals.push((wrong, right));
                }
                _ => {}
            }
        }
        lists
    }

    pub(super) fn differences(&self) -> Differences<'_> {
        Differences {
            missed: &self.missed,
            superfluous: &self.superfluous,
            wrong_normals: &self.wrong_normals,
            velocities: &self.velocities,
            places: &self.places,
        }
    }
}

fn contact(list: &[Contact], key: (ContactKind, u32, u32)) -> Option<Contact> {
    list.iter().find(|c| (c.kind, c.first, c.second) == key).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_that_are_no_numbers_are_seen() {
        assert_eq!(largest(&[1.0, 2.0], &[1.5, 2.0]), 0.5);
        assert!(largest(&[f64::NAN, 2.0], &[1.5, 2.0]).is_nan());
    }
}
