//! Detection against brute force, and the rows of contacts against finite differences.

use crate::build;

use build::{Build, FIXED, FREE, v};
use carom_rigid2d::{DVec2, Detector, Model, PlanarContact, Rules, State, rotation};
use proptest::prelude::*;

const OURS: Rules = Rules { course: false, touching: 1e-9 };
const COURSE: Rules = Rules { course: true, touching: 0.0 };

fn detect(model: &Model, state: &State, rules: Rules) -> Vec<PlanarContact> {
    let mut contacts = Vec::new();
    Detector::new(model).detect(model, &state.bodies, rules, &[], &mut contacts);
    contacts
}

/// Every pair by itself, in order: what a broad phase must not change.
fn pair_by_pair(build: &Build, rules: Rules) -> Vec<PlanarContact> {
    let count = build.model.bodies.len();
    let mut all = Vec::new();
    for i in 0..count {
        for j in i + 1..count {
            let bodies = [i, j].map(|k| build.model.bodies[k].clone()).to_vec();
            let model = Model { bodies, ..Model::default() };
            let state = State { bodies: [i, j].map(|k| build.state.bodies[k]).to_vec(), step: 0 };
            all.extend(detect(&model, &state, rules).into_iter().map(|mut contact| {
                (contact.first.0, contact.second.0) = (i as u32, j as u32);
                contact
            }));
        }
    }
    all
}

fn scatter() -> impl Strategy<Value = Build> {
    let body = (0..4usize, -4.0..4.0f64, -4.0..4.0f64, 0.1..1.5f64, -4.0..4.0f64, 0.01..0.5f64);
    prop::collection::vec(body, 2..14).prop_map(|bodies| {
        let mut build = Build::new();
        for (kind, x, y, size, angle, radius) in bodies {
            let k = match kind {
                0 => build.disc(v(x, y), size, DVec2::ZERO),
                1 => build.block(v(x, y), v(size, 0.5 * size), radius, FREE),
                2 => build.outline(&[v(x - size, y), v(x + size, y)], radius, FREE),
                _ => build.block(v(x, y), v(3.0 * size, 2.0 * size), radius, FIXED),
            };
            build.state.bodies[k].angle = angle;
        }
        build
    })
}

proptest! {
    #[test]
    fn boxes_hide_no_contact_and_change_no_order(build in scatter()) {
        for rules in [OURS, COURSE] {
            prop_assert_eq!(detect(&build.model, &build.state, rules), pair_by_pair(&build, rules));
        }
    }

    #[test]
    fn every_normal_is_a_unit_vector_from_lower_to_higher_and_every_gap_is_the_distance(build in scatter()) {
        for contact in detect(&build.model, &build.state, OURS) {
            prop_assert!(contact.first < contact.second);
            prop_assert!((contact.normal.length() - 1.0).abs() < 1e-12);
            let [a, b] = [contact.first, contact.second].map(|k| build.state.bodies[k.get()].position);
            let between = (b + contact.second_arm) - (a + contact.first_arm);
            prop_assert!((between - contact.gap * contact.normal).length() < 1e-12);
        }
    }

    /// d gap / dq = η: each degree of freedom is moved a little both ways and the same features are
    /// looked up again.
    #[test]
    fn rows_are_the_gradient_of_the_gap(build in scatter()) {
        let h = 1e-6;
        let rules = Rules { touching: 1e-3, ..OURS };
        for contact in detect(&build.model, &build.state, OURS) {
            for (body, arm, sign) in [(contact.first, contact.first_arm, -1.0), (contact.second, contact.second_arm, 1.0)] {
                let gap = |axis: usize, by: f64| {
                    let mut state = build.state.clone();
                    let moved = &mut state.bodies[body.get()];
                    match axis {
                        0 => moved.position.x += by,
                        1 => moved.position.y += by,
                        _ => moved.angle += by,
                    }
                    let same = |c: &&PlanarContact| (c.first, c.second, c.features) == (contact.first, contact.second, contact.features);
                    detect(&build.model, &state, rules).iter().find(same).map(|c| c.gap)
                };
                let eta = [contact.normal.x, contact.normal.y, rotation::cross(arm, contact.normal)];
                for (axis, eta) in eta.into_iter().enumerate() {
                    // Near the end of an edge a feature may change within h: nothing to compare
                    // then.
                    if let (Some(after), Some(before)) = (gap(axis, h), gap(axis, -h)) {
                        let slope = (after - before) / (2.0 * h);
                        prop_assert!((slope - sign * eta).abs() < 1e-3, "{slope} for {}", sign * eta);
                    }
                }
            }
        }
    }
}

