//! Save and restore: a frame is all there is to a moment, and a run goes on from it to the same
//! bits.
#![allow(clippy::print_stdout, reason = "an example for a terminal")]

use carom::scene::description::spatial::Response;
use carom::{Simulation, SpatialBuilder};
use std::error::Error;

/// Whether a run that was restored ends as the unbroken one.
pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let mut build = SpatialBuilder::new(0.01);
    build.rigidbody3dhalfspace([0.0; 3], [0.0, 0.0, 1.0]);
    for k in 0..3 {
        let height = 0.6 + 1.2 * f64::from(k);
        build.rigidbody3dbox([0.1 * f64::from(k), 0.0, height], [1.0, 1.0, 1.0], 1.0);
    }
    build.rigidbody3dgravityforce([0.0, 0.0, -10.0]);
    build.rigidbody3dcollisionhandling(Response::VelocityProjection, 0.2, 0.4);
    let mut simulation = build.simulation()?;
    steps(&mut simulation, 60)?;
    let saved = simulation.frame();
    steps(&mut simulation, 60)?;
    let unbroken = simulation.frame();
    // In another simulation of the same scene, as after a restart of the program.
    let mut again = build.simulation()?;
    again.restore(&saved)?;
    steps(&mut again, 60)?;
    Ok(format!(
        "restored at {:.2} s; the same bits at {:.2} s: {}",
        saved.time,
        again.time(),
        again.frame() == unbroken
    ))
}

fn steps(simulation: &mut Simulation, count: usize) -> Result<(), Box<dyn Error>> {
    (0..count).try_for_each(|_| simulation.step()).map_err(Into::into)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", report()?);
    Ok(())
}
