//! Spatial bodies through the façade: scenes to worlds to frames and back.

use carom::{BuildError, MeshFault, Options, Plan, RunEnd, Scene, Simulation, StepStatus};
use carom_trajectory::{Family, Frame, RunHash};
use std::convert::Infallible;
use std::ops::ControlFlow;

fn text(integrator: &str, tags: &str) -> String {
    format!(
        "<scene><simtype type=\"rigid-body-3d\"/><duration time=\"2\"/>\
         <rigidbody3dintegrator {integrator}/>{tags}</scene>"
    )
}

#[track_caller]
fn scene(integrator: &str, tags: &str) -> Scene {
    carom::read_scene(&text(integrator, tags)).unwrap()
}

fn simulation(integrator: &str, tags: &str) -> Simulation {
    Simulation::new(&scene(integrator, tags), Options::default()).unwrap()
}

const EULER: &str = "type=\"symplectic-euler\" dt=\"0.01\"";

#[test]
fn frames_show_poses_and_velocities() {
    // A tetrahedron given by its corners, turned a quarter about z and moved: its centre of mass is
    // a quarter of each side in.
    let tags = "<rigidbody3dvertex x=\"0\" y=\"0\" z=\"0\"/><rigidbody3dvertex x=\"4\" y=\"0\" z=\"0\"/>\
        <rigidbody3dvertex x=\"0\" y=\"8\" z=\"0\"/><rigidbody3dvertex x=\"0\" y=\"0\" z=\"12\"/>\
        <rigidbody3dpolyhedron p=\"0\" p=\"1\" p=\"2\" p=\"3\" x=\"10\" rz=\"1.5707963267948966\" m=\"3\" vy=\"5\" omegaz=\"7\"/>\
        <rigidbody3dgravityforce fz=\"-10\"/>";
    let simulation = simulation(EULER, tags);
    assert_eq!(simulation.family(), Family::SpatialBodies);
    let frame = simulation.frame();
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let pose = [10.0 - 2.0, 1.0, 3.0, half, 0.0, 0.0, half];
    for (got, expected) in frame.positions.iter().zip(pose) {
        assert!((got - expected).abs() < 1e-14, "{:?}", frame.positions);
    }
    for (got, expected) in frame.velocities.iter().zip([0.0, 5.0, 0.0, 0.0, 0.0, 7.0]) {
        assert!((got - expected).abs() < 1e-12, "{:?}", frame.velocities);
    }
    assert_eq!(frame.quantities.momentum, [0.0, 15.0, 0.0]);
    // Izz of a corner tetrahedron about its centre of mass: 3 m (a² + b²) / 80.
    let izz = 3.0 * 3.0 * (16.0 + 64.0) / 80.0;
    let kinetic = 0.5 * 3.0 * 25.0 + 0.5 * izz * 49.0;
    assert!((frame.quantities.kinetic - kinetic).abs() < 1e-12 * kinetic);
    assert!((frame.quantities.potential - 3.0 * 10.0 * 3.0).abs() < 1e-12);
    let (masses, inertias) = simulation.mass_properties();
    assert_eq!((masses, inertias.len()), (vec![3.0], 6));
    assert!((inertias[2] - izz).abs() < 1e-13);
}

#[test]
fn given_inertias_and_densities_are_what_they_say() {
    let tags = "<rigidbody3dbox a=\"1\" b=\"2\" c=\"3\" density=\"5\"/>\
        <rigidbody3dbox a=\"1\" b=\"2\" c=\"3\" m=\"60\"/>\
        <rigidbody3dsphere radius=\"2\" m=\"1\"/><rigidbody3dinertia body=\"2\" ixx=\"3\" iyy=\"4\" izz=\"5\" ixy=\"0.5\"/>";
    let (masses, inertias) = simulation(EULER, tags).mass_properties();
    assert_eq!(masses, [30.0, 60.0, 1.0]);
    for (got, expected) in inertias.iter().zip([32.5, 25.0, 12.5, 0.0, 0.0, 0.0]) {
        assert!((got - expected).abs() < 1e-13, "{inertias:?}");
    }
    for (one, twice) in inertias[..6].iter().zip(&inertias[6..12]) {
        assert!((2.0 * one - twice).abs() < 1e-13);
    }
    assert_eq!(inertias[12..], [3.0, 4.0, 5.0, 0.5, 0.0, 0.0]);
}

