//! A journal that is cut at any byte is gone on with to the bytes of an unbroken run, or refused in
//! words.

use super::simulate;
use crate::arguments::{Format, Reading, Run};
use crate::scene_file::SceneFile;
use std::fs;
use std::path::{Path, PathBuf};

const PARTICLES: &str = r#"<scene><duration time="0.03"/><integrator type="symplectic-euler" dt="0.01"/>
<collision type="gr-lcp" COR="0.5"/><simplegravity fx="0" fy="-9.81"/>
<particle m="1" px="0" py="0.2" vx="1" vy="0" fixed="0" radius="0.2"/><halfplane px="0" py="0" nx="0" ny="1"/></scene>"#;
const PLANAR: &str = r#"<scene><simtype type="rigid-body"/><duration time="0.03"/>
<rigidbodyintegrator type="symplectic-euler" dt="0.01"/><rigidbodygravityforce fx="0" fy="-9.81"/>
<rigidbodycollisionhandling detection="all-pairs" response="lcp" mu="0.3"/>
<rigidbodydisc x="0" y="0.2" radius="0.2" m="1" vx="1"/><rigidbodydisc x="0" y="-1" radius="1" m="1" fixed="1"/></scene>"#;
const SPATIAL: &str = r#"<scene><simtype type="rigid-body-3d"/><duration time="0.03"/>
<rigidbody3dintegrator type="symplectic-euler" dt="0.01"/><rigidbody3doutput fps="100"/><rigidbody3dgravityforce fz="-9.81"/>
<rigidbody3dcollisionhandling response="gr-lcp" COR="0.5" mu="0.3"/>
<rigidbody3dsphere z="0.2" radius="0.2" m="1" vx="1"/><rigidbody3dhalfspace nz="1"/></scene>"#;

fn options(output: &Path, resume: bool) -> Run {
    Run {
        scene: PathBuf::from("scene.xml"),
        output: Some(output.to_owned()),
        format: Some(Format::Carom),
        until: None,
        steps: None,
        every: None,
        threads: 0,
        settings: Vec::new(),
        resume,
        overwrite: false,
        dump_problems: None,
        print_matrices: false,
        problem_steps: Vec::new(),
        json: true,
        quiet: true,
        reading: Reading { course: false, strict: false },
    }
}

/// In memory where there is such a folder: thousands of files wait for no disk.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

#[test]
fn a_journal_cut_at_any_byte() {
    for (name, text) in [("particles.xml", PARTICLES), ("planar.xml", PLANAR), ("spatial.xml", SPATIAL)] {
        let scene = carom::read_scene(text).unwrap();
        let file = SceneFile { scene, text: text.to_owned(), name: name.to_owned() };
        let folder = folder();
        let whole = folder.path().join("whole.carom");
        simulate(&file, &options(&whole, false)).unwrap();
        let bytes = fs::read(&whole).unwrap();
        let (out, part) = (folder.path().join("out.carom"), folder.path().join("out.carom.part"));
        let mut refused = 0;
        for cut in 0..=bytes.len() {
            fs::write(&part, &bytes[..cut]).unwrap();
            if simulate(&file, &options(&out, true)).is_ok() {
                assert!(fs::read(&out).unwrap() == bytes, "{name} cut at byte {cut} ends otherwise");
                assert!(!part.exists(), "{name} cut at byte {cut}: the part is left behind");
                fs::remove_file(&out).unwrap();
            } else {
                // Only a header that is not whole: it is written before any frame, and at once.
                refused += 1;
                assert!(part.exists() && !out.exists());
                assert_eq!(refused, cut + 1, "{name} cut at byte {cut} is refused");
            }
        }
        assert!(refused > 0 && refused < bytes.len(), "{name}: {refused} of {}", bytes.len());
    }
}
