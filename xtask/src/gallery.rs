//! `cargo xtask gallery`: the pictures of docs/gallery, made by the program itself from the scenes,
//! small enough for a repository.

use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Largest picture, and all together, in bytes.
const LARGEST: u64 = 200_000;
const ALTOGETHER: u64 = 1_800_000;
/// A small picture is aimed at; when a run is too lively for it, sizes and paces further down are
/// tried.
const AIM: u64 = 80_000;
const TRIES: [(&str, &str); 5] = [("240", "12"), ("240", "8"), ("200", "8"), ("160", "8"), ("160", "5")];
/// The picture at the head of the README is larger than the others.
const HEAD: (&str, &str, &str) = ("break", "520x294", "15");
/// Seconds of each run that are shown.
const SECONDS: &str = "5";

/// Draws every scene and writes the page that shows them.
pub(crate) fn write() -> Result<()> {
    crate::cargo(&["build", "--release", "--package", "carom-cli"])?;
    let folder = crate::root().join("docs/gallery");
    fs::create_dir_all(&folder).context("cannot make docs/gallery")?;
    let mut page = String::from(
        "<!-- Written by `cargo xtask gallery`; do not edit. -->\n\n# Gallery\n\n\
         Every scene of the folder `scenes`, drawn by `carom render`. Each says what to look at.\n",
    );
    let mut total = 0;
    for scene in scenes()? {
        let name = scene.file_stem().context("a scene has a name")?.to_string_lossy().into_owned();
        let bytes = draw(&scene, &name, &folder)?;
        println!("{name:20} {:4} kB", bytes / 1000);
        total += bytes;
        writeln!(page, "\n## {name}\n\n![{name}]({name}.gif)\n\n{}", description(&scene)?)?;
    }
    ensure!(total <= ALTOGETHER, "the pictures take {total} bytes together, more than {ALTOGETHER}");
    fs::write(folder.join("README.md"), page).context("cannot write docs/gallery/README.md")?;
    println!("together {} kB", total / 1000);
    Ok(())
}

fn scenes() -> Result<Vec<PathBuf>> {
    let folder = crate::root().join("scenes");
    let mut scenes = Vec::new();
    for entry in fs::read_dir(&folder).context("cannot read scenes")? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "xml") {
            scenes.push(path);
        }
    }
    scenes.sort();
    Ok(scenes)
}

/// Runs a scene once and draws it as small as needed; gives the size of the file.
fn draw(scene: &Path, name: &str, folder: &Path) -> Result<u64> {
    let target = folder.join(format!("{name}.gif"));
    let run = &folder.join(format!("{name}.carom"));
    let words = [OsStr::new("run"), scene.as_os_str(), OsStr::new("-o"), run.as_os_str()];
    carom(&[&words[..], &["--until", SECONDS, "--quiet"].map(OsStr::new)].concat())?;
    let bytes = smallest(name, run, &target);
    fs::remove_file(run).with_context(|| format!("cannot remove {}", run.display()))?;
    bytes
}

fn smallest(name: &str, run: &Path, target: &Path) -> Result<u64> {
    if name == HEAD.0 {
        let bytes = render(run, target, HEAD.1, HEAD.2)?;
        ensure!(bytes <= LARGEST, "{name}.gif takes {bytes} bytes");
        return Ok(bytes);
    }
    let mut smallest = u64::MAX;
    for (size, fps) in TRIES {
        smallest = render(run, target, size, fps)?;
        if smallest <= AIM {
            return Ok(smallest);
        }
    }
    if smallest > LARGEST {
        bail!("{name}.gif takes {smallest} bytes even at its smallest");
    }
    Ok(smallest)
}

fn render(run: &Path, target: &Path, size: &str, fps: &str) -> Result<u64> {
    let words = [OsStr::new("render"), run.as_os_str(), OsStr::new("-o"), target.as_os_str()];
    carom(&[&words[..], &["--size", size, "--fps", fps, "--quiet"].map(OsStr::new)].concat())?;
    Ok(fs::metadata(target).with_context(|| format!("cannot read {}", target.display()))?.len())
}

/// Runs the program that was built at the start.
fn carom(words: &[&OsStr]) -> Result<()> {
    let built = std::env::var_os("CARGO_TARGET_DIR").map_or(crate::root().join("target"), PathBuf::from);
    let program = built.join("release").join(format!("carom{}", std::env::consts::EXE_SUFFIX));
    let status = Command::new(&program).args(words).status();
    let status = status.with_context(|| format!("cannot start {}", program.display()))?;
    ensure!(status.success(), "carom failed on {}", words.join(OsStr::new(" ")).display());
    Ok(())
}

fn description(scene: &Path) -> Result<String> {
    let text = fs::read_to_string(scene).with_context(|| format!("cannot read {}", scene.display()))?;
    let reading = carom_scene::read(&text, &carom_scene::ReadOptions::default());
    let scene = reading.scene.context("gallery scenes have no errors")?;
    Ok(scene.general.description.unwrap_or_default())
}
