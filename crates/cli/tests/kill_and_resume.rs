//! A run that is killed at any moment leaves a readable file, and going on with it gives the bits
//! of an unbroken run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const KILLS: u32 = 50;

fn carom() -> Command {
    Command::new(env!("CARGO_BIN_EXE_carom"))
}

/// A net of springs: enough to be killed in the middle, the same for every run.
fn scene() -> String {
    let mut text = String::from(
        "<scene>\n<duration time=\"2\"/>\n<integrator type=\"symplectic-euler\" dt=\"0.0005\"/>\n",
    );
    let side = 8;
    for row in 0..side {
        for column in 0..side {
            let fixed = u8::from(row == 0 && (column == 0 || column == side - 1));
            text += &format!(
                "<particle m=\"1\" px=\"{column}\" py=\"{}\" vx=\"0\" vy=\"0\" fixed=\"{fixed}\"/>\n",
                -row
            );
        }
    }
    let mut edge = 0;
    for row in 0..side {
        for column in 0..side {
            let here = row * side + column;
            for (there, inside) in [(here + 1, column + 1 < side), (here + side, row + 1 < side)] {
                if inside {
                    text += &format!(
                        "<edge i=\"{here}\" j=\"{there}\"/>\n<springforce edge=\"{edge}\" k=\"200\" l0=\"0.9\" b=\"0.1\"/>\n"
                    );
                    edge += 1;
                }
            }
        }
    }
    text + "<simplegravity fx=\"0\" fy=\"-9.81\"/>\n</scene>\n"
}

fn run(scene: &Path, output: &Path, extra: &[&str]) {
    let status =
        carom().arg("run").arg(scene).arg("-o").arg(output).arg("--quiet").args(extra).status().unwrap();
    assert!(status.success(), "carom run {} failed", extra.join(" "));
}

#[test]
fn fifty_kills_change_no_bit() {
    let folder = tempfile::tempdir().unwrap();
    let scene_path = folder.path().join("net.xml");
    fs::write(&scene_path, scene()).unwrap();
    let mut unbroken = Vec::new();
    let start = std::time::Instant::now();
    for ending in ["carom", "bin"] {
        let path = folder.path().join(format!("unbroken.{ending}"));
        run(&scene_path, &path, &[]);
        unbroken.push(fs::read(&path).unwrap());
    }
    let whole_run = start.elapsed() / 2;

    // Moments spread over a little more than the whole run by a linear congruential generator; some
    // kills come too early, some too late.
    let mut seed = 12_345_u64;
    let mut killed_in_the_middle = 0;
    for kill in 0..KILLS {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let fraction = (seed >> 40) as f64 / (1_u64 << 24) as f64;
        let which = (kill % 2) as usize;
        let output = folder.path().join(format!("run{kill}.{}", ["carom", "bin"][which]));
        let part = folder.path().join(format!("run{kill}.{}.part", ["carom", "bin"][which]));

        let mut child = carom()
            .arg("run")
            .arg(&scene_path)
            .arg("-o")
            .arg(&output)
            .arg("--quiet")
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs_f64(whole_run.as_secs_f64() * 1.1 * fraction));
        child.kill().unwrap();
        child.wait().unwrap();

        assert!(
            !output.exists() || !part.exists() || which == 1,
            "kill {kill}: both the output and its part are there"
        );
        if output.exists() {
            assert!(
                fs::read(&output).unwrap() == unbroken[which],
                "kill {kill}: an output that is there must be whole"
            );
        }
        if part.exists() {
            let info = carom().arg("info").arg(&part).arg("--json").output().unwrap();
            assert!(
                info.status.success(),
                "kill {kill}: the part cannot be read: {}",
                String::from_utf8_lossy(&info.stderr)
            );
            let info: serde_json::Value = serde_json::from_slice(&info.stdout).unwrap();
            killed_in_the_middle += u32::from(info["frames"].as_u64().unwrap() > 0);
        }
        run(&scene_path, &output, &["--resume"]);
        assert!(
            fs::read(&output).unwrap() == unbroken[which],
            "kill {kill}: the resumed run differs from the unbroken one"
        );
        assert!(!part.exists(), "kill {kill}: the part is left behind");
    }
    assert!(
        killed_in_the_middle > 5,
        "only {killed_in_the_middle} kills came in the middle of a run: the test tests nothing"
    );
}

#[test]
fn a_run_with_every_resumes_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let scene_path = folder.path().join("net.xml");
    fs::write(&scene_path, scene()).unwrap();
    let unbroken = folder.path().join("unbroken.carom");
    run(&scene_path, &unbroken, &["--every", "70"]);
    let output = folder.path().join("broken.carom");
    let mut child = carom()
        .arg("run")
        .arg(&scene_path)
        .arg("-o")
        .arg(&output)
        .args(["--every", "70", "--quiet"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(100));
    child.kill().unwrap();
    child.wait().unwrap();
    run(&scene_path, &output, &["--every", "70", "--resume"]);
    assert!(fs::read(&output).unwrap() == fs::read(&unbroken).unwrap());
}

/// Ctrl-C keeps everything done, between the frames of `--every` too, and says how to go on.
#[test]
#[cfg(unix)]
fn ctrl_c_stops_after_the_current_step_and_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let scene_path = folder.path().join("net.xml");
    fs::write(&scene_path, scene().replace("time=\"2\"", "time=\"20\"")).unwrap();
    let unbroken = folder.path().join("unbroken.carom");
    run(&scene_path, &unbroken, &["--every", "1000"]);
    let output = folder.path().join("broken.carom");
    let child = carom()
        .arg("run")
        .arg(&scene_path)
        .arg("-o")
        .arg(&output)
        .args(["--every", "1000"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !folder.path().join("broken.carom.part").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(30));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(130), "{message}");
    assert!(message.contains("--resume"), "{message}");
    assert!(!output.exists());
    run(&scene_path, &output, &["--every", "1000", "--resume"]);
    assert!(fs::read(&output).unwrap() == fs::read(&unbroken).unwrap());
}

#[test]
fn a_changed_scene_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let scene_path = folder.path().join("net.xml");
    fs::write(&scene_path, scene()).unwrap();
    let output = folder.path().join("run.carom");
    let mut child = carom()
        .arg("run")
        .arg(&scene_path)
        .arg("-o")
        .arg(&output)
        .arg("--quiet")
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !folder.path().join("run.carom.part").exists() && !output.exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    fs::write(&scene_path, scene().replace("-9.81", "-1.62")).unwrap();
    let second = carom()
        .arg("run")
        .arg(&scene_path)
        .arg("-o")
        .arg(&output)
        .args(["--quiet", "--resume"])
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(2));
    let message = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(message.contains("the text of the scene has changed"), "{message}");
}
