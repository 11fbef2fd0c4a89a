//! Solids with known geometry, and the pixels that they must have.

use std::sync::Arc;

use carom_render::color::Rgba;
use carom_render::display_list::{DisplayList, Item, Layer};
use carom_render::spatial::camera::Look;
use carom_render::spatial::{Camera, Form, Light, Mesh, Solid, Stage};
use carom_render::{Canvas, svg};
use glam::{DQuat, DVec3};

const GRAY: Rgba = Rgba::opaque(216, 216, 220);
const RED: Rgba = Rgba::opaque(200, 60, 50);

fn solid(form: Form, position: DVec3, color: Rgba) -> Solid {
    Solid { form, position, orientation: DQuat::IDENTITY, color }
}

fn ground() -> Solid {
    solid(Form::HalfSpace { normal: DVec3::Z }, DVec3::ZERO, GRAY)
}

fn cuboid(half: DVec3, position: DVec3) -> Solid {
    solid(Form::Mesh(Arc::new(Mesh::cuboid(half))), position, RED)
}

fn stage(camera: Camera, solids: Vec<Solid>) -> Stage {
    Stage {
        camera,
        light: Light::for_view(DVec3::Z, camera.forward()),
        background: Rgba::WHITE,
        solids,
        size: 4.0,
        center: DVec3::ZERO,
        edges: true,
    }
}

fn draw(stage: Stage) -> Canvas {
    let [width, height] = stage.camera.size();
    let mut list = DisplayList::new(width, height, stage.background, "solids");
    list.push(Layer::Bodies, Item::Stage(Box::new(stage)));
    Canvas::of(&list).unwrap()
}

/// Looks along +y from ten units away; 200 pixels a unit at unit depth.
fn straight() -> Camera {
    let eye = DVec3::new(0.0, -10.0, 0.0);
    Camera::new(Look { eye, target: DVec3::ZERO, up: DVec3::Z, field_of_view: 90.0 }, 400, 400)
}

/// Looks down from ten units above the ground.
fn above() -> Camera {
    let eye = DVec3::new(0.0, 0.0, 10.0);
    Camera::new(Look { eye, target: DVec3::ZERO, up: DVec3::Y, field_of_view: 90.0 }, 400, 400)
}

/// Share of the light, as light.rs states it: sun, sky, camera.
fn bytes_of(color: Rgba, light: f64) -> [f64; 3] {
    [color.red, color.green, color.blue].map(|byte| {
        let value = f64::from(byte) / 255.0;
        let linear = if value <= 0.04045 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) };
        let sent = (linear * 0.985 + 0.015) * light;
        255.0 * (1.055 * libm::pow(sent.min(1.0), 1.0 / 2.4) - 0.055)
    })
}

fn near(pixel: Option<Rgba>, [r, g, b]: [f64; 3]) -> bool {
    let pixel = pixel.unwrap();
    let off = |a: u8, b: f64| (f64::from(a) - b).abs();
    off(pixel.red, r).max(off(pixel.green, g)).max(off(pixel.blue, b)) <= 1.5
}

#[test]
fn the_front_of_a_box_covers_the_square_that_its_corners_span() {
    let stage = Stage { edges: false, ..stage(straight(), vec![cuboid(DVec3::ONE, DVec3::ZERO)]) };
    let canvas = draw(stage);
    // The front is at depth 9: 200 / 9 = 22.2 pixels to each side of the middle.
    for (x, y) in [(-21, -21), (21, -21), (21, 21), (-21, 21), (0, 0)] {
        let at = |k: i32| (200 + k) as u32;
        assert_ne!(canvas.pixel(at(x), at(y)), Some(Rgba::WHITE), "{x} {y}");
        let out = |k: i32| at(k + 3 * k.signum());
        if x != 0 {
            assert_eq!(canvas.pixel(out(x), at(y)), Some(Rgba::WHITE), "{x} {y}");
            assert_eq!(canvas.pixel(at(x), out(y)), Some(Rgba::WHITE), "{x} {y}");
        }
    }
    let inside = canvas.pixel(200, 200).unwrap();
    let whole = canvas.rgba().chunks_exact(4).filter(|p| p[0] == inside.red && p[1] == inside.green).count();
    assert_eq!(whole, 44 * 44, "pixels that lie in the square as a whole");
    let touched = canvas.rgba().chunks_exact(4).filter(|p| p[..3] != [255; 3]).count();
    assert_eq!(touched, 46 * 46, "pixels that it touches");
}

#[test]
fn a_sphere_covers_the_disc_of_its_tangents() {
    for radius in [0.1, 0.5, 2.0] {
        let ball = solid(Form::Sphere { radius }, DVec3::ZERO, Rgba::BLACK);
        let stage = Stage { edges: false, ..stage(straight(), vec![ball]) };
        let canvas = draw(stage);
        let mut area = 0.0;
        for pixel in canvas.rgba().chunks_exact(4) {
            // Black paint sends back at most 2 % of the light: what is missing to white was
            // covered.
            let light = libm::pow((f64::from(pixel[1]) / 255.0 + 0.055) / 1.055, 2.4);
            area += if pixel[1] < 50 { 1.0 } else { 1.0 - light };
        }
        let rim = 200.0 * radius / (100.0 - radius * radius).sqrt();
        let exact = std::f64::consts::PI * rim * rim;
        assert!((area - exact).abs() < 0.03 * exact, "radius {radius}: {area} for {exact}");
    }
}

