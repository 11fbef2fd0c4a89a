//! The convex hull of points, with coplanar points in one face: gift wrapping.
//!
//! Chand and Kapur, "An algorithm for convex polytopes", Journal of the ACM 17, 1970: from a face,
//! tilt a plane about each of its edges until it meets the next point. Every point of the new plane
//! is gathered, so that a box has six faces and not twelve. The cost is points times edges: meant
//! for shapes of up to some hundred corners.

use super::ShapeError;
use glam::{DVec2, DVec3};
use std::collections::BTreeSet;

/// Points this near to a plane, as a part of the size of the whole, are in it.
pub(super) const PLANAR: f64 = 1e-9;

/// Corners of the hull in rising order of the points they are, and its faces, counter-clockwise
/// seen from outside.
pub(super) struct Hull {
    pub(super) corners: Vec<DVec3>,
    pub(super) faces: Vec<Vec<u32>>,
}

/// The hull of points, if it has a volume.
pub(super) fn convex_hull(points: &[DVec3]) -> Result<Hull, ShapeError> {
    if points.iter().any(|p| !p.is_finite()) {
        return Err(ShapeError::NotFinite);
    }
    let (low, high) = points
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| (low.min(p), high.max(p)));
    let tolerance = PLANAR * (high - low).length();
    let distinct = without_repeats(points, tolerance);
    if distinct.len() < 4 || tolerance == 0.0 || !tolerance.is_finite() {
        return Err(ShapeError::Flat);
    }
    let mut wrapping = Wrapping { points: &distinct, tolerance, faces: Vec::new(), edges: BTreeSet::new() };
    wrapping.wrap()?;
    let Wrapping { faces, .. } = wrapping;
    Ok(with_corners_only(&distinct, faces))
}

/// Points in lexicographic order, each once.
fn without_repeats(points: &[DVec3], tolerance: f64) -> Vec<DVec3> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z)));
    let mut distinct: Vec<DVec3> = Vec::with_capacity(sorted.len());
    for p in sorted {
        let near = distinct.iter().rev().take_while(|q| p.x - q.x <= tolerance);
        if !near.into_iter().any(|q| p.distance(*q) <= tolerance) {
            distinct.push(p);
        }
    }
    distinct
}

fn with_corners_only(points: &[DVec3], mut faces: Vec<Vec<u32>>) -> Hull {
    let used: BTreeSet<u32> = faces.iter().flatten().copied().collect();
    let used: Vec<u32> = used.into_iter().collect();
    for corner in faces.iter_mut().flatten() {
        *corner = used.partition_point(|&u| u < *corner) as u32;
    }
    Hull { corners: used.iter().map(|&k| points[k as usize]).collect(), faces }
}

struct Wrapping<'a> {
    points: &'a [DVec3],
    tolerance: f64,
    faces: Vec<Vec<u32>>,
    /// Directed edges of the faces so far.
    edges: BTreeSet<(u32, u32)>,
}

