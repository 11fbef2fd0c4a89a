//! The hash of a run: a chain over its stored frames, so that a resumed run can go on with it.

use std::fmt;

use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

/// The hash of a run: equal for two runs that stored the same steps, positions and velocities, bit
/// for bit.
///
/// `h(k) = SHA-256(h(k-1) ‖ step ‖ positions ‖ velocities)`, all numbers in eight bytes,
/// little-endian; `h(-1)` is 32 zero bytes. Each stored frame carries its own link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RunHash(pub [u8; 32]);

impl RunHash {
    /// The hash with one more frame.
    pub fn with_frame(&self, frame: &crate::Frame) -> RunHash {
        let numbers = frame.positions.iter().chain(&frame.velocities);
        let state: Vec<u8> = numbers.flat_map(|x| x.to_le_bytes()).collect();
        self.extended(frame.step, &state)
    }

    /// The hash with one more frame, whose `state` is its positions and velocities as little-endian
    /// bytes.
    pub(crate) fn extended(&self, step: u64, state: &[u8]) -> RunHash {
        let mut digest = Sha256::new();
        digest.update(self.0);
        digest.update(step.to_le_bytes());
        digest.update(state);
        RunHash(digest.finalize().into())
    }
}

/// SHA-256 of a text as 64 hexadecimal digits: how a header names its scene.
pub fn text_hash(text: &str) -> String {
    RunHash(Sha256::digest(text.as_bytes()).into()).to_string()
}

impl fmt::Display for RunHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for RunHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RunHash({self})")
    }
}

impl Serialize for RunHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
