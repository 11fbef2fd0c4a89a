//! A ball is dropped from a metre with restitution ½: contact events, and a rebound to e² of the
//! height.
#![allow(clippy::print_stdout, reason = "an example for a terminal")]

use carom::scene::description::particles::Response;
use carom::{ContactEvents, Particle, ParticleBuilder, Phase};
use std::error::Error;

/// When it first touched, how often in two seconds, and how high it came after the first touch.
pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let mut build = ParticleBuilder::new(0.001);
    let ball = build.particle(Particle::new(2.0, [0.0, 1.5], [0.0, 0.0]).with_radius(0.5));
    build.halfplane([0.0, 0.0], [0.0, 1.0]);
    build.simplegravity([0.0, -10.0]).collision(Response::Lcp, 0.5, 0.0);
    let mut simulation = build.simulation()?;
    let mut events = ContactEvents::default();
    let (mut touches, mut impulse, mut highest) = (Vec::new(), 0.0, 0.0_f64);
    while touches.len() < 2 {
        simulation.step()?;
        for event in events.update(simulation.contacts()).iter().filter(|event| event.phase == Phase::Begin) {
            touches.push(simulation.time());
            impulse = event.impulse;
        }
        if touches.len() == 1 {
            highest = highest.max(simulation.position(ball).ok_or("it is gone")?[1] - 0.5);
        }
    }
    let times = touches.iter().map(|time| format!("{time:.2} s")).collect::<Vec<_>>().join(" and ");
    Ok(format!("touched at {times} with {impulse:.2} N s, between them {highest:.3} m high"))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", report()?);
    Ok(())
}
