//! Tests of the façade: one program, so that it is linked once. A new file is a line here.

mod allocation;
mod beginnings;
mod conformance;
mod contacts;
mod course_mode;
mod diagnosis;
mod examples;
mod friction_converges;
mod hand_outs;
mod hard_numbers;
mod hashes;
mod impacts;
mod library;
mod planted;
mod resume;
mod resume_worlds;
mod rigid_scenes;
mod serde;
mod spatial_scenes;
mod students;
