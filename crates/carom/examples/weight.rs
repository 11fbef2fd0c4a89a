//! A hand that holds: a force against gravity, added in every step; then contacts that carry the
//! weight.
#![allow(clippy::print_stdout, reason = "an example for a terminal")]

use carom::PlanarBuilder;
use carom::scene::description::rigid::Response;
use std::error::Error;

/// Where a held disc is after a second, and the force of the floor on it after it was let go.
pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let mut build = PlanarBuilder::new(0.01);
    let floor = build.rigidbody(&[[-9.0, -1.0], [9.0, -1.0], [9.0, -0.1], [-9.0, -0.1]], 1.0, 0.1);
    let disc = build.rigidbodydisc([0.0, 1.0], 0.5, 2.0);
    build.get(floor).ok_or("no floor")?.fixed = true;
    build.rigidbodygravityforce([0.0, -10.0]).rigidbodycollisionhandling(Response::Lcp, 0.0, 0.0);
    let mut simulation = build.simulation()?;
    for _ in 0..100 {
        simulation.add_force(disc, [0.0, 20.0]);
        simulation.step()?;
    }
    let held = simulation.position(disc).ok_or("it is gone")?;
    for _ in 0..100 {
        simulation.step()?;
    }
    let push: f64 = simulation.contacts().iter().map(|contact| contact.impulse).sum();
    Ok(format!("held at {:.3} m; the floor carries {:.3} N", held[1], push / simulation.dt()))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", report()?);
    Ok(())
}
