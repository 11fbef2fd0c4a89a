//! Impacts keep what they must keep, and give the closed forms.

use crate::build;

use build::{Build, body, deepest, rack, v};
use carom_rigid3d::{
    ContactSettings, DVec3, Integrator, Motion, Response, SpatialContact, Status, StepReport, Touched, World,
};

const REFLECTIONS: [Response; 2] = [Response::ReflectionLcp, Response::ReflectionVelocityProjection];
const ALL: [Response; 5] = [
    Response::Impulse,
    Response::Lcp,
    Response::VelocityProjection,
    Response::ReflectionLcp,
    Response::ReflectionVelocityProjection,
];
const FREE: Motion = Motion::Free;

fn bouncing(response: Response, restitution: f64) -> ContactSettings {
    ContactSettings::with_restitution(response, restitution)
}

fn momentum_scale(world: &World) -> f64 {
    world.state().bodies.iter().map(|state| state.momentum.length()).sum()
}

fn angular_scale(world: &World) -> f64 {
    let own = |s: &carom_rigid3d::BodyState| {
        s.momentum.length() * s.position.length() + s.angular_momentum.length()
    };
    world.state().bodies.iter().map(own).sum()
}

fn assert_momentum_kept(world: &World, report: &StepReport) {
    let linear = DVec3::from_array(report.momentum_change).length();
    assert!(linear <= 1e-12 * momentum_scale(world), "momentum changed by {linear:e}");
    let angular = DVec3::from_array(report.angular_momentum_change).length();
    assert!(angular <= 1e-12 * angular_scale(world), "angular momentum changed by {angular:e}");
}

/// The same where something lands or slides without bounce. A meeting is then a row over the whole
/// step, at the arms of the meeting: its line of action is off by at most the way that the two
/// bodies go against each other in a step.
fn assert_nearly_kept(world: &World, report: &StepReport, fastest: f64) {
    let linear = DVec3::from_array(report.momentum_change).length();
    assert!(linear <= 1e-12 * momentum_scale(world), "momentum changed by {linear:e}");
    let pushed = |t: &Touched<SpatialContact>| t.impulse + t.friction[0].abs() + t.friction[1].abs();
    let impulse: f64 = world.touched().iter().map(pushed).sum();
    let off = 1e-12 * angular_scale(world) + impulse * 2.0 * fastest * world.settings().dt;
    let angular = DVec3::from_array(report.angular_momentum_change).length();
    assert!(angular <= off, "angular momentum changed by {angular:e}, not {off:e}");
}

/// The fastest point of any body, which are no larger than 2.
fn fastest(world: &World) -> f64 {
    let speed = |k| world.velocity(body(k)).length() + 2.0 * world.angular_velocity(body(k)).length();
    (0..world.model().bodies.len()).map(speed).fold(0.0, f64::max)
}

fn assert_kept(world: &World, report: &StepReport) {
    assert_momentum_kept(world, report);
    let energy = (report.kinetic_after - report.kinetic_before).abs();
    assert!(energy <= 1e-10 * report.kinetic_before, "energy changed by {energy:e}");
}

/// j = −(1 + ε) v_rel / (1/Ma + 1/Mb), along the line of centres.
#[test]
fn the_lectures_impulse_of_two_balls() {
    for response in ALL {
        let mut build = Build::default();
        build.ball(v(-1.0, 0.0, 0.0), 1.0, v(2.0, 1.0, 0.0));
        let heavy = build.ball(v(1.0, 0.0, 0.0), 1.0, v(-1.0, 0.0, 3.0));
        let inertia = *build.model.bodies[heavy].inertia();
        let shape = build.model.bodies[heavy].shape.clone();
        build.model.bodies[heavy] = carom_rigid3d::Body::new(3.0, inertia * 3.0, shape, FREE);
        build.turn(heavy, DVec3::ZERO, v(-1.0, 0.0, 3.0), DVec3::ZERO);
        let mut world = build.with(1e-15, bouncing(response, 0.5));
        world.step();
        let j = 1.5 * 3.0 / (1.0 + 1.0 / 3.0);
        assert!((world.velocity(body(0)) - v(2.0 - j, 1.0, 0.0)).length() < 1e-12, "{response:?}");
        assert!((world.velocity(body(1)) - v(-1.0 + j / 3.0, 0.0, 3.0)).length() < 1e-12);
        let touched = world.touched()[0];
        assert!((touched.impulse * touched.contact.normal - v(j, 0.0, 0.0)).length() < 1e-12);
    }
}

