//! The program as a person or a script meets it.

use assert_cmd::Command;
use predicates::prelude::*;
use std::fs;
use std::path::Path;

fn carom() -> Command {
    Command::cargo_bin("carom").unwrap()
}

const FALL: &str = r#"<scene>
  <description text="Two stones"/>
  <duration time="0.28"/>
  <integrator type="symplectic-euler" dt="0.01"/>
  <particle m="1" px="0" py="1" vx="1" vy="0" fixed="0"/>
  <particle m="2" px="5" py="1" vx="0" vy="0" fixed="0"/>
  <simplegravity fx="0" fy="-10"/>
</scene>
"#;

fn write(folder: &Path, name: &str, text: &str) -> String {
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

/// Steps between kept frames used to be left out of the summary: a step that did not converge was silent under `--every`.
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
    let told = predicate::str::contains("cut.carom is cut off; its ");
    carom().arg("convert").args([&cut, &table]).assert().success().stderr(told);
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
        let told = predicate::str::contains("is an export for other programs");
        carom().args(["info", "--scene", &scene]).arg(&export).assert().code(2).stderr(told);
    }
}

#[test]
fn energies_beyond_the_largest_number_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let huge = FALL.replace("px=\"0\"", "px=\"1e300\"").replace("vx=\"1\"", "vx=\"1e200\"");
    let scene = write(folder.path(), "huge.xml", &huge);
    carom().args(["run", &scene]).assert().stderr(predicate::str::contains("beyond the largest number"));
}

/// What the course's grader does not look at, and `compare` does: the first frame, frames beyond the duration, the energies of the last frame.
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
