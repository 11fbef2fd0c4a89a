//! Scenes of spatial bodies under every command.

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn carom() -> Command {
    Command::cargo_bin("carom").unwrap()
}

/// A box and a ball fall onto a floor. 60 steps in 0.6 s: 15 frames at 24 a second, and the last
/// step.
const FALL: &str = r#"<scene>
  <simtype type="rigid-body-3d"/>
  <duration time="0.6"/>
  <rigidbody3dintegrator type="symplectic-euler" dt="0.01"/>
  <rigidbody3dhalfspace nz="1"/>
  <rigidbody3dbox z="0.7" a="1" b="1" c="1" rx="0.2" density="2"/>
  <rigidbody3dsphere x="3" z="1" radius="0.5" m="1" vx="1"/>
  <rigidbody3dgravityforce fz="-9.81"/>
  <rigidbody3dcollisionhandling response="lcp" mu="0.3"/>
</scene>
"#;

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn json(arguments: &[&str]) -> Value {
    let output = carom().args(arguments).assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

#[test]
fn every_command_takes_them() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    carom().args(["check", "--strict", &scene]).assert().success();
    let run = json(&["run", &scene, "-o", &out("a.carom"), "--json"]);
    assert_eq!((run["steps"].as_u64(), run["bodies"].as_u64()), (Some(60), Some(3)));
    assert!(run["orientation_drift"].as_f64().unwrap() < 1e-14);

    let info = json(&["info", &scene, "--json"]);
    assert_eq!(info["system"], "spatial rigid bodies");
    assert_eq!(info["shapes"], serde_json::json!({ "spheres": 1, "boxes": 1, "half-spaces": 1 }));
    let info = json(&["info", &out("a.carom"), "--json"]);
    assert_eq!((info["frames"].as_u64(), info["last_step"].as_u64()), (Some(16), Some(60)));
    carom().args(["run", &scene, "-o", &out("all.carom"), "--every", "1", "--quiet"]).assert().success();
    assert_eq!(json(&["info", &out("all.carom"), "--json"])["frames"], 61);

    // The scene against its own run, step by step; and two runs against each other.
    let compared = json(&["compare", &scene, &out("a.carom"), "--json"]);
    assert_eq!(compared["pass"], true);
    carom().args(["compare", &out("a.carom"), &out("a.carom")]).assert().success();
    let matrix = write(folder.path(), "m.xml", &FALL.replace("dt=", "orientation=\"matrix\" dt="));
    carom().args(["run", &matrix, "-o", &out("m.carom"), "--quiet"]).assert().success();
    carom().args(["compare", &out("a.carom"), &out("m.carom"), "--tolerance", "1e-9"]).assert().success();
    let other = write(folder.path(), "o.xml", &FALL.replace("vx=\"1\"", "vx=\"1.1\""));
    carom().args(["compare", &other, &out("a.carom")]).assert().code(1);

    for name in ["a.npz", "a.csv", "a.glb", "b.carom"] {
        carom().args(["convert", &out("a.carom"), &out(name)]).assert().success();
        assert!(fs::metadata(out(name)).unwrap().len() > 100);
    }
    carom().args(["run", &scene, "-o", &out("direct.glb"), "--quiet"]).assert().success();
    assert_eq!(fs::read(out("direct.glb")).unwrap(), fs::read(out("a.glb")).unwrap());

    let methods = json(&["methods", &scene, "--json"]);
    let names: Vec<&str> =
        methods["methods"].as_array().unwrap().iter().map(|row| row["method"].as_str().unwrap()).collect();
    assert_eq!(names, ["none", "lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection", "impulse"]);
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    carom().args(["run", &scene, "-o", &out("whole.carom"), "--quiet"]).assert().success();
    // Step 23 is no frame of the plan: it is kept to go on from, and dropped then.
    carom().args(["run", &scene, "-o", &out("cut.carom"), "--quiet", "--steps", "23"]).assert().success();
    carom().args(["run", &scene, "-o", &out("cut.carom"), "--quiet", "--resume"]).assert().success();
    assert_eq!(fs::read(out("whole.carom")).unwrap(), fs::read(out("cut.carom")).unwrap());
}

#[test]
fn the_course_has_none() {
    let folder = tempfile::tempdir().unwrap();
    let scene = write(folder.path(), "fall.xml", FALL);
    let out = folder.path().join("a.bin").to_str().unwrap().to_owned();
    carom()
        .args(["run", &scene, "-o", &out])
        .assert()
        .failure()
        .stderr(predicate::str::contains("the course's format has no layout for this kind of scene"));
    carom()
        .args(["run", &scene, "--course"])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("the course's program does not know `rigid-body-3d`"));
    let flat = write(
        folder.path(),
        "flat.xml",
        "<scene><duration time=\"1\"/><integrator type=\"rk4\" dt=\"0.5\"/></scene>",
    );
    let out = folder.path().join("a.glb").to_str().unwrap().to_owned();
    carom()
        .args(["run", &flat, "-o", &out])
        .assert()
        .failure()
        .stderr(predicate::str::contains("a .glb file is for spatial bodies"));
}

const CORNER: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

#[test]
fn obj_files_are_found_beside_the_scene_and_kept_in_the_run() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("meshes")).unwrap();
    let text = FALL.replace(
        "<rigidbody3dsphere x=\"3\" z=\"1\" radius=\"0.5\" m=\"1\" vx=\"1\"/>",
        "<rigidbody3dpolyhedron file=\"meshes/corner.obj\" x=\"3\" z=\"1\" density=\"6\"/>",
    );
    let scene = write(folder.path(), "mesh.xml", &text);
    let out = folder.path().join("mesh.carom").to_str().unwrap().to_owned();
    carom().args(["check", &scene]).assert().code(1).stdout(
        predicate::str::contains("`meshes/corner.obj` cannot be read")
            .and(predicate::str::contains("file=\"meshes/corner.obj\""))
            .and(predicate::str::contains(":7:")),
    );
    let mesh = write(&folder.path().join("meshes"), "corner.obj", CORNER);
    carom().args(["check", &scene]).assert().success();
    carom().args(["run", &scene, "-o", &out, "--quiet"]).assert().success();
    // The trajectory needs the file no more.
    fs::remove_file(&mesh).unwrap();
    let glb = folder.path().join("mesh.glb").to_str().unwrap().to_owned();
    carom().args(["convert", &out, &glb]).assert().success();
    fs::write(&mesh, CORNER.replace("f 3 1 4\n", "")).unwrap();
    carom()
        .args(["run", &scene])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("holds no convex solid").and(predicate::str::contains("open")));
}
