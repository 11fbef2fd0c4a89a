//! All tests of this crate in one program. Parry (parry.rs), which Rapier stands on, is the oracle.

mod particle;
mod plane;
mod plane_sweeps;
mod random;
mod space;
mod space_sweeps;
