//! Tests of particles: one program, so that it is linked once. A new file is a line here.

mod allocations;
mod closed_forms;
mod collisions;
mod conservation;
mod implicit_cost;
mod jacobians;
mod meshes;
mod outcomes;