impl Wrapping<'_> {
    fn wrap(&mut self) -> Result<(), ShapeError> {
        let first = self.first_normal()?;
        self.add_face(self.points[first.1], first.0)?;
        let mut next = 0;
        while next < self.faces.len() {
            let face = self.faces[next].clone();
            let normal = newell(&face, self.points);
            for k in 0..face.len() {
                let (a, b) = (face[k], face[(k + 1) % face.len()]);
                if self.edges.contains(&(b, a)) {
                    continue;
                }
                let (from, to) = (self.points[a as usize], self.points[b as usize]);
                let normal = self.tilt(from, (to - from).normalize(), normal)?;
                self.add_face(from, normal)?;
                if !self.edges.contains(&(b, a)) || self.faces.len() > 2 * self.points.len() {
                    return Err(ShapeError::Degenerate);
                }
            }
            next += 1;
        }
        Ok(())
    }

    /// A plane through at least three points with all others behind it: its normal and one of its
    /// points.
    fn first_normal(&self) -> Result<(DVec3, usize), ShapeError> {
        // The first point has the least x: the plane with normal −x through it has all points
        // behind it.
        let start = self.points[0];
        let tilted = self.tilt(start, DVec3::Y, DVec3::NEG_X)?;
        let in_plane = self.points.iter().filter(|p| tilted.dot(**p - start).abs() <= self.tolerance);
        let far = in_plane
            .copied()
            .max_by(|p, q| p.distance_squared(start).total_cmp(&q.distance_squared(start)))
            .filter(|p| p.distance(start) > self.tolerance)
            .ok_or(ShapeError::Degenerate)?;
        if self.polygon(start, tilted).len() >= 3 {
            return Ok((tilted, 0));
        }
        Ok((self.tilt(start, (far - start).normalize(), tilted)?, 0))
    }

    /// Turns the plane through the line from `a` along `d`, all points behind it, about that line
    /// until it meets the next point; returns the new normal.
    fn tilt(&self, a: DVec3, d: DVec3, normal: DVec3) -> Result<DVec3, ShapeError> {
        let inward = normal.cross(d);
        let mut best: Option<(f64, f64)> = None;
        for &q in self.points {
            let (u, w) = (inward.dot(q - a), (-normal).dot(q - a).max(0.0));
            if u * u + w * w <= self.tolerance * self.tolerance {
                continue;
            }
            // Farther round, from 0 to π; the sine cannot tell 0 from π.
            let farther = |(bu, bw): (f64, f64)| {
                let sine = bu * w - bw * u;
                sine > 0.0 || (sine == 0.0 && u < 0.0 && bu > 0.0)
            };
            if best.is_none_or(farther) {
                best = Some((u, w));
            }
        }
        let (u, w) = best.ok_or(ShapeError::Flat)?;
        Ok((-d).cross(u * inward - w * normal).normalize())
    }

    fn add_face(&mut self, through: DVec3, normal: DVec3) -> Result<(), ShapeError> {
        let polygon = self.polygon(through, normal);
        if polygon.len() < 3 {
            return Err(ShapeError::Degenerate);
        }
        if self.points.iter().all(|p| normal.dot(*p - through).abs() <= self.tolerance) {
            return Err(ShapeError::Flat);
        }
        for k in 0..polygon.len() {
            if !self.edges.insert((polygon[k], polygon[(k + 1) % polygon.len()])) {
                return Err(ShapeError::Degenerate);
            }
        }
        self.faces.push(polygon);
        Ok(())
    }

    /// The corners of the points in a plane, counter-clockwise about its normal: wrapping again
    /// (Jarvis 1973). It starts at the point farthest from the middle, which is a corner, and
    /// passes over points between corners. Empty if they are on a line.
    fn polygon(&self, through: DVec3, normal: DVec3) -> Vec<u32> {
        let (x, y) = normal.any_orthonormal_pair();
        let flat: Vec<(DVec2, u32)> = (0..self.points.len() as u32)
            .map(|k| (self.points[k as usize] - through, k))
            .filter(|(arm, _)| normal.dot(*arm).abs() <= self.tolerance)
            .map(|(arm, k)| (DVec2::new(x.dot(arm), y.dot(arm)), k))
            .collect();
        let middle = flat.iter().fold(DVec2::ZERO, |sum, (p, _)| sum + *p) / flat.len() as f64;
        let farther = |&a: &usize, &b: &usize| {
            flat[a].0.distance_squared(middle).total_cmp(&flat[b].0.distance_squared(middle))
        };
        let Some(start) = (0..flat.len()).max_by(farther) else { return Vec::new() };
        let (mut polygon, mut at) = (Vec::new(), start);
        while polygon.len() <= flat.len() {
            polygon.push(flat[at].1);
            at = self.next_corner(&flat, at);
            if at == start {
                return if polygon.len() >= 3 { polygon } else { Vec::new() };
            }
        }
        Vec::new()
    }

    /// The point that has all others on its left, seen from a corner; the farthest of those in
    /// line.
    fn next_corner(&self, flat: &[(DVec2, u32)], at: usize) -> usize {
        let mut next = at;
        for candidate in (0..flat.len()).filter(|&k| k != at) {
            let (old, new) = (flat[next].0 - flat[at].0, flat[candidate].0 - flat[at].0);
            let side = old.perp_dot(new);
            let blurred = self.tolerance * old.length().max(new.length());
            let in_line = side.abs() <= blurred && old.dot(new) >= 0.0;
            let better = if in_line { new.length() > old.length() } else { side < 0.0 };
            if next == at || better {
                next = candidate;
            }
        }
        next
    }
}

/// Unit normal of a polygon by Newell's sum over its edges.
pub(super) fn newell(polygon: &[u32], points: &[DVec3]) -> DVec3 {
    let origin = points[polygon[0] as usize];
    let mut sum = DVec3::ZERO;
    for k in 0..polygon.len() {
        let (a, b) = (polygon[k] as usize, polygon[(k + 1) % polygon.len()] as usize);
        sum += (points[a] - origin).cross(points[b] - origin);
    }
    sum.normalize_or_zero()
}
