//! A particle falls for a second: y = 10 − g t² / 2.
#![allow(clippy::print_stdout, reason = "an example for a terminal")]

use carom::scene::description::particles::ParticleMethod;
use carom::{Particle, ParticleBuilder};
use std::error::Error;

/// Height and speed after a second.
pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let mut build = ParticleBuilder::new(0.01);
    let stone = build.particle(Particle::new(1.0, [0.0, 10.0], [0.0, 0.0]));
    build.simplegravity([0.0, -9.81]).integrator(ParticleMethod::RungeKutta4);
    let mut simulation = build.simulation()?;
    for _ in 0..simulation.steps_until(1.0) {
        simulation.step()?;
    }
    let (place, speed) = simulation.position(stone).zip(simulation.velocity(stone)).ok_or("it is gone")?;
    Ok(format!("height {:.3} m, speed {:.3} m/s", place[1], speed[1].abs()))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", report()?);
    Ok(())
}
