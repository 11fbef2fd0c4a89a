//! Bodies from shapes and densities.

use crate::model::{Body, Motion};
use crate::shape::{Polyhedron, Shape, ShapeError};
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// A body and where its centre of mass is.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The body, its shape about its centre of mass.
    pub body: Body,
    /// Centre of mass in the axes that the shape was given in.
    pub center: DVec3,
}

impl Placed {
    /// A full ball.
    pub fn sphere(center: DVec3, radius: f64, density: f64, motion: Motion) -> Self {
        let mass = 4.0 / 3.0 * PI * radius * radius * radius * density;
        let inertia = DMat3::from_diagonal(DVec3::splat(0.4 * mass * radius * radius));
        Self { body: Body::new(mass, inertia, Shape::Sphere { radius }, motion), center }
    }

    /// A full box of half sides along the axes.
    pub fn cuboid(center: DVec3, half: DVec3, density: f64, motion: Motion) -> Result<Self, ShapeError> {
        let polyhedron = Polyhedron::cuboid(half)?;
        let mass = 8.0 * half.x * half.y * half.z * density;
        let square = half * half;
        let moments = DVec3::new(square.y + square.z, square.z + square.x, square.x + square.y);
        let inertia = DMat3::from_diagonal(mass / 3.0 * moments);
        Ok(Self { body: Body::new(mass, inertia, Shape::Polyhedron(polyhedron), motion), center })
    }

    /// A full polyhedron. Body axes are parallel to the axes it was given in.
    pub fn polyhedron(polyhedron: Polyhedron, density: f64, motion: Motion) -> Self {
        let solid = polyhedron.solid_properties();
        let shape = Shape::Polyhedron(polyhedron.moved(-solid.center));
        let body = Body::new(density * solid.volume, density * solid.inertia, shape, motion);
        Self { body, center: solid.center }
    }

    /// Everything behind a plane through a point. It is not free, and what it weighs does not
    /// matter.
    pub fn half_space(point: DVec3, normal: DVec3, motion: Motion) -> Self {
        let shape = Shape::HalfSpace { normal: normal.normalize_or_zero() };
        Self { body: Body::new(1.0, DMat3::IDENTITY, shape, motion), center: point }
    }
}
