//! A file that does not begin as it should: how its first bytes can be read after all tells what
//! its program does wrongly.

use crate::{Options, Scene, Simulation};
use carom_trajectory::Frame;
use carom_trajectory::course::{CourseLayout, CourseRecords};

/// Numbers are the same when they differ by less than this part: seven digits are what single
/// precision has.
const NEAR: f64 = 1e-5;

/// What the first bytes of a file are, in a sentence, where they are not what the layout of the
/// scene's files wants. The more bytes, the more it can find; three records are enough.
pub fn what_begins_so(
    scene: &Scene,
    options: Options,
    layout: CourseLayout,
    bytes: &[u8],
) -> Option<&'static str> {
    if is_text(bytes) {
        return Some(
            "it is text: the numbers must be written as the bytes of doubles, without spaces and line breaks",
        );
    }
    let mut simulation = Simulation::new(scene, options).ok()?;
    let start = simulation.frame();
    let after = simulation.step().ok().map(|_| simulation.frame());
    let bodywise = layout.records == CourseRecords::RigidBodies;
    let width = layout.records.family().coordinates();
    let first = state(&start, width, bodywise);
    if first.is_empty() {
        return None;
    }
    let begins = |bytes: &[u8], wanted: &[f64]| near(&doubles(bytes, wanted.len()), wanted);
    if begins(bytes, &first) {
        let next = state(after.as_ref()?, width, bodywise);
        return lists_that_are_missing(layout.records, bytes.get(8 * first.len()..)?, &next);
    }
    if after.is_some_and(|after| begins(bytes, &state(&after, width, bodywise))) {
        return Some(
            "its first frame is that after one step: the initial state must be written before the first step",
        );
    }
    if near(&singles(bytes, first.len()), &first) {
        return Some("its numbers have 4 bytes (float): they must have 8 (double)");
    }
    let reversed: Vec<u8> = bytes.chunks_exact(8).flat_map(|number| number.iter().rev().copied()).collect();
    if begins(&reversed, &first) {
        return Some(
            "its numbers have their bytes in the other order (big-endian): the lowest must come first",
        );
    }
    let swapped =
        Frame { positions: start.velocities.clone(), velocities: start.positions.clone(), ..start.clone() };
    if begins(bytes, &state(&swapped, width, bodywise)) {
        return Some("positions and velocities have changed places: positions come first");
    }
    if begins(bytes, &state(&start, width, !bodywise)) {
        return Some(if bodywise {
            "all positions come before all velocities: position and velocity of the first body come first, then those of the next"
        } else {
            "position and velocity are written particle by particle: the positions of all come first, then the velocities of all"
        });
    }
    None
}

/// Where the second frame is tells which lists a file has.
fn lists_that_are_missing(records: CourseRecords, rest: &[u8], next: &[f64]) -> Option<&'static str> {
    let is_at = |offset: usize| rest.get(offset..).is_some_and(|rest| near(&doubles(rest, next.len()), next));
    match records {
        CourseRecords::Plain if is_at(4) => Some(
            "its records hold lists of collisions: files of this scene have none, only positions and velocities",
        ),
        CourseRecords::Simple if is_at(0) => Some(
            "the lists of collisions are missing: their number, if only 0, comes after the velocities of every frame",
        ),
        CourseRecords::ContinuousTime | CourseRecords::Hybrid if is_at(4) => Some(
            "the lists of polynomials are missing: their number comes after the collisions of every record",
        ),
        CourseRecords::ContinuousTime | CourseRecords::Hybrid if is_at(0) => Some(
            "the lists of collisions and of polynomials are missing after the velocities of every record",
        ),
        CourseRecords::RigidBodies if is_at(0) => Some(
            "masses, centres of mass, moments of inertia, energies and momenta are missing: it holds the states only",
        ),
        _ => None,
    }
}

/// The numbers of a state in the order of a file: body by body, or all positions first.
fn state(frame: &Frame, width: usize, bodywise: bool) -> Vec<f64> {
    if !bodywise {
        return frame.positions.iter().chain(&frame.velocities).copied().collect();
    }
    let bodies = frame.positions.chunks_exact(width).zip(frame.velocities.chunks_exact(width));
    bodies.flat_map(|(x, v)| x.iter().chain(v).copied()).collect()
}

fn doubles(bytes: &[u8], count: usize) -> Vec<f64> {
    let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap_or_default());
    bytes.chunks_exact(8).take(count).map(number).collect()
}

fn singles(bytes: &[u8], count: usize) -> Vec<f64> {
    let number = |bytes: &[u8]| f64::from(f32::from_le_bytes(bytes.try_into().unwrap_or_default()));
    bytes.chunks_exact(4).take(count).map(number).collect()
}

fn near(got: &[f64], wanted: &[f64]) -> bool {
    got.len() == wanted.len()
        && got.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= NEAR * b.abs().max(1e-3))
}

/// Digits, signs, blanks and line breaks.
fn is_text(bytes: &[u8]) -> bool {
    let is_written = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    bytes.len() >= 8 && bytes.iter().take(512).all(is_written)
}