#[test]
fn a_face_has_the_shade_that_the_light_gives_it() {
    let camera = above();
    let mut scene = stage(camera, vec![cuboid(DVec3::ONE, DVec3::new(0.0, 0.0, -1.0))]);
    scene.light.sun = DVec3::new(0.6, 0.0, 0.8);
    let canvas = draw(scene.clone());
    // Turned up and to the camera: the whole sky, and 0.8 of the sun.
    let lit = 0.62 * 0.8 + 0.40 + 0.06;
    assert!(near(canvas.pixel(200, 200), bytes_of(RED, lit)), "{:?}", canvas.pixel(200, 200));
    // The same under a large lid out of sight of the camera but not of the sun.
    let lid = cuboid(DVec3::new(3.0, 3.0, 0.1), DVec3::new(12.0 * 0.75, 0.0, 12.0));
    scene.solids.push(lid);
    let canvas = draw(scene);
    assert!(near(canvas.pixel(200, 200), bytes_of(RED, 0.46)), "{:?}", canvas.pixel(200, 200));
}

#[test]
fn a_box_in_the_air_throws_its_shadow_where_the_sun_says() {
    let camera = above();
    let mut scene =
        stage(camera, vec![ground(), cuboid(DVec3::new(0.5, 0.5, 0.1), DVec3::new(0.0, 0.0, 2.1))]);
    scene.light.sun = DVec3::new(-0.6, 0.0, 0.8);
    scene.size = 100.0;
    let canvas = draw(scene);
    // The lower face is at height 2 and its shadow 2 · 6/8 = 1.5 to the right: from 1 to 2; the
    // upper one adds 0.15 to the end.
    let pixel = |x: f64, y: f64| {
        let [a, b] = camera.project(DVec3::new(x, y, 0.0)).unwrap();
        canvas.pixel(a as u32, b as u32).unwrap()
    };
    let [lit, shade] = [0.62 * 0.8 + 0.46, 0.46].map(|light| bytes_of(GRAY, light)[0]);
    let brightness = |x: f64, y: f64| f64::from(pixel(x, y).red);
    // Rays to the camera are not quite square to the ground: its own light is a little weaker
    // there.
    for (x, y) in [(1.1, 0.2), (1.5, 0.4), (1.5, -0.4), (2.05, 0.2)] {
        assert!((brightness(x, y) - shade).abs() < 3.0, "{x} {y}: {} for {shade}", brightness(x, y));
    }
    for (x, y) in [(0.9, 0.2), (1.5, 0.6), (1.5, -0.6), (2.25, 0.2), (-1.5, 0.3)] {
        assert!((brightness(x, y) - lit).abs() < 3.0, "{x} {y}: {} for {lit}", brightness(x, y));
    }
}

#[test]
fn a_resting_box_touches_its_shadow_and_a_lifted_one_lets_light_under() {
    let eye = DVec3::new(0.0, -10.0, 3.0);
    let camera = Camera::new(Look { eye, target: DVec3::ZERO, up: DVec3::Z, field_of_view: 30.0 }, 400, 300);
    let shaded = |height: f64, x: f64| {
        let cube = cuboid(DVec3::splat(0.5), DVec3::new(0.0, 0.0, 0.5 + height));
        let mut scene = stage(camera, vec![ground(), cube]);
        scene.light.sun = DVec3::new(-0.6, 0.0, 0.8);
        scene.size = 100.0;
        // On the ground, just behind the plane of the front.
        let [column, row] = camera.project(DVec3::new(x, -0.49, 0.0)).unwrap();
        let pixel = draw(scene).pixel(column as u32, row as u32).unwrap();
        assert!(pixel.red.abs_diff(pixel.green) < 4, "the ground is grey: {pixel:?} at {x}");
        pixel.red < 180
    };
    // Two pixels from the side of a resting box the shadow is there already; before it there is
    // none.
    assert!(shaded(0.0, 0.54));
    assert!(shaded(0.0, 1.2));
    assert!(!shaded(0.0, -0.54));
    assert!(!shaded(0.0, 1.3));
    // Lifted by 0.8 the shadow moves 0.6 to the right, away from below the box.
    assert!(!shaded(0.8, -0.2));
    assert!(!shaded(0.8, 0.05));
    assert!(shaded(0.8, 0.15));
    assert!(shaded(0.8, 1.8));
    assert!(!shaded(0.8, 1.9));
}