#[test]
fn discs_at_exact_touch_touch_by_our_rule_and_not_by_a_strict_one() {
    let mut build = Build::new();
    build.disc(v(0.0, 0.0), 1.0, DVec2::ZERO);
    build.disc(v(2.0, 0.0), 1.0, DVec2::ZERO);
    assert_eq!(detect(&build.model, &build.state, OURS).len(), 1);
    build.state.bodies[1].position.x = 2.0 + 1e-8;
    assert_eq!(detect(&build.model, &build.state, OURS).len(), 0);
}

#[test]
fn blocks_at_exact_touch_touch_by_our_rule_and_not_by_the_course() {
    let mut build = Build::new();
    build.block(v(0.0, 0.0), v(1.0, 1.0), 0.25, FREE);
    build.block(v(0.25, 2.5), v(1.0, 1.0), 0.25, FREE);
    assert_eq!(detect(&build.model, &build.state, COURSE).len(), 0, "equality is no contact");
    let ours = detect(&build.model, &build.state, OURS);
    assert_eq!(ours.len(), 2, "one for each vertex of a face: {ours:?}");
    build.state.bodies[1].position.y -= 1e-12;
    assert_eq!(detect(&build.model, &build.state, COURSE).len(), 2);
}

/// A corner near the inside of an edge is also near that edge's end when they overlap. The course
/// counts both; only the nearer is a place where the two can press.
#[test]
fn a_corner_past_the_end_of_an_edge_counts_in_the_course_only() {
    let mut build = Build::new();
    build.block(v(0.0, 0.0), v(1.0, 1.0), 0.2, FREE);
    // The lower left corner hangs over the upper right one, overlapping by half.
    build.block(v(1.95, 2.1), v(1.0, 1.0), 0.2, FREE);
    let normals =
        |rules| detect(&build.model, &build.state, rules).iter().map(|c| c.normal).collect::<Vec<_>>();
    let ours = normals(OURS);
    assert!(ours.iter().all(|n| (*n - DVec2::Y).length() < 1e-12), "{ours:?}");
    assert_eq!(ours.len(), 2);
    assert!(normals(COURSE).iter().any(|n| n.x.abs() > 0.1), "the course also counts the slanted pair");
}

/// Vertex exactly on an edge: the course finds no direction; we take the side of the vertex's body.
#[test]
fn a_vertex_exactly_on_an_edge_is_pushed_to_the_side_of_its_body() {
    let mut build = Build::new();
    build.block(v(0.0, 0.0), v(2.0, 1.0), 0.2, FIXED);
    build.outline(&[v(0.0, 1.0), v(-1.0, 3.0), v(1.0, 3.0)], 0.2, FREE);
    let ours = detect(&build.model, &build.state, OURS);
    let on_edge: Vec<_> = ours.iter().filter(|c| c.gap < -0.39).collect();
    assert_eq!(on_edge.len(), 1);
    assert_eq!(on_edge[0].normal, DVec2::Y);
    assert!(detect(&build.model, &build.state, COURSE).iter().all(|c| c.normal.is_finite()));
    assert!(detect(&build.model, &build.state, COURSE).len() < ours.len());
}

/// A hollow outline holds what is inside, inside, as in the course; a solid one pushes it out.
#[test]
fn a_disc_inside_a_solid_outline_is_pushed_out_and_inside_a_hollow_one_kept_in() {
    for solid in [false, true] {
        let mut build = Build::new();
        let corners = [v(-2.0, -1.0), v(-2.0, 1.0), v(2.0, 1.0), v(2.0, -1.0)];
        if solid {
            build.add(carom_rigid2d::Placed::solid(&corners, 1.0, 0.1, FREE), DVec2::ZERO);
        } else {
            build.outline(&corners, 0.1, FREE);
        }
        build.disc(v(0.0, 0.8), 0.3, DVec2::ZERO);
        let contacts = detect(&build.model, &build.state, OURS);
        assert_eq!(contacts.len(), 1);
        let expected = if solid { (DVec2::Y, -0.6) } else { (-DVec2::Y, -0.2) };
        assert!((contacts[0].normal - expected.0).length() < 1e-12, "{contacts:?}");
        assert!((contacts[0].gap - expected.1).abs() < 1e-12, "{contacts:?}");
    }
}

#[test]
fn a_disc_in_a_corner_touches_both_walls_and_on_an_edge_only_one() {
    let mut build = Build::new();
    build.outline(&[v(-5.0, 0.0), v(0.0, 0.0), v(0.0, 5.0), v(-5.0, 5.0)], 0.1, FIXED);
    let disc = build.disc(v(-0.6, 0.6), 0.5, DVec2::ZERO);
    assert_eq!(detect(&build.model, &build.state, OURS).len(), 2);
    build.state.bodies[disc].position = v(0.3, -0.4);
    let outside = detect(&build.model, &build.state, OURS);
    assert_eq!(outside.len(), 1, "the corner itself, once");
    assert!((outside[0].normal - v(0.6, -0.8)).length() < 1e-12);
}