/// Boxes that fall onto each other and a floor.
fn heap() -> String {
    let mut tags = String::from("<rigidbody3dhalfspace nz=\"1\"/><rigidbody3dgravityforce fz=\"-9.81\"/>");
    for k in 0..4 {
        let (x, z, turn) = (0.1 * f64::from(k % 2), 0.6 + 1.1 * f64::from(k), 0.2 * f64::from(k));
        tags += &format!(
            "<rigidbody3dbox x=\"{x}\" z=\"{z}\" a=\"1\" b=\"1\" c=\"1\" rx=\"{turn}\" rz=\"0.3\" omegay=\"1\" density=\"2\"/>"
        );
    }
    tags + "<rigidbody3dsphere x=\"0.2\" z=\"6\" radius=\"0.4\" m=\"1\" vx=\"0.3\"/>"
}

#[test]
fn every_integrator_with_both_orientations_and_every_response_can_be_taken_up_to_the_bit() {
    let integrators =
        ["explicit-euler", "symplectic-euler", "midpoint", "rk4", "dormand-prince", "lie-midpoint"];
    let responses = [
        "response=\"lcp\" mu=\"0.3\"",
        "response=\"velocity-projection\"",
        "response=\"gr-lcp\" COR=\"0.5\"",
        "response=\"gr-velocity-projection\"",
        "response=\"impulse\"",
        "response=\"impulse\" COR=\"0.4\"",
    ];
    for (k, integrator) in integrators.into_iter().enumerate() {
        // Two responses for each integrator, one under each kind of orientation; all responses come
        // up.
        for (j, response) in responses.into_iter().enumerate().filter(|(j, _)| (k + j).is_multiple_of(3)) {
            let orientation = if (k + j).is_multiple_of(2) { "quaternion" } else { "matrix" };
            let integrator = format!("type=\"{integrator}\" dt=\"0.01\" orientation=\"{orientation}\"");
            let tags = heap() + &format!("<rigidbody3dcollisionhandling {response}/>");
            let mut unbroken = simulation(&integrator, &tags);
            let mut taken_up: Vec<Simulation> = Vec::new();
            for step in 1..=80 {
                unbroken.step().unwrap();
                let frame = unbroken.frame();
                for other in &mut taken_up {
                    other.step().unwrap();
                    let (a, b) = (
                        RunHash::default().with_frame(&frame),
                        RunHash::default().with_frame(&other.frame()),
                    );
                    assert_eq!(a, b, "{integrator} {response}: step {step}");
                    assert_eq!(frame.memory, other.frame().memory);
                }
                if [1, 40, 65].contains(&step) {
                    let mut fresh = simulation(&integrator, &tags);
                    fresh.restore(&frame).unwrap();
                    assert_eq!(fresh.frame().positions, frame.positions);
                    taken_up.push(fresh);
                }
            }
        }
    }
}

#[test]
fn a_frame_without_memory_or_changed_by_hand_is_gone_on_from_by_its_velocities() {
    for orientation in ["quaternion", "matrix"] {
        let integrator = format!("type=\"rk4\" dt=\"0.01\" orientation=\"{orientation}\"");
        let tags = "<rigidbody3dbox a=\"1\" b=\"2\" c=\"3\" m=\"2\" vx=\"1\" omegax=\"1\" omegay=\"2\"/>";
        let mut simulation = simulation(&integrator, tags);
        for _ in 0..30 {
            simulation.step().unwrap();
        }
        let frame = simulation.frame();
        let bare = Frame { memory: Vec::new(), ..frame.clone() };
        simulation.restore(&bare).unwrap();
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14);
        assert!(near(&simulation.frame().velocities, &frame.velocities));
        let mut pushed = frame.clone();
        pushed.velocities[0] = 5.0;
        simulation.restore(&pushed).unwrap();
        let quantities = simulation.frame().quantities;
        assert!((quantities.momentum[0] - 10.0).abs() < 1e-14, "velocities count, not the old memory");
        let short = Frame { positions: vec![0.0; 3], ..frame };
        assert!(simulation.restore(&short).is_err());
    }
}

