//! Collision groups: one ball passes through the next and bounces off the third.
#![allow(clippy::print_stdout, reason = "an example for a terminal")]

use carom::scene::description::rigid::Response;
use carom::{PlanarBuilder, Surface};
use std::error::Error;

/// The velocities of all three in the end.
pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let mut build = PlanarBuilder::new(0.01);
    let balls = [-2.0, 0.0, 2.0].map(|x| build.rigidbodydisc([x, 0.0], 0.5, 1.0));
    build.get(balls[0]).ok_or("no ball")?.velocity = [1.0, 0.0];
    build.get(balls[2]).ok_or("no ball")?.fixed = true;
    let mut ghost = Surface { group: 1, ..Surface::default() };
    ghost.ignore(1);
    build.surface(balls[0], ghost).surface(balls[1], ghost);
    build.rigidbodycollisionhandling(Response::ReflectionLcp, 1.0, 0.0);
    let mut simulation = build.simulation()?;
    for _ in 0..simulation.steps_until(4.0) {
        simulation.step()?;
    }
    let speeds = balls.iter().filter_map(|&ball| simulation.velocity(ball));
    let words: Vec<String> = speeds.map(|speed| format!("{:.2}", speed[0] + 0.0)).collect();
    Ok(words.join(" "))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", report()?);
    Ok(())
}
