//! The yardsticks of the step and of contact with friction, each beside Rapier in the same run.
//!
//! `cargo bench -p carom-bench --bench yardsticks --features peers -- TOPIC...`, where a topic is
//! `settle`, `settle-large`, `settle-exactly`, `pyramid`, `cubes`, `rest`, `heaps`, `bin`,
//! `cards`, `gas`, `break` or `particles`; all of them without one. Costs are processor time:
//! compare ratios. Overlaps are parts of a diameter or side; residuals are speeds, ours by the
//! certificate, Rapier's the approach that its step left.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

mod cards;
mod particles;
#[path = "../../../rigid3d/tests/piles/mod.rs"]
mod piles;
mod places;
mod race;
#[path = "../../../rigid2d/tests/scenes/mod.rs"]
mod scenes;

use carom_bench::clock::exponent;
use carom_rigid2d::{ContactSettings, Response};
use race::{Cost, Planar, Spatial, run};

/// What gravity adds to a speed in a step of 0.01 s, in metres a second.
const TOLERANCE: f64 = 0.1;
const MU: f64 = 0.5;

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let topics: [(&str, fn()); 12] = [
        ("settle", || settle("1,000 discs, tolerance", 1_000, Some(TOLERANCE), 100)),
        ("settle-large", || settle("10,000 discs, tolerance", 10_000, Some(TOLERANCE), 180)),
        ("settle-exactly", || settle("1,000 discs, exactly", 1_000, None, 100)),
        ("pyramid", pyramid),
        ("cubes", cubes),
        ("rest", rest),
        ("heaps", heaps),
        ("bin", bin),
        ("cards", card_house),
        ("gas", gas),
        ("break", break_of_1035),
        ("particles", particles::collisions),
    ];
    for (name, topic) in topics {
        if chosen.is_empty() || chosen.iter().any(|word| word == name) {
            topic();
        }
    }
}

fn rough(tolerance: Option<f64>, friction: f64) -> ContactSettings {
    ContactSettings { friction, tolerance, ..ContactSettings::new(Response::VelocityProjection) }
}

/// Discs with friction from their fall to rest, in three parts.
fn settle(name: &str, discs: usize, tolerance: Option<f64>, steps: usize) {
    let world = scenes::falling_pile(discs).world(0.01, rough(tolerance, MU));
    let mut race = Planar::new(world, 0.0, MU);
    let mut whole = Cost::default();
    for part in ["landing", "settling", "coming to rest"] {
        let cost = run(&mut race, steps);
        cost.print(&format!("{name}, mu {MU}, {part}"), 2.0);
        whole = whole.with(&cost);
    }
    whole.print(&format!("{name}, mu {MU}, the whole"), 2.0);
}

/// 5,050 boxes that lie, at dt 1/60 as Box2D's own benchmark.
fn pyramid() {
    for (name, tolerance) in [("tolerance", Some(10.0 / 60.0)), ("exactly", None)] {
        let mut race = Planar::new(places::pyramid(100).world(1.0 / 60.0, rough(tolerance, 0.6)), 0.0, 0.6);
        run(&mut race, 1).print(&format!("pyramid of 5,050 boxes, {name}, mu 0.6, first step"), 1.0);
        run(&mut race, 60).print(&format!("pyramid of 5,050 boxes, {name}, mu 0.6, at rest"), 1.0);
    }
}

/// Cubes with friction from the first touch to forty steps after the last layer has come down.
fn cubes() {
    for boxes in [100, 1_000, 5_000] {
        let pile = piles::Pile { boxes, in_bond: false, friction: MU, tolerance: Some(TOLERANCE) };
        let world = pile.world();
        let parts = piles::Parts::of(&pile, world.settings().dt);
        let mut race = Spatial::new(world, 0.0, MU);
        run(&mut race, parts.fall);
        let landing = run(&mut race, parts.landing);
        landing.print(&format!("{boxes} cubes, tolerance, mu {MU}, landing"), 1.0);
        let after = run(&mut race, parts.after);
        after.print(&format!("{boxes} cubes, tolerance, mu {MU}, after"), 1.0);
        landing.with(&after).print(&format!("{boxes} cubes, tolerance, mu {MU}, the whole"), 1.0);
    }
}