#[test]
fn frames_come_at_the_rate_of_the_scene_whatever_the_step() {
    let times = |integrator: &str, tags: &str, every: u64| {
        let mut simulation = simulation(integrator, tags);
        let mut times = Vec::new();
        let plan = Plan { last_step: simulation.planned_steps(), every };
        let mut observe = |frame: &Frame| {
            times.push(frame.time);
            Ok::<_, Infallible>(ControlFlow::Continue(()))
        };
        let Ok(end) = carom::run(&mut simulation, plan, &mut observe, &mut || false);
        assert_eq!(end, RunEnd::Finished);
        times
    };
    let ball = "<rigidbody3dsphere radius=\"1\" m=\"1\"/>";
    for dt in [0.01, 0.004, 0.0007, 1.0 / 24.0] {
        let found = times(&format!("type=\"rk4\" dt=\"{dt:?}\""), ball, 0);
        // 2 seconds at 24 a second, both ends included; the last step may come after the last
        // frame.
        assert!((49..=50).contains(&found.len()), "{dt}: {}", found.len());
        for (k, time) in found.iter().take(49).enumerate() {
            assert!((time - k as f64 / 24.0).abs() <= 0.5 * dt + 1e-12, "{dt}: frame {k} at {time}");
        }
    }
    let fast = format!("{ball}<rigidbody3doutput fps=\"50\"/>");
    assert_eq!(times("type=\"rk4\" dt=\"0.01\"", &fast, 0).len(), 101);
    // A step longer than a frame: every step is shown. Asked for, every so many steps are.
    assert_eq!(times("type=\"rk4\" dt=\"0.1\"", ball, 0).len(), 21);
    assert_eq!(times("type=\"rk4\" dt=\"0.01\"", ball, 40).len(), 6);
}

#[test]
fn shapes_that_are_none_are_refused_with_their_place() {
    let refused = |tags: &str| {
        let text = text(EULER, tags);
        let reading = carom_scene::read(&text, &carom_scene::ReadOptions::default());
        let scene = reading.scene.unwrap();
        let error = Simulation::new(&scene, Options::default()).unwrap_err();
        let problem = carom::build_problem(&scene, &reading.source_map, &error).unwrap();
        (error, text[problem.span.clone()].to_owned(), problem.message)
    };
    let square = "<rigidbody3dvertex x=\"0\" y=\"0\" z=\"0\"/><rigidbody3dvertex x=\"1\" y=\"0\" z=\"0\"/>\
        <rigidbody3dvertex x=\"0\" y=\"1\" z=\"0\"/><rigidbody3dvertex x=\"1\" y=\"1\" z=\"0\"/>\
        <rigidbody3dsphere radius=\"1\" m=\"1\"/>";
    let (error, place, message) =
        refused(&format!("{square}<rigidbody3dpolyhedron p=\"3\" p=\"1\" p=\"2\" p=\"0\" m=\"1\"/>"));
    assert!(matches!(error, BuildError::Shape { body: 1, .. }), "{error}");
    assert_eq!((place.as_str(), message.contains("one plane")), ("3", true));
    let (error, place, _) = refused("<rigidbody3dpolyhedron file=\"die.obj\" m=\"1\"/>");
    assert!(matches!(error, BuildError::MeshFile { body: 0, .. }));
    assert_eq!(place, "die.obj");
    let (_, place, message) = refused(
        "<rigidbody3dsphere radius=\"1\" m=\"1\"/><rigidbody3dinertia body=\"0\" ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"2\"/>",
    );
    assert_eq!((place.as_str(), message.contains("inertia")), ("rigidbody3dsphere", true));
}

#[test]
fn meshes_come_from_files_or_are_refused() {
    let cube = "# a cube\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
        f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    let named = scene(EULER, "<rigidbody3dpolyhedron file=\"cube.obj\" density=\"3\" x=\"2\"/>");
    let with = |text: &str| {
        let mut scene = named.clone();
        carom::inline_meshes(&mut scene, &mut |name| {
            assert_eq!(name, "cube.obj");
            Ok::<_, String>(text.to_owned())
        })
        .map(|_| scene)
    };
    let inlined = with(cube).unwrap();
    let again = carom::read_scene(&carom_scene::write(&inlined)).unwrap();
    let simulation = Simulation::new(&again, Options::default()).unwrap();
    assert_eq!(simulation.mass_properties().0, [3.0]);
    assert_eq!(simulation.frame().positions[..3], [2.5, 0.5, 0.5]);
    let open = cube.replace("f 4 1 5 8\n", "");
    assert!(matches!(with(&open).unwrap_err().fault, MeshFault::NoSolid(_)));
    let inside_out = cube.replace("f 4 3 2 1\n", "f 1 2 3 4\n");
    assert!(matches!(with(&inside_out).unwrap_err().fault, MeshFault::NoSolid(_)));
    let garbled = with("v 1 2\n").unwrap_err();
    assert!(garbled.to_string().contains("line 1"), "{garbled}");
    let mut unread = named.clone();
    let error = carom::inline_meshes(&mut unread, &mut |_| Err("not there")).unwrap_err();
    assert!(error.to_string().contains("`cube.obj` cannot be read: not there"), "{error}");
}

