//! `cargo xtask matrix`: one hash for each gallery scene and each random world, however the program
//! was built and run: threads, debug, processors, another machine under qemu-user, WebAssembly in
//! node and in Chromium.

use crate::root;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A way to build and run the example `bits` of the library.
struct Way {
    name: &'static str,
    release: bool,
    flags: &'static str,
    threads: &'static str,
    target: Option<&'static str>,
    runner: &'static [&'static str],
}

const fn way(name: &'static str, release: bool, flags: &'static str, threads: &'static str) -> Way {
    Way { name, release, flags, threads, target: None, runner: &[] }
}

const WAYS: &[Way] = &[
    way("release, 1 thread", true, "", "1"),
    way("release, 2 threads", true, "", "2"),
    way("release, 8 threads", true, "", "8"),
    way("debug", false, "", "2"),
    // Vector instructions are chosen at run time: without them needs a processor that has none.
    #[cfg(target_arch = "x86_64")]
    Way {
        name: "release, no AVX2 (qemu, Nehalem)",
        release: true,
        flags: "",
        threads: "2",
        target: None,
        runner: &["qemu-x86_64", "-cpu", "Nehalem"],
    },
    #[cfg(target_arch = "x86_64")]
    way("release, x86-64-v3 (AVX2, FMA)", true, "-C target-cpu=x86-64-v3", "2"),
    Way {
        name: "aarch64 under qemu-user",
        release: true,
        flags: "-C linker=aarch64-linux-gnu-gcc",
        threads: "2",
        target: Some("aarch64-unknown-linux-gnu"),
        runner: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
    },
];

/// Compares the ways whose name has this word with the first.
pub(crate) fn run(word: &str) -> Result<()> {
    let mut wanted: Option<BTreeMap<String, String>> = None;
    let mut differing = 0;
    for (k, way) in WAYS.iter().enumerate() {
        if k > 0 && !way.name.contains(word) {
            continue;
        }
        if let Some(missing) = missing(way) {
            println!("{:34} not tried: {missing}", way.name);
            continue;
        }
        let found = hashes(way)?;
        let wanted = wanted.get_or_insert_with(|| found.clone());
        let wrong: Vec<&String> =
            wanted.iter().filter(|(k, v)| found.get(*k) != Some(v)).map(|(k, _)| k).collect();
        // What is missing on one side is a difference too.
        let extra = found.keys().filter(|name| !wanted.contains_key(*name)).count();
        println!("{:34} {} hashes, {} differ {wrong:?}", way.name, found.len(), wrong.len() + extra);
        differing += wrong.len() + extra;
    }
    if let Some(wanted) = &wanted
        && IN_BROWSERS.contains(word)
    {
        in_browsers(wanted)?;
    }
    ensure!(differing == 0, "{differing} hashes differ");
    Ok(())
}

/// Folder of the scenes and their hashes, for engines that are no program.
fn kept() -> PathBuf {
    root().join("target/matrix/scenes")
}

const IN_BROWSERS: &str = "WebAssembly in node and Chromium";

/// The same in engines of browsers.
fn in_browsers(wanted: &BTreeMap<String, String>) -> Result<()> {
    if !root().join("web/dist/engine.wasm").exists() {
        println!("{IN_BROWSERS:34} not tried: no page; cargo xtask web");
        return Ok(());
    }
    let lines: String = wanted.iter().map(|(name, hash)| format!("{name} {hash}\n")).collect();
    std::fs::write(kept().join("hashes.txt"), lines)?;
    let mut node = Command::new("node");
    node.args(["--test", "tests/bits.test.mjs"]).current_dir(root().join("web"));
    let status = node.env("CAROM_MATRIX", kept()).status().context("cannot start node")?;
    ensure!(status.success(), "WebAssembly has other bits");
    println!("{IN_BROWSERS:34} {} hashes, 0 differ []", wanted.len());
    Ok(())
}

/// What a way needs that is not there.
fn missing(way: &Way) -> Option<String> {
    let program = way.runner.first()?;
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        return Some(format!("no {program}: apt-get install qemu-user gcc-aarch64-linux-gnu"));
    }
    let target = way.target?;
    // Asked of the compiler: it need not be rustup's.
    let words = ["--print", "target-libdir", "--target", target];
    let folder = Command::new("rustc").args(words).output().ok()?.stdout;
    let there = Path::new(String::from_utf8_lossy(&folder).trim()).is_dir();
    (!there).then(|| format!("no target: rustup target add {target}"))
}

fn hashes(way: &Way) -> Result<BTreeMap<String, String>> {
    // Other flags make other files: a folder for each, and the usual one without.
    let folder = if way.flags.is_empty() { "target".into() } else { format!("target/matrix/{}", way.flags) };
    let folder = root().join(folder);
    let mut build = Command::new("cargo");
    build.args(["build", "--quiet", "--package", "carom", "--example", "bits"]).current_dir(root());
    build.arg("--target-dir").arg(&folder);
    if !way.flags.is_empty() {
        build.env("RUSTFLAGS", way.flags);
    }
    if way.release {
        build.arg("--release");
    }
    if let Some(target) = way.target {
        build.args(["--target", target]);
    }
    ensure!(build.status().context("cannot start cargo")?.success(), "{} cannot be built", way.name);
    let profile = if way.release { "release" } else { "debug" };
    let program = folder.join(way.target.unwrap_or("")).join(profile).join("examples/bits");
    let mut run = match way.runner {
        [] => Command::new(&program),
        [first, rest @ ..] => {
            let mut run = Command::new(first);
            run.args(rest).arg(&program);
            run
        }
    };
    std::fs::create_dir_all(kept())?;
    run.arg(kept()).env("RAYON_NUM_THREADS", way.threads).current_dir(root());
    let output = run.output().with_context(|| format!("cannot start {}", program.display()))?;
    ensure!(output.status.success(), "{}: {}", way.name, String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().filter_map(|line| line.split_once(' ')).map(|(k, v)| (k.into(), v.into())).collect())
}
