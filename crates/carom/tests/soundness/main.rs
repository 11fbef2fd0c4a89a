//! Soundness: the scenes that anyone tries first, under every response of every kind of body, with
//! default settings. Each cell of the table is a closed form or an invariant.

#![expect(clippy::print_stdout, reason = "the table is what one runs this for")]

mod cells;

use carom_validation::{scenes, track};
use cells::{CELLS, Demand, Found};
use scenes::{Kind, TestedResponse};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const PARTICLES: &[&str] = &[
    "simple",
    "penalty",
    "continuous-time",
    "hybrid",
    "back-up",
    "simultaneous",
    "elastic",
    "lcp",
    "velocity-projection",
    "gr-lcp",
    "gr-velocity-projection",
];
const PLANAR: &[&str] =
    &["impulse", "penalty", "lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection"];
const SPATIAL: &[&str] = &["impulse", "lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection"];

fn methods() -> Vec<TestedResponse> {
    let kinds = [(Kind::Particles, PARTICLES), (Kind::Planar, PLANAR), (Kind::Spatial, SPATIAL)];
    let of = |(kind, responses): (Kind, &'static [&'static str])| {
        responses.iter().map(move |&response| TestedResponse { kind, response })
    };
    kinds.into_iter().flat_map(of).collect()
}

/// What every cell found; none where it says nothing about a method. Two threads share the work.
fn fill(methods: &[TestedResponse]) -> Vec<Option<Found>> {
    let count = methods.len() * CELLS.len();
    let next = AtomicUsize::new(0);
    let found = Mutex::new((0..count).map(|_| None).collect::<Vec<Option<Found>>>());
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            if place >= count {
                return;
            }
            let (method, cell) = (methods[place / CELLS.len()], &CELLS[place % CELLS.len()]);
            if (cell.applies)(method) {
                let answer = (cell.check)(method);
                found.lock().expect("no cell panics")[place] = Some(answer);
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    found.into_inner().expect("no cell panics")
}

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes without optimization")]
fn every_cell_holds() {
    let methods = methods();
    let found = fill(&methods);
    let mut failures = Vec::new();
    let (mut required, mut kind) = (0, None);
    for (row, method) in methods.iter().enumerate() {
        if kind != Some(method.kind) {
            kind = Some(method.kind);
            let names: String = CELLS.iter().map(|cell| format!(" {:>7}", cell.name)).collect();
            println!("\n{:24}{names}", format!("{:?}", method.kind));
        }
        print!("  {:22}", method.response);
        for (cell, answer) in CELLS.iter().zip(&found[row * CELLS.len()..]) {
            let must = match cell.demand {
                Demand::OfAll => true,
                Demand::OfSound => !method.is_a_warning(),
            };
            required += usize::from(must && answer.is_some());
            let word = match answer {
                None => "–",
                Some(Ok(())) => "ok",
                Some(Err(_)) if !must => "(fails)",
                Some(Err(why)) => {
                    failures.push(format!("{:?} {} {}: {why}", method.kind, method.response, cell.name));
                    "FAILS"
                }
            };
            print!(" {word:>7}");
        }
        println!();
    }
    println!("\n{} of {required} cells hold", required - failures.len());
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
