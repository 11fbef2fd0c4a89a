//! Bugs that were fixed, one file each; the first line says what used to happen.

#[path = "001_corner_over_corner_was_no_contact.rs"]
mod corner_over_corner;
