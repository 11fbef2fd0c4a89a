//! Known scenes, and the pixels that they must have.

use crate::support;

use carom_render::color::Rgba;
use carom_render::display_list::{DisplayList, Item, Layer};
use carom_render::{Canvas, Extent, Options, Painter, Trails, View};
use carom_scene::Scene;
use carom_scene::description::{Color, Viewport};
use carom_trajectory::Frame;
use support::{first_frame, particle, particles, rigid_scene, scene, small_scene};

const WHITE: Rgba = Rgba::WHITE;
const RED: Rgba = Rgba::opaque(255, 0, 0);

fn draw(scene: &Scene, frame: &Frame, width: u32, height: u32) -> Canvas {
    let view = View::new(scene, &Extent::of_frame(scene, frame), width, height);
    let list = Painter::new(scene, view, Options::default()).paint(frame, &Trails::new(scene)).unwrap();
    Canvas::of(&list).unwrap()
}

/// Sum of coverages of a black shape on white.
fn covered(canvas: &Canvas) -> f64 {
    canvas.rgba().chunks_exact(4).map(|p| 1.0 - f64::from(p[0]) / 255.0).sum()
}

#[test]
fn a_particle_lies_where_the_viewport_puts_it() {
    let scene = small_scene();
    let canvas = draw(&scene, &first_frame(&scene), 200, 200);
    // One unit is 100 pixels; the centre of the plane is the centre of the picture.
    assert_eq!(canvas.pixel(100, 100), Some(RED));
    assert_eq!(canvas.pixel(100 - 22, 100), Some(RED));
    // A darker rim inside of the radius.
    assert_eq!(canvas.pixel(100 - 24, 100), Some(Rgba::opaque(153, 0, 0)));
    assert_eq!(canvas.pixel(100 - 27, 100), Some(WHITE));
    // The fixed one is up and to the right, in its own colour; y points up in the scene.
    assert_eq!(canvas.pixel(160, 40), Some(Rgba::opaque(120, 24, 24)));
    // Between them, on the edge.
    assert_eq!(canvas.pixel(140, 60), Some(Rgba::opaque(0, 99, 99)));
    // The floor begins at −0.5: row 150. Above it is white.
    assert_eq!(canvas.pixel(5, 145), Some(WHITE));
    assert_ne!(canvas.pixel(5, 151), Some(WHITE));
    assert_ne!(canvas.pixel(5, 195), Some(WHITE));
}

#[test]
fn a_disc_covers_its_area() {
    for radius in [0.05, 0.3, 0.5, 0.7, 1.0, 2.5, 7.0, 31.3] {
        for center in [[40.0, 40.0], [40.5, 40.5], [40.2, 39.7]] {
            let mut list = DisplayList::new(80, 80, WHITE, "disc");
            list.push(Layer::Bodies, Item::Disc { center, radius, color: Rgba::BLACK });
            let area = covered(&Canvas::of(&list).unwrap());
            let exact = std::f64::consts::PI * radius * radius;
            // Coverage by distance from the rim is a few tenths of a pixel off for the smallest
            // discs.
            let slack = 0.02 * exact + 0.45;
            assert!((area - exact).abs() < slack, "radius {radius} at {center:?}: {area} for {exact}");
        }
    }
}

#[test]
fn a_capsule_covers_its_area_whichever_way_it_lies() {
    for (dx, dy) in [(30.0, 0.0), (0.0, 30.0), (20.0, 20.0), (-17.0, 9.0), (3.0, -31.0), (0.0, 0.0)] {
        for radius in [0.6, 3.0, 8.5] {
            let start = [50.3, 50.8];
            let end = [start[0] + dx, start[1] + dy];
            let mut list = DisplayList::new(100, 100, WHITE, "capsule");
            list.push(Layer::Bodies, Item::Capsule { start, end, radius, color: Rgba::BLACK });
            let area = covered(&Canvas::of(&list).unwrap());
            let exact = std::f64::consts::PI * radius * radius + 2.0 * radius * libm::hypot(dx, dy);
            let slack = if radius < 1.0 { 0.08 * exact + 0.3 } else { 0.02 * exact + 0.3 };
            assert!((area - exact).abs() < slack, "({dx}, {dy}) radius {radius}: {area} for {exact}");
        }
    }
}

