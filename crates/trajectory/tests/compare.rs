//! Comparison: the grader's limits at their boundaries, planted errors, collisions, NaN.

use crate::support;

use carom_trajectory::compare::{
    CollisionDifferences, CollisionProblem, Comparison, Grader, compare_trajectories,
};
use carom_trajectory::course::{BodyConstants, BodyQuantities};
use carom_trajectory::{Contact, ContactKind, Family, Frame, JournalWriter, open};
use proptest::prelude::*;
use support::{header, plain_frame};

fn rigid_frame() -> Frame {
    Frame { positions: vec![0.0; 6], velocities: vec![0.0; 6], ..Frame::default() }
}

fn contact(first: u32, second: u32, normal: [f64; 3]) -> Contact {
    let kind = ContactKind::ParticleParticle;
    Contact {
        kind,
        first,
        second,
        point: [0.0; 3],
        normal,
        gap: 0.0,
        time: 0.25,
        impulse: 0.0,
        friction: [0.0; 3],
    }
}

#[test]
fn particle_limits_are_strict() {
    let expected = Frame { positions: vec![0.0; 4], velocities: vec![0.0; 4], ..Frame::default() };
    let passes = |error: f64, times: usize| {
        let mut got = expected.clone();
        got.positions[2] = error;
        let mut grader = Grader::new(Family::Particles);
        (0..times).for_each(|k| grader.add_state(k as u64, &expected, &got));
        assert_eq!(grader.frames, times as u64);
        assert!(grader.residuals[1].passes(), "velocities are equal");
        grader.passes()
    };
    assert!(passes(0.9e-10, 1));
    assert!(!passes(1e-10, 1), "the limit itself does not pass");
    assert!(!passes(1.1e-10, 1));
    assert!(passes(0.9e-10, 11_000), "the sum is 0.99e-6");
    assert!(!passes(0.9e-10, 11_200), "the sum is 1.008e-6");
    assert!(!passes(f64::NAN, 1));
    assert!(!passes(f64::INFINITY, 1));
}

#[test]
fn particle_distances_are_norms_of_each_particle() {
    let expected = Frame { positions: vec![0.0; 4], velocities: vec![0.0; 4], ..Frame::default() };
    let got =
        Frame { positions: vec![3e-11, 4e-11, 0.0, 1e-11], velocities: vec![0.0; 4], ..Frame::default() };
    let mut grader = Grader::new(Family::Particles);
    grader.add_state(7, &expected, &got);
    assert!((grader.residuals[0].largest - 5e-11).abs() < 1e-25);
    assert!((grader.residuals[0].sum - 6e-11).abs() < 1e-25);
    assert_eq!(grader.first, None, "below its limit");
    let worst = grader.worst.unwrap();
    assert_eq!((worst.frame, worst.body, worst.quantity), (7, Some(0), "y"));
}

#[test]
fn rigid_limits_and_sums() {
    let expected = rigid_frame();
    let mut got = rigid_frame();
    (got.positions[0], got.positions[4], got.velocities[5]) = (3e-9, 4e-9, 0.9e-8);
    let mut grader = Grader::new(Family::RigidBodies);
    grader.add_state(1, &expected, &got);
    assert!(grader.passes());
    assert!((grader.residuals[0].sum - 5e-9).abs() < 1e-22, "the 2-norm over bodies");
    assert!((grader.residuals[0].largest - 4e-9).abs() < 1e-22);
    got.velocities[5] = 1.1e-8;
    grader.add_state(2, &expected, &got);
    assert!(!grader.passes());
    let first = grader.first.clone().unwrap();
    assert_eq!((first.frame, first.body, first.quantity), (2, Some(1), "omega"));
    let names: Vec<_> = grader.residuals.iter().filter(|r| !r.passes()).map(|r| r.quantity).collect();
    assert_eq!(names, ["omega"]);
}

#[test]
fn rigid_quantities_and_constants() {
    let mut exact = BodyQuantities::default();
    exact.derive(&[1.0, 2.0, 0.0], &[3.0, 4.0, 5.0], &[2.0], &[0.5], 7.0);
    let mut constants = BodyConstants { masses: vec![2.0], centres: vec![1.0, 2.0], inertias: vec![0.5] };
    let mut grader = Grader::new(Family::RigidBodies);
    grader.add_constants(&constants, &constants.clone());
    grader.add_quantities(0, &exact, &exact.clone());
    assert!(grader.passes());
    let mut off = exact.clone();
    off.potential += 1e-6;
    let mut planted = grader.clone();
    planted.add_quantities(4, &exact, &off);
    let first = planted.first.clone().unwrap();
    assert!(!planted.passes());
    assert_eq!((first.frame, first.body, first.quantity), (4, None, "U"));
    off = exact.clone();
    off.rotational[0] = f64::NAN;
    planted = grader.clone();
    planted.add_quantities(4, &exact, &off);
    assert!(!planted.passes());
    assert_eq!(planted.first.unwrap().quantity, "Tspin");
    constants.inertias.push(1.0);
    grader.add_constants(&constants, &BodyConstants::default());
    assert!(!grader.passes(), "another number of bodies");
}

