//! Ctrl-C as a flag: the run stops after the current step, a second one ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};

static INSTALL: Once = Once::new();

/// Whether Ctrl-C was pressed since the flag was made.
#[derive(Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A flag that Ctrl-C sets. Where no handler can be installed, Ctrl-C ends the program as usual; the journal is safe either way.
pub(crate) fn flag() -> Interrupt {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    INSTALL.call_once(|| {
        let _ends_as_usual = ctrlc::set_handler(move || {
            if seen.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
    Interrupt(flag)
}
