//! Every scene of the course against the trajectory that the course's own program wrote: a free
//! run, and step by step as its grader does.
//!
//! The corpus is not part of the repository; where it is missing, these tests print that and pass.

#![allow(clippy::print_stderr, reason = "a skipped test prints why")]

use carom::grading::{self, Scope};
use carom::{CourseLists, Options, Simulation};
use carom_testkit::corpus::{Corpus, Entry};
use carom_trajectory::compare::CollisionDifferences;
use carom_trajectory::course::{CourseLayout, CourseReader, CourseRecord, CourseRecords};
use carom_trajectory::{Frame, Trajectory};
use std::io::Cursor;

#[test]
fn theme_1_particles_under_forces() {
    check("t1", 83);
}

#[test]
fn theme_2_particle_collisions() {
    check("t2", 46);
}

#[test]
fn theme_3_rigid_bodies() {
    check("t3", 56);
}

/// The polynomials that Carom writes are those of the references, as far as free runs agree; they
/// used to be left out.
#[test]
fn theme_2_polynomials() {
    let Some(corpus) = Corpus::find() else {
        eprintln!("skipped: the conformance corpus is not here; set CAROM_CONFORMANCE to its folder");
        return;
    };
    let mut compared = 0;
    for entry in corpus.entries.iter().filter(|e| e.name.starts_with("t2m2")) {
        let text = corpus.scene_text(entry);
        let reading = carom_scene::read(&text, &carom_scene::ReadOptions { course: true, strict: false });
        let scene = reading.scene.unwrap();
        let mut simulation = Simulation::new(&scene, Options::course(true)).unwrap();
        let records = grading::course_records(&scene).unwrap();
        if !records.synced_pairs() {
            continue;
        }
        let layout = CourseLayout::new(records, simulation.body_count() as u64, simulation.dt());
        let bytes = corpus.reference(entry);
        let mut reference = CourseReader::from_bytes(&bytes, layout).unwrap();
        reference.keep_polynomials(true);
        let mut lists = CourseLists::new(&scene).unwrap();
        let mut record = CourseRecord::default();
        for index in 0..entry.free_frames {
            if !reference.next_record(&mut record).unwrap() {
                break;
            }
            if index > 0 {
                simulation.step().unwrap();
            }
            for (mine, theirs) in lists.next(&simulation.frame()).iter().zip(&record.polynomials) {
                assert_eq!(mine.lengths, theirs.lengths, "{}, frame {index}", entry.name);
                for (a, b) in mine.coefficients.iter().zip(&theirs.coefficients) {
                    let off = (a - b).abs();
                    assert!(off < 1e-10 * b.abs().max(1.0), "{}, frame {index}: {a} {b}", entry.name);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 1_000_000, "{compared} coefficients");
}

fn check(prefix: &str, least: usize) {
    let Some(corpus) = Corpus::find() else {
        eprintln!("skipped: the conformance corpus is not here; set CAROM_CONFORMANCE to its folder");
        return;
    };
    let entries: Vec<&Entry> = corpus.entries.iter().filter(|e| e.name.starts_with(prefix)).collect();
    assert!(entries.len() >= least, "{} scenes of {prefix}, at least {least} expected", entries.len());
    let failures: Vec<String> = entries
        .iter()
        .filter_map(|e| examine(&corpus, e).err().map(|why| format!("{}: {why}", e.name)))
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} scenes fail:\n{}",
        failures.len(),
        entries.len(),
        failures.join("\n")
    );
}

fn examine(corpus: &Corpus, entry: &Entry) -> Result<(), String> {
    let text = corpus.scene_text(entry);
    let reading = carom_scene::read(&text, &carom_scene::ReadOptions { course: true, strict: false });
    let scene = reading.scene.ok_or("the scene is refused")?;
    let options = Options::course(true);
    let mut simulation = Simulation::new(&scene, options).map_err(|e| e.to_string())?;
    let records = grading::course_records(&scene).ok_or("no course layout")?;
    let bytes = corpus.reference(entry);
    let layout = CourseLayout::new(records, simulation.body_count() as u64, simulation.dt());
    let mut reference = carom_trajectory::open_bytes(&bytes, Some(layout)).map_err(|e| e.to_string())?;

    if simulation.planned_steps() + 1 != entry.frames as u64 {
        return Err(format!("{} frames instead of {}", simulation.planned_steps() + 1, entry.frames));
    }
    free_run(&mut simulation, &mut reference, entry, records)?;
    let grade = grading::grade(&scene, options, &mut reference, Scope::Whole, entry.tolerance)
        .map_err(|e| e.to_string())?;
    if grade.passes() {
        Ok(())
    } else {
        Err(format!("step by step: {:?}, first {:?}", grade.failure, grade.grader.first))
    }
}

fn free_run(
    simulation: &mut Simulation,
    reference: &mut Trajectory<Cursor<&[u8]>>,
    entry: &Entry,
    records: CourseRecords,
) -> Result<(), String> {
    let mut frame = Frame::default();
    let mut frames_with_other_collisions = 0;
    for (index, expected) in reference.frames().enumerate().take(entry.free_frames) {
        let expected = expected.map_err(|e| e.to_string())?;
        if index > 0 {
            simulation.step().map_err(|e| e.to_string())?;
        }
        simulation.write_frame(&mut frame);
        let pairs = expected
            .positions
            .iter()
            .zip(&frame.positions)
            .chain(expected.velocities.iter().zip(&frame.velocities));
        let worst = pairs
            .map(|(e, g)| (e - g).abs())
            .fold(0.0, |a: f64, b| if b.is_nan() { f64::INFINITY } else { a.max(b) });
        if worst > entry.tolerance {
            return Err(format!(
                "free run: off by {worst:e} at frame {index}, {:e} allowed",
                entry.tolerance
            ));
        }
        if index > 0 && matches!(records, CourseRecords::Simple | CourseRecords::ContinuousTime) {
            let mut differences = CollisionDifferences::default();
            differences.add(index as u64, &expected.contacts, &frame.contacts);
            frames_with_other_collisions += usize::from(!differences.passes());
        }
    }
    if frames_with_other_collisions > entry.collision_frames_allowed {
        return Err(format!("free run: collisions differ in {frames_with_other_collisions} frames"));
    }
    Ok(())
}
