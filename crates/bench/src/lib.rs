//! Benchmarks that have a peer: other engines and solvers on the same scenes and problems in the
//! same run. Never published; `docs/benchmarks.md` has the commands and the ratios.

pub mod clock;
#[cfg(feature = "peers")]
pub mod planar_peer;
#[cfg(feature = "peers")]
pub mod spatial_peer;
