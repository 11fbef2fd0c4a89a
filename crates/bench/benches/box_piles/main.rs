//! What a step of a pile of boxes costs, and how well it is solved.
//!
//! `cargo bench -p carom-bench --bench box_piles` prints a table; numbers after `--` choose the
//! numbers of boxes, the words `towers`, `bond` and `rough` what is run exactly, `towers-within`,
//! `bond-within` and `rough-within` what is run to a tolerance, and `--features peers` adds Rapier
//! on the same pile. Boxes of side 1, a little turned, fall from a loose cube onto a floor. Costs
//! are processor time. Each size is measured in the same two parts of its life, whose lengths
//! follow from its height: `landing`, from the first touch until the top layer has come down, and
//! `after`, the forty steps that follow.
#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

#[path = "../../../rigid3d/tests/piles/mod.rs"]
mod piles;

use carom_bench::clock::{exponent, milliseconds, timed};
#[cfg(feature = "peers")]
use carom_bench::spatial_peer as peers;
use carom_rigid3d::{OverlapFinder, Status, World};
use piles::{Parts, Pile};

/// Piles in bond are one group, with friction every row has three unknowns: larger ones take
/// minutes.
const MOST_IN_BOND: usize = 1000;
const MOST_ROUGH: usize = 1000;
/// Metres a second by which contacts may be wrong: half of what gravity adds in a step.
const TOLERANCE: f64 = 0.05;
/// What can be asked for: name, whether it is in bond, friction, tolerance, and up to how many
/// boxes.
const KINDS: [(&str, bool, f64, Option<f64>, usize); 6] = [
    ("towers", false, 0.0, None, usize::MAX),
    ("bond", true, 0.0, None, MOST_IN_BOND),
    ("rough", false, 0.3, None, MOST_ROUGH),
    ("towers-within", false, 0.0, Some(TOLERANCE), usize::MAX),
    ("bond-within", true, 0.0, Some(TOLERANCE), usize::MAX),
    ("rough-within", false, 0.3, Some(TOLERANCE), usize::MAX),
];

/// One line of the table: cost and contacts of a part, for the exponent.
struct Line {
    boxes: usize,
    contacts: f64,
    ours: f64,
    theirs: f64,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let asked: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let counts = if asked.is_empty() { vec![100, 1000, 5000] } else { asked };
    let named = |name: &str| words.iter().any(|word| word == name);
    let all = !KINDS.iter().any(|kind| named(kind.0));
    println!(
        "{:>13} {:>6} {:>8} {:>6} {:>9} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9}  status",
        "pile",
        "boxes",
        "part",
        "engine",
        "contacts",
        "group",
        "steps",
        "ms/step",
        "deepest",
        "residual",
        "friction"
    );
    for (name, in_bond, friction, tolerance, most) in KINDS.into_iter().filter(|kind| all || named(kind.0)) {
        let mut lines: [Vec<Line>; 2] = Default::default();
        for &boxes in counts.iter().filter(|boxes| **boxes <= most) {
            let pile = Pile { boxes, in_bond, friction, tolerance };
            let ours = run(name, &pile);
            let theirs = run_peer(name, &pile);
            for (part, list) in lines.iter_mut().enumerate() {
                let (contacts, ours) = ours[part];
                list.push(Line { boxes, contacts, ours, theirs: theirs[part] });
            }
        }
        for (part, list) in ["landing", "after"].iter().zip(&lines) {
            print_exponent(name, part, list);
        }
    }
}

/// Steps our world through both parts; contacts and cost of a step in each.
fn run(name: &str, pile: &Pile) -> [(f64, f64); 2] {
    let mut world: World = pile.world();
    let parts = Parts::of(pile, world.settings().dt);
    for _ in 0..parts.fall {
        world.step();
    }
    [("landing", parts.landing), ("after", parts.after)].map(|(part, steps)| {
        let (mut contacts, mut group, mut iterations) = (0, 0, 0);
        let (mut deepest, mut residual, mut rubbing) = (0.0f64, 0.0f64, 0.0f64);
        let (mut unsolved, mut fallbacks) = (0, 0);
        let mut worst = Status::Solved;
        let mut overlaps = OverlapFinder::new(&world);
        let mut cost = 0.0;
        for _ in 0..steps {
            let (report, spent) = timed(|| world.step());
            cost += milliseconds(spent);
            contacts += report.contacts;
            group = group.max(report.largest_island);
            iterations += report.iterations;
            deepest = deepest.max(overlaps.deepest(&world));
            residual = residual.max(report.residual.worst());
            rubbing = rubbing.max(report.residual.friction);
            unsolved += usize::from(report.status != Status::Solved);
            worst = worst.max(report.status);
            fallbacks += report.fallbacks;
        }
        let each = |sum: f64| sum / steps as f64;
        let (contacts, cost) = (each(contacts as f64), each(cost));
        println!(
            "{name:>13} {:>6} {part:>8} {:>6} {contacts:>9.0} {group:>7} {:>9.0} {cost:>9.2} {deepest:>9.1e} {residual:>9.1e} {rubbing:>9.1e}  \
             {worst:?} ({unsolved} of {steps} steps not solved, {fallbacks} fallbacks)",
            pile.boxes, "carom", each(iterations as f64)
        );
        (contacts, cost)
    })
}

#[cfg(feature = "peers")]
fn run_peer(name: &str, pile: &Pile) -> [f64; 2] {
    let parts = Parts::of(pile, pile.world().settings().dt);
    let mut world = peers::world(&pile.world(), 0.0, pile.friction);
    for _ in 0..parts.fall {
        world.step();
    }
    [("landing", parts.landing), ("after", parts.after)].map(|(part, steps)| {
        let (mut deepest, mut cost) = (0.0f64, 0.0);
        for _ in 0..steps {
            cost += milliseconds(timed(|| world.step()).1) / steps as f64;
            deepest = deepest.max(peers::errors(&world).0);
        }
        println!(
            "{name:>13} {:>6} {part:>8} {:>6} {:>9} {:>7} {:>9} {cost:>9.2} {deepest:>9.1e}",
            pile.boxes, "rapier", "-", "-", "-"
        );
        cost
    })
}

#[cfg(not(feature = "peers"))]
fn run_peer(_: &str, _: &Pile) -> [f64; 2] {
    [f64::NAN; 2]
}

/// The exponent of cost in contacts by least squares over all sizes; and what we cost over Rapier.
fn print_exponent(name: &str, part: &str, lines: &[Line]) {
    let fit = |cost: &dyn Fn(&Line) -> f64| {
        exponent(&lines.iter().map(|line| (line.contacts, cost(line))).collect::<Vec<_>>())
    };
    let ratios: Vec<String> =
        lines.iter().map(|line| format!("{:.1} at {}", line.ours / line.theirs, line.boxes)).collect();
    println!(
        "{name:>13} {part:>8}: exponent in contacts {:.2}, Rapier's {:.2}; ours over Rapier's {}",
        fit(&|line| line.ours),
        fit(&|line| line.theirs),
        ratios.join(", ")
    );
}
