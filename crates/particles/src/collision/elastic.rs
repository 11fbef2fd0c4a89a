//! Elastic impacts first, inelastic ones for what is left (collision lecture, "elastic collision
//! resolution").
//!
//! What touches on the straight path gets the elastic law on the velocities at the start of the
//! step, not on the mean velocity: a block at rest on the floor has no velocity to reflect, so the
//! weight that a step adds does not make it jump. The change is added to the end of the path. After
//! a few repeats, what still touches gets the inelastic law on the mean velocity, until nothing
//! does.

use super::hybrid::{detect, drop_negligible};
use super::impulse::{Law, pair_impulse};
use super::{CollisionReport, FallbackLevel, Handler, Step, continuous_time, failsafe};

pub(super) fn resolve(
    handler: &mut Handler,
    step: &mut Step<'_>,
    elastic_iterations: u32,
    max_iterations: u32,
) -> CollisionReport {
    let law = Law::of(step.context.collision());
    let mut report = CollisionReport::default();
    handler.velocities.clone_from(&step.start.velocities);
    for _ in 0..elastic_iterations {
        report.passes += 1;
        if !elastic_pass(handler, step, law) {
            break;
        }
    }
    for _ in 0..max_iterations {
        report.passes += 1;
        if continuous_time::sweep(handler, step, Law { restitution: 0.0, ..law }) == 0 {
            return report;
        }
        if law.restitution > 0.0 {
            report.fallback = FallbackLevel::Inelastic;
        }
    }
    report.fallback = failsafe::resolve(handler, step);
    report.fallback = report.fallback.max(FallbackLevel::Inelastic);
    report
}

/// One pass of the elastic law on the velocities at the start. Whether anything changed.
fn elastic_pass(handler: &mut Handler, step: &mut Step<'_>, law: Law) -> bool {
    detect(handler, step);
    drop_negligible(handler, step);
    let mut changed = false;
    for hit in &handler.hits {
        let impulse = pair_impulse(&step.context, hit, law, |k| handler.velocities[k]);
        // velocities at the start that do not come nearer have nothing to reflect
        if impulse.closing <= 0.0 {
            continue;
        }
        step.note();
        impulse.apply_to_velocities(&mut handler.velocities);
        continuous_time::apply(&impulse, step.context.settings.time_step, step.end);
        handler.contacts.push(hit.contact(impulse.magnitude, impulse.friction));
        changed = true;
    }
    changed
}
