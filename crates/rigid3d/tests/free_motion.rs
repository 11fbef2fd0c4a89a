//! Free motion against closed forms, orders of the integrators, and what they keep.

use crate::elliptic;

use carom_numerics::elementary::{cos, ln, sin, sin_cos};
use carom_rigid3d::integrator::{Scratch, pack, unpack};
use carom_rigid3d::orientation::exponential;
use carom_rigid3d::{
    Anchor, Body, BodyIndex, BodyState, DMat3, DVec3, Forces, Integrator, Load, Model, Motion, Orientation,
    OrientationKind, Shape, Spring, Totals, force,
};
use elliptic::{FreeTop, jacobi, quarter_period};

const KINDS: [OrientationKind; 2] = [OrientationKind::Quaternion, OrientationKind::Matrix];

const ORDERS: [(Integrator, f64); 6] = [
    (Integrator::ExplicitEuler, 1.0),
    (Integrator::SymplecticEuler, 1.0),
    (Integrator::Midpoint, 2.0),
    (Integrator::LieMidpoint, 2.0),
    (Integrator::RungeKutta4, 4.0),
    // A tolerance that never bites makes the pair a method of fixed step.
    (Integrator::DormandPrince { tolerance: 1e9 }, 5.0),
];

fn body(mass: f64, moments: DVec3) -> Body {
    Body::new(mass, DMat3::from_diagonal(moments), Shape::Sphere { radius: 1.0 }, Motion::Free)
}

fn alone(body: Body) -> Model {
    Model { bodies: vec![body], forces: Forces::default() }
}

/// Steps to a time under the forces of the model and a torque law of one's own.
fn run(
    integrator: Integrator,
    model: &Model,
    start: &[BodyState],
    (until, steps): (f64, usize),
    torque: &dyn Fn(&BodyState) -> DVec3,
) -> Vec<BodyState> {
    let mut bodies = start.to_vec();
    let mut scratch = Scratch::default();
    let dt = until / steps as f64;
    for k in 0..steps {
        let mut law = |_: f64, seen: &[BodyState], loads: &mut [Load]| {
            loads.fill(Load::default());
            force::accumulate(model, seen, loads);
            for (load, state) in loads.iter_mut().zip(seen) {
                load.torque += torque(state);
            }
        };
        let span = (k as f64 * dt, (k + 1) as f64 * dt);
        integrator.advance(model, &mut bodies, span, &mut law, &mut scratch);
    }
    bodies
}

fn no_torque(_: &BodyState) -> DVec3 {
    DVec3::ZERO
}

fn difference(a: &[BodyState], b: &[BodyState]) -> f64 {
    let off = |(a, b): (&BodyState, &BodyState)| {
        let turned = (0..3).map(|k| (a.orientation.matrix().col(k) - b.orientation.matrix().col(k)).length());
        let moved = (a.position - b.position).length() + (a.momentum - b.momentum).length();
        moved + (a.angular_momentum - b.angular_momentum).length() + turned.sum::<f64>()
    };
    a.iter().zip(b).map(off).sum()
}

/// The figure axis of a symmetric body goes round L at L/I1, and the body turns about it at (1 −
/// I3/I1) ω3.
#[test]
fn a_symmetric_body_precesses_at_the_analytic_rate() {
    let (i1, i3) = (2.0, 3.0);
    let top = alone(body(1.0, DVec3::new(i1, i1, i3)));
    let tilt = exponential(DVec3::new(0.4, 0.0, 0.0));
    for kind in KINDS {
        let mut start =
            BodyState { orientation: Orientation::Quaternion(tilt).as_kind(kind), ..BodyState::default() };
        // Spin about the figure axis and a part across it such that L points along z.
        let axis = tilt * DVec3::Z;
        let momentum = 5.0;
        start.angular_momentum = momentum * DVec3::Z;
        let spin = momentum * axis.z / i3;
        let end = run(Integrator::RungeKutta4, &top, &[start], (2.0, 2000), &no_torque)[0];
        let about_l = exponential(DVec3::new(0.0, 0.0, momentum / i1 * 2.0));
        let about_axis = exponential(DVec3::new(0.0, 0.0, (1.0 - i3 / i1) * spin * 2.0));
        let expected = about_l * tilt * about_axis;
        let off = (end.orientation.matrix() - DMat3::from_quat(expected)).to_cols_array();
        assert!(off.iter().all(|entry| entry.abs() < 1e-9), "{kind:?}: {off:?}");
    }
}