#[test]
fn surfaces_are_closed_and_face_outwards() {
    let tags = heap()
        + "<rigidbody3dvertex x=\"0\" y=\"0\" z=\"0\"/><rigidbody3dvertex x=\"4\" y=\"0\" z=\"0\"/>\
        <rigidbody3dvertex x=\"0\" y=\"8\" z=\"0\"/><rigidbody3dvertex x=\"0\" y=\"0\" z=\"12\"/>\
        <rigidbody3dpolyhedron p=\"0\" p=\"1\" p=\"2\" p=\"3\" m=\"3\"/><rigidbody3dcolor body=\"1\" r=\"1\" g=\"0\" b=\"0.5\"/>";
    let solids = carom::solids(&scene(EULER, &tags)).unwrap();
    let volume = |index: usize| {
        let solid = &solids[index];
        let mut six = 0.0;
        for triangle in &solid.triangles {
            let [a, b, c] = triangle.map(|k| glam::DVec3::from(solid.points[k as usize]));
            let normal = (b - a).cross(c - a);
            six += a.dot(b.cross(c));
            for k in triangle {
                assert!(normal.dot(solid.normals[*k as usize].into()) > 0.0, "body {index}");
            }
        }
        six / 6.0
    };
    assert!((volume(1) - 1.0).abs() < 1e-12, "a box");
    let ball = 4.0 / 3.0 * std::f64::consts::PI * 0.4 * 0.4 * 0.4;
    assert!(volume(5) < ball && volume(5) > 0.97 * ball, "a ball, a little less than round: {}", volume(5));
    assert!((volume(6) - 64.0).abs() < 1e-9, "the corner tetrahedron");
    assert_eq!(volume(0), 0.0, "the floor is a square through its point");
    assert_eq!(solids[1].color, [1.0, 0.0, 0.5]);
}

#[test]
fn springs_pull_scripts_move_pushes_push() {
    // A ball on a spring of period 2π √(m/k) = 1 s comes back after 1 s.
    let k = 4.0 * std::f64::consts::PI * std::f64::consts::PI;
    let tags = format!(
        "<rigidbody3dsphere x=\"1\" radius=\"0.1\" m=\"1\"/><rigidbody3dspringforce i=\"-1\" pix=\"-2\" j=\"0\" k=\"{k:?}\" l0=\"2\"/>"
    );
    let mut spring = simulation("type=\"rk4\" dt=\"0.001\"", &tags);
    for _ in 0..1000 {
        spring.step().unwrap();
    }
    assert!((spring.frame().positions[0] - 1.0).abs() < 1e-8);
    let tags = "<rigidbody3dhalfspace nz=\"1\"/><rigidbody3dscript body=\"0\" t=\"1\" z=\"2\"/>\
        <rigidbody3dsphere z=\"5\" radius=\"1\" m=\"2\"/><rigidbody3dpushforce body=\"1\" fx=\"4\"/><rigidbody3ddragforce b=\"0\"/>";
    let mut moved = simulation("type=\"midpoint\" dt=\"0.01\"", tags);
    for _ in 0..100 {
        moved.step().unwrap();
    }
    let frame = moved.frame();
    assert!((frame.positions[2] - 2.0).abs() < 1e-12, "the floor rose by its script");
    assert!((frame.positions[7] - 1.0).abs() < 1e-12, "½ (F/m) t²");
    assert!(moved.push(1, [0.0, 200.0, 0.0], [0.0; 3]) && !moved.push(2, [0.0; 3], [0.0; 3]));
    moved.step().unwrap();
    assert!((moved.frame().velocities[7] - 1.0).abs() < 1e-12, "a push of one step");
}

