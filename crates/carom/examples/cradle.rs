//! Newton's cradle: of five balls that touch, the last one leaves. Engines that answer pair by pair
//! get it wrong.
#![allow(clippy::print_stdout, reason = "an example for a terminal")]

use carom::scene::description::particles::Response;
use carom::{Particle, ParticleBuilder};
use std::error::Error;

/// The speeds of five balls after the first one came in at 1 m/s.
pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let mut build = ParticleBuilder::new(0.01);
    let mut balls = vec![build.particle(Particle::new(1.0, [-0.5, 0.0], [1.0, 0.0]).with_radius(0.5))];
    for k in 1..5 {
        let place = [f64::from(k), 0.0];
        balls.push(build.particle(Particle::new(1.0, place, [0.0, 0.0]).with_radius(0.5)));
    }
    build.collision(Response::ReflectionVelocityProjection, 1.0, 0.0);
    let mut simulation = build.simulation()?;
    for _ in 0..100 {
        simulation.step()?;
    }
    let speeds = balls.iter().filter_map(|&ball| simulation.velocity(ball));
    let words: Vec<String> = speeds.map(|speed| format!("{:.2}", speed[0].abs())).collect();
    Ok(words.join(" "))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", report()?);
    Ok(())
}
