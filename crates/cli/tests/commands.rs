//! The program as a person or a script meets it.

use assert_cmd::Command;
use predicates::prelude::*;
use std::fs;
use std::path::Path;

pub(crate) fn carom() -> Command {
    Command::cargo_bin("carom").unwrap()
}

pub(crate) const FALL: &str = r#"<scene>
  <description text="Two stones"/>
  <duration time="0.28"/>
  <integrator type="symplectic-euler" dt="0.01"/>
  <particle m="1" px="0" py="1" vx="1" vy="0" fixed="0"/>
  <particle m="2" px="5" py="1" vx="0" vy="0" fixed="0"/>
  <simplegravity fx="0" fy="-10"/>
</scene>
"#;

pub(crate) fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn run_prints_a_summary_that_a_person_can_read() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    carom().args(["run", &scene]).assert().success().stdout(
        predicate::str::contains("steps")
            .and(predicate::str::contains("28 of 28"))
            .and(predicate::str::contains("energy"))
            .and(predicate::str::contains("momentum"))
            .and(predicate::str::contains("largest drift"))
            .and(predicate::str::contains("\u{1b}").not()),
    );
}

#[test]
fn run_gives_json_to_programs() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let output = carom().args(["run", &scene, "--json"]).assert().success().get_output().stdout.clone();
    let summary: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(summary["steps"], 28);
    assert_eq!(summary["bodies"], 2);
    assert_eq!(summary["end"], "finished");
    assert_eq!(summary["momentum_start"][0], 1.0);
}

#[test]
fn course_counts_steps_as_the_course_does() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let output =
        carom().args(["run", &scene, "--json", "--course"]).assert().success().get_output().stdout.clone();
    let summary: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(summary["steps"], 29, "0.28/0.01 is 28.000000000000004 in floating point");
}

#[test]
fn steps_until_and_every_are_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    for (flags, steps, frames) in [
        (&["--steps", "7"][..], 7, 8),
        (&["--until", "0.1"][..], 10, 11),
        (&["--steps", "10", "--every", "4"][..], 10, 4),
    ] {
        let output = carom()
            .args(["run", &scene, "--json"])
            .args(flags)
            .assert()
            .success()
            .get_output()
            .stdout
            .clone();
        let summary: serde_json::Value = serde_json::from_slice(&output).unwrap();
        assert_eq!(
            (summary["steps"].as_u64(), summary["frames"].as_u64()),
            (Some(steps), Some(frames)),
            "{flags:?}"
        );
    }
}

#[test]
fn formats_are_guessed_from_the_ending_and_files_appear_whole() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    for ending in ["carom", "bin", "npz", "csv"] {
        let out = folder.path().join(format!("out.{ending}"));
        carom().args(["run", &scene, "--quiet", "-o"]).arg(&out).assert().success().stdout("");
        assert!(fs::metadata(&out).unwrap().len() > 0, "{ending}");
        assert!(!folder.path().join(format!("out.{ending}.part")).exists(), "{ending}");
    }
    // 29 records of four pairs of doubles.
    assert_eq!(fs::metadata(folder.path().join("out.bin")).unwrap().len(), 29 * 8 * 8);
    carom()
        .args(["run", &scene, "-o", "out.dat"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("--format"));
}

#[test]
fn an_unwritable_folder_is_a_clear_error_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let out = folder.path().join("missing/out.carom");
    carom()
        .args(["run", &scene, "-o"])
        .arg(&out)
        .assert()
        .code(2)
        .stderr(predicate::str::contains("missing"));
}

#[test]
fn every_problem_of_a_scene_is_reported_at_once_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(
        folder.path(),
        "bad.xml",
        "<scene>\n  <duration time=\"1\"/>\n  <integrator type=\"rk5\" dt=\"0\"/>\n  <particle m=\"1\" px=\"x\" py=\"0\" vx=\"0\" vy=\"0\" fixed=\"0\"/>\n</scene>\n",
    );
    carom().args(["check", &scene]).assert().code(1).stdout(
        predicate::str::contains("bad.xml:3")
            .and(predicate::str::contains("bad.xml:4"))
            .and(predicate::str::contains("rk4"))
            .and(predicate::str::contains("dt")),
    );
    carom().args(["run", &scene]).assert().code(1).stderr(predicate::str::contains("bad.xml:4"));
    let output = carom().args(["check", "--json", &scene]).assert().code(1).get_output().stdout.clone();
    let report: serde_json::Value = serde_json::from_slice(&output).unwrap();
    let lines: Vec<u64> =
        report[0]["problems"].as_array().unwrap().iter().filter_map(|p| p["line"].as_u64()).collect();
    assert_eq!(lines, [3, 3, 4]);
}

#[test]
fn unknown_tags_are_errors_and_those_about_looks_only_when_strict() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", &FALL.replace("</scene>", "<partcle/></scene>"));
    carom().args(["check", &scene]).assert().code(1).stdout(predicate::str::contains("particle"));
    carom().args(["run", "--quiet", &scene]).assert().code(1);
    carom().args(["run", "--quiet", "--course", &scene]).assert().success();
    let scene = write(folder.path(), "fog.xml", &FALL.replace("</scene>", "<fogcolor/></scene>"));
    carom().args(["run", "--quiet", &scene]).assert().success();
    carom().args(["run", "--quiet", "--strict", &scene]).assert().code(1);
}

