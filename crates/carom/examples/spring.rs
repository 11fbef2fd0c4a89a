//! A damped spring: after a period its swing is e^(−b T / 2 m) of what it was.
#![allow(clippy::print_stdout, reason = "an example for a terminal")]

use carom::PlanarBuilder;
use carom::scene::description::rigid::Anchor;
use std::error::Error;

/// What is left of the swing after one period.
pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let mut build = PlanarBuilder::new(1e-4);
    let bob = build.rigidbodydisc([1.5, 0.0], 0.1, 1.0);
    let ends = [Anchor::World([0.0, 0.0]), build.anchor(bob, [0.0, 0.0])];
    build.rigidbodyspringforce(ends, 100.0, 1.0, 2.0);
    let mut simulation = build.simulation()?;
    let period = 2.0 * std::f64::consts::PI / 99.0_f64.sqrt();
    for _ in 0..simulation.steps_until(period) {
        simulation.step()?;
    }
    let swing = simulation.position(bob).ok_or("it is gone")?[0] - 1.0;
    Ok(format!("{:.3} of the swing is left", swing / 0.5))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", report()?);
    Ok(())
}
