//! Every scene of the conformance corpus is read, in both modes. Without the corpus this prints a
//! line and passes.

#![allow(clippy::print_stderr, reason = "a skipped test says that it was skipped")]

use carom_scene::{ReadOptions, Reading, read, write};
use std::path::{Path, PathBuf};

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("CAROM_CONFORMANCE").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance"),
        PathBuf::from,
    );
    let scenes = folder.join("scenes");
    if scenes.is_dir() {
        return Some(scenes);
    }
    eprintln!("skipped: no conformance corpus in {}", folder.display());
    None
}

fn scenes_under(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            scenes_under(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "xml") {
            found.push(path);
        }
    }
}

fn each_scene(mut examine: impl FnMut(&Path, &str)) {
    let Some(folder) = corpus() else { return };
    let mut found = Vec::new();
    scenes_under(&folder, &mut found);
    found.sort();
    assert!(!found.is_empty(), "the corpus has no scenes");
    for path in found {
        examine(&path, &std::fs::read_to_string(&path).unwrap());
    }
}

fn complaint(path: &Path, reading: &Reading) -> String {
    format!("{}: {:#?}", path.display(), reading.problems)
}

#[test]
fn course_mode_reads_every_scene() {
    each_scene(|path, text| {
        let reading = read(text, &ReadOptions { course: true, strict: false });
        assert!(reading.scene.is_some(), "{}", complaint(path, &reading));
    });
}

#[test]
fn default_mode_reads_every_scene_alike() {
    each_scene(|path, text| {
        let reading = read(text, &ReadOptions::default());
        assert!(reading.scene.is_some(), "{}", complaint(path, &reading));
        let course = read(text, &ReadOptions { course: true, strict: false });
        assert_eq!(reading.scene, course.scene, "{}", path.display());
    });
}

#[test]
fn every_scene_survives_writing_and_reading() {
    each_scene(|path, text| {
        let scene = read(text, &ReadOptions::default()).scene.unwrap();
        let again = read(&write(&scene), &ReadOptions { course: false, strict: true });
        assert_eq!(again.scene.as_ref(), Some(&scene), "{}", complaint(path, &again));
    });
}
