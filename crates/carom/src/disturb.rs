//! Small changes of velocities at random, by a seed.

use crate::failure::RestoreError;
use crate::simulation::Simulation;

/// Changes every velocity of the bodies that can move by at most `size`, at random by a seed: the
/// runs of several seeds show what of a result is chance. `movable` is that of the scene.
pub fn disturb(
    simulation: &mut Simulation,
    movable: &[bool],
    seed: u64,
    size: f64,
) -> Result<(), RestoreError> {
    let mut frame = simulation.frame();
    let width = simulation.family().degrees_of_freedom();
    let mut counter = seed;
    for (velocity, _) in frame.velocities.chunks_exact_mut(width).zip(movable).filter(|(_, moves)| **moves) {
        for number in velocity {
            // a number of 53 bits from -1 to 1: every value is exact
            let unit = (split_mix(&mut counter) >> 11) as f64 / (1_u64 << 53) as f64;
            *number += size * (2.0 * unit - 1.0);
        }
    }
    simulation.restore(&frame)
}

/// SplitMix64 (Steele, Lea and Flood 2014, figure 17).
fn split_mix(counter: &mut u64) -> u64 {
    *counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*counter ^ (*counter >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;

    const PAIR: &str = r#"<scene><duration time="2"/><integrator type="symplectic-euler" dt="0.01"/>
        <particle m="1" px="0" py="1" vx="0" vy="0" fixed="0" radius="0.5"/>
        <particle m="1" px="9" py="9" vx="0" vy="0" fixed="1"/></scene>"#;

    fn simulation() -> Simulation {
        Simulation::new(&crate::read_scene(PAIR).unwrap(), Options::default()).unwrap()
    }

    #[test]
    fn seeds_disturb_what_can_move_and_nothing_else() {
        let disturbed = |seed| {
            let mut simulation = simulation();
            disturb(&mut simulation, &[true, false], seed, 1e-3).unwrap();
            simulation.frame().velocities
        };
        assert_eq!(disturbed(7), disturbed(7));
        assert_ne!(disturbed(7), disturbed(8));
        let velocities = disturbed(7);
        assert!(velocities[..2].iter().all(|v| *v != 0.0 && v.abs() <= 1e-3));
        assert_eq!(velocities[2..], [0.0, 0.0]);
    }
}
