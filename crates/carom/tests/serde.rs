//! Scenes, frames and options through serde and back, to the bit.

use carom::{Frame, Options, Scene, Simulation, read_scene};

const SCENES: [&str; 3] = [
    r#"<scene><duration time="1"/><integrator type="rk4" dt="0.01"/><collision type="lcp" COR="0.3" mu="0.1"/>
       <particle m="0.1" px="0.3" py="0.1" vx="1" vy="-2" fixed="0" radius="0.1"/>
       <halfplane px="0" py="0" nx="0.1" ny="1"/><simplegravity fx="0" fy="-9.81"/>
       <timedforce i="0" fx="0.1" rate="3"/><particlesurface i="0" COR="0.7" ignores="4"/></scene>"#,
    r#"<scene><simtype type="rigid-body"/><duration time="1"/>
       <rigidbodyintegrator type="velocity-verlet" dt="0.01"/><rigidbodygravityforce fx="0" fy="-10"/>
       <rigidbodycollisionhandling detection="all-pairs" response="gr-lcp" mu="0.2"/>
       <rigidbodydisc x="0" y="1.01" radius="0.5" m="1" vy="-1"/><rigidbodydisc x="0.1" y="0" radius="0.5" m="1" fixed="1"/>
       <rigidbodydragforce b="0.1"/></scene>"#,
    r#"<scene><simtype type="rigid-body-3d"/><duration time="1"/>
       <rigidbody3dintegrator type="lie-midpoint" dt="0.01"/><rigidbody3dgravityforce fz="-10"/>
       <rigidbody3dcollisionhandling response="impulse" mu="0.2"/><rigidbody3dhalfspace nz="1"/>
       <rigidbody3dbox z="0.6" a="1" b="2" c="1" m="1" rx="0.3" omegay="2"/></scene>"#,
];

#[test]
fn a_scene_and_a_frame_come_back_and_go_on_to_the_same_bits() {
    for text in SCENES {
        let scene = read_scene(text).unwrap();
        let again: Scene = serde_json::from_str(&serde_json::to_string(&scene).unwrap()).unwrap();
        assert_eq!(again, scene);
        let mut simulation = Simulation::new(&scene, Options::default()).unwrap();
        (0..30).for_each(|_| simulation.step().unwrap());
        // Numbers that are not finite have no place in JSON; frames of such runs have none.
        let saved = serde_json::to_string(&simulation.frame()).unwrap();
        let frame: Frame = serde_json::from_str(&saved).unwrap();
        assert_eq!(frame, simulation.frame());
        let mut restored = Simulation::new(&again, Options::default()).unwrap();
        restored.restore(&frame).unwrap();
        for simulation in [&mut simulation, &mut restored] {
            (0..30).for_each(|_| simulation.step().unwrap());
        }
        assert_eq!(restored.frame(), simulation.frame());
    }
}

#[test]
fn options_come_back() {
    let text = serde_json::to_string(&Options::course(true)).unwrap();
    assert_eq!(text, r#"{"course":true}"#);
    assert_eq!(serde_json::from_str::<Options>(&text).unwrap(), Options::course(true));
}
