//! Course files that are wrong: cut off, damaged, absurd. Errors name the place, memory stays
//! bounded.

use crate::support;

use std::path::Path;

use carom_trajectory::course::{
    BodyQuantities, CourseLayout, CourseReader, CourseRecord, CourseRecords, CourseWriter, read_course_bytes,
};
use carom_trajectory::{CourseProblem, Frame, TrajectoryError};
use proptest::prelude::*;
use support::{bits, plain_frame};

const ALL: [CourseRecords; 5] = [
    CourseRecords::Plain,
    CourseRecords::Simple,
    CourseRecords::ContinuousTime,
    CourseRecords::Hybrid,
    CourseRecords::RigidBodies,
];

fn layout(records: CourseRecords) -> CourseLayout {
    CourseLayout::new(records, 2, 0.1)
}

fn frames(records: CourseRecords) -> Vec<Frame> {
    let mut frames: Vec<Frame> = (0..4).map(plain_frame).collect();
    for frame in &mut frames {
        if records == CourseRecords::RigidBodies {
            frame.positions = (0..6).map(|k| k as f64 + frame.time).collect();
            frame.velocities = vec![f64::NAN, f64::INFINITY, -0.0, 0.5, 1.5, frame.time];
            frame.intermediate = None;
        }
        frame.velocities[2] = -0.0;
    }
    frames
}

fn written(records: CourseRecords) -> Vec<u8> {
    let mut bytes = Vec::new();
    let path = Path::new("out.bin");
    let mut writer = CourseWriter::new(&mut bytes, path, layout(records), &[1.0, 2.0], &[0.5, 3.0]).unwrap();
    frames(records).iter().for_each(|frame| writer.write(frame).unwrap());
    bytes
}

#[test]
fn what_is_written_is_read() {
    for records in ALL {
        let bytes = written(records);
        let mut reader = CourseReader::from_bytes(&bytes, layout(records)).unwrap();
        let mut record = CourseRecord::default();
        for (k, frame) in frames(records).iter().enumerate() {
            assert!(reader.next_record(&mut record).unwrap());
            let read = &record.frame;
            let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(x, y)| x.to_bits() == y.to_bits());
            assert!(same(&read.positions, &frame.positions), "{records:?}");
            assert!(same(&read.velocities, &frame.velocities), "{records:?}");
            assert_eq!(read.step, k as u64);
            let collisions =
                matches!(records, CourseRecords::Simple | CourseRecords::ContinuousTime) && k > 0;
            assert_eq!(read.contacts.len(), if collisions { frame.contacts.len() } else { 0 }, "{records:?}");
            if let Some(inner) = read.intermediate.as_ref().zip(frame.intermediate.as_ref()) {
                assert_eq!(inner.0, inner.1);
            }
            if records.synced_pairs() && k > 0 && frame.intermediate.is_none() {
                assert_eq!(read.intermediate.as_ref().unwrap().positions, frame.positions);
            }
        }
        assert!(!reader.next_record(&mut record).unwrap());
    }
}

#[test]
fn frames_are_found_at_random() {
    for records in ALL {
        let bytes = written(records);
        let mut reader = CourseReader::from_bytes(&bytes, layout(records)).unwrap();
        let (mut in_order, mut record) = (Vec::new(), CourseRecord::default());
        while reader.next_record(&mut record).unwrap() {
            in_order.push(bits(&record.frame));
        }
        let mut fresh = CourseReader::from_bytes(&bytes, layout(records)).unwrap();
        for k in [3, 0, 2, 1, 3] {
            fresh.record(k, &mut record).unwrap();
            assert_eq!(bits(&record.frame), in_order[k as usize], "{records:?}, frame {k}");
        }
        assert_eq!(fresh.frames().unwrap(), 4);
        for beyond in [4, 5, u64::MAX] {
            let error = fresh.record(beyond, &mut record).unwrap_err();
            assert!(matches!(error, TrajectoryError::NoSuchFrame { frames: 4, .. }), "{records:?}: {error}");
        }
    }
}

#[test]
fn cut_at_every_byte_the_frames_before_are_read() {
    for records in ALL {
        let bytes = written(records);
        let mut whole_ends = 0;
        for cut in 0..bytes.len() {
            let mut read = 0;
            let mut end = || -> Result<(), TrajectoryError> {
                let mut reader = CourseReader::from_bytes(&bytes[..cut], layout(records))?;
                let mut record = CourseRecord::default();
                while reader.next_record(&mut record)? {
                    read += 1;
                }
                assert_eq!(reader.frames()?, read);
                Ok(())
            };
            match end() {
                Ok(()) => whole_ends += 1,
                Err(TrajectoryError::Course { offset, problem, .. }) => {
                    assert!(
                        matches!(problem, CourseProblem::Truncated { .. }),
                        "{records:?}, {cut}: {problem}"
                    );
                    assert!(offset <= cut as u64);
                }
                Err(other) => panic!("{records:?}, cut at {cut}: {other}"),
            }
        }
        // A file may end after its first, second or third step, and nowhere else.
        assert_eq!(whole_ends, 3, "{records:?}");
    }
}