#[test]
fn shapes_outside_and_across_the_border_are_cut() {
    let mut list = DisplayList::new(20, 20, WHITE, "border");
    for center in [[-1e9, 5.0], [5.0, 1e300], [1e18, -1e18]] {
        list.push(Layer::Bodies, Item::Disc { center, radius: 3.0, color: Rgba::BLACK });
    }
    assert!(covered(&Canvas::of(&list).unwrap()) == 0.0);
    list.push(Layer::Bodies, Item::Disc { center: [0.0, 10.0], radius: 4.0, color: Rgba::BLACK });
    let half = 0.5 * std::f64::consts::PI * 16.0;
    assert!((covered(&Canvas::of(&list).unwrap()) - half).abs() < 1.0);
    let huge = Item::Capsule { start: [-1e12, 10.0], end: [1e12, 10.0], radius: 1e9, color: Rgba::BLACK };
    list.push(Layer::Bodies, huge);
    assert!((covered(&Canvas::of(&list).unwrap()) - 400.0).abs() < 1e-9);
}

#[test]
fn rigid_bodies_are_hollow_outlines_thick_by_their_radius() {
    let scene = rigid_scene();
    let mut frame = first_frame(&scene);
    let canvas = draw(&scene, &frame, 200, 200);
    let black = Some(Rgba::BLACK);
    assert_eq!(canvas.pixel(100, 150), black);
    assert_eq!(canvas.pixel(50, 100), black);
    assert_eq!(canvas.pixel(46, 100), black);
    assert_eq!(canvas.pixel(43, 100), Some(WHITE));
    // Inside: a tint, nearly white.
    let inside = canvas.pixel(75, 100).unwrap();
    assert!(inside.red > 215 && inside.red < 245, "{inside:?}");
    // The fixed bar is dark red.
    assert_eq!(canvas.pixel(100, 190), Some(Rgba::opaque(139, 0, 0)));
    // Turned by an eighth, its corner points to the right.
    frame.positions[2] = std::f64::consts::FRAC_PI_4;
    let turned = draw(&scene, &frame, 200, 200);
    assert_eq!(turned.pixel(170, 100), black);
    assert_ne!(turned.pixel(148, 55), black);
}

#[test]
fn a_disc_has_a_rim_a_spoke_and_a_fill() {
    use carom_scene::System;
    use carom_scene::description::rigid::{Shape, Weight};
    let mut scene = rigid_scene();
    let System::RigidBodies(system) = &mut scene.system else { panic!("rigid bodies were asked for") };
    system.bodies[0].shape = Shape::Disc { center: [0.0, 0.0], weight: Weight::Mass(1.0) };
    system.bodies[0].radius = 0.5;
    system.springs.clear();
    let mut frame = first_frame(&scene);
    let black = Some(Rgba::BLACK);
    let canvas = draw(&scene, &frame, 200, 200);
    assert_eq!(canvas.pixel(53, 100), black, "the rim, half a unit from the centre");
    assert_eq!(canvas.pixel(47, 100), Some(WHITE));
    assert_eq!(canvas.pixel(125, 100), black, "the spoke points along the body's first axis");
    let fill = canvas.pixel(75, 100).unwrap();
    assert!(fill.red > 80 && fill.red < 160, "{fill:?}");
    frame.positions[2] = std::f64::consts::FRAC_PI_2;
    let turned = draw(&scene, &frame, 200, 200);
    assert_eq!((turned.pixel(100, 75), turned.pixel(125, 100)), (black, Some(fill)));
}

