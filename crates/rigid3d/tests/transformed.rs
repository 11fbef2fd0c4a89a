//! The same scene in a moving frame, mirrored, turned, renumbered and at another scale; elastic
//! scenes run backwards.

use crate::build::{Build, body, v};
use carom_rigid3d::orientation::{exponential, logarithm};
use carom_rigid3d::{BodyState, ContactSettings, DVec3, Integrator, Motion, Placed, Response, World};

/// The frame in which a scene is seen.
#[derive(Debug, Clone, Copy)]
struct Look {
    mirrored: bool,
    /// Axis times angle.
    turn: DVec3,
    /// Velocity of everything, in units of the scene.
    frame: DVec3,
    /// Length of a metre; times go with its root, so that gravity is the same.
    scale: f64,
    /// The number of the first body that is added.
    first: usize,
}

const PLAIN: Look = Look { mirrored: false, turn: DVec3::ZERO, frame: DVec3::ZERO, scale: 1.0, first: 0 };

const LOOKS: [Look; 7] = [
    Look { mirrored: true, ..PLAIN },
    Look { turn: DVec3::new(0.3, -0.7, 1.1), ..PLAIN },
    Look { turn: DVec3::new(0.0, std::f64::consts::FRAC_PI_2, 0.0), ..PLAIN },
    Look { frame: DVec3::new(-30.0, 4.0, 7.0), ..PLAIN },
    Look { scale: 1e-3, ..PLAIN },
    Look { scale: 1e3, ..PLAIN },
    Look { first: 2, ..PLAIN },
];

impl Look {
    fn direction(&self, d: DVec3) -> DVec3 {
        exponential(self.turn) * if self.mirrored { v(-d.x, d.y, d.z) } else { d }
    }

    /// Spins and turns are axial: a mirror turns them around.
    fn axial(&self, d: DVec3) -> DVec3 {
        if self.mirrored { v(d.x, -d.y, -d.z) } else { d }
    }

    fn undo(&self, d: DVec3) -> DVec3 {
        let d = exponential(-self.turn) * d;
        if self.mirrored { v(-d.x, d.y, d.z) } else { d }
    }
}

/// One body: half sides of a box, or the radius of a ball three times.
#[derive(Clone, Copy)]
struct Part {
    half: DVec3,
    round: bool,
    center: DVec3,
    turn: DVec3,
    velocity: DVec3,
    spin: DVec3,
}

fn cuboid(half: DVec3, center: DVec3, turn: DVec3, velocity: DVec3, spin: DVec3) -> Part {
    Part { half, round: false, center, turn, velocity, spin }
}

fn ball(radius: f64, center: DVec3, velocity: DVec3) -> Part {
    let half = DVec3::splat(radius);
    Part { half, round: true, center, turn: DVec3::ZERO, velocity, spin: v(0.0, 3.0, 1.0) }
}

/// Bodies that run into each other in flight.
fn meeting() -> Vec<Part> {
    vec![
        ball(0.4, v(-2.0, 0.1, 0.0), v(4.0, 0.0, 0.5)),
        cuboid(v(0.5, 0.3, 0.4), v(0.0, 0.0, 0.2), v(0.2, 0.5, -0.3), v(-1.0, 0.0, 0.0), v(0.5, 1.0, -0.7)),
        ball(0.3, v(1.9, -0.2, 0.4), v(-3.0, 0.1, 0.0)),
        cuboid(v(0.2, 0.4, 0.3), v(0.3, 2.2, 0.0), v(0.0, 0.1, 0.4), v(-0.5, -4.0, 0.1), v(2.0, 0.0, 0.3)),
    ]
}

