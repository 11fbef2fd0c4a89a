//! The conformance corpus: every file of the course's program is read, and written back byte for
//! byte.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use carom_trajectory::course::{CourseLayout, CourseReader, CourseRecord, CourseRecords, CourseWriter};

/// The folder of the corpus: `CAROM_CONFORMANCE`, else `../shared/conformance` beside the
/// repository.
fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance");
    let folder = std::env::var_os("CAROM_CONFORMANCE").map_or(beside, PathBuf::from);
    folder.join("manifest.json").is_file().then_some(folder)
}

struct Entry {
    name: String,
    layout: CourseLayout,
    frames: u64,
    bytes: Vec<u8>,
}

fn entries(folder: &Path) -> Vec<Entry> {
    let text = fs::read_to_string(folder.join("manifest.json")).unwrap();
    let manifest: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let mut entries = Vec::new();
    for entry in manifest {
        let name = entry["name"].as_str().unwrap().to_string();
        let records = match (entry["records"].as_str(), entry["collision"].as_str()) {
            (Some("plain"), _) => CourseRecords::Plain,
            (Some("simple"), _) => CourseRecords::Simple,
            (Some("t2m2"), Some("hybrid")) => CourseRecords::Hybrid,
            (Some("t2m2"), _) => CourseRecords::ContinuousTime,
            _ => CourseRecords::RigidBodies,
        };
        let packed = fs::File::open(folder.join("expected").join(format!("{name}.bin.gz"))).unwrap();
        let mut bytes = Vec::new();
        flate2::read::GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
        let layout = CourseLayout::new(records, entry["n"].as_u64().unwrap(), 0.01);
        entries.push(Entry { name, layout, frames: entry["reference_frames"].as_u64().unwrap(), bytes });
    }
    entries
}

#[test]
#[allow(clippy::print_stderr, reason = "a skipped test prints why")]
fn every_file_is_written_back_byte_for_byte() {
    let Some(folder) = corpus() else {
        eprintln!("skipped: no conformance corpus (set CAROM_CONFORMANCE to its folder)");
        return;
    };
    let entries = entries(&folder);
    assert!(entries.len() > 100, "only {} files in the corpus", entries.len());
    for Entry { name, layout, frames, bytes } in entries {
        let mut reader = CourseReader::from_bytes(&bytes, layout).unwrap();
        reader.keep_polynomials(true);
        let constants = reader.constants().cloned().unwrap_or_default();
        let (mut kept, mut derived) = (Vec::new(), Vec::new());
        let path = Path::new("out.bin");
        let mut exact =
            CourseWriter::new(&mut kept, path, layout, &constants.masses, &constants.inertias).unwrap();
        let mut plain =
            CourseWriter::new(&mut derived, path, layout, &constants.masses, &constants.inertias).unwrap();
        let mut record = CourseRecord::default();
        let mut count = 0;
        while reader.next_record(&mut record).unwrap_or_else(|e| panic!("{name}: {e}")) {
            exact.write_record(&record).unwrap();
            plain.write(&record.frame).unwrap();
            count += 1;
        }
        assert_eq!(count, frames, "{name}: number of frames");
        assert_eq!(reader.frames().unwrap(), frames, "{name}: number of frames, counted");
        assert!(kept == bytes, "{name}: other bytes when written back");
        if !layout.records.synced_pairs() {
            let first = derived.iter().zip(&bytes).position(|(a, b)| a != b);
            assert!(derived == bytes, "{name}: derived quantities differ, first at byte {first:?}");
        }
        // The last frame, sought at random, is the one read in order.
        let mut sought = CourseRecord::default();
        reader.record(frames - 1, &mut sought).unwrap();
        assert_eq!(format!("{sought:?}"), format!("{record:?}"), "{name}: last frame");
    }
}
