//! The same scene in a moving frame, mirrored, turned, renumbered and at another scale; elastic
//! scenes run backwards.

use super::world;
use crate::build::{Build, FREE, SOLVED, v};
use carom_rigid2d::rotation::Rotation;
use carom_rigid2d::{
    BodyState, ContactSettings, DVec2, Integrator, Motion, Path, Placed, PointMass, Pose, Script, World,
};

/// The frame in which a scene is seen.
#[derive(Debug, Clone, Copy)]
struct Look {
    mirrored: bool,
    angle: f64,
    /// Velocity of everything, in units of the scene.
    frame: DVec2,
    /// Length of a metre; times go with its root, so that gravity is the same.
    scale: f64,
    /// The number of the first body that is added.
    first: usize,
}

const PLAIN: Look = Look { mirrored: false, angle: 0.0, frame: DVec2::ZERO, scale: 1.0, first: 0 };

const LOOKS: [Look; 8] = [
    Look { mirrored: true, ..PLAIN },
    Look { angle: 1.0, ..PLAIN },
    Look { angle: std::f64::consts::FRAC_PI_2, ..PLAIN },
    Look { frame: DVec2::new(0.0, 7.0), ..PLAIN },
    Look { frame: DVec2::new(-30.0, 4.0), ..PLAIN },
    Look { scale: 1e-3, ..PLAIN },
    Look { scale: 1e3, ..PLAIN },
    Look { first: 3, ..PLAIN },
];

impl Look {
    fn direction(&self, d: DVec2) -> DVec2 {
        Rotation::by(self.angle).apply(if self.mirrored { v(-d.x, d.y) } else { d })
    }

    fn place(&self, p: DVec2) -> DVec2 {
        self.scale * self.direction(p)
    }

    fn velocity(&self, u: DVec2) -> DVec2 {
        self.scale.sqrt() * self.direction(u + self.frame)
    }

    fn turn(&self, spin: f64) -> f64 {
        if self.mirrored { -spin } else { spin }
    }

    /// The state of a body as the plain scene has it, at a time of the plain scene.
    fn back(&self, body: &BodyState, time: f64) -> (DVec2, DVec2, f64) {
        let undo = |d: DVec2| {
            let d = Rotation::by(-self.angle).apply(d);
            if self.mirrored { v(-d.x, d.y) } else { d }
        };
        let position = undo(body.position) / self.scale - time * self.frame;
        let velocity = undo(body.velocity) / self.scale.sqrt() - self.frame;
        (position, velocity, self.turn(body.angular_velocity) * self.scale.sqrt())
    }
}

/// One body: corners (one for a disc), place, velocity, spin.
struct Part {
    corners: Vec<DVec2>,
    radius: f64,
    mass: f64,
    center: DVec2,
    velocity: DVec2,
    spin: f64,
    free: bool,
}

/// Boxes that lie on a floor, and bodies that land on it and run into them.
fn landing() -> Vec<Part> {
    vec![
        floor(),
        free(square(0.4), 0.1, 4.0, v(0.0, 0.5), (DVec2::ZERO, 0.0)),
        free(square(0.3), 0.05, 2.0, v(0.13, 1.35), (DVec2::ZERO, 0.0)),
        free(vec![DVec2::ZERO], 0.3, 1.5, v(-3.0, 1.1), (v(4.0, 1.0), 2.0)),
        free(square(0.2), 0.05, 1.0, v(3.0, 2.0), (v(-2.0, 0.5), 3.0)),
        free(vec![DVec2::ZERO], 0.5, 3.0, v(-5.0, 0.5), (v(1.0, 0.0), 0.0)),
    ]
}

/// Bodies that meet in flight and bounce once or twice each: what bounces often is sensitive to its
/// last digit.
fn bouncing() -> Vec<Part> {
    vec![
        floor(),
        free(vec![DVec2::ZERO], 0.3, 1.5, v(-1.5, 1.0), (v(3.0, 1.0), 2.0)),
        free(vec![DVec2::ZERO], 0.4, 2.5, v(1.0, 1.3), (v(-2.0, 0.5), 0.0)),
        free(square(0.3), 0.05, 1.0, v(4.0, 1.2), (v(-1.0, -2.0), 3.0)),
        free(vec![DVec2::ZERO], 0.2, 1.0, v(6.1, 1.9), (v(-5.0, 0.0), -4.0)),
    ]
}