/// A cube of half side 1 has I = 2M/3 about every axis, so j = (1 + ε) M V / (1 + 3/2 |r × n|²) at
/// the corner r.
#[test]
fn the_lectures_impulse_of_a_corner_on_the_floor() {
    for response in ALL {
        let mut build = Build::on_floor();
        build.model.forces.gravities.clear();
        let cube = build.cuboid(DVec3::ZERO, DVec3::ONE, FREE);
        build.turn(cube, v(0.5, 0.3, 0.1), v(0.0, 0.0, -2.0), DVec3::ZERO);
        let corners = (0..8).map(|k| {
            let sign = |bit: u32| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
            build.state.bodies[cube].world_point(v(sign(0), sign(1), sign(2)))
        });
        let arm = corners.min_by(|a, b| a.z.total_cmp(&b.z)).unwrap();
        build.state.bodies[cube].position.z = -arm.z;
        let mut world = build.with(1e-12, bouncing(response, 0.5));
        world.step();
        let mass = 8.0;
        let j = 1.5 * mass * 2.0 / (1.0 + 1.5 * arm.cross(DVec3::Z).length_squared());
        assert!((world.velocity(body(cube)) - v(0.0, 0.0, j / mass - 2.0)).length() < 1e-9, "{response:?}");
        let spin = arm.cross(DVec3::Z) * j * 1.5 / mass;
        assert!((world.angular_velocity(body(cube)) - spin).length() < 1e-9);
    }
}

/// Edges across each other at arms (dx, 0, √2) and (0, −dy, −√2): j = (1 + ε) V M / (2 + 3/2 (dx² +
/// dy²)).
#[test]
fn the_lectures_impulse_of_an_edge_on_an_edge() {
    let quarter = std::f64::consts::FRAC_PI_4;
    let (dx, dy, speed, mass) = (0.3, 0.4, 2.0, 8.0);
    for response in ALL {
        let mut build = Build::default();
        let below = build.cuboid(DVec3::ZERO, DVec3::ONE, FREE);
        build.turn(below, v(quarter, 0.0, 0.0), DVec3::ZERO, DVec3::ZERO);
        let above = build.cuboid(v(dx, dy, 8f64.sqrt()), DVec3::ONE, FREE);
        build.turn(above, v(0.0, quarter, 0.0), v(0.0, 0.0, -speed), DVec3::ZERO);
        let mut world = build.with(1e-12, bouncing(response, 0.5));
        let report = world.step();
        assert_momentum_kept(&world, &report);
        let j = 1.5 * speed * mass / (2.0 + 1.5 * (dx * dx + dy * dy));
        assert!((world.velocity(body(below)) - v(0.0, 0.0, -j / mass)).length() < 1e-9, "{response:?}");
        assert!((world.velocity(body(above)) - v(0.0, 0.0, j / mass - speed)).length() < 1e-9);
        let spins = [v(0.0, dx, 0.0), v(-dy, 0.0, 0.0)].map(|turn| turn * j * 1.5 / mass);
        assert!((world.angular_velocity(body(below)) - spins[0]).length() < 1e-9);
        assert!((world.angular_velocity(body(above)) - spins[1]).length() < 1e-9);
    }
}

#[test]
fn equal_masses_swap() {
    for response in ALL {
        let mut build = Build::default();
        build.ball(v(-1.0, 0.0, 0.0), 1.0, v(3.0, 0.0, 1.0));
        build.ball(v(1.0, 0.0, 0.0), 1.0, v(-1.0, 2.0, 0.0));
        let mut world = build.with(1e-15, bouncing(response, 1.0));
        let report = world.step();
        assert_kept(&world, &report);
        assert!((world.velocity(body(0)) - v(-1.0, 0.0, 1.0)).length() < 1e-12, "{response:?}");
        assert!((world.velocity(body(1)) - v(3.0, 2.0, 0.0)).length() < 1e-12);
    }
}

fn tumbling_boxes() -> Build {
    let mut build = Build::default();
    for k in 0..12 {
        let place = v(f64::from(k % 3) * 2.5, f64::from(k / 3 % 2) * 2.4, f64::from(k / 6) * 2.6);
        let cube = build.cuboid(place, v(0.9, 1.0, 0.8), FREE);
        let s = f64::from(k);
        build.turn(cube, v(0.1 * s, 0.2, -0.07 * s), v(0.0, 0.1 * s, 0.0), v(0.5 - 0.1 * s, 0.3, 0.02 * s));
    }
    let striker = build.cuboid(v(-4.0, 1.0, 1.2), v(1.0, 0.5, 0.7), FREE);
    build.turn(striker, v(0.3, 0.2, 0.1), v(9.0, 0.4, 0.3), v(0.1, 1.0, 0.0));
    build.ball(v(-3.0, 4.5, 1.0), 0.8, v(5.0, -6.0, 0.4));
    build
}

