//! What contact did, as every command tells it; runs that are resumed, and files of the format
//! before.

use assert_cmd::Command;
use predicates::prelude::*;
use std::fs;
use std::path::Path;

fn carom() -> Command {
    Command::cargo_bin("carom").unwrap()
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Two discs that meet head on above a floor that they then fall onto.
const MEETING: &str = r#"<scene>
  <simtype type="rigid-body"/>
  <duration time="0.6"/>
  <rigidbodyintegrator type="explicit-euler" dt="0.01"/>
  <rigidbodycollisionhandling detection="all-pairs" response="gr-lcp" COR="0.5"/>
  <rigidbodyvertex x="-9" y="0" m="1"/><rigidbodyvertex x="9" y="0" m="1"/>
  <rigidbody p="0" p="1" vx="0" vy="0" omega="0" r="0.1" fixed="1"/>
  <rigidbodydisc x="0" y="0.9" radius="0.5" m="2" vx="1.5"/>
  <rigidbodydisc x="1.05" y="0.9" radius="0.5" m="3" vx="-0.5"/>
  <rigidbodygravityforce fx="0" fy="-10"/>
</scene>
"#;

fn json(arguments: &[&str]) -> serde_json::Value {
    let out = carom().args(arguments).assert().success().get_output().stdout.clone();
    serde_json::from_slice(&out).unwrap()
}

/// The summary of a resumed run used to count the frames, and all else, of what was left to do
/// only.
#[test]
fn a_resumed_run_is_summed_up_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "meeting.xml", MEETING);
    let file = |name: &str| folder.path().join(name).display().to_string();
    for every in ["1", "7"] {
        let (whole, short) = (file("whole.carom"), file(&format!("short{every}.carom")));
        let unbroken = json(&["run", &scene, "--json", "--every", every, "-o", &whole]);
        json(&["run", &scene, "--json", "--every", every, "--steps", "28", "-o", &short]);
        let resumed = json(&["run", &scene, "--json", "--every", every, "--resume", "-o", &short]);
        assert_eq!(fs::read(&short).unwrap(), fs::read(&whole).unwrap(), "the bytes of an unbroken run");
        assert!(
            unbroken["contacts"].as_u64().unwrap() > 0 && unbroken["impacts"]["steps"].as_u64().unwrap() > 0
        );
        assert_eq!(resumed["frames"], if every == "1" { 61 } else { 10 });
        assert_eq!(resumed["resumed_from"], 28);
        assert_eq!(
            resumed["counted_from"].as_u64(),
            (every != "1").then_some(28),
            "steps between frames are not known"
        );
        let of_frames = |key: &str| {
            ["frames", "hash", "steps", "time", "deepest_penetration"].contains(&key)
                || ["energy_", "momentum_", "angular_momentum_"].iter().any(|start| key.starts_with(start))
        };
        let of_this_run =
            ["output", "seconds", "steps_per_second", "steps_run", "resumed_from", "counted_from"];
        for (key, value) in unbroken.as_object().unwrap() {
            if (every == "1" && !of_this_run.contains(&key.as_str())) || of_frames(key) {
                assert_eq!(&resumed[key], value, "--every {every}: {key}");
            }
        }
    }
}

/// A 3D run at a frame rate of its steps used to count from where it was resumed, although
/// every step has a frame.
#[test]
fn a_resumed_run_in_space_is_summed_up_as_a_whole_where_every_step_has_a_frame() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    for (fps, every_step) in [("100", true), ("1000", true), ("25", false)] {
        let text = format!(
            "<scene><simtype type=\"rigid-body-3d\"/><duration time=\"0.6\"/><rigidbody3doutput fps=\"{fps}\"/>\
             <rigidbody3dintegrator type=\"symplectic-euler\" dt=\"0.01\"/><rigidbody3dhalfspace nz=\"1\"/>\
             <rigidbody3dsphere x=\"0\" y=\"0\" z=\"0.7\" radius=\"0.5\" m=\"2\" omegax=\"1\"/>\
             <rigidbody3dgravityforce fx=\"0\" fy=\"0\" fz=\"-10\"/><rigidbody3dcollisionhandling response=\"lcp\" COR=\"0.5\"/></scene>"
        );
        let scene = write(folder.path(), "bounce.xml", &text);
        let (whole, short) = (file(&format!("whole{fps}.carom")), file(&format!("short{fps}.carom")));
        let unbroken = json(&["run", &scene, "--json", "-o", &whole]);
        json(&["run", &scene, "--json", "--steps", "28", "-o", &short]);
        let resumed = json(&["run", &scene, "--json", "--resume", "-o", &short]);
        assert_eq!(resumed["counted_from"].as_u64(), (!every_step).then_some(28), "{fps} frames a second");
        let [all, rest] = [&unbroken, &resumed].map(|run| run["contacts"].as_u64().unwrap());
        assert!(if every_step { all == rest } else { all > rest }, "{fps} frames a second: {all} and {rest}");
        assert_eq!(resumed["impacts"] == unbroken["impacts"], every_step, "{fps} frames a second");
    }
}