#[test]
fn what_is_nearer_hides_what_is_farther_whatever_the_order() {
    let blue = Rgba::opaque(20, 40, 220);
    let ball = solid(Form::Sphere { radius: 0.5 }, DVec3::new(0.0, -3.0, 0.0), blue);
    let solids = vec![ball, cuboid(DVec3::ONE, DVec3::ZERO)];
    let forth = draw(stage(straight(), solids.clone()));
    let back = draw(stage(straight(), solids.into_iter().rev().collect()));
    assert_eq!(forth.rgba(), back.rgba());
    let pixel = forth.pixel(200, 200).unwrap();
    assert!(pixel.blue > pixel.red, "{pixel:?}");
    let beside = forth.pixel(219, 219).unwrap();
    assert!(beside.red > beside.blue, "{beside:?}");
}

#[test]
fn a_half_space_is_seen_from_its_front_only_and_ends_at_the_horizon() {
    let look = |z: f64| Look {
        eye: DVec3::new(0.0, -10.0, z),
        target: DVec3::new(0.0, 0.0, z),
        up: DVec3::Z,
        field_of_view: 90.0,
    };
    let canvas = draw(stage(Camera::new(look(2.0), 100, 100), vec![ground()]));
    assert!(canvas.pixel(50, 90).unwrap().red < 240, "the ground is below");
    assert_eq!(canvas.pixel(50, 10), Some(Rgba::WHITE), "the sky is above");
    let canvas = draw(stage(Camera::new(look(-2.0), 100, 100), vec![ground()]));
    assert!(canvas.rgba().chunks_exact(4).all(|p| p[..3] == [255; 3]), "seen from inside it is not there");
}

#[test]
fn what_cannot_be_drawn_is_left_out() {
    let nan = DVec3::splat(f64::NAN);
    let solids = vec![
        cuboid(DVec3::ONE, nan),
        solid(Form::Sphere { radius: f64::NAN }, DVec3::ZERO, RED),
        solid(Form::Sphere { radius: -1.0 }, DVec3::ZERO, RED),
        solid(Form::Sphere { radius: 1.0 }, DVec3::new(0.0, -20.0, 0.0), RED),
        // The camera is inside of these two.
        solid(Form::Sphere { radius: 3.0 }, DVec3::new(0.0, -10.0, 0.0), RED),
        cuboid(DVec3::splat(2.0), DVec3::new(0.0, -10.0, 0.0)),
        solid(Form::Mesh(Arc::new(Mesh::new(Vec::new(), &[]))), DVec3::ZERO, RED),
    ];
    let canvas = draw(stage(straight(), solids));
    assert!(canvas.rgba().chunks_exact(4).all(|p| p[..3] == [255; 3]));
}

#[test]
fn svg_holds_the_solids_as_an_image_and_marks_as_shapes() {
    let look =
        Look { eye: DVec3::new(3.0, -4.0, 3.0), target: DVec3::ZERO, up: DVec3::Z, field_of_view: 30.0 };
    let camera = Camera::new(look, 60, 40);
    let mut list = DisplayList::new(60, 40, Rgba::WHITE, "A box");
    list.push(Layer::Bodies, Item::Stage(Box::new(stage(camera, vec![cuboid(DVec3::ONE, DVec3::ZERO)]))));
    list.push(Layer::Marks, Item::Disc { center: [10.0, 10.0], radius: 2.0, color: RED });
    let text = svg::document(&list);
    assert!(text.contains("<image width=\"60\" height=\"40\" href=\"data:image/png;base64,iVBOR"), "{text}");
    assert!(text.find("<image").unwrap() < text.find("<circle").unwrap());
    let mut reader = quick_xml::Reader::from_str(&text);
    let mut elements = 0;
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Eof => break,
            quick_xml::events::Event::Start(_) | quick_xml::events::Event::Empty(_) => elements += 1,
            _ => {}
        }
    }
    assert!(elements >= 6, "{elements}");
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(200))]
    #[test]
    fn no_numbers_make_it_fail(
        numbers in proptest::collection::vec(proptest::prelude::any::<f64>(), 12),
        scale in 0.0..1.0e3_f64,
    ) {
        let [a, b, c] = [0, 3, 6].map(|k| DVec3::new(numbers[k], numbers[k + 1], numbers[k + 2]));
        let place = b.clamp(DVec3::splat(-scale), DVec3::splat(scale));
        let mut turned = cuboid(DVec3::splat(scale), place);
        turned.orientation = DQuat::from_xyzw(numbers[9], numbers[10], numbers[11], 1.0);
        let solids = vec![
            ground(),
            turned,
            cuboid(a, DVec3::ZERO),
            solid(Form::Sphere { radius: numbers[9] }, place, RED),
            solid(Form::Sphere { radius: scale }, c, RED),
            solid(Form::HalfSpace { normal: a }, b, RED),
        ];
        let look = Look { eye: a, target: place, up: c, field_of_view: numbers[10] };
        let points: Vec<(DVec3, f64)> = solids.iter().map(|s| (s.position, s.reach())).collect();
        for camera in [Camera::new(look, 16, 12), Camera::fitted(&points, c, 16, 12)] {
            draw(Stage { size: numbers[11], ..stage(camera, solids.clone()) });
        }
    }
}
