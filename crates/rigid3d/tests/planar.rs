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
    let settings = flat::Settings { contact, ..flat::Settings::new(dt, flat::Integrator::SymplecticEuler) };
    flat::World::new(model, state, settings).unwrap()
}

/// Largest difference of places and velocities in the plane, and distance from it.
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

/// Boxes that fall on a floor, turn, and slide into each other: outlines next to nothing thick beside sharp prisms. The planar family takes
/// normals from the shortest line between surfaces, which such thin lines blur to 1e-10, so that the comparison stops after a few dozen contacts.
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
        // What bounces meets at instants that are known to the contact tolerance. What lands may be left in each other by
        // the penetration slop, a millionth of the size, and is moved apart beyond it.
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
