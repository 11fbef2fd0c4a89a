//! What commands refuse, what they compare, and how they end.

use crate::commands::{FALL, carom, write};
use assert_cmd::Command;
use predicates::prelude::*;
use std::fs;
use std::path::Path;

/// Steps between kept frames used to be left out of the summary: a step that did not converge was
/// silent under `--every`.
#[test]
fn the_summary_counts_every_step_whatever_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let bounce = FALL.replace(
        "</scene>",
        "<halfplane px=\"0\" py=\"0.9\" nx=\"0\" ny=\"1\"/><collision type=\"simple\"/></scene>",
    );
    let scene = write(folder.path(), "bounce.xml", &bounce);
    let summary = |every: &str| -> serde_json::Value {
        let out = carom()
            .args(["run", &scene, "--json", "--every", every])
            .assert()
            .success()
            .get_output()
            .stdout
            .clone();
        serde_json::from_slice(&out).unwrap()
    };
    let (all, few) = (summary("1"), summary("100"));
    assert!(all["contacts"].as_u64().unwrap() > 0);
    for key in ["contacts", "most_contacts", "iterations", "steps"] {
        assert_eq!(all[key], few[key], "{key}");
    }
}

/// A part that is beyond the end that was asked for used to be published as whole.
#[test]
fn resuming_goes_on_with_short_files_and_refuses_long_ones() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let (whole, short) = (folder.path().join("whole.carom"), folder.path().join("short.carom"));
    carom().args(["run", &scene, "-q", "-o"]).arg(&whole).assert().success();
    carom().args(["run", &scene, "-q", "--steps", "5", "-o"]).arg(&short).assert().success();
    carom().args(["run", &scene, "-q", "--resume", "-o"]).arg(&short).assert().success();
    assert_eq!(fs::read(&short).unwrap(), fs::read(&whole).unwrap(), "a short file is gone on with");
    fs::rename(&whole, folder.path().join("long.carom.part")).unwrap();
    carom()
        .args(["run", &scene, "--resume", "--steps", "5", "-o"])
        .arg(folder.path().join("long.carom"))
        .assert()
        .code(2)
        .stderr(predicate::str::contains("step 28 already"));
}

#[test]
fn odd_options_are_refused_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let target = folder.path().join("folder.carom");
    fs::create_dir(&target).unwrap();
    carom()
        .args(["run", &scene, "-o"])
        .arg(&target)
        .assert()
        .code(2)
        .stderr(predicate::str::contains("not a regular file"));
    assert!(!folder.path().join("folder.carom.part").exists());
    carom().args(["run", &scene, "--threads", "100000"]).assert().code(2);
    carom()
        .args(["run", &scene, "--until", "1e300"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("more than can be counted"));
    carom()
        .args(["compare", &scene, &scene, "--tolerance", "nan"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("--tolerance"));
    carom().args(["convert", &scene, "scene.npz"]).assert().code(2).stderr(predicate::str::contains(".xml"));
}

/// A quiet run to a course file leaves out what the file does not hold; the file is the same.
#[test]
fn a_quiet_course_run_writes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let (quiet, loud) = (folder.path().join("quiet.bin"), folder.path().join("loud.bin"));
    carom().args(["run", &scene, "--quiet", "-o"]).arg(&quiet).assert().success();
    carom().args(["run", &scene, "-o"]).arg(&loud).assert().success();
    assert_eq!(fs::read(&quiet).unwrap(), fs::read(&loud).unwrap());
}

#[test]
fn info_looks_at_every_frame_and_convert_tells_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let whole = folder.path().join("a.carom");
    carom().args(["run", &scene, "--quiet", "-o"]).arg(&whole).assert().success();
    let mut bytes = fs::read(&whole).unwrap();
    let middle = bytes.len() / 2;
    let cut = folder.path().join("cut.carom");
    fs::write(&cut, &bytes[..middle]).unwrap();
    bytes[middle] ^= 4;
    let flipped = folder.path().join("flipped.carom");
    fs::write(&flipped, &bytes).unwrap();
    carom().arg("info").arg(&whole).assert().success().stdout(predicate::str::contains("whole"));
    carom().arg("info").arg(&flipped).assert().failure().stderr(predicate::str::contains("frame"));
    let table = folder.path().join("a.csv");
    let reported = predicate::str::contains("cut.carom is cut off; its ");
    carom().arg("convert").args([&cut, &table]).assert().success().stderr(reported);
    carom().arg("convert").args([&whole, &table]).assert().success().stderr("");
    let longer = predicate::str::contains("fail: one is longer, and the same bits as far as both go");
    carom().arg("compare").args([&whole, &cut]).assert().failure().stdout(longer);
}

