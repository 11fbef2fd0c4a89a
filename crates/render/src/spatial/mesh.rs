//! Flat faces: corners, normals, and which edges are seen as lines.

use std::collections::BTreeMap;

use glam::DVec3;

/// An edge is seen as a line when the normals of its two faces differ by at least this angle's
/// cosine: 20 degrees.
const CREASE_COSINE: f64 = 0.939_692_620_785_908_4;

/// A body of flat convex faces, in body axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    corners: Vec<DVec3>,
    faces: Vec<MeshFace>,
    reach: f64,
}

/// A convex face.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshFace {
    /// Corners, counter-clockwise seen from outside.
    pub corners: Vec<usize>,
    /// Out of the solid, of unit length.
    pub normal: DVec3,
    /// Whether the edge from each corner to the next one is seen as a line.
    pub creases: Vec<bool>,
}

impl Mesh {
    /// From corners and convex faces that run counter-clockwise seen from outside. Faces without
    /// area or with a corner that is not there are left out: there is nothing of them to see.
    pub fn new(corners: Vec<DVec3>, faces: &[Vec<usize>]) -> Mesh {
        let mut made: Vec<MeshFace> = Vec::with_capacity(faces.len());
        for face in faces {
            let Some(points) = face.iter().map(|&at| corners.get(at).copied()).collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            if let Some(normal) = area_vector(&points).try_normalize() {
                made.push(MeshFace { corners: face.clone(), normal, creases: vec![true; face.len()] });
            }
        }
        mark_creases(&mut made);
        let reach = corners.iter().map(|c| c.length()).fold(0.0, f64::max);
        Mesh { corners, faces: made, reach }
    }

    /// A box about the origin.
    pub fn cuboid(half_sides: DVec3) -> Mesh {
        let corner = |k: usize| {
            let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
            DVec3::new(sign(0), sign(1), sign(2)) * half_sides
        };
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Mesh::new((0..8).map(corner).collect(), &faces.map(|face| face.to_vec()))
    }

    /// A tube of six sides along a line of points; no edge of it is seen as a line.
    pub fn tube(points: &[DVec3], radius: f64) -> Mesh {
        const SIDES: usize = 6;
        let mut corners = Vec::with_capacity(points.len() * SIDES);
        let mut side = DVec3::ZERO;
        for (k, &point) in points.iter().enumerate() {
            let before = points[k.saturating_sub(1)];
            let after = points[(k + 1).min(points.len() - 1)];
            let along = (after - before).try_normalize().unwrap_or(DVec3::Z);
            // Carried on from the point before, so that the tube does not twist.
            let flat = side - side.dot(along) * along;
            side = flat.try_normalize().unwrap_or_else(|| along.any_orthonormal_vector());
            let other = along.cross(side);
            for s in 0..SIDES {
                let angle = std::f64::consts::TAU * s as f64 / SIDES as f64;
                corners.push(point + radius * (libm::cos(angle) * side + libm::sin(angle) * other));
            }
        }
        let mut faces = Vec::new();
        for ring in 0..points.len().saturating_sub(1) {
            for s in 0..SIDES {
                let next = (s + 1) % SIDES;
                let [a, b] = [ring * SIDES, (ring + 1) * SIDES];
                faces.push(vec![a + s, a + next, b + next, b + s]);
            }
        }
        let mut mesh = Mesh::new(corners, &faces);
        mesh.faces.iter_mut().for_each(|face| face.creases.fill(false));
        mesh
    }

    /// Corners.
    pub fn corners(&self) -> &[DVec3] {
        &self.corners
    }

    /// Faces.
    pub fn faces(&self) -> &[MeshFace] {
        &self.faces
    }

    /// Greatest distance of a corner from the origin.
    pub fn reach(&self) -> f64 {
        self.reach
    }
}

/// Twice the area, along the normal (Newell's formula).
fn area_vector(points: &[DVec3]) -> DVec3 {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(a, b)| (*a - points[0]).cross(*b - points[0])).sum()
}

/// An edge between faces that go on almost straight is no line.
fn mark_creases(faces: &mut [MeshFace]) {
    let mut owners: BTreeMap<(usize, usize), (usize, usize)> = BTreeMap::new();
    let mut smooth = Vec::new();
    for (index, face) in faces.iter().enumerate() {
        for (at, &corner) in face.corners.iter().enumerate() {
            let next = face.corners[(at + 1) % face.corners.len()];
            owners.insert((corner, next), (index, at));
            if let Some(&(other, other_at)) = owners.get(&(next, corner))
                && face.normal.dot(faces[other].normal) > CREASE_COSINE
            {
                smooth.extend([(index, at), (other, other_at)]);
            }
        }
    }
    for (face, at) in smooth {
        faces[face].creases[at] = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_six_faces_outwards_with_creases_all_around() {
        let mesh = Mesh::cuboid(DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(mesh.faces().len(), 6);
        for face in mesh.faces() {
            let middle: DVec3 = face.corners.iter().map(|&c| mesh.corners()[c]).sum::<DVec3>() / 4.0;
            assert!(middle.normalize().dot(face.normal) > 0.999, "{face:?}");
            assert!(face.creases.iter().all(|c| *c));
        }
        assert!((mesh.reach() - 14.0_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn the_diagonal_of_a_split_face_is_no_line() {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::X + DVec3::Y, DVec3::Y];
        let mesh = Mesh::new(corners, &[vec![0, 1, 2], vec![0, 2, 3], vec![0, 0, 1], vec![0, 1, 9]]);
        let creases: Vec<&[bool]> = mesh.faces().iter().map(|face| &face.creases[..]).collect();
        assert_eq!(creases, [&[true, true, false][..], &[false, true, true][..]]);
    }

    #[test]
    fn a_tube_faces_outwards() {
        let points: Vec<DVec3> = (0..9).map(|k| DVec3::new(0.0, 0.1 * f64::from(k), f64::from(k))).collect();
        let mesh = Mesh::tube(&points, 0.2);
        assert_eq!(mesh.faces().len(), 48);
        for face in mesh.faces() {
            let middle: DVec3 = face.corners.iter().map(|&c| mesh.corners()[c]).sum::<DVec3>() / 4.0;
            let spine = DVec3::new(0.0, 0.1 * middle.z, middle.z);
            assert!((middle - spine).dot(face.normal) > 0.1, "{face:?}");
        }
    }
}
