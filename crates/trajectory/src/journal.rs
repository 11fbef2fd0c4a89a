//! Carom's own trajectory file: self-describing, seekable, safe when cut off.
//!
//! A run writes its frames to a journal one by one ([`JournalWriter`]); whatever happens to the
//! process, the frames before are readable ([`JournalReader`]) and the run can go on
//! ([`JournalWriter::resume`]) to the same bytes. The byte layout is in
//! `docs/trajectory-format.md`.

mod hash;
mod header;
mod memory;
mod reader;
mod record;
mod tail;
mod writer;

pub use hash::{RunHash, text_hash};
pub use header::{Field, Header, MAGIC, MAX_HEADER_BYTES, RunOptions, VERSION};
pub use memory::JournalBytes;
pub use reader::{JournalReader, TornTail, read_journal_bytes};
pub use record::MAX_RECORD_BYTES;
pub use writer::{JournalWriter, Resumed, remove};
