//! Shapes and questions about them: how far apart, when do they meet on straight paths, which of many may touch.
//!
//! * [`distance`]: the shortest vector between two shapes, one pair of shapes per file.
//! * [`sweep`]: when two shapes on straight paths first touch, one pair per file.
//! * [`polyhedron`]: convex polyhedra in space from points and meshes, with their volume integrals.
//! * [`broad_phase`]: which of many boxes overlap, always in the same order.
//!
//! What it does not know: masses, velocities of bodies, time steps. A path is a start and a displacement.

pub mod broad_phase;
pub mod distance;
pub mod polyhedron;
pub mod sweep;
