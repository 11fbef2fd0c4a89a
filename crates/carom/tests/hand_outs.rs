//! What the hand-outs of Theme 2 Milestone 1 and Theme 3 Milestone 2 ask for, statement by
//! statement, where no other test shows it. The table in docs/course-compatibility.md names the
//! test of each statement; its names are checked here too.

use carom::{Frame, Options, Scene, Simulation};
use carom_scene::System;
use carom_scene::description::particles::Response;
use std::path::Path;

const COURSE: Options = Options::course(true);

fn read(text: &str) -> Scene {
    carom::read_scene(text).unwrap()
}

/// A particle scene with these tags, after one step.
fn stepped(tags: &str, dt: f64) -> Frame {
    let text = format!(
        "<scene><duration time=\"{dt}\"/><integrator type=\"explicit-euler\" dt=\"{dt}\"/>{tags}</scene>"
    );
    let mut simulation = Simulation::new(&read(&text), COURSE).unwrap();
    simulation.step().unwrap();
    simulation.frame()
}

fn particle(m: f64, [px, py]: [f64; 2], [vx, vy]: [f64; 2], radius: f64, fixed: u8) -> String {
    format!(
        "<particle m=\"{m}\" px=\"{px}\" py=\"{py}\" vx=\"{vx}\" vy=\"{vy}\" fixed=\"{fixed}\" radius=\"{radius}\"/>"
    )
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12 * b.abs().max(1.0)
}

/// T2M1 §2.1: the magnitude of the normal does not matter, and the half-plane is where (x − p)·n ≤
/// 0.
#[test]
fn a_half_plane_by_its_point_and_normal() {
    for size in [1.0, 0.01, 30.0] {
        let ball = particle(1.0, [0.0, 0.05], [1.0, -2.0], 0.1, 0);
        let plane = format!("<halfplane px=\"3\" py=\"0\" nx=\"0\" ny=\"{size}\"/>");
        let frame = stepped(&format!("<collision type=\"simple\"/>{ball}{plane}"), 1e-9);
        assert!(near(frame.velocities[0], 1.0) && near(frame.velocities[1], 2.0), "{:?}", frame.velocities);
    }
}

/// T2M1 §2.2 and §2.4: colours of half-planes and the viewport are read and kept.
#[test]
fn half_plane_colors_and_the_viewport_are_read() {
    let text = "<scene><duration time=\"1\"/><integrator type=\"explicit-euler\" dt=\"0.1\"/>
      <halfplane px=\"0\" py=\"0\" nx=\"0\" ny=\"1\"/><halfplanecolor i=\"0\" r=\"0.1\" g=\"0.2\" b=\"0.3\"/>
      <viewport cx=\"1\" cy=\"2\" size=\"5\"/></scene>";
    let scene = read(text);
    let viewport = scene.general.viewport.unwrap();
    assert_eq!((viewport.center, viewport.size), ([1.0, 2.0], 5.0));
    let System::Particles(system) = &scene.system else { panic!("particles") };
    let color = system.appearance.half_plane_colors[0];
    assert_eq!((color.index, color.color.red, color.color.green, color.color.blue), (0, 0.1, 0.2, 0.3));
    assert!(carom::read_scene(&text.replace("0.3", "1.3")).is_err(), "channels are from 0 to 1");
}

/// T2M1 §2.3: the types, COR 1 unless given, k and thickness only for penalty.
#[test]
fn collision_has_its_defaults() {
    let response = |tag: &str| {
        let text = format!(
            "<scene><duration time=\"1\"/><integrator type=\"explicit-euler\" dt=\"0.1\"/>{tag}</scene>"
        );
        let System::Particles(system) = read(&text).system else { panic!("particles") };
        (system.collision.response, system.collision.restitution)
    };
    assert_eq!(response("<collision type=\"simple\"/>"), (Response::Simple, 1.0));
    assert_eq!(response("<collision type=\"simple\" COR=\"0.5\"/>"), (Response::Simple, 0.5));
    assert_eq!(response("<collision type=\"none\"/>").0, Response::None);
    let (Response::Penalty(penalty), _) =
        response("<collision type=\"penalty\" k=\"100\" thickness=\"0.1\"/>")
    else {
        panic!("penalty")
    };
    assert_eq!((penalty.stiffness, penalty.thickness), (100.0, 0.1));
    let pair =
        particle(1.0, [0.0, 0.0], [1.0, 0.0], 0.1, 0) + &particle(1.0, [0.15, 0.0], [0.0, 0.0], 0.1, 0);
    let plain = stepped(&format!("<collision type=\"simple\"/>{pair}"), 0.01);
    let with = stepped(&format!("<collision type=\"simple\" k=\"5\" thickness=\"9\"/>{pair}"), 0.01);
    assert_eq!(plain.velocities, with.velocities);
}

