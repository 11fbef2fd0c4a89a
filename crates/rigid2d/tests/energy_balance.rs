//! No response gains energy: of random scenes of discs and outlines, with friction, restitution,
//! and obstacles that are fixed or move. What free bodies gain is at most the work that moving
//! obstacles do on them (Σλ(g⁻ + g⁺)/2 ≤ 0 over all contacts).

use crate::build;

use build::{Build, FIXED, FREE, v};
use carom_rigid2d::rotation::{Rotation, cross, perp};
use carom_rigid2d::{
    ContactSettings, DVec2, Integrator, Motion, Path, Penalty, Placed, PlanarSettings, PointMass, Pose,
    Response, Script, Status, World,
};
use proptest::prelude::*;

const IMPULSIVE: [Response; 5] = [
    Response::Impulse,
    Response::Lcp,
    Response::VelocityProjection,
    Response::ReflectionLcp,
    Response::ReflectionVelocityProjection,
];

/// One body of a random scene.
#[derive(Debug, Clone)]
struct Random {
    corners: usize,
    size: f64,
    mass: f64,
    angle: f64,
    velocity: [f64; 2],
    spin: f64,
    /// 0 fixed, 1 kinematic, else free.
    kind: u32,
}

fn random() -> impl Strategy<Value = Random> {
    let motion = ([-3.0..3.0, -3.0..3.0], -3.0..3.0);
    (1usize..6, 0.45..0.6, 0.2..5.0, 0.0..6.0, motion, 0u32..8).prop_map(
        |(corners, size, mass, angle, (velocity, spin), kind)| Random {
            corners,
            size,
            mass,
            angle,
            velocity,
            spin,
            kind,
        },
    )
}

/// Bodies at the places of a grid, near enough to touch and to overlap a little.
fn scene(list: &[Random], moving_obstacles: bool) -> Build {
    let mut build = Build::new();
    for (k, one) in list.iter().enumerate() {
        let center = v((k % 3) as f64, (k / 3) as f64);
        let velocity = DVec2::from(one.velocity);
        let motion = match one.kind {
            0 => FIXED,
            1 if moving_obstacles => {
                let path = Path::Uniform { velocity, angular_velocity: one.spin };
                Motion::Kinematic(Box::new(Script { start: Pose { position: center, angle: 0.0 }, path }))
            }
            _ => FREE,
        };
        let corner = |i: usize| {
            let at = one.angle + std::f64::consts::TAU * i as f64 / one.corners as f64;
            PointMass { position: center + Rotation::by(at).apply(v(one.size, 0.0)), mass: one.mass }
        };
        let placed = match one.corners {
            1 => Placed::disc(center, one.size, one.mass, motion),
            corners => {
                let points: Vec<_> = (0..corners).map(corner).collect();
                Placed::point_masses(&points, 0.05, motion)
            }
        };
        let body = build.add(Placed { center, ..placed }, velocity);
        build.state.bodies[body].angular_velocity = one.spin;
    }
    build
}

/// Work that kinematic bodies did on free ones through the contacts of the last step, and the size
/// of its terms.
fn work_of_obstacles(world: &World) -> (f64, f64) {
    let (mut work, mut scale) = (0.0, 0.0);
    for touched in world.touched() {
        let contact = &touched.contact;
        let push = touched.impulse * contact.normal + touched.friction[0] * perp(contact.normal);
        for (index, arm, sign) in
            [(contact.first, contact.first_arm, 1.0), (contact.second, contact.second_arm, -1.0)]
        {
            if let Motion::Kinematic(_) = world.model().bodies[index.get()].motion {
                let state = &world.state().bodies[index.get()];
                let done = sign * (push.dot(state.velocity) + cross(arm, push) * state.angular_velocity);
                work += done;
                scale += done.abs();
            }
        }
    }
    (work, scale)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn contacts_never_gain_energy(
        list in prop::collection::vec(random(), 2..10),
        restitution in prop_oneof![Just(0.0), Just(1.0), 0.0..1.0],
        friction in prop_oneof![Just(0.0), 0.0..1.0],
        moving in any::<bool>(),
    ) {
        for response in IMPULSIVE {
            let settings = ContactSettings::with_restitution(response, restitution);
            let contact = ContactSettings { friction, ..settings };
            let mut world = scene(&list, moving).with(0.01, contact);
            for step in 0..12 {
                let before = world.totals().kinetic;
                let report = world.step();
                let changed = world.totals().kinetic - before;
                if report.status == Status::Infeasible {
                    break; // obstacles that close on a body: reported, and without an answer
                }
                let (work, scale) = work_of_obstacles(&world);
                let gained = report.kinetic_after - report.kinetic_before;
                let rounding = 1e-10 * (report.kinetic_before + report.kinetic_after.abs() + scale) + 1e-30;
                prop_assert!(
                    gained <= work + rounding,
                    "{:?}, step {}: gained {:e}, obstacles did {:e}: {:?}", response, step, gained, work, report
                );
                prop_assert!(
                    (changed - gained).abs() <= rounding,
                    "{:?}, step {}: changed by {:e}, reported {:e}: {:?}", response, step, changed, gained, report
                );
            }
        }
    }

    /// Springs between near surfaces store energy and give it back, up to the order of the method:
    /// what moves has never more than at the start.
    #[test]
    fn penalty_springs_give_back_what_they_took(
        list in prop::collection::vec((0.2..5.0, [-3.0..3.0, -3.0..3.0], 0.3..0.44), 2..7),
    ) {
        let mut build = Build::new();
        for (k, &(mass, velocity, radius)) in list.iter().enumerate() {
            let center = v((k % 3) as f64, (k / 3) as f64);
            build.add(Placed::disc(center, radius, mass, FREE), DVec2::from(velocity));
        }
        let penalty = Penalty { stiffness: 1e4, thickness: 0.1 };
        let settings =
            PlanarSettings { penalty: Some(penalty), ..PlanarSettings::new(2e-4, Integrator::VelocityVerlet) };
        let mut world = World::new(build.model, build.state, settings).unwrap();
        let start = world.totals().kinetic;
        for step in 0..2_000 {
            world.step();
            let kinetic = world.totals().kinetic;
            prop_assert!(kinetic <= start * (1.0 + 1e-3), "step {}: {} of {}", step, kinetic, start);
        }
    }
}
