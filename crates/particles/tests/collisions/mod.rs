//! Collisions of particles, edges and half-planes: laws of impact, tunnelling, friction,
//! differences from the course's program.

mod allocations;
mod contact_problem;
mod course;
mod fallbacks;
mod friction;
mod impact_laws;
mod layer;
mod scenes;
mod tunnelling;
