//! How long steps take, and how good they are. Every number is processor time on this machine; compare ratios, not numbers.
//!
//! `cargo bench -p carom-rigid2d --bench rigid_bodies [--features peers] [-- break|impact|pile|settle]`; `settle` takes minutes.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

#[cfg(feature = "peers")]
mod peers;
mod scenes;

use carom_rigid2d::{ContactSettings, Response, StepReport};
use std::time::{Duration, Instant};

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|word| word == name);
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
        let small = pile_of_discs("1,000 discs that settle", &scenes::falling_pile(1_000), 0, 300);
        let large = pile_of_discs("10,000 discs that settle", &scenes::falling_pile(10_000), 0, 540);
        println!("    exponent from 1,000 to 10,000: {:.2}", (large / small).log10());
    }
}

/// A rack of 1,035 discs under `gr-lcp`: the whole break, elastic.
fn break_of_discs() {
    let mut world = scenes::disc_rack(45).world(0.01, ContactSettings::new(Response::ReflectionLcp));
    let energy = world.totals().kinetic;
    let mut slowest = Duration::ZERO;
    let total = timed(|| {
        for _ in 0..100 {
            slowest = slowest.max(timed(|| world.step()));
        }
    });
    let lost = 1.0 - world.totals().kinetic / energy;
    println!(
        "break of 1,035 discs, gr-lcp: {:.3} ms a step over 100 steps, slowest {:.3} ms, energy lost {lost:.1e}",
        milliseconds(total) / 100.0,
        milliseconds(slowest)
    );
    #[cfg(feature = "peers")]
    {
        let mut peer = peers::world(&scenes::disc_rack(45), 0.01, 1.0);
        let energy = peers::kinetic_energy(&peer);
        let theirs = timed(|| (0..100).for_each(|_| peer.step()));
        println!(
            "    rapier2d-f64: {:.3} ms a step, energy lost {:.1e}; ours takes {:.2} of its time",
            milliseconds(theirs) / 100.0,
            1.0 - peers::kinetic_energy(&peer) / energy,
            total.as_secs_f64() / theirs.as_secs_f64()
        );
    }
}

/// The clock of a thread ticks in milliseconds: short work is repeated.
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
        let total = timed(|| worlds.iter_mut().for_each(|world| report = world.step()));
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

/// A frictionless pile under `velocity-projection`. Returns the milliseconds of a step.
fn pile_of_discs(name: &str, scene: &scenes::Scene, before: usize, steps: usize) -> f64 {
    let mut world = scene.world(0.01, ContactSettings::new(Response::VelocityProjection));
    for _ in 0..before {
        world.step();
    }
    let (mut deepest, mut residual, mut report) = (0.0f64, 0.0f64, StepReport::default());
    let mut iterations = 0;
    let ours = timed(|| {
        for _ in 0..steps {
            report = world.step();
            iterations += report.iterations;
            deepest = deepest.max(report.deepest_penetration);
            residual = residual.max(report.residual.worst());
        }
    });
    println!(
        "{name}, velocity-projection: {:.2} ms a step, {} contacts, {:.1} iterations a step, {:?}, deepest overlap {:.1e} of a diameter, residual {residual:.1e}",
        milliseconds(ours) / steps as f64,
        report.contacts,
        iterations as f64 / steps as f64,
        report.status,
        deepest / 2.0
    );
    #[cfg(feature = "peers")]
    {
        let mut peer = peers::world(scene, 0.01, 0.0);
        (0..before).for_each(|_| peer.step());
        let (mut deepest, mut theirs) = (0.0f64, Duration::ZERO);
        for _ in 0..steps {
            theirs += timed(|| peer.step());
            deepest = deepest.max(peers::deepest_overlap(&peer));
        }
        println!(
            "    rapier2d-f64: {:.2} ms a step, deepest overlap {:.1e} of a diameter; ours takes {:.2} of its time",
            milliseconds(theirs) / steps as f64,
            deepest / 2.0,
            ours.as_secs_f64() / theirs.as_secs_f64()
        );
    }
    milliseconds(ours) / steps as f64
}

/// Processor time of all threads where Linux tells it, so that a busy machine does not count; wall time elsewhere.
fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let (before, start) = (processor_time(), Instant::now());
    work();
    match (before, processor_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => start.elapsed(),
    }
}

/// The first number of each thread's schedstat is the nanoseconds that it ran.
fn processor_time() -> Option<Duration> {
    let mut nanoseconds = 0;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += text.split(' ').next()?.parse::<u64>().ok()?;
    }
    Some(Duration::from_nanos(nanoseconds))
}

fn milliseconds(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}
