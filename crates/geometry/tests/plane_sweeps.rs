//! First meetings of planar shapes against Parry's shape casting.

use crate::plane::{peer, polygon};
use crate::random::Random;
use carom_geometry::plane::Shape;
use carom_geometry::plane::sweep::{Way, first_meeting};
use glam::DVec2;
use parry2d_f64::math::Pose;
use parry2d_f64::query::{self, NonlinearRigidMotion, ShapeCastOptions};
use parry2d_f64::shape::{Ball, Shape as Peer};

const PAIRS: usize = 600;
const SPAN: f64 = 4.0;
const TOLERANCE: f64 = 1e-10;

fn way(random: &mut Random, place: DVec2, spin: f64) -> Way {
    Way {
        place,
        angle: random.within(0.0, 6.0),
        velocity: random.planar(0.6) - place.with_y(0.0).normalize(),
        acceleration: DVec2::ZERO,
        spin,
        spin_rate: 0.0,
    }
}

/// A disc or a polygon; Parry's without the radius of a polygon, and that radius.
fn shape(random: &mut Random) -> (Shape, Box<dyn Peer>, f64) {
    if random.within(0.0, 1.0) < 0.4 {
        let radius = random.within(0.2, 1.0);
        return (Shape::Disc { radius }, Box::new(Ball::new(radius)), 0.0);
    }
    let (vertices, radius) = (random.polygon(), random.within(0.01, 0.2));
    (polygon(&vertices, radius), Box::new(peer(&vertices)), radius)
}

fn ours(shapes: [&Shape; 2], ways: [Way; 2]) -> Option<f64> {
    first_meeting(shapes, shapes.map(Shape::extent), ways, TOLERANCE, SPAN)
}

#[test]
fn straight_ways() {
    let mut random = Random(5);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..PAIRS {
        let ((a, peer_a, r), (b, peer_b, s)) = (shape(&mut random), shape(&mut random));
        let ways = [DVec2::new(-2.5, 0.0), DVec2::new(2.5, 0.0)].map(|place| way(&mut random, place, 0.0));
        let [p, q] = ways.map(|way| Pose::new(way.place, way.angle));
        let options =
            ShapeCastOptions { max_time_of_impact: SPAN, target_distance: r + s, ..Default::default() };
        let theirs =
            query::cast_shapes(&p, ways[0].velocity, &*peer_a, &q, ways[1].velocity, &*peer_b, options);
        let theirs = theirs.expect("supported").map(|hit| hit.time_of_impact);
        match (ours([&a, &b], ways), theirs) {
            (Some(own), Some(other)) => {
                assert!((own - other).abs() < 1e-5, "{own} {other}");
                hits += 1;
            }
            (None, None) => misses += 1,
            other => panic!("one meets and the other does not: {other:?}"),
        }
    }
    assert!(hits > 100 && misses > 100, "{hits} {misses}");
}

/// Parry's casting of shapes that turn stops where the distance closes slowly, so its distances are
/// the judge.
#[test]
fn turning_ways() {
    let mut random = Random(6);
    let mut hits = 0;
    for _ in 0..PAIRS {
        let ((a, peer_a, r), (b, peer_b, s)) = (shape(&mut random), shape(&mut random));
        let ways = [DVec2::new(-2.5, 0.0), DVec2::new(2.5, 0.0)].map(|place| {
            let spin = random.within(-2.0, 2.0);
            way(&mut random, place, spin)
        });
        let [m, n] = ways.map(|way| {
            NonlinearRigidMotion::new(Pose::new(way.place, way.angle), DVec2::ZERO, way.velocity, way.spin)
        });
        let own = ours([&a, &b], ways);
        let distance = |time: f64| {
            let [p, q] = [&m, &n].map(|motion| motion.position_at_time(time));
            query::distance(&p, &*peer_a, &q, &*peer_b).expect("supported").distance - r - s
        };
        for k in 0..200 {
            let time = own.unwrap_or(SPAN) * f64::from(k) / 200.0;
            assert!(distance(time) > 0.0, "they touch at {time}, before {own:?}");
        }
        if let Some(time) = own {
            assert!(distance(time).abs() < 1e-7, "{} apart at {time}", distance(time));
            hits += 1;
        }
    }
    assert!(hits > 100, "{hits}");
}
