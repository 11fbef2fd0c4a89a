//! A box without walls: what leaves it comes in on the other side.

use carom_frames::{Family, Frame};
use carom_scene::description::Wrap;

/// Brings the bodies of a frame back into the box; says whether any was outside. Spatial bodies
/// stay where they are.
pub(crate) fn wrap(family: Family, wrap: &Wrap, frame: &mut Frame) -> bool {
    if family == Family::SpatialBodies {
        return false;
    }
    let mut any = false;
    for place in frame.positions.chunks_exact_mut(family.coordinates()) {
        if let Some([x, y]) = wrap.wrapped([place[0], place[1]]) {
            (place[0], place[1]) = (x, y);
            any = true;
        }
    }
    any
}

#[cfg(test)]
mod tests {
    use crate::{Options, Simulation, read_scene};

    #[test]
    fn a_ball_that_leaves_comes_in_again_with_its_velocity() {
        let scene = read_scene(
            r#"<scene><simtype type="rigid-body"/><duration time="10"/><rigidbodyintegrator type="symplectic-euler" dt="0.125"/>
               <wrap xmin="-2" xmax="2" ymin="-1" ymax="1"/><rigidbodydisc x="0" y="0" radius="0.1" m="1" vx="1" vy="-0.5" omega="3"/></scene>"#,
        )
        .unwrap();
        let mut simulation = Simulation::new(&scene, Options::default()).unwrap();
        for step in 1..=80 {
            simulation.step().unwrap();
            let frame = simulation.frame();
            let time = f64::from(step) * 0.125;
            // All numbers are multiples of a power of two: the places are exact, but for who stands
            // on the edge.
            let expected = [(time + 2.0) % 4.0 - 2.0, (-0.5 * time - 1.0).rem_euclid(2.0) - 1.0];
            for k in 0..2 {
                let off = (frame.positions[k] - expected[k]).abs();
                assert!(
                    off == 0.0 || off == [4.0, 2.0][k],
                    "step {step}: {:?} {expected:?}",
                    frame.positions
                );
            }
            assert_eq!(frame.velocities, [1.0, -0.5, 3.0]);
            assert_eq!(frame.step, step as u64);
        }
    }
}
