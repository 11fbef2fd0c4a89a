//! Points with a radius, segments and half-planes: what particles are made of.
//!
//! * [`distance`]: the shortest vector between two shapes.
//! * [`manifold`]: where they touch.
//! * [`sweep`]: when two shapes on straight paths first touch.
//! * [`meeting`]: the same on ways with a steady acceleration.
//!
//! One pair a file. The broad phase is that of [`crate::plane`].

pub mod distance;
pub mod manifold;
pub mod meeting;
pub mod sweep;
