//! Scenes that the tests of the families do not have: pyramid, heaps, card house, gas, rack in
//! space.

use crate::scenes::Scene;
use carom_rigid2d::{DVec2, Motion, Placed, PointMass};
use carom_rigid3d::{
    BodyState, ContactSettings, DVec3, Integrator, Model, OrientationKind, Response, SpatialSettings, State,
    World,
};

/// Numbers in 0..1 by a linear congruence: the same on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Half of the side of a box whose rounded rim is `RIM` thick.
const RIM: f64 = 0.01;

fn solid(center: DVec2, half: DVec2, motion: Motion) -> Placed {
    let core = half - RIM;
    let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    Placed::solid(&corners.map(|(x, y)| center + core * DVec2::new(x, y)), 1.0, RIM, motion)
}

/// Boxes of side 1 in bond, `base` of them in the lowest row: 100 make 5,050 (Box2D's "large
/// pyramid").
pub(crate) fn pyramid(base: usize) -> Scene {
    let mut scene = Scene { gravity: Some(DVec2::new(0.0, -10.0)), ..Scene::default() };
    let floor = DVec2::new(0.5 * base as f64, -1.0);
    scene.bodies.push((solid(floor, DVec2::new(base as f64, 1.0), Motion::Fixed), DVec2::ZERO));
    for row in 0..base {
        for k in 0..base - row {
            let place = DVec2::new(0.5 + k as f64 + 0.5 * row as f64, 0.5 + row as f64);
            scene.bodies.push((solid(place, DVec2::splat(0.5), Motion::Free), DVec2::ZERO));
        }
    }
    scene
}

/// Discs of radius 0.7 to 1 that fall into a bin.
pub(crate) fn heap(count: usize) -> Scene {
    let across = (count as f64).sqrt() as usize;
    let width = 2.2 * across as f64;
    let mut scene = bin(width, 4.0 * width);
    let mut random = Random(count as u64);
    for k in 0..count {
        let (row, column) = (k / across, k % across);
        let shift = 0.1 * random.next();
        let place = DVec2::new(1.0 + 2.1 * column as f64 + shift, 1.0 + 2.1 * row as f64);
        let radius = 0.7 + 0.3 * random.next();
        scene.bodies.push((Placed::disc(place, radius, radius * radius, Motion::Free), DVec2::ZERO));
    }
    scene
}

/// A hollow bin whose inner faces are x = 0, x = width and y = 0.
fn bin(width: f64, height: f64) -> Scene {
    let mut scene = Scene { gravity: Some(DVec2::new(0.0, -10.0)), ..Scene::default() };
    let (left, right) = (-0.5, width + 0.5);
    let corners = [
        (left, -0.5),
        (left, height),
        (-5.0, height),
        (-5.0, -5.0),
        (width + 5.0, -5.0),
        (width + 5.0, height),
        (right, height),
        (right, -0.5),
    ]
    .map(|(x, y)| PointMass { position: DVec2::new(x, y), mass: 1.0 });
    scene.bodies.push((Placed::point_masses(&corners, 0.5, Motion::Fixed), DVec2::ZERO));
    scene
}

/// Discs at rest nowhere: a square box filled to 30 %, speeds up to 1 m/s along each axis.
pub(crate) fn gas(count: usize) -> Scene {
    let across = (count as f64).sqrt().ceil();
    let pitch = (std::f64::consts::PI / 0.3).sqrt();
    let width = pitch * across;
    let mut scene = Scene::default();
    let corners = [(-0.5, -0.5), (-0.5, width + 0.5), (width + 0.5, width + 0.5), (width + 0.5, -0.5)]
        .map(|(x, y)| PointMass { position: DVec2::new(x, y), mass: 1.0 });
    scene.bodies.push((Placed::point_masses(&corners, 0.5, Motion::Fixed), DVec2::ZERO));
    let mut random = Random(17);
    for k in 0..count {
        let cell = DVec2::new((k % across as usize) as f64 + 0.5, (k / across as usize) as f64 + 0.5);
        let jitter = DVec2::new(random.next() - 0.5, random.next() - 0.5);
        let velocity = 2.0 * DVec2::new(random.next() - 0.5, random.next() - 0.5);
        let placed = Placed::disc(pitch * cell + (pitch - 2.0) * jitter, 1.0, 1.0, Motion::Free);
        scene.bodies.push((placed, velocity));
    }
    scene
}

/// A triangle of spheres at exact touch in the plane z = 0 and a striker before its tip, elastic.
pub(crate) fn spatial_rack(rows: usize) -> World {
    let (mut model, mut state) = (Model::default(), State::default());
    let density = 3.0 / (4.0 * std::f64::consts::PI);
    let mut add = |center: DVec3, velocity: DVec3| {
        let placed = carom_rigid3d::Placed::sphere(center, 1.0, density, carom_rigid3d::Motion::Free);
        let momentum = placed.body.mass * velocity;
        model.bodies.push(placed.body);
        state.bodies.push(BodyState { momentum, ..BodyState::at(placed.center) });
    };
    add(DVec3::new(-2.05, 0.0, 0.0), DVec3::new(10.0, 0.0, 0.0));
    for row in 0..rows {
        for k in 0..=row {
            let place = DVec3::new(3f64.sqrt() * row as f64, 2.0 * (k as f64 - 0.5 * row as f64), 0.0);
            add(place, DVec3::ZERO);
        }
    }
    let settings = SpatialSettings {
        dt: 0.01,
        integrator: Integrator::SymplecticEuler,
        orientation: OrientationKind::Quaternion,
        contact: Some(ContactSettings::new(Response::ReflectionLcp)),
    };
    World::new(model, state, settings).expect("the rack is sound")
}
