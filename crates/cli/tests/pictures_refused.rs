//! Pictures that cannot be drawn or written: a reason, and nothing left behind.
#![allow(clippy::print_stderr, reason = "a test that cannot run prints why")]

use crate::pictures::{BALLS, Place, gif_size, png_size};
use predicates::prelude::*;
use std::fs;
use std::path::Path;

#[test]
fn what_cannot_be_drawn_is_refused_with_reasons_and_leaves_nothing() {
    let place = Place::new();
    let refused = |words: &[&str], reason: &str| {
        place.carom(words).code(2).stderr(predicate::str::contains(reason));
    };
    refused(&["render", "balls.xml", "-o", "a.avi"], "unknown picture format");
    refused(&["render", "balls.xml", "-o", "no/such/place/a.mp4"], "no/such/place");
    refused(&["render", "balls.xml", "-o", "a.mp4", "--fps", "0"], "pictures a second");
    refused(&["render", "balls.xml", "-o", "a.mp4", "--speed", "-1"], "speed");
    refused(&["render", "balls.xml", "-o", "a.mp4", "--from", "7"], "nothing to show");
    refused(&["render", "balls.xml", "-o", "a.mp4", "--size", "0x9"], "pixels");
    refused(&["render", "balls.xml", "-o", "a.mp4", "--svg"], "--svg");
    refused(&["render", "balls.xml", "-o", "a.mp4", "--ffmpeg=./no-such-program"], "no-such-program");
    refused(&["plot", "balls.xml", "-o", "a.pdf"], ".svg or .png");
    refused(&["plot", "balls.xml", "--topic", "colour"], "angular-momentum");
    assert!(!place.has("a.mp4") && !place.has("a.avi") && !place.has("a.pdf"));
    place.leaves_nothing_behind();
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_named() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let place = Place::new();
    let locked = place.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    // The superuser may write everywhere: then another user tries.
    let is_root = fs::write(locked.join("probe"), "").is_ok();
    if is_root {
        fs::remove_file(locked.join("probe")).unwrap();
        fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let program = place.path().join("carom-of-everyone");
    fs::copy(env!("CARGO_BIN_EXE_carom"), &program).unwrap();
    for words in [
        "render balls.xml -o locked/a.mp4",
        "render balls.xml -o locked/a.gif",
        "render balls.xml -o locked/a.png",
        "render balls.xml -o locked/frames",
        "plot balls.xml -o locked/a.svg",
        "report balls.xml -o locked/a.html",
        "run balls.xml -o locked/a.carom",
    ] {
        let mut command = std::process::Command::new(&program);
        command.args(words.split(' ')).current_dir(place.path());
        if is_root {
            command.uid(65534).gid(65534);
        }
        // Another test that starts a program while the copy was written holds it open for a moment.
        let output = loop {
            match command.output() {
                Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
                result => break result.unwrap(),
            }
        };
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains("locked") && said.contains("ermission denied"), "{words}: {said}");
        assert_eq!(fs::read_dir(&locked).unwrap().count(), 0, "{words}");
    }
}

