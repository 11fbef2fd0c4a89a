//! `carom convert`: how its output is named, and what becomes of a course file.

use assert_cmd::Command;
use predicates::prelude::*;
use std::fs;

const FALL: &str = r#"<scene>
  <duration time="0.05"/>
  <integrator type="symplectic-euler" dt="0.01"/>
  <particle m="2" px="0" py="1" vx="3" vy="0" fixed="0" radius="0.01"/>
  <simplegravity fx="0.0" fy="-10"/>
</scene>
"#;

struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with a scene and a run of it in two formats.
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        fs::write(folder.path("fall.xml"), FALL).unwrap();
        folder.carom(&["run", "-q", "fall.xml", "-o", "run.carom"]).success();
        folder.carom(&["run", "-q", "fall.xml", "-o", "run.bin"]).success();
        folder
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn carom(&self, arguments: &[&str]) -> assert_cmd::assert::Assert {
        Command::cargo_bin("carom").unwrap().current_dir(self.0.path()).args(arguments).assert()
    }
}

/// `run` and `render` take `-o`; `convert` used to take it for a mistake.
#[test]
fn the_output_is_named_by_place_or_by_flag() {
    let folder = Folder::new();
    folder.carom(&["convert", "run.carom", "place.csv"]).success();
    for (words, name) in [
        (&["convert", "run.carom", "-o", "short.csv"][..], "short.csv"),
        (&["convert", "--output", "long.csv", "run.carom"], "long.csv"),
        (&["convert", "run.carom", "-o", "asked.txt", "--format", "csv"], "asked.txt"),
    ] {
        folder.carom(words).success();
        assert_eq!(folder.read(name), folder.read("place.csv"), "{words:?}");
    }
    folder.carom(&["convert", "run.carom"]).code(2).stderr(predicate::str::contains("<OUTPUT>"));
    folder
        .carom(&["convert", "run.carom", "a.csv", "-o", "b.csv"])
        .code(2)
        .stderr(predicate::str::contains("cannot be used with"));
    assert!(!folder.path("a.csv").exists() && !folder.path("b.csv").exists());
}

#[test]
fn what_is_read_is_not_written_over() {
    let folder = Folder::new();
    let before = (folder.read("run.carom"), folder.read("fall.xml"));
    for words in [
        &["convert", "run.carom", "-o", "run.carom"][..],
        &["convert", "fall.xml", "fall.xml"],
        &["convert", "run.bin", "fall.xml", "--format", "csv", "--scene", "fall.xml"],
    ] {
        folder.carom(words).code(2).stderr(predicate::str::contains("another name"));
    }
    folder
        .carom(&["convert", "run.carom", "-o", "-", "--format", "csv"])
        .code(2)
        .stderr(predicate::str::contains("give a name"));
    assert!(before == (folder.read("run.carom"), folder.read("fall.xml")));
}

/// Tables of a course file used to have no energies, although its scene tells them; a `.carom` file
/// of it had them.
#[test]
fn energies_of_a_course_file_are_in_every_format() {
    let folder = Folder::new();
    folder.carom(&["convert", "run.bin", "--scene", "fall.xml", "-o", "course.csv"]).success();
    let table = String::from_utf8(folder.read("course.csv")).unwrap();
    let mut rows = table.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let titles = rows.next().unwrap();
    let place = |name: &str| titles.iter().position(|title| *title == name).unwrap();
    let mut steps = 0;
    for row in rows {
        // symplectic Euler: v = −g k h, y = 1 − g h² k (k + 1) / 2
        let k: f64 = row[place("step")].parse().unwrap();
        let (speed, height) = (-0.1 * k, 1.0 - 0.001 * k * (k + 1.0) / 2.0);
        let energy: f64 = row[place("energy")].parse().unwrap();
        assert!((energy - (9.0 + speed * speed + 20.0 * height)).abs() < 1e-12, "step {k}: {energy}");
        assert_eq!(row[place("largest_island")], "", "not known");
        steps += 1;
    }
    assert_eq!(steps, 6);
}

/// `convert` of a course file and `oracle` wrote over the journal of an interrupted run of the same
/// output, and a `convert` that failed left a journal of its own.
#[test]
fn the_journal_of_an_interrupted_run_is_not_touched() {
    let folder = Folder::new();
    let kept = folder.read("run.carom");
    let part = |name: &str| folder.path(&format!("{name}.part"));
    let course = folder.read("run.bin");
    fs::write(folder.path("short.bin"), &course[..course.len() - 8]).unwrap();
    for name in ["out.carom", "out.bin", "out.csv", "failed.csv"] {
        fs::write(part(name), &kept).unwrap();
    }
    folder.carom(&["convert", "run.bin", "out.carom", "--scene", "fall.xml"]).success();
    folder.carom(&["convert", "run.bin", "out.csv", "--scene", "fall.xml"]).success();
    folder.carom(&["oracle", "-s", "fall.xml", "-o", "out.bin", "-d", "0", "-p", "0"]).success();
    for name in ["failed.csv", "new.csv", "new.npz"] {
        folder.carom(&["convert", "short.bin", name, "--scene", "fall.xml"]).code(2);
        assert!(!folder.path(name).exists(), "{name}");
    }
    for name in ["out.carom", "out.bin", "out.csv", "failed.csv"] {
        assert!(fs::read(part(name)).is_ok_and(|bytes| bytes == kept), "{name}");
    }
    assert!(folder.read("out.bin") == course);
    let names = fs::read_dir(folder.path(".")).unwrap().map(|entry| entry.unwrap().file_name());
    let left = names.filter(|name| name.to_string_lossy().starts_with(['.', 'n'])).count();
    assert_eq!(left, 0, "temporary files are left");
    // and what was kept is gone on with
    folder.carom(&["run", "-q", "fall.xml", "-o", "failed.csv", "--resume"]).success();
    assert!(folder.path("failed.csv").exists());
}
