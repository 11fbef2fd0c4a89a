//! Nothing gets to the wrong side, at any speed.

use super::scenes::*;
use carom_particles::*;
use glam::DVec2;
use proptest::prelude::*;

/// Which side of the line through the segment, and where along it.
fn side(point: DVec2, a: DVec2, b: DVec2) -> (f64, f64) {
    let e = b - a;
    (e.perp_dot(point - a), (point - a).dot(e) / e.length_squared())
}

/// Whether straight motion of all three crosses the segment: the side changes its sign at a time
/// when the foot is on the segment. Times are found by bisection between samples.
fn crosses(start: [DVec2; 3], end: [DVec2; 3]) -> bool {
    let at = |t: f64| {
        let [p, a, b] = [0, 1, 2].map(|k: usize| start[k] + t * (end[k] - start[k]));
        side(p, a, b)
    };
    let samples = 300;
    let time = |k: i32| f64::from(k) / f64::from(samples);
    (0..samples).any(|k| {
        let (mut low, mut high) = (time(k), time(k + 1));
        let sign = at(low).0;
        if sign * at(high).0 >= 0.0 {
            return false;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if sign * at(middle).0 > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        (0.001..0.999).contains(&at(low).1)
    })
}

/// A fast particle and a thin edge that moves, both ends with a velocity of their own.
#[derive(Debug, Clone)]
struct Throw {
    numbers: [f64; 12],
    speed: i32,
    thickness: f64,
    fixed: bool,
    restitution: f64,
}

fn throws() -> impl Strategy<Value = Throw> {
    let thickness = prop_oneof![Just(0.0), Just(1e-9), Just(1e-4), Just(0.02)];
    let restitution = prop_oneof![Just(0.0), Just(0.5), Just(1.0)];
    (prop::array::uniform12(-1.0_f64..1.0), 0_i32..7, thickness, any::<bool>(), restitution)
        .prop_map(|(numbers, speed, thickness, fixed, restitution)| Throw {
            numbers,
            speed,
            thickness,
            fixed,
            restitution,
        })
        .prop_filter("the particle begins beside a long edge", |throw| {
            let c = throw.numbers;
            let (a, b) = (v(c[0], c[1]), v(c[2], c[3]));
            let length = (b - a).length();
            length > 0.2 && side(v(c[4], c[5]) * 2.0, a, b).0.abs() / length > 0.05
        })
}

fn passes(throw: &Throw, response: Response) -> Result<(), TestCaseError> {
    let Throw { numbers: c, thickness, fixed, .. } = *throw;
    let fast = 10.0_f64.powi(throw.speed);
    let mut scene = Scene::default()
        .particle(1.0, thickness, v(c[4], c[5]) * 2.0, v(c[6], c[7]) * fast)
        .particle(2.0, thickness, v(c[0], c[1]), v(c[8], c[9]) * fast * 0.5)
        .particle(3.0, thickness, v(c[2], c[3]), v(c[10], c[11]) * fast * 0.5)
        .edge(1, 2, thickness);
    scene.model.particles[1].fixed = fixed;
    scene.model.particles[2].fixed = fixed;
    let settings = ParticleSettings { integrator: Integrator::ExplicitEuler, ..steps_of(1.0) };
    let mut world = scene.world(response, throw.restitution, settings);
    for _ in 0..2 {
        let before = world.state().clone();
        let report = world.step();
        prop_assert!(report.status.is_completed());
        let Some(way) = way(&before, &world) else { continue };
        for piece in way.windows(2) {
            prop_assert!(
                !crosses(piece[0], piece[1]),
                "passed through: {:?} to {:?}, {:?}",
                piece[0],
                piece[1],
                report.collisions
            );
        }
    }
    Ok(())
}

/// Where the three are at the start, at each impact and at the end of a step of one second without
/// forces: straight lines lie between. None where there are more than two impacts: then it is not
/// known from start and end.
fn way(before: &State, world: &World) -> Option<Vec<[DVec2; 3]>> {
    let after = world.state();
    let mut times: Vec<f64> = world.contacts().iter().map(|contact| contact.time).collect();
    times.retain(|time| *time > 0.0);
    times.sort_by(f64::total_cmp);
    times.dedup();
    let at = |place: &dyn Fn(usize) -> DVec2| [place(0), place(1), place(2)];
    let mut way = vec![at(&|k| before.positions[k])];
    if let Some(&first) = times.first() {
        way.push(at(&|k| before.positions[k] + first * before.velocities[k]));
    }
    if let Some(&last) = times.get(1) {
        way.push(at(&|k| after.positions[k] - (1.0 - last) * after.velocities[k]));
    }
    way.push(at(&|k| after.positions[k]));
    (times.len() <= 2).then_some(way)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]
    #[test]
    fn a_fast_particle_never_passes_a_thin_edge(throw in throws()) {
        passes(&throw, Response::ContinuousTime)?;
    }
}