#[test]
fn momentum_and_energy_are_kept_in_a_break_of_tumbling_boxes() {
    for response in [REFLECTIONS[0], REFLECTIONS[1], Response::Impulse] {
        let mut world = tumbling_boxes().with(0.01, bouncing(response, 1.0));
        let mut impacts = 0;
        for _ in 0..200 {
            let report = world.step();
            impacts += report.impacts;
            if report.contacts > 0 {
                assert_kept(&world, &report);
            }
        }
        assert!(impacts >= 15, "{response:?}: only {impacts} impacts");
    }
}

#[test]
fn energy_is_never_gained_and_momentum_is_kept_for_any_restitution() {
    for response in ALL {
        for percent in [0, 30, 70, 100] {
            let restitution = f64::from(percent) / 100.0;
            for friction in [0.0, 0.4] {
                // Newton's law of restitution together with friction may gain energy (Kane and
                // Levinson 1985): the simultaneous responses follow it, and promise nothing there.
                let newton = matches!(response, Response::Lcp | Response::VelocityProjection);
                if newton && percent > 0 && friction > 0.0 {
                    continue;
                }
                let contact = ContactSettings { friction, ..bouncing(response, restitution) };
                let mut world = tumbling_boxes().with(0.01, contact);
                for step in 0..100 {
                    let speed = fastest(&world);
                    let report = world.step();
                    let gained = report.kinetic_after - report.kinetic_before;
                    let scale = report.kinetic_before.max(1.0);
                    assert!(
                        gained <= 1e-10 * scale,
                        "{response:?} {restitution} {friction} step {step}: {gained:e}"
                    );
                    assert_nearly_kept(&world, &report, speed);
                }
            }
        }
    }
}

#[test]
fn a_cradle_passes_the_full_speed_to_the_last_balls() {
    for response in REFLECTIONS {
        for strikers in 1..=3 {
            let mut build = Build::default();
            let along = v(0.6, 0.0, 0.8);
            for k in 0..5 + strikers {
                let striking = k < strikers;
                let s = 0.2 * f64::from(k) - if striking { 0.01 } else { 0.0 };
                build.ball(s * along, 0.1, if striking { 3.0 * along } else { DVec3::ZERO });
            }
            let mut world = build.world(0.001, response);
            for _ in 0..20 {
                let report = world.step();
                if report.contacts > 0 {
                    assert_kept(&world, &report);
                }
            }
            for k in 0..5 + strikers as usize {
                let expected = if k >= 5 { 3.0 } else { 0.0 };
                let off = (world.velocity(body(k)) - expected * along).length();
                assert!(off < 1e-10, "{strikers}: ball {k} off by {off:e}");
            }
        }
    }
}

/// A ball on three that touch each other, a pyramid: the striker keeps −1/3 of its speed, the
/// others leave with 2/3 √(2/3) of it along their normals. (Three contacts at √(2/3) to the axis
/// and 60° to each other: λ = 2/3 √(2/3) m v each.)
#[test]
fn one_ball_on_three_gives_the_closed_form() {
    for response in REFLECTIONS {
        let mut build = Build::default();
        let height = (8.0f64 / 3.0).sqrt();
        build.ball(v(0.0, 0.0, height), 1.0, v(0.0, 0.0, -4.0));
        let side = 2.0 / 3f64.sqrt();
        let places = [v(side, 0.0, 0.0), v(-0.5 * side, 1.0, 0.0), v(-0.5 * side, -1.0, 0.0)];
        for place in places {
            build.ball(place, 1.0, DVec3::ZERO);
        }
        let mut world = build.world(1e-12, response);
        let report = world.step();
        // Three push at the instant; all six touch and are solved together.
        assert_eq!(report.contact_rows, 6);
        assert_kept(&world, &report);
        assert!((world.velocity(body(0)) - v(0.0, 0.0, 4.0 / 3.0)).length() < 1e-9, "{response:?}");
        for (k, place) in places.into_iter().enumerate() {
            let normal = (place - v(0.0, 0.0, height)) / 2.0;
            let expected = 4.0 * (2.0 / 3.0) * (2.0f64 / 3.0).sqrt() * normal;
            assert!((world.velocity(body(k + 1)) - expected).length() < 1e-9);
        }
    }
}

#[test]
fn a_fifteen_ball_break_racked_at_exact_touch_stays_mirror_symmetric() {
    let rows = 5;
    for response in REFLECTIONS {
        let mut world = rack(rows, 0.05, 10.0).world(0.01, response);
        let mut contacts = 0;
        for step in 0..400 {
            let report = world.step();
            contacts = contacts.max(report.contact_rows);
            assert_kept(&world, &report);
            let off = asymmetry(&world, rows);
            assert!(off <= 1e-12, "{response:?}: off by {off:e} at step {step}");
        }
        assert_eq!(contacts, 3 * rows * (rows - 1) / 2 + 1, "the rack really was in touch");
    }
}