#[test]
fn a_missing_folder_is_named_once() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let target = folder.path().join("nowhere").join("a.carom");
    let once =
        predicate::str::contains("No such file").count(1).and(predicate::str::contains(".carom-").not());
    carom().args(["run", &scene, "-o"]).arg(&target).assert().failure().stderr(once);
}

#[test]
fn bytes_that_are_not_utf8_are_latin1_for_the_course_alone() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("caf\u{e9}.xml");
    let mut text = FALL.replace("Two stones", "Caf?").into_bytes();
    let at = text.iter().position(|byte| *byte == b'?').unwrap();
    text[at] = 0xe9;
    fs::write(&scene, &text).unwrap();
    carom().arg("check").arg(&scene).assert().failure().stderr(predicate::str::contains("save it as UTF-8"));
    let course = carom().args(["info", "--course"]).arg(&scene).assert().success();
    course.stdout(predicate::str::contains("Caf\u{e9}"));
}

#[test]
fn methods_counts_steps_as_run_does() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    for command in ["run", "methods"] {
        let refused = predicate::str::contains("more than can be counted");
        carom().args([command, &scene, "--until", "1e300"]).assert().failure().stderr(refused);
    }
    carom()
        .args(["run", &scene, "--format", "npz"])
        .assert()
        .failure()
        .stderr(predicate::str::contains("--output"));
}

#[test]
fn methods_knows_what_the_course_knows() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let rows = |course: &[&str]| {
        let output = carom().args(["methods", &scene, "--json"]).args(course).assert().success();
        let table: serde_json::Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
        let names =
            table["methods"].as_array().unwrap().iter().map(|row| row["method"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(rows(&["--course"]), ["none", "simple", "penalty", "continuous-time", "hybrid"]);
    assert_eq!(rows(&[]).len(), 12);
}

#[test]
fn exports_are_not_taken_for_course_files() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    for name in ["a.npz", "a.csv"] {
        let export = folder.path().join(name);
        carom().args(["run", &scene, "--quiet", "-o"]).arg(&export).assert().success();
        let reported = predicate::str::contains("is an export for other programs");
        carom().args(["info", "--scene", &scene]).arg(&export).assert().code(2).stderr(reported);
    }
}

#[test]
fn energies_beyond_the_largest_number_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let huge = FALL.replace("px=\"0\"", "px=\"1e300\"").replace("vx=\"1\"", "vx=\"1e200\"");
    let scene = write(folder.path(), "huge.xml", &huge);
    carom().args(["run", &scene]).assert().stderr(predicate::str::contains("beyond the largest number"));
}

