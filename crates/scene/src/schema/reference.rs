//! The reference page, printed from the table.

/// `docs/scene-format.md`.
pub fn reference_page() -> String {
    String::new()
}
