//! Shapes and questions about them: how far apart, when do they meet on their ways, which of many
//! may touch.
//!
//! * [`particle`]: points, segments and half-planes with a radius around them.
//! * [`plane`]: discs and polygons that turn, and broad phases of planar boxes.
//! * [`space`]: balls, convex polyhedra and half-spaces, and a broad phase of boxes.
//! * [`mod@march`]: when a gap first closes, by conservative advancement.
//!
//! Each of the three has its pairs, one a file, which give a manifold: unit normals and points with
//! their gap and the features that touch; and sweeps through time, one pair a file.
//!
//! What it does not know: masses, forces, time steps, bodies. A way is a place, a velocity and an
//! acceleration.

pub mod march;
pub mod particle;
pub mod plane;
pub mod space;
