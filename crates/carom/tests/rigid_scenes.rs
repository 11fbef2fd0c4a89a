//! What scenes of rigid bodies say arrives in the world, and what leaves the finite numbers ends a
//! run.

use carom::{Frame, Options, Simulation, StepStatus};

fn simulation(tags: &str) -> Simulation {
    let text = format!("<scene><simtype type=\"rigid-body\"/><duration time=\"1\"/>{tags}</scene>");
    Simulation::new(&carom::read_scene(&text).unwrap(), Options::default()).unwrap()
}

fn run(simulation: &mut Simulation, steps: u64) -> Frame {
    for _ in 0..steps {
        simulation.step().unwrap();
    }
    simulation.frame()
}

const EULER: &str = "<rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.01\"/>";

#[test]
fn weights_are_those_of_the_shapes() {
    let square = "<rigidbodyvertex x=\"0\" y=\"0\" m=\"9\"/><rigidbodyvertex x=\"2\" y=\"0\" m=\"1\"/>\
        <rigidbodyvertex x=\"2\" y=\"2\" m=\"1\"/><rigidbodyvertex x=\"0\" y=\"2\" m=\"1\"/>\
        <rigidbody p=\"0\" p=\"1\" p=\"2\" p=\"3\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\" solid=\"1\" density=\"3\"/>";
    let discs = "<rigidbodydisc x=\"5\" y=\"0\" radius=\"2\" m=\"3\"/><rigidbodydisc x=\"9\" y=\"0\" radius=\"2\" density=\"0.5\"/>";
    let simulation = simulation(&format!("{EULER}{square}{discs}"));
    let (masses, inertias) = simulation.mass_properties();
    let pi = std::f64::consts::PI;
    for (found, wanted) in masses.iter().chain(&inertias).zip([12.0, 3.0, 2.0 * pi, 8.0, 6.0, 4.0 * pi]) {
        assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
    }
    assert!(
        simulation.frame().positions.iter().zip([1.0, 1.0, 0.0, 5.0]).all(|(x, y)| (x - y).abs() < 1e-14)
    );
}

/// Head on, equal masses, restitution e: the velocities after are (1 − e)/2 and (1 + e)/2.
#[test]
fn responses_and_restitution_arrive() {
    let discs = "<rigidbodydisc x=\"0\" y=\"0\" radius=\"0.5\" m=\"1\" vx=\"1\"/><rigidbodydisc x=\"1.05\" y=\"0\" radius=\"0.5\" m=\"1\"/>";
    for (attributes, restitution) in [
        ("response=\"lcp\"", 0.0),
        ("response=\"gr-lcp\"", 1.0),
        ("response=\"velocity-projection\" COR=\"0.5\"", 0.5),
        ("response=\"gr-velocity-projection\" COR=\"0.25\"", 0.25),
        ("response=\"impulse\"", 0.9),
        ("response=\"impulse\" COR=\"0.3\"", 0.3),
    ] {
        let tag = format!("<rigidbodycollisionhandling detection=\"all-pairs\" {attributes}/>");
        let frame = run(&mut simulation(&format!("{EULER}{discs}{tag}")), 30);
        let wanted = [0.5 * (1.0 - restitution), 0.5 * (1.0 + restitution)];
        assert!((frame.velocities[0] - wanted[0]).abs() < 1e-12, "{attributes}: {:?}", frame.velocities);
        assert!((frame.velocities[3] - wanted[1]).abs() < 1e-12, "{attributes}: {:?}", frame.velocities);
    }
}

/// A penalty of stiffness k between equal masses lets them part as fast as they met, up to the
/// order of the method.
#[test]
fn penalty_springs_push_apart() {
    let discs = "<rigidbodydisc x=\"0\" y=\"0\" radius=\"0.5\" m=\"1\" vx=\"1\"/><rigidbodydisc x=\"1.15\" y=\"0\" radius=\"0.5\" m=\"1\"/>";
    let tags = "<rigidbodyintegrator type=\"velocity-verlet\" dt=\"0.0005\"/>\
        <rigidbodycollisionhandling detection=\"all-pairs\" response=\"penalty\" k=\"1000\" thickness=\"0.1\"/>";
    let frame = run(&mut simulation(&format!("{tags}{discs}")), 1000);
    assert!(
        frame.velocities[0].abs() < 1e-3 && (frame.velocities[3] - 1.0).abs() < 1e-3,
        "{:?}",
        frame.velocities
    );
}