/// T2M1 §3.1: edges meet edges and half-planes through their ends; nothing else is listed.
#[test]
fn edges_meet_through_their_ends() {
    let ends =
        [([-1.0, 0.05], 0.1), ([1.0, 3.0], 0.1)].map(|(x, r)| particle(1.0, x, [0.0, -1.0], r, 0)).concat();
    let tags = format!(
        "<collision type=\"simple\"/>{ends}<edge i=\"0\" j=\"1\" radius=\"0.1\"/><halfplane px=\"0\" py=\"0\" nx=\"0\" ny=\"1\"/>"
    );
    let frame = stepped(&tags, 1e-9);
    let found: Vec<_> = frame.contacts.iter().map(|c| (c.kind.name(), c.first, c.second)).collect();
    assert_eq!(found, [("particle-half-plane", 0, 0)]);
}

/// T2M1 §3.2.1: both inequalities are strict.
#[test]
fn exact_touch_and_no_approach_are_no_collision() {
    for (apart, speed, count) in [(0.25, 1.0, 1), (0.5, 1.0, 0), (0.25, 0.0, 0), (0.25, -1.0, 0)] {
        let pair = particle(1.0, [0.0, 0.0], [speed, 0.0], 0.25, 0)
            + &particle(1.0, [apart, 0.0], [0.0, 0.0], 0.25, 0);
        let frame = stepped(&format!("<collision type=\"simple\"/>{pair}"), 1e-30);
        assert_eq!(frame.contacts.len(), count, "{apart} apart at {speed}");
        if let Some(contact) = frame.contacts.first() {
            assert_eq!(
                contact.normal,
                [apart, 0.0, 0.0],
                "the shortest vector, from the first to the second"
            );
        }
    }
}

/// T2M1 §3.2.2 and §3.3.2: α and its clamp, the velocity of the nearest point, and equation 2.
#[test]
fn a_particle_meets_an_edge_by_equation_2() {
    for (x, alpha) in [(0.25, 0.25), (-0.05, 0.0), (1.05, 1.0)] {
        let (m1, m2, m3) = (1.5, 0.5, 2.0);
        let tags = particle(m1, [x, 0.1], [0.2, -2.0], 0.1, 0)
            + &particle(m2, [0.0, 0.0], [0.0, 0.5], 0.01, 0)
            + &particle(m3, [1.0, 0.0], [0.0, -0.5], 0.01, 0);
        let tags =
            format!("<collision type=\"simple\" COR=\"0.5\"/>{tags}<edge i=\"1\" j=\"2\" radius=\"0.05\"/>");
        let frame = stepped(&tags, 1e-12);
        let contact = frame.contacts.iter().find(|c| c.kind.name() == "particle-edge").unwrap();
        let n = [alpha - x, -0.1];
        assert!((contact.normal[0] - n[0]).abs() < 1e-9 && (contact.normal[1] - n[1]).abs() < 1e-9);
        let length = (n[0] * n[0] + n[1] * n[1]).sqrt();
        let unit = [n[0] / length, n[1] / length];
        let ve = 0.5 + alpha * (-0.5 - 0.5);
        let w = 2.0 * 0.75 * ((0.0 - 0.2) * unit[0] + (ve + 2.0) * unit[1]);
        let (p, q) = (1.0 - alpha, alpha);
        let shares = [
            w / (1.0 + p * p * m1 / m2 + q * q * m1 / m3),
            -p * w / (m2 / m1 + p * p + q * q * m2 / m3),
            -q * w / (m3 / m1 + p * p * m3 / m2 + q * q),
        ];
        let before = [[0.2, -2.0], [0.0, 0.5], [0.0, -0.5]];
        for k in 0..3 {
            for axis in 0..2 {
                let expected = before[k][axis] + shares[k] * unit[axis];
                assert!((frame.velocities[2 * k + axis] - expected).abs() < 1e-9, "α = {alpha}, {k}");
            }
        }
    }
}

/// T2M1 §3.3.1 and §3.5: equation 1 times (1 + COR)/2.
#[test]
fn two_particles_meet_by_equation_1() {
    for cor in [0.0, 0.3, 1.0] {
        let (m1, m2) = (2.0, 3.0);
        let pair =
            particle(m1, [0.0, 0.0], [1.0, 0.5], 0.1, 0) + &particle(m2, [0.15, 0.0], [-1.0, 0.0], 0.1, 0);
        let frame = stepped(&format!("<collision type=\"simple\" COR=\"{cor}\"/>{pair}"), 1e-12);
        let w = 2.0 * (1.0 + cor) / 2.0 * (-1.0 - 1.0);
        let expected = [1.0 + w / (1.0 + m1 / m2), 0.5, -1.0 - w / (m2 / m1 + 1.0), 0.0];
        for (found, expected) in frame.velocities.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{cor}: {:?}", frame.velocities);
        }
    }
}

