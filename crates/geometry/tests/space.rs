//! Pairs of solids against Parry: distances, penetrations and normals.

use crate::random::Random;
use carom_geometry::space::{Manifold, ManifoldPoint, Narrow, Nearness, Polyhedron, Pose, Shape};
use glam::{DMat3, DQuat, DVec3};
use parry3d_f64::math::Pose as PeerPose;
use parry3d_f64::query;
use parry3d_f64::shape::{Ball, ConvexPolyhedron, HalfSpace, Shape as Peer};

const PAIRS: usize = 1000;
/// Parry's iterations (GJK) end within about this of the distance.
const NEAR: f64 = 1e-7;
/// The gap of nearly parallel faces is less than the distance by no more than this.
const NEARLY_FLAT: f64 = 5e-3;

pub(crate) type Place = (DVec3, DQuat);

pub(crate) fn ball(random: &mut Random) -> (Shape, Box<dyn Peer>) {
    let radius = random.within(0.2, 1.0);
    (Shape::Sphere { radius }, Box::new(Ball::new(radius)))
}

pub(crate) fn polyhedron(random: &mut Random) -> (Shape, Box<dyn Peer>) {
    let corners = random.corners();
    let peer = ConvexPolyhedron::from_convex_hull(&corners).expect("a convex hull");
    let shape = Polyhedron::hull(&corners).expect("a convex hull");
    (Shape::Polyhedron(shape), Box::new(peer))
}

pub(crate) fn peer_pose((position, turn): Place) -> PeerPose {
    PeerPose::from_parts(position, turn)
}

fn deepest(shapes: [&Shape; 2], places: [Place; 2], limit: f64) -> Option<ManifoldPoint> {
    let poses = places.map(|(position, turn)| Pose { position, rotation: DMat3::from_quat(turn) });
    let mut manifold = Manifold::default();
    let near = Nearness { limit, tolerance: 0.0, extent: 1.0 };
    Narrow::default().pair_at(shapes, poses, near, &mut manifold);
    manifold.points.into_iter().min_by(|p, q| p.gap.total_cmp(&q.gap))
}

fn theirs(peers: [&dyn Peer; 2], places: [Place; 2]) -> query::Contact {
    let [p, q] = places.map(peer_pose);
    let found = query::contact(&p, peers[0], &q, peers[1], 100.0);
    found.expect("supported").expect("near enough")
}

#[test]
fn balls_and_half_spaces() {
    let mut random = Random(11);
    for _ in 0..PAIRS {
        let ((a, peer_a), (b, peer_b)) = (ball(&mut random), ball(&mut random));
        let places = [0, 1].map(|_| (random.spatial(1.0), random.turn()));
        let (own, other) =
            (deepest([&a, &b], places, 100.0).expect("a point"), theirs([&*peer_a, &*peer_b], places));
        assert!((own.gap - other.dist).abs() < 1e-14 && (own.normal - other.normal1).length() < 1e-14);
        let normal = random.spatial(1.0).normalize();
        let (ground, peer) = (Shape::HalfSpace { normal }, HalfSpace::new(normal));
        for (shape, solid) in [ball(&mut random), polyhedron(&mut random)] {
            let own = deepest([&ground, &shape], places, 100.0).expect("a point");
            let other = theirs([&peer, &*solid], places);
            assert!((own.gap - other.dist).abs() < 1e-12, "{} {}", own.gap, other.dist);
            assert!((own.normal - other.normal1).length() < 1e-12);
        }
    }
}

#[test]
fn polyhedra_and_balls() {
    let mut random = Random(12);
    for _ in 0..PAIRS {
        let ((solid, peer), (round, peer_round)) = (polyhedron(&mut random), ball(&mut random));
        let places = [(random.spatial(1.0), random.turn()), (random.spatial(1.5), DQuat::IDENTITY)];
        let other = theirs([&*peer, &*peer_round], places);
        let own = deepest([&solid, &round], places, 100.0).expect("a point");
        assert!((own.gap - other.dist).abs() < NEAR, "{} {}", own.gap, other.dist);
        let Shape::Sphere { radius } = round else { unreachable!() };
        // The normal of a centre on a face, or as near to two faces, is nobody's.
        if other.dist + radius > 1e-3 {
            assert!((own.normal - other.normal1).length() < 1e-4, "{own:?} {other:?}");
        }
    }
}

/// Overlaps are the same to rounding, and so are gaps, whatever is nearest: a corner to a corner or
/// an edge too. Where faces are nearly parallel, the gap may be what the edges give, which is less.
#[test]
fn polyhedra() {
    let mut random = Random(13);
    let (mut exact, mut apart, mut deep) = (0, 0, 0);
    for _ in 0..PAIRS {
        let ((a, peer_a), (b, peer_b)) = (polyhedron(&mut random), polyhedron(&mut random));
        let mut places = [0, 1].map(|_| (random.spatial(1.5), random.turn()));
        let other = theirs([&*peer_a, &*peer_b], places);
        if other.dist <= 0.0 {
            deep += 1;
            let own = deepest([&a, &b], places, 0.0).expect("a point");
            assert!((own.gap - other.dist).abs() < 1e-13, "{} {}", own.gap, other.dist);
            continue;
        }
        for distance in [0.02, 1e-3, 1e-5] {
            // Along the normal the distance changes by as much, and the nearest points stay.
            let other = theirs([&*peer_a, &*peer_b], places);
            places[1].0 -= (other.dist - distance) * other.normal1;
            apart += 1;
            let own = deepest([&a, &b], places, 0.05).expect("a point");
            let error = own.gap - distance;
            assert!(error < NEAR && error > -NEARLY_FLAT, "{} {distance}", own.gap);
            exact += usize::from(error.abs() < NEAR);
        }
    }
    assert!(deep > PAIRS / 5 && 10 * exact > 9 * apart, "{deep} overlap, {exact} of {apart} are exact");
}
