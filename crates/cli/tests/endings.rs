//! How programs end that are interrupted or killed, and what they leave. Each test begins with what
//! used to happen.
#![cfg(unix)]

use crate::reliability::{carom, ended_within, errors, flight, is_at_work, long_step, named, run, scene_in};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Names in a folder that our temporary files have.
fn temporary_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.to_string_lossy().into_owned()).filter(|name| name.starts_with(".carom-")).collect()
}

/// Waits for something that comes soon.
fn wait_for(what: &dyn Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !what() {
        assert!(Instant::now() < end, "it does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a program catches SIGTERM by now.
#[cfg(target_os = "linux")]
fn catches_signals(id: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & (1 << 14) != 0)
}

/// Only `run` ended inside a step: the others went on for minutes, deaf to Ctrl-C.
#[test]
#[cfg(target_os = "linux")]
fn signals_end_every_command_inside_a_step() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene_in(folder.path(), &long_step());
    fs::write(folder.path().join("grid.toml"), "scene = 'scene.xml'\n[grid]\nmu = [0.1, 0.2, 0.3]\n")
        .unwrap();
    let commands: [&[&str]; 7] = [
        &["sweep", "grid.toml", "-o", "table.csv"],
        &["render", "scene.xml", "-o", "movie.gif"],
        &["render", "scene.xml", "-o", "frames"],
        &["plot", "scene.xml", "-o", "plot.svg"],
        &["report", "scene.xml", "-o", "page.html"],
        &["methods", "scene.xml"],
        &["run", "scene.xml"],
    ];
    for (k, command) in commands.iter().enumerate() {
        let mut child = carom();
        child.current_dir(folder.path()).args(*command).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = child.spawn().unwrap();
        wait_for(&|| catches_signals(child.id()) && is_at_work(child.id()));
        let signal = ["-TERM", "-INT"][k % 2];
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let ended = ended_within(child, Duration::from_secs(20));
        let message = errors(&ended);
        assert_eq!(ended.status.code(), Some(130), "{command:?}: {message}");
        assert!(message.contains("stopped"), "{command:?}: {message}");
        assert_eq!(temporary_in(folder.path()), [""; 0], "{command:?}");
    }
    let names = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 3, "the scene, the grid, and the rows of the sweep");
    assert!(scene.exists() && folder.path().join("table.csv.part.jsonl").exists());
}

/// Folders of frames that a kill left behind had names that nobody knew again.
#[test]
fn what_a_killed_movie_left_is_removed_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene_in(folder.path(), &flight(50, 100_000));
    let frames = folder.path().join("frames");
    let mut child = carom();
    child.args(["render", named(&scene), "-o", named(&frames), "--quiet"]).stderr(Stdio::null());
    let mut child = child.spawn().unwrap();
    // One folder for the run, one for its pictures.
    wait_for(&|| temporary_in(folder.path()).len() >= 2);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!frames.exists() && !temporary_in(folder.path()).is_empty());
    let out = folder.path().join("out.csv");
    assert!(run(&["run", named(&scene), "-o", named(&out), "--quiet", "--steps", "2"]).status.success());
    assert_eq!(temporary_in(folder.path()), [""; 0]);
}

/// The movie that another program writes was taken for left behind by every other of our programs.
#[test]
fn a_movie_that_another_program_writes_is_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let scene = scene_in(folder.path(), &flight(3, 4));
    let (movie, out) = (folder.path().join("movie.mp4"), folder.path().join("out.csv"));
    let script = folder.path().join("encoder");
    let program = env!("CARGO_BIN_EXE_carom");
    let words = format!(
        "#!/bin/sh\nfor last; do :; done\nexec >\"$last\"\n'{program}' run '{}' -o '{}' --quiet\ncat\n",
        named(&scene),
        named(&out)
    );
    fs::write(&script, words).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let encoder = format!("--ffmpeg={}", named(&script));
    let made = run(&["render", named(&scene), "-o", named(&movie), &encoder, "--quiet"]);
    assert!(made.status.success(), "{}", errors(&made));
    assert!(out.exists() && fs::metadata(&movie).unwrap().len() > 0);
}

/// The command that an interrupted run names broke at spaces, and left `--strict` out.
#[test]
fn the_command_that_goes_on_can_be_given_to_a_shell() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("it's mine");
    fs::create_dir(&results).unwrap();
    let scene = scene_in(&results, &flight(50, 1_000_000));
    let out = results.join("out.carom");
    let child = carom()
        .args(["run", named(&scene), "-o", named(&out), "--strict", "--every", "100"])
        .args(["--set", "integrator.dt=0.02"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let part = results.join("out.carom.part");
    wait_for(&|| fs::metadata(&part).is_ok_and(|data| data.len() > 50_000));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ended = ended_within(child, Duration::from_secs(20));
    let message = String::from_utf8_lossy(&ended.stdout).into_owned() + &errors(&ended);
    let again = message.lines().find_map(|line| line.split_once("carom run ")).map(|(_, words)| words);
    let again = again.unwrap_or_else(|| panic!("{message}"));
    assert!(again.contains("--strict"), "{again}");
    let kept = fs::metadata(&part).unwrap().len();
    let program = env!("CARGO_BIN_EXE_carom");
    let child = Command::new("sh")
        .args(["-c", &format!("exec '{program}' run {again}")])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for(&|| fs::metadata(&part).is_ok_and(|data| data.len() > kept + 50_000));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(ended_within(child, Duration::from_secs(20)).status.code(), Some(130));
}
