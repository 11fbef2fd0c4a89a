//! The cases, one file a topic.

mod bounce;
mod collision;
mod flight;
mod friction;
mod many;
mod masonry;
mod motion;
mod paradox;
mod rest;
mod roll;
mod spin;
mod top;

use crate::peer::Peer;
use crate::scenes::{Kind, TestedResponse};
use crate::sheet::Sheet;
use std::rc::Rc;

/// A question with a known answer.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is asked, and where the answer comes from.
    pub about: &'static str,
    run: fn(&mut Sheet),
}

impl Case {
    const fn new(name: &'static str, about: &'static str, run: fn(&mut Sheet)) -> Case {
        Case { name, about, run }
    }

    /// Runs it under every response that should meet it.
    pub fn run(&self) -> Sheet {
        let mut sheet = Sheet::default();
        (self.run)(&mut sheet);
        sheet
    }

    /// Asks another engine; the sheet is empty where the case cannot be put to it.
    pub fn run_by(&self, peer: Rc<dyn Peer>) -> Sheet {
        let mut sheet = Sheet::of(peer);
        (self.run)(&mut sheet);
        sheet
    }
}

/// All cases, topic by topic.
pub fn cases() -> Vec<Case> {
    let topics = [
        collision::CASES,
        bounce::CASES,
        many::CASES,
        rest::CASES,
        masonry::CASES,
        friction::CASES,
        paradox::CASES,
        roll::CASES,
        spin::CASES,
        top::CASES,
        flight::CASES,
        motion::CASES,
    ];
    topics.concat()
}

const PARTICLES: [&str; 9] = [
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
const BODIES: [&str; 5] = ["impulse", "lcp", "velocity-projection", "gr-lcp", "gr-velocity-projection"];
const REFLECTIONS: [&str; 2] = ["gr-lcp", "gr-velocity-projection"];

/// Every response of every kind, but the lecture's warnings.
fn all() -> impl Iterator<Item = TestedResponse> {
    of(Kind::Particles, &PARTICLES).chain(rigid())
}

/// Every response of bodies that turn.
fn rigid() -> impl Iterator<Item = TestedResponse> {
    of(Kind::Planar, &BODIES).chain(of(Kind::Spatial, &BODIES))
}

/// Generalized Reflection in every kind.
fn reflections() -> impl Iterator<Item = TestedResponse> {
    let kinds = [Kind::Particles, Kind::Planar, Kind::Spatial];
    kinds.into_iter().flat_map(|kind| of(kind, &REFLECTIONS))
}

fn of(kind: Kind, responses: &'static [&'static str]) -> impl Iterator<Item = TestedResponse> {
    responses.iter().map(move |&response| TestedResponse { kind, response })
}
