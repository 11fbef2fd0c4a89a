//! Kills of every family and every format, in the first step, in the middle, in the export: going
//! on gives the bits of an unbroken run. `CAROM_KILLS` says how many (60 without it;
//! docs/reliability.md reports a thousand).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn carom() -> Command {
    Command::new(env!("CARGO_BIN_EXE_carom"))
}

/// A scene of a family whose first frame is larger than the buffer of the journal.
fn scene(family: usize) -> String {
    let mut text = String::from("<scene><duration time=\"0.2\"/>");
    let count = [8300, 5600, 2600][family];
    text += [
        "<integrator type=\"symplectic-euler\" dt=\"0.01\"/><simplegravity fx=\"0\" fy=\"-9.81\"/>",
        "<simtype type=\"rigid-body\"/><rigidbodyintegrator type=\"symplectic-euler\" dt=\"0.01\"/>\
         <rigidbodygravityforce fx=\"0\" fy=\"-9.81\"/>",
        "<simtype type=\"rigid-body-3d\"/><rigidbody3dintegrator type=\"symplectic-euler\" dt=\"0.01\"/>\
         <rigidbody3doutput fps=\"100\"/><rigidbody3dgravityforce fz=\"-9.81\"/>",
    ][family];
    for k in 0..count {
        let (x, y, v) = (k % 100, k / 100, k % 7);
        text += &match family {
            0 => format!(
                "<particle m=\"1\" px=\"{x}\" py=\"{y}\" vx=\"{v}\" vy=\"0\" fixed=\"0\" radius=\"0.1\"/>"
            ),
            1 => format!("<rigidbodydisc x=\"{x}\" y=\"{y}\" radius=\"0.2\" m=\"1\" vx=\"{v}\"/>"),
            _ => format!("<rigidbody3dsphere x=\"{x}\" z=\"{y}\" radius=\"0.2\" m=\"1\" vx=\"{v}\"/>"),
        };
    }
    text + "</scene>"
}

/// The formats that a family can be written in.
fn formats(family: usize) -> &'static [&'static str] {
    [&["carom", "bin", "npz", "csv"][..], &["carom", "npz", "csv"], &["carom", "npz", "csv", "glb"]][family]
}

fn command(scene: &Path, output: &Path, resume: bool) -> Command {
    let mut command = carom();
    command.arg("run").arg(scene).arg("-o").arg(output).arg("--quiet").stderr(Stdio::null());
    if resume {
        command.arg("--resume");
    }
    command
}

struct Whole {
    scene: PathBuf,
    format: &'static str,
    bytes: Vec<u8>,
    took: Duration,
}

fn wholes(folder: &Path) -> Vec<Whole> {
    let mut wholes = Vec::new();
    for family in 0..3 {
        let path = folder.join(format!("family{family}.xml"));
        fs::write(&path, scene(family)).unwrap();
        for &format in formats(family) {
            let output = folder.join(format!("whole{family}.{format}"));
            let start = Instant::now();
            assert!(command(&path, &output, false).status().unwrap().success(), "family {family}, {format}");
            let took = start.elapsed();
            wholes.push(Whole { scene: path.clone(), format, bytes: fs::read(&output).unwrap(), took });
        }
    }
    wholes
}

#[test]
fn kills_of_every_family_and_format_change_no_bit() {
    let kills: u32 = std::env::var("CAROM_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let folder = tempfile::tempdir().unwrap();
    let wholes = wholes(folder.path());
    let mut seed = 2026_u64;
    let (mut unfinished, mut kept) = (0, 0);
    for kill in 0..kills {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let fraction = (seed >> 40) as f64 / (1_u64 << 24) as f64;
        let whole = &wholes[kill as usize % wholes.len()];
        let inner = folder.path().join(format!("kill{kill}"));
        fs::create_dir(&inner).unwrap();
        let output = inner.join(format!("out.{}", whole.format));
        let mut child = command(&whole.scene, &output, false).spawn().unwrap();
        std::thread::sleep(whole.took.mul_f64(1.1 * fraction));
        child.kill().unwrap();
        child.wait().unwrap();
        if output.exists() {
            assert!(fs::read(&output).unwrap() == whole.bytes, "kill {kill}: the output is not whole");
        } else {
            unfinished += 1;
            kept += u32::from(inner.join(format!("out.{}.part", whole.format)).exists());
        }
        assert!(command(&whole.scene, &output, true).status().unwrap().success(), "kill {kill}");
        assert!(
            fs::read(&output).unwrap() == whole.bytes,
            "kill {kill} of {} as {}: the resumed run differs",
            whole.scene.display(),
            whole.format
        );
        // Some formats are several files; what is temporary or of the journal is gone.
        let names = fs::read_dir(&inner).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .filter(|name| name.starts_with('.') || name.ends_with(".part"))
            .collect();
        assert!(left.is_empty(), "kill {kill}: {left:?} are left behind");
        fs::remove_dir_all(&inner).unwrap();
    }
    assert!(unfinished > kills / 10, "only {unfinished} of {kills} kills came before the end");
    assert!(kept > 0, "no kill left a journal: the test tests nothing");
}
