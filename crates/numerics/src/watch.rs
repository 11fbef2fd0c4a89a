//! Work that somebody may end from outside, and how much of it there may be.
//!
//! A step of a large scene can take minutes. Who computes it for somebody else watches it: loops
//! that may be long ask [`is_over`], and leave. What they leave behind is no answer; who set the
//! watch throws it away. A watch belongs to a thread, because a dozen layers lie between who sets
//! it and who asks. It changes no result that is used.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

std::thread_local! {
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
}

/// Who may end the work of a thread, and what bounds it.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    /// Set from outside: the work shall end.
    pub stop: Arc<AtomicBool>,
    /// Pairs of bodies that a step may look at; as many as a step allows itself when absent.
    pub most_pairs: Option<usize>,
}

/// Works under a watch.
pub fn during<T>(watch: Option<Watch>, work: impl FnOnce() -> T) -> T {
    /// Puts the watch before back, after a panic too.
    struct Back(Option<Watch>);
    impl Drop for Back {
        fn drop(&mut self) {
            WATCH.set(self.0.take());
        }
    }
    let _back = Back(WATCH.replace(watch));
    work()
}

/// The watch of this thread, for threads that help it.
pub fn current() -> Option<Watch> {
    WATCH.with_borrow(Clone::clone)
}

/// Whether the work of this thread shall end.
pub fn is_over() -> bool {
    WATCH.with_borrow(|watch| watch.as_ref().is_some_and(|watch| watch.stop.load(Ordering::Relaxed)))
}

/// Whether there is a watch.
pub fn is_set() -> bool {
    WATCH.with_borrow(Option::is_some)
}

/// The bound on pairs of the watch, if there is one and it is lower.
pub fn most_pairs(usual: usize) -> usize {
    let watched = WATCH.with_borrow(|watch| watch.as_ref().and_then(|watch| watch.most_pairs));
    watched.map_or(usual, |most| most.min(usual))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watch_lasts_as_long_as_its_work() {
        let watch = Watch { most_pairs: Some(3), ..Watch::default() };
        assert!(!is_over() && !is_set());
        during(Some(watch.clone()), || {
            assert!(is_set() && !is_over());
            assert_eq!((most_pairs(10), most_pairs(2)), (3, 2));
            watch.stop.store(true, Ordering::Relaxed);
            assert!(is_over());
            during(None, || assert!(!is_over()));
            assert!(is_over());
        });
        assert!(!is_over());
        assert_eq!(most_pairs(10), 10);
    }
}
