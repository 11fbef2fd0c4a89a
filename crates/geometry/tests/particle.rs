//! Points with a radius, segments and half-planes against Parry.

use crate::random::Random;
use carom_geometry::particle::manifold;
use carom_geometry::particle::meeting::{Way, disc_half_plane, disc_segment};
use glam::DVec2;
use parry2d_f64::math::Pose;
use parry2d_f64::query::{self, ShapeCastOptions};
use parry2d_f64::shape::{Ball, HalfSpace, Segment, Shape as Peer};

const PAIRS: usize = 1000;

#[test]
fn nearest_points() {
    let mut random = Random(21);
    for _ in 0..PAIRS {
        let (x, radius) = (random.planar(2.0), random.within(0.1, 0.5));
        let theirs = |peer: &dyn Peer, at: DVec2| {
            // With the ball first, Parry takes a ball above a half-space for one inside.
            let (ball, place) = (Ball::new(radius), Pose::from_translation(x));
            let found = query::contact(&Pose::from_translation(at), peer, &place, &ball, 100.0);
            found.expect("supported").expect("near enough").flipped()
        };
        let (through, normal) = (random.planar(1.0), random.planar(1.0).normalize());
        let (own, other) = (
            manifold::point_half_plane(x, (through, normal), radius),
            theirs(&HalfSpace::new(normal), through),
        );
        assert!((own.gap - other.dist).abs() < 1e-13, "{own:?} {other:?}");
        // Parry's normal leads from the centre, which may be as near to the line as rounding.
        if (other.dist + radius).abs() > 1e-3 {
            assert!((own.normal - other.normal1).length() < 1e-12, "{own:?} {other:?}");
        }
        let ends = [random.planar(2.0), random.planar(2.0)];
        let own = manifold::point_segment(x, ends, radius);
        let other = theirs(&Segment::new(ends[0], ends[1]), DVec2::ZERO);
        assert!((own.gap - other.dist).abs() < 1e-12, "{own:?} {other:?}");
        // The normal of a point on a line is nobody's.
        if other.dist + radius > 1e-3 {
            assert!((own.normal - other.normal1).length() < 1e-9, "{own:?} {other:?}");
        }
    }
}

#[test]
fn straight_ways() {
    let (mut random, span) = (Random(22), 2.0);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..PAIRS {
        let radius = random.within(0.1, 0.5);
        let [velocity, other] = [random.planar(2.0), random.planar(1.0)];
        let still = |place: DVec2, velocity: DVec2| Way { place, velocity, acceleration: DVec2::ZERO };
        let ends = [random.planar(1.0), random.planar(1.0)];
        let start = 3.0 * random.planar(1.0).normalize();
        let disc = still(start, velocity - start);
        let theirs = |peer: &dyn Peer| {
            let (place, ball) = (Pose::from_translation(disc.place), Ball::new(radius));
            let options = ShapeCastOptions::with_max_time_of_impact(span);
            let hit =
                query::cast_shapes(&place, disc.velocity, &ball, &Pose::identity(), other, peer, options);
            hit.expect("supported").map(|hit| hit.time_of_impact)
        };
        let normal = start.normalize();
        let near = (radius, 1e-10);
        let ground = disc_half_plane::first_meeting(disc, still(DVec2::ZERO, other), normal, near, span);
        let segment = disc_segment::first_meeting(disc, ends.map(|end| still(end, other)), near, span);
        for (own, other) in
            [(ground, theirs(&HalfSpace::new(normal))), (segment, theirs(&Segment::new(ends[0], ends[1])))]
        {
            match (own, other) {
                (Some(own), Some(other)) => {
                    assert!((own - other).abs() < 1e-5, "{own} {other}");
                    hits += 1;
                }
                (None, None) => misses += 1,
                other => panic!("one meets and the other does not: {other:?}"),
            }
        }
    }
    assert!(hits > 100 && misses > 100, "{hits} {misses}");
}