#[test]
fn a_half_plane_of_rigid_bodies_is_ground_that_turns() {
    use carom_scene::System;
    use carom_scene::description::rigid::Body;
    let mut scene = rigid_scene();
    let System::RigidBodies(system) = &mut scene.system else { panic!("rigid bodies were asked for") };
    system.bodies[1] = Body::half_plane([0.0, -0.6], [0.0, 2.0]);
    system.springs.clear();
    let mut frame = first_frame(&scene);
    let canvas = draw(&scene, &frame, 200, 200);
    assert_eq!(canvas.pixel(20, 158), Some(WHITE), "above it");
    assert_eq!(canvas.pixel(20, 161), Some(Rgba::opaque(70, 78, 92)), "its boundary");
    let ground = canvas.pixel(20, 190).unwrap();
    assert!(ground.red > 215 && ground.red < 245, "{ground:?}");
    frame.positions[5] = std::f64::consts::FRAC_PI_2;
    let turned = draw(&scene, &frame, 200, 200);
    assert_eq!((turned.pixel(20, 190), turned.pixel(190, 20)), (Some(WHITE), Some(ground)));
}

#[test]
fn a_view_without_viewport_holds_everything() {
    let mut scene = scene(particles(vec![particle(100.0, 200.0, 1.0), particle(110.0, 205.0, 1.0)]));
    scene.general.viewport = None;
    let canvas = draw(&scene, &first_frame(&scene), 120, 60);
    for (x, y) in [(0, 0), (119, 0), (0, 59), (119, 59), (60, 1), (1, 30), (118, 30), (60, 58)] {
        assert_eq!(canvas.pixel(x, y), Some(WHITE), "the border at {x} {y} is free");
    }
    let radius = 60.0 * 0.88 / 7.0;
    let expected = 2.0 * std::f64::consts::PI * radius * radius;
    let drawn = canvas.rgba().chunks_exact(4).filter(|p| p[2] < 128).count() as f64;
    assert!((drawn - expected).abs() < 0.05 * expected, "{drawn} for {expected}");
}

#[test]
fn a_viewport_size_is_half_of_the_shorter_side() {
    let mut scene = scene(particles(vec![particle(3.0, 1.0, 0.2)]));
    scene.general.viewport = Some(Viewport { center: [1.0, 1.0], size: 2.0 });
    let list = |width, height| {
        let frame = first_frame(&scene);
        let view = View::new(&scene, &Extent::of_frame(&scene, &frame), width, height);
        view.place([3.0, 1.0])
    };
    assert_eq!(list(100, 100), [100.0, 50.0]);
    assert_eq!(list(200, 100), [150.0, 50.0]);
    assert_eq!(list(100, 200), [100.0, 100.0]);
}

#[test]
fn scenes_without_size_and_without_bodies_are_drawn() {
    for count in 0..2 {
        let mut scene = scene(particles(vec![particle(7.0, -3.0, 0.0); count]));
        scene.general.viewport = None;
        scene.general.background = Some(Color { red: 0.0, green: 0.0, blue: 1.0 });
        let canvas = draw(&scene, &first_frame(&scene), 50, 50);
        assert_eq!(canvas.pixel(3, 3), Some(Rgba::opaque(0, 0, 255)));
    }
}

#[test]
fn what_is_not_a_number_is_left_out_and_said() {
    let scene = small_scene();
    let mut frame = first_frame(&scene);
    frame.positions[0] = f64::NAN;
    frame.velocities[1] = f64::INFINITY;
    let view = View::new(&scene, &Extent::of_frame(&scene, &frame), 200, 200);
    let options =
        Options { velocities: true, contacts: true, energy: true, time: true, ..Options::default() };
    let list = Painter::new(&scene, view, options).paint(&frame, &Trails::new(&scene)).unwrap();
    let said = list.in_order().iter().any(|(_, item)| match item {
        Item::Text(text) => text.text.starts_with("1 body is not drawn"),
        _ => false,
    });
    assert!(said, "the picture says what is missing");
    let canvas = Canvas::of(&list).unwrap();
    assert_ne!(canvas.pixel(100, 100), Some(RED));
    assert_eq!(canvas.pixel(160, 47), Some(Rgba::opaque(120, 24, 24)));
}

