//! Files of students, as `compare` and `oracle -i` see them.

use assert_cmd::Command;
use carom_trajectory::course::{CourseLayout, CourseReader, CourseRecord, CourseRecords, CourseWriter};
use carom_trajectory::{Contact, ContactKind};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::path::{Path, PathBuf};

fn carom() -> Command {
    Command::cargo_bin("carom").unwrap()
}

/// Two particles and an edge that meet, above a half-plane.
const SCENE: &str = r#"<scene>
  <duration time="0.1"/>
  <integrator type="explicit-euler" dt="0.01"/>
  <collision type="METHOD" COR="0.5"/>
  <simplegravity fx="0.0" fy="-9.8"/>
  <particle m="1.0" px="0.0" py="0.11" vx="0.3" vy="-4.0" fixed="0" radius="0.05"/>
  <particle m="2.0" px="0.13" py="0.1" vx="-3.0" vy="-2.0" fixed="0" radius="0.05"/>
  <particle m="1.0" px="-0.3" py="0.03" vx="0.0" vy="1.0" fixed="0" radius="0.01"/>
  <particle m="1.0" px="0.3" py="0.05" vx="0.0" vy="1.0" fixed="0" radius="0.01"/>
  <edge i="2" j="3" radius="0.02"/>
  <halfplane px="0.0" py="-0.2" nx="0.1" ny="1.0"/>
</scene>"#;

struct Place {
    folder: tempfile::TempDir,
    layout: CourseLayout,
}

impl Place {
    /// A folder with the scene and the file that the course's program would write for it.
    fn new(method: &str) -> Place {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("scene.xml"), SCENE.replace("METHOD", method)).unwrap();
        let records = match method {
            "simple" => CourseRecords::Simple,
            "hybrid" => CourseRecords::Hybrid,
            _ => CourseRecords::ContinuousTime,
        };
        let place = Place { folder, layout: CourseLayout::new(records, 4, 0.01) };
        place.run(&["run", "--course", "-q", "scene.xml", "-o", "mine.bin"]).success();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, words: &[&str]) -> assert_cmd::assert::Assert {
        carom().current_dir(self.folder.path()).args(words).assert()
    }

    fn compare(&self) -> assert_cmd::assert::Assert {
        self.run(&["compare", "--course", "scene.xml", "mine.bin"])
    }

    fn oracle(&self) -> assert_cmd::assert::Assert {
        self.run(&["oracle", "-s", "scene.xml", "-i", "mine.bin", "-d", "0"])
    }

    fn records(&self) -> Vec<CourseRecord> {
        let mut reader = CourseReader::open(&self.path("mine.bin"), self.layout).unwrap();
        reader.keep_polynomials(true);
        let mut records = Vec::new();
        let mut record = CourseRecord::default();
        while reader.next_record(&mut record).unwrap() {
            records.push(record.clone());
        }
        records
    }

    fn write(&self, records: &[CourseRecord]) {
        let mut bytes = Vec::new();
        let mut writer = CourseWriter::new(&mut bytes, Path::new("mine.bin"), self.layout, &[], &[]).unwrap();
        records.iter().for_each(|record| writer.write_record(record).unwrap());
        drop(writer);
        fs::write(self.path("mine.bin"), bytes).unwrap();
    }
}

/// Files of Theme 2 Milestone 2 had empty lists of polynomials, which the course's grader refuses,
/// and such files passed here.
#[test]
fn polynomials_are_written_and_graded() {
    for method in ["continuous-time", "hybrid"] {
        let place = Place::new(method);
        let mut records = place.records();
        assert!(records[0].polynomials[1].lengths.is_empty(), "the initial record has none");
        // 6 pairs of particles with 2, 4 half-planes with 2, 2 pairs with the edge with 4
        let least = 6 * 2 + 4 * 2 + 2 * 4;
        assert!(records[1..].iter().all(|r| r.polynomials[1].lengths.len() >= least), "{method}");
        assert!(records[1..].iter().all(|r| !r.polynomials[0].lengths.is_empty()), "{method}");
        place.compare().success();
        place.oracle().success().stdout(contains("Overall success: Passed."));

        // a positive factor does not matter, a negative one does
        let whole = records.clone();
        for (factor, passes) in [(7.5, true), (-1.0, false)] {
            for record in &mut records {
                for list in &mut record.polynomials {
                    list.coefficients.iter_mut().for_each(|c| *c *= factor);
                }
            }
            place.write(&records);
            place.compare().code(i32::from(!passes));
            let word = if passes { "Overall success: Passed." } else { "Wrong polynomial coefficients!" };
            place.oracle().success().stdout(contains(word));
            records.clone_from(&whole);
        }
        records[3].polynomials[1].lengths.pop();
        place.write(&records);
        place.oracle().success().stdout(contains("Wrong number of polynomials!"));
        records.clone_from(&whole);
        for record in &mut records {
            record.polynomials = Default::default();
        }
        place.write(&records);
        place
            .compare()
            .code(1)
            .stdout(contains("number of polynomials").and(contains("diagnosis polynomials-missing")));
        place.oracle().success().stdout(contains("Collisions Passed: No."));
    }
}

