//! Collisions resolved without regard to their order in time (collision lecture, "simultaneous
//! collision resolution").
//!
//! From the old positions to candidate positions runs a straight path; what touches on it gets an
//! impulse at the mean velocity, which changes the candidate positions; this is repeated until
//! nothing touches. Restitution may keep it from ending, so the later half of the passes is
//! inelastic; after the cap come the failsafes.

use super::continuous_time::sweep;
use super::impulse::Law;
use super::{CollisionReport, FallbackLevel, Handler, Step, failsafe};

/// Repeats sweeps until one finds nothing.
pub(super) fn resolve(handler: &mut Handler, step: &mut Step<'_>, max_iterations: u32) -> CollisionReport {
    let law = Law::of(step.context.collision());
    let mut report = CollisionReport::default();
    for pass in 0..max_iterations {
        let inelastic = 2 * pass > max_iterations;
        let restitution = if inelastic { 0.0 } else { law.restitution };
        report.passes += 1;
        if sweep(handler, step, Law { restitution, ..law }) == 0 {
            return report;
        }
        if inelastic {
            report.fallback = FallbackLevel::Inelastic;
        }
    }
    report.fallback = failsafe::resolve(handler, step);
    report
}
