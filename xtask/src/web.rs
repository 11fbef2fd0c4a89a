//! `cargo xtask web`: the page, from a clean checkout to web/dist.
//!
//! The engine is compiled to WebAssembly by whichever compiler can, the glue is written by
//! web/bindgen, and the page is bundled by esbuild. What is missing (the target, node) is installed
//! where that is possible, and said.

use crate::root;
use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../../crates/server/shipping.rs"]
mod shipping;
#[path = "../../crates/server/sources.rs"]
mod sources;

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the page.
pub(crate) fn build() -> Result<()> {
    println!("\n== the page");
    let compiler = find_compiler()?;
    let wasm = compile_engine(&compiler)?;
    write_glue(&wasm)?;
    install_node()?;
    npm_packages()?;
    let web = root().join("web");
    run(Command::new(web.join("node_modules/.bin/tsc")).arg("--noEmit").current_dir(&web))?;
    run(Command::new("node").arg("build.mjs").current_dir(&web))?;
    ship().context("cannot copy the page to crates/server/page")?;
    println!("the page is in web/dist; any static host serves it");
    Ok(())
}

/// Copies what the program holds of the page to the folder of its crate, so that packages have it,
/// with the number of the sources that it was made of.
fn ship() -> Result<()> {
    let (built, shipped) = (root().join("web/dist"), root().join("crates/server/page"));
    std::fs::write(built.join(shipping::STAMP), sources::hash_of_sources(&root())?)?;
    shipping::ship(&built, &shipped)?;
    Ok(())
}

/// Drives the page that was built in Chromium, and checks that WebAssembly gives the bits of native
/// code.
pub(crate) fn test() -> Result<()> {
    println!("\n== browser");
    install_chromium()?;
    // The program holds the page, and serves it to the browser.
    crate::cargo(&["build", "--release", "--quiet", "--package", "carom-cli"])?;
    let built = std::env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), PathBuf::from);
    let program = built.join("release").join(format!("carom{}", std::env::consts::EXE_SUFFIX));
    let web = root().join("web");
    let mut suites = Vec::new();
    for entry in std::fs::read_dir(web.join("tests")).context("cannot read web/tests")? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            suites.push(path);
        }
    }
    suites.sort();
    for suite in suites {
        let once = || {
            let mut node = Command::new("node");
            run(node.arg("--test").arg(&suite).current_dir(&web).env("CAROM_PLAY", &program))
        };
        // A browser on a loaded machine now and then loses a race: what fails twice is broken.
        if let Err(error) = once() {
            println!("\n{error:#}\nonce more: {}", suite.display());
            once()?;
        }
    }
    Ok(())
}

/// A compiler that can make WebAssembly.
struct Compiler {
    rustc: OsString,
    /// It has no standard library for the target, but its source.
    builds_std: bool,
}

/// Asks compilers, not the operating system; installs the target where no compiler has it.
fn find_compiler() -> Result<Compiler> {
    if let Some(found) = ask_compilers() {
        return Ok(found);
    }
    println!("no compiler here makes {TARGET}; installing the target with rustup");
    if succeeds("rustup", &["target", "add", TARGET])
        && let Some(found) = ask_compilers()
    {
        return Ok(found);
    }
    println!("rustup could not; installing Debian's rustc-web");
    if apt_install(&["rustc-web", "rust-web-src"])
        && let Some(found) = ask_compilers()
    {
        return Ok(found);
    }
    bail!(
        "no compiler makes {TARGET}. One of these helps:\n  rustup target add {TARGET}\n  \
         apt-get install --no-install-recommends rustc-web rust-web-src"
    )
}

fn ask_compilers() -> Option<Compiler> {
    let named = std::env::var_os("WASM_RUSTC");
    let all: Vec<OsString> = named.into_iter().chain(["rustc".into(), "/usr/bin/rustc".into()]).collect();
    let with_std = all.iter().find(|rustc| has_std(rustc));
    let builds_std = with_std.is_none();
    with_std
        .or_else(|| all.iter().find(|rustc| has_source(rustc)))
        .map(|rustc| Compiler { rustc: rustc.clone(), builds_std })
}

