//! Journals: what is written is read, whole or cut off or damaged, and a resumed run ends in the
//! same bytes.

use crate::support;

use std::fs;
use std::path::Path;

use carom_trajectory::journal::read_journal_bytes;
use carom_trajectory::{Frame, JournalReader, JournalWriter, RunHash, TrajectoryError};
use proptest::prelude::*;
use support::{any_frame, bits, header, plain_frame};

const FRAMES: u64 = 3;

fn write(path: &Path, frames: &[Frame]) -> RunHash {
    let bodies = frames.first().map_or(0, |f| f.positions.len() as u64 / 2);
    let mut writer = JournalWriter::create(path, &header(bodies)).unwrap();
    frames.iter().for_each(|frame| writer.append(frame).unwrap());
    writer.finish().unwrap()
}

fn plain_frames() -> Vec<Frame> {
    (0..FRAMES).map(plain_frame).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bits_are_read_back(frames in (0..4usize).prop_flat_map(|n| prop::collection::vec(any_frame(2 * n), 1..6))) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.carom");
        let hash = write(&path, &frames);
        let mut reader = JournalReader::open(&path).unwrap();
        prop_assert_eq!(reader.finished(), Some(hash));
        prop_assert_eq!(reader.verify().unwrap(), hash);
        prop_assert_eq!(reader.frames(), frames.len() as u64);
        for (k, frame) in frames.iter().enumerate().rev() {
            prop_assert_eq!(bits(&reader.frame(k as u64).unwrap()), bits(frame));
        }
    }
}

#[test]
fn the_header_is_read_back_to_the_last_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.carom");
    let mut reported = header(3);
    reported.dt = 0.1 + 0.2;
    reported.masses = vec![1.0 / 3.0, -0.0, 2.2250738585072014e-308, 1.7976931348623157e308];
    reported.options.course = true;
    reported.options.settings.insert("touching".into(), "strict".into());
    drop(JournalWriter::create(&path, &reported).unwrap());
    let reader = JournalReader::open(&path).unwrap();
    assert_eq!(reader.header(), &reported);
    assert!(reader.header().masses[1].is_sign_negative());
    assert_eq!(reader.finished(), None);
    assert_eq!(reader.torn(), None, "a file that ends after its header is not torn");
}

#[test]
fn the_table_in_the_header_says_where_the_numbers_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.carom");
    write(&path, &[plain_frame(5)]);
    let bytes = fs::read(&path).unwrap();
    let header = JournalReader::open(&path).unwrap().header().clone();
    let start = bytes.windows(4).position(|w| w == b"FRAM").unwrap();
    let word = |name: &str, k: usize| {
        let field = header.fields.iter().find(|f| f.name == name).unwrap();
        assert!((k as u64) < field.count);
        let at = start + field.offset as usize + 8 * k;
        u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
    };
    let number = |name: &str, k: usize| f64::from_bits(word(name, k));
    let frame = plain_frame(5);
    assert_eq!(word("step", 0), 5);
    assert_eq!(word("iterations", 0), 7);
    assert_eq!(word("contact_count", 0), 0);
    assert_eq!(word("memory_count", 0), 2);
    assert_eq!(number("time", 0), frame.time);
    assert_eq!(number("potential", 0), -5.0);
    assert_eq!(number("momentum", 1), 1.0);
    assert_eq!(number("angular_momentum", 2), 5.0);
    assert_eq!(number("residual", 0), 1e-12);
    let none = u64::MAX;
    assert_eq!((word("contact_rows", 0), word("largest_island", 0)), (0, none), "-1 is not known");
    assert!(number("kinetic_before", 0).is_nan() && number("kinetic_after", 0).is_nan(), "no impact");
    assert_eq!(number("momentum_change", 1), 0.0);
    assert_eq!(number("angular_momentum_change", 2), 0.0);
    assert_eq!(number("positions", 2), frame.positions[2]);
    assert_eq!(number("velocities", 3), frame.velocities[3]);
}