#[test]
fn info_and_convert_work_on_scenes_and_trajectories() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let run = folder.path().join("run.carom").to_str().unwrap().to_owned();
    let course = folder.path().join("run.bin").to_str().unwrap().to_owned();
    carom().args(["run", &scene, "-q", "-o", &run]).assert().success();
    carom().args(["run", &scene, "-q", "-o", &course]).assert().success();
    carom()
        .args(["info", &scene])
        .assert()
        .success()
        .stdout(predicate::str::contains("forward-backward-euler"));
    carom().args(["info", &run]).assert().success().stdout(predicate::str::contains("29"));
    carom().args(["info", &course]).assert().code(2).stderr(predicate::str::contains("--scene"));
    carom()
        .args(["info", &course, "--scene", &scene])
        .assert()
        .success()
        .stdout(predicate::str::contains("29"));
    let back = folder.path().join("back.bin").to_str().unwrap().to_owned();
    carom().args(["convert", &run, &back]).assert().success();
    assert_eq!(fs::read(&back).unwrap(), fs::read(&course).unwrap());
    let forth = folder.path().join("forth.carom").to_str().unwrap().to_owned();
    carom().args(["convert", &course, &forth, "--scene", &scene]).assert().success();
    carom().args(["compare", &forth, &run]).assert().success();
    let normal = folder.path().join("normal.xml").to_str().unwrap().to_owned();
    carom().args(["convert", &scene, &normal]).assert().success();
    let again = folder.path().join("again.xml").to_str().unwrap().to_owned();
    carom().args(["convert", &normal, &again]).assert().success();
    assert_eq!(fs::read(&normal).unwrap(), fs::read(&again).unwrap());
}

#[test]
fn a_planted_error_is_found_with_its_frame() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let reference = folder.path().join("reference.bin");
    carom().args(["run", &scene, "-q", "-o"]).arg(&reference).assert().success();
    carom()
        .args(["compare", &scene])
        .arg(&reference)
        .assert()
        .success()
        .stdout(predicate::str::contains("pass"));
    let mut bytes = fs::read(&reference).unwrap();
    // Record 17, second particle, y: 8 doubles a record.
    let at = (17 * 8 + 3) * 8;
    let y = f64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    bytes[at..at + 8].copy_from_slice(&(y + 1e-6).to_le_bytes());
    fs::write(&reference, bytes).unwrap();
    let output = carom()
        .args(["compare", "--json", &scene])
        .arg(&reference)
        .assert()
        .code(1)
        .get_output()
        .stdout
        .clone();
    let verdict: serde_json::Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(verdict["pass"], false);
    assert_eq!(verdict["first_difference"]["frame"], 17, "{verdict:#}");
    assert_eq!(verdict["first_difference"]["body"], 1);
}

#[test]
fn the_oracle_speaks_as_the_course_does() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    carom()
        .current_dir(&folder)
        .args(["oracle", "-s", &scene, "-o", "mine.bin", "-d", "0", "-p", "0"])
        .assert()
        .success();
    let grade =
        || carom().current_dir(&folder).args(["oracle", "-s", &scene, "-i", "mine.bin", "-d", "0"]).assert();
    grade().success().stdout(
        predicate::str::contains("Accumulated Position Residual: 0   Passed.")
            .and(predicate::str::contains("Overall success: Passed.")),
    );
    let residual = fs::read_to_string(folder.path().join("residual.txt")).unwrap();
    assert_eq!(residual.lines().filter(|l| l.starts_with("1   ")).count(), 4, "{residual}");
    let mut bytes = fs::read(folder.path().join("mine.bin")).unwrap();
    bytes[10 * 64 + 6] ^= 0x10;
    fs::write(folder.path().join("mine.bin"), &bytes).unwrap();
    grade().success().stdout(predicate::str::contains("Overall success: Failed."));
    bytes.truncate(100);
    fs::write(folder.path().join("mine.bin"), &bytes).unwrap();
    grade().code(1);
    carom().args(["oracle", "-o", "x.bin"]).assert().code(1);
}

#[test]
fn help_has_examples_and_the_shell_is_served() {
    for command in ["run", "check", "info", "convert", "compare", "oracle", "completions"] {
        carom().args(["help", command]).assert().success().stdout(predicate::str::contains("Examples:"));
    }
    carom().args(["completions", "bash"]).assert().success().stdout(predicate::str::contains("carom"));
    carom()
        .arg("man")
        .assert()
        .success()
        .stdout(predicate::str::contains(".TH").and(predicate::str::contains("resume")));
    carom()
        .arg("--version")
        .assert()
        .success()
        .stdout(predicate::str::is_match(r"carom \d+\.\d+\.\d+ \(.+\)").unwrap());
}

#[test]
fn carom_alone_runs_the_built_in_scene_twice_in_a_row() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        carom().current_dir(&folder).assert().success().stdout(predicate::str::contains("carom-out"));
        assert!(folder.path().join("carom-out/break.carom").exists());
    }
    // A scene that was edited there used to be overwritten without a word.
    let scene = folder.path().join("carom-out/break.xml");
    fs::write(&scene, FALL).unwrap();
    carom().current_dir(&folder).assert().success().stderr(predicate::str::contains("left as it is"));
    assert_eq!(fs::read_to_string(&scene).unwrap(), FALL);
}
