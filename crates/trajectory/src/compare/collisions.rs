//! Sets of collisions compared as the course's grader does: on kind and indices, then on normals.

use serde::Serialize;

use crate::frame::{Contact, ContactKind};

/// Normals that differ by more than this are wrong (the course's grader).
pub const NORMAL_TOLERANCE: f64 = 1e-9;
/// Differences that are kept in full; further ones are only counted.
const KEPT: usize = 100;

/// What is wrong with a collision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CollisionProblem {
    /// The reference has it, the computation does not.
    Missed,
    /// The computation has it, the reference does not.
    Superfluous,
    /// Both have it, with normals that differ.
    WrongNormal,
}

/// One collision that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CollisionDifference {
    /// Number of the frame.
    pub frame: u64,
    /// What is wrong.
    pub problem: CollisionProblem,
    /// The kind of pair.
    pub kind: ContactKind,
    /// The particle or body.
    pub first: u32,
    /// The other one.
    pub second: u32,
    /// When in the step they touched, as the reference says, or the computation where the reference
    /// has nothing.
    pub time: f64,
    /// The normal in the reference.
    pub expected_normal: Option<[f64; 3]>,
    /// The normal that was computed.
    pub got_normal: Option<[f64; 3]>,
}

/// All differences of collisions in a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct CollisionDifferences {
    /// Collisions of the reference that were not found.
    pub missed: u64,
    /// Collisions that the reference does not have.
    pub superfluous: u64,
    /// Collisions with another normal.
    pub wrong_normals: u64,
    /// The first of them in full.
    pub first: Vec<CollisionDifference>,
    #[serde(skip)]
    sorted: [Vec<Contact>; 2],
}

impl CollisionDifferences {
    /// Compares the collisions of one frame as sets: their order and repetitions do not matter.
    pub fn add(&mut self, frame: u64, expected: &[Contact], got: &[Contact]) {
        let [mut wanted, mut found] = std::mem::take(&mut self.sorted);
        sort(expected, &mut wanted);
        sort(got, &mut found);
        let (mut w, mut f) = (wanted.iter().peekable(), found.iter().peekable());
        loop {
            match (w.peek(), f.peek()) {
                (None, None) => break,
                (Some(a), Some(b)) if key(a) == key(b) => {
                    if !normals_agree(a, b) {
                        self.keep(frame, Some(a), Some(b));
                    }
                    w.next();
                    f.next();
                }
                (Some(a), b) if b.is_none_or(|b| key(a) < key(b)) => {
                    self.keep(frame, Some(a), None);
                    w.next();
                }
                (_, b) => {
                    self.keep(frame, None, b.copied());
                    f.next();
                }
            }
        }
        self.sorted = [wanted, found];
    }

    /// Whether nothing differs.
    pub fn passes(&self) -> bool {
        self.count() == 0
    }

    /// How many differ.
    pub fn count(&self) -> u64 {
        self.missed + self.superfluous + self.wrong_normals
    }

    fn keep(&mut self, frame: u64, expected: Option<&Contact>, got: Option<&Contact>) {
        let (problem, count) = match (expected, got) {
            (Some(_), Some(_)) => (CollisionProblem::WrongNormal, &mut self.wrong_normals),
            (Some(_), None) => (CollisionProblem::Missed, &mut self.missed),
            (None, _) => (CollisionProblem::Superfluous, &mut self.superfluous),
        };
        *count += 1;
        let Some(contact) = expected.or(got).filter(|_| self.first.len() < KEPT) else { return };
        self.first.push(CollisionDifference {
            frame,
            problem,
            kind: contact.kind,
            first: contact.first,
            second: contact.second,
            time: contact.time,
            expected_normal: expected.map(|c| c.normal),
            got_normal: got.map(|c| c.normal),
        });
    }
}

/// First index and both times of the pairs that are once in either list: of what comes twice nobody
/// knows which belongs to which.
pub(super) fn common_times(expected: &[Contact], got: &[Contact]) -> Vec<(u32, f64, f64)> {
    let [wanted, found] = [expected, got].map(|contacts| {
        let mut times: Vec<_> = contacts.iter().map(|contact| (key(contact), contact.time)).collect();
        times.sort_by_key(|(key, _)| *key);
        let single: Vec<_> =
            times.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() == 1).map(|same| same[0]).collect();
        single
    });
    let both = wanted.iter().filter_map(|(key, time)| {
        let place = found.binary_search_by_key(key, |(key, _)| *key).ok()?;
        Some((key.1, *time, found[place].1))
    });
    both.collect()
}

fn key(contact: &Contact) -> (ContactKind, u32, u32) {
    (contact.kind, contact.first, contact.second)
}

/// Sorts a list; of repeated pairs the first stays.
fn sort(contacts: &[Contact], sorted: &mut Vec<Contact>) {
    sorted.clear();
    sorted.extend_from_slice(contacts);
    sorted.sort_by_key(key);
    sorted.dedup_by_key(|contact| key(contact));
}

fn normals_agree(a: &Contact, b: &Contact) -> bool {
    super::distance(&a.normal, &b.normal) <= NORMAL_TOLERANCE
}
