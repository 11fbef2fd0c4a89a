//! Bugs that were fixed, one file each; the first line says what used to happen.

#[path = "../build/mod.rs"]
mod build;
#[path = "001_corner_over_corner_was_no_contact.rs"]
mod corner_over_corner;
