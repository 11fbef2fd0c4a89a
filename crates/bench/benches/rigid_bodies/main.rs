//! How long steps take, and how good they are. Every number is processor time on this machine;
//! compare ratios, not numbers.
//!
//! `cargo bench -p carom-bench --bench rigid_bodies [--features peers] [-- NAME]`, where NAME is
//! `break`, `impact`, `pile`, `settle` or `count`; `settle` takes minutes, `count` needs valgrind
//! and twenty of them, and runs only when it is asked for.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

mod count;
#[path = "../../../rigid2d/tests/scenes/mod.rs"]
mod scenes;

use carom_bench::clock::{milliseconds, timed};
#[cfg(feature = "peers")]
use carom_bench::planar_peer as peers;
use carom_rigid2d::{ContactSettings, OverlapFinder, Response, Status, StepReport, World};
use std::time::Duration;

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|word| word == name);
    chosen.iter().for_each(|word| count::run_once(word));
    if chosen.iter().any(|word| word == "count") {
        count::print_exponent();
    }
    if wanted("break") {
        break_of_discs();
    }
    if wanted("impact") {
        impact_of_twelve_gons();
    }
    if wanted("pile") {
        let small = pile_of_discs("1,000 discs that lie", &scenes::lying_pile(1_000), 10, 50);
        let large = pile_of_discs("10,000 discs that lie", &scenes::lying_pile(10_000), 2, 10);
        println!("    exponent from 1,000 to 10,000: {:.2}", (large / small).log10());
    }
    if wanted("settle") {
        // From the first fall to rest; ten times as many discs fall about 10^¼ times as long.
        let [few, many] = [1_000, 10_000].map(scenes::falling_pile);
        // The small pile is run ten times, so that both are measured about as long: this is where
        // noise enters the exponent.
        let tolerance = Some(SETTLING_TOLERANCE);
        let small = settling_pile("1,000 discs to a tolerance", &few, tolerance, (100, 10));
        let large = settling_pile("10,000 discs to a tolerance", &many, tolerance, (180, 1));
        let [ours, theirs] = [0, 1].map(|k| (large[k] / small[k]).log10());
        println!("    exponent of the whole from 1,000 to 10,000: {ours:.2}");
        if cfg!(feature = "peers") {
            println!("    Rapier's own: {theirs:.2}");
        }
        settling_pile("1,000 discs, exactly", &few, None, (100, 1));
    }
}

/// Metres a second by which contacts of a settling pile may be wrong: what gravity adds in a step.
const SETTLING_TOLERANCE: f64 = 0.1;

/// A rack of 1,035 discs under `gr-lcp`: the whole break, elastic.
fn break_of_discs() {
    let mut world = scenes::disc_rack(45).world(0.01, ContactSettings::new(Response::ReflectionLcp));
    let energy = world.totals().kinetic;
    let mut slowest = Duration::ZERO;
    let mut total = Duration::ZERO;
    for _ in 0..100 {
        let step = timed(|| world.step()).1;
        total += step;
        slowest = slowest.max(step);
    }
    let lost = 1.0 - world.totals().kinetic / energy;
    println!(
        "break of 1,035 discs, gr-lcp: {:.3} ms a step over 100 steps, slowest {:.3} ms, energy lost {lost:.1e}",
        milliseconds(total) / 100.0,
        milliseconds(slowest)
    );
    #[cfg(feature = "peers")]
    {
        let ours = scenes::disc_rack(45).world(0.01, ContactSettings::new(Response::ReflectionLcp));
        let mut peer = peers::world(&ours, 1.0, 0.0);
        let energy = peers::kinetic_energy(&peer);
        let theirs = timed(|| (0..100).for_each(|_| peer.step())).1;
        println!(
            "    rapier2d-f64: {:.3} ms a step, energy lost {:.1e}; ours takes {:.2} of its time",
            milliseconds(theirs) / 100.0,
            1.0 - peers::kinetic_energy(&peer) / energy,
            total.as_secs_f64() / theirs.as_secs_f64()
        );
    }
}

/// How often the impact is repeated.
const IMPACTS: usize = 20;

/// One impact with 1,135 contacts, for every response.
fn impact_of_twelve_gons() {
    for response in [
        Response::Impulse,
        Response::Lcp,
        Response::VelocityProjection,
        Response::ReflectionLcp,
        Response::ReflectionVelocityProjection,
    ] {
        let world = scenes::twelve_gon_rack(28).world(1e-4, ContactSettings::new(response));
        let mut worlds = vec![world; IMPACTS];
        let mut report = StepReport::default();
        let total = timed(|| worlds.iter_mut().for_each(|world| report = world.step())).1;
        println!(
            "twelve-gons, {response:?}: {:.2} ms, {} contacts, {} active, {} sweeps, {} iterations, {:?}, residual {:.1e}",
            milliseconds(total) / IMPACTS as f64,
            report.contacts,
            report.active_contacts,
            report.sweeps,
            report.iterations,
            report.status,
            report.residual.worst()
        );
    }
}

