//! Nothing is lost and nothing is without bounds: each test begins with what used to happen.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

pub(crate) fn carom() -> Command {
    Command::new(env!("CARGO_BIN_EXE_carom"))
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    carom().args(arguments).output().unwrap()
}

pub(crate) fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub(crate) fn named(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Particles that fly apart, in so many steps.
pub(crate) fn flight(particles: usize, steps: usize) -> String {
    let mut text = format!(
        "<scene><duration time=\"{}\"/><integrator type=\"symplectic-euler\" dt=\"0.01\"/>\n",
        steps as f64 * 0.01
    );
    for k in 0..particles {
        text += &format!(
            "<particle m=\"1\" px=\"{k}\" py=\"0\" vx=\"0\" vy=\"{}\" fixed=\"0\" radius=\"0.1\"/>\n",
            k % 7
        );
    }
    text + "</scene>\n"
}

pub(crate) fn scene_in(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("scene.xml");
    fs::write(&path, text).unwrap();
    path
}

/// A journal with one whole frame was gone on with by writing frame 0 again: one frame too many,
/// another hash.
#[test]
fn a_journal_with_the_first_frame_only_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene_in(folder.path(), &flight(3, 4));
    let whole = folder.path().join("whole.carom");
    assert!(run(&["run", named(&scene), "-o", named(&whole), "--quiet"]).status.success());
    let bytes = fs::read(&whole).unwrap();
    let first = folder.path().join("first.carom");
    // With no step to take, a run is its first frame.
    assert!(run(&["run", named(&scene), "-o", named(&first), "--steps", "0", "--quiet"]).status.success());
    let out = folder.path().join("out.carom");
    fs::copy(&first, folder.path().join("out.carom.part")).unwrap();
    let again = run(&["run", named(&scene), "-o", named(&out), "--resume", "--quiet"]);
    assert!(again.status.success(), "{}", errors(&again));
    assert!(fs::read(&out).unwrap() == bytes);
}

/// A scene given by a pipe lost its first 4,096 bytes; a named pipe was waited for without end.
#[test]
fn every_command_takes_a_scene_from_a_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let text = flight(200, 3);
    assert!(text.len() > 8192);
    let scene = scene_in(folder.path(), &text);
    let out = folder.path().join("out.carom");
    let picture = folder.path().join("picture.svg");
    let plot = folder.path().join("plot.svg");
    let report = folder.path().join("report.html");
    let normal = folder.path().join("normal.xml");
    let own = folder.path().join("own.bin");
    assert!(run(&["run", named(&scene), "-o", named(&own), "--quiet"]).status.success());
    let commands: [&[&str]; 10] = [
        &["run", "PIPE", "-o", named(&out), "--quiet"],
        &["check", "PIPE"],
        &["info", "PIPE"],
        &["convert", "PIPE", "-o", named(&normal)],
        &["plot", "PIPE", "-o", named(&plot)],
        &["render", "PIPE", "-o", named(&picture)],
        &["report", "PIPE", "-o", named(&report)],
        &["methods", "PIPE"],
        &["compare", "PIPE", named(&own)],
        &["oracle", "-s", "PIPE", "-i", named(&own), "-d", "0"],
    ];
    for (k, command) in commands.iter().enumerate() {
        let pipe = folder.path().join(format!("pipe{k}.xml"));
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let mut writer = Command::new("cp").arg(&scene).arg(&pipe).stderr(Stdio::null()).spawn().unwrap();
        let words = command.iter().map(|&word| if word == "PIPE" { named(&pipe) } else { word });
        let child = carom().args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let ended = ended_within(child, Duration::from_secs(60));
        let _done = writer.kill();
        let _waited = writer.wait();
        let message = errors(&ended);
        assert!(ended.status.success(), "{command:?}: {message}");
    }
    let unpiped = folder.path().join("unpiped.carom");
    assert!(run(&["run", named(&scene), "-o", named(&unpiped), "--quiet"]).status.success());
    let hash = |path: &Path| {
        let reported = run(&["info", named(path), "--json"]);
        let value: serde_json::Value = serde_json::from_slice(&reported.stdout).unwrap();
        value["hash"].clone()
    };
    assert_eq!(hash(&out), hash(&unpiped));
}

