//! First meetings of solids against Parry's shape casting.

use crate::random::Random;
use crate::space::{Place, ball, peer_pose, polyhedron};
use carom_geometry::space::sweep::{Meetings, Motion, Shapes, Ways};
use carom_geometry::space::{Pose, Shape};
use glam::{DMat3, DQuat, DVec3};
use parry3d_f64::query::{self, NonlinearRigidMotion, ShapeCastOptions};
use parry3d_f64::shape::Shape as Peer;

const PAIRS: usize = 300;
const SPAN: f64 = 4.0;
const TOLERANCE: f64 = 1e-9;

/// Two solids that turn about fixed axes.
#[derive(Clone, Copy)]
struct Steady {
    places: [Place; 2],
    velocities: [DVec3; 2],
    spins: [DVec3; 2],
    since: f64,
}

impl Ways for Steady {
    type Moment = (Pose, usize);

    fn at(&self, side: usize, time: f64) -> Self::Moment {
        let ((position, turn), time) = (self.places[side], self.since + time);
        let rotation = DMat3::from_quat(DQuat::from_scaled_axis(time * self.spins[side]) * turn);
        (Pose { position: position + time * self.velocities[side], rotation }, side)
    }

    fn pose(&self, moment: &Self::Moment) -> Pose {
        moment.0
    }

    fn motion(&self, side: usize, moment: &Self::Moment) -> Motion {
        let (place, velocity, spin) = (moment.0.position, self.velocities[side], self.spins[side]);
        Motion { place, velocity, spin, ..Motion::default() }
    }

    fn later(&self, time: f64) -> Self {
        Self { since: self.since + time, ..*self }
    }

    fn swapped(&self) -> Self {
        let Self { places: [a, b], velocities: [c, d], spins: [e, f], since } = *self;
        Self { places: [b, a], velocities: [d, c], spins: [f, e], since }
    }
}

fn shape(random: &mut Random) -> (Shape, Box<dyn Peer>) {
    if random.within(0.0, 1.0) < 0.4 { ball(random) } else { polyhedron(random) }
}

fn ways(random: &mut Random, spin: f64) -> Steady {
    Steady {
        places: [-2.5, 2.5].map(|x| (DVec3::new(x, 0.0, 0.0), random.turn())),
        velocities: [1.0, -1.0].map(|x| DVec3::new(x, 0.0, 0.0) + random.spatial(0.6)),
        spins: [0, 1].map(|_| random.spatial(1.0) * spin),
        since: 0.0,
    }
}

fn ours([a, b]: [&Shape; 2], ways: Steady) -> Option<f64> {
    let shapes = Shapes {
        shapes: [a, b],
        extents: [a.extent(), b.extent()],
        thicknesses: [a.thickness(), b.thickness()],
    };
    Meetings::default().first_meeting(shapes, ways, TOLERANCE, SPAN)
}

#[test]
fn straight_ways() {
    let mut random = Random(14);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..PAIRS {
        let ((a, peer_a), (b, peer_b)) = (shape(&mut random), shape(&mut random));
        let ways = ways(&mut random, 0.0);
        let ([p, q], [v, w]) = (ways.places.map(peer_pose), ways.velocities);
        let options = ShapeCastOptions::with_max_time_of_impact(SPAN);
        let theirs = query::cast_shapes(&p, v, &*peer_a, &q, w, &*peer_b, options).expect("supported");
        match (ours([&a, &b], ways), theirs.map(|hit| hit.time_of_impact)) {
            (Some(own), Some(other)) => {
                assert!((own - other).abs() < 1e-5, "{own} {other}");
                hits += 1;
            }
            (None, None) => misses += 1,
            other => panic!("one meets and the other does not: {other:?}"),
        }
    }
    assert!(hits > 100 && misses > 30, "{hits} {misses}");
}

#[test]
fn turning_ways() {
    let mut random = Random(15);
    let mut hits = 0;
    for _ in 0..PAIRS {
        let ((a, peer_a), (b, peer_b)) = (shape(&mut random), shape(&mut random));
        let ways = ways(&mut random, 1.0);
        let [m, n] = [0, 1].map(|side| {
            let start = peer_pose(ways.places[side]);
            NonlinearRigidMotion::new(start, DVec3::ZERO, ways.velocities[side], ways.spins[side])
        });
        let theirs = query::cast_shapes_nonlinear(&m, &*peer_a, &n, &*peer_b, 0.0, SPAN, true);
        let own = ours([&a, &b], ways);
        // Parry's search may stop early, while the distance closes slowly.
        if let Some(hit) = theirs.expect("supported") {
            assert!(own.is_some_and(|own| own > hit.time_of_impact - 1e-5), "{own:?} {hit:?}");
        }
        let distance = |time: f64| {
            let [p, q] = [&m, &n].map(|motion| motion.position_at_time(time));
            query::distance(&p, &*peer_a, &q, &*peer_b).expect("supported").distance
        };
        for k in 0..100 {
            let time = own.unwrap_or(SPAN) * f64::from(k) / 100.0;
            assert!(distance(time) > 0.0, "they touch at {time}, before {own:?}");
        }
        if let Some(time) = own {
            assert!(distance(time) < 1e-7, "{} apart at {time}", distance(time));
            hits += 1;
        }
    }
    assert!(hits > 100, "{hits}");
}
