//! Every scene of the conformance corpus can be drawn, and its first picture is not empty.
//!
//! The corpus is looked for where `CAROM_CONFORMANCE` says, else in `../shared/conformance` beside
//! the repository.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use carom_render::{Canvas, Extent, Options, Painter, Trails, View, picture};
use carom_scene::description::particles::Response;
use carom_scene::{ReadOptions, Scene, System, read};
use carom_trajectory::Frame;
use carom_trajectory::course::{CourseLayout, CourseReader, CourseRecord, CourseRecords};

/// Frames of each run that are checked.
const MOST_FRAMES: usize = 400;

fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance");
    let folder = std::env::var_os("CAROM_CONFORMANCE").map_or(beside, PathBuf::from);
    folder.join("scenes").is_dir().then_some(folder)
}

fn scene_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            scene_files(&entry, found);
        } else if entry.extension().is_some_and(|ending| ending == "xml") {
            found.push(entry);
        }
    }
}

fn layout(scene: &Scene) -> CourseLayout {
    match &scene.system {
        System::Particles(system) => {
            let records = match system.collision.response {
                Response::Simple => CourseRecords::Simple,
                Response::ContinuousTime => CourseRecords::ContinuousTime,
                Response::Hybrid { .. } => CourseRecords::Hybrid,
                _ => CourseRecords::Plain,
            };
            CourseLayout::new(records, system.particles.len() as u64, system.integrator.dt)
        }
        System::RigidBodies(system) => {
            CourseLayout::new(CourseRecords::RigidBodies, system.bodies.len() as u64, system.integrator.dt)
        }
        System::SpatialBodies(_) => panic!("the course has no spatial bodies"),
    }
}

fn frames(path: &Path, scene: &Scene) -> Vec<Frame> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).unwrap();
    flate2::read::MultiGzDecoder::new(file).take(64 << 20).read_to_end(&mut bytes).unwrap();
    let mut reader = CourseReader::from_bytes(&bytes, layout(scene)).unwrap();
    let (mut frames, mut record) = (Vec::new(), CourseRecord::default());
    while frames.len() < MOST_FRAMES && reader.next_record(&mut record).unwrap_or(false) {
        frames.push(record.frame.clone());
    }
    frames
}

#[test]
#[allow(clippy::print_stderr, reason = "a skipped test prints why")]
fn every_scene_of_the_corpus_is_drawn() {
    let Some(folder) = corpus() else {
        eprintln!("skipped: no conformance corpus");
        return;
    };
    let mut files = Vec::new();
    scene_files(&folder.join("scenes"), &mut files);
    files.sort();
    assert!(files.len() > 100, "the corpus has its scenes");
    for file in files {
        let name = file.strip_prefix(folder.join("scenes")).unwrap().to_owned();
        let text = fs::read_to_string(&file).unwrap();
        let scene =
            read(&text, &ReadOptions { course: true, strict: false }).scene.expect("the corpus is read");
        let run = frames(&folder.join("expected").join(&name).with_extension("bin.gz"), &scene);
        let view = View::new(&scene, &Extent::of_frames(&scene, &run), 96, 96);
        let options = Options { velocities: true, contacts: true, ..Options::default() };
        let painter = Painter::new(&scene, view, options);
        let mut trails = Trails::new(&scene);
        for (index, frame) in run.iter().enumerate() {
            trails.push(&scene, frame);
            if index % 133 == 0 {
                let canvas = Canvas::of(&painter.paint(frame, &trails).unwrap()).unwrap();
                let background = picture::background(&scene);
                let empty = [background.red, background.green, background.blue];
                let inked = canvas.rgba().chunks_exact(4).filter(|pixel| pixel[..3] != empty).count();
                assert!(index > 0 || inked > 0, "{}: the first picture is empty", name.display());
            }
        }
    }
}
