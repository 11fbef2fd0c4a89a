//! The conformance corpus: scenes of the course with the trajectories that its own program wrote.
//! It is not part of the repository.

use flate2::read::GzDecoder;
use serde::Deserialize;
use std::fs;
use std::io::Read;
use std::path::PathBuf;

/// Where the corpus is: the folder that `CAROM_CONFORMANCE` names, or `shared/conformance` beside
/// the repository.
pub struct Corpus {
    folder: PathBuf,
    /// Every scene of the corpus.
    pub entries: Vec<Entry>,
}

/// One scene, as `manifest.json` describes it.
#[derive(Debug, Clone, Deserialize)]
pub struct Entry {
    /// For example `t1m2/SpringTests/test00explicit`.
    pub name: String,
    /// `particles` or `rigid`.
    pub family: String,
    /// Number of particles or bodies.
    pub n: usize,
    /// Layout of a particle record: plain, simple or t2m2.
    pub records: Option<String>,
    /// Frames of a full run, the initial one included.
    pub frames: usize,
    /// How far a free run is compared.
    pub free_frames: usize,
    /// On positions and velocities in a free run.
    pub tolerance: f64,
    /// Frames in which collisions may differ by rounding.
    #[serde(default)]
    pub collision_frames_allowed: usize,
}

impl Corpus {
    /// The corpus where it is present. Where it is not, the caller prints that and passes.
    pub fn find() -> Option<Self> {
        let named = std::env::var_os("CAROM_CONFORMANCE").map(PathBuf::from);
        let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance");
        let folder = named.unwrap_or_else(beside);
        let manifest = fs::read_to_string(folder.join("manifest.json")).ok()?;
        let entries = serde_json::from_str(&manifest).ok()?;
        Some(Self { folder, entries })
    }

    /// The text of a scene.
    pub fn scene_text(&self, entry: &Entry) -> String {
        let path = self.folder.join("scenes").join(format!("{}.xml", entry.name));
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// The bytes of the course's own trajectory.
    pub fn reference(&self, entry: &Entry) -> Vec<u8> {
        let path = self.folder.join("expected").join(format!("{}.bin.gz", entry.name));
        let packed = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut bytes = Vec::new();
        let unpacked = GzDecoder::new(packed.as_slice()).read_to_end(&mut bytes);
        unpacked.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        bytes
    }
}
