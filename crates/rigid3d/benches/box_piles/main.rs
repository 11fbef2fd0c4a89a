//! What a step of a pile of boxes costs, and how well it is solved.
//!
//! `cargo bench -p carom-rigid3d` prints a table; numbers after `--` choose the numbers of boxes, and `--features peers` adds Rapier
//! on the same pile. Boxes of side 1 fall from a loose cubic grid, a little turned, onto a floor. `meeting` is the time while rows
//! land and everything hangs together; `settled` is the time after it.
#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

#[cfg(feature = "peers")]
mod peers;

use carom_rigid3d::orientation::exponential;
use carom_rigid3d::{
    BodyState, ContactSettings, DVec3, Integrator, Model, Motion, Orientation, OrientationKind, Placed,
    Response, Settings, State, World,
};
use std::time::Instant;

/// Steps of free fall, then steps of each of the two timed parts.
const FALL: usize = 25;
const MEETING: usize = 45;
const SETTLED: usize = 40;

/// Friction on large piles costs minutes: small piles stand for it.
const MOST_WITH_FRICTION: usize = 100;

fn pile(count: usize, friction: f64) -> World {
    let (mut model, mut state) = (Model::default(), State::default());
    model.forces.gravities.push(DVec3::new(0.0, 0.0, -9.81));
    let floor = Placed::half_space(DVec3::ZERO, DVec3::Z, Motion::Fixed);
    model.bodies.push(floor.body);
    state.bodies.push(BodyState::at(floor.center));
    let side = (1..).find(|side| side * side * side >= count).unwrap_or(1);
    for k in 0..count {
        let (i, j, level) = (k % side, k / side % side, k / (side * side));
        let wobble = DVec3::new((k * 7 % 11) as f64, (k * 5 % 13) as f64, (k * 3 % 17) as f64) / 17.0 - 0.4;
        let place = DVec3::new(1.2 * i as f64, 1.2 * j as f64, 0.8 + 1.2 * level as f64);
        let placed = Placed::cuboid(place + 0.05 * wobble, DVec3::splat(0.5), 1.0, Motion::Free)
            .expect("a box with sides is a polyhedron");
        let orientation = Orientation::Quaternion(exponential(0.1 * wobble));
        model.bodies.push(placed.body);
        state.bodies.push(BodyState { orientation, ..BodyState::at(placed.center) });
    }
    let contact = ContactSettings { friction, ..ContactSettings::new(Response::VelocityProjection) };
    let settings = Settings {
        dt: 0.01,
        integrator: Integrator::SymplecticEuler,
        orientation: OrientationKind::Quaternion,
        contact: Some(contact),
    };
    World::new(model, state, settings).expect("the pile is sound")
}

/// One part of a run.
struct Part {
    name: &'static str,
    steps: usize,
}

const PARTS: [Part; 2] = [Part { name: "meeting", steps: MEETING }, Part { name: "settled", steps: SETTLED }];

fn ours(count: usize, friction: f64) {
    let mut world = pile(count, friction);
    for _ in 0..FALL {
        world.step();
    }
    for Part { name, steps } in PARTS {
        let (mut contacts, mut island, mut deepest, mut residual) = (0, 0, 0.0f64, 0.0f64);
        let mut status = carom_rigid3d::Status::Solved;
        let clock = Instant::now();
        for _ in 0..steps {
            let report = world.step();
            contacts += report.contacts;
            island = island.max(report.largest_island);
            deepest = deepest.max(report.deepest_penetration);
            residual = residual.max(report.residual.worst());
            status = status.max(report.status);
        }
        let cost = clock.elapsed().as_secs_f64() * 1e3 / steps as f64;
        let (contacts, kinetic) = (contacts / steps, world.totals().kinetic);
        println!(
            "{:>6} {count:>6} {friction:>8} {name:>8} {contacts:>9} {island:>7} {cost:>9.2} {deepest:>9.1e} \
             {residual:>9.1e} {kinetic:>9.1e}  {status:?}",
            "carom"
        );
    }
}

#[cfg(feature = "peers")]
fn rapier(count: usize, friction: f64) {
    let mut world = peers::world(&pile(count, friction), friction);
    for _ in 0..FALL {
        world.step();
    }
    for Part { name, steps } in PARTS {
        let mut deepest = 0.0f64;
        let mut cost = 0.0;
        for _ in 0..steps {
            let clock = Instant::now();
            world.step();
            cost += clock.elapsed().as_secs_f64() * 1e3 / steps as f64;
            deepest = deepest.max(peers::deepest_overlap(&world));
        }
        let kinetic = peers::kinetic_energy(&world);
        println!(
            "{:>6} {count:>6} {friction:>8} {name:>8} {:>9} {:>7} {cost:>9.2} {deepest:>9.1e} {:>9} {kinetic:>9.1e}",
            "rapier", "-", "-", "-"
        );
    }
}

fn main() {
    let asked: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let counts = if asked.is_empty() { vec![100, 1000, 5000] } else { asked };
    println!(
        "{:>6} {:>6} {:>8} {:>8} {:>9} {:>7} {:>9} {:>9} {:>9} {:>9}  status",
        "engine",
        "boxes",
        "friction",
        "part",
        "contacts",
        "island",
        "ms/step",
        "deepest",
        "residual",
        "kinetic"
    );
    for friction in [0.0, 0.3] {
        for &count in &counts {
            if friction == 0.0 || count <= MOST_WITH_FRICTION {
                ours(count, friction);
                #[cfg(feature = "peers")]
                rapier(count, friction);
            }
        }
    }
}
