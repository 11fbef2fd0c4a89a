//! Journals of earlier versions, and of versions to come.

use crate::support::bits;
use carom_trajectory::journal::read_journal_bytes;
use carom_trajectory::{Frame, Impact, JournalReader, JournalWriter, TrajectoryError};
use std::fs;

/// A run of five frames that was written before frames reported impacts, by the program of that
/// time.
const VERSION_1: &[u8] = include_bytes!("data/version_1.carom");

#[test]
fn files_of_version_1_are_read() {
    assert_eq!(VERSION_1[8..12], [1, 0, 0, 0]);
    let mut reader = JournalReader::from_bytes(VERSION_1).unwrap();
    assert_eq!(reader.frames(), 5);
    assert_eq!(
        reader.verify().unwrap(),
        reader.finished().unwrap(),
        "the chain of hashes is that of the file"
    );
    let touching = (0..5).map(|k| reader.frame(k).unwrap()).find(|frame| !frame.contacts.is_empty()).unwrap();
    assert_eq!(touching.diagnostics.active_contacts, 1);
    for k in 0..5 {
        let frame = reader.frame(k).unwrap();
        let d = frame.diagnostics;
        assert_eq!(
            (d.contact_rows, d.largest_island, d.impact),
            (None, None, Impact::Unknown),
            "it does not say"
        );
        // one particle that falls at -1 onto y = 0 from 0.05, and moves along x at 1
        assert_eq!((frame.step, frame.velocities[0]), (k, 1.0));
        assert!((frame.positions[0] - 0.01 * k as f64).abs() < 1e-15);
    }
    // the frames of the old file, cut off anywhere, are what they are
    let first = VERSION_1.windows(4).position(|w| w == b"FRAM").unwrap();
    for cut in first..VERSION_1.len() {
        assert!(read_journal_bytes(&VERSION_1[..cut]).is_ok_and(|frames| frames <= 5));
    }
}

#[test]
fn a_file_of_version_1_becomes_one_of_today_with_the_same_hash() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old.carom"), folder.path().join("new.carom"));
    fs::write(&old, VERSION_1).unwrap();
    let mut trajectory = carom_trajectory::open(&old, None).unwrap();
    let header = trajectory.header().unwrap().clone();
    let hash = carom_trajectory::export::write_journal(&mut trajectory, &header, &new).unwrap();
    assert_eq!(Some(hash), trajectory.run_hash());
    let mut reader = JournalReader::open(&new).unwrap();
    assert_eq!(reader.verify().unwrap(), hash);
    let offset = |name: &str| reader.header().fields.iter().find(|f| f.name == name).map(|f| f.offset);
    assert_eq!(
        (offset("contact_rows"), offset("positions")),
        (Some(200), Some(280)),
        "the table is that of the file"
    );
    reader.check_resumable().unwrap();
}

#[test]
fn a_file_of_version_1_is_not_gone_on_with_and_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.carom.part");
    fs::write(&path, VERSION_1).unwrap();
    let error = JournalWriter::resume(&path).unwrap_err();
    assert!(matches!(error, TrajectoryError::OlderVersion { found: 1, .. }), "{error}");
    assert!(error.to_string().contains("--overwrite"), "{error}");
    assert!(fs::read(&path).unwrap() == VERSION_1);
}

/// A particle that slides on a half-plane with friction, written before contacts reported gap and
/// friction.
const VERSION_2: &[u8] = include_bytes!("data/version_2.carom");

#[test]
fn files_of_version_2_are_read_and_do_not_tell_of_friction() {
    assert_eq!(VERSION_2[8..12], [2, 0, 0, 0]);
    let mut reader = JournalReader::from_bytes(VERSION_2).unwrap();
    assert_eq!(reader.verify().unwrap(), reader.finished().unwrap());
    assert!(reader.check_resumable().is_err());
    let frames: Vec<Frame> = (0..5).map(|k| reader.frame(k).unwrap()).collect();
    for frame in &frames[1..] {
        let [contact] = frame.contacts[..] else { panic!("one contact, not {:?}", frame.contacts) };
        // m g dt = 2 · 10 · 0.01
        assert!((contact.impulse - 0.2).abs() < 1e-12, "{contact:?}");
        assert_eq!(contact.normal, [0.0, -1.0, 0.0]);
        assert!(contact.gap.is_nan() && contact.friction.iter().all(|x| x.is_nan()));
    }
    // as a file of today they are the same frames
    let (folder, header) = (tempfile::tempdir().unwrap(), reader.header().clone());
    let new = folder.path().join("new.carom");
    let mut writer = JournalWriter::create(&new, &header).unwrap();
    frames.iter().for_each(|frame| writer.append(frame).unwrap());
    assert_eq!(writer.finish().unwrap(), reader.finished().unwrap());
    let mut again = JournalReader::open(&new).unwrap();
    for (k, frame) in frames.iter().enumerate() {
        assert_eq!(bits(&again.frame(k as u64).unwrap()), bits(frame));
    }
}

#[test]
fn files_of_versions_to_come_are_named_as_such() {
    for version in [0, 4, u32::MAX] {
        let mut bytes = VERSION_1.to_vec();
        bytes[8..12].copy_from_slice(&version.to_le_bytes());
        let error = JournalReader::from_bytes(&bytes).unwrap_err();
        assert!(matches!(error, TrajectoryError::UnsupportedVersion { .. }), "{error}");
    }
}
