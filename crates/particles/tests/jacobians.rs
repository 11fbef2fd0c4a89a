//! Gradients against energies and Jacobians against gradients, by central differences, in random
//! configurations.

use carom_particles::force::{
    Configuration, Constant, Drag, Forces, Gravitation, PairJacobian, SimpleGravity, Spring, Vortex,
};
use carom_particles::{Model, Particle, ParticleIndex};
use glam::{DMat2, DVec2};
use proptest::prelude::*;

/// Half of the distance over which differences are taken: rounding, about 1e-16 / 1e-5, and the
/// third derivative times 1e-10 both stay well below the tolerance.
const STEP: f64 = 1e-5;
const TOLERANCE: f64 = 1e-6;

const FIRST: ParticleIndex = ParticleIndex(0);
const SECOND: ParticleIndex = ParticleIndex(1);

#[derive(Debug, Clone)]
struct Pose {
    positions: [DVec2; 2],
    velocities: [DVec2; 2],
}

fn vector(limit: f64) -> impl Strategy<Value = DVec2> {
    (-limit..limit, -limit..limit).prop_map(|(x, y)| DVec2::new(x, y))
}

/// Two particles at a distance between 0.5 and 2 in any direction: far enough from the singularity
/// of every force.
fn pose() -> impl Strategy<Value = Pose> {
    (vector(3.0), 0.0..std::f64::consts::TAU, 0.5..2.0f64, vector(2.0), vector(2.0)).prop_map(
        |(first, angle, distance, velocity, other)| {
            let (sin, cos) = carom_numerics::elementary::sin_cos(angle);
            Pose {
                positions: [first, first + distance * DVec2::new(cos, sin)],
                velocities: [velocity, other],
            }
        },
    )
}

fn model(forces: Forces) -> Model {
    let particles = [1.3, 0.7].map(|mass| Particle { mass, radius: 0.1, fixed: false });
    Model { particles: particles.to_vec(), forces, ..Model::default() }
}

fn at<'a>(model: &'a Model, pose: &'a Pose) -> Configuration<'a> {
    Configuration { model, positions: &pose.positions, velocities: &pose.velocities, course: false }
}

fn gradient(model: &Model, pose: &Pose) -> [DVec2; 2] {
    let mut gradient = [DVec2::ZERO; 2];
    model.forces.add_gradient(at(model, pose), &mut gradient);
    gradient
}

/// The gradient of both particles against differences of the energy.
fn check_gradient(forces: Forces, pose: &Pose) -> Result<(), TestCaseError> {
    let model = model(forces);
    let found = gradient(&model, pose);
    for particle in 0..2 {
        for axis in 0..2 {
            let energy = |step: f64| {
                let mut moved = pose.clone();
                moved.positions[particle][axis] += step;
                model.forces.energy(at(&model, &moved))
            };
            let expected = (energy(STEP) - energy(-STEP)) / (2.0 * STEP);
            let error = (found[particle][axis] - expected).abs();
            prop_assert!(error <= TOLERANCE * (1.0 + expected.abs()), "{particle} {axis}: {error}");
        }
    }
    Ok(())
}

/// All sixteen blocks of both Jacobians of a pair force against differences of the gradient.
fn check_pair_jacobian(forces: Forces, pose: &Pose) -> Result<(), TestCaseError> {
    let model = model(forces);
    let mut found: Option<PairJacobian> = None;
    model.forces.for_each_pair_jacobian(at(&model, pose), |jacobian| found = Some(jacobian));
    let PairJacobian { position: [one, other], velocity } = found.expect("one pair force");
    for row in 0..2 {
        for column in 0..2 {
            let sign = if row == column { 1.0 } else { -1.0 };
            check_block(sign * (one + other), &model, pose, (row, column), |pose| &mut pose.positions)?;
            check_block(sign * velocity, &model, pose, (row, column), |pose| &mut pose.velocities)?;
        }
    }
    Ok(())
}

