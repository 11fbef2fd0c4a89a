//! `cargo xtask python`: the wheel, in a fresh virtual environment, under all its tests.
//!
//! The wheel is built by maturin, which pip fetches, with the page in it
//! (`python/wheel/carom_wheel.py`). Tests see the installed package, never the sources. What is
//! missing (Python's `venv`) is installed where that is possible.

use crate::root;
use crate::web::{apt_install, run, succeeds};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// Builds the wheel and gives its file.
pub(crate) fn wheel() -> Result<PathBuf> {
    println!("\n== the wheel");
    install_python()?;
    let folder = folder().join("wheels");
    let _not_there_at_first = fs::remove_dir_all(&folder);
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "wheel", "--quiet", "--no-deps", "--disable-pip-version-check", "--wheel-dir"]);
    run(pip.arg(&folder).arg(".").current_dir(root()))?;
    let mut names = fs::read_dir(&folder).context("pip left no wheel")?;
    let wheel = names.find_map(|entry| entry.ok().map(|e| e.path()).filter(|p| p.extension().is_some()));
    wheel.context("pip left no wheel")
}

/// Installs the wheel into a fresh virtual environment and runs every test of it.
pub(crate) fn test() -> Result<()> {
    let start = Instant::now();
    let wheel = wheel()?;
    println!("\n== python");
    let venv = folder().join("venv");
    let _not_there_at_first = fs::remove_dir_all(&venv);
    run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let python = |words: &[&str]| {
        let mut command = Command::new(&python);
        // what is tested is what is installed: neither the sources nor what a person has set count
        command.args(words).current_dir(root()).env_remove("PYTHONPATH").env("PYTHONDONTWRITEBYTECODE", "1");
        // the program, where it was built: what it writes is read, and its hashes are compared
        command.env("CAROM", folder().join(format!("../release/carom{}", std::env::consts::EXE_SUFFIX)));
        run(&mut command)
    };
    let with_tests = format!("{}[test]", wheel.display());
    python(&["-m", "pip", "install", "--quiet", "--disable-pip-version-check", &with_tests])?;
    let typed = ["python/carom", "python/tests", "python/examples", "python/benchmarks"];
    python(&[&["-m", "mypy", "--no-incremental"][..], &typed].concat())?;
    python(&["-m", "mypy.stubtest", "carom._carom"])?;
    python(&["-m", "pytest", "--doctest-modules", "--pyargs", "carom"])?;
    python(&["-m", "pytest", "--durations=5", "python/tests"])?;
    println!("the Python package passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), PathBuf::from).join("python")
}

/// Python with pip and virtual environments; Debian keeps the two apart.
fn install_python() -> Result<()> {
    let is_there = || succeeds("python3", &["-c", "import venv, ensurepip, pip"]);
    if !is_there() {
        println!("Python, its pip or its venv is missing; installing them with apt-get");
        let packages = ["python3", "python3-pip", "python3-venv"];
        ensure!(apt_install(&packages) && is_there(), "the Python package needs {}", packages.join(", "));
    }
    let recent = ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"];
    ensure!(succeeds("python3", &recent), "the Python package needs Python 3.10 or newer");
    Ok(())
}
