//! The header of a journal: what a file says about itself before its first frame.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::hash::text_hash;
use super::record::{self, MAX_RECORD_BYTES, Shape};
use crate::course::CourseRecords;
use crate::error::TrajectoryError;
use crate::frame::Family;

/// First bytes of a journal. Like PNG's: a high bit and a line end show files that were sent as
/// text.
pub const MAGIC: [u8; 8] = *b"\x89CAROM\r\n";
/// Version of the format that this program writes. It reads those before it as well.
pub const VERSION: u32 = 3;
/// Largest header that is read; it holds the text of the scene.
pub const MAX_HEADER_BYTES: u32 = 1 << 28;

/// Bytes before the JSON text: magic, version, length.
pub(crate) const PREFIX: usize = 16;
/// Bytes after the JSON text: CRC-32 and four zero bytes.
pub(crate) const SUFFIX: usize = 8;

/// What a file says about itself before its first frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the program that made the run.
    pub carom_version: String,
    /// The kind of system.
    pub family: Family,
    /// Number of particles or bodies.
    pub bodies: u64,
    /// Time step in seconds; the first one of an adaptive integrator.
    pub dt: f64,
    /// Name of the integrator as scenes spell it.
    #[serde(default)]
    pub integrator: String,
    /// File name of the scene, without its folder.
    #[serde(default)]
    pub scene_name: String,
    /// How the run was made.
    #[serde(default)]
    pub options: RunOptions,
    /// Masses, one for each body; empty when the run does not say.
    #[serde(default)]
    pub masses: Vec<f64>,
    /// Moments of inertia, one for each planar body; for each spatial body Ixx Iyy Izz Ixy Iyz Izx
    /// in body axes; empty for particles.
    #[serde(default)]
    pub inertias: Vec<f64>,
    /// How the course's program would lay the records out; absent for scenes that it cannot run.
    #[serde(default)]
    pub course_records: Option<CourseRecords>,
    /// Where each number of a frame's record is, and its unit.
    #[serde(default, skip_serializing)]
    pub fields: Vec<Field>,
    /// The text of the scene in full.
    pub scene: String,
}

/// A header as it is stored: with the table of this version, and with the hash of the scene's text,
/// which it takes time to find.
#[derive(Serialize)]
struct Stored<'a> {
    scene_sha256: String,
    fields: Vec<Field>,
    #[serde(flatten)]
    header: &'a Header,
}

/// How a run was made, as far as it changes the numbers or the choice of frames.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOptions {
    /// Whether known errors of the course's program were reproduced.
    pub course: bool,
    /// Every how many steps a frame was stored.
    pub every: u64,
    /// Further settings by name.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions { course: false, every: 1, settings: BTreeMap::new() }
    }
}

/// One named entry of a frame's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// What it is.
    pub name: String,
    /// `f64`, `i64`, `u64` or `bytes`, little-endian.
    pub kind: String,
    /// Bytes from the start of the record.
    pub offset: u64,
    /// How many follow each other.
    pub count: u64,
    /// Unit, empty for plain numbers. Lengths and masses are in the units of the scene.
    pub unit: String,
}

impl Header {
    /// A header for a run of a scene; set the further fields as known.
    pub fn new(family: Family, bodies: u64, dt: f64, scene_name: &str, scene: &str) -> Header {
        Header {
            carom_version: env!("CARGO_PKG_VERSION").to_string(),
            family,
            bodies,
            dt,
            integrator: String::new(),
            scene_name: scene_name.to_string(),
            options: RunOptions::default(),
            masses: Vec::new(),
            inertias: Vec::new(),
            course_records: None,
            fields: record::fields(family, bodies),
            scene: scene.to_string(),
        }
    }

    /// SHA-256 of the scene's text in hexadecimal.
    pub fn scene_sha256(&self) -> String {
        text_hash(&self.scene)
    }