/// Such files were called those of another scene, and frames beyond the end were passed over in
/// silence.
#[test]
fn files_that_begin_or_end_wrongly_are_reported() {
    let place = Place::new("simple");
    let (records, bytes) = (place.records(), fs::read(place.path("mine.bin")).unwrap());
    place.write(&records[1..]);
    place.compare().code(1).stdout(contains("its first frame is that after one step"));
    let state = 16 * 8;
    let numbers = bytes[..state].chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap()));
    let singles: Vec<u8> = numbers.flat_map(|x| (x as f32).to_le_bytes()).collect();
    fs::write(place.path("mine.bin"), [&singles, &bytes[state..]].concat()).unwrap();
    place.compare().code(2).stderr(contains("its numbers have 4 bytes (float)"));
    fs::write(place.path("mine.bin"), b"0 0.11 0.13 0.1 -0.3 0.03 0.3 0.05").unwrap();
    place.compare().code(2).stderr(contains("it is text"));

    let longer = SCENE.replace("METHOD", "simple").replace("time=\"0.1\"", "time=\"0.12\"");
    fs::write(place.path("longer.xml"), longer).unwrap();
    place.run(&["run", "--course", "-q", "longer.xml", "-o", "mine.bin"]).success();
    place.compare().success().stdout(contains("goes on beyond the end of the scene, with 13 frames for 11"));
    place
        .run(&["oracle", "-s", "mine.bin", "-i", "scene.xml", "-d", "0"])
        .failure()
        .stderr(contains("mine.bin is no scene"));
}

/// One collision too many in a file of `hybrid` passed both.
#[test]
fn a_superfluous_collision_of_hybrid_is_found() {
    let place = Place::new("hybrid");
    let mut records = place.records();
    let (kind, normal) = (ContactKind::ParticleParticle, [0.1, 0.0, 0.0]);
    let contact = Contact {
        kind,
        first: 0,
        second: 1,
        point: [f64::NAN; 3],
        normal,
        gap: 0.0,
        time: 0.0,
        impulse: 0.0,
        friction: [0.0; 3],
    };
    records[4].frame.contacts.push(contact);
    place.write(&records);
    place.compare().code(1).stdout(contains("have 1 too many"));
    place.oracle().success().stdout(contains("Superfluous collision: Particle 0 - Particle 1"));
}

/// The record in the middle of a step was not graded.
#[test]
fn the_sync_record_is_graded() {
    let place = Place::new("hybrid");
    let mut records = place.records();
    records[5].frame.intermediate.as_mut().unwrap().positions[0] += 1e-6;
    place.write(&records);
    place.compare().code(1).stdout(contains("frame 5, particle 0, x"));
    place.oracle().success().stdout(contains("Overall success: Failed."));
}

