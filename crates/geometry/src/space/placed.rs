//! A solid where it is now, as the narrow phase sees it.

use super::{Polyhedron, Shape};
use glam::{DMat3, DVec3};

/// Where a solid is and how it is turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Its centre.
    pub position: DVec3,
    /// From its own axes to those of the world.
    pub rotation: DMat3,
}

/// A solid in world axes.
#[derive(Debug, Clone, Copy)]
pub enum Solid<'a> {
    /// A ball.
    Ball(Ball),
    /// A convex polyhedron.
    Polyhedron(PlacedPolyhedron<'a>),
    /// Everything behind a plane.
    HalfSpace {
        /// A point of the plane.
        through: DVec3,
        /// Unit normal out of the solid.
        normal: DVec3,
    },
}

/// A ball: its centre and radius.
#[derive(Debug, Clone, Copy)]
pub struct Ball {
    /// The centre.
    pub center: DVec3,
    /// The radius.
    pub radius: f64,
}

/// A polyhedron in world axes.
#[derive(Debug, Clone, Copy)]
pub struct PlacedPolyhedron<'a> {
    /// Its faces and edges.
    pub shape: &'a Polyhedron,
    /// World corners.
    pub vertices: &'a [DVec3],
    /// World normals of the faces.
    pub normals: &'a [DVec3],
    /// A point that is inside.
    pub center: DVec3,
}

impl PlacedPolyhedron<'_> {
    /// A corner of a face.
    pub(super) fn corner(&self, face: usize, k: usize) -> DVec3 {
        let corners = &self.shape.faces()[face].corners;
        self.vertices[corners[k % corners.len()] as usize]
    }

    /// Signed distance of a point from the plane of a face.
    pub(super) fn above(&self, face: usize, point: DVec3) -> f64 {
        self.normals[face].dot(point - self.corner(face, 0))
    }
}

/// How near counts.
#[derive(Debug, Clone, Copy)]
pub struct Nearness {
    /// Gaps up to this are contacts.
    pub limit: f64,
    /// Gaps up to this are closed.
    pub tolerance: f64,
    /// The smaller extent of the two solids.
    pub extent: f64,
}

/// World corners and normals of a solid; kept as a buffer.
#[derive(Debug, Clone, Default)]
pub(super) struct Corners {
    pub(super) vertices: Vec<DVec3>,
    pub(super) normals: Vec<DVec3>,
}

impl Corners {
    /// Places a shape.
    pub(super) fn place<'a>(&'a mut self, shape: &'a Shape, pose: &Pose) -> Solid<'a> {
        let (turn, at) = (pose.rotation, pose.position);
        match shape {
            Shape::Sphere { radius } => Solid::Ball(Ball { center: at, radius: *radius }),
            Shape::HalfSpace { normal } => Solid::HalfSpace { through: at, normal: turn * *normal },
            Shape::Polyhedron(shape) => {
                self.vertices.clear();
                self.normals.clear();
                self.vertices.extend(shape.vertices().iter().map(|&v| turn * v + at));
                self.normals.extend(shape.faces().iter().map(|face| turn * face.normal));
                Solid::Polyhedron(PlacedPolyhedron {
                    shape,
                    vertices: &self.vertices,
                    normals: &self.normals,
                    center: at,
                })
            }
        }
    }
}
