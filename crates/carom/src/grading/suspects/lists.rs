//! Suspects in what a file lists beside the motion: collisions, energies and momenta.

use super::bench::Motion;
use super::{Diagnosis, Suspect};
use crate::grading::{Grade, Sample};
use carom_trajectory::compare::POLYNOMIAL_COUNT;
use carom_trajectory::{Contact, ContactKind};

/// Two entries of a normal are the same when they differ by less.
const NEAR: f64 = 1e-9;

/// Whether a listed contact is the right one with the error in it.
type Fits<'a> = &'a dyn Fn(&Contact, &Contact) -> bool;

/// Suspects in the lists of collisions of the wrong steps whose motion is right.
pub(super) fn diagnose(samples: &[&Sample]) -> Vec<Diagnosis> {
    let wrong: Vec<&&Sample> = samples.iter().filter(|sample| !sample.is_right).collect();
    let moves_rightly =
        |sample: &Sample| Motion::of(&sample.step.got).is_near(&Motion::of(&sample.step.expected));
    if wrong.first().is_none_or(|first| !moves_rightly(first)) {
        return Vec::new();
    }
    let negated = |right: &Contact, got: &Contact| same(got.normal, right.normal.map(|x| -x));
    let unit = |right: &Contact, got: &Contact| {
        let [x, y, z] = right.normal;
        let length = (x * x + y * y + z * z).sqrt();
        same(got.normal, right.normal.map(|x| x / length))
    };
    let rules: [(Suspect, bool, Fits<'_>); 3] = [
        (Suspect::NormalSign, false, &negated),
        (Suspect::ListedNormalUnit, false, &unit),
        (Suspect::ListedIndicesSwapped, true, &|_, _| true),
    ];
    let mut found = Vec::new();
    found.extend(numbers_of(&wrong, Suspect::NotListed, &|sample| {
        let (right, got) = (&sample.step.expected.contacts, &sample.step.got.contacts);
        got.len() < right.len() && got.iter().all(|got| right.iter().any(|right| key(right) == key(got)))
    }));
    found.extend(numbers_of(&wrong, Suspect::ListedTooMany, &|sample| {
        let (right, got) = (&sample.step.expected.contacts, &sample.step.got.contacts);
        got.len() > right.len() && right.iter().all(|right| got.iter().any(|got| key(right) == key(got)))
    }));
    for (suspect, swapped, fits) in rules {
        let explains = |sample: &Sample| {
            let (right, got) = (&sample.step.expected.contacts, &sample.step.got.contacts);
            !right.is_empty() && right.len() == got.len() && all_fit(right, got, swapped, fits)
        };
        let explained = wrong.iter().filter(|sample| explains(sample)).count();
        if explains(wrong[0]) && 2 * explained >= wrong.len() {
            found.push(Diagnosis { suspect, detail: None, explained, wrong: wrong.len() });
        }
    }
    found
}

/// A suspect that fits the first wrong step and at least half of them.
fn numbers_of(wrong: &[&&Sample], suspect: Suspect, explains: &dyn Fn(&Sample) -> bool) -> Option<Diagnosis> {
    let explained = wrong.iter().filter(|sample| explains(sample)).count();
    let is_believed = wrong.first().is_some_and(|first| explains(first)) && 2 * explained >= wrong.len();
    is_believed.then_some(Diagnosis { suspect, detail: None, explained, wrong: wrong.len() })
}

/// Numbers that single precision holds exactly, where the right ones need more.
pub(super) fn single_precision(samples: &[&Sample]) -> Option<Diagnosis> {
    let wrong: Vec<&&Sample> = samples.iter().filter(|sample| !sample.is_right).collect();
    numbers_of(&wrong, Suspect::SinglePrecision, &|sample| {
        let is_single = |x: &f64| f64::from(*x as f32) == *x;
        let all = |frame: &carom_trajectory::Frame| {
            frame.positions.iter().chain(&frame.velocities).copied().collect::<Vec<f64>>()
        };
        let (right, got) = (all(&sample.step.expected), all(&sample.step.got));
        let near = right.iter().zip(&got).all(|(x, y)| (x - y).abs() <= 1e-4 * x.abs().max(1.0));
        near && got.iter().all(is_single) && right.iter().filter(|x| !is_single(x)).count() >= 2
    })
}

/// Who collides.
fn key(contact: &Contact) -> (ContactKind, u32, u32) {
    (contact.kind, contact.first, contact.second)
}

/// Whether the file lists collisions in some step, and none of those of its first wrong one.
pub(super) fn misses_all(samples: &[&Sample]) -> bool {
    let lists_any = samples.iter().any(|sample| !sample.step.got.contacts.is_empty());
    let first = samples.iter().find(|sample| !sample.is_right);
    let missed =
        |sample: &&Sample| !sample.step.expected.contacts.is_empty() && sample.step.got.contacts.is_empty();
    lists_any && first.is_some_and(missed)
}

/// Errors in finding collisions: what is not found is not listed either.
const FINDING: [Suspect; 4] =
    [Suspect::NormalSign, Suspect::RadiusLeftOut, Suspect::RadiusFactor, Suspect::KindLeftOut];

/// Errors in answering collisions that were found, and so are listed.
const ANSWERING: [Suspect; 12] = [
    Suspect::RestitutionFactorMissing,
    Suspect::RestitutionAsFactor,
    Suspect::RestitutionSign,
    Suspect::RestitutionValue,
    Suspect::FixedMassUsed,
    Suspect::ImpulseSign,
    Suspect::NormalNotUnit,
    Suspect::OneSided,
    Suspect::ImpulseTwice,
    Suspect::MassesSwapped,
    Suspect::MassesIgnored,
    Suspect::AlphaSwapped,
];

/// Drops suspects that the list of the first wrong step speaks against, as long as one is left: who
/// lists a collision has found it.
pub(super) fn hear(samples: &[&Sample], found: &mut Vec<Diagnosis>) {
    let first = samples.iter().find(|sample| !sample.is_right);
    let lists_all = |sample: &&Sample| {
        let (right, got) = (&sample.step.expected.contacts, &sample.step.got.contacts);
        let listed =
            |right: &Contact| got.iter().any(|got| key(got) == key(right) && same(got.normal, right.normal));
        !right.is_empty() && right.iter().all(listed)
    };
    let cleared: &[Suspect] = if first.is_some_and(lists_all) {
        &FINDING
    } else if misses_all(samples) {
        &ANSWERING
    } else {
        return;
    };
    if found.iter().any(|d| !cleared.contains(&d.suspect)) {
        found.retain(|d| !cleared.contains(&d.suspect));
    }
}

fn all_fit(right: &[Contact], got: &[Contact], swapped: bool, fits: Fits<'_>) -> bool {
    right.iter().all(|right| {
        let mut wanted = key(right);
        if swapped {
            if right.kind != ContactKind::ParticleParticle {
                return true;
            }
            wanted = (wanted.0, wanted.2, wanted.1);
        }
        got.iter().any(|got| key(got) == wanted && fits(right, got))
    }) && (!swapped || right.iter().any(|right| right.kind == ContactKind::ParticleParticle))
}

fn same(a: [f64; 3], b: [f64; 3]) -> bool {
    a.iter().zip(&b).all(|(x, y)| (x - y).abs() <= NEAR)
}

/// An energy, momentum or mass that is a simple multiple of the right one, or polynomials that are
/// not there, in files whose motion is right.
pub(super) fn quantities(grade: &Grade) -> Vec<Diagnosis> {
    let Some(first) = &grade.grader.first else { return Vec::new() };
    if first.quantity == POLYNOMIAL_COUNT && first.got == 0.0 {
        let suspect = Suspect::PolynomialsMissing;
        return vec![Diagnosis { suspect, detail: None, explained: 1, wrong: 1 }];
    }
    let names = ["M", "X(0)", "I", "P", "Lcm", "Lspin", "Tcm", "Tspin", "U"];
    if !names.contains(&first.quantity) || first.expected == 0.0 {
        return Vec::new();
    }
    let ratio = first.got / first.expected;
    let factors =
        [(2.0, "twice"), (0.5, "half"), (-1.0, "minus"), (4.0, "four times"), (0.25, "a quarter of")];
    let known = factors.iter().find(|(factor, _)| (ratio - factor).abs() < NEAR);
    let diagnosis = known.map(|(_, words)| Diagnosis {
        suspect: Suspect::QuantityFactor,
        detail: Some(format!("{}: yours is {words} the right one", first.quantity)),
        explained: 1,
        wrong: 1,
    });
    diagnosis.into_iter().collect()
}
