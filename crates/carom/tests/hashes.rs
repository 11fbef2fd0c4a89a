//! The same bits in debug and in release, today and tomorrow: every gallery scene has a pinned
//! hash.
//!
//! `CAROM_PIN=1 cargo test -p carom --test all hashes` writes the file anew and prints what moved;
//! a moved hash needs a line under "Changes results" in CHANGELOG.md.

#![allow(clippy::print_stderr, reason = "pinning anew prints what moved")]

use carom::{Options, Simulation};
use carom_trajectory::{Frame, RunHash};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Steps of each scene that are hashed: enough for every part of the step to have its say.
const STEPS: u64 = 400;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

fn hash_of(path: &Path) -> RunHash {
    let text = fs::read_to_string(path).unwrap();
    let scene = carom::read_scene(&text).unwrap_or_else(|e| panic!("{}\n{e}", path.display()));
    let mut simulation = Simulation::new(&scene, Options::default()).unwrap();
    let mut frame = Frame::default();
    let mut hash = RunHash::default();
    for _ in 0..STEPS.min(simulation.planned_steps()) {
        simulation.step().unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        simulation.write_frame(&mut frame);
        hash = hash.with_frame(&frame);
    }
    hash
}

#[test]
fn gallery_scenes_have_their_pinned_hashes() {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "xml") {
            found
                .insert(path.file_stem().unwrap().to_string_lossy().into_owned(), hash_of(&path).to_string());
        }
    }
    let pins = folder().join("hashes.txt");
    let pinned: BTreeMap<String, String> = fs::read_to_string(&pins)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, hash)| (name.to_owned(), hash.trim().to_owned()))
        .collect();
    let moved: Vec<&String> =
        found.iter().filter(|(name, hash)| pinned.get(*name) != Some(hash)).map(|(name, _)| name).collect();
    if std::env::var_os("CAROM_PIN").is_some() {
        let text: String = found.iter().map(|(name, hash)| format!("{name} {hash}\n")).collect();
        fs::write(&pins, text).unwrap();
        eprintln!("pinned anew: {moved:?}");
        return;
    }
    assert!(moved.is_empty(), "the hashes of {moved:?} moved; if that is meant, see the head of this file");
    assert_eq!(found.len(), pinned.len(), "scenes/hashes.txt names scenes that are not there");
}