/// What the course's grader does not look at, and `compare` does: the first frame, frames beyond
/// the duration, the energies of the last frame.
#[test]
fn compare_looks_where_the_oracle_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let file = folder.path().join("run.bin");
    let make = |text: &str| {
        let other = write(folder.path(), "other.xml", text);
        carom().args(["run", "--course", "--quiet", &other, "-o"]).arg(&file).assert().success();
    };
    let judge = |scene: &str, what: &str| {
        let passed = predicate::str::contains("Overall success: Passed");
        carom()
            .current_dir(&folder)
            .args(["oracle", "-s", scene, "-d", "0", "-i"])
            .arg(&file)
            .assert()
            .stdout(passed);
        let compared = carom().args(["compare", "--course", scene]).arg(&file).assert();
        assert!(!compared.get_output().status.success(), "{what}");
    };
    make(&FALL.replace("px=\"0\"", "px=\"0.5\""));
    judge(&scene, "it begins elsewhere and goes on rightly from there");

    make(&FALL.replace("0.28", "0.5"));
    add_to_last_number(&file, 1.0);
    judge(&scene, "the last frame, far beyond the duration, is wrong");

    let body = r#"<scene><simtype type="rigid-body"/><duration time="0.1"/><rigidbodyintegrator type="symplectic-euler" dt="0.01"/>
        <rigidbodyvertex x="0" y="0" m="1"/><rigidbodyvertex x="1" y="0" m="1"/><rigidbodyvertex x="0" y="1" m="1"/>
        <rigidbody p="0" p="1" p="2" vx="1" vy="0" omega="1" r="0.1"/><rigidbodygravityforce fx="0" fy="-10"/></scene>"#;
    // Rigid files were compared with their own start.
    make(&body.replace("x=\"0\" y=\"0\"", "x=\"0.001\" y=\"0\""));
    let elsewhere = write(folder.path(), "body.xml", body);
    carom().args(["compare", "--course", &elsewhere]).arg(&file).assert().code(1);

    make(body);
    add_to_last_number(&file, 1.0);
    judge(&write(folder.path(), "body.xml", body), "the potential energy of the last frame is wrong");
}

fn add_to_last_number(file: &Path, change: f64) {
    let mut bytes = fs::read(file).unwrap();
    let at = bytes.len() - 8;
    let number = f64::from_le_bytes(bytes[at..].try_into().unwrap()) + change;
    bytes[at..].copy_from_slice(&number.to_le_bytes());
    fs::write(file, bytes).unwrap();
}

#[test]
fn exit_codes_tell_no_from_cannot_say() {
    let place = tempfile::tempdir().unwrap();
    let code = |words: &[&str]| {
        let assert = Command::cargo_bin("carom").unwrap().current_dir(place.path()).args(words).assert();
        assert.get_output().status.code()
    };
    fs::write(place.path().join("bad.xml"), "<scene><particle/></scene>").unwrap();
    assert_eq!(code(&["check", "bad.xml"]), Some(1));
    assert_eq!(code(&["check", "nosuch.xml"]), Some(2));
    assert_eq!(code(&["oracle", "--version"]), Some(0));
}

#[test]
fn what_is_read_is_not_written_over() {
    let place = tempfile::tempdir().unwrap();
    let scene =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/newtons-cradle.xml"))
            .unwrap();
    fs::write(place.path().join("a.xml"), &scene).unwrap();
    let refused = |words: &[&str], reason: &str| {
        let assert = Command::cargo_bin("carom").unwrap().current_dir(place.path()).args(words).assert();
        assert.code(2).stderr(predicate::str::contains(reason.to_owned()));
    };
    refused(&["run", "a.xml", "-o", "a.xml", "--format", "carom"], "is what is read");
    refused(&["report", "a.xml", "-o", "./a.xml"], "is what is read");
    refused(&["run", "a.xml", "-o", "-", "--format", "csv"], "not to standard output");
    assert_eq!(fs::read_to_string(place.path().join("a.xml")).unwrap(), scene);
    let run = ["run", "a.xml", "-o", "a.carom", "--steps", "3", "--quiet"];
    Command::cargo_bin("carom").unwrap().current_dir(place.path()).args(run).assert().success();
    refused(&["run", "a.carom"], "a stored run, not a scene");
    refused(&["run", "a.xml", "--steps", "-1"], "invalid value '-1'");
    refused(&["render", "a.xml", "-o", "a.mp4", "--size", "2"], "built-in encoder");
}

/// A verdict stands even when nobody reads it to the end.
#[cfg(unix)]
#[test]
fn a_closed_pipe_does_not_turn_no_into_yes() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("bad.xml"), "<scene><particle/></scene>").unwrap();
    let script =
        format!("{} check --json bad.xml | true; exit ${{PIPESTATUS[0]}}", env!("CARGO_BIN_EXE_carom"));
    for _ in 0..20 {
        let status = std::process::Command::new("bash")
            .args(["-c", &script])
            .current_dir(place.path())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(1));
    }
}
