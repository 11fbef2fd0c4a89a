//! A box slides over the floor and stops after v² / (2 μ g).
#![allow(clippy::print_stdout, reason = "an example for a terminal")]

use carom::PlanarBuilder;
use carom::scene::description::rigid::Response;
use std::error::Error;

/// How far it slid.
pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let mut build = PlanarBuilder::new(0.001);
    let floor = build.rigidbody(&[[-9.0, -1.0], [9.0, -1.0], [9.0, -0.1], [-9.0, -0.1]], 1.0, 0.1);
    let slider = build.rigidbody(&[[-0.4, 0.1], [0.4, 0.1], [0.4, 0.3], [-0.4, 0.3]], 1.0, 0.1);
    build.get(floor).ok_or("no floor")?.fixed = true;
    build.get(slider).ok_or("no slider")?.velocity = [2.0, 0.0];
    build.rigidbodygravityforce([0.0, -10.0]).rigidbodycollisionhandling(Response::Lcp, 0.0, 0.5);
    let mut simulation = build.simulation()?;
    for _ in 0..simulation.steps_until(1.0) {
        simulation.step()?;
    }
    let (place, speed) = simulation.position(slider).zip(simulation.velocity(slider)).ok_or("it is gone")?;
    Ok(format!("slid {:.2} m, then {:.1} m/s", place[0], speed[0].abs()))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", report()?);
    Ok(())
}
