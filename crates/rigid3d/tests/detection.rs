//! Contacts against hand-worked places, brute force, and themselves seen from the other side.

use crate::build;

use build::{Build, body, v};
use carom_rigid3d::{
    Approach, BodyState, ContactKind, DVec3, Detector, Model, Motion, Orientation, Placed, Polyhedron,
    SpatialContact, SpeculativeMargin, orientation::exponential,
};
use proptest::prelude::*;

const FREE: Motion = Motion::Free;
const QUARTER: f64 = std::f64::consts::FRAC_PI_4;

fn contacts(model: &Model, states: &[BodyState], margin: f64) -> Vec<SpatialContact> {
    let mut found = Vec::new();
    Detector::new(model).detect(
        model,
        states,
        1e-9,
        &vec![SpeculativeMargin::within(0.5 * margin); states.len()],
        &mut found,
    );
    found
}

fn of(build: &Build, margin: f64) -> Vec<SpatialContact> {
    contacts(&build.model, &build.state.bodies, margin)
}

fn two_boxes(second: DVec3, turns: [DVec3; 2]) -> Build {
    let mut build = Build::default();
    for (center, turn) in [DVec3::ZERO, second].into_iter().zip(turns) {
        let k = build.cuboid(center, DVec3::ONE, FREE);
        build.turn(k, turn, DVec3::ZERO, DVec3::ZERO);
    }
    build
}

#[test]
fn a_box_exactly_on_a_box_touches_with_four_corners() {
    let found = of(&two_boxes(v(0.0, 0.0, 2.0), [DVec3::ZERO; 2]), 0.0);
    assert_eq!(found.len(), 4);
    for contact in &found {
        assert_eq!((contact.normal, contact.gap, contact.kind), (DVec3::Z, 0.0, ContactKind::VertexFace));
        assert_eq!(contact.point.abs(), DVec3::ONE);
        assert!(contact.is_closed());
    }
    assert!(of(&two_boxes(v(0.0, 0.0, 2.0 + 1e-8), [DVec3::ZERO; 2]), 0.0).is_empty());
    assert_eq!(of(&two_boxes(v(0.0, 0.0, 2.5), [DVec3::ZERO; 2]), 0.6).len(), 4);
}

#[test]
fn a_box_turned_on_a_box_touches_where_edges_cross() {
    let found = of(&two_boxes(v(0.0, 0.0, 2.0), [DVec3::ZERO, v(0.0, 0.0, QUARTER)]), 0.0);
    assert_eq!(found.len(), 8);
    for contact in &found {
        assert!(matches!(contact.kind, ContactKind::EdgeEdge { .. }));
        assert!((contact.point.abs().max_element() - 1.0).abs() < 1e-12);
        let small = 2f64.sqrt() - 1.0;
        let (x, y) = (contact.point.x.abs(), contact.point.y.abs());
        assert!((x.min(y) - small).abs() < 1e-12, "{contact:?}");
    }
    let smaller = {
        let mut build = Build::default();
        build.cuboid(v(0.3, 0.2, 1.5), v(0.4, 0.4, 0.5), FREE);
        build.cuboid(DVec3::ZERO, DVec3::ONE, FREE);
        of(&build, 0.0)
    };
    assert_eq!(smaller.len(), 4, "all corners of the smaller one, though it comes first");
    assert!(smaller.iter().all(|c| c.normal == -DVec3::Z && c.kind == ContactKind::VertexFace));
}

/// The hand-worked pair of the lecture: an edge along x under an edge along y.
#[test]
fn an_edge_on_an_edge() {
    let height = 2.0 * 2f64.sqrt();
    for gap in [0.0, 0.01, -0.01] {
        let build = two_boxes(v(0.3, 0.4, height + gap), [v(QUARTER, 0.0, 0.0), v(0.0, QUARTER, 0.0)]);
        let found = of(&build, 0.1);
        assert_eq!(found.len(), 1, "{found:?}");
        let contact = found[0];
        assert!((contact.normal - DVec3::Z).length() < 1e-12);
        assert!((contact.gap - gap).abs() < 1e-12);
        assert!((contact.point - v(0.3, 0.0, 0.5 * (height + gap))).length() < 1e-12, "{}", contact.point);
        let ContactKind::EdgeEdge { first, second } = contact.kind else { panic!("{contact:?}") };
        assert!(first.cross(DVec3::X).length() < 1e-12 && second.cross(DVec3::Y).length() < 1e-12);
    }
    // Beyond the end of an edge: nothing touches.
    let beyond = two_boxes(v(1.2, 0.0, height - 0.01), [v(QUARTER, 0.0, 0.0), v(0.0, QUARTER, 0.0)]);
    assert!(of(&beyond, 0.0).iter().all(|c| c.point.x <= 1.0 + 1e-9));
}