/// Largest distance of a ball from the mirror image, y to −y, of its partner, and from the plane.
fn asymmetry(world: &World, rows: usize) -> f64 {
    let bodies = &world.state().bodies;
    let mut worst = bodies[0].position.y.abs().max(bodies[0].momentum.y.abs());
    let mut start = 1;
    for row in 0..rows {
        for k in 0..=row {
            let (a, b) = (&bodies[start + k], &bodies[start + row - k]);
            let mirrored = v(1.0, -1.0, 1.0);
            worst = worst
                .max((a.position - mirrored * b.position).length())
                .max((a.momentum - mirrored * b.momentum).length())
                .max(a.position.z.abs());
        }
        start += row + 1;
    }
    worst
}

/// Peaks of a bouncing ball: each is ε² times the one before. Between impacts the fourth-order
/// method is exact.
#[test]
fn bounce_heights_are_the_square_of_restitution() {
    for response in [Response::Impulse, Response::Lcp, Response::VelocityProjection, Response::ReflectionLcp]
    {
        for restitution in [0.5, 0.8, 1.0] {
            let mut build = Build::on_floor();
            build.ball(v(0.0, 0.0, 1.5), 0.5, DVec3::ZERO);
            let contact = bouncing(response, restitution);
            let mut world = build.stepped_by(0.01, Integrator::RungeKutta4, contact);
            let mut peaks = Vec::new();
            let mut rising = false;
            for _ in 0..110 {
                world.step();
                let speed = world.velocity(body(1)).z;
                if rising && speed <= 0.0 {
                    // The peak of the parabola that it is on.
                    let height = world.state().bodies[1].position.z - 0.5;
                    peaks.push(height + speed * speed / (2.0 * build::GRAVITY));
                }
                rising = speed > 0.0;
            }
            assert!(!peaks.is_empty());
            let mut expected = 1.0;
            for peak in peaks {
                expected *= restitution * restitution;
                assert!((peak - expected).abs() < 1e-6, "{response:?} {restitution}: {peak} for {expected}");
            }
        }
    }
}

/// Impacts at their instants: the box is above the floor at every frame.
#[test]
fn a_tumbling_box_that_bounces_is_never_in_the_floor() {
    let mut build = Build::on_floor();
    let cube = build.cuboid(v(0.0, 0.0, 2.0), v(0.5, 0.4, 0.3), FREE);
    build.turn(cube, v(0.4, 0.7, 0.1), DVec3::ZERO, v(1.0, 2.0, 3.0));
    let contact = bouncing(Response::Impulse, 0.5);
    let mut world = build.stepped_by(0.01, Integrator::RungeKutta4, contact);
    let mut impacts = 0;
    for _ in 0..100 {
        let report = world.step();
        impacts += report.impacts;
        let depth = deepest(&world);
        assert!(depth <= 1e-8, "{depth:e} deep: {report:?}");
    }
    assert!(impacts >= 2, "{impacts}");
}

/// A blow travels along thirty balls that touch, one contact after the other.
#[test]
fn impulses_go_on_until_nothing_approaches() {
    let mut build = Build::default();
    for k in 0..30 {
        let velocity = if k == 29 { v(-1.0, 0.0, 0.0) } else { DVec3::ZERO };
        build.ball(v(2.0 * f64::from(k), 0.0, 0.0), 1.0, velocity);
    }
    let mut world = build.with(1e-9, bouncing(Response::Impulse, 0.5));
    let report = world.step();
    assert_eq!(report.status, Status::Solved);
    assert_momentum_kept(&world, &report);
    for k in 1..30 {
        let parting = world.velocity(body(k)).x - world.velocity(body(k - 1)).x;
        assert!(parting >= -1e-9, "balls {} and {k} approach by {parting:e}", k - 1);
    }
}

#[test]
fn resuming_equals_running_and_order_does_not_matter() {
    for response in ALL {
        let mut run = tumbling_boxes().with(0.01, bouncing(response, 0.5));
        for _ in 0..40 {
            run.step();
        }
        let mut resumed = tumbling_boxes().with(0.01, bouncing(response, 0.5));
        resumed.set_state(run.state().clone()).unwrap();
        for _ in 0..40 {
            run.step();
            resumed.step();
        }
        assert_eq!(run.state(), resumed.state(), "{response:?}");
    }
    for response in REFLECTIONS {
        let forward = rack(5, 0.05, 10.0);
        let mut backward = forward.clone();
        backward.model.bodies.reverse();
        backward.state.bodies.reverse();
        let (mut a, mut b) = (forward.world(0.01, response), backward.world(0.01, response));
        for _ in 0..100 {
            a.step();
            b.step();
        }
        for (x, y) in a.state().bodies.iter().zip(b.state().bodies.iter().rev()) {
            assert!((x.position - y.position).length() < 1e-12 && (x.momentum - y.momentum).length() < 1e-12);
        }
    }
}
