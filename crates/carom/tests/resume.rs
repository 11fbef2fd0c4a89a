//! A frame is enough to go on: a fresh simulation that is put into a stored frame takes the same
//! steps, to the bit.

#![allow(clippy::print_stderr, reason = "a skipped test prints why")]

use carom::{Frame, Options, Scene, Simulation};
use carom_testkit::corpus::Corpus;
use carom_trajectory::RunHash;
use std::fs;
use std::path::Path;

/// Steps that are checked, and after how many of them the run is taken up from its frame.
const STEPS: u64 = 150;
const BREAKS: [u64; 3] = [1, 52, 111];

fn check(name: &str, scene: &Scene, options: Options) {
    let mut unbroken = Simulation::new(scene, options).unwrap();
    let steps = STEPS.min(unbroken.planned_steps());
    let mut taken_up: Vec<Simulation> = Vec::new();
    for step in 1..=steps {
        if unbroken.step().is_err() {
            return;
        }
        let frame = unbroken.frame();
        for simulation in &mut taken_up {
            simulation.step().unwrap();
            let taken_up = simulation.frame();
            let (expected, got) =
                (RunHash::default().with_frame(&frame), RunHash::default().with_frame(&taken_up));
            assert_eq!(expected, got, "{name}: a run that was taken up differs at step {step}");
            // as text, in which what is not a number is equal to itself
            let text = |frame: &Frame| format!("{:?}", frame.diagnostics);
            assert_eq!(text(&frame), text(&taken_up), "{name}: other diagnostics at step {step}");
        }
        if BREAKS.contains(&step) {
            let mut fresh = Simulation::new(scene, options).unwrap();
            fresh.restore(&frame).unwrap();
            taken_up.push(fresh);
        }
    }
}

#[test]
fn gallery_scenes_can_be_taken_up_anywhere() {
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "xml") {
            let scene = carom::read_scene(&fs::read_to_string(&path).unwrap()).unwrap();
            check(&path.display().to_string(), &scene, Options::default());
        }
    }
}

/// Half-planes, one of which a script moves.
#[test]
fn a_ball_and_a_box_between_half_planes_can_be_taken_up_anywhere() {
    for response in ["impulse", "lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection", "penalty"] {
        let own = match response {
            "penalty" => "k=\"9000\" thickness=\"0.01\"",
            _ => "COR=\"0.5\" mu=\"0.4\"",
        };
        let text = format!(
            r#"<scene><simtype type="rigid-body"/><duration time="2"/>
            <rigidbodyintegrator type="symplectic-euler" dt="0.01"/>
            <rigidbodycollisionhandling detection="all-pairs" response="{response}" {own}/>
            <rigidbodygravityforce fx="0" fy="-9.81"/>
            <rigidbodyhalfplane nx="0.1" ny="1"/><rigidbodyhalfplane x="3" nx="-1"/>
            <rigidbodydisc x="0" y="1" radius="0.3" m="1" vx="2"/>
            <rigidbodyvertex x="1" y="1" m="1"/><rigidbodyvertex x="1.5" y="1" m="1"/>
            <rigidbodyvertex x="1.5" y="1.5" m="1"/><rigidbodyvertex x="1" y="1.5" m="1"/>
            <rigidbody p="0" p="1" p="2" p="3" vx="0" vy="0" omega="1" r="0.05" solid="1" density="4"/>
            <rigidbodyuniformmotion body="1" vx="-0.5" vy="0" omega="0.1"/></scene>"#
        );
        let scene = carom::read_scene(&text).unwrap();
        check(response, &scene, Options::default());
        let mut simulation = Simulation::new(&scene, Options::default()).unwrap();
        for _ in 0..150 {
            simulation.step().unwrap();
        }
        let frame = simulation.frame();
        let (deepest, ball) = (frame.quantities.deepest_penetration, &frame.positions[6..8]);
        assert!(deepest < 0.05, "{response}: {deepest} deep");
        assert!(ball[1] > -0.2 && ball[0] < 3.0, "{response}: at {ball:?}");
    }
}

/// Large islands are warm-started from the step before: that memory has to be in the frame.
#[test]
fn a_heap_of_touching_balls_can_be_taken_up_anywhere() {
    let mut balls = String::new();
    for row in 0..9 {
        for column in 0..9 {
            let x = 0.2 * f64::from(column) + 0.1 * f64::from(row % 2);
            let y = 0.1 + 0.172 * f64::from(row);
            balls += &format!(
                "<particle m=\"1\" px=\"{x}\" py=\"{y}\" vx=\"0\" vy=\"{}\" fixed=\"0\" radius=\"0.1\"/>",
                -0.3 * x
            );
        }
    }
    for response in ["lcp", "velocity-projection"] {
        let text = format!(
            "<scene><duration time=\"2\"/><integrator type=\"symplectic-euler\" dt=\"0.01\"/>{balls}<simplegravity fx=\"0\" fy=\"-5\"/>\
             <halfplane px=\"0\" py=\"0\" nx=\"0\" ny=\"1\"/><collision type=\"{response}\" COR=\"0\"/></scene>"
        );
        let scene = carom::read_scene(&text).unwrap();
        let mut simulation = Simulation::new(&scene, Options::default()).unwrap();
        simulation.step().unwrap();
        simulation.step().unwrap();
        assert!(
            !simulation.frame().memory.is_empty(),
            "{response}: the heap must be large enough to be remembered"
        );
        check(response, &scene, Options::default());
    }
}

#[test]
fn course_scenes_can_be_taken_up_anywhere() {
    let Some(corpus) = Corpus::find() else {
        eprintln!("skipped: the conformance corpus is not here; set CAROM_CONFORMANCE to its folder");
        return;
    };
    for entry in &corpus.entries {
        for course in [false, true] {
            let reading = carom_scene::read(
                &corpus.scene_text(entry),
                &carom_scene::ReadOptions { course, strict: false },
            );
            check(&entry.name, &reading.scene.unwrap(), Options::course(course));
        }
    }
}