pub(crate) fn ended_within(mut child: std::process::Child, most: Duration) -> Output {
    let end = Instant::now() + most;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("it hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// The frames of an interrupted run were discarded without a word when the command was given once
/// more.
#[test]
fn what_an_interrupted_run_kept_is_not_discarded() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene_in(folder.path(), &flight(3, 4));
    let out = folder.path().join("out.carom");
    let part = folder.path().join("out.carom.part");
    assert!(
        run(&["run", named(&scene), "-o", named(&part), "--format", "carom", "--quiet"]).status.success()
    );
    let kept = fs::read(&part).unwrap();
    let again = run(&["run", named(&scene), "-o", named(&out), "--quiet"]);
    assert_eq!(again.status.code(), Some(2));
    let message = errors(&again);
    assert!(message.contains("--resume") && message.contains("--overwrite"), "{message}");
    assert!(fs::read(&part).unwrap() == kept && !out.exists());
    let over = run(&["run", named(&scene), "-o", named(&out), "--quiet", "--overwrite"]);
    assert!(over.status.success(), "{}", errors(&over));
    assert!(out.exists() && !part.exists());
}

/// `--resume` with another scene was refused, and cut the end off the file that it refused.
#[test]
fn a_journal_that_is_refused_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene_in(folder.path(), &flight(3, 4));
    let other = folder.path().join("other.xml");
    fs::write(&other, flight(4, 4)).unwrap();
    let (out, part) = (folder.path().join("out.carom"), folder.path().join("out.carom.part"));
    // A whole file, with the index at its end that going on takes away.
    let make = ["run", named(&scene), "-o", named(&part), "--format", "carom", "--quiet"];
    assert!(run(&make).status.success());
    let kept = fs::read(&part).unwrap();
    for (command, words) in [
        (&["run", named(&other), "-o", named(&out), "--resume"][..], "the text of the scene has changed"),
        (&["run", named(&scene), "-o", named(&out), "--resume", "--steps", "2"], "has step 4 already"),
        (&["run", named(&scene), "-o", named(&out), "--resume", "--every", "2"], "cannot go on"),
    ] {
        let refused = run(command);
        assert_eq!(refused.status.code(), Some(2));
        let message = errors(&refused);
        assert!(message.contains(words) && message.contains("--overwrite"), "{message}");
        assert!(fs::read(&part).unwrap() == kept && !out.exists(), "{command:?} changed the journal");
    }
    // What is no journal at all is left alone too, and the way out is named.
    fs::write(&part, "").unwrap();
    let refused = run(&["run", named(&scene), "-o", named(&out), "--resume", "--quiet"]);
    assert!(errors(&refused).contains("--overwrite"), "{}", errors(&refused));
    assert!(run(&["run", named(&scene), "-o", named(&out), "--overwrite", "--quiet"]).status.success());
    assert!(out.exists() && !part.exists());
}

/// The temporary file of an export that was killed stayed for ever.
#[test]
fn what_a_killed_export_left_is_removed_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene_in(folder.path(), &flight(3, 4));
    let left = folder.path().join(".carom-abc123.tmp");
    fs::write(&left, "half a file").unwrap();
    let out = folder.path().join("out.csv");
    assert!(run(&["run", named(&scene), "-o", named(&out), "--quiet"]).status.success());
    assert!(!left.exists());
}

