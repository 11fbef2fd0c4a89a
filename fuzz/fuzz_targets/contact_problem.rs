//! `contact_problem` steered by coverage.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| carom_fuzz::examine_by_name("contact_problem", input));