#[test]
fn a_scene_of_no_size_is_drawn_or_refused_with_a_reason() {
    let place = Place::new();
    let scene = |name: &str, inside: &str| {
        let text = format!(
            r#"<scene><duration time="0.1"/><integrator type="explicit-euler" dt="0.05"/>{inside}</scene>"#
        );
        place.write(name, &text);
    };
    // A point has no extent: it is drawn in the middle of a picture of some size.
    scene("point.xml", r#"<particle m="1" px="3" py="-2" vx="0" vy="0" fixed="0" radius="0.0"/>"#);
    place.carom(&["render", "point.xml", "-o", "point.png", "--size", "64"]).success();
    assert_eq!(png_size(&place.bytes("point.png")), [64, 64]);
    place.carom(&["render", "point.xml", "-o", "point.gif"]).success();
    place.carom(&["render", "point.xml", "-o", "point.mp4"]).success();
    scene("nothing.xml", "");
    for out in ["nothing.png", "nothing.mp4", "nothing"] {
        let empty = predicate::str::contains("there is nothing to show: nothing.xml has no bodies");
        place.carom(&["render", "nothing.xml", "-o", out]).code(2).stderr(empty);
        assert!(!place.has(out));
    }
    let body = r#"<particle m="1" px="0" py="0" vx="0" vy="0" fixed="0" radius="0.1"/>"#;
    scene("flat.xml", &format!(r#"{body}<viewport cx="0" cy="0" size="0"/>"#));
    let refused = predicate::str::contains("`size` must be greater than 0");
    place.carom(&["render", "flat.xml", "-o", "flat.png"]).code(1).stderr(refused);
    assert!(!place.has("flat.png"));
    place.leaves_nothing_behind();
}

#[test]
fn a_trajectory_without_frames_or_without_numbers_is_no_crash() {
    use carom_trajectory::{Family, Frame, Header, JournalWriter};
    let place = Place::new();
    let header = Header::new(Family::Particles, 2, 0.01, "balls.xml", BALLS);
    JournalWriter::create(&place.path().join("empty.carom"), &header).unwrap().finish().unwrap();
    let nothing = predicate::str::contains("no frames");
    place.carom(&["render", "empty.carom", "-o", "a.gif"]).code(2).stderr(nothing.clone());
    place.carom(&["plot", "empty.carom"]).code(2).stderr(nothing);
    let mut writer = JournalWriter::create(&place.path().join("nan.carom"), &header).unwrap();
    for step in 0..5 {
        let numbers = vec![f64::NAN; 4];
        let frame = Frame {
            step,
            time: 0.1 * step as f64,
            positions: numbers.clone(),
            velocities: numbers,
            ..Frame::default()
        };
        writer.append(&frame).unwrap();
    }
    writer.finish().unwrap();
    let refused = "at step 0 (0 s) the position of body 0 is not a number (NaN)";
    for out in ["nan.gif", "nan.mp4", "nan.png", "frames"] {
        place.carom(&["render", "nan.carom", "-o", out]).code(2).stderr(predicate::str::contains(refused));
    }
    place.carom(&["plot", "nan.carom", "-o", "nan.svg"]).code(2).stderr(predicate::str::contains(refused));
    place.carom(&["report", "nan.carom", "-o", "nan.html"]).code(2).stderr(predicate::str::contains(refused));
    assert!(
        ["nan.gif", "nan.mp4", "nan.png", "frames", "nan.svg", "nan.html"]
            .iter()
            .all(|name| !place.has(name))
    );
    place.leaves_nothing_behind();
    // An option draws the rest.
    let warned = predicate::str::contains("13 pictures without some bodies: their positions are not numbers");
    let words = ["render", "nan.carom", "-o", "nan.gif", "--size", "120", "--skip-nan"];
    place.carom(&words).success().stderr(warned);
    let warned = predicate::str::contains("1 picture without some bodies");
    place.carom(&["render", "nan.carom", "-o", "nan.png", "--skip-nan"]).success().stderr(warned);
    assert_eq!(gif_size(&place.bytes("nan.gif")), [120, 120]);
    place.carom(&["plot", "nan.carom", "-o", "nan.svg", "--topic", "all", "--skip-nan"]).success();
}

/// Files of more than a kilobyte or two cannot be written here, as on a disk that is almost full.
#[cfg(unix)]
#[test]
fn a_full_disk_is_said_and_leaves_nothing_behind() {
    let place = Place::new();
    place.carom(&["run", "balls.xml", "-o", "run.carom"]).success();
    let files = |folder: &Path| fs::read_dir(folder).unwrap().count();
    let before = files(place.path());
    let refused = |words: &str, name: &str| {
        let script = format!("trap '' XFSZ; ulimit -f 2; exec {} {words}", env!("CARGO_BIN_EXE_carom"));
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .current_dir(place.path())
            .output()
            .unwrap();
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(words.contains(name) && words.contains("too large"), "{words}");
        assert!(!words.contains("--resume"), "there is nothing to resume: {words}");
        assert_eq!(files(place.path()), before, "{words}");
    };
    refused("render run.carom -o a.mp4", "a.mp4");
    refused("render run.carom -o a.gif", "a.gif");
    refused("render run.carom -o a.png", "a.png");
    refused("render run.carom -o a.svg --contacts --velocities", "a.svg");
    refused("render run.carom -o frames", "frames");
    refused("plot run.carom -o a.png --topic all", "a.png");
    // Live runs keep their frames in a file first.
    refused("render balls.xml -o a.mp4", "frames of the run cannot be kept");
    refused("report balls.xml -o a.html", "frames of the run cannot be kept");
}