/// T2M1 §3.4: nothing is applied to a fixed particle, and its mass counts as infinite.
#[test]
fn a_fixed_particle_is_an_immovable_object() {
    let pair =
        particle(1.0, [0.0, 0.0], [1.0, 0.0], 0.1, 0) + &particle(0.001, [0.15, 0.0], [0.0, 0.0], 0.1, 1);
    let frame = stepped(&format!("<collision type=\"simple\"/>{pair}"), 1e-12);
    assert_eq!(frame.velocities, [-1.0, 0.0, 0.0, 0.0]);
}

/// T2M1 §3.6: the force is −∇V for each of the three pairs, and nothing beyond r₁ + r₂ + T.
#[test]
fn penalty_forces_are_those_of_the_three_gradients() {
    let (k, thickness) = (100.0, 0.05);
    let collision = format!("<collision type=\"penalty\" k=\"{k}\" thickness=\"{thickness}\"/>");
    let dt = 0.001;
    let pair = |apart: f64| {
        let pair =
            particle(2.0, [0.0, 0.0], [0.0, 0.0], 0.1, 0) + &particle(1.0, [apart, 0.0], [0.0, 0.0], 0.2, 0);
        stepped(&format!("{collision}{pair}"), dt).velocities
    };
    let push = k * (0.3 + thickness - 0.32) * dt;
    let found = pair(0.32);
    assert!(near(found[0], -push / 2.0) && near(found[2], push), "{found:?}");
    assert_eq!(pair(0.36), [0.0; 4], "beyond the thickness nothing acts");

    let edge = particle(1.0, [0.25, 0.1], [0.0, 0.0], 0.05, 0)
        + &particle(1.0, [0.0, 0.0], [0.0, 0.0], 0.01, 0)
        + &particle(1.0, [1.0, 0.0], [0.0, 0.0], 0.01, 0);
    let found = stepped(&format!("{collision}{edge}<edge i=\"1\" j=\"2\" radius=\"0.02\"/>"), dt).velocities;
    let push = k * (0.05 + 0.02 + thickness - 0.1) * dt;
    assert!(
        near(found[1], push) && near(found[3], -0.75 * push) && near(found[5], -0.25 * push),
        "{found:?}"
    );

    let floor = particle(2.0, [0.0, 0.12], [0.0, 0.0], 0.1, 0);
    let plane = "<halfplane px=\"0\" py=\"0\" nx=\"0\" ny=\"3\"/>";
    let found = stepped(&format!("{collision}{floor}{plane}"), dt).velocities;
    assert!(near(found[1], k * (0.1 + thickness - 0.12) * dt / 2.0), "{found:?}");
}

/// A rigid scene: a box over a fixed ground, with a response.
fn bodies(response: &str, more: &str) -> Scene {
    read(&format!(
        "<scene><simtype type=\"rigid-body\"/><duration time=\"1\"/><rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.01\"/>
  <rigidbodycollisionhandling detection=\"all-pairs\" response=\"{response}\"/>
  <rigidbodyvertex x=\"-3\" y=\"0\" m=\"1\"/><rigidbodyvertex x=\"3\" y=\"0\" m=\"1\"/><rigidbodyvertex x=\"3\" y=\"-1\" m=\"1\"/><rigidbodyvertex x=\"-3\" y=\"-1\" m=\"1\"/>
  <rigidbodyvertex x=\"-0.5\" y=\"1.15\" m=\"1\"/><rigidbodyvertex x=\"0.5\" y=\"1.15\" m=\"1\"/><rigidbodyvertex x=\"0.5\" y=\"0.15\" m=\"1\"/><rigidbodyvertex x=\"-0.5\" y=\"0.15\" m=\"1\"/>
  <rigidbody p=\"0\" p=\"1\" p=\"2\" p=\"3\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\" fixed=\"1\"/>
  <rigidbody p=\"4\" p=\"5\" p=\"6\" p=\"7\" vx=\"0.5\" vy=\"-1\" omega=\"0.3\" r=\"0.1\"/>{more}</scene>"
    ))
}

