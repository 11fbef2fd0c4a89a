//! Restitution of single bodies: three balls fall from a metre onto one floor and rebound to e² of
//! it.
#![allow(clippy::print_stdout, reason = "an example for a terminal")]

use carom::scene::description::rigid::Response;
use carom::{PlanarBuilder, Surface};
use std::error::Error;

/// How high each one comes after its first bounce.
pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let mut build = PlanarBuilder::new(0.001);
    let floor = build.rigidbody(&[[-9.0, -1.0], [9.0, -1.0], [9.0, -0.1], [-9.0, -0.1]], 1.0, 0.1);
    build.get(floor).ok_or("no floor")?.fixed = true;
    let balls = [0.0, 0.5, 1.0].map(|restitution| {
        let ball = build.rigidbodydisc([4.0 * restitution, 1.5], 0.5, 1.0);
        build.surface(ball, Surface { restitution: Some(restitution), ..Surface::default() });
        ball
    });
    // The scene's own restitution is that of the floor: 0. Of two bodies the greater one counts.
    build.rigidbodygravityforce([0.0, -10.0]).rigidbodycollisionhandling(Response::Lcp, 0.0, 0.0);
    let mut simulation = build.simulation()?;
    let mut highest = [0.0_f64; 3];
    for step in 0..1000 {
        simulation.step()?;
        for (high, ball) in highest.iter_mut().zip(balls).filter(|_| step > 450) {
            *high = high.max(simulation.position(ball).ok_or("it is gone")?[1] - 0.5);
        }
    }
    Ok(highest.map(|high| format!("{high:.3}")).join(" "))
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", report()?);
    Ok(())
}
