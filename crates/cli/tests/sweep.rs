//! `carom sweep` and `carom run --set`, from outside.

use assert_cmd::Command;
use predicates::prelude::*;
use std::fs;
use std::path::Path;

const SCENE: &str = r#"<scene><simtype type="rigid-body"/><duration time="0.5"/>
  <rigidbodyintegrator type="symplectic-euler" dt="0.01"/>
  <rigidbodydisc x="0" y="1" radius="0.25" m="1"/>
  <rigidbodydisc x="0" y="-1" radius="1" m="1" fixed="1"/>
  <rigidbodygravityforce fx="0" fy="-10"/>
  <rigidbodycollisionhandling detection="all-pairs" response="lcp"/></scene>"#;

const GRID: &str = "scene = 'drop.xml'\njitter = 1e-3\n[grid]\nmu = [0.0, 0.5]\n\
                    'disc[0].vx' = { from = 0.0, to = 1.0, count = 3 }\nseed = [1, 2]\n";

fn carom() -> Command {
    Command::cargo_bin("carom").unwrap()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("drop.xml"), SCENE).unwrap();
    fs::write(folder.path().join("grid.toml"), GRID).unwrap();
    folder
}

fn sweep(folder: &Path, words: &[&str]) -> Command {
    let mut command = carom();
    command.current_dir(folder).args(["sweep", "grid.toml", "-o", "table.csv"]).args(words);
    command
}

fn table(folder: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder.join("table.csv")).unwrap();
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn a_table_has_every_combination_and_the_hash_of_each_run() {
    let folder = folder();
    sweep(folder.path(), &[]).assert().success().stdout(predicate::str::contains("12 runs: 12 finished"));
    let rows = table(folder.path());
    assert_eq!(rows.len(), 13);
    assert_eq!(rows[0][..6], ["run", "mu", "disc[0].vx", "seed", "status", "reason"]);
    assert_eq!(rows[6][..5], ["5", "0.0", "1.0", "2", "finished"]);
    let hashes: Vec<&String> = rows[1..].iter().map(|row| &row[8]).collect();
    assert!(hashes.iter().all(|hash| hash.len() == 64));
    assert!((1..12).all(|k| !hashes[..k].contains(&hashes[k])), "every run is another");
    assert!(!folder.path().join("table.csv.part.jsonl").exists());
}

#[test]
fn knobs_of_the_scene_are_axes_by_their_labels() {
    let folder = folder();
    let knob = r#"<knob label="How bouncy" target="rigidbodycollisionhandling.COR" min="0" max="1" step="0.5"/></scene>"#;
    let scene = SCENE.replace(r#"response="lcp""#, r#"response="lcp" COR="0""#).replace("</scene>", knob);
    fs::write(folder.path().join("drop.xml"), scene).unwrap();
    let runs = |axis: &str| -> Vec<[String; 2]> {
        let grid = format!("scene = 'drop.xml'\nmeasure = ['energy']\n[grid]\n{axis}\n");
        fs::write(folder.path().join("grid.toml"), grid).unwrap();
        sweep(folder.path(), &["--anew"]).assert().success();
        let rows = table(folder.path());
        rows[1..].iter().map(|row| [row[1].clone(), row[6].clone()]).collect()
    };
    let by_label = runs("'How bouncy' = {}");
    assert_eq!(by_label.iter().map(|[value, _]| value.as_str()).collect::<Vec<_>>(), ["0.0", "0.5", "1.0"]);
    assert_eq!(runs("COR = [0.0, 0.5, 1.0]"), by_label, "the label means the attribute");
    assert_ne!(by_label[0][1], by_label[2][1], "and another value is another run");
}

#[test]
fn parts_gathered_are_the_whole_table_to_the_byte() {
    let (whole, parts) = (folder(), folder());
    sweep(whole.path(), &["--jobs", "1", "-q"]).assert().success();
    sweep(parts.path(), &["--index", "0", "--of", "2"]).assert().success();
    sweep(parts.path(), &["--gather"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("6 runs of 12 missing"));
    sweep(parts.path(), &["--index", "1", "--of", "2", "-q"]).assert().success().stdout("");
    sweep(parts.path(), &["--gather"]).assert().success();
    let read = |folder: &Path| fs::read(folder.join("table.csv")).unwrap();
    assert_eq!(read(whole.path()), read(parts.path()));
}

#[test]
fn an_interrupted_sweep_goes_on_and_one_of_another_grid_is_refused() {
    let folder = folder();
    sweep(folder.path(), &["--index", "0", "--of", "1"]).assert().success();
    // as if it had been killed in the middle of a row
    let rows = fs::read_to_string(folder.path().join("table.csv.0-of-1.jsonl")).unwrap();
    let kept: String = rows.lines().take(6).map(|line| format!("{line}\n")).collect();
    let before = kept.clone();
    fs::write(folder.path().join("table.csv.part.jsonl"), kept + "{\"run\": 99, \"sta").unwrap();
    sweep(folder.path(), &[])
        .assert()
        .success()
        .stderr(predicate::str::contains("5 of 12 runs were done already"));
    let whole = table(folder.path());
    assert_eq!(whole.len(), 13);
    // A loss of power may leave zeros, and whole lines after them: the sweep could not go on.
    let zeros = "\0".repeat(40) + "\n{\"run\": 99, \"status\": \"finished\"}\n";
    fs::write(folder.path().join("table.csv.part.jsonl"), before + &zeros).unwrap();
    sweep(folder.path(), &[])
        .assert()
        .success()
        .stderr(predicate::str::contains("5 of 12 runs were done already"));
    assert_eq!(table(folder.path()), whole);
    fs::write(folder.path().join("table.csv.part.jsonl"), "{\"sweep\":\"x\"}\n").unwrap();
    sweep(folder.path(), &[]).assert().code(2).stderr(predicate::str::contains("another grid"));
    sweep(folder.path(), &["--anew"]).assert().success();
}

#[test]
fn a_run_that_fails_is_a_row_and_a_wrong_path_is_an_error() {
    let folder = folder();
    let grid = "scene = 'drop.xml'\nmeasure = ['energy']\n[[list]]\nmu = -1.0\n[[list]]\nmu = 0.5\n";
    fs::write(folder.path().join("grid.toml"), grid).unwrap();
    sweep(folder.path(), &[]).assert().success().stdout(predicate::str::contains("1 finished, 1 invalid"));
    fs::write(folder.path().join("grid.toml"), "scene = 'drop.xml'\n[grid]\nnu = [1]\n").unwrap();
    sweep(folder.path(), &[]).assert().code(2).stderr(predicate::str::contains("perhaps `mu`"));
    fs::write(folder.path().join("grid.toml"), "scene = 3\n").unwrap();
    sweep(folder.path(), &[]).assert().code(2).stderr(predicate::str::contains("no grid"));
}

#[test]
fn attributes_are_set_for_one_run() {
    let folder = folder();
    let run = |words: &[&str]| {
        let mut command = carom();
        command.current_dir(folder.path()).args(["run", "drop.xml", "-o", "run.carom"]).args(words);
        command
    };
    run(&["--set", "integrator.dt=0.05", "--json"])
        .assert()
        .success()
        .stdout(predicate::str::contains("\"steps_run\": 10"));
    run(&["--set", "mu"]).assert().code(2).stderr(predicate::str::contains("PATH=VALUE"));
    run(&["--set", "mu=-1"]).assert().code(1).stderr(predicate::str::contains("mu"));
    run(&["--set", "nu=1"]).assert().code(2).stderr(predicate::str::contains("perhaps `mu`"));
}
