//! A planar scene given to the planar and the spatial family gives the same motion.

use crate::build;

use build::{Build, body, rack, v};
use carom_rigid2d as flat;
use carom_rigid3d::{Body, DMat3, DVec3, Motion, Response, Shape};
use flat::DVec2;

const RESPONSES: [Response; 4] = [
    Response::Lcp,
    Response::VelocityProjection,
    Response::ReflectionLcp,
    Response::ReflectionVelocityProjection,
];

/// Half the thickness of planar outlines: no outline is without one.
const THIN: f64 = 1e-13;

fn flat_world(model: flat::Model, state: flat::State, dt: f64, response: Response) -> flat::World {
    let contact = Some(flat::ContactSettings::new(response));
    let settings =
        flat::PlanarSettings { contact, ..flat::PlanarSettings::new(dt, flat::Integrator::SymplecticEuler) };
    flat::World::new(model, state, settings).unwrap()
}

/// Largest difference of positions and velocities in the plane z = 0, and distance from it.
fn difference(spatial: &carom_rigid3d::World, planar: &flat::World) -> f64 {
    let mut worst: f64 = 0.0;
    for (k, other) in planar.state().bodies.iter().enumerate() {
        let own = &spatial.state().bodies[k];
        let velocity = spatial.velocity(body(k));
        worst = worst
            .max((own.position - other.position.extend(0.0)).length())
            .max((velocity - other.velocity.extend(0.0)).length())
            .max((spatial.angular_velocity(body(k)).z - other.angular_velocity).abs());
    }
    worst
}

#[test]
fn a_break_of_discs_and_of_balls() {
    for response in RESPONSES {
        let build = rack(5, 0.05, 10.0);
        let (mut model, mut state) = (flat::Model::default(), flat::State::default());
        for (k, own) in build.state.bodies.iter().enumerate() {
            let placed = flat::Placed::disc(own.position.truncate(), 1.0, 1.0, flat::Motion::Free);
            model.bodies.push(placed.body);
            let velocity = own.velocity(&build.model.bodies[k]).truncate();
            state.bodies.push(flat::BodyState { velocity, ..flat::BodyState::at(placed.center) });
        }
        let mut planar = flat_world(model, state, 0.01, response);
        let mut spatial = build.world(0.01, response);
        for step in 0..200 {
            spatial.step();
            planar.step();
            let off = difference(&spatial, &planar);
            assert!(off < 1e-9, "{response:?}: {off:e} at step {step}");
        }
    }
}

/// Boxes that fall on a floor, turn, and slide into each other: outlines next to nothing thick
/// beside sharp prisms. The planar family takes normals from the shortest line between surfaces,
/// which such thin lines blur to 1e-10, so that the comparison stops after a few dozen contacts.
#[test]
fn boxes_in_a_plane() {
    for response in RESPONSES {
        let mut build = Build::default();
        let (mut model, mut state) = (flat::Model::default(), flat::State::default());
        build.model.forces.gravities.push(v(0.0, -9.81, 0.0));
        model.forces.gravities.push(DVec2::new(0.0, -9.81));
        let mut add = |center: DVec2, half: DVec2, angle: f64, velocity: DVec2, free: bool| {
            let inside = half - DVec2::splat(THIN);
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| center + inside * DVec2::new(x, y));
            let motion = if free { flat::Motion::Free } else { flat::Motion::Fixed };
            let placed = flat::Placed::solid(&corners, 1.0, THIN, motion);
            let inertia = DMat3::from_diagonal(DVec3::splat(placed.body.inertia));
            let motion = if free { Motion::Free } else { Motion::Fixed };
            let k = build.cuboid(center.extend(0.0), half.extend(1.0), motion.clone());
            let shape: Shape = build.model.bodies[k].shape.clone();
            build.model.bodies[k] = Body::new(placed.body.mass, inertia, shape, motion);
            build.turn(k, v(0.0, 0.0, angle), velocity.extend(0.0), DVec3::ZERO);
            model.bodies.push(placed.body);
            state.bodies.push(flat::BodyState { angle, velocity, ..flat::BodyState::at(placed.center) });
        };
        add(DVec2::new(0.0, -1.0), DVec2::new(20.0, 1.0), 0.0, DVec2::ZERO, false);
        add(DVec2::new(0.0, 1.2), DVec2::new(0.5, 0.7), 0.3, DVec2::ZERO, true);
        add(DVec2::new(-2.5, 1.7), DVec2::new(0.6, 0.4), -0.2, DVec2::new(4.0, 0.5), true);
        let mut planar = flat_world(model, state, 0.005, response);
        let mut spatial = build.world(0.005, response);
        // What bounces meets at instants that are known to the contact tolerance. What lands may be
        // left in each other by the penetration slop, a millionth of the size, and is moved apart
        // beyond it.
        let bound = if response.usual_restitution() > 0.0 { 1e-8 } else { 1e-5 };
        let mut touched = 0;
        for step in 0..70 {
            touched += usize::from(spatial.step().active_contacts > 0);
            planar.step();
            let off = difference(&spatial, &planar);
            assert!(off < bound, "{response:?}: {off:e} at step {step}");
        }
        assert!(touched > 0, "{response:?}: they met {touched} times");
    }
}

