//! Tests of the asteroid game: one program, so that it is linked once. A new file is a line here.

mod autopilot;
mod fields;
mod flying;
mod replay;
mod rules;