#[test]
fn a_frame_of_another_scene_is_refused() {
    let scene = small_scene();
    let mut frame = first_frame(&scene);
    frame.positions.pop();
    let view = View::new(&scene, &Extent::of_frame(&scene, &frame), 20, 20);
    let error =
        Painter::new(&scene, view, Options::default()).paint(&frame, &Trails::new(&scene)).unwrap_err();
    assert!(error.to_string().contains("3 position numbers where the scene needs 4"), "{error}");
}

#[test]
fn a_picture_needs_pixels_and_not_too_many() {
    assert!(Canvas::new(0, 5).is_err());
    assert!(Canvas::new(5, 0).is_err());
    assert!(Canvas::new(40_000, 40_000).is_err());
    assert!(Canvas::new(1, 1).is_ok());
}

#[test]
fn far_bodies_do_not_shrink_the_rest() {
    let mut scene = scene(particles((0..100).map(|k| particle(0.01 * f64::from(k), 0.0, 0.02)).collect()));
    scene.general.viewport = None;
    let mut extent = Extent::default();
    let mut frame = first_frame(&scene);
    for step in 0..50 {
        frame.positions[0] = -1000.0 * f64::from(step);
        extent.include(&scene, &frame);
    }
    let view = View::new(&scene, &extent, 100, 100);
    assert!(view.scale(1.0) > 40.0, "{}", view.scale(1.0));
}

mod anything {
    use super::*;
    use carom_render::display_list::{Stroke, Text};
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![any::<f64>(), -50.0..50.0f64, Just(0.0), Just(f64::MAX), Just(f64::MIN), Just(1e-310)]
    }

    fn point() -> impl Strategy<Value = [f64; 2]> {
        [number(), number()]
    }

    fn item() -> impl Strategy<Value = Item> {
        let color = any::<[u8; 4]>().prop_map(|[red, green, blue, alpha]| Rgba { red, green, blue, alpha });
        let points = proptest::collection::vec(point(), 0..6);
        (0..6usize, points, [point(), point()], number(), color).prop_map(
            |(kind, points, ends, size, color)| {
                let [start, end] = ends;
                match kind {
                    0 => Item::Disc { center: start, radius: size, color },
                    1 => Item::Capsule { start, end, radius: size, color },
                    2 => Item::Polygon { points, color },
                    3 => Item::Polyline { points, stroke: Stroke { width: size, color, dash: Some(end) } },
                    4 => Item::Arrow { start, end, width: size, color },
                    _ => Item::Text(Text::new("any", start, size, color).with_halo(color)),
                }
            },
        )
    }

    proptest! {
        #[test]
        fn any_picture_is_drawn_without_a_panic(items in proptest::collection::vec(item(), 1..8)) {
            let mut list = DisplayList::new(24, 17, WHITE, "anything");
            for item in items {
                list.push(Layer::Bodies, item);
            }
            let canvas = Canvas::of(&list).unwrap();
            prop_assert!(canvas.rgba().chunks_exact(4).all(|pixel| pixel[3] == 255), "the picture stays opaque");
            prop_assert!(carom_render::svg::document(&list).ends_with("</svg>\n"));
        }

        #[test]
        fn any_frame_is_painted_without_a_panic(numbers in proptest::collection::vec(number(), 6), rigid: bool) {
            let mut scene = if rigid { rigid_scene() } else { small_scene() };
            scene.general.viewport = None;
            let mut frame = first_frame(&scene);
            for (slot, number) in frame.positions.iter_mut().zip(numbers) {
                *slot = number;
            }
            frame.velocities[0] = frame.positions[0];
            let options = Options { velocities: true, contacts: true, energy: true, time: true, ..Options::default() };
            let view = View::new(&scene, &Extent::of_frame(&scene, &frame), 24, 17);
            let list = Painter::new(&scene, view, options).paint(&frame, &Trails::new(&scene)).unwrap();
            prop_assert!(Canvas::of(&list).is_ok());
        }
    }
}
