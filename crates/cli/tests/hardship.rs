//! A machine that is unkind: a disk that may not be written to, a quota, a clock that jumps, many
//! threads, little memory. A clear message each, and nothing lost that was kept before. What needs
//! a tool or a right that is not there prints that.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "a test that tries nothing prints why")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_carom");

fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn named(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Particles that fly apart in a hundred steps.
fn flight(folder: &Path, particles: usize) -> PathBuf {
    let mut text = String::from(
        "<scene><duration time=\"1\"/><integrator type=\"symplectic-euler\" dt=\"0.01\"/><collision type=\"gr-lcp\"/>",
    );
    for k in 0..particles {
        let (x, y, v) = (k % 300, k / 300, k % 7);
        text += &format!(
            "<particle m=\"1\" px=\"{x}\" py=\"{y}\" vx=\"0\" vy=\"{v}\" fixed=\"0\" radius=\"0.1\"/>"
        );
    }
    let path = folder.join("flight.xml");
    fs::write(&path, text + "</scene>").unwrap();
    path
}

fn there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

#[test]
fn a_read_only_file_system() {
    let folder = tempfile::tempdir().unwrap();
    let scene = flight(folder.path(), 5);
    let mounted = folder.path().join("mounted");
    fs::create_dir(&mounted).unwrap();
    let words = ["-t", "tmpfs", "-o", "ro", "tmpfs", named(&mounted)];
    let done = Command::new("mount").args(words).stderr(Stdio::null()).status();
    if !done.is_ok_and(|status| status.success()) {
        eprintln!("nothing can be mounted here: no read-only file system was tried");
        return;
    }
    let results: Vec<Output> =
        [("run", "out.carom"), ("run", "out.npz"), ("render", "out.gif"), ("report", "out.html")]
            .iter()
            .map(|(command, name)| run(&[command, named(&scene), "-o", named(&mounted.join(name))]))
            .collect();
    assert!(Command::new("umount").arg(&mounted).status().unwrap().success());
    for result in results {
        assert_eq!(result.status.code(), Some(2));
        let message = errors(&result);
        assert!(
            message.contains("Read-only file system") && message.contains("choose a folder"),
            "{message}"
        );
    }
}

#[test]
fn a_quota_is_exceeded() {
    if !there("strace") {
        eprintln!("strace is not there: no quota was tried");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let scene = flight(folder.path(), 200);
    let (whole, out) = (folder.path().join("whole.carom"), folder.path().join("out.carom"));
    assert!(run(&["run", named(&scene), "-o", named(&whole), "--quiet"]).status.success());
    let log = folder.path().join("log");
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-o", named(&log), "-P", named(&folder.path().join("out.carom.part"))]);
    traced.args(["-e", "trace=write", "-e", "inject=write:error=EDQUOT:when=2+", PROGRAM]);
    let refused = traced.args(["run", named(&scene), "-o", named(&out), "--quiet"]).output().unwrap();
    if !fs::read_to_string(&log).is_ok_and(|text| text.contains("INJECTED")) {
        eprintln!("strace may not trace here: no quota was tried");
        return;
    }
    let message = errors(&refused);
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(message.contains("quota") && message.contains("--resume") && !out.exists(), "{message}");
    assert!(run(&["run", named(&scene), "-o", named(&out), "--quiet", "--resume"]).status.success());
    assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap());
}

#[test]
fn a_clock_that_jumps() {
    if !there("faketime") {
        eprintln!("faketime is not there: no clock was changed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let scene = flight(folder.path(), 20);
    let whole = folder.path().join("whole.carom");
    assert!(run(&["run", named(&scene), "-o", named(&whole), "--quiet"]).status.success());
    // Far ahead, far back, the end of 32 bits, a thousand times too fast, a hundred times too slow.
    for (k, clock) in ["+10y", "-30y", "@2038-01-20 00:00:00", "+0 x1000", "+0 x0.01"].iter().enumerate() {
        let out = folder.path().join(format!("out{k}.carom"));
        let mut shifted = Command::new("faketime");
        shifted.args(["-f", clock, PROGRAM, "run", named(&scene), "-o", named(&out)]);
        let ended = shifted.output().unwrap();
        assert!(ended.status.success(), "{clock}: {}", errors(&ended));
        assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap(), "{clock}");
    }
}

#[test]
fn many_threads() {
    let folder = tempfile::tempdir().unwrap();
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/pyramid.xml");
    let one = |threads: &str| {
        let out = folder.path().join(format!("{threads}.carom"));
        let words = ["run", scene, "-o", named(&out), "--quiet", "--steps", "30", "--threads", threads];
        let ended = run(&words);
        assert!(ended.status.success(), "{}", errors(&ended));
        fs::read(&out).unwrap()
    };
    assert!(one("1") == one("64"));
}

/// Memory that runs out ends the program: nobody can go on without. What was done is kept.
#[test]
fn little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let scene = flight(folder.path(), 60_000);
    let (whole, out) = (folder.path().join("whole.carom"), folder.path().join("out.carom"));
    assert!(run(&["run", named(&scene), "-o", named(&whole), "--quiet", "--steps", "3"]).status.success());
    let mut ended_early = 0;
    for limit in [60_000, 100_000, 150_000, 250_000, 1_000_000] {
        let words = format!(
            "ulimit -v {limit}; exec {PROGRAM} run {} -o {} --quiet --steps 3 --overwrite",
            named(&scene),
            named(&out)
        );
        let ended = Command::new("bash").args(["-c", &words]).output().unwrap();
        if !ended.status.success() {
            ended_early += 1;
            let message = errors(&ended);
            let clear =
                ["memory", "cannot start", "Resource temporarily unavailable", "loading shared libraries"];
            assert!(clear.iter().any(|word| message.contains(word)), "{limit}: {message}");
            assert!(!out.exists(), "{limit}: an output of a run that ended early");
            let again =
                run(&["run", named(&scene), "-o", named(&out), "--quiet", "--steps", "3", "--resume"]);
            assert!(again.status.success(), "{limit}: {}", errors(&again));
        }
        assert!(fs::read(&out).unwrap() == fs::read(&whole).unwrap(), "{limit}");
        fs::remove_file(&out).unwrap();
    }
    assert!(ended_early > 0, "there was memory enough every time: nothing was tried");
}
