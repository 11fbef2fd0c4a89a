//! Scenes to measure.
#![allow(dead_code, reason = "the benchmark uses all of its scenes, the tests some")]

use carom_rigid2d::{
    BodyState, ContactSettings, DVec2, Forces, Integrator, Model, Motion, Placed, PlanarSettings, PointMass,
    State, World,
};

/// Bodies with their velocities, before settings make a world of them.
#[derive(Clone, Default)]
pub(crate) struct Scene {
    pub(crate) bodies: Vec<(Placed, DVec2)>,
    pub(crate) gravity: Option<DVec2>,
}

impl Scene {
    pub(crate) fn world(&self, dt: f64, contact: ContactSettings) -> World {
        let forces = Forces { gravities: self.gravity.into_iter().collect(), ..Forces::default() };
        let bodies = self.bodies.iter().map(|(placed, _)| placed.body.clone()).collect();
        let states = self
            .bodies
            .iter()
            .map(|(placed, velocity)| BodyState { velocity: *velocity, ..BodyState::at(placed.center) });
        let state = State { bodies: states.collect(), step: 0 };
        let settings =
            PlanarSettings { contact: Some(contact), ..PlanarSettings::new(dt, Integrator::SymplecticEuler) };
        World::new(Model { bodies, forces }, state, settings).expect("the scenes of this file are sound")
    }
}

/// A triangle of `rows` rows of unit discs at exact touch and a striker just before its tip.
pub(crate) fn disc_rack(rows: usize) -> Scene {
    let mut scene = Scene::default();
    scene.bodies.push((Placed::disc(DVec2::new(-2.05, 0.0), 1.0, 1.0, Motion::Free), DVec2::new(10.0, 0.0)));
    for place in triangle(rows) {
        scene.bodies.push((Placed::disc(place, 1.0, 1.0, Motion::Free), DVec2::ZERO));
    }
    scene
}

/// The same of regular twelve-gons, corner to corner.
pub(crate) fn twelve_gon_rack(rows: usize) -> Scene {
    let mut scene = Scene::default();
    scene.bodies.push((twelve_gon(DVec2::new(-2.0, 0.0)), DVec2::new(10.0, 0.0)));
    scene.bodies.extend(triangle(rows).map(|place| (twelve_gon(place), DVec2::ZERO)));
    scene
}

/// Discs that fall into a box; square places with a little shift, so that they do not stand on each
/// other.
pub(crate) fn falling_pile(count: usize) -> Scene {
    let across = (count as f64).sqrt() as usize;
    let width = 2.1 * across as f64;
    let mut scene = boxed(width, 2.0 * width);
    for k in 0..count {
        let (row, column) = (k / across, k % across);
        let shift = if row % 2 == 0 { 0.0 } else { 0.05 };
        let place = DVec2::new(WALL + 1.1 + 2.05 * column as f64 + shift, WALL + 1.1 + 2.02 * row as f64);
        scene.bodies.push((Placed::disc(place, 1.0, 1.0, Motion::Free), DVec2::ZERO));
    }
    scene
}

/// Discs that lie in a box in a hexagonal packing, each row held by the one below and by the walls:
/// more contacts than are needed.
pub(crate) fn lying_pile(count: usize) -> Scene {
    let across = (count as f64).sqrt() as usize;
    let width = 2.0 * across as f64 + 2.0 * WALL;
    let mut scene = boxed(width, 2.0 * width);
    let (mut row, mut left) = (0, count);
    while left > 0 {
        let (in_row, shift) = if row % 2 == 0 { (across, 0.0) } else { (across - 1, 1.0) };
        for k in 0..in_row.min(left) {
            let place =
                DVec2::new(WALL + 1.0 + shift + 2.0 * k as f64, WALL + 1.0 + 3f64.sqrt() * row as f64);
            scene.bodies.push((Placed::disc(place, 1.0, 1.0, Motion::Free), DVec2::ZERO));
        }
        left = left.saturating_sub(in_row);
        row += 1;
    }
    scene
}

/// Half of the thickness of the box's walls.
const WALL: f64 = 0.5;

fn boxed(width: f64, height: f64) -> Scene {
    let mut scene = Scene { gravity: Some(DVec2::new(0.0, -10.0)), ..Scene::default() };
    let corners = [
        (0.0, 0.0),
        (0.0, height),
        (-5.0, height),
        (-5.0, -5.0),
        (width + 5.0, -5.0),
        (width + 5.0, height),
        (width, height),
        (width, 0.0),
    ]
    .map(|(x, y)| PointMass { position: DVec2::new(x, y), mass: 1.0 });
    scene.bodies.push((Placed::point_masses(&corners, WALL, Motion::Fixed), DVec2::ZERO));
    scene
}

fn triangle(rows: usize) -> impl Iterator<Item = DVec2> {
    let root_three = 3f64.sqrt();
    (0..rows).flat_map(move |row| {
        (0..=row).map(move |k| DVec2::new(root_three * row as f64, 2.0 * (k as f64 - 0.5 * row as f64)))
    })
}

fn twelve_gon(center: DVec2) -> Placed {
    let radius = 0.1;
    let corners: Vec<_> = (0..12)
        .map(|k| {
            let (sin, cos) = carom_numerics::elementary::sin_cos(std::f64::consts::PI * f64::from(k) / 6.0);
            PointMass { position: center + (1.0 - radius) * DVec2::new(cos, sin), mass: 1.0 / 12.0 }
        })
        .collect();
    Placed::point_masses(&corners, radius, Motion::Free)
}
