//! Processor time of short work.

use std::time::{Duration, Instant};

/// Processor time of all threads where Linux tells it, so that a busy machine counts little; wall time elsewhere.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (before, start) = (processor_time(), Instant::now());
    let done = work();
    let spent = match (before, processor_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => start.elapsed(),
    };
    (done, spent)
}

/// The first number of each thread's schedstat is the nanoseconds that it ran.
fn processor_time() -> Option<Duration> {
    let mut nanoseconds = 0;
    for thread in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += text.split(' ').next()?.parse::<u64>().ok()?;
    }
    Some(Duration::from_nanos(nanoseconds))
}

/// As a number of milliseconds.
pub fn milliseconds(duration: Duration) -> f64 {
    1e3 * duration.as_secs_f64()
}

/// The exponent of y in x by least squares of the logarithms.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(&|p| p.0.ln()), mean(&|p| p.1.ln()));
    mean(&|p| (p.0.ln() - x) * (p.1.ln() - y)) / mean(&|p| (p.0.ln() - x).powi(2))
}