fn world(look: Look, parts: &[Part], contact: ContactSettings) -> World {
    let mut build = Build::default();
    build.model.forces.gravities.push(look.direction(v(0.3, 0.0, -9.81)));
    let (length, time) = (look.scale, look.scale.sqrt());
    for k in 0..parts.len() {
        let part = parts[(k + look.first) % parts.len()];
        let center = length * look.direction(part.center);
        let half = length * part.half;
        let placed = if part.round {
            Placed::sphere(center, half.x, 1.0, Motion::Free)
        } else {
            Placed::cuboid(center, half, 1.0, Motion::Free).unwrap()
        };
        let added = build.add(placed, DVec3::ZERO);
        let turn = logarithm(exponential(look.turn) * exponential(look.axial(part.turn)));
        let velocity = length / time * look.direction(part.velocity + look.frame);
        let spin = exponential(look.turn) * look.axial(part.spin) / time;
        build.turn(added, turn, velocity, spin);
    }
    build.stepped_by(0.01 * time, Integrator::SymplecticEuler, contact)
}

/// Places and velocities as the plain scene has them, in its order.
fn seen(world: &World, look: Look, seconds: f64) -> Vec<(DVec3, DVec3)> {
    let count = world.state().bodies.len();
    let of = |k: usize| {
        let k = (k + count - look.first) % count;
        let position = look.undo(world.state().bodies[k].position) / look.scale - seconds * look.frame;
        let velocity = look.undo(world.velocity(body(k))) / look.scale.sqrt() - look.frame;
        (position, velocity)
    };
    (0..count).map(of).collect()
}

#[test]
fn what_meets_is_the_same_however_it_is_looked_at() {
    for response in [Response::Impulse, Response::Lcp, Response::VelocityProjection, Response::ReflectionLcp]
    {
        for (restitution, friction) in [(0.0, 0.4), (1.0, 0.0)] {
            let contact =
                ContactSettings { friction, ..ContactSettings::with_restitution(response, restitution) };
            let run = |look: Look| {
                let mut world = world(look, &meeting(), contact);
                let touched = (0..60).filter(|_| world.step().active_contacts > 0).count();
                (seen(&world, look, 0.6), touched)
            };
            let (plain, touched) = run(PLAIN);
            assert!(touched > 0, "{response:?}: they met");
            for look in LOOKS {
                let off = plain
                    .iter()
                    .zip(run(look).0)
                    .map(|(a, b)| (a.0 - b.0).length().max((a.1 - b.1).length()));
                let off = off.fold(0.0, f64::max);
                assert!(off < 1e-6, "{response:?}, COR {restitution}, {look:?}: off by {off:e}");
            }
        }
    }
}

#[test]
fn elastic_balls_find_their_way_back() {
    let parts: Vec<Part> = (0..9)
        .map(|k| {
            let (x, y) = (f64::from(k % 3) - 1.0, f64::from(k / 3) - 1.0);
            ball(0.3, v(x, y, 0.2 * x * y), v(-1.5 * x + 0.3 * y, -1.1 * y + 0.2 * x, 0.4 * x))
        })
        .collect();
    for response in [Response::Impulse, Response::Lcp, Response::ReflectionLcp] {
        let contact = ContactSettings::with_restitution(response, 1.0);
        let mut there = world(PLAIN, &parts, contact);
        let touched: usize = (0..100).map(|_| there.step().impacts).sum();
        assert!(touched > 3, "{response:?}: {touched} impacts");
        let mut state = there.state().clone();
        // Symplectic Euler stores the velocity of half a step before: turned around it is that of
        // half a step after.
        let gravity = 0.01 * v(0.3, 0.0, -9.81);
        for (state, body) in state.bodies.iter_mut().zip(&there.model().bodies) {
            let momentum = -(state.momentum + body.mass * gravity);
            *state = BodyState { momentum, angular_momentum: -state.angular_momentum, ..*state };
        }
        let mut back = world(PLAIN, &parts, contact);
        back.set_state(state).unwrap();
        (0..100).for_each(|_| {
            back.step();
        });
        for (state, part) in back.state().bodies.iter().zip(&parts) {
            let off = (state.position - part.center).length();
            assert!(off < 1e-6, "{response:?}: {off:e} from where it started");
        }
    }
}
