//! 3D scenes: what is drawn of them, and where.

use std::convert::Infallible;
use std::sync::atomic::AtomicBool;

use carom_render::display_list::{Item, Layer};
use carom_render::movie::{Job, Target, record};
use carom_render::picture::islands::islands;
use carom_render::spatial::{Form, Solid};
use carom_render::{Canvas, DisplayList, Extent, Options, Painter, Rgba, Timing, Trails, View};
use carom_scene::{ReadOptions, Scene, read};
use carom_trajectory::{Contact, ContactKind, Frame};
use glam::DVec3;

/// A floor, a ball, a fixed box and a free tetrahedron whose corner, not its middle, is the origin
/// of its coordinates; a spring.
const TEXT: &str = r#"<scene>
  <simtype type="rigid-body-3d"/>
  <duration time="1"/>
  <rigidbody3dintegrator type="symplectic-euler" dt="0.01"/>
  <rigidbody3dgravityforce fx="0" fy="0" fz="-9.81"/>
  <rigidbody3dvertex x="0" y="0" z="0"/><rigidbody3dvertex x="1" y="0" z="0"/>
  <rigidbody3dvertex x="0" y="1" z="0"/><rigidbody3dvertex x="0" y="0" z="1"/>
  <rigidbody3dhalfspace nz="1"/>
  <rigidbody3dsphere radius="0.5" x="0" y="0" z="0.5" density="1"/>
  <rigidbody3dbox a="1" b="2" c="0.4" x="2" y="0" z="0.2" fixed="1" density="1"/>
  <rigidbody3dpolyhedron p="0" p="1" p="2" p="3" x="-2" y="0" z="1" density="1"/>
  <rigidbody3dcolor body="1" r="0.8" g="0.1" b="0.1"/>
</scene>"#;

fn scene() -> Scene {
    let reading = read(TEXT, &ReadOptions::default());
    reading.scene.unwrap_or_else(|| panic!("the scene has no errors: {:?}", reading.problems))
}

/// Centres of mass as the scene has them at the start; nothing is turned.
fn frame() -> Frame {
    let places = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.5], [2.0, 0.0, 0.2], [-1.75, 0.25, 1.25]];
    let positions = places.into_iter().flat_map(|[x, y, z]| [x, y, z, 1.0, 0.0, 0.0, 0.0]).collect();
    Frame { positions, velocities: vec![0.0; 24], ..Frame::default() }
}

fn paint(scene: &Scene, frame: &Frame, options: Options) -> (DisplayList, View) {
    let view = View::new(scene, &Extent::of_frame(scene, frame), 320, 240);
    (Painter::new(scene, view, options).paint(frame, &Trails::new(scene)).unwrap(), view)
}

fn solids(list: &DisplayList) -> Vec<Solid> {
    list.in_order()
        .into_iter()
        .find_map(|(_, item)| match item {
            Item::Stage(stage) => Some(stage.solids.clone()),
            _ => None,
        })
        .expect("there is a stage")
}

#[test]
fn every_shape_stands_where_its_frame_puts_it() {
    let scene = scene();
    let (list, _) = paint(&scene, &frame(), Options::default());
    assert_eq!(list.left_out, 0);
    let solids = solids(&list);
    assert_eq!(solids.len(), 4);
    assert_eq!(solids[0].form, Form::HalfSpace { normal: DVec3::Z });
    assert_eq!(solids[1].form, Form::Sphere { radius: 0.5 });
    assert_eq!(solids[1].color, Rgba::opaque(204, 26, 26));
    // The corners of the tetrahedron, about its centre of mass, come out where the scene has them.
    let Form::Mesh(mesh) = &solids[3].form else { panic!("a polyhedron has faces") };
    let mut corners: Vec<[i64; 3]> = mesh
        .corners()
        .iter()
        .map(|corner| (solids[3].position + *corner).to_array().map(|c| (1e6 * c).round() as i64))
        .collect();
    corners.sort_unstable();
    let million = 1_000_000;
    let expected = [[-2, 0, 1], [-2, 0, 2], [-2, 1, 1], [-1, 0, 1]].map(|corner| corner.map(|c| c * million));
    assert_eq!(corners, expected);
    assert_eq!(mesh.faces().len(), 4);
}

#[test]
fn the_fitted_camera_sees_every_corner_and_gravity_points_down() {
    let scene = scene();
    let mut frames = vec![frame(), frame()];
    // The ball flies up.
    frames[1].positions[9] = 4.0;
    let extent = Extent::of_frames(&scene, &frames);
    let view = View::new(&scene, &extent, 320, 240);
    for corner in [[2.5, 1.0, 0.4], [2.5, -1.0, 0.0], [1.5, -1.0, 0.0], [0.0, 0.0, 4.5], [-2.0, 0.0, 2.0]] {
        let [x, y] = view.spot(corner);
        assert!((0.0..320.0).contains(&x) && (0.0..240.0).contains(&y), "{corner:?} lands at {x} {y}");
    }
    let [low, high] = [view.spot([0.0, 0.0, 0.0]), view.spot([0.0, 0.0, 1.0])];
    // Upright lines away from the middle lean a little, as in any picture from above.
    assert!((low[0] - high[0]).abs() < 2.0 && high[1] < low[1] - 10.0, "{low:?} {high:?}");
    let shape = extent.size().unwrap();
    assert!(shape[0] > 0.0 && shape[1] > 0.0, "{shape:?}");
}

