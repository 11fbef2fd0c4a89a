//! Going back and on, hands on bodies, other numbers on the way.

use super::*;

const NEVER: fn() -> bool = || false;

fn gallery(name: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    std::fs::read_to_string(folder.join(format!("{name}.xml"))).unwrap()
}

fn open(name: &str) -> Engine {
    Engine::open(&gallery(name), None, None).unwrap()
}

#[test]
fn going_back_and_on_again_gives_the_same_bits() {
    for name in ["break-discs", "pyramid", "net", "carom"] {
        let mut engine = open(name);
        engine.advance(60, &mut NEVER.clone());
        let there = engine.frame().clone();
        for detour in [0, 37, 59] {
            engine.seek(detour, &mut NEVER.clone());
            assert_eq!(engine.frame().step, detour);
            engine.seek(60, &mut NEVER.clone());
            assert_eq!(engine.frame(), &there, "{name} by way of {detour}");
        }
    }
}

#[test]
fn what_was_done_by_hand_is_done_again() {
    let mut engine = open("break-discs");
    engine.advance(10, &mut NEVER.clone());
    assert!(engine.push(Push { body: 6, velocity: [0.0, 3.0, 0.0], spin: [0.0, 0.0, 1.0] }));
    engine.advance(20, &mut NEVER.clone());
    assert!(engine.hold(Grip { body: 8, local: [0.1, 0.0, 0.0], target: [-1.0, 1.0, 0.0] }));
    engine.advance(45, &mut NEVER.clone());
    engine.release();
    engine.advance(60, &mut NEVER.clone());
    let there = engine.frame().clone();
    assert!(there.velocities[3 * 8].abs() > 0.1, "the hand moved it");
    for detour in [0, 10, 33, 50] {
        engine.seek(detour, &mut NEVER.clone());
        engine.seek(60, &mut NEVER.clone());
        assert_eq!(engine.frame(), &there, "by way of {detour}");
    }
    // A push in the past makes another future.
    engine.seek(30, &mut NEVER.clone());
    assert!(engine.push(Push { body: 6, velocity: [5.0, 0.0, 0.0], spin: [0.0; 3] }));
    engine.seek(60, &mut NEVER.clone());
    assert_ne!(engine.frame().positions, there.positions);
}

#[test]
fn a_body_is_placed_taken_back_and_placed_again_when_gone_back_to() {
    let mut engine = open("break-discs");
    engine.advance(7, &mut NEVER.clone());
    let before = engine.frame().clone();
    let place = Place { body: 6, position: Some([-1.2, 0.4, 0.0]), angle: Some(0.5), ..Place::default() };
    assert!(engine.place(Place { position: Some([3.0, 3.0, 0.0]), ..place }, false));
    assert!(engine.place(place, true), "the pointer went on");
    assert_eq!(engine.frame().positions[18..21], [-1.2, 0.4, 0.5]);
    assert!(engine.place(Place { body: 6, velocity: Some([0.0, 2.0, 0.0]), ..Place::default() }, false));
    assert!(engine.take_back());
    assert_eq!(engine.frame().positions[18..21], [-1.2, 0.4, 0.5]);
    assert_eq!(engine.frame().velocities, before.velocities);
    engine.advance(30, &mut NEVER.clone());
    let there = engine.frame().clone();
    engine.seek(0, &mut NEVER.clone());
    engine.seek(30, &mut NEVER.clone());
    assert_eq!(engine.frame(), &there);
    engine.seek(7, &mut NEVER.clone());
    assert!(engine.take_back() && !engine.take_back());
    assert_eq!(engine.frame().positions, before.positions);
    assert!(!engine.place(Place { body: 0, ..place }, false), "a cushion is fixed");
    assert!(!engine.place(Place { angle: Some(f64::NAN), ..place }, false));
}

#[test]
fn what_hands_did_is_repeated_in_another_run_to_the_bit() {
    let mut engine = open("break-discs");
    assert!(engine.place(Place { body: 6, position: Some([-1.2, 0.4, 0.0]), ..Place::default() }, false));
    engine.advance(10, &mut NEVER.clone());
    assert!(engine.hold(Grip { body: 8, local: [0.1, 0.0, 0.0], target: [-1.0, 1.0, 0.0] }));
    engine.advance(25, &mut NEVER.clone());
    engine.release();
    assert!(engine.push(Push { body: 4, velocity: [0.0, 3.0, 0.0], spin: [0.0, 0.0, 1.0] }));
    engine.advance(40, &mut NEVER.clone());
    let words = serde_json::to_string(&engine.touches()).unwrap();
    let touches: Vec<Touched> = serde_json::from_str(&words).unwrap();
    let mut other = open("break-discs");
    assert!(other.repeat(&touches));
    assert_eq!(other.frame().positions[18..20], [-1.2, 0.4], "what was done at the start is there");
    other.seek(40, &mut NEVER.clone());
    assert_eq!(other.frame(), engine.frame());
    assert!(!other.repeat(&touches), "the run has begun");
    let mut third = open("break-discs");
    let fixed = Touch::Push(Push { body: 0, velocity: [1.0; 3], spin: [0.0; 3] });
    assert!(!third.repeat(&[Touched { step: 1, touch: fixed }]), "a cushion is fixed");
    assert!(!third.repeat(&vec![touches[0]; MOST_TOUCHES + 1]), "too many");
    assert!(third.touches().is_empty());
}

