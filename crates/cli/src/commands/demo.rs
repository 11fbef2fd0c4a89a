//! `carom` alone: something to see at once.

use crate::arguments::{Reading, Run};
use crate::commands::run;
use crate::scene_file::SceneFile;
use anyhow::{Context, Result};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const SCENE: &str = include_str!("../../../../scenes/net.xml");
const NAME: &str = "net.xml";
const FOLDER: &str = "carom-out";

pub(crate) fn run() -> Result<ExitCode> {
    let folder = Path::new(FOLDER);
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {FOLDER}"))?;
    let scene_path = folder.join(NAME);
    carom_trajectory::atomic::write_whole(&scene_path, |w| w.write_all(SCENE.as_bytes()))?;
    let file = SceneFile { scene: carom::read_scene(SCENE)?, text: SCENE.to_owned(), name: NAME.to_owned() };
    let options = Run {
        scene: scene_path,
        output: Some(folder.join("net.carom")),
        format: None,
        until: None,
        steps: None,
        every: 10,
        threads: 0,
        resume: false,
        json: false,
        quiet: false,
        reading: Reading { course: false, strict: false },
    };
    let report = run::simulate(&file, &options)?;
    report.print_table()?;
    report.print_trouble(false);
    let mut out = std::io::stdout();
    writeln!(out, "\nThe results are in {}:", absolute(folder).display())?;
    writeln!(out, "  {NAME:12} the scene; change it and run it again: carom run {FOLDER}/{NAME}")?;
    writeln!(out, "  {:12} every tenth frame; look inside: carom info {FOLDER}/net.carom", "net.carom")?;
    writeln!(out, "Next: carom --help")?;
    Ok(report.exit_code())
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
