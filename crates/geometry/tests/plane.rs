//! Planar pairs against Parry: distances, penetrations and normals.

use crate::random::Random;
use carom_geometry::plane::{Manifold, ManifoldPoint, Narrow, Nearness, Placed, Polygon, Shape};
use glam::DVec2;
use parry2d_f64::math::Pose;
use parry2d_f64::query;
use parry2d_f64::shape::{Ball, ConvexPolygon};

const PAIRS: usize = 2000;
/// Parry's iterations (GJK) end within about this of the distance.
const NEAR: f64 = 1e-7;

pub(crate) fn polygon(vertices: &[DVec2], radius: f64) -> Shape {
    Shape::Polygon(Polygon { vertices: vertices.to_vec(), radius, solid: true })
}

pub(crate) fn peer(vertices: &[DVec2]) -> ConvexPolygon {
    ConvexPolygon::from_convex_polyline(vertices.to_vec()).expect("a convex polygon")
}

/// The deepest point of the manifold.
fn deepest(shapes: [&Shape; 2], places: [(DVec2, f64); 2]) -> ManifoldPoint {
    let mut vertices = [vec![], vec![]];
    let turns = [0, 1].map(|k| shapes[k].place(places[k].0, places[k].1, &mut vertices[k]));
    let [a, b] = [0, 1].map(|k| Placed::new(shapes[k], places[k].0, turns[k], &vertices[k]));
    let mut manifold = Manifold::default();
    Narrow::default().pair(a, b, Nearness::within(100.0), &mut manifold);
    let least = manifold.points.into_iter().min_by(|p, q| p.gap.total_cmp(&q.gap));
    least.expect("a pair has a nearest point")
}

#[test]
fn discs() {
    let mut random = Random(1);
    for _ in 0..PAIRS {
        let radii = [random.within(0.1, 1.0), random.within(0.1, 1.0)];
        let places = [(random.planar(1.0), 0.0), (random.planar(1.0), 0.0)];
        let [a, b] = radii.map(|radius| Shape::Disc { radius });
        let ours = deepest([&a, &b], places);
        let [p, q] = places.map(|(center, angle)| Pose::new(center, angle));
        let theirs = query::contact(&p, &Ball::new(radii[0]), &q, &Ball::new(radii[1]), 100.0);
        let theirs = theirs.expect("supported").expect("near enough");
        assert!((ours.gap - theirs.dist).abs() < 1e-14);
        assert!((ours.normal - theirs.normal1).length() < 1e-14);
    }
}

#[test]
fn discs_and_polygons() {
    let mut random = Random(2);
    for _ in 0..PAIRS {
        let (vertices, radius) = (random.polygon(), random.within(0.1, 1.0));
        let (shape, disc) = (polygon(&vertices, 0.0), Shape::Disc { radius });
        let places = [(random.planar(1.0), random.within(0.0, 6.0)), (random.planar(2.0), 0.0)];
        let [p, q] = places.map(|(center, angle)| Pose::new(center, angle));
        let theirs = query::contact(&p, &peer(&vertices), &q, &Ball::new(radius), 100.0);
        let theirs = theirs.expect("supported").expect("near enough");
        for (shapes, places, sign) in
            [([&shape, &disc], places, 1.0), ([&disc, &shape], [places[1], places[0]], -1.0)]
        {
            let ours = deepest(shapes, places);
            assert!((ours.gap - theirs.dist).abs() < NEAR, "{} {}", ours.gap, theirs.dist);
            // The normal of a centre on an edge is nobody's.
            if (theirs.dist + radius).abs() > 1e-3 {
                assert!((sign * ours.normal - theirs.normal1).length() < 1e-5, "{ours:?} {theirs:?}");
            }
        }
    }
}

#[test]
fn polygons_apart() {
    let mut random = Random(3);
    let mut compared = 0;
    for _ in 0..PAIRS {
        let outlines = [random.polygon(), random.polygon()];
        let radii = [random.within(0.0, 0.3), random.within(0.0, 0.3)];
        let [a, b] = [0, 1].map(|k| polygon(&outlines[k], radii[k]));
        let places =
            [(random.planar(2.0), random.within(0.0, 6.0)), (random.planar(2.0), random.within(0.0, 6.0))];
        let [p, q] = places.map(|(center, angle)| Pose::new(center, angle));
        let theirs = query::contact(&p, &peer(&outlines[0]), &q, &peer(&outlines[1]), 100.0);
        let theirs = theirs.expect("supported").expect("near enough");
        if theirs.dist < 1e-3 {
            continue;
        }
        compared += 1;
        let ours = deepest([&a, &b], places);
        let gap = theirs.dist - radii[0] - radii[1];
        assert!((ours.gap - gap).abs() < NEAR, "{} {gap}", ours.gap);
        assert!((ours.normal - theirs.normal1).length() < 1e-4, "{ours:?} {theirs:?}");
    }
    assert!(compared > PAIRS / 4, "{compared} pairs were apart");
}

/// A corner of one polygon a little below an edge of the other, beside its ends.
#[test]
fn a_corner_in_an_edge() {
    let mut random = Random(4);
    for _ in 0..PAIRS {
        let outlines = [random.polygon(), random.polygon()];
        let [a, b] = [0, 1].map(|k| polygon(&outlines[k], 0.0));
        let depth = random.within(1e-6, 1e-3);
        let edge = random.within(0.0, outlines[0].len() as f64) as usize;
        let [start, end] = [edge, edge + 1].map(|k| outlines[0][k % outlines[0].len()]);
        let normal = -(end - start).perp().normalize();
        // The second is turned so that its corner farthest from the origin points against the
        // normal.
        let tip = *outlines[1].iter().max_by(|u, v| u.length().total_cmp(&v.length())).expect("corners");
        let angle = (-normal).to_angle() - tip.to_angle();
        let at = start.lerp(end, random.within(0.3, 0.7));
        let center = at - depth * normal + tip.length() * normal;
        let places = [(DVec2::ZERO, 0.0), (center, angle)];
        let ours = deepest([&a, &b], places);
        let [p, q] = places.map(|(center, angle)| Pose::new(center, angle));
        let theirs = query::contact(&p, &peer(&outlines[0]), &q, &peer(&outlines[1]), 0.0);
        let theirs = theirs.expect("supported").expect("they overlap");
        assert!((theirs.dist + depth).abs() < NEAR, "{} {depth}", theirs.dist);
        assert!((ours.gap - theirs.dist).abs() < NEAR, "{} {}", ours.gap, theirs.dist);
        assert!((ours.normal - theirs.normal1).length() < 1e-4, "{ours:?} {theirs:?}");
    }
}
