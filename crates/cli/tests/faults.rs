//! Faults on purpose, SQLite's way: the n-th system call of a kind fails, for every n of a whole
//! run with its export. After each, the output is whole or absent, and going on gives the same
//! bytes. `strace` is the layer under the files: it lets the kernel's answer be an error. Where it
//! is not installed, or may not trace, nothing is tried and the test prints that.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stderr, reason = "a test that tries nothing prints why")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const SCENE: &str = r#"<scene><duration time="0.05"/><integrator type="symplectic-euler" dt="0.01"/>
<simplegravity fx="0" fy="-9.81"/><particle m="1" px="0" py="0.2" vx="1" vy="0" fixed="0" radius="0.2"/></scene>"#;

/// Calls that touch files, with an error that each can give.
const FAULTS: [(&str, &str); 8] = [
    ("write", "ENOSPC"),
    ("fsync,fdatasync", "EIO"),
    ("rename,renameat,renameat2", "EACCES"),
    ("openat", "EMFILE"),
    ("read,pread64", "EIO"),
    ("ftruncate", "EIO"),
    // Memory, as the allocator asks the system for it.
    ("mmap", "ENOMEM"),
    ("brk", "ENOMEM"),
];
/// A run of a few frames makes fewer calls of a kind than this.
const MOST_CALLS: u32 = 200;

fn run(scene: &Path, output: &Path, extra: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.arg("run").arg(scene).arg("-o").arg(output).arg("--quiet").args(extra);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The run under strace, with one call that fails. Says whether the fault was injected at all.
fn with_fault(scene: &Path, output: &Path, (calls, error): (&str, &str), n: u32, log: &Path) -> bool {
    let inject = format!("inject={calls}:error={error}:when={n}");
    let plain = run(scene, output, &[]);
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-o"]).arg(log).args(["-e", &format!("trace={calls}"), "-e", &inject]);
    traced.arg(plain.get_program()).args(plain.get_args());
    let _whatever_it_says = traced.stdout(Stdio::null()).stderr(Stdio::null()).status();
    fs::read_to_string(log).is_ok_and(|text| text.contains("(INJECTED)"))
}

fn may_trace() -> bool {
    let traced = Command::new("strace").args(["-o", "/dev/null", "true"]).stderr(Stdio::null()).status();
    traced.is_ok_and(|status| status.success())
}

#[test]
fn any_call_may_fail() {
    if !may_trace() {
        eprintln!("strace is not there, or may not trace: no faults were tried");
        return;
    }
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let scene = folder.path().join("scene.xml");
    fs::write(&scene, SCENE).unwrap();
    let log = folder.path().join("strace.log");
    let mut tried = 0;
    for format in ["carom", "npz", "bin"] {
        let whole = folder.path().join(format!("whole.{format}"));
        assert!(run(&scene, &whole, &[]).status().unwrap().success());
        let bytes = fs::read(&whole).unwrap();
        for fault in FAULTS {
            for n in 1..MOST_CALLS {
                let inner = folder.path().join("inner");
                fs::create_dir(&inner).unwrap();
                let output = inner.join(format!("out.{format}"));
                let injected = with_fault(&scene, &output, fault, n, &log);
                if output.exists() {
                    assert!(
                        fs::read(&output).unwrap() == bytes,
                        "{format}, {fault:?}, call {n}: the output is there and not whole"
                    );
                }
                assert!(
                    run(&scene, &output, &["--resume"]).status().unwrap().success(),
                    "{format}, {fault:?}, call {n}: cannot be gone on with"
                );
                assert!(
                    fs::read(&output).unwrap() == bytes,
                    "{format}, {fault:?}, call {n}: the resumed run differs"
                );
                fs::remove_dir_all(&inner).unwrap();
                if !injected {
                    break;
                }
                tried += 1;
            }
        }
    }
    eprintln!("{tried} faults tried");
    assert!(tried > 30, "only {tried} faults were tried");
}
