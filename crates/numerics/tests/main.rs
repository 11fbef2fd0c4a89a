//! Tests of the numerical kernels: one program, so that it is linked once. A new file is a line
//! here.

mod complementarity;
mod sweeps;
