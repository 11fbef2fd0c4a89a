//! What the program draws: movies, pictures, plots, pages, and the table of methods.
#![allow(clippy::print_stderr, reason = "a test that cannot run prints why")]

use assert_cmd::Command;
use predicates::prelude::*;
use std::fs;
use std::path::Path;

/// Two balls that meet, and a floor.
pub(crate) const BALLS: &str = r#"<scene>
  <description text="Two balls meet"/>
  <duration time="0.5"/>
  <integrator type="symplectic-euler" dt="0.01"/>
  <collision type="simple" COR="1.0"/>
  <particle m="1" px="-0.5" py="0.5" vx="2" vy="0" fixed="0" radius="0.1"/>
  <particle m="1" px="0.0" py="0.5" vx="0" vy="0" fixed="0" radius="0.1"/>
  <halfplane px="0" py="0" nx="0" ny="1"/>
  <simplegravity fx="0" fy="-1"/>
</scene>
"#;

/// One box that falls on another.
pub(crate) const BOXES: &str = r#"<scene>
  <simtype type="rigid-body"/>
  <duration time="0.2"/>
  <rigidbodyintegrator type="symplectic-euler" dt="0.01"/>
  <rigidbodycollisionhandling detection="all-pairs" response="gr-lcp"/>
  <rigidbodyvertex x="0" y="0" m="1"/><rigidbodyvertex x="1" y="0" m="1"/>
  <rigidbodyvertex x="1" y="1" m="1"/><rigidbodyvertex x="0" y="1" m="1"/>
  <rigidbodyvertex x="0" y="1.25" m="1"/><rigidbodyvertex x="1" y="1.25" m="1"/>
  <rigidbodyvertex x="1" y="2.25" m="1"/><rigidbodyvertex x="0" y="2.25" m="1"/>
  <rigidbody p="0" p="1" p="2" p="3" vx="0" vy="0" omega="0" r="0.1" fixed="1"/>
  <rigidbody p="4" p="5" p="6" p="7" vx="0" vy="-1" omega="0" r="0.1"/>
</scene>
"#;

/// A ball that falls on a box on the ground.
pub(crate) const SOLIDS: &str = r#"<scene>
  <simtype type="rigid-body-3d"/>
  <description text="A ball falls on a box"/>
  <duration time="0.2"/>
  <rigidbody3dintegrator type="symplectic-euler" dt="0.01"/>
  <rigidbody3dcollisionhandling response="lcp"/>
  <rigidbody3dgravityforce fz="-9.81"/>
  <rigidbody3dhalfspace nz="1.0"/>
  <rigidbody3dbox z="0.25" a="1.0" b="1.0" c="0.5" density="100.0"/>
  <rigidbody3dsphere z="0.8" radius="0.25" m="1.0" vx="0.5"/>
</scene>
"#;

pub(crate) struct Place(tempfile::TempDir);

