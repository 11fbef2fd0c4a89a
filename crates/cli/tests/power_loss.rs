//! A loss of power at any moment of a run with its export. `strace` records what the program asks
//! of the disk; a model of a disk that keeps what was synced, and of the rest nothing, all names or
//! some sectors (Pillai et al. 2014), is stopped after every call. What it then holds is laid out
//! as files: the output is whole or absent, and going on gives the same bytes.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "a test that tries nothing prints why")]

mod disk;

mod trace;

use disk::{Disk, Loss};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Frames of more than the journal's buffer in all, so that it is handed over in pieces.
fn scene() -> String {
    let mut text = String::from(
        "<scene><duration time=\"0.1\"/><integrator type=\"symplectic-euler\" dt=\"0.01\"/>\
         <simplegravity fx=\"0\" fy=\"-9.81\"/>",
    );
    for k in 0..1200 {
        text += &format!(
            "<particle m=\"1\" px=\"{k}\" py=\"0.2\" vx=\"{}\" vy=\"0\" fixed=\"0\" radius=\"0.2\"/>",
            k % 7
        );
    }
    text + "</scene>"
}

fn carom(folder: &Path, output: &str, extra: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(["run", "../scene.xml", "-o", output, "--quiet", "--threads", "1"]).args(extra);
    command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// The run under strace, in a folder of its own: its calls, and the bytes of its output.
fn traced(folder: &Path, output: &str) -> Option<(String, Vec<u8>)> {
    let plain = carom(folder, output, &[]);
    let log = folder.join("../strace.log");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-xx", "-s", "10000000", "-o"]).arg(&log);
    command.args(["-e", trace::CALLS]).arg(plain.get_program()).args(plain.get_args());
    let ended = command.current_dir(folder).stderr(Stdio::null()).status();
    if !ended.is_ok_and(|status| status.success()) {
        return None;
    }
    Some((fs::read_to_string(log).ok()?, fs::read(folder.join(output)).ok()?))
}

#[test]
fn the_power_may_go_at_any_moment() {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    fs::write(folder.path().join("scene.xml"), scene()).unwrap();
    let mut tried = 0;
    for output in ["out.carom", "out.npz", "out.csv"] {
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let Some((log, bytes)) = traced(&inner, output) else {
            eprintln!("strace is not there, or may not trace: no loss of power was tried");
            return;
        };
        fs::remove_dir_all(&inner).unwrap();
        let calls = trace::read(&log);
        assert!(calls.len() > 10, "{output}: only {} calls on files", calls.len());
        let mut seen = BTreeSet::new();
        for (n, held) in states(&calls) {
            if !seen.insert(held.clone()) {
                continue;
            }
            tried += 1;
            survives(&inner, output, &held, &bytes, n);
        }
    }
    eprintln!("{tried} losses of power tried");
    assert!(tried > 30, "only {tried} losses of power were tried");
}

/// What the disk may hold after each call, and its number.
fn states(calls: &[trace::Call]) -> Vec<(usize, BTreeMap<String, Vec<u8>>)> {
    let mut disk = Disk::default();
    let mut all = Vec::new();
    for (n, call) in calls.iter().enumerate() {
        disk.apply(call);
        let losses = [Loss::All, Loss::Contents, Loss::ContentsButLength, Loss::Sectors(n as u64)];
        all.extend(losses.map(|loss| (n, disk.after(loss))));
    }
    all
}

/// The output is whole or absent, and going on gives its bytes and leaves nothing behind.
fn survives(folder: &Path, output: &str, held: &BTreeMap<String, Vec<u8>>, bytes: &[u8], n: usize) {
    fs::create_dir(folder).unwrap();
    held.iter().for_each(|(name, content)| fs::write(folder.join(name), content).unwrap());
    let names: Vec<(&String, usize)> = held.iter().map(|(name, content)| (name, content.len())).collect();
    if let Some(there) = held.get(output) {
        assert!(there == bytes, "{output}, call {n}: the output is there and not whole: {names:?}");
    }
    let ended = carom(folder, output, &["--resume"]).output().unwrap();
    let message = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(ended.status.success(), "{output}, call {n}: cannot be gone on with: {names:?}: {message}");
    assert!(fs::read(folder.join(output)).unwrap() == bytes, "{output}, call {n}: other bytes: {names:?}");
    fs::remove_dir_all(folder).unwrap();
}
