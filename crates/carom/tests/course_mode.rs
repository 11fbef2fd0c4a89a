//! Differences between Carom and the course's program that show in a run, each both ways.

use carom::{Options, Simulation, StepStatus};
use carom_scene::{ReadOptions, Scene};

fn read(text: &str, course: bool) -> Option<Scene> {
    carom_scene::read(text, &ReadOptions { course, strict: false }).scene
}

fn simulation(text: &str, course: bool) -> Simulation {
    Simulation::new(&read(text, course).unwrap(), Options::course(course)).unwrap()
}

fn scene(integrator: &str, body: &str) -> String {
    format!("<scene><duration time=\"0.28\"/><integrator type=\"{integrator}\" dt=\"0.01\"/>{body}</scene>")
}

const TWO: &str = "<particle m=\"1\" px=\"-1\" py=\"0\" vx=\"0\" vy=\"0\" fixed=\"0\"/><particle m=\"1\" px=\"1\" py=\"0\" vx=\"0\" vy=\"0\" fixed=\"0\"/>";

#[test]
fn steps_are_counted_with_and_without_rounding() {
    let text = scene("explicit-euler", TWO);
    assert_eq!(simulation(&text, false).planned_steps(), 28);
    assert_eq!(simulation(&text, true).planned_steps(), 29);
}

#[test]
fn a_time_step_of_zero_is_refused_or_takes_no_step() {
    let text = scene("explicit-euler", TWO).replace("dt=\"0.01\"", "dt=\"0\"");
    assert!(read(&text, false).is_none());
    let mut course = simulation(&text, true);
    assert_eq!(course.planned_steps(), 0);
    assert!(course.step().is_err(), "a step that is asked for all the same does not happen");
    assert_eq!(course.step_count(), 0);
}

/// Both ends of a slack spring meet at the origin after exactly 32 steps of 1/32 s.
#[test]
fn a_spring_whose_ends_meet_pulls_nothing_or_gives_nan() {
    let text = "<scene><duration time=\"1\"/><integrator type=\"explicit-euler\" dt=\"0.03125\"/>\
        <particle m=\"1\" px=\"-1\" py=\"0\" vx=\"1\" vy=\"0\" fixed=\"0\"/><particle m=\"1\" px=\"1\" py=\"0\" vx=\"-1\" vy=\"0\" fixed=\"0\"/>\
        <edge i=\"0\" j=\"1\"/><springforce edge=\"0\" k=\"0\" l0=\"0.5\"/></scene>";
    let mut right = simulation(text, false);
    for _ in 0..32 {
        right.step().unwrap();
    }
    assert_eq!(right.frame().positions[0], 0.0);
    right.step().unwrap();
    assert!(right.frame().velocities.iter().all(|v| v.is_finite()));

    let mut course = simulation(text, true);
    for _ in 0..33 {
        course.step().unwrap();
    }
    assert!(course.frame().velocities[0].is_nan());
    assert_eq!(StepStatus::from_code(course.frame().diagnostics.status), StepStatus::NonFinite);
}

/// Explicit Euler on a spring that is far too stiff for its step: the numbers grow until they are
/// none.
#[test]
fn a_state_that_is_not_finite_ends_the_run_or_is_carried_on() {
    let body = format!("{TWO}<edge i=\"0\" j=\"1\"/><springforce edge=\"0\" k=\"1e300\" l0=\"1\"/>");
    let text = scene("explicit-euler", &body);
    let mut right = simulation(&text, false);
    let failure = (0..28).find_map(|_| right.step().err()).expect("the run must fail");
    assert_eq!(failure.status, StepStatus::NonFinite);
    assert!(failure.reason.contains("particle 0"), "{failure}");
    assert!(right.frame().positions.iter().all(|x| x.is_finite()), "the last good state is kept");
    let mut course = simulation(&text, true);
    for _ in 0..29 {
        course.step().unwrap();
    }
    assert!(course.frame().positions.iter().any(|x| !x.is_finite()));
}

#[test]
fn a_vortex_under_an_implicit_integrator_runs_or_is_refused() {
    let body = format!("{TWO}<vortexforce i=\"0\" j=\"1\" kbs=\"1\" kvc=\"1\"/>");
    for integrator in ["implicit-euler", "linearized-implicit-euler"] {
        let text = scene(integrator, &body);
        let mut right = simulation(&text, false);
        right.step().unwrap();
        assert!(right.frame().velocities.iter().any(|v| *v != 0.0), "the vortex moves its particles");
        let refused = Simulation::new(&read(&text, true).unwrap(), Options::course(true));
        assert!(refused.unwrap_err().to_string().contains("vortex"));
    }
}

/// Friction and moving half-planes are ours: the course's program does not know the attributes and
/// goes on without them.
#[test]
fn friction_and_moving_half_planes_act_or_are_ignored() {
    let slide = "<particle m=\"1\" px=\"0\" py=\"0.09\" vx=\"2\" vy=\"-1\" fixed=\"0\" radius=\"0.1\"/>\
        <halfplane px=\"0\" py=\"0\" nx=\"0\" ny=\"1\"/><collision type=\"simple\" COR=\"0\" mu=\"0.5\"/>";
    let after = |body: &str, course: bool| {
        let mut simulation = simulation(&scene("symplectic-euler", body), course);
        simulation.step().unwrap();
        simulation.frame().velocities
    };
    let (right, course) = (after(slide, false), after(slide, true));
    assert!((right[0] - 1.5).abs() < 1e-12, "μ Δv = 0.5 is taken from the sliding speed: {right:?}");
    assert_eq!(course[0], 2.0);

    let lift = "<particle m=\"1\" px=\"0\" py=\"0.09\" vx=\"0\" vy=\"0\" fixed=\"0\" radius=\"0.1\"/>\
        <halfplane px=\"0\" py=\"0\" nx=\"0\" ny=\"1\" vx=\"0\" vy=\"3\"/><collision type=\"simple\" COR=\"1\"/>";
    let (right, course) = (after(lift, false), after(lift, true));
    assert!(
        (right[1] - 6.0).abs() < 1e-12,
        "an elastic wall at speed 3 throws a resting ball at 6: {right:?}"
    );
    assert_eq!(course[1], 0.0);
}