/// A block slides to rest on a floor with friction mu after v²/(2 mu g).
#[test]
fn friction_arrives() {
    let tags = "<rigidbodyvertex x=\"-1\" y=\"0\" m=\"1\"/><rigidbodyvertex x=\"9\" y=\"0\" m=\"1\"/>\
        <rigidbody p=\"0\" p=\"1\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\" fixed=\"1\"/>\
        <rigidbodyvertex x=\"0\" y=\"0.2\" m=\"1\"/><rigidbodyvertex x=\"1\" y=\"0.2\" m=\"1\"/>\
        <rigidbody p=\"2\" p=\"3\" vx=\"2\" vy=\"0\" omega=\"0\" r=\"0.1\"/><rigidbodygravityforce fx=\"0\" fy=\"-10\"/>\
        <rigidbodycollisionhandling detection=\"all-pairs\" response=\"velocity-projection\" mu=\"0.5\"/>\
        <rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.001\"/>";
    let frame = run(&mut simulation(tags), 600);
    assert!(frame.velocities[3].abs() < 1e-9, "{:?}", frame.velocities);
    assert!((frame.positions[3] - (0.5 + 0.4)).abs() < 2e-3, "{:?}", frame.positions);
}

#[test]
fn kinematic_bodies_go_from_key_to_key() {
    let tags = "<rigidbodydisc x=\"1\" y=\"2\" radius=\"0.5\" m=\"1\" vx=\"9\"/><rigidbodygravityforce fx=\"0\" fy=\"-10\"/>\
        <rigidbodyscript body=\"0\" t=\"0.2\" x=\"1\"/><rigidbodyscript body=\"0\" t=\"0.4\" x=\"1\" y=\"-3\" theta=\"2\"/>";
    let mut simulation = simulation(&format!("{EULER}{tags}"));
    for (steps, wanted) in
        [(10, [1.5, 2.0, 0.0]), (10, [2.0, 2.0, 0.0]), (10, [2.0, 0.5, 1.0]), (30, [2.0, -1.0, 2.0])]
    {
        let frame = run(&mut simulation, steps);
        assert!(
            frame.positions.iter().zip(wanted).all(|(x, y)| (x - y).abs() < 1e-12),
            "{:?}",
            frame.positions
        );
    }
}

/// Uniform motion is x₀ + v t, an oscillation x₀ + a (sin(ω t + φ) − sin φ); neither feels gravity
/// or the velocity of its tag.
#[test]
#[allow(clippy::disallowed_methods, reason = "the closed form is compared to a tolerance, not to the bit")]
fn motions_follow_their_closed_forms() {
    let disc = |x: f64| format!("<rigidbodydisc x=\"{x}\" y=\"2\" radius=\"0.5\" m=\"1\" vx=\"9\"/>");
    let tags = "<rigidbodygravityforce fx=\"0\" fy=\"-10\"/><rigidbodyuniformmotion body=\"0\" vy=\"3\" omega=\"-2\"/>\
        <rigidbodyoscillation body=\"1\" x=\"0.5\" y=\"1\" theta=\"2\" rate=\"7\" phase=\"0.3\"/>";
    let mut simulation = simulation(&format!("{EULER}{}{}{tags}", disc(1.0), disc(5.0)));
    for step in 1..=100 {
        let frame = run(&mut simulation, 1);
        let t = 0.01 * f64::from(step);
        let swing = (7.0 * t + 0.3).sin() - 0.3_f64.sin();
        let wanted = [1.0, 2.0 + 3.0 * t, -2.0 * t, 5.0 + 0.5 * swing, 2.0 + swing, 2.0 * swing];
        let near = frame.positions.iter().zip(wanted).all(|(x, y)| (x - y).abs() < 1e-12);
        assert!(near, "step {step}: {:?} {wanted:?}", frame.positions);
    }
}

