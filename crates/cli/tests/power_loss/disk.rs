//! A disk that may lose what was not synced.

use super::trace::Call;
use std::collections::BTreeMap;

/// Bytes that are written as a whole or not at all.
const SECTOR: usize = 512;

/// What is lost of what was not synced.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Loss {
    /// Everything: contents, and names since the folder was synced.
    All,
    /// Contents: names are as they were last.
    Contents,
    /// Contents, which read as zeros: names and lengths are as they were last.
    ContentsButLength,
    /// Some sectors, by chance.
    Sectors(u64),
}

#[derive(Debug, Default, Clone)]
struct File {
    now: Vec<u8>,
    synced: Vec<u8>,
}

/// Files by their numbers, and names as they are and as the folder was last synced.
#[derive(Debug, Default)]
pub(crate) struct Disk {
    files: Vec<File>,
    names: BTreeMap<String, usize>,
    synced_names: BTreeMap<String, usize>,
}

impl Disk {
    pub(crate) fn apply(&mut self, call: &Call) {
        match call {
            Call::Create(file, name) => {
                assert_eq!(*file, self.files.len());
                self.files.push(File::default());
                self.names.insert(name.clone(), *file);
            }
            Call::Write { file, at, bytes } => {
                let now = &mut self.files[*file].now;
                let end = *at as usize + bytes.len();
                now.resize(now.len().max(end), 0);
                now[*at as usize..end].copy_from_slice(bytes);
            }
            Call::Truncate(file, length) => self.files[*file].now.resize(*length as usize, 0),
            Call::Sync(file) => {
                let file = &mut self.files[*file];
                file.synced.clone_from(&file.now);
            }
            Call::SyncFolder => self.synced_names.clone_from(&self.names),
            Call::Rename(from, to) => {
                if let Some(file) = self.names.remove(from) {
                    self.names.insert(to.clone(), file);
                }
            }
            Call::Remove(name) => {
                self.names.remove(name);
            }
        }
    }

    /// What it holds when the power comes back.
    pub(crate) fn after(&self, loss: Loss) -> BTreeMap<String, Vec<u8>> {
        let names = if let Loss::All = loss { &self.synced_names } else { &self.names };
        names.iter().map(|(name, &file)| (name.clone(), self.files[file].after(loss))).collect()
    }
}

impl File {
    fn after(&self, loss: Loss) -> Vec<u8> {
        let mut kept = self.synced.clone();
        let mut state = match loss {
            Loss::All | Loss::Contents => return kept,
            Loss::ContentsButLength => {
                kept.resize(self.now.len(), 0);
                return kept;
            }
            Loss::Sectors(seed) => seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        };
        kept.resize(self.now.len(), 0);
        for (was, is) in kept.chunks_mut(SECTOR).zip(self.now.chunks(SECTOR)) {
            // Marsaglia's xorshift (2003).
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            if state & 1 == 0 {
                was.copy_from_slice(is);
            }
        }
        kept
    }
}