impl Place {
    pub(crate) fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        place.write("balls.xml", BALLS);
        place.write("boxes.xml", BOXES);
        place
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.path().join(name).exists()
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Temporary files start with a dot.
    pub(crate) fn leaves_nothing_behind(&self) {
        let names = fs::read_dir(self.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let left: Vec<String> = names.filter(|name| name.starts_with('.')).collect();
        assert!(left.is_empty(), "{left:?}");
    }

    pub(crate) fn carom(&self, words: &[&str]) -> assert_cmd::assert::Assert {
        Command::cargo_bin("carom").unwrap().current_dir(self.path()).args(words).assert()
    }
}

/// Width and height in the header of a PNG.
pub(crate) fn png_size(bytes: &[u8]) -> [u32; 2] {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    [number(16), number(20)]
}

pub(crate) fn gif_size(bytes: &[u8]) -> [u16; 2] {
    assert_eq!(&bytes[..6], b"GIF89a");
    [u16::from_le_bytes([bytes[6], bytes[7]]), u16::from_le_bytes([bytes[8], bytes[9]])]
}

#[test]
fn movies_have_the_size_and_kind_that_were_asked_for() {
    let place = Place::new();
    place.carom(&["render", "balls.xml", "-o", "a.mp4", "--size", "64x48"]).success();
    assert_eq!(&place.bytes("a.mp4")[4..8], b"ftyp");
    place.carom(&["render", "balls.xml", "-o", "a.gif", "--size", "64x48", "--contacts", "--time"]).success();
    let gif = place.bytes("a.gif");
    assert_eq!(gif_size(&gif), [64, 48]);
    assert_eq!(gif.last(), Some(&0x3b), "a GIF ends with its trailer");
    place.leaves_nothing_behind();
}

#[test]
fn a_run_of_half_a_second_at_ten_pictures_a_second_has_six_frames() {
    let place = Place::new();
    place.carom(&["render", "balls.xml", "-o", "frames", "--fps", "10", "--size", "40"]).success();
    let names: Vec<String> = (0..6).map(|k| format!("frames/frame{k:05}.png")).collect();
    for name in &names {
        assert_eq!(png_size(&place.bytes(name)), [40, 40]);
    }
    assert!(!place.has("frames/frame00006.png"));
    assert_ne!(place.bytes(&names[0]), place.bytes(&names[5]), "something moves");
    // A shorter movie in the same place leaves no old frames among the new ones.
    place.carom(&["render", "balls.xml", "-o", "frames", "--fps", "4", "--size", "40", "--svg"]).success();
    assert!(place.text("frames/frame00000.svg").contains("<svg"));
    assert!(!place.has("frames/frame00000.png") && !place.has("frames/frame00005.png"));
}

#[test]
fn scenes_in_space_are_filmed_like_others() {
    let place = Place::new();
    place.write("solids.xml", SOLIDS);
    place.carom(&["run", "solids.xml", "-o", "solids.carom", "--every", "1"]).success();
    for input in ["solids.xml", "solids.carom"] {
        place.carom(&["render", input, "-o", "a.mp4", "--size", "160x120", "--contacts"]).success();
        assert_eq!(&place.bytes("a.mp4")[4..8], b"ftyp");
        place.carom(&["render", input, "-o", "a.gif", "--size", "160x120"]).success();
        assert_eq!(gif_size(&place.bytes("a.gif")), [160, 120]);
    }
    place.carom(&["render", "solids.xml", "-o", "frames", "--size", "80x60", "--fps", "10"]).success();
    assert_eq!(fs::read_dir(place.path().join("frames")).unwrap().count(), 3);
    let camera = ["--camera", "3,-4,2:0,0,0.3:35"];
    place
        .carom(&[&["render", "solids.carom", "-o", "a.png", "--size", "160x120"][..], &camera].concat())
        .success();
    place.carom(&["render", "solids.carom", "-o", "b.png", "--size", "160x120"]).success();
    assert_ne!(place.bytes("a.png"), place.bytes("b.png"), "another camera sees another picture");
    place.carom(&["render", "solids.carom", "-o", "a.svg"]).success();
    assert!(place.text("a.svg").contains("<image"), "solids are an image");
    place.carom(&["report", "solids.xml", "-o", "a.html"]).success();
    assert!(place.text("a.html").contains("data:video/mp4;base64,"));
    for (camera, reason) in [("1,2", "three numbers"), ("0,0,0", "where it stands"), ("a,b,c", "no number")] {
        let words = ["render", "solids.xml", "-o", "c.png", "--camera", camera];
        place.carom(&words).code(2).stderr(predicate::str::contains(reason));
    }
    place.leaves_nothing_behind();
}

#[test]
fn a_folder_with_other_things_in_it_is_left_alone() {
    let place = Place::new();
    fs::create_dir(place.path().join("mine")).unwrap();
    place.write("mine/holiday.png", "not a frame");
    let words = ["render", "balls.xml", "-o", "mine", "--size", "40"];
    place.carom(&words).code(2).stderr(predicate::str::contains("holiday.png"));
    assert_eq!(place.text("mine/holiday.png"), "not a frame");
}

#[test]
fn stored_runs_and_live_runs_look_the_same() {
    let place = Place::new();
    for scene in ["balls", "boxes"] {
        let xml = format!("{scene}.xml");
        place.carom(&["run", &xml, "-o", "run.carom", "--quiet"]).success();
        place.carom(&["render", "run.carom", "-o", "stored.gif", "--size", "60"]).success();
        place.carom(&["render", &xml, "-o", "live.gif", "--size", "60", "--jobs", "1"]).success();
        assert!(place.bytes("stored.gif") == place.bytes("live.gif"), "{scene}");
    }
}

#[test]
fn course_files_are_drawn_and_plotted_with_their_scene() {
    let place = Place::new();
    place.carom(&["run", "balls.xml", "-o", "run.bin", "--quiet"]).success();
    place.carom(&["render", "run.bin", "-o", "a.gif"]).code(2).stderr(predicate::str::contains("--scene"));
    place.carom(&["render", "run.bin", "--scene", "balls.xml", "-o", "a.gif", "--size", "40"]).success();
    let words = ["plot", "run.bin", "--scene", "balls.xml", "--topic", "energy"];
    place.carom(&words).success().stdout(predicate::str::contains("kinetic"));
}

#[test]
fn one_picture_of_one_moment() {
    let place = Place::new();
    place.carom(&["render", "balls.xml", "-o", "a.png", "--size", "50", "--from", "0.2"]).success();
    assert_eq!(png_size(&place.bytes("a.png")), [50, 50]);
    place.carom(&["render", "balls.xml", "-o", "a.svg", "--from", "0.2"]).success();
    assert!(place.text("a.svg").contains("step 20"), "the title says which moment it is");
}

#[test]
fn stills_of_a_stored_run_are_fitted_alike() {
    let place = Place::new();
    place.carom(&["run", "balls.xml", "-o", "run.carom"]).success();
    let mut floors = Vec::new();
    for moment in ["0", "0.2", "0.5"] {
        place.carom(&["render", "run.carom", "-o", "a.svg", "--size", "100", "--from", moment]).success();
        let text = place.text("a.svg");
        let ground = text.split("class=\"ground\"").nth(1).unwrap().split("</g>").next().unwrap();
        floors.push(ground.to_owned());
    }
    assert_eq!(floors[0], floors[1], "the floor does not move from picture to picture");
    assert_eq!(floors[0], floors[2], "the floor does not move from picture to picture");
}

#[test]
fn plots_go_to_the_terminal_and_to_files() {
    let place = Place::new();
    place.carom(&["plot", "balls.xml"]).success().stdout(
        predicate::str::contains("energy [J] over time [s]").and(predicate::str::contains("\u{1b}").not()),
    );
    place.carom(&["run", "balls.xml", "-o", "run.carom", "--quiet"]).success();
    let words = ["plot", "stored=run.carom", "balls.xml", "-o", "two.svg", "--topic", "energy,contacts"];
    place.carom(&words).success();
    let svg = place.text("two.svg");
    for word in ["stored: kinetic", "balls.xml: total", "Contacts", "energy [J]", "time [s]"] {
        assert!(svg.contains(word), "{word}");
    }
    place.carom(&["plot", "run.carom", "-o", "one.png", "--size", "300x200", "--topic", "energy"]).success();
    assert_eq!(png_size(&place.bytes("one.png")), [300, 200]);
}

#[test]
fn a_report_is_one_page_that_loads_nothing() {
    let place = Place::new();
    let with_a_slip = BALLS.replace("<duration", "<colour r=\"1\"/><duration");
    place.write("slip.xml", &with_a_slip);
    place.carom(&["report", "slip.xml", "-o", "page.html", "--size", "64", "--fps", "10"]).success();
    let page = place.text("page.html");
    for part in [
        "Two balls meet",
        "data:video/mp4;base64,",
        "<svg",
        "<th scope=\"row\">energy</th>",
        "scene, line 3",
        "&lt;halfplane",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("http"), "nothing is loaded");
    place.carom(&["run", "boxes.xml", "-o", "run.carom", "--quiet"]).success();
    place.carom(&["report", "run.carom", "--size", "64"]).success();
    assert!(place.text("report.html").contains("<th scope=\"row\">hash</th>"));
    place.leaves_nothing_behind();
}

#[test]
fn compare_draws_what_differs() {
    let place = Place::new();
    place.carom(&["run", "balls.xml", "-o", "right.carom", "--quiet"]).success();
    // Larger balls: they touch before the reference's do, and the floor earlier too.
    place.write("larger.xml", &BALLS.replace("radius=\"0.1\"", "radius=\"0.12\""));
    let words = ["compare", "larger.xml", "right.carom", "--render", "seen"];
    place.carom(&words).code(1).stdout(predicate::str::contains("frames that differ"));
    assert!(place.text("seen/differences.svg").contains("velocities, step by step"));
    png_size(&place.bytes("seen/differences.png"));
    let drawn = |folder: &str| {
        let names = fs::read_dir(place.path().join(folder)).unwrap();
        names.filter(|e| e.as_ref().unwrap().file_name().to_string_lossy().starts_with("frame")).count()
    };
    assert!(drawn("seen") > 0);
    place.carom(&["run", "larger.xml", "-o", "wrong.carom", "--quiet"]).success();
    place.carom(&["compare", "wrong.carom", "right.carom", "--render", "two"]).code(1);
    assert!(drawn("two") > 0);
    place.carom(&["compare", "balls.xml", "right.carom", "--render", "same", "--json"]).success();
    assert_eq!(drawn("same"), 0);
    assert!(place.text("same/differences.svg").contains("the same bits throughout"));
}

#[test]
fn the_oracle_writes_pictures_as_the_course_does() {
    let place = Place::new();
    let words = ["oracle", "-s", "boxes.xml", "-d", "0", "-g", "1"];
    place.carom(&words).code(1).stderr(predicate::str::contains("mkdir pngs"));
    fs::create_dir(place.path().join("pngs")).unwrap();
    place.carom(&words).success();
    assert_eq!(png_size(&place.bytes("pngs/frame00020.png")), [512, 512]);
    place.carom(&["oracle", "-s", "boxes.xml", "-d", "0", "-m", "svgs"]).success();
    assert!(place.text("svgs/frame00000000000000000020.svg").contains("</svg>"));
    let files = fs::read_dir(place.path().join("svgs")).unwrap().count();
    assert_eq!(files, 21, "one for each step and one for the start, nothing else");
}

#[test]
fn methods_lists_every_response_of_the_family() {
    let place = Place::new();
    let particles = [
        "none",
        "simple",
        "penalty",
        "continuous-time",
        "hybrid",
        "back-up",
        "simultaneous",
        "elastic",
        "lcp",
        "velocity-projection",
        "gr-lcp",
        "gr-velocity-projection",
    ];
    let bodies =
        ["none", "lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection", "impulse", "penalty"];
    for (scene, wanted) in [("balls.xml", &particles[..]), ("boxes.xml", &bodies[..])] {
        let output = place.carom(&["methods", scene, "--json"]).success().get_output().stdout.clone();
        let value: serde_json::Value = serde_json::from_slice(&output).unwrap();
        let rows = value["methods"].as_array().unwrap();
        let names: Vec<&str> = rows.iter().map(|row| row["method"].as_str().unwrap()).collect();
        assert_eq!(names, wanted);
        for row in rows {
            assert!(row["ran"] == true || row["reason"].is_string(), "{row}");
        }
    }
    let words = ["methods", "balls.xml", "--steps", "5"];
    place.carom(&words).success().stdout(
        predicate::str::contains("balls.xml, which asks for simple")
            .and(predicate::str::contains("deepest overlap [m]"))
            .and(predicate::str::contains("\u{1b}").not()),
    );
}

#[test]
fn methods_that_cannot_run_a_scene_say_why() {
    let place = Place::new();
    let vortex = BALLS
        .replace("symplectic-euler", "implicit-euler")
        .replace("</scene>", "<vortexforce i=\"0\" j=\"1\" kbs=\"1\" kvc=\"1\"/></scene>");
    place.write("vortex.xml", &vortex);
    let words = ["methods", "vortex.xml", "--course"];
    place.carom(&words).success().stdout(predicate::str::contains("simple: the course's program"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_nothing_behind() {
    let place = Place::new();
    place.write("long.xml", &BALLS.replace("time=\"0.5\"", "time=\"100000\""));
    for (scene, out) in [("long.xml", "long.mp4"), ("long.xml", "long")] {
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("carom"))
            .current_dir(place.path())
            .args(["render", scene, "-o", out])
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // Long enough for the run to be under way, far too short for its end.
        std::thread::sleep(std::time::Duration::from_millis(400));
        let id = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "it stops by itself and reports that");
        assert!(!place.has(out));
        place.leaves_nothing_behind();
    }
}