#[test]
fn a_corner_on_a_face() {
    // A box that stands on its corner: the space diagonal is along z.
    let axis = v(1.0, 1.0, 1.0).cross(-DVec3::Z).normalize();
    let angle = carom_numerics::elementary::acos(-1.0 / 3f64.sqrt());
    let height = 1.0 + 3f64.sqrt();
    let build = two_boxes(v(0.2, 0.1, height), [DVec3::ZERO, angle * axis]);
    let found = of(&build, 1e-3);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].point - v(0.2, 0.1, 1.0)).length() < 1e-12);
    assert_eq!((found[0].normal, found[0].kind), (DVec3::Z, ContactKind::VertexFace));
}

#[test]
fn a_ball_on_a_face_an_edge_a_corner_and_inside() {
    let ball = |center: DVec3| {
        let mut build = Build::default();
        build.cuboid(DVec3::ZERO, DVec3::ONE, FREE);
        build.ball(center, 0.5, DVec3::ZERO);
        of(&build, 0.2)
    };
    let on_face = ball(v(0.3, 0.2, 1.5));
    assert_eq!((on_face.len(), on_face[0].normal, on_face[0].gap), (1, DVec3::Z, 0.0));
    let half = 0.5f64.sqrt();
    let on_edge = ball(v(1.0 + 0.5 * half, 0.2, 1.0 + 0.5 * half));
    assert!(on_edge[0].gap.abs() < 1e-15 && (on_edge[0].normal - v(half, 0.0, half)).length() < 1e-15);
    let third = 1.0 / 3f64.sqrt();
    let on_corner = ball(DVec3::splat(1.0 + 0.5 * third));
    assert!(on_corner[0].gap.abs() < 1e-15 && (on_corner[0].normal - DVec3::splat(third)).length() < 1e-15);
    assert!((on_corner[0].point - DVec3::ONE).length() < 1e-15);
    let inside = ball(v(0.0, 0.7, 0.0));
    assert_eq!((inside[0].normal, inside[0].gap), (DVec3::Y, -0.3 - 0.5));
    assert!(ball(v(0.0, 0.0, 1.71)).is_empty());
}

#[test]
fn half_spaces_meet_balls_and_corners_whoever_comes_first() {
    for floor_first in [true, false] {
        let mut build = Build::default();
        let floor = Placed::half_space(v(0.0, 0.0, 1.0), v(0.0, 0.0, 2.0), Motion::Fixed);
        if floor_first {
            build.add(floor.clone(), DVec3::ZERO);
        }
        build.ball(v(5.0, 0.0, 1.5), 0.5, DVec3::ZERO);
        build.cuboid(v(0.0, 0.0, 2.0), DVec3::ONE, FREE);
        if !floor_first {
            build.add(floor, DVec3::ZERO);
        }
        let found = of(&build, 0.0);
        assert_eq!(found.len(), 5);
        let up = if floor_first { DVec3::Z } else { -DVec3::Z };
        for contact in found {
            assert_eq!((contact.normal, contact.gap), (up, 0.0));
            assert!(contact.first < contact.second);
        }
    }
}

#[test]
fn contacts_are_classified_by_speed_and_threshold() {
    for (speed, approach) in [
        (0.2, Approach::Separating),
        (0.1, Approach::Resting),
        (0.0, Approach::Resting),
        (-0.0999, Approach::Resting),
        (-0.1, Approach::Colliding),
        (-5.0, Approach::Colliding),
    ] {
        assert_eq!(Approach::of(speed, 0.1), approach, "{speed}");
    }
}

#[test]
fn features_stay_the_same_while_bodies_move_a_little() {
    let build = two_boxes(v(0.3, 0.2, 2.0), [DVec3::ZERO, v(0.0, 0.0, 0.3)]);
    let key = |contacts: Vec<SpatialContact>| contacts.iter().map(|c| c.features).collect::<Vec<_>>();
    let start = key(of(&build, 0.01));
    assert!(start.len() >= 4);
    for step in 1..50 {
        let mut moved = build.clone();
        let s = 1e-5 * f64::from(step);
        moved.state.bodies[1].position += v(s, -s, 0.3 * s);
        moved.state.bodies[1].orientation = Orientation::Quaternion(exponential(v(s, -s, 0.3 + s)));
        assert_eq!(key(of(&moved, 0.01)), start, "step {step}");
    }
}

#[test]
fn states_that_are_not_finite_touch_nothing() {
    let mut build = two_boxes(v(0.0, 0.0, 1.5), [DVec3::ZERO; 2]);
    build.state.bodies[1].position.x = f64::NAN;
    assert!(of(&build, 0.0).is_empty());
    let mut build = Build::on_floor();
    build.ball(v(0.0, 0.0, f64::NAN), 1.0, DVec3::ZERO);
    assert!(of(&build, 0.0).is_empty());
}