fn square(half: f64) -> Vec<DVec2> {
    vec![v(-half, -half), v(half, -half), v(half, half), v(-half, half)]
}

fn floor() -> Part {
    let corners = vec![v(-30.0, 0.0), v(30.0, 0.0)];
    Part { free: false, ..free(corners, 0.1, 1.0, v(0.0, -0.1), (DVec2::ZERO, 0.0)) }
}

fn free(corners: Vec<DVec2>, radius: f64, mass: f64, center: DVec2, (velocity, spin): (DVec2, f64)) -> Part {
    Part { corners, radius, mass, center, velocity, spin, free: true }
}

fn build(look: &Look, parts: &[Part]) -> (Build, Vec<usize>) {
    let mut build = Build::gravity(look.direction(v(0.0, -9.81)));
    let mut numbers = vec![0; parts.len()];
    for k in (0..parts.len()).map(|k| (k + look.first) % parts.len()) {
        let part = &parts[k];
        let (center, velocity) = (look.place(part.center), look.velocity(part.velocity));
        let start = Pose { position: center, angle: 0.0 };
        let path = Path::Uniform { velocity, angular_velocity: 0.0 };
        let motion = if part.free { FREE } else { Motion::Kinematic(Box::new(Script { start, path })) };
        let placed = match part.corners[..] {
            [_] => Placed::disc(center, look.scale * part.radius, part.mass, motion),
            ref corners => {
                let mass = part.mass / corners.len() as f64;
                let point = |corner: &DVec2| PointMass { position: center + look.place(*corner), mass };
                let points: Vec<_> = corners.iter().map(point).collect();
                Placed::point_masses(&points, look.scale * part.radius, motion)
            }
        };
        numbers[k] = build.add(Placed { center, ..placed }, velocity);
        build.state.bodies[numbers[k]].angular_velocity = look.turn(part.spin) / look.scale.sqrt();
    }
    (build, numbers)
}

fn run(look: &Look, parts: &[Part], contact: ContactSettings, steps: usize) -> Vec<(DVec2, DVec2, f64)> {
    let (build, numbers) = build(look, parts);
    let dt = look.scale.sqrt() / 60.0;
    let mut world = world(build, dt, Integrator::SymplecticEuler, contact);
    for _ in 0..steps {
        world.step();
    }
    let time = steps as f64 / 60.0;
    numbers.iter().map(|&k| look.back(&world.state().bodies[k], time)).collect()
}

#[test]
fn what_lands_is_the_same_however_it_is_looked_at() {
    for friction in [0.0, 0.5] {
        assert_same(&landing(), 120, 0.0, friction);
    }
}

#[test]
fn what_bounces_is_the_same_however_it_is_looked_at() {
    for (restitution, friction) in [(0.5, 0.0), (0.5, 0.4), (1.0, 0.0), (0.9, 0.3)] {
        assert_same(&bouncing(), 45, restitution, friction);
    }
}

fn assert_same(parts: &[Part], steps: usize, restitution: f64, friction: f64) {
    for response in SOLVED {
        let contact =
            ContactSettings { friction, ..ContactSettings::with_restitution(response, restitution) };
        let plain = run(&PLAIN, parts, contact, steps);
        for look in LOOKS {
            let seen = run(&look, parts, contact, steps);
            for (k, (a, b)) in plain.iter().zip(&seen).enumerate() {
                let off = (a.0 - b.0).length().max((a.1 - b.1).length()).max((a.2 - b.2).abs());
                let place = format!("{response:?} {restitution} {friction} {look:?}, body {k}");
                // Meetings are known to a billionth of a size; over a step that is 6e-8 of a speed,
                // and what tumbles makes more of it.
                assert!(off < 1e-5, "{place}: off by {off:e}, {a:?} {b:?}");
            }
        }
    }
}

