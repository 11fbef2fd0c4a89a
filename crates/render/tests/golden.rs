//! Stored pictures. A drawn one may differ from its stored one by at most 3 of 255 in any channel
//! of a pixel, except in one pixel of a thousand: rims may round otherwise on another processor.
//!
//! `CAROM_BLESS=1 cargo test -p carom-render --test all golden` stores what is drawn now and says
//! what moved.

use crate::support;

use std::fs;
use std::path::PathBuf;

use carom_render::output::png;
use carom_render::picture::comparison::{Differences, Side};
use carom_render::plot::{Axis, Chart, Theme};
use carom_render::{Canvas, DisplayList, Extent, Options, Painter, Trails, View};
use carom_scene::System;
use carom_scene::description::Color;
use carom_scene::description::particles::ParticlePath;
use carom_trajectory::{Contact, ContactKind};
use support::{first_frame, rigid_scene, small_scene};

const CHANNEL: u8 = 3;
const PIXELS_OFF: f64 = 0.001;

#[allow(clippy::print_stderr, reason = "storing new pictures prints what moved")]
fn check(name: &str, list: &DisplayList) {
    let canvas = Canvas::of(list).unwrap();
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.png"));
    let drawn: Vec<u8> = canvas.rgba().chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
    let stored = fs::read(&path).ok().map(|bytes| {
        let mut reader = ::png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        ((info.width, info.height), pixels)
    });
    let same_size = stored.as_ref().is_some_and(|(size, _)| *size == (list.width, list.height));
    let off = match &stored {
        Some((_, pixels)) if same_size => {
            let pairs = drawn.chunks_exact(3).zip(pixels.chunks_exact(3));
            pairs.filter(|(a, b)| a.iter().zip(*b).any(|(p, q)| p.abs_diff(*q) > CHANNEL)).count()
        }
        _ => drawn.len() / 3,
    };
    if std::env::var_os("CAROM_BLESS").is_some() {
        if off > 0 {
            eprintln!("{name}: {off} pixels moved");
            png::write(&canvas, png::Effort::Small, fs::File::create(&path).unwrap()).unwrap();
        }
        assert!(fs::metadata(&path).unwrap().len() < 20_000, "{name} is too large to store");
        return;
    }
    let share = off as f64 / (drawn.len() / 3) as f64;
    assert!(share <= PIXELS_OFF, "{name}: {off} pixels differ from the stored picture");
}

#[test]
fn particles() {
    let mut scene = small_scene();
    let System::Particles(system) = &mut scene.system else { unreachable!("made of particles") };
    let color = Color { red: 0.1, green: 0.2, blue: 0.9 };
    system.appearance.paths.push(ParticlePath { index: 0, duration: 5.0, color });
    let mut trails = Trails::new(&scene);
    let mut frame = first_frame(&scene);
    for k in 0..50 {
        frame.time = 0.02 * f64::from(k);
        frame.positions[0] = -0.9 + 0.018 * f64::from(k);
        frame.positions[1] = 0.3 - 0.4 * libm::sin(3.0 * frame.time);
        trails.push(&scene, &frame);
    }
    frame.velocities[0] = 1.0;
    frame.quantities.kinetic = 12.5;
    let options = Options { velocities: true, energy: true, time: true, ..Options::default() };
    let view = View::new(&scene, &Extent::default(), 240, 160);
    check("particles", &Painter::new(&scene, view, options).paint(&frame, &trails).unwrap());
}

#[test]
fn rigid_bodies() {
    let scene = rigid_scene();
    let mut frame = first_frame(&scene);
    frame.positions[2] = 0.3;
    let view = View::new(&scene, &Extent::default(), 160, 160);
    check(
        "rigid_bodies",
        &Painter::new(&scene, view, Options::default()).paint(&frame, &Trails::new(&scene)).unwrap(),
    );
}