/// A disc that had just met the end of an edge at 10 km/s passed through the edge, which turns
/// towards it: the first look after the meeting came too late.
#[test]
fn a_particle_that_met_an_end_does_not_pass_the_edge() {
    let numbers = [
        -0.5598870413363107,
        0.13003756846926817,
        0.0,
        0.0,
        -0.39449956834036315,
        0.17097484950396244,
        0.5756761378998352,
        -0.38246817206125794,
        0.4408620964234073,
        0.07787106537275751,
        0.0,
        -0.8419198602159725,
    ];
    let throw = Throw { numbers, speed: 4, thickness: 0.02, fixed: false, restitution: 0.5 };
    passes(&throw, Response::ContinuousTime).unwrap();
}

/// A point in a box of lines without thickness: wherever rounding puts it, it stays inside. The
/// side of a wall is all that there is.
#[test]
fn nobody_leaves_a_box_of_lines() {
    for response in CLEAN {
        for radius in [0.0, 1e-12, 1e-9, 1e-6] {
            for k in 0..40 {
                let speed = 10.0 * 1.2_f64.powi(k);
                let angle = 0.1 + 0.157 * f64::from(k);
                let mut scene = Scene::default();
                for corner in [v(-1.0, -1.0), v(1.0, -1.0), v(1.0, 1.0), v(-1.0, 1.0)] {
                    scene = scene.particle(1.0, radius, corner, v(0.0, 0.0)).fixed();
                }
                for k in 0..4 {
                    scene = scene.edge(k, (k + 1) % 4, radius);
                }
                let (sin, cos) = carom_numerics::elementary::sin_cos(angle);
                let velocity = speed * v(cos, sin);
                let mut world =
                    scene.particle(1.0, radius, v(0.1, 0.2), velocity).world(response, 1.0, steps_of(0.1));
                for step in 0..5 {
                    let report = world.step();
                    let x = world.state().positions[4];
                    let inside = x.x.abs() < 1.0 && x.y.abs() < 1.0;
                    assert!(
                        inside,
                        "{response:?}, radius {radius}, speed {speed}: at {x} after step {step}, {report:?}"
                    );
                }
            }
        }
    }
}

/// A box of lines that moves half of its width in a step, with balls inside that would pass it a
/// thousand times.
#[test]
fn nobody_leaves_a_box_that_moves() {
    for response in CLEAN {
        for seed in 0..4 {
            let mut random = random(seed);
            let (drift, speed) = (v(200.0 * random() - 100.0, 200.0 * random() - 100.0), 2.5e5);
            let mut scene = Scene::default();
            for corner in [v(-1.0, -1.0), v(1.0, -1.0), v(1.0, 1.0), v(-1.0, 1.0)] {
                scene = scene.particle(1.0, 0.05, corner, drift).fixed();
            }
            for k in 0..4 {
                scene = scene.edge(k, (k + 1) % 4, 0.0);
            }
            for k in 0..12 {
                let x = v(-0.75 + 0.5 * f64::from(k % 4), -0.6 + 0.6 * f64::from(k / 4));
                scene = scene.particle(1.0, 0.05, x, speed * v(random() - 0.5, random() - 0.5));
            }
            let mut world = scene.world(response, 1.0, steps_of(0.01));
            for step in 0..20 {
                let report = world.step();
                let x = &world.state().positions;
                let center = 0.5 * (x[0] + x[2]);
                for (i, x) in x.iter().enumerate().skip(4) {
                    let inside = (*x - center).abs().max_element() < 1.0;
                    assert!(
                        inside,
                        "{response:?} seed {seed}: {i} is out after step {step}, {:?}",
                        report.collisions
                    );
                }
            }
        }
    }
}

