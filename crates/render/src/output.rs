//! Pictures to files: PNG, GIF, MP4.

pub mod ffmpeg;
pub mod gif;
#[cfg(feature = "mp4")]
pub mod mp4;
pub mod png;
