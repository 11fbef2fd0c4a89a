//! An error of 1e-6 in any one number of a course file is found, with its frame.

use carom::grading::{self, Scope};
use carom::{Frame, Options, Simulation};
use carom_trajectory::course::{CourseLayout, CourseRecord, CourseRecords, CourseWriter};
use std::path::Path;

/// Two particles and an edge that meet, above a half-plane.
const SCENE: &str = r#"<scene>
  <duration time="0.06"/>
  <integrator type="explicit-euler" dt="0.01"/>
  <collision type="METHOD"/>
  <simplegravity fx="0.0" fy="-9.8"/>
  <particle m="1.0" px="0.0" py="0.11" vx="0.3" vy="-4.0" fixed="0" radius="0.05"/>
  <particle m="2.0" px="0.13" py="0.1" vx="-3.0" vy="-2.0" fixed="0" radius="0.05"/>
  <particle m="1.0" px="-0.3" py="0.03" vx="0.0" vy="1.0" fixed="0" radius="0.01"/>
  <particle m="1.0" px="0.3" py="0.05" vx="0.0" vy="1.0" fixed="0" radius="0.01"/>
  <edge i="2" j="3" radius="0.02"/>
  <halfplane px="0.0" py="-0.2" nx="0.1" ny="1.0"/>
</scene>"#;

/// The file that the course's program would write, polynomials included, and where in it each frame
/// begins.
fn file(method: &str) -> (carom::Scene, CourseLayout, Vec<u8>, Vec<usize>) {
    let text = SCENE.replace("METHOD", method);
    let reading = carom_scene::read(&text, &carom_scene::ReadOptions { course: true, strict: false });
    let scene = reading.scene.expect("the scene is good");
    let mut simulation = Simulation::new(&scene, Options::course(true)).unwrap();
    let records = grading::course_records(&scene).unwrap();
    let layout = CourseLayout::new(records, simulation.body_count() as u64, simulation.dt());
    let (mut bytes, mut starts) = (Vec::new(), Vec::new());
    simulation.log_polynomials(true);
    let mut all = Vec::new();
    for step in 0..=simulation.planned_steps() {
        let mut frame = Frame::default();
        if step > 0 {
            simulation.step().unwrap();
        }
        simulation.write_frame(&mut frame);
        if records == CourseRecords::Hybrid {
            frame.contacts.clear();
        }
        let polynomials =
            if step > 0 { simulation.polynomials().unwrap_or_default() } else { Default::default() };
        let early_contacts = if step > 0 { frame.contacts.clone() } else { Vec::new() };
        all.push(CourseRecord { frame, early_contacts, polynomials, ..CourseRecord::default() });
    }
    for count in 0..all.len() {
        let mut part = Vec::new();
        let mut writer = CourseWriter::new(&mut part, Path::new("part"), layout, &[], &[]).unwrap();
        all[..=count].iter().for_each(|record| writer.write_record(record).unwrap());
        drop(writer);
        starts.push(bytes.len());
        bytes = part;
    }
    (scene, layout, bytes, starts)
}

fn first_difference(scene: &carom::Scene, layout: CourseLayout, bytes: &[u8]) -> Option<u64> {
    let mut reference = carom_trajectory::open_bytes(bytes, Some(layout)).unwrap();
    let options = Options::course(true);
    let grade = grading::grade(scene, options, &mut reference, Scope::Whole, f64::INFINITY).unwrap();
    if grade.passes() {
        return None;
    }
    let collision = grade.grader.collisions.first.first().map(|c| c.frame);
    let number = grade.grader.first.as_ref().map(|d| d.frame);
    Some([collision, number].into_iter().flatten().min().unwrap_or(u64::MAX))
}

/// Where the numbers of a file are: what follows the integers that say how many there are. Left out
/// are coefficients that make up their polynomial alone: only its signs count, and another scale is
/// right.
fn numbers(layout: CourseLayout, bytes: &[u8]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut at = 0;
    let integer = |at: &mut usize| {
        *at += 4;
        u32::from_le_bytes(bytes[*at - 4..*at].try_into().unwrap()) as usize
    };
    while at < bytes.len() {
        let state = 4 * layout.bodies as usize;
        (0..state).for_each(|k| places.push(at + 8 * k));
        at += 8 * state;
        if layout.records == CourseRecords::Plain {
            continue;
        }
        for _ in 0..integer(&mut at) {
            (0..3).for_each(|k| places.push(at + 12 + 8 * k));
            at += 36;
        }
        if layout.records == CourseRecords::Simple {
            continue;
        }
        for _ in 0..integer(&mut at) {
            let length = integer(&mut at);
            let number = |k: usize| {
                let bytes = bytes[at + 8 * k..at + 8 * k + 8].try_into().unwrap();
                f64::from_le_bytes(bytes).abs()
            };
            let sum: f64 = (0..length).map(number).sum();
            let alone = |k: &usize| sum - number(*k) < 1e-2 * sum;
            (0..length).filter(|k| !alone(k)).for_each(|k| places.push(at + 8 * k));
            at += 8 * length;
        }
    }
    places
}

#[test]
fn an_error_in_any_number_is_found_with_its_frame() {
    for method in ["none", "simple", "continuous-time", "hybrid"] {
        let (scene, layout, bytes, starts) = file(method);
        assert_eq!(first_difference(&scene, layout, &bytes), None, "{method}: nothing is planted");
        let places = numbers(layout, &bytes);
        assert!(places.len() >= 7 * 16, "{method}: {} numbers", places.len());
        for &place in &places {
            let mut planted = bytes.clone();
            let number = f64::from_le_bytes(planted[place..place + 8].try_into().unwrap());
            // the time of a collision of `simple` is 0 and says nothing; polynomials may be large
            let off = number + 1e-6 * number.abs().max(1.0);
            planted[place..place + 8].copy_from_slice(&off.to_le_bytes());
            let frame = starts.partition_point(|start| *start <= place) as u64 - 1;
            let found = first_difference(&scene, layout, &planted);
            assert_eq!(found, Some(frame), "{method}: {number} at byte {place} of {}", bytes.len());
        }
    }
}
