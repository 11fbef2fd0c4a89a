//! Convex polyhedra: corners, faces, edges, and their volume integrals.

mod hull;
pub mod obj;

pub use obj::{Mesh, ObjError, parse_obj};

use glam::{DMat3, DVec3};
use hull::PLANAR;
use std::collections::BTreeMap;
use std::fmt;

/// A convex polyhedron. Faces that lie in one plane are one face.
#[derive(Debug, Clone, PartialEq)]
pub struct Polyhedron {
    vertices: Vec<DVec3>,
    faces: Vec<Face>,
    edges: Vec<Edge>,
}

/// A face of a polyhedron.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// Unit normal out of the solid.
    pub normal: DVec3,
    /// Corners, counter-clockwise seen from outside.
    pub corners: Vec<u32>,
    /// Edge from each corner to the next one.
    pub edges: Vec<u32>,
}

/// An edge of a polyhedron, from the lower corner to the higher one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Its two corners, in rising order.
    pub corners: [u32; 2],
    /// The two faces that meet in it: first the one that runs from the lower corner to the higher
    /// one.
    pub faces: [u32; 2],
}

/// Volume, centre and second moments of a solid of density 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolidProperties {
    /// Volume.
    pub volume: f64,
    /// Centre of mass.
    pub center: DVec3,
    /// Inertia about the centre of mass, of density 1.
    pub inertia: DMat3,
}

/// Why something is not a convex polyhedron.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeError {
    /// A coordinate is not finite.
    NotFinite,
    /// There are no faces.
    Empty,
    /// All points are in one plane, on one line or at one place, or so near or far from each other
    /// that the volume is not a number above 0.
    Flat,
    /// Points so near to each other or to one plane that rounding decides about faces.
    Degenerate,
    /// A face has fewer than three corners or one that is not there.
    BadFace {
        /// Which face.
        face: usize,
    },
    /// An edge that does not belong to exactly two faces that run along it in opposite directions:
    /// the mesh is open, or some of its faces are turned over.
    Open {
        /// From this vertex.
        from: u32,
        /// To this vertex.
        to: u32,
    },
    /// The faces are clockwise seen from outside.
    InsideOut,
    /// A vertex lies outside the plane of a face: the mesh is not convex.
    NotConvex {
        /// Which face.
        face: usize,
        /// Which vertex.
        vertex: usize,
    },
}

impl Polyhedron {
    /// A box of half sides along the axes, about the origin.
    pub fn cuboid(half: DVec3) -> Result<Self, ShapeError> {
        let corner = |k: u32| half * DVec3::new(sign(k & 1), sign(k >> 1 & 1), sign(k >> 2 & 1));
        Self::hull(&(0..8).map(corner).collect::<Vec<_>>())
    }

    /// The convex hull of points.
    pub fn hull(points: &[DVec3]) -> Result<Self, ShapeError> {
        let hull = hull::convex_hull(points)?;
        Self::from_faces(hull.corners, hull.faces)
    }

    /// The solid inside a closed convex mesh whose faces are counter-clockwise seen from outside.
    /// Faces in one plane are joined.
    pub fn from_mesh(mesh: &Mesh) -> Result<Self, ShapeError> {
        check_mesh(mesh)?;
        let used: Vec<DVec3> =
            mesh.faces.iter().flatten().map(|&corner| mesh.vertices[corner as usize]).collect();
        Self::hull(&used)
    }

    fn from_faces(vertices: Vec<DVec3>, loops: Vec<Vec<u32>>) -> Result<Self, ShapeError> {
        let mut numbers: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        let mut edges: Vec<Edge> = Vec::new();
        let mut faces: Vec<Face> = Vec::with_capacity(loops.len());
        for (index, corners) in loops.into_iter().enumerate() {
            let mut own = Vec::with_capacity(corners.len());
            for k in 0..corners.len() {
                let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
                let key = [a.min(b), a.max(b)];
                let number = *numbers.entry(key).or_insert_with(|| {
                    edges.push(Edge { corners: key, faces: [u32::MAX; 2] });
                    edges.len() as u32 - 1
                });
                edges[number as usize].faces[usize::from(a > b)] = index as u32;
                own.push(number);
            }
            faces.push(Face { normal: hull::newell(&corners, &vertices), corners, edges: own });
        }
        if let Some(open) = edges.iter().find(|edge| edge.faces.contains(&u32::MAX)) {
            return Err(ShapeError::Open { from: open.corners[0], to: open.corners[1] });
        }
        Ok(Self { vertices, faces, edges })
    }

    /// The corners.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The faces.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// The edges.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The same polyhedron moved.
    pub fn moved(mut self, by: DVec3) -> Self {
        for vertex in &mut self.vertices {
            *vertex += by;
        }
        self
    }