/// Largest gap over all axes: every face normal and every cross product of edges, by projecting all
/// corners.
fn brute_force_separation(points: [&[DVec3]; 2], axes: &[DVec3]) -> f64 {
    let mut best = f64::NEG_INFINITY;
    for axis in axes {
        for sign in [1.0, -1.0] {
            let n = sign * *axis;
            let high = points[0].iter().fold(f64::NEG_INFINITY, |h, p| h.max(n.dot(*p)));
            let low = points[1].iter().fold(f64::INFINITY, |l, p| l.min(n.dot(*p)));
            best = best.max(low - high);
        }
    }
    best
}

fn world_points(build: &Build, k: usize) -> Vec<DVec3> {
    let carom_rigid3d::Shape::Polyhedron(shape) = &build.model.bodies[k].shape else { return Vec::new() };
    shape.vertices().iter().map(|p| build.state.bodies[k].world_point(*p)).collect()
}

fn all_axes(build: &Build) -> Vec<DVec3> {
    let mut axes = Vec::new();
    let mut edges = [Vec::new(), Vec::new()];
    for k in 0..2 {
        let carom_rigid3d::Shape::Polyhedron(shape) = &build.model.bodies[k].shape else { continue };
        let r = build.state.bodies[k].orientation.matrix();
        axes.extend(shape.faces().iter().map(|face| r * face.normal));
        edges[k].extend(shape.edges().iter().map(|edge| {
            let [a, b] = edge.corners.map(|c| shape.vertices()[c as usize]);
            r * (b - a)
        }));
    }
    for a in &edges[0] {
        axes.extend(
            edges[1].iter().map(|b| a.cross(*b)).filter(|n| n.length() > 1e-6).map(|n| n.normalize()),
        );
    }
    axes
}

fn random_polyhedra() -> impl Strategy<Value = Build> {
    let numbers = || prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 6..14);
    let turn = || prop::array::uniform3(-3.0..3.0f64);
    (numbers(), numbers(), turn(), turn(), prop::array::uniform3(-1.6..1.6f64)).prop_map(
        |(p, q, t, u, at)| {
            let mut build = Build::default();
            for (points, turn, at) in [(p, t, [0.0; 3]), (q, u, at)] {
                let points: Vec<DVec3> = points.into_iter().map(DVec3::from_array).collect();
                let placed = Placed::polyhedron(Polyhedron::hull(&points).unwrap(), 1.0, FREE);
                let k = build.add(placed, DVec3::ZERO);
                build.turn(k, DVec3::from_array(turn), DVec3::ZERO, DVec3::ZERO);
                build.state.bodies[k].position = DVec3::from_array(at);
            }
            build
        },
    )
}

proptest! {
    #[test]
    fn polyhedra_overlap_exactly_when_no_axis_separates_them(build in random_polyhedra()) {
        let points = [0, 1].map(|k| world_points(&build, k));
        let axes = all_axes(&build);
        let separation = brute_force_separation([&points[0], &points[1]], &axes);
        prop_assume!(separation.abs() > 1e-6);
        let found = of(&build, 0.0);
        prop_assert_eq!(!found.is_empty(), separation < 0.0, "separation {}", separation);
        if let Some(contact) = found.first() {
            // Moving the second body out along the normal by the depth of the best axis parts them;
            // where faces are nearly parallel, by a little more.
            let out = (0.01 - separation) * contact.normal;
            let moved: Vec<DVec3> = points[1].iter().map(|p| *p + out).collect();
            prop_assert!(brute_force_separation([&points[0], &moved], &axes) > 0.0);
            prop_assert!(found.iter().all(|c| c.gap >= separation - 1e-9 && c.normal == contact.normal));
        }
    }

    #[test]
    fn the_other_order_of_bodies_gives_the_same_contacts(build in random_polyhedra()) {
        let forward = of(&build, 0.05);
        let mut other = build;
        other.model.bodies.reverse();
        other.state.bodies.reverse();
        let backward = of(&other, 0.05);
        prop_assert_eq!(forward.len(), backward.len());
        for (a, b) in forward.iter().zip(&backward) {
            prop_assert!((a.normal + b.normal).length() < 1e-9 && (a.gap - b.gap).abs() < 1e-9);
        }
    }
}

#[test]
fn pairs_that_nobody_can_move_are_left_out() {
    let mut build = Build::on_floor();
    build.cuboid(v(0.0, 0.0, 0.2), v(1.0, 1.0, 0.5), Motion::Fixed);
    build.ball(v(0.0, 0.0, 1.0), 0.5, DVec3::ZERO);
    let found = of(&build, 0.0);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].first, found[0].second), (body(1), body(2)));
}