fn check_block(
    found: DMat2,
    model: &Model,
    pose: &Pose,
    (row, column): (usize, usize),
    moved_part: impl Fn(&mut Pose) -> &mut [DVec2; 2],
) -> Result<(), TestCaseError> {
    for axis in 0..2 {
        let gradient = |step: f64| {
            let mut moved = pose.clone();
            moved_part(&mut moved)[column][axis] += step;
            gradient(model, &moved)[row]
        };
        let expected = (gradient(STEP) - gradient(-STEP)) / (2.0 * STEP);
        let error = (found.col(axis) - expected).length();
        prop_assert!(error <= TOLERANCE * (1.0 + expected.length()), "{row} {column} {axis}: {error}");
    }
    Ok(())
}

fn spring(stiffness: f64, rest_length: f64, damping: f64) -> Forces {
    let spring = Spring { first: FIRST, second: SECOND, stiffness, rest_length, damping };
    Forces { springs: vec![spring], ..Forces::default() }
}

fn gravitation(constant: f64) -> Forces {
    Forces { gravitations: vec![Gravitation { first: FIRST, second: SECOND, constant }], ..Forces::default() }
}

proptest! {
    #[test]
    fn spring_gradient(pose in pose(), k in 0.0..10.0f64, rest in 0.0..3.0f64) {
        check_gradient(spring(k, rest, 0.0), &pose)?;
    }

    #[test]
    fn spring_jacobian(pose in pose(), k in 0.0..10.0f64, rest in 0.0..3.0f64, damping in 0.0..5.0f64) {
        check_pair_jacobian(spring(k, rest, damping), &pose)?;
    }

    #[test]
    fn gravitation_gradient_and_jacobian(pose in pose(), constant in 0.1..2.0f64) {
        check_gradient(gravitation(constant), &pose)?;
        check_pair_jacobian(gravitation(constant), &pose)?;
    }

    #[test]
    fn vortex_jacobian(pose in pose(), biot_savart in -3.0..3.0f64, viscosity in 0.1..3.0f64) {
        let vortex = Vortex { first: FIRST, second: SECOND, biot_savart, viscosity };
        check_pair_jacobian(Forces { vortices: vec![vortex], ..Forces::default() }, &pose)?;
    }

    #[test]
    fn uniform_gradients(pose in pose(), acceleration in vector(10.0), force in vector(10.0)) {
        check_gradient(Forces { gravities: vec![SimpleGravity { acceleration }], ..Forces::default() }, &pose)?;
        check_gradient(Forces { constants: vec![Constant { force }], ..Forces::default() }, &pose)?;
    }

    #[test]
    fn drag_jacobian(pose in pose(), coefficient in 0.0..5.0f64) {
        let drag = Drag { coefficient };
        let model = model(Forces { drags: vec![drag], ..Forces::default() });
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let expected = if row == column { drag.velocity_jacobian() } else { 0.0 };
            let block = DMat2::IDENTITY * expected;
            check_block(block, &model, &pose, (row, column), |pose| &mut pose.velocities)?;
            check_block(DMat2::ZERO, &model, &pose, (row, column), |pose| &mut pose.positions)?;
        }
    }
}

/// Length zero has no direction: no force outside course mode, NaN in it, and a finite Jacobian.
#[test]
fn a_spring_of_length_zero() {
    let model = model(spring(3.0, 0.0, 1.0));
    let pose = Pose { positions: [DVec2::ONE; 2], velocities: [DVec2::ZERO, DVec2::X] };
    assert_eq!(gradient(&model, &pose), [DVec2::ZERO; 2]);
    let jacobian = model.forces.springs[0].jacobian(at(&model, &pose));
    assert_eq!(jacobian.position[0], DMat2::IDENTITY * 3.0);
    let mut gradient = [DVec2::ZERO; 2];
    let course = Configuration { course: true, ..at(&model, &pose) };
    model.forces.add_gradient(course, &mut gradient);
    assert!(gradient[0].is_nan() && gradient[1].is_nan());
}