#[test]
fn what_an_impact_did_is_where_the_table_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.carom");
    write(&path, &[plain_frame(4)]);
    let bytes = fs::read(&path).unwrap();
    let header = JournalReader::open(&path).unwrap().header().clone();
    let start = bytes.windows(4).position(|w| w == b"FRAM").unwrap();
    let words = |name: &str| -> Vec<u64> {
        let field = header.fields.iter().find(|f| f.name == name).unwrap();
        let at = start + field.offset as usize;
        let words = bytes[at..at + 8 * field.count as usize].chunks_exact(8);
        words.map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect()
    };
    let numbers = |name: &str| words(name).into_iter().map(f64::from_bits).collect::<Vec<_>>();
    assert_eq!((words("contact_rows"), words("largest_island")), (vec![9], vec![4]));
    assert_eq!((numbers("kinetic_before"), numbers("kinetic_after")), (vec![7.0], vec![2.0]));
    assert_eq!(numbers("momentum_change"), [0.5, -4.0, 0.0]);
    assert_eq!(numbers("angular_momentum_change"), [0.0, 0.0, 0.4]);
}

#[test]
fn cut_at_every_byte_it_is_readable_and_resumes_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.carom.part");
    let frames = plain_frames();
    let hash = write(&path, &frames);
    let whole = fs::read(&path).unwrap();
    let first = whole.windows(4).position(|w| w == b"FRAM").unwrap();
    let mut seen = vec![0; FRAMES as usize + 1];
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let read = JournalReader::open(&path);
        if cut < first {
            assert!(read.is_err(), "a header cut at byte {cut} was accepted");
            assert!(JournalWriter::resume(&path).is_err());
            continue;
        }
        let mut reader = read.unwrap();
        assert_eq!(reader.finished(), None);
        let kept = reader.frames();
        seen[kept as usize] += 1;
        for k in 0..kept {
            assert_eq!(bits(&reader.frame(k).unwrap()), bits(&frames[k as usize]));
        }
        let mut resumed = JournalWriter::resume(&path).unwrap();
        assert_eq!(resumed.frames, kept);
        assert_eq!(resumed.last.is_some(), kept > 0);
        assert_eq!(resumed.dropped_bytes, reader.torn().map_or(0, |t| t.bytes));
        for frame in &frames[kept as usize..] {
            resumed.writer.append(frame).unwrap();
        }
        assert_eq!(resumed.writer.finish().unwrap(), hash);
        assert!(fs::read(&path).unwrap() == whole, "resumed after a cut at byte {cut}: other bytes");
    }
    assert!(seen.iter().all(|&n| n > 0), "every number of frames should have been seen: {seen:?}");
}

#[test]
fn a_finished_journal_resumes_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.carom.part");
    write(&path, &plain_frames());
    let whole = fs::read(&path).unwrap();
    let resumed = JournalWriter::resume(&path).unwrap();
    assert_eq!(bits(&resumed.last.unwrap()), bits(&plain_frame(FRAMES - 1)));
    resumed.writer.finish().unwrap();
    assert!(fs::read(&path).unwrap() == whole);
}

#[test]
fn a_flipped_bit_is_never_taken_for_data() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.carom");
    let frames = plain_frames();
    write(&path, &frames);
    let mut bytes = fs::read(&path).unwrap();
    for byte in 0..bytes.len() {
        for bit in [byte % 8, 7] {
            bytes[byte] ^= 1 << bit;
            if let Ok(mut reader) = JournalReader::from_bytes(&bytes) {
                assert_eq!(reader.header(), &header(2), "byte {byte} of the header was changed unseen");
                for k in 0..reader.frames() {
                    if let Ok(frame) = reader.frame(k) {
                        assert_eq!(bits(&frame), bits(&frames[k as usize]), "byte {byte}, frame {k}");
                    }
                }
            }
            assert_eq!(read_journal_bytes(&bytes).ok().filter(|&n| n > FRAMES), None);
            bytes[byte] ^= 1 << bit;
        }
    }
    assert_eq!(read_journal_bytes(&bytes).unwrap(), FRAMES);
}