/// Bodies that rest, and others that hit them where they do. Nothing meets at the border of two
/// steps.
fn hit_where_they_rest() -> [Vec<Part>; 4] {
    let disc = |radius, center, velocity| free(vec![DVec2::ZERO], radius, 1.5, center, (velocity, 0.0));
    let low = || free(square(0.4), 0.1, 4.0, v(0.0, 0.5), (DVec2::ZERO, 0.0));
    let high = || free(square(0.3), 0.05, 2.0, v(0.13, 1.35), (DVec2::ZERO, 0.0));
    let mut landing = landing();
    (landing[3].velocity, landing[4].velocity, landing[5].velocity) =
        (v(4.13, 1.0), v(-2.07, 0.5), v(1.03, 0.0));
    [
        landing,
        vec![floor(), low(), high(), disc(0.3, v(-2.0, 1.5), v(4.13, 1.0))],
        vec![floor(), low(), high(), disc(0.3, v(0.2, 2.5), DVec2::ZERO)],
        vec![
            floor(),
            disc(0.5, v(0.0, 0.5), DVec2::ZERO),
            disc(0.5, v(1.0, 0.5), DVec2::ZERO),
            disc(0.3, v(-2.0, 0.7), v(4.13, 1.0)),
        ],
    ]
}

/// What rests has no speed but rounding: that must not decide how an impact beside it is answered.
#[test]
fn what_is_hit_where_it_rests_is_the_same_however_it_is_looked_at() {
    for (number, parts) in hit_where_they_rest().iter().enumerate() {
        for (response, friction) in SOLVED.into_iter().flat_map(|response| [(response, 0.0), (response, 0.5)])
        {
            let contact = ContactSettings { friction, ..ContactSettings::with_restitution(response, 0.5) };
            let plain = run(&PLAIN, parts, contact, 90);
            // One pair after the other: with friction their order counts.
            let ordered = response == carom_rigid2d::Response::Impulse && friction > 0.0;
            for look in LOOKS.iter().filter(|look| look.first == 0 || !ordered) {
                let seen = run(look, parts, contact, 90);
                for (k, (a, b)) in plain.iter().zip(&seen).enumerate() {
                    let off = (a.0 - b.0).length().max((a.1 - b.1).length()).max((a.2 - b.2).abs());
                    let place = format!("scene {number}, {response:?} {friction} {look:?}, body {k}");
                    assert!(off < 1e-4, "{place}: off by {off:e}, {a:?} {b:?}");
                }
            }
        }
    }
}

/// Steps until elastic discs are turned round.
const STEPS_BACK: usize = 130;

fn reverse(world: &mut World, ahead: DVec2) {
    let mut state = world.state().clone();
    for body in &mut state.bodies {
        body.velocity = -(body.velocity + ahead);
        body.angular_velocity = -body.angular_velocity;
    }
    world.set_state(state).unwrap();
}

/// Elastic discs in a box, with and without gravity: turned round, they go back to where they came
/// from. Symplectic Euler keeps velocities half a step behind, so what is turned round is the next
/// one.
#[test]
fn elastic_discs_find_their_way_back() {
    for response in SOLVED {
        for (integrator, gravity) in [
            (Integrator::SymplecticEuler, 0.0),
            (Integrator::VelocityVerlet, 0.0),
            (Integrator::SymplecticEuler, -9.81),
            (Integrator::VelocityVerlet, -9.81),
        ] {
            let mut build = Build::gravity(v(0.0, gravity));
            let corners = [v(0.0, 0.0), v(3.0, 0.0), v(3.0, 3.0), v(0.0, 3.0)];
            for k in 0..4 {
                build.outline(&[corners[k], corners[(k + 1) % 4]], 0.1, crate::build::FIXED);
            }
            build.disc(v(0.6, 0.9), 0.2, v(4.5, 0.9));
            build.disc(v(1.6, 1.2), 0.3, v(-3.0, 1.2));
            build.disc(v(2.3, 0.7), 0.25, v(-2.1, 0.6));
            let start = build.state.clone();
            let dt = 1.0 / 60.0;
            let contact = ContactSettings::with_restitution(response, 1.0);
            let mut world = world(build, dt, integrator, contact);
            let ahead = match integrator {
                Integrator::SymplecticEuler => v(0.0, gravity * dt),
                _ => DVec2::ZERO,
            };
            let mut impacts = 0;
            for _ in 0..STEPS_BACK {
                impacts += world.step().impacts;
            }
            assert!(impacts >= 6, "{response:?} {integrator:?} {gravity}: {impacts} impacts");
            reverse(&mut world, ahead);
            for _ in 0..STEPS_BACK {
                world.step();
            }
            for (k, (a, b)) in start.bodies.iter().zip(&world.state().bodies).enumerate() {
                let off = (a.position - b.position).length();
                assert!(off < 1e-6, "{response:?} {integrator:?} {gravity}: body {k} off by {off:e}");
            }
        }
    }
}
