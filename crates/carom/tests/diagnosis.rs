//! Errors that students make, planted in programs of their own, are named; right files are left
//! alone.

use crate::students;

use carom::grading::suspects::Suspect;
use carom::grading::{self, Grade, Scope};
use carom::{CourseLists, Options, Scene, Simulation};
use carom_trajectory::course::{CourseLayout, CourseWriter};
use std::path::Path;
use students::{BODY_BUGS, Bug, PARTICLE_BUGS, PENALTY_BUGS, bodies, particles};

const COURSE: Options = Options::course(true);

fn read(text: &str) -> Scene {
    let reading = carom_scene::read(text, &carom_scene::ReadOptions { course: true, strict: false });
    reading
        .scene
        .unwrap_or_else(|| panic!("{}", carom_scene::render(&reading.problems, "scene", text, false)))
}

/// Grades what a student's program makes of a scene.
fn grade(scene: &Scene, bug: Option<Bug>) -> Grade {
    let steps = Simulation::new(scene, COURSE).unwrap().planned_steps() as usize;
    let (bytes, layout) = match &scene.system {
        carom_scene::System::Particles(system) => particles::Student::file(system, steps, bug),
        carom_scene::System::RigidBodies(system) => bodies::Student::file(system, steps, bug),
        carom_scene::System::SpatialBodies(_) => panic!("no student has spatial bodies"),
    };
    let mut file = carom_trajectory::open_bytes(&bytes, Some(layout)).unwrap();
    grading::grade(scene, COURSE, &mut file, Scope::Whole, f64::INFINITY).unwrap()
}