/// A file of 5 of 11 frames passed; a file that was cut off, and a scene in its place, gave a
/// number of bytes.
#[test]
fn short_and_wrong_files_are_named_as_such() {
    let place = Place::new("simple");
    let records = place.records();
    place.write(&records[..5]);
    place.compare().code(1).stdout(
        contains("incomplete: right as far as it goes")
            .and(contains("All 5 frames are right, the scene has 11")),
    );
    let output = place.run(&["compare", "--course", "scene.xml", "mine.bin", "--json"]).success();
    let verdict: serde_json::Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    assert_eq!((&verdict["pass"], &verdict["complete"]), (&true.into(), &false.into()));
    assert_eq!(verdict["verdict"], "incomplete");

    place.write(&records);
    let bytes = fs::read(place.path("mine.bin")).unwrap();
    fs::write(place.path("mine.bin"), &bytes[..bytes.len() - 10]).unwrap();
    place.compare().code(1).stdout(contains("cut off").and(contains("inside record 10")));
    fs::write(place.path("mine.bin"), &bytes[..20]).unwrap();
    place.compare().code(2).stderr(contains("not even one record"));
    fs::write(place.path("mine.bin"), b"").unwrap();
    place.compare().code(2).stderr(contains("is empty"));

    place.run(&["compare", "scene.xml", "scene.xml"]).code(2).stderr(contains("both scenes"));
    let noise: Vec<u8> = (0..4000_u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    fs::write(place.path("mine.bin"), noise).unwrap();
    let output = place.compare().code(predicate::in_iter([1, 2])).get_output().clone();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(text.contains("another scene"), "{text}");
}

/// A file of another scene was stepped through to its end, which took minutes where its numbers
/// were nonsense for this one.
#[test]
fn a_file_that_starts_elsewhere_altogether_is_of_another_scene() {
    let place = Place::new("simple");
    let mut records = place.records();
    for record in &mut records {
        record.frame.positions.iter_mut().for_each(|x| *x += 3.0);
    }
    place.write(&records);
    place.compare().code(1).stdout(contains("most of its first frame is not where the scene puts it"));
}

#[test]
fn swapped_arguments_are_understood() {
    let place = Place::new("simple");
    place
        .run(&["compare", "mine.bin", "scene.xml"])
        .success()
        .stdout(contains("pass"))
        .stderr(contains("the other way round"));
}

/// Correct files passed only with the flag that fits.
#[test]
fn the_rules_that_fit_are_found() {
    let mut suggested = 0;
    for method in ["simple", "continuous-time", "hybrid"] {
        let place = Place::new(method);
        let plain = ["compare", "scene.xml", "mine.bin"];
        place.run(&plain).success().stdout(contains("by the course's rules, which fit it best"));
        let strict = ["compare", "--default-rules", "scene.xml", "mine.bin"];
        let strict = place.run(&strict).get_output().clone();
        if !strict.status.success() {
            let text = String::from_utf8(strict.stdout).unwrap();
            assert!(text.contains("by the course's rules it would pass; use --course"), "{text}");
            suggested += 1;
        }
        place.run(&["run", "-q", "scene.xml", "-o", "mine.bin"]).success();
        place.run(&plain).success();
        let strict = place.compare().get_output().clone();
        let text = String::from_utf8(strict.stdout).unwrap();
        let reported = text.contains("by Carom's default rules it would pass; use --default-rules");
        assert!(strict.status.success() || reported, "{text}");
        suggested += usize::from(reported);
        place.run(&["run", "-q", "scene.xml", "-o", "mine.carom"]).success();
        place.run(&["compare", "scene.xml", "mine.carom"]).success().stdout(contains("default rules"));
    }
    assert!(suggested >= 2, "scenes that tell the rules apart: {suggested}");
}

/// "you" is who wrote the file: what it lacks used to be called superfluous.
#[test]
fn the_file_is_examined_and_not_believed() {
    let place = Place::new("simple");
    let mut records = place.records();
    let step = records.iter().position(|record| !record.frame.contacts.is_empty()).unwrap();
    records[step].frame.contacts.clear();
    records[step].frame.velocities[1] += 2.0;
    place.write(&records);
    place
        .run(&["compare", "scene.xml", "mine.bin"])
        .code(1)
        .stdout(contains("you miss 3").and(contains("yours")).and(contains("right")));
}

/// The lines of the course's program about rigid bodies, and the path of the scene.
#[test]
fn the_oracle_uses_the_words_of_theme_3() {
    let folder = tempfile::tempdir().unwrap();
    let body = r#"<scene><simtype type="rigid-body"/><duration time="0.1"/><rigidbodyintegrator type="symplectic-euler" dt="0.01"/>
        <description text="One triangle"/>
        <rigidbodyvertex x="0" y="0" m="1"/><rigidbodyvertex x="1" y="0" m="1"/><rigidbodyvertex x="0" y="1" m="1"/>
        <rigidbody p="0" p="1" p="2" vx="1" vy="0" omega="1" r="0.1"/><rigidbodygravityforce fx="0" fy="-10"/></scene>"#;
    fs::write(folder.path().join("body.xml"), body).unwrap();
    let run = |words: &[&str]| carom().current_dir(folder.path()).args(words).assert().success();
    run(&["oracle", "-s", "body.xml", "-o", "mine.bin", "-d", "0"]).stdout(contains("Scene: body.xml\n"));
    let grade = ["oracle", "-s", "body.xml", "-i", "mine.bin", "-d", "0"];
    run(&grade)
        .stdout(contains("M Computation(s): correct\n").and(contains("Tspin Computation(s): correct\n")));
    let mut bytes = fs::read(folder.path().join("mine.bin")).unwrap();
    // the mass follows the six numbers of the state
    bytes[48..56].copy_from_slice(&4.0_f64.to_le_bytes());
    fs::write(folder.path().join("mine.bin"), bytes).unwrap();
    run(&grade).stdout(contains("M Computation(s): incorrect\n").and(contains("Overall success: Failed.")));
}
