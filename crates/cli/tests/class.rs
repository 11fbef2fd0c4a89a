//! A class of students: files that are right, wrong, cut off, missing and no files at all.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::path::Path;

const DROP: &str = r#"<scene>
  <duration time="0.5"/>
  <integrator type="symplectic-euler" dt="0.01"/>
  <collision type="simple" COR="0.5"/>
  <simplegravity fx="0.0" fy="-9.81"/>
  <particle m="1.0" px="0.0" py="0.5" vx="0.3" vy="-2.0" fixed="0" radius="0.1"/>
  <particle m="2.0" px="0.3" py="0.4" vx="-0.5" vy="-1.0" fixed="0" radius="0.12"/>
  <halfplane px="0.0" py="0.0" nx="0.0" ny="1.0"/>
</scene>"#;

const BOX: &str = r#"<scene><simtype type="rigid-body"/><duration time="0.6"/>
  <rigidbodyintegrator type="symplectic-euler" dt="0.01"/>
  <rigidbodycollisionhandling detection="all-pairs" response="lcp"/>
  <rigidbodygravityforce fx="0" fy="-9.81"/>
  <rigidbodyvertex x="-3" y="-0.5" m="1"/><rigidbodyvertex x="3" y="-0.5" m="1"/><rigidbodyvertex x="0" y="-2" m="1"/>
  <rigidbodyvertex x="-0.5" y="1.0" m="1"/><rigidbodyvertex x="0.4" y="1.3" m="2"/><rigidbodyvertex x="0.2" y="0.1" m="1"/>
  <rigidbody p="0" p="1" p="2" vx="0" vy="0" omega="0" r="0.1" fixed="1"/>
  <rigidbody p="3" p="4" p="5" vx="0.5" vy="-1" omega="0.7" r="0.1"/>
</scene>"#;

fn carom(folder: &Path, words: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("carom").unwrap().current_dir(folder).args(words).assert()
}

/// A folder with scenes and the files of five students.
fn class() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    for name in ["scenes", "in/ada", "in/bo", "in/cy", "in/di"] {
        fs::create_dir_all(place.join(name)).unwrap();
    }
    fs::write(place.join("scenes/drop.xml"), DROP).unwrap();
    fs::write(place.join("scenes/box.xml"), BOX).unwrap();
    let make = |text: &str, file: &str| {
        fs::write(place.join("other.xml"), text).unwrap();
        carom(place, &["run", "--course", "-q", "other.xml", "-o", file]).success();
    };
    make(DROP, "in/ada/drop.bin");
    make(BOX, "in/ada/box.bin");
    // forgets the factor (1 + COR)/2; stops bodies at nothing
    make(&DROP.replace("COR=\"0.5\"", "COR=\"1.0\""), "in/bo/drop.bin");
    let through = r#"<rigidbodycollisionhandling detection="all-pairs" response="lcp"/>"#;
    make(&BOX.replace(through, ""), "in/bo/box.bin");
    // another integrator; and nothing for the other scene
    make(&DROP.replace("symplectic-euler", "explicit-euler"), "in/cy/drop.bin");
    // cut off, and no file at all
    make(DROP, "in/di/drop.bin");
    let bytes = fs::read(place.join("in/di/drop.bin")).unwrap();
    fs::write(place.join("in/di/drop.bin"), &bytes[..bytes.len() / 2]).unwrap();
    fs::write(place.join("in/di/box.bin"), "I could not finish").unwrap();
    folder
}

#[test]
fn a_class_is_graded_at_once_and_one_broken_file_spoils_nothing() {
    let folder = class();
    let place = folder.path();
    let words = ["grade", "scenes", "in", "--csv", "g.csv", "--html", "g.html", "--reports", "pages"];
    carom(place, &words).code(1).stdout(
        contains("8 files of 4 students: 2 pass, 4 fail, 1 error, 1 missing")
            .and(contains("restitution-factor-missing"))
            .and(contains("no-response"))
            .and(contains("other-integrator"))
            .and(contains("cut off"))
            .and(contains("it is text")),
    );
    let csv = fs::read_to_string(place.join("g.csv")).unwrap();
    assert_eq!(csv.lines().count(), 9, "{csv}");
    assert!(csv.contains("\"bo\",\"drop\",\"fail\",\"course\""), "{csv}");
    assert!(csv.contains("\"cy\",\"box\",\"missing\""), "{csv}");
    let html = fs::read_to_string(place.join("g.html")).unwrap();
    for word in ["ada", "2 of 2", "restitution-factor-missing", "missing"] {
        assert!(html.contains(word), "{word}");
    }
    assert!(!html.contains("http://") && !html.contains("https://"), "the page loads nothing");
    let page = fs::read_to_string(place.join("pages/bo-drop.html")).unwrap();
    assert!(page.contains("(1 + COR)/2 is missing") && page.contains("<svg"), "{page}");
    assert!(!place.join("pages/ada-drop.html").exists(), "right files need no page");

    // the same table whatever the number of threads, and from patterns
    let table = |words: &[&str]| carom(place, words).get_output().stdout.clone();
    let one = table(&["grade", "scenes", "in", "--json", "--threads", "1"]);
    assert_eq!(one, table(&["grade", "scenes", "in", "--json", "--threads", "4"]));
    assert_eq!(one, table(&["grade", "scenes/*.xml", "in", "--json"]));
    carom(place, &["grade", "scenes", "in/ada"]).success().stdout(contains("2 pass"));
    carom(place, &["grade", "scenes", "pages"]).code(2).stderr(contains("no submission was found"));
}

#[test]
fn a_wrong_impulse_is_explained_drawn_and_mailed() {
    let folder = class();
    let place = folder.path();
    let words = ["compare", "scenes/drop.xml", "in/bo/drop.bin", "--render", "seen", "--report", "why.html"];
    carom(place, &words).code(1).stdout(
        contains("first wrong step")
            .and(contains("particle 0 – particle 1: normal (1, 0), approach 0.8 m/s"))
            .and(contains("impulse: yours"))
            .and(contains("diagnosis restitution-factor-missing")),
    );
    let drawn: Vec<_> = fs::read_dir(place.join("seen")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(drawn.iter().any(|name| name.to_string_lossy().starts_with("frame")), "{drawn:?}");
    let page = fs::read_to_string(place.join("why.html")).unwrap();
    for word in [
        "Contacts of step",
        "your impulse",
        "with a wrong velocity",
        "restitution-factor-missing",
        "Differences",
        "side by side",
        "As it should be: Carom",
        "still right",
    ] {
        assert!(page.contains(word), "{word}");
    }
    // the first wrong step in one picture, then Carom's frame beside the file's for it and for
    // steps around it
    assert!(page.matches("<figure class=\"step\">").count() >= 5, "pictures of the steps around");
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!outside.contains("http://") && !outside.contains("https://"), "the page loads nothing");

    let json = carom(place, &["compare", "scenes/drop.xml", "in/bo/drop.bin", "--json"]).code(1);
    let verdict: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    let first = &verdict["first_wrong_step"];
    assert_eq!(first["diagnoses"][0]["name"], "restitution-factor-missing");
    let contact = &first["contacts"][0];
    // COR 0.5 asks for three quarters of what COR 1 gives
    let ratio = contact["expected_impulse"].as_f64().unwrap() / contact["implied_impulse"].as_f64().unwrap();
    assert!((ratio - 0.75).abs() < 1e-9, "{contact}");
}