fn top_error(integrator: Integrator, kind: OrientationKind, steps: usize) -> f64 {
    let top = FreeTop { moments: [1.0, 2.0, 3.5], omega1: 0.7, omega3: 1.1 };
    let body = body(1.0, DVec3::from_array(top.moments));
    let start = BodyState { orientation: Orientation::IDENTITY.as_kind(kind), ..BodyState::default() }
        .moving(&body, DVec3::ZERO, DVec3::new(0.7, 0.0, 1.1));
    let model = alone(body);
    let end = run(integrator, &model, &[start], (3.0, steps), &no_torque)[0];
    let omega = end.orientation.matrix().transpose() * end.angular_velocity(&model.bodies[0]);
    (omega - DVec3::from_array(top.at(3.0))).length()
}

#[test]
fn an_asymmetric_body_follows_jacobis_functions_to_the_order_of_each_integrator() {
    for kind in KINDS {
        for (integrator, order) in ORDERS {
            // Symplectic Euler is of first order by its pushes alone.
            let order = if integrator == Integrator::SymplecticEuler { 2.0 } else { order };
            let (coarse, fine) = if order == 1.0 { (1600, 3200) } else { (80, 160) };
            let errors = [coarse, fine].map(|steps| top_error(integrator, kind, steps));
            let measured = ln(errors[0] / errors[1]) / ln(2.0);
            assert!((measured - order).abs() < 0.3, "{integrator:?} {kind:?}: order {measured}, {errors:?}");
        }
        let adaptive = top_error(Integrator::DormandPrince { tolerance: 1e-11 }, kind, 3);
        assert!(adaptive < 1e-9, "{adaptive}");
    }
}

/// The handle that turns over: from (0, A2, δ) the spin about the middle axis changes sign every
/// half period 2K.
#[test]
fn the_intermediate_axis_flips_with_the_right_period() {
    let moments: [f64; 3] = [1.0, 2.0, 3.0];
    let (omega2, omega3) = (3.0, 1e-3);
    let twice_energy = moments[1] * omega2 * omega2 + moments[2] * omega3 * omega3;
    let square = (moments[1] * omega2).powi(2) + (moments[2] * omega3).powi(2);
    let [i1, i2, i3] = moments;
    let rate = ((i3 - i2) * (square - twice_energy * i1) / (i1 * i2 * i3)).sqrt();
    let modulus_squared =
        (i2 - i1) * (twice_energy * i3 - square) / ((i3 - i2) * (square - twice_energy * i1));
    let half_period = 2.0 * quarter_period(modulus_squared) / rate;

    let body = body(1.0, DVec3::from_array(moments));
    let start = [BodyState::default().moving(&body, DVec3::ZERO, DVec3::new(0.0, omega2, omega3))];
    let model = alone(body);
    for integrator in [Integrator::DormandPrince { tolerance: 1e-13 }, Integrator::RungeKutta4] {
        let mut crossings = Vec::new();
        let (dt, mut before) = (1e-3, omega2);
        let mut scratch = Scratch::default();
        let mut moving = start;
        for k in 0..(2.2 * half_period / dt) as usize {
            let span = (k as f64 * dt, (k + 1) as f64 * dt);
            let mut law = |_: f64, _: &[BodyState], loads: &mut [Load]| loads.fill(Load::default());
            integrator.advance(&model, &mut moving, span, &mut law, &mut scratch);
            let omega =
                moving[0].orientation.matrix().transpose() * moving[0].angular_velocity(&model.bodies[0]);
            if before.signum() != omega.y.signum() {
                crossings.push(span.0 + dt * before / (before - omega.y));
            }
            before = omega.y;
        }
        assert_eq!(crossings.len(), 2, "{crossings:?}");
        let measured = crossings[1] - crossings[0];
        assert!((measured - half_period).abs() < 1e-5, "{integrator:?}: {measured} for {half_period}");
    }
}

/// A top on a point, its inertia about that point: steady precession Ω solves I1 Ω² cos θ − I3 ω3
/// Ω + m g l = 0.
#[test]
fn a_heavy_symmetric_top_precesses_at_the_steady_rate() {
    let (i1, i3, weight_arm, theta, spin) = (2.0, 1.0, 3.0, 0.7, 12.0);
    let root = (i3 * i3 * spin * spin - 4.0 * i1 * cos(theta) * weight_arm).sqrt();
    let precession = (i3 * spin - root) / (2.0 * i1 * cos(theta));
    let tilt = exponential(DVec3::new(0.0, theta, 0.0));
    let body = body(1.0, DVec3::new(i1, i1, i3));
    let axis = tilt * DVec3::Z;
    // ω = Ω z + s e3 with s such that the spin about e3, ω · e3, is as given.
    let omega = precession * DVec3::Z + (spin - precession * axis.z) * axis;
    let start = BodyState { orientation: Orientation::Quaternion(tilt), ..BodyState::default() }.moving(
        &body,
        DVec3::ZERO,
        omega,
    );
    let model = alone(body);
    let weight = |state: &BodyState| (state.orientation.matrix() * DVec3::Z).cross(-weight_arm * DVec3::Z);
    for (integrator, tolerance) in [
        (Integrator::RungeKutta4, 1e-8),
        (Integrator::DormandPrince { tolerance: 1e-12 }, 1e-9),
        (Integrator::LieMidpoint, 1e-4),
    ] {
        let end = run(integrator, &model, &[start], (5.0, 5000), &weight)[0];
        let (s, c) = sin_cos(5.0 * precession);
        let expected = DVec3::new(sin(theta) * c, sin(theta) * s, cos(theta));
        let off = (end.orientation.matrix() * DVec3::Z - expected).length();
        assert!(off < tolerance, "{integrator:?}: {off:e}");
    }
}

