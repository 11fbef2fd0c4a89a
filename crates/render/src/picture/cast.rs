//! The bodies of a 3D scene as solids: their forms and colours once, their poses frame by
//! frame.

use std::sync::Arc;

use carom_geometry::space::polyhedron::Polyhedron;
use carom_scene::description::spatial::{Anchor, Shape, SpatialScene};
use carom_trajectory::Frame;
use glam::{DQuat, DVec3};

use super::particles::colors;
use crate::color::Rgba;
use crate::spatial::{Form, Mesh, Solid};

/// Bodies without a colour of their own, by turns: neighbours differ.
const BODIES: [Rgba; 6] = [
    Rgba::opaque(66, 128, 196),
    Rgba::opaque(228, 128, 56),
    Rgba::opaque(84, 160, 104),
    Rgba::opaque(200, 84, 88),
    Rgba::opaque(146, 114, 190),
    Rgba::opaque(220, 180, 70),
];
/// Fixed bodies without a colour of their own.
const FIXED: Rgba = Rgba::opaque(150, 153, 160);
/// Springs without a colour of their own.
const SPRING: Rgba = Rgba::opaque(96, 104, 112);
/// Numbers of a body in a frame: place, then turn.
const STRIDE: usize = 7;
/// A polyhedron of more corners is fitted into a picture by the ball around it.
const MOST_CORNERS: usize = 24;
/// Windings of a spring, points of each, and its thickness and half width as shares of its length.
const WINDINGS: usize = 9;
const POINTS: usize = 14;
const WIRE: f64 = 0.010;
const COIL: f64 = 0.045;

/// Forms and colours of the bodies and springs of a scene.
#[derive(Debug, Clone)]
pub(crate) struct Cast {
    forms: Vec<Option<Form>>,
    colors: Vec<Rgba>,
    spring_colors: Vec<Rgba>,
}

impl Cast {
    pub(crate) fn new(scene: &SpatialScene, background: Rgba) -> Cast {
        let default = |index: usize| match scene.bodies.get(index) {
            Some(body) if matches!(body.shape, Shape::HalfSpace { .. }) => ground(background),
            Some(body) if body.fixed => FIXED,
            _ => BODIES[index % BODIES.len()],
        };
        Cast {
            forms: scene.bodies.iter().map(|body| form(scene, &body.shape)).collect(),
            colors: colors(&scene.body_colors, scene.bodies.len(), default),
            spring_colors: colors(&scene.spring_colors, scene.springs.len(), |_| SPRING),
        }
    }

    /// Every colour that is drawn.
    pub(crate) fn colors(&self) -> impl Iterator<Item = Rgba> + '_ {
        self.colors.iter().chain(&self.spring_colors).copied()
    }

    /// The bodies in a frame; those whose numbers are not finite, and those without a form, are
    /// absent.
    pub(crate) fn solids(&self, frame: &Frame) -> Vec<Option<Solid>> {
        let solid = |(index, form): (usize, &Option<Form>)| {
            let (position, orientation) = pose(frame, index);
            let solid = Solid { form: form.clone()?, position, orientation, color: self.colors[index] };
            solid.is_finite().then_some(solid)
        };
        self.forms.iter().enumerate().map(solid).collect()
    }

    /// The springs in a frame, each a coil between its ends.
    pub(crate) fn springs(&self, scene: &SpatialScene, frame: &Frame) -> Vec<Solid> {
        let coil = |(spring, color): (&carom_scene::description::spatial::Spring, &Rgba)| {
            let [start, end] = [&spring.start, &spring.end].map(|end| anchor(frame, end));
            let length = (end - start).length();
            let thickness = if spring.rest_length > 0.0 { spring.rest_length } else { length };
            let mesh = coil(start, end, thickness.min(2.0 * length))?;
            let form = Form::Mesh(Arc::new(mesh));
            Some(Solid { form, position: start, orientation: DQuat::IDENTITY, color: *color })
        };
        scene.springs.iter().zip(&self.spring_colors).filter_map(coil).collect()
    }

    /// Every place that a picture of the frame should hold, each with the distance around it that
    /// belongs to it.
    pub(crate) fn places(&self, scene: &SpatialScene, frame: &Frame) -> Vec<(DVec3, f64)> {
        let mut places = Vec::new();
        for solid in self.solids(frame).into_iter().flatten() {
            match &solid.form {
                Form::Mesh(mesh) if mesh.corners().len() <= MOST_CORNERS => {
                    let world = |corner: &DVec3| (solid.position + solid.orientation * *corner, 0.0);
                    places.extend(mesh.corners().iter().map(world));
                }
                Form::HalfSpace { .. } => {}
                _ => places.push((solid.position, solid.reach())),
            }
        }
        let ends = scene.springs.iter().flat_map(|spring| [spring.start, spring.end]);
        places.extend(ends.map(|end| (anchor(frame, &end), 0.0)));
        places
    }
}

