//! Processor time of short work.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Processor time of all threads, so that a busy machine counts little.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = processor_time();
    let done = work();
    (done, processor_time().saturating_sub(before))
}

/// To the nanosecond, where the counters in /proc move by milliseconds.
fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// As a number of milliseconds.
pub fn milliseconds(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}

/// The exponent of y in x by least squares of the logarithms.
#[allow(clippy::disallowed_methods, reason = "a fit of measured times, never part of a result")]
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(&|p| p.0.ln()), mean(&|p| p.1.ln()));
    mean(&|p| (p.0.ln() - x) * (p.1.ln() - y)) / mean(&|p| (p.0.ln() - x).powi(2))
}