#[test]
fn solids() {
    let text = r#"<scene><simtype type="rigid-body-3d"/><duration time="1"/>
      <rigidbody3dintegrator type="symplectic-euler" dt="0.01"/><rigidbody3dgravityforce fz="-9.81"/>
      <rigidbody3dvertex x="0" y="0" z="0"/><rigidbody3dvertex x="1" y="0" z="0"/>
      <rigidbody3dvertex x="0" y="1" z="0"/><rigidbody3dvertex x="0" y="0" z="1"/>
      <rigidbody3dhalfspace nz="1"/>
      <rigidbody3dsphere radius="0.4" density="1"/>
      <rigidbody3dbox a="1" b="0.7" c="0.8" density="1"/>
      <rigidbody3dpolyhedron p="0" p="1" p="2" p="3" density="1"/>
      <rigidbody3dspringforce i="3" j="-1" pjx="0.2" pjy="0" pjz="2.6" k="20.0" l0="1.0"/></scene>"#;
    let scene = carom_scene::read(text, &carom_scene::ReadOptions::default()).scene.unwrap();
    // A ball and a turned box on the ground, and a tetrahedron on a spring above them.
    let turn = [libm::cos(0.2), 0.0, 0.0, libm::sin(0.2)];
    let poses = [([0.0; 3], [1.0, 0.0, 0.0, 0.0]), ([-0.7, -0.2, 0.4], turn), ([0.6, 0.2, 0.4], turn)];
    let poses = poses.into_iter().chain([([0.2, 0.0, 1.3], [0.8, 0.6, 0.0, 0.0])]);
    let positions = poses.flat_map(|(place, turn)| place.into_iter().chain(turn)).collect();
    let contact = Contact {
        kind: ContactKind::BodyBody,
        first: 0,
        second: 1,
        point: [-0.7, -0.2, 0.0],
        normal: [0.0, 0.0, 0.1],
        time: 0.0,
        impulse: 1.0,
        gap: 0.0,
        friction: [0.0; 3],
    };
    let frame = carom_trajectory::Frame {
        positions,
        velocities: vec![0.5; 24],
        contacts: vec![contact],
        ..carom_trajectory::Frame::default()
    };
    let options = Options { velocities: true, contacts: true, time: true, ..Options::default() };
    let view = View::new(&scene, &Extent::of_frame(&scene, &frame), 210, 170);
    check("solids", &Painter::new(&scene, view, options).paint(&frame, &Trails::new(&scene)).unwrap());
}

#[test]
fn differences() {
    let scene = small_scene();
    let frame = first_frame(&scene);
    let contact = |first: u32, normal: [f64; 3]| Contact {
        kind: ContactKind::ParticleHalfPlane,
        first,
        second: 0,
        point: [f64::NAN; 3],
        normal,
        time: 0.0,
        impulse: 0.0,
        gap: 0.0,
        friction: [0.0; 3],
    };
    let differences = Differences {
        missed: &[contact(1, [0.0, -1.0, 0.0])],
        superfluous: &[contact(1, [-0.5, 0.3, 0.0])],
        wrong_normals: &[(contact(0, [0.4, -0.4, 0.0]), contact(0, [0.0, -0.5, 0.0]))],
        velocities: &[],
        places: &[],
    };
    let view = View::new(&scene, &Extent::default(), 200, 200);
    let painter = Painter::new(&scene, view, Options::default());
    check(
        "differences",
        &painter.paint_differences(&frame, &Trails::new(&scene), &differences, Side::Both).unwrap(),
    );
}

#[test]
fn chart() {
    let mut chart = Chart::new("Energy", Axis::new("time", "s"), Axis::new("energy", "J"));
    let curve = |f: fn(f64) -> f64| (0..200).map(|k| 0.05 * f64::from(k)).map(|t| [t, f(t)]).collect();
    chart.add("kinetic", curve(|t| 2.0 + 2.0 * libm::cos(t)));
    chart.add("potential", curve(|t| 2.0 - 2.0 * libm::cos(t)));
    chart.add("total", curve(|_| 4.0));
    check("chart", &chart.picture(360, 240, &Theme::LIGHT));
}