/// A plate that rises at 1 m/s carries a ball that lies on it, under every response that bodies
/// rest with.
#[test]
fn a_moving_plate_carries_what_lies_on_it() {
    let tags = "<rigidbodyvertex x=\"-1\" y=\"0\" m=\"1\"/><rigidbodyvertex x=\"1\" y=\"0\" m=\"1\"/>\
        <rigidbody p=\"0\" p=\"1\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\"/><rigidbodyuniformmotion body=\"0\" vy=\"1\"/>\
        <rigidbodydisc x=\"0\" y=\"0.6\" radius=\"0.5\" m=\"1\"/><rigidbodygravityforce fx=\"0\" fy=\"-10\"/>";
    for response in ["lcp", "velocity-projection"] {
        let handling =
            format!("<rigidbodycollisionhandling detection=\"all-pairs\" response=\"{response}\"/>");
        let frame = run(&mut simulation(&format!("{EULER}{tags}{handling}")), 100);
        let lifted = frame.positions[4] - 0.6;
        assert!(
            (lifted - 1.0).abs() < 1e-9 && (frame.velocities[4] - 1.0).abs() < 1e-9,
            "{response} {lifted}"
        );
    }
}

/// Such a scene used to be refused without a place: "body 1: the solid outline crosses or touches
/// itself".
#[test]
fn a_body_that_the_world_refuses_is_shown_in_the_file() {
    let corners = |list: &[(f64, f64)]| -> String {
        list.iter().map(|(x, y)| format!("<rigidbodyvertex x=\"{x}\" y=\"{y}\" m=\"1\"/>")).collect()
    };
    let reason = "the solid outline crosses or touches itself";
    for list in
        [[(0.0, 0.0), (3.0, 3.0), (3.0, 0.0), (0.0, 2.0)], [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]]
    {
        let text = format!(
            "<scene><simtype type=\"rigid-body\"/><duration time=\"1\"/>{EULER}{}<rigidbodydisc x=\"9\" y=\"0\" radius=\"1\" m=\"1\"/>\n\
             <rigidbody p=\"0\" p=\"1\" p=\"2\" p=\"3\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\" solid=\"1\" density=\"1\"/></scene>",
            corners(&list)
        );
        let reading = carom_scene::read(&text, &carom_scene::ReadOptions::default());
        let scene = reading.scene.expect("the file itself is sound");
        let error = Simulation::new(&scene, Options::default()).unwrap_err();
        let problem = carom::build_problem(&scene, &reading.source_map, &error).expect("a place");
        assert!(problem.message.starts_with(reason), "{}", problem.message);
        let before = &text[..problem.span.start];
        assert_eq!(before.matches('\n').count(), 1, "line 2");
        assert!(before.ends_with("<rigidbody p=\""), "{before}");
    }
}

/// A spring that is far too stiff for its step: the numbers grow until they are none.
#[test]
fn a_body_that_leaves_the_finite_numbers_ends_the_run_or_is_carried_on() {
    let tags = "<rigidbodydisc x=\"5\" y=\"5\" radius=\"0.5\" m=\"1\"/>\
        <rigidbodyvertex x=\"0\" y=\"0\" m=\"1\"/><rigidbodyvertex x=\"1\" y=\"0\" m=\"1\"/>\
        <rigidbody p=\"0\" p=\"1\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\"/>\
        <rigidbodyspringforce i=\"-1\" pix=\"0\" piy=\"3\" j=\"1\" pjx=\"0\" pjy=\"0\" k=\"1e300\" l0=\"0\"/>";
    let mut right = simulation(&format!("{EULER}{tags}"));
    let failure = (0..100).find_map(|_| right.step().err()).expect("the run must fail");
    assert_eq!(failure.status, StepStatus::NonFinite);
    assert!(failure.reason.contains("body 1"), "{failure}");
    let kept = right.frame();
    assert_eq!(failure.step, kept.step + 1);
    assert!(kept.positions.iter().chain(&kept.velocities).all(|x| x.is_finite()), "{kept:?}");
    assert_eq!(right.step().unwrap_err(), failure, "the simulation is where it was");
    assert_eq!(right.frame().positions, kept.positions);

    let outline_only = tags.split_once("/>").unwrap().1.replace("j=\"1\"", "j=\"0\"");
    let text =
        format!("<scene><simtype type=\"rigid-body\"/><duration time=\"1\"/>{EULER}{outline_only}</scene>");
    let reading = carom_scene::read(&text, &carom_scene::ReadOptions { course: true, strict: false });
    let mut course = Simulation::new(&reading.scene.unwrap(), Options::course(true)).unwrap();
    for _ in 0..100 {
        course.step().unwrap();
    }
    assert!(course.frame().positions.iter().any(|x| !x.is_finite()));
    assert_eq!(StepStatus::from_code(course.frame().diagnostics.status), StepStatus::NonFinite);
}

