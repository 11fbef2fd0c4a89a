//! Box2D's card house (its sample "Card House"): five levels of cards, 40 in all.

use crate::scenes::Scene;
use carom_numerics::elementary::sin_cos;
use carom_rigid2d::{DVec2, Motion, Placed};

const HALF_HEIGHT: f64 = 0.2;
const HALF_THICKNESS: f64 = 0.001;
/// Rounded rim of a card.
const RIM: f64 = 2e-4;
const LEAN: f64 = 25.0 * std::f64::consts::PI / 180.0;

/// The house of `levels` levels on a floor.
pub(crate) fn house(levels: usize) -> Scene {
    let mut scene = Scene { gravity: Some(DVec2::new(0.0, -10.0)), ..Scene::default() };
    scene.bodies.push((slab(DVec2::new(0.0, -1.0), DVec2::new(40.0, 1.0), 0.0, Motion::Fixed), DVec2::ZERO));
    let card = |at: DVec2, angle: f64| {
        (slab(at, DVec2::new(HALF_THICKNESS, HALF_HEIGHT), angle, Motion::Free), DVec2::ZERO)
    };
    let (mut first, mut y) = (0.0, HALF_HEIGHT - 0.02);
    for in_level in (1..=levels).rev() {
        let mut x = first;
        for k in 0..in_level {
            if k + 1 < in_level {
                let flat = DVec2::new(x + 0.25, y + HALF_HEIGHT - 0.015);
                scene.bodies.push(card(flat, std::f64::consts::FRAC_PI_2));
            }
            scene.bodies.push(card(DVec2::new(x, y), -LEAN));
            x += 0.175;
            scene.bodies.push(card(DVec2::new(x, y), LEAN));
            x += 0.175;
        }
        y += 2.0 * HALF_HEIGHT - 0.03;
        first += 0.175;
    }
    scene
}

fn slab(center: DVec2, half: DVec2, angle: f64, motion: Motion) -> Placed {
    let (sin, cos) = sin_cos(angle);
    let core = half - RIM;
    let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(x, y)| {
        let at = core * DVec2::new(x, y);
        center + DVec2::new(cos * at.x - sin * at.y, sin * at.x + cos * at.y)
    });
    Placed::solid(&corners, 1.0, RIM, motion)
}
