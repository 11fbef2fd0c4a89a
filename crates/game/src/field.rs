//! A field: the scene of a level and a seed.

use crate::level::Level;
use crate::random::Random;
use crate::rules::{
    DOCK_DISTANCE, EARTH_RADIUS, HALF_HEIGHT, HALF_WIDTH, RESTITUTION, SHIP_DENSITY, SHIP_OUTLINE, SHIP_RIM,
    START_X, TICKS_A_SECOND,
};
use carom_numerics::elementary;
use carom_scene::description::rigid::{
    Body, CollisionHandling, Integrator, PlanarMethod, Response, Shape, Vertex, Weight,
};
use carom_scene::description::{Color, Viewport};
use carom_scene::{RigidScene, Scene};
use std::f64::consts::TAU;

/// Bodies of a field: the ship, Earth, and the asteroids after them.
pub(crate) const SHIP: usize = 0;
/// The body that is Earth.
pub(crate) const EARTH: usize = 1;

/// Seconds that the scene of a field runs for when it is run without a player.
const DURATION: f64 = 60.0;
/// No asteroid starts nearer to the ship than this, surface to centre.
const CLEAR_OF_SHIP: f64 = 3.0;
/// Room between two asteroids at the start.
const CLEAR_OF_EACH_OTHER: f64 = 0.1;
/// Tries for a free place before an asteroid is left out.
const MOST_TRIES: u32 = 200;
/// Half of the thickness of a shard's outline.
const SHARD_RIM: f64 = 0.05;
/// Corners of a shard lie between this part of its radius and the whole.
const SHARD_DEPTH: f64 = 0.85;
/// Scene files draw the dark behind everything.
const SKY: Color = Color { red: 0.02, green: 0.03, blue: 0.08 };

/// The scene of a level and a seed, and what its bodies look like.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// An ordinary scene: it can be written, run and drawn like any other.
    pub scene: Scene,
    /// Of every body, in the order of the scene.
    pub looks: Vec<Look>,
}

/// The surface of a body about its centre of mass.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// Corners of the outline at angle 0; none for a disc.
    pub outline: Vec<[f64; 2]>,
    /// Radius of the disc, or half of the thickness of the outline.
    pub radius: f64,
    /// Greatest distance of its surface from its centre.
    pub extent: f64,
}

/// A body that is there already, for finding room for others.
struct Taken {
    center: [f64; 2],
    reach: f64,
}

impl Field {
    /// The field of a level and a seed: equal for equal seeds, to the bit.
    pub fn new(level: &Level, seed: u64) -> Field {
        let mut random = Random::new(seed);
        let dt = 1.0 / f64::from(TICKS_A_SECOND);
        let mut bodies = RigidScene::new(Integrator { method: PlanarMethod::SymplecticEuler, dt });
        bodies.contact = Some(CollisionHandling {
            restitution: Some(RESTITUTION),
            ..CollisionHandling::new(Response::Impulse)
        });
        let ship = [-START_X, random.between([-level.offset, level.offset])];
        let earth = [START_X, random.between([-level.offset, level.offset])];
        push_outline(&mut bodies, ship, &SHIP_OUTLINE, SHIP_DENSITY, SHIP_RIM);
        push_disc(&mut bodies, earth, EARTH_RADIUS);
        bodies.bodies[EARTH].fixed = true;
        let mut taken = vec![
            Taken { center: ship, reach: CLEAR_OF_SHIP },
            Taken { center: earth, reach: DOCK_DISTANCE + CLEAR_OF_EACH_OTHER },
        ];
        for number in 0..level.discs + level.shards {
            let radius = random.between(level.radius);
            let Some(center) = free_place(&mut random, level, radius, &taken) else { continue };
            taken.push(Taken { center, reach: radius + CLEAR_OF_EACH_OTHER });
            if number < level.discs {
                push_disc(&mut bodies, center, radius);
            } else {
                let outline = shard(&mut random, radius - SHARD_RIM);
                push_outline(&mut bodies, center, &outline, 1.0, SHARD_RIM);
            }
            let asteroid = bodies.bodies.last_mut().expect("an asteroid was pushed");
            let (sin, cos) = elementary::sin_cos(random.between([0.0, TAU]));
            let speed = random.between(level.speed);
            asteroid.velocity = [speed * cos, speed * sin];
            asteroid.angular_velocity = random.between([-level.spin, level.spin]);
        }
        let looks = (0..bodies.bodies.len()).map(|body| look(&bodies, body)).collect();
        let mut scene = Scene::rigid_bodies(DURATION, bodies);
        scene.general.description = Some(format!("The game's field \"{}\", seed {seed}", level.name));
        scene.general.viewport = Some(Viewport { center: [0.0; 2], size: HALF_WIDTH });
        scene.general.background = Some(SKY);
        Field { scene, looks }
    }
}

/// A place on the screen where nothing is, if one is found.
fn free_place(random: &mut Random, level: &Level, radius: f64, taken: &[Taken]) -> Option<[f64; 2]> {
    for _ in 0..MOST_TRIES {
        let x = random.between([-HALF_WIDTH, HALF_WIDTH]);
        let y = random.between([-HALF_HEIGHT, HALF_HEIGHT]);
        let is_free = taken.iter().all(|other| {
            let apart = [x - other.center[0], y - other.center[1]];
            let needed = radius + other.reach;
            apart[0] * apart[0] + apart[1] * apart[1] > needed * needed
        });
        if is_free && (level.lane == 0.0 || y.abs() > level.lane + radius) {
            return Some([x, y]);
        }
    }
    None
}

/// Seven to ten corners around a circle, each a little inside it.
fn shard(random: &mut Random, radius: f64) -> Vec<[f64; 2]> {
    let corners = 7 + (random.bits() % 4) as u32;
    let corner = |k: u32| {
        let (sin, cos) = elementary::sin_cos(TAU * f64::from(k) / f64::from(corners));
        let r = radius * random.between([SHARD_DEPTH, 1.0]);
        [r * cos, r * sin]
    };
    (0..corners).map(corner).collect()
}

fn push_disc(scene: &mut RigidScene, center: [f64; 2], radius: f64) {
    let shape = Shape::Disc { center, weight: Weight::Density(1.0) };
    scene.bodies.push(Body { shape, velocity: [0.0; 2], angular_velocity: 0.0, radius, fixed: false });
}

fn push_outline(scene: &mut RigidScene, center: [f64; 2], outline: &[[f64; 2]], density: f64, rim: f64) {
    let first = scene.vertices.len();
    // Vertices carry no weight of their own in a full body, but a scene file wants a mass.
    let vertex = |&[x, y]: &[f64; 2]| Vertex { position: [center[0] + x, center[1] + y], mass: 1.0 };
    scene.vertices.extend(outline.iter().map(vertex));
    let shape = Shape::Solid { outline: (first..scene.vertices.len()).collect(), density };
    scene.bodies.push(Body { shape, velocity: [0.0; 2], angular_velocity: 0.0, radius: rim, fixed: false });
}

fn look(scene: &RigidScene, body: usize) -> Look {
    let center = scene.center_of_mass(body).unwrap_or_default();
    let corner = |&index: &usize| {
        let [x, y] = scene.vertices[index].position;
        [x - center[0], y - center[1]]
    };
    let outline: Vec<[f64; 2]> = scene.bodies[body].outline().iter().map(corner).collect();
    let radius = scene.bodies[body].radius;
    let far = outline.iter().map(|[x, y]| (x * x + y * y).sqrt()).fold(0.0, f64::max);
    Look { outline, radius, extent: far + radius }
}