/// F = m a and τ = I α over one step, two pushes add up, and the step after feels none.
#[test]
fn a_push_lasts_one_step() {
    let bodies = "<rigidbodydisc x=\"0\" y=\"0\" radius=\"1\" m=\"4\"/>\
        <rigidbodydisc x=\"5\" y=\"0\" radius=\"1\" m=\"4\" fixed=\"1\"/>";
    let mut simulation = simulation(&format!("{EULER}{bodies}"));
    assert!(simulation.push(0, [3.0, -8.0, 9.0], [7.0, 7.0, 2.0]));
    assert!(simulation.push(0, [1.0, 0.0, 0.0], [0.0; 3]));
    assert!(simulation.push(1, [1.0, 1.0, 0.0], [1.0; 3]), "it is there, though it does not feel it");
    assert!(!simulation.push(2, [1.0, 1.0, 0.0], [1.0; 3]));
    for _ in 0..2 {
        let velocities = run(&mut simulation, 1).velocities;
        for (found, wanted) in velocities.iter().zip([0.01, -0.02, 0.01, 0.0, 0.0, 0.0]) {
            assert!((found - wanted).abs() < 1e-15, "{velocities:?}");
        }
    }
}

/// A cue ball into a rack, one pair that overlaps from the start, and a floor of ground to fall on.
fn heap(response: &str) -> Simulation {
    let mut tags = String::from("<rigidbodydisc x=\"-2\" y=\"0.05\" radius=\"0.5\" m=\"1\" vx=\"20\"/>");
    for (x, y) in
        [(0.0, 0.0), (0.9, 0.5), (0.9, -0.5), (1.8, 1.0), (1.8, 0.0), (1.8, -1.0), (5.0, 0.0), (5.5, 0.3)]
    {
        tags += &format!("<rigidbodydisc x=\"{x}\" y=\"{y}\" radius=\"0.5\" m=\"1\"/>");
    }
    tags += &format!("<rigidbodycollisionhandling detection=\"all-pairs\" {response}/>");
    simulation(&format!("{EULER}{tags}"))
}

/// With velocities first, a frame used to report the overlap of the frame before it; the first
/// frame reported none.
#[test]
fn a_frame_tells_the_overlap_of_its_own_positions() {
    for response in [
        "response=\"lcp\"",
        "response=\"velocity-projection\" mu=\"0.3\"",
        "response=\"velocity-projection\"",
        "response=\"gr-lcp\"",
        "response=\"gr-velocity-projection\"",
        "response=\"impulse\"",
        "response=\"penalty\" k=\"1000\"",
    ] {
        let mut simulation = heap(response);
        let mut deepest: f64 = 0.0;
        for step in 0..60 {
            let frame = simulation.frame();
            let place: Vec<_> = frame.positions.chunks_exact(3).collect();
            let mut wanted: f64 = 0.0;
            for (i, a) in place.iter().enumerate() {
                for b in &place[..i] {
                    wanted = wanted.max(1.0 - ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt());
                }
            }
            let reported = frame.quantities.deepest_penetration;
            assert!(
                (reported - wanted).abs() < 1e-12,
                "{response}, step {step}: reported {reported}, is {wanted}"
            );
            deepest = deepest.max(wanted);
            simulation.step().unwrap();
        }
        assert!(deepest > 0.1, "{response}: something overlapped");
    }
}