/// A pen of free edges that turn when they are struck: what comes nearer later on the way is seen
/// too.
#[test]
fn nobody_leaves_a_pen_that_is_torn_about() {
    for response in CLEAN {
        for seed in 0..30 {
            let mut world = pen(seed, response);
            for step in 0..3 {
                world.step();
                let x = &world.state().positions;
                for i in 4..x.len() {
                    let turns =
                        (0..4).filter(|&k| (x[(k + 1) % 4] - x[k]).perp_dot(x[i] - x[k]) > 0.0).count();
                    let convex = (0..4)
                        .all(|k| (x[(k + 1) % 4] - x[k]).perp_dot(x[(k + 2) % 4] - x[(k + 1) % 4]) > 0.0);
                    assert!(
                        !convex || turns == 4,
                        "{response:?} seed {seed}: particle {i} is out after step {step}"
                    );
                }
            }
        }
    }
}

fn pen(seed: u64, response: Response) -> World {
    let mut random = random(seed);
    let mut scene = Scene::default();
    for corner in [v(0.0, 0.0), v(2.0, 0.0), v(2.0, 2.0), v(0.0, 2.0)] {
        scene = scene.particle(1.0, 0.1, corner, v(0.0, 0.0));
    }
    for k in 0..4 {
        scene = scene.edge(k, (k + 1) % 4, 0.015);
    }
    for k in 0..3 {
        let x = v(0.5 + 0.5 * f64::from(k), 0.7 + 0.6 * random());
        scene = scene.particle(1.0, 0.1, x, 250.0 * v(random() - 0.5, random() - 0.5));
    }
    scene.world(response, 0.0, steps_of(0.02))
}

/// Numbers between 0 and 1 that look random.
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A crowd between four walls of edges, thrown at random: nobody leaves.
fn crowd(seed: u64, response: Response, restitution: f64) -> World {
    let mut random = random(seed);
    let mut scene = Scene::default().gravity(v(0.0, -5.0));
    for corner in [v(-1.0, -1.0), v(1.0, -1.0), v(1.0, 1.0), v(-1.0, 1.0)] {
        scene = scene.particle(1.0, 0.02, corner, v(0.0, 0.0)).fixed();
    }
    for k in 0..4 {
        scene = scene.edge(k, (k + 1) % 4, 0.02);
    }
    for row in 0..5 {
        for column in 0..5 {
            let x = v(-0.8 + 0.4 * f64::from(column), -0.8 + 0.4 * f64::from(row));
            scene = scene.particle(0.5 + random(), 0.08, x, 40.0 * v(random() - 0.5, random() - 0.5));
        }
    }
    // a few sticks
    for k in 0..4 {
        let first = 4 + 5 * k;
        scene = scene.edge(first, first + 1, 0.03);
        let spring = force::Spring {
            first: ParticleIndex(first),
            second: ParticleIndex(first + 1),
            stiffness: 100.0,
            rest_length: 0.4,
            damping: 0.5,
        };
        scene.model.forces.springs.push(spring);
    }
    scene.world(response, restitution, steps_of(0.02))
}

#[test]
fn nobody_leaves_a_crowded_box() {
    for response in CLEAN {
        for (seed, restitution) in [(1, 1.0), (2, 0.5), (3, 0.0)] {
            let mut world = crowd(seed, response, restitution);
            for step in 0..60 {
                let report = world.step();
                assert!(report.status.is_completed(), "{response:?} seed {seed} step {step}");
                for (i, x) in world.state().positions.iter().enumerate() {
                    let inside = x.x.abs() <= 1.0 && x.y.abs() <= 1.0;
                    assert!(
                        inside,
                        "{response:?} seed {seed}: particle {i} is out at {x} after step {step}, {:?}",
                        report.collisions
                    );
                }
            }
        }
    }
}

#[test]
fn nobody_sinks_through_a_half_plane() {
    for response in CLEAN {
        let mut scene = Scene::default().gravity(v(0.0, -10.0)).half_plane(v(0.0, 0.0), v(0.0, 1.0));
        for k in 0..12 {
            scene = scene.particle(
                1.0,
                0.1,
                v(0.01 * f64::from(k % 3), 0.2 + 0.25 * f64::from(k)),
                v(0.0, -30.0),
            );
        }
        let mut world = scene.world(response, 0.3, steps_of(0.02));
        for step in 0..100 {
            world.step();
            let lowest = world.state().positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
            assert!(lowest > 0.0, "{response:?}: at {lowest} after step {step}");
        }
    }
}
