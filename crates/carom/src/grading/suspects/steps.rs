//! Suspects about whole steps: another coefficient of restitution that is read off the file,
//! another time step, frames that are left out or repeated.

use super::bench::{Bench, Motion};
use super::{Suspect, Trial};
use crate::{Frame, Scene, Simulation};
use carom_scene::System;
use carom_scene::description::particles::Response;
use glam::DVec2;

/// Coefficients of restitution that are tried.
const MOST_FACTORS: usize = 8;

pub(super) fn trials(bench: &Bench<'_>) -> Vec<Trial> {
    let mut trials = other_restitution(bench);
    for (factor, name) in [(0.5, "half of it"), (2.0, "twice it")] {
        let predicted = with_time_step(bench.scene, factor).and_then(|scene| bench.steps_of(&scene));
        let trial = |predicted| trial(Suspect::WrongTimeStep, Some(name.to_owned()), predicted);
        trials.extend(predicted.map(trial));
    }
    // a reader of these takes every second record for the one inside of a step
    let has_two_records = match &bench.scene.system {
        System::Particles(system) => {
            matches!(system.collision.response, Response::ContinuousTime | Response::Hybrid { .. })
        }
        _ => false,
    };
    let detail = has_two_records
        .then(|| "or only one is written: files of this collision type have two for each step".to_owned());
    trials.extend(two_steps(bench).map(|predicted| trial(Suspect::FramesSkipped, detail, predicted)));
    // right steps say nothing: what is repeated is repeated now and then
    let repeated =
        |sample: &&crate::grading::Sample| (!sample.is_right).then(|| Motion::of(&sample.step.before));
    trials.push(trial(Suspect::FrameRepeated, None, bench.samples.iter().map(repeated).collect()));
    trials
}

fn trial(suspect: Suspect, detail: Option<String>, predicted: Vec<Option<Motion>>) -> Trial {
    Trial { suspect, detail, predicted }
}

/// Impulses grow with 1 + COR, so a particle with one contact changes its velocity by the right
/// change times one number, and that tells the COR. Where contacts depend on each other it does
/// not: several numbers are tried.
fn other_restitution(bench: &Bench<'_>) -> Vec<Trial> {
    let System::Particles(system) = &bench.scene.system else { return Vec::new() };
    let own = system.collision.restitution;
    let mut trials = Vec::new();
    for found in factors(bench).into_iter().map(|factor| factor * (1.0 + own) - 1.0) {
        // these have names of their own
        let known = [own, 1.0, 2.0 * own - 1.0, -own, -1.0];
        let is_new = known.iter().all(|cor| (cor - found).abs() > 1e-7);
        if !(is_new && (-1.0..=1.0).contains(&found)) {
            continue;
        }
        let mut scene = bench.scene.clone();
        if let System::Particles(system) = &mut scene.system {
            system.collision.restitution = found;
        }
        let detail = format!("COR = {}, in the scene {own}", (found * 1e9).round() / 1e9);
        let predicted = bench.steps_of(&scene);
        trials.extend(predicted.map(|p| trial(Suspect::RestitutionValue, Some(detail), p)));
    }
    trials
}

/// Numbers that changes of velocity in the right answer are to be multiplied with to be those of
/// the file, the first few.
fn factors(bench: &Bench<'_>) -> Vec<f64> {
    let mut factors: Vec<f64> = Vec::new();
    let wrong = bench.samples.iter().zip(&bench.free).filter(|(sample, _)| !sample.is_right);
    for (sample, free) in wrong.take(8) {
        let Some(free) = free else { continue };
        let (right, got) = (&sample.step.expected.velocities, &sample.step.got.velocities);
        for ((free, right), got) in free.velocities.chunks(2).zip(right.chunks(2)).zip(got.chunks(2)) {
            let change = |of: &[f64]| DVec2::new(of[0] - free[0], of[1] - free[1]);
            let (right, got) = (change(right), change(got));
            let factor = got.dot(right) / right.length_squared();
            let is_along = (got - factor * right).length() < 1e-9 * right.length().max(1.0);
            let is_new = factors.iter().all(|known| (known - factor).abs() > 1e-8);
            if right.length() > 1e-6 && is_along && is_new && factors.len() < MOST_FACTORS {
                factors.push(factor);
            }
        }
    }
    factors
}

fn with_time_step(scene: &Scene, factor: f64) -> Option<Scene> {
    let mut scene = scene.clone();
    match &mut scene.system {
        System::Particles(system) => system.integrator.dt *= factor,
        System::RigidBodies(system) => system.integrator.dt *= factor,
        System::SpatialBodies(_) => return None,
    }
    Some(scene)
}

fn two_steps(bench: &Bench<'_>) -> Option<Vec<Option<Motion>>> {
    let mut simulation = Simulation::new(bench.scene, bench.options).ok()?;
    let mut ends = Vec::new();
    for sample in &bench.samples {
        let before = &sample.step.before;
        let middle = super::bench::step(&mut simulation, before);
        ends.push(middle.and_then(|middle| {
            let Motion { positions, velocities } = middle;
            let frame = Frame { step: before.step, positions, velocities, ..Frame::default() };
            super::bench::step(&mut simulation, &frame)
        }));
    }
    Some(ends)
}
