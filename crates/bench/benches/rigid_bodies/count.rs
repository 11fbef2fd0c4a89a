//! The settling pile in instructions instead of time: the same count on every run, whatever else
//! the machine does and however large its caches are.

use crate::{SETTLING_TOLERANCE, scenes};
use carom_rigid2d::{ContactSettings, Response};
use std::process::Command;

/// Discs, and steps from the first fall to rest.
const PILES: [(usize, usize); 2] = [(1_000, 300), (10_000, 540)];

/// Runs one pile without anything beside it, if `word` asks for one: `once-1000`.
pub(crate) fn run_once(word: &str) {
    for (discs, steps) in PILES.into_iter().filter(|(discs, _)| word == format!("once-{discs}")) {
        let contact = ContactSettings {
            tolerance: Some(SETTLING_TOLERANCE),
            ..ContactSettings::new(Response::VelocityProjection)
        };
        let mut world = scenes::falling_pile(discs).world(0.01, contact);
        for _ in 0..steps {
            world.step();
        }
    }
}

/// Runs both under valgrind, which counts, and prints the exponent. This takes about twenty
/// minutes.
pub(crate) fn print_exponent() {
    let counts = PILES.map(|(discs, steps)| Some(instructions(discs)? / steps as f64));
    match counts {
        [Some(small), Some(large)] => println!(
            "a settling pile to a tolerance, instructions a step: {:.2} million for 1,000 discs, {:.2} million for 10,000, exponent {:.2}",
            1e-6 * small,
            1e-6 * large,
            (large / small).log10()
        ),
        _ => println!("instructions are counted by valgrind's callgrind, which could not be run here"),
    }
}

/// What callgrind says at its end: `Collected : 4653656985`.
fn instructions(discs: usize) -> Option<f64> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    let ended = valgrind.arg(std::env::current_exe().ok()?).arg(format!("once-{discs}")).output().ok()?;
    let said = String::from_utf8_lossy(&ended.stderr);
    said.split("Collected :").nth(1)?.split_whitespace().next()?.parse().ok()
}