    /// Numbers in positions and in velocities; an error when a frame could never fit.
    pub(crate) fn shape(&self) -> Result<Shape, String> {
        let positions = u128::from(self.bodies) * self.family.coordinates() as u128;
        let velocities = u128::from(self.bodies) * self.family.degrees_of_freedom() as u128;
        if (positions + velocities) * 8 > u128::from(MAX_RECORD_BYTES) {
            return Err(format!("{} bodies are more than a file can hold", self.bodies));
        }
        let (fixed, contact) = (record::FIXED, record::CONTACT);
        Ok(Shape { fixed, contact, positions: positions as usize, velocities: velocities as usize })
    }

    /// The shape of frames in a file of some version.
    pub(crate) fn shape_in(&self, version: u32) -> Result<Shape, String> {
        let fixed = if version == 1 { record::FIXED_1 } else { record::FIXED };
        let contact = if version < 3 { record::CONTACT_2 } else { record::CONTACT };
        Ok(Shape { fixed, contact, ..self.shape()? })
    }

    /// The header as bytes: magic, version, length, JSON, CRC-32, zeros.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, TrajectoryError> {
        let invalid = |reason: String| TrajectoryError::InvalidHeader { reason };
        self.shape().map_err(invalid)?;
        let numbers = self.masses.iter().chain(&self.inertias).chain([&self.dt]);
        if let Some(number) = numbers.into_iter().find(|x| !x.is_finite()) {
            return Err(invalid(format!("a mass, a moment of inertia or the time step is {number}")));
        }
        // the header of an older file has the table of that version
        let fields = record::fields(self.family, self.bodies);
        let stored = Stored { scene_sha256: self.scene_sha256(), fields, header: self };
        let mut json = serde_json::to_vec(&stored).map_err(|e| invalid(e.to_string()))?;
        json.resize(json.len().next_multiple_of(8), b' ');
        let length = u32::try_from(json.len()).ok().filter(|&n| n <= MAX_HEADER_BYTES);
        let length = length.ok_or_else(|| invalid("the text of the scene is too long".to_string()))?;
        let mut bytes = Vec::with_capacity(PREFIX + json.len() + SUFFIX);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(&json);
        bytes.extend_from_slice(&crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend_from_slice(&[0; 4]);
        Ok(bytes)
    }

    /// Version of the format, from the first sixteen bytes of a file.
    pub(crate) fn version(prefix: &[u8; PREFIX]) -> u32 {
        record::u32_at(prefix, 8)
    }

    /// Length of the JSON text, from the first sixteen bytes of a file of `file_length` bytes.
    pub(crate) fn json_length(
        prefix: &[u8; PREFIX],
        file_length: u64,
        path: &Path,
    ) -> Result<usize, TrajectoryError> {
        if prefix[..8] != MAGIC {
            return Err(TrajectoryError::NotATrajectory { path: path.to_path_buf() });
        }
        let found = Header::version(prefix);
        if !(1..=VERSION).contains(&found) {
            let path = path.to_path_buf();
            return Err(TrajectoryError::UnsupportedVersion { path, found, supported: VERSION });
        }
        let length = record::u32_at(prefix, 12);
        let whole = (PREFIX + SUFFIX) as u64 + u64::from(length);
        if length > MAX_HEADER_BYTES || !length.is_multiple_of(8) || whole > file_length {
            let reason = format!("it says that it has {length} bytes of {file_length} in the file");
            return Err(TrajectoryError::DamagedHeader { path: path.to_path_buf(), reason });
        }
        Ok(length as usize)
    }

    /// Reads all of a header's bytes.
    pub(crate) fn from_bytes(bytes: &[u8], path: &Path) -> Result<Header, TrajectoryError> {
        let damaged = |reason: String| TrajectoryError::DamagedHeader { path: path.to_path_buf(), reason };
        let end = bytes.len() - SUFFIX;
        if record::u32_at(bytes, end) != crc32fast::hash(&bytes[..end]) || bytes[end + 4..] != [0; 4] {
            return Err(damaged("its checksum does not match".to_string()));
        }
        let header: Header =
            serde_json::from_slice(&bytes[PREFIX..end]).map_err(|e| damaged(e.to_string()))?;
        header.shape().map_err(damaged)?;
        Ok(header)
    }
}