/// A frictionless pile that lies, under `velocity-projection`. Returns the milliseconds of a step.
fn pile_of_discs(name: &str, scene: &scenes::Scene, before: usize, steps: usize) -> f64 {
    let mut pair = Pair::new(scene, None);
    pair.run(before);
    let part = pair.run(steps);
    part.print(name, steps);
    milliseconds(part.ours) / steps as f64
}

/// A frictionless pile from its fall to rest, some times over, in three parts of as many steps.
/// Returns the milliseconds of a step of the whole, ours and Rapier's.
fn settling_pile(
    name: &str,
    scene: &scenes::Scene,
    tolerance: Option<f64>,
    (steps, times): (usize, usize),
) -> [f64; 2] {
    let mut parts = [Part::default(); 3];
    for _ in 0..times {
        let mut pair = Pair::new(scene, tolerance);
        parts.iter_mut().for_each(|part| *part = part.with(&pair.run(steps)));
    }
    for (part, measured) in ["landing", "settling", "coming to rest"].iter().zip(&parts) {
        measured.print(&format!("{name}, {part}"), times * steps);
    }
    let whole = parts.iter().fold(Part::default(), |whole, part| whole.with(part));
    whole.print(&format!("{name}, the whole"), 3 * times * steps);
    [whole.ours, whole.theirs].map(|time| milliseconds(time) / (3 * times * steps) as f64)
}

/// Our world and Rapier's of the same scene.
struct Pair {
    ours: World,
    #[cfg(feature = "peers")]
    theirs: rapier2d_f64::prelude::PhysicsWorld,
}

/// What some steps took, and how good they were.
#[derive(Clone, Copy, Default)]
struct Part {
    ours: Duration,
    theirs: Duration,
    contacts: usize,
    iterations: u64,
    unsolved: usize,
    fallbacks: u64,
    deepest: f64,
    residual: f64,
    their_deepest: f64,
}

impl Pair {
    fn new(scene: &scenes::Scene, tolerance: Option<f64>) -> Pair {
        let contact = ContactSettings { tolerance, ..ContactSettings::new(Response::VelocityProjection) };
        let ours = scene.world(0.01, contact);
        Pair {
            #[cfg(feature = "peers")]
            theirs: peers::world(&ours, 0.0, 0.0),
            ours,
        }
    }

    fn run(&mut self, steps: usize) -> Part {
        let mut part = Part::default();
        let mut overlaps = OverlapFinder::new(&self.ours);
        for _ in 0..steps {
            let (report, spent) = timed(|| self.ours.step());
            part.ours += spent;
            part.contacts = report.contacts;
            part.iterations += report.iterations;
            part.unsolved += usize::from(report.status != Status::Solved);
            part.fallbacks += report.fallbacks;
            part.residual = part.residual.max(report.residual.worst());
            part.deepest = part.deepest.max(overlaps.deepest(&self.ours));
        }
        #[cfg(feature = "peers")]
        for _ in 0..steps {
            part.theirs += timed(|| self.theirs.step()).1;
            part.their_deepest = part.their_deepest.max(peers::errors(&self.theirs).0);
        }
        part
    }
}

impl Part {
    /// Both together, with the contacts of the later one.
    fn with(self, later: &Part) -> Part {
        Part {
            ours: self.ours + later.ours,
            theirs: self.theirs + later.theirs,
            contacts: later.contacts,
            iterations: self.iterations + later.iterations,
            unsolved: self.unsolved + later.unsolved,
            fallbacks: self.fallbacks + later.fallbacks,
            deepest: self.deepest.max(later.deepest),
            residual: self.residual.max(later.residual),
            their_deepest: self.their_deepest.max(later.their_deepest),
        }
    }

    /// Overlaps as parts of a diameter.
    fn print(&self, name: &str, steps: usize) {
        println!(
            "{name}, velocity-projection: {:.2} ms a step, {} contacts, {:.1} iterations a step, {} steps unsolved, {} fallbacks, deepest overlap {:.1e} of a diameter, residual {:.1e}",
            milliseconds(self.ours) / steps as f64,
            self.contacts,
            self.iterations as f64 / steps as f64,
            self.unsolved,
            self.fallbacks,
            self.deepest / 2.0,
            self.residual
        );
        if cfg!(feature = "peers") {
            println!(
                "    rapier2d-f64: {:.2} ms a step, deepest overlap {:.1e} of a diameter; ours takes {:.2} of its time",
                milliseconds(self.theirs) / steps as f64,
                self.their_deepest / 2.0,
                self.ours.as_secs_f64() / self.theirs.as_secs_f64()
            );
        }
    }
}