fn examine(scenes: &[(&str, Scene)], bugs: &[(Bug, Suspect)]) {
    for (name, scene) in scenes {
        let right = grade(scene, None);
        assert!(right.passes(), "{name}: the right program is called wrong: {:?}", right.grader.first);
        assert!(grading::explain(scene, COURSE, &right).is_none(), "{name}: a right file is explained");
    }
    let mut missing = Vec::new();
    for &(bug, suspect) in bugs {
        let mut named = 0;
        let mut reported = Vec::new();
        for (name, scene) in scenes {
            let grade = grade(scene, Some(bug));
            if grade.passes() {
                continue;
            }
            let explanation = grading::explain(scene, COURSE, &grade).expect("a wrong file is explained");
            let found: Vec<_> = explanation.diagnoses.iter().map(|d| d.suspect).collect();
            named += usize::from(found.first() == Some(&suspect));
            let honest = found.is_empty() || found.contains(&suspect);
            assert!(honest, "{bug:?} in {name} is called {found:?}");
            reported.push(format!("{name} step {}: {found:?}", explanation.step));
        }
        if named < 2 {
            missing.push(format!("{bug:?} named in {named} scenes: {}", reported.join("; ")));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn errors_of_particle_programs_are_named() {
    assert!(PARTICLE_BUGS.len() >= 15);
    let scenes = students::PARTICLE_SCENES.map(|(name, text)| (name, read(text)));
    examine(&scenes, PARTICLE_BUGS);
}

/// The penalty force used to be suspected as a whole only: a forgotten clamp of α in it had no
/// name.
#[test]
fn errors_in_the_penalty_force_are_named() {
    let penalty = "type=\"penalty\" k=\"300\" thickness=\"0.03\" was=\"";
    let scenes = students::PARTICLE_SCENES
        .map(|(name, text)| (name, read(&text.replace("type=\"simple\" COR=\"", penalty))));
    examine(&scenes, PENALTY_BUGS);
}

#[test]
fn errors_of_rigid_body_programs_are_named() {
    let scenes = students::BODY_SCENES.map(|(name, text)| (name, read(text)));
    examine(&scenes, BODY_BUGS);
}

/// Who lists a collision has found it, and who misses it has not answered it wrongly. Both used to
/// be suspected of everything that leaves velocities as they are.
#[test]
fn the_list_of_collisions_speaks_for_and_against() {
    for (name, text) in students::PARTICLE_SCENES {
        // with COR = 1 the wrong sign of COR is no impulse at all, too
        let scene = read(&text.replace("type=\"simple\" COR=\"0.", "type=\"simple\" COR=\"1\" was=\"0."));
        let named = |bug| {
            let explanation = grading::explain(&scene, COURSE, &grade(&scene, Some(bug)));
            let diagnoses = explanation.map(|e| e.diagnoses).unwrap_or_default();
            diagnoses.iter().map(|d| d.suspect).collect::<Vec<_>>()
        };
        let listed = named(Bug::ListedNotAnswered);
        let finding = [Suspect::RadiusLeftOut, Suspect::KindLeftOut, Suspect::NormalSign];
        assert!(listed.contains(&Suspect::NoResponse), "{name}: {listed:?}");
        assert!(listed.iter().all(|s| !finding.contains(s)), "{name}: {listed:?}");
        let missed = named(Bug::KindLeftOut);
        let answering = [Suspect::RestitutionSign, Suspect::OneSided, Suspect::MassesSwapped];
        assert!(missed.iter().all(|s| !answering.contains(s)), "{name}: {missed:?}");
    }
}

/// In the first steps both errors miss the same collisions; what is right later tells them apart.
#[test]
fn a_radius_of_edges_is_not_taken_for_a_kind_of_pairs() {
    let (_, text) = students::PARTICLE_SCENES[0];
    let scene = read(text);
    let thin = read(&text.replace("radius=\"0.03\"", "radius=\"0\""));
    let carom_scene::System::Particles(system) = &thin.system else { unreachable!() };
    let steps = Simulation::new(&scene, COURSE).unwrap().planned_steps() as usize;
    let (bytes, layout) = particles::Student::file(system, steps, None);
    let mut file = carom_trajectory::open_bytes(&bytes, Some(layout)).unwrap();
    let grade = grading::grade(&scene, COURSE, &mut file, Scope::Whole, f64::INFINITY).unwrap();
    let found = grading::explain(&scene, COURSE, &grade).unwrap().diagnoses;
    assert_eq!(found.first().map(|d| d.suspect), Some(Suspect::RadiusLeftOut), "{found:?}");
}

/// The course has no friction; Carom's own rules do.
#[test]
fn friction_that_is_left_out_is_named() {
    let mut named = 0;
    for (name, text) in students::PARTICLE_SCENES {
        let rough = |mu: &str| {
            let text = text.replace("type=\"simple\"", &format!("type=\"simple\" mu=\"{mu}\""));
            carom::read_scene(&text).unwrap()
        };
        let (scene, smooth) = (rough("0.4"), rough("0"));
        let options = Options::default();
        let mut simulation = Simulation::new(&smooth, options).unwrap();
        let records = grading::course_records(&scene).unwrap();
        let layout = CourseLayout::new(records, simulation.body_count() as u64, simulation.dt());
        let mut bytes = Vec::new();
        let mut writer = CourseWriter::new(&mut bytes, Path::new("mine.bin"), layout, &[], &[]).unwrap();
        writer.write(&simulation.frame()).unwrap();
        for _ in 0..simulation.planned_steps() {
            simulation.step().unwrap();
            writer.write(&simulation.frame()).unwrap();
        }
        drop(writer);
        let mut file = carom_trajectory::open_bytes(&bytes, Some(layout)).unwrap();
        let grade = grading::grade(&scene, options, &mut file, Scope::Whole, f64::INFINITY).unwrap();
        let found = grading::explain(&scene, options, &grade).map(|e| e.diagnoses).unwrap_or_default();
        let first = found.first().map(|d| d.suspect);
        assert!(first.is_none_or(|s| s == Suspect::FrictionLeftOut), "{name}: {found:?}");
        named += usize::from(first.is_some());
    }
    assert!(named >= 2, "named in {named} scenes");
}

/// An error of which nobody thought is not given the name of another.
#[test]
fn what_fits_no_suspect_is_left_without_a_name() {
    for (name, text) in students::PARTICLE_SCENES {
        let scene = read(text);
        let carom_scene::System::Particles(system) = &scene.system else { unreachable!() };
        let steps = Simulation::new(&scene, COURSE).unwrap().planned_steps() as usize;
        let (mut bytes, layout) = particles::Student::file(system, steps, None);
        // a velocity in the second frame that no rule gives; the first has its state and a list
        // without collisions
        let count = system.particles.len();
        let at = 32 * count + 4 + 16 * count;
        bytes[at..at + 8].copy_from_slice(&0.123456_f64.to_le_bytes());
        let mut file = carom_trajectory::open_bytes(&bytes, Some(layout)).unwrap();
        let Ok(grade) = grading::grade(&scene, COURSE, &mut file, Scope::Whole, f64::INFINITY) else {
            continue;
        };
        let explanation = grading::explain(&scene, COURSE, &grade).expect("it is wrong");
        assert!(explanation.diagnoses.is_empty(), "{name}: {:?}", explanation.diagnoses);
    }
}

/// Errors in the response of `continuous-time`: the right step is changed where something touched,
/// and gone on from.
#[test]
fn errors_in_continuous_time_are_named() {
    let scenes = students::PARTICLE_SCENES
        .map(|(name, text)| (name, read(&text.replace("type=\"simple\"", "type=\"continuous-time\""))));
    for (bug, suspect) in [
        (None, None),
        (Some(Bug::NoResponse), Some(Suspect::NoResponse)),
        (Some(Bug::ImpulseTwice), Some(Suspect::ImpulseTwice)),
        (Some(Bug::ImpulseSign), Some(Suspect::ImpulseSign)),
        (Some(Bug::RestitutionFactorMissing), Some(Suspect::RestitutionFactorMissing)),
        (Some(Bug::PositionsNotMoved), Some(Suspect::PositionsNotMoved)),
    ] {
        let mut named = 0;
        for (name, scene) in &scenes {
            let grade = swept_grade(scene, bug);
            let found = grading::explain(scene, COURSE, &grade).map(|e| e.diagnoses).unwrap_or_default();
            if bug.is_none() {
                assert!(grade.passes() && found.is_empty(), "{name}: {:?}", grade.grader.first);
            }
            named += usize::from(found.first().map(|d| d.suspect) == suspect);
            let honest = found.is_empty() || suspect.is_some_and(|s| found.iter().any(|d| d.suspect == s));
            assert!(honest, "{bug:?} in {name} is called {found:?}");
        }
        assert!(named >= 2, "{bug:?} is named in {named} scenes");
    }
}

/// Grades a file of `continuous-time` in which the answers to collisions are wrong.
fn swept_grade(scene: &Scene, bug: Option<Bug>) -> Grade {
    let elastic = {
        let mut scene = scene.clone();
        if let carom_scene::System::Particles(system) = &mut scene.system {
            system.collision.restitution = 1.0;
        }
        scene
    };
    let untouched = {
        let mut scene = scene.clone();
        if let carom_scene::System::Particles(system) = &mut scene.system {
            system.collision.response = carom_scene::description::particles::Response::None;
        }
        scene
    };
    let [mut right, mut bouncing, mut free] =
        [scene, &elastic, &untouched].map(|scene| Simulation::new(scene, COURSE).unwrap());
    let records = grading::course_records(scene).unwrap();
    let layout = CourseLayout::new(records, right.body_count() as u64, right.dt());
    let mut lists = CourseLists::new(scene).unwrap();
    let mut bytes = Vec::new();
    let mut writer = CourseWriter::new(&mut bytes, Path::new("mine.bin"), layout, &[], &[]).unwrap();
    let mut frame = right.frame();
    writer.write_frame(&frame, &mut |frame| lists.next(frame)).unwrap();
    for _ in 0..right.planned_steps() {
        for simulation in [&mut right, &mut bouncing, &mut free] {
            simulation.restore(&frame).unwrap();
            simulation.step().unwrap();
        }
        let (expected, plain) = (right.frame(), free.frame());
        frame = match bug {
            Some(Bug::RestitutionFactorMissing) => bouncing.frame(),
            _ => expected.clone(),
        };
        let times = match bug {
            Some(Bug::NoResponse) => 0.0,
            Some(Bug::ImpulseTwice) => 2.0,
            Some(Bug::ImpulseSign) => -1.0,
            _ => 1.0,
        };
        let mix = |right: &mut [f64], plain: &[f64], times: f64| {
            right.iter_mut().zip(plain).for_each(|(x, y)| *x = y + times * (*x - y));
        };
        if times != 1.0 {
            mix(&mut frame.positions, &plain.positions, times);
            mix(&mut frame.velocities, &plain.velocities, times);
        }
        if bug == Some(Bug::PositionsNotMoved) {
            frame.positions.clone_from(&plain.positions);
        }
        writer.write_frame(&frame, &mut |frame| lists.next(frame)).unwrap();
    }
    drop(writer);
    let mut file = carom_trajectory::open_bytes(&bytes, Some(layout)).unwrap();
    grading::grade(scene, COURSE, &mut file, Scope::Whole, f64::INFINITY).unwrap()
}
