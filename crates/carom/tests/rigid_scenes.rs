//! What scenes of rigid bodies say arrives in the world, and what leaves the finite numbers ends a run.

use carom::{Frame, Options, Simulation, Status};

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
        ("response=\"impulse\" COR=\"0.3\" timeofcontact=\"1\"", 0.3),
    ] {
        let tag = format!("<rigidbodycollisionhandling detection=\"all-pairs\" {attributes}/>");
        let frame = run(&mut simulation(&format!("{EULER}{discs}{tag}")), 30);
        let wanted = [0.5 * (1.0 - restitution), 0.5 * (1.0 + restitution)];
        assert!((frame.velocities[0] - wanted[0]).abs() < 1e-12, "{attributes}: {:?}", frame.velocities);
        assert!((frame.velocities[3] - wanted[1]).abs() < 1e-12, "{attributes}: {:?}", frame.velocities);
    }
}

/// A penalty of stiffness k between equal masses lets them part as fast as they met, up to the order of the method.
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
fn scripted_bodies_go_from_key_to_key() {
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

/// A spring that is far too stiff for its step: the numbers grow until they are none.
#[test]
fn a_body_that_leaves_the_finite_numbers_ends_the_run_or_is_carried_on() {
    let tags = "<rigidbodydisc x=\"5\" y=\"5\" radius=\"0.5\" m=\"1\"/>\
        <rigidbodyvertex x=\"0\" y=\"0\" m=\"1\"/><rigidbodyvertex x=\"1\" y=\"0\" m=\"1\"/>\
        <rigidbody p=\"0\" p=\"1\" vx=\"0\" vy=\"0\" omega=\"0\" r=\"0.1\"/>\
        <rigidbodyspringforce i=\"-1\" pix=\"0\" piy=\"3\" j=\"1\" pjx=\"0\" pjy=\"0\" k=\"1e300\" l0=\"0\"/>";
    let mut right = simulation(&format!("{EULER}{tags}"));
    let failure = (0..100).find_map(|_| right.step().err()).expect("the run must fail");
    assert_eq!(failure.status, Status::NonFinite);
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
    let mut course = Simulation::new(&reading.scene.unwrap(), Options { course: true }).unwrap();
    for _ in 0..100 {
        course.step().unwrap();
    }
    assert!(course.frame().positions.iter().any(|x| !x.is_finite()));
    assert_eq!(Status::from_code(course.frame().diagnostics.status), Status::NonFinite);
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