/// What is up: against gravity, or z.
pub(crate) fn up(scene: &SpatialScene) -> DVec3 {
    let gravity: DVec3 = scene.gravities.iter().map(|g| DVec3::from_array(*g)).sum();
    (-gravity).try_normalize().unwrap_or(DVec3::Z)
}

/// Place and turn of a body in a frame; not a number when the frame does not hold it.
pub(crate) fn pose(frame: &Frame, body: usize) -> (DVec3, DQuat) {
    let number = |offset: usize| frame.positions.get(STRIDE * body + offset).copied().unwrap_or(f64::NAN);
    let place = DVec3::new(number(0), number(1), number(2));
    (place, DQuat::from_xyzw(number(4), number(5), number(6), number(3)).normalize())
}

fn anchor(frame: &Frame, anchor: &Anchor) -> DVec3 {
    match *anchor {
        Anchor::World(point) => DVec3::from_array(point),
        Anchor::Body { body, offset } => {
            let (place, turn) = pose(frame, body);
            place + turn * DVec3::from_array(offset)
        }
    }
}

fn form(scene: &SpatialScene, shape: &Shape) -> Option<Form> {
    Some(match shape {
        Shape::Sphere { radius } => Form::Sphere { radius: *radius },
        Shape::Box { sides } => Form::Mesh(Arc::new(Mesh::cuboid(0.5 * DVec3::from_array(*sides)))),
        Shape::Polyhedron { corners } => {
            let point = |&index: &usize| scene.vertices.get(index).map(|v| DVec3::from_array(*v));
            let points: Option<Vec<DVec3>> = corners.iter().map(point).collect();
            let hull = Polyhedron::hull(&points?).ok()?;
            let center = hull.solid_properties().center;
            let faces: Vec<Vec<usize>> = hull
                .faces()
                .iter()
                .map(|face| face.corners.iter().map(|&corner| corner as usize).collect())
                .collect();
            let corners = hull.vertices().iter().map(|corner| *corner - center).collect();
            Form::Mesh(Arc::new(Mesh::new(corners, &faces)))
        }
        Shape::HalfSpace { normal } => {
            Form::HalfSpace { normal: DVec3::from_array(*normal).try_normalize()? }
        }
        // A program that reads files has put the polyhedron here; without it there is nothing to
        // see.
        Shape::File { .. } => return None,
    })
}

/// The ground is a little darker than a light background and a little lighter than a dark one.
fn ground(background: Rgba) -> Rgba {
    let toward = if background.luminance() > 0.2 { Rgba::BLACK } else { Rgba::WHITE };
    background.mixed_with(toward, 0.12)
}

/// A coil of wire from one point to another, about its start; its windings are as wide and thick as
/// suits `size`.
fn coil(start: DVec3, end: DVec3, size: f64) -> Option<Mesh> {
    let along = end - start;
    let unit = along.try_normalize()?;
    let side = unit.any_orthonormal_vector();
    let other = unit.cross(side);
    let steps = WINDINGS * POINTS;
    let mut points = vec![DVec3::ZERO];
    for k in 0..=steps {
        let share = k as f64 / steps as f64;
        let angle = std::f64::consts::TAU * share * WINDINGS as f64;
        // The wire leaves and reaches the axis at the ends.
        let swing = COIL * size * (12.0 * share).min(12.0 * (1.0 - share)).min(1.0);
        let around = libm::cos(angle) * side + libm::sin(angle) * other;
        points.push(along * (0.06 + 0.88 * share) + swing * around);
    }
    points.push(along);
    Some(Mesh::tube(&points, WIRE * size))
}
