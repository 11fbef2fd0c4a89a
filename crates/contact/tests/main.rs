//! Tests of contact problems and their responses: one program, so that it is linked once. A new
//! file is a line here.

mod allocation;
#[allow(dead_code, reason = "the picture of the arch uses all of it, these tests its speed")]
mod arch;
mod closed_forms;
mod coulomb;
mod coulomb_physics;
mod coulomb_planar;
mod coulomb_random;
mod counted_work;
mod friction;
mod invariants;
mod scenes;
mod to_tolerance;
mod verification;
