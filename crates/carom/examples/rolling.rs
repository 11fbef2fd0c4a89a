//! A ball that slides begins to roll: friction leaves it 5/7 of its speed, whatever the friction
//! is.
#![allow(clippy::print_stdout, reason = "an example for a terminal")]

use carom::SpatialBuilder;
use carom::scene::description::spatial::Response;
use std::error::Error;

/// Speed and spin when it rolls.
pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let mut build = SpatialBuilder::new(0.001);
    build.rigidbody3dhalfspace([0.0; 3], [0.0, 0.0, 1.0]);
    let ball = build.rigidbody3dsphere([0.0, 0.0, 0.5], 0.5, 1.0);
    build.get(ball).ok_or("no ball")?.velocity = [7.0, 0.0, 0.0];
    build.rigidbody3dgravityforce([0.0, 0.0, -10.0]);
    build.rigidbody3dcollisionhandling(Response::Lcp, 0.0, 0.5);
    let mut simulation = build.simulation()?;
    for _ in 0..simulation.steps_until(1.0) {
        simulation.step()?;
    }
    let (speed, spin) =
        simulation.velocity(ball).zip(simulation.angular_velocity(ball)).ok_or("it is gone")?;
    Ok(format!("{:.2} m/s at {:.2} rad/s", speed[0], spin[1]))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", report()?);
    Ok(())
}
