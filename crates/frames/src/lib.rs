//! Frames: one moment of a run as plain data. No physics, no files, no dependency.
//!
//! A simulation writes a [`Frame`] and takes it back; files, pictures, plots and comparisons read
//! it. `carom-trajectory` has the files. With the feature `serde`, everything here can be
//! serialized.
//!
//! ```
//! use carom_frames::{Family, Frame};
//!
//! let frame = Frame { positions: vec![0.0, 1.0], velocities: vec![2.0, 0.0], ..Frame::default() };
//! assert_eq!(frame.positions.len() / Family::Particles.coordinates(), 1, "one particle");
//! ```

mod events;
mod frame;
mod islands;
mod polynomials;
mod quantities;

pub use events::{ContactEvent, ContactEvents, Phase};
pub use frame::{Contact, ContactKind, Diagnostics, Family, Frame, Impact, Intermediate, Quantities};
pub use islands::islands;
pub use polynomials::Polynomials;
pub use quantities::{BodyConstants, BodyQuantities};
