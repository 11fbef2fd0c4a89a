//! Wrong steps seen from near, and pictures inside of pictures.

use carom_render::display_list::{DisplayList, Item, Layer};
use carom_render::picture::comparison::{Differences, WrongVelocity};
use carom_render::picture::focus::Focus;
use carom_render::{Canvas, Extent, Options, Painter, Rgba, View, svg};
use carom_scene::Scene;
use carom_trajectory::{Contact, ContactKind, Frame};

/// Two small balls that touch, in a wide scene.
const WIDE: &str = r#"<scene><duration time="1"/><integrator type="explicit-euler" dt="0.1"/>
  <particle m="1" px="0" py="0" vx="1" vy="0" fixed="0" radius="0.05"/>
  <particle m="1" px="0.1" py="0" vx="0" vy="0" fixed="0" radius="0.05"/>
  <particle m="1" px="20" py="8" vx="0" vy="0" fixed="0" radius="0.05"/>
  <edge i="0" j="2" radius="0.02"/>
  <halfplane px="0" py="-5" nx="0" ny="1"/></scene>"#;

fn read(text: &str) -> Scene {
    carom_scene::read(text, &carom_scene::ReadOptions::default()).scene.unwrap()
}

fn frame() -> Frame {
    let positions = vec![0.0, 0.0, 0.1, 0.0, 20.0, 8.0];
    Frame { positions, velocities: vec![0.0; 6], ..Frame::default() }
}

fn contact(first: u32, second: u32) -> Contact {
    Contact {
        kind: ContactKind::ParticleParticle,
        first,
        second,
        point: [f64::NAN; 3],
        normal: [0.1, 0.0, 0.0],
        gap: 0.0,
        time: 0.0,
        impulse: 0.0,
        friction: [0.0; 3],
    }
}

fn inset(list: &DisplayList, corner: [u32; 2]) -> Option<DisplayList> {
    let found = list.in_order().into_iter().find_map(|(_, item)| match item {
        Item::Inset { corner: at, list } if *at == corner => Some((**list).clone()),
        _ => None,
    });
    found
}

fn largest_disc(list: &DisplayList) -> f64 {
    let radius = |item: &Item| match item {
        Item::Disc { radius, .. } => *radius,
        _ => 0.0,
    };
    list.in_order().into_iter().map(|(_, item)| radius(item)).fold(0.0, f64::max)
}

/// The whole scene used to be drawn, in which the two balls were dots of three pixels.
#[test]
fn a_contact_that_is_wrong_fills_the_picture() {
    let (scene, frame) = (read(WIDE), frame());
    let view = View::new(&scene, &Extent::of_frame(&scene, &frame), 720, 400);
    let painter = Painter::new(&scene, view, Options { time: true, ..Options::default() });
    let velocity = |body, found| WrongVelocity { body, found, right: [1.0, 0.0, 0.0], spin: None };
    let wrong = [velocity(0, [0.5, 0.0, 0.0]), velocity(1, [f64::NAN, 0.0, 0.0])];
    let missed = [contact(0, 1)];
    let whole = painter.paint(&frame, &carom_render::Trails::new(&scene)).unwrap();
    assert!(largest_disc(&whole) < 5.0);
    for differences in [
        Differences { missed: &missed, velocities: &wrong, ..Differences::default() },
        Differences { velocities: &wrong, ..Differences::default() },
    ] {
        let picture = painter.paint_close_up(&frame, &differences).unwrap();
        let near = inset(&picture, [0, 0]).expect("it is seen from near");
        assert!(largest_disc(&near) > 80.0, "{}", largest_disc(&near));
        let words: Vec<&str> = picture
            .in_order()
            .into_iter()
            .filter_map(|(_, item)| if let Item::Text(text) = item { Some(text.text.as_str()) } else { None })
            .collect();
        assert!(words.contains(&"velocity of particle 0"), "{words:?}");
        let text = svg::document(&picture);
        assert_eq!(text.matches("<svg").count(), 3, "the scene and the close-up are pictures in the picture");
        Canvas::of(&picture).unwrap();
    }
    // what fills the picture anyway is not drawn twice
    let close = View::new(&scene, &Extent::default(), 720, 400);
    let painter = Painter::new(&scene, close, Options::default());
    let focus =
        Focus::of(&scene, &frame, &Differences { missed: &missed, ..Differences::default() }).unwrap();
    let painter_near = Painter::new(&scene, View::around(&focus, 720, 720), Options::default());
    assert!(painter.is_worth(&focus) && !painter_near.is_worth(&focus));
}

#[test]
fn nothing_wrong_and_nothing_finite_have_no_focus() {
    let (scene, mut frame) = (read(WIDE), frame());
    assert_eq!(Focus::of(&scene, &frame, &Differences::default()), None);
    let missed = [contact(0, 9)];
    let beyond = Differences { missed: &missed, ..Differences::default() };
    assert_eq!(Focus::of(&scene, &frame, &beyond), None, "a file may name what is not there");
    frame.positions[0] = f64::NAN;
    let missed = [contact(0, 1)];
    let differences = Differences { missed: &missed, ..Differences::default() };
    assert_eq!(Focus::of(&scene, &frame, &differences), None);
    let painter = Painter::new(&scene, View::new(&scene, &Extent::default(), 64, 64), Options::default());
    painter.paint_close_up(&frame, &differences).unwrap();
}

#[test]
fn an_inset_is_cut_at_its_own_border() {
    let mut inner = DisplayList::new(10, 10, Rgba::WHITE, "inner");
    inner.push(Layer::Bodies, Item::Disc { center: [5.0, 5.0], radius: 50.0, color: Rgba::BLACK });
    let mut list = DisplayList::new(20, 12, Rgba::WHITE, "outer");
    list.push(Layer::Bodies, Item::Inset { corner: [5, 5], list: Box::new(inner) });
    let canvas = Canvas::of(&list).unwrap();
    for (x, y, color) in
        [(4, 5, Rgba::WHITE), (5, 5, Rgba::BLACK), (14, 11, Rgba::BLACK), (15, 11, Rgba::WHITE)]
    {
        assert_eq!(canvas.pixel(x, y), Some(color), "{x} {y}");
    }
    assert!(svg::document(&list).contains(r#"x="5" y="5" overflow="hidden""#));
}