/// A `simple` record of two particles whose count of collisions is `count`, and `tail` after it.
fn simple_with_count(count: i32, tail: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; 64];
    bytes.extend_from_slice(&count.to_le_bytes());
    bytes.extend_from_slice(tail);
    bytes
}

fn problem(bytes: &[u8], records: CourseRecords) -> (u64, u64, CourseProblem) {
    match read_course_bytes(bytes, layout(records)).unwrap_err() {
        TrajectoryError::Course { record, offset, problem, .. } => (record, offset, problem),
        other => panic!("{other}"),
    }
}

#[test]
fn wrong_counts_and_codes_are_named_with_their_place() {
    let simple = CourseRecords::Simple;
    let negative = CourseProblem::NegativeCount { what: "collisions", count: -1 };
    assert_eq!(problem(&simple_with_count(-1, &[]), simple), (0, 64, negative));
    let absurd = CourseProblem::Truncated { needed: 36 * i32::MAX as u64, left: 100 };
    assert_eq!(problem(&simple_with_count(i32::MAX, &[0; 100]), simple), (0, 68, absurd));
    let mut collision = [0; 36];
    collision[0] = 3;
    assert_eq!(problem(&simple_with_count(1, &collision), simple).2, CourseProblem::UnknownKind { code: 3 });
    collision[0] = 1;
    collision[7] = 0xff;
    let index = CourseProblem::NegativeIndex { index: -0x100_0000 };
    assert_eq!(problem(&simple_with_count(1, &collision), simple).2, index);
    let mut polynomial = simple_with_count(0, &1i32.to_le_bytes());
    polynomial.extend_from_slice(&(-7i32).to_le_bytes());
    let negative = CourseProblem::NegativeCount { what: "coefficients", count: -7 };
    assert_eq!(problem(&polynomial, CourseRecords::Hybrid).2, negative);
}

#[test]
fn absurd_counts_ask_for_no_memory() {
    let bytes = simple_with_count(i32::MAX, &[0; 100]);
    for records in ALL {
        for bodies in [u64::MAX, u64::MAX / 32, 1 << 40, 1 << 26] {
            let layout = CourseLayout { bodies, ..layout(records) };
            let info = allocation_counter::measure(|| {
                assert!(read_course_bytes(&bytes, layout).is_err());
            });
            assert!(info.bytes_max < 10_000, "{records:?}, {bodies} bodies: {info:?}");
        }
        let info = allocation_counter::measure(|| {
            let _ = read_course_bytes(&bytes, layout(records));
        });
        assert!(info.bytes_max < 10_000, "{records:?}: {info:?}");
    }
}

#[test]
fn an_empty_scene_has_one_frame() {
    let empty = |records| CourseLayout::new(records, 0, 0.1);
    assert_eq!(read_course_bytes(&[], empty(CourseRecords::Plain)).unwrap(), 1);
    assert!(read_course_bytes(&[0; 8], empty(CourseRecords::Plain)).is_err());
    assert_eq!(read_course_bytes(&[0; 12], empty(CourseRecords::Simple)).unwrap(), 3);
    assert_eq!(read_course_bytes(&[0; 24], empty(CourseRecords::RigidBodies)).unwrap(), 3);
    assert!(read_course_bytes(&[], layout(CourseRecords::Plain)).is_err());
}

#[test]
fn quantities_have_their_closed_forms() {
    let mut q = BodyQuantities::default();
    q.derive(&[2.0, 3.0, 0.0], &[5.0, 7.0, 11.0], &[4.0], &[0.5], -1.0);
    assert_eq!(q.momenta, [20.0, 28.0]);
    assert_eq!((q.orbital[0], q.spin[0]), (4.0 * (2.0 * 7.0 - 3.0 * 5.0), 5.5));
    assert_eq!((q.translational[0], q.rotational[0]), (2.0 * (25.0 + 49.0), 0.25 * 121.0));
    assert_eq!(q.potential, -1.0);
}

#[test]
fn what_the_files_cannot_hold_is_refused() {
    let path = Path::new("out.bin");
    let rigid = layout(CourseRecords::RigidBodies);
    assert!(CourseWriter::new(Vec::new(), path, rigid, &[], &[]).is_err(), "no masses");
    let mut writer = CourseWriter::new(Vec::new(), path, layout(CourseRecords::Plain), &[], &[]).unwrap();
    assert!(writer.write(&Frame::default()).is_err(), "no positions");
}

proptest! {
    #[test]
    fn arbitrary_bytes_do_no_harm(
        bytes in prop::collection::vec(prop_oneof![3 => Just(0u8), 1 => any::<u8>()], 0..600),
        bodies in 0..4u64,
    ) {
        for records in ALL {
            let _ = read_course_bytes(&bytes, CourseLayout::new(records, bodies, 0.1));
        }
    }
}
