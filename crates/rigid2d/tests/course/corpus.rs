//! The corpus: scenes, the course's trajectories, and how closely they are to be met.

use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::Read;
use std::path::PathBuf;

/// One scene with the course's trajectory.
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) scene: String,
    pub(crate) frames: Vec<Frame>,
    pub(crate) free_frames: usize,
    pub(crate) tolerance: f64,
    bodies: usize,
}

/// One frame of the course: six numbers for each body, then the quantities.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) state: Vec<f64>,
    pub(crate) quantities: Vec<f64>,
}

/// All rigid scenes whose name starts with `prefix`; none, with a word about it, where the corpus
/// is not at hand.
pub(crate) fn entries(prefix: &str) -> Vec<Entry> {
    let folder = std::env::var_os("CAROM_CONFORMANCE")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance"));
    let Ok(manifest) = std::fs::read_to_string(folder.join("manifest.json")) else {
        eprintln!("SKIPPED: no conformance corpus in {}", folder.display());
        return Vec::new();
    };
    let manifest: Vec<Value> = serde_json::from_str(&manifest).unwrap();
    manifest
        .iter()
        .filter(|entry| entry["family"] == "rigid" && entry["name"].as_str().unwrap().starts_with(prefix))
        .map(|entry| {
            let name = entry["name"].as_str().unwrap().to_string();
            let scene = std::fs::read_to_string(folder.join(format!("scenes/{name}.xml"))).unwrap();
            let packed = std::fs::File::open(folder.join(format!("expected/{name}.bin.gz"))).unwrap();
            let mut bytes = Vec::new();
            GzDecoder::new(packed).read_to_end(&mut bytes).unwrap();
            let bodies = entry["n"].as_u64().unwrap() as usize;
            let numbers: Vec<f64> =
                bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
            Entry {
                name,
                scene,
                frames: frames(&numbers, bodies),
                free_frames: entry["free_frames"].as_u64().unwrap() as usize,
                tolerance: entry["tolerance"].as_f64().unwrap(),
                bodies,
            }
        })
        .collect()
}

fn frames(numbers: &[f64], bodies: usize) -> Vec<Frame> {
    let (state, quantities) = (6 * bodies, 6 * bodies + 1);
    let first = Frame {
        state: numbers[..state].to_vec(),
        quantities: numbers[state + 4 * bodies..][..quantities].to_vec(),
    };
    let rest = numbers[state + 4 * bodies + quantities..].chunks_exact(state + quantities);
    std::iter::once(first)
        .chain(rest.map(|c| Frame { state: c[..state].to_vec(), quantities: c[state..].to_vec() }))
        .collect()
}

impl Entry {
    /// The course's state of a frame, for stepping from it.
    pub(crate) fn state(&self, frame: usize) -> carom_rigid2d::State {
        let bodies = self.frames[frame]
            .state
            .chunks_exact(6)
            .map(|b| carom_rigid2d::BodyState {
                position: carom_rigid2d::DVec2::new(b[0], b[1]),
                angle: b[2],
                velocity: carom_rigid2d::DVec2::new(b[3], b[4]),
                angular_velocity: b[5],
            })
            .collect::<Vec<_>>();
        assert_eq!(bodies.len(), self.bodies);
        carom_rigid2d::State { bodies, step: frame as u64 }
    }
}