/// T3M2 §2: the values of detection and response, and what `fixed` means for forces.
#[test]
fn rigid_body_contact_is_named_and_fixed_bodies_feel_nothing() {
    let good = ["lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection"];
    for response in good {
        let gravity = "<rigidbodygravityforce fx=\"0\" fy=\"-10\"/>";
        let mut simulation = Simulation::new(&bodies(response, gravity), COURSE).unwrap();
        for _ in 0..20 {
            simulation.step().unwrap();
        }
        let frame = simulation.frame();
        assert_eq!(frame.positions[..3], [0.0, -0.5, 0.0], "{response}");
        assert_eq!(frame.velocities[..3], [0.0; 3], "{response}");
    }
    let text = "<scene><simtype type=\"rigid-body\"/><duration time=\"1\"/><rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.1\"/>
        <rigidbodycollisionhandling detection=\"DETECTION\" response=\"RESPONSE\"/></scene>";
    for (detection, response) in [("grid", "lcp"), ("all-pairs", "springs")] {
        let text = text.replace("DETECTION", detection).replace("RESPONSE", response);
        assert!(carom::read_scene(&text).is_err(), "{detection} {response}");
    }
}

/// T3M2 §3.1 equations 1 to 3, §6: after the response nothing approaches, nothing is pulled, and
/// what is pushed stays closed; the projection gives the velocities of the complementarity problem.
#[test]
fn contacts_meet_the_three_conditions_under_both_methods() {
    let mut ends = Vec::new();
    for response in ["lcp", "velocity-projection"] {
        let scene = bodies(response, "");
        let mut simulation = Simulation::new(&scene, COURSE).unwrap();
        simulation.step().unwrap();
        let frame = simulation.frame();
        assert!(frame.contacts.len() >= 2, "{response}: {:?}", frame.contacts);
        for contact in &frame.contacts {
            let [nx, ny, _] = contact.normal;
            let length = (nx * nx + ny * ny).sqrt();
            let speed = |body: usize| {
                let (x, v) = (&frame.positions[3 * body..], &frame.velocities[3 * body..]);
                let arm = [contact.point[0] - x[0], contact.point[1] - x[1]];
                (nx * (v[0] - v[2] * arm[1]) + ny * (v[1] + v[2] * arm[0])) / length
            };
            let gap = speed(contact.second as usize) - speed(contact.first as usize);
            assert!(gap > -1e-9, "{response}: it approaches at {gap}");
            assert!(contact.impulse >= 0.0, "{response}: it is pulled");
            assert!((gap * contact.impulse).abs() < 1e-9, "{response}: pushed and opening");
        }
        ends.push(frame.velocities);
    }
    for (a, b) in ends[0].iter().zip(&ends[1]) {
        assert!((a - b).abs() < 1e-9, "{ends:?}");
    }
}

/// T3M2 FAQ: momentum is conserved, impulses act once, a body at rest is not a fixed one.
#[test]
fn a_body_at_rest_takes_momentum() {
    let text = "<scene><simtype type=\"rigid-body\"/><duration time=\"1\"/><rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.01\"/>
  <rigidbodycollisionhandling detection=\"all-pairs\" response=\"lcp\"/>
  <rigidbodyvertex x=\"0\" y=\"0\" m=\"1\"/><rigidbodyvertex x=\"1\" y=\"0\" m=\"1\"/><rigidbodyvertex x=\"1\" y=\"1\" m=\"1\"/><rigidbodyvertex x=\"0\" y=\"1\" m=\"1\"/>
  <rigidbodyvertex x=\"1.15\" y=\"0\" m=\"3\"/><rigidbodyvertex x=\"2\" y=\"0\" m=\"3\"/><rigidbodyvertex x=\"2\" y=\"1\" m=\"3\"/><rigidbodyvertex x=\"1.15\" y=\"1\" m=\"3\"/>
  <rigidbody p=\"0\" p=\"1\" p=\"2\" p=\"3\" vx=\"2\" vy=\"0\" omega=\"0\" r=\"0.1\"/>
  <rigidbody p=\"4\" p=\"5\" p=\"6\" p=\"7\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\"/></scene>";
    let mut simulation = Simulation::new(&read(text), COURSE).unwrap();
    simulation.step().unwrap();
    let v = simulation.frame().velocities;
    // both go on together: 4 · 2 = 16 · 0.5
    assert!((v[0] - 0.5).abs() < 1e-12 && (v[3] - 0.5).abs() < 1e-12, "{v:?}");
}

/// Every test that docs/course-compatibility.md names exists.
#[test]
fn the_page_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/course-compatibility.md")).unwrap();
    let mut named = 0;
    for word in page.split('`') {
        let Some((file, test)) = word.split_once("::") else { continue };
        if !file.ends_with(".rs") {
            continue;
        }
        let text = std::fs::read_to_string(root.join("crates").join(file))
            .unwrap_or_else(|_| panic!("{file} is not there"));
        assert!(text.contains(&format!("fn {test}(")), "{file} has no test `{test}`");
        named += 1;
    }
    assert!(named > 60, "{named} tests are named");
}
