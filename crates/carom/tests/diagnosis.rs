//! Errors that students make, planted in programs of their own, are named; right files are left alone.

mod students;

use carom::grading::suspects::Suspect;
use carom::grading::{self, Grade, Scope};
use carom::{Options, Scene, Simulation};
use students::{BODY_BUGS, Bug, PARTICLE_BUGS, bodies, particles};

const COURSE: Options = Options { course: true };

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
        carom_scene::System::SpatialBodies(_) => panic!("no student has bodies in space"),
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
        let mut told = Vec::new();
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
            told.push(format!("{name} step {}: {found:?}", explanation.step));
        }
        if named < 2 {
            missing.push(format!("{bug:?} named in {named} scenes: {}", told.join("; ")));
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

#[test]
fn errors_of_rigid_body_programs_are_named() {
    let scenes = students::BODY_SCENES.map(|(name, text)| (name, read(text)));
    examine(&scenes, BODY_BUGS);
}

/// An error of which nobody thought is not given the name of another.
#[test]
fn what_fits_no_suspect_is_left_without_a_name() {
    for (name, text) in students::PARTICLE_SCENES {
        let scene = read(text);
        let carom_scene::System::Particles(system) = &scene.system else { unreachable!() };
        let steps = Simulation::new(&scene, COURSE).unwrap().planned_steps() as usize;
        let (mut bytes, layout) = particles::Student::file(system, steps, None);
        // a velocity in the second frame that no rule gives; the first has its state and a list without collisions
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
