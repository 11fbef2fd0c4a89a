//! `cargo xtask figures`: the pictures of docs/figures, by the commands of its page.

use anyhow::{Context, Result, ensure};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Rows of the large rack: 45 · 46 / 2 = 1,035 balls.
const ROWS: u32 = 45;
const RADIUS: f64 = 0.1;
/// Colours of the rack from its tip to its back.
const COLOURS: [[f64; 3]; 5] =
    [[0.85, 0.25, 0.2], [0.95, 0.6, 0.15], [0.2, 0.55, 0.35], [0.15, 0.45, 0.8], [0.5, 0.3, 0.7]];
/// All figures together, in bytes.
const ALTOGETHER: u64 = 1_500_000;

/// Runs every command of docs/figures/README.md.
pub(crate) fn write() -> Result<()> {
    crate::cargo(&["build", "--release", "--package", "carom-cli"])?;
    let (page, work) = (crate::root().join("docs/figures/README.md"), crate::root().join("target/figures"));
    fs::create_dir_all(&work).context("cannot make target/figures")?;
    fs::write(work.join("rack-1035.xml"), rack()?).context("cannot write the rack")?;
    let text = fs::read_to_string(&page).context("cannot read docs/figures/README.md")?;
    for line in text.lines().filter(|line| line.starts_with("carom ")) {
        println!("{line}");
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        let status = Command::new(program()).args(words).current_dir(crate::root()).status();
        ensure!(status.context("cannot start carom")?.success(), "failed: {line}");
    }
    let mut total = 0;
    for entry in fs::read_dir(crate::root().join("docs/figures"))? {
        total += entry?.metadata()?.len();
    }
    ensure!(total <= ALTOGETHER, "the figures take {total} bytes together, more than {ALTOGETHER}");
    println!("together {} kB", total / 1000);
    Ok(())
}

fn program() -> PathBuf {
    let built = std::env::var_os("CARGO_TARGET_DIR").map_or(crate::root().join("target"), PathBuf::from);
    built.join("release").join(format!("carom{}", std::env::consts::EXE_SUFFIX))
}

/// A ball strikes a triangle of balls that touch.
fn rack() -> Result<String> {
    let mut scene = String::from(
        "<scene>\n  <duration time=\"6\"/>\n  <integrator type=\"symplectic-euler\" dt=\"0.005\"/>\n  \
         <collision type=\"gr-lcp\"/>\n  <viewport cx=\"4\" cy=\"0\" size=\"7\"/>\n",
    );
    let mut ball = |x: f64, y: f64, vx: f64| {
        writeln!(
            scene,
            "  <particle m=\"1\" px=\"{x}\" py=\"{y}\" vx=\"{vx}\" vy=\"0\" fixed=\"0\" radius=\"{RADIUS}\"/>"
        )
    };
    ball(-1.3, 0.0, 30.0)?;
    for row in 0..ROWS {
        for place in 0..=row {
            let x = f64::from(row) * RADIUS * 3f64.sqrt();
            ball(x, (2.0 * f64::from(place) - f64::from(row)) * RADIUS, 0.0)?;
        }
    }
    let mut index = 1;
    for row in 0..ROWS {
        let [r, g, b] = COLOURS[(row * 5 / ROWS) as usize];
        for _ in 0..=row {
            writeln!(scene, "  <particlecolor i=\"{index}\" r=\"{r}\" g=\"{g}\" b=\"{b}\"/>")?;
            index += 1;
        }
    }
    Ok(scene + "</scene>\n")
}
