//! What is fuzzed, and how an input is judged. Two programs use it: the loop of `main.rs`, which
//! needs nothing but stable Rust and runs in CI, and the programs of `fuzz_targets`, which
//! libFuzzer steers by coverage (`cargo xtask soak`).

mod bytes;
mod oracle;
mod problems;
mod targets;
mod worlds;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
pub use targets::{TARGETS, Target};

/// Bytes that an input of this length may allocate at once: a fixed base, and a multiple of the
/// input.
pub fn memory_bound(target: &Target, length: usize) -> u64 {
    (target.megabytes << 20) + 256 * length as u64
}

/// Runs a target on an input. Panics where the target does, and where it allocates more than
/// [`memory_bound`].
pub fn examine(target: &Target, input: &[u8]) -> u64 {
    let mut outcome = Ok(0);
    // The counter must be left in order.
    let memory = allocation_counter::measure(|| {
        outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    });
    let bytes = memory.bytes_max;
    assert!(bytes <= memory_bound(target, input.len()), "allocated {bytes} bytes");
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}

/// The same by name, for the programs of `fuzz_targets`.
pub fn examine_by_name(name: &str, input: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    examine(target.expect("a target of this name"), input);
}

/// FNV-1a, to name inputs and outcomes.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}
