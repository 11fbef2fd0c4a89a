//! Files whose first bytes are laid out wrongly: what their programs do is reported.

use carom::grading::{self, what_begins_so};
use carom::{CourseLists, Options, Scene, Simulation};
use carom_trajectory::course::{CourseLayout, CourseWriter};
use std::path::Path;

const COURSE: Options = Options::course(true);
const BALLS: &str = r#"<scene>
  <duration time="0.1"/>
  <integrator type="symplectic-euler" dt="0.01"/>
  <collision type="METHOD"/>
  <simplegravity fx="0.0" fy="-9.8"/>
  <particle m="1.0" px="0.0" py="0.11" vx="0.3" vy="-4.0" fixed="0" radius="0.05"/>
  <particle m="2.0" px="0.73" py="0.1" vx="-3.0" vy="-2.0" fixed="0" radius="0.05"/>
  <particle m="1.0" px="-0.3" py="0.03" vx="0.0" vy="1.0" fixed="0" radius="0.01"/>
</scene>"#;
const RODS: &str = r#"<scene><simtype type="rigid-body"/><duration time="0.1"/>
  <rigidbodyintegrator type="symplectic-euler" dt="0.02"/>
  <rigidbodygravityforce fx="0" fy="-9.81"/>
  <rigidbodyvertex x="-3" y="-0.5" m="1"/><rigidbodyvertex x="3" y="-0.5" m="1"/>
  <rigidbodyvertex x="-0.5" y="1.4" m="1"/><rigidbodyvertex x="0.4" y="1.9" m="2"/>
  <rigidbody p="0" p="1" vx="0.2" vy="0" omega="0.1" r="0.1"/>
  <rigidbody p="2" p="3" vx="0.5" vy="-1" omega="0.7" r="0.1"/>
</scene>"#;

/// A scene, the layout of its files, and the right file.
fn right(text: &str) -> (Scene, CourseLayout, Vec<u8>) {
    let scene =
        carom_scene::read(text, &carom_scene::ReadOptions { course: true, strict: false }).scene.unwrap();
    let mut simulation = Simulation::new(&scene, COURSE).unwrap();
    let records = grading::course_records(&scene).unwrap();
    let layout = CourseLayout::new(records, simulation.body_count() as u64, simulation.dt());
    let (masses, inertias) = simulation.mass_properties();
    let mut lists = CourseLists::new(&scene);
    let mut bytes = Vec::new();
    let mut writer =
        CourseWriter::new(&mut bytes, Path::new("mine.bin"), layout, &masses, &inertias).unwrap();
    for step in 0..4 {
        if step > 0 {
            simulation.step().unwrap();
        }
        let frame = simulation.frame();
        let mut polynomials =
            |frame: &carom::Frame| lists.as_mut().map(|l| l.next(frame)).unwrap_or_default();
        writer.write_frame(&frame, &mut polynomials).unwrap();
    }
    drop(writer);
    (scene, layout, bytes)
}

fn balls(method: &str) -> (Scene, CourseLayout, Vec<u8>) {
    right(&BALLS.replace("METHOD", method))
}

fn numbers(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
}

fn bytes_of(numbers: impl IntoIterator<Item = f64>) -> Vec<u8> {
    numbers.into_iter().flat_map(f64::to_le_bytes).collect()
}

#[track_caller]
fn reported((scene, layout, _): &(Scene, CourseLayout, Vec<u8>), bytes: &[u8], words: &str) {
    let found = what_begins_so(scene, COURSE, *layout, bytes);
    assert!(found.is_some_and(|found| found.contains(words)), "{words}: {found:?}");
}

#[test]
fn right_files_begin_as_they_should() {
    for file in [balls("none"), balls("simple"), balls("continuous-time"), balls("hybrid"), right(RODS)] {
        assert_eq!(what_begins_so(&file.0, COURSE, file.1, &file.2), None);
        for length in 0..file.2.len().min(300) {
            // any part of it, and any shift, gives no more than an opinion
            what_begins_so(&file.0, COURSE, file.1, &file.2[..length]);
            what_begins_so(&file.0, COURSE, file.1, &file.2[length..]);
        }
        assert_eq!(what_begins_so(&file.0, COURSE, file.1, &[0; 1000]), None);
    }
}

#[test]
fn how_numbers_are_written_is_reported() {
    for file in [balls("none"), right(RODS)] {
        let all = numbers(&file.2);
        let singles: Vec<u8> = all.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect();
        reported(&file, &singles, "4 bytes");
        let reversed: Vec<u8> = all.iter().flat_map(|x| x.to_be_bytes()).collect();
        reported(&file, &reversed, "big-endian");
        let text: Vec<String> = all.iter().map(f64::to_string).collect();
        reported(&file, text.join(" ").as_bytes(), "text");
    }
}

#[test]
fn the_order_of_numbers_is_reported() {
    let file = balls("none");
    let frame = 12;
    reported(&file, &file.2[8 * frame..], "after one step");
    let all = numbers(&file.2);
    let swapped = all.chunks(frame).flat_map(|f| f[6..].iter().chain(&f[..6]).copied());
    reported(&file, &bytes_of(swapped), "changed places");
    let mixed = all
        .chunks(frame)
        .flat_map(|f| (0..3).flat_map(|k| [f[2 * k], f[2 * k + 1], f[6 + 2 * k], f[7 + 2 * k]]));
    reported(&file, &bytes_of(mixed), "particle by particle");
    let file = right(RODS);
    let start = numbers(&file.2)[..12].to_vec();
    let apart = [0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11].map(|k| start[k]);
    reported(&file, &bytes_of(apart), "all positions come before");
}

#[test]
fn lists_that_are_missing_are_reported() {
    let plain = balls("none").2;
    let simple = balls("simple");
    reported(&simple, &plain, "lists of collisions are missing");
    let none = balls("none");
    reported(&none, &simple.2, "lists of collisions: files of this scene have none");
    let swept = balls("continuous-time");
    reported(&swept, &plain, "collisions and of polynomials");
    reported(&swept, &simple.2, "lists of polynomials are missing");
}
