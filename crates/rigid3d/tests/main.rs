//! Tests of spatial rigid bodies: one program, so that it is linked once. A new file is a line
//! here.

mod bad_input;
mod build;
mod cones;
mod detection;
mod elliptic;
mod forces;
mod free_motion;
mod impacts;
mod momentum;
mod out_of_reason;
mod piles;
mod planar;
mod resting;
mod same_bits;
mod scale;
mod shapes;
mod tolerance;
mod transformed;
