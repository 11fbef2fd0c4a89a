//! Suspects about whole steps: another coefficient of restitution that is read off the file, another time step, frames that are left out or repeated.

use super::bench::{Bench, Motion};
use super::{Suspect, Trial};
use crate::{Frame, Scene, Simulation};
use carom_scene::System;

pub(super) fn trials(bench: &Bench<'_>) -> Vec<Trial> {
    let mut trials: Vec<Trial> = other_restitution(bench).into_iter().collect();
    for (factor, name) in [(0.5, "half of it"), (2.0, "twice it")] {
        let predicted = with_time_step(bench.scene, factor).and_then(|scene| bench.steps_of(&scene));
        let trial = |predicted| trial(Suspect::WrongTimeStep, Some(name.to_owned()), predicted);
        trials.extend(predicted.map(trial));
    }
    trials.extend(two_steps(bench).map(|predicted| trial(Suspect::FramesSkipped, None, predicted)));
    // right steps say nothing: what is repeated is repeated now and then
    let repeated =
        |sample: &&crate::grading::Sample| (!sample.is_right).then(|| Motion::of(&sample.step.before));
    trials.push(trial(Suspect::FrameRepeated, None, bench.samples.iter().map(repeated).collect()));
    trials
}

fn trial(suspect: Suspect, detail: Option<String>, predicted: Vec<Option<Motion>>) -> Trial {
    Trial { suspect, detail, predicted }
}

/// Impulses grow with 1 + COR: where all of a step's changes are those of the right answer times one number, that tells the COR.
fn other_restitution(bench: &Bench<'_>) -> Option<Trial> {
    let System::Particles(system) = &bench.scene.system else { return None };
    let own = system.collision.restitution;
    let wrong = bench.samples.iter().zip(&bench.free).filter(|(sample, _)| !sample.is_right);
    let factor = wrong.take(8).find_map(|(sample, free)| {
        let (expected, got) = (&sample.step.expected.velocities, &sample.step.got.velocities);
        ratio(&free.as_ref()?.velocities, expected, got)
    })?;
    let found = factor * (1.0 + own) - 1.0;
    // these have names of their own
    let known = [own, 1.0, 2.0 * own - 1.0, -own, -1.0];
    let is_new = known.iter().all(|cor| (cor - found).abs() > 1e-7);
    if !(is_new && (-1.0..=1.0).contains(&found)) {
        return None;
    }
    let mut scene = bench.scene.clone();
    if let System::Particles(system) = &mut scene.system {
        system.collision.restitution = found;
    }
    let detail = format!("COR = {}, in the scene {own}", (found * 1e9).round() / 1e9);
    Some(trial(Suspect::RestitutionValue, Some(detail), bench.steps_of(&scene)?))
}

/// The number that the changes of `right` are to be multiplied with to be those of `got`; nothing where there is none.
fn ratio(free: &[f64], right: &[f64], got: &[f64]) -> Option<f64> {
    let changes = || free.iter().zip(right).zip(got).map(|((f, r), g)| (r - f, g - f));
    let square: f64 = changes().map(|(right, _)| right * right).sum();
    let product: f64 = changes().map(|(right, got)| right * got).sum();
    let factor = product / square;
    let off = changes().map(|(right, got)| (got - factor * right).abs()).fold(0.0, f64::max);
    (square > 1e-12 && off < 1e-9 * square.sqrt().max(1.0)).then_some(factor)
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
