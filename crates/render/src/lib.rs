//! Pictures of frames: (scene, frame) to display list to PNG, SVG, movie; plots; reports. No physics: it sees frames, never worlds.

pub mod color;
pub mod display_list;
