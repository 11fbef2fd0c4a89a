//! The surfaces of spatial bodies, for exports and viewers.

use crate::build::BuildError;
use carom_rigid3d::orientation::exponential;
use carom_rigid3d::{DVec3, Polyhedron};
use carom_scene::description::spatial::{Shape, SpatialScene};
use carom_scene::{Scene, System};
use carom_trajectory::export::Solid;
use std::f64::consts::PI;

/// Sides of a ball round its equator; half as many from pole to pole.
const BALL_SIDES: u32 = 32;

/// Colours of bodies that have none of their own: free, and not free.
const FREE: [f64; 3] = [0.35, 0.55, 0.75];
const FIXED: [f64; 3] = [0.6, 0.6, 0.6];

/// The surface of every body in its own axes about its centre of mass, in the order of the scene.
/// Half-spaces are squares that reach beyond everything at the start. Nothing for scenes of another
/// kind.
pub fn solids(scene: &Scene) -> Result<Vec<Solid>, BuildError> {
    let System::SpatialBodies(system) = &scene.system else { return Ok(Vec::new()) };
    let reach = reach(system);
    let mut all = Vec::with_capacity(system.bodies.len());
    for (index, body) in system.bodies.iter().enumerate() {
        let refuse = |error| BuildError::Shape { body: index, error };
        let mut solid = match &body.shape {
            Shape::Sphere { radius } => ball(*radius),
            Shape::Box { sides } => faceted(&Polyhedron::cuboid(0.5 * DVec3::from(*sides)).map_err(refuse)?),
            Shape::Polyhedron { corners } => {
                let points: Vec<DVec3> = corners.iter().map(|&k| system.vertices[k].into()).collect();
                let solid = Polyhedron::hull(&points).map_err(refuse)?;
                let center = solid.solid_properties().center;
                faceted(&solid.moved(-center))
            }
            Shape::File { name } => return Err(BuildError::MeshFile { body: index, name: name.clone() }),
            Shape::HalfSpace { normal } => square(DVec3::from(*normal).normalize_or_zero(), reach),
        };
        solid.name = format!("body {index}");
        solid.color = if body.fixed { FIXED } else { FREE };
        all.push(solid);
    }
    for given in &system.body_colors {
        if let Some(solid) = all.get_mut(given.index) {
            solid.color = [given.color.red, given.color.green, given.color.blue];
        }
    }
    Ok(all)
}

/// Half the side of the squares that stand for half-spaces.
fn reach(system: &SpatialScene) -> f64 {
    let far = |points: &mut dyn Iterator<Item = &[f64; 3]>| {
        points.fold(0.0, |far: f64, p| far.max(DVec3::from(*p).length()))
    };
    let places = far(&mut system.bodies.iter().map(|body| &body.position));
    let vertices = far(&mut system.vertices.iter());
    let size = system.bodies.iter().fold(0.0, |far: f64, body| match &body.shape {
        Shape::Sphere { radius } => far.max(*radius),
        Shape::Box { sides } => far.max(0.5 * DVec3::from(*sides).length()),
        _ => far,
    });
    2.0 * (places + vertices + size).max(0.5)
}

/// Flat faces, each with points of its own so that edges are sharp.
fn faceted(polyhedron: &Polyhedron) -> Solid {
    let mut solid = Solid::default();
    for face in polyhedron.faces() {
        let first = solid.points.len() as u32;
        for &corner in &face.corners {
            solid.points.push(polyhedron.vertices()[corner as usize].to_array());
            solid.normals.push(face.normal.to_array());
        }
        let count = face.corners.len() as u32;
        solid.triangles.extend((1..count - 1).map(|k| [first, first + k, first + k + 1]));
    }
    solid
}

fn ball(radius: f64) -> Solid {
    let mut solid = Solid::default();
    let rows = BALL_SIDES / 2;
    for row in 0..=rows {
        let down = exponential(PI * f64::from(row) / f64::from(rows) * DVec3::Y) * DVec3::Z;
        for side in 0..=BALL_SIDES {
            let round = exponential(2.0 * PI * f64::from(side) / f64::from(BALL_SIDES) * DVec3::Z);
            let normal = (round * down).normalize();
            solid.points.push((radius * normal).to_array());
            solid.normals.push(normal.to_array());
        }
    }
    let at = |row: u32, side: u32| row * (BALL_SIDES + 1) + side;
    for row in 0..rows {
        for side in 0..BALL_SIDES {
            let (a, b) = (at(row, side), at(row + 1, side));
            if row > 0 {
                solid.triangles.push([a, b, a + 1]);
            }
            if row + 1 < rows {
                solid.triangles.push([a + 1, b, b + 1]);
            }
        }
    }
    solid
}

fn square(normal: DVec3, half: f64) -> Solid {
    let (x, y) = normal.any_orthonormal_pair();
    let corners = [-x - y, x - y, x + y, -x + y].map(|corner| (half * corner).to_array());
    // Counter-clockwise seen from outside, whichever hand the pair has.
    let triangles =
        if x.cross(y).dot(normal) > 0.0 { vec![[0, 1, 2], [0, 2, 3]] } else { vec![[0, 2, 1], [0, 3, 2]] };
    Solid { points: corners.to_vec(), normals: vec![normal.to_array(); 4], triangles, ..Solid::default() }
}