/// Uniform motion turns by ω t about its axis, an oscillation is x₀ + a (sin(ω t + φ) − sin φ); a
/// half-space can have one too.
#[test]
#[allow(clippy::disallowed_methods, reason = "the closed form is compared to a tolerance, not to the bit")]
fn motions_follow_their_closed_forms() {
    let tags = "<rigidbody3dbox z=\"5\" a=\"1\" b=\"1\" c=\"1\"/><rigidbody3duniformmotion body=\"0\" vx=\"2\" omegaz=\"1\"/>\
        <rigidbody3dhalfspace nz=\"1\"/><rigidbody3doscillation body=\"1\" z=\"0.5\" rate=\"7\" phase=\"0.3\"/>\
        <rigidbody3dgravityforce fz=\"-10\"/>";
    let mut moved = simulation("type=\"symplectic-euler\" dt=\"0.01\"", tags);
    for step in 1..=100 {
        moved.step().unwrap();
        let (frame, t) = (moved.frame(), 0.01 * f64::from(step));
        let swing = 0.5 * ((7.0 * t + 0.3).sin() - 0.3_f64.sin());
        let found = [frame.positions[0], frame.positions[2], frame.positions[6], frame.positions[9]];
        let wanted = [2.0 * t, 5.0, (0.5 * t).sin(), swing];
        let near = found.iter().zip(wanted).all(|(x, y)| (x - y).abs() < 1e-12);
        assert!(near, "step {step}: {found:?} {wanted:?} of {:?}", frame.positions);
    }
}

#[test]
fn what_goes_wrong_has_a_status() {
    // A stiff spring under explicit Euler runs away: the step is refused and the simulation stays.
    let tags = "<rigidbody3dsphere x=\"1\" radius=\"0.1\" m=\"1\"/><rigidbody3dspringforce i=\"-1\" j=\"0\" k=\"1e12\" l0=\"0\"/>";
    let mut wild = simulation("type=\"explicit-euler\" dt=\"1\"", tags);
    let failure = loop {
        if let Err(failure) = wild.step() {
            break failure;
        }
    };
    assert_eq!(failure.status, StepStatus::NonFinite);
    assert!(wild.frame().positions.iter().all(|x| x.is_finite()));
    assert!(matches!(
        Simulation::new(&scene(EULER, ""), Options::course(true)),
        Err(BuildError::CourseRefuses(_))
    ));
}

/// The same break as discs in 2D and as balls in 3D.
#[test]
fn a_planar_scene_given_to_both_families_agrees() {
    let places =
        [(-1.0, 0.013), (0.0, 0.0), (0.175, 0.1), (0.175, -0.1), (0.35, 0.2), (0.35, 0.0), (0.35, -0.2)];
    let (mut flat, mut round) = (String::new(), String::new());
    for (k, (x, y)) in places.into_iter().enumerate() {
        let vx = if k == 0 { 3.0 } else { 0.0 };
        flat += &format!("<rigidbodydisc x=\"{x}\" y=\"{y}\" radius=\"0.1\" m=\"1\" vx=\"{vx}\"/>");
        round += &format!("<rigidbody3dsphere x=\"{x}\" y=\"{y}\" radius=\"0.1\" m=\"1\" vx=\"{vx}\"/>");
    }
    for response in ["gr-lcp", "gr-velocity-projection", "lcp", "velocity-projection"] {
        let plane = carom::read_scene(&format!(
            "<scene><simtype type=\"rigid-body\"/><duration time=\"2\"/><rigidbodyintegrator {EULER}/>{flat}\
             <rigidbodycollisionhandling detection=\"all-pairs\" response=\"{response}\"/></scene>"
        ))
        .unwrap();
        let mut plane = Simulation::new(&plane, Options::default()).unwrap();
        let mut space =
            simulation(EULER, &format!("{round}<rigidbody3dcollisionhandling response=\"{response}\"/>"));
        let mut contacts = 0;
        for step in 0..200 {
            plane.step().unwrap();
            space.step().unwrap();
            contacts += space.contact_count();
            let (two, three) = (plane.frame(), space.frame());
            let bodies = two.positions.chunks_exact(3).zip(three.positions.chunks_exact(7));
            for (body, (p, x)) in bodies.enumerate() {
                let off = (p[0] - x[0]).abs().max((p[1] - x[1]).abs()).max(x[2].abs());
                assert!(off < 1e-9, "{response}: body {body} off by {off:e} at step {step}");
            }
            assert!((two.quantities.kinetic - three.quantities.kinetic).abs() < 1e-9);
        }
        assert!(contacts > 5, "{response}: they met");
    }
}