/// A journal that another program cut in mid-run gave exit 0 and a file that nobody could read; a
/// folder that was removed was noticed at the end only.
#[test]
fn a_disturbed_run_says_so() {
    for removes in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("results");
        fs::create_dir(&results).unwrap();
        let scene = scene_in(folder.path(), &flight(50, 100_000_000));
        let out = results.join("out.carom");
        let part = results.join("out.carom.part");
        let child = carom()
            .args(["run", named(&scene), "-o", named(&out), "--quiet", "--every", "100"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let long = |path: &Path| fs::metadata(path).is_ok_and(|data| data.len() > 50_000);
        let end = Instant::now() + Duration::from_secs(60);
        while !long(&part) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        if removes {
            fs::remove_dir_all(&results).unwrap();
        } else {
            fs::OpenOptions::new().write(true).open(&part).unwrap().set_len(30_000).unwrap();
        }
        let ended = ended_within(child, Duration::from_secs(60));
        assert_eq!(ended.status.code(), Some(2));
        let message = errors(&ended);
        assert!(message.contains("changed by another program"), "{message}");
    }
}

/// `plot` and `convert` on a full disk advised `--resume`, which they do not have.
#[test]
#[cfg(target_os = "linux")]
fn only_a_run_gets_advice_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene_in(folder.path(), &flight(20, 200));
    let whole = folder.path().join("whole.carom");
    assert!(run(&["run", named(&scene), "-o", named(&whole), "--quiet"]).status.success());
    let small = folder.path().join("small");
    fs::create_dir(&small).unwrap();
    let words = ["-t", "tmpfs", "-o", "size=32k", "tmpfs", named(&small)];
    let mounted = Command::new("mount").args(words).stderr(Stdio::null()).status();
    if !mounted.is_ok_and(|status| status.success()) {
        return; // Only root can make a disk that is full.
    }
    let target = small.join("copy.carom");
    let convert = run(&["convert", named(&whole), "-o", named(&target)]);
    let course = folder.path().join("course.bin");
    assert!(run(&["run", named(&scene), "-o", named(&course), "--quiet"]).status.success());
    // A course file is completed frame by frame, through a journal that nobody can go on with.
    let table = small.join("table.csv");
    let completed = run(&["convert", named(&course), "--scene", named(&scene), "-o", named(&table)]);
    let left = fs::read_dir(&small).unwrap().count();
    let archive = run(&["convert", named(&whole), "-o", named(&small.join("copy.npz"))]);
    let out = small.join("out.carom");
    let ran = run(&["run", named(&scene), "-o", named(&out), "--quiet"]);
    let unmounted = Command::new("umount").arg(&small).status().unwrap().success();
    assert!(unmounted);
    let (convert, ran) = (errors(&convert), errors(&ran));
    // The library that packs archives had words of its own.
    assert!(errors(&archive).starts_with("error: cannot write"), "{}", errors(&archive));
    assert!(convert.contains("free some space") && !convert.contains("--resume"), "{convert}");
    let completed = errors(&completed);
    assert!(
        completed.starts_with(&format!("error: cannot write {}: No space", table.display())),
        "{completed}"
    );
    assert!(completed.contains("free some space") && !completed.contains("--resume"), "{completed}");
    assert_eq!(left, 0, "a convert that failed left something");
    assert!(ran.contains("free some space") && ran.contains("--resume"), "{ran}");
}

/// Where standard output cannot be written, the message names it.
#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene_in(folder.path(), &flight(2, 5));
    let whole = folder.path().join("whole.carom");
    assert!(run(&["run", named(&scene), "-o", named(&whole), "--quiet"]).status.success());
    for words in
        [vec!["info", named(&whole)], vec!["completions", "bash"], vec!["check", named(&scene), "--json"]]
    {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = carom().args(&words).stdout(full).output().unwrap();
        let said = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
        assert!(said.contains("standard output: No space left"), "{words:?}: {said}");
    }
}

/// Discs that all overlap: one step takes long.
pub(crate) fn long_step() -> String {
    let mut text = String::from(
        "<scene><simtype type=\"rigid-body\"/><duration time=\"10\"/>\
         <rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.01\"/>\
         <rigidbodycollisionhandling detection=\"all-pairs\" response=\"gr-lcp\" mu=\"0.3\"/>",
    );
    for k in 0..300 {
        let x = 1e-3 * f64::from(k);
        text += &format!("<rigidbodydisc x=\"{x}\" y=\"0\" radius=\"50\" m=\"1\" vx=\"{}\" vy=\"0\"/>", -x);
    }
    text + "</scene>"
}

/// Whether a program has computed for three tenths of a second: it is inside its first step,
/// however long its output took to open. Where the system does not say, time passes instead.
pub(crate) fn is_at_work(id: u32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{id}/stat")) else {
        std::thread::sleep(Duration::from_millis(300));
        return true;
    };
    // After the name, which may hold anything, come the state and ten numbers, then ticks of 10 ms.
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<u64>().ok());
    ticks.sum::<u64>() >= 30
}