/// Cubes and discs that have lain for seconds.
fn rest() {
    let pile = piles::Pile { boxes: 100, in_bond: false, friction: MU, tolerance: Some(TOLERANCE) };
    let world = pile.world();
    let parts = piles::Parts::of(&pile, world.settings().dt);
    let mut race = Spatial::new(world, 0.0, MU);
    run(&mut race, parts.fall + parts.landing + parts.after + 500);
    run(&mut race, 500).print(&format!("100 cubes, tolerance, mu {MU}, at rest"), 1.0);
    let world = scenes::falling_pile(1_000).world(0.01, rough(Some(TOLERANCE), MU));
    let mut race = Planar::new(world, 0.0, MU);
    run(&mut race, 800);
    run(&mut race, 200).print(&format!("1,000 discs, tolerance, mu {MU}, at rest"), 2.0);
}

/// Heaps of discs in a bin, exactly, from the fall to rest.
fn heaps() {
    let mut points = Vec::new();
    for discs in [15, 30, 60, 120, 240] {
        let mut race = Planar::new(places::heap(discs).world(0.01, rough(None, MU)), 0.0, MU);
        let cost = run(&mut race, 300);
        cost.print(&format!("heap of {discs} discs, exactly, mu {MU}"), 2.0);
        points.push((discs as f64, cost.each()));
    }
    println!("    exponent from 15 to 240: {:.2}", exponent(&points));
}

fn bin() {
    let mut race = Planar::new(places::heap(60).world(0.01, rough(None, MU)), 0.0, MU);
    let fall = run(&mut race, 100);
    fall.print("60 discs in a bin, exactly, landing", 2.0);
    run(&mut race, 200).print("60 discs in a bin, exactly, coming to rest", 2.0);
}

/// Box2D's card house of 40 cards: its friction and step.
fn card_house() {
    let mut race = Planar::new(cards::house(5).world(1.0 / 60.0, rough(None, 0.7)), 0.0, 0.7);
    let height = |world: &carom_rigid2d::World| {
        world.state().bodies.iter().fold(0.0f64, |high, body| high.max(body.position.y))
    };
    let before = height(&race.world);
    let cost = run(&mut race, 300);
    cost.print("card house of 40 cards, exactly, mu 0.7", 0.4);
    println!("    highest card at {before:.3} m before and {:.3} m after 5 s", height(&race.world));
}

/// Elastic discs at 30 % density.
fn gas() {
    let mut points = Vec::new();
    for discs in [1_000, 2_000, 5_000, 10_000] {
        let world = places::gas(discs).world(0.01, ContactSettings::new(Response::ReflectionLcp));
        let before = world.totals().kinetic;
        let mut race = Planar::new(world, 1.0, 0.0);
        let cost = run(&mut race, 300);
        cost.print(&format!("gas of {discs} elastic discs, gr-lcp"), 2.0);
        let kept = race.world.totals().kinetic / before;
        println!("    energy kept: ours {kept:.12}, Rapier's {:.3}", their_planar_energy(&race) / before);
        points.push((discs as f64, cost.each()));
    }
    println!("    exponent from 1,000 to 10,000: {:.2}", exponent(&points));
}

fn break_of_1035() {
    let world = scenes::disc_rack(45).world(0.01, ContactSettings::new(Response::ReflectionLcp));
    let before = world.totals().kinetic;
    let mut race = Planar::new(world, 1.0, 0.0);
    run(&mut race, 100).print("break of 1,035 discs, gr-lcp", 2.0);
    let lost = 1.0 - race.world.totals().kinetic / before;
    println!("    energy lost: ours {lost:.1e}, Rapier's {:.2}", 1.0 - their_planar_energy(&race) / before);
    let world = places::spatial_rack(45);
    let before = world.totals().kinetic;
    let mut race = Spatial::new(world, 1.0, 0.0);
    run(&mut race, 100).print("break of 1,035 spheres, gr-lcp", 2.0);
    let lost = 1.0 - race.world.totals().kinetic / before;
    println!("    energy lost: ours {lost:.1e}, Rapier's {:.2}", 1.0 - their_spatial_energy(&race) / before);
}

#[cfg(feature = "peers")]
fn their_planar_energy(race: &Planar) -> f64 {
    carom_bench::planar_peer::kinetic_energy(&race.peer)
}

#[cfg(feature = "peers")]
fn their_spatial_energy(race: &Spatial) -> f64 {
    carom_bench::spatial_peer::kinetic_energy(&race.peer)
}

#[cfg(not(feature = "peers"))]
fn their_planar_energy(_: &Planar) -> f64 {
    f64::NAN
}

#[cfg(not(feature = "peers"))]
fn their_spatial_energy(_: &Spatial) -> f64 {
    f64::NAN
}
