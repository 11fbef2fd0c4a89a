//! Bodies that come and go while a simulation runs: handles stay true, and two runs have the same
//! bits.
#![allow(clippy::print_stdout, reason = "an example for a terminal")]

use carom::scene::description::particles::Response;
use carom::{Frame, Particle, ParticleBuilder};
use std::error::Error;

/// How many particles there are in the end, and whether two runs agree to the bit.
pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let (once, twice) = (run()?, run()?);
    let count = once.positions.len() / 2;
    Ok(format!("{count} particles, the same bits twice: {}", once == twice))
}

/// A drip: a drop every 40 steps, and the oldest goes when there are six.
fn run() -> Result<Frame, Box<dyn Error>> {
    let mut build = ParticleBuilder::new(0.01);
    build.halfplane([0.0, 0.0], [0.1, 1.0]);
    build.simplegravity([0.0, -10.0]).collision(Response::Lcp, 0.3, 0.2);
    let mut simulation = build.simulation()?;
    let mut drops = Vec::new();
    for step in 0..300 {
        if step % 40 == 0 {
            let drop = Particle::new(1.0, [0.0, 3.0], [0.0, 0.0]).with_radius(0.25);
            drops.push(simulation.edit(|build: &mut ParticleBuilder| build.particle(drop))?);
        }
        if drops.len() > 6 {
            simulation.remove(drops.remove(0))?;
        }
        simulation.step()?;
    }
    Ok(simulation.frame())
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", report()?);
    Ok(())
}