/// Two discs of 2 and 3 at a closing speed of 2 lose ½ (1 − ¼) 6/5 · 4 = 1.8; the floor stops and
/// turns the fall of 5.
#[test]
fn impacts_are_reported_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let text = MEETING.replace("<rigidbodygravityforce fx=\"0\" fy=\"-10\"/>", "");
    let scene = write(folder.path(), "meeting.xml", &text);
    let file = |name: &str| folder.path().join(name).display().to_string();
    let check = |impacts: &serde_json::Value, what: &str| {
        assert_eq!(impacts["most_contact_rows"], 1, "{what}: {impacts}");
        assert_eq!(impacts["steps"], 1, "{what}: {impacts}");
        assert_eq!(impacts["largest_island"], 1, "{what}");
        assert!((impacts["energy_change"].as_f64().unwrap() + 1.8).abs() < 1e-12, "{what}: {impacts}");
        assert!(impacts["largest_momentum_change"].as_f64().unwrap() < 1e-13, "{what}: {impacts}");
    };
    let out = file("run.carom");
    check(&json(&["run", &scene, "--json", "-o", &out])["impacts"], "run");
    check(&json(&["info", &out, "--json"])["impacts"], "info");
    carom().args(["info", &out]).assert().success().stdout(predicate::str::contains("energy change -1.8"));
    carom().args(["convert", &out, &file("run.csv")]).assert().success();
    let table = fs::read_to_string(file("run.csv")).unwrap();
    let column = |row: &str, name: &str| {
        let place = table.lines().next().unwrap().split(',').position(|title| title == name).unwrap();
        row.split(',').nth(place).unwrap().parse::<f64>().unwrap()
    };
    let rows: Vec<&str> = table.lines().filter(|row| row.contains(",1,1,0,")).collect();
    assert_eq!(rows.len(), 1, "one step pushed: {table}");
    let (before, after) = (column(rows[0], "kinetic_before"), column(rows[0], "kinetic_after"));
    assert!((before - 2.625).abs() < 1e-12 && (after - 0.825).abs() < 1e-12, "{before} {after}");
    for topic in ["impact-energy", "problem-size"] {
        let plot = file(&format!("{topic}.svg"));
        carom().args(["plot", &out, "--topic", topic, "-o", &plot]).assert().success();
        let curves = fs::read_to_string(&plot).unwrap();
        let label = if topic == "impact-energy" { ">after<" } else { ">rows of A<" };
        assert!(curves.contains("<polyline") && curves.contains(label), "{topic}: {curves}");
    }
    // a method without impulses does not say, and does not say zero
    let penalty =
        text.replace("response=\"gr-lcp\" COR=\"0.5\"", "response=\"penalty\" k=\"100\" thickness=\"0.1\"");
    let scene = write(folder.path(), "penalty.xml", &penalty);
    let run = json(&["run", &scene, "--json", "-o", &file("penalty.carom")]);
    assert!(
        run["impacts"]["energy_change"].is_null() && run["impacts"]["most_contact_rows"].is_null(),
        "{run}"
    );
    assert!(json(&["info", &file("penalty.carom"), "--json"])["impacts"].is_null());
}

/// A file of the format before this one can be read, and is not touched by `--resume`.
#[test]
fn files_of_the_older_format_are_read_and_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("../trajectory/tests/data/version_1.carom");
    let bytes = fs::read(&old).unwrap();
    let old = folder.path().join("old.carom");
    fs::write(&old, &bytes).unwrap();
    let old = old.display().to_string();
    let info = json(&["info", &old, "--json"]);
    assert_eq!((info["frames"].as_u64(), &info["impacts"]), (Some(5), &serde_json::Value::Null), "{info}");
    let text = "<scene><duration time=\"0.04\"/><integrator type=\"symplectic-euler\" dt=\"0.01\"/><collision type=\"simple\" COR=\"0.5\"/>\
        <particle m=\"1\" px=\"0\" py=\"0.05\" vx=\"1\" vy=\"-1\" fixed=\"0\"/><halfplane px=\"0\" py=\"0\" nx=\"0\" ny=\"1\"/></scene>\n";
    let scene = write(folder.path(), "tiny.xml", text);
    carom()
        .args(["run", &scene, "--resume", "--steps", "9", "-o", &old])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("format version 1").and(predicate::str::contains("--overwrite")));
    assert!(fs::read(&old).unwrap() == bytes);
    let new = folder.path().join("new.carom").display().to_string();
    carom().args(["convert", &old, &new]).assert().success();
    assert_eq!(json(&["info", &new, "--json"])["run_hash"], info["run_hash"]);
}