fn has_std(rustc: &OsString) -> bool {
    let folder = output(rustc, &["--print", "target-libdir", "--target", TARGET]);
    let names = folder.and_then(|folder| std::fs::read_dir(folder).ok());
    names.is_some_and(|mut names| {
        names.any(|entry| entry.is_ok_and(|e| e.file_name().to_string_lossy().starts_with("libstd-")))
    })
}

/// Only a compiler that says it is for the web: others' sources do not build without a nightly.
fn has_source(rustc: &OsString) -> bool {
    let sysroot = output(rustc, &["--print", "sysroot"]);
    let library = |sysroot: String| Path::new(&sysroot).join("lib/rustlib/src/rust/library/std");
    rustc == "/usr/bin/rustc" && sysroot.is_some_and(|sysroot| library(sysroot).exists())
}

/// The target folder of everything here, apart from that of native code.
fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), PathBuf::from).join("web")
}

fn compile_engine(compiler: &Compiler) -> Result<PathBuf> {
    let folder = target_folder();
    let mut cargo = Command::new("cargo");
    cargo.args([
        "build",
        "--locked",
        "--profile",
        "web",
        "--package",
        "carom-web",
        "--lib",
        "--target",
        TARGET,
    ]);
    cargo.current_dir(root()).env("CARGO_TARGET_DIR", &folder).env("RUSTC", &compiler.rustc);
    if compiler.builds_std {
        let sysroot = output(&"rustc".into(), &["--print", "sysroot"]).context("rustc has no sysroot")?;
        let linker = Path::new(&sysroot).join("lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld");
        cargo.arg("-Zbuild-std=std,panic_abort").env("RUSTC_BOOTSTRAP", "1");
        cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }
    run(&mut cargo)?;
    Ok(folder.join(TARGET).join("web/carom_web.wasm"))
}

fn write_glue(wasm: &Path) -> Result<()> {
    let mut cargo = Command::new("cargo");
    cargo.args([
        "run",
        "--quiet",
        "--locked",
        "--release",
        "--manifest-path",
        "web/bindgen/Cargo.toml",
        "--",
    ]);
    cargo.arg(wasm).arg("web/generated").current_dir(root());
    run(cargo.env("CARGO_TARGET_DIR", target_folder().join("bindgen")))
}

/// Packages as web/package-lock.json has them; nothing is done when they are there already.
fn npm_packages() -> Result<()> {
    let web = root().join("web");
    let time = |path: &str| std::fs::metadata(web.join(path)).and_then(|m| m.modified()).ok();
    let (wanted, installed) = (time("package-lock.json"), time("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= wanted {
        return Ok(());
    }
    run(Command::new("npm").args(["ci", "--no-fund", "--no-audit"]).current_dir(&web))
}

fn install_node() -> Result<()> {
    for (program, package) in [("node", "nodejs"), ("npm", "npm")] {
        if !succeeds(program, &["--version"]) {
            println!("{program} is missing; installing {package} with apt-get");
            ensure!(apt_install(&[package]), "the page needs {program}; install it by hand");
        }
    }
    Ok(())
}

fn install_chromium() -> Result<()> {
    if std::env::var_os("CHROMIUM").is_some() || succeeds("chromium", &["--version"]) {
        return Ok(());
    }
    println!("chromium is missing; installing it with apt-get");
    ensure!(
        apt_install(&["chromium"]),
        "the browser tests need Chromium; install it by hand, or name its program in CHROMIUM"
    );
    Ok(())
}

pub(crate) fn apt_install(packages: &[&str]) -> bool {
    // Another installation may be under way: it is waited for.
    let install =
        ["install", "--yes", "--quiet", "--no-install-recommends", "--option", "DPkg::Lock::Timeout=300"];
    let words: Vec<&str> = install.iter().chain(packages).copied().collect();
    succeeds("apt-get", &["update", "--quiet"]) && succeeds("apt-get", &words)
}

pub(crate) fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let quiet = std::process::Stdio::null;
    let mut command = Command::new(program);
    command.args(arguments).stdin(quiet()).stdout(quiet()).stderr(quiet());
    command.status().is_ok_and(|status| status.success())
}

fn output(program: &OsString, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).current_dir(root()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

pub(crate) fn run(command: &mut Command) -> Result<()> {
    let words = format!("{command:?}");
    let status = command.status().with_context(|| format!("cannot start {words}"))?;
    ensure!(status.success(), "{words} failed");
    Ok(())
}