/// What a step reports of its contacts: pair, normal, gap, impulse.
type Reported = (u32, u32, DVec3, f64, f64);

fn reported(spatial: &carom_rigid3d::World, planar: &flat::World) -> [Vec<Reported>; 2] {
    let pick = |first: u32, second: u32, normal: DVec3, gap, impulse| (first, second, normal, gap, impulse);
    let three = spatial.touched().iter().map(|touched| {
        let c = &touched.contact;
        pick(c.first.0, c.second.0, c.normal, c.gap, touched.impulse)
    });
    let two = planar.touched().iter().map(|touched| {
        let c = &touched.contact;
        pick(c.first.0, c.second.0, c.normal.extend(0.0), c.gap, touched.impulse)
    });
    let mut both = [three.collect::<Vec<_>>(), two.collect()];
    both.iter_mut().for_each(|list| list.sort_by_key(|reported| (reported.0, reported.1)));
    both
}

/// Discs and balls that fall on a floor, run into each other and come to rest or bounce: the same
/// frames, contact by contact, with unit normals.
#[test]
fn a_heap_agrees_contact_by_contact() {
    let thrown = [
        (DVec2::new(-1.0, 0.5), 0.2, DVec2::new(3.0, 1.0)),
        (DVec2::new(0.0, 0.2), 0.2, DVec2::ZERO),
        (DVec2::new(0.45, 0.21), 0.2, DVec2::ZERO),
        (DVec2::new(0.2, 0.62), 0.2, DVec2::new(0.0, -1.0)),
        (DVec2::new(1.6, 0.3), 0.3, DVec2::new(-2.0, 0.0)),
    ];
    for response in RESPONSES {
        for restitution in [0.0, 1.0] {
            let mut build = Build::default();
            let (mut model, mut state) = (flat::Model::default(), flat::State::default());
            build.model.forces.gravities.push(v(0.0, -9.81, 0.0));
            model.forces.gravities.push(DVec2::new(0.0, -9.81));
            for (place, radius, velocity) in thrown {
                build.ball(place.extend(0.0), radius, velocity.extend(0.0));
                let placed = flat::Placed::disc(place, radius, 1.0, flat::Motion::Free);
                model.bodies.push(placed.body);
                state.bodies.push(flat::BodyState { velocity, ..flat::BodyState::at(place) });
            }
            build.add(carom_rigid3d::Placed::half_space(DVec3::ZERO, DVec3::Y, Motion::Fixed), DVec3::ZERO);
            let ends = [DVec2::new(-50.0, -0.1), DVec2::new(50.0, -0.1)]
                .map(|position| flat::PointMass { position, mass: 1.0 });
            let floor = flat::Placed::point_masses(&ends, 0.1, flat::Motion::Fixed);
            model.bodies.push(floor.body);
            state.bodies.push(flat::BodyState::at(floor.center));
            let contact = carom_rigid3d::ContactSettings::with_restitution(response, restitution);
            let mut spatial = build.with(0.01, contact);
            let contact = Some(flat::ContactSettings::with_restitution(response, restitution));
            let settings = flat::PlanarSettings {
                contact,
                ..flat::PlanarSettings::new(0.01, flat::Integrator::SymplecticEuler)
            };
            let mut planar = flat::World::new(model, state, settings).unwrap();
            let mut contacts = 0;
            for step in 0..100 {
                spatial.step();
                planar.step();
                let place = format!("{response:?}, COR {restitution}, step {step}");
                let overlaps = [build::deepest(&spatial), flat::OverlapFinder::new(&planar).deepest(&planar)];
                assert!((overlaps[0] - overlaps[1]).abs() < 1e-12, "{place}: {overlaps:?}");
                let [three, two] = reported(&spatial, &planar);
                assert_eq!(three.len(), two.len(), "{place}: {three:?} {two:?}");
                contacts += three.len();
                for (a, b) in three.iter().zip(&two) {
                    let off = (a.2 - b.2).length().max((a.3 - b.3).abs()).max((a.4 - b.4).abs());
                    assert!((a.0, a.1) == (b.0, b.1) && off < 1e-7, "{place}: {a:?} {b:?}");
                    assert!((a.2.length() - 1.0).abs() < 1e-12, "{place}: {a:?}");
                }
            }
            assert!(contacts > 20, "{response:?}: {contacts} contacts");
        }
    }
}