/// Two bodies on springs, off centre, under gravity: every number of the state, in both kinds of
/// orientation.
#[test]
fn every_integrator_has_its_order_with_forces() {
    let spring = |start, end| Spring { start, end, stiffness: 6.0, rest_length: 0.4 };
    let held = |k: u32, x: f64, y: f64, z: f64| Anchor::Body(BodyIndex(k), DVec3::new(x, y, z));
    let springs = vec![
        spring(Anchor::World(DVec3::new(0.0, 0.0, 3.0)), held(0, 0.5, 0.1, 0.3)),
        spring(held(0, -0.4, 0.2, -0.3), held(1, 0.3, 0.3, 0.2)),
    ];
    let forces = Forces { gravities: vec![DVec3::new(0.0, 0.0, -1.0)], springs, ..Forces::default() };
    let bodies = vec![body(1.0, DVec3::new(0.5, 0.7, 0.9)), body(0.8, DVec3::new(0.4, 0.3, 0.6))];
    let model = Model { bodies, forces };
    for kind in KINDS {
        let place = |x: f64| {
            let orientation = Orientation::IDENTITY.as_kind(kind);
            BodyState { orientation, ..BodyState::at(DVec3::new(x, 0.2, 0.0)) }
        };
        let start = [
            place(0.0).moving(&model.bodies[0], DVec3::X, DVec3::new(0.3, -0.5, 0.2)),
            place(1.5).moving(&model.bodies[1], DVec3::Y, DVec3::new(-0.2, 0.4, 0.8)),
        ];
        let reference =
            run(Integrator::DormandPrince { tolerance: 1e-14 }, &model, &start, (1.0, 100), &no_torque);
        for (integrator, order) in ORDERS {
            let (coarse, fine) = if order == 1.0 { (1600, 3200) } else { (30, 60) };
            let errors = [coarse, fine].map(|steps| {
                difference(&run(integrator, &model, &start, (1.0, steps), &no_torque), &reference)
            });
            let measured = ln(errors[0] / errors[1]) / ln(2.0);
            assert!((measured - order).abs() < 0.3, "{integrator:?} {kind:?}: order {measured}, {errors:?}");
        }
    }
}

#[test]
fn momentum_in_space_is_constant_without_torque() {
    for kind in KINDS {
        for (integrator, _) in ORDERS {
            let body = body(2.0, DVec3::new(1.0, 2.0, 2.5));
            let start =
                BodyState { orientation: Orientation::IDENTITY.as_kind(kind), ..BodyState::default() }
                    .moving(&body, DVec3::new(1.0, 2.0, 3.0), DVec3::new(0.3, 2.0, -0.4));
            let model = alone(body);
            let mut before = start;
            for _ in 0..200 {
                let after = run(integrator, &model, &[before], (0.01, 1), &no_torque)[0];
                let change = (after.angular_momentum - before.angular_momentum).length();
                assert!(change <= 1e-12, "{integrator:?}: {change:e}");
                assert!((after.momentum - before.momentum).length() <= 1e-12);
                // The same momentum from what turns: I ω in the new orientation.
                let own = after.inertia(&model.bodies[0]) * after.angular_velocity(&model.bodies[0]);
                assert!((own - start.angular_momentum).length() <= 1e-11, "{integrator:?}");
                before = after;
            }
        }
    }
}

/// A steady spin about a principal axis is exact for any step that turns by less than half a turn.
#[test]
fn a_steady_spin_is_exact() {
    for integrator in [Integrator::LieMidpoint, Integrator::SymplecticEuler] {
        let body = body(1.0, DVec3::new(1.0, 2.0, 3.0));
        let start = BodyState::default().moving(&body, DVec3::ZERO, DVec3::new(0.0, 0.0, 10.0));
        let end = run(integrator, &alone(body), &[start], (1.0, 10), &no_torque)[0];
        let expected = exponential(DVec3::new(0.0, 0.0, 10.0));
        assert!((end.orientation.matrix() * DVec3::X - expected * DVec3::X).length() < 1e-13);
    }
}

