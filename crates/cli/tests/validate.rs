//! `carom validate`: every promise holds, and is reported as a table, as JSON and as a page.

use std::fs;
use std::process::{Command, Output};

fn validate(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).arg("validate").args(arguments).output().unwrap()
}

fn rows(output: &Output) -> Vec<serde_json::Value> {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes without optimization")]
fn every_number_of_every_case_holds() {
    let reported = validate(&["--json"]);
    let rows = rows(&reported);
    let broken: Vec<_> = rows.iter().filter(|row| row["holds"] != true).collect();
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(reported.status.success());
    let mut names: Vec<&str> = rows.iter().filter_map(|row| row["case"].as_str()).collect();
    names.dedup();
    assert!(names.len() >= 48 && rows.len() > 1100, "{} cases, {} numbers", names.len(), rows.len());
}

#[test]
fn some_cases_as_a_table_and_as_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let reported = validate(&["--case", "two-masses", "--case", "painleve", "-o", page.to_str().unwrap()]);
    assert!(reported.status.success());
    let table = String::from_utf8_lossy(&reported.stdout);
    assert!(table.contains("painleve") && table.contains("numbers hold, in 2 cases"), "{table}");
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("id=\"two-masses\"") && html.matches("<svg").count() == 2);
    assert!(html.ends_with("</html>\n") && !html.contains("<script"));
    let none = validate(&["--case", "no such case"]);
    assert_eq!(none.status.code(), Some(2));
}

/// Engines that are not there are named, and decide no exit code. One that answers is asked for the
/// same cases.
#[test]
#[cfg(unix)]
fn peers_are_asked_where_they_are_found() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let peer = folder.path().join("peer");
    // It says that every body stays at rest where it was.
    let program = r#"#!/usr/bin/env python3
import json, sys
print(json.dumps({"peers": [{"name": "stone 1", "kind": "planar", "defaults": "nothing moves"}]}), flush=True)
for line in sys.stdin:
    scene = json.loads(line)
    frame = [[*b["at"], b["angle"], 0, 0, 0] for b in scene["bodies"]]
    print(json.dumps({"frames": [frame] * (scene["steps"] + 1)}), flush=True)
"#;
    fs::write(&peer, program).unwrap();
    fs::set_permissions(&peer, fs::Permissions::from_mode(0o755)).unwrap();
    let asked = |name: &std::path::Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command.args(["validate", "--peers", "--case", "corner", "--case", "bernoulli"]);
        command.env("CAROM_PEERS", name).env("CAROM_PYTHON", "/no/python").output().unwrap()
    };
    let absent = asked(std::path::Path::new("/no/peer"));
    let words = String::from_utf8_lossy(&absent.stdout).into_owned();
    assert!(absent.status.success() && words.contains("not asked: Rapier"), "{words}");
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let reported = asked(&peer);
    let words = String::from_utf8_lossy(&reported.stdout).into_owned();
    assert!(reported.status.success() && words.contains("stone 1: nothing moves"), "{words}");
    let row = |case: &str| words.lines().rfind(|line| line.starts_with(case)).unwrap_or_default().to_owned();
    // What should rest rests; what should move does not.
    assert!(row("corner").trim_end().ends_with("1 of 1"), "{words}");
    assert!(!row("bernoulli").trim_end().ends_with("3 of 3"), "{words}");
}
