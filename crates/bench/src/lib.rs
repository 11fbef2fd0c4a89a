//! Benchmarks that have a peer: other engines and solvers on the same scenes and problems in the same run.
//! Never published; `docs/benchmarks.md` has the commands and the ratios.
