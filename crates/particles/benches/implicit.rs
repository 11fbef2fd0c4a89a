//! Cost of an implicit step on square spring meshes of 100 to 100,000 particles.
//!
//! Prints, for every size, milliseconds per step (processor time where the system tells it, so that
//! a busy machine does not spoil the numbers), products of blocks per particle, Newton iterations,
//! blocks in the factors, bytes of heap per particle, and the exponents that fit time and memory.
//! Run with `cargo bench -p carom-particles --bench implicit`. Measured numbers are kept in
//! `docs/benchmarks.md`.
#![allow(clippy::print_stdout, reason = "a benchmark's output is what it prints")]

#[path = "../tests/meshes/mod.rs"]
mod meshes;

use carom_particles::{Integrator, World};
use std::time::Instant;

/// Sides of squares with about 100, 1,000, 10,000 and 100,000 particles.
const SIDES: [usize; 4] = [10, 32, 100, 316];

/// Steps that are measured, from the same state for every size.
const STEPS: usize = 3;

fn main() {
    for (name, integrator) in [
        ("linearized implicit Euler", Integrator::LinearizedImplicitEuler),
        ("implicit Euler", Integrator::ImplicitEuler),
    ] {
        println!("{name}");
        println!(
            "{:>10} {:>12} {:>7} {:>14} {:>16} {:>16}",
            "particles", "ms per step", "Newton", "factor blocks", "products/particle", "bytes/particle"
        );
        let rows: Vec<Row> = SIDES.iter().map(|&side| measure(side, integrator)).collect();
        for row in &rows {
            println!(
                "{:>10} {:>12.4} {:>7} {:>14} {:>16.0} {:>16.0}",
                row.particles,
                row.milliseconds,
                row.newton,
                row.factor_entries,
                row.operations / row.particles as f64,
                row.bytes / row.particles as f64
            );
        }
        println!(
            "exponent of time {:.3}, of memory {:.3}\n",
            exponent(&rows, |row| row.milliseconds),
            exponent(&rows, |row| row.bytes)
        );
    }
}

struct Row {
    particles: usize,
    milliseconds: f64,
    newton: u32,
    factor_entries: u64,
    operations: f64,
    bytes: f64,
}

/// Processor time of this thread, from Linux's `schedstat`; elsewhere, the time of day.
struct Clock(Instant);

impl Clock {
    fn seconds(&self) -> f64 {
        let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        match schedule.split_whitespace().next().and_then(|number| number.parse::<f64>().ok()) {
            Some(nanoseconds) => nanoseconds * 1e-9,
            None => self.0.elapsed().as_secs_f64(),
        }
    }
}

fn measure(side: usize, integrator: Integrator) -> Row {
    let mut world: Option<World> = None;
    let heap = allocation_counter::measure(|| {
        let mut built = meshes::cloth_world(side, integrator);
        built.step();
        world = Some(built);
    });
    let mut world = world.expect("it was just built");
    // The same three steps for every size, again and again until a clock can tell; the fastest of
    // three runs.
    let start_state = world.state().clone();
    let repetitions = (5_000 / (side * side)).clamp(1, 50);
    let clock = Clock(Instant::now());
    let mut best = f64::INFINITY;
    let mut report = None;
    for _ in 0..3 {
        let start = clock.seconds();
        for _ in 0..repetitions {
            world.set_state(&start_state).expect("a state of the same world");
            for _ in 0..STEPS {
                let step = world.step();
                assert!(step.status.is_completed(), "{step:?}");
                report = Some(step);
            }
        }
        best = best.min((clock.seconds() - start) * 1000.0 / (repetitions * STEPS) as f64);
    }
    let report = report.expect("at least one step was taken");
    Row {
        particles: side * side,
        milliseconds: best,
        newton: report.iterations,
        factor_entries: report.linear_work.factor_entries,
        operations: report.linear_work.operations as f64,
        bytes: heap.bytes_current as f64,
    }
}

/// Slope of the line through logarithms, by least squares.
fn exponent(rows: &[Row], quantity: impl Fn(&Row) -> f64) -> f64 {
    use carom_numerics::elementary::ln;
    let points: Vec<(f64, f64)> =
        rows.iter().map(|row| (ln(row.particles as f64), ln(quantity(row)))).collect();
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let covariance: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = points.iter().map(|(x, _)| (x - mean_x) * (x - mean_x)).sum();
    covariance / variance
}
