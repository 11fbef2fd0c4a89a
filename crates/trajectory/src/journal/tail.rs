//! What stands after the last frame of a finished journal: an index of the frames, and a footer of
//! fixed size.

use super::hash::RunHash;
use super::record::{put_u64, u32_at, u64_at};

pub(crate) const INDEX_TAG: [u8; 4] = *b"INDX";
const FOOTER_TAG: [u8; 8] = *b"CAROMEND";
/// Bytes of the footer.
pub(crate) const FOOTER: usize = 64;
/// Bytes of the index before its offsets.
const INDEX_START: usize = 24;

/// What the footer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Footer {
    pub(crate) index_offset: u64,
    pub(crate) frames: u64,
    pub(crate) hash: RunHash,
}

impl Footer {
    /// Bytes that the index has by this footer; nothing when the count is absurd.
    pub(crate) fn index_bytes(&self) -> Option<u64> {
        self.frames.checked_mul(8)?.checked_add(INDEX_START as u64)
    }

    pub(crate) fn from_bytes(bytes: &[u8; FOOTER]) -> Option<Footer> {
        let whole = bytes[..8] == FOOTER_TAG
            && u32_at(bytes, 56) == crc32fast::hash(&bytes[..56])
            && bytes[60..] == [0; 4];
        let mut hash = [0; 32];
        hash.copy_from_slice(&bytes[24..56]);
        whole.then(|| Footer {
            index_offset: u64_at(bytes, 8),
            frames: u64_at(bytes, 16),
            hash: RunHash(hash),
        })
    }
}

/// Index and footer as bytes, to stand at `index_offset`.
pub(crate) fn encode(buffer: &mut Vec<u8>, offsets: &[u64], index_offset: u64, hash: &RunHash) {
    let start = buffer.len();
    buffer.extend_from_slice(&INDEX_TAG);
    buffer.extend_from_slice(&[0; 4]);
    put_u64(buffer, (INDEX_START + 8 * offsets.len()) as u64);
    put_u64(buffer, offsets.len() as u64);
    offsets.iter().for_each(|&offset| put_u64(buffer, offset));
    let crc = crc32fast::hash(&buffer[start + 8..]);
    buffer[start + 4..start + 8].copy_from_slice(&crc.to_le_bytes());

    let start = buffer.len();
    buffer.extend_from_slice(&FOOTER_TAG);
    put_u64(buffer, index_offset);
    put_u64(buffer, offsets.len() as u64);
    buffer.extend_from_slice(&hash.0);
    let crc = crc32fast::hash(&buffer[start..]);
    buffer.extend_from_slice(&crc.to_le_bytes());
    buffer.extend_from_slice(&[0; 4]);
}

/// The offsets in an index, when it is whole, fits the footer, and its frames begin at `first` and
/// end before it.
pub(crate) fn decode_index(bytes: &[u8], footer: &Footer, first: u64) -> Option<Vec<u64>> {
    let whole = bytes.len() >= INDEX_START
        && bytes[..4] == INDEX_TAG
        && u32_at(bytes, 4) == crc32fast::hash(&bytes[8..])
        && u64_at(bytes, 8) == bytes.len() as u64
        && u64_at(bytes, 16) == footer.frames;
    if !whole {
        return None;
    }
    let offsets: Vec<u64> = (INDEX_START..bytes.len()).step_by(8).map(|at| u64_at(bytes, at)).collect();
    let increasing = offsets.is_sorted_by(|a, b| a < b);
    let inside = offsets.first().copied().unwrap_or(footer.index_offset) == first
        && offsets.last().is_none_or(|&last| last < footer.index_offset);
    (increasing && inside).then_some(offsets)
}