proptest! {
    #[test]
    fn arbitrary_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400), keep in 0..600usize) {
        let _ = read_journal_bytes(&bytes);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.carom");
        write(&path, &[plain_frame(0), plain_frame(1)]);
        let mut start = fs::read(&path).unwrap();
        let first = start.windows(4).position(|w| w == b"FRAM").unwrap();
        start.truncate(first + keep);
        start.extend(&bytes);
        prop_assert!(read_journal_bytes(&start).is_ok_and(|n| n <= 2));
    }
}

#[test]
fn absurd_lengths_ask_for_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.carom");
    write(&path, &plain_frames());
    let whole = fs::read(&path).unwrap();
    let first = whole.windows(4).position(|w| w == b"FRAM").unwrap();
    let index = whole.windows(4).position(|w| w == b"INDX").unwrap();
    let footer = whole.len() - 64;
    // Lengths and counts of the header, a frame, the index and the footer, and where the footer's
    // checksum is.
    let places =
        [(12, 4), (first + 8, 8), (first + 176, 8), (first + 184, 8), (index + 8, 8), (footer + 16, 8)];
    for (at, size) in places {
        for huge in [(1u64 << 30) - 8, (1 << 28) - 8, 1 << 40, u64::MAX - 7] {
            let mut bytes = whole.clone();
            bytes[at..at + size].copy_from_slice(&huge.to_le_bytes()[..size]);
            let crc = crc32fast::hash(&bytes[footer..footer + 56]);
            bytes[footer + 56..footer + 60].copy_from_slice(&crc.to_le_bytes());
            let info = allocation_counter::measure(|| {
                let _ = read_journal_bytes(&bytes);
            });
            assert!(info.bytes_max < 100_000, "byte {at}: {info:?}");
        }
    }
}

#[test]
fn frames_of_another_size_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.carom");
    let mut writer = JournalWriter::create(&path, &header(2)).unwrap();
    let frame = Frame { positions: vec![0.0; 4], velocities: vec![0.0; 2], ..Frame::default() };
    let error = writer.append(&frame).unwrap_err();
    assert!(matches!(error, TrajectoryError::WrongFrame { .. }), "{error}");
    writer.append(&plain_frame(0)).unwrap();
    writer.finish().unwrap();
    assert_eq!(JournalReader::open(&path).unwrap().frames(), 1);
}

#[test]
fn headers_that_cannot_be_stored_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.carom");
    let mut reported = header(1);
    reported.dt = f64::NAN;
    assert!(matches!(JournalWriter::create(&path, &reported), Err(TrajectoryError::InvalidHeader { .. })));
    assert!(matches!(
        JournalWriter::create(&path, &header(u64::MAX)),
        Err(TrajectoryError::InvalidHeader { .. })
    ));
    assert!(!path.exists());
}

#[test]
fn two_runs_do_not_write_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.carom.part");
    let writer = JournalWriter::create(&path, &header(2)).unwrap();
    assert!(matches!(JournalWriter::create(&path, &header(2)), Err(TrajectoryError::Busy { .. })));
    assert!(matches!(JournalWriter::resume(&path), Err(TrajectoryError::Busy { .. })));
    drop(writer);
    JournalWriter::resume(&path).unwrap();
}

#[test]
fn a_run_that_is_going_on_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.carom.part");
    let mut writer = JournalWriter::create(&path, &header(2)).unwrap();
    for step in 0..3 {
        writer.append(&plain_frame(step)).unwrap();
        writer.flush().unwrap();
        assert_eq!(JournalReader::open(&path).unwrap().frames(), step + 1);
    }
}

#[test]
fn appending_allocates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.carom.part");
    let mut writer = JournalWriter::create(&path, &header(2)).unwrap();
    let frame = plain_frame(1);
    writer.append(&frame).unwrap();
    let info = allocation_counter::measure(|| {
        for _ in 0..2000 {
            writer.append(&frame).unwrap();
        }
    });
    assert_eq!(info.count_total, 0, "{info:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_with_advice() {
    // The device /dev/full refuses every write as a full disk does; here it stands for the error
    // text only.
    let error = fs::write("/dev/full", b"x").unwrap_err();
    let text = TrajectoryError::io("write to", Path::new("run.carom.part"))(error).to_string();
    assert!(text.contains("run.carom.part") && text.contains("--resume"), "{text}");
}