/// One step of discs that all overlap takes long: Ctrl-C and SIGTERM were looked for between steps
/// only.
#[test]
fn signals_end_a_run_inside_a_step() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene_in(folder.path(), &long_step());
    for signal in ["-INT", "-TERM"] {
        let out = folder.path().join(format!("out{signal}.carom"));
        let child = carom()
            .args(["run", named(&scene), "-o", named(&out)])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let part = folder.path().join(format!("out{signal}.carom.part"));
        let end = Instant::now() + Duration::from_secs(60);
        while !(part.exists() && is_at_work(child.id())) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        // The promise is a second; how fast this machine is decides no test.
        let ended = ended_within(child, Duration::from_secs(20));
        let message = errors(&ended);
        assert_eq!(ended.status.code(), Some(130), "{message}");
        assert!(message.contains("--resume"), "{message}");
        let reported = run(&["info", named(&part), "--json"]);
        let facts: serde_json::Value = serde_json::from_slice(&reported.stdout).unwrap();
        assert!(facts["frames"].as_u64().unwrap() >= 1, "{facts}");
    }
}

/// A hundred thousand bodies on one spot took all memory there was, or minutes.
#[test]
fn bodies_on_one_spot_are_an_error() {
    let disc = |x: f64| format!("<rigidbodydisc x=\"{x}\" y=\"0\" radius=\"1\" m=\"1\"/>");
    let sphere = |x: f64| format!("<rigidbody3dsphere x=\"{x}\" z=\"0\" radius=\"1\" m=\"1\"/>");
    let particle = |x: f64| {
        format!("<particle m=\"1\" px=\"{x}\" py=\"0\" vx=\"0\" vy=\"0\" fixed=\"0\" radius=\"1\"/>")
    };
    let planar = |handling: &str| {
        format!(
            "<simtype type=\"rigid-body\"/><rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.01\"/>\
             <rigidbodycollisionhandling detection=\"all-pairs\" {handling}/>"
        )
    };
    let spatial = "<simtype type=\"rigid-body-3d\"/><rigidbody3dintegrator type=\"symplectic-euler\" dt=\"0.01\"/>\
                   <rigidbody3dcollisionhandling response=\"gr-lcp\"/>";
    let particles = |handling: &str| {
        format!("<integrator type=\"symplectic-euler\" dt=\"0.01\"/><collision {handling}/>")
    };
    let kinds: [(String, &dyn Fn(f64) -> String); 8] = [
        (planar("response=\"gr-lcp\""), &disc),
        (planar("response=\"penalty\" k=\"100\" thickness=\"0.1\""), &disc),
        (spatial.to_owned(), &sphere),
        (particles("type=\"gr-lcp\""), &particle),
        (particles("type=\"continuous-time\""), &particle),
        (particles("type=\"hybrid\""), &particle),
        (particles("type=\"simple\""), &particle),
        (particles("type=\"penalty\" k=\"100\" thickness=\"0.1\""), &particle),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (head, body) in kinds {
        let scene = folder.path().join("crowd.xml");
        let mut text = format!("<scene><duration time=\"0.05\"/>{head}");
        (0..100_000).for_each(|k| text += &body(1e-7 * f64::from(k)));
        fs::write(&scene, text + "</scene>").unwrap();
        // The course knows particles and its own responses; there its steps are taken.
        let known = head.starts_with("<integrator") && !head.contains("gr-lcp");
        for course in if known { &["", "--course"][..] } else { &[""] } {
            let program = env!("CARGO_BIN_EXE_carom");
            let limited = format!("ulimit -v 1000000; exec {program} run {} {course}", named(&scene));
            let ended = Command::new("bash").args(["-c", &limited]).output().unwrap();
            let message = errors(&ended);
            assert!(!ended.status.success(), "{head} {course}: {message}");
            assert!(message.contains("pairs of bodies overlap"), "{head} {course}: {message}");
        }
    }
}
