//! A force that changes in time, 3 cos(2 t) on 2 kg: the speed after a second is its integral, 3
//! sin(2) / 4.
#![allow(clippy::print_stdout, reason = "an example for a terminal")]

use carom::{Particle, ParticleBuilder};
use std::error::Error;

/// The speed after a second, in ten steps and in a thousand.
pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    Ok(format!("{:.9} m/s in ten steps, {:.9} m/s in a thousand", speed(0.1)?, speed(0.001)?))
}

fn speed(dt: f64) -> Result<f64, Box<dyn Error>> {
    let mut build = ParticleBuilder::new(dt);
    let body = build.particle(Particle::new(2.0, [0.0, 0.0], [0.0, 0.0]));
    build.timedforce(body, [3.0, 0.0], 2.0, 0.0);
    let mut simulation = build.simulation()?;
    for _ in 0..simulation.steps_until(1.0) {
        simulation.step()?;
    }
    Ok(simulation.velocity(body).ok_or("it is gone")?[0])
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", report()?);
    Ok(())
}