#[test]
fn numbers_are_turned_while_the_bodies_move() {
    let text = gallery("break");
    let mut engine = Engine::open(&text, None, None).unwrap();
    engine.advance(100, &mut NEVER.clone());
    let before = engine.frame().clone();
    let other = text.replace("COR=\"0.96\"", "COR=\"0\"").replace("dt=\"0.002\"", "dt=\"0.001\"");
    assert_ne!(other, text);
    engine.retune(&other, None, None).unwrap();
    assert_eq!((engine.frame().step, engine.since()), (200, 200), "the same time in shorter steps");
    assert_eq!(engine.frame().time, before.time);
    assert_eq!(engine.frame().positions, before.positions);
    engine.seek(3, &mut NEVER.clone());
    assert_eq!(engine.frame().step, 200, "what was before is another run");
    engine.advance(400, &mut NEVER.clone());
    let there = engine.frame().clone();
    engine.seek(250, &mut NEVER.clone());
    engine.seek(400, &mut NEVER.clone());
    assert_eq!(engine.frame(), &there);
    assert!(engine.retune(&gallery("net"), None, None).is_err(), "other bodies");
    assert_eq!(engine.frame(), &there, "and nothing happened");
}

#[test]
fn a_held_body_comes_to_the_pointer_and_fixed_ones_stay() {
    let mut engine = open("break-discs");
    let target = [-1.0, 1.5, 0.0];
    assert!(engine.hold(Grip { body: 4, local: [0.0; 3], target }));
    engine.advance(1000, &mut NEVER.clone());
    let x = &engine.frame().positions[12..14];
    assert!((x[0] - target[0]).abs() < 0.05 && (x[1] - target[1]).abs() < 0.05, "{x:?}");
    assert!(!engine.hold(Grip { body: 0, local: [0.0; 3], target }), "a cushion is fixed");
    assert!(!engine.hold(Grip { body: 999, local: [0.0; 3], target }));
    assert!(!engine.push(Push { body: 4, velocity: [f64::NAN, 0.0, 0.0], spin: [0.0; 3] }));
}

#[test]
fn a_run_that_leaves_the_finite_numbers_stops_with_a_reason_and_can_be_gone_back_in() {
    let text = r#"<scene><duration time="1000"/><integrator type="explicit-euler" dt="10"/>
        <particle m="1" px="0" py="0" vx="0" vy="0" fixed="1"/><particle m="1e-3" px="2" py="0" vx="0" vy="1" fixed="0"/>
        <edge i="0" j="1"/><springforce edge="0" k="1e9" l0="1"/></scene>"#;
    let mut engine = Engine::open(text, None, None).unwrap();
    engine.advance(1000, &mut NEVER.clone());
    let failed_at = engine.frame().step;
    assert!(
        failed_at < 1000 && engine.failure().is_some_and(|f| f.contains("finite")),
        "{:?}",
        engine.failure()
    );
    engine.seek(1, &mut NEVER.clone());
    assert_eq!((engine.frame().step, engine.failure()), (1, None));
    engine.seek(1000, &mut NEVER.clone());
    assert_eq!(engine.frame().step, failed_at);
}

#[test]
fn time_bounds_an_advance() {
    let mut engine = open("net");
    let mut calls = 0;
    engine.advance(1000, &mut || {
        calls += 1;
        calls == 7
    });
    assert_eq!(engine.frame().step, 7);
}

#[test]
fn methods_are_chosen_by_name() {
    let engine = Engine::open(&gallery("break-discs"), Some("impulse"), Some("velocity-verlet")).unwrap();
    assert_eq!(
        (engine.scene().response_name(), engine.scene().integrator_name()),
        ("impulse", "velocity-verlet")
    );
    let refused = Engine::open(&gallery("break-discs"), Some("magic"), None).unwrap_err();
    assert!(matches!(refused, OpenError::Refused(text) if text.contains("gr-lcp")));
    assert!(matches!(Engine::open("<scene", None, None), Err(OpenError::Findings(_))));
}
