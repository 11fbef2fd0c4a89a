//! Tests of scene files: one program, so that it is linked once. A new file is a line here.

mod beyond_the_course;
mod both_modes;
mod corpus;
mod diagnostics;
mod generator;
mod modes;
mod reference;
mod robustness;
mod round_trip;
mod spatial;
