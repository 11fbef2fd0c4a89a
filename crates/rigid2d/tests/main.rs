//! Tests of planar rigid bodies: one program, so that it is linked once. A new file is a line here.
#![allow(clippy::print_stderr, reason = "a test that cannot run prints why")]

mod allocation;
mod bad_input;
mod build;
mod conformance;
mod counted_work;
mod course;
mod course_differences;
mod detection;
mod energy_balance;
mod friction;
mod half_planes;
mod handout_numbers;
mod hard_inputs;
mod impact_fidelity;
mod other_responses;
mod out_of_reason;
mod regressions;
mod resting_fidelity;
mod scenes;
mod standing;
mod step;
mod threads;
mod tolerance;