#[test]
fn a_camera_can_be_given_by_the_scene_and_by_the_caller() {
    let text = TEXT.replace("</scene>", r#"<rigidbody3dcamera x="0" y="-10" z="0" fov="90"/></scene>"#);
    let scene = read(&text, &ReadOptions::default()).scene.unwrap();
    let view = View::new(&scene, &Extent::of_frame(&scene, &frame()), 200, 200);
    // Ten pixels a unit at the target, twenty half-way.
    let near = |a: [f64; 2], b: [f64; 2]| {
        assert!((a[0] - b[0]).abs() < 1e-9 && (a[1] - b[1]).abs() < 1e-9, "{a:?} for {b:?}")
    };
    near(view.spot([2.0, 0.0, 1.0]), [120.0, 90.0]);
    near(view.spot([2.0, -5.0, 1.0]), [140.0, 80.0]);
    let view = view.seen_from([10.0, 0.0, 0.0], [0.0, 0.0, 0.0], 90.0);
    near(view.spot([0.0, 2.0, 1.0]), [120.0, 90.0]);
}

#[test]
fn bodies_without_numbers_are_counted_and_nothing_fails() {
    let scene = scene();
    let mut frame = frame();
    frame.positions[7] = f64::NAN;
    frame.positions[24..28].fill(0.0);
    let (list, _) = paint(&scene, &frame, Options::default());
    assert_eq!(list.left_out, 2, "one without a place, one without a turn");
    assert_eq!(solids(&list).len(), 2);
    frame.positions.fill(f64::NAN);
    let (list, _) = paint(&scene, &frame, Options { velocities: true, ..Options::default() });
    assert_eq!(list.left_out, 4);
    Canvas::of(&list).unwrap();
}

#[test]
fn marks_lie_where_the_camera_sees_them() {
    let scene = scene();
    let mut frame = frame();
    let contact = Contact {
        kind: ContactKind::BodyBody,
        first: 0,
        second: 1,
        point: [0.0, 0.0, 0.0],
        normal: [0.0, 0.0, 0.1],
        time: 0.0,
        impulse: 2.0,
        gap: 0.0,
        friction: [0.0; 3],
    };
    frame.contacts.push(contact);
    frame.velocities[6] = 3.0;
    let options =
        Options { contacts: true, velocities: true, broad_phase: true, islands: true, ..Options::default() };
    let (list, view) = paint(&scene, &frame, options);
    let arrows: Vec<([f64; 2], [f64; 2])> = list
        .in_order()
        .into_iter()
        .filter_map(|(layer, item)| match item {
            Item::Arrow { start, end, .. } if layer == Layer::Marks => Some((*start, *end)),
            _ => None,
        })
        .collect();
    assert_eq!(arrows.len(), 2);
    assert!(arrows.iter().any(|(start, _)| *start == view.spot([0.0, 0.0, 0.5])), "the moving ball");
    let (start, end) = arrows.iter().find(|(start, _)| *start == view.spot([0.0; 3])).unwrap();
    // Forty pixels long when seen square; up in the picture and a little shorter when seen from
    // above.
    assert!(end[1] < start[1] - 30.0 && end[1] > start[1] - 40.0, "{start:?} {end:?}");
    assert_eq!(islands(&scene, &frame), [None, Some(1), None, None]);
    let words: Vec<&str> = list
        .in_order()
        .into_iter()
        .filter_map(|(_, item)| match item {
            Item::Text(text) => Some(text.text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(words, ["1 island", "3 boxes, 0 pairs"]);
}

#[test]
fn a_gif_of_shaded_solids_keeps_their_colours() {
    let scene = scene();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solids.gif");
    let view = View::new(&scene, &Extent::of_frame(&scene, &frame()), 160, 120);
    let painter = Painter::new(&scene, view, Options::default());
    let cancel = AtomicBool::new(false);
    let timing = Timing::every_frame(10.0);
    let job =
        Job { painter: &painter, timing, target: Target::Gif(path.clone()), threads: 1, cancel: &cancel };
    record(&job, [Ok::<Frame, Infallible>(frame())], |_| {}).unwrap();
    let drawn = Canvas::of(&painter.paint(&frame(), &Trails::new(&scene)).unwrap()).unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(std::fs::File::open(&path).unwrap()).unwrap();
    let stored = decoder.read_next_frame().unwrap().unwrap().buffer.to_vec();
    let (mut worst, mut sum) = (0, 0_u64);
    for (a, b) in stored.chunks_exact(4).zip(drawn.rgba().chunks_exact(4)) {
        let off = (0..3).map(|k| a[k].abs_diff(b[k])).max().unwrap();
        worst = worst.max(off);
        sum += u64::from(off);
    }
    let mean = sum as f64 / (160.0 * 120.0);
    assert!(mean < 3.0 && worst < 60, "off by {mean} in the mean and {worst} at most");
}