#[test]
fn the_long_time_integrator_keeps_energy_over_a_million_steps() {
    let body = body(1.0, DVec3::new(1.0, 2.0, 3.0));
    let mut bodies = [BodyState::default().moving(&body, DVec3::ZERO, DVec3::new(0.01, 2.0, 0.02))];
    let model = alone(body);
    let start = Totals::of(&model, &bodies);
    let (mut scratch, mut worst) = (Scratch::default(), 0.0f64);
    let mut law = |_: f64, _: &[BodyState], loads: &mut [Load]| loads.fill(Load::default());
    for k in 0..1_000_000 {
        let span = (f64::from(k) * 0.1, f64::from(k + 1) * 0.1);
        let advanced = Integrator::LieMidpoint.advance(&model, &mut bodies, span, &mut law, &mut scratch);
        assert!(!advanced.inaccurate, "step {k}");
        worst = worst.max((Totals::of(&model, &bodies).kinetic / start.kinetic - 1.0).abs());
    }
    assert!(worst < 1e-10, "energy off by {worst:e}");
    assert_eq!(Totals::of(&model, &bodies).angular_momentum, start.angular_momentum);
}

/// Explicit Euler pulls quaternions and matrices off the rotations; the correction is reported.
#[test]
fn drift_from_rotations_is_reported_and_corrected() {
    for kind in KINDS {
        let body = body(1.0, DVec3::new(1.0, 1.5, 2.0));
        let start = BodyState { orientation: Orientation::IDENTITY.as_kind(kind), ..BodyState::default() };
        let mut bodies = [start.moving(&body, DVec3::ZERO, DVec3::new(0.0, 0.0, 2.0))];
        let model = alone(body);
        let mut law = |_: f64, _: &[BodyState], loads: &mut [Load]| loads.fill(Load::default());
        let advanced = Integrator::ExplicitEuler.advance(
            &model,
            &mut bodies,
            (0.0, 0.01),
            &mut law,
            &mut Scratch::default(),
        );
        // |q + ½ h ω q| = √(1 + (hω/2)²); (1 + h ω*)ᵀ(1 + h ω*) has (hω)² too much across the axis.
        let expected = match kind {
            OrientationKind::Quaternion => (1.0f64 + 0.01 * 0.01).sqrt() - 1.0,
            OrientationKind::Matrix => 0.02 * 0.02,
        };
        assert!((advanced.drift - expected).abs() < 1e-15, "{kind:?}: {}", advanced.drift);
        assert!(bodies[0].orientation.normalized().1 < 1e-15);
    }
}

#[test]
fn packing_and_unpacking_is_the_identity() {
    let turn = Orientation::Quaternion(exponential(DVec3::new(0.1, 0.2, 0.3)));
    let state = BodyState {
        orientation: turn,
        momentum: DVec3::new(4.0, 5.0, 6.0),
        angular_momentum: DVec3::new(7.0, 8.0, 9.0),
        ..BodyState::at(DVec3::new(1.0, 2.0, 3.0))
    };
    let matrix = BodyState { orientation: turn.as_kind(OrientationKind::Matrix), ..state };
    let mut array = Vec::new();
    pack(&[state, matrix], &mut array);
    assert_eq!(array.len(), 13 + 18);
    // Row by row, as the lecture copies R[i, j].
    assert_eq!(array[13 + 3 + 1], matrix.orientation.matrix().y_axis.x);
    let empty = BodyState { orientation: Orientation::Matrix(DMat3::ZERO), ..BodyState::default() };
    let mut back = [BodyState::default(), empty];
    unpack(&array, &mut back);
    assert_eq!(back, [state, matrix]);
    unpack(&array[..20], &mut back);
    assert_eq!(back[1], matrix, "too short an array leaves the rest alone");
}

#[test]
fn jacobis_functions_have_known_values() {
    let (sn, cn, dn) = jacobi(0.7, 0.0);
    assert!((sn - sin(0.7)).abs() < 1e-14 && (cn - cos(0.7)).abs() < 1e-14 && (dn - 1.0).abs() < 1e-14);
    let k = quarter_period(0.5);
    assert!((k - 1.854_074_677_301_372).abs() < 1e-14);
    let (sn, cn, _) = jacobi(k, 0.5);
    assert!((sn - 1.0).abs() < 1e-12 && cn.abs() < 1e-12);
}
