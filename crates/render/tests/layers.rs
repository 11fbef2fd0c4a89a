//! Islands and the broad phase, found again from frames.

use crate::support;

use carom_render::picture::broad_phase::boxes;
use carom_render::picture::islands::islands;
use carom_render::{Canvas, Extent, Options, Painter, Trails, View, color};
use carom_scene::description::particles::{Edge, HalfPlane, ParticleScene};
use carom_scene::{Scene, System};
use carom_trajectory::{Contact, ContactKind};
use support::{first_frame, particle, particles, rigid_scene, scene, small_scene, thousand};

fn touch(kind: ContactKind, first: u32, second: u32) -> Contact {
    Contact {
        kind,
        first,
        second,
        point: [f64::NAN; 3],
        normal: [0.0, 1.0, 0.0],
        gap: 0.0,
        time: 0.0,
        impulse: 1.0,
        friction: [0.0; 3],
    }
}

/// Seven particles in a row, the fourth of them fixed; an edge from the sixth to the seventh, and a
/// floor.
fn row() -> Scene {
    let mut system: ParticleScene = particles((0..7).map(|k| particle(f64::from(k), 0.0, 0.5)).collect());
    system.particles[3].fixed = true;
    system.edges.push(Edge { start: 5, end: 6, radius: 0.1 });
    system.half_planes.push(HalfPlane { point: [0.0, -0.5], normal: [0.0, 1.0], velocity: [0.0; 2] });
    scene(system)
}

#[test]
fn contacts_join_what_can_move_and_nothing_else() {
    let scene = row();
    let mut frame = first_frame(&scene);
    let of = |contacts: &[Contact], frame: &mut carom_trajectory::Frame| {
        frame.contacts = contacts.to_vec();
        islands(&scene, frame)
    };
    use ContactKind::{ParticleEdge, ParticleHalfPlane, ParticleParticle};
    assert_eq!(of(&[], &mut frame), [None; 7]);
    // A chain, found out of order; the fixed one in the middle keeps its two sides apart.
    let chain = [(1, 2), (4, 5), (0, 1), (2, 3), (3, 4)].map(|(a, b)| touch(ParticleParticle, a, b));
    assert_eq!(of(&chain, &mut frame), [Some(0), Some(0), Some(0), None, Some(4), Some(4), None]);
    // An edge brings both of its ends, a floor nobody.
    let others = [touch(ParticleEdge, 0, 0), touch(ParticleHalfPlane, 1, 0), touch(ParticleHalfPlane, 2, 0)];
    assert_eq!(of(&others, &mut frame), [Some(0), Some(1), Some(2), None, None, Some(0), Some(0)]);
    // A damaged file.
    assert_eq!(of(&[touch(ParticleEdge, 9, 9), touch(ParticleParticle, 70, 71)], &mut frame), [None; 7]);
}

#[test]
fn boxes_are_around_bodies_and_pairs_are_all_that_overlap() {
    let (mut scene, frame) = thousand(0.7);
    let System::Particles(system) = &mut scene.system else { unreachable!("made of particles") };
    system.particles.iter_mut().enumerate().for_each(|(k, p)| p.radius = 0.02 + 0.002 * (k % 13) as f64);
    let found = boxes(&scene, &frame);
    let System::Particles(system) = &scene.system else { unreachable!("made of particles") };
    assert_eq!(found.boxes.len(), 1000);
    let mut expected = Vec::new();
    for a in 0..1000 {
        for b in a + 1..1000 {
            let reach = system.particles[a].radius + system.particles[b].radius;
            let apart = |axis: usize| (frame.positions[2 * a + axis] - frame.positions[2 * b + axis]).abs();
            if apart(0) <= reach && apart(1) <= reach {
                expected.push((a, b));
            }
        }
    }
    assert!(expected.len() > 100, "the test has something to find: {}", expected.len());
    assert_eq!(found.pairs, expected);
}

#[test]
fn an_edge_and_its_own_ends_are_no_pair() {
    let scene = row();
    let mut frame = first_frame(&scene);
    // Neighbours touch at one point: their boxes do too. The edge lies over the last two.
    let pairs = boxes(&scene, &frame).pairs;
    assert_eq!(pairs, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]);
    frame.positions[0] = 5.5;
    frame.positions[1] = 1.0;
    let pairs = boxes(&scene, &frame).pairs;
    assert!(!pairs.contains(&(0, 7)), "{pairs:?}");
    frame.positions[1] = 0.55;
    let pairs = boxes(&scene, &frame).pairs;
    assert!(pairs.contains(&(0, 7)), "{pairs:?}");
}

#[test]
fn turned_bodies_have_boxes_around_their_corners() {
    let scene = rigid_scene();
    let mut frame = first_frame(&scene);
    frame.positions[2] = std::f64::consts::FRAC_PI_4;
    let found = boxes(&scene, &frame);
    let [low, high] = found.boxes[0];
    let half = 0.5 * 2.0_f64.sqrt() + 0.05;
    for (value, expected) in [(low[0], -half), (low[1], -half), (high[0], half), (high[1], half)] {
        assert!((value - expected).abs() < 1e-12, "{value} for {expected}");
    }
    assert!(found.pairs.is_empty());
}

#[test]
fn both_layers_are_seen_in_their_colours() {
    let scene = small_scene();
    let mut frame = first_frame(&scene);
    frame.contacts.push(touch(ContactKind::ParticleHalfPlane, 0, 0));
    let view = View::new(&scene, &Extent::default(), 200, 200);
    let draw = |options: Options| {
        let painter = Painter::new(&scene, view, options);
        Canvas::of(&painter.paint(&frame, &Trails::new(&scene)).unwrap()).unwrap()
    };
    let islands = draw(Options { islands: true, ..Options::default() });
    // The first particle: centre in the middle, radius 25 pixels, ring one pixel outside. The first
    // colour of islands is blue.
    assert_eq!(islands.pixel(126, 100), Some(color::SERIES[0]));
    let veiled = islands.pixel(110, 110).unwrap();
    assert!(veiled.blue > 40 && veiled.red > 100, "red under a blue veil: {veiled:?}");
    let boxes = draw(Options { broad_phase: true, ..Options::default() });
    let corner = boxes.pixel(75, 125).unwrap();
    assert!(corner.red < 230 && corner.green > corner.red, "the lower left corner of its box: {corner:?}");
    assert_eq!(boxes.pixel(80, 120), draw(Options::default()).pixel(80, 120), "nothing inside");
}