#[test]
fn frames_of_another_size_never_pass() {
    for family in [Family::Particles, Family::RigidBodies] {
        let mut grader = Grader::new(family);
        grader.add_state(0, &rigid_frame(), &Frame::default());
        assert!(!grader.passes());
        let mut comparison = Comparison::new(family, 1e300);
        comparison.add(&rigid_frame(), &Frame::default());
        assert!(!comparison.passes());
    }
}

proptest! {
    #[test]
    fn a_planted_error_is_found(place in 0..12usize, frame in 0..5u64, nan: bool) {
        let mut grader = Grader::new(Family::RigidBodies);
        for k in 0..5 {
            let mut got = rigid_frame();
            if k == frame {
                let numbers = if place < 6 { &mut got.positions } else { &mut got.velocities };
                numbers[place % 6] = if nan { f64::NAN } else { 1e-6 };
            }
            grader.add_state(k, &rigid_frame(), &got);
        }
        prop_assert!(!grader.passes());
        let names = ["x", "y", "theta", "vx", "vy", "omega"];
        let first = grader.first.unwrap();
        prop_assert_eq!((first.frame, first.body), (frame, Some((place % 6 / 3) as u64)));
        prop_assert_eq!(first.quantity, names[place % 3 + if place < 6 { 0 } else { 3 }]);
        prop_assert_eq!(first.expected, 0.0);
    }
}

#[test]
fn collisions_are_sets() {
    let n = [1.0, 0.0, 0.0];
    let (a, b) = (contact(0, 1, n), contact(2, 5, n));
    let mut differences = CollisionDifferences::default();
    differences.add(0, &[a, b], &[b, a, a]);
    assert!(differences.passes(), "order and repetitions do not matter");
    differences.add(1, &[a], &[b]);
    assert_eq!((differences.missed, differences.superfluous), (1, 1));
    differences.add(2, &[a, b], &[contact(1, 0, n), b]);
    assert_eq!((differences.missed, differences.superfluous), (2, 2), "swapped indices are another pair");
    let edge = Contact { kind: ContactKind::ParticleEdge, ..a };
    differences.add(3, &[a], &[edge]);
    assert_eq!((differences.missed, differences.superfluous), (3, 3), "another kind is another pair");
    differences.add(4, &[a], &[contact(0, 1, [1.0, 0.9e-9, 0.0])]);
    assert_eq!(differences.wrong_normals, 0);
    differences.add(5, &[a], &[contact(0, 1, [1.0, 1.1e-9, 0.0])]);
    differences.add(6, &[a], &[contact(0, 1, [f64::NAN, 0.0, 0.0])]);
    assert_eq!(differences.wrong_normals, 2);
    let wrong = &differences.first[6];
    assert_eq!((wrong.frame, wrong.problem, wrong.time), (5, CollisionProblem::WrongNormal, 0.25));
    assert_eq!(wrong.expected_normal, Some(n));
    assert_eq!(wrong.got_normal, Some([1.0, 1.1e-9, 0.0]));
    for _ in 0..1000 {
        differences.add(7, &[a], &[]);
    }
    assert_eq!(differences.missed, 1003);
    assert!(differences.first.len() <= 100, "memory is bounded");
}

#[test]
fn two_trajectories_are_compared_by_their_steps() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, steps: &[u64], error: f64| {
        let path = folder.path().join(name);
        let mut writer = JournalWriter::create(&path, &header(2)).unwrap();
        for &step in steps {
            let mut frame = plain_frame(step);
            if step == 4 {
                frame.velocities[3] += error;
            }
            writer.append(&frame).unwrap();
        }
        writer.finish().unwrap();
        open(&path, None).unwrap()
    };
    let mut all = write("all.carom", &[0, 1, 2, 3, 4, 5, 6], 0.0);
    let same =
        compare_trajectories(&mut all, &mut write("same.carom", &[0, 1, 2, 3, 4, 5, 6], 0.0), 0.0).unwrap();
    assert!(same.passes() && same.identical);
    assert!(same.collisions.unwrap().passes());
    let off = compare_trajectories(&mut all, &mut write("off.carom", &[0, 2, 4, 6], 1e-6), 1e-7).unwrap();
    assert_eq!((off.frames, off.only_expected, off.only_got), (4, 3, 0));
    assert!(!off.passes() && !off.identical);
    let first = off.first.unwrap();
    assert_eq!((first.frame, first.body, first.quantity), (4, Some(1), "vy"));
    let vy = off.largest.iter().find(|entry| entry.quantity == "vy").unwrap();
    assert!((vy.difference - 1e-6).abs() < 1e-15 && vy.place.is_some());
    let x = off.largest.iter().find(|entry| entry.quantity == "x").unwrap();
    assert_eq!((x.difference, &x.place), (0.0, &None));
    let loose =
        compare_trajectories(&mut all, &mut write("off.carom", &[0, 1, 2, 3, 4, 5, 6], 1e-6), 1e-5).unwrap();
    assert!(loose.passes() && !loose.identical);
    let nan = compare_trajectories(&mut all, &mut write("nan.carom", &[0, 1, 2, 3, 4, 5, 6], f64::NAN), 1.0)
        .unwrap();
    assert!(!nan.passes());
}
