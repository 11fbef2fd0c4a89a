//! The columns of the table: closed forms and invariants.

mod bounce;
mod driven;
mod flight;
mod friction;
mod gas;
mod pile;
mod rest;

use crate::scenes::{Kind, TestedResponse};

/// What a cell found: nothing, or what does not hold.
pub(crate) type Found = Result<(), String>;

/// Of whom a cell is required.
pub(crate) enum Demand {
    /// Of the lecture's warnings too.
    OfAll,
    /// Of all but them.
    OfSound,
}

/// A column of the table.
pub(crate) struct Cell {
    pub(crate) name: &'static str,
    /// Whether it says anything about a method.
    pub(crate) applies: fn(TestedResponse) -> bool,
    pub(crate) demand: Demand,
    pub(crate) check: fn(TestedResponse) -> Found,
}

fn always(_: TestedResponse) -> bool {
    true
}

fn without_springs(method: TestedResponse) -> bool {
    method.response != "penalty"
}

fn bodies_without_springs(method: TestedResponse) -> bool {
    method.kind != Kind::Particles && without_springs(method)
}

const fn cell(
    name: &'static str,
    applies: fn(TestedResponse) -> bool,
    check: fn(TestedResponse) -> Found,
) -> Cell {
    Cell { name, applies, demand: Demand::OfSound, check }
}

/// All columns, in the order of the table.
pub(crate) const CELLS: &[Cell] = &[
    cell("rest", always, rest::rest),
    cell("sizes", without_springs, rest::sizes),
    cell("methods", without_springs, rest::integrators),
    cell("drop 0", always, |method| bounce::drop(method, 0.0)),
    cell("drop .5", always, |method| bounce::drop(method, 0.5)),
    cell("drop .8", always, |method| bounce::drop(method, 0.8)),
    cell("drop 1", always, |method| bounce::drop(method, 1.0)),
    cell("corner", bodies_without_springs, bounce::on_a_corner),
    cell("scaled", without_springs, bounce::scaled),
    cell("stack", always, pile::stack),
    cell("heavy", without_springs, pile::heavy),
    cell("crowd", always, pile::crowd),
    cell("fast", always, flight::fast),
    cell("faster", bodies_without_springs, flight::faster),
    Cell { name: "miss", applies: always, demand: Demand::OfAll, check: flight::miss },
    cell("head-on", without_springs, flight::head_on),
    cell("gas", without_springs, gas::balls),
    cell("boxes", bodies_without_springs, gas::boxes),
    cell("pi", without_springs, gas::galperin),
    cell("roll", bodies_without_springs, friction::roll),
    cell("ramp", bodies_without_springs, friction::ramp),
    cell("belt", bodies_without_springs, driven::conveyor),
    cell("bat", without_springs, driven::moving_wall),
];

/// Fails with a sentence unless something holds.
fn hold(holds: bool, otherwise: impl FnOnce() -> String) -> Found {
    if holds { Ok(()) } else { Err(otherwise()) }
}
