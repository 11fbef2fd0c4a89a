//! Time of the processor that this program has had: a busy machine is no hang.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Hundredths of a second of work, as the watchdog saw it last. To ask the system for every input
/// would cost more than most inputs do.
static SEEN: AtomicU64 = AtomicU64::new(0);

/// A moment on the clock of this program's work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Worked {
    seen: u64,
    moment: Instant,
}

impl Worked {
    pub(crate) fn now() -> Self {
        Self { seen: SEEN.load(Ordering::Relaxed), moment: Instant::now() }
    }

    /// Whether more work than this has been done since, to within a second; by the clock on the
    /// wall where the system does not say.
    pub(crate) fn is_longer_ago_than(self, time: Duration) -> bool {
        self.moment.elapsed() > time
            && ticks().is_none_or(|now| Duration::from_millis(10 * now.saturating_sub(self.seen)) > time)
    }
}

/// To be called once a second.
pub(crate) fn look() {
    SEEN.store(ticks().unwrap_or(0), Ordering::Relaxed);
}

/// Time in user and kernel mode of all threads: fields 14 and 15 of `/proc/self/stat`.
fn ticks() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
}