    /// Volume, centre and inertia, by exact integrals over the tetrahedra between one corner and
    /// the triangles of the faces (Tonon, "Explicit exact formulas for the 3-D tetrahedron inertia
    /// tensor", 2004; the surface integrals of Mirtich and Eberly give the same polynomials).
    pub fn solid_properties(&self) -> SolidProperties {
        let apex = self.vertices[0];
        let (mut six_volumes, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for face in &self.faces {
            let corner = |k: usize| self.vertices[face.corners[k] as usize] - apex;
            for k in 1..face.corners.len() - 1 {
                let (a, b, c) = (corner(0), corner(k), corner(k + 1));
                let (det, sum) = (a.dot(b.cross(c)), a + b + c);
                six_volumes += det;
                first += det * sum;
                second += det * (outer(a) + outer(b) + outer(c) + outer(sum));
            }
        }
        let volume = six_volumes / 6.0;
        let center = first * (1.0 / 24.0) / volume;
        let moments = second * (1.0 / 120.0) - volume * outer(center);
        let trace = moments.x_axis.x + moments.y_axis.y + moments.z_axis.z;
        SolidProperties {
            volume,
            center: apex + center,
            inertia: DMat3::from_diagonal(DVec3::splat(trace)) - moments,
        }
    }
}

/// a aᵀ.
fn outer(a: DVec3) -> DMat3 {
    DMat3::from_cols(a.x * a, a.y * a, a.z * a)
}

fn sign(bit: u32) -> f64 {
    if bit == 0 { -1.0 } else { 1.0 }
}

/// Closed, outside out, convex.
fn check_mesh(mesh: &Mesh) -> Result<(), ShapeError> {
    let Mesh { vertices, faces } = mesh;
    if vertices.iter().any(|p| !p.is_finite()) {
        return Err(ShapeError::NotFinite);
    }
    let mut runs: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for (face, corners) in faces.iter().enumerate() {
        if corners.len() < 3 || corners.iter().any(|&c| c as usize >= vertices.len()) {
            return Err(ShapeError::BadFace { face });
        }
        for k in 0..corners.len() {
            *runs.entry((corners[k], corners[(k + 1) % corners.len()])).or_insert(0) += 1;
        }
    }
    for (&(from, to), &count) in &runs {
        if count != 1 || runs.get(&(to, from)) != Some(&1) {
            return Err(ShapeError::Open { from, to });
        }
    }
    let Some(origin) = faces.first().map(|corners| vertices[corners[0] as usize]) else {
        return Err(ShapeError::Empty);
    };
    let mut volume = 0.0;
    let mut size: f64 = 0.0;
    for corners in faces {
        let corner = |k: usize| vertices[corners[k] as usize] - origin;
        size = corners.iter().fold(size, |s, &c| s.max((vertices[c as usize] - origin).length()));
        for k in 1..corners.len() - 1 {
            volume += corner(0).dot(corner(k).cross(corner(k + 1)));
        }
    }
    if volume.abs() <= PLANAR * size * size * size {
        return Err(ShapeError::Flat);
    }
    if volume < 0.0 {
        return Err(ShapeError::InsideOut);
    }
    check_convex(mesh, PLANAR * size)
}

fn check_convex(mesh: &Mesh, tolerance: f64) -> Result<(), ShapeError> {
    for (face, corners) in mesh.faces.iter().enumerate() {
        let normal = hull::newell(corners, &mesh.vertices);
        let through = mesh.vertices[corners[0] as usize];
        let outside = mesh
            .faces
            .iter()
            .flatten()
            .find(|&&v| normal.dot(mesh.vertices[v as usize] - through) > tolerance);
        if let Some(&vertex) = outside {
            return Err(ShapeError::NotConvex { face, vertex: vertex as usize });
        }
    }
    Ok(())
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite => write!(f, "a coordinate is not finite"),
            Self::Empty => write!(f, "there are no faces"),
            Self::Flat => write!(
                f,
                "the points are all in one plane, or too near to or far from each other: there is no volume that can be computed"
            ),
            Self::Degenerate => {
                write!(f, "points are so near to each other that rounding decides about faces")
            }
            Self::BadFace { face } => {
                write!(f, "face {face} has fewer than three corners, or one that is not there")
            }
            Self::Open { from, to } => write!(
                f,
                "the edge from vertex {from} to vertex {to} is not shared by two faces that run along it in opposite \
                 directions: the mesh is open, or some faces are turned over"
            ),
            Self::InsideOut => write!(f, "the faces are clockwise seen from outside: the mesh is inside out"),
            Self::NotConvex { face, vertex } => {
                write!(f, "vertex {vertex} is outside the plane of face {face}: the mesh is not convex")
            }
        }
    }
}

impl std::error::Error for ShapeError {}