/// Contacts of a step that was undone used to stay in the frame, and the memory of the solver was
/// lost.
#[test]
fn a_step_that_is_undone_leaves_the_frame_as_it_was() {
    let tags = "<rigidbodydisc x=\"0\" y=\"0\" radius=\"0.5\" m=\"1\"/><rigidbodydisc x=\"1\" y=\"0\" radius=\"0.5\" m=\"1\" vx=\"-9\"/>\
        <rigidbodydisc x=\"9\" y=\"50\" radius=\"0.5\" m=\"1\" vx=\"0.001\"/>\
        <rigidbodyspringforce i=\"-1\" pix=\"-1\" piy=\"50\" j=\"2\" pjx=\"0\" pjy=\"0\" k=\"300000\" l0=\"0\"/>";
    for response in ["lcp", "gr-lcp", "impulse"] {
        let handling =
            format!("<rigidbodycollisionhandling detection=\"all-pairs\" response=\"{response}\"/>");
        let fresh = || simulation(&format!("{EULER}{tags}{handling}"));
        let mut simulation = fresh();
        let (mut kept, mut touched) = (simulation.frame(), 0);
        while simulation.step().is_ok() {
            kept = simulation.frame();
            touched += kept.contacts.len();
            assert!(simulation.step_count() < 1000, "{response}: the run must fail");
        }
        assert!(touched > 0 && (response != "lcp" || !kept.contacts.is_empty()), "{response}: they met");
        assert_eq!(simulation.frame(), kept, "{response}");
        let mut fresh = fresh();
        fresh.restore(&kept).unwrap();
        assert_eq!(fresh.frame(), kept, "{response}: a frame that was put back is the same frame");
    }
}

/// Two kinematic jaws close on a block: no velocity meets both. The block used to be shot out of
/// the press, at up to 1e15 m/s with friction and restitution; it turns, comes between corners, and
/// leaves a wedge as fast as that is narrow, but within twenty times the speed of a jaw, or a
/// hundred times where it bounces, and the steps say that contacts contradict each other.
/// Elastically each bounce between the closing jaws adds twice their speed, as it must; a step has
/// at most five hundred of them.
#[test]
fn jaws_that_close_on_a_block_are_reported_and_shoot_nothing_out() {
    let block = |first: usize, x: f64, y: f64| {
        let corners = [(-0.9, -0.9), (-0.9, 0.9), (0.9, 0.9), (0.9, -0.9)]
            .map(|(a, b)| format!("<rigidbodyvertex x=\"{}\" y=\"{}\" m=\"1\"/>", x + a, y + b))
            .concat();
        let points = (first..first + 4).map(|p| format!(" p=\"{p}\"")).collect::<String>();
        format!("{corners}<rigidbody{points} vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\"/>")
    };
    let jaws = "<rigidbodyuniformmotion body=\"0\" vx=\"1\"/><rigidbodyuniformmotion body=\"1\" vx=\"-1\"/>";
    let press = format!("{EULER}{}{}{}{jaws}", block(0, -3.0, 0.0), block(4, 3.0, 0.0), block(8, 0.0, 0.1));
    for response in ["lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection"] {
        let ways = [("COR=\"0\"", 20.0), ("mu=\"0.5\" COR=\"0.5\"", 100.0), ("COR=\"1\"", f64::INFINITY)];
        for (extra, most) in ways {
            let handling = format!(
                "<rigidbodycollisionhandling detection=\"all-pairs\" response=\"{response}\" {extra}/>"
            );
            let mut simulation = simulation(&format!("{press}{handling}"));
            let (mut reported, mut before) = (0, 0.0);
            for step in 0..300 {
                let frame = run(&mut simulation, 1);
                reported += u32::from(frame.diagnostics.status == StepStatus::Infeasible.code());
                let fastest = frame.velocities.iter().fold(0.0f64, |m, v| m.max(v.abs()));
                assert!(fastest < most, "{response} {extra}, step {step}: {fastest} m/s");
                assert!(fastest < 2.0 * before + 1000.0, "{response} {extra}, step {step}: {fastest} m/s");
                before = fastest;
            }
            // What bounces gets out.
            let least = if most.is_finite() { 10 } else { 0 };
            assert!(reported > least, "{response} {extra}: {reported} steps reported");
        }
    }
}
