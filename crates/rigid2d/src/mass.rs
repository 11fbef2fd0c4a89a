//! Mass, centre and moment of inertia: of point masses as in the course, of full outlines, of
//! discs.
//!
//! The sums over point masses run in the order in which the course's program adds, because scenes
//! whose bodies touch exactly depend on the last bit of the centres.

use crate::model::{Body, Motion, Polygon, Shape};
use crate::rotation::cross;
use glam::DVec2;

/// A body and where its centre of mass is in the world.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The body, its shape about its centre of mass.
    pub body: Body,
    /// The centre of mass.
    pub center: DVec2,
}

/// A weight at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointMass {
    /// Where, in the world.
    pub position: DVec2,
    /// Its mass.
    pub mass: f64,
}

impl Placed {
    /// A hollow outline whose weight sits in its vertices, as all bodies of the course.
    pub fn point_masses(points: &[PointMass], radius: f64, motion: Motion) -> Self {
        let mass = two_lane_sum(points);
        let weighted = points.iter().fold(DVec2::ZERO, |sum, p| sum + p.mass * p.position);
        let center = weighted * (1.0 / mass);
        let inertia = points.iter().fold(0.0, |sum, p| sum + p.mass * (p.position - center).length_squared());
        let vertices = points.iter().map(|p| p.position - center).collect();
        let shape = Shape::Polygon(Polygon { vertices, radius, solid: false });
        Self { body: Body { mass, inertia, shape, motion }, center }
    }

    /// A full outline of uniform density (mass per area); its rounded rim of thickness `radius`
    /// weighs nothing.
    ///
    /// Centre and inertia by Green's theorem over the triangles that each edge makes with the first
    /// vertex. An outline without area has mass 0, which no world accepts.
    pub fn solid(outline: &[DVec2], density: f64, radius: f64, motion: Motion) -> Self {
        let origin = outline.first().copied().unwrap_or_default();
        let mut twice_area = 0.0;
        let mut moment = DVec2::ZERO;
        let mut second_moment = 0.0;
        for (k, &start) in outline.iter().enumerate() {
            let (a, b) = (start - origin, outline[(k + 1) % outline.len()] - origin);
            let wedge = cross(a, b);
            twice_area += wedge;
            moment += wedge * (a + b);
            second_moment += wedge * (a.dot(a) + a.dot(b) + b.dot(b));
        }
        let center = if twice_area == 0.0 { DVec2::ZERO } else { moment / (3.0 * twice_area) };
        let mass = density * (0.5 * twice_area).abs();
        let inertia = density * (second_moment / 12.0).abs() - mass * center.length_squared();
        let vertices = outline.iter().map(|&v| v - (origin + center)).collect();
        let shape = Shape::Polygon(Polygon { vertices, radius, solid: true });
        Self { body: Body { mass, inertia, shape, motion }, center: origin + center }
    }

    /// A uniform disc of a given mass: I = ½ M r².
    pub fn disc(center: DVec2, radius: f64, mass: f64, motion: Motion) -> Self {
        let inertia = 0.5 * mass * radius * radius;
        Self { body: Body { mass, inertia, shape: Shape::Disc { radius }, motion }, center }
    }

    /// Everything behind a line through a point. It is not free, and what it weighs does not
    /// matter.
    pub fn half_plane(point: DVec2, normal: DVec2, motion: Motion) -> Self {
        let shape = Shape::HalfPlane { normal: normal.normalize_or_zero() };
        Self { body: Body { mass: 1.0, inertia: 1.0, shape, motion }, center: point }
    }

    /// A uniform disc of a given density (mass per area).
    pub fn disc_of_density(center: DVec2, radius: f64, density: f64, motion: Motion) -> Self {
        Self::disc(center, radius, density * std::f64::consts::PI * radius * radius, motion)
    }
}

/// Sum of the masses over even and over odd places, then both together, then the last of an odd
/// number.
fn two_lane_sum(points: &[PointMass]) -> f64 {
    let paired = points.len() / 2 * 2;
    let (mut even, mut odd) = (0.0, 0.0);
    for pair in points[..paired].chunks_exact(2) {
        even += pair[0].mass;
        odd += pair[1].mass;
    }
    points[paired..].iter().fold(even + odd, |sum, last| sum + last.mass)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(side: f64, corner: DVec2) -> Vec<DVec2> {
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
            .map(|(x, y)| corner + side * DVec2::new(x, y))
            .to_vec()
    }

    #[test]
    fn four_point_masses_at_the_corners_of_a_square() {
        let points: Vec<_> = square(2.0, DVec2::new(3.0, 1.0))
            .into_iter()
            .map(|position| PointMass { position, mass: 1.5 })
            .collect();
        let placed = Placed::point_masses(&points, 0.1, Motion::Free);
        assert_eq!(placed.body.mass, 6.0);
        assert!((placed.center - DVec2::new(4.0, 2.0)).length() < 1e-15);
        assert!((placed.body.inertia - 12.0).abs() < 1e-14);
    }

    #[test]
    fn sums_run_in_two_lanes() {
        let masses = [1e16, 1.0, -1e16, 1.0, 1.0];
        let points = masses.map(|mass| PointMass { position: DVec2::ZERO, mass });
        assert_eq!(two_lane_sum(&points), 3.0);
    }

    #[test]
    fn a_full_square_in_either_winding() {
        let mut corners = square(2.0, DVec2::new(100.0, -50.0));
        for _ in 0..2 {
            let placed = Placed::solid(&corners, 3.0, 0.0, Motion::Free);
            assert!((placed.body.mass - 12.0).abs() < 1e-12);
            assert!((placed.body.inertia - 12.0 * 4.0 / 6.0).abs() < 1e-11);
            assert!((placed.center - DVec2::new(101.0, -49.0)).length() < 1e-13);
            corners.reverse();
        }
    }

    #[test]
    fn a_disc_by_density() {
        let placed = Placed::disc_of_density(DVec2::ZERO, 2.0, 0.5, Motion::Free);
        assert!((placed.body.mass - 2.0 * std::f64::consts::PI).abs() < 1e-15);
        assert!((placed.body.inertia - 4.0 * std::f64::consts::PI).abs() < 1e-14);
    }
}
